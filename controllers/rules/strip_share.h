#pragma once

#include <cstdint>

namespace raidscope {

/// The share, 0 to 1, of requests of `block` bytes at start, start + step, start + 2 × step, … that
/// lie within one strip (all in bytes, the drive beginning at a strip). 0 for a block that is 0 or
/// larger than a strip. `step` 0: one block behind another.
double share_within_strip(std::uint64_t block, std::uint64_t step, std::uint64_t start,
                          std::uint64_t strip) noexcept;

}  // namespace raidscope
