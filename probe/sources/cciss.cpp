#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "probe/source.h"
#include "probe/sources/sysfs/disks.h"
#include "probe/sources/sysfs/reading.h"
#include "probe/sources/sysfs/smart_array.h"

namespace raidscope {

extern const Source source_cciss;

namespace {

using sysfs::text;

/// One controller of the cciss driver, which kernels before 4.14 had (smart-array-linux.md §1.8).
struct CcissController {
  std::string name;  ///< "cciss0"
  std::string pci_dir;
  std::string dir;  ///< below the PCI device; empty when sysfs has none
};

/// "c0d1": letters and digits as the driver numbers them.
bool is_drive_name(std::string_view name) {
  const auto d = name.find('d');
  return name.size() > 3 && name.front() == 'c' && d != std::string_view::npos && d > 1 &&
         sysfs::all_digits(name.substr(1, d - 1)) && d + 1 < name.size() &&
         sysfs::all_digits(name.substr(d + 1));
}

std::vector<CcissController> controllers_of(const Host& host) {
  std::vector<CcissController> found;
  for (const DeviceNode& function :
       host.devices.enumerate("pci").value_or(std::vector<DeviceNode>{})) {
    for (const std::string& name : sysfs::names(host.files, function.syspath)) {
      if (sysfs::is_cciss_controller(name))
        found.push_back({name, function.syspath, function.syspath + "/" + name});
    }
  }
  // Before 2.6.30 only /proc shows them.
  for (const std::string& name : sysfs::names(host.files, "proc/driver/cciss")) {
    const bool known = std::any_of(found.begin(), found.end(),
                                   [&](const CcissController& c) { return c.name == name; });
    if (!known && sysfs::is_cciss_controller(name)) found.push_back({name, "", ""});
  }
  std::sort(found.begin(), found.end(), [](const CcissController& a, const CcissController& b) {
    return sysfs::to_integer(a.name.substr(5)).value_or(0) <
           sysfs::to_integer(b.name.substr(5)).value_or(0);
  });
  return found;
}

/// What /proc/driver/cciss/ccissN says: a heading, "Key: value" lines, and one line a drive
/// ("cciss/c0d0:  72.83GB  RAID 1(1+0)").
struct ProcText {
  std::string heading;  ///< "HP Smart Array 6i Controller"
  std::string firmware;
  std::string board_id;
  std::vector<std::pair<std::string, std::string>> drives;  ///< "c0d0" and what stands behind it
};

ProcText read_proc(const FileTree& files, const std::string& name) {
  ProcText out;
  const std::string content = text(files, "proc/driver/cciss/" + name).value_or("");
  for (const std::string_view line : sysfs::lines(content)) {
    const auto colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    const auto key = sysfs::trim(line.substr(0, colon));
    const auto value = sysfs::trim(line.substr(colon + 1));
    if (key == name) out.heading = value;
    if (key == "Firmware Version") out.firmware = value;
    if (key == "Board ID") out.board_id = value;
    if (key.starts_with("cciss/") && is_drive_name(key.substr(6)))
      out.drives.emplace_back(std::string(key.substr(6)), std::string(value));
  }
  return out;
}

/// "72.83GB": the driver divides by powers of 1000 and prints two digits.
void tell_printed_size(FactSet& set, EntityId id, std::string_view words) {
  const auto unit = words.find_first_not_of("0123456789.");
  if (unit == std::string_view::npos || unit == 0) return;
  double value = 0;
  try {
    value = std::stod(std::string(words.substr(0, unit)));
  } catch (const std::exception&) {
    return;
  }
  const double factor = words.substr(unit, 2) == "GB"   ? 1e9
                        : words.substr(unit, 2) == "MB" ? 1e6
                        : words.substr(unit, 2) == "TB" ? 1e12
                                                        : 0;
  if (factor == 0) return;
  set.tell(id, "size_bytes", static_cast<std::int64_t>(value * factor));
  set.tell(id, "size_text", std::string(words.substr(0, unit + 2)));
  set.tell(id, "size_exact", false);
}

void tell_drive(FactSet& set, EntityId controller, const CcissController& owner,
                const std::string& name, std::string_view printed, const Host& host,
                const std::vector<sysfs::Disk>& disks) {
  const FileTree& files = host.files;
  const std::string device = "/dev/cciss/" + name;
  const EntityId id = set.add(EntityKind::logical_drive, controller, device);
  set.tell(id, "device", device);
  const std::string dir = owner.dir.empty() ? "" : owner.dir + "/" + name + "/";
  std::string label;
  if (!dir.empty()) {
    const auto unique = text(files, dir + "unique_id").value_or("");
    if (unique.size() == 32 && unique.find_first_not_of('0') != std::string::npos)
      set.tell(id, "unique_id", sysfs::plain_wwid("0x" + unique));
    label = text(files, dir + "raid_level").value_or("");
    for (const std::string_view key : {"lunid", "usage_count"}) {
      if (auto value = text(files, dir + std::string(key)))
        set.extras.push_back({id, std::string(key), *std::move(value), 0});
    }
  }
  const auto blank = printed.find_first_of(" \t");
  if (label.empty() && blank != std::string_view::npos) label = sysfs::trim(printed.substr(blank));
  if (!label.empty()) {
    sysfs::tell_raid_level(set, id, sysfs::raid_level_of_label(label));
    set.extras.push_back({id, "raid_level", label, 0});
  }
  const auto disk = std::find_if(disks.begin(), disks.end(),
                                 [&](const sysfs::Disk& d) { return d.name == "cciss!" + name; });
  if (disk != disks.end()) {
    if (const auto size = sysfs::size_bytes(files, *disk)) {
      set.tell(id, "size_bytes", *size);
      set.tell(id, "size_exact", true);
      return;
    }
  }
  tell_printed_size(set, id, printed.substr(0, blank));
}

FactSet collect(const Host& host) {
  FactSet set;
  const auto controllers = controllers_of(host);
  if (controllers.empty()) {
    sysfs::found_none(set, host, "no controller is driven by cciss");
    return set;
  }
  set.version = text(host.files, "sys/module/cciss/version").value_or("");
  const auto disks = sysfs::real_disks(
      host.files, host.devices.enumerate("block").value_or(std::vector<DeviceNode>{}));
  for (const CcissController& controller : controllers) {
    const ProcText proc = read_proc(host.files, controller.name);
    const EntityId id = set.add(EntityKind::controller, machine_entity,
                                proc.heading.empty() ? controller.name : proc.heading);
    if (!controller.pci_dir.empty()) {
      set.tell(id, "pci_address", std::string(sysfs::base_name(controller.pci_dir)));
      sysfs::tell(set, id, "pci_id", sysfs::pci_id(host.files, controller.pci_dir));
    }
    if (!proc.heading.empty()) {
      // "HP Smart Array 6i Controller": the word with a digit in it is the product.
      set.tell(id, "model", sysfs::product_word(proc.heading));
      const auto brand = proc.heading.substr(0, proc.heading.find(' '));
      if (brand == "HP" || brand == "COMPAQ") set.tell(id, "vendor", brand);
    }
    if (!proc.firmware.empty()) set.tell(id, "firmware", proc.firmware);
    set.tell(id, "driver.name", std::string("cciss"));
    if (!set.version.empty()) set.tell(id, "driver.version", set.version);
    if (!proc.board_id.empty()) set.extras.push_back({id, "Board ID", proc.board_id, 0});
    for (const std::string_view key : {"transport_mode", "resettable"}) {
      if (controller.dir.empty()) continue;
      if (auto value = text(host.files, controller.dir + "/" + std::string(key)))
        set.extras.push_back({id, std::string(key), *std::move(value), 0});
    }
    std::vector<std::string> names;
    for (const std::string& name : sysfs::names(host.files, controller.dir)) {
      if (!controller.dir.empty() && is_drive_name(name)) names.push_back(name);
    }
    for (const auto& [name, printed] : proc.drives) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
    for (const std::string& name : names) {
      const auto printed = std::find_if(proc.drives.begin(), proc.drives.end(),
                                        [&](const auto& drive) { return drive.first == name; });
      tell_drive(set, id, controller, name,
                 printed == proc.drives.end() ? std::string_view() : printed->second, host, disks);
    }
  }
  return set;
}

}  // namespace

const Source source_cciss{"cciss", "Smart Arrays as the cciss driver of older kernels shows them",
                          PathName::sysfs, 0, collect};

}  // namespace raidscope
