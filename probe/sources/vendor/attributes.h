#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "probe/base/fact.h"

/// Every attribute that the vendor-text parser tells, with the type of its value. A test holds the
/// parser to this list. How the values are meant:
///
/// - Tree: machine > controller > { array > { logical_drive, physical_drive }, logical_drive,
///   physical_drive, enclosure, port, sensor }. A drive or logical drive whose array the text does
///   not tell hangs below the controller; where a later line tells it, the entity's parent is the
///   array.
/// - An attribute is told at most once for an entity, but for "mirror_groups". Later answers in one
///   text replace earlier ones; a key repeated inside one block does not (it stands in the extras).
/// - Enum values are the document's words ("permanently_disabled", "1+0"). Texts are as printed,
/// outer
///   blanks off.
/// - Sizes in bytes: binary units for cache, arrays, logical drives, strips; decimal for physical
///   drives. Each comes with *_text as printed and *_exact false. A bare cache number is GiB; the
///   exact size of a module that prints so ("0.2") is the catalogue's to fill in.
/// - Left out rather than told: temperature 0, firmware "0.00", an unreadable size, the sizes of an
///   absent cache module, a word that is no word of the enum. The raw text is then in the extras.
/// - Drives are one entity for a controller and id, however often they are printed.
/// - controller "name" is empty (the entity is unnamed) only where a text has answers without any
///   heading; then neither "name", "model" nor "slot" is told.
namespace raidscope {

enum class ValueType : std::uint8_t { boolean, integer, real, text, texts, reals };

struct AttributeSpec {
  EntityKind kind;
  std::string_view name;
  ValueType type;
};

inline constexpr auto vendor_attributes = std::to_array<AttributeSpec>({
    // Controller. "embedded" is told (true) only where the heading says "(Embedded)"; "vendor" only
    // by the heading ("HP" where it begins with "Smart" or "Dynamic").
    {EntityKind::controller, "name", ValueType::text},
    {EntityKind::controller, "model", ValueType::text},
    {EntityKind::controller, "vendor", ValueType::text},
    {EntityKind::controller, "slot", ValueType::text},
    {EntityKind::controller, "embedded", ValueType::boolean},
    {EntityKind::controller, "pci_address", ValueType::text},  // lower case
    {EntityKind::controller, "serial", ValueType::text},
    {EntityKind::controller, "firmware", ValueType::text},
    {EntityKind::controller, "driver.name", ValueType::text},
    {EntityKind::controller, "driver.version", ValueType::text},
    {EntityKind::controller, "mode", ValueType::text},  // raid, hba, mixed
    {EntityKind::controller, "status", ValueType::text},
    {EntityKind::controller, "temperature_c", ValueType::integer},
    {EntityKind::controller, "cache.present", ValueType::boolean},
    {EntityKind::controller, "cache.status", ValueType::text},
    {EntityKind::controller, "cache.status_text", ValueType::text},
    {EntityKind::controller, "cache.details", ValueType::text},
    {EntityKind::controller, "cache.disable_reason", ValueType::text},
    {EntityKind::controller, "cache.size_bytes", ValueType::integer},
    {EntityKind::controller, "cache.size_text", ValueType::text},
    {EntityKind::controller, "cache.size_exact", ValueType::boolean},
    {EntityKind::controller, "cache.available_bytes", ValueType::integer},
    {EntityKind::controller, "cache.available_text", ValueType::text},
    {EntityKind::controller, "cache.available_exact", ValueType::boolean},
    {EntityKind::controller, "cache.ratio.read", ValueType::integer},  // both parts or neither
    {EntityKind::controller, "cache.ratio.write", ValueType::integer},
    {EntityKind::controller, "cache.serial", ValueType::text},
    {EntityKind::controller, "cache.backup.kind", ValueType::text},  // capacitor, battery
    {EntityKind::controller, "cache.backup.count", ValueType::integer},
    // ok, recharging, failed; "absent" where the count is 0, whatever a status line says
    {EntityKind::controller, "cache.backup.status", ValueType::text},
    {EntityKind::controller, "cache.backup.status_text", ValueType::text},
    {EntityKind::controller, "cache.no_battery_write_cache", ValueType::boolean},
    {EntityKind::controller, "cache.write_bypass_threshold_bytes", ValueType::integer},
    {EntityKind::controller, "cache.temperature_c", ValueType::integer},
    {EntityKind::controller, "cache.capacitor_temperature_c", ValueType::integer},
    {EntityKind::controller, "drive_write_cache", ValueType::text},  // enabled, disabled, default
    {EntityKind::controller, "smart_path.driver_supports", ValueType::boolean},
    {EntityKind::controller, "settings.surface_scan_mode", ValueType::text},
    {EntityKind::controller, "settings.surface_scan_delay_s", ValueType::integer},
    {EntityKind::controller, "settings.parallel_surface_scan", ValueType::text},
    {EntityKind::controller, "settings.rebuild_priority", ValueType::text},
    {EntityKind::controller, "settings.expand_priority", ValueType::text},
    {EntityKind::controller, "settings.queue_depth", ValueType::text},
    {EntityKind::controller, "settings.elevator_sort", ValueType::text},
    {EntityKind::controller, "settings.degraded_performance_optimization", ValueType::text},
    {EntityKind::controller, "settings.inconsistency_repair_policy", ValueType::text},
    {EntityKind::controller, "settings.wait_for_cache_room", ValueType::text},
    {EntityKind::controller, "settings.surface_analysis_notification", ValueType::text},
    {EntityKind::controller, "settings.spare_activation_mode", ValueType::text},
    {EntityKind::controller, "settings.monitor_and_performance_delay_min", ValueType::integer},
    {EntityKind::controller, "settings.post_prompt_timeout_s", ValueType::integer},
    {EntityKind::controller, "settings.power_mode", ValueType::text},
    {EntityKind::controller, "settings.pending_controller_mode", ValueType::text},
    {EntityKind::controller, "settings.latency_scheduler", ValueType::text},
    {EntityKind::controller, "settings.survival_mode", ValueType::text},
    {EntityKind::controller, "settings.sata_ncq", ValueType::text},
    {EntityKind::controller, "settings.raid_6_status", ValueType::text},
    {EntityKind::controller, "settings.raid1_write_buffering", ValueType::text},
    {EntityKind::controller, "settings.configured_drive_write_cache_policy", ValueType::text},
    {EntityKind::controller, "settings.unconfigured_drive_write_cache_policy", ValueType::text},
    {EntityKind::controller, "settings.hba_drive_write_cache_policy", ValueType::text},
    {EntityKind::controller, "warnings", ValueType::texts},  // one fact with all of them
    // true: the cache board line was printed and the place of the battery lines was passed, so that
    // a missing one means that there is none. Never told as false.
    {EntityKind::controller, "whole_block", ValueType::boolean},

    {EntityKind::array, "letter", ValueType::text},
    {EntityKind::array, "status", ValueType::text},
    {EntityKind::array, "interface", ValueType::text},  // SAS, SATA, SCSI, NVMe
    {EntityKind::array, "media",
     ValueType::text},  // ssd, hdd; only where the heading or key says so
    {EntityKind::array, "smart_path", ValueType::text},  // enabled, disabled
    {EntityKind::array, "unused_bytes", ValueType::integer},

    {EntityKind::logical_drive, "number", ValueType::integer},
    {EntityKind::logical_drive, "label", ValueType::text},
    {EntityKind::logical_drive, "status", ValueType::text},
    {EntityKind::logical_drive, "progress_pct", ValueType::real},
    {EntityKind::logical_drive, "size_bytes", ValueType::integer},
    {EntityKind::logical_drive, "size_text", ValueType::text},
    {EntityKind::logical_drive, "size_exact", ValueType::boolean},
    {EntityKind::logical_drive, "raid", ValueType::text},
    {EntityKind::logical_drive, "strip_bytes", ValueType::integer},
    {EntityKind::logical_drive, "full_stripe_bytes", ValueType::integer},
    {EntityKind::logical_drive, "caching", ValueType::text},  // enabled, disabled
    {EntityKind::logical_drive, "acceleration",
     ValueType::text},  // controller_cache, smart_path, none
    {EntityKind::logical_drive, "unique_id", ValueType::text},
    {EntityKind::logical_drive, "device", ValueType::text},
    {EntityKind::logical_drive, "mount_points", ValueType::texts},  // paths; empty for "None"
    {EntityKind::logical_drive, "parity_init", ValueType::text},
    {EntityKind::logical_drive, "parity_progress_pct", ValueType::real},
    {EntityKind::logical_drive, "member_drives", ValueType::texts},  // only where groups list them
    // One fact for each group: its name ("Mirror Group 1"), then the ids of its drives.
    {EntityKind::logical_drive, "mirror_groups", ValueType::texts},
    {EntityKind::logical_drive, "media_errors", ValueType::text},

    {EntityKind::physical_drive, "bay", ValueType::text},  // the tool's id, "1I:1:1" or "1:0"
    {EntityKind::physical_drive, "status", ValueType::text},
    {EntityKind::physical_drive, "progress_pct", ValueType::integer},
    {EntityKind::physical_drive, "role", ValueType::text},  // data, spare, unassigned, hba
    {EntityKind::physical_drive, "media", ValueType::text},
    {EntityKind::physical_drive, "interface", ValueType::text},
    {EntityKind::physical_drive, "size_bytes", ValueType::integer},
    {EntityKind::physical_drive, "size_text", ValueType::text},
    {EntityKind::physical_drive, "size_exact", ValueType::boolean},
    {EntityKind::physical_drive, "rpm", ValueType::integer},
    {EntityKind::physical_drive, "model", ValueType::text},  // product word; the maker is "vendor"
    {EntityKind::physical_drive, "vendor",
     ValueType::text},  // first 8 columns of the printed model
    {EntityKind::physical_drive, "serial", ValueType::text},
    {EntityKind::physical_drive, "firmware", ValueType::text},
    {EntityKind::physical_drive, "wwid", ValueType::text},
    {EntityKind::physical_drive, "phy_rates_gbps",
     ValueType::reals},  // 0 for a phy printed Unknown
    {EntityKind::physical_drive, "phy_max_gbps", ValueType::reals},
    {EntityKind::physical_drive, "temperature_c", ValueType::integer},
    {EntityKind::physical_drive, "temperature_max_c", ValueType::integer},
    {EntityKind::physical_drive, "wear_remaining_pct", ValueType::real},
    {EntityKind::physical_drive, "power_on_hours", ValueType::integer},
    {EntityKind::physical_drive, "authentication", ValueType::text},
    {EntityKind::physical_drive, "last_failure_reason", ValueType::text},
    {EntityKind::physical_drive, "device", ValueType::text},
    {EntityKind::physical_drive, "mount_points", ValueType::texts},

    {EntityKind::enclosure, "name", ValueType::text},
    {EntityKind::enclosure, "port", ValueType::text},
    {EntityKind::enclosure, "box", ValueType::text},
    {EntityKind::enclosure, "status", ValueType::text},
    {EntityKind::enclosure, "location", ValueType::text},
    {EntityKind::enclosure, "fan_status", ValueType::text},
    {EntityKind::enclosure, "temperature_status", ValueType::text},
    {EntityKind::enclosure, "power_supply_status", ValueType::text},
    {EntityKind::enclosure, "drive_bays", ValueType::integer},
    {EntityKind::enclosure, "vendor", ValueType::text},
    {EntityKind::enclosure, "model", ValueType::text},
    {EntityKind::enclosure, "firmware", ValueType::text},
    {EntityKind::enclosure, "serial", ValueType::text},
    {EntityKind::enclosure, "wwid", ValueType::text},

    {EntityKind::port, "name", ValueType::text},
    {EntityKind::port, "mode", ValueType::text},

    {EntityKind::sensor, "id", ValueType::text},
    {EntityKind::sensor, "location", ValueType::text},
    {EntityKind::sensor, "current_c", ValueType::integer},
    {EntityKind::sensor, "max_c", ValueType::integer},
});

}  // namespace raidscope
