#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "workloads/random.h"
#include "workloads/workload.h"

namespace raidscope {

/// When the requests of one worker are meant to start, whatever became of those before: a regular
/// beat that interleaves with the other workers', or exponential gaps (independent Poisson streams
/// add up to one). Times are nanoseconds from the beginning.
class ArrivalClock {
 public:
  ArrivalClock(const Workload& workload, std::uint32_t worker)
      : random_(mix64(workload.seed + mix64(0x61727269U + worker))),
        gap_ns_(1e9 * std::max(workload.workers, 1U) / workload.rate_iops),
        poisson_(workload.arrivals == Arrivals::poisson) {
    due_ = poisson_ ? exponential() : gap_ns_ * worker / std::max(workload.workers, 1U);
  }

  [[nodiscard]] std::int64_t due() const noexcept { return static_cast<std::int64_t>(due_); }
  void next() noexcept { due_ += poisson_ ? exponential() : gap_ns_; }

 private:
  double exponential() noexcept {
    const double unit = (static_cast<double>(random_() >> 11U) + 1.0) * 0x1.0p-53;
    return -std::log(unit) * gap_ns_;
  }

  SplitMix64 random_;
  double gap_ns_;
  double due_ = 0;
  bool poisson_;
};

}  // namespace raidscope
