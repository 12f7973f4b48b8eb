// Runs that do more than keep a queue full: rates, pauses, groups, mixes, a cool-down.
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <unistd.h>

#include <gtest/gtest.h>

#include "workloads/random.h"
#include "workloads/run/crew.h"
#include "workloads/run/runner.h"
#include "workloads/run/worker.h"
#include "workloads/statistics.h"

namespace raidscope {
namespace {

class RunnerPace : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::current_path() /
              ("runner_pace_" + std::to_string(::getpid()) + "_" +
               testing::UnitTest::GetInstance()->current_test_info()->name());
    std::filesystem::create_directory(folder_);
    for (const char* name : {"a", "b"}) {
      std::ofstream file(folder_ / name, std::ios::binary);
      SplitMix64 random(1);
      for (int i = 0; i < (4 << 20) / 8; ++i) {
        const std::uint64_t word = random();
        file.write(reinterpret_cast<const char*>(&word), sizeof word);
      }
    }
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  Workload reading() const {
    Workload w;
    w.name = "pace";
    w.targets = {(folder_ / "a").string()};
    w.direct = false;
    w.queue_depth_per_worker = 8;
    w.duration_s = 0.5;
    return w;
  }
  static RunResult run(const Workload& w, const std::string& engine = {}) {
    auto got = run_workload(w, {.engine = engine});
    EXPECT_TRUE(got) << (got ? "" : describe(got.error()));
    return got ? *std::move(got) : RunResult{};
  }
  static bool says(const RunResult& r, std::string_view word) {
    for (const std::string& s : r.checks.suspicions)
      if (s.find(word) != std::string::npos) return true;
    return false;
  }

  std::filesystem::path folder_;
};

TEST_F(RunnerPace, ARegularRateIsKeptToAPercent) {
  Workload w = reading();
  w.arrivals = Arrivals::regular;
  w.rate_iops = 2000;
  w.workers = 2;
  w.duration_s = 2;
  for (const char* engine : {"null", "psync", ""}) {
    const RunResult r = run(w, engine);
    EXPECT_NEAR(r.iops, 2000, 20) << r.engine.name;
    EXPECT_FALSE(says(r, "still due")) << r.engine.name;
    EXPECT_FALSE(says(r, "outstanding on average")) << r.engine.name;
  }
}

TEST_F(RunnerPace, PoissonArrivalsHaveTheRateAndTheGapsOfChance) {
  Workload w = reading();
  w.arrivals = Arrivals::poisson;
  w.rate_iops = 1000;
  double sum = 0;
  double squares = 0;
  double before = 0;
  constexpr int draws = 100'000;
  ArrivalClock clock(w, 0);
  for (int i = 0; i < draws; ++i) {
    const auto due = static_cast<double>(clock.due());
    const double gap = (due - before) / 1e6;
    before = due;
    sum += gap;
    squares += gap * gap;
    clock.next();
  }
  const double mean = sum / draws;
  EXPECT_NEAR(mean, 1, 0.01);
  EXPECT_NEAR(squares / draws - mean * mean, 1, 0.05);  // an exponential's deviation is its mean
  w.rate_iops = 20'000;
  w.duration_s = 1.5;
  const RunResult r = run(w, "null");
  EXPECT_NEAR(r.iops, 20'000, 4 * std::sqrt(20'000 / 1.5) + 200);
}

/// An engine that answers each request after 5 ms, and takes one at a time.
class SlowEngine final : public Engine {
 public:
  Status open(const EngineSetup&) override { return Done{}; }
  std::int32_t submit(std::span<const Request> requests,
                      std::span<const std::uint32_t> slots) override {
    ::usleep(5000);
    done_ = {slots[0], static_cast<std::int32_t>(requests[0].length)};
    full_ = true;
    return 1;
  }
  std::int32_t reap(std::span<Completion> out, std::uint32_t, std::chrono::nanoseconds) override {
    if (!full_) return 0;
    out[0] = done_;
    full_ = false;
    return 1;
  }

 private:
  Completion done_;
  bool full_ = false;
};

TEST_F(RunnerPace, LatencyCountsFromTheIntendedStart) {
  EngineType slow{.id = "slow", .max_in_flight = 1};
  slow.make = []() -> std::unique_ptr<Engine> { return std::make_unique<SlowEngine>(); };
  Workload w = reading();
  w.arrivals = Arrivals::regular;
  w.rate_iops = 1000;  // five times what the engine can do
  const auto boards = *Boards::make(1, 1);
  RunBoard& board = boards->run();
  RunShared shared(w, slow, board);
  shared.setup.targets.push_back({w.targets[0], nullptr});
  shared.seats = seats_of(w, 1);
  shared.setup.buffer_bytes = 4096;
  shared.extents.push_back(*extent_of(w, 4 << 20));
  shared.cursors = std::make_unique<SharedCursor[]>(1);
  WorkerBoard& own = boards->workers().front();
  Worker worker(shared, own, 0);
  std::thread thread([&] { worker.run(); });
  board.opened.wait();
  board.begin_ns = board.window_begin_ns = clock_ns();
  board.window_end_ns = board.begin_ns + 500'000'000;
  board.go.let();
  thread.join();
  LatencyHistogram all;
  own.seconds.drain([&](const SecondRecord& r) { all.merge(r.read); });
  // Of 500 due in half a second at most 100 ended; the last of them had waited four fifths of it.
  EXPECT_LE(all.count(), 101U);
  EXPECT_GT(all.count(), 20U);
  EXPECT_GT(all.max(), 250'000'000U);
  EXPECT_GT(own.backlog, 350U);
}

TEST_F(RunnerPace, ARateBeyondTheTargetIsSaid) {
  Workload w = reading();
  w.arrivals = Arrivals::regular;
  w.rate_iops = 1e9;
  EXPECT_TRUE(says(run(w, "psync"), "still due"));
}

TEST_F(RunnerPace, ThinkTimeIsKeptBetweenBursts) {
  Workload w = reading();
  w.queue_depth_per_worker = 1;
  w.think_us = 5000;
  w.burst = 4;
  w.duration_s = 1;
  const RunResult r = run(w, "psync");
  // Bursts of four every 5 ms and a little.
  EXPECT_LE(r.iops, 801);
  EXPECT_GE(r.iops, 300);
  EXPECT_EQ(r.read.ios.value_or(0) % 4, 0U);
  EXPECT_FALSE(says(r, "Little"));
}

TEST_F(RunnerPace, AMixAddsUpInBytesEverywhere) {
  Workload w = reading();
  w.mix = {{50, 4096, 100, 100, 0}, {50, 16384, 100, 100, 0}};
  w.block_bytes = {4096, 16384};
  w.workers = 2;
  w.duration_s = 1.2;
  for (const char* engine : {"null", "psync", "libaio", "io_uring"}) {
    if (!find_engine(engine)->available()) continue;
    const RunResult r = run(w, engine);
    ASSERT_GT(r.read.ios.value_or(0), 0U) << engine;
    EXPECT_NEAR(
        static_cast<double>(r.bytes.value_or(0)) / static_cast<double>(r.read.ios.value_or(0)),
        10240, 200);
    std::uint64_t series_bytes = 0;
    std::uint64_t series_ios = 0;
    std::uint64_t worker_bytes = 0;
    std::uint64_t worker_ios = 0;
    HistogramBuckets series;
    HistogramBuckets workers;
    for (const SeriesPoint& p : r.series) {
      series_bytes += p.bytes;
      series_ios += p.ios;
      merge_buckets(series, p.histogram);
    }
    for (const PartResult& p : r.workers) {
      worker_bytes += p.bytes;
      worker_ios += p.ios;
      merge_buckets(workers, p.histogram);
    }
    EXPECT_EQ(series_bytes, r.bytes.value_or(0));
    EXPECT_EQ(worker_bytes, r.bytes.value_or(0));
    EXPECT_EQ(series_ios, r.read.ios.value_or(0));
    EXPECT_EQ(worker_ios, r.read.ios.value_or(0));
    EXPECT_EQ(series, r.histogram);
    EXPECT_EQ(workers, r.histogram);
  }
}

TEST_F(RunnerPace, GroupsWorkOnTheirOwnTargets) {
  Workload w = reading();
  w.targets.push_back((folder_ / "b").string());
  w.groups = {{1, 4, {0}}, {2, 2, {0, 1}}};
  w.workers = 3;
  const RunResult r = run(w);
  EXPECT_EQ(r.workload.outstanding_total, 12U);
  ASSERT_EQ(r.workers.size(), 3U);
  for (const PartResult& worker : r.workers) EXPECT_GT(worker.ios, 0U);
  EXPECT_LE(r.checks.achieved_queue_depth.value_or(0), 12.001);
}

TEST_F(RunnerPace, ADepthOverTargetsIsKept) {
  Workload w = reading();
  w.targets.push_back((folder_ / "b").string());
  w.depth_over_targets = true;
  w.queue_depth_per_worker = 3;
  const RunResult r = run(w);
  EXPECT_EQ(r.workload.outstanding_total, 3U);
  EXPECT_LE(r.checks.achieved_queue_depth.value_or(0), 3.001);
  EXPECT_GT(r.read.ios.value_or(0), 0U);
}

TEST_F(RunnerPace, EverySpreadRuns) {
  for (const Spread spread : {Spread::once, Spread::zipf, Spread::pareto, Spread::hot_spots}) {
    Workload w = reading();
    w.spread = spread;
    w.skew = 0.3;
    w.hot_spots = {{80, 20}};
    w.duration_s = 0.1;
    EXPECT_GT(run(w).read.ios.value_or(0), 0U);
  }
}

TEST_F(RunnerPace, ACoolDownGoesOnUnmeasured) {
  Workload w = reading();
  w.duration_s = 0.3;
  w.cooldown_s = 0.4;
  const auto begin = std::chrono::steady_clock::now();
  const RunResult r = run(w, "null");
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took.count(), 0.7);
  EXPECT_EQ(r.series.size(), 1U);
  EXPECT_NEAR(r.iops * 0.3, static_cast<double>(r.read.ios.value_or(0)),
              1 + 0.001 * static_cast<double>(r.read.ios.value_or(0)));
}

}  // namespace
}  // namespace raidscope
