#include "workloads/run/runner.h"

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/engine.h"
#include "workloads/random.h"

namespace raidscope {
namespace {

/// A file of incompressible data in the folder of the test, which goes with the test.
class Runner : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::current_path() /
              ("runner_test_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directory(folder_);
    path_ = (folder_ / "target.dat").string();
    std::ofstream file(path_, std::ios::binary);
    SplitMix64 random(1);
    for (int i = 0; i < static_cast<int>(size_ / 8); ++i) {
      const std::uint64_t word = random();
      file.write(reinterpret_cast<const char*>(&word), sizeof word);
    }
    file.close();
    const int fd = ::open(path_.c_str(), O_RDWR);
    ::fsync(fd);
    const int direct = ::open(path_.c_str(), O_RDONLY | O_DIRECT);
    takes_direct_ = direct >= 0;
    if (direct >= 0) ::close(direct);
    ::close(fd);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Workload reading(double seconds = 0.4) const {
    Workload w;
    w.name = "test";
    w.targets = {path_};
    w.duration_s = seconds;
    w.workers = 2;
    w.queue_depth_per_worker = 8;
    return w;
  }

  static constexpr std::uint64_t size_ = 16U << 20U;
  std::filesystem::path folder_;
  std::string path_;
  bool takes_direct_ = false;
};

#define NEED_DIRECT() \
  if (!takes_direct_) GTEST_SKIP() << "the build folder's file system refuses O_DIRECT"
#define NEED_URING() \
  if (const Status s = find_engine("io_uring")->available(); !s) GTEST_SKIP() << describe(s.error())

bool says(const RunResult& r, std::string_view word) {
  for (const std::string& s : r.checks.suspicions) {
    if (s.find(word) != std::string::npos) return true;
  }
  return false;
}

void expect_sums(const RunResult& r) {
  std::uint64_t ios = 0;
  for (const SeriesPoint& p : r.series) ios += p.ios;
  EXPECT_EQ(ios, *r.read.ios + *r.write.ios);
  std::uint64_t buckets = 0;
  for (const std::uint64_t n : r.histogram.count) buckets += n;
  EXPECT_EQ(buckets, ios);
  EXPECT_NEAR(r.iops, r.read.iops + r.write.iops, 1e-6 * r.iops);
}

TEST_F(Runner, IoUringReadsDirectlyAndProvesIt) {
  NEED_DIRECT();
  NEED_URING();
  const auto got = run_workload(reading(), {.engine = "io_uring"});
  ASSERT_TRUE(got) << describe(got.error());
  const RunResult& r = *got;
  EXPECT_GT(r.read.ios, 0U);
  EXPECT_EQ(r.write.ios, 0U);
  EXPECT_FALSE(r.write.latency_us.mean);
  EXPECT_GT(r.latency_us.p50.value(), 0);
  EXPECT_EQ(r.engine.name, "io_uring");
  EXPECT_NE(r.engine.details.find("registered"), std::string::npos);
  EXPECT_FALSE(r.engine.direct_proof.empty());
  EXPECT_EQ(r.workload.outstanding_total, 16U);
  EXPECT_EQ(r.target.kind, "file");
  EXPECT_EQ(r.target.size_bytes, size_);
  EXPECT_GT(r.checks.achieved_queue_depth.value(), 8);
  EXPECT_LE(r.checks.achieved_queue_depth.value(), 16.001);
  EXPECT_TRUE(r.checks.latency_error_us);
  EXPECT_GT(r.cpu.us_per_io.value(), 0);
  EXPECT_FALSE(r.interrupted);
  EXPECT_EQ(r.started_at.value_or("").size(), 24U);
  EXPECT_LT(r.started_at, r.ended_at);
  EXPECT_EQ(r.origin, Origin::measured);
  expect_sums(r);
}

TEST_F(Runner, PollsWhereTheTargetCanAndSaysSoWhereNot) {
  NEED_DIRECT();
  NEED_URING();
  Workload w = reading();
  w.poll = true;
  const auto got = run_workload(w, {.engine = "io_uring"});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_GT(got->read.ios, 0U);
  EXPECT_NE(got->engine.details.find("IOPOLL"), std::string::npos) << got->engine.details;
}

TEST_F(Runner, LibaioKeepsTheDepthOfDirectIo) {
  NEED_DIRECT();
  if (const Status s = find_engine("libaio")->available(); !s) GTEST_SKIP() << describe(s.error());
  const auto got = run_workload(reading(), {.engine = "libaio"});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_GT(got->checks.achieved_queue_depth.value(), 8);
  EXPECT_LE(got->checks.achieved_queue_depth.value(), 16.001);
  expect_sums(*got);
}

TEST_F(Runner, PsyncSaysThatItsDepthIsOne) {
  NEED_DIRECT();
  const auto got = run_workload(reading(), {.engine = "psync"});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_GT(got->read.ios, 0U);
  EXPECT_TRUE(says(*got, "achieved depth is 1"));
  EXPECT_LE(got->checks.achieved_queue_depth.value(), 2.001);
  EXPECT_EQ(got->workload.outstanding_total, 16U);
  expect_sums(*got);
}

TEST_F(Runner, NullEngineNeedsNoTargetAndIsNoMeasurementOfADevice) {
  Workload w = reading(0.3);
  w.targets = {"/nonexistent/target"};
  w.read_percent = 67;
  const auto got = run_workload(w, {.engine = "null"});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_GT(got->iops, 10'000);
  EXPECT_NEAR(
      static_cast<double>(*got->read.ios) / static_cast<double>(*got->read.ios + *got->write.ios),
      0.67, 0.02);
  EXPECT_EQ(got->origin, Origin::simulated);
  EXPECT_TRUE(says(*got, "moves no data"));
  EXPECT_FALSE(got->engine.direct);
  expect_sums(*got);
}

TEST_F(Runner, ChoosesAnEngineAndSaysWhy) {
  NEED_DIRECT();
  const auto got = run_workload(reading(0.1), {});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_FALSE(got->engine.reason.empty());
  EXPECT_NE(got->engine.reason, "asked for");
  EXPECT_NE(got->engine.version.find("Linux"), std::string::npos);
}

TEST_F(Runner, SequentialWorkersAndSeveralTargets) {
  NEED_DIRECT();
  const std::string second = (folder_ / "second.dat").string();
  std::filesystem::copy_file(path_, second);
  for (const char* engine : {"io_uring", "psync"}) {
    if (!find_engine(engine)->available()) continue;
    Workload w = reading(0.2);
    w.pattern = Pattern::sequential;
    w.block_bytes = {65536};
    w.targets = {path_, second};
    const auto got = run_workload(w, {.engine = engine});
    ASSERT_TRUE(got) << describe(got.error());
    EXPECT_EQ(got->workload.outstanding_total, 32U);
    EXPECT_GT(got->read.ios, 0U);
    expect_sums(*got);
  }
}

TEST_F(Runner, RampIsLeftOut) {
  Workload w = reading(0.3);
  w.ramp_s = 0.3;
  const auto begin = std::chrono::steady_clock::now();
  const auto got = run_workload(w, {.engine = "null"});
  const double took =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_GE(took, 0.6);
  EXPECT_EQ(got->series.size(), 1U);
  EXPECT_DOUBLE_EQ(got->series.front().t, 0.3);
  expect_sums(*got);
}

TEST_F(Runner, StopKeepsWhatWasMeasured) {
  std::atomic<bool> stop{false};
  Workload w = reading(60);
  RunOptions options{.engine = "null", .stop = &stop};
  options.progress = [&stop](const RunProgress& p) { stop = p.iops > 0; };
  const auto begin = std::chrono::steady_clock::now();
  const auto got = run_workload(w, options);
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30));
  EXPECT_TRUE(got->interrupted);
  EXPECT_GT(got->read.ios, 0U);
  EXPECT_LT(got->series.back().t, 30);
  expect_sums(*got);
}

TEST_F(Runner, StopInTheRampGivesAResultThatSaysSo) {
  std::atomic<bool> stop{true};
  Workload w = reading(1);
  w.ramp_s = 60;
  const auto got = run_workload(w, {.engine = "null", .stop = &stop});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_TRUE(got->interrupted);
  EXPECT_FALSE(got->checks.valid);
  EXPECT_EQ(got->read.ios, 0U);
  EXPECT_FALSE(got->latency_us.mean);
}

TEST_F(Runner, TellsProgress) {
  int calls = 0;
  double last = 0;
  RunOptions options{.engine = "null"};
  options.progress = [&](const RunProgress& p) {
    ++calls;
    last = p.elapsed_s;
    EXPECT_DOUBLE_EQ(p.total_s, 1.1);
    EXPECT_FALSE(p.ramping);
  };
  ASSERT_TRUE(run_workload(reading(1.1), options));
  EXPECT_GE(calls, 2);
  EXPECT_GT(last, 0.2);
}

TEST_F(Runner, ATargetThatShrankIsNamedWithOffsetAndLength) {
  NEED_DIRECT();
  for (const char* engine : {"io_uring", "psync"}) {
    if (!find_engine(engine)->available()) continue;
    // Once it runs: before, the run would take the file as it is then.
    RunOptions options{.engine = engine};
    options.progress = [this](const RunProgress&) { std::filesystem::resize_file(path_, 4096); };
    const auto got = run_workload(reading(20), options);
    ASSERT_FALSE(got) << engine;
    EXPECT_EQ(got.error().code, Errc::io);
    EXPECT_EQ(got.error().where, path_);
    EXPECT_NE(got.error().message.find("a read of 4096 bytes at offset"), std::string::npos);
    EXPECT_NE(got.error().message.find("shorter"), std::string::npos);
    std::filesystem::resize_file(path_, size_);
  }
}

TEST_F(Runner, WritingWithoutConsentIsRefusedAndChangesNothing) {
  Workload w = reading();
  w.direct = takes_direct_;
  w.read_percent = 0;
  const auto before = std::filesystem::last_write_time(path_);
  for (const char* engine : {"", "psync", "io_uring"}) {
    const auto got = run_workload(w, {.engine = engine});
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, Errc::refused);
    EXPECT_EQ(got.error().where, path_);
  }
  EXPECT_EQ(std::filesystem::last_write_time(path_), before);
}

TEST_F(Runner, EnginesRefuseAWriteThatNobodyConsentedTo) {
  for (const EngineType* type : engines()) {
    if (!type->moves_data || !type->available()) continue;
    const auto engine = type->make();
    EngineSetup setup;
    setup.targets = {{path_, nullptr}};
    setup.buffer_bytes = 4096;
    setup.direct = false;
    ASSERT_TRUE(engine->open(setup)) << type->id;
    const Request request{0, 4096, 0, true};
    const std::uint32_t slot = 0;
    EXPECT_LT(engine->submit({&request, 1}, {&slot, 1}), 0) << type->id;
  }
}

TEST_F(Runner, SaysWhatIsWrongWithATarget) {
  const auto error = [](const std::string& path, Workload w) {
    w.targets = {path};
    return run_workload(w, {}).error();
  };
  EXPECT_EQ(error((folder_ / "absent").string(), reading()).code, Errc::not_found);
  Workload buffered = reading();
  buffered.direct = false;
  const Error directory = error(folder_.string(), buffered);
  EXPECT_EQ(directory.code, Errc::usage);
  std::ofstream(folder_ / "empty").close();
  EXPECT_NE(describe(error((folder_ / "empty").string(), buffered)).find("testfile create"),
            std::string::npos);
  Workload nothing = reading();
  nothing.targets.clear();
  EXPECT_EQ(run_workload(nothing, {}).error().code, Errc::usage);
  EXPECT_EQ(run_workload(reading(), {.engine = "warp"}).error().code, Errc::usage);
  Workload large = reading();
  large.direct = takes_direct_;
  large.area_bytes = size_ + 4096;
  EXPECT_EQ(run_workload(large, {}).error().code, Errc::usage);
}

TEST_F(Runner, WhoRefusesDirectIoIsNamed) {
  Workload w = reading();
  w.targets = {"/proc/version"};
  const auto got = run_workload(w, {});
  ASSERT_FALSE(got);
  EXPECT_NE(describe(got.error()).find("proc"), std::string::npos);
  EXPECT_NE(describe(got.error()).find("--buffered"), std::string::npos);
  EXPECT_EQ(got.error().code, Errc::unsupported);
}

TEST_F(Runner, BufferedReadsOfACachedFileAreNotTheDevices) {
  Workload w = reading(0.3);
  w.direct = false;
  for (int i = 0; i < 2; ++i) {
    const auto got = run_workload(w, {.engine = "psync"});
    ASSERT_TRUE(got) << describe(got.error());
    EXPECT_FALSE(got->engine.direct);
    EXPECT_NE(got->engine.direct_proof.find("buffered"), std::string::npos);
  }
}

TEST_F(Runner, DevZeroServesToMeasureTheEngines) {
  Workload w = reading(0.2);
  w.targets = {"/dev/zero"};
  w.direct = false;
  w.area_bytes = std::uint64_t{1} << 30U;
  const auto got = run_workload(w, {});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_GT(got->read.ios, 0U);
  EXPECT_NE(got->engine.direct_proof.find("unproven"), std::string::npos);
}

TEST_F(Runner, SectorAlignedRequestsAreTakenWhereSectorsAreSmallOrRefusedInWords) {
  NEED_DIRECT();
  Workload w = reading(0.1);
  w.alignment_bytes = 512;
  const auto got = run_workload(w, {});
  if (got) {
    EXPECT_GT(got->read.ios, 0U);
  } else {
    EXPECT_NE(describe(got.error()).find("aligned variant"), std::string::npos);
  }
}

}  // namespace
}  // namespace raidscope
