#pragma once

#include <map>
#include <string>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "reports/analysis/references.h"
#include "workloads/run_result.h"

namespace raidscope {

/// One point beside a published number of the same workload: pattern, block size, share of reads
/// and, where it was told, requests outstanding. No verdict: a single published number has no
/// interval.
struct ReferencePosition {
  std::string name, workload;     ///< of the point
  std::vector<std::string> runs;  ///< its repeats
  Origin origin = Origin::measured;
  double iops = 0;  ///< geometric mean
  const Reference* reference = nullptr;
  double ratio = 0;                  ///< the point over the published number
  std::vector<std::string> differs;  ///< "raid: 1+0 here, 1 there": known on both sides
};

/// In the order of the runs, then of the references.
std::vector<ReferencePosition> beside_references(const std::vector<RunResult>& runs,
                                                 const std::map<std::string, Inventory>& snapshots);

/// What was published in words about the workload of a Smart Path decision, "S2-18" and alike.
std::vector<const Reference*> claims_about(const Workload& workload);

}  // namespace raidscope
