#pragma once

#include "cli/planning.h"
#include "cli/verb.h"
#include "controllers/inventory/inventory.h"
#include "workloads/physical_bound.h"
#include "workloads/plan.h"
#include "workloads/run_result.h"

/// What is said of a result once it is there, and of a plan before: physical bounds, and the rules
/// about results.
namespace raidscope::cli {

/// --drive-iops and --drive-mbps; usage for what is no rate.
Result<DriveRates> drive_rates(const Arguments& arguments);

/// What limits a workload there. Empty where it lies on several drives, or it is not known on
/// which.
std::vector<PhysicalBound> bounds_of(const Arguments& arguments, const Inventory& inventory,
                                     const TargetPlace& place, const Workload& workload,
                                     const TargetInfo& target);

/// A note for each point of a plan that has a physical bound: what it is, and how it comes about.
void say_bounds(const Arguments& arguments, const Inventory& inventory, const TargetPlace& place,
                const Plan& plan, const TargetInfo& target);

/// Puts the bound into the result's checks, and what the rules about results find into its audit;
/// errors are said as warnings too.
void judge_result(const Arguments& arguments, const Inventory& inventory, const TargetPlace& place,
                  RunResult& result);

/// Puts findings into a result's audit, the worst first.
void add_findings(RunResult& result, std::vector<Finding> findings);

/// Fills in how long the drives rest before each point after one that writes.
void add_rests(const Arguments& arguments, const Plan& plan, const TargetPlace& place,
               std::vector<PlannedTest>& tests);

}  // namespace raidscope::cli
