#pragma once

#include <span>
#include <vector>

#include "workloads/run_result.h"

namespace raidscope {

/// How a measurement is cut and judged. The defaults are the SNIA Performance Test Specification's
/// criteria: over a window of five rounds, the largest minus the smallest round within 20 % of the
/// mean, and the least-squares line through them rising or falling by at most 10 % of it from end
/// to end.
struct SteadyStateRules {
  int rounds = 5;
  double longest_round_s =
      60;  ///< a longer measurement is judged by its last rounds of this length
  double max_excursion_pct = 20;
  double max_slope_pct = 10;
};

/// Cuts whole seconds of a series into equal rounds, from the end backwards; the rounds of a
/// measurement of up to five minutes cover it all but for a remainder of seconds at its beginning,
/// which the first round takes in. Empty when there are fewer whole seconds than rounds. A last
/// point that is no whole second is left out.
std::vector<RoundResult> cut_rounds(std::span<const SeriesPoint> series,
                                    const SteadyStateRules& rules = {});

/// Judges the rounds: the window in seconds, the slope (end to end of the fitted line, signed) and
/// the excursion (max - min), both in % of the mean. All null when there are too few rounds or no
/// I/O.
SteadyState judge_steady_state(std::span<const RoundResult> rounds,
                               const SteadyStateRules& rules = {});

}  // namespace raidscope
