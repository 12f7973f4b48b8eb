#pragma once

#include <chrono>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"

namespace raidscope {

/// Read-only view of a root that holds sys/, proc/, dev/ and etc/. Paths have no leading slash.
class FileTree {
 public:
  virtual ~FileTree() = default;
  /// Whole content, at most 1 MiB. sysfs attributes that the driver refuses give its errno.
  virtual Result<std::string> read(std::string_view path) const = 0;
  /// Names in a directory, sorted.
  virtual Result<std::vector<std::string>> list(std::string_view directory) const = 0;
  /// Where the path really is, links followed, relative to the root, no leading slash.
  virtual Result<std::string> resolve(std::string_view path) const = 0;
};

struct DeviceNode {
  std::string syspath;  ///< "sys/devices/…", below the root
  std::string devnode;  ///< "/dev/sda"; empty when there is none
  std::map<std::string, std::string, std::less<>> properties;
};

/// The udev database (libudev when live).
class DeviceDb {
 public:
  virtual ~DeviceDb() = default;
  /// Every device of a subsystem ("block", "scsi_host", "scsi", "scsi_generic", "pci").
  virtual Result<std::vector<DeviceNode>> enumerate(std::string_view subsystem) const = 0;
};

/// SCSI commands that read. There is no data-out member, so nothing here can change a disk; an
/// implementation also refuses every operation code but TEST UNIT READY, INQUIRY and REPORT LUNS
/// with Errc::refused.
class ScsiReader {
 public:
  virtual ~ScsiReader() = default;
  /// Sends one CDB to a device node; the reply is cut to what the device sent.
  virtual Result<std::vector<std::byte>> read(std::string_view devnode,
                                              std::span<const std::byte> cdb,
                                              std::size_t reply_capacity) const = 0;
};

/// What a vendor tool may be asked. An enum, so that no other command can be built.
enum class ToolQuery { show_config_detail, version };

struct ToolAnswer {
  std::string tool;     ///< path of the program that ran
  std::string command;  ///< as a person would type it
  std::string output;   ///< standard output; a copy of standard error behind it where it said anything
  int exit_status = 0;  ///< 128 + signal when it died by one
  std::chrono::milliseconds duration{0};
};

/// Vendor tools, run without a shell, from a fixed list of reporting sub-commands.
class ToolRunner {
 public:
  virtual ~ToolRunner() = default;
  /// not_found: no tool; permission: not root; timeout: it hung and was stopped; busy: our own lock
  /// or the tool's stayed taken.
  virtual Result<ToolAnswer> run(ToolQuery query) const = 0;
};

/// All that a source may touch. Live, recording and replaying hosts differ only here.
struct Host {
  const FileTree& files;
  const DeviceDb& devices;
  const ScsiReader& scsi;
  const ToolRunner& tools;
};

}  // namespace raidscope
