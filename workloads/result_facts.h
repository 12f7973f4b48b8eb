#pragma once

#include "controllers/rules/measured_test.h"
#include "workloads/physical_bound.h"
#include "workloads/run_result.h"

namespace raidscope {

/// Writes the smallest bound into the checks of a result, and a suspicion when the result is above
/// it. Without a bound both stay null.
void apply_bound(RunResult& run, const std::vector<PhysicalBound>& bounds);

/// What rules look at in a result: the same figures, with what its own rounding explains.
MeasuredTest measured_test(const RunResult& run, const std::vector<PhysicalBound>& bounds);

}  // namespace raidscope
