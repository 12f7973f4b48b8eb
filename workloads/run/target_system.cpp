#include "workloads/run/target_system.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>

#include <sys/stat.h>
#include <sys/sysmacros.h>

namespace raidscope {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> names_in(const std::string& directory) {
  std::vector<std::string> names;
  std::error_code error;
  for (fs::directory_iterator it(directory, error), end; !error && it != end; it.increment(error))
    names.push_back(it->path().filename().string());
  std::sort(names.begin(), names.end());
  return names;
}

std::uint64_t number_in(const std::string& path) {
  const std::string text = read_small(path);
  std::uint64_t value = 0;
  std::from_chars(text.data(), text.data() + text.size(), value);
  return value;
}

dev_t device_number(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return 0;
  unsigned major_number = 0;
  unsigned minor_number = 0;
  std::from_chars(text.data(), text.data() + colon, major_number);
  std::from_chars(text.data() + colon + 1, text.data() + text.size(), minor_number);
  return makedev(major_number, minor_number);
}

std::vector<std::string> words(const std::string& line) {
  std::istringstream in(line);
  return {std::istream_iterator<std::string>(in), {}};
}

/// True when `path` is `point` or lies below it.
bool lies_below(const std::string& path, const std::string& point) {
  if (point == "/") return true;
  return path.compare(0, point.size(), point) == 0 &&
         (path.size() == point.size() || path[point.size()] == '/');
}

std::string without_suffix(std::string text, std::string_view suffix) {
  if (text.size() >= suffix.size() &&
      std::string_view(text).substr(text.size() - suffix.size()) == suffix)
    text.resize(text.size() - suffix.size());
  return text;
}

// Kernel names of block devices that are memory: brd, zram, null_blk.
bool is_memory(const KernelDevice& device) {
  for (const std::string_view prefix : {"ram", "zram", "nullb"}) {
    const std::string_view name = device.name;
    if (name.size() > prefix.size() && name.substr(0, prefix.size()) == prefix &&
        name.find_first_not_of("0123456789", prefix.size()) == std::string_view::npos)
      return true;
  }
  return false;
}

}  // namespace

std::string read_small(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string text;
  if (in) text.assign(std::istreambuf_iterator<char>(in), {});
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ' || text.back() == '\0'))
    text.pop_back();
  return text;
}

std::string unescape_octal(std::string_view text) {
  std::string out;
  const auto octal = [](char c) { return c >= '0' && c <= '7'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 3 < text.size() && octal(text[i + 1]) && octal(text[i + 2]) &&
        octal(text[i + 3])) {
      out += static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 +
                               (text[i + 3] - '0'));
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool KernelMount::anonymous() const {
  return major(number) == 0;
}

TargetSystem TargetSystem::read(const std::string& sysroot) {
  TargetSystem system;
  system.sysroot_ = without_suffix(sysroot, "/");
  system.read_devices();
  system.read_mounts();
  system.read_swaps();
  system.link_loops_over_devices();
  return system;
}

void TargetSystem::read_devices() {
  const std::string base = sysroot_ + "/sys/class/block";
  for (const std::string& name : names_in(base)) {
    KernelDevice device;
    device.name = name;
    device.devnode = "/dev/" + name;
    std::replace(device.devnode.begin(), device.devnode.end(), '!', '/');
    const std::string link = base + "/" + name;
    std::error_code error;
    const fs::path real = fs::canonical(link, error);
    device.syspath = error ? link : real.string();
    device.number = device_number(read_small(device.syspath + "/dev"));
    // Both are in units of 512 bytes whatever the device's block size (kernel, block/genhd.c).
    device.size_bytes = number_in(device.syspath + "/size") * 512;
    device.start_bytes = number_in(device.syspath + "/start") * 512;
    device.read_only = number_in(device.syspath + "/ro") != 0;
    device.partition = static_cast<int>(number_in(device.syspath + "/partition"));
    if (device.partition != 0) device.parent = fs::path(device.syspath).parent_path().filename();
    device.holders = names_in(device.syspath + "/holders");
    device.slaves = names_in(device.syspath + "/slaves");
    device.dm_name = read_small(device.syspath + "/dm/name");
    device.dm_uuid = read_small(device.syspath + "/dm/uuid");
    device.md_level = read_small(device.syspath + "/md/level");
    device.backing_file = read_small(device.syspath + "/loop/backing_file");
    // Kernels before 4.4 have no such file, and no such loop devices.
    device.loop_direct = read_small(device.syspath + "/loop/dio") == "1";
    devices_.emplace(name, std::move(device));
  }
  for (const auto& [name, device] : devices_) {
    if (device.partition == 0) continue;
    if (const auto disk = devices_.find(device.parent); disk != devices_.end())
      disk->second.partitions.push_back(name);
  }
  for (const std::string& uuid : names_in(sysroot_ + "/sys/fs/btrfs"))
    for (const std::string& name : names_in(sysroot_ + "/sys/fs/btrfs/" + uuid + "/devices"))
      btrfs_members_[name] = uuid;
}

void TargetSystem::add_mounts(const std::string& text, int other_namespace_of) {
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) {
    // id parent major:minor root point options optional… - type source super-options (proc(5))
    const std::vector<std::string> fields = words(line);
    const auto dash = std::find(fields.begin(), fields.end(), "-");
    if (fields.size() < 7 || std::distance(dash, fields.end()) < 3) continue;
    KernelMount mount;
    std::from_chars(fields[0].data(), fields[0].data() + fields[0].size(), mount.id);
    mount.number = device_number(fields[2]);
    mount.point = unescape_octal(fields[4]);
    mount.type = *(dash + 1);
    mount.source = unescape_octal(*(dash + 2));
    if (std::distance(dash, fields.end()) > 3) mount.options = *(dash + 3);
    mount.other_namespace_of = other_namespace_of;
    mounts_.push_back(std::move(mount));
  }
}

void TargetSystem::read_mounts() {
  const std::string proc = sysroot_ + "/proc/";
  const std::string own = read_small(proc + "self/mountinfo");
  mounts_known_ = !own.empty();
  add_mounts(own, 0);
  // Another mount namespace (a container, a service with private mounts) holds mounts that are not
  // in the list of this process. One process of each namespace is enough.
  std::error_code error;
  std::set<std::string> seen{fs::read_symlink(proc + "self/ns/mnt", error).string()};
  for (const std::string& pid : names_in(sysroot_ + "/proc")) {
    if (pid.empty() || pid.find_first_not_of("0123456789") != std::string::npos) continue;
    const std::string space = fs::read_symlink(proc + pid + "/ns/mnt", error).string();
    if (error || !seen.insert(space).second) continue;
    add_mounts(read_small(proc + pid + "/mountinfo"), std::atoi(pid.c_str()));
  }
}

void TargetSystem::read_swaps() {
  std::istringstream in(read_small(sysroot_ + "/proc/swaps"));
  std::string line;
  std::getline(in, line);  // the headings
  while (std::getline(in, line)) {
    const std::vector<std::string> fields = words(line);
    if (fields.size() < 2) continue;
    swaps_.push_back(
        {without_suffix(unescape_octal(fields[0]), " (deleted)"), fields[1] == "file"});
  }
}

void TargetSystem::link_loops_over_devices() {
  for (auto& [name, loop] : devices_) {
    if (loop.backing_file.compare(0, 5, "/dev/") != 0) continue;
    const KernelDevice* under = find_node(loop.backing_file);
    if (under == nullptr || under->name == name) continue;
    loop.slaves.push_back(under->name);
    devices_[under->name].holders.push_back(name);
  }
}

const KernelDevice* TargetSystem::find(std::string_view name) const {
  const auto it = devices_.find(std::string(name));
  return it == devices_.end() ? nullptr : &it->second;
}

const KernelDevice* TargetSystem::find(dev_t number) const {
  const auto it = std::find_if(devices_.begin(), devices_.end(), [&](const auto& entry) {
    return number != 0 && entry.second.number == number;
  });
  return it == devices_.end() ? nullptr : &it->second;
}

const KernelDevice* TargetSystem::find_node(const std::string& path) const {
  if (sysroot_.empty()) {
    struct stat st {};
    if (::stat(path.c_str(), &st) == 0) return S_ISBLK(st.st_mode) ? find(st.st_rdev) : nullptr;
  }
  if (path.compare(0, 5, "/dev/") != 0) return nullptr;
  std::string name = path.substr(5);
  if (name.compare(0, 7, "mapper/") == 0) {
    const std::string mapped = name.substr(7);
    for (const auto& [key, device] : devices_)
      if (device.dm_name == mapped) return &device;
    return nullptr;
  }
  std::replace(name.begin(), name.end(), '/', '!');
  return find(name);
}

std::set<std::string> TargetSystem::above(const KernelDevice& device) const {
  std::set<std::string> seen;
  std::vector<std::string> open{device.name};
  while (!open.empty()) {
    const std::string name = std::move(open.back());
    open.pop_back();
    if (!seen.insert(name).second) continue;
    const KernelDevice* next = find(name);
    if (next == nullptr) continue;
    open.insert(open.end(), next->partitions.begin(), next->partitions.end());
    open.insert(open.end(), next->holders.begin(), next->holders.end());
  }
  return seen;
}

void TargetSystem::append_below(const KernelDevice& device, std::vector<std::string>& out) const {
  if (std::find(out.begin(), out.end(), device.name) != out.end()) return;
  out.push_back(device.name);
  if (const KernelDevice* disk = find(device.parent); disk != nullptr) append_below(*disk, out);
  for (const std::string& slave : device.slaves)
    if (const KernelDevice* under = find(slave); under != nullptr) append_below(*under, out);
  if (device.backing_file.empty() || device.backing_file.compare(0, 5, "/dev/") == 0) return;
  if (const KernelMount* mount = mount_of(device.backing_file); mount != nullptr)
    for (const KernelDevice* under : devices_of(*mount)) append_below(*under, out);
}

std::vector<std::string> TargetSystem::below(const KernelDevice& device) const {
  std::vector<std::string> out;
  append_below(device, out);
  return out;
}

bool keeps_files_in_memory(std::string_view file_system) {
  return file_system == "tmpfs" || file_system == "ramfs" || file_system == "hugetlbfs" ||
         file_system == "devtmpfs";
}

void TargetSystem::append_ground(const KernelDevice& device, std::set<std::string>& seen,
                                 Ground& out) const {
  if (!seen.insert(device.name).second) return;
  if (const KernelDevice* disk = find(device.parent); is_memory(disk != nullptr ? *disk : device))
    out.in_memory = device.devnode + " is memory";
  // A partition of a loop device lies on what the loop device lies on.
  if (const KernelDevice* disk = find(device.parent);
      disk != nullptr && (!disk->slaves.empty() || !disk->backing_file.empty()))
    return append_ground(*disk, seen, out);
  if (!device.backing_file.empty() && !device.loop_direct) {
    out.page_cache = device.devnode + " reads and writes " + device.backing_file +
                     " through the page cache (loop/dio is 0)";
  }
  if (!device.slaves.empty()) {
    for (const std::string& slave : device.slaves)
      if (const KernelDevice* under = find(slave)) append_ground(*under, seen, out);
    return;
  }
  if (device.backing_file.empty()) {
    out.devices.push_back(&device);
    return;
  }
  const KernelMount* mount = mount_of(device.backing_file);
  const auto under = mount != nullptr ? devices_of(*mount) : std::vector<const KernelDevice*>{};
  for (const KernelDevice* one : under) append_ground(*one, seen, out);
  if (!under.empty()) return;
  if (mount != nullptr && keeps_files_in_memory(mount->type)) {
    out.in_memory = device.backing_file + " under " + device.devnode + " lies on " + mount->type +
                    ", which keeps its files in memory";
  } else {
    out.unknown = "which device holds " + device.backing_file + ", the file of " + device.devnode +
                  ", is not known";
  }
}

Ground TargetSystem::ground_of(const std::vector<const KernelDevice*>& devices) const {
  Ground out;
  std::set<std::string> seen;
  for (const KernelDevice* device : devices) append_ground(*device, seen, out);
  return out;
}

std::vector<const KernelDevice*> TargetSystem::devices_of(const KernelMount& mount) const {
  std::vector<const KernelDevice*> out;
  if (!mount.anonymous()) {
    if (const KernelDevice* device = find(mount.number); device != nullptr) out.push_back(device);
    return out;
  }
  const KernelDevice* source = find_node(mount.source);
  if (source == nullptr) return out;
  out.push_back(source);
  const auto uuid = btrfs_members_.find(source->name);
  if (mount.type != "btrfs" || uuid == btrfs_members_.end()) return out;
  for (const auto& [name, other] : btrfs_members_)
    if (other == uuid->second && name != source->name)
      if (const KernelDevice* member = find(name); member != nullptr) out.push_back(member);
  return out;
}

const KernelMount* TargetSystem::mount_of(const std::string& path) const {
  struct statx stx {};
  std::error_code error;
  const std::string real = fs::canonical(path, error).string();
  if (error || ::statx(AT_FDCWD, real.c_str(), 0, STATX_BASIC_STATS | STATX_MNT_ID, &stx) != 0)
    return nullptr;
  if (sysroot_.empty() && (stx.stx_mask & STATX_MNT_ID) != 0)
    for (const KernelMount& mount : mounts_)
      if (mount.id == stx.stx_mnt_id && mount.other_namespace_of == 0) return &mount;
  const dev_t number = makedev(stx.stx_dev_major, stx.stx_dev_minor);
  const KernelMount* best = nullptr;
  for (const KernelMount& mount : mounts_) {
    if (mount.number != number || mount.other_namespace_of != 0 || !lies_below(real, mount.point))
      continue;
    if (best == nullptr || mount.point.size() >= best->point.size()) best = &mount;
  }
  return best;
}

std::vector<std::string> TargetSystem::chain_of(const KernelDevice& device) const {
  std::vector<std::string> chain;
  for (const std::string& name : below(device))
    if (const KernelDevice* next = find(name); next != nullptr)
      chain.push_back(device_label(*next));
  return chain;
}

std::vector<std::string> TargetSystem::chain_of(const KernelMount& mount) const {
  std::vector<std::string> names;
  for (const KernelDevice* device : devices_of(mount)) append_below(*device, names);
  std::vector<std::string> chain{mount.type + " on " + mount.point};
  for (const std::string& name : names)
    if (const KernelDevice* device = find(name); device != nullptr)
      chain.push_back(device_label(*device));
  return chain;
}

std::string device_label(const KernelDevice& device) {
  const auto starts = [&](std::string_view prefix) {
    return device.dm_uuid.compare(0, prefix.size(), prefix) == 0;
  };
  if (!device.dm_name.empty()) {
    const std::string kind = starts("LVM-")     ? "LVM "
                             : starts("CRYPT-") ? "crypt "
                             : starts("mpath-") ? "multipath "
                                                : "dm ";
    return device.devnode + " (" + kind + device.dm_name + ")";
  }
  if (!device.md_level.empty()) return device.devnode + " (md " + device.md_level + ")";
  if (!device.backing_file.empty()) return device.devnode + " (loop " + device.backing_file + ")";
  return device.devnode;
}

}  // namespace raidscope
