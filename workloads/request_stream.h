#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "probe/base/result.h"
#include "workloads/offset_spread.h"
#include "workloads/random.h"
#include "workloads/request.h"
#include "workloads/workload.h"

namespace raidscope {

/// The next block of a target that all its sequential workers take turns at, as SQLIO does. Counts
/// steps of one block size; bytes where the sizes are mixed.
struct SharedCursor {
  alignas(64) std::atomic<std::uint64_t> next{0};
};

/// One kind of request of a mix, on one target.
struct ExtentLine {
  double percent = 100;
  std::uint32_t block_bytes = 0;
  std::uint64_t step_bytes = 0;   ///< distance of two random offsets
  std::uint64_t positions = 0;    ///< how many of them
  std::uint64_t align_bytes = 1;  ///< sequential offsets are rounded up to it
  std::uint32_t read_percent = 100;
  std::uint32_t random_percent = 100;
};

/// Where a workload's requests lie on one target.
struct Extent {
  std::uint64_t area_bytes = 0;   ///< from base_bytes on
  std::uint64_t positions = 0;    ///< how many offsets a request can have (of the first line)
  std::uint64_t step_bytes = 0;   ///< distance of two offsets
  std::uint32_t block_bytes = 0;  ///< the largest
  std::uint64_t base_bytes = 0;
  std::vector<ExtentLine> lines;  ///< not empty: a mix, or a share of random requests
};

/// What a workload can reach on a target of this size. Errc::usage when it has no block size (or
/// more than one and no mix), when the target or the area is smaller than one block (or than one
/// block for each worker that has its own region), or the area is larger than the target.
Result<Extent> extent_of(const Workload& workload, std::uint64_t target_bytes);

/// A worker's place among those that work on one target.
struct Sharing {
  std::uint32_t rank = 0;
  std::uint32_t sharers = 1;
};

/// The requests that one worker makes to one target, in order. Pure: the same workload, extent,
/// worker and target give the same stream (a shared cursor gives the same set in all). Random
/// offsets are spread over every aligned offset whose block still fits; each request draws its line
/// of the mix, then read or write, then random or following its predecessor, all anew.
class RequestStream {
 public:
  /// Without `sharing` all of the workload's workers work on the target.
  RequestStream(const Workload& workload, const Extent& extent, std::uint32_t worker,
                std::uint32_t target, SharedCursor* cursor, std::optional<Sharing> sharing = {});

  void fill(std::span<Request> out) noexcept;

 private:
  enum class Mode : std::uint8_t { random, shared, region, general };

  [[nodiscard]] bool draw_write(std::uint32_t read_percent) noexcept {
    if (read_percent >= 100) return false;
    return read_percent == 0 || below(random_(), 100) >= read_percent;
  }
  [[nodiscard]] Request make_general() noexcept;
  [[nodiscard]] std::uint64_t sequential_offset(const ExtentLine& line) noexcept;
  void mark_trims(std::span<Request> out) noexcept;

  SplitMix64 random_;
  SharedCursor* cursor_;
  std::uint64_t positions_;
  std::uint64_t step_;
  std::uint64_t base_;
  std::uint64_t begin_ = 0, end_ = 0, position_ = 0;  ///< of this worker's region, in steps
  std::uint32_t block_;
  std::uint32_t target_;
  std::uint32_t read_percent_;
  std::uint32_t trim_percent_;
  Mode mode_;

  // Of the general mode, in bytes from the base.
  std::vector<ExtentLine> lines_;
  std::vector<OffsetSpread> spreads_;  ///< by line
  std::optional<AliasTable> pick_;
  std::uint64_t area_ = 0, from_ = 0, until_ = 0, next_ = 0, stride_ = 0, unit_ = 1;
  bool shared_bytes_ = false;
};

}  // namespace raidscope
