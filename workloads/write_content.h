#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "workloads/random.h"

namespace raidscope {

/// What written data are to be like.
struct ContentKind {
  int compressible_percent = 0;  ///< of each block: that share is zeros, the rest incompressible
  int duplicate_percent = 0;     ///< of the blocks: they repeat the one before in their slot
  /// Content is that of its address (workloads/content.h) and can be held against it later.
  bool addressed = false;
  bool operator==(const ContentKind&) const = default;
};

/// The data that writes carry: by default incompressible, and no block is written twice, because
/// each refresh() takes the next piece of one content that never repeats (workloads/content.h).
class WriteContent {
 public:
  /// Fills `memory`, slots of `stride` bytes (a multiple of 16). Different seeds, different
  /// content.
  WriteContent(std::span<std::byte> memory, std::size_t stride, std::uint64_t seed,
               const ContentKind& kind = {});

  /// Makes the first `length` bytes of the slot the data of a write to `offset`.
  void refresh(std::uint32_t slot, std::size_t length, std::uint64_t offset = 0) noexcept;

 private:
  std::span<std::byte> memory_;
  std::size_t stride_;
  std::uint64_t seed_;
  std::uint64_t next_ = 0;  ///< bytes of the content used up
  ContentKind kind_;
  SplitMix64 random_;
  std::vector<std::size_t> made_;  ///< by slot: how much of it holds a block that can be repeated
};

}  // namespace raidscope
