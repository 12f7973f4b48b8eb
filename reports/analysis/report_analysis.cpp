#include "reports/analysis/report_analysis.h"

#include <algorithm>
#include <iterator>

#include "reports/analysis/verdict.h"

namespace raidscope {
namespace {

/// More groups than this make more ratios than anybody reads.
constexpr std::size_t most_groups = 8;

bool worth_showing(const DecidedWorkload& workload) {
  if (workload.points.size() > 1) return true;
  return std::any_of(workload.points.begin(), workload.points.end(), [](const DecidedPoint& p) {
    return int{p.cache.has_value()} + int{p.smart_path.has_value()} + int{p.neither.has_value()} +
               int{p.driver_off.has_value()} >
           1;
  });
}

SmartPathDecision decision_of(const ReportInput& input) {
  DecisionInput asked;
  asked.snapshots = &input.snapshots;
  for (const RunResult& run : input.runs) asked.runs.push_back(&run);
  DecisionOptions options;
  options.prices = input.prices;
  options.tool = input.tool;
  SmartPathDecision all = decide_smart_path(asked, options), out;
  std::copy_if(all.workloads.begin(), all.workloads.end(), std::back_inserter(out.workloads),
               worth_showing);
  if (!out.workloads.empty()) out.missing = std::move(all.missing);
  return out;
}

}  // namespace

ReportAnalysis analyse(const ReportInput& input) {
  ReportAnalysis out;
  out.series = report_series(input.runs);
  out.points = group_points(input.runs);
  out.decision = decision_of(input);
  out.groups = report_groups(out.series, input.snapshots);
  if (out.groups.size() > 1 && out.groups.size() <= most_groups) {
    RunComparison comparison = compare_groups(out.groups, input.snapshots, ComparisonOptions{});
    if (!comparison.metrics.empty()) out.comparison = std::move(comparison);
  }
  out.references = beside_references(input.runs, input.snapshots);
  out.prices = price_results(out.groups, input.snapshots, input.prices);
  const ReportVerdict verdict = verdict_of(input, out);
  out.verdict = verdict.sentence;
  out.settled = verdict.settled;
  return out;
}

}  // namespace raidscope
