#include "probe/sources/sysfs/smart_array.h"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "probe/base/emulated_mark.h"
#include "probe/base/scsi.h"
#include "probe/sources/sysfs/reading.h"

namespace raidscope::sysfs {
namespace {

/// Vendor and device ids of Smart Array functions: the id tables of the hpsa and smartpqi drivers.
/// The last is also sold under other names, which its subsystem vendor tells.
constexpr std::array<std::string_view, 11> smart_array_ids{
    "103c:3220/", "103c:3230/", "103c:3238/", "103c:3239/", "103c:323a/", "103c:323b/",
    "103c:323c/", "103c:333f/", "9005:0290/", "1590:0075/", "9005:028f/"};

constexpr std::int64_t type_disk = 0x00;
constexpr std::int64_t type_controller = 0x0C;
constexpr std::int64_t type_zoned_disk = 0x14;

/// "ld=0" of hpsa, without the label.
std::string lockup_code(const FileTree& files, const std::string& host_dir) {
  const auto told = text(files, host_dir + "/lockup_detected").value_or("");
  const auto equals = told.find('=');
  return equals == std::string::npos ? told : told.substr(equals + 1);
}

ScsiRole role_of(const FileTree& files, const std::string& dir) {
  const auto type = integer(files, dir + "/type");
  if (type == type_controller) return ScsiRole::controller;
  if (type != type_disk && type != type_zoned_disk) return ScsiRole::other;
  const auto level = text(files, dir + "/raid_level");
  if (level) return *level == "N/A" ? ScsiRole::physical_drive : ScsiRole::logical_drive;
  const bool volume = text(files, dir + "/model").value_or("") == "LOGICAL VOLUME";
  return volume ? ScsiRole::logical_drive : ScsiRole::other;
}

/// The folders of all SCSI devices of one host, by their H:B:T:L.
std::map<std::string, std::string> scsi_folders(const FileTree& files, std::string_view host_name,
                                                const std::vector<DeviceNode>& scsi) {
  std::map<std::string, std::string> out;
  const std::string prefix = std::string(host_name.substr(4)) + ":";  // "host0" has 0:…
  const auto add = [&](std::string_view hctl, const std::string& dir) {
    if (!hctl.starts_with(prefix) || std::count(hctl.begin(), hctl.end(), ':') != 3) return;
    if (auto real = files.resolve(dir)) out.emplace(hctl, *std::move(real));
  };
  for (const DeviceNode& node : scsi) add(base_name(node.syspath), node.syspath);
  if (out.empty()) {
    for (const auto& hctl : names(files, "sys/class/scsi_device")) {
      add(hctl, "sys/class/scsi_device/" + hctl + "/device");
    }
  }
  return out;
}

std::string pci_folder(std::string_view syspath, std::string_view address) {
  if (address.empty()) return {};
  return std::string(syspath.substr(0, syspath.rfind(address) + address.size()));
}

/// "1I:1:3" of "[0:0:1:0]    Direct-Access     PORT: 1I BOX: 1 BAY: 3 Active".
std::optional<std::string> bay_of(std::string_view path_info) {
  std::string port;
  std::string box;
  std::string bay;
  const auto parts = words(path_info);
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    if (parts[i] == "PORT:" && port.empty()) port = parts[i + 1];
    if (parts[i] == "BOX:" && box.empty()) box = parts[i + 1];
    if (parts[i] == "BAY:" && bay.empty()) bay = parts[i + 1];
  }
  if (port.empty() || bay.empty()) return std::nullopt;
  return box.empty() ? port + ":" + bay : port + ":" + box + ":" + bay;
}

/// The kernel keeps the INQUIRY data that it read.
void tell_emulated(FactSet& set, EntityId id, const std::string& dir, const FileTree& files) {
  const auto told = scsi::decode_inquiry(bytes(files, dir + "/inquiry"));
  if (told && told->vendor_specific.starts_with(emulated_mark)) {
    set.extras.push_back({id, "inquiry", std::string(emulated_mark), 0});
  }
}

void tell_controller(FactSet& set, EntityId id, const SmartArrayHost& controller,
                     const FileTree& files, const DriverWords& driver) {
  const std::string dir = controller.dir + "/";
  tell(set, id, "pci_id", pci_id(files, controller.pci_dir));
  auto model = text(files, dir + "model");    // smartpqi alone
  auto vendor = text(files, dir + "vendor");  // smartpqi alone
  if (const ScsiNode* const self = controller.self()) {
    if (!model) model = text(files, self->dir + "/model");
    if (!vendor) vendor = text(files, self->dir + "/vendor");
    tell_emulated(set, id, self->dir, files);
  }
  if (model) set.tell(id, "model", product_word(*model));
  tell(set, id, "vendor", std::move(vendor));
  tell(set, id, "serial", text(files, dir + "serial_number"));  // smartpqi alone
  tell(set, id, "firmware", text(files, dir + std::string(driver.firmware)));
  set.tell(id, "driver.name", controller.driver);
  if (!set.version.empty()) set.tell(id, "driver.version", set.version);
  if (!controller.lockup.empty()) set.tell(id, "lockup", controller.lockup);
  if (!driver.host_smart_path.empty()) {
    const auto words_ = text(files, dir + std::string(driver.host_smart_path)).value_or("");
    if (words_.ends_with(" enabled")) set.tell(id, "smart_path.driver_enabled", true);
    if (words_.ends_with(" disabled")) set.tell(id, "smart_path.driver_enabled", false);
  }
  for (const auto name : driver.host_extras) {
    if (auto value = text(files, dir + std::string(name))) {
      set.extras.push_back({id, std::string(name), *std::move(value), 0});
    }
  }
}

void tell_logical_drive(FactSet& set, EntityId controller, const ScsiNode& node,
                        const FileTree& files, const DriverWords& driver) {
  const EntityId id = add_logical_drive(set, controller, node, files);
  tell_emulated(set, id, node.dir, files);
  if (const auto label = text(files, node.dir + "/raid_level")) {
    tell_raid_level(set, id, raid_level_of_label(*label));
    set.extras.push_back({id, "raid_level", *label, 0});
  }
  if (node.disk) {
    if (const auto size = size_bytes(files, *node.disk)) {
      set.tell(id, "size_bytes", *size);
      set.tell(id, "size_exact", true);
    }
  }
  const auto used = integer(files, node.dir + "/" + std::string(driver.drive_smart_path));
  if (used) set.tell(id, "smart_path.driver_enabled", *used != 0);
  if (!driver.drive_bypass_count.empty()) {
    tell(set, id, "smart_path.bypass_count",
         integer(files, node.dir + "/" + std::string(driver.drive_bypass_count)));
  }
  for (const std::string_view name :
       {"lunid", "state", "path_info", "sas_address", "numa_node", "sas_ncq_prio_enable"}) {
    auto value = text(files, node.dir + "/" + std::string(name));
    if (!value) continue;
    std::replace(value->begin(), value->end(), '\n', ';');  // path_info has a line for each path
    set.extras.push_back({id, std::string(name), *std::move(value), 0});
  }
}

void tell_hba_drive(FactSet& set, EntityId controller, const ScsiNode& node,
                    const FileTree& files) {
  const EntityId id =
      set.add(EntityKind::physical_drive, controller, node.disk ? node.disk->path : node.hctl);
  set.tell(id, "role", std::string("hba"));
  tell(set, id, "bay", bay_of(text(files, node.dir + "/path_info").value_or("")));
  const auto vendor = text(files, node.dir + "/vendor");
  if (vendor == "ATA") {
    set.tell(id, "interface", std::string("SATA"));
  } else if (vendor == "NVMe") {
    set.tell(id, "interface", std::string("NVMe"));
  } else if (vendor) {
    set.tell(id, "interface", std::string("SAS"));
    set.tell(id, "vendor", *vendor);
  }
  tell(set, id, "model", text(files, node.dir + "/model"));
  tell(set, id, "firmware", text(files, node.dir + "/rev"));
  auto serial = scsi::decode_unit_serial(bytes(files, node.dir + "/vpd_pg80"));
  if (!serial.empty()) set.tell(id, "serial", std::move(serial));
  if (const auto wwid = text(files, node.dir + "/wwid")) {
    set.tell(id, "wwid", plain_wwid(*wwid));
  }
  if (!node.disk) return;
  set.tell(id, "device", node.disk->path);
  tell(set, id, "media", media(files, *node.disk));
  if (const auto size = size_bytes(files, *node.disk)) {
    set.tell(id, "size_bytes", *size);
    set.tell(id, "size_exact", true);
  }
}

}  // namespace

const ScsiNode* SmartArrayHost::self() const {
  const auto found = std::find_if(nodes.begin(), nodes.end(), [](const ScsiNode& node) {
    return node.role == ScsiRole::controller;
  });
  return found == nodes.end() ? nullptr : &*found;
}

std::string SmartArrayHost::ioctl_node() const {
  if (const ScsiNode* const own = self(); own != nullptr && !own->sg_node.empty()) {
    return own->sg_node;
  }
  for (const ScsiNode& node : nodes) {
    if (!node.sg_node.empty()) return node.sg_node;
  }
  for (const ScsiNode& node : nodes) {
    if (node.disk) return node.disk->path;
  }
  return {};
}

bool sg_driver_loaded(const FileTree& files) {
  return files.list("sys/class/scsi_generic").has_value() ||
         files.list("sys/module/sg").has_value();
}

Result<std::vector<SmartArrayHost>> find_smart_arrays(const Host& host,
                                                      std::span<const std::string_view> drivers) {
  const FileTree& files = host.files;
  std::vector<SmartArrayHost> found;
  const auto hosts = host.devices.enumerate("scsi_host");
  if (!hosts) {
    if (hosts.error().code == Errc::not_found) return found;
    return tl::unexpected<Error>(hosts.error());
  }
  for (const DeviceNode& node : *hosts) {
    const auto driver = text(files, node.syspath + "/proc_name").value_or("");
    if (std::find(drivers.begin(), drivers.end(), driver) == drivers.end()) continue;
    SmartArrayHost controller;
    controller.driver = driver;
    controller.dir = node.syspath;
    // Below the class folder when the tree has no links, else below the PCI device.
    const auto device = files.resolve(node.syspath + "/device").value_or(node.syspath);
    controller.pci_address = pci_address(device);
    controller.pci_dir = pci_folder(device, controller.pci_address);
    controller.lockup = lockup_code(files, controller.dir);
    found.push_back(std::move(controller));
  }
  if (found.empty()) return found;
  std::sort(found.begin(), found.end(), [](const SmartArrayHost& a, const SmartArrayHost& b) {
    const auto number = [](const SmartArrayHost& c) {
      return to_integer(base_name(c.dir).substr(4)).value_or(0);
    };
    return number(a) < number(b);
  });

  const auto scsi = host.devices.enumerate("scsi").value_or(std::vector<DeviceNode>{});
  const auto disks =
      real_disks(files, host.devices.enumerate("block").value_or(std::vector<DeviceNode>{}));
  std::map<std::string, const Disk*> disk_in;
  for (const Disk& disk : disks) {
    if (auto device = files.resolve(disk.syspath + "/device")) disk_in.emplace(*device, &disk);
  }
  for (SmartArrayHost& controller : found) {
    for (const auto& [hctl, dir] : scsi_folders(files, base_name(controller.dir), scsi)) {
      ScsiNode node{hctl, dir, role_of(files, dir), "", std::nullopt};
      const auto generic = names(files, dir + "/scsi_generic");
      if (!generic.empty()) node.sg_node = "/dev/" + generic.front();
      if (const auto disk = disk_in.find(dir); disk != disk_in.end()) {
        node.disk = *disk->second;
      } else if (const auto block = names(files, dir + "/block"); !block.empty()) {
        // A copied tree without links.
        const auto named = std::find_if(disks.begin(), disks.end(), [&block](const Disk& d) {
          return d.name == block.front();
        });
        if (named != disks.end()) node.disk = *named;
      }
      controller.nodes.push_back(std::move(node));
    }
  }
  return found;
}

RaidLevel raid_level_of_label(std::string_view label) {
  if (label.starts_with("RAID ") || label.starts_with("RAID-")) label.remove_prefix(5);
  if (label == "0" || label == "4" || label == "5+1") return {std::string(label), {}};
  if (label == "1(+0)" || label == "1(1+0)" || label == "1") return {std::nullopt, {"1", "1+0"}};
  if (label == "5") return {std::nullopt, {"5", "50"}};
  if (label == "6" || label == "ADG") return {std::nullopt, {"6", "60"}};
  if (label == "1(+0)ADM" || label == "1(ADM)" || label == "1(Triple)") {
    return {std::nullopt, {"1adm", "10adm"}};
  }
  return {};
}

RaidLevel raid_level_of_fault_tolerance(std::uint8_t code) {
  constexpr std::array<std::string_view, 7> labels{"0", "4", "1(+0)", "5", "5+1", "6", "1(+0)ADM"};
  return code < labels.size() ? raid_level_of_label(labels[code]) : RaidLevel{};
}

void tell_raid_level(FactSet& set, EntityId drive, RaidLevel level) {
  tell(set, drive, "raid", std::move(level.raid));
  if (!level.candidates.empty()) set.tell(drive, "raid_candidates", std::move(level.candidates));
}

std::string product_word(std::string_view product) {
  for (const auto word : words(product)) {
    if (word.find_first_of("0123456789") != std::string_view::npos) return std::string(word);
  }
  return std::string(trim(product));
}

std::optional<std::string> pci_id(const FileTree& files, std::string_view pci_dir) {
  if (pci_dir.empty()) return std::nullopt;
  std::array<std::int64_t, 4> ids{};
  std::size_t at = 0;
  for (const std::string_view name : {"vendor", "device", "subsystem_vendor", "subsystem_device"}) {
    const auto value = integer(files, std::string(pci_dir) + "/" + std::string(name));
    if (!value) return std::nullopt;
    ids[at++] = *value;
  }
  return fmt::format("{:04x}:{:04x}/{:04x}:{:04x}", ids[0], ids[1], ids[2], ids[3]);
}

std::optional<std::string> unique_id(const FileTree& files, const ScsiNode& node) {
  // The driver prints zeros where it could not get page 0x83.
  const auto none = [](const std::string& id) {
    return id.size() != 32 || id.find_first_not_of('0') == std::string::npos;
  };
  auto id = text(files, node.dir + "/unique_id").value_or("");
  if (none(id)) id = scsi::decode_naa(bytes(files, node.dir + "/vpd_pg83"));
  if (none(id)) id = plain_wwid(text(files, node.dir + "/wwid").value_or(""));
  if (none(id)) return std::nullopt;
  return plain_wwid("0x" + id);
}

EntityId add_controller(FactSet& set, const SmartArrayHost& host, const FileTree& files) {
  std::string name = host.pci_address.empty() ? std::string(base_name(host.dir)) : host.pci_address;
  if (const ScsiNode* const self = host.self()) {
    const auto vendor = text(files, self->dir + "/vendor");
    const auto model = text(files, self->dir + "/model");
    if (vendor && model) name = *vendor + " " + *model;
  }
  const EntityId id = set.add(EntityKind::controller, machine_entity, std::move(name));
  if (!host.pci_address.empty()) set.tell(id, "pci_address", host.pci_address);
  return id;
}

EntityId add_logical_drive(FactSet& set, EntityId controller, const ScsiNode& node,
                           const FileTree& files) {
  const EntityId id =
      set.add(EntityKind::logical_drive, controller, node.disk ? node.disk->path : node.hctl);
  tell(set, id, "unique_id", unique_id(files, node));
  if (node.disk) set.tell(id, "device", node.disk->path);
  return id;
}

bool is_cciss_controller(std::string_view name) {
  return name.starts_with("cciss") && name.size() > 5 && all_digits(name.substr(5));
}

FactSet collect_smart_arrays(const Host& host, const DriverWords& driver) {
  FactSet set;
  const FileTree& files = host.files;
  const std::array<std::string_view, 1> drivers{driver.driver};
  const auto controllers = find_smart_arrays(host, drivers);
  if (!controllers) {
    set.status = SourceStatus::failed;
    set.detail = describe(controllers.error());
    return set;
  }
  if (controllers->empty()) {
    found_none(set, host, fmt::format("no controller is driven by {}", driver.driver));
    return set;
  }
  set.version = text(files, "sys/module/" + std::string(driver.driver) + "/version").value_or("");
  if (set.version.empty()) {
    set.version = text(files, controllers->front().dir + "/driver_version").value_or("");
  }
  for (const SmartArrayHost& controller : *controllers) {
    const EntityId id = add_controller(set, controller, files);
    tell_controller(set, id, controller, files, driver);
    for (const ScsiNode& node : controller.nodes) {
      if (node.role == ScsiRole::logical_drive) {
        tell_logical_drive(set, id, node, files, driver);
      } else if (node.role == ScsiRole::physical_drive) {
        tell_hba_drive(set, id, node, files);
      }
    }
  }
  return set;
}

bool is_smart_array(std::string_view id) {
  return std::any_of(smart_array_ids.begin(), smart_array_ids.end(),
                     [id](std::string_view known) { return id.starts_with(known); });
}

std::optional<bool> smart_array_on_pci(const Host& host) {
  const auto functions = host.devices.enumerate("pci");
  if (!functions || (functions->empty() && !host.files.list("sys/bus/pci/devices")))
    return std::nullopt;
  return std::any_of(functions->begin(), functions->end(), [&](const DeviceNode& function) {
    const auto id = pci_id(host.files, function.syspath);
    return id && is_smart_array(*id);
  });
}

}  // namespace raidscope::sysfs
