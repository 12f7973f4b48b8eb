#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/base/enum_names.h"
#include "probe/base/result.h"

/// What the emulated card is: a machine description, and at the same time the card's live state.
/// A file leaves out what `complete()` can make up; the state is the same document with everything
/// said. docs/lab.md explains each field.
namespace raidscope::lab {

inline constexpr std::uint64_t sector_bytes = 512;

/// Bytes. In a file a number of them, or "2 GiB", "300 GB", "256 KiB".
struct Size {
  std::uint64_t bytes = 0;
  bool operator==(const Size&) const = default;
};

enum class Media { hdd, ssd };
enum class Interface { sas, sata };
enum class DriveStatus { ok, predictive_failure, failed, missing };
enum class Mode { raid, hba };
enum class CacheStatus { ok, not_configured, temporarily_disabled, permanently_disabled };
enum class BackupKind { capacitor, battery };
enum class BackupStatus { ok, recharging, failed, absent };
enum class ParityInit { complete, in_progress, queued };

/// Physical drives that are alike but for their bay, serial number and WWID. In the state, one.
struct Drive {
  std::uint32_t count = 1;
  std::string bay;  ///< "1I:1:3"; with a count, the first one's: the others follow it
  Media media = Media::hdd;
  std::optional<Interface> interface;
  std::optional<Size> size;
  std::optional<std::uint32_t> rpm;
  std::string vendor, model, serial, firmware, wwid;
  DriveStatus status = DriveStatus::ok;
  std::optional<std::uint32_t> temperature_c, temperature_max_c;
  std::optional<double> link_gbps;
  std::optional<std::uint32_t> endurance_used_pct, power_on_hours;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("count", self.count);
    visit("bay", self.bay);
    visit("media", self.media);
    visit("interface", self.interface);
    visit("size", self.size);
    visit("rpm", self.rpm);
    visit("vendor", self.vendor);
    visit("model", self.model);
    visit("serial", self.serial);
    visit("firmware", self.firmware);
    visit("wwid", self.wwid);
    visit("status", self.status);
    visit("temperature_c", self.temperature_c);
    visit("temperature_max_c", self.temperature_max_c);
    visit("link_gbps", self.link_gbps);
    visit("endurance_used_pct", self.endurance_used_pct);
    visit("power_on_hours", self.power_on_hours);
  }
};

struct LogicalDrive {
  std::uint32_t number = 0;  ///< as the vendor tool counts, from 1; the volume's number is one less
  std::string raid;          ///< "0" "1" "1+0" "4" "5" "5+1" "6" "50" "60" "1adm" "10adm"
  std::optional<Size> size;  ///< what the array has left
  std::optional<Size> strip;
  std::uint32_t parity_groups = 2;  ///< of RAID 50 and 60
  std::string unique_id, label;
  std::optional<bool> caching;
  std::string status = "OK";  ///< as scsi::volume_status_name() calls it
  std::optional<std::uint32_t> progress_pct;
  ParityInit parity_init = ParityInit::complete;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("number", self.number);
    visit("raid", self.raid);
    visit("size", self.size);
    visit("strip", self.strip);
    visit("parity_groups", self.parity_groups);
    visit("unique_id", self.unique_id);
    visit("label", self.label);
    visit("caching", self.caching);
    visit("status", self.status);
    visit("progress_pct", self.progress_pct);
    visit("parity_init", self.parity_init);
  }
};

struct Array {
  std::string letter;
  std::string status;
  std::optional<bool> smart_path;  ///< nothing: the firmware has none
  std::vector<Drive> drives, spares;
  std::vector<LogicalDrive> logical_drives;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("letter", self.letter);
    visit("status", self.status);
    visit("smart_path", self.smart_path);
    visit("drives", self.drives);
    visit("spares", self.spares);
    visit("logical_drives", self.logical_drives);
  }
};

struct Backup {
  std::optional<BackupKind> kind;
  std::optional<std::uint32_t> count;
  BackupStatus status = BackupStatus::ok;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("kind", self.kind);
    visit("count", self.count);
    visit("status", self.status);
  }
};

/// Per cent of the cache's memory.
struct Ratio {
  std::uint32_t read = 10, write = 90;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("read", self.read);
    visit("write", self.write);
  }
};

struct CacheModule {
  std::optional<Size> size, available;
  CacheStatus status = CacheStatus::ok;
  std::optional<std::uint32_t> disable_code;  ///< why, as BMIC 0xC1 numbers it
  std::optional<Ratio> ratio;
  std::string serial;
  Backup backup;
  bool no_battery_write_cache = false;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("size", self.size);
    visit("available", self.available);
    visit("status", self.status);
    visit("disable_code", self.disable_code);
    visit("ratio", self.ratio);
    visit("serial", self.serial);
    visit("backup", self.backup);
    visit("no_battery_write_cache", self.no_battery_write_cache);
  }
};

/// What the driver is told when it loads; a catalogue row gives it.
struct PciIds {
  std::uint32_t vendor = 0, device = 0, subvendor = 0, subdevice = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("vendor", self.vendor);
    visit("device", self.device);
    visit("subvendor", self.subvendor);
    visit("subdevice", self.subdevice);
  }
};

struct BadBlock {
  std::uint32_t logical_drive = 1;
  std::uint64_t block = 0;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("logical_drive", self.logical_drive);
    visit("block", self.block);
  }
};

/// What goes wrong. Commands are named by their operation code, and behind a colon by the BMIC
/// operation, the CISS operation or the INQUIRY page: "26:c1", "c0:c8", "12:c3", "28".
struct Faults {
  bool locked_up = false;  ///< the firmware has stopped: no heartbeat, no answer
  std::optional<std::uint64_t> lock_up_after;  ///< so many commands from now
  std::vector<std::string> never_answer, short_replies, zero_replies;
  std::vector<BadBlock> medium_errors;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("locked_up", self.locked_up);
    visit("lock_up_after", self.lock_up_after);
    visit("never_answer", self.never_answer);
    visit("short_replies", self.short_replies);
    visit("zero_replies", self.zero_replies);
    visit("medium_errors", self.medium_errors);
  }
};

/// The guest's vendor tool: how it behaves, and where its story is another than the card's.
struct Tool {
  std::string dialect = "ssacli";  ///< or "hpssacli", "hpacucli"
  std::string behaviour;           ///< "" well; "hangs", "garbage", "locked"
  std::uint32_t start_ms = 0, before_ms = 0, after_ms = 0;  ///< before and after a change
  std::string fail_on, ignore, hang_on;  ///< "cacheratio=0/100": this change fails, or the like
  bool off_turns_caching_on = false;     ///< turning Smart Path off
  std::map<std::string, std::string> claims;  ///< JSON pointer into the state -> JSON text

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("dialect", self.dialect);
    visit("behaviour", self.behaviour);
    visit("start_ms", self.start_ms);
    visit("before_ms", self.before_ms);
    visit("after_ms", self.after_ms);
    visit("fail_on", self.fail_on);
    visit("ignore", self.ignore);
    visit("hang_on", self.hang_on);
    visit("off_turns_caching_on", self.off_turns_caching_on);
    visit("claims", self.claims);
  }
};

/// What one drive takes for a request, however long it is; and how many it works at at once.
struct DriveTimes {
  std::uint32_t read_us = 0, write_us = 0, at_once = 1;
  bool operator==(const DriveTimes&) const = default;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("read_us", self.read_us);
    visit("write_us", self.write_us);
    visit("at_once", self.at_once);
  }
};

/// How long things take, where a description says it; else everything is done at once. docs/lab.md
/// tells the model.
struct Timing {
  std::uint32_t controller_us = 100, controller_at_once = 1;  ///< a request, before all else
  std::uint32_t cache_us = 20;                                ///< to or from the cache's memory
  DriveTimes hdd{6000, 6000, 1}, ssd{200, 300, 8};

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("controller_us", self.controller_us);
    visit("controller_at_once", self.controller_at_once);
    visit("cache_us", self.cache_us);
    visit("hdd", self.hdd);
    visit("ssd", self.ssd);
  }
};

struct Machine {
  std::string about;
  std::string model;  ///< of the catalogue
  std::optional<PciIds> pci;
  std::string vendor, slot, serial, firmware, hardware_revision;
  Mode mode = Mode::raid;
  std::optional<CacheModule> cache;  ///< nothing: no module in the card
  std::vector<Array> arrays;
  std::vector<Drive> unassigned, hba_drives;
  std::string surface_scan_mode;
  bool drive_write_cache = false;
  std::uint32_t temperature_c = 55;
  std::optional<Timing> timing;
  Faults faults;
  Tool tool;

  template <class Self, class Visitor>
  static void fields(Self& self, Visitor&& visit) {
    visit("about", self.about);
    visit("model", self.model);
    visit("pci", self.pci);
    visit("vendor", self.vendor);
    visit("slot", self.slot);
    visit("serial", self.serial);
    visit("firmware", self.firmware);
    visit("hardware_revision", self.hardware_revision);
    visit("mode", self.mode);
    visit("cache", self.cache);
    visit("arrays", self.arrays);
    visit("unassigned", self.unassigned);
    visit("hba_drives", self.hba_drives);
    visit("surface_scan_mode", self.surface_scan_mode);
    visit("drive_write_cache", self.drive_write_cache);
    visit("temperature_c", self.temperature_c);
    visit("timing", self.timing);
    visit("faults", self.faults);
    visit("tool", self.tool);
  }
};

/// Reads a description, makes up what it leaves out and refuses what no card can be. `where` names
/// the file in errors, which give the place as a JSON pointer and what was expected there.
Result<Machine> read_machine(std::string_view text, std::string_view where);
/// The same of a file; not_found where it cannot be read.
Result<Machine> read_machine_file(const std::string& path);
/// The whole state as a description.
std::string state_text(const Machine& machine);
/// The state with values put in: an object of JSON pointers and values,
/// {"/cache/backup/status": "failed"}. The result is checked like a file.
Result<Machine> changed(const Machine& machine, std::string_view changes);

enum class Role { data, spare, unassigned, hba };
struct PlacedDrive {
  const Drive* drive = nullptr;
  Role role = Role::data;
  const Array* array = nullptr;
};
/// In the order of their BMIC numbers: by array, data before spares, then the rest.
std::vector<PlacedDrive> all_drives(const Machine& machine);
/// The number of an array's first data drive; the others follow it.
std::size_t first_number(const Machine& machine, const Array& array);

struct PlacedVolume {
  const LogicalDrive* drive = nullptr;
  const Array* array = nullptr;
};
/// By volume number.
std::vector<PlacedVolume> all_volumes(const Machine& machine);

bool uses_cache(const Machine& machine) noexcept;
/// What the module says of itself: "not configured" as long as nothing uses it.
CacheStatus cache_status(const Machine& machine) noexcept;
/// The number of a volume's status; 255 for a name that is none.
std::uint8_t status_code(std::string_view name) noexcept;
/// A bay's three parts.
struct Place {
  std::string port;
  std::uint32_t box = 1, bay = 1;
};
std::optional<Place> place_of(std::string_view bay);

}  // namespace raidscope::lab

namespace raidscope {

template <>
struct EnumNames<lab::Media> {
  static constexpr std::array<std::pair<lab::Media, std::string_view>, 2> table{
      {{lab::Media::hdd, "hdd"}, {lab::Media::ssd, "ssd"}}};
};
template <>
struct EnumNames<lab::Interface> {
  static constexpr std::array<std::pair<lab::Interface, std::string_view>, 2> table{
      {{lab::Interface::sas, "SAS"}, {lab::Interface::sata, "SATA"}}};
};
template <>
struct EnumNames<lab::DriveStatus> {
  static constexpr std::array<std::pair<lab::DriveStatus, std::string_view>, 4> table{
      {{lab::DriveStatus::ok, "OK"},
       {lab::DriveStatus::predictive_failure, "Predictive Failure"},
       {lab::DriveStatus::failed, "Failed"},
       {lab::DriveStatus::missing, "Missing"}}};
};
template <>
struct EnumNames<lab::Mode> {
  static constexpr std::array<std::pair<lab::Mode, std::string_view>, 2> table{
      {{lab::Mode::raid, "raid"}, {lab::Mode::hba, "hba"}}};
};
template <>
struct EnumNames<lab::CacheStatus> {
  static constexpr std::array<std::pair<lab::CacheStatus, std::string_view>, 4> table{
      {{lab::CacheStatus::ok, "ok"},
       {lab::CacheStatus::not_configured, "not_configured"},
       {lab::CacheStatus::temporarily_disabled, "temporarily_disabled"},
       {lab::CacheStatus::permanently_disabled, "permanently_disabled"}}};
};
template <>
struct EnumNames<lab::BackupKind> {
  static constexpr std::array<std::pair<lab::BackupKind, std::string_view>, 2> table{
      {{lab::BackupKind::capacitor, "capacitor"}, {lab::BackupKind::battery, "battery"}}};
};
template <>
struct EnumNames<lab::BackupStatus> {
  static constexpr std::array<std::pair<lab::BackupStatus, std::string_view>, 4> table{
      {{lab::BackupStatus::ok, "ok"},
       {lab::BackupStatus::recharging, "recharging"},
       {lab::BackupStatus::failed, "failed"},
       {lab::BackupStatus::absent, "absent"}}};
};
template <>
struct EnumNames<lab::ParityInit> {
  static constexpr std::array<std::pair<lab::ParityInit, std::string_view>, 3> table{
      {{lab::ParityInit::complete, "complete"},
       {lab::ParityInit::in_progress, "in_progress"},
       {lab::ParityInit::queued, "queued"}}};
};

}  // namespace raidscope
