#include "controllers/inventory/fingerprint.h"

#include <fstream>
#include <functional>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "controllers/inventory/assemble.h"
#include "controllers/inventory/fact_weight.h"
#include "controllers/inventory/inventory_diff.h"

namespace raidscope {
namespace {

Inventory machine() {
  Inventory inventory;
  inventory.host.driver_versions["hpsa"] = "3.4.20";
  Controller controller;
  controller.name = "Smart Array P420i";
  controller.model = "P420i";
  controller.slot = "0";
  controller.serial = "SN1";
  controller.firmware = "8.32";
  controller.driver.name = "hpsa";
  controller.status = "OK";
  controller.cache.present = true;
  controller.cache.status = CacheStatus::ok;
  controller.cache.size_bytes = std::int64_t{2} << 30;
  controller.cache.ratio = Ratio{10, 90};
  controller.cache.backup = {BackupKind::capacitor, 1, BackupStatus::ok, "OK"};
  controller.cache.no_battery_write_cache = false;
  Array array;
  array.letter = "A";
  array.smart_path = Switch::disabled;
  for (int bay = 1; bay <= 2; ++bay) {
    PhysicalDrive drive;
    drive.bay = fmt::format("1I:1:{}", bay);
    drive.model = fmt::format("MODEL{}", bay);
    drive.firmware = "HPD1";
    drive.role = DriveRole::data;
    drive.media = Media::ssd;
    drive.serial = fmt::format("D{}", bay);
    drive.phy_rates_gbps = {6};
    array.physical_drives.push_back(drive);
  }
  LogicalDrive drive;
  drive.number = 1;
  drive.raid = "1";
  drive.strip_bytes = 256 * 1024;
  drive.caching = Switch::enabled;
  drive.unique_id = "600508B1001C0011AABB223344556677";
  drive.block_device = BlockSettings{};
  drive.block_device->scheduler = "none";
  array.logical_drives = {drive};
  controller.arrays = {array};
  inventory.controllers = {controller};
  derive(inventory);
  return inventory;
}

std::string print_of(const std::function<void(Inventory&)>& change) {
  Inventory inventory = machine();
  change(inventory);
  derive(inventory);
  return inventory.controllers[0].arrays[0].logical_drives[0].fingerprint;
}

Controller& c(Inventory& i) {
  return i.controllers[0];
}
Array& a(Inventory& i) {
  return c(i).arrays[0];
}
LogicalDrive& l(Inventory& i) {
  return a(i).logical_drives[0];
}
PhysicalDrive& p(Inventory& i) {
  return a(i).physical_drives[0];
}

TEST(Fingerprint, IsTwelveHexDigits) {
  const std::string print = print_of([](Inventory&) {});
  EXPECT_EQ(print.size(), 12U);
  EXPECT_EQ(print.find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_EQ(machine().controllers[0].fingerprint.size(), 12U);
  EXPECT_NE(machine().controllers[0].fingerprint, print);
}

TEST(Fingerprint, LeavesOutWhatVariesByItself) {
  const std::string print = print_of([](Inventory&) {});
  const std::pair<const char*, std::function<void(Inventory&)>> changes[] = {
      {"controller serial", [](Inventory& i) { c(i).serial = "X"; }},
      {"slot", [](Inventory& i) { c(i).slot = "3"; }},
      {"controller temperature", [](Inventory& i) { c(i).temperature_c = 50; }},
      {"cache temperature", [](Inventory& i) { c(i).cache.temperature_c = 50; }},
      {"cache serial", [](Inventory& i) { c(i).cache.serial = "X"; }},
      {"free space", [](Inventory& i) { a(i).unused_bytes = 7; }},
      {"mount points", [](Inventory& i) { l(i).mount_points = {"/mnt"}; }},
      {"unique id", [](Inventory& i) { l(i).unique_id = "6"; }},
      {"device node", [](Inventory& i) { l(i).device = "/dev/sdz"; }},
      {"label", [](Inventory& i) { l(i).label = "X"; }},
      {"bypass counter", [](Inventory& i) { l(i).smart_path.bypass_count = 5; }},
      {"drive serial", [](Inventory& i) { p(i).serial = "X"; }},
      {"drive wwid", [](Inventory& i) { p(i).wwid = "X"; }},
      {"drive temperature", [](Inventory& i) { p(i).temperature_c = 30; }},
      {"wear", [](Inventory& i) { p(i).wear_remaining_pct = 90; }},
      {"power-on hours", [](Inventory& i) { p(i).power_on_hours = 90; }},
      {"bays swapped", [](Inventory& i) { std::swap(p(i), a(i).physical_drives[1]); }},
      {"firmware form", [](Inventory& i) { c(i).firmware = "8.32-0"; }},
      {"time", [](Inventory& i) { i.taken_at = "2024-01-01T00:00:00Z"; }},
      {"host name", [](Inventory& i) { i.host.hostname = "other"; }},
      {"cache size as printed",
       [](Inventory& i) { c(i).cache.available_bytes.reset(), c(i).cache.size_text = "2.0"; }},
  };
  for (const auto& [what, change] : changes) EXPECT_EQ(print_of(change), print) << what;
}

TEST(Fingerprint, CoversWhatChangesPerformance) {
  const std::string print = print_of([](Inventory&) {});
  const std::pair<const char*, std::function<void(Inventory&)>> changes[] = {
      {"model", [](Inventory& i) { c(i).model = "P421"; }},
      {"firmware", [](Inventory& i) { c(i).firmware = "8.00"; }},
      {"driver version", [](Inventory& i) { i.host.driver_versions["hpsa"] = "3.4.4"; }},
      {"driver", [](Inventory& i) { c(i).driver.name = "cciss"; }},
      {"mode", [](Inventory& i) { c(i).mode = ControllerMode::mixed; }},
      {"controller status", [](Inventory& i) { c(i).status = "Failed"; }},
      {"cache presence", [](Inventory& i) { c(i).cache.present.reset(); }},
      {"cache size", [](Inventory& i) { c(i).cache.size_bytes = std::int64_t{1} << 30; }},
      {"usable cache", [](Inventory& i) { c(i).cache.available_bytes = std::int64_t{1} << 30; }},
      {"cache status", [](Inventory& i) { c(i).cache.status = CacheStatus::temporarily_disabled; }},
      {"ratio",
       [](Inventory& i) {
         c(i).cache.ratio = Ratio{25, 75};
       }},
      {"backup", [](Inventory& i) { c(i).cache.backup.status = BackupStatus::failed; }},
      {"no-battery", [](Inventory& i) { c(i).cache.no_battery_write_cache = true; }},
      {"drive write cache",
       [](Inventory& i) { c(i).drive_write_cache = DriveWriteCache::enabled; }},
      {"driver supports", [](Inventory& i) { c(i).smart_path.driver_supports = true; }},
      {"driver switch", [](Inventory& i) { c(i).smart_path.driver_enabled = false; }},
      {"surface scan", [](Inventory& i) { c(i).settings.surface_scan_mode = "High"; }},
      {"array status", [](Inventory& i) { a(i).status = "Failed Physical Drive"; }},
      {"smart path", [](Inventory& i) { a(i).smart_path = Switch::enabled; }},
      {"raid", [](Inventory& i) { l(i).raid = "0"; }},
      {"strip", [](Inventory& i) { l(i).strip_bytes = 64 * 1024; }},
      {"caching", [](Inventory& i) { l(i).caching = Switch::disabled; }},
      {"method", [](Inventory& i) { l(i).acceleration = Acceleration::none; }},
      {"firmware smart path", [](Inventory& i) { l(i).smart_path.firmware_enabled = false; }},
      {"drive's driver switch", [](Inventory& i) { l(i).smart_path.driver_enabled = false; }},
      {"disk count", [](Inventory& i) { l(i).disk_count = 4; }},
      {"parity", [](Inventory& i) { l(i).parity_init = ParityInit::in_progress; }},
      {"status", [](Inventory& i) { l(i).status = "Recovering"; }},
      {"scheduler", [](Inventory& i) { l(i).block_device->scheduler = "bfq"; }},
      {"queue depth", [](Inventory& i) { l(i).block_device->queue_depth = 7; }},
      {"drive model", [](Inventory& i) { p(i).model = "OTHER"; }},
      {"drive firmware", [](Inventory& i) { p(i).firmware = "HPD2"; }},
      {"link rate", [](Inventory& i) { p(i).phy_rates_gbps = {3}; }},
      {"drive status", [](Inventory& i) { p(i).status = "Rebuilding"; }},
  };
  std::set<std::string> seen{print};
  for (const auto& [what, change] : changes) {
    EXPECT_TRUE(seen.insert(print_of(change)).second) << what;
  }
}

TEST(Fingerprint, AgreesWithTheFieldListOfTheDocument) {
  std::ifstream file(std::string(RAIDSCOPE_SOURCE_DIR) + "/docs/fingerprint.md");
  ASSERT_TRUE(file);
  std::stringstream text;
  text << file.rdbuf();
  const std::string document = text.str();
  EXPECT_NE(document.find(fmt::format("version {}", fingerprint_version)), std::string::npos);
  const auto expect_listed = [&](const auto& object, const std::string& heading) {
    const std::size_t begin = document.find("## " + heading + "\n");
    ASSERT_NE(begin, std::string::npos) << heading;
    const std::string section = document.substr(begin, document.find("\n## ", begin + 3) - begin);
    std::string path;
    std::size_t count = 0;
    facts::visit(object, path, FactWeight::performance,
                 [&](std::string_view name, const auto&, FactWeight weight) {
                   const bool listed = section.find(fmt::format("`{}`", name)) != std::string::npos;
                   EXPECT_EQ(listed, weight == FactWeight::performance) << heading << ": " << name;
                   count += weight == FactWeight::performance ? 1 : 0;
                 });
    EXPECT_EQ(static_cast<std::size_t>(std::count(section.begin(), section.end(), '`')), 2 * count)
        << heading;
  };
  expect_listed(Controller{}, "Controller");
  expect_listed(Array{}, "Array");
  expect_listed(PhysicalDrive{}, "Each drive of the array");
  expect_listed(LogicalDrive{}, "Logical drive");
  expect_listed(BlockDevice{}, "Disk without a controller");
}

TEST(Tag, SaysUnknownAsAQuestionMarkAndNoSerials) {
  LogicalDrive drive;
  EXPECT_EQ(tag(Controller{}, nullptr, &drive),
            "? fw ? | cache ? | LD? R? ?×? strip ? | cache ? (unknown) | smart path ?");
  const Inventory inventory = machine();
  EXPECT_EQ(inventory.controllers[0].tag, "P420i fw 8.32 | 2 GiB FBWC ok 10/90");
  const std::string& line = inventory.controllers[0].arrays[0].logical_drives[0].tag;
  EXPECT_EQ(
      line,
      "P420i fw 8.32 | 2 GiB FBWC ok 10/90 | LD1 R1 2×SSD strip 256K | cache on (protected) | "
      "smart path off");
  EXPECT_EQ(line.find("SN1"), std::string::npos);
}

TEST(Sha256, IsTheKnownOne) {
  EXPECT_EQ(sha256_hex("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Diff, NothingDiffersFromItself) {
  EXPECT_TRUE(diff_inventories(machine(), machine()).empty());
  EXPECT_FALSE(config_change(machine(), machine()).changed);
}

TEST(Diff, NamesTheFactByIdentity) {
  Inventory b = machine();
  l(b).caching = Switch::disabled;
  l(b).label = "data";
  p(b).temperature_c = 40;
  derive(b);
  const auto differences = diff_inventories(machine(), b);
  const auto find = [&](const std::string& fact) {
    return std::find_if(differences.begin(), differences.end(),
                        [&](const Difference& d) { return d.fact == fact; });
  };
  const auto caching = find("P420i slot 0 / LD 1 / caching");
  ASSERT_NE(caching, differences.end());
  EXPECT_EQ(caching->a, "enabled");
  EXPECT_EQ(caching->b, "disabled");
  EXPECT_TRUE(caching->performance);
  const auto label = find("P420i slot 0 / LD 1 / label");
  ASSERT_NE(label, differences.end());
  EXPECT_FALSE(label->performance);
  EXPECT_TRUE(label->one_side_unknown);
  for (const Difference& d : differences) EXPECT_EQ(d.fact.find("temperature"), std::string::npos);
}

TEST(Diff, MatchesDrivesByIdNotByPlace) {
  Inventory b = machine();
  LogicalDrive extra;
  extra.number = 2;
  extra.unique_id = "600508B1001C0000";
  a(b).logical_drives.insert(a(b).logical_drives.begin(), extra);
  derive(b);
  const auto differences = diff_inventories(machine(), b);
  ASSERT_EQ(differences.size(), 1U);
  EXPECT_EQ(differences[0].fact, "P420i slot 0 / LD 2");
  EXPECT_EQ(differences[0].a, "missing");
}

TEST(ConfigChange, ComparesOnlyWhatBothKnow) {
  const Inventory before = machine();
  Inventory after = before;
  c(after).cache.status = CacheStatus::temporarily_disabled;
  c(after).cache.ratio.reset();
  l(after).mount_points = {"/x"};
  derive(after);
  const ConfigChange change = config_change(before, after);
  EXPECT_TRUE(change.changed);
  ASSERT_EQ(change.changes.size(), 1U) << fmt::format("{}", fmt::join(change.changes, "\n"));
  EXPECT_EQ(change.changes[0],
            "P420i slot 0 / cache / status: ok before, temporarily_disabled after");
  EXPECT_EQ(change.unverified.size(), 2U) << "both parts of the ratio";
}

TEST(ConfigChange, ASideThatSawNothingCannotSayThatAnythingIsGone) {
  Inventory after = machine();
  after.controllers.clear();
  const ConfigChange change = config_change(machine(), after);
  EXPECT_FALSE(change.changed);
  EXPECT_EQ(change.unverified.size(), 1U);
}

}  // namespace
}  // namespace raidscope
