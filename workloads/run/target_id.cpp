#include "workloads/run/target_id.h"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <sys/sysmacros.h>

namespace raidscope {
namespace {

/// Runs of white space become one "_", as udev writes them, so that an id is one shell word.
std::string squeeze(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const bool blank = std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\0';
    if (!blank) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  return out;
}

std::string udev_property(const KernelDevice& device, const TargetSystem& system,
                          std::string_view key) {
  std::istringstream in(read_small(system.sysroot() + "/run/udev/data/b" +
                                   std::to_string(major(device.number)) + ":" +
                                   std::to_string(minor(device.number))));
  const std::string prefix = "E:" + std::string(key) + "=";
  for (std::string line; std::getline(in, line);)
    if (line.compare(0, prefix.size(), prefix) == 0) return line.substr(prefix.size());
  return {};
}

std::string attribute(const KernelDevice& device, const char* name) {
  return squeeze(read_small(device.syspath + "/" + name));
}

StableId id_of_whole(const KernelDevice& device, const TargetSystem& system) {
  if (!device.dm_uuid.empty()) return {device.dm_uuid, "device-mapper identity"};
  if (!device.backing_file.empty()) {
    const KernelDevice* under =
        device.slaves.empty() ? nullptr : system.find(device.slaves.front());
    if (under != nullptr) return stable_id(*under, system);
    return {device.backing_file, "file behind the loop device"};
  }
  if (std::string uuid = attribute(device, "md/uuid"); !uuid.empty()) return {uuid, "md identity"};
  if (std::string uuid = udev_property(device, system, "MD_UUID"); !uuid.empty())
    return {uuid, "md identity"};
  for (const char* name : {"wwid", "device/wwid", "nguid", "uuid"}) {
    std::string id = attribute(device, name);
    // t10 ids are vendor, model and serial number in one; the WWN, where udev has it, is better.
    if (!id.empty() && id.compare(0, 4, "t10.") != 0) return {id, "WWN"};
  }
  for (const char* key : {"ID_WWN_WITH_EXTENSION", "ID_WWN", "DM_UUID"})
    if (std::string id = udev_property(device, system, key); !id.empty()) return {id, "WWN"};
  if (std::string id = attribute(device, "device/wwid"); !id.empty()) return {id, "unique id"};
  if (std::string id = attribute(device, "wwid"); !id.empty()) return {id, "unique id"};
  if (std::string id = udev_property(device, system, "ID_SERIAL"); !id.empty())
    return {squeeze(id), "serial number"};
  for (const char* name : {"serial", "device/serial", "device/cid"}) {
    const std::string serial = attribute(device, name);
    if (serial.empty()) continue;
    const std::string model = attribute(device, "device/model");
    return {model.empty() ? serial : model + "_" + serial, "serial number"};
  }
  // Where it is plugged in. Below /sys, without the kernel name at the end, which can change.
  std::string place = device.syspath;
  if (const auto at = place.find("/sys/devices/"); at != std::string::npos)
    place.erase(0, at + std::string_view("/sys/devices/").size());
  const std::string tail = "/block/" + device.name;
  if (place.compare(0, 8, "virtual/") != 0 && place.size() > tail.size() &&
      place.compare(place.size() - tail.size(), tail.size(), tail) == 0)
    place.resize(place.size() - tail.size());
  return {"path:" + place, "place on the bus, for the device has no id of its own"};
}

std::string normal(std::string_view text) {
  if (!text.empty() && text.front() == '/' && text.compare(0, 16, "/dev/disk/by-id/") != 0)
    return std::string(text);  // a file: its letters count
  std::string out = squeeze(text);
  std::transform(out.begin(), out.end(), out.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view prefix : {"/dev/disk/by-id/", "wwn-", "scsi-3", "dm-uuid-",
                                        "md-uuid-", "nvme-", "naa.", "eui.", "uuid.", "0x"})
    if (std::string_view(out).substr(0, prefix.size()) == prefix) out.erase(0, prefix.size());
  return out;
}

}  // namespace

StableId stable_id(const KernelDevice& device, const TargetSystem& system) {
  const KernelDevice* disk = device.partition != 0 ? system.find(device.parent) : nullptr;
  if (disk == nullptr) return id_of_whole(device, system);
  StableId id = id_of_whole(*disk, system);
  id.id += "-part" + std::to_string(device.partition);
  return id;
}

bool same_id(std::string_view typed, std::string_view id) {
  return !id.empty() && normal(typed) == normal(id);
}

}  // namespace raidscope
