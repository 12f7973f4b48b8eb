#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
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

/// What a Smart Array controller may be asked through the driver's CCISS ioctls. An enum, so that
/// no other command can be built: each stands for one operation code of the allow list, and all of
/// them read. `number` of an ask is the logical drive for identify_logical_drive,
/// logical_drive_status and raid_map, the BMIC drive number for identify_physical_drive, and 0 for
/// the rest.
enum class CissQuery : std::uint8_t {
  pci_info,                 ///< CCISS_GETPCIINFO: cciss_pci_info_struct; needs no privilege
  driver_version,           ///< CCISS_GETDRIVVER: 4 bytes, as the driver packs them
  identify_logical_drive,   ///< BMIC 0x10
  identify_controller,      ///< BMIC 0x11
  logical_drive_status,     ///< BMIC 0x12
  identify_physical_drive,  ///< BMIC 0x15, answered from the controller's memory: wakes no drive
  controller_parameters,    ///< BMIC 0x64
  subsystem_information,    ///< BMIC 0x66
  cache_configuration,      ///< BMIC 0xC1
  report_logical,           ///< CISS REPORT LOGICAL LUNS, plain format
  report_physical,          ///< CISS REPORT PHYSICAL LUNS, format 2
  report_physical_plain,    ///< the same in the plain format, for old boards that refuse format 2
  raid_map,                 ///< CISS GET RAID MAP of a logical drive
};

struct CissAsk {
  CissQuery query = CissQuery::pci_info;
  std::uint32_t number = 0;
  bool operator==(const CissAsk&) const = default;
};

struct CissReply {
  std::uint16_t command_status = 0;  ///< of the CISS error information: 0 done, 2 short reply, …
  std::uint8_t scsi_status = 0;
  std::vector<std::byte> sense;
  std::vector<std::byte> data;  ///< cut to what the controller sent
};

/// Questions to a controller, one at a time.
class CissReader {
 public:
  virtual ~CissReader() = default;
  /// Asks through any node of the controller's SCSI host. An ioctl that the driver answered is a
  /// reply, whatever the controller said in it. Errors: not_found (no node, or nothing live),
  /// permission, unsupported (the driver has no such ioctl), busy (every slot stayed taken),
  /// timeout (no answer; the controller is not asked again), io.
  virtual Result<CissReply> ask(std::string_view devnode, const CissAsk& ask) const = 0;
};

/// What a vendor tool may be asked. An enum, so that no other command can be built.
enum class ToolQuery { show_config_detail, version };

struct ToolAnswer {
  std::string tool;     ///< path of the program that ran
  std::string command;  ///< as a person would type it
  std::string
      output;  ///< standard output; a copy of standard error behind it where it said anything
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
  const CissReader& ciss;
};

}  // namespace raidscope
