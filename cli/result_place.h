#pragma once

#include <string>
#include <vector>

#include "cli/planning.h"
#include "workloads/run_result.h"

namespace raidscope::cli {

/// What the targets of another tool's result lie on. Its machine is the inventory's, so a device
/// name, a drive letter or a folder is looked for among that inventory's own `Disk Name` and mount
/// points; --logical-drive goes first, and an inventory with one drive has no choice. usage when
/// --logical-drive names none.
Result<TargetPlace> place_of_result(const Arguments& arguments, const Inventory& inventory,
                                    const std::vector<std::string>& targets);

/// The controller and logical drive of a place, where it has them.
void name_place(TargetInfo& target, const TargetPlace& place);

/// Fingerprint and tag of a place in a stored inventory.
SnapshotRef reference_to(const Inventory& inventory, const TargetPlace& place, std::string id);

}  // namespace raidscope::cli
