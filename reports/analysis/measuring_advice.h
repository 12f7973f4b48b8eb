#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "workloads/workload.h"

namespace raidscope {

/// As many pairs as the exact signed-rank interval needs.
inline constexpr std::int64_t advised_pairs = 6;

/// What to measure to decide between cache and Smart Path on a drive, how long, and how often: one
/// sentence each, with the commands.
std::vector<std::string> how_to_measure(const Workload& workload, const DriveRef& at,
                                        const Inventory& present, const std::string& tool);

/// The only published sweep of both arms over the number of disks, as what it is.
extern const char* const published_sweep;

}  // namespace raidscope
