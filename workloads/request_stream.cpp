#include "workloads/request_stream.h"

#include <algorithm>

#include <fmt/format.h>

#include "workloads/quantities.h"

namespace raidscope {

Result<Extent> extent_of(const Workload& workload, std::uint64_t target_bytes) {
  if (workload.block_bytes.size() != 1) {
    return fail(Errc::usage,
                fmt::format("a run takes one block size, and this workload has {}",
                            workload.block_bytes.size()),
                workload.name, "make a point for each block size");
  }
  const std::uint64_t block = workload.block_bytes.front();
  if (block == 0 || block > (std::uint64_t{1} << 30U)) {
    return fail(Errc::usage, fmt::format("a block size of {} bytes is not possible", block),
                workload.name, "give 512 bytes to 1G");
  }
  if (workload.area_bytes > target_bytes) {
    return fail(Errc::usage,
                fmt::format("the area of {} is larger than the target ({})",
                            print_size(workload.area_bytes), print_size(target_bytes)),
                workload.name, "make the target larger (--size) or choose a smaller area");
  }
  Extent extent;
  extent.area_bytes = workload.area_bytes != 0 ? workload.area_bytes : target_bytes;
  extent.block_bytes = static_cast<std::uint32_t>(block);
  extent.step_bytes = workload.pattern == Pattern::random && workload.alignment_bytes != 0
                          ? workload.alignment_bytes
                          : block;
  const std::uint64_t needed =
      workload.pattern == Pattern::sequential && workload.cursor == SequentialCursor::per_worker
          ? block * std::max<std::uint64_t>(workload.workers, 1)
          : block;
  if (extent.area_bytes < needed) {
    return fail(Errc::usage,
                fmt::format("an area of {} is too small for requests of {}{}",
                            size_with_unit(extent.area_bytes), size_with_unit(block),
                            needed > block
                                ? fmt::format(" by {} workers with a region each", workload.workers)
                                : std::string()),
                workload.name, "choose a larger target or area");
  }
  extent.positions = (extent.area_bytes - block) / extent.step_bytes + 1;
  if (extent.positions == 1 && extent.step_bytes > block && extent.area_bytes >= 2 * block) {
    return fail(Errc::usage,
                fmt::format("an alignment of {} leaves one place for requests in an area of {}",
                            size_with_unit(extent.step_bytes), size_with_unit(extent.area_bytes)),
                workload.name, "take a smaller --alignment or a larger target");
  }
  return extent;
}

RequestStream::RequestStream(const Workload& workload, const Extent& extent, std::uint32_t worker,
                             std::uint32_t target, SharedCursor* cursor) noexcept
    : random_(mix64(workload.seed + mix64((std::uint64_t{target} << 32U) + worker + 1))),
      cursor_(cursor),
      positions_(extent.positions),
      step_(extent.step_bytes),
      block_(extent.block_bytes),
      target_(target),
      read_percent_(static_cast<std::uint32_t>(std::clamp(workload.read_percent, 0, 100))),
      mode_(workload.pattern == Pattern::random                                ? Mode::random
            : workload.cursor == SequentialCursor::shared && cursor != nullptr ? Mode::shared
                                                                               : Mode::region) {
  const std::uint64_t workers = std::max<std::uint64_t>(workload.workers, 1);
  const std::uint64_t region = positions_ / workers;
  begin_ = region * worker;
  end_ = worker + 1 == workers ? positions_ : begin_ + region;
  position_ = begin_;
}

void RequestStream::fill(std::span<Request> out) noexcept {
  const auto target = static_cast<std::uint16_t>(target_);
  switch (mode_) {
    case Mode::random:
      for (Request& request : out) {
        const std::uint64_t offset = below(random_(), positions_) * step_;
        request = {offset, block_, target, draw_write()};
      }
      break;
    case Mode::shared: {
      // One atomic addition claims the whole batch; the remainder only costs a division a batch.
      std::uint64_t position =
          cursor_->next.fetch_add(out.size(), std::memory_order_relaxed) % positions_;
      for (Request& request : out) {
        request = {position * step_, block_, target, draw_write()};
        if (++position == positions_) position = 0;
      }
      break;
    }
    case Mode::region:
      for (Request& request : out) {
        request = {position_ * step_, block_, target, draw_write()};
        if (++position_ == end_) position_ = begin_;
      }
      break;
  }
}

}  // namespace raidscope
