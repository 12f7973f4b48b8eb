#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

void smart_path_on(Controller& c) {
  c.arrays[0].smart_path = Switch::enabled;
  c.arrays[0].logical_drives[0].caching = Switch::disabled;
  c.arrays[0].logical_drives[0].acceleration = Acceleration::smart_path;
}

TEST(S01, FewDrivesAndAUsableCache) {
  const Finding found = only(healthy_but(smart_path_on), "S01");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A"}));
  EXPECT_THAT(found.evidence, HasSubstr("8 solid-state drives, fewer than 18"));
  // Smart Path off before caching on: the other way round the tool refuses.
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 array A modify ssdsmartpath=disable",
                                           "ssacli ctrl slot=0 ld 1 modify caching=enable"));
  EXPECT_THAT(found.affects, HasSubstr("array A (logical drive 1)"));
}

TEST(S01, EveryDriveOfTheArrayIsTurnedOverAfterIt) {
  const Finding found = only(with(healthy_but(smart_path_on),
                                  [](Controller& c) {
                                    c.slot = "3";
                                    LogicalDrive second = c.arrays[0].logical_drives[0];
                                    second.number = 7;
                                    c.arrays[0].logical_drives.push_back(second);
                                    c.arrays[0].letter = "C";
                                  }),
                             "S01");
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=3 array C modify ssdsmartpath=disable",
                                           "ssacli ctrl slot=3 ld 1 modify caching=enable",
                                           "ssacli ctrl slot=3 ld 7 modify caching=enable"));
}

TEST(S01, ThresholdAndToolAreOptions) {
  const Inventory on = healthy_but(smart_path_on);
  EXPECT_THAT(findings_of(audited(on, {.smart_path_threshold_drives = 8}), "S01"), IsEmpty());
  const std::vector<Finding> found =
      findings_of(audited(on, {.tool = "hpssacli", .smart_path_threshold_drives = 9}), "S01");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_EQ(commands(found[0])[0], "hpssacli ctrl slot=0 array A modify ssdsmartpath=disable");
}

TEST(S01, HoldsWithAPlannedTestToo) {
  const PlannedTest planned{.target = "/dev/sda", .slot = "0", .drive = 1, .read_percent = 67};
  const std::vector<Finding> found =
      findings_of(audit(healthy_but(smart_path_on), planned, {}), "S01");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].evidence, HasSubstr("67 % reads"));
}

TEST(S01, AlsoWhenTheUnusedCacheIsNotConfigured) {
  EXPECT_THAT(findings_of(with(healthy_but(smart_path_on),
                               [](Controller& c) {
                                 c.cache.status = CacheStatus::not_configured;
                                 c.cache.ratio.reset();
                               }),
                          "S01"),
              SizeIs(1));
}

TEST(S01, NearestFineCases) {
  expect_fine(healthy(), "S01");
  const Inventory on = healthy_but(smart_path_on);
  expect_fine(with(on, [](Controller& c) { c.arrays[0].logical_drives[0].disk_count = 18; }),
              "S01");
  expect_fine(with(on, [](Controller& c) { c.cache.backup.status = BackupStatus::failed; }), "S01");
  expect_fine(with(on, [](Controller& c) { c.cache.present = false; }), "S01");
  expect_fine(with(on, [](Controller& c) { c.cache.status = CacheStatus::permanently_disabled; }),
              "S01");
  // No solid-state array is there: nothing to say and nothing missing.
  expect_fine(healthy_but([](Controller& c) {
                c.arrays[0].media = Media::hdd;
                c.arrays[0].smart_path.reset();
              }),
              "S01");
}

TEST(S01, CountsTheSolidStateDrivesOfAMixedArray) {
  const Inventory mixed = with(healthy_but(smart_path_on), [](Controller& c) {
    c.arrays[0].media = Media::mixed;
    c.arrays[0].physical_drives[0].media = Media::hdd;
  });
  EXPECT_THAT(only(mixed, "S01").evidence, HasSubstr("7 solid-state drives"));
  expect_fine(with(healthy_but(smart_path_on),
                   [](Controller& c) {
                     c.arrays[0].media = Media::hdd;
                     for (PhysicalDrive& drive : c.arrays[0].physical_drives) {
                       drive.media = Media::hdd;
                     }
                   }),
              "S01");
}

TEST(S01, WhatIsUntoldIsUnknown) {
  const Inventory on = healthy_but(smart_path_on);
  expect_unknown(with(on,
                      [](Controller& c) {
                        c.arrays[0].smart_path.reset();
                        c.arrays[0].logical_drives[0].acceleration.reset();
                      }),
                 "S01", ElementsAre("Smart Path setting (slot 0, array A)"));
  expect_unknown(with(on,
                      [](Controller& c) {
                        c.arrays[0].physical_drives.clear();
                        c.arrays[0].logical_drives[0].disk_count.reset();
                      }),
                 "S01", ElementsAre("count of solid-state drives (slot 0, array A)"));
  expect_unknown(machine(status_only()), "S01", ElementsAre("arrays (slot 0)"));
}

TEST(S03, SmartPathOnHardDisks) {
  const Inventory hdd =
      with(healthy_but(smart_path_on), [](Controller& c) { c.arrays[0].media = Media::hdd; });
  const Finding found = only(hdd, "S03");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A"}));
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 array A modify ssdsmartpath=disable",
                                           "ssacli ctrl slot=0 ld 1 modify caching=enable"));
  EXPECT_THAT(
      findings_of(with(hdd, [](Controller& c) { c.arrays[0].media = Media::mixed; }), "S03"),
      SizeIs(1));
  expect_fine(healthy_but(smart_path_on), "S03");
  expect_fine(with(hdd, [](Controller& c) { c.arrays[0].smart_path = Switch::disabled; }), "S03");
  const Inventory untold = with(hdd, [](Controller& c) { c.arrays[0].media.reset(); });
  EXPECT_THAT(only(untold, "S03").evidence, HasSubstr("Interface Type: SATA"));
  expect_unknown(with(untold, [](Controller& c) { c.arrays[0].interface.reset(); }), "S03",
                 ElementsAre("media of the drives (slot 0, array A)"));
}

TEST(S05, BothAtOnce) {
  const Inventory both = with(healthy_but(smart_path_on), [](Controller& c) {
    c.arrays[0].logical_drives[0].caching = Switch::enabled;
  });
  const Finding found = only(both, "S05");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1}));
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 show config detail"));
  expect_fine(healthy_but(smart_path_on), "S05");
  expect_fine(healthy(), "S05");
  expect_unknown(with(both, [](Controller& c) { c.arrays[0].logical_drives[0].caching.reset(); }),
                 "S05", ElementsAre("caching (slot 0, array A, logical drive 1)"));
}

TEST(S06, DriverThatCannot) {
  const Inventory says_no = with(healthy_but(smart_path_on), [](Controller& c) {
    c.smart_path.driver_supports = false;
    c.driver.version = "3.4.0";
  });
  const Finding found = only(says_no, "S06");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A"}));
  EXPECT_THAT(found.evidence, HasSubstr("Driver Supports SSD Smart Path: False"));
  EXPECT_THAT(found.fix[0], HasSubstr("3.4.4"));
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 array A modify ssdsmartpath=disable",
                                           "ssacli ctrl slot=0 ld 1 modify caching=enable"));
  // Without a usable cache there is nothing to use in its place.
  EXPECT_THAT(commands(only(with(says_no, [](Controller& c) { c.cache.present = false; }), "S06")),
              IsEmpty());
}

TEST(S06, OldDriverWithoutTheLine) {
  const auto version = [](const char* text) {
    return with(healthy_but(smart_path_on), [&](Controller& c) {
      c.smart_path.driver_supports.reset();
      c.driver.version = text;
    });
  };
  EXPECT_THAT(findings_of(version("3.4.0-1"), "S06"), SizeIs(1));
  EXPECT_THAT(findings_of(version("2.0.2"), "S06"), SizeIs(1));
  expect_fine(version("3.4.4"), "S06");
  expect_fine(version("3.4.20-125"), "S06");
  expect_fine(version("3.10.0"), "S06");
}

TEST(S06, FineAndUnknown) {
  expect_fine(healthy_but(smart_path_on), "S06");
  expect_fine(healthy_but([](Controller& c) { c.smart_path.driver_supports = false; }), "S06");
  expect_fine(with(healthy_but(smart_path_on),
                   [](Controller& c) {
                     c.smart_path.driver_supports.reset();
                     c.driver = {"smartpqi", "Linux 1.0.4-100"};
                   }),
              "S06");
  const Inventory untold = with(healthy_but(smart_path_on), [](Controller& c) {
    c.smart_path.driver_supports.reset();
    c.driver = {};
  });
  expect_fine(with(untold, [](Controller& c) { c.generation = "Gen10"; }), "S06");
  expect_unknown(untold, "S06",
                 ElementsAre("driver's Smart Path support and version (slot 0, array A)"));
}

TEST(S07, TheDriverDoesNotUseWhatIsOn) {
  const auto on = [](Controller& c) {
    c.arrays[0].smart_path = Switch::enabled;
    c.arrays[0].logical_drives[0].caching = Switch::disabled;
    c.arrays[0].logical_drives[0].acceleration = Acceleration::smart_path;
    c.smart_path.driver_enabled = true;
    c.arrays[0].logical_drives[0].smart_path.driver_enabled = true;
  };
  expect_fine(healthy_but(on), "S07");
  expect_fine(healthy(), "S07");

  const Inventory host_off =
      with(healthy_but(on), [](Controller& c) { c.smart_path.driver_enabled = false; });
  const Finding found = only(host_off, "S07");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1}));
  EXPECT_THAT(found.evidence, HasSubstr("hp_ssd_smart_path_status: disabled"));
  EXPECT_THAT(found.fix,
              ElementsAre("echo 1 > /sys/class/scsi_host/hostN/hp_ssd_smart_path_status"));
  EXPECT_THAT(found.affects, HasSubstr("whole controller"));

  const Inventory drive_off = with(healthy_but(on), [](Controller& c) {
    c.arrays[0].logical_drives[0].smart_path.driver_enabled = false;
  });
  EXPECT_THAT(only(drive_off, "S07").evidence, HasSubstr("driver's flag of the drive: disabled"));
  EXPECT_THAT(commands(only(drive_off, "S07")), IsEmpty());
}

TEST(S07, Unknown) {
  const Inventory untold = healthy_but([](Controller& c) {
    c.arrays[0].smart_path = Switch::enabled;
    c.smart_path.driver_enabled = true;
  });
  expect_unknown(untold, "S07",
                 ElementsAre("driver's Smart Path switch (slot 0, array A, logical drive 1)"));
}

TEST(S07, SmartpqiHasNoSwitchForTheWholeController) {
  const auto gen10 = [](Controller& c) {
    c.generation = "Gen10";
    c.driver = {"smartpqi", "2.1.20-035"};
    c.arrays[0].smart_path = Switch::enabled;
    c.arrays[0].logical_drives[0].smart_path.driver_enabled = true;
  };
  expect_fine(healthy_but(gen10), "S07");
  EXPECT_THAT(findings_of(with(healthy_but(gen10),
                               [](Controller& c) {
                                 c.arrays[0].logical_drives[0].smart_path.driver_enabled = false;
                               }),
                          "S07"),
              SizeIs(1));
}

TEST(S08, TheLineTellsOfTheDriverOnly) {
  const Inventory old = healthy_but([](Controller& c) {
    c.model = "P410i";
    c.generation = "G6";
    c.smart_path.capable = false;
  });
  EXPECT_EQ(only(old, "S08").severity, Severity::info);
  EXPECT_EQ(audited(old).verdict, Verdict::ok);
  expect_fine(healthy(), "S08");
  expect_fine(with(old, [](Controller& c) { c.smart_path.driver_supports = false; }), "S08");
  expect_unknown(with(old, [](Controller& c) { c.generation.reset(); }), "S08",
                 ElementsAre("generation (slot 0)"));
}

TEST(S12, WorkOnAnArrayWithSmartPath) {
  for (const char* status : {"Recovering", "Transforming", "Interim Recovery Mode"}) {
    const Finding found =
        only(with(healthy_but(smart_path_on),
                  [&](Controller& c) { c.arrays[0].logical_drives[0].status = status; }),
             "S12");
    EXPECT_EQ(found.severity, Severity::error);
    EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1}));
    EXPECT_THAT(found.evidence, HasSubstr(status));
  }
  EXPECT_THAT(findings_of(with(healthy_but(smart_path_on),
                               [](Controller& c) { c.arrays[0].status = "Failed Physical Drive"; }),
                          "S12"),
              SizeIs(1));
  expect_fine(healthy_but(smart_path_on), "S12");
  expect_fine(
      healthy_but([](Controller& c) { c.arrays[0].logical_drives[0].status = "Recovering"; }),
      "S12");
  expect_unknown(with(healthy_but(smart_path_on),
                      [](Controller& c) { c.arrays[0].logical_drives[0].status.reset(); }),
                 "S12", ElementsAre("status (slot 0, array A, logical drive 1)"));
}

}  // namespace
}  // namespace raidscope::testing
