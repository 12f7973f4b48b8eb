#pragma once

#include <span>
#include <string>
#include <vector>

#include "workloads/plan.h"

namespace raidscope {

/// A sentence for each option that was given and changes nothing at any of the points:
/// "--stride does nothing: the requests are random". Points have the options applied.
std::vector<std::string> idle_options(const PlanOptions& options, std::span<const Workload> points);

}  // namespace raidscope
