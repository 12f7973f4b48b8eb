#include "tests/unit/reports/imports/import_testing.h"

namespace raidscope {
namespace {

using namespace testing;

/// A test of the old header: no bins, bare MBps.
std::string old_test(const std::string& rows) {
  return R"('Test Type,Test Description
0,first try
'Version
2006.07.27
'Time Stamp
2012-03-04 10:11:12:345
'Access specifications
'Access specification name,default assignment
two thirds,0
'size,% of size,% reads,% random,delay,burst,align,reply
4096,100,67,100,0,1,0,0,
'End access specifications
'Results
'Target Type,Target Name,Access Specification Name,# Managers,# Workers,# Disks,IOps,Read IOps,Write IOps,MBps,Read MBps,Write MBps,Transactions per Second,Connections per Second,Average Response Time,Average Read Response Time,Average Write Response Time,Average Transaction Time,Average Connection Time,Maximum Response Time,Maximum Read Response Time,Maximum Write Response Time,Maximum Transaction Time,Maximum Connection Time,Errors,Read Errors,Write Errors,Bytes Read,Bytes Written,Read I/Os,Write I/Os,Connections,Transactions per Connection,Starting Sector,Maximum Size,Queue Depth,% CPU Utilization
)" + rows +
         "'Time Stamp\n2012-03-04 10:12:12:345\n";
}

const std::string all_row =
    "ALL,All,two thirds,1,2,2,6000.000000,4000.000000,2000.000000,23.437500,15.625000,7.812500,"
    "6000.000000,0.000000,21.300000,20.000000,23.900000,0.000000,0.000000,190.500000,180.250000,"
    "190.500000,0.000000,0.000000,0,0,0,983040000,491520000,240000,120000,0,-1,0,10000000,64,12."
    "5\n";
const std::string worker_rows =
    "MANAGER,EXAMPLE,,,2,2,6000.0\nPROCESSOR,CPU 0,,,,,,\n"
    "WORKER,Worker 1,two "
    "thirds,,,1,3000.0,2000.0,1000.0,,,,,,,,,,,,,,,,0,0,0,0,0,0,0,0,0,0,10000000,64,\n"
    "DISK,D:,,,,,3000.0,2000.0,1000.0,,,,,,,,,,,,,,,,0,0,0,0,0,0,0,0,0,0,10000000,64,\n"
    "WORKER,Worker 2,two "
    "thirds,,,1,3000.0,2000.0,1000.0,,,,,,,,,,,,,,,,0,0,0,0,0,0,0,0,0,0,10000000,64,\n"
    "DISK,D:,,,,,3000.0,2000.0,1000.0,,,,,,,,,,,,,,,,0,0,0,0,0,0,0,0,0,0,10000000,64,\n";

TEST(ImportIometer, ATestIsItsAllRow) {
  const ImportedFile file = imported(old_test(all_row + worker_rows), "iometer");
  ASSERT_EQ(file.runs.size(), 1U);
  const RunResult& run = file.runs[0];
  EXPECT_EQ(run.engine.version, "2006.07.27");
  EXPECT_DOUBLE_EQ(run.iops, 6000);
  EXPECT_DOUBLE_EQ(run.read.iops, 4000);
  EXPECT_DOUBLE_EQ(run.bytes_per_s, 6000.0 * 4096) << "a bare MB is 2^20 bytes";
  EXPECT_TRUE(run.checks.valid) << run.checks.suspicions.size();
  EXPECT_EQ(run.read.ios, 240000U);
  EXPECT_DOUBLE_EQ(run.latency_us.mean.value_or(0), 21300);
  EXPECT_DOUBLE_EQ(run.latency_us.max.value_or(0), 190500);
  EXPECT_DOUBLE_EQ(run.write.latency_us.mean.value_or(0), 23900);
  EXPECT_FALSE(run.latency_us.p50);
  EXPECT_FALSE(run.started_at) << "a local time of no stated zone";
  const Workload& w = run.workload;
  EXPECT_EQ(w.workers, 2U);
  EXPECT_EQ(w.queue_depth_per_worker, 64U);
  EXPECT_EQ(w.targets, std::vector<std::string>{"D:"});
  EXPECT_EQ(w.outstanding_total, 128U) << "per worker per target";
  EXPECT_TRUE(w.groups.empty());
  EXPECT_EQ(w.read_percent, 67);
  EXPECT_EQ(w.pattern, Pattern::random);
  EXPECT_EQ(w.block_bytes, std::vector<std::uint64_t>{4096});
  EXPECT_EQ(w.alignment_bytes, 512U) << "align 0 is a sector";
  EXPECT_TRUE(one_has(w.warnings, "sector of 512 bytes"));
  EXPECT_EQ(w.area_bytes, 10'000'000ULL * 512);
  EXPECT_DOUBLE_EQ(w.duration_s, 60);
  EXPECT_EQ(run.target.kind, "block");
  EXPECT_EQ(run.name, "first try: two thirds");
  EXPECT_NE(w.source.find("2012-03-04 10:11:12:345"), std::string::npos);
  EXPECT_NEAR(run.checks.littles_law_pct.value_or(99), (6000 * 0.0213 / 128 - 1) * 100, 1e-6);
  EXPECT_TRUE(run.checks.suspicions.empty());
}

TEST(ImportIometer, ColumnsAreFoundByName) {
  const std::string text =
      R"('Target Type,Target Name,Access Specification Name,Write IOps,Read IOps,IOps,MBps (Decimal),MiBps (Binary),Average Response Time,Maximum Response Time,# Disks,# Workers,Queue Depth,Bytes Read,Bytes Written,Read I/Os,Write I/Os,0 to 50 uS,50 to 100 uS,2 to 4.7 S,>= 10 S
ALL,All,plain,0,2000,2000,16.384,15.625,4.0,12000.0,2,2,4,163840000,0,20000,0,15000,4998,0,0
)";
  const RunResult run = imported(text, "iometer").runs.at(0);
  EXPECT_DOUBLE_EQ(run.iops, 2000);
  EXPECT_DOUBLE_EQ(run.bytes_per_s, 2000.0 * 8192);
  EXPECT_EQ(run.workload.block_bytes, std::vector<std::uint64_t>{8192});
  EXPECT_TRUE(one_has(run.workload.warnings, "does not hold the access specification"));
  EXPECT_EQ(run.workload.outstanding_total, 8U);
  EXPECT_TRUE(one_has(run.checks.suspicions, "2 I/Os are in no bin"));
  EXPECT_FALSE(run.latency_us.p99);
}

TEST(ImportIometer, DecimalMegabytesWhereTheHeaderSaysSo) {
  const std::string text =
      "'Target Type,Target Name,IOps,Read IOps,Write IOps,MBps (Decimal),Read MBps (Decimal),Write "
      "MBps (Decimal)\n"
      "ALL,All,1000,1000,0,4.096,4.096,0\n";
  EXPECT_NEAR(imported(text, "iometer").runs.at(0).bytes_per_s, 4'096'000, 1e-6);
}

TEST(ImportIometer, WorkersThatDiffer) {
  std::string rows = replaced(all_row, ",64,12.5", ",-1,12.5") + worker_rows;
  rows.replace(rows.rfind("10000000,64"), 11, "10000000,16");  // the second worker's disk
  const std::size_t worker = rows.find("WORKER,Worker 2");
  rows.replace(rows.find("10000000,64", worker), 11, "10000000,16");
  const RunResult run = imported(old_test(rows), "iometer").runs.at(0);
  ASSERT_EQ(run.workload.groups.size(), 2U);
  EXPECT_EQ(run.workload.groups[0], (WorkerGroup{1, 64, {0}}));
  EXPECT_EQ(run.workload.groups[1], (WorkerGroup{1, 16, {0}}));
  EXPECT_EQ(run.workload.outstanding_total, 80U);
  EXPECT_TRUE(one_has(run.workload.warnings, "-1"));
}

TEST(ImportIometer, SeveralTestsAndAbortedOnes) {
  const std::string good = old_test(all_row + worker_rows);
  const std::string aborted = old_test("Aborted test\n");
  const ImportedFile file =
      imported(good + aborted + replaced(good, "first try", "again"), "iometer");
  ASSERT_EQ(file.runs.size(), 2U);
  EXPECT_EQ(file.runs[1].name, "again: two thirds");
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_NE(file.notes[0].text.find("Aborted"), std::string::npos);
  EXPECT_NE(refusal(aborted).find("Aborted"), std::string::npos);
}

TEST(ImportIometer, PaddedBySpreadsheets) {
  std::string text =
      replaced(replaced(old_test(all_row + worker_rows), "'Version\n", "'Version,,,,\n"),
               "'Results\n", "'Results,,,\r\n");
  EXPECT_EQ(imported(text, "iometer").runs.size(), 1U);
  EXPECT_EQ(imported(as_utf16(text, false), "iometer").runs, imported(text, "iometer").runs);
}

TEST(ImportIometer, WhatIsWrongIsNamedByLine) {
  EXPECT_NE(
      refusal(old_test(replaced(all_row, "6000.000000,4000", "fast,4000"))).find("results:15"),
      std::string::npos);
  EXPECT_NE(refusal(old_test("ALL,All,two thirds,1,2\n")).find("results:15"), std::string::npos);
  EXPECT_NE(
      refusal(replaced(old_test(all_row), "4096,100,67", "4096,100,sixty")).find("results:11"),
      std::string::npos);
  EXPECT_NE(refusal(replaced(old_test(all_row), "Read IOps", "Reads")).find("results:14"),
            std::string::npos);
  EXPECT_NE(refusal(old_test("")).find("ALL"), std::string::npos);
  const std::string cut = old_test(all_row);
  EXPECT_NE(refusal(cut.substr(0, cut.find("21.300"))).find("results:15"), std::string::npos);
}

TEST(ImportIometer, NumbersBeyondAllMeasureOverflowNothing) {
  const std::string huge = "100000000000000000000000000000";
  std::string rows = all_row + worker_rows;
  for (const std::string& number : {std::string(",10000000,64,"), std::string("983040000")}) {
    for (std::size_t at = rows.find(number); at != std::string::npos; at = rows.find(number, at)) {
      const std::string put = number[0] == ',' ? "," + huge + "," + huge + "," : huge;
      rows.replace(at, number.size(), put);
      at += put.size();
    }
  }
  const ImportedFile file = imported(old_test(rows), "iometer");
  ASSERT_EQ(file.runs.size(), 1U);
  EXPECT_EQ(file.runs[0].workload.queue_depth_per_worker, 1'000'000U);
  EXPECT_EQ(file.runs[0].workload.area_bytes, 0U) << "no size of a disk";
}

TEST(ImportIometer, ErrorsMakeAResultInvalid) {
  const RunResult run =
      imported(old_test(replaced(all_row, ",0,0,0,983040000", ",3,3,0,983040000")), "iometer")
          .runs.at(0);
  EXPECT_FALSE(run.checks.valid);
}

}  // namespace
}  // namespace raidscope
