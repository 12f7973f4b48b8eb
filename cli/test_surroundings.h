#pragma once

#include <string>
#include <vector>

#include "controllers/rules/planned_test.h"
#include "workloads/plan.h"
#include "workloads/run/consent.h"

/// What the audit of a planned test wants to know of the plan, the target and the machine beside
/// what one workload says.
namespace raidscope::cli {

/// Adds to `tests` (one for each point of the plan, in its order) what the plan as a whole says:
/// rounds, seeds, the deepest point.
void add_plan(const Plan& plan, std::vector<PlannedTest>& tests);

/// Adds what lies between the target and its drive, how it is mounted and where its partition
/// begins. `now`: also what runs on this machine, and what others do to the target's drive while
/// this waits for a quarter of a second, where the machine is the live one.
void add_surroundings(const TargetExamination& examination, const std::string& sysroot, bool now,
                      std::vector<PlannedTest>& tests);

}  // namespace raidscope::cli
