#include "tests/unit/reports/imports/import_testing.h"

namespace raidscope {
namespace {

using namespace testing;

const std::string xml = R"(<Results>
 <System>
  <ComputerName>EXAMPLE</ComputerName>
  <Tool><Version>2.2.0</Version><VersionDate>2024/1/1</VersionDate></Tool>
  <RunTime>2024/05/06 07:08:09 UTC</RunTime>
 </System>
 <Profile>
  <Progress>0</Progress>
  <TimeSpans>
   <TimeSpan>
    <Duration>10</Duration><Warmup>3</Warmup><Cooldown>1</Cooldown><ThreadCount>0</ThreadCount><RequestCount>0</RequestCount>
    <RandSeed>7</RandSeed>
    <Targets>
     <Target>
      <Path>E:\a &amp; b.dat</Path>
      <BlockSize>8192</BlockSize><BaseFileOffset>0</BaseFileOffset>
      <DisableOSCache>true</DisableOSCache><WriteThrough>true</WriteThrough>
      <WriteBufferContent><Pattern>sequential</Pattern></WriteBufferContent>
      <Random>8192</Random><StrideSize>65536</StrideSize><RequestCount>4</RequestCount><WriteRatio>25</WriteRatio>
      <ThreadsPerFile>2</ThreadsPerFile>
     </Target>
    </Targets>
   </TimeSpan>
  </TimeSpans>
 </Profile>
 <TimeSpan>
  <TestTimeSeconds>10.00</TestTimeSeconds><ThreadCount>2</ThreadCount>
  <Latency>
   <AverageReadMilliseconds>0.750</AverageReadMilliseconds><ReadLatencyStdev>0.2</ReadLatencyStdev>
   <AverageWriteMilliseconds>0.950</AverageWriteMilliseconds><WriteLatencyStdev>0.3</WriteLatencyStdev>
   <AverageTotalMilliseconds>0.800</AverageTotalMilliseconds><LatencyStdev>0.25</LatencyStdev>
   <Bucket><Percentile>0</Percentile><ReadMilliseconds>0.1</ReadMilliseconds><WriteMilliseconds>0.2</WriteMilliseconds><TotalMilliseconds>0.1</TotalMilliseconds></Bucket>
   <Bucket><Percentile>50</Percentile><ReadMilliseconds>0.7</ReadMilliseconds><WriteMilliseconds>0.9</WriteMilliseconds><TotalMilliseconds>0.75</TotalMilliseconds></Bucket>
   <Bucket><Percentile>99.9</Percentile><ReadMilliseconds>3</ReadMilliseconds><WriteMilliseconds>4</WriteMilliseconds><TotalMilliseconds>3.5</TotalMilliseconds></Bucket>
   <Bucket><Percentile>99.99</Percentile><ReadMilliseconds>5</ReadMilliseconds><WriteMilliseconds>6</WriteMilliseconds><TotalMilliseconds>5.5</TotalMilliseconds></Bucket>
   <Bucket><Percentile>100</Percentile><ReadMilliseconds>9</ReadMilliseconds><WriteMilliseconds>8</WriteMilliseconds><TotalMilliseconds>9</TotalMilliseconds></Bucket>
  </Latency>
  <Iops><Bucket SampleMillisecond="1000" Read="7500" Write="2500" Total="10000"/><Bucket SampleMillisecond="2000" Read="7500" Write="2500" Total="9000.5"/></Iops>
  <Thread><Id>0</Id><Target><Path>E:\a &amp; b.dat</Path><BytesCount>409600000</BytesCount><FileSize>1073741824</FileSize><IOCount>50000</IOCount><ReadBytes>307200000</ReadBytes><ReadCount>37500</ReadCount><WriteBytes>102400000</WriteBytes><WriteCount>12500</WriteCount></Target></Thread>
  <Thread><Id>1</Id><Target><Path>E:\a &amp; b.dat</Path><BytesCount>401408000</BytesCount><FileSize>1073741824</FileSize><IOCount>49000</IOCount><ReadBytes>301056000</ReadBytes><ReadCount>36750</ReadCount><WriteBytes>100352000</WriteBytes><WriteCount>12250</WriteCount></Target></Thread>
 </TimeSpan>
</Results>
)";

TEST(ImportDiskspd, TotalsAreSummedOverThreadsAndTargets) {
  const ImportedFile file = imported(xml, "diskspd");
  ASSERT_EQ(file.runs.size(), 1U);
  const RunResult& run = file.runs[0];
  EXPECT_EQ(run.engine.version, "2.2.0");
  EXPECT_DOUBLE_EQ(run.iops, 9900);
  EXPECT_EQ(run.read.ios, 74250U);
  EXPECT_EQ(run.write.ios, 24750U);
  EXPECT_DOUBLE_EQ(run.bytes_per_s, 9900.0 * 8192);
  EXPECT_DOUBLE_EQ(run.latency_us.mean.value_or(0), 800);
  EXPECT_DOUBLE_EQ(run.latency_us.p50.value_or(0), 750);
  EXPECT_DOUBLE_EQ(run.latency_us.max.value_or(0), 9000);
  EXPECT_DOUBLE_EQ(run.write.latency_us.p99_9.value_or(0), 4000);
  EXPECT_FALSE(run.latency_us.p99) << "not in the file";
  EXPECT_FALSE(run.latency_us.p99_99) << "below 100,000 I/Os";
  EXPECT_EQ(run.started_at, "2024-05-06T07:08:09Z");
  EXPECT_EQ(run.target.size_bytes, 1U << 30U);
  EXPECT_EQ(run.target.path, "E:\\a & b.dat");
  const Workload& w = run.workload;
  EXPECT_EQ(w.pattern, Pattern::random);
  EXPECT_EQ(w.alignment_bytes, 8192U);
  EXPECT_EQ(w.read_percent, 75);
  EXPECT_EQ(w.workers, 2U);
  EXPECT_EQ(w.outstanding_total, 8U);
  EXPECT_EQ(w.ramp_s, 3);
  EXPECT_EQ(w.cooldown_s, 1);
  EXPECT_EQ(w.seed, 7U);
  EXPECT_EQ(w.sync, Sync::write_through);
  EXPECT_TRUE(w.direct);
  EXPECT_TRUE(one_has(w.warnings, "256 bytes"));
  EXPECT_NEAR(run.checks.littles_law_pct.value_or(99), (9900 * 0.0008 / 8 - 1) * 100, 1e-6);
  ASSERT_EQ(run.series.size(), 2U);
  EXPECT_EQ(run.series[1].ios, 9001U);
  EXPECT_DOUBLE_EQ(run.series[1].t, 2);
}

TEST(ImportDiskspd, WithoutLatencyItIsUnknown) {
  std::string text = xml;
  text.erase(text.find("<Latency>"), text.find("</Latency>") + 10 - text.find("<Latency>"));
  const RunResult run = imported(text, "diskspd").runs.at(0);
  EXPECT_EQ(run.latency_us, LatencySummary{});
  EXPECT_FALSE(run.checks.littles_law_pct);
  EXPECT_TRUE(one_has(run.workload.warnings, "-L"));
}

TEST(ImportDiskspd, FromPowershell) {
  const std::string windows = replaced(xml, "\n", "\r\n");
  EXPECT_EQ(imported(as_utf16(windows, false), "diskspd").runs, imported(xml, "diskspd").runs);
}

TEST(ImportDiskspd, WhatIsWrongIsNamedByLine) {
  EXPECT_NE(refusal(xml.substr(0, xml.find("</Latency>"))).find("results:3"), std::string::npos)
      << refusal(xml.substr(0, xml.find("</Latency>")));
  EXPECT_NE(refusal(replaced(xml, "<TestTimeSeconds>10.00", "<TestTimeSeconds>ten"))
                .find("TestTimeSeconds"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(xml, "<ReadCount>36750", "<ReadCount>-1")).find("ReadCount"),
            std::string::npos);
  EXPECT_NE(refusal("<Results></Results>").find("TimeSpan"), std::string::npos);
}

const std::string text_result = R"(
Command Line: diskspd.exe -b8K -d10 -o4 -t2 -r -w25 -L -Sh E:\a.dat

Input parameters:

	timespan:   1
	-------------
	duration: 10s
	warm up time: 5s
	cool down time: 0s
	measuring latency
	random seed: 0
	path: 'E:\a.dat'
		think time: 0ms
		burst size: 0
		software cache disabled
		hardware write cache disabled, writethrough on
		performing mix test (read/write ratio: 75/25)
		block size: 8KiB
		using random I/O (alignment: 8KiB)
		number of outstanding I/O operations per thread: 4
		threads per file: 2
		IO priority: normal

Results for timespan 1:
*******************************************************************************

actual test time:	10.00s
thread count:		2
proc count:		4

CPU |  Usage |  User  |  Kernel |  Idle
-------------------------------------------
   0|  12.50%|   2.50%|   10.00%|  87.50%
-------------------------------------------
avg.|  12.50%|   2.50%|   10.00%|  87.50%

Total IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
-----------------------------------------------------------------------------------------------------
     0 |       409600000 |        50000 |      39.06 |    5000.00 |    0.790 |     0.250 | E:\a.dat (1024MiB)
     1 |       401408000 |        49000 |      38.28 |    4900.00 |    0.810 |     0.250 | E:\a.dat (1024MiB)
-----------------------------------------------------------------------------------------------------
total:         811008000 |        99000 |      77.34 |    9900.00 |    0.800 |     0.250

Read IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
-----------------------------------------------------------------------------------------------------
total:         608256000 |        74250 |      58.01 |    7425.00 |    0.750 |     0.200

Write IO
thread |       bytes     |     I/Os     |    MiB/s   |  I/O per s |  AvgLat  | LatStdDev |  file
-----------------------------------------------------------------------------------------------------
total:         202752000 |        24750 |      19.34 |    2475.00 |    0.950 |     0.300


  %-ile |  Read (ms) | Write (ms) | Total (ms)
----------------------------------------------
    min |      0.100 |      0.200 |      0.100
   25th |      0.600 |      0.800 |      0.650
   50th |      0.700 |      0.900 |      0.750
   99th |      2.000 |        N/A |      2.500
3-nines |      3.000 |      4.000 |      3.500
4-nines |      5.000 |      6.000 |      5.500
    max |      9.000 |      8.000 |      9.000
)";

TEST(ImportDiskspdText, SaysWhatTheXmlSays) {
  const ImportedFile file = imported(text_result, "diskspd_text");
  ASSERT_EQ(file.runs.size(), 1U);
  const RunResult& run = file.runs[0];
  EXPECT_DOUBLE_EQ(run.iops, 9900);
  EXPECT_DOUBLE_EQ(run.bytes_per_s, 9900.0 * 8192);
  EXPECT_EQ(run.read.ios, 74250U);
  EXPECT_DOUBLE_EQ(run.latency_us.mean.value_or(0), 800);
  EXPECT_DOUBLE_EQ(run.latency_us.p99.value_or(0), 2500);
  EXPECT_FALSE(run.write.latency_us.p99) << "N/A";
  EXPECT_FALSE(run.latency_us.p99_99) << "below 100,000 I/Os";
  EXPECT_EQ(run.workload.outstanding_total, 8U);
  EXPECT_EQ(run.workload.alignment_bytes, 8192U);
  EXPECT_EQ(run.workload.read_percent, 75);
  EXPECT_EQ(run.workload.ramp_s, 5);
  EXPECT_TRUE(run.workload.direct);
  EXPECT_TRUE(run.workload.source.starts_with("diskspd.exe -b8K"));
}

TEST(ImportDiskspdText, TwoInOneFileAndOneUnfinished) {
  EXPECT_EQ(imported(text_result + text_result, "diskspd_text").runs.size(), 2U);
  const std::string cut = text_result + text_result.substr(0, text_result.find("Write IO"));
  const ImportedFile file = imported(cut, "diskspd_text");
  EXPECT_EQ(file.runs.size(), 1U);
  ASSERT_EQ(file.notes.size(), 1U);
  EXPECT_NE(refusal(text_result.substr(0, text_result.find("Write IO"))).find("not whole"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(text_result, "9900.00", "fast")).find("results:44"), std::string::npos)
      << refusal(replaced(text_result, "9900.00", "fast"));
}

TEST(ImportDiskspdText, TheCommandTellsWhatTheTextDoesNot) {
  const std::string more = replaced(text_result, "-w25 -L", "-w25 -B1G -L");
  const Workload w = imported(more, "diskspd_text").runs.at(0).workload;
  EXPECT_EQ(w.base_bytes, 1ULL << 30U);
  EXPECT_EQ(w.block_bytes, std::vector<std::uint64_t>{8192});
  const Workload other =
      imported(replaced(more, "-b8K", "-b4K"), "diskspd_text").runs.at(0).workload;
  EXPECT_EQ(other.base_bytes, 0U);
  EXPECT_EQ(other.block_bytes, std::vector<std::uint64_t>{8192});
  EXPECT_TRUE(one_has(other.warnings, "a block of 4096 bytes, not 8192"));
}

TEST(ImportDiskspdText, WithoutItsParametersTheCommandIsTheWorkload) {
  std::string bare = text_result;
  const std::size_t from = bare.find("Input parameters:");
  bare.erase(from, bare.find("Results for timespan") - from);
  const Workload w = imported(bare, "diskspd_text").runs.at(0).workload;
  EXPECT_EQ(w.block_bytes, std::vector<std::uint64_t>{8192});
  EXPECT_EQ(w.read_percent, 75);
  EXPECT_EQ(w.workers, 2U);
  EXPECT_EQ(w.outstanding_total, 8U);
  EXPECT_FALSE(one_has(w.warnings, "the workload is unknown"));
  const Workload none =
      imported(replaced(bare, "-b8K", "-bogus"), "diskspd_text").runs.at(0).workload;
  EXPECT_EQ(none.outstanding_total, 0U);
  EXPECT_TRUE(one_has(none.warnings, "the workload is unknown"));
  EXPECT_TRUE(one_has(none.warnings, "could not be read"));
  EXPECT_NE(none.source.find("-bogus"), std::string::npos);
}

}  // namespace
}  // namespace raidscope
