#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace raidscope {

/// A sample that shrinks below this share is compressible. Random bytes come to 1.0003.
inline constexpr double kCompressible = 0.95;

/// Where to look in a file of `size` bytes: at most `count` places, one in each of as many equal
/// parts, each a multiple of `bytes`, the first and the last of the file among them. The same for
/// the same arguments, and not at a regular distance, which data that repeats could fall in step
/// with.
std::vector<std::uint64_t> sample_places(std::uint64_t size, std::uint64_t bytes,
                                         std::size_t count);

/// Compressed ÷ plain by zlib at its quickest; 1 for an empty sample.
double compressed_ratio(std::span<const std::byte> bytes);

bool all_zero(std::span<const std::byte> bytes);

/// Without the zeros at the end of each 512 bytes.
std::vector<std::byte> without_padding(std::span<const std::byte> bytes);

/// Holds what random bytes never do: it shrinks, eight bytes in a row are equal, or 64 in a row are
/// below 128, as text is. By chance that is one block in 10^13.
bool is_not_random(std::span<const std::byte> bytes);

}  // namespace raidscope
