#include "workloads/content.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace raidscope {
namespace {

constexpr std::uint64_t kGamma = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio, odd

constexpr std::uint64_t mix(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

/// Seeds that are close together must not give streams that are shifts of each other by a few
/// words.
constexpr std::uint64_t key(std::uint64_t seed) noexcept {
  return mix(mix(seed + kGamma) ^ 0x726169647363706f);
}

constexpr std::uint64_t word(std::uint64_t stream, std::uint64_t index) noexcept {
  std::uint64_t value = mix(stream + index * kGamma);
  if constexpr (std::endian::native == std::endian::big) value = __builtin_bswap64(value);
  return value;
}

}  // namespace

void fill_content(std::span<std::byte> out, std::uint64_t seed, std::uint64_t offset) noexcept {
  const std::uint64_t stream = key(seed);
  std::uint64_t index = offset / 8;
  const std::size_t inside = offset % 8;
  if (inside != 0 && !out.empty()) {
    const auto bytes = std::bit_cast<std::array<std::byte, 8>>(word(stream, index++));
    const std::size_t count = std::min(out.size(), 8 - inside);
    std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(inside), count, out.begin());
    out = out.subspan(count);
  }
  const std::size_t words = out.size() / 8;
  std::byte* to = out.data();
  for (std::size_t i = 0; i < words; ++i) {
    const std::uint64_t value = word(stream, index + i);
    std::memcpy(to + i * 8, &value, 8);
  }
  if (const std::size_t rest = out.size() % 8; rest != 0) {
    const std::uint64_t value = word(stream, index + words);
    std::memcpy(to + words * 8, &value, rest);
  }
}

}  // namespace raidscope
