#include "workloads/experiment/session_record.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

namespace raidscope {
namespace {

/// The same for the rounds of one seed of a point; without the targets' names when they are not
/// `named`.
std::string point_key(const Workload& workload, bool named) {
  Workload key = workload;
  if (!named) std::fill(key.targets.begin(), key.targets.end(), "T");
  return fmt::format("{}\n{}\n{}", workload.name, workload.seed, round_key(std::move(key)));
}

}  // namespace

std::vector<bool> missing_points(const std::vector<PlannedPoint>& points,
                                 const std::vector<RunResult>& results) {
  std::vector<bool> missing(points.size(), true);
  std::vector<const RunResult*> left;
  for (const RunResult& result : results) {
    if (!result.interrupted) left.push_back(&result);
  }
  for (const bool named : {true, false}) {
    std::map<std::string, int> done;
    for (const RunResult* result : left) ++done[point_key(result->workload, named)];
    std::map<std::string, int> taken;
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (!missing[i]) continue;
      const std::string key = point_key(points[i].workload, named);
      if (const auto found = done.find(key); found == done.end() || found->second == taken[key])
        continue;
      ++taken[key];
      missing[i] = false;
    }
    std::erase_if(left, [&](const RunResult* result) {
      const auto found = taken.find(point_key(result->workload, named));
      if (found == taken.end() || found->second == 0) return false;
      --found->second;
      return true;
    });
  }
  return missing;
}

std::set<std::string> made_again(const std::vector<RunResult>& runs) {
  const auto key = [](const RunResult& run) {
    return std::tuple(run.session_id, run.name, point_key(run.workload, true));
  };
  std::set<decltype(key(runs.front()))> whole;
  for (const RunResult& run : runs) {
    if (!run.interrupted && !run.session_id.empty()) whole.insert(key(run));
  }
  std::set<std::string> out;
  for (const RunResult& run : runs) {
    if (run.interrupted && whole.contains(key(run))) out.insert(run.run_id);
  }
  return out;
}

std::string plan_difference(const std::vector<PlannedPoint>& recorded,
                            const std::vector<PlannedPoint>& now) {
  if (recorded.size() != now.size())
    return fmt::format("{} points were planned, and the same options make {} now", recorded.size(),
                       now.size());
  for (std::size_t i = 0; i < now.size(); ++i) {
    Workload then = recorded[i].workload;
    Workload today = now[i].workload;
    // A device may have another name now; what it is was checked by its id.
    then.targets = today.targets;
    then.warnings = today.warnings;
    if (recorded[i].workload.targets.size() == now[i].workload.targets.size() &&
        recorded[i].name == now[i].name && then == today)
      continue;
    return fmt::format(
        "point {} was \"{}\" (seed {}, area {}), and the same options make \"{}\" "
        "(seed {}, area {}) now",
        i + 1, recorded[i].name, then.seed, then.area_bytes, now[i].name, today.seed,
        today.area_bytes);
  }
  return {};
}

}  // namespace raidscope
