#include "reports/analysis/beside_references.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "reports/analysis/level_interval.h"
#include "reports/analysis/run_settings.h"
#include "reports/words.h"
#include "workloads/repeat_name.h"

namespace raidscope {
namespace {

/// Of a workload, what may differ and is then named; anything else makes it another workload.
constexpr std::string_view nameable[] = {"workers",
                                         "queue_depth_per_worker",
                                         "area_bytes",
                                         "duration_s",
                                         "ramp_s",
                                         "cooldown_s",
                                         "sync",
                                         "direct",
                                         "alignment_bytes",
                                         "cursor",
                                         "spread",
                                         "depth_over_targets",
                                         "instances",
                                         "target.kind"};
/// A reference that does not tell these has no workload to match.
constexpr std::string_view must_be_told[] = {"pattern", "block_bytes", "read_percent"};

template <std::size_t n>
bool among(const std::string_view (&list)[n], std::string_view key) {
  return std::find(std::begin(list), std::end(list), key) != std::end(list);
}

/// What differs, or nullopt where the workloads are not the same.
std::optional<std::vector<std::string>> differences(const RunSettings& mine,
                                                    const RunSettings& theirs) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < mine.size() && i < theirs.size(); ++i) {
    const RunSetting& a = mine[i];
    const RunSetting& b = theirs[i];
    const bool workload = a.kind == SettingKind::workload;
    if (among(must_be_told, a.key) && (!a.value || !b.value)) return std::nullopt;
    if (!a.value || !b.value || a.value == b.value) continue;
    if (workload && a.key == "outstanding_total") return std::nullopt;
    if (!a.matters) continue;
    if (workload && !among(nameable, a.key)) return std::nullopt;
    out.push_back(fmt::format("{}: {} here, {} there", a.key, *a.value, *b.value));
  }
  return out;
}

}  // namespace

std::vector<ReferencePosition> beside_references(
    const std::vector<RunResult>& runs, const std::map<std::string, Inventory>& snapshots) {
  struct Published {
    const Reference* reference;
    double iops;
    RunSettings settings;
  };
  std::vector<Published> published;
  for (const Reference& reference : references()) {
    if (const auto run = reference_run(reference))
      published.push_back({&reference, run->run.iops, run_settings(run->run, &run->inventory)});
  }
  std::vector<ReferencePosition> out;
  for (const PointGroup& group : group_points(runs)) {
    const RunResult& first = *group.runs.front();
    const auto iops = iops_level(group.runs).estimate;
    if (!iops) continue;
    const RunSettings mine = run_settings(first, inventory_of(first, snapshots));
    for (const Published& one : published) {
      auto differs = differences(mine, one.settings);
      if (!differs) continue;
      ReferencePosition position;
      position.name = repeat_name(first.name);
      position.workload = workload_shape(first.workload);
      for (const RunResult* run : group.runs) position.runs.push_back(run->run_id);
      position.origin = first.origin;
      position.iops = *iops;
      position.reference = one.reference;
      position.ratio = *iops / one.iops;
      position.differs = std::move(*differs);
      out.push_back(std::move(position));
    }
  }
  return out;
}

std::vector<const Reference*> claims_about(const Workload& workload) {
  std::vector<const Reference*> out;
  for (const Reference& reference : references()) {
    const auto theirs = workload_of_claim(reference);
    if (theirs && theirs->pattern == workload.pattern &&
        theirs->block_bytes == workload.block_bytes &&
        theirs->read_percent == workload.read_percent && workload.mix.empty()) {
      out.push_back(&reference);
    }
  }
  return out;
}

}  // namespace raidscope
