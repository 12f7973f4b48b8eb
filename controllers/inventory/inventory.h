#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/base/enum_names.h"
#include "probe/base/fact.h"

/// The inventory document `raidscope.snapshot/1` as C++ values. Every struct lists its fields once,
/// in document order, in `fields()`: JSON both ways, filling from facts, the fingerprint, diff and
/// the schema are made from that one list. An empty optional is JSON null: nobody told.
namespace raidscope {

inline constexpr std::string_view snapshot_schema = "raidscope.snapshot/1";

enum class CacheStatus { ok, not_configured, temporarily_disabled, permanently_disabled };
enum class BackupKind { capacitor, battery };
enum class BackupStatus { ok, recharging, failed, absent };
enum class DriveWriteCache { enabled, disabled, vendor_default };
enum class Switch { enabled, disabled };
enum class Acceleration { controller_cache, smart_path, none };
enum class ControllerMode { raid, hba, mixed };
enum class EffectiveWriteCache { protected_, volatile_, none, unknown };
enum class IoPath { cache, smart_path, neither, unknown };
enum class ParityInit { complete, in_progress, queued, failed };
enum class DriveRole { data, spare, unassigned, hba };
enum class Media { ssd, hdd, mixed };
enum class DriveInterface { sas, sata, scsi, nvme };

template <>
struct EnumNames<CacheStatus> {
  static constexpr std::pair<CacheStatus, std::string_view> table[] = {
      {CacheStatus::ok, "ok"},
      {CacheStatus::not_configured, "not_configured"},
      {CacheStatus::temporarily_disabled, "temporarily_disabled"},
      {CacheStatus::permanently_disabled, "permanently_disabled"}};
};
template <>
struct EnumNames<BackupKind> {
  static constexpr std::pair<BackupKind, std::string_view> table[] = {
      {BackupKind::capacitor, "capacitor"}, {BackupKind::battery, "battery"}};
};
template <>
struct EnumNames<BackupStatus> {
  static constexpr std::pair<BackupStatus, std::string_view> table[] = {
      {BackupStatus::ok, "ok"},
      {BackupStatus::recharging, "recharging"},
      {BackupStatus::failed, "failed"},
      {BackupStatus::absent, "absent"}};
};
template <>
struct EnumNames<DriveWriteCache> {
  static constexpr std::pair<DriveWriteCache, std::string_view> table[] = {
      {DriveWriteCache::enabled, "enabled"},
      {DriveWriteCache::disabled, "disabled"},
      {DriveWriteCache::vendor_default, "default"}};
};
template <>
struct EnumNames<Switch> {
  static constexpr std::pair<Switch, std::string_view> table[] = {{Switch::enabled, "enabled"},
                                                                  {Switch::disabled, "disabled"}};
};
template <>
struct EnumNames<Acceleration> {
  static constexpr std::pair<Acceleration, std::string_view> table[] = {
      {Acceleration::controller_cache, "controller_cache"},
      {Acceleration::smart_path, "smart_path"},
      {Acceleration::none, "none"}};
};
template <>
struct EnumNames<ControllerMode> {
  static constexpr std::pair<ControllerMode, std::string_view> table[] = {
      {ControllerMode::raid, "raid"},
      {ControllerMode::hba, "hba"},
      {ControllerMode::mixed, "mixed"}};
};
template <>
struct EnumNames<EffectiveWriteCache> {
  static constexpr std::pair<EffectiveWriteCache, std::string_view> table[] = {
      {EffectiveWriteCache::protected_, "protected"},
      {EffectiveWriteCache::volatile_, "volatile"},
      {EffectiveWriteCache::none, "none"},
      {EffectiveWriteCache::unknown, "unknown"}};
};
template <>
struct EnumNames<IoPath> {
  static constexpr std::pair<IoPath, std::string_view> table[] = {
      {IoPath::cache, "cache"},
      {IoPath::smart_path, "smart_path"},
      {IoPath::neither, "neither"},
      {IoPath::unknown, "unknown"}};
};
template <>
struct EnumNames<ParityInit> {
  static constexpr std::pair<ParityInit, std::string_view> table[] = {
      {ParityInit::complete, "complete"},
      {ParityInit::in_progress, "in_progress"},
      {ParityInit::queued, "queued"},
      {ParityInit::failed, "failed"}};
};
template <>
struct EnumNames<DriveRole> {
  static constexpr std::pair<DriveRole, std::string_view> table[] = {
      {DriveRole::data, "data"},
      {DriveRole::spare, "spare"},
      {DriveRole::unassigned, "unassigned"},
      {DriveRole::hba, "hba"}};
};
template <>
struct EnumNames<Media> {
  static constexpr std::pair<Media, std::string_view> table[] = {
      {Media::ssd, "ssd"}, {Media::hdd, "hdd"}, {Media::mixed, "mixed"}};
};
template <>
struct EnumNames<DriveInterface> {
  static constexpr std::pair<DriveInterface, std::string_view> table[] = {
      {DriveInterface::sas, "SAS"},
      {DriveInterface::sata, "SATA"},
      {DriveInterface::scsi, "SCSI"},
      {DriveInterface::nvme, "NVMe"}};
};

template <class T>
using Maybe = std::optional<T>;
using Text = std::optional<std::string>;
using Integer = std::optional<std::int64_t>;
using Flag = std::optional<bool>;

/// Keys and values that have no field of their own, in the order printed. A key printed twice in
/// one block stands here twice; its JSON is then an array.
struct ExtraFields {
  std::vector<std::pair<std::string, std::string>> items;
  bool operator==(const ExtraFields&) const = default;
};

struct Ratio {
  int read = 0, write = 0;  ///< per cent
  bool operator==(const Ratio&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("read", s.read);
    f("write", s.write);
  }
};

struct CacheBackup {
  Maybe<BackupKind> kind;
  Integer count;
  Maybe<BackupStatus> status;
  Text status_text;
  bool operator==(const CacheBackup&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("kind", s.kind);
    f("count", s.count);
    f("status", s.status);
    f("status_text", s.status_text);
  }
};

struct CacheModule {
  Flag present;
  Maybe<CacheStatus> status;
  Text status_text, details, disable_reason;
  Integer size_bytes;
  Text size_text;
  Flag size_exact;
  Integer available_bytes;
  Text available_text;
  Flag available_exact;
  Maybe<Ratio> ratio;
  Text serial;
  CacheBackup backup;
  Flag no_battery_write_cache;
  Integer write_bypass_threshold_bytes, temperature_c, capacitor_temperature_c;
  bool operator==(const CacheModule&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("present", s.present);
    f("status", s.status);
    f("status_text", s.status_text);
    f("details", s.details);
    f("disable_reason", s.disable_reason);
    f("size_bytes", s.size_bytes);
    f("size_text", s.size_text);
    f("size_exact", s.size_exact);
    f("available_bytes", s.available_bytes);
    f("available_text", s.available_text);
    f("available_exact", s.available_exact);
    f("ratio", s.ratio);
    f("serial", s.serial);
    f("backup", s.backup);
    f("no_battery_write_cache", s.no_battery_write_cache);
    f("write_bypass_threshold_bytes", s.write_bypass_threshold_bytes);
    f("temperature_c", s.temperature_c);
    f("capacitor_temperature_c", s.capacitor_temperature_c);
  }
};

struct ControllerSmartPath {
  Flag capable;          ///< the catalogue: the generation can do it
  Flag driver_supports;  ///< the vendor tool's line about the driver
  Flag driver_enabled;   ///< the driver's run-time switch
  bool operator==(const ControllerSmartPath&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("capable", s.capable);
    f("driver_supports", s.driver_supports);
    f("driver_enabled", s.driver_enabled);
  }
};

struct Driver {
  Text name, version;
  bool operator==(const Driver&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("version", s.version);
  }
};

/// Controller-wide settings, as printed but for numbers, which lose their unit words.
struct ControllerSettings {
  Text surface_scan_mode;
  Integer surface_scan_delay_s;
  Text parallel_surface_scan, rebuild_priority, expand_priority, queue_depth, elevator_sort,
      degraded_performance_optimization, inconsistency_repair_policy, wait_for_cache_room,
      surface_analysis_notification, spare_activation_mode;
  Integer monitor_and_performance_delay_min, post_prompt_timeout_s;
  Text power_mode, pending_controller_mode, latency_scheduler, survival_mode, sata_ncq,
      raid_6_status, raid1_write_buffering, configured_drive_write_cache_policy,
      unconfigured_drive_write_cache_policy, hba_drive_write_cache_policy;
  bool operator==(const ControllerSettings&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("surface_scan_mode", s.surface_scan_mode);
    f("surface_scan_delay_s", s.surface_scan_delay_s);
    f("parallel_surface_scan", s.parallel_surface_scan);
    f("rebuild_priority", s.rebuild_priority);
    f("expand_priority", s.expand_priority);
    f("queue_depth", s.queue_depth);
    f("elevator_sort", s.elevator_sort);
    f("degraded_performance_optimization", s.degraded_performance_optimization);
    f("inconsistency_repair_policy", s.inconsistency_repair_policy);
    f("wait_for_cache_room", s.wait_for_cache_room);
    f("surface_analysis_notification", s.surface_analysis_notification);
    f("spare_activation_mode", s.spare_activation_mode);
    f("monitor_and_performance_delay_min", s.monitor_and_performance_delay_min);
    f("post_prompt_timeout_s", s.post_prompt_timeout_s);
    f("power_mode", s.power_mode);
    f("pending_controller_mode", s.pending_controller_mode);
    f("latency_scheduler", s.latency_scheduler);
    f("survival_mode", s.survival_mode);
    f("sata_ncq", s.sata_ncq);
    f("raid_6_status", s.raid_6_status);
    f("raid1_write_buffering", s.raid1_write_buffering);
    f("configured_drive_write_cache_policy", s.configured_drive_write_cache_policy);
    f("unconfigured_drive_write_cache_policy", s.unconfigured_drive_write_cache_policy);
    f("hba_drive_write_cache_policy", s.hba_drive_write_cache_policy);
  }
};

struct PhysicalDrive {
  Text bay;  ///< the tool's id, "1I:1:1" or "1:0"
  Text status;
  Integer progress_pct;
  Maybe<DriveRole> role;
  Maybe<Media> media;
  Maybe<DriveInterface> interface;
  Integer size_bytes;
  Text size_text;
  Flag size_exact;
  Integer rpm;
  Text model, vendor, serial, firmware, wwid;
  std::vector<Maybe<double>> phy_rates_gbps, phy_max_gbps;  ///< null: a phy printed as Unknown
  Integer temperature_c, temperature_max_c;
  Maybe<double> wear_remaining_pct;
  Integer power_on_hours;
  Text authentication, last_failure_reason;
  Text device;  ///< HBA-mode drives: "/dev/sda"
  std::vector<std::string> mount_points;
  ExtraFields extra;
  bool operator==(const PhysicalDrive&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("bay", s.bay);
    f("status", s.status);
    f("progress_pct", s.progress_pct);
    f("role", s.role);
    f("media", s.media);
    f("interface", s.interface);
    f("size_bytes", s.size_bytes);
    f("size_text", s.size_text);
    f("size_exact", s.size_exact);
    f("rpm", s.rpm);
    f("model", s.model);
    f("vendor", s.vendor);
    f("serial", s.serial);
    f("firmware", s.firmware);
    f("wwid", s.wwid);
    f("phy_rates_gbps", s.phy_rates_gbps);
    f("phy_max_gbps", s.phy_max_gbps);
    f("temperature_c", s.temperature_c);
    f("temperature_max_c", s.temperature_max_c);
    f("wear_remaining_pct", s.wear_remaining_pct);
    f("power_on_hours", s.power_on_hours);
    f("authentication", s.authentication);
    f("last_failure_reason", s.last_failure_reason);
    f("device", s.device);
    f("mount_points", s.mount_points);
    f("extra", s.extra);
  }
};

/// Settings of the kernel's block layer, from /sys/block/NAME/{queue,device}.
struct BlockSettings {
  Text scheduler;
  Integer nr_requests, queue_depth, read_ahead_kb;
  Flag rotational;
  Text write_cache;
  Integer logical_block_bytes, physical_block_bytes, max_sectors_kb, numa_node;
  bool operator==(const BlockSettings&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("scheduler", s.scheduler);
    f("nr_requests", s.nr_requests);
    f("queue_depth", s.queue_depth);
    f("read_ahead_kb", s.read_ahead_kb);
    f("rotational", s.rotational);
    f("write_cache", s.write_cache);
    f("logical_block_bytes", s.logical_block_bytes);
    f("physical_block_bytes", s.physical_block_bytes);
    f("max_sectors_kb", s.max_sectors_kb);
    f("numa_node", s.numa_node);
  }
};

struct LogicalDriveSmartPath {
  Maybe<Switch> array_setting;                 ///< vendor tool: the array's switch
  Flag firmware_configured, firmware_enabled;  ///< VPD 0xC2 byte 4, bits 0 and 1
  Flag driver_enabled;                         ///< sysfs: the driver would use it now
  Integer bypass_count;                        ///< smartpqi raid_bypass_cnt
  bool operator==(const LogicalDriveSmartPath&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("array_setting", s.array_setting);
    f("firmware_configured", s.firmware_configured);
    f("firmware_enabled", s.firmware_enabled);
    f("driver_enabled", s.driver_enabled);
    f("bypass_count", s.bypass_count);
  }
};

struct MirrorGroup {
  std::string name;  ///< "Mirror Group 1", "Parity Group 2"
  std::vector<std::string> drives;
  bool operator==(const MirrorGroup&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("drives", s.drives);
  }
};

struct LogicalDrive {
  Integer number;
  Text label, status;
  Maybe<double> progress_pct;
  Integer size_bytes;
  Text size_text;
  Flag size_exact;
  Text raid;
  std::vector<std::string> raid_candidates;
  Integer strip_bytes, full_stripe_bytes;
  Maybe<Switch> caching;
  Maybe<Acceleration> acceleration;
  LogicalDriveSmartPath smart_path;
  EffectiveWriteCache effective_write_cache = EffectiveWriteCache::unknown;
  std::string effective_write_cache_reason;
  IoPath io_path = IoPath::unknown;
  std::string fingerprint, tag;
  Text unique_id, device;
  std::vector<std::string> mount_points;
  Maybe<ParityInit> parity_init;
  Maybe<double> parity_progress_pct;
  Integer disk_count;
  std::vector<std::string> member_drives;
  std::vector<MirrorGroup> mirror_groups;
  Text media_errors;  ///< "Unrecoverable Media Errors" as printed
  Maybe<BlockSettings> block_device;
  ExtraFields extra;
  bool operator==(const LogicalDrive&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("number", s.number);
    f("label", s.label);
    f("status", s.status);
    f("progress_pct", s.progress_pct);
    f("size_bytes", s.size_bytes);
    f("size_text", s.size_text);
    f("size_exact", s.size_exact);
    f("raid", s.raid);
    f("raid_candidates", s.raid_candidates);
    f("strip_bytes", s.strip_bytes);
    f("full_stripe_bytes", s.full_stripe_bytes);
    f("caching", s.caching);
    f("acceleration", s.acceleration);
    f("smart_path", s.smart_path);
    f("effective_write_cache", s.effective_write_cache);
    f("effective_write_cache_reason", s.effective_write_cache_reason);
    f("io_path", s.io_path);
    f("fingerprint", s.fingerprint);
    f("tag", s.tag);
    f("unique_id", s.unique_id);
    f("device", s.device);
    f("mount_points", s.mount_points);
    f("parity_init", s.parity_init);
    f("parity_progress_pct", s.parity_progress_pct);
    f("disk_count", s.disk_count);
    f("member_drives", s.member_drives);
    f("mirror_groups", s.mirror_groups);
    f("media_errors", s.media_errors);
    f("block_device", s.block_device);
    f("extra", s.extra);
  }
};

struct Array {
  Text letter, status;
  Maybe<DriveInterface> interface;
  Maybe<Media> media;
  Maybe<Switch> smart_path;
  Integer unused_bytes;
  std::vector<LogicalDrive> logical_drives;
  std::vector<PhysicalDrive> physical_drives;
  ExtraFields extra;
  bool operator==(const Array&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("letter", s.letter);
    f("status", s.status);
    f("interface", s.interface);
    f("media", s.media);
    f("smart_path", s.smart_path);
    f("unused_bytes", s.unused_bytes);
    f("logical_drives", s.logical_drives);
    f("physical_drives", s.physical_drives);
    f("extra", s.extra);
  }
};

/// A cage, backplane, expander or SEP.
struct Enclosure {
  std::string name;  ///< heading without place and state: "Internal Drive Cage", "Expander 250"
  Text port, box, status, location, fan_status, temperature_status, power_supply_status;
  Integer drive_bays;
  Text vendor, model, firmware, serial, wwid;
  ExtraFields extra;
  bool operator==(const Enclosure&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("port", s.port);
    f("box", s.box);
    f("status", s.status);
    f("location", s.location);
    f("fan_status", s.fan_status);
    f("temperature_status", s.temperature_status);
    f("power_supply_status", s.power_supply_status);
    f("drive_bays", s.drive_bays);
    f("vendor", s.vendor);
    f("model", s.model);
    f("firmware", s.firmware);
    f("serial", s.serial);
    f("wwid", s.wwid);
    f("extra", s.extra);
  }
};

struct Port {
  std::string name;  ///< "1I"
  Text mode;         ///< "Mixed" of "Port Name: 1I (Mixed)" or of Port Mode
  ExtraFields extra;
  bool operator==(const Port&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("mode", s.mode);
    f("extra", s.extra);
  }
};

struct Sensor {
  std::string id;
  Text location;
  Integer current_c, max_c;
  ExtraFields extra;
  bool operator==(const Sensor&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("id", s.id);
    f("location", s.location);
    f("current_c", s.current_c);
    f("max_c", s.max_c);
    f("extra", s.extra);
  }
};

struct Controller {
  Text name, model, vendor, generation, slot;
  Flag embedded;
  Text pci_address, pci_id, serial, firmware;
  Driver driver;
  Maybe<ControllerMode> mode;
  Text status;
  Text lockup;  ///< sysfs lockup_detected as printed; null when not read, "0" when healthy
  Integer temperature_c;
  std::string fingerprint, tag;
  CacheModule cache;
  Maybe<DriveWriteCache> drive_write_cache;
  ControllerSmartPath smart_path;
  ControllerSettings settings;
  std::vector<Array> arrays;
  std::vector<LogicalDrive> logical_drives;
  std::vector<PhysicalDrive> physical_drives, unassigned_drives, hba_drives;
  std::vector<Enclosure> enclosures;
  std::vector<Port> ports;
  std::vector<Sensor> sensors;
  std::vector<std::string> warnings;  ///< banners and warnings that the tool printed about it
  Flag whole_block;  ///< the whole controller block was printed: an absent battery line means none
  ExtraFields extra;
  bool operator==(const Controller&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("model", s.model);
    f("vendor", s.vendor);
    f("generation", s.generation);
    f("slot", s.slot);
    f("embedded", s.embedded);
    f("pci_address", s.pci_address);
    f("pci_id", s.pci_id);
    f("serial", s.serial);
    f("firmware", s.firmware);
    f("driver", s.driver);
    f("mode", s.mode);
    f("status", s.status);
    f("lockup", s.lockup);
    f("temperature_c", s.temperature_c);
    f("fingerprint", s.fingerprint);
    f("tag", s.tag);
    f("cache", s.cache);
    f("drive_write_cache", s.drive_write_cache);
    f("smart_path", s.smart_path);
    f("settings", s.settings);
    f("arrays", s.arrays);
    f("logical_drives", s.logical_drives);
    f("physical_drives", s.physical_drives);
    f("unassigned_drives", s.unassigned_drives);
    f("hba_drives", s.hba_drives);
    f("enclosures", s.enclosures);
    f("ports", s.ports);
    f("sensors", s.sensors);
    f("warnings", s.warnings);
    f("whole_block", s.whole_block);
    f("extra", s.extra);
  }
};

struct BlockDevice {
  std::string path;
  Text model, vendor, serial, firmware, transport, wwid;
  Integer size_bytes;
  Maybe<Media> media;
  EffectiveWriteCache effective_write_cache = EffectiveWriteCache::unknown;
  std::vector<std::string> mount_points;
  BlockSettings block_device;
  bool operator==(const BlockDevice&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("path", s.path);
    f("model", s.model);
    f("vendor", s.vendor);
    f("serial", s.serial);
    f("firmware", s.firmware);
    f("transport", s.transport);
    f("wwid", s.wwid);
    f("size_bytes", s.size_bytes);
    f("media", s.media);
    f("effective_write_cache", s.effective_write_cache);
    f("mount_points", s.mount_points);
    f("block_device", s.block_device);
  }
};

struct HostFacts {
  Text hostname, product, bios, cpu_model;
  Integer cpus, memory_bytes;
  Text cpu_governor;         ///< cpufreq: "performance"; "mixed: …" where CPUs differ
  Integer cpu_idle_exit_us;  ///< to leave the deepest idle state that is allowed
  Integer numa_nodes;
  Text kernel, os, hypervisor;
  std::map<std::string, std::string> driver_versions;
  bool operator==(const HostFacts&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("hostname", s.hostname);
    f("product", s.product);
    f("bios", s.bios);
    f("cpu_model", s.cpu_model);
    f("cpus", s.cpus);
    f("memory_bytes", s.memory_bytes);
    f("cpu_governor", s.cpu_governor);
    f("cpu_idle_exit_us", s.cpu_idle_exit_us);
    f("numa_nodes", s.numa_nodes);
    f("kernel", s.kernel);
    f("os", s.os);
    f("hypervisor", s.hypervisor);
    f("driver_versions", s.driver_versions);
  }
};

struct ToolInfo {
  std::string name, version;
  bool operator==(const ToolInfo&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("version", s.version);
  }
};

struct SourceInfo {
  std::string path;    ///< "ssacli", "sysfs", "scsi", "bmic", "host" or "file"
  std::string status;  ///< "ok", "absent", "failed" or "skipped"
  Text detail, version;
  Maybe<double> duration_ms;
  bool operator==(const SourceInfo&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("path", s.path);
    f("status", s.status);
    f("detail", s.detail);
    f("version", s.version);
    f("duration_ms", s.duration_ms);
  }
};

struct PathValue {
  std::string path, value;
  bool operator==(const PathValue&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("path", s.path);
    f("value", s.value);
  }
};

struct Disagreement {
  std::string fact;  ///< JSON pointer into this document
  std::vector<PathValue> values;
  std::string taken, why;
  bool settled = true;
  bool operator==(const Disagreement&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("fact", s.fact);
    f("values", s.values);
    f("taken", s.taken);
    f("why", s.why);
    f("settled", s.settled);
  }
};

struct NoteLine {
  std::int64_t line = 0;
  std::string text;
  bool operator==(const NoteLine&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("line", s.line);
    f("text", s.text);
  }
};

struct Inventory {
  std::string schema{snapshot_schema};
  Text taken_at;
  ToolInfo tool;
  std::vector<SourceInfo> sources;
  HostFacts host;
  std::vector<Controller> controllers;
  std::vector<BlockDevice> block_devices;
  std::vector<Disagreement> disagreements;
  std::map<std::string, std::string> provenance;
  std::vector<NoteLine> notes;
  bool operator==(const Inventory&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("taken_at", s.taken_at);
    f("tool", s.tool);
    f("sources", s.sources);
    f("host", s.host);
    f("controllers", s.controllers);
    f("block_devices", s.block_devices);
    f("disagreements", s.disagreements);
    f("provenance", s.provenance);
    f("notes", s.notes);
  }
};

/// A logical drive with what it lies in. `array` is null when the source does not place it.
struct DriveRef {
  const Controller* controller = nullptr;
  const Array* array = nullptr;
  const LogicalDrive* drive = nullptr;
};

/// Whether the controller has locked up, as far as a path told ("0" and hpsa's "ld=0" are healthy).
bool is_locked_up(const Controller& controller) noexcept;

/// Bytes of the cache that data can use, else of the module; nullopt where neither is told.
std::optional<std::uint64_t> usable_cache(const Controller& controller) noexcept;

/// Every logical drive of a controller, arrays first, in document order.
std::vector<DriveRef> logical_drives_of(const Controller& controller);

/// The same for an inventory.
std::vector<DriveRef> all_logical_drives(const Inventory& inventory);

}  // namespace raidscope
