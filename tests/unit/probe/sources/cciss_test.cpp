#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "probe/source.h"
#include "tests/support/facts.h"
#include "tests/support/memory_host.h"

namespace raidscope {

extern const Source source_cciss;

namespace {

using raidscope::testing::count_entities;
using raidscope::testing::find_entity;
using raidscope::testing::MemoryHost;
using raidscope::testing::told_bool;
using raidscope::testing::told_integer;
using raidscope::testing::told_text;
using raidscope::testing::told_texts;
using ::testing::ElementsAre;

constexpr const char* proc_text =
    "cciss0: HP Smart Array P400 Controller\n"
    "Board ID: 0x3234103c\n"
    "Firmware Version: 7.24\n"
    "IRQ: 66\n"
    "Logical drives: 2\n"
    "Current Q depth: 0\n"
    "Max Q depth since init: 116\n"
    "\n"
    "cciss/c0d0:\t      73.37GB\tRAID 1(1+0)\n"
    "cciss/c0d1:\t     587.12GB\tRAID 5\n";

TEST(Cciss, ControllersAndDrivesFromSysfsAndProc) {
  MemoryHost machine;
  const std::string pci = "sys/devices/pci0000:00/0000:00:04.0/0000:06:00.0";
  DeviceNode function;
  function.syspath = pci;
  machine.devices.add("pci", function);
  machine.files.file(pci + "/vendor", "0x103c\n");
  machine.files.file(pci + "/device", "0x3230\n");
  machine.files.file(pci + "/subsystem_vendor", "0x103c\n");
  machine.files.file(pci + "/subsystem_device", "0x3234\n");
  machine.files.file(pci + "/cciss0/transport_mode", "performant\n");
  machine.files.file(pci + "/cciss0/c0d0/unique_id", "600508B1001044395355323037570F77\n");
  machine.files.file(pci + "/cciss0/c0d0/raid_level", "RAID 1(1+0)\n");
  machine.files.file(pci + "/cciss0/c0d0/lunid", "0x0000004000000000\n");
  machine.files.file("proc/driver/cciss/cciss0", proc_text);
  machine.files.file("sys/module/cciss/version", "3.6.28-RH2\n");
  DeviceNode block;
  block.syspath = pci + "/cciss0/c0d0/block/cciss!c0d0";
  block.devnode = "/dev/cciss/c0d0";
  block.properties["DEVTYPE"] = "disk";
  machine.devices.add("block", block);
  machine.files.file(block.syspath + "/size", "143305920\n");

  const FactSet set = source_cciss.collect(machine.host());
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_EQ(set.version, "3.6.28-RH2");
  const auto controller =
      find_entity(set, EntityKind::controller, "HP Smart Array P400 Controller");
  ASSERT_TRUE(controller);
  EXPECT_EQ(told_text(set, *controller, "pci_address"), "0000:06:00.0");
  EXPECT_EQ(told_text(set, *controller, "pci_id"), "103c:3230/103c:3234");
  EXPECT_EQ(told_text(set, *controller, "model"), "P400");
  EXPECT_EQ(told_text(set, *controller, "firmware"), "7.24");
  EXPECT_EQ(told_text(set, *controller, "driver.name"), "cciss");
  EXPECT_EQ(count_entities(set, EntityKind::logical_drive), 2u);
  const auto first = find_entity(set, EntityKind::logical_drive, "/dev/cciss/c0d0");
  ASSERT_TRUE(first);
  EXPECT_EQ(told_text(set, *first, "unique_id"), "600508B1001044395355323037570F77");
  EXPECT_EQ(told_integer(set, *first, "size_bytes"), 143305920LL * 512);
  EXPECT_THAT(told_texts(set, *first, "raid_candidates").value_or(std::vector<std::string>{}),
              ElementsAre("1", "1+0"));
  const auto second = find_entity(set, EntityKind::logical_drive, "/dev/cciss/c0d1");
  ASSERT_TRUE(second);
  EXPECT_EQ(told_integer(set, *second, "size_bytes"), 587120000000LL);
  EXPECT_EQ(told_bool(set, *second, "size_exact"), false);
  EXPECT_THAT(told_texts(set, *second, "raid_candidates").value_or(std::vector<std::string>{}),
              ElementsAre("5", "50"));
}

// Links in /dev/cciss exist on top of hpsa too; only the driver itself counts.
TEST(Cciss, ANodeByThatNameIsNoDriver) {
  MemoryHost machine;
  machine.files.file("dev/cciss/c0d0", "");
  EXPECT_EQ(source_cciss.collect(machine.host()).status, SourceStatus::absent);
}

TEST(Cciss, AnOldKernelThatOnlyHasProc) {
  MemoryHost machine;
  machine.files.file("proc/driver/cciss/cciss0", proc_text);
  const FactSet set = source_cciss.collect(machine.host());
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_EQ(count_entities(set, EntityKind::logical_drive), 2u);
}

}  // namespace
}  // namespace raidscope
