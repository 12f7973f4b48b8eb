#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "workloads/steady_state.h"

/// How often to measure, and how long to wait in between. Pure.
namespace raidscope {

/// Mean with the 95 % interval of Student's t: mean ± half_width.
struct MeanInterval {
  double mean = 0;
  double half_width = 0;
  int rounds = 0;
};
/// nullopt below two values, which have no spread.
std::optional<MeanInterval> mean_interval(std::span<const double> values);

/// When a point has been measured often enough.
struct RoundsRule {
  int least = 3;          ///< rounds; two give an interval that means little
  double within_pct = 5;  ///< half width of the interval, of the mean
  /// In place of the interval: the last rounds are steady (SNIA's criteria).
  std::optional<SteadyStateRules> steady;
};
bool enough_rounds(std::span<const double> iops, const RoundsRule& rule);

/// SNIA's test ends after 25 rounds at the latest.
inline constexpr int most_steady_rounds = 25;

/// Whether the last rounds of a point are steady among themselves: its window in seconds, excursion
/// and slope in % of their mean. All null with fewer rounds than the rules ask for. `round_s`: how
/// long each took.
SteadyState judge_rounds(std::span<const double> iops, double round_s,
                         const SteadyStateRules& rules);

/// How long a drive is left idle so that a write cache of this size drains before the next point:
/// its size over the random write rate that was measured, at least a minute, at most 15 (a minute
/// where one of them is not known). Seconds.
double drain_seconds(std::optional<std::uint64_t> cache_bytes,
                     std::optional<double> write_bytes_per_s) noexcept;

/// One depth of a sweep, with the IOPS and the mean latency of each of its rounds.
struct DepthSample {
  std::uint64_t outstanding = 0;
  std::vector<double> iops;
  std::vector<double> mean_us;
};

/// Where more outstanding requests stop to bring more: the smallest depth whose IOPS are not
/// practically less than the best of the sweep.
struct SweetSpot {
  std::uint64_t low = 0;                 ///< the smallest depth that may be it
  std::uint64_t estimate = 0;            ///< by the means
  std::uint64_t high = 0;                ///< the smallest depth that surely is
  std::optional<double> confidence_pct;  ///< of low to high; null with one round a depth
  double share_pct = 0;                  ///< of the best depth's IOPS that the estimate gives
  double latency_us = 0;                 ///< mean, at the estimate
  double best_latency_us = 0;            ///< mean, at the depth of the most IOPS
};
/// `practically_pct`: how much less than the best counts as the same. nullopt for less than three
/// depths, or where the deepest still gains: then the spot lies beyond the sweep.
std::optional<SweetSpot> find_sweet_spot(std::span<const DepthSample> sweep,
                                         double practically_pct = 5);

}  // namespace raidscope
