// Runs that write: to a test file of raidscope's own, and to loop devices (root only).
#include <algorithm>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>
#include <vector>

#include <linux/loop.h>
#include <sys/ioctl.h>

#include <gtest/gtest.h>

#include "workloads/engine.h"
#include "workloads/run/consent.h"
#include "workloads/run/runner.h"
#include "workloads/run/testfile.h"
#include "workloads/run/testfile_mark.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t file_bytes = 8U << 20U;

/// A loop device over a file, detached when it goes.
class Loop {
 public:
  Loop(const std::string& file, std::uint32_t sector, bool direct = false) {
    const int control = ::open("/dev/loop-control", O_RDWR | O_CLOEXEC);
    if (control < 0) return;
    backing_ = ::open(file.c_str(), O_RDWR | O_CLOEXEC);
    // Another test may take the free device first.
    for (int attempt = 0; attempt < 20 && fd_ < 0; ++attempt) {
      const int number = ::ioctl(control, LOOP_CTL_GET_FREE);
      if (number < 0) break;
      path_ = "/dev/loop" + std::to_string(number);
      fd_ = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
      loop_config config{};
      config.fd = static_cast<std::uint32_t>(backing_);
      config.block_size = sector;
      config.info.lo_flags = LO_FLAGS_AUTOCLEAR;
      if (direct) config.info.lo_flags |= LO_FLAGS_DIRECT_IO;
      if (fd_ >= 0 && ::ioctl(fd_, LOOP_CONFIGURE, &config) != 0) {
        ::close(fd_);
        fd_ = -1;
      }
    }
    ::close(control);
  }
  Loop(const Loop&) = delete;
  Loop& operator=(const Loop&) = delete;
  ~Loop() {
    close();
    if (backing_ >= 0) ::close(backing_);
  }
  /// LO_FLAGS_AUTOCLEAR: the last close detaches.
  void close() {
    if (fd_ >= 0) ::close(fd_);
    fd_ = -1;
  }
  [[nodiscard]] bool attached() const { return fd_ >= 0; }
  [[nodiscard]] bool bypasses_page_cache() const {
    loop_info64 info{};
    return ::ioctl(fd_, LOOP_GET_STATUS64, &info) == 0 && (info.lo_flags & LO_FLAGS_DIRECT_IO) != 0;
  }
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  int backing_ = -1, fd_ = -1;
  std::string path_;
};

class RunnerWrite : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::current_path() / ("runner_write_test_" + std::to_string(::getpid()) + "_" +
                                    testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::create_directory(folder_);
    path_ = (folder_ / "target.dat").string();
    ASSERT_TRUE(create_test_file(consent(path_), file_bytes, 1, {}));
    const int direct = ::open(path_.c_str(), O_RDONLY | O_DIRECT);
    takes_direct_ = direct >= 0;
    if (direct >= 0) ::close(direct);
  }
  void TearDown() override { fs::remove_all(folder_); }

  static WriteConsent consent(const std::string& path, const std::vector<std::string>& ids = {}) {
    const auto examination = examine_target(path);
    EXPECT_TRUE(examination) << (examination ? "" : describe(examination.error()));
    auto leave = ask_to_write(*examination, ids);
    EXPECT_TRUE(leave) << (leave ? "" : describe(leave.error()));
    return *leave;
  }

  Workload writing(const std::string& target) const {
    Workload w;
    w.name = "write";
    w.targets = {target};
    w.read_percent = 0;
    w.workers = 2;
    w.queue_depth_per_worker = 4;
    w.duration_s = 0.4;
    w.direct = takes_direct_;
    return w;
  }

  fs::path folder_;
  std::string path_;
  bool takes_direct_ = false;
};

std::vector<char> content_of(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void expect_sums(const RunResult& r) {
  std::uint64_t ios = 0;
  for (const SeriesPoint& p : r.series) ios += p.ios;
  EXPECT_EQ(ios, *r.read.ios + *r.write.ios);
}

TEST_F(RunnerWrite, WrittenFileStaysIncompressibleAndUnrepeated) {
  for (const EngineType* type : engines()) {
    if (!type->moves_data || !type->available()) continue;
    const std::vector<char> before = content_of(path_);
    Workload w = writing(path_);
    w.area_bytes = file_bytes;
    RunOptions options{.engine = std::string(type->id), .consents = {consent(path_)}};
    const auto got = run_workload(w, options);
    ASSERT_TRUE(got) << describe(got.error());
    EXPECT_GT(got->write.ios, 0U);
    EXPECT_EQ(got->read.ios, 0U);
    EXPECT_FALSE(got->read.latency_us.mean);
    expect_sums(*got);
    const std::vector<char> after = content_of(path_);
    ASSERT_EQ(after.size(), before.size());
    EXPECT_NE(before, after) << type->id << " wrote nothing";
    std::set<std::string> pieces;
    for (std::size_t at = 0; at < after.size(); at += 512) pieces.emplace(&after[at], 16);
    EXPECT_EQ(pieces.size(), after.size() / 512) << "a block was written twice by " << type->id;
    const auto check = check_test_file(path_, std::nullopt);
    ASSERT_TRUE(check) << describe(check.error());
    EXPECT_FALSE(check->sparse);
    EXPECT_EQ(check->compressible, false);
    EXPECT_EQ(check->repeated, false);
  }
}

TEST_F(RunnerWrite, MixedAndWriteThrough) {
  Workload w = writing(path_);
  w.read_percent = 67;
  w.sync = Sync::write_through;
  const auto got = run_workload(w, {.consents = {consent(path_)}});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_GT(got->write.ios, 0U);
  EXPECT_GT(got->read.ios, 0U);
  EXPECT_NEAR(got->iops, got->read.iops + got->write.iops, 1e-6 * got->iops);
  expect_sums(*got);
}

TEST_F(RunnerWrite, TwoRunsOfOneSeedWriteDifferentBytes) {
  Workload w = writing(path_);
  w.workers = 1;
  w.queue_depth_per_worker = 1;
  w.area_bytes = 4096;  // one block: its last writer decides
  ASSERT_TRUE(run_workload(w, {.engine = "psync", .consents = {consent(path_)}}));
  const std::vector<char> first = content_of(path_);
  ASSERT_TRUE(run_workload(w, {.engine = "psync", .consents = {consent(path_)}}));
  const std::vector<char> second = content_of(path_);
  EXPECT_NE(std::memcmp(first.data(), second.data(), 4096), 0);
  EXPECT_EQ(std::memcmp(&first[4096], &second[4096], file_bytes - 4096), 0)
      << "something outside of the area was written";
}

TEST_F(RunnerWrite, ALimitOfBytesIsKeptToTheByte) {
  for (const EngineType* type : engines()) {
    if (!type->available()) continue;
    Workload w = writing(path_);
    w.duration_s = 20;
    std::atomic<std::int64_t> budget{100 * 4096 + 5};
    RunOptions options{.engine = std::string(type->id), .write_budget = &budget};
    if (type->moves_data) options.consents = {consent(path_)};
    const auto got = run_workload(w, options);
    ASSERT_TRUE(got) << describe(got.error());
    EXPECT_GE(budget.load(), 5);
    EXPECT_LE(got->write.ios, 100U);
    EXPECT_EQ(budget.load(), 5) << type->id;
    bool said = false;
    for (const std::string& s : got->checks.suspicions) {
      said = said || s.find("--max-write") != std::string::npos;
    }
    EXPECT_TRUE(said) << type->id;
    // Of the time that it took, not of the twenty seconds that were asked for.
    EXPECT_GT(got->iops, static_cast<double>(got->write.ios.value_or(0)) / 10) << type->id;
  }
}

TEST_F(RunnerWrite, AFileOfCompressibleContentStaysOurs) {
  for (const int share : {30, 60, 90}) {
    for (const std::uint64_t block :
         {std::uint64_t{512}, std::uint64_t{4096}, std::uint64_t{65536}}) {
      Workload w = writing(path_);
      w.pattern = Pattern::sequential;
      w.block_bytes = {block};
      w.compressible_percent = share;
      w.duration_s = 0.3;
      ASSERT_TRUE(run_workload(w, {.consents = {consent(path_)}}));
      EXPECT_TRUE(own_test_file(path_)) << share << " % of " << block;
    }
  }
}

TEST_F(RunnerWrite, FlushesComeBetweenWrites) {
  for (const EngineType* type : engines()) {
    if (!type->moves_data || !type->available()) continue;
    Workload w = writing(path_);
    w.workers = 1;
    w.fsync_every = 4;
    const auto got =
        run_workload(w, {.engine = std::string(type->id), .consents = {consent(path_)}});
    ASSERT_TRUE(got) << type->id << ": " << describe(got.error());
    ASSERT_TRUE(got->sync) << type->id;
    EXPECT_GT(got->sync->count, 0U) << type->id;
    EXPECT_NEAR(
        static_cast<double>(got->write.ios.value_or(0)) / static_cast<double>(got->sync->count), 4,
        1.5)
        << type->id;
    expect_sums(*got);
  }
}

TEST_F(RunnerWrite, WhatIsVerifiedIsFoundAgainAndALossIsSeen) {
  Workload w = writing(path_);
  w.verify = true;
  w.seed = 77;
  w.pattern = Pattern::sequential;
  w.workers = 1;
  Workload back = w;
  back.read_percent = 100;
  // The test file has another seed's content.
  const auto foreign = run_workload(back, {});
  ASSERT_FALSE(foreign);
  EXPECT_NE(describe(foreign.error()).find("verification failed"), std::string::npos);
  w.duration_s = 1.5;
  w.area_bytes = back.area_bytes = 1 << 20;
  for (const EngineType* type : engines()) {
    if (!type->moves_data || !type->available()) continue;
    const std::string engine(type->id);
    ASSERT_TRUE(run_workload(w, {.engine = engine, .consents = {consent(path_)}}));
    const auto got = run_workload(back, {.engine = engine});
    ASSERT_TRUE(got) << engine << ": " << describe(got.error());
    EXPECT_GT(got->read.ios, 256U);
    std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(500'001);
    file.put('!');
    file.close();
    const auto lost = run_workload(back, {.engine = engine});
    ASSERT_FALSE(lost) << engine;
    EXPECT_NE(describe(lost.error()).find("500001"), std::string::npos) << describe(lost.error());
  }
}

TEST_F(RunnerWrite, ATrimNeedsADeviceThatTakesIt) {
  Workload w = writing(path_);
  w.trim_percent = 50;
  const auto file = run_workload(w, {.consents = {consent(path_)}});
  ASSERT_FALSE(file);
  EXPECT_NE(describe(file.error()).find("no trim"), std::string::npos);
  EXPECT_FALSE(run_workload(w, {.engine = "io_uring", .consents = {consent(path_)}}));
  { std::ofstream(path_, std::ios::binary).write(std::string(file_bytes, 0).data(), file_bytes); }
  const Loop loop(path_, 512);
  if (!loop.attached()) GTEST_SKIP() << "loop devices need root";
  w.targets = {loop.path()};
  const auto unconsented = run_workload(w, {});
  ASSERT_FALSE(unconsented);
  EXPECT_EQ(unconsented.error().code, Errc::refused);
  const auto examined = examine_target(loop.path());
  ASSERT_TRUE(examined);
  const auto leave = ask_to_write(*examined, {examined->destroy_id});
  if (!leave) GTEST_SKIP() << describe(leave.error());
  const auto got = run_workload(w, {.consents = {*leave}});
  if (!got && describe(got.error()).find("no trim") != std::string::npos)
    GTEST_SKIP() << "the loop device takes no discard here";
  ASSERT_TRUE(got) << describe(got.error());
  ASSERT_TRUE(got->trim);
  EXPECT_GT(got->trim->ios, 0U);
  EXPECT_EQ(got->engine.name, "psync");
  std::uint64_t ios = 0;
  for (const SeriesPoint& p : got->series) ios += p.ios;
  EXPECT_EQ(ios, got->write.ios.value_or(0) + got->trim->ios.value_or(0));
}

TEST_F(RunnerWrite, AFileReplacedAfterItsConsentIsNotWritten) {
  const WriteConsent leave = consent(path_);
  const std::string other = (folder_ / "other.dat").string();
  ASSERT_TRUE(create_test_file(consent(other), file_bytes, 2, {}));
  fs::rename(other, path_);
  const std::vector<char> before = content_of(path_);
  for (const char* engine : {"psync", "io_uring"}) {
    if (!find_engine(engine)->available()) continue;
    const auto got = run_workload(writing(path_), {.engine = engine, .consents = {leave}});
    ASSERT_FALSE(got);
    EXPECT_EQ(got.error().code, Errc::refused);
  }
  EXPECT_EQ(content_of(path_), before);
}

TEST_F(RunnerWrite, LoopDeviceProvesDirectAndCountsWhatItGot) {
  const Loop loop(path_, 512, true);
  if (!loop.attached()) GTEST_SKIP() << "loop devices need root";
  if (!loop.bypasses_page_cache()) GTEST_SKIP() << "the file below takes no direct I/O";
  Workload w = writing(loop.path());
  w.direct = true;
  w.read_percent = 100;
  const auto got = run_workload(w, {});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_EQ(got->target.kind, "block");
  EXPECT_EQ(got->target.size_bytes, file_bytes);
  EXPECT_TRUE(got->engine.direct) << got->engine.direct_proof;
  EXPECT_NE(got->engine.direct_proof.find("at the device"), std::string::npos)
      << got->engine.direct_proof;
  EXPECT_FALSE(got->target.device_chain.empty());
}

TEST_F(RunnerWrite, LoopDeviceBufferedReadsAreServedByThePageCache) {
  const Loop loop(path_, 512);
  if (!loop.attached()) GTEST_SKIP() << "loop devices need root";
  Workload w = writing(loop.path());
  w.direct = false;
  w.read_percent = 100;
  ASSERT_TRUE(run_workload(w, {.engine = "psync"}));  // fills the cache
  const auto got = run_workload(w, {.engine = "psync"});
  ASSERT_TRUE(got) << describe(got.error());
  EXPECT_FALSE(got->engine.direct);
  bool said = false;
  for (const std::string& s : got->checks.suspicions) {
    said = said || s.find("page cache served") != std::string::npos;
  }
  EXPECT_TRUE(said);
}

TEST_F(RunnerWrite, LoopDeviceOf4096ByteSectorsRefusesSectorAlignment) {
  const Loop loop(path_, 4096);
  if (!loop.attached()) GTEST_SKIP() << "loop devices need root";
  Workload w = writing(loop.path());
  w.direct = true;
  w.read_percent = 100;
  w.alignment_bytes = 512;
  const auto refused = run_workload(w, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::unsupported);
  EXPECT_NE(describe(refused.error()).find("4096-byte sectors"), std::string::npos);
  EXPECT_NE(describe(refused.error()).find("aligned variant"), std::string::npos);
  w.alignment_bytes = 4096;
  EXPECT_TRUE(run_workload(w, {}));
  w.alignment_bytes = 0;
  w.block_bytes = {512};
  EXPECT_FALSE(run_workload(w, {}));
}

TEST_F(RunnerWrite, LoopDeviceOfZerosIsWrittenWithinTheAreaOnly) {
  const std::string zeros = (folder_ / "zeros").string();
  std::ofstream(zeros, std::ios::binary) << std::string(file_bytes, '\0');
  {
    const Loop loop(zeros, 512);
    if (!loop.attached()) GTEST_SKIP() << "loop devices need root";
    Workload w = writing(loop.path());
    w.direct = true;
    w.sync = Sync::write_through;
    w.area_bytes = file_bytes / 2;
    ASSERT_FALSE(run_workload(w, {})) << "written without consent";
    const auto got = run_workload(w, {.consents = {consent(loop.path())}});
    ASSERT_TRUE(got) << describe(got.error());
    EXPECT_GT(got->write.ios, 0U);
    // Written through to the disk, and yet by way of memory.
    EXPECT_FALSE(got->engine.direct);
    EXPECT_NE(got->engine.direct_proof.find("through the page cache"), std::string::npos)
        << got->engine.direct_proof;
  }
  const std::vector<char> after = content_of(zeros);
  const auto middle = after.begin() + file_bytes / 2;
  EXPECT_NE(std::count(after.begin(), middle, '\0'), file_bytes / 2);
  EXPECT_EQ(std::count(middle, after.end(), '\0'), file_bytes / 2);
}

TEST_F(RunnerWrite, ADeviceErrorIsNamedWithOffsetLengthAndErrno) {
  // The backing file shrinks under the loop device: reads past its end are I/O errors of the
  // device.
  const Loop loop(path_, 512);
  if (!loop.attached()) GTEST_SKIP() << "loop devices need root";
  fs::resize_file(path_, 4096);
  for (const char* engine : {"psync", "io_uring"}) {
    if (!find_engine(engine)->available()) continue;
    Workload w = writing(loop.path());
    w.read_percent = 100;
    w.direct = true;
    w.duration_s = 5;
    const auto got = run_workload(w, {.engine = engine});
    // Some kernels give zeros past the end of the file instead.
    if (got) continue;
    EXPECT_EQ(got.error().code, Errc::io);
    EXPECT_NE(got.error().message.find("4096 bytes at offset"), std::string::npos)
        << got.error().message;
    EXPECT_EQ(got.error().where, loop.path());
  }
}

}  // namespace
}  // namespace raidscope
