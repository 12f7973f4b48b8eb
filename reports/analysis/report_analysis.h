#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/beside_references.h"
#include "reports/analysis/comparison.h"
#include "reports/analysis/decision.h"
#include "reports/analysis/priced_results.h"
#include "reports/analysis/report_series.h"
#include "reports/report.h"
#include "reports/words.h"

namespace raidscope {

/// What the runs of a report say together: computed once, shown by every format.
struct ReportAnalysis {
  std::string verdict;   ///< one sentence
  bool settled = false;  ///< it is an answer, and nothing stands in its way
  std::vector<ReportSeries> series;
  std::vector<RunGroup> groups;    ///< the series that are held against each other
  std::vector<PointGroup> points;  ///< the runs by what they repeat, in the order of the first
  /// Only workloads of which two arms or two numbers of disks were measured; `missing` as decide
  /// says it.
  SmartPathDecision decision;
  std::optional<RunComparison> comparison;  ///< null: one group, or too many
  std::vector<ReferencePosition> references;
  std::vector<PricedResult> prices;
};

ReportAnalysis analyse(const ReportInput& input);

}  // namespace raidscope
