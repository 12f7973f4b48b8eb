// Whether latencies are true: the histogram beside fio's own figures of the same requests, and the
// whole loop beside a delay that is known.
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <deque>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <unistd.h>
#include <vector>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "tests/support/shell.h"
#include "workloads/engine.h"
#include "workloads/latency_histogram.h"
#include "workloads/run/crew.h"
#include "workloads/run/runner.h"
#include "workloads/run/worker.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::stringstream out;
  out << std::ifstream(path).rdbuf();
  return out.str();
}

class LatencyTruth : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::current_path() / ("latency_truth_" + std::to_string(::getpid()));
    fs::create_directory(folder_);
  }
  void TearDown() override {
    for (auto step = undo_.rbegin(); step != undo_.rend(); ++step) (*step)();
    fs::remove_all(folder_);
  }

  fs::path folder_;
  std::vector<std::function<void()>> undo_;
};

/// fio tells a bucket's middle, and its buckets are as wide as ours: 1/64 of a power of two.
TEST_F(LatencyTruth, OfFiosOwnLogTheHistogramSaysWhatFioSays) {
  if (shell("fio --version").status != 0) GTEST_SKIP() << "fio is not installed";
  const Ran ran =
      shell("cd '" + folder_.string() +
            "' && fio --name=j --filename=/dev/zero --readonly --rw=randread --bs=4096 "
            "--ioengine=psync --number_ios=40000 --size=1G --write_lat_log=log --lat_percentiles=1 "
            "--percentile_list=50:90:95:99:99.9:99.99 --output-format=json+ --output=out.json "
            "--eta=never");
  ASSERT_EQ(ran.status, 0) << ran.output;
  std::vector<std::uint64_t> all;
  LatencyHistogram histogram;
  std::ifstream log(folder_ / "log_lat.1.log");
  for (std::string line; std::getline(log, line);) {
    const std::size_t comma = line.find(',');
    ASSERT_NE(comma, std::string::npos) << line;
    all.push_back(std::stoull(line.substr(comma + 1)));
    histogram.record(all.back());
  }
  ASSERT_GT(all.size(), 10'000U);
  const auto document = nlohmann::json::parse(text_of(folder_ / "out.json"));
  const auto& fio = document["jobs"][0]["read"]["lat_ns"];
  ASSERT_EQ(fio["N"].get<std::uint64_t>(), all.size()) << "fio logged what it counted";
  std::sort(all.begin(), all.end());
  EXPECT_EQ(histogram.min(), fio["min"].get<std::uint64_t>());
  EXPECT_EQ(histogram.max(), fio["max"].get<std::uint64_t>());
  EXPECT_NEAR(histogram.mean(), fio["mean"].get<double>(), 1);
  EXPECT_NEAR(histogram.stddev(), fio["stddev"].get<double>(), 0.001 * histogram.stddev() + 1);
  for (const auto& [name, value] : fio["percentile"].items()) {
    const double q = std::stod(name) / 100;
    const auto rank =
        static_cast<std::size_t>(std::ceil(q * static_cast<double>(all.size()) - 1e-6));
    // The two count ranks from different ends of a request.
    const std::uint64_t low = all[rank < 2 ? 0 : rank - 2];
    const std::uint64_t exact = all[rank - 1];
    const std::uint64_t high = all[std::min(rank, all.size() - 1)];
    const std::uint64_t ours = histogram.quantile(q);
    EXPECT_GE(ours, exact) << name << ": never low";
    EXPECT_LE(static_cast<double>(ours), static_cast<double>(exact) * 65 / 64) << name;
    const auto theirs = value.get<double>();
    EXPECT_GE(theirs, static_cast<double>(low) * (1 - 1.0 / 64) - 1) << name;
    EXPECT_LE(theirs, static_cast<double>(high) * (1 + 1.0 / 64) + 1) << name;
    EXPECT_GE(static_cast<double>(ours),
              theirs * (1 - 1.0 / 64) * static_cast<double>(low) / static_cast<double>(high))
        << name;
    EXPECT_LE(static_cast<double>(ours),
              theirs * (1 + 2.0 / 64) * static_cast<double>(high) / static_cast<double>(low))
        << name;
  }
}

constexpr std::int64_t known_delay_ns = 20'000'000;

/// Completes each request a fixed time after it was submitted, whatever its depth.
class Delayed final : public Engine {
 public:
  Status open(const EngineSetup& /*setup*/) override { return Done{}; }
  std::int32_t submit(std::span<const Request> requests,
                      std::span<const std::uint32_t> slots) override {
    const std::int64_t now = clock_ns();
    for (std::size_t i = 0; i < requests.size(); ++i)
      waiting_.push_back(
          {slots[i], static_cast<std::int32_t>(requests[i].length), now + known_delay_ns});
    return static_cast<std::int32_t>(requests.size());
  }
  std::int32_t reap(std::span<Completion> out, std::uint32_t least,
                    std::chrono::nanoseconds patience) override {
    const std::int64_t begin = clock_ns();
    std::size_t count = 0;
    while (true) {
      const std::int64_t now = clock_ns();
      while (count < out.size() && !waiting_.empty() && waiting_.front().due_ns <= now) {
        out[count++] = {waiting_.front().slot, waiting_.front().bytes};
        waiting_.pop_front();
      }
      if (count >= least || waiting_.empty() || now - begin >= patience.count()) break;
      std::this_thread::sleep_for(std::chrono::microseconds(200));
    }
    return static_cast<std::int32_t>(count);
  }

 private:
  struct Waiting {
    std::uint32_t slot;
    std::int32_t bytes;
    std::int64_t due_ns;
  };
  std::deque<Waiting> waiting_;
};

TEST_F(LatencyTruth, UnderAKnownDelayOfTheEngineTheMiddleIsThatDelay) {
  const EngineType delayed{
      .id = "delayed", .summary = "a known delay", .make = []() -> std::unique_ptr<Engine> {
        return std::make_unique<Delayed>();
      }};
  for (const std::uint32_t depth : {1U, 8U, 64U}) {
    Workload workload;
    workload.targets = {"none"};
    workload.queue_depth_per_worker = depth;
    const auto boards = *Boards::make(1, 1);
    RunBoard& board = boards->run();
    WorkerBoard& own = boards->workers().front();
    RunShared shared(workload, delayed, board);
    shared.setup.targets.push_back({"none", nullptr});
    shared.setup.depth = depth;
    shared.setup.buffer_bytes = 4096;
    shared.extents.push_back(*extent_of(workload, 4 << 20));
    shared.cursors = std::make_unique<SharedCursor[]>(1);
    Worker worker(shared, own, 0);
    std::thread thread([&] { worker.run(); });
    board.opened.wait();
    board.window_begin_ns = clock_ns();
    board.window_end_ns = board.window_begin_ns + 1'500'000'000;
    board.go.let();
    thread.join();
    LatencyHistogram seen;
    own.seconds.drain([&](const SecondRecord& second) { seen.merge(second.read); });
    ASSERT_GT(seen.count(), 30U) << depth;
    EXPECT_GE(seen.min(), static_cast<std::uint64_t>(known_delay_ns)) << depth << ": never low";
    const double p50 = static_cast<double>(seen.quantile(0.5));
    EXPECT_NEAR(p50, known_delay_ns, 0.1 * known_delay_ns) << "queue depth " << depth;
  }
}

/// The kernel lets so many requests a second through to a loop device: with more outstanding than
/// it lets through at a time, each waits for those before it.
TEST_F(LatencyTruth, UnderAKnownDelayOfTheDeviceTheMiddleIsThatDelay) {
  if (::geteuid() != 0) GTEST_SKIP() << "needs root, for a loop device and a control group";
  constexpr int iops = 50;
  constexpr std::uint32_t depth = 40;
  constexpr double delay_us = 1e6 * depth / iops;

  const std::string image = (folder_ / "image").string();
  ASSERT_EQ(shell("head -c 16M /dev/urandom > '" + image + "'").status, 0);
  const Ran loop = shell("losetup --find --show '" + image + "'");
  if (loop.status != 0) GTEST_SKIP() << "no loop device: " << loop.output;
  const std::string device = loop.output;
  undo_.emplace_back([device] { (void)shell("losetup -d " + device); });
  struct stat node {};
  ASSERT_EQ(::stat(device.c_str(), &node), 0);
  const std::string number =
      std::to_string(major(node.st_rdev)) + ":" + std::to_string(minor(node.st_rdev));

  const bool first = fs::exists("/sys/fs/cgroup/blkio/blkio.throttle.read_iops_device");
  const fs::path root = first ? "/sys/fs/cgroup/blkio" : "/sys/fs/cgroup";
  const std::string controllers = text_of(root / "cgroup.controllers");
  if (!first && controllers.find("io") == std::string::npos)
    GTEST_SKIP() << "the kernel has no control group that limits I/O";
  if (!first) (void)shell("echo +io > /sys/fs/cgroup/cgroup.subtree_control");
  const fs::path group = root / ("raidscope-test-" + std::to_string(::getpid()));
  std::error_code problem;
  if (!fs::create_directory(group, problem))
    GTEST_SKIP() << "no control group can be made: " << problem.message();
  // Back to where this process was, as /proc/self/cgroup has it.
  std::string home;
  std::istringstream own(text_of("/proc/self/cgroup"));
  for (std::string line; std::getline(own, line);) {
    const bool mine = first ? line.find(":blkio:") != std::string::npos : line.starts_with("0::");
    if (mine) home = line.substr(line.rfind(':') + 1);
  }
  const std::string back = (root / fs::path(home).relative_path()).string();
  const std::string self = std::to_string(::getpid());
  undo_.emplace_back([=] {
    std::ofstream(back + "/cgroup.procs") << self;
    std::error_code gone;
    fs::remove(group, gone);
  });
  const fs::path limit = group / (first ? "blkio.throttle.read_iops_device" : "io.max");
  {
    std::ofstream file(limit);
    file << number << (first ? " " : " riops=") << iops << std::endl;
    if (!file) GTEST_SKIP() << "the kernel takes no limit for " << device;
  }
  {
    std::ofstream file(group / "cgroup.procs");
    file << self << std::endl;
    if (!file) GTEST_SKIP() << "this process cannot be put into a control group";
  }

  for (const char* engine : {"io_uring", "libaio"}) {
    const EngineType* type = find_engine(engine);
    ASSERT_NE(type, nullptr);
    if (!type->available()) continue;
    Workload workload;
    workload.targets = {device};
    workload.queue_depth_per_worker = depth;
    workload.ramp_s = 1.5;
    workload.duration_s = 3;
    RunOptions options;
    options.engine = engine;
    const auto result = run_workload(workload, options);
    ASSERT_TRUE(result) << describe(result.error());
    EXPECT_NEAR(result->iops, iops, 0.1 * iops) << engine << ": the limit is the kernel's";
    ASSERT_TRUE(result->latency_us.p50);
    EXPECT_NEAR(*result->latency_us.p50, delay_us, 0.1 * delay_us) << engine;
    EXPECT_NEAR(*result->latency_us.mean, delay_us, 0.1 * delay_us) << engine;
  }
}

}  // namespace
}  // namespace raidscope
