#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "probe/source.h"
#include "probe/sources/sysfs/reading.h"
#include "probe/sources/sysfs/smart_array.h"

namespace raidscope {

extern const Source source_pci_sysfs;

namespace {

bool shown_by_cciss(const FileTree& files, const std::string& function) {
  const auto names = sysfs::names(files, function);
  return std::any_of(names.begin(), names.end(), sysfs::is_cciss_controller);
}

FactSet collect(const Host& host) {
  FactSet set;
  const FileTree& files = host.files;
  const auto functions = host.devices.enumerate("pci");
  if (!functions) {
    if (functions.error().code == Errc::not_found) {
      sysfs::found_none(set, host, "no PCI bus");
    } else {
      set.status = SourceStatus::failed;
      set.detail = describe(functions.error());
    }
    return set;
  }
  std::vector<std::string> driven;
  if (const auto controllers = sysfs::find_smart_arrays(host, sysfs::smart_array_drivers)) {
    for (const auto& controller : *controllers) driven.push_back(controller.pci_address);
  }
  for (const DeviceNode& function : *functions) {
    const auto id = sysfs::pci_id(files, function.syspath);
    if (!id || !sysfs::is_smart_array(*id)) continue;
    const std::string address(sysfs::base_name(function.syspath));
    if (std::find(driven.begin(), driven.end(), address) != driven.end()) continue;
    const auto link = files.resolve(function.syspath + "/driver");
    // The old driver's own source tells this one.
    if (link && sysfs::base_name(*link) == "cciss" && shown_by_cciss(files, function.syspath))
      continue;
    const EntityId controller = set.add(EntityKind::controller, machine_entity, address);
    set.tell(controller, "pci_address", address);
    set.tell(controller, "pci_id", *id);
    if (!link) {
      set.notes.push_back(
          {0, fmt::format("no driver holds the Smart Array at {}: try modprobe hpsa (smartpqi for "
                          "Gen10 and later)",
                          address)});
      continue;
    }
    const std::string driver(sysfs::base_name(*link));
    set.tell(controller, "driver.name", driver);
    sysfs::tell(set, controller, "driver.version",
                sysfs::text(files, "sys/module/" + driver + "/version"));
  }
  if (set.entities.size() == 1) {
    set.status = SourceStatus::absent;
    set.detail = "no Smart Array without one of these drivers on the PCI bus";
  }
  return set;
}

}  // namespace

const Source source_pci_sysfs{"pci_sysfs", "Smart Arrays on the PCI bus that neither driver holds",
                              PathName::sysfs, 0, collect};

}  // namespace raidscope
