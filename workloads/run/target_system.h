#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <sys/types.h>

/// What the kernel says of block devices and of who uses them, read once: the ground on which
/// examine_target decides. Only /sys and /proc are read, below a root that tests can replace.
namespace raidscope {

struct KernelDevice {
  std::string name;     ///< kernel name, "sda1", "cciss!c0d0"
  std::string devnode;  ///< "/dev/sda1", "/dev/cciss/c0d0"
  dev_t number = 0;
  std::string syspath;            ///< resolved directory, absolute, below the root
  std::uint64_t size_bytes = 0;   ///< 0: no medium, or a loop device that is not attached
  std::uint64_t start_bytes = 0;  ///< of a partition on its disk
  bool read_only = false;
  int partition = 0;                    ///< number; 0: not a partition
  std::string parent;                   ///< kernel name of a partition's disk
  std::vector<std::string> partitions;  ///< kernel names
  std::vector<std::string> holders;     ///< devices stacked on this one: md, dm, bcache, loop, …
  std::vector<std::string> slaves;      ///< devices that this one lies on
  std::string dm_name, dm_uuid, md_level;
  std::string backing_file;  ///< of an attached loop device, as the kernel prints it
  bool loop_direct = false;  ///< the loop device bypasses the page cache of its file (loop/dio)
};

struct KernelMount {
  dev_t number = 0;  ///< 0 major: a file system without one device (btrfs, overlay, tmpfs, nfs)
  std::uint64_t id = 0;
  std::string point, type, source, options;
  int other_namespace_of = 0;  ///< a process id when seen only in another mount namespace
  [[nodiscard]] bool anonymous() const;
};

struct SwapArea {
  std::string path;
  bool is_file = false;
};

/// What lies at the bottom of a stack of devices, and what on the way down answers in its place.
struct Ground {
  std::vector<const KernelDevice*> devices;  ///< that lie on nothing else the kernel tells of
  std::string in_memory;   ///< "/dev/zram0 is memory", "tmpfs keeps its files in memory"; or empty
  std::string page_cache;  ///< the loop device that goes through the page cache; or empty
  std::string unknown;     ///< a loop device whose file's place cannot be told; or empty
  bool operator==(const Ground&) const = default;
};

class TargetSystem {
 public:
  /// Never fails: what cannot be read is missing here. `sysroot` empty: the machine itself.
  static TargetSystem read(const std::string& sysroot);

  [[nodiscard]] const std::string& sysroot() const { return sysroot_; }
  [[nodiscard]] const std::vector<KernelMount>& mounts() const { return mounts_; }
  [[nodiscard]] const std::vector<SwapArea>& swaps() const { return swaps_; }
  [[nodiscard]] const std::map<std::string, KernelDevice>& devices() const { return devices_; }
  /// False when /proc could not be read: then nothing is known of mounts.
  [[nodiscard]] bool mounts_known() const { return mounts_known_; }
  /// Names of devices that the kernel lists as members of a mounted btrfs, with its uuid.
  [[nodiscard]] const std::map<std::string, std::string>& btrfs_members() const {
    return btrfs_members_;
  }

  [[nodiscard]] const KernelDevice* find(std::string_view name) const;
  [[nodiscard]] const KernelDevice* find(dev_t number) const;
  /// A node in /dev, whatever link or alias it is, as a block device; null when it is none.
  [[nodiscard]] const KernelDevice* find_node(const std::string& path) const;

  /// The device, its partitions and everything stacked on any of them, to the top.
  [[nodiscard]] std::set<std::string> above(const KernelDevice& device) const;
  /// The device and everything that it lies on: its disk, slaves, the disk under a loop's file.
  [[nodiscard]] std::vector<std::string> below(const KernelDevice& device) const;
  /// Follows slaves and the files of loop devices from these devices down.
  [[nodiscard]] Ground ground_of(const std::vector<const KernelDevice*>& devices) const;
  /// Devices under the mount, the first level only: one, or the members of a btrfs.
  [[nodiscard]] std::vector<const KernelDevice*> devices_of(const KernelMount& mount) const;
  /// The mount on which an existing file or directory lies; null when unknown.
  [[nodiscard]] const KernelMount* mount_of(const std::string& path) const;
  /// "ext4 on /mnt", "/dev/dm-0 (LVM vg-lv)", "/dev/sda2", "/dev/sda".
  [[nodiscard]] std::vector<std::string> chain_of(const KernelMount& mount) const;
  [[nodiscard]] std::vector<std::string> chain_of(const KernelDevice& device) const;

 private:
  void read_devices();
  void read_mounts();
  void add_mounts(const std::string& text, int other_namespace_of);
  void read_swaps();
  void link_loops_over_devices();
  void append_ground(const KernelDevice& device, std::set<std::string>& seen, Ground& out) const;
  void append_below(const KernelDevice& device, std::vector<std::string>& out) const;

  std::string sysroot_;
  std::map<std::string, KernelDevice> devices_;
  std::vector<KernelMount> mounts_;
  std::vector<SwapArea> swaps_;
  std::map<std::string, std::string> btrfs_members_;
  bool mounts_known_ = false;
};

/// File systems that have no device because they keep their files in memory.
bool keeps_files_in_memory(std::string_view file_system);
/// "/dev/dm-0 (LVM vg-lv)": the node with what a person calls it.
std::string device_label(const KernelDevice& device);

/// Whole content of a small kernel file; empty when it cannot be read. Trailing white space is cut.
std::string read_small(const std::string& path);
/// Undoes the octal escapes (\040) of /proc/mounts and /proc/swaps.
std::string unescape_octal(std::string_view text);

}  // namespace raidscope
