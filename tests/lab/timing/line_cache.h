#pragma once

#include <cstdint>
#include <list>
#include <unordered_map>

#include "tests/lab/card/block_io.h"

namespace raidscope::lab {

/// Lines of 4 KiB of the volumes, by volume number: which are in the cache's memory. Those that
/// were read make way for others, the longest unused first; those that were written stay until
/// they are on the drives.
class LineCache {
 public:
  /// Whether all of a transfer is there; then it counts as used.
  bool holds(std::uint32_t volume, const Transfer& transfer);
  /// Keeps what was read, as far as `bytes` go.
  void keep(std::uint32_t volume, const Transfer& transfer, std::uint64_t bytes);
  void mark_dirty(std::uint32_t volume, const Transfer& transfer);
  void mark_clean(std::uint32_t volume, const Transfer& transfer);

 private:
  std::list<std::uint64_t> used_;  ///< latest first
  std::unordered_map<std::uint64_t, std::list<std::uint64_t>::iterator> clean_;
  std::unordered_map<std::uint64_t, std::uint32_t> dirty_;  ///< writes that wait
};

}  // namespace raidscope::lab
