#include "reports/analysis/level_interval.h"

#include <algorithm>
#include <cmath>

#include "workloads/statistics.h"
#include "workloads/students_t.h"

namespace raidscope {
namespace {

constexpr std::size_t rounds_of_window = 5;

void add_log(const std::optional<double>& value, std::vector<double>& logs) {
  if (value && *value > 0 && std::isfinite(*value)) logs.push_back(std::log(*value));
}

}  // namespace

LevelInterval level_interval(const std::vector<const RunResult*>& runs, MetricOf metric,
                             RoundMetricOf of_round, double confidence) {
  LevelInterval out;
  std::vector<double> logs;
  for (const RunResult* run : runs) add_log(metric(*run), logs);
  out.count = logs.size();
  if (logs.empty()) return out;
  const double level = mean_of(logs);
  out.estimate = std::exp(level);
  if (logs.size() >= least_for_interval) {
    out.basis = IntervalBasis::repeats;
  } else if (logs.size() == 1 && runs.size() == 1 && of_round != nullptr) {
    const auto& rounds = runs.front()->rounds;
    std::vector<double> of_rounds;
    const std::size_t skip = rounds.size() - std::min(rounds.size(), rounds_of_window);
    for (std::size_t i = skip; i < rounds.size(); ++i) add_log(of_round(rounds[i]), of_rounds);
    if (of_rounds.size() < std::max(least_for_interval, rounds.size() - skip)) return out;
    logs = std::move(of_rounds);
    out.basis = IntervalBasis::rounds;
    out.count = logs.size();
  } else {
    return out;
  }
  const double half = mean_half_width(logs, confidence);
  // The rounds' mean is not the run's where the run is longer than they are: the band lies around
  // the rounds, the point where the run was.
  const double middle = mean_of(logs);
  out.low = std::exp(middle - half);
  out.high = std::exp(middle + half);
  return out;
}

LevelInterval iops_level(const std::vector<const RunResult*>& runs) {
  return level_interval(
      runs, [](const RunResult& run) { return std::optional(run.iops); },
      [](const RoundResult& round) { return std::optional(round.iops); });
}

LevelInterval mean_level(const std::vector<const RunResult*>& runs) {
  return level_interval(
      runs, [](const RunResult& run) { return run.latency_us.mean; },
      [](const RoundResult& round) { return round.mean_us; });
}

}  // namespace raidscope
