#pragma once

#include <string>
#include <string_view>

#include "workloads/run/target_system.h"

namespace raidscope {

/// The name of a device that stays the same between boots, and where it comes from.
struct StableId {
  std::string id;      ///< "naa.600508b1001c…", "LVM-…", "/var/tmp/disk.img"
  std::string source;  ///< "WWN", "serial number", …: for a person
};

/// The WWN or unique id of a device out of sysfs and the udev database; where it has none, a
/// substitute that is as stable: the LVM, multipath or md identity, model and serial number, the
/// file behind a loop device, and at last the place on the bus. A partition is its disk's id and
/// "-part1".
StableId stable_id(const KernelDevice& device, const TargetSystem& system);

/// Whether `typed` names `id`, in any of the spellings that tools print: "naa.", "wwn-0x", "0x",
/// "eui.", capitals, a link in /dev/disk/by-id.
bool same_id(std::string_view typed, std::string_view id);

}  // namespace raidscope
