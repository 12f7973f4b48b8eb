#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probe/base/ciss_replies.h"
#include "probe/base/fact.h"

/// From decoded replies to facts. What a number means is told only where a public source says so;
/// else the number itself goes to the extras. Pure.
namespace raidscope::bmic {

/// What the controller says of itself, as far as it answered.
struct ControllerReplies {
  std::string driver;  ///< "hpsa", "smartpqi"
  std::optional<ciss::PciInfo> pci;
  std::optional<ciss::ControllerIdentity> identity;
  std::optional<ciss::CacheConfiguration> cache;
  std::optional<ciss::ControllerParameters> parameters;
  std::optional<ciss::SubsystemInformation> subsystem;
  /// A drive that the operating system sees: the controller is not in plain RAID mode. Null where
  /// the list of drives could not be had.
  std::optional<bool> exposes_drives;
};
void tell_controller(FactSet& set, EntityId id, const ControllerReplies& replies);

struct PhysicalDriveReplies {
  std::uint32_t number = 0;
  ciss::PhysicalDevice listed;
  std::optional<ciss::PhysicalDriveIdentity> identity;
};
/// The bay, where it is known.
std::optional<std::string> tell_physical_drive(FactSet& set, EntityId controller,
                                               const PhysicalDriveReplies& replies);

struct LogicalDriveReplies {
  std::uint32_t number = 0;
  std::optional<ciss::LogicalDriveIdentity> identity;
  std::optional<ciss::LogicalDriveState> state;
  std::optional<ciss::RaidMap> map;
  std::optional<bool> posted_writes;
  /// Another drive of the controller waits for an administrator (status 6 or 7): a status Failed
  /// is then said of all others, whatever they are.
  bool failed_means_nothing = false;
};
/// How RAID maps call a drive, and its bay.
struct HandleBay {
  std::uint32_t handle = 0;
  std::string bay;
};
void tell_logical_drive(FactSet& set, EntityId controller, const LogicalDriveReplies& replies,
                        std::span<const HandleBay> bays);

}  // namespace raidscope::bmic
