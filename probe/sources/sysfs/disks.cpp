#include "probe/sources/sysfs/disks.h"

#include <algorithm>
#include <array>

#include "probe/sources/sysfs/reading.h"

namespace raidscope::sysfs {
namespace {

template <std::size_t N>
bool starts_with_any(std::string_view text, const std::array<std::string_view, N>& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [text](std::string_view p) { return text.starts_with(p); });
}

template <class Predicate>
std::string_view find_part(std::string_view path, Predicate wanted) {
  while (!path.empty()) {
    const auto slash = std::min(path.find('/'), path.size());
    if (wanted(path.substr(0, slash))) return path.substr(0, slash);
    path.remove_prefix(std::min(slash + 1, path.size()));
  }
  return {};
}

bool is_hex(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  });
}

/// "0000:03:00.0"; domains of more than four digits exist (VMD).
bool is_pci_address(std::string_view part) {
  const auto n = part.size();
  if (n < 12) return false;
  const auto tail = part.substr(n - 8);  // ":03:00.0"
  return tail[0] == ':' && is_hex(tail.substr(1, 2)) && tail[3] == ':' &&
         is_hex(tail.substr(4, 2)) && tail[6] == '.' && is_hex(tail.substr(7)) &&
         is_hex(part.substr(0, n - 8));
}

bool is_real_disk(const FileTree& files, const DeviceNode& node, std::string_view name) {
  const auto type = node.properties.find("DEVTYPE");
  if (type != node.properties.end() && type->second != "disk") return false;
  constexpr std::array<std::string_view, 10> unreal{"loop", "ram", "zram", "dm-",  "md",
                                                    "sr",   "fd",  "nbd",  "drbd", "bcache"};
  if (starts_with_any(name, unreal)) return false;
  if (name.starts_with("mmcblk") && name.find_first_of("br", 6) != std::string_view::npos) {
    return false;  // mmcblk0boot0, mmcblk0rpmb
  }
  if (integer(files, node.syspath + "/hidden").value_or(0) != 0) return false;  // an NVMe path
  if (text(files, node.syspath + "/partition")) return false;
  constexpr std::array<std::string_view, 7> real{"sd", "nvme",   "vd",    "xvd",
                                                 "hd", "mmcblk", "cciss!"};
  return starts_with_any(name, real) || files.resolve(node.syspath + "/device").has_value();
}

}  // namespace

std::optional<std::string> Disk::property(std::string_view key) const {
  const auto found = properties.find(key);
  if (found == properties.end() || trim(found->second).empty()) return std::nullopt;
  return std::string(trim(found->second));
}

std::vector<Disk> real_disks(const FileTree& files, const std::vector<DeviceNode>& block_nodes) {
  std::vector<Disk> disks;
  for (const DeviceNode& node : block_nodes) {
    Disk disk{std::string(base_name(node.syspath)), node.devnode, node.syspath, node.properties};
    if (!is_real_disk(files, node, disk.name)) continue;
    if (disk.path.empty()) {
      disk.path = "/dev/" + disk.name;
      std::replace(disk.path.begin(), disk.path.end(), '!', '/');  // how sysfs writes a slash
    }
    disks.push_back(std::move(disk));
  }
  std::sort(disks.begin(), disks.end(), [](const Disk& a, const Disk& b) {
    // "sdz" before "sdaa", as the kernel named them.
    if (a.name.size() != b.name.size() && a.name.substr(0, 2) == b.name.substr(0, 2)) {
      return a.name.size() < b.name.size();
    }
    return a.name < b.name;
  });
  return disks;
}

std::optional<std::int64_t> size_bytes(const FileTree& files, const Disk& disk) {
  const auto sectors = integer(files, disk.syspath + "/size");
  // The kernel counts 512-byte sectors whatever the device's are. 0: no medium.
  if (!sectors || *sectors <= 0) return std::nullopt;
  return *sectors * 512;
}

std::string_view scsi_host_name(std::string_view syspath) noexcept {
  return find_part(syspath, [](std::string_view part) {
    return part.starts_with("host") && all_digits(part.substr(4));
  });
}

std::string scsi_driver(const FileTree& files, std::string_view syspath) {
  const auto host = scsi_host_name(syspath);
  if (host.empty()) return {};
  return text(files, "sys/class/scsi_host/" + std::string(host) + "/proc_name").value_or("");
}

std::string_view pci_address(std::string_view syspath) noexcept {
  std::string_view last;
  while (!syspath.empty()) {
    const auto slash = std::min(syspath.find('/'), syspath.size());
    if (is_pci_address(syspath.substr(0, slash))) last = syspath.substr(0, slash);
    syspath.remove_prefix(std::min(slash + 1, syspath.size()));
  }
  return last;
}

bool is_raid_volume(const FileTree& files, const Disk& disk) {
  if (disk.name.starts_with("cciss!")) return true;
  if (text(files, disk.syspath + "/device/model").value_or("") == "LOGICAL VOLUME") return true;
  if (const auto level = text(files, disk.syspath + "/device/raid_level")) return *level != "N/A";
  constexpr std::array<std::string_view, 7> raid_drivers{
      "megaraid_sas", "aacraid", "arcmsr", "3w-9xxx", "3w-sas", "ips", "hpvsa"};
  const auto driver = scsi_driver(files, disk.syspath);
  return !driver.empty() && starts_with_any(driver, raid_drivers);
}

std::optional<std::string> media(const FileTree& files, const Disk& disk) {
  const auto rotational = integer(files, disk.syspath + "/queue/rotational");
  if (!rotational || is_raid_volume(files, disk)) return std::nullopt;
  const auto way = transport(files, disk).value_or("");
  constexpr std::array<std::string_view, 4> virtual_or_bridged{"virtio", "xen", "usb", "iscsi"};
  if (starts_with_any(way, virtual_or_bridged)) return std::nullopt;
  const auto vendor = text(files, disk.syspath + "/device/vendor").value_or("");
  const auto model = text(files, disk.syspath + "/device/model").value_or("");
  constexpr std::array<std::string_view, 4> hypervisors{"QEMU", "VMware", "Msft", "VBOX"};
  if (starts_with_any(vendor, hypervisors) || starts_with_any(model, hypervisors)) {
    return std::nullopt;
  }
  return *rotational == 0 ? "ssd" : "hdd";
}

std::optional<std::string> transport(const FileTree& files, const Disk& disk) {
  if (disk.name.starts_with("nvme")) {
    const auto way = text(files, disk.syspath + "/device/transport").value_or("pcie");
    return way == "pcie" ? "nvme" : "nvme-" + way;
  }
  if (disk.name.starts_with("vd")) return "virtio";
  if (disk.name.starts_with("xvd")) return "xen";
  if (disk.name.starts_with("mmcblk")) return "mmc";
  if (is_raid_volume(files, disk)) return std::nullopt;  // the drives behind it decide
  const auto has = [&disk](std::string_view prefix) {
    return !find_part(disk.syspath, [prefix](std::string_view part) {
              return part.starts_with(prefix) && part.size() > prefix.size() &&
                     part[prefix.size()] >= '0' && part[prefix.size()] <= '9';
            }).empty();
  };
  if (has("usb")) return "usb";
  if (has("ata")) return "sata";
  if (has("session")) return "iscsi";
  if (has("rport-")) return "fc";
  if (has("end_device-")) return "sas";
  if (has("virtio")) return "virtio";
  return std::nullopt;
}

}  // namespace raidscope::sysfs
