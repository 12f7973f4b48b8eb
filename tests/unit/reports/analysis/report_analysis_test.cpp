#include "reports/analysis/report_analysis.h"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "reports/analysis/level_interval.h"
#include "tests/support/sample_study.h"

namespace raidscope {
namespace {

bool has(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

ReportInput of(sample::Runs runs) {
  ReportInput out;
  out.runs = std::move(runs.runs);
  out.snapshots = std::move(runs.snapshots);
  return out;
}

bool one_sentence(const std::string& text) {
  return !text.empty() && text.back() == '.' && text.find('\n') == std::string::npos;
}

TEST(ReportVerdict, OfArmsSaysWhatToSetAndWhereTheyCross) {
  const ReportAnalysis analysis = analyse(sample::study());
  EXPECT_TRUE(one_sentence(analysis.verdict)) << analysis.verdict;
  ASSERT_FALSE(analysis.decision.workloads.empty());
  const auto swept =
      std::find_if(analysis.decision.workloads.begin(), analysis.decision.workloads.end(),
                   [](const auto& one) { return one.points.size() == 6; });
  ASSERT_NE(swept, analysis.decision.workloads.end());
  ASSERT_TRUE(swept->crossover);
  EXPECT_LT(*swept->crossover->low, 18);
  EXPECT_GT(*swept->crossover->high, 17);
  EXPECT_TRUE(has(analysis.verdict, "the two cross between")) << analysis.verdict;
  EXPECT_TRUE(has(analysis.verdict, "Smart Path served")) << analysis.verdict;
}

TEST(ReportVerdict, OfTwoArmsAtOneNumberOfDisks) {
  const ReportAnalysis analysis =
      analyse(of(sample::in_turn(sample::cached(), {50000, 50500, 49800, 50200},
                                 sample::bypassing(), {30000, 30500, 29900, 30100})));
  EXPECT_TRUE(has(analysis.verdict, "Use the controller's cache")) << analysis.verdict;
  EXPECT_TRUE(has(analysis.verdict, "with 8 disks Smart Path served 0.60×")) << analysis.verdict;
  EXPECT_TRUE(has(analysis.verdict, "at most 67 % of the requests can bypass the controller: "))
      << analysis.verdict;
}

TEST(ReportVerdict, FindingsOfTheLosingArmAndOfOtherDrivesStandInNobodysWay) {
  sample::Runs runs = sample::in_turn(sample::cached(), {50000, 50500, 49800, 50200},
                                      sample::bypassing(), {30000, 30500, 29900, 30100});
  const auto finding = [](const char* rule, std::int64_t drive) {
    Finding out;
    out.rule = rule;
    out.severity = Severity::error;
    out.subject.slot = "0";
    out.subject.logical_drive = drive;
    return out;
  };
  for (RunResult& run : runs.runs) {
    run.target.controller = "0";
    run.target.logical_drive = 1;
    const bool cached = run.iops > 40000;
    run.audit = {finding(cached ? "C12" : "S03", 1), finding("C09", 2)};
  }
  const std::string verdict = analyse(of(std::move(runs))).verdict;
  EXPECT_TRUE(has(verdict, "audit findings stand in the way: C12 (error).")) << verdict;
}

TEST(ReportVerdict, OfOneConfigurationIsItsBestResult) {
  sample::Runs runs;
  runs.add(sample::cached(), 41200, 1);
  const ReportAnalysis analysis = analyse(of(std::move(runs)));
  EXPECT_TRUE(one_sentence(analysis.verdict));
  EXPECT_TRUE(has(analysis.verdict, "41,200 IOPS")) << analysis.verdict;
  EXPECT_TRUE(has(analysis.verdict, "P420i fw 8.32")) << analysis.verdict;
  EXPECT_TRUE(analysis.settled);
  EXPECT_FALSE(analysis.comparison);
  EXPECT_TRUE(analysis.decision.workloads.empty());
}

TEST(ReportVerdict, UnknownAndFindingsAreSaid) {
  sample::Runs runs;
  RunResult& run = runs.add(sample::cached(), 41200, 1);
  run.inventory_before.reset();
  run.config_changed.reset();
  run.audit = {sample::finding("C09", Severity::error)};
  run.origin = Origin::simulated;
  run.interrupted = true;
  const ReportAnalysis analysis = analyse(of(std::move(runs)));
  EXPECT_FALSE(analysis.settled);
  for (const char* part : {"configuration that it was measured on is unknown", "C09 (error)",
                           "simulated", "1 of 1 runs is doubtful"})
    EXPECT_TRUE(has(analysis.verdict, part)) << part << ": " << analysis.verdict;
  EXPECT_TRUE(has(analyse(ReportInput{}).verdict, "no runs"));
}

TEST(ReportVerdict, ForeignOriginsAreNotHeldAgainstEachOther) {
  sample::Runs runs =
      sample::in_turn(sample::cached(), {50000, 50500}, sample::bypassing(), {30000, 30500});
  for (std::size_t i = 0; i < runs.runs.size(); i += 2) runs.runs[i].origin = Origin::imported;
  const ReportAnalysis analysis = analyse(of(std::move(runs)));
  EXPECT_FALSE(analysis.settled);
  EXPECT_FALSE(has(analysis.verdict, "the IOPS of")) << analysis.verdict;
}

TEST(LevelInterval, OfRepeatsElseOfTheRoundsOfOneRun) {
  sample::Runs runs;
  for (const double iops : {100.0, 110.0, 121.0}) runs.add(sample::cached(), iops, 1);
  std::vector<const RunResult*> all{&runs.runs[0], &runs.runs[1], &runs.runs[2]};
  const auto iops = [](const RunResult& run) { return std::optional(run.iops); };
  const auto of_round = [](const RoundResult& round) { return std::optional(round.iops); };
  const LevelInterval three = level_interval(all, iops, of_round);
  EXPECT_EQ(three.basis, IntervalBasis::repeats);
  EXPECT_NEAR(*three.estimate, 110, 1e-9);
  // Logarithms ln 1.1 apart: t(2 degrees, 97.5 %) = 4.3027, s = ln 1.1.
  const double half = 4.30265 * std::log(1.1) / std::sqrt(3.0);
  EXPECT_NEAR(*three.low, 110 * std::exp(-half), 1e-3);
  EXPECT_NEAR(*three.high, 110 * std::exp(half), 1e-3);
  const LevelInterval two = level_interval({all[0], all[1]}, iops, of_round);
  EXPECT_EQ(two.basis, IntervalBasis::none);
  EXPECT_FALSE(two.low);
  sample::add_rounds(runs.runs[0]);
  const LevelInterval one = level_interval({all[0]}, iops, of_round);
  EXPECT_EQ(one.basis, IntervalBasis::rounds);
  EXPECT_EQ(one.count, 5U);
  EXPECT_LT(*one.low, *one.high);
  EXPECT_EQ(level_interval({all[1]}, iops, of_round).basis, IntervalBasis::none);
}

TEST(BesideReferences, OnlyTheSameWorkloadAndWhatDiffersIsNamed) {
  const ReportInput input = sample::study();
  const auto rows = beside_references(input.runs, input.snapshots);
  // S1's sequential reads of 64 KiB at 8 outstanding: two of disks, one of SSDs.
  ASSERT_EQ(rows.size(), 3U);
  for (const ReferencePosition& row : rows) {
    EXPECT_EQ(row.name, "sequential read 64K");
    EXPECT_FALSE(row.reference->unknown.empty());
    EXPECT_NEAR(row.ratio, 14200 / *row.reference->iops, 1e-9);
  }
  EXPECT_EQ(rows.back().reference->id, "S1-c1");
  const auto& differs = rows.back().differs;
  EXPECT_TRUE(std::any_of(differs.begin(), differs.end(), [](const std::string& text) {
    return text.starts_with("raid: ") || text.starts_with("drives.model: ");
  }));
  EXPECT_EQ(claims_about(input.runs.front().workload).size(), 5U);
  EXPECT_TRUE(claims_about(input.runs.back().workload).empty());
}

}  // namespace
}  // namespace raidscope
