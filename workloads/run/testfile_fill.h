#pragma once

#include <cstdint>
#include <functional>

#include "probe/base/result.h"

namespace raidscope {

struct FillJob {
  int fd = -1;
  std::uint64_t from = 0;  ///< bytes, a multiple of kFillChunk; what is before is on the disk
  std::uint64_t size = 0;
  std::uint64_t seed = 0;
  bool direct = true;  ///< fd is open with O_DIRECT: whole blocks are written, also past the size
};

inline constexpr std::uint64_t kFillChunk = 1 << 20;

enum class FillWay { io_uring_or_pwrite, pwrite };

/// Called after each completion with the bytes from the start that are written without a gap.
/// Return false to stop.
using FillProgress = std::function<bool(std::uint64_t written)>;

struct FillEnd {
  std::uint64_t written = 0;  ///< from the start, without a gap
  bool stopped = false;
  bool used_io_uring = false;
};

/// Writes fill_content(seed) from `from` to `size` with a deep queue of 1 MiB direct writes through
/// io_uring, or one by one with pwrite where the kernel has none. Not synced. Error: io with the
/// errno and the offset; unsupported when the file refuses direct writes.
Result<FillEnd> fill_file(const FillJob& job, const FillProgress& progress,
                          FillWay way = FillWay::io_uring_or_pwrite);

}  // namespace raidscope
