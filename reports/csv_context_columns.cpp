#include "reports/csv_context_columns.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/analysis/level_interval.h"
#include "reports/analysis/run_settings.h"
#include "reports/words.h"

namespace raidscope {
namespace {

using R = const RunResult&;
using I = const ReportInput&;
using A = const ReportAnalysis&;

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : std::string();
}

std::string label_of(R run, A analysis) {
  for (const RunGroup& group : analysis.groups) {
    if (std::find(group.runs.begin(), group.runs.end(), &run) != group.runs.end())
      return group.label;
  }
  return {};
}

std::string setting(R run, I input, std::string_view key) {
  return setting_value(run_settings(run, inventory_of(run, input.snapshots)), key).value_or("");
}

LevelInterval level_of(R run, A analysis) {
  for (const PointGroup& group : analysis.points) {
    if (std::find(group.runs.begin(), group.runs.end(), &run) != group.runs.end())
      return iops_level(group.runs);
  }
  return {};
}

/// The IOPS of this run's group and workload over those of the first group that has it.
const ComparedMetric* comparison_of(R run, A analysis) {
  if (!analysis.comparison) return nullptr;
  const std::string label = label_of(run, analysis), shape = workload_shape(run.workload);
  for (const ComparedMetric& row : analysis.comparison->metrics) {
    if (row.metric == "iops" && row.group_b == label &&
        (row.workload == shape || row.workload.ends_with(": " + shape)))
      return &row;
  }
  return nullptr;
}

bool has_run(const std::optional<DecidedArm>& arm, R run) {
  return arm && std::find(arm->runs.begin(), arm->runs.end(), run.run_id) != arm->runs.end();
}

/// The workload and the number of disks that this run counts for.
struct Decided {
  const DecidedWorkload* workload = nullptr;
  const DecidedPoint* point = nullptr;
};

Decided decision_of(R run, A analysis) {
  for (const DecidedWorkload& workload : analysis.decision.workloads) {
    for (const DecidedPoint& point : workload.points) {
      for (const auto* arm : {&point.cache, &point.smart_path, &point.neither, &point.driver_off}) {
        if (has_run(*arm, run)) return {&workload, &point};
      }
    }
  }
  return {};
}

std::string crossing(R run, A analysis, std::optional<double> CrossoverRange::*end) {
  const DecidedWorkload* workload = decision_of(run, analysis).workload;
  return workload != nullptr && workload->crossover ? number((*workload->crossover).*end) : "";
}

/// What a run's IOPS are held against: in a sweep over disks the cache with as many, else the first
/// group that has the workload.
struct HeldAgainst {
  std::string to, verdict;
  RatioInterval ratio;
};

HeldAgainst held_against(R run, A analysis) {
  const auto [workload, point] = decision_of(run, analysis);
  if (workload != nullptr && workload->points.size() > 1) {
    if (!point->ratio || !has_run(point->smart_path, run)) return {};
    const ComparisonVerdict verdict =
        point->winner == ArmWinner::cache        ? ComparisonVerdict::worse
        : point->winner == ArmWinner::smart_path ? ComparisonVerdict::better
        : point->winner == ArmWinner::equal      ? ComparisonVerdict::equal
                                                 : ComparisonVerdict::undecided;
    return {fmt::format("cache with {} disks", point->disk_count), std::string(to_name(verdict)),
            *point->ratio};
  }
  const ComparedMetric* row = comparison_of(run, analysis);
  if (row == nullptr) return {};
  return {row->group_a, std::string(to_name(row->verdict)), row->ratio};
}

const PricedResult* price_of_run(R run, A analysis) {
  const std::string label = label_of(run, analysis), shape = workload_shape(run.workload);
  for (const PricedResult& row : analysis.prices) {
    if (row.group == label && row.workload == shape) return &row;
  }
  return nullptr;
}

std::string priced(R run, A analysis, std::optional<double> PricedResult::*value) {
  const PricedResult* row = price_of_run(run, analysis);
  return row != nullptr ? number(row->*value) : "";
}

constexpr CsvContextColumn columns[] = {
    {"verdict", [](R, I, A a) { return a.verdict; }},
    {"group", [](R r, I, A a) { return label_of(r, a); }},
    {"io_path", [](R r, I i, A) { return setting(r, i, "io_path"); }},
    {"disk_count", [](R r, I i, A) { return setting(r, i, "disk_count"); }},
    {"iops_low", [](R r, I, A a) { return number(level_of(r, a).low); }},
    {"iops_high", [](R r, I, A a) { return number(level_of(r, a).high); }},
    {"interval_of", [](R r, I, A a) { return std::string(to_name(level_of(r, a).basis)); }},
    {"ratio_to", [](R r, I, A a) { return held_against(r, a).to; }},
    {"ratio", [](R r, I, A a) { return number(held_against(r, a).ratio.estimate); }},
    {"ratio_low", [](R r, I, A a) { return number(held_against(r, a).ratio.low); }},
    {"ratio_high", [](R r, I, A a) { return number(held_against(r, a).ratio.high); }},
    {"ratio_verdict", [](R r, I, A a) { return held_against(r, a).verdict; }},
    {"crossover_disks", [](R r, I, A a) { return crossing(r, a, &CrossoverRange::estimate); }},
    {"crossover_low", [](R r, I, A a) { return crossing(r, a, &CrossoverRange::low); }},
    {"crossover_high", [](R r, I, A a) { return crossing(r, a, &CrossoverRange::high); }},
    {"price", [](R r, I, A a) { return priced(r, a, &PricedResult::price); }},
    {"iops_per_unit", [](R r, I, A a) { return priced(r, a, &PricedResult::iops_per_unit); }},
    {"price_per_kiops", [](R r, I, A a) { return priced(r, a, &PricedResult::per_kiops); }},
    {"price_per_gb", [](R r, I, A a) { return priced(r, a, &PricedResult::per_gb); }},
    {"references",
     [](R r, I, A a) {
       std::string out;
       for (const ReferencePosition& row : a.references) {
         if (std::find(row.runs.begin(), row.runs.end(), r.run_id) == row.runs.end()) continue;
         out += fmt::format("{}{} (published): {}", out.empty() ? "" : "; ", row.reference->id,
                            row.ratio);
       }
       return out;
     }},
};

}  // namespace

std::span<const CsvContextColumn> csv_context_columns() noexcept {
  return columns;
}

}  // namespace raidscope
