#include "workloads/run_checks.h"

#include <gtest/gtest.h>

namespace raidscope {
namespace {

constexpr double mib = 1048576;

/// 10 s of 4 KiB direct reads at depth 16, 1600 IOPS of 10 ms, all seen by the device.
RunEvidence sound() {
  RunEvidence e;
  e.engine = "io_uring";
  e.outstanding_asked = 16;
  e.outstanding_possible = 16;
  e.block_bytes = 4096;
  e.window_s = 10;
  e.ios = 16'000;
  e.mean_us = 10'000;
  e.achieved_depth = 16;
  e.total_s = 10;
  e.total_ios = 16'000;
  e.bytes_read = 16'000 * 4096;
  DeviceCounters d;
  d.reads = 16'000;
  d.sectors_read = 16'000 * 8;
  d.queue_ms = 160'000;
  e.device = d;
  e.counters_name = "/sys/dev/block/8:0/stat";
  e.cpus = 4;
  e.cpu_s = 0.5;
  return e;
}

bool says(const RunVerdict& v, std::string_view word) {
  for (const std::string& s : v.checks.suspicions) {
    if (s.find(word) != std::string::npos) return true;
  }
  return false;
}

TEST(RunChecks, SoundEvidenceRaisesNoSuspicion) {
  const RunVerdict v = check_run(sound());
  EXPECT_TRUE(v.checks.valid);
  EXPECT_TRUE(v.checks.suspicions.empty());
  EXPECT_TRUE(v.direct);
  EXPECT_NE(v.direct_proof.find("/sys/dev/block/8:0/stat"), std::string::npos);
  EXPECT_NEAR(v.checks.littles_law_pct.value(), 0, 1e-9);
  EXPECT_EQ(v.checks.achieved_queue_depth, 16.0);
}

TEST(RunChecks, ReadsThatNeverReachedTheDeviceAreNotDirect) {
  RunEvidence e = sound();
  e.device->sectors_read = 100;
  e.device->reads = 10;
  e.device->queue_ms = 1;
  const RunVerdict v = check_run(e);
  EXPECT_FALSE(v.direct);
  EXPECT_FALSE(v.checks.valid);
  EXPECT_TRUE(says(v, "reached the device"));
}

TEST(RunChecks, ACacheThatServesOnlyWritesIsSeenBehindTheReads) {
  RunEvidence e = sound();
  e.bytes_written = e.bytes_read;
  e.device->sectors_written = 0;
  EXPECT_FALSE(check_run(e).direct);
}

TEST(RunChecks, WithoutCountersDirectIsUnproven) {
  RunEvidence e = sound();
  e.device.reset();
  e.counters_missing = "nfs lies on no block device of its own";
  const RunVerdict v = check_run(e);
  EXPECT_TRUE(v.direct);
  EXPECT_TRUE(v.checks.valid);
  EXPECT_NE(v.direct_proof.find("unproven"), std::string::npos);
  EXPECT_NE(v.direct_proof.find("nfs"), std::string::npos);
}

TEST(RunChecks, MemoryIsNeitherDirectNorValid) {
  for (const bool direct : {true, false}) {
    for (const bool counted : {true, false}) {  // zram counts, tmpfs does not
      RunEvidence e = sound();
      e.direct = direct;
      e.in_memory = "tmpfs keeps its files in memory";
      if (!counted) e.device.reset();
      const RunVerdict v = check_run(e);
      EXPECT_FALSE(v.direct);
      EXPECT_FALSE(v.checks.valid);
      EXPECT_NE(v.direct_proof.find(e.in_memory), std::string::npos);
      EXPECT_TRUE(says(v, "not a drive's"));
    }
  }
}

TEST(RunChecks, ACacheBelowAStackedDeviceIsSeenAtTheBottom) {
  RunEvidence e = sound();
  e.ground = *e.device;
  e.ground_name = "/sys/dev/block/8:16/stat";
  RunVerdict v = check_run(e);
  EXPECT_TRUE(v.direct);
  EXPECT_NE(v.direct_proof.find(e.ground_name), std::string::npos);
  EXPECT_TRUE(v.checks.suspicions.empty());
  e.ground->sectors_read = 100;
  v = check_run(e);
  EXPECT_FALSE(v.direct);
  EXPECT_FALSE(v.checks.valid);
  EXPECT_TRUE(says(v, "8:16"));
}

TEST(RunChecks, ALoopDeviceThroughThePageCacheIsNotDirect) {
  RunEvidence e = sound();
  e.ground = *e.device;  // nothing was in the page cache yet
  e.page_cache = "/dev/loop0 reads and writes /x through the page cache (loop/dio is 0)";
  const RunVerdict v = check_run(e);
  EXPECT_FALSE(v.direct);
  EXPECT_TRUE(v.checks.valid);
  EXPECT_NE(v.direct_proof.find("loop0"), std::string::npos);
  EXPECT_TRUE(says(v, "--direct-io=on"));
}

TEST(RunChecks, AnUnknownBottomIsSaid) {
  RunEvidence e = sound();
  e.ground_unknown = "which device holds /x, the file of /dev/loop0, is not known";
  EXPECT_TRUE(says(check_run(e), e.ground_unknown));
}

TEST(RunChecks, BufferedIsNeverDirect) {
  RunEvidence e = sound();
  e.direct = false;
  EXPECT_FALSE(check_run(e).direct);
  e.device->sectors_read = 0;
  EXPECT_TRUE(says(check_run(e), "page cache"));
}

TEST(RunChecks, OthersOnTheDeviceAreNamed) {
  RunEvidence e = sound();
  e.device->sectors_written = static_cast<std::uint64_t>(100 * mib / 512);
  EXPECT_TRUE(says(check_run(e), "others used the device"));
}

TEST(RunChecks, SplitAndMergedRequestsAreNamed) {
  RunEvidence e = sound();
  e.device->reads = 32'000;
  EXPECT_TRUE(says(check_run(e), "split"));
  e.device->reads = 4'000;
  EXPECT_TRUE(says(check_run(e), "merged"));
}

TEST(RunChecks, RequestsHeldBackAboveTheDeviceAreNamed) {
  RunEvidence e = sound();
  e.device->queue_ms = 10'000;
  EXPECT_TRUE(says(check_run(e), "held 1.0 requests"));
}

TEST(RunChecks, LittlesLawThatDoesNotHoldMakesItInvalid) {
  RunEvidence e = sound();
  e.mean_us = 1'000;
  const RunVerdict v = check_run(e);
  EXPECT_NEAR(v.checks.littles_law_pct.value(), -90, 1e-6);
  EXPECT_FALSE(v.checks.valid);
  EXPECT_TRUE(says(v, "Little"));
}

TEST(RunChecks, RequestsAcrossTheWindowsEdgesAreAllowedFor) {
  RunEvidence e = sound();
  e.window_s = 1;
  e.mean_us = 400'000;
  e.ios = 50;  // 20 outstanding by Little's law, 16 kept
  EXPECT_TRUE(check_run(e).checks.valid);
  EXPECT_FALSE(says(check_run(e), "Little"));
}

TEST(RunChecks, ASynchronousEngineSaysThatItsDepthIsOne) {
  RunEvidence e = sound();
  e.engine = "psync";
  e.outstanding_possible = 1;
  e.ios = 1000;
  e.achieved_depth = 1;
  const RunVerdict v = check_run(e);
  EXPECT_TRUE(says(v, "achieved depth is 1"));
  EXPECT_EQ(v.checks.achieved_queue_depth, 1.0);
  EXPECT_TRUE(v.checks.valid);
}

TEST(RunChecks, NothingMeasuredIsInvalid) {
  RunEvidence e = sound();
  e.ios = 0;
  EXPECT_FALSE(check_run(e).checks.valid);
  e.interrupted = true;
  EXPECT_TRUE(says(check_run(e), "stopped before"));
}

TEST(RunChecks, TheMachinesOwnTroublesAreNamed) {
  RunEvidence e = sound();
  e.io_wq_threads = 3;
  e.cpu_s = 39;
  e.steal_s = 8;
  e.blurred_seconds = 1;
  e.write_limit_reached = true;
  const RunVerdict v = check_run(e);
  EXPECT_TRUE(says(v, "3 kernel worker threads"));
  EXPECT_TRUE(says(v, "of 4 CPUs"));
  EXPECT_TRUE(says(v, "hypervisor"));
  EXPECT_TRUE(says(v, "1 second of the series holds"));
  EXPECT_TRUE(says(v, "--max-write"));
}

TEST(RunChecks, TheNullEngineIsNoDevice) {
  RunEvidence e = sound();
  e.engine = "null";
  e.moves_data = false;
  e.device.reset();
  const RunVerdict v = check_run(e);
  EXPECT_FALSE(v.direct);
  EXPECT_TRUE(says(v, "moves no data"));
}

TEST(DeviceCounters, AreReadFromTheKernelsText) {
  const auto c = parse_device_counters(
      "   43561     4321  2712810    25334   150033   217604  4993042   233904        2    99796   "
      "265103    0 0 0 0 0 0\n");
  ASSERT_TRUE(c);
  EXPECT_EQ(c->reads, 43561U);
  EXPECT_EQ(c->sectors_read, 2712810U);
  EXPECT_EQ(c->sectors_written, 4993042U);
  EXPECT_EQ(c->in_flight, 2U);
  EXPECT_EQ(c->queue_ms, 265103U);
  EXPECT_FALSE(parse_device_counters(""));
  EXPECT_FALSE(parse_device_counters("1 2 3"));
  EXPECT_FALSE(parse_device_counters("a b c d e f g h i j k"));
  DeviceCounters before;
  before.reads = 43'000;
  EXPECT_EQ(c->since(before).reads, 561U);
}

}  // namespace
}  // namespace raidscope
