#pragma once

#include <vector>

#include "cli/verb.h"
#include "controllers/inventory/assemble.h"
#include "probe/host.h"

namespace raidscope::cli {

/// The driver follows a change of Smart Path within 15 s, so that what looks like a disagreement
/// may only be late. Reads the kernel's and the drives' own words again until they fit or 20 s are
/// over; then what is left is settled. `sets`, `inventory` and `origins` become those of the last
/// look. A signal ends the wait and leaves it unsettled. Gives how often it looked again.
int wait_for_smart_path(const Host& host, const Arguments& arguments, std::vector<FactSet>& sets,
                        Inventory& inventory, std::vector<FactOrigin>* origins);

}  // namespace raidscope::cli
