#include "tests/unit/reports/imports/import_testing.h"

namespace raidscope {
namespace {

using namespace testing;

const std::string two_runs = R"(C:\tools>sqlio -kR -s20 -frandom -b64 -t4 -o16 -LS -BN E:\probe.dat
sqlio v1.5.SG
using system counter for latency timings, 2539060 counts per second
4 threads reading for 20 secs from file E:\probe.dat
	using 64KB random IOs
	enabling multiple I/Os per thread with 16 outstanding
	buffering set to not use file nor disk caches (as is SQL Server)
using specified size: 4096 MB for file: E:\probe.dat
initialization done
CUMULATIVE DATA:
throughput metrics:
IOs/sec:  9876.54
MBs/sec:   617.28
latency metrics:
Min_Latency(ms): 1
Avg_Latency(ms): 5
Max_Latency(ms): 88
histogram:
ms: 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24+
%:  0  2  4  9 20 25 20 10  5  3  1  1  0  0  0  0  0  0  0  0  0  0  0  0  0

C:\tools>sqlio -kW -s20 -fsequential -b8 -t2 E:\probe.dat F:\probe.dat
sqlio v1.5.SG
2 threads writing for 20 secs to files E:\probe.dat F:\probe.dat
	using 8KB sequential IOs
using current size: 4096 MB for file: E:\probe.dat
using current size: 2048 MB for file: F:\probe.dat
initialization done
CUMULATIVE DATA:
throughput metrics:
IOs/sec:  1000.00
MBs/sec:     7.81
)";

TEST(ImportSqlio, EveryRunOfAFileWithItsOwnCommand) {
  const ImportedFile file = imported(two_runs, "sqlio");
  ASSERT_EQ(file.runs.size(), 2U);
  EXPECT_TRUE(file.notes.empty());
  const RunResult& run = file.runs[0];
  EXPECT_EQ(run.origin, Origin::imported);
  EXPECT_EQ(run.engine.name, "sqlio");
  EXPECT_EQ(run.engine.version, "v1.5.SG");
  const Workload& w = run.workload;
  EXPECT_EQ(w.pattern, Pattern::random);
  EXPECT_EQ(w.block_bytes, std::vector<std::uint64_t>{65536});
  EXPECT_EQ(w.read_percent, 100);
  EXPECT_EQ(w.workers, 4U);
  EXPECT_EQ(w.queue_depth_per_worker, 16U);
  EXPECT_EQ(w.outstanding_total, 64U);
  EXPECT_EQ(w.duration_s, 20);
  EXPECT_EQ(w.area_bytes, 4096ULL << 20U);
  EXPECT_EQ(w.sync, Sync::write_through);
  EXPECT_TRUE(w.direct);
  EXPECT_EQ(run.target.path, "E:\\probe.dat");
  EXPECT_EQ(run.target.size_bytes, 4096ULL << 20U);
  EXPECT_TRUE(w.source.starts_with("sqlio -kR -s20 -frandom -b64 -t4 -o16 -LS -BN E:\\probe.dat"));
  EXPECT_NE(w.source.find("MBs/sec: 617.28"), std::string::npos);
  EXPECT_NE(w.source.find("ms: 0 1 2"), std::string::npos);

  const Workload& second = file.runs[1].workload;
  EXPECT_EQ(second.pattern, Pattern::sequential);
  EXPECT_EQ(second.cursor, SequentialCursor::shared);
  EXPECT_EQ(second.read_percent, 0);
  EXPECT_EQ(second.targets, (std::vector<std::string>{"E:\\probe.dat", "F:\\probe.dat"}));
  // Without -o a thread has one I/O in flight, whatever the number of files.
  EXPECT_TRUE(second.depth_over_targets);
  EXPECT_EQ(second.outstanding_total, 2U);
  EXPECT_TRUE(one_has(second.warnings, "writes zeros"));
}

TEST(ImportSqlio, RatesAreExactAndMegabytesAreBinary) {
  const ImportedFile file = imported(two_runs, "sqlio");
  ASSERT_EQ(file.runs.size(), 2U);
  EXPECT_DOUBLE_EQ(file.runs[0].iops, 9876.54);
  EXPECT_DOUBLE_EQ(file.runs[0].bytes_per_s, 9876.54 * 65536);
  EXPECT_TRUE(file.runs[0].checks.valid);
  EXPECT_FALSE(file.runs[0].read.ios) << "only the rate is told";
  EXPECT_EQ(file.runs[0].write.ios, 0U);
  const ImportedFile changed = imported(replaced(two_runs, "617.28", "647.25"), "sqlio");
  EXPECT_FALSE(changed.runs.at(0).checks.valid) << "decimal megabytes do not fit";
}

TEST(ImportSqlio, TheTruncatedMeanStandsBesideLittlesLaw) {
  const RunResult run = imported(two_runs, "sqlio").runs.at(0);
  // 64 outstanding / 9876.54 a second.
  EXPECT_NEAR(run.latency_us.mean.value_or(0), 6480.0, 0.1);
  EXPECT_NEAR(run.checks.littles_law_pct.value_or(0), (5 / 6.48 - 1) * 100, 0.01);
  EXPECT_TRUE(one_has(run.workload.warnings, "printed an Avg_Latency of 5 ms"));
  EXPECT_TRUE(one_has(run.workload.warnings, "truncates"));
  EXPECT_TRUE(run.checks.suspicions.empty());
  EXPECT_FALSE(run.latency_us.p50);
  EXPECT_FALSE(run.latency_us.p99);
  EXPECT_FALSE(run.latency_us.stddev);
  EXPECT_EQ(run.latency_us.max, 88000);
  // What truncation does not explain is said.
  const RunResult odd =
      imported(replaced(two_runs, "Avg_Latency(ms): 5", "Avg_Latency(ms): 9"), "sqlio").runs.at(0);
  EXPECT_TRUE(one_has(odd.checks.suspicions, "Little's law"));
}

TEST(ImportSqlio, TextOfWindowsInAnyEncoding) {
  const std::string windows = replaced(two_runs, "\n", "\r\n");
  const auto plain = imported(two_runs, "sqlio").runs;
  for (const std::string& text : {windows, as_utf16(windows, false), as_utf16(windows, true),
                                  "\xEF\xBB\xBF" + windows, as_utf16(windows, false).substr(2)}) {
    EXPECT_EQ(imported(text, "sqlio").runs, plain);
  }
}

TEST(ImportSqlio, AParameterFileGivesEachFileItsThreads) {
  const ImportedFile file = imported(R"(ComputerName: EXAMPLE
Date: 03/04/2012
sqlio v1.5.SG
parameter file used: G:\param.txt
	file G:\my data\a.dat with 8 threads (0-7) using mask 0x0 (0)
	file H:\b.dat with 1 thread (8) using mask 0x0 (0)
9 threads reading for 15 secs from files G:\my data\a.dat H:\b.dat
	using 8KB random IOs
	enabling multiple I/Os per thread with 4 outstanding
	buffering set to use hardware disk cache (but not file cache)
using specified size: 100 MB for file: G:\my data\a.dat
using specified size: 50 MB for file: H:\b.dat
initialization done
CUMULATIVE DATA:
throughput metrics:
IOs/sec: 3000.00
MBs/sec:    23.43
)",
                                     "sqlio");
  ASSERT_EQ(file.runs.size(), 1U);
  const Workload& w = file.runs[0].workload;
  EXPECT_EQ(w.targets, (std::vector<std::string>{"G:\\my data\\a.dat", "H:\\b.dat"}));
  ASSERT_EQ(w.groups.size(), 2U);
  EXPECT_EQ(w.groups[0], (WorkerGroup{8, 4, {0}}));
  EXPECT_EQ(w.groups[1], (WorkerGroup{1, 4, {1}}));
  EXPECT_EQ(w.outstanding_total, 36U);
  EXPECT_EQ(w.sync, Sync::none) << "-BH";
  EXPECT_NE(w.source.find("ComputerName: EXAMPLE"), std::string::npos);
  EXPECT_FALSE(file.runs[0].started_at) << "a date of no stated form or zone";
}

TEST(ImportSqlio, AStrideIsOne) {
  std::string text = replaced(two_runs, "using 64KB random IOs",
                              "using 64KB IOs over 4096KB stripes with 64 IOs per run");
  const Workload w = imported(text, "sqlio").runs.at(0).workload;
  EXPECT_EQ(w.pattern, Pattern::sequential);
  EXPECT_EQ(w.stride_bytes, 4096U * 1024);
  EXPECT_EQ(w.area_bytes, 0U) << "the rows are not printed";
}

TEST(ImportSqlio, UnfinishedRunsAreLeftOutByLine) {
  const std::size_t second = two_runs.rfind("IOs/sec");
  const ImportedFile file = imported(two_runs.substr(0, second), "sqlio");
  ASSERT_EQ(file.runs.size(), 1U);
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_EQ(file.notes[0].line, 23U);
  EXPECT_NE(file.notes[0].text.find("not finished"), std::string::npos);
  // A number that the end of the file cut is another number.
  EXPECT_EQ(imported(two_runs.substr(0, second + 11), "sqlio").runs.size(), 1U);
  // Cut inside the first run's histogram: nothing is left.
  const std::string cut = two_runs.substr(0, two_runs.find("%:  0"));
  EXPECT_NE(refusal(cut).find("results:2"), std::string::npos) << refusal(cut);
}

TEST(ImportSqlio, WhatIsWrongIsNamedByLine) {
  EXPECT_NE(refusal(replaced(two_runs, "9876.54", "many")).find("results:12"), std::string::npos);
  EXPECT_NE(refusal(replaced(two_runs, "using 64KB random", "using xKB random")).find("results:5"),
            std::string::npos);
  EXPECT_NE(refusal("no result at all\n").find("results:1"), std::string::npos);
  EXPECT_NE(refusal("").find("empty"), std::string::npos);
}

const std::string strides = R"(C:\tools>sqlio -kR -s20 -f64 -i32 -b8 -t2 -S100 -BH E:\probe.dat
sqlio v1.5.SG
2 threads reading for 20 secs from file E:\probe.dat
	using 8KB IOs over 512KB stripes with 32 IOs per run
using current size: 4096 MB for file: E:\probe.dat
initialization done
CUMULATIVE DATA:
throughput metrics:
IOs/sec:  1000.00
MBs/sec:     7.81
)";

TEST(ImportSqlio, TheCommandTellsWhatTheOutputDoesNot) {
  const Workload w = imported(strides, "sqlio").runs.at(0).workload;
  EXPECT_EQ(w.stride_bytes, 512U << 10U) << "the output's";
  EXPECT_EQ(w.base_bytes, 100U * 8192) << "-S";
  EXPECT_EQ(w.area_bytes, 32ULL * 64 * 8192) << "-i rows of -f blocks";
  EXPECT_FALSE(one_has(w.warnings, "could not be read"));
  // Without the command neither is known.
  const Workload bare =
      imported(strides.substr(strides.find("sqlio v1.5")), "sqlio").runs.at(0).workload;
  EXPECT_EQ(bare.base_bytes, 0U);
  EXPECT_EQ(bare.area_bytes, 0U);
}

TEST(ImportSqlio, ACommandThatIsNotTheOutputsIsNotTaken) {
  const struct {
    const char *what, *by, *warning;
  } wrong[] = {{"-b8 ", "-b16 ", "a block of 16384 bytes, not 8192"},
               {"-kR", "-kW", "0 % reads, not 100"},
               {"-t2", "-t4", "4 outstanding"},
               {"-kR", "-kX", "could not be read"}};
  for (const auto& [what, by, warning] : wrong) {
    const Workload w = imported(replaced(strides, what, by), "sqlio").runs.at(0).workload;
    EXPECT_TRUE(one_has(w.warnings, warning)) << warning;
    EXPECT_EQ(w.base_bytes, 0U) << warning;
    EXPECT_EQ(w.block_bytes, std::vector<std::uint64_t>{8192}) << warning;
    EXPECT_EQ(w.read_percent, 100) << warning;
    EXPECT_EQ(w.workers, 2U) << warning;
    EXPECT_NE(w.source.find(by), std::string::npos) << "it stays in the source";
  }
}

}  // namespace
}  // namespace raidscope
