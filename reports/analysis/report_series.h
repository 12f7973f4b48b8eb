#pragma once

#include <map>
#include <string>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "reports/analysis/comparison.h"
#include "workloads/run_result.h"

namespace raidscope {

/// Runs that share a session, a configuration, an origin and a target: one letter and one colour in
/// a report.
struct ReportSeries {
  std::string letter;  ///< "A", "B", …, "Z", "A2"
  std::string session_id, fingerprint, tag, target;
  Origin origin = Origin::measured;
  std::vector<const RunResult*> runs;
};

/// In the order of the runs.
std::vector<ReportSeries> report_series(const std::vector<RunResult>& runs);

/// The series that may be held against each other: those of one configuration, origin and target
/// are one group whatever their session ("A+C (cache)"); where all are, each session is one.
std::vector<RunGroup> report_groups(const std::vector<ReportSeries>& series,
                                    const std::map<std::string, Inventory>& snapshots);

}  // namespace raidscope
