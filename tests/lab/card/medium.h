#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

namespace raidscope::lab {

/// What is on a disk. Only what was written takes memory; the rest reads as zeros.
class Medium {
 public:
  void read(std::uint64_t offset, std::span<std::byte> out) const;
  void write(std::uint64_t offset, std::span<const std::byte> data);

 private:
  static constexpr std::size_t chunk_bytes = 64 << 10;
  using Chunk = std::array<std::byte, chunk_bytes>;
  std::unordered_map<std::uint64_t, std::unique_ptr<Chunk>> chunks_;
};

}  // namespace raidscope::lab
