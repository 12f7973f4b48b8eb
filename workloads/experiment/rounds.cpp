#include "workloads/experiment/rounds.h"

#include <algorithm>
#include <cmath>

#include "workloads/statistics.h"
#include "workloads/students_t.h"

namespace raidscope {
namespace {

constexpr double confidence = 0.95;
constexpr double shortest_drain_s = 60;
constexpr double longest_drain_s = 15 * 60;

double variance_of(std::span<const double> values) {
  return squared_distances(values, mean_of(values)) / static_cast<double>(values.size() - 1);
}

/// Whether depth `a` gives at least `share` of what `b` gives: no, perhaps, surely. Welch's t on
/// share × b − a; with one round each there is only the comparison of the values.
enum class AsGood { no, perhaps, surely };
AsGood as_good(const DepthSample& a, const DepthSample& b, double share) {
  const double mine = mean_of(a.iops), best = share * mean_of(b.iops);
  if (a.iops.size() < 2 || b.iops.size() < 2) return mine >= best ? AsGood::surely : AsGood::no;
  const WelchError welch = welch_error(variance_of(a.iops), a.iops.size(),
                                       share * share * variance_of(b.iops), b.iops.size());
  if (welch.error == 0) return mine >= best ? AsGood::surely : AsGood::no;
  const double margin = student_t_quantile(welch.degrees, 0.5 + confidence / 2) * welch.error;
  if (mine - best > margin) return AsGood::surely;
  return mine - best < -margin ? AsGood::no : AsGood::perhaps;
}

}  // namespace

std::optional<MeanInterval> mean_interval(std::span<const double> values) {
  if (values.size() < 2) return std::nullopt;
  return MeanInterval{mean_of(values), mean_half_width(values, confidence),
                      static_cast<int>(values.size())};
}

SteadyState judge_rounds(std::span<const double> iops, double round_s,
                         const SteadyStateRules& rules) {
  std::vector<RoundResult> rounds;
  for (const double rate : iops) {
    RoundResult round;
    round.number = static_cast<int>(rounds.size()) + 1;
    round.seconds = round_s;
    round.iops = rate;
    rounds.push_back(std::move(round));
  }
  return judge_steady_state(rounds, rules);
}

bool enough_rounds(std::span<const double> iops, const RoundsRule& rule) {
  if (rule.steady) return judge_rounds(iops, 1, *rule.steady).reached == true;
  if (static_cast<int>(iops.size()) < rule.least) return false;
  const auto interval = mean_interval(iops);
  return interval && interval->mean > 0 &&
         interval->half_width <= rule.within_pct / 100 * interval->mean;
}

double drain_seconds(std::optional<std::uint64_t> cache_bytes,
                     std::optional<double> write_bytes_per_s) noexcept {
  if (!cache_bytes || !write_bytes_per_s || !(*write_bytes_per_s > 0)) return shortest_drain_s;
  return std::clamp(static_cast<double>(*cache_bytes) / *write_bytes_per_s, shortest_drain_s,
                    longest_drain_s);
}

std::optional<SweetSpot> find_sweet_spot(std::span<const DepthSample> sweep,
                                         double practically_pct) {
  std::vector<DepthSample> depths(sweep.begin(), sweep.end());
  std::erase_if(depths, [](const DepthSample& depth) { return depth.iops.empty(); });
  std::sort(depths.begin(), depths.end(), [](const DepthSample& a, const DepthSample& b) {
    return a.outstanding < b.outstanding;
  });
  if (depths.size() < 3) return std::nullopt;
  const auto best = std::max_element(
      depths.begin(), depths.end(),
      [](const DepthSample& a, const DepthSample& b) { return mean_of(a.iops) < mean_of(b.iops); });
  if (!(mean_of(best->iops) > 0)) return std::nullopt;
  const double share = 1 - practically_pct / 100;
  SweetSpot out;
  bool repeated = true;
  for (const DepthSample& depth : depths) {
    repeated = repeated && depth.iops.size() > 1;
    const AsGood good = &depth == &*best ? AsGood::surely : as_good(depth, *best, share);
    if (out.low == 0 && good != AsGood::no) out.low = depth.outstanding;
    if (out.estimate == 0 && mean_of(depth.iops) >= share * mean_of(best->iops)) {
      out.estimate = depth.outstanding;
      out.share_pct = 100 * mean_of(depth.iops) / mean_of(best->iops);
      out.latency_us = mean_of(depth.mean_us);
    }
    if (good == AsGood::surely) {
      out.high = depth.outstanding;
      break;
    }
  }
  // The deepest point alone is as good as itself: the curve may rise beyond it.
  if (out.estimate == depths.back().outstanding) return std::nullopt;
  out.best_latency_us = mean_of(best->mean_us);
  if (repeated) out.confidence_pct = 100 * confidence;
  return out;
}

}  // namespace raidscope
