#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "probe/host.h"

namespace raidscope::sysfs {

struct Mount {
  std::string number;  ///< "8:1"; empty when the table does not tell it
  std::string root;    ///< what of the file system is mounted: "/", "/@home"
  std::string point;
  std::string type;    ///< "ext4"
  std::string source;  ///< "/dev/sda1"
};

/// The text of /proc/PID/mountinfo. Lines that are none are left out; octal escapes are undone.
std::vector<Mount> parse_mountinfo(std::string_view text);
/// The text of /proc/mounts.
std::vector<Mount> parse_mounts(std::string_view text);
std::vector<Mount> read_mounts(const FileTree& files);

/// What lies on which block device: partitions, device mapper and md devices.
class BlockStack {
 public:
  /// `nodes` are all devices of the subsystem "block", partitions too.
  BlockStack(const FileTree& files, const std::vector<DeviceNode>& nodes);
  /// Mount points of the named disk ("sda") and of everything on it, in the order of the table.
  [[nodiscard]] std::vector<std::string> mount_points(std::string_view disk) const;

 private:
  void place(const FileTree& files, const Mount& mount);

  std::map<std::string, std::vector<std::string>, std::less<>> above_;
  std::map<std::string, std::string, std::less<>> name_of_number_;
  struct Placed {
    std::string point;
    std::vector<std::string> devices;
  };
  std::vector<Placed> placed_;
};

}  // namespace raidscope::sysfs
