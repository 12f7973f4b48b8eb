#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Inventory drive_status(const char* status) {
  return healthy_but([&](Controller& c) { c.arrays[0].logical_drives[0].status = status; });
}
const Subject drive_1{.slot = "0", .array = "A", .logical_drive = 1};

TEST(T01, ControllerNotOkOrLockedUp) {
  EXPECT_EQ(only(healthy_but([](Controller& c) { c.status = "Failed"; }), "T01").severity,
            Severity::block);
  EXPECT_THAT(only(healthy_but([](Controller& c) { c.lockup = "ld=-1"; }), "T01").evidence,
              HasSubstr("lockup_detected: ld=-1"));
  EXPECT_THAT(findings_of(healthy_but([](Controller& c) { c.lockup = "19"; }), "T01"), SizeIs(1));
  expect_fine(healthy(), "T01");
  expect_fine(healthy_but([](Controller& c) { c.lockup = "0"; }), "T01");
  expect_fine(healthy_but([](Controller& c) { c.lockup = "ld=0"; }), "T01");
  expect_unknown(healthy_but([](Controller& c) { c.status.reset(); }), "T01",
                 ElementsAre("controller status (slot 0)"));
}

TEST(T01, ALockupIsFoundWithoutTheVendorTool) {
  Controller seen;
  seen.model = "P420i";
  seen.pci_address = "0000:05:00.0";
  seen.driver = {"hpsa", "3.4.20"};
  seen.lockup = "19";
  const Finding found = only(machine(seen), "T01");
  EXPECT_EQ(found.severity, Severity::block);
  EXPECT_EQ(found.evidence, "the controller at 0000:05:00.0; lockup_detected: 19");
  EXPECT_THAT(found.fix, Contains(HasSubstr("power off and on")));
}

TEST(T02, FailedArray) {
  const Finding found = only(healthy_but([](Controller& c) {
                               c.arrays[0].status = "Failed Physical Drive";
                               c.arrays[0].physical_drives[2].status = "Failed";
                             }),
                             "T02");
  EXPECT_EQ(found.severity, Severity::block);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A"}));
  EXPECT_THAT(found.evidence, HasSubstr("physicaldrive 1I:1:3: Failed"));
  expect_fine(healthy(), "T02");
  expect_unknown(machine(summary_only()), "T02", ElementsAre("array status (slot 0, array A)"));
}

TEST(T03, DegradedDrive) {
  for (const char* status : {"Interim Recovery Mode", "Ready for Rebuild", "Failed"}) {
    const Finding found = only(drive_status(status), "T03");
    EXPECT_EQ(found.severity, Severity::block) << status;
    EXPECT_EQ(found.subject, drive_1);
    EXPECT_THAT(found.evidence, HasSubstr(status));
    expect_fine(drive_status(status), "T04");
  }
  expect_fine(healthy(), "T03");
  expect_fine(drive_status("Recovering"), "T03");
  expect_unknown(healthy_but([](Controller& c) { c.arrays[0].logical_drives[0].status.reset(); }),
                 "T03", ElementsAre("logical drive status (slot 0, array A, logical drive 1)"));
}

TEST(T04, Rebuilding) {
  const Finding found = only(healthy_but([](Controller& c) {
                               c.arrays[0].logical_drives[0].status = "Recovering";
                               c.arrays[0].logical_drives[0].progress_pct = 55.73;
                             }),
                             "T04");
  EXPECT_EQ(found.severity, Severity::block);
  EXPECT_EQ(found.subject, drive_1);
  EXPECT_EQ(found.evidence, "Status: Recovering, 55.73% complete");
  const Finding disk =
      only(healthy_but([](Controller& c) { c.arrays[0].physical_drives[1].status = "Rebuilding"; }),
           "T04");
  EXPECT_EQ(disk.subject, (Subject{.slot = "0", .array = "A", .bay = "1I:1:2"}));
  expect_fine(healthy(), "T04");
  expect_unknown(healthy_but([](Controller& c) { c.arrays[0].physical_drives.clear(); }), "T04",
                 ElementsAre("physical drives (slot 0, array A)"));
}

TEST(T05, Transforming) {
  for (const char* status : {"Transforming", "Expanding", "Migrating", "Queued for Expansion"}) {
    EXPECT_EQ(only(drive_status(status), "T05").severity, Severity::block) << status;
    expect_fine(drive_status(status), "T04");
    expect_fine(drive_status(status), "T03");
  }
  const Finding gen10 = only(
      with(drive_status("Transforming"), [](Controller& c) { c.generation = "Gen10"; }), "T05");
  EXPECT_THAT(gen10.fix, Contains(HasSubstr("1.34")));
  expect_fine(healthy(), "T05");
  expect_unknown(machine(status_only()), "T05", ElementsAre("logical drives (slot 0)"));
}

Inventory parity(std::optional<ParityInit> state, const char* raid = "5") {
  return healthy_but([&](Controller& c) {
    c.arrays[0].logical_drives[0].raid = raid;
    c.arrays[0].logical_drives[0].parity_init = state;
  });
}

TEST(T06, ParityRunning) {
  EXPECT_EQ(only(parity(ParityInit::queued), "T06").severity, Severity::error);
  EXPECT_EQ(only(parity(ParityInit::in_progress), "T06").evidence,
            "Parity Initialization Status: In Progress; Fault Tolerance: 5");
  EXPECT_EQ(only(parity(ParityInit::in_progress), "T06").subject, drive_1);
  expect_fine(parity(ParityInit::complete), "T06");
  expect_fine(parity(ParityInit::failed), "T06");
  expect_fine(healthy(), "T06");
}

TEST(T06, UnknownOnlyForLevelsWithParity) {
  const auto in_part = [](Controller& c) { c.whole_block.reset(); };
  expect_unknown(with(parity(std::nullopt), in_part), "T06",
                 ElementsAre("parity initialization status (slot 0, array A, logical drive 1)"));
  expect_fine(with(parity(std::nullopt, "1+0"), in_part), "T06");
  expect_fine(parity(std::nullopt), "T06");  // a whole block of a tool without the line
}

TEST(T07, ParityFailed) {
  EXPECT_EQ(only(parity(ParityInit::failed), "T07").severity, Severity::block);
  expect_fine(parity(ParityInit::in_progress), "T07");
  expect_unknown(with(parity(std::nullopt), [](Controller& c) { c.whole_block.reset(); }), "T07",
                 ElementsAre("parity initialization status (slot 0, array A, logical drive 1)"));
}

Inventory errors(Text text) {
  return healthy_but(
      [&](Controller& c) { c.arrays[0].logical_drives[0].media_errors = std::move(text); });
}

TEST(T12, MediaErrors) {
  EXPECT_EQ(only(errors("Detected"), "T12").severity, Severity::block);
  EXPECT_EQ(only(errors("3"), "T12").subject, drive_1);
  expect_fine(errors("None"), "T12");
  expect_fine(errors("0"), "T12");
  expect_fine(errors({}), "T12");
  // A block that ends before the lines that follow may have been cut off before this one.
  expect_unknown(with(errors({}),
                      [](Controller& c) {
                        c.arrays[0].logical_drives[0].unique_id.reset();
                        c.arrays[0].logical_drives[0].acceleration.reset();
                      }),
                 "T12",
                 ElementsAre("unrecoverable media errors (slot 0, array A, logical drive 1)"));
  expect_unknown(machine(summary_only()), "T12",
                 ElementsAre("unrecoverable media errors (slot 0, array A, logical drive 1)"));
}

TEST(T12, TheControllersWarningNamesTheDrives) {
  const auto warn = [](const char* numbers) {
    return with(errors({}), [&](Controller& c) {
      c.warnings = {
          std::string("Warning: Unrecoverable Media Errors Detected on Drives during previous "
                      "Rebuild or Background Surface Analysis (ARM) scan. The following "
                      "logical drives are affected: ") +
          numbers};
    });
  };
  EXPECT_THAT(only(warn("1"), "T12").evidence, HasSubstr("are affected: 1"));
  EXPECT_EQ(only(warn("1"), "T12").subject, drive_1);
  // 11 is not 1, and a drive that the source does not show is named all the same.
  const std::vector<Finding> others = findings_of(warn("4, 11"), "T12");
  ASSERT_THAT(others, SizeIs(2));
  EXPECT_EQ(others[0].subject, (Subject{.slot = "0", .logical_drive = 4}));
  EXPECT_EQ(others[1].subject, (Subject{.slot = "0", .logical_drive = 11}));
  EXPECT_THAT(findings_of(warn("1, 5"), "C22"), IsEmpty());
}

TEST(T12, AWarningAheadOfADriveIsThatDrives) {
  const Inventory warned = with(errors({}), [](Controller& c) {
    c.warnings = {"Warning: Unrecoverable Media Errors Detected on Drives."};
    c.arrays[0].logical_drives[0].extra.items = {{"Warning", c.warnings[0]}};
  });
  EXPECT_EQ(only(warned, "T12").subject, drive_1);
  EXPECT_THAT(only(warned, "T12").evidence, HasSubstr("Unrecoverable Media Errors"));
}

TEST(T12, ATestThatOnlyReadsIsNotBlocked) {
  PlannedTest planned{.target = "/dev/sda", .read_percent = 100};
  EXPECT_EQ(findings_of(audit(errors("Detected"), planned), "T12")[0].severity, Severity::error);
  planned.read_percent = 67;
  EXPECT_EQ(findings_of(audit(errors("Detected"), planned), "T12")[0].severity, Severity::block);
}

}  // namespace
}  // namespace raidscope::testing
