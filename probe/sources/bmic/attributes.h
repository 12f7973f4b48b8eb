#pragma once

#include <array>

#include "probe/sources/vendor/attributes.h"

/// Every attribute that the BMIC source tells. A test holds it to this list. Its controllers have
/// "pci_address", its logical drives "unique_id", its physical drives "serial" or "wwid" to be
/// joined by. What no public source tells of the replies is in the extras, as numbers.
namespace raidscope {

inline constexpr auto bmic_attributes = std::to_array<AttributeSpec>({
    {EntityKind::controller, "pci_address", ValueType::text},
    {EntityKind::controller, "model", ValueType::text},
    {EntityKind::controller, "vendor", ValueType::text},
    {EntityKind::controller, "slot", ValueType::text},
    {EntityKind::controller, "serial", ValueType::text},
    {EntityKind::controller, "firmware", ValueType::text},
    {EntityKind::controller, "mode", ValueType::text},    // raid, hba
    {EntityKind::controller, "lockup", ValueType::text},  // the driver's word, only when it came
    {EntityKind::controller, "cache.present", ValueType::boolean},
    {EntityKind::controller, "cache.status", ValueType::text},
    {EntityKind::controller, "cache.status_text", ValueType::text},  // in the vendor tool's words
    {EntityKind::controller, "cache.details", ValueType::text},
    {EntityKind::controller, "cache.disable_reason", ValueType::text},
    {EntityKind::controller, "cache.size_bytes", ValueType::integer},
    {EntityKind::controller, "cache.size_exact", ValueType::boolean},
    {EntityKind::controller, "cache.available_bytes", ValueType::integer},
    {EntityKind::controller, "cache.available_exact", ValueType::boolean},
    {EntityKind::controller, "cache.ratio.read", ValueType::integer},
    {EntityKind::controller, "cache.ratio.write", ValueType::integer},
    {EntityKind::controller, "cache.serial", ValueType::text},
    {EntityKind::controller, "cache.backup.kind", ValueType::text},
    {EntityKind::controller, "cache.backup.count", ValueType::integer},
    {EntityKind::controller, "cache.backup.status", ValueType::text},

    {EntityKind::logical_drive, "unique_id", ValueType::text},
    {EntityKind::logical_drive, "label", ValueType::text},
    {EntityKind::logical_drive, "status", ValueType::text},
    {EntityKind::logical_drive, "size_bytes", ValueType::integer},
    {EntityKind::logical_drive, "size_exact", ValueType::boolean},
    {EntityKind::logical_drive, "raid", ValueType::text},
    {EntityKind::logical_drive, "raid_candidates", ValueType::texts},
    {EntityKind::logical_drive, "strip_bytes", ValueType::integer},
    {EntityKind::logical_drive, "full_stripe_bytes", ValueType::integer},
    {EntityKind::logical_drive, "disk_count", ValueType::integer},
    {EntityKind::logical_drive, "member_drives", ValueType::texts},

    {EntityKind::physical_drive, "bay", ValueType::text},
    {EntityKind::physical_drive, "status", ValueType::text},  // OK, Predictive Failure, Failed
    {EntityKind::physical_drive, "role", ValueType::text},
    {EntityKind::physical_drive, "media", ValueType::text},
    {EntityKind::physical_drive, "interface", ValueType::text},
    {EntityKind::physical_drive, "size_bytes", ValueType::integer},
    {EntityKind::physical_drive, "size_exact", ValueType::boolean},
    {EntityKind::physical_drive, "rpm", ValueType::integer},
    {EntityKind::physical_drive, "model", ValueType::text},
    {EntityKind::physical_drive, "vendor", ValueType::text},
    {EntityKind::physical_drive, "serial", ValueType::text},
    {EntityKind::physical_drive, "firmware", ValueType::text},
    {EntityKind::physical_drive, "wwid", ValueType::text},
    {EntityKind::physical_drive, "phy_rates_gbps", ValueType::reals},  // 0: not linked
    {EntityKind::physical_drive, "temperature_c", ValueType::integer},
    {EntityKind::physical_drive, "temperature_max_c", ValueType::integer},
    {EntityKind::physical_drive, "wear_remaining_pct", ValueType::real},
    {EntityKind::physical_drive, "power_on_hours", ValueType::integer},
    {EntityKind::physical_drive, "authentication", ValueType::text},
    {EntityKind::physical_drive, "last_failure_reason", ValueType::text},
});

}  // namespace raidscope
