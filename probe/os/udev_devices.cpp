#include "probe/os/udev_devices.h"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include <libudev.h>

#include "probe/base/os_error.h"

namespace raidscope {
namespace {

template <auto Release>
struct Releaser {
  template <class T>
  void operator()(T* object) const {
    Release(object);
  }
};
using Udev = std::unique_ptr<udev, Releaser<udev_unref>>;
using Enumeration = std::unique_ptr<udev_enumerate, Releaser<udev_enumerate_unref>>;
using Device = std::unique_ptr<udev_device, Releaser<udev_device_unref>>;

std::string text(const char* value) {
  return value == nullptr ? std::string() : value;
}

void sort_by_path(std::vector<DeviceNode>& nodes) {
  std::sort(nodes.begin(), nodes.end(),
            [](const DeviceNode& a, const DeviceNode& b) { return a.syspath < b.syspath; });
}

}  // namespace

Result<std::vector<DeviceNode>> UdevDevices::enumerate(std::string_view subsystem) const {
  const std::string wanted(subsystem);
  const Udev context(udev_new());
  if (!context) return fail_errno(ENOMEM, "cannot use libudev", wanted);
  const Enumeration scan(udev_enumerate_new(context.get()));
  if (!scan) return fail_errno(ENOMEM, "cannot use libudev", wanted);
  int status = udev_enumerate_add_match_subsystem(scan.get(), wanted.c_str());
  if (status >= 0) status = udev_enumerate_scan_devices(scan.get());
  if (status < 0) return fail_errno(-status, "cannot list devices by libudev", wanted);

  std::vector<DeviceNode> nodes;
  for (auto* entry = udev_enumerate_get_list_entry(scan.get()); entry != nullptr;
       entry = udev_list_entry_get_next(entry)) {
    const Device device(
        udev_device_new_from_syspath(context.get(), udev_list_entry_get_name(entry)));
    if (!device) continue;  // it went away since the scan
    DeviceNode node;
    node.syspath = text(udev_device_get_syspath(device.get()));
    if (node.syspath.starts_with('/')) node.syspath.erase(0, 1);
    node.devnode = text(udev_device_get_devnode(device.get()));
    for (auto* property = udev_device_get_properties_list_entry(device.get()); property != nullptr;
         property = udev_list_entry_get_next(property)) {
      node.properties.emplace(text(udev_list_entry_get_name(property)),
                              text(udev_list_entry_get_value(property)));
    }
    nodes.push_back(std::move(node));
  }
  sort_by_path(nodes);
  return nodes;
}

Result<std::vector<DeviceNode>> UeventDevices::enumerate(std::string_view subsystem) const {
  const std::string name(subsystem);
  std::vector<DeviceNode> nodes;
  bool any_folder = false;
  const auto add = [&](const std::string& path) {
    const auto real = files_.resolve(path);
    if (!real) return;
    const auto same = [&](const DeviceNode& node) { return node.syspath == *real; };
    if (std::any_of(nodes.begin(), nodes.end(), same)) return;
    DeviceNode node;
    node.syspath = *real;
    const std::string uevent = files_.read(*real + "/uevent").value_or("");
    for (std::size_t at = 0; at < uevent.size();) {
      const auto end = std::min(uevent.find('\n', at), uevent.size());
      const std::string_view line = std::string_view(uevent).substr(at, end - at);
      if (const auto equals = line.find('='); equals != std::string_view::npos) {
        node.properties.emplace(line.substr(0, equals), line.substr(equals + 1));
      }
      at = end + 1;
    }
    if (const auto found = node.properties.find("DEVNAME"); found != node.properties.end()) {
      if (!found->second.starts_with('/')) found->second.insert(0, "/dev/");
      node.devnode = found->second;
    }
    node.properties.emplace("SUBSYSTEM", name);
    nodes.push_back(std::move(node));
  };
  const auto add_folder = [&](const std::string& folder) {
    const auto names = files_.list(folder);
    if (!names) return;
    any_folder = true;
    for (const auto& entry : *names) add(folder + "/" + entry);
  };
  add_folder("sys/class/" + name);
  add_folder("sys/bus/" + name + "/devices");
  if (name == "block" && !any_folder) {
    // A copied tree may have sys/block alone, with the partitions inside the disks.
    add_folder("sys/block");
    const std::size_t disks = nodes.size();
    for (std::size_t i = 0; i < disks; ++i) {
      const std::string disk = nodes[i].syspath;
      const std::string prefix = disk.substr(disk.rfind('/') + 1);
      for (const auto& entry : files_.list(disk).value_or(std::vector<std::string>{})) {
        if (entry.starts_with(prefix)) add(disk + "/" + entry);
      }
    }
  }
  if (!any_folder) return fail(Errc::not_found, "no such kind of device", "sys/class/" + name);
  sort_by_path(nodes);
  return nodes;
}

}  // namespace raidscope
