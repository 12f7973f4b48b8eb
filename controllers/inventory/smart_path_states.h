#pragma once

#include <vector>

#include "controllers/inventory/inventory.h"

namespace raidscope {

/// Logical drives whose Smart Path states do not fit together: the array's setting (vendor tool),
/// what the firmware configured and enabled (page 0xC2), and what the driver does (sysfs). Each is
/// a field of its own and none is overwritten; `taken` names the path that decides io_path. `fact`
/// points at the drive's "smart_path". `settled` is false: the driver's monitor follows a change
/// within 15 s (smart-array-linux.md §1.3), so that only a later look can settle it.
std::vector<Disagreement> smart_path_disagreements(const Inventory& inventory);

/// Puts them into inventory.disagreements in place of the ones that were there, keeping what was
/// settled.
void list_smart_path_disagreements(Inventory& inventory);

bool has_unsettled_smart_path(const Inventory& inventory);
/// After looking long enough.
void settle_smart_path(Inventory& inventory);

}  // namespace raidscope
