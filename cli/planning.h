#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "controllers/inventory/drive_name.h"
#include "controllers/inventory/inventory.h"
#include "controllers/rules/rule.h"
#include "probe/base/result.h"
#include "workloads/physical_bound.h"
#include "workloads/plan.h"

/// From options to the points of a session, and from points to what the audit asks of them.
namespace raidscope::cli {

/// The workload options as a plan's. The fallback preset is taken when neither a preset nor a
/// workload option is given, with its times shortened to seconds unless --time and --ramp say
/// otherwise.
Result<PlanOptions> plan_options(const Arguments& arguments, std::string_view fallback_preset = {});

/// What a target lies on, as far as an inventory tells. Pointers go into the inventory; all null:
/// it does not.
using TargetPlace = BoundPlace;

/// The device that an entry of a target's chain names ("/dev/dm-0 (LVM vg-lv)"); empty for one that
/// names none ("ext4 on /mnt").
std::string device_of(std::string_view chain_entry);

/// Of the words of --logical-drive; usage for none.
Result<DriveName> named_drive(const std::string& words);

/// By --logical-drive, else by the devices of the chain, else, in an inventory that was given, its
/// only drive. usage when --logical-drive names none.
Result<TargetPlace> place_of_target(const Arguments& arguments, const Inventory& inventory,
                                    const std::vector<std::string>& device_chain);

PlannedTest planned_test(const Workload& workload, const TargetPlace& place);

/// The audit of an inventory and of every planned test, each finding once.
AuditReport audit_all(const Inventory& inventory, const std::vector<PlannedTest>& tests,
                      const AuditOptions& options);

/// Whether a vendor tool or the controllers themselves answered: then the kernel's files alone do
/// not tell all that was told.
bool controllers_told(const Inventory& inventory);

/// The id of a rule as the catalogue writes it: "c09" is C09.
std::string rule_id(std::string word);

/// The word that fix commands begin with: the vendor tool that was asked, else "ssacli".
std::string vendor_tool_word(const Inventory& inventory);

/// Usable cache of the controller that a target lies on.
std::optional<std::uint64_t> usable_cache(const TargetPlace& place);
/// The largest of an inventory's controllers.
std::optional<std::uint64_t> largest_usable_cache(const Inventory& inventory);

/// The emulated card and its guest say so themselves; results on them are simulated.
bool is_lab(const Inventory& inventory);

}  // namespace raidscope::cli
