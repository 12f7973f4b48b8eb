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

const DecidedWorkload* decision_of(R run, A analysis) {
  for (const DecidedWorkload& workload : analysis.decision.workloads) {
    if (workload_shape(workload.workload) == workload_shape(run.workload)) return &workload;
  }
  return nullptr;
}

std::string crossing(R run, A analysis, std::optional<double> CrossoverRange::*end) {
  const DecidedWorkload* workload = decision_of(run, analysis);
  return workload != nullptr && workload->crossover ? number((*workload->crossover).*end) : "";
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
    {"ratio_to",
     [](R r, I, A a) {
       const ComparedMetric* row = comparison_of(r, a);
       return row != nullptr ? row->group_a : std::string();
     }},
    {"ratio",
     [](R r, I, A a) {
       const ComparedMetric* row = comparison_of(r, a);
       return row != nullptr ? number(row->ratio.estimate) : std::string();
     }},
    {"ratio_low",
     [](R r, I, A a) {
       const ComparedMetric* row = comparison_of(r, a);
       return row != nullptr ? number(row->ratio.low) : std::string();
     }},
    {"ratio_high",
     [](R r, I, A a) {
       const ComparedMetric* row = comparison_of(r, a);
       return row != nullptr ? number(row->ratio.high) : std::string();
     }},
    {"ratio_verdict",
     [](R r, I, A a) {
       const ComparedMetric* row = comparison_of(r, a);
       return row != nullptr ? std::string(to_name(row->verdict)) : std::string();
     }},
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
