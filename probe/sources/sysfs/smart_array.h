#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/fact.h"
#include "probe/host.h"
#include "probe/sources/sysfs/disks.h"

/// Smart Array controllers as their Linux drivers, hpsa and smartpqi, show them below /sys. Nothing
/// here asks the hardware.
namespace raidscope::sysfs {

enum class ScsiRole {
  controller,  ///< the controller's own node, INQUIRY type 0x0C
  logical_drive,
  physical_drive,  ///< an HBA-mode drive, the only kind that is not hidden
  other,           ///< tape, enclosure
};

struct ScsiNode {
  std::string hctl;  ///< "0:1:0:0"
  std::string dir;   ///< "sys/devices/…/0:1:0:0"
  ScsiRole role = ScsiRole::other;
  std::string sg_node;       ///< "/dev/sg1"; empty without the sg driver
  std::optional<Disk> disk;  ///< of drives
};

struct SmartArrayHost {
  std::string driver;       ///< "hpsa", "smartpqi"
  std::string dir;          ///< of the scsi_host class device
  std::string pci_address;  ///< "0000:03:00.0"; empty when not told
  std::string pci_dir;
  std::string lockup;  ///< code of lockup_detected, "0" when healthy; empty when not told
  std::vector<ScsiNode> nodes;

  [[nodiscard]] bool locked_up() const { return !lockup.empty() && lockup != "0"; }
  /// The controller's own node.
  [[nodiscard]] const ScsiNode* self() const;
  /// The node to send ioctls through; empty when there is none. The controller's own sg node where
  /// it has one: opening a disk's node for writing, as the ioctls need it, makes udev look at the
  /// disk again.
  [[nodiscard]] std::string ioctl_node() const;
};

/// The drivers whose controllers have a SCSI host of their own.
inline constexpr std::array<std::string_view, 2> smart_array_drivers{"hpsa", "smartpqi"};

/// "cciss0": what the old cciss driver calls a controller.
bool is_cciss_controller(std::string_view name);

/// Whether the kernel has /dev/sg nodes at all; the vendor tools need them.
bool sg_driver_loaded(const FileTree& files);

/// Every controller that one of the drivers holds, in the order of their SCSI hosts.
Result<std::vector<SmartArrayHost>> find_smart_arrays(const Host& host,
                                                      std::span<const std::string_view> drivers);

/// RAID level in the document's words, or what it may be where the teller does not distinguish.
struct RaidLevel {
  std::optional<std::string> raid;
  std::vector<std::string> candidates;
};
/// The text of `raid_level` in both families of labels and both drivers' spellings: "RAID 1(+0)",
/// "RAID-1(1+0)", "RAID ADG". The drivers show 50 as 5 and 60 as 6.
RaidLevel raid_level_of_label(std::string_view label);
/// Byte 8 of VPD page 0xC1.
RaidLevel raid_level_of_fault_tolerance(std::uint8_t code);
void tell_raid_level(FactSet& set, EntityId drive, RaidLevel level);

/// "P420i" of "P420i", "P408i-a" of "P408i-a SR Gen10", "3154-8e" of "SmartRAID 3154-8e".
std::string product_word(std::string_view product);

/// "103c:323b/103c:3354" of a PCI device's folder.
std::optional<std::string> pci_id(const FileTree& files, std::string_view pci_dir);
/// Whether such an id is in the id tables of the hpsa and smartpqi drivers.
bool is_smart_array(std::string_view pci_id);
/// Whether a Smart Array is on the PCI bus, driven or not; nothing when the bus cannot be listed.
std::optional<bool> smart_array_on_pci(const Host& host);

/// 16 bytes in upper-case hex; nothing when the driver had none (all zeros).
std::optional<std::string> unique_id(const FileTree& files, const ScsiNode& node);

/// A controller entity with its join key.
EntityId add_controller(FactSet& set, const SmartArrayHost& host, const FileTree& files);
/// A logical drive entity with its join keys, "unique_id" and "device".
EntityId add_logical_drive(FactSet& set, EntityId controller, const ScsiNode& node,
                           const FileTree& files);
/// What the two drivers call things.
struct DriverWords {
  std::string_view driver;
  std::string_view firmware;                      ///< host attribute
  std::string_view host_smart_path;               ///< host attribute; empty: none
  std::string_view drive_smart_path;              ///< device attribute
  std::string_view drive_bypass_count;            ///< device attribute; empty: none
  std::span<const std::string_view> host_extras;  ///< host attributes kept as they are
};
/// All that one driver shows of its controllers.
FactSet collect_smart_arrays(const Host& host, const DriverWords& words);

}  // namespace raidscope::sysfs
