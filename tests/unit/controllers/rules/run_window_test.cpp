#include "controllers/rules/window.h"
#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// What the kernel alone tells of the machine: drives by their identity, no arrays.
Inventory kernel_look(const Inventory& whole) {
  Inventory out;
  out.sources = {{"sysfs", "ok", {}, {}, {}}};
  for (const Controller& controller : whole.controllers) {
    Controller seen;
    seen.pci_address = controller.pci_address;
    seen.driver = controller.driver;
    seen.smart_path.driver_enabled = controller.smart_path.driver_enabled;
    for (const Array& array : controller.arrays) {
      for (const LogicalDrive& drive : array.logical_drives) {
        LogicalDrive loose;
        loose.unique_id = drive.unique_id;
        loose.device = drive.device;
        loose.smart_path.driver_enabled = drive.smart_path.driver_enabled;
        loose.smart_path.bypass_count = drive.smart_path.bypass_count;
        seen.logical_drives.push_back(loose);
      }
    }
    out.controllers.push_back(seen);
  }
  return out;
}

Inventory configured(bool smart_path, const char* driver) {
  Inventory out = healthy_but([&](Controller& c) {
    c.pci_address = "0000:05:00.0";
    c.driver.name = driver;
    c.generation = std::string(driver) == "smartpqi" ? "Gen10" : "Gen9";
    c.smart_path.driver_enabled = true;
    c.arrays[0].smart_path = smart_path ? Switch::enabled : Switch::disabled;
    c.arrays[0].logical_drives[0].device = "/dev/sda";
    c.arrays[0].logical_drives[0].smart_path.bypass_count = 100;
  });
  out.sources = {{"ssacli", "ok", {}, {}, {}}, {"sysfs", "ok", {}, {}, {}}};
  return out;
}

PlannedTest on_drive(std::int64_t number) {
  PlannedTest out;
  out.slot = "0";
  out.drive = number;
  return out;
}

/// The window of kernel looks around a run that moved the counter by `moved`.
AuditReport counted(bool smart_path, Integer moved, std::int64_t target = 1) {
  const Inventory whole = configured(smart_path, "smartpqi");
  const Inventory before = kernel_look(whole);
  Inventory after = before;
  Integer& count = after.controllers[0].logical_drives[0].smart_path.bypass_count;
  count = moved ? Integer{*count + *moved} : Integer{};
  return audit_window({whole, before, after}, on_drive(target));
}

TEST(S09, TheCounterAgreesWithTheLabelOrNot) {
  const std::vector<Finding> still = findings_of(counted(true, 0), "S09");
  ASSERT_THAT(still, SizeIs(1));
  EXPECT_EQ(still[0].severity, Severity::error);
  EXPECT_EQ(still[0].subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1}));
  EXPECT_THAT(still[0].evidence, HasSubstr("raid_bypass_cnt: 100 before, 100 after"));
  EXPECT_THAT(findings_of(counted(false, 5), "S09"), SizeIs(1));
  for (const AuditReport& fine : {counted(true, 5), counted(false, 0)}) {
    EXPECT_THAT(findings_of(fine, "S09"), IsEmpty());
    EXPECT_THAT(missing_of(fine, "S09"), IsEmpty());
  }
}

TEST(S09, AnIdleDriveSaysNothing) {
  EXPECT_THAT(findings_of(counted(true, 0, 2), "S09"), IsEmpty());
  const Inventory whole = configured(true, "smartpqi");
  const Inventory look = kernel_look(whole);
  EXPECT_THAT(findings_of(audit_window({whole, look, look}, std::nullopt), "S09"), IsEmpty());
}

TEST(S09, ADriveWithoutANumberIsFoundByItsId) {
  Inventory whole = configured(true, "smartpqi");
  whole.controllers[0].slot.reset();
  whole.controllers[0].arrays[0].logical_drives[0].number.reset();
  const Inventory look = kernel_look(whole);
  PlannedTest test;
  test.drive_id = whole.controllers[0].arrays[0].logical_drives[0].unique_id;
  EXPECT_THAT(findings_of(audit_window({whole, look, look}, test), "S09"), SizeIs(1));
}

TEST(S09, Unknown) {
  for (const AuditReport& report : {counted(true, {}), counted(true, -60)}) {
    EXPECT_THAT(findings_of(report, "S09"), IsEmpty());
    EXPECT_THAT(missing_of(report, "S09"),
                ElementsAre("raid_bypass_cnt before and after (slot 0, array A, logical drive 1)"));
  }
}

TEST(S09, HpsaHasNoCounter) {
  const Inventory whole = configured(true, "hpsa");
  const Inventory look = kernel_look(whole);
  const AuditReport report = audit_window({whole, look, look}, on_drive(1));
  EXPECT_THAT(findings_of(report, "S09"), IsEmpty());
  EXPECT_THAT(missing_of(report, "S09"), IsEmpty());
}

TEST(S13, TheSwitchWasMoved) {
  const Inventory whole = configured(true, "hpsa");
  const Inventory before = kernel_look(whole);
  Inventory after = before;
  EXPECT_THAT(findings_of(audit_window({whole, before, after}, {}), "S13"), IsEmpty());
  after.controllers[0].smart_path.driver_enabled = false;
  const std::vector<Finding> found = findings_of(audit_window({whole, before, after}, {}), "S13");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_EQ(found[0].subject, (Subject{.slot = "0"}));
  EXPECT_THAT(found[0].evidence, HasSubstr("enabled before, disabled after"));
  after.controllers[0].smart_path.driver_enabled.reset();
  EXPECT_THAT(missing_of(audit_window({whole, before, after}, {}), "S13"),
              ElementsAre("hp_ssd_smart_path_status before and after (slot 0)"));
}

TEST(T20, ADriveThatCameWentOrMoved) {
  const Inventory whole = configured(true, "hpsa");
  const Inventory before = kernel_look(whole);
  const auto after = [&](const auto& change) {
    Inventory changed = before;
    change(changed.controllers[0]);
    return audit_window({whole, before, changed}, {});
  };
  EXPECT_THAT(findings_of(after([](Controller&) {}), "T20"), IsEmpty());
  const std::vector<Finding> gone =
      findings_of(after([](Controller& c) { c.logical_drives.clear(); }), "T20");
  ASSERT_THAT(gone, SizeIs(1));
  EXPECT_EQ(gone[0].severity, Severity::warning);
  EXPECT_EQ(gone[0].subject, (Subject{.slot = "0"}));
  EXPECT_THAT(gone[0].evidence, HasSubstr("is gone"));
  const std::vector<Finding> moved =
      findings_of(after([](Controller& c) { c.logical_drives[0].device = "/dev/sdb"; }), "T20");
  ASSERT_THAT(moved, SizeIs(1));
  EXPECT_THAT(moved[0].evidence, HasSubstr("was /dev/sda and is /dev/sdb"));
  const std::vector<Finding> fresh =
      findings_of(after([](Controller& c) { c.hba_drives.push_back(ssd("1I:1:9")); }), "T20");
  ASSERT_THAT(fresh, SizeIs(1));
  EXPECT_THAT(fresh[0].evidence, HasSubstr("physicaldrive 1I:1:9 is new"));
}

TEST(T20, ListsOfDifferentPathsAreNotCompared) {
  const Inventory whole = configured(true, "hpsa");
  const Inventory look = kernel_look(whole);
  // The last look asks the vendor tool again: it goes with the first of that kind.
  Inventory pulled = whole;
  pulled.controllers[0].arrays[0].physical_drives.pop_back();
  EXPECT_THAT(findings_of(audit_window({whole, look, whole}, {}), "T20"), IsEmpty());
  EXPECT_THAT(findings_of(audit_window({whole, look, pulled}, {}), "T20"), SizeIs(1));
  Inventory tool_failed = whole;
  tool_failed.sources[0].status = "failed";
  tool_failed.sources[1].status = "failed";
  const AuditReport report = audit_window({whole, look, tool_failed}, {});
  EXPECT_THAT(findings_of(report, "T20"), IsEmpty());
  EXPECT_THAT(missing_of(report, "T20"),
              ElementsAre("drives before and after by the same paths (slot 0)"));
}

TEST(T20, ATextThatTellsOfNoDriveIsNoEvent) {
  Inventory whole = configured(true, "hpsa");
  whole.sources = {{"file", "ok", {}, {}, {}}};
  Inventory short_text = whole;
  short_text.controllers[0].arrays.clear();
  const AuditReport report = audit_window({whole, whole, short_text}, {});
  EXPECT_THAT(findings_of(report, "T20"), IsEmpty());
  EXPECT_THAT(missing_of(report, "T20"), ElementsAre("drives before and after (slot 0)"));
}

TEST(RunWindow, ItsRulesAreNoGapOfAnAuditOfOneInventory) {
  const AuditReport report = audited(configured(true, "smartpqi"));
  for (const char* rule : {"S09", "S13", "T20"}) {
    EXPECT_THAT(missing_of(report, rule), IsEmpty()) << rule;
    EXPECT_THAT(missing_of(audited(Inventory{}), rule), IsEmpty()) << rule;
  }
}

}  // namespace
}  // namespace raidscope::testing
