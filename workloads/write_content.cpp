#include "workloads/write_content.h"

#include <algorithm>

#include "workloads/content.h"

namespace raidscope {
namespace {
// Compressors of arrays look at pieces of a few KiB: each must have its share of zeros.
constexpr std::size_t piece = 4096;
}  // namespace

WriteContent::WriteContent(std::span<std::byte> memory, std::size_t stride, std::uint64_t seed,
                           const ContentKind& kind)
    : memory_(memory),
      stride_(stride),
      seed_(seed),
      kind_(kind),
      random_(mix64(seed ^ 0x6a09e667f3bcc908U)),
      made_(memory.size() / stride, 0) {
  for (std::size_t slot = 0; slot < made_.size(); ++slot)
    refresh(static_cast<std::uint32_t>(slot), stride_);
  std::fill(made_.begin(), made_.end(), 0);
}

void WriteContent::refresh(std::uint32_t slot, std::size_t length, std::uint64_t offset) noexcept {
  const std::span<std::byte> block = memory_.subspan(slot * stride_, length);
  if (kind_.addressed) {
    fill_content(block, seed_, offset);
    return;
  }
  if (kind_.duplicate_percent > 0 && made_[slot] >= length &&
      below(random_(), 100) < static_cast<std::uint64_t>(kind_.duplicate_percent)) {
    return;
  }
  made_[slot] = length;
  if (kind_.compressible_percent <= 0) {
    fill_content(block, seed_, next_);
    // Each begins at a multiple of 16, where no two pieces are equal.
    next_ += (length + 15) / 16 * 16;
    return;
  }
  for (std::size_t at = 0; at < length; at += piece) {
    const std::size_t size = std::min(piece, length - at);
    const std::size_t zeros =
        size * static_cast<std::size_t>(std::min(kind_.compressible_percent, 100)) / 100;
    const std::size_t filled = (size - zeros + 15) / 16 * 16;
    const std::size_t noise = std::min(filled, size);
    fill_content(block.subspan(at, noise), seed_, next_);
    std::fill(block.begin() + static_cast<std::ptrdiff_t>(at + noise),
              block.begin() + static_cast<std::ptrdiff_t>(at + size), std::byte{0});
    next_ += filled;
  }
}

}  // namespace raidscope
