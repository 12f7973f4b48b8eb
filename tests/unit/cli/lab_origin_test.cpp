#include <gtest/gtest.h>

#include "cli/planning.h"
#include "probe/base/emulated_mark.h"

namespace raidscope::cli {
namespace {

Inventory machine() {
  Inventory out;
  out.host.product = "ProLiant DL380p Gen8";
  Controller controller;
  controller.model = "P420i";
  controller.vendor = "HP";
  controller.arrays.emplace_back();
  controller.arrays.front().logical_drives.emplace_back();
  controller.arrays.front().logical_drives.front().extra.items = {
      {"INQUIRY", "HP LOGICAL VOLUME 8.32"}};
  out.controllers.push_back(controller);
  return out;
}

TEST(LabOrigin, HardwareIsNone) {
  EXPECT_FALSE(is_lab(machine()));
  Inventory labelled = machine();
  labelled.controllers.front().extra.items = {{"Logical Drive Label", "raidscope-lab"}};
  EXPECT_FALSE(is_lab(labelled));
}

TEST(LabOrigin, EachOfTheMarksIsEnough) {
  Inventory dmi = machine(), bmic = machine(), controller = machine(), volume = machine();
  dmi.host.product = std::string(emulated_mark);
  bmic.controllers.front().name = std::string(emulated_mark);
  controller.controllers.front().extra.items = {{"inquiry", std::string(emulated_mark)}};
  volume.controllers.front().arrays.front().logical_drives.front().extra.items = {
      {"INQUIRY", "HP LOGICAL VOLUME 8.32 raidscope-lab"}};
  for (const Inventory& inventory : {dmi, bmic, controller, volume}) {
    EXPECT_TRUE(is_lab(inventory));
  }
}

}  // namespace
}  // namespace raidscope::cli
