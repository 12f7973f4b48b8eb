#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "probe/base/enum_names.h"
#include "reports/analysis/measured_ratio.h"
#include "workloads/run_result.h"

namespace raidscope {

/// What an interval comes from. Rounds of one run scatter less than repeats do: their interval says
/// nothing of another run.
enum class IntervalBasis { none, repeats, rounds };
template <>
struct EnumNames<IntervalBasis> {
  static constexpr std::pair<IntervalBasis, std::string_view> table[] = {
      {IntervalBasis::none, "none"},
      {IntervalBasis::repeats, "repeats"},
      {IntervalBasis::rounds, "rounds"}};
};

/// How high a number of a point is: the geometric mean, and Student's t on the logarithms.
struct LevelInterval {
  std::optional<double> estimate, low, high;  ///< low and high null: no interval
  std::size_t count = 0;                      ///< repeats, or rounds
  IntervalBasis basis = IntervalBasis::none;
};

/// Two repeats have an interval as well, twelve times as wide as their distance: nobody is served
/// by a picture of it.
inline constexpr std::size_t least_for_interval = 3;

/// Of the repeats where there are three; of a single run by its last five rounds (the window that
/// steady state is judged by) where the metric has a value for each. Values that are unknown or not
/// positive are left out.
using RoundMetricOf = std::optional<double> (*)(const RoundResult& round);
LevelInterval level_interval(const std::vector<const RunResult*>& runs, MetricOf metric,
                             RoundMetricOf of_round = nullptr,
                             double confidence = usual_confidence);

/// The two that every report shows, with the rounds of a single run.
LevelInterval iops_level(const std::vector<const RunResult*>& runs);
LevelInterval mean_level(const std::vector<const RunResult*>& runs);  ///< latency in microseconds

}  // namespace raidscope
