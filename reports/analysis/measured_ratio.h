#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "workloads/ratio_interval.h"
#include "workloads/run_result.h"

namespace raidscope {

/// The runs of two groups as pairs: sorted by their start, each two that follow each other are one
/// of each, as interleaved rounds leave them. Empty where they are not; a last one without partner
/// is left out.
std::vector<std::pair<const RunResult*, const RunResult*>> paired_runs(
    const std::vector<const RunResult*>& a, const std::vector<const RunResult*>& b);

using MetricOf = std::optional<double> (*)(const RunResult& run);

/// The interval for one number of the runs of two groups, paired where they pair up. Latencies as
/// they are: whoever judges knows that smaller is better. Null where a run lacks the number or it
/// is not positive.
struct MeasuredRatio {
  LogRatio log;
  bool paired = false;
  std::optional<double> a, b;  ///< geometric means
  std::int64_t n_a = 0, n_b = 0;
};
std::optional<MeasuredRatio> measured_ratio(const std::vector<const RunResult*>& a,
                                            const std::vector<const RunResult*>& b, MetricOf metric,
                                            IntervalMethod method, double confidence);

}  // namespace raidscope
