#include <algorithm>
#include <array>
#include <iterator>

#include <fmt/format.h>

#include "tests/lab/card/raid_level.h"
#include "tests/standin/controller.h"

namespace raidscope::standin {
namespace {

using lab::Array;
using lab::CacheModule;
using lab::Drive;
using lab::LogicalDrive;
using lab::Machine;

/// Sizes of caches, arrays and volumes: binary units, though the tool calls them otherwise.
std::string binary_size(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 4> units{"KB", "MB", "GB", "TB"};
  auto value = static_cast<double>(bytes) / 1024;
  std::size_t unit = 0;
  while (value >= 1024 && unit + 1 < units.size()) {
    value /= 1024;
    ++unit;
  }
  return fmt::format("{:.1f} {}", value, units[unit]);
}

/// Physical drives: decimal units, whole below a terabyte.
std::string decimal_size(std::uint64_t bytes) {
  const double gigabytes = static_cast<double>(bytes) / 1e9;
  if (gigabytes < 1000) return fmt::format("{:.0f} GB", gigabytes);
  return fmt::format("{:.1f} TB", gigabytes / 1000);
}

std::string_view on_off(bool on) {
  return on ? "Enabled" : "Disabled";
}

std::string interface_words(const Drive& drive) {
  return fmt::format("{}{}", drive.media == lab::Media::ssd ? "Solid State " : "",
                     to_name(*drive.interface));
}

std::string_view backup_words(const CacheModule& cache) {
  switch (cache.backup.status) {
    case lab::BackupStatus::ok:
      return "OK";
    case lab::BackupStatus::recharging:
      return "Recharging";
    case lab::BackupStatus::failed:
      return cache.backup.kind == lab::BackupKind::battery
                 ? "Failed (Replace Batteries)"
                 : "Failed (Replace Batteries/Capacitors)";
    case lab::BackupStatus::absent:
      return "";
  }
  return "";
}

std::string_view status_words(lab::CacheStatus status) {
  switch (status) {
    case lab::CacheStatus::ok:
      return "OK";
    case lab::CacheStatus::not_configured:
      return "Not Configured";
    case lab::CacheStatus::temporarily_disabled:
      return "Temporarily Disabled";
    case lab::CacheStatus::permanently_disabled:
      return "Permanently Disabled";
  }
  return "";
}

std::string_view parity_words(lab::ParityInit state) {
  switch (state) {
    case lab::ParityInit::complete:
      return "Initialization Completed";
    case lab::ParityInit::in_progress:
      return "In Progress";
    case lab::ParityInit::queued:
      return "Queued";
  }
  return "";
}

/// One report, line by line. Old dialects say some of it otherwise; so does the newest.
class Report {
 public:
  explicit Report(const Controller& controller)
      : controller_(controller), machine_(controller.machine) {}

  std::string text() && {
    head();
    settings();
    if (machine_.cache) {
      module(*machine_.cache);
    } else {
      line(1, "Cache Board Present: False");
      line(1, "Drive Write Cache: {}", on_off(machine_.drive_write_cache));
      line(1, "Total Cache Size: 0.0");
    }
    tail();
    for (const Array& array : machine_.arrays) print(array);
    others("Unassigned", machine_.unassigned, "Unassigned Drive");
    others("HBA Drives", machine_.hba_drives, "HBA Mode Drive");
    return std::move(out_);
  }

 private:
  template <class... Values>
  void line(std::size_t depth, fmt::format_string<Values...> words, Values&&... values) {
    out_.append(3 * depth, ' ');
    fmt::format_to(std::back_inserter(out_), words, std::forward<Values>(values)...);
    out_ += '\n';
  }
  void blank() { out_ += '\n'; }
  [[nodiscard]] bool is(std::string_view dialect) const { return machine_.tool.dialect == dialect; }
  [[nodiscard]] std::string_view smart_path_key() const {
    return is("ssacli") ? "Smart Path" : "HP SSD Smart Path";
  }

  void head() {
    const bool hba = machine_.mode == lab::Mode::hba;
    blank();
    line(0, "{} {} in Slot {}{}{}", machine_.model.starts_with('H') ? "Smart HBA" : "Smart Array",
         machine_.model, machine_.slot, machine_.slot == "0" ? " (Embedded)" : "",
         hba ? " (HBA Mode)" : "");
    line(1, "Bus Interface: PCI");
    line(1, "Slot: {}", machine_.slot);
    line(1, "Serial Number: {}", machine_.serial);
    if (machine_.cache) line(1, "Cache Serial Number: {}", machine_.cache->serial);
    line(1, "Controller Status: OK");
    line(1, "Hardware Revision: {}", machine_.hardware_revision);
    line(1, "Firmware Version: {}", machine_.firmware);
  }

  void settings() {
    line(1, "Rebuild Priority: High");
    line(1, "Surface Scan Delay: 3 secs");
    line(1, "Surface Scan Mode: {}", machine_.surface_scan_mode);
    line(1, "Queue Depth: Automatic");
    line(1, "Monitor and Performance Delay: 60  min");
    line(1, "Elevator Sort: Enabled");
    line(1, "Degraded Performance Optimization: Disabled");
    line(1, "Wait for Cache Room: Disabled");
    line(1, "Post Prompt Timeout: 0 secs");
  }

  void module(const CacheModule& cache) {
    const lab::CacheStatus status = cache_status(machine_);
    line(1, "Cache Board Present: True");
    line(1, "Cache Status: {}", status_words(status));
    // No ratio is kept, nor told, while nothing uses the cache.
    if (uses_cache(machine_)) {
      line(1, "{}: {}% Read / {}% Write", is("hpacucli") ? "Accelerator Ratio" : "Cache Ratio",
           cache.ratio->read, cache.ratio->write);
    }
    line(1, "Drive Write Cache: {}", on_off(machine_.drive_write_cache));
    line(1, "Total Cache Size: {}", binary_size(cache.size->bytes));
    line(1, "Total Cache Memory Available: {}", binary_size(cache.available->bytes));
    line(1, "No-Battery Write Cache: {}", on_off(cache.no_battery_write_cache));
    if (cache.backup.kind) {
      line(1, "Cache Backup Power Source: {}",
           *cache.backup.kind == lab::BackupKind::battery ? "Batteries" : "Capacitors");
    }
    line(1, "Battery/Capacitor Count: {}", *cache.backup.count);
    if (*cache.backup.count > 0) line(1, "Battery/Capacitor Status: {}", backup_words(cache));
  }

  void tail() {
    line(1, "SATA NCQ Supported: True");
    line(1, "Controller Temperature (C): {}", machine_.temperature_c);
    line(1, "Number of Ports: 2 Internal only");
    line(1, "Driver Name: hpsa");
    line(1, "Driver Version: 3.4.20");
    if (!is("hpacucli")) {
      line(1, "Driver Supports HP SSD Smart Path: True");
      line(1, "PCI Address (Domain:Bus:Device.Function): {}", controller_.pci_address);
    }
    blank();
  }

  void print(const Array& array) {
    std::uint64_t used = 0;
    for (const LogicalDrive& drive : array.logical_drives) used += drive.size->bytes;
    line(1, "Array: {}", array.letter);
    line(2, "Interface Type: {}", interface_words(array.drives.front()));
    line(2, "Unused Space: 0  MB");
    line(2, "Status: {}", array.status);
    line(2, "Array Type: Data ");
    if (array.smart_path)
      line(2, "{}: {}", smart_path_key(), *array.smart_path ? "enable" : "disable");
    blank();
    for (const LogicalDrive& drive : array.logical_drives) print(array, drive);
    for (const Drive& drive : array.drives) print(drive, "Data Drive");
    for (const Drive& drive : array.spares) print(drive, "Spare Drive");
  }

  void print(const Array& array, const LogicalDrive& drive) {
    const lab::RaidLevel& level = *lab::find_level(drive.raid);
    const auto drives = static_cast<std::uint32_t>(array.drives.size());
    const auto disk = controller_.disks.find(drive.unique_id);
    line(2, "Logical Drive: {}", drive.number);
    line(3, "Size: {}", binary_size(drive.size->bytes));
    line(3, "Fault Tolerance: {}", level.spoken);
    line(3, "Strip Size: {} KB", drive.strip->bytes / 1024);
    line(3, "Full Stripe Size: {} KB",
         drive.strip->bytes / 1024 * row_layout(level, drives, drive.parity_groups).data_drives());
    line(3, "Status: {}{}", drive.status,
         drive.progress_pct ? fmt::format(", {}% complete", *drive.progress_pct) : "");
    if (level.tolerance != 0 && level.tolerance != 2 && level.tolerance != 6) {
      line(3, "Parity Initialization Status: {}", parity_words(drive.parity_init));
    }
    line(3, "{}{}", is("hpacucli") ? "Array Accelerator: " : "Caching:  ", on_off(*drive.caching));
    line(3, "Unique Identifier: {}", drive.unique_id);
    if (disk != controller_.disks.end()) line(3, "Disk Name: {} ", disk->second);
    line(3, "Mount Points: None");
    if (!drive.label.empty()) line(3, "Logical Drive Label: {}", drive.label);
    line(3, "Drive Type: Data");
    if (!is("hpacucli")) {
      const bool smart_path = array.smart_path.value_or(false);
      line(3, "LD Acceleration Method: {}",
           smart_path       ? smart_path_key()
           : *drive.caching ? "Controller Cache"
                            : "All disabled");
    }
    blank();
  }

  void others(std::string_view heading, const std::vector<Drive>& drives, std::string_view role) {
    if (drives.empty()) return;
    line(1, "{}", heading);
    blank();
    for (const Drive& drive : drives) print(drive, role);
  }

  void print(const Drive& drive, std::string_view role) {
    const auto place = lab::place_of(drive.bay);
    line(2, "physicaldrive {}", drive.bay);
    line(3, "Port: {}", place->port);
    line(3, "Box: {}", place->box);
    line(3, "Bay: {}", place->bay);
    // A drive that was pulled stays in the list as a failed one.
    const bool gone = drive.status == lab::DriveStatus::missing;
    line(3, "Status: {}", gone ? "Failed" : to_name(drive.status));
    line(3, "Drive Type: {}", role);
    line(3, "Interface Type: {}", interface_words(drive));
    line(3, "Size: {}", decimal_size(drive.size->bytes));
    if (drive.media == lab::Media::hdd) line(3, "Rotational Speed: {}", *drive.rpm);
    line(3, "Firmware Revision: {}", drive.firmware);
    line(3, "Serial Number: {}", drive.serial);
    line(3, "WWID: {}", drive.wwid);
    line(3, "Model: {:<8}{}", drive.vendor, drive.model);
    line(3, "Current Temperature (C): {}", *drive.temperature_c);
    line(3, "Maximum Temperature (C): {}", *drive.temperature_max_c);
    if (drive.endurance_used_pct)
      line(3, "Usage remaining: {:.2f}%", 100.0 - *drive.endurance_used_pct);
    const bool sas = *drive.interface == lab::Interface::sas;
    line(3, "PHY Count: {}", sas ? 2 : 1);
    line(3, "PHY Transfer Rate: {:.1f}Gbps{}", *drive.link_gbps, sas ? ", Unknown" : "");
    blank();
  }

  const Controller& controller_;
  const Machine& machine_;
  std::string out_;
};

}  // namespace

std::string config_detail(const Controller& controller) {
  return Report(controller).text();
}

}  // namespace raidscope::standin
