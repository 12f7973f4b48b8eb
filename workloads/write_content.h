#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/random.h"

namespace raidscope {

/// The data that writes carry: incompressible, and no block is written twice. Every slot's buffer
/// holds random words of its own, and each refresh() replaces the key that all of them are XORed
/// with by one never used before: one pass over a buffer that is in the cache anyway (about 30
/// GB/s), where filling it anew would cost five times that. Keys come from a bijection of a
/// counter, so none repeats.
class WriteContent {
 public:
  /// Fills `memory`, slots of `stride` bytes (a multiple of 8). Different seeds, different content.
  WriteContent(std::span<std::byte> memory, std::size_t stride, std::uint64_t seed);

  /// Makes the first `length` bytes of the slot (a multiple of 8, always the same one) new.
  void refresh(std::uint32_t slot, std::size_t length) noexcept;

 private:
  std::span<std::byte> memory_;
  std::size_t stride_;
  SplitMix64 keys_;
  std::vector<std::uint64_t> current_;  ///< the key in each slot's buffer
};

}  // namespace raidscope
