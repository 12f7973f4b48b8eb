#include "workloads/steady_state.h"

#include <algorithm>
#include <cmath>

#include "workloads/statistics.h"

namespace raidscope {
namespace {

RoundResult add_up(std::span<const SeriesPoint> points, int number) {
  RoundResult round;
  round.number = number;
  double latency_sum = 0;
  double bytes = 0;
  for (const SeriesPoint& point : points) {
    round.ios += point.ios;
    bytes += point.bytes_per_s;
    round.bytes += point.bytes;
    merge_buckets(round.histogram, point.histogram);
    latency_sum += point.mean_us.value_or(0) * static_cast<double>(point.ios);
  }
  round.seconds = static_cast<double>(points.size());
  round.iops = static_cast<double>(round.ios) / round.seconds;
  round.bytes_per_s = bytes / round.seconds;
  if (!round.histogram.count.empty())
    round.p99_us = static_cast<double>(quantile_of(round.histogram, 0.99)) * 1e-3;
  if (round.ios != 0) round.mean_us = latency_sum / static_cast<double>(round.ios);
  return round;
}

}  // namespace

std::vector<RoundResult> cut_rounds(std::span<const SeriesPoint> series,
                                    const SteadyStateRules& rules) {
  std::size_t seconds = series.size();
  if (seconds != 0 && series.back().t < static_cast<double>(seconds) - 1e-6) --seconds;
  const auto rounds = static_cast<std::size_t>(std::max(rules.rounds, 2));
  if (seconds < rounds) return {};
  const auto longest = static_cast<std::size_t>(std::max(rules.longest_round_s, 1.0));
  const std::size_t length = std::min(seconds / rounds, longest);
  // Full-length rounds mean that the measurement is longer than the window: then all seconds before
  // it make further rounds, so that the list still adds up to the whole.
  const std::size_t count = length == longest ? seconds / length : rounds;
  std::vector<RoundResult> out;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t end = seconds - (count - 1 - i) * length;
    out.push_back(add_up(series.subspan(begin, end - begin), static_cast<int>(i) + 1));
    begin = end;
  }
  return out;
}

SteadyState judge_steady_state(std::span<const RoundResult> rounds, const SteadyStateRules& rules) {
  SteadyState out;
  const auto wanted = static_cast<std::size_t>(std::max(rules.rounds, 2));
  if (rounds.size() < wanted) return out;
  const std::span<const RoundResult> window = rounds.last(wanted);
  std::vector<double> iops;
  double seconds = 0;
  for (const RoundResult& round : window) {
    iops.push_back(round.iops);
    seconds += round.seconds;
  }
  out.window_s = seconds;
  const double mean = mean_of(iops);
  if (mean <= 0) return out;
  const auto [low, high] = std::minmax_element(iops.begin(), iops.end());
  out.excursion_pct = (*high - *low) / mean * 100;
  out.slope_pct = fit_line(iops).slope * static_cast<double>(wanted - 1) / mean * 100;
  out.reached = *out.excursion_pct <= rules.max_excursion_pct &&
                std::abs(*out.slope_pct) <= rules.max_slope_pct;
  return out;
}

}  // namespace raidscope
