#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/host.h"

namespace raidscope::sysfs {

/// A disk with a device behind it: no loop, RAM, device mapper, md, optical or floppy disk.
struct Disk {
  std::string name;     ///< "sda", "cciss!c0d0"
  std::string path;     ///< "/dev/sda"
  std::string syspath;  ///< "sys/devices/…/block/sda"
  std::map<std::string, std::string, std::less<>> properties;

  /// A udev property, not empty.
  [[nodiscard]] std::optional<std::string> property(std::string_view key) const;
};

/// Of all devices of the subsystem "block", those that are disks.
std::vector<Disk> real_disks(const FileTree& files, const std::vector<DeviceNode>& block_nodes);

std::optional<std::int64_t> size_bytes(const FileTree& files, const Disk& disk);

/// "hpsa": the driver of the SCSI host that a device below `syspath` hangs on; empty when there is
/// none.
std::string scsi_driver(const FileTree& files, std::string_view syspath);
/// "host0" in a path below it, else empty.
std::string_view scsi_host_name(std::string_view syspath) noexcept;
/// The PCI address of the last PCI function in a path, else empty.
std::string_view pci_address(std::string_view syspath) noexcept;

/// A logical drive of a RAID controller: what it says of rotation is not its drives'.
bool is_raid_volume(const FileTree& files, const Disk& disk);

/// "ssd" or "hdd" by queue/rotational; nothing for RAID volumes, virtual disks and USB bridges,
/// which only pass on a default.
std::optional<std::string> media(const FileTree& files, const Disk& disk);

/// "sata", "sas", "nvme", "usb", "fc", "iscsi", "virtio", "xen", "mmc", or nothing.
std::optional<std::string> transport(const FileTree& files, const Disk& disk);

}  // namespace raidscope::sysfs
