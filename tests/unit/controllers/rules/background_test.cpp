#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(T09, SurfaceScanHigh) {
  const Finding found =
      only(healthy_but([](Controller& c) { c.settings.surface_scan_mode = "High"; }), "T09");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 modify surfacescanmode=disable",
                                           "ssacli ctrl slot=0 modify surfacescanmode=idle",
                                           "ssacli ctrl slot=0 modify surfacescandelay=3"));
  expect_fine(healthy(), "T09");
  expect_fine(healthy_but([](Controller& c) { c.settings.surface_scan_mode.reset(); }), "T09");
  expect_unknown(machine(status_only()), "T09", ElementsAre("surface scan mode (slot 0)"));
}

TEST(T14, HighPriorityWithWorkPending) {
  const auto high = [](Controller& c) { c.settings.rebuild_priority = "High"; };
  const Inventory both = with(healthy_but(high), [](Controller& c) {
    c.arrays[0].logical_drives[0].status = "Recovering";
  });
  const Finding found = only(both, "T14");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, (Subject{.slot = "0"}));
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 modify rp=low"));
  EXPECT_THAT(findings_of(both, "T04"), SizeIs(1));
  expect_fine(healthy_but(high), "T14");
  expect_fine(with(both, [](Controller& c) { c.settings.rebuild_priority = "Medium"; }), "T14");
}

TEST(T14, Unknown) {
  expect_unknown(healthy_but([](Controller& c) {
                   c.settings.rebuild_priority = "High";
                   c.arrays[0].logical_drives[0].status.reset();
                 }),
                 "T14", ElementsAre("logical drive status (slot 0)"));
}

TEST(T15, HbaModeAndAChangeThatWaits) {
  const Finding hba = only(healthy_but([](Controller& c) { c.mode = ControllerMode::hba; }), "T15");
  EXPECT_EQ(hba.severity, Severity::error);
  EXPECT_THAT(hba.evidence, HasSubstr("Controller Mode: HBA"));
  const Finding waits =
      only(healthy_but([](Controller& c) { c.settings.pending_controller_mode = "HBA"; }), "T15");
  EXPECT_EQ(waits.severity, Severity::error);
  EXPECT_THAT(waits.evidence, HasSubstr("Pending Controller Mode: HBA"));
  EXPECT_THAT(waits.fix, ElementsAre(HasSubstr("restart")));
  expect_fine(healthy(), "T15");
  expect_fine(healthy_but([](Controller& c) { c.settings.pending_controller_mode = "RAID"; }),
              "T15");
  expect_fine(healthy_but([](Controller& c) {
                c.mode = ControllerMode::mixed;
                c.settings.pending_controller_mode = "Mixed";
              }),
              "T15");
}

TEST(T15, Unknown) {
  expect_unknown(machine(status_only()), "T15", ElementsAre("controller mode (slot 0)"));
  // Older than HBA mode.
  expect_fine(machine([] {
                Controller c = status_only();
                c.generation = "G6";
                return c;
              }()),
              "T15");
}

TEST(T16, PowerMode) {
  const Finding found =
      only(healthy_but([](Controller& c) { c.settings.power_mode = "Balanced"; }), "T16");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 modify powermode=maxperformance"));
  expect_fine(healthy(), "T16");
  expect_fine(healthy_but([](Controller& c) { c.settings.power_mode.reset(); }), "T16");
  expect_unknown(machine(status_only()), "T16", ElementsAre("power mode (slot 0)"));
}

TEST(T17, MultiDomain) {
  const Finding found =
      only(healthy_but([](Controller& c) {
             c.arrays[0].logical_drives[0].extra.items = {{"MultiDomain Status", "Degraded"}};
           }),
           "T17");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1}));
  expect_fine(healthy_but([](Controller& c) {
                c.arrays[0].extra.items = {{"MultiDomain Status", "OK"}};
              }),
              "T17");
  // A second port that is not used is no lost path: the drives of the healthy machine have one.
  expect_fine(healthy(), "T17");
  expect_unknown(machine(summary_only()), "T17",
                 ElementsAre("MultiDomain status (slot 0, array A)"));
}

Inventory enclosure(const char* location, Text fan, Text supply) {
  return healthy_but([&](Controller& c) {
    c.enclosures = {{.name = "HP D3600 Enclosure",
                     .port = "1E",
                     .box = "1",
                     .status = "OK",
                     .location = location,
                     .fan_status = std::move(fan),
                     .temperature_status = "OK",
                     .power_supply_status = std::move(supply)}};
  });
}

TEST(T18, Enclosures) {
  const Finding found = only(enclosure("External", "Failed", "Redundant"), "T18");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.evidence,
              HasSubstr("HP D3600 Enclosure at Port 1E, Box 1: Fan Status: Failed"));
  EXPECT_THAT(findings_of(enclosure("External", "OK", "Not Redundant"), "T18"), SizeIs(1));
  EXPECT_THAT(findings_of(enclosure("Internal", "Failed", "Not Redundant"), "T18"), SizeIs(1));
  expect_fine(enclosure("External", "OK", "Redundant"), "T18");
  expect_fine(enclosure("Internal", {}, "Not Redundant"), "T18");
  expect_fine(healthy(), "T18");
}

TEST(T19, HotController) {
  EXPECT_EQ(only(healthy_but([](Controller& c) { c.temperature_c = 88; }), "T19").severity,
            Severity::warning);
  expect_fine(healthy_but([](Controller& c) { c.temperature_c = 84; }), "T19");
  expect_fine(healthy_but([](Controller& c) { c.temperature_c.reset(); }), "T19");
  expect_unknown(machine(status_only()), "T19", ElementsAre("controller temperature (slot 0)"));
}

}  // namespace
}  // namespace raidscope::testing
