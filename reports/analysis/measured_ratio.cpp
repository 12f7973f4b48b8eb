#include "reports/analysis/measured_ratio.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <tuple>

#include "workloads/statistics.h"

namespace raidscope {
namespace {

bool by_start(const RunResult* a, const RunResult* b) {
  return std::tie(*a->started_at, a->run_id) < std::tie(*b->started_at, b->run_id);
}

std::vector<double> logs_of(const std::vector<const RunResult*>& runs, MetricOf metric) {
  std::vector<double> out;
  for (const RunResult* run : runs) {
    const auto value = metric(*run);
    if (value && *value > 0 && std::isfinite(*value)) out.push_back(std::log(*value));
  }
  return out;
}

std::optional<double> exp_mean(const std::vector<double>& logs) {
  return logs.empty() ? std::nullopt : std::optional(std::exp(mean_of(logs)));
}

}  // namespace

std::vector<std::pair<const RunResult*, const RunResult*>> paired_runs(
    const std::vector<const RunResult*>& a, const std::vector<const RunResult*>& b) {
  std::vector<std::pair<const RunResult*, bool>> all;  // whether it is of a
  for (const RunResult* run : a) all.emplace_back(run, true);
  for (const RunResult* run : b) all.emplace_back(run, false);
  for (const auto& [run, of_a] : all) {
    if (!run->started_at) return {};
  }
  std::sort(all.begin(), all.end(),
            [](const auto& x, const auto& y) { return by_start(x.first, y.first); });
  std::vector<std::pair<const RunResult*, const RunResult*>> out;
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    if (all[i].second == all[i + 1].second) return {};
    out.emplace_back(all[all[i].second ? i : i + 1].first, all[all[i].second ? i + 1 : i].first);
  }
  return out;
}

std::optional<MeasuredRatio> measured_ratio(const std::vector<const RunResult*>& a,
                                            const std::vector<const RunResult*>& b, MetricOf metric,
                                            IntervalMethod method, double confidence) {
  MeasuredRatio out;
  const std::vector<double> logs_a = logs_of(a, metric);
  const std::vector<double> logs_b = logs_of(b, metric);
  out.n_a = static_cast<std::int64_t>(logs_a.size());
  out.n_b = static_cast<std::int64_t>(logs_b.size());
  out.a = exp_mean(logs_a);
  out.b = exp_mean(logs_b);
  if (logs_a.empty() && logs_b.empty()) return std::nullopt;
  if (logs_a.empty() || logs_b.empty()) return out;
  std::vector<double> pairs;
  if (logs_a.size() == a.size() && logs_b.size() == b.size()) {
    for (const auto& [left, right] : paired_runs(a, b))
      pairs.push_back(std::log(*metric(*right)) - std::log(*metric(*left)));
  }
  out.paired = pairs.size() >= 2;
  if (out.paired) {
    out.log = method == IntervalMethod::signed_rank ? signed_rank(pairs, confidence)
                                                    : paired_t(pairs, confidence);
  } else {
    out.log = welch_t(logs_a, logs_b, confidence);
    if (method == IntervalMethod::signed_rank) {
      out.log.low.reset();
      out.log.high.reset();
    }
  }
  return out;
}

}  // namespace raidscope
