#include "tests/lab/timing/line_cache.h"

namespace raidscope::lab {
namespace {

constexpr std::uint64_t line_bytes = 4096, line_blocks = line_bytes / sector_bytes;

/// Calls `visit` with each line, until it says false.
template <class Visit>
bool each_line(std::uint32_t volume, const Transfer& transfer, Visit&& visit) {
  if (transfer.blocks == 0) return true;
  const std::uint64_t last = (transfer.block + transfer.blocks - 1) / line_blocks;
  for (std::uint64_t line = transfer.block / line_blocks; line <= last; ++line) {
    if (!visit(std::uint64_t{volume} << 56 | line)) return false;
  }
  return true;
}

}  // namespace

bool LineCache::holds(std::uint32_t volume, const Transfer& transfer) {
  return each_line(volume, transfer, [&](std::uint64_t line) {
    const auto found = clean_.find(line);
    if (found != clean_.end()) used_.splice(used_.begin(), used_, found->second);
    return found != clean_.end() || dirty_.contains(line);
  });
}

void LineCache::keep(std::uint32_t volume, const Transfer& transfer, std::uint64_t bytes) {
  each_line(volume, transfer, [&](std::uint64_t line) {
    if (const auto found = clean_.find(line); found != clean_.end()) {
      used_.splice(used_.begin(), used_, found->second);
    } else {
      used_.push_front(line);
      clean_[line] = used_.begin();
    }
    return true;
  });
  while (used_.size() > bytes / line_bytes) {
    clean_.erase(used_.back());
    used_.pop_back();
  }
}

void LineCache::mark_dirty(std::uint32_t volume, const Transfer& transfer) {
  each_line(volume, transfer, [&](std::uint64_t line) { return ++dirty_[line] > 0; });
}

void LineCache::mark_clean(std::uint32_t volume, const Transfer& transfer) {
  each_line(volume, transfer, [&](std::uint64_t line) {
    if (--dirty_[line] == 0) dirty_.erase(line);
    return true;
  });
}

}  // namespace raidscope::lab
