#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(C01, NoModuleOnACardThatTakesOneIsAnError) {
  const Finding found = only(healthy_but([](Controller& c) {
                               c.cache = {};
                               c.cache.present = false;
                             }),
                             "C01");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, (Subject{.slot = "0"}));
  EXPECT_EQ(found.evidence, "Cache Board Present: False");
  EXPECT_THAT(found.fix, ElementsAre(HasSubstr("fit a cache module")));
}

TEST(C01, APrintedSizeOfZeroIsNoModule) {
  const Finding found = only(healthy_but([](Controller& c) {
                               c.model = "P410i";
                               c.cache = {};
                               c.cache.size_text = "0.0";
                             }),
                             "C01");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_THAT(found.evidence, HasSubstr("Total Cache Size: 0.0"));
  EXPECT_THAT(found.fix, ElementsAre(HasSubstr("534562-B21")));
  expect_fine(healthy_but([](Controller& c) { c.cache.size_text = "0.2"; }), "C01");
}

TEST(C01, AModelWithoutCacheByDesignIsNotScolded) {
  for (const char* model : {"H240", "H240ar", "E208i-a", "B140i", "B320i"}) {
    const Inventory hba = healthy_but([&](Controller& c) {
      c.model = model;
      c.cache = {};
      c.cache.present = false;
      c.arrays[0].logical_drives[0].caching = Switch::disabled;
      c.arrays[0].logical_drives[0].acceleration = Acceleration::none;
    });
    const Finding found = only(hba, "C01");
    EXPECT_EQ(found.severity, Severity::info) << model;
    EXPECT_THAT(found.fix, IsEmpty());
    const AuditReport report = audited(hba);
    EXPECT_EQ(report.verdict, Verdict::ok) << model;
    EXPECT_EQ(audit_exit_code(report, Severity::warning), 0);
    EXPECT_THAT(report.findings, SizeIs(1)) << model;
  }
}

TEST(C01, AModuleIsFineAndAnUntoldOneUnknown) {
  expect_fine(healthy(), "C01");
  expect_unknown(machine(status_only()), "C01", ElementsAre("cache board present (slot 0)"));
}

TEST(C02, PermanentlyDisabled) {
  const Inventory bad = healthy_but([](Controller& c) {
    c.cache.status = CacheStatus::permanently_disabled;
    c.cache.status_text = "Permanently Disabled";
    c.cache.details = "Cache disabled; backup power source failed to charge";
  });
  const Finding found = only(bad, "C02");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_THAT(found.evidence, HasSubstr("Cache Status: Permanently Disabled"));
  EXPECT_THAT(found.evidence, HasSubstr("failed to charge"));
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 show detail"));
  EXPECT_THAT(found.affects, HasSubstr("logical drive 1"));
  expect_fine(bad, "C03");
  expect_fine(healthy(), "C02");
  expect_unknown(healthy_but([](Controller& c) { c.cache.status.reset(); }), "C02",
                 ElementsAre("cache status (slot 0)"));
}

TEST(C03, TemporarilyDisabled) {
  const Inventory bad =
      healthy_but([](Controller& c) { c.cache.status = CacheStatus::temporarily_disabled; });
  EXPECT_EQ(only(bad, "C03").severity, Severity::error);
  EXPECT_THAT(commands(only(bad, "C03")), ElementsAre("ssacli ctrl slot=0 show status"));
  expect_fine(bad, "C02");
  expect_fine(healthy(), "C03");
  expect_unknown(machine(summary_only()), "C03", ElementsAre("cache status (slot 0)"));
}

Inventory unconfigured() {
  return healthy_but([](Controller& c) {
    c.cache.status = CacheStatus::not_configured;
    c.cache.status_text = "Not Configured";
    c.cache.ratio.reset();
    c.arrays[0].logical_drives[0].caching = Switch::disabled;
    c.arrays[0].logical_drives[0].acceleration = Acceleration::none;
  });
}

TEST(C04, NobodyTurnedTheCacheOn) {
  const Finding found = only(unconfigured(), "C04");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_THAT(found.fix, ElementsAre("ssacli ctrl slot=0 ld 1 modify caching=enable"));
  EXPECT_EQ(audited(unconfigured()).verdict, Verdict::error);
}

TEST(C04, OneDriveOutsideSmartPathIsEnough) {
  const Finding found = only(with(unconfigured(),
                                  [](Controller& c) {
                                    c.arrays.push_back(ssd_array("B", 2));
                                    c.arrays[1].logical_drives[0].caching = Switch::disabled;
                                    c.arrays[0].smart_path = Switch::enabled;
                                  }),
                             "C04");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_THAT(found.fix, ElementsAre("ssacli ctrl slot=0 ld 2 modify caching=enable"));
}

TEST(C04, EveryDriveOnSmartPathIsAsItShouldBe) {
  const Inventory all = with(unconfigured(), [](Controller& c) {
    c.arrays[0].smart_path = Switch::enabled;
    c.arrays[0].logical_drives[0].acceleration = Acceleration::smart_path;
  });
  EXPECT_EQ(only(all, "C04").severity, Severity::info);
  EXPECT_THAT(only(all, "C04").fix, IsEmpty());
}

TEST(C04, HbaModeAndNoDrivesAreNoFault) {
  EXPECT_EQ(only(with(unconfigured(), [](Controller& c) { c.mode = ControllerMode::hba; }), "C04")
                .severity,
            Severity::info);
  const Finding none = only(with(unconfigured(),
                                 [](Controller& c) {
                                   c.arrays.clear();
                                   c.unassigned_drives = {ssd("1I:1:1")};
                                 }),
                            "C04");
  EXPECT_EQ(none.severity, Severity::info);
  EXPECT_THAT(none.why, HasSubstr("no logical drive"));
}

TEST(C04, PortsAndCagesDoNotSayThatThereIsNoDrive) {
  const Inventory cut = with(unconfigured(), [](Controller& c) {
    c.arrays.clear();
    c.ports = {Port{.name = "1I"}};
    c.enclosures = {Enclosure{.name = "Internal Drive Cage"}};
  });
  EXPECT_THAT(missing_of(cut, "C04"), ElementsAre("logical drives (slot 0)"));
  EXPECT_EQ(audited(cut).verdict, Verdict::unknown);
}

TEST(C04, UntoldDrivesAreSaidAndDoNotMakeItAnError) {
  const Inventory untold = with(unconfigured(), [](Controller& c) { c.arrays.clear(); });
  EXPECT_EQ(only(untold, "C04").severity, Severity::info);
  EXPECT_THAT(missing_of(untold, "C04"), ElementsAre("logical drives (slot 0)"));
  EXPECT_EQ(audited(untold).verdict, Verdict::unknown);
  expect_fine(healthy(), "C04");
  expect_unknown(machine(summary_only()), "C04", ElementsAre("cache status (slot 0)"));
}

const char* const unclean_words =
    "The current array controller had valid data stored in its battery/capacitor backed write "
    "cache "
    "the last time it was reset or was powered up.";

TEST(C05, UncleanStop) {
  const Inventory unclean = healthy_but([](Controller& c) { c.cache.details = unclean_words; });
  const Finding found = only(unclean, "C05");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.evidence, HasSubstr("valid data stored in"));
  EXPECT_EQ(audit_exit_code(audited(unclean), Severity::warning), 1);
  expect_fine(unclean, "C06");
}

TEST(C05, OtherDetailsAndNoDetailsAreFine) {
  expect_fine(healthy(), "C05");
  expect_fine(
      healthy_but([](Controller& c) { c.cache.details = "Cache disabled; low batteries."; }),
      "C05");
  expect_fine(healthy_but([](Controller& c) {
                c.cache.details = unclean_words;
                c.cache.status = CacheStatus::permanently_disabled;
              }),
              "C05");
  // `show status` prints no details, so their absence there tells nothing.
  expect_unknown(machine(status_only()), "C05", ElementsAre("cache status details (slot 0)"));
}

TEST(C06, CableError) {
  const Inventory cable = healthy_but([](Controller& c) {
    c.cache.status = CacheStatus::permanently_disabled;
    c.cache.details = "Cable Error";
  });
  EXPECT_EQ(only(cable, "C06").severity, Severity::error);
  expect_fine(healthy(), "C06");
  expect_unknown(machine(status_only()), "C06", ElementsAre("cache status details (slot 0)"));
}

TEST(C22, TheBannersWordsAreTheEvidence) {
  const Inventory banner = healthy_but([](Controller& c) {
    c.warnings = {"CACHE STATUS PROBLEM DETECTED: The cache on this controller has a problem."};
  });
  const Finding found = only(banner, "C22");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.evidence, HasSubstr("CACHE STATUS PROBLEM DETECTED: The cache on this"));
  EXPECT_THAT(found.evidence, HasSubstr("Cache Status: OK"));
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 show detail"));
}

TEST(C22, AKeyThatAccountsForItAndCallsForUpgradesAreAnotherMatter) {
  expect_fine(healthy_but([](Controller& c) {
                c.warnings = {"CACHE STATUS PROBLEM DETECTED: it is off."};
                c.cache.status = CacheStatus::permanently_disabled;
              }),
              "C22");
  expect_fine(healthy_but([](Controller& c) {
                c.warnings = {
                    "FIRMWARE UPGRADE REQUIRED: A firmware update is recommended to prevent "
                    "rare potential data write errors",
                    "APPLICATION UPGRADE REQUIRED: This controller has been configured with "
                    "a more recent version of software."};
              }),
              "C22");
  expect_fine(healthy(), "C22");
}

}  // namespace
}  // namespace raidscope::testing
