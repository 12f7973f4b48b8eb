#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(C08, RatioThatGivesWritesNothing) {
  const Inventory reads_only = healthy_but([](Controller& c) {
    c.cache.ratio = Ratio{100, 0};
    c.cache.backup = {};
    c.arrays.push_back(ssd_array("B", 2));
  });
  const std::vector<Finding> found = findings_of(reads_only, "C08");
  ASSERT_THAT(found, SizeIs(2));
  EXPECT_EQ(found[0].severity, Severity::error);
  EXPECT_EQ(found[0].subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1}));
  EXPECT_EQ(found[1].subject, (Subject{.slot = "0", .array = "B", .logical_drive = 2}));
  EXPECT_THAT(found[0].evidence, HasSubstr("Cache Ratio: 100% Read / 0% Write"));
  EXPECT_THAT(found[0].evidence, HasSubstr("Caching: Enabled"));
  // The battery first, then the ratio, which is the whole controller's.
  EXPECT_THAT(found[0].fix, ElementsAre(HasSubstr("battery or capacitor"),
                                        "ssacli ctrl slot=0 modify cacheratio=10/90"));
  EXPECT_THAT(found[0].affects, HasSubstr("whole controller"));
  EXPECT_THAT(found[0].affects, HasSubstr("logical drives 1, 2"));
}

TEST(C08, NearestFineCases) {
  expect_fine(healthy_but([](Controller& c) {
                c.cache.ratio = Ratio{100, 0};
                c.arrays[0].logical_drives[0].caching = Switch::disabled;
              }),
              "C08");
  expect_fine(healthy_but([](Controller& c) { c.cache.ratio = Ratio{90, 10}; }), "C08");
  expect_fine(healthy_but([](Controller& c) { c.cache.ratio.reset(); }), "C08");
}

TEST(C08, UnknownRatioOrCaching) {
  expect_unknown(healthy_but([](Controller& c) {
                   c.whole_block.reset();
                   c.cache.ratio.reset();
                 }),
                 "C08", ElementsAre("cache ratio (slot 0, array A, logical drive 1)"));
  expect_unknown(healthy_but([](Controller& c) {
                   c.cache.ratio = Ratio{100, 0};
                   c.arrays[0].logical_drives[0].caching.reset();
                 }),
                 "C08", ElementsAre("caching (slot 0, array A, logical drive 1)"));
  expect_unknown(healthy_but([](Controller& c) {
                   c.cache.ratio = Ratio{100, 0};
                   c.arrays.clear();
                 }),
                 "C08", ElementsAre("logical drives (slot 0)"));
}

Inventory trap() {
  return healthy_but([](Controller& c) {
    c.arrays[0].logical_drives[0].caching = Switch::disabled;
    c.arrays[0].logical_drives[0].acceleration = Acceleration::none;
  });
}

TEST(C09, TheTrapOfTheSecondStudy) {
  const Finding found = only(trap(), "C09");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1}));
  EXPECT_THAT(found.evidence, HasSubstr("Caching: Disabled"));
  EXPECT_THAT(found.evidence, HasSubstr("Smart Path: disable"));
  EXPECT_THAT(found.fix, ElementsAre("ssacli ctrl slot=0 ld 1 modify caching=enable"));
  EXPECT_EQ(audited(trap()).verdict, Verdict::error);
}

TEST(C09, AlsoWhenItMakesTheStatusNotConfigured) {
  const Inventory everywhere = with(trap(), [](Controller& c) {
    c.cache.status = CacheStatus::not_configured;
    c.cache.ratio.reset();
  });
  EXPECT_EQ(only(everywhere, "C09").severity, Severity::error);
  EXPECT_EQ(only(everywhere, "C04").severity, Severity::error);  // none hides another
}

TEST(C09, AlsoWhenTheBackupIsNotToldAndOnModelsWithoutSmartPath) {
  EXPECT_EQ(only(with(trap(),
                      [](Controller& c) {
                        c.cache.backup.status.reset();
                        c.cache.backup.status_text.reset();
                      }),
                 "C09")
                .severity,
            Severity::error);
  EXPECT_EQ(only(with(trap(),
                      [](Controller& c) {
                        c.arrays[0].smart_path.reset();
                        c.smart_path.capable = false;
                        c.generation = "G6";
                      }),
                 "C09")
                .severity,
            Severity::error);
}

TEST(C09, NearestFineCases) {
  expect_fine(healthy(), "C09");
  // Smart Path is on, so the cache is meant to be off.
  expect_fine(with(trap(), [](Controller& c) { c.arrays[0].smart_path = Switch::enabled; }), "C09");
  // A cache that cannot be used has other rules.
  expect_fine(with(trap(), [](Controller& c) { c.cache.present = false; }), "C09");
  expect_fine(
      with(trap(), [](Controller& c) { c.cache.status = CacheStatus::permanently_disabled; }),
      "C09");
  expect_fine(with(trap(),
                   [](Controller& c) {
                     c.cache.backup.status = BackupStatus::failed;
                     c.cache.backup.status_text = "Failed (Replace Batteries)";
                   }),
              "C09");
}

TEST(C09, WhatIsUntoldIsUnknown) {
  expect_unknown(with(trap(), [](Controller& c) { c.arrays[0].smart_path.reset(); }), "C09",
                 ElementsAre("Smart Path setting (slot 0, array A, logical drive 1)"));
  expect_unknown(with(trap(), [](Controller& c) { c.cache.status.reset(); }), "C09",
                 ElementsAre("cache status (slot 0, array A, logical drive 1)"));
  expect_unknown(with(trap(), [](Controller& c) { c.cache.present.reset(); }), "C09",
                 ElementsAre("cache board present (slot 0, array A, logical drive 1)"));
  expect_unknown(machine(status_only()), "C09", ElementsAre("logical drives (slot 0)"));
}

TEST(C09, NamesTheDrivesThatShareTheCache) {
  const Inventory two = with(trap(), [](Controller& c) { c.arrays.push_back(ssd_array("B", 2)); });
  EXPECT_THAT(only(two, "C09").affects, HasSubstr("logical drive 2"));
}

TEST(C10, TheDrivesLineIsIntent) {
  const Inventory off = healthy_but([](Controller& c) {
    c.cache.status = CacheStatus::temporarily_disabled;
    c.cache.status_text = "Temporarily Disabled";
    c.cache.backup.status = BackupStatus::failed;
    c.cache.backup.status_text = "Failed (Replace Batteries)";
  });
  const Finding found = only(off, "C10");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1}));
  EXPECT_THAT(found.evidence, HasSubstr("Caching: Enabled"));
  EXPECT_THAT(found.evidence, HasSubstr("Temporarily Disabled"));
  EXPECT_THAT(found.fix[0], HasSubstr("C12"));
  EXPECT_THAT(findings_of(off, "C03"), SizeIs(1));
  EXPECT_THAT(findings_of(off, "C12"), SizeIs(1));
}

TEST(C10, OlderToolsPrintNoMethod) {
  EXPECT_THAT(findings_of(healthy_but([](Controller& c) {
                            c.cache.status = CacheStatus::permanently_disabled;
                            c.arrays[0].logical_drives[0].acceleration.reset();
                          }),
                          "C10"),
              SizeIs(1));
}

TEST(C10, FineAndUnknown) {
  expect_fine(healthy(), "C10");
  const auto off = [](Controller& c) { c.cache.status = CacheStatus::permanently_disabled; };
  expect_fine(with(healthy_but(off),
                   [](Controller& c) { c.arrays[0].logical_drives[0].caching = Switch::disabled; }),
              "C10");
  expect_unknown(
      with(healthy_but(off), [](Controller& c) { c.arrays[0].logical_drives[0].caching.reset(); }),
      "C10", ElementsAre("caching (slot 0, array A, logical drive 1)"));
  expect_unknown(machine(summary_only()), "C10",
                 ElementsAre("cache status (slot 0, array A, logical drive 1)",
                             "caching (slot 0, array A, logical drive 1)"));
}

TEST(C18, WaitsForRoom) {
  const Finding found =
      only(healthy_but([](Controller& c) { c.settings.wait_for_cache_room = "Enabled"; }), "C18");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 modify waitforcacheroom=disable"));
  expect_fine(healthy(), "C18");
  // A whole block of a tool that has no such line.
  expect_fine(healthy_but([](Controller& c) { c.settings.wait_for_cache_room.reset(); }), "C18");
  expect_unknown(machine(status_only()), "C18", ElementsAre("wait for cache room (slot 0)"));
}

}  // namespace
}  // namespace raidscope::testing
