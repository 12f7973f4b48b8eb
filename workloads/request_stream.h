#pragma once

#include <atomic>
#include <cstdint>
#include <span>

#include "probe/base/result.h"
#include "workloads/random.h"
#include "workloads/request.h"
#include "workloads/workload.h"

namespace raidscope {

/// The next block of a target that all its sequential workers take turns at, as SQLIO does.
struct SharedCursor {
  alignas(64) std::atomic<std::uint64_t> next{0};
};

/// Where a workload's requests lie on one target.
struct Extent {
  std::uint64_t area_bytes = 0;  ///< of the target, from offset 0
  std::uint64_t positions = 0;   ///< how many offsets a request can have
  std::uint64_t step_bytes = 0;  ///< distance of two offsets
  std::uint32_t block_bytes = 0;
};

/// What a workload can reach on a target of this size. Errc::usage when it has no block size or
/// more than one, when the target or the area is smaller than one block (or than one block for each
/// worker that has its own region), or the area is larger than the target.
Result<Extent> extent_of(const Workload& workload, std::uint64_t target_bytes);

/// The requests that one worker makes to one target, in order. Pure: the same workload, extent,
/// worker and target give the same stream (a shared cursor gives the same set in all). Random
/// offsets are uniform over every aligned offset whose block still fits; each request draws read or
/// write anew.
class RequestStream {
 public:
  RequestStream(const Workload& workload, const Extent& extent, std::uint32_t worker,
                std::uint32_t target, SharedCursor* cursor) noexcept;

  void fill(std::span<Request> out) noexcept;

 private:
  enum class Mode : std::uint8_t { random, shared, region };

  [[nodiscard]] bool draw_write() noexcept {
    if (read_percent_ >= 100) return false;
    return read_percent_ == 0 || below(random_(), 100) >= read_percent_;
  }

  SplitMix64 random_;
  SharedCursor* cursor_;
  std::uint64_t positions_;
  std::uint64_t step_;
  std::uint64_t begin_ = 0, end_ = 0, position_ = 0;  ///< of this worker's region, in steps
  std::uint32_t block_;
  std::uint32_t target_;
  std::uint32_t read_percent_;
  Mode mode_;
};

}  // namespace raidscope
