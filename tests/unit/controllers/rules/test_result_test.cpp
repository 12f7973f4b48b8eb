// The rules about results: each holds, does not, and lacks its fact.
#include "controllers/rules/measured_test.h"
#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

/// A result that no rule finds fault with.
MeasuredTest good_result() {
  MeasuredTest out;
  out.iops = 1000;
  out.bytes_per_s = 1000 * 4096;
  out.block_bytes = 4096;
  out.outstanding = 64;
  out.littles_law_pct = 0.5;
  out.steady = true;
  out.bound_iops = 1200;
  out.config_changed = false;
  return out;
}

PlannedTest on_the_drive() {
  PlannedTest out;
  out.slot = "0";
  out.drive = 1;
  return out;
}

struct Case {
  const char* rule;
  Severity severity;
  void (*spoil)(MeasuredTest& seen);
  const char* evidence;
  void (*forget)(MeasuredTest& seen);
  const char* missing;
};

const Case cases[] = {
    {"W06", Severity::warning,
     [](MeasuredTest& m) {
       m.steady = false;
       m.slope_pct = -14.2;
       m.excursion_pct = 31;
       m.window_s = 25;
     },
     "the slope is -14.2 % and the excursion 31.0 % of the mean over 25 s",
     [](MeasuredTest& m) { m.steady.reset(); }, "steady state"},
    {"W11", Severity::error,
     [](MeasuredTest& m) { m.above_bound = "2000 IOPS are above the physical bound of 1200"; },
     "above the physical bound of 1200", [](MeasuredTest& m) { m.bound_iops.reset(); },
     "a physical bound (--drive-iops or --drive-mbps gives one)"},
    {"W12", Severity::warning, [](MeasuredTest& m) { m.littles_law_pct = -10.1; },
     "57.5 outstanding, 64 were to be kept (-10 %)",
     [](MeasuredTest& m) { m.littles_law_pct.reset(); }, "mean latency"},
    {"W13", Severity::warning, [](MeasuredTest& m) { m.bytes_per_s = 1000 * 4096 * 1.048576; },
     "MB and MiB differ by as much", nullptr, nullptr},
    {"W17", Severity::error,
     [](MeasuredTest& m) {
       m.config_changed = true;
       m.changes = {"cache.status: ok → temporarily_disabled"};
     },
     "temporarily_disabled", [](MeasuredTest& m) { m.config_changed.reset(); },
     "configuration after the run"},
};

TEST(TestResults, EachRuleHoldsWhereItShouldAndNowhereElse) {
  const AuditReport good = audit_result(healthy(), on_the_drive(), good_result());
  EXPECT_EQ(good.verdict, Verdict::ok);
  EXPECT_THAT(good.findings, IsEmpty());
  EXPECT_THAT(good.not_evaluated, IsEmpty());
  for (const Case& one : cases) {
    MeasuredTest bad = good_result();
    one.spoil(bad);
    const AuditReport report = audit_result(healthy(), on_the_drive(), bad);
    ASSERT_THAT(report.findings, SizeIs(1)) << one.rule;
    const Finding& found = report.findings[0];
    EXPECT_EQ(found.rule, one.rule);
    EXPECT_EQ(found.severity, one.severity) << one.rule;
    EXPECT_THAT(found.evidence, HasSubstr(one.evidence)) << one.rule;
    EXPECT_THAT(found.fix, ::testing::Not(IsEmpty())) << one.rule;
    EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A", .logical_drive = 1})) << one.rule;
    if (one.forget == nullptr) continue;
    MeasuredTest unknown = good_result();
    one.forget(unknown);
    const AuditReport open = audit_result(healthy(), on_the_drive(), unknown);
    EXPECT_THAT(open.findings, IsEmpty()) << one.rule;
    EXPECT_THAT(missing_of(open, one.rule), ElementsAre(HasSubstr(one.missing))) << one.rule;
  }
}

TEST(TestResults, AnAuditWithoutAResultPassesThemBy) {
  const AuditReport report = audit(healthy(), on_the_drive());
  for (const Case& one : cases) {
    EXPECT_THAT(findings_of(report, one.rule), IsEmpty());
    EXPECT_THAT(missing_of(report, one.rule), IsEmpty());
  }
  // And a result asks nothing of the configuration: that was audited before.
  Inventory bad = healthy_but([](Controller& c) { c.cache.no_battery_write_cache = true; });
  EXPECT_THAT(audit_result(bad, on_the_drive(), good_result()).findings, IsEmpty());
}

TEST(TestResults, ALoadWithGapsIsNotHeldAgainstItsDepth) {
  MeasuredTest seen = good_result();
  seen.littles_law_pct = -60;
  seen.keeps_depth = false;
  EXPECT_THAT(audit_result(healthy(), {}, seen).findings, IsEmpty());
  seen.littles_law_pct.reset();
  EXPECT_THAT(audit_result(healthy(), {}, seen).not_evaluated, IsEmpty());
}

TEST(TestResults, WhatRoundingExplainsIsNoBrokenLaw) {
  MeasuredTest seen = good_result();
  seen.littles_law_pct = -40;
  seen.law_slack_down_pct = 35;
  EXPECT_THAT(audit_result(healthy(), {}, seen).findings, IsEmpty());
  seen.littles_law_pct = 12;
  EXPECT_THAT(findings_of(audit_result(healthy(), {}, seen), "W12"), SizeIs(1));
}

TEST(TestResults, SizesThatDifferSayNothingOfUnits) {
  MeasuredTest seen = good_result();
  seen.bytes_per_s *= 2;
  EXPECT_THAT(audit_result(healthy(), {}, seen).findings, SizeIs(1));
  seen.block_bytes.reset();
  EXPECT_THAT(audit_result(healthy(), {}, seen).findings, IsEmpty());
}

TEST(TestResults, WhatWasNotVerifiedIsNamed) {
  MeasuredTest seen = good_result();
  seen.config_changed.reset();
  seen.unverified = {"cache.ratio", "settings"};
  EXPECT_THAT(missing_of(audit_result(healthy(), on_the_drive(), seen), "W17"),
              ElementsAre(HasSubstr("cache.ratio, settings after the run")));
}

}  // namespace
}  // namespace raidscope::testing
