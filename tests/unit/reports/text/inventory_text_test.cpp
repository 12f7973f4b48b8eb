#include <algorithm>

#include <gtest/gtest.h>

#include "reports/text.h"
#include "reports/text/layout.h"
#include "tests/support/sample_runs.h"

namespace raidscope {
namespace {

TEST(InventoryText, ACommonServerIsOneScreen) {
  const auto lines = split_lines(inventory_text(sample::server(), {false, 100}));
  EXPECT_LE(lines.size(), 24U);
  for (const std::string& line : lines) EXPECT_LE(display_width(line), 100U) << line;
}

TEST(InventoryText, TheVerdictsStandAtTheTop) {
  const auto lines = split_lines(inventory_text(sample::server(), {false, 100}));
  ASSERT_GT(lines.size(), 4U);
  const auto first = std::find_if(lines.begin(), lines.end(), [](const std::string& line) {
    return line.rfind("LD 1", 0) == 0;
  });
  ASSERT_LT(first - lines.begin(), 4);
  for (const char* part :
       {"/dev/sda", "RAID 1+0, 8 SSD, 1.46 TiB", "write cache: protected", "path: cache"}) {
    EXPECT_NE(first->find(part), std::string::npos) << *first;
  }
  EXPECT_NE((first + 1)->find("its capacitor is charged"), std::string::npos) << *(first + 1);
}

TEST(InventoryText, TellsCacheDrivesAndWhatWasNotAsked) {
  const std::string text = inventory_text(sample::server(), {false, 100});
  for (const char* part :
       {"Smart Array P420i in slot 0 (embedded)", "firmware 8.32", "2 GiB (1.8 GiB usable)",
        "10 % read / 90 % write", "capacitor OK",
        "8 × HP EO0400FBRWA fw HPD4, SAS SSD, 400 GB, 6 Gbit/s", "1I:1:1 to 1I:1:8",
        "4 × HP EG0600FBVFP", "Unassigned", "bmic (the vendor tool answered)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(InventoryText, UnknownIsAWord) {
  Inventory inventory = sample::server();
  Controller& c = inventory.controllers.front();
  c.cache = {};
  c.drive_write_cache.reset();
  c.smart_path = {};
  c.firmware.reset();
  LogicalDrive& drive = c.arrays.front().logical_drives.front();
  drive.device.reset();
  drive.raid.reset();
  drive.size_bytes.reset();
  drive.disk_count.reset();
  drive.effective_write_cache = EffectiveWriteCache::unknown;
  drive.io_path = IoPath::unknown;
  const std::string text = inventory_text(inventory, {false, 100});
  for (const char* part :
       {"device unknown", "RAID and disks unknown", "size unknown", "write cache: unknown",
        "path: unknown", "firmware unknown", "Cache       unknown", "Smart Path: unknown"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(InventoryText, APartOfTheCacheMayBeUnknown) {
  Inventory inventory = sample::server();
  CacheModule& cache = inventory.controllers.front().cache;
  cache = {};
  cache.status_text = "Temporarily Disabled";
  const std::string text = inventory_text(inventory, {false, 100});
  for (const char* part : {"size unknown, presence unknown", "status Temporarily Disabled",
                           "ratio unknown", "battery or"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(InventoryText, WhatDrivesShareIsSaidOnce) {
  Inventory inventory = sample::server();
  auto& drives = inventory.controllers.front().arrays.front().logical_drives;
  drives.push_back(drives.front());
  drives.back().number = 3;
  const std::string text = inventory_text(inventory, {false, 100});
  EXPECT_NE(text.find("both: "), std::string::npos) << text;
}

TEST(InventoryText, ATextThatDoesNotTellTheCacheSaysWhatWould) {
  Inventory inventory = sample::server();
  inventory.sources = {{"file", "ok", {}, {}, {}}};
  EXPECT_EQ(inventory_text(inventory, {false, 100}).find("Learn more"), std::string::npos);
  inventory.controllers.front().cache = {};
  EXPECT_NE(inventory_text(inventory, {false, 100}).find("ssacli ctrl all show config detail"),
            std::string::npos);
}

TEST(InventoryText, AbsentIsNotUnknown) {
  Inventory inventory = sample::server();
  inventory.controllers.front().cache = {};
  inventory.controllers.front().cache.present = false;
  EXPECT_NE(inventory_text(inventory, {false, 100}).find("no cache module"), std::string::npos);
}

TEST(InventoryText, AMachineWithoutASmartArrayShowsItsDisks) {
  const std::string text = inventory_text(sample::laptop(), {false, 100});
  for (const char* part : {"No Smart Array controller found", "/dev/nvme0n1", "Example NVMe 1TB",
                           "1 TB", "volatile", "/, /boot", "unknown", "raidscope doctor"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(InventoryText, NoControllerIsToldFromNotKnowing) {
  const auto text_of = [](std::vector<SourceInfo> sources) {
    Inventory inventory;
    inventory.sources = std::move(sources);
    return inventory_text(inventory, {false, 200});
  };
  const SourceInfo host{"host", "ok", {}, {}, {}};
  const SourceInfo kernel{"sysfs", "absent", {}, {}, {}};
  const auto tool = [](const char* status) { return SourceInfo{"ssacli", status, {}, {}, {}}; };
  const std::string none = "No Smart Array controller found.";
  const std::string unknown = "Whether there is a Smart Array controller is unknown: ";
  for (const auto& sources : std::vector<std::vector<SourceInfo>>{
           {host, kernel, tool("absent")}, {kernel}, {tool("ok")}, {{"file", "ok", {}, {}, {}}}}) {
    EXPECT_NE(text_of(sources).find(none), std::string::npos) << text_of(sources);
  }
  EXPECT_NE(text_of({host, kernel, tool("failed")}).find(unknown + "ssacli failed; sysfs saw none"),
            std::string::npos);
  EXPECT_NE(text_of({{"file", "failed", {}, {}, {}}}).find(unknown + "file failed."),
            std::string::npos);
  for (const auto& sources : std::vector<std::vector<SourceInfo>>{
           {}, {host}, {tool("absent")}, {{"scsi", "skipped", {}, {}, {}}}}) {
    const std::string text = text_of(sources);
    EXPECT_NE(text.find(unknown + "nothing that could tell was asked."), std::string::npos) << text;
    EXPECT_EQ(text.find(none), std::string::npos) << text;
  }
}

TEST(InventoryText, AHostThatWasNotAskedIsNoFaultOfAnInput) {
  Inventory inventory;
  inventory.sources = {{"ssacli", "ok", {}, {}, {}}};
  EXPECT_EQ(inventory_text(inventory, {false, 100}).find("Host not asked"), 0U);
  inventory.sources = {{"file", "ok", {}, {}, {}}};
  EXPECT_EQ(inventory_text(inventory, {false, 100}).find("Host unknown: this input"), 0U);
}

TEST(InventoryText, NothingAtAllIsStillAnAnswer) {
  const std::string text = inventory_text(Inventory{}, {false, 100});
  EXPECT_NE(text.find("Host unknown"), std::string::npos);
  EXPECT_NE(text.find("No disks are known either"), std::string::npos);
}

TEST(InventoryText, UnhealthyDrivesStandOut) {
  Inventory inventory = sample::server();
  inventory.controllers.front().arrays.front().physical_drives.front().status = "Failed";
  const std::string text = inventory_text(inventory, {false, 100});
  EXPECT_NE(text.find("1 Failed, 7 OK"), std::string::npos) << text;
}

TEST(InventoryText, SeveralControllersAreToldApart) {
  Inventory inventory = sample::server();
  inventory.controllers.push_back(inventory.controllers.front());
  inventory.controllers.back().slot = "1";
  const std::string text = inventory_text(inventory, {false, 100});
  EXPECT_NE(text.find("slot 0 LD 1"), std::string::npos) << text;
  EXPECT_NE(text.find("slot 1 LD 1"), std::string::npos) << text;
}

TEST(InventoryText, ALabelCannotSteerTheTerminal) {
  Inventory inventory = sample::server();
  inventory.controllers.front().name = "Smart \x1b[31mArray";
  inventory.controllers.front().arrays.front().physical_drives.front().model =
      "bad\x1b]0;title\x07";
  EXPECT_EQ(inventory_text(inventory, {false, 100}).find('\x1b'), std::string::npos);
}

TEST(InventoryText, ColourComesFromTheStyleAlone) {
  EXPECT_EQ(inventory_text(sample::server(), {false, 100}).find('\x1b'), std::string::npos);
  EXPECT_NE(inventory_text(sample::server(), {true, 100}).find("\x1b[32m"), std::string::npos);
}

}  // namespace
}  // namespace raidscope
