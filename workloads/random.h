#pragma once

#include <cstdint>

namespace raidscope {

/// SplitMix64's finaliser (Steele, Lea, Flood 2014): a bijection of 64 bits, so that different
/// inputs never give the same output.
constexpr std::uint64_t mix64(std::uint64_t z) noexcept {
  z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9U;
  z = (z ^ (z >> 27U)) * 0x94d049bb133111ebU;
  return z ^ (z >> 31U);
}

/// SplitMix64: counter based, full period of 2^64, seeds need no care.
class SplitMix64 {
 public:
  explicit constexpr SplitMix64(std::uint64_t seed) noexcept : state_(seed) {}
  constexpr std::uint64_t operator()() noexcept { return mix64(state_ += 0x9e3779b97f4a7c15U); }

 private:
  std::uint64_t state_;
};

/// Lemire's multiply-shift: uniform below `bound` to within bound/2^64, without a division.
constexpr std::uint64_t below(std::uint64_t random, std::uint64_t bound) noexcept {
  __extension__ using Wide = unsigned __int128;
  return static_cast<std::uint64_t>((static_cast<Wide>(random) * bound) >> 64U);
}

}  // namespace raidscope
