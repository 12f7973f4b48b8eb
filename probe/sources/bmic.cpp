#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "probe/base/ciss_replies.h"
#include "probe/source.h"
#include "probe/sources/bmic/asker.h"
#include "probe/sources/bmic/tell.h"
#include "probe/sources/sysfs/reading.h"
#include "probe/sources/sysfs/smart_array.h"

namespace raidscope {

extern const Source source_bmic;

namespace {

using bmic::Asker;

/// Bits 16-29 of a volume's address name an external array; BMIC knows its own volumes only.
constexpr std::uint32_t own_volumes = 0xFFFF;

template <class Decoder>
auto ask(Asker& asker, CissQuery query, Decoder decode, std::uint32_t number = 0)
    -> decltype(decode(ciss::Bytes{})) {
  const auto data = asker.ask(query, number);
  if (!data) return std::nullopt;
  return decode(ciss::Bytes(*data));
}

/// Format 2 has the types of the devices, without which each would have to be asked; boards that
/// refuse it or answer with another format are asked for the plain one.
std::optional<ciss::LunList> physical_devices(Asker& asker) {
  auto list = ask(asker, CissQuery::report_physical, ciss::decode_physical_list);
  if (list) return list;
  return ask(asker, CissQuery::report_physical_plain, ciss::decode_lun_list);
}

/// Nothing is sent to a drive: the list and the identify data are the controller's own, so that a
/// spare that has spun down sleeps on. Expanders, enclosures and controllers are passed over.
std::vector<bmic::PhysicalDriveReplies> physical_drives(Asker& asker, const ciss::LunList& list) {
  std::vector<bmic::PhysicalDriveReplies> out;
  for (const auto& device : list.devices) {
    const auto number = device.lun.drive_number();
    if (!number || device.non_disk || (device.type && !ciss::is_drive(*device.type))) continue;
    bmic::PhysicalDriveReplies drive{*number, device, std::nullopt};
    drive.identity = ask(asker, CissQuery::identify_physical_drive,
                         ciss::decode_physical_drive_identity, *number);
    if (!device.type) {
      // The plain list does not part drives from the rest.
      if (!drive.identity || drive.identity->non_disk == true) continue;
      if (drive.identity->type && !ciss::is_drive(*drive.identity->type)) continue;
    }
    out.push_back(std::move(drive));
  }
  return out;
}

/// Ids of the logical drives for which the driver uses Smart Path: only they have a RAID map.
std::vector<std::string> smart_path_drives(const sysfs::SmartArrayHost& controller,
                                           const FileTree& files) {
  const std::string attribute =
      controller.driver == "hpsa" ? "/hp_ssd_smart_path_enabled" : "/ssd_smart_path_enabled";
  std::vector<std::string> out;
  for (const auto& node : controller.nodes) {
    if (node.role != sysfs::ScsiRole::logical_drive) continue;
    if (sysfs::integer(files, node.dir + attribute) != 1) continue;
    if (auto id = sysfs::unique_id(files, node)) out.push_back(*std::move(id));
  }
  return out;
}

std::vector<bmic::LogicalDriveReplies> logical_drives(
    Asker& asker, const std::vector<std::string>& with_smart_path,
    std::optional<std::uint32_t> posted_writes, FactSet& set) {
  std::vector<bmic::LogicalDriveReplies> out;
  const auto list = ask(asker, CissQuery::report_logical, ciss::decode_lun_list);
  if (!list) return out;
  std::size_t external = 0;
  for (const auto& device : list->devices) {
    const auto volume = device.lun.volume();
    if (!volume) continue;
    if (*volume > own_volumes) {
      ++external;
      continue;
    }
    bmic::LogicalDriveReplies drive;
    drive.number = *volume;
    drive.identity = ask(asker, CissQuery::identify_logical_drive,
                         ciss::decode_logical_drive_identity, drive.number);
    drive.state =
        ask(asker, CissQuery::logical_drive_status, ciss::decode_logical_drive_state, drive.number);
    const auto id = drive.identity ? drive.identity->unique_id : std::nullopt;
    if (id &&
        std::find(with_smart_path.begin(), with_smart_path.end(), *id) != with_smart_path.end()) {
      drive.map = ask(asker, CissQuery::raid_map, ciss::decode_raid_map, drive.number);
    }
    if (posted_writes && drive.number < 32) {
      drive.posted_writes = (*posted_writes >> drive.number & 1U) != 0;
    }
    out.push_back(std::move(drive));
  }
  if (external > 0) {
    set.notes.push_back(
        {0, fmt::format("{} logical drives of external arrays are not asked for", external)});
  }
  return out;
}

/// Whether who answers says that it is another controller than the node belongs to; what it tells
/// would then stand under the wrong one. Empty: it does not.
std::string another_controller(const sysfs::SmartArrayHost& controller,
                               const bmic::ControllerReplies& replies, const FileTree& files) {
  if (!controller.pci_address.empty() && replies.pci &&
      replies.pci->address != controller.pci_address) {
    return fmt::format(
        "who answers behind the node of {} says that its address is {}: nothing of it is told",
        controller.pci_address, replies.pci->address);
  }
  const auto id = sysfs::pci_id(files, controller.pci_dir);
  if (!id || id->size() != 19) return {};
  const std::string board = id->substr(15) + id->substr(10, 4);
  std::optional<std::uint32_t> said;
  if (replies.identity) said = replies.identity->board_id;
  if (replies.pci && replies.pci->board_id != 0) said = replies.pci->board_id;
  if (!said || *said == 0 || fmt::format("{:08x}", *said) == board) return {};
  return fmt::format(
      "who answers behind the node of {} says that its board is {:08x}, and the PCI bus has {}: "
      "nothing of it is told",
      controller.pci_address, *said, board);
}

/// One reading from the first question to the last. `torn`: the configuration changed meanwhile.
struct Reading {
  FactSet set;
  bool torn = false;
};

Reading read_controller(const sysfs::SmartArrayHost& controller, const std::string& node,
                        const Host& host) {
  Reading out;
  FactSet& set = out.set;
  Asker asker(host, node);
  bmic::ControllerReplies replies;
  replies.driver = controller.driver;
  replies.pci = ask(asker, CissQuery::pci_info, ciss::decode_pci_info);
  replies.identity = ask(asker, CissQuery::identify_controller, ciss::decode_controller_identity);
  if (std::string other = another_controller(controller, replies, host.files); !other.empty()) {
    set.status = SourceStatus::failed;
    set.detail = std::move(other);
    return out;
  }
  replies.cache = ask(asker, CissQuery::cache_configuration, ciss::decode_cache_configuration);
  replies.parameters =
      ask(asker, CissQuery::controller_parameters, ciss::decode_controller_parameters);
  replies.subsystem =
      ask(asker, CissQuery::subsystem_information, ciss::decode_subsystem_information);
  const auto posted = replies.cache && replies.cache->not_configured == false
                          ? replies.cache->posted_writes
                          : std::nullopt;
  auto volumes = logical_drives(asker, smart_path_drives(controller, host.files), posted, set);
  const auto devices = physical_devices(asker);
  std::vector<bmic::PhysicalDriveReplies> drives;
  if (devices) {
    drives = physical_drives(asker, *devices);
    replies.exposes_drives = std::any_of(
        drives.begin(), drives.end(), [](const auto& drive) { return !drive.listed.lun.masked(); });
  }
  const auto last = ask(asker, CissQuery::identify_controller, ciss::decode_controller_identity);
  out.torn = last && replies.identity &&
             last->configuration_signature != replies.identity->configuration_signature;

  set.status = asker.status();
  set.detail = asker.detail();
  if (!replies.pci && !replies.identity) return out;  // it said nothing at all
  std::string address = controller.pci_address;
  if (address.empty() && replies.pci) address = replies.pci->address;
  const EntityId id = set.add(EntityKind::controller, machine_entity, address);
  if (!address.empty()) set.tell(id, "pci_address", address);
  // CommandStatus 0xFFFF, as the driver gives it.
  if (asker.locked_up()) set.tell(id, "lockup", std::string("65535"));
  bmic::tell_controller(set, id, replies);
  std::vector<bmic::HandleBay> bays;
  for (const auto& drive : drives) {
    const auto bay = bmic::tell_physical_drive(set, id, drive);
    if (bay && drive.listed.io_handle) bays.push_back({*drive.listed.io_handle, *bay});
  }
  const bool waits = std::any_of(volumes.begin(), volumes.end(), [](const auto& volume) {
    return volume.state && (volume.state->status == 6 || volume.state->status == 7);
  });
  if (waits) {
    set.notes.push_back({0,
                         "a logical drive waits for its drives to be put right; until then the "
                         "controller calls the others failed, which is not told"});
  }
  for (auto& volume : volumes) {
    volume.failed_means_nothing = waits;
    bmic::tell_logical_drive(set, id, volume, bays);
  }
  return out;
}

FactSet of_controller(const sysfs::SmartArrayHost& controller, const Host& host) {
  const std::string name = controller.pci_address.empty()
                               ? std::string(sysfs::base_name(controller.dir))
                               : controller.pci_address;
  FactSet set;
  // Read before anything is asked: what is sent to a dead controller may never come back.
  if (controller.locked_up()) {
    set.status = SourceStatus::skipped;
    set.detail = fmt::format("controller {} has locked up (code {}): it is not asked", name,
                             controller.lockup);
    set.notes.push_back({0, set.detail});  // an answer of another controller hides the detail
    return set;
  }
  const std::string node = controller.ioctl_node();
  if (node.empty()) {
    set.status = SourceStatus::skipped;
    set.detail =
        fmt::format("controller {} has no device node; load the sg module: modprobe sg", name);
    return set;
  }
  Reading reading = read_controller(controller, node, host);
  if (reading.torn) {
    reading = read_controller(controller, node, host);
    if (reading.torn) {
      reading.set.notes.push_back(
          {0, fmt::format("the configuration of controller {} changed twice while it was read: its "
                          "facts may not belong together",
                          name)});
    }
  }
  return std::move(reading.set);
}

FactSet collect(const Host& host) {
  FactSet set;
  const auto controllers = sysfs::find_smart_arrays(host, sysfs::smart_array_drivers);
  if (!controllers) {
    set.status = SourceStatus::failed;
    set.detail = describe(controllers.error());
    return set;
  }
  set.status = SourceStatus::absent;
  if (controllers->empty()) {
    sysfs::found_none(set, host, "no controller is driven by hpsa or smartpqi");
    return set;
  }
  for (const auto& controller : *controllers) merge_into(set, of_controller(controller, host));
  return set;
}

}  // namespace

const Source source_bmic{"bmic", "the controllers' own answers, through the driver's pass-through",
                         PathName::bmic, 20, collect};

}  // namespace raidscope
