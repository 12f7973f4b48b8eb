#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

void fail_battery(Controller& c) {
  c.cache.backup = {BackupKind::battery, 1, BackupStatus::failed, "Failed (Replace Batteries)"};
}

TEST(C11, NoBatteryWriteCacheIsAWarning) {
  const Finding found =
      only(healthy_but([](Controller& c) { c.cache.no_battery_write_cache = true; }), "C11");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.fix, ElementsAre("ssacli ctrl slot=0 modify nbwc=disable"));
  EXPECT_THAT(found.affects, HasSubstr("whole controller"));
  EXPECT_THAT(found.affects, HasSubstr("logical drive 1"));
}

TEST(C11, AndABlockWithoutAWorkingBattery) {
  const auto on = [](Controller& c) { c.cache.no_battery_write_cache = true; };
  EXPECT_EQ(only(with(healthy_but(on), fail_battery), "C11").severity, Severity::block);
  EXPECT_EQ(only(with(healthy_but(on),
                      [](Controller& c) {
                        c.cache.backup = {{}, 0, BackupStatus::absent, {}};
                      }),
                 "C11")
                .severity,
            Severity::block);
  // A whole block without a battery line says that there is none; a part of it does not.
  const Inventory none = with(healthy_but(on), [](Controller& c) { c.cache.backup = {}; });
  EXPECT_EQ(only(none, "C11").severity, Severity::block);
  EXPECT_EQ(only(with(none, [](Controller& c) { c.whole_block = false; }), "C11").severity,
            Severity::warning);
}

TEST(C11, FineAndUnknown) {
  expect_fine(healthy(), "C11");
  expect_unknown(machine(status_only()), "C11", ElementsAre("no-battery write cache (slot 0)"));
}

TEST(C12, FailedBattery) {
  const Finding found = only(healthy_but(fail_battery), "C12");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_THAT(found.evidence, HasSubstr("Battery/Capacitor Status: Failed (Replace Batteries)"));
  EXPECT_THAT(commands(found), IsEmpty());
}

TEST(C12, HiddenByTheNoBatterySettingIsABlock) {
  const Inventory hidden = with(healthy_but(fail_battery), [](Controller& c) {
    c.cache.no_battery_write_cache = true;
    c.cache.status = CacheStatus::ok;
    c.extra.items = {{"Failed Battery Location", "Battery 1"},
                     {"Failed Battery Location", "Battery 2"}};
  });
  const Finding found = only(hidden, "C12");
  EXPECT_EQ(found.severity, Severity::block);
  EXPECT_THAT(found.evidence, HasSubstr("Battery 2"));
  EXPECT_THAT(found.fix,
              ElementsAre("ssacli ctrl slot=0 modify nbwc=disable", HasSubstr("replace")));
  const AuditReport report = audited(hidden);
  EXPECT_EQ(report.verdict, Verdict::blocked);
  EXPECT_EQ(audit_exit_code(report, Severity::warning), 2);
}

TEST(C12, WordsThatNobodyKnowsAreNotOk) {
  EXPECT_THAT(findings_of(healthy_but([](Controller& c) {
                            c.cache.backup.status.reset();
                            c.cache.backup.status_text = "Degraded";
                          }),
                          "C12"),
              SizeIs(1));
}

TEST(C12, FineAndUnknown) {
  expect_fine(healthy(), "C12");
  expect_fine(healthy_but([](Controller& c) { c.cache.backup.status = BackupStatus::recharging; }),
              "C12");
  expect_fine(healthy_but([](Controller& c) { c.cache.backup = {}; }), "C12");  // C14
  expect_unknown(machine(summary_only()), "C12",
                 ElementsAre("battery or capacitor status (slot 0)"));
}

TEST(C13, Recharging) {
  const Inventory charging = healthy_but([](Controller& c) {
    c.cache.backup.status = BackupStatus::recharging;
    c.cache.backup.status_text = "Recharging";
  });
  const Finding found = only(charging, "C13");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_THAT(found.fix, ElementsAre(HasSubstr("5 minutes"), "ssacli ctrl slot=0 show status"));
  EXPECT_THAT(findings_of(healthy_but([](Controller& c) {
                            c.cache.status = CacheStatus::temporarily_disabled;
                            c.cache.details = "Cache disabled; battery/capacitor charge is low.";
                          }),
                          "C13"),
              SizeIs(1));
  expect_fine(healthy(), "C13");
  expect_fine(healthy_but(fail_battery), "C13");
  expect_unknown(machine(summary_only()), "C13",
                 ElementsAre("battery or capacitor status (slot 0)"));
}

TEST(C14, WriteCacheWithoutASource) {
  const Finding counted = only(healthy_but([](Controller& c) {
                                 c.cache.backup = {{}, 0, BackupStatus::absent, {}};
                               }),
                               "C14");
  EXPECT_EQ(counted.severity, Severity::error);
  EXPECT_THAT(counted.evidence, HasSubstr("Battery/Capacitor Count: 0"));
  const Inventory no_line = healthy_but([](Controller& c) { c.cache.backup = {}; });
  EXPECT_THAT(only(no_line, "C14").evidence, HasSubstr("no battery or capacitor line"));
}

TEST(C14, NearestFineCases) {
  const Inventory no_line = healthy_but([](Controller& c) { c.cache.backup = {}; });
  expect_fine(healthy(), "C14");
  expect_fine(with(no_line, [](Controller& c) { c.cache.ratio = Ratio{100, 0}; }), "C14");
  expect_fine(with(no_line, [](Controller& c) { c.cache.ratio.reset(); }), "C14");
  expect_fine(with(no_line, [](Controller& c) { c.cache.no_battery_write_cache = true; }), "C14");
  expect_fine(
      with(no_line, [](Controller& c) { c.cache.status = CacheStatus::permanently_disabled; }),
      "C14");
  expect_fine(healthy_but(fail_battery), "C14");
}

TEST(C14, APartOfTheBlockTellsNothingOfTheMissingLine) {
  expect_unknown(healthy_but([](Controller& c) {
                   c.cache.backup = {};
                   c.whole_block.reset();
                 }),
                 "C14", ElementsAre("battery or capacitor (slot 0)"));
}

TEST(C15, DriveWriteCache) {
  const Finding old = only(
      healthy_but([](Controller& c) { c.drive_write_cache = DriveWriteCache::enabled; }), "C15");
  EXPECT_EQ(old.severity, Severity::warning);
  EXPECT_THAT(old.fix, ElementsAre("ssacli ctrl slot=0 modify dwc=disable"));
  EXPECT_THAT(old.affects, HasSubstr("whole controller"));
  const Finding gen10 = only(healthy_but([](Controller& c) {
                               c.drive_write_cache.reset();
                               c.settings.configured_drive_write_cache_policy = "Enable";
                             }),
                             "C15");
  EXPECT_THAT(gen10.evidence, HasSubstr("Configured Drive Write Cache Policy: Enable"));
  EXPECT_THAT(gen10.fix, ElementsAre("ssacli ctrl slot=0 modify dwc=disable usage=configured"));
}

TEST(C15, FineAndUnknown) {
  expect_fine(healthy(), "C15");
  expect_fine(healthy_but([](Controller& c) {
                c.drive_write_cache = DriveWriteCache::vendor_default;
                c.settings.configured_drive_write_cache_policy = "Default";
              }),
              "C15");
  expect_fine(healthy_but([](Controller& c) {
                c.drive_write_cache.reset();
                c.settings.configured_drive_write_cache_policy = "Disable";
              }),
              "C15");
  expect_unknown(machine(status_only()), "C15", ElementsAre("drive write cache (slot 0)"));
}

TEST(C21, HotCacheOrCapacitor) {
  const Finding found =
      only(healthy_but([](Controller& c) { c.cache.capacitor_temperature_c = 71; }), "C21");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.evidence, HasSubstr("Capacitor Temperature (C): 71"));
  EXPECT_THAT(findings_of(healthy_but([](Controller& c) { c.cache.temperature_c = 90; }), "C21"),
              SizeIs(1));
  EXPECT_THAT(findings_of(healthy_but([](Controller& c) {
                            c.sensors = {{.id = "2", .location = "Capacitor", .current_c = 75}};
                          }),
                          "C21"),
              SizeIs(1));
  expect_fine(healthy(), "C21");
}

TEST(C21, AllZeroIsUnreadableAndOnlyInfo) {
  const Inventory zeros = healthy_but([](Controller& c) {
    c.temperature_c.reset();
    c.cache.temperature_c.reset();
    c.cache.capacitor_temperature_c.reset();
    c.extra.items = {{"Controller Temperature (C)", "0"},
                     {"Cache Module Temperature (C)", "0"},
                     {"Capacitor Temperature (C)", "0"}};
  });
  const Finding found = only(zeros, "C21");
  EXPECT_EQ(found.severity, Severity::info);
  EXPECT_THAT(found.why, HasSubstr("not a cold one"));
  // One that was read shows that the others are just not there.
  expect_fine(with(zeros, [](Controller& c) { c.temperature_c = 50; }), "C21");
}

TEST(C21, ATemperatureThatWasNotPrinted) {
  const auto none = [](Controller& c) {
    c.temperature_c.reset();
    c.cache.temperature_c.reset();
    c.cache.capacitor_temperature_c.reset();
  };
  expect_fine(healthy_but(none), "C21");  // a whole block of a card without sensors
  expect_unknown(machine(status_only()), "C21",
                 ElementsAre("cache and capacitor temperature (slot 0)"));
}

}  // namespace
}  // namespace raidscope::testing
