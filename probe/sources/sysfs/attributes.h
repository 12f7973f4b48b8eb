#pragma once

#include <array>

#include "probe/sources/vendor/attributes.h"

/// Every attribute that the sources of the live machine tell (host, block_queue, hpsa_sysfs,
/// smartpqi_sysfs, scsi_inquiry). A test holds them to this list. How the values are meant:
///
/// - Controllers hang below the machine, their logical drives and HBA-mode drives below them; no
///   arrays are seen. A controller that two sources see has the same "pci_address", a logical drive
///   the same "unique_id".
/// - A block device is told for every real disk, also for the logical drives and HBA-mode drives of
/// a
///   controller: their "path" is the drive's "device".
/// - "name" of a controller is not told: only a vendor tool knows the heading.
namespace raidscope {

inline constexpr auto live_attributes = std::to_array<AttributeSpec>({
    {EntityKind::machine, "hostname", ValueType::text},
    {EntityKind::machine, "product", ValueType::text},
    {EntityKind::machine, "bios", ValueType::text},
    {EntityKind::machine, "cpu_model", ValueType::text},
    {EntityKind::machine, "cpus", ValueType::integer},
    {EntityKind::machine, "memory_bytes", ValueType::integer},
    {EntityKind::machine, "cpu_governor", ValueType::text},
    {EntityKind::machine, "cpu_idle_exit_us", ValueType::integer},
    {EntityKind::machine, "numa_nodes", ValueType::integer},
    {EntityKind::machine, "kernel", ValueType::text},
    {EntityKind::machine, "os", ValueType::text},
    {EntityKind::machine, "hypervisor", ValueType::text},
    {EntityKind::machine, "driver_versions", ValueType::texts},  // one fact a driver: name, version

    {EntityKind::block_device, "path", ValueType::text},  // "/dev/sda"
    {EntityKind::block_device, "model", ValueType::text},
    {EntityKind::block_device, "vendor", ValueType::text},
    {EntityKind::block_device, "serial", ValueType::text},
    {EntityKind::block_device, "firmware", ValueType::text},
    {EntityKind::block_device, "transport", ValueType::text},  // sas, sata, nvme, usb, virtio, …
    {EntityKind::block_device, "wwid", ValueType::text},  // NAA as upper-case hex; else as printed
    {EntityKind::block_device, "size_bytes", ValueType::integer},
    {EntityKind::block_device, "media",
     ValueType::text},  // ssd, hdd; not for virtual or RAID disks
    {EntityKind::block_device, "mount_points",
     ValueType::texts},  // also of partitions, dm, md on it
    {EntityKind::block_device, "block_device.scheduler", ValueType::text},
    {EntityKind::block_device, "block_device.nr_requests", ValueType::integer},
    {EntityKind::block_device, "block_device.queue_depth", ValueType::integer},
    {EntityKind::block_device, "block_device.read_ahead_kb", ValueType::integer},
    {EntityKind::block_device, "block_device.rotational", ValueType::boolean},
    {EntityKind::block_device, "block_device.write_cache", ValueType::text},  // "write back"
    {EntityKind::block_device, "block_device.logical_block_bytes", ValueType::integer},
    {EntityKind::block_device, "block_device.physical_block_bytes", ValueType::integer},
    {EntityKind::block_device, "block_device.max_sectors_kb", ValueType::integer},
    {EntityKind::block_device, "block_device.numa_node", ValueType::integer},

    {EntityKind::controller, "pci_address", ValueType::text},  // "0000:03:00.0"
    {EntityKind::controller, "pci_id", ValueType::text},       // "103c:323b/103c:3354"
    {EntityKind::controller, "model", ValueType::text},        // INQUIRY product: "P420i"
    {EntityKind::controller, "vendor", ValueType::text},       // "HP", "HPE"
    {EntityKind::controller, "serial", ValueType::text},
    {EntityKind::controller, "firmware", ValueType::text},
    {EntityKind::controller, "driver.name", ValueType::text},
    {EntityKind::controller, "driver.version", ValueType::text},
    {EntityKind::controller, "lockup", ValueType::text},  // "0" when healthy
    {EntityKind::controller, "smart_path.driver_enabled", ValueType::boolean},

    {EntityKind::logical_drive, "unique_id", ValueType::text},  // 32 upper-case hex digits
    {EntityKind::logical_drive, "device", ValueType::text},
    {EntityKind::logical_drive, "size_bytes", ValueType::integer},
    {EntityKind::logical_drive, "size_exact", ValueType::boolean},  // true
    {EntityKind::logical_drive, "raid", ValueType::text},
    {EntityKind::logical_drive, "raid_candidates", ValueType::texts},
    {EntityKind::logical_drive, "status", ValueType::text},
    {EntityKind::logical_drive, "smart_path.driver_enabled", ValueType::boolean},
    {EntityKind::logical_drive, "smart_path.firmware_configured", ValueType::boolean},
    {EntityKind::logical_drive, "smart_path.firmware_enabled", ValueType::boolean},
    {EntityKind::logical_drive, "smart_path.bypass_count", ValueType::integer},

    {EntityKind::physical_drive, "bay", ValueType::text},   // "1I:1:3", where the driver tells it
    {EntityKind::physical_drive, "role", ValueType::text},  // "hba"
    {EntityKind::physical_drive, "media", ValueType::text},
    {EntityKind::physical_drive, "interface", ValueType::text},
    {EntityKind::physical_drive, "size_bytes", ValueType::integer},
    {EntityKind::physical_drive, "size_exact", ValueType::boolean},  // true
    {EntityKind::physical_drive, "model", ValueType::text},
    {EntityKind::physical_drive, "vendor", ValueType::text},
    {EntityKind::physical_drive, "serial", ValueType::text},
    {EntityKind::physical_drive, "firmware", ValueType::text},
    {EntityKind::physical_drive, "wwid", ValueType::text},
    {EntityKind::physical_drive, "device", ValueType::text},
});

}  // namespace raidscope
