#include "controllers/inventory/smart_path_states.h"

#include <gtest/gtest.h>

#include "controllers/inventory/assemble.h"

namespace raidscope {
namespace {

struct Machine {
  FactSet tool, scsi, sysfs;
  EntityId array, tool_drive, scsi_drive, sysfs_controller, sysfs_drive;

  Machine() {
    const std::string id = "600508B1001C00112233445566778899";
    const auto controller = [](FactSet& set, PathName path) {
      set.path = path;
      const EntityId c = set.add(EntityKind::controller, machine_entity, "P420i");
      set.tell(c, "pci_address", std::string("0000:0d:00.0"));
      return c;
    };
    const EntityId c = controller(tool, PathName::ssacli);
    array = tool.add(EntityKind::array, c, "A");
    tool_drive = tool.add(EntityKind::logical_drive, array, "1");
    tool.tell(tool_drive, "unique_id", id);
    scsi_drive = scsi.add(EntityKind::logical_drive, controller(scsi, PathName::scsi), "0:1:0:0");
    scsi.tell(scsi_drive, "unique_id", id);
    sysfs_controller = controller(sysfs, PathName::sysfs);
    sysfs_drive = sysfs.add(EntityKind::logical_drive, sysfs_controller, "0:1:0:0");
    sysfs.tell(sysfs_drive, "unique_id", id);
  }
  void setting(const char* word) { tool.tell(array, "smart_path", std::string(word)); }
  void firmware(bool configured, bool enabled) {
    scsi.tell(scsi_drive, "smart_path.firmware_configured", configured);
    scsi.tell(scsi_drive, "smart_path.firmware_enabled", enabled);
  }
  void driver(bool uses) { sysfs.tell(sysfs_drive, "smart_path.driver_enabled", uses); }
  [[nodiscard]] Inventory inventory() const {
    const FactSet sets[] = {tool, scsi, sysfs};
    return assemble(sets, "");
  }
};

TEST(SmartPathStates, StatesThatFitAreNoDisagreement) {
  Machine machine;
  machine.setting("enabled");
  machine.firmware(true, true);
  machine.driver(true);
  EXPECT_TRUE(machine.inventory().disagreements.empty());
}

TEST(SmartPathStates, OneTellerDisagreesWithNobody) {
  Machine machine;
  machine.setting("enabled");
  EXPECT_TRUE(machine.inventory().disagreements.empty());
}

// The firmware has it off on a degraded volume; the driver follows the firmware.
TEST(SmartPathStates, AFirmwareThatHasItOffForAWhileExplainsTheDriver) {
  Machine machine;
  machine.setting("enabled");
  machine.firmware(true, false);
  machine.driver(false);
  EXPECT_TRUE(machine.inventory().disagreements.empty());
}

TEST(SmartPathStates, ADriverThatDoesNotFollowIsListedUnsettledUntilItWasWaitedFor) {
  Machine machine;
  machine.setting("enabled");
  machine.firmware(true, true);
  machine.driver(false);
  Inventory inventory = machine.inventory();
  ASSERT_EQ(inventory.disagreements.size(), 1u);
  const Disagreement& one = inventory.disagreements.front();
  EXPECT_EQ(one.fact, "/controllers/0/arrays/0/logical_drives/0/smart_path");
  const std::vector<PathValue> told = {{"ssacli", "array setting enabled"},
                                       {"scsi", "firmware: configured, enabled"},
                                       {"sysfs", "the driver does not use it"}};
  EXPECT_EQ(one.values, told);
  EXPECT_EQ(one.taken, "sysfs");
  EXPECT_FALSE(one.settled);
  // None of the three overwrote another.
  const LogicalDrive& drive = inventory.controllers[0].arrays[0].logical_drives[0];
  EXPECT_EQ(drive.smart_path.array_setting, Switch::enabled);
  EXPECT_EQ(drive.smart_path.firmware_enabled, true);
  EXPECT_EQ(drive.smart_path.driver_enabled, false);

  EXPECT_TRUE(has_unsettled_smart_path(inventory));
  settle_smart_path(inventory);
  EXPECT_FALSE(has_unsettled_smart_path(inventory));
  derive(inventory);
  ASSERT_EQ(inventory.disagreements.size(), 1u);
  EXPECT_TRUE(inventory.disagreements.front().settled) << "a document that is read again stays so";
}

TEST(SmartPathStates, TheToolAndTheFirmwareMayDiffer) {
  Machine machine;
  machine.setting("disabled");
  machine.firmware(true, true);
  ASSERT_EQ(machine.inventory().disagreements.size(), 1u);
  EXPECT_EQ(machine.inventory().disagreements[0].taken, "scsi");
}

// S07 says this; it is the host's switch, not a drive that lags behind.
TEST(SmartPathStates, TheDriversMasterSwitchIsNoDisagreementOfADrive) {
  Machine machine;
  machine.setting("enabled");
  machine.driver(false);
  machine.sysfs.tell(machine.sysfs_controller, "smart_path.driver_enabled", false);
  EXPECT_TRUE(machine.inventory().disagreements.empty());
}

TEST(Lockup, ADeadAnswerBeatsAStateThatWasReadBefore) {
  Machine machine;
  machine.sysfs.tell(machine.sysfs_controller, "lockup", std::string("0"));
  FactSet bmic;
  bmic.path = PathName::bmic;
  const EntityId c = bmic.add(EntityKind::controller, machine_entity, "");
  bmic.tell(c, "pci_address", std::string("0000:0d:00.0"));
  bmic.tell(c, "lockup", std::string("65535"));
  const FactSet sets[] = {machine.tool, machine.sysfs, bmic};
  EXPECT_EQ(assemble(sets, "").controllers.at(0).lockup, "65535");
}

TEST(FactOrigins, EveryPathsWordsAreKeptForThoseWhoAsk) {
  Machine machine;
  machine.tool.tell(1, "firmware", std::string("8.32-0"));
  machine.sysfs.tell(machine.sysfs_controller, "firmware", std::string("8.00"));
  const FactSet sets[] = {machine.tool, machine.scsi, machine.sysfs};
  std::vector<FactOrigin> origins;
  const Inventory with = assemble(sets, "", &origins);
  EXPECT_EQ(with, assemble(sets, "")) << "asking changes nothing";
  const auto firmware = std::find_if(origins.begin(), origins.end(), [](const FactOrigin& o) {
    return o.fact == "/controllers/0/firmware";
  });
  ASSERT_NE(firmware, origins.end());
  const std::vector<PathValue> told = {{"ssacli", "8.32-0"}, {"sysfs", "8.00"}};
  EXPECT_EQ(firmware->values, told);
  EXPECT_EQ(firmware->taken, "ssacli");
  EXPECT_FALSE(firmware->why.empty());
}

}  // namespace
}  // namespace raidscope
