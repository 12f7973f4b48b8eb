#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

Inventory disk(Text status) {
  return healthy_but(
      [&](Controller& c) { c.arrays[0].physical_drives[3].status = std::move(status); });
}
const Subject bay_4{.slot = "0", .array = "A", .bay = "1I:1:4"};

TEST(T08, EraseRunning) {
  const Finding found =
      only(healthy_but([](Controller& c) {
             c.unassigned_drives = {ssd("2I:1:1")};
             c.unassigned_drives[0].status = "Erase In Progress";
             c.unassigned_drives[0].extra.items = {{"Erase Percent Complete", "66%"}};
           }),
           "T08");
  EXPECT_EQ(found.severity, Severity::block);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .bay = "2I:1:1"}));
  EXPECT_THAT(found.evidence, HasSubstr("66%"));
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 pd 2I:1:1 modify stoperase"));
  EXPECT_THAT(findings_of(disk("Sanitize In Progress"), "T08"), SizeIs(1));
  expect_fine(disk("Erase Complete. Reenable Before Using."), "T08");
  expect_fine(healthy(), "T08");
  expect_unknown(disk({}), "T08",
                 ElementsAre("physical drive status (slot 0, array A, bay 1I:1:4)"));
}

TEST(T10, PredictiveModeAndADriveThatIsAboutToFail) {
  const auto early = [](Controller& c) {
    c.settings.spare_activation_mode = "Activate on predictive physical drive failure";
  };
  const Finding found = only(with(disk("Predictive Failure"), early), "T10");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, bay_4);
  EXPECT_THAT(commands(found),
              ElementsAre("ssacli ctrl slot=0 modify spareactivationmode=failure"));
  EXPECT_THAT(found.affects, HasSubstr("whole controller"));
  expect_fine(disk("Predictive Failure"), "T10");
  expect_fine(healthy_but(early), "T10");
}

TEST(T10, Unknown) {
  expect_unknown(with(disk("Predictive Failure"),
                      [](Controller& c) {
                        c.settings.spare_activation_mode.reset();
                        c.whole_block.reset();
                      }),
                 "T10", ElementsAre("spare activation mode (slot 0, array A, bay 1I:1:4)"));
  EXPECT_THAT(
      findings_of(with(disk("Predictive Failure"),
                       [](Controller& c) {
                         c.settings.spare_activation_mode.reset();
                         c.warnings = {
                             "Note: Predictive Spare Activation Mode is enabled, physical "
                             "drives that are in predictive failure state will not be used"};
                       }),
                  "T10"),
      SizeIs(1));
}

TEST(T11, PredictiveFailure) {
  const Finding found = only(disk("Predictive Failure"), "T11");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, bay_4);
  expect_fine(disk("Predictive Failure"), "T13");
  expect_fine(healthy(), "T11");
  expect_unknown(machine(status_only()), "T11", ElementsAre("physical drives (slot 0)"));
}

TEST(T13, FailedWithItsReason) {
  const Finding found = only(healthy_but([](Controller& c) {
                               c.arrays[0].physical_drives[3].status = "Failed";
                               c.arrays[0].physical_drives[3].last_failure_reason =
                                   "Init drive type mix";
                             }),
                             "T13");
  EXPECT_EQ(found.severity, Severity::block);
  EXPECT_EQ(found.subject, bay_4);
  EXPECT_THAT(found.evidence, HasSubstr("Last Failure Reason: Init drive type mix"));
  expect_fine(healthy(), "T13");
  expect_fine(disk("Rebuilding"), "T13");
  expect_unknown(disk({}), "T13",
                 ElementsAre("physical drive status (slot 0, array A, bay 1I:1:4)"));
}

}  // namespace
}  // namespace raidscope::testing
