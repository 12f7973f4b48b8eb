#include "tests/unit/reports/imports/import_testing.h"
#include "workloads/latency_histogram.h"

namespace raidscope {
namespace {

using namespace testing;

std::string latency(const std::string& name, const std::string& mean,
                    const std::string& more = "") {
  return "\"" + name + "\" : {\"min\" : 90000, \"max\" : 1000000, \"mean\" : " + mean +
         ", \"stddev\" : 5000.5, \"N\" : 20000" + more + "}";
}

const std::string nothing =
    R"({"io_bytes" : 0, "io_kbytes" : 0, "bw_bytes" : 0, "bw" : 0, "iops" : 0, "runtime" : 0, "total_ios" : 0,
 "slat_ns" : {"min" : 0, "max" : 0, "mean" : 0, "stddev" : 0}, "clat_ns" : {"min" : 0, "max" : 0, "mean" : 0, "stddev" : 0},
 "lat_ns" : {"min" : 0, "max" : 0, "mean" : 0, "stddev" : 0}})";

std::string reads(const std::string& bins = "") {
  return R"({"io_bytes" : 81920000, "io_kbytes" : 80000, "bw_bytes" : 40960000, "bw" : 40000, "iops" : 10000.0, "runtime" : 2000, "total_ios" : 20000, )" +
         latency("slat_ns", "4000.0") + ", " +
         latency(
             "clat_ns", "396000.0",
             R"(, "percentile" : {"50.000000" : 382976, "90.000000" : 500000, "99.000000" : 700416, "99.990000" : 900000})" +
                 bins) +
         ", " + latency("lat_ns", "400000.0") + "}";
}

std::string job(const std::string& name, int group, const std::string& read,
                const std::string& write, const std::string& options) {
  return "{\"jobname\" : \"" + name + "\", \"groupid\" : " + std::to_string(group) +
         ", \"error\" : 0, \"job options\" : {" + options + "}, \"read\" : " + read +
         ", \"write\" : " + write + "}";
}

std::string document(const std::string& jobs) {
  return R"({
  "fio version" : "fio-3.33",
  "timestamp_ms" : 1700000000123,
  "global options" : {"filename" : "/dev/sdb", "direct" : "1", "ioengine" : "libaio", "bs" : "4k", "rw" : "randread"},
  "jobs" : [
)" + jobs +
         R"(
  ],
  "disk_util" : [{"name" : "sdb", "read_ios" : 20000, "write_ios" : 0}]
}
)";
}

TEST(ImportFio, NanosecondsOfVersion3) {
  const RunResult run =
      imported(document(job("one", 0, reads(), nothing, R"("iodepth" : "4")")), "fio").runs.at(0);
  EXPECT_DOUBLE_EQ(run.iops, 10000);
  EXPECT_DOUBLE_EQ(run.bytes_per_s, 40'960'000);
  EXPECT_EQ(run.read.ios, 20000U);
  EXPECT_EQ(run.write.ios, 0U);
  EXPECT_DOUBLE_EQ(run.latency_us.mean.value_or(0), 400) << "submit to reap";
  EXPECT_DOUBLE_EQ(run.latency_us.p50.value_or(0), 382.976);
  EXPECT_FALSE(run.latency_us.p95) << "not in the file";
  EXPECT_FALSE(run.latency_us.p99_99) << "below 100,000 I/Os";
  EXPECT_TRUE(one_has(run.workload.warnings, "completion latency"));
  EXPECT_NEAR(run.checks.littles_law_pct.value_or(99), 0, 1e-9);
  EXPECT_EQ(run.name, "one");
  EXPECT_EQ(run.target.path, "/dev/sdb");
  EXPECT_EQ(run.target.kind, "block");
  EXPECT_EQ(run.target.device_chain, std::vector<std::string>{"/dev/sdb"});
  EXPECT_EQ(run.ended_at, "2023-11-14T22:13:20Z");
  EXPECT_EQ(run.workload.outstanding_total, 4U);
  EXPECT_EQ(run.workload.spread, Spread::once) << "fio's random map";
  EXPECT_TRUE(run.workload.direct);
  EXPECT_TRUE(run.histogram.index.empty());
  EXPECT_FALSE(run.cpu.user_s);
}

TEST(ImportFio, MicrosecondsAndKibibytesOfVersion2) {
  const std::string text = R"({
  "fio version" : "fio-2.16",
  "jobs" : [
    {"jobname" : "old", "groupid" : 0, "error" : 0,
     "job options" : {"filename" : "/data/t", "bs" : "8k", "rw" : "write", "iodepth" : "2", "ioengine" : "libaio"},
     "read" : {"io_bytes" : 0, "bw" : 0, "iops" : 0, "runtime" : 0, "total_ios" : 0, "clat" : {"min" : 0, "max" : 0, "mean" : 0}, "lat" : {"min" : 0, "max" : 0, "mean" : 0}},
     "write" : {"io_bytes" : 40003, "bw" : 20001, "iops" : 2500.2, "runtime" : 2000, "total_ios" : 5001,
       "slat" : {"min" : 2, "max" : 60, "mean" : 10}, "clat" : {"min" : 100, "max" : 9000, "mean" : 790, "percentile" : {"50.000000" : 700, "99.000000" : 2000}},
       "lat" : {"min" : 110, "max" : 9010, "mean" : 800, "stddev" : 20}}}
  ]
})";
  const RunResult run = imported(text, "fio").runs.at(0);
  EXPECT_DOUBLE_EQ(run.iops, 2500.5);
  EXPECT_DOUBLE_EQ(run.bytes_per_s, 2500.5 * 8192) << "not from KiB rounded down";
  EXPECT_DOUBLE_EQ(run.latency_us.mean.value_or(0), 800);
  EXPECT_DOUBLE_EQ(run.latency_us.p99.value_or(0), 2000);
  EXPECT_EQ(run.workload.read_percent, 0);
  EXPECT_FALSE(run.workload.direct) << "fio's default";
}

TEST(ImportFio, BinsOfJsonPlusAreOurBuckets) {
  // The middles of fio's places: 382976 is that of [380928, 385024).
  const std::string bins = R"(, "bins" : {"382976" : 15000, "700416" : 5000})";
  const RunResult run =
      imported(document(job("one", 0, reads(bins), nothing, R"("iodepth" : "4")")), "fio")
          .runs.at(0);
  ASSERT_EQ(run.histogram.index.size(), 2U);
  EXPECT_EQ(run.histogram.index[0], latency_buckets::index(382976));
  EXPECT_EQ(run.histogram.count[0], 15000U);
  const auto middle = (latency_buckets::lower(run.histogram.index[0]) +
                       latency_buckets::upper(run.histogram.index[0]) + 1) /
                      2;
  EXPECT_EQ(middle, 382976U);
  EXPECT_TRUE(one_has(run.workload.warnings, "1/64"));
  EXPECT_TRUE(one_has(run.workload.warnings, "1/128"));
  const RunResult partly = imported(document(job("one", 0, reads(replaced(bins, "15000", "14000")),
                                                 nothing, R"("iodepth" : "4")")),
                                    "fio")
                               .runs.at(0);
  EXPECT_TRUE(partly.histogram.index.empty());
  EXPECT_TRUE(one_has(partly.workload.warnings, "19000 of 20000"));
}

TEST(ImportFio, AGroupIsOneResult) {
  const std::string options = R"("iodepth" : "2", "numjobs" : "2")";
  const std::string bins = R"(, "bins" : {"382976" : 20000})";
  const std::string jobs =
      job("a", 0, reads(bins), nothing, options) + "," +
      job("a", 0, reads(bins), nothing, options) + "," +
      job("later", 1, nothing, reads(), R"("rw" : "randwrite", "iodepth" : "4")");
  const ImportedFile file = imported(document(jobs), "fio");
  ASSERT_EQ(file.runs.size(), 2U);
  const RunResult& run = file.runs[0];
  EXPECT_DOUBLE_EQ(run.iops, 20000);
  EXPECT_EQ(run.read.ios, 40000U);
  EXPECT_EQ(run.workload.workers, 2U);
  EXPECT_EQ(run.workload.outstanding_total, 4U);
  EXPECT_DOUBLE_EQ(run.latency_us.mean.value_or(0), 400);
  ASSERT_TRUE(run.latency_us.p50) << "from the merged bins, never a mean of two";
  EXPECT_GE(*run.latency_us.p50, 382.9);
  EXPECT_LE(*run.latency_us.p50, 382.976 * (1 + 1.0 / 64));
  EXPECT_EQ(file.runs[1].workload.read_percent, 0);
  // Without bins the percentiles of two jobs cannot be one.
  const std::string plain =
      job("a", 0, reads(), nothing, options) + "," + job("b", 0, reads(), nothing, options);
  EXPECT_FALSE(imported(document(plain), "fio").runs.at(0).latency_us.p50);
  // One entry that stands for numjobs: group_reporting.
  EXPECT_EQ(imported(document(job("a", 0, reads(), nothing, options)), "fio")
                .runs.at(0)
                .workload.outstanding_total,
            4U);
}

TEST(ImportFio, WhatStandsBesideTheDocument) {
  const std::string text = "fio: output format normal not understood\nnote: {looks like it}\n" +
                           document(job("one", 0, reads(), nothing, R"("iodepth" : "4")"));
  EXPECT_EQ(imported(text + text, "fio").runs.size(), 2U);
  EXPECT_EQ(imported(as_utf16(text, false), "fio").runs.size(), 1U);
}

TEST(ImportFio, AQueueThatItsEngineDoesNotHave) {
  const RunResult run =
      imported(
          document(job("one", 0, reads(), nothing, R"("iodepth" : "4", "ioengine" : "psync")")),
          "fio")
          .runs.at(0);
  EXPECT_EQ(run.workload.outstanding_total, 1U);
  EXPECT_TRUE(one_has(run.workload.warnings, "no effect"));
  EXPECT_TRUE(one_has(run.checks.suspicions, "Little's law"));
}

TEST(ImportFio, WhatIsWrongIsNamedByLine) {
  const std::string whole = document(job("one", 0, reads(), nothing, ""));
  EXPECT_NE(refusal(whole.substr(0, whole.size() / 2)).find("cut off"), std::string::npos);
  EXPECT_NE(
      refusal(replaced(whole, "\"jobs\" : [", "\"jobs\" : [ fio: error 5,")).find("results:5"),
      std::string::npos)
      << refusal(replaced(whole, "\"jobs\" : [", "\"jobs\" : [ fio: error 5,"));
  EXPECT_NE(
      refusal(replaced(whole, "\"total_ios\" : 20000", "\"total\" : 20000")).find("total_ios"),
      std::string::npos);
  EXPECT_NE(refusal(document(job("idle", 0, nothing, nothing, ""))).find("no I/O"),
            std::string::npos);
  const std::string mixed = R"({"jobname" : "m", "groupid" : 0, "mixed" : {}})";
  EXPECT_NE(refusal(document(mixed)).find("unified_rw_reporting"), std::string::npos);
}

TEST(ImportFio, OptionsBeyondTheUsualAreReadByTheSyntaxOfJobFiles) {
  const auto with = [](const std::string& options) {
    return imported(document(job("one", 0, reads(), nothing, options)), "fio").runs.at(0).workload;
  };
  const Workload mixed = with(R"("iodepth" : "4", "bssplit" : "4k/60:64k/40")");
  ASSERT_EQ(mixed.mix.size(), 2U);
  EXPECT_EQ(mixed.mix[1].block_bytes, 65536U);
  EXPECT_EQ(mixed.mix[1].percent, 40);
  EXPECT_FALSE(one_has(mixed.warnings, "kept in the source alone"));
  EXPECT_EQ(mixed.outstanding_total, 4U);
  const Workload strange = with(R"("iodepth" : "4", "zonemode" : "zbd")");
  EXPECT_TRUE(one_has(strange.warnings, "could not be read"));
  EXPECT_NE(strange.source.find("zonemode=zbd"), std::string::npos);
  EXPECT_EQ(strange.outstanding_total, 4U);
  EXPECT_FALSE(one_has(with(R"("iodepth" : "4", "norandommap" : "")").warnings, "could not"));
}

}  // namespace
}  // namespace raidscope
