#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"
#include "workloads/experiment/rounds.h"
#include "workloads/plan.h"
#include "workloads/run_result.h"

/// When a session goes on to its next point, and what its rounds say together.
namespace raidscope::cli {

/// --until: nullopt when it is not given. usage for what is neither a percentage above 0 nor
/// "steady".
Result<std::optional<RoundsRule>> rounds_rule(const Arguments& arguments);

/// Rounds of a point when --until is given without --repeat.
inline constexpr int most_rounds = 20;

/// The IOPS of every round so far, by point.
class MeasuredRounds {
 public:
  void add(const RunResult& result);
  [[nodiscard]] bool enough(const PlannedPoint& point, const RoundsRule& rule) const;
  /// Of the last rounds of a workload; all null while they are too few.
  [[nodiscard]] SteadyState steady(const Workload& workload, const SteadyStateRules& rules) const;
  [[nodiscard]] std::size_t count(const Workload& workload) const;

 private:
  std::map<std::string, std::vector<double>> iops_;
};

/// --drain in seconds, 0 for "none"; nullopt for "auto".
Result<std::optional<double>> asked_rest(const Arguments& arguments);

/// Whether drives rest by themselves between points of these lengths in seconds.
bool rests_between(double last_s, double next_s) noexcept;

/// Seconds to leave the drive idle between a result and the next point (--drain; 0: none). By
/// itself only after a result that wrote, behind a cache that may hold writes, and where the points
/// are a minute or longer: what is shorter fills the cache anyway (rule W04).
Result<double> pause_before_next(const Arguments& arguments, const RunResult& last,
                                 const PlannedPoint& next, const Controller* controller,
                                 const LogicalDrive* drive);

/// Waits, saying why and how long; ends early when the user stops the program.
void leave_idle(const Arguments& arguments, double seconds);

/// "the last 5 rounds (150 s) lie within 12.3 % (20 % are allowed), their slope is 3.1 % (10 %)";
/// empty where they are too few to tell.
std::string steady_words(const SteadyState& steady, const SteadyStateRules& rules);

/// A line for each point of the plan that was measured: whether its rounds became steady.
std::vector<std::string> steady_lines(std::span<const PlannedPoint> points,
                                      const MeasuredRounds& rounds, const SteadyStateRules& rules);

/// A line for each sweep over depths in these results: where more depth brings nothing.
std::vector<std::string> sweet_spot_lines(std::span<const RunResult> results);

}  // namespace raidscope::cli
