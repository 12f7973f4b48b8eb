#include <gtest/gtest.h>

#include "reports/text.h"
#include "reports/text/layout.h"
#include "reports/words.h"
#include "tests/support/sample_runs.h"

namespace raidscope {
namespace {

TEST(RunsTable, HasARowAPointAndTheTag) {
  const ReportInput input = sample::report();
  const std::string text = runs_table(input.runs, {false, 140});
  for (const RunResult& run : input.runs) EXPECT_NE(text.find(run.run_id), std::string::npos);
  for (const char* part : {"random read 8K", "41,200", "322", "measured", "64", "interrupted",
                           "sparse", "measured on 07d5f3b19e4c", "cache on (protected)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(RunsTable, ADoubtOfSeveralRunsStandsOnce) {
  std::vector<RunResult> runs(6, sample::report().runs.front());
  for (std::size_t i = 0; i < runs.size(); ++i) {
    runs[i].run_id = "r" + std::to_string(i);
    runs[i].checks.suspicions = {"small"};
    if (i != 0) runs[i].checks.suspicions.emplace_back("noisy");
  }
  const std::string text = runs_table(runs, {false, 140});
  EXPECT_NE(text.find("small (all runs)\n"), std::string::npos) << text;
  EXPECT_NE(text.find("noisy (r1, r2, r3, r4 and 1 more)\n"), std::string::npos) << text;
}

TEST(RunsTable, FitsIts100Columns) {
  const std::string text = runs_table(sample::report().runs, {false, 100});
  const std::string heading = text.substr(0, text.find('\n'));
  EXPECT_LE(display_width(heading), 100U) << heading;
}

TEST(RunText, TellsEverythingBesideTheNumber) {
  const RunResult run = sample::report().runs.back();
  const std::string text = run_text(run, {false, 100});
  for (const char* part :
       {"measured", "p99.9", "64 KiB sequential write", "-kR -s30", "/data/test.dat",
        "ext4 > /dev/sda1 > /dev/sda", "controller 0, LD 1", "io_uring liburing 2.3",
        "the device's counters grew with ours", "CHANGED during the run", "c0ffee123456",
        "Little's law off by 0.6 %", "queue depth achieved 63.7 of 64", "bound 200,000 IOPS",
        "3.4 µs per I/O", "Interrupted", "sparse", "No steady state"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(RunText, ASimulatedNumberSaysSo) {
  RunResult run = sample::report().runs.front();
  run.origin = Origin::simulated;
  EXPECT_NE(run_text(run, {false, 100}).find("simulated: an emulated controller, not hardware"),
            std::string::npos);
  EXPECT_NE(runs_table({&run, 1}, {false, 140}).find("simulated"), std::string::npos);
}

TEST(RunText, ADriveThatIsNotDecidedSaysSo) {
  RunResult run = sample::report().runs.front();
  ASSERT_TRUE(run.inventory_before);
  run.inventory_before->fingerprint = run.inventory_before->tag = "";
  run.inventory_origin = "given";
  for (const std::string& text : {run_text(run, {false, 300}), runs_table({&run, 1}, {false, 300})})
    EXPECT_NE(text.find("undecided: which drive of the given inventory"), std::string::npos)
        << text;
  run.inventory_origin = "probed";
  const std::string text = runs_table({&run, 1}, {false, 300});
  EXPECT_NE(text.find("measured on undecided: no drive of the inventory"), std::string::npos)
      << text;
  EXPECT_NE(text.find("--logical-drive SLOT:NUMBER"), std::string::npos) << text;
}

TEST(RunText, TheNullEngineIsNoEmulatedController) {
  RunResult run = sample::report().runs.front();
  run.origin = Origin::simulated;
  run.engine.name = "null";
  const std::string text = run_text(run, {false, 300});
  EXPECT_EQ(text.find("emulated"), std::string::npos) << text;
  EXPECT_NE(text.find("simulated: the null engine moves no data"), std::string::npos) << text;
  for (const std::string& warning : run_warnings(run))
    EXPECT_EQ(warning.find("emulated"), std::string::npos) << warning;
}

TEST(RunText, UnknownIsAWord) {
  const std::string text = run_text(RunResult{}, {false, 100});
  for (const char* part : {"mean unknown", "unknown whether it stayed the same",
                           "controller unknown", "queue depth achieved unknown"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(ListText, HasALineARun) {
  EXPECT_EQ(list_text({}, {false, 100}), "No runs are stored yet.\n");
  RunListEntry entry{"1run",
                     "s1run",
                     "2026-01-15T10:00:00Z",
                     "random read",
                     Origin::imported,
                     "/data/test.dat",
                     "a41c6e90d2b8",
                     "a tag",
                     1234.5,
                     1e7};
  const std::string text = list_text({&entry, 1}, {false, 140});
  for (const char* part :
       {"1run", "s1run", "random read", "imported", "1,235", "/data/test.dat", "a tag"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(RunWarnings, AreEmptyForACleanRunAndCompleteForADoubtfulOne) {
  const ReportInput input = sample::report();
  EXPECT_TRUE(run_warnings(input.runs[6]).empty());
  EXPECT_EQ(run_warnings(input.runs[0]).size(), 1U) << "the error of the audit, not the warning";
  EXPECT_GE(run_warnings(input.runs.back()).size(), 4U);
}

TEST(RunWarnings, TrapsOfAWorkloadAreNotesAndNoWarnings) {
  RunResult run = sample::report().runs[6];
  run.workload.warnings = {"the study used a larger file"};
  EXPECT_TRUE(run_warnings(run).empty());
  EXPECT_EQ(run_notes(run).size(), 1U);
  EXPECT_NE(run_text(run, {false, 100}).find("note           the study used a larger file"),
            std::string::npos)
      << run_text(run, {false, 100});
}

TEST(GroupPoints, RepeatsAreOnePoint) {
  const ReportInput input = sample::report();
  const auto groups = group_points(input.runs);
  EXPECT_EQ(groups.size(), 6U);
  for (const PointGroup& group : groups) EXPECT_EQ(group.runs.size(), 2U);
}

TEST(TargetDrive, IsFoundByControllerAndNumber) {
  const Inventory inventory = sample::server();
  RunResult run = sample::report().runs.front();
  EXPECT_EQ(target_drive(run, inventory).drive->number, 1);
  run.target.controller = "7";
  EXPECT_EQ(target_drive(run, inventory).drive, nullptr);
  run.target.logical_drive.reset();
  EXPECT_EQ(target_drive(run, inventory).drive, nullptr);
}

}  // namespace
}  // namespace raidscope
