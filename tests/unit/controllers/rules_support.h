#pragma once

#include <algorithm>
#include <gmock/gmock.h>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "controllers/rules/rule.h"

/// Inventories made in code for tests of the audit rules: a healthy machine whose facts are all
/// known, from which a test takes one away or makes one bad.
namespace raidscope::testing {

inline PhysicalDrive ssd(std::string bay) {
  PhysicalDrive out;
  out.bay = std::move(bay);
  out.status = "OK";
  out.role = DriveRole::data;
  out.media = Media::ssd;
  out.interface = DriveInterface::sata;
  out.size_text = "480 GB";
  out.model = "VK0480GDJXU";
  out.firmware = "HPG1";
  out.phy_rates_gbps = {6.0, std::nullopt};
  return out;
}

inline LogicalDrive logical_drive(int number) {
  LogicalDrive out;
  out.number = number;
  out.status = "OK";
  out.raid = "1+0";
  out.strip_bytes = 256 * 1024;
  out.caching = Switch::enabled;
  out.acceleration = Acceleration::controller_cache;
  out.unique_id = "600508B1001C0000000000000000000" + std::to_string(number);
  out.media_errors = "None";
  out.disk_count = 8;
  out.extra.items = {{"discard_max_bytes", "4194304"}};
  return out;
}

inline Array ssd_array(std::string letter, int first_drive = 1) {
  Array out;
  out.letter = std::move(letter);
  out.status = "OK";
  out.interface = DriveInterface::sata;
  out.media = Media::ssd;
  out.smart_path = Switch::disabled;
  out.logical_drives = {logical_drive(first_drive)};
  for (int bay = 1; bay <= 8; ++bay) {
    out.physical_drives.push_back(
        ssd("1I:" + std::to_string(first_drive) + ":" + std::to_string(bay)));
  }
  return out;
}

/// A P420i with its whole block printed: nothing is wrong and every fact is known.
inline Controller healthy_controller() {
  Controller out;
  out.name = "Smart Array P420i";
  out.model = "P420i";
  out.generation = "Gen8";
  out.slot = "0";
  out.serial = "PSERIAL0";
  out.firmware = "8.32";
  out.driver = {"hpsa", "3.4.20"};
  out.mode = ControllerMode::raid;
  out.status = "OK";
  out.temperature_c = 60;
  out.cache.present = true;
  out.cache.status = CacheStatus::ok;
  out.cache.status_text = "OK";
  out.cache.size_bytes = std::int64_t{2} << 30;
  out.cache.ratio = Ratio{10, 90};
  out.cache.backup = {BackupKind::capacitor, 1, BackupStatus::ok, "OK"};
  out.cache.no_battery_write_cache = false;
  out.cache.temperature_c = 40;
  out.cache.capacitor_temperature_c = 28;
  out.drive_write_cache = DriveWriteCache::disabled;
  out.smart_path.capable = true;
  out.smart_path.driver_supports = true;
  out.settings.surface_scan_mode = "Idle";
  out.settings.rebuild_priority = "Medium";
  out.settings.expand_priority = "Medium";
  out.settings.wait_for_cache_room = "Disabled";
  out.settings.spare_activation_mode = "Activate on physical drive failure (default)";
  out.settings.power_mode = "MaxPerformance";
  out.arrays = {ssd_array("A")};
  out.whole_block = true;
  return out;
}

inline Inventory machine(Controller controller) {
  Inventory out;
  out.controllers = {std::move(controller)};
  return out;
}

inline Inventory healthy() {
  return machine(healthy_controller());
}

/// What `ctrl all show status` tells.
inline Controller status_only() {
  Controller out;
  out.name = "Smart Array P420i";
  out.model = "P420i";
  out.generation = "Gen8";
  out.slot = "0";
  out.status = "OK";
  out.cache.status = CacheStatus::ok;
  out.cache.status_text = "OK";
  out.cache.backup.status = BackupStatus::ok;
  out.cache.backup.status_text = "OK";
  out.smart_path.capable = true;
  return out;
}

/// What `ctrl all show config` tells: names, sizes and statuses of drives.
inline Controller summary_only() {
  Controller out;
  out.name = "Smart Array P420i";
  out.model = "P420i";
  out.generation = "Gen8";
  out.slot = "0";
  out.smart_path.capable = true;
  Array array;
  array.letter = "A";
  array.interface = DriveInterface::sata;
  LogicalDrive drive;
  drive.number = 1;
  drive.status = "OK";
  drive.raid = "1+0";
  array.logical_drives = {drive};
  PhysicalDrive disk;
  disk.bay = "1I:1:1";
  disk.status = "OK";
  array.physical_drives = {disk};
  out.arrays = {array};
  return out;
}

/// The inventory with one thing changed.
template <class Change>
Inventory with(Inventory inventory, Change change) {
  change(inventory.controllers.front());
  return inventory;
}
template <class Change>
Inventory healthy_but(Change change) {
  return with(healthy(), change);
}

inline AuditReport audited(const Inventory& inventory, const AuditOptions& options = {}) {
  return audit(inventory, std::nullopt, options);
}

inline std::vector<Finding> findings_of(const AuditReport& report, std::string_view rule) {
  std::vector<Finding> out;
  std::copy_if(report.findings.begin(), report.findings.end(), std::back_inserter(out),
               [&](const Finding& finding) { return finding.rule == rule; });
  return out;
}
inline std::vector<Finding> findings_of(const Inventory& inventory, std::string_view rule) {
  return findings_of(audited(inventory), rule);
}

/// What the rule misses; empty when it was evaluated.
inline std::vector<std::string> missing_of(const AuditReport& report, std::string_view rule) {
  for (const NotEvaluated& gap : report.not_evaluated) {
    if (gap.rule == rule) return gap.missing;
  }
  return {};
}
inline std::vector<std::string> missing_of(const Inventory& inventory, std::string_view rule) {
  return missing_of(audited(inventory), rule);
}

/// Neither a finding nor a gap: the rule was evaluated and nothing is wrong.
inline void expect_fine(const Inventory& inventory, std::string_view rule) {
  const AuditReport report = audited(inventory);
  const std::vector<Finding> found = findings_of(report, rule);
  EXPECT_TRUE(found.empty()) << rule << ": " << (found.empty() ? "" : found.front().evidence);
  EXPECT_THAT(missing_of(report, rule), ::testing::IsEmpty()) << rule;
}

/// The one finding of the rule, or a failed test and an empty finding.
inline Finding only(const Inventory& inventory, std::string_view rule) {
  const std::vector<Finding> found = findings_of(inventory, rule);
  EXPECT_EQ(found.size(), 1U) << rule;
  return found.empty() ? Finding{} : found.front();
}

inline std::vector<std::string> commands(const Finding& finding) {
  std::vector<std::string> out;
  std::copy_if(finding.fix.begin(), finding.fix.end(), std::back_inserter(out),
               [](const std::string& line) { return line.find(" ctrl ") != std::string::npos; });
  return out;
}

/// A rule that lacks a fact is a gap, and neither a finding nor fine.
inline void expect_unknown(const Inventory& inventory, std::string_view rule,
                           const ::testing::Matcher<std::vector<std::string>>& missing) {
  const AuditReport report = audited(inventory);
  EXPECT_THAT(findings_of(report, rule), ::testing::IsEmpty()) << rule;
  EXPECT_THAT(missing_of(report, rule), missing) << rule;
}

}  // namespace raidscope::testing
