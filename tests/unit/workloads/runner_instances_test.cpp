// Several processes at once: the sums, what each has of its own, and what happens when one dies.
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <numeric>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/random.h"
#include "workloads/run/consent.h"
#include "workloads/run/runner.h"
#include "workloads/run/testfile.h"
#include "workloads/statistics.h"

namespace raidscope {
namespace {

class RunnerInstances : public testing::Test {
 protected:
  void SetUp() override {
    path_ = (std::filesystem::current_path() /
             ("instances_" + std::to_string(::getpid()) + "_" +
              testing::UnitTest::GetInstance()->current_test_info()->name()))
                .string();
    std::ofstream file(path_, std::ios::binary);
    SplitMix64 random(1);
    for (int i = 0; i < (4 << 20) / 8; ++i) {
      const std::uint64_t word = random();
      file.write(reinterpret_cast<const char*>(&word), sizeof word);
    }
  }
  void TearDown() override { std::filesystem::remove(path_); }

  Workload reading(std::uint32_t instances) const {
    Workload w;
    w.name = "instances";
    w.targets = {path_};
    w.direct = false;
    w.workers = 2;
    w.queue_depth_per_worker = 4;
    w.duration_s = 1.2;
    w.instances = instances;
    return w;
  }

  std::string path_;
};

/// Processes whose parent is this one.
std::vector<pid_t> children() {
  std::vector<pid_t> out;
  std::ifstream list("/proc/self/task/" + std::to_string(::getpid()) + "/children");
  for (pid_t pid = 0; list >> pid;) out.push_back(pid);
  return out;
}

TEST_F(RunnerInstances, EachHasItsOwnResultAndTheyAddUp) {
  const auto got = run_workload(reading(3), {});
  ASSERT_TRUE(got) << describe(got.error());
  ASSERT_EQ(got->instances.size(), 3U);
  ASSERT_EQ(got->workers.size(), 6U);
  EXPECT_EQ(got->workload.outstanding_total, 24U);
  std::uint64_t ios = 0;
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < 3; ++i) {
    const PartResult& one = got->instances[i];
    EXPECT_GT(one.ios, 0U);
    EXPECT_EQ(one.ios, got->workers[2 * i].ios + got->workers[2 * i + 1].ios);
    EXPECT_GT(one.latency_us.p99.value_or(0), 0);
    ios += one.ios;
    bytes += one.bytes;
  }
  EXPECT_EQ(ios, got->read.ios);
  EXPECT_EQ(bytes, got->bytes);
  std::uint64_t seconds = 0;
  for (const SeriesPoint& point : got->series) seconds += point.ios;
  EXPECT_EQ(seconds, ios);
  std::uint64_t counted = 0;
  for (const std::uint64_t n : got->histogram.count) counted += n;
  EXPECT_EQ(counted, ios);
  EXPECT_NEAR(got->checks.achieved_queue_depth.value_or(0), 24, 6);
}

TEST_F(RunnerInstances, TheirProcessorTimeIsCounted) {
  Workload w = reading(2);
  const auto got = run_workload(w, {.engine = "psync"});
  ASSERT_TRUE(got) << describe(got.error());
  // Reading memory as fast as it goes: the processes do little else.
  EXPECT_GT(*got->cpu.user_s + *got->cpu.system_s, 0.3);
}

TEST_F(RunnerInstances, OneAloneHasNoPartsOfItsOwn) {
  const auto got = run_workload(reading(1), {});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_TRUE(got->instances.empty());
}

TEST_F(RunnerInstances, AnEngineThatDoesNotOpenIsSaidAsByOne) {
  std::filesystem::remove(path_);
  const auto got = run_workload(reading(2), {});
  ASSERT_FALSE(got);
  EXPECT_NE(describe(got.error()).find(path_), std::string::npos);
  EXPECT_TRUE(children().empty());
}

TEST_F(RunnerInstances, ADeadOneEndsTheRunAndIsNamed) {
  Workload w = reading(2);
  w.duration_s = 60;
  std::atomic<bool> killed{false};
  RunOptions options;
  options.progress = [&](const RunProgress& now) {
    if (now.elapsed_s < 0.3 || killed) return;
    const std::vector<pid_t> pids = children();
    if (pids.size() != 2) return;
    ::kill(pids.back(), SIGKILL);
    killed = true;
  };
  const auto got = run_workload(w, options);
  ASSERT_TRUE(killed);
  ASSERT_FALSE(got);
  EXPECT_NE(describe(got.error()).find("instance 1 was killed by signal 9"), std::string::npos)
      << describe(got.error());
  EXPECT_TRUE(children().empty());
}

TEST_F(RunnerInstances, AStopEndsThemAll) {
  Workload w = reading(2);
  w.duration_s = 60;
  std::atomic<bool> stop{false};
  RunOptions options;
  options.stop = &stop;
  options.progress = [&](const RunProgress& now) { stop = now.elapsed_s > 0.5; };
  const auto got = run_workload(w, options);
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_TRUE(got->interrupted);
  EXPECT_GT(got->iops, 0);
  EXPECT_TRUE(children().empty());
}

/// The budget is the run's, not each instance's, and what is left comes back.
TEST_F(RunnerInstances, TheyShareTheWriteBudget) {
  std::filesystem::remove(path_);
  const auto before = examine_target(path_, 4U << 20U);
  ASSERT_TRUE(before) << describe(before.error());
  const auto making = ask_to_write(*before, {});
  ASSERT_TRUE(making) << describe(making.error());
  const Status made = create_test_file(*making, 4U << 20U, 1, {});
  ASSERT_TRUE(made) << describe(made.error());
  const auto examined = examine_target(path_, 0);
  ASSERT_TRUE(examined) << describe(examined.error());
  const auto consent = ask_to_write(*examined, {});
  ASSERT_TRUE(consent) << describe(consent.error());
  Workload w = reading(2);
  w.read_percent = 0;
  w.duration_s = 30;
  constexpr std::int64_t most = 2 << 20;
  std::atomic<std::int64_t> budget{most};
  const auto got = run_workload(w, {.consents = {*consent}, .write_budget = &budget});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_LE(got->bytes, static_cast<std::uint64_t>(most));
  EXPECT_GT(got->bytes, 0U);
  EXPECT_LT(budget.load(), 8 * 4096 * 2);
}

TEST_F(RunnerInstances, ARunThatIsSteadyEndsEarly) {
  Workload w = reading(1);
  w.duration_s = 60;
  const SteadyStateRules generous{5, 60, 1000, 1000};
  const auto got = run_workload(w, {.until_steady = generous});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_EQ(got->steady_state.reached, true);
  // A 25th of a minute is two seconds; five of them.
  EXPECT_GE(got->series.size(), 10U);
  EXPECT_LE(got->series.size(), 20U);
  EXPECT_FALSE(got->interrupted);
  const SteadyStateRules impossible{5, 60, -1, -1};
  w.duration_s = 7;
  const auto never = run_workload(w, {.until_steady = impossible});
  ASSERT_TRUE(never) << describe(never.error());
  EXPECT_EQ(never->steady_state.reached, false);
  EXPECT_GE(never->series.size(), 7U);
}

}  // namespace
}  // namespace raidscope
