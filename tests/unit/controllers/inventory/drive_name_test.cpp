#include "controllers/inventory/drive_name.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

using ::testing::HasSubstr;

/// Slot 1 with two logical drives, as the vendor tool tells them; without it no number.
Inventory machine(bool with_numbers) {
  Inventory out;
  Controller controller;
  if (with_numbers) controller.slot = "1";
  for (int n = 1; n <= 2; ++n) {
    LogicalDrive drive;
    if (with_numbers) drive.number = n;
    drive.device = n == 1 ? "/dev/sdb" : "/dev/sda";
    drive.unique_id = "600508B1001C00000000000000000" + std::string(n == 1 ? "0A1" : "0A2");
    controller.logical_drives.push_back(drive);
  }
  out.controllers.push_back(controller);
  return out;
}

std::string device_of(std::string_view words, const Inventory& inventory) {
  const auto name = DriveName::of(words);
  if (!name) return "no name";
  const auto found = name->find_in(inventory);
  return found ? *found->drive->device : describe(found.error());
}

TEST(DriveName, ANumberADeviceAndAnId) {
  const Inventory with_tool = machine(true), without = machine(false);
  EXPECT_EQ(device_of("1:1", with_tool), "/dev/sdb");
  EXPECT_EQ(device_of("1:2", with_tool), "/dev/sda");
  for (const Inventory& inventory : {with_tool, without}) {
    EXPECT_EQ(device_of("/dev/sda", inventory), "/dev/sda");
    EXPECT_EQ(device_of("600508B1001C000000000000000000A1", inventory), "/dev/sdb");
    EXPECT_EQ(device_of("naa.600508b1001c000000000000000000a1", inventory), "/dev/sdb");
  }
}

TEST(DriveName, WhatThereIsNotIsAnsweredWithWhatThereIs) {
  const std::string numbered = device_of("1:3", machine(true));
  EXPECT_THAT(numbered, HasSubstr("no logical drive 1:3"));
  EXPECT_THAT(numbered, HasSubstr("1:1 (/dev/sdb), 1:2 (/dev/sda)"));
  EXPECT_THAT(numbered, ::testing::Not(HasSubstr("vendor tool")));
  const std::string plain = device_of("1:1", machine(false));
  EXPECT_THAT(plain, HasSubstr("/dev/sdb (600508B1001C000000000000000000A1)"));
  EXPECT_THAT(plain, HasSubstr("without the vendor tool no drive has a number"));
  EXPECT_THAT(device_of("/dev/sdc", Inventory{}), HasSubstr("none that could be named"));
}

TEST(DriveName, WordsThatNameNothing) {
  for (const char* words : {"", "1", ":1", "1:", "1:x", "sda", "600508B1"}) {
    EXPECT_EQ(device_of(words, machine(true)), "no name") << words;
  }
}

}  // namespace
}  // namespace raidscope
