#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <unistd.h>

#include <linux/loop.h>
#include <linux/magic.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/sysmacros.h>
#include <sys/vfs.h>

#include <fmt/format.h>

#include "workloads/run/consent.h"
#include "workloads/run/consent_hold.h"
#include "workloads/run/target_data.h"
#include "workloads/run/target_id.h"
#include "workloads/run/target_system.h"
#include "workloads/run/target_users.h"
#include "workloads/run/testfile_mark.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;

std::string in_words(std::uint64_t bytes) {
  constexpr std::string_view units[] = {"bytes", "KiB", "MiB", "GiB"};
  auto value = static_cast<double>(bytes);
  std::size_t unit = 0;
  for (; value >= 1024 && unit + 1 < std::size(units); ++unit) value /= 1024;
  return unit == 0 ? fmt::format("{} bytes", bytes) : fmt::format("{:.1f} {}", value, units[unit]);
}

/// `error` is what access(2) said.
std::string why_not_writable(const std::string& path, int error) {
  if (::geteuid() != 0)
    return path + " may not be written by this user; run as root: sudo raidscope …";
  return fmt::format(
      "{0} may not be written although you are root ({1}): lsattr {0} shows whether it is "
      "immutable; a security module or a network file system may forbid it too",
      path, std::strerror(error));
}

// ---- block devices

std::string mount_where(const KernelMount& mount) {
  std::string text = mount.point + " (" + mount.type + ")";
  if (mount.other_namespace_of != 0)
    text += " in the mount namespace of process " + std::to_string(mount.other_namespace_of);
  return text;
}

/// How a person takes down what lies on a device.
std::string take_down(const KernelDevice& holder) {
  const auto starts = [&](std::string_view prefix) {
    return holder.dm_uuid.compare(0, prefix.size(), prefix) == 0;
  };
  if (starts("LVM-")) return "deactivate it: lvchange -an " + holder.devnode;
  if (starts("CRYPT-")) return "close it: cryptsetup close " + holder.dm_name;
  if (starts("mpath-")) return "test the multipath device itself, " + holder.devnode;
  if (!holder.dm_name.empty()) return "remove it: dmsetup remove " + holder.dm_name;
  if (!holder.md_level.empty()) return "stop it: mdadm --stop " + holder.devnode;
  if (!holder.backing_file.empty()) return "detach it: losetup -d " + holder.devnode;
  return "take that down first";
}

class DeviceExaminer {
 public:
  DeviceExaminer(const TargetSystem& system, const KernelDevice& device, std::string node,
                 TargetExamination& out)
      : system_(system), device_(device), node_(std::move(node)), out_(out) {
    used_ = system_.above(device_);
    // An extended partition is two sectors to the kernel, yet the logical ones (5 and up) hang on
    // it.
    if (device_.partition >= 1 && device_.partition <= 4 && device_.size_bytes <= 1024)
      for (const std::string& sibling : siblings())
        if (const KernelDevice* logical = system_.find(sibling);
            logical != nullptr && logical->partition >= 5)
          used_.merge(system_.above(*logical));
    // Partitions may overlap in a damaged or hybrid table.
    for (const std::string& sibling : siblings()) {
      const KernelDevice* other = system_.find(sibling);
      if (other != nullptr && other != &device_ && overlaps(*other))
        used_.merge(system_.above(*other));
    }
    whole_ = used_;
    if (device_.partition != 0) whole_.insert(device_.parent);
  }

  void examine() {
    look_at_holders();
    look_at_mounts();
    look_at_swaps();
    look_at_root();
    look_at_openers();
    if (device_.read_only)
      refuse("read_only", device_.devnode + " is read-only; make it writable: blockdev --setrw " +
                              device_.devnode);
    look_inside();
  }

 private:
  void refuse(std::string code, std::string why, bool overridable = false) {
    out_.refusals.push_back({std::move(code), std::move(why), overridable});
  }

  [[nodiscard]] std::vector<std::string> siblings() const {
    const KernelDevice* disk = system_.find(device_.parent);
    return disk == nullptr ? std::vector<std::string>{} : disk->partitions;
  }

  [[nodiscard]] bool overlaps(const KernelDevice& other) const {
    return device_.partition != 0 && device_.start_bytes < other.start_bytes + other.size_bytes &&
           other.start_bytes < device_.start_bytes + device_.size_bytes;
  }

  void look_at_holders() {
    for (const std::string& name : whole_) {
      const KernelDevice* under = system_.find(name);
      if (under == nullptr) continue;
      for (const std::string& holder_name : under->holders) {
        const KernelDevice* holder = system_.find(holder_name);
        const std::string label = holder != nullptr ? device_label(*holder) : "/dev/" + holder_name;
        refuse("holder", under->devnode + " carries " + label + "; " +
                             (holder != nullptr ? take_down(*holder) : "take that down first"));
      }
    }
  }

  void look_at_mounts() {
    std::set<std::string> seen_btrfs;
    std::set<std::string> said;
    for (const KernelMount& mount : system_.mounts()) {
      for (const KernelDevice* device : system_.devices_of(mount)) {
        if (whole_.count(device->name) == 0) continue;
        seen_btrfs.insert(device->name);
        // The same mounts again in a copied namespace say nothing new.
        if (mount.other_namespace_of != 0 && said.count(device->name) != 0) continue;
        if (!said.insert(device->name + " " + mount_where(mount)).second) continue;
        said.insert(device->name);
        std::string why = device_label(*device) + " is mounted on " + mount_where(mount);
        if (mount.point != "/") why += "; unmount it first: umount " + mount.point;
        refuse("mounted", why);
      }
    }
    for (const auto& [name, uuid] : system_.btrfs_members())
      if (whole_.count(name) != 0 && seen_btrfs.count(name) == 0)
        refuse("mounted",
               "/dev/" + name + " belongs to the mounted btrfs " + uuid + "; unmount that first");
    if (!system_.mounts_known())
      out_.notes.push_back("the list of mounts (/proc/self/mountinfo) could not be read");
  }

  void look_at_swaps() {
    for (const SwapArea& swap : system_.swaps()) {
      if (swap.is_file) continue;
      const KernelDevice* device = system_.find_node(swap.path);
      if (device != nullptr && whole_.count(device->name) != 0)
        refuse("swap", device_label(*device) +
                           " is swap space in use; turn it off first: swapoff " + swap.path);
    }
  }

  void look_at_root() {
    for (const KernelMount& mount : system_.mounts()) {
      if (mount.other_namespace_of != 0) continue;
      if (mount.point != "/" && mount.point != "/usr" && mount.point.compare(0, 5, "/boot") != 0)
        continue;
      for (const KernelDevice* top : system_.devices_of(mount)) {
        const std::vector<std::string> stack = system_.below(*top);
        if (std::find(stack.begin(), stack.end(), device_.name) == stack.end()) continue;
        refuse("root_device",
               device_.devnode + " carries " + mount.point +
                   " of the running system and is never written; name another device, or a file "
                   "that raidscope makes: --target DIRECTORY/raidscope.dat");
        break;
      }
    }
  }

  void look_at_openers() {
    OpenQuery query;
    for (const std::string& name : whole_)
      if (const KernelDevice* device = system_.find(name); device != nullptr)
        query.block_devices.push_back(device->number);
    const OpenerScan scan = find_openers(query, system_.sysroot());
    for (const Opener& opener : scan.openers)
      refuse("opened", fmt::format("{} (or a part of it) is {} in process {} ({}); end that first",
                                   device_.devnode, opener.how, opener.pid, opener.command));
    if (scan.unreadable > 0)
      out_.notes.push_back(
          fmt::format("the open files of {} processes may not be seen by this user; root sees all",
                      scan.unreadable));
  }

  void look_inside() {
    if (node_.empty()) {
      out_.notes.push_back("the content of " + device_.devnode +
                           " was not looked at: there is no node for it below the root");
      return;
    }
    const std::string sudo = "run as root: sudo raidscope …";
    if (out_.live) {
      if (::access(node_.c_str(), R_OK | W_OK) != 0 && errno != EROFS)
        refuse("permission", why_not_writable(device_.devnode, errno));
      if (!device_held(device_.number)) {
        const int fd = open_exclusive(node_);
        if (fd >= 0) {
          ::close(fd);
        } else if (errno == EBUSY) {
          refuse("exclusive_open",
                 "the kernel refuses exclusive use of " + device_.devnode +
                     " (EBUSY): somebody holds it, where nothing else is listed perhaps another "
                     "mount namespace (a container) or the kernel itself (multipath, ZFS, an "
                     "exported disk)");
        } else {
          if (errno != EACCES && errno != EPERM)
            refuse("exclusive_open",
                   device_.devnode + " cannot be opened: " + std::strerror(errno));
          return;
        }
      }
    }
    const std::string consent = "; if it may be destroyed: --destroy-data " + out_.destroy_id;
    if (const auto found = find_signatures(node_); !found) {
      refuse("data", describe(found.error()));
    } else {
      for (const DataAtRest& data : *found)
        refuse("signature",
               fmt::format("{} holds a signature: {}, at byte {}{}", device_.devnode, data.what,
                           data.offset, consent),
               true);
    }
    const auto edges = scan_edges(node_, device_.size_bytes);
    if (!edges) {
      refuse("data", describe(edges.error()));
      return;
    }
    if (edges->first_nonzero)
      refuse("data",
             fmt::format("{} is not empty: in its first MiB, byte {} is the first that is not "
                         "zero{}",
                         device_.devnode, *edges->first_nonzero, consent),
             true);
    if (edges->last_nonzero && edges->last_nonzero != edges->first_nonzero)
      refuse(
          "data",
          fmt::format("{} is not empty: in its last MiB, byte {} is the first that is not zero{}",
                      device_.devnode, *edges->last_nonzero, consent),
          true);
  }

  const TargetSystem& system_;
  const KernelDevice& device_;
  std::string node_;
  TargetExamination& out_;
  std::set<std::string> used_;  ///< the device and all that depends on its blocks
  std::set<std::string>
      whole_;  ///< and a partition's disk, whose own users reach the partition too
};

void look_below_loop(const TargetSystem& system, const KernelDevice& loop, TargetExamination& out);

Result<TargetExamination> examine_device(const TargetSystem& system, const KernelDevice& device,
                                         const std::string& node, TargetExamination out) {
  out.exists = true;
  out.info.kind = "block";
  out.info.size_bytes = device.size_bytes;
  out.info.device_chain = system.chain_of(device);
  out.identity = {true, device.number, 0};
  StableId id = stable_id(device, system);
  out.destroy_id = std::move(id.id);
  out.id_source = std::move(id.source);
  if (device.size_bytes == 0)
    return fail(Errc::unsupported, "the device has no size", out.info.path,
                "put in a medium, or attach the loop device: losetup");
  DeviceExaminer(system, device, node, out).examine();
  look_below_loop(system, device, out);
  return out;
}

// ---- files

/// File systems whose files are switches of the kernel, not data.
bool holds_no_data(const std::string& path) {
  struct statfs st {};
  if (::statfs(path.c_str(), &st) != 0) return false;
  constexpr std::array<std::uint32_t, 13> kPseudo{
      PROC_SUPER_MAGIC,    SYSFS_MAGIC,      DEBUGFS_MAGIC, TRACEFS_MAGIC,  CGROUP_SUPER_MAGIC,
      CGROUP2_SUPER_MAGIC, SECURITYFS_MAGIC, BPF_FS_MAGIC,  EFIVARFS_MAGIC, DEVPTS_SUPER_MAGIC,
      PSTOREFS_MAGIC,      BINFMTFS_MAGIC,   0x62656570 /* configfs */};
  return std::find(kPseudo.begin(), kPseudo.end(), static_cast<std::uint32_t>(st.f_type)) !=
         kPseudo.end();
}

bool same_file(const std::string& path, const struct stat& st) {
  struct stat other {};
  return ::stat(path.c_str(), &other) == 0 && other.st_dev == st.st_dev &&
         other.st_ino == st.st_ino;
}

/// What the loop driver itself says, right also where its path means something else in this root.
bool loop_uses(const KernelDevice& loop, const struct stat& st, bool live) {
  if (loop.backing_file.empty()) return false;
  if (same_file(loop.backing_file, st)) return true;
  if (!live) return false;
  const int fd = ::open(loop.devnode.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return false;
  struct loop_info64 info {};
  const bool answered = ::ioctl(fd, LOOP_GET_STATUS64, &info) == 0;
  ::close(fd);
  const auto code = info.lo_device;  // the kernel's new_encode_dev
  const dev_t device = makedev(static_cast<unsigned>((code & 0xfff00) >> 8),
                               static_cast<unsigned>((code & 0xff) | ((code >> 12) & 0xfff00)));
  return answered && info.lo_inode == st.st_ino && device == st.st_dev;
}

void look_at_space(const std::string& directory, std::uint64_t wanted, std::uint64_t allocated,
                   TargetExamination& out) {
  struct statvfs st {};
  if (wanted == 0 || ::statvfs(directory.c_str(), &st) != 0 || st.f_blocks == 0) return;
  const std::uint64_t total = st.f_blocks * st.f_frsize;
  const std::uint64_t free = st.f_bavail * st.f_frsize;
  const std::uint64_t keep = bytes_kept_free(total);
  const std::uint64_t most = (free > keep ? free - keep : 0) + allocated;
  if (wanted <= most) return;
  out.refusals.push_back(
      {"space",
       fmt::format("{} would take {} of the {} free in {}, where {} (the larger of 1 GiB and 5 % "
                   "of the file system) must stay free; {}",
                   out.info.path, in_words(wanted - std::min(wanted, allocated)), in_words(free),
                   directory, in_words(keep),
                   most >= (1U << 20) ? fmt::format("at most --size {}M", most >> 20)
                                      : std::string("choose another file system")),
       false});
}

/// `itself` is the loop device that is the target, where the file is what lies below it.
void look_at_file_users(const TargetSystem& system, const struct stat& st, const std::string& path,
                        const KernelDevice* itself, TargetExamination& out) {
  for (const SwapArea& swap : system.swaps())
    if (swap.is_file && (swap.path == path || same_file(swap.path, st)))
      out.refusals.push_back(
          {"swap", path + " is a swap file in use; turn it off first: swapoff " + path, false});
  for (const auto& [name, device] : system.devices())
    if ((itself == nullptr || device.number != itself->number) &&
        loop_uses(device, st, system.sysroot().empty()))
      out.refusals.push_back({"holder",
                              path + " is the disk behind " + device.devnode +
                                  "; detach it first: losetup -d " + device.devnode,
                              false});
  OpenQuery query;
  query.file_device = st.st_dev;
  query.file_inode = st.st_ino;
  query.file_path = path;
  const OpenerScan scan = find_openers(query, system.sysroot());
  for (const Opener& opener : scan.openers)
    out.refusals.push_back({"opened",
                            fmt::format("{} is {} for writing in process {} ({}); end that first",
                                        path, opener.how, opener.pid, opener.command),
                            false});
  if (scan.unreadable > 0)
    out.notes.push_back(
        fmt::format("the open files of {} processes may not be seen by this user; root sees all",
                    scan.unreadable));
}

/// What is written to a loop device is written to what lies below it, whoever else uses that.
void look_below_loop(const TargetSystem& system, const KernelDevice& loop, TargetExamination& out) {
  struct stat st {};
  if (loop.backing_file.empty() || ::stat(loop.backing_file.c_str(), &st) != 0) return;
  if (S_ISBLK(st.st_mode)) {
    out.refusals.push_back(
        {"holder",
         fmt::format("{} is a loop device over the device {}, which other users "
                     "may hold; detach it (losetup -d {}) and name {} itself",
                     loop.devnode, loop.backing_file, loop.devnode, loop.backing_file),
         false});
    return;
  }
  look_at_file_users(system, st, loop.backing_file, &loop, out);
}

/// `system` names the devices below the file; the users of a file that is named are always those of
/// the live machine too, for that is where it would be written.
Result<TargetExamination> examine_file(const TargetSystem& system, const struct stat& st,
                                       std::uint64_t bytes_to_write, TargetExamination out) {
  std::error_code error;
  out.exists = true;
  out.real_path = fs::canonical(out.info.path, error).string();
  if (error)
    return fail(Errc::permission, "the path cannot be followed", out.info.path, {}, error.value());
  if (holds_no_data(out.real_path))
    return fail(Errc::unsupported, "this is a switch of the kernel, not a file with data",
                out.real_path, "name a file on a disk");
  const std::string directory = fs::path(out.real_path).parent_path().string();
  out.info.size_bytes = static_cast<std::uint64_t>(st.st_size);
  out.identity = {false, st.st_dev, st.st_ino};
  out.destroy_id = out.real_path;
  out.id_source = "real path";
  if (const KernelMount* mount = system.mount_of(out.real_path); mount != nullptr) {
    out.info.device_chain = system.chain_of(*mount);
    if (mount->type == "devtmpfs")
      return fail(Errc::usage, "a plain file in the device directory, not a device", out.real_path,
                  "was the device's name mistyped? lsblk lists the devices");
  }
  look_at_file_users(system, st, out.real_path, nullptr, out);
  if (!out.live) {
    look_at_file_users(TargetSystem::read({}), st, out.real_path, nullptr, out);
  }
  struct statvfs vfs {};
  if (::statvfs(out.real_path.c_str(), &vfs) == 0 && (vfs.f_flag & ST_RDONLY) != 0)
    out.refusals.push_back(
        {"read_only", directory + " is on a file system that is mounted read-only", false});
  else if (::access(out.real_path.c_str(), W_OK) != 0)
    out.refusals.push_back({"permission", why_not_writable(out.real_path, errno), false});
  out.made_by_raidscope = own_test_file(out.real_path).has_value();
  if (!out.made_by_raidscope)
    out.refusals.push_back({"foreign_file",
                            out.real_path +
                                " exists and raidscope did not make it; name another file, or if "
                                "its content may be destroyed: --destroy-data " +
                                out.real_path,
                            true});
  look_at_space(directory, bytes_to_write, static_cast<std::uint64_t>(st.st_blocks) * 512, out);
  return out;
}

Result<TargetExamination> examine_new_file(const TargetSystem& system, std::uint64_t bytes_to_write,
                                           TargetExamination out) {
  const fs::path given(out.info.path);
  std::error_code error;
  if (fs::is_symlink(fs::symlink_status(given, error)))
    return fail(
        Errc::not_found, "a symbolic link that leads to nothing", out.info.path,
        "remove the link, or make what it points at: " + fs::read_symlink(given, error).string());
  const fs::path parent = given.has_parent_path() ? given.parent_path() : fs::path(".");
  if (!given.has_filename())
    return fail(Errc::not_found, "no such directory", out.info.path,
                "make it first: mkdir -p " + out.info.path);
  struct stat st {};
  if (::stat(parent.c_str(), &st) != 0) {
    if (errno == ENOENT || errno == ENOTDIR)
      return fail(Errc::not_found, "no such directory", parent.string(),
                  "make it first: mkdir -p " + parent.string(), errno);
    return fail(Errc::permission, "the directory cannot be seen", parent.string(),
                "run as root: sudo raidscope …", errno);
  }
  if (!S_ISDIR(st.st_mode))
    return fail(Errc::not_found, "not a directory", parent.string(), "name a file in a directory");
  const std::string directory = fs::canonical(parent, error).string();
  if (error)
    return fail(Errc::permission, "the directory cannot be followed", parent.string(), {},
                error.value());
  out.real_path = (fs::path(directory) / given.filename()).string();
  out.destroy_id = out.real_path;
  out.id_source = "real path";
  out.identity = {false, st.st_dev, 0};
  if (holds_no_data(directory))
    return fail(Errc::unsupported, "no data can be stored in this directory of the kernel",
                directory, "name a file on a disk");
  if (const KernelMount* mount = system.mount_of(directory); mount != nullptr) {
    if (mount->type == "devtmpfs")
      return fail(Errc::not_found, "no such device", out.info.path, "lsblk lists the devices");
    out.info.device_chain = system.chain_of(*mount);
  }
  struct statvfs vfs {};
  if (::statvfs(directory.c_str(), &vfs) == 0 && (vfs.f_flag & ST_RDONLY) != 0)
    out.refusals.push_back(
        {"read_only", directory + " is on a file system that is mounted read-only", false});
  else if (::access(directory.c_str(), W_OK | X_OK) != 0)
    out.refusals.push_back({"permission",
                            ::geteuid() == 0
                                ? fmt::format("no file may be made in {} although you are root "
                                              "({}): lsattr -d {} shows whether it is immutable; "
                                              "name a file elsewhere",
                                              directory, std::strerror(errno), directory)
                                : "no file may be made in " + directory +
                                      " by this user; run as root: sudo raidscope …, or choose a "
                                      "directory of yours",
                            false});
  look_at_space(directory, bytes_to_write, 0, out);
  return out;
}

}  // namespace

Result<TargetExamination> examine_target(const std::string& path, std::uint64_t bytes_to_write,
                                         const std::string& sysroot) {
  if (path.empty())
    return fail(Errc::usage, "no target named", {}, "--target FILE or --target /dev/DEVICE");
  TargetExamination out;
  out.info.path = path;
  out.info.kind = "file";
  out.live = sysroot.empty();
  const TargetSystem system = TargetSystem::read(sysroot);
  if (!out.live && path.compare(0, 5, "/dev/") == 0 && path.compare(0, 9, "/dev/shm/") != 0) {
    const KernelDevice* device = system.find_node(path);
    if (device == nullptr)
      return fail(Errc::not_found, "no such device below " + sysroot, path,
                  "sys/class/block there lists the devices");
    const std::string node = sysroot + device->devnode;
    std::error_code error;
    out.real_path = device->devnode;
    return examine_device(system, *device, fs::is_regular_file(node, error) ? node : std::string(),
                          std::move(out));
  }
  struct stat st {};
  if (::stat(path.c_str(), &st) != 0) {
    if (errno == ENOENT) return examine_new_file(system, bytes_to_write, std::move(out));
    if (errno == EACCES)
      return fail(Errc::permission, "the target cannot be seen", path,
                  "run as root: sudo raidscope …", errno);
    return fail(errno == ELOOP || errno == ENAMETOOLONG ? Errc::usage : Errc::not_found,
                "the target cannot be found", path, {}, errno);
  }
  if (S_ISREG(st.st_mode)) return examine_file(system, st, bytes_to_write, std::move(out));
  if (S_ISDIR(st.st_mode))
    return fail(Errc::usage, "the target is a directory", path,
                "name a file in it: --target " + (fs::path(path) / "raidscope.dat").string());
  if (!S_ISBLK(st.st_mode))
    return fail(Errc::usage,
                S_ISCHR(st.st_mode)    ? "the target is a character device"
                : S_ISFIFO(st.st_mode) ? "the target is a FIFO"
                                       : "the target is a socket",
                path, "name a file or a block device; lsblk lists those");
  std::error_code error;
  out.real_path = fs::canonical(path, error).string();
  if (!out.live)
    return fail(Errc::usage, "a device of the live machine, while another root is read", path,
                "leave out --sysroot, or name the device as /dev/NAME");
  const KernelDevice* device = system.find(st.st_rdev);
  if (device == nullptr)
    return fail(Errc::unsupported, "the kernel does not list this device in /sys/class/block", path,
                "is /sys mounted here?");
  const std::string node = out.real_path;
  return examine_device(system, *device, node, std::move(out));
}

}  // namespace raidscope
