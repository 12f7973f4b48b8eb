#include "tests/lab/timing/service_times.h"

#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "tests/lab/card/placement.h"

namespace raidscope::lab {
namespace {

/// The controller takes 100 us for a request, one at a time; the cache 10; an SSD 1000 to read and
/// 2000 to write, two at once.
constexpr std::string_view slow_parts = R"("timing": {"controller_us": 100, "cache_us": 10,
  "ssd": {"read_us": 1000, "write_us": 2000, "at_once": 2}})";

Machine machine_of(std::string_view raid, unsigned drives, std::string_view more,
                   std::string_view array_more = "") {
  auto machine = read_machine(
      fmt::format(
          R"({{"model": "P420", {}, {}, "arrays": [{{{} "drives": [{{"count": {}, "media": "ssd"}}],
        "logical_drives": [{{"raid": "{}", "size": "64 MiB", "strip": "64 KiB"}}]}}]}})",
          slow_parts, more, array_more, drives, raid),
      "made");
  EXPECT_TRUE(machine) << describe(machine.error());
  return machine ? *std::move(machine) : Machine{};
}
constexpr std::string_view no_cache = R"("slot": "2")";
/// 2 MiB for reads and as much for writes.
constexpr std::string_view small_cache =
    R"("cache": {"size": "256 MiB", "available": "4 MiB", "ratio": {"read": 50, "write": 50}})";

Request of_volume(const Machine& machine, bool writes, std::uint64_t block, std::uint64_t blocks) {
  return {{writes, block, blocks}, all_volumes(machine).front(), {}};
}
Request read(const Machine& machine, std::uint64_t block) {
  return of_volume(machine, false, block, 8);
}
Request write(const Machine& machine, std::uint64_t block) {
  return of_volume(machine, true, block, 8);
}

/// Lets all requests arrive at once and gives the time at which each was done.
class Bench {
 public:
  explicit Bench(Machine machine) : machine_(std::move(machine)) {}
  [[nodiscard]] const Machine& machine() const { return machine_; }
  Machine& machine() { return machine_; }
  ServiceTimes& times() { return times_; }

  /// Microseconds from now until each is done.
  std::vector<long> times_of(const std::vector<Request>& requests) {
    const Time began = now_;
    std::map<std::uint64_t, long> done;
    for (std::size_t i = 0; i < requests.size(); ++i) times_.arrive(now_, i, machine_, requests[i]);
    while (done.size() < requests.size() && times_.next()) {
      now_ = *times_.next();
      for (const std::uint64_t id : times_.done_by(now_)) done[id] = (now_ - began).count();
    }
    std::vector<long> out;
    for (const auto& [id, at] : done) out.push_back(at);
    return out;
  }
  /// Until nothing is on its way any more.
  void settle() {
    while (const auto next = times_.next()) times_.done_by(now_ = *next);
  }

 private:
  Machine machine_;
  ServiceTimes times_;
  Time now_{};
};

using Times = std::vector<long>;

TEST(ServiceTimes, AReadIsTheControllersTimeAndTheDrives) {
  Bench bench(machine_of("0", 2, no_cache));
  EXPECT_EQ(bench.times_of({read(bench.machine(), 0)}), (Times{1100}));
}

TEST(ServiceTimes, RequestsQueueAtTheControllerAndAtADrive) {
  Bench bench(machine_of("0", 2, no_cache));
  const Machine& m = bench.machine();
  // One strip, so one drive with two servers: the third waits for the first.
  EXPECT_EQ(bench.times_of({read(m, 0), read(m, 8), read(m, 16)}), (Times{1100, 1200, 2100}));
  // The next strip is on the other drive.
  EXPECT_EQ(bench.times_of({read(m, 0), read(m, 8), read(m, 128)}), (Times{1100, 1200, 1300}));
}

TEST(ServiceTimes, AMirrorReadsFromTheCopyWithLessToDoAndWritesBoth) {
  Bench bench(machine_of("1", 2, no_cache));
  const Machine& m = bench.machine();
  EXPECT_EQ(bench.times_of({read(m, 0), read(m, 8), read(m, 16), read(m, 24)}),
            (Times{1100, 1200, 1300, 1400}));
  // The read that comes last finds a server of either drive taken by each write.
  EXPECT_EQ(bench.times_of({write(m, 0), write(m, 8), read(m, 16)}), (Times{2100, 2200, 3100}));
}

TEST(ServiceTimes, AShortWriteOnParityReadsFirstAndAFullRowDoesNot) {
  for (const auto& [raid, drives] : {std::pair("5", 4U), std::pair("6", 5U), std::pair("4", 4U)}) {
    Bench bench(machine_of(raid, drives, no_cache));
    const Machine& m = bench.machine();
    EXPECT_EQ(bench.times_of({write(m, 0)}), (Times{3100})) << raid;
    EXPECT_EQ(bench.times_of({of_volume(m, true, 0, 3 * 128)}), (Times{2100})) << raid;
    EXPECT_EQ(bench.times_of({read(m, 0)}), (Times{1100})) << raid;
  }
}

TEST(ServiceTimes, ALongReadIsAsLongAsItsLastStrip) {
  Bench bench(machine_of("0", 2, no_cache));
  // Six strips, three to a drive that does two at once.
  EXPECT_EQ(bench.times_of({of_volume(bench.machine(), false, 0, 6 * 128)}), (Times{2100}));
}

TEST(ServiceTimes, WhatWasReadIsHitUntilOthersNeedTheRoom) {
  Bench bench(machine_of("0", 2, small_cache));
  const Machine& m = bench.machine();
  EXPECT_EQ(bench.times_of({read(m, 0)}), (Times{1100}));
  EXPECT_EQ(bench.times_of({read(m, 0)}), (Times{110}));
  EXPECT_EQ(bench.times_of({read(m, 8)}), (Times{1100}));
  bench.times_of({of_volume(m, false, 4096, 4096)});  // 2 MiB: all that there is for reads
  EXPECT_EQ(bench.times_of({read(m, 0)}), (Times{1100}));
  bench.machine().arrays[0].logical_drives[0].caching = false;
  EXPECT_EQ(bench.times_of({read(m, 0)}), (Times{1100}));
}

TEST(ServiceTimes, WritesArePostedUntilTheirPartIsFullThenGoAsFastAsTheDrivesTakeThem) {
  Bench bench(machine_of("0", 2, small_cache));
  const Machine& m = bench.machine();
  // 512 KiB each, eight strips: four of them fill the write part.
  std::vector<Request> writes;
  for (std::uint64_t i = 0; i < 8; ++i) writes.push_back(of_volume(m, true, i * 1024, 1024));
  const Times times = bench.times_of(writes);
  ASSERT_EQ(times.size(), 8U);
  for (long i = 0; i < 4; ++i) EXPECT_EQ(times[static_cast<std::size_t>(i)], 100 * (i + 1) + 10);
  // A drive takes four of the eight strips, two at once: 4 ms a write, from the first's arrival on.
  for (long i = 4; i < 8; ++i) EXPECT_EQ(times[static_cast<std::size_t>(i)], 4000 * (i - 3) + 110);
  bench.settle();
  EXPECT_EQ(bench.times().dirty_bytes(), 0U);
  EXPECT_EQ(bench.times_of({write(m, 0)}), (Times{110}));
}

TEST(ServiceTimes, AWriteIsReadFromTheCacheBeforeItIsOnTheDrives) {
  Bench bench(machine_of("0", 2, small_cache));
  const Machine& m = bench.machine();
  EXPECT_EQ(bench.times_of({write(m, 0)}), (Times{110}));
  EXPECT_EQ(bench.times().dirty_bytes(), 4096U);
  EXPECT_EQ(bench.times_of({read(m, 0)}), (Times{110}));
}

TEST(ServiceTimes, DestagingWaitsForReadsUntilWritesWaitForIt) {
  Bench bench(machine_of("0", 2, small_cache));
  const Machine& m = bench.machine();
  bench.times_of({of_volume(m, true, 0, 1024)});  // begins four strips, four wait
  EXPECT_EQ(bench.times_of({read(m, 8192)}), (Times{100 + 1890 + 1000}));  // behind those begun
}

TEST(ServiceTimes, WithoutAUsableWriteCacheAWriteWaitsForTheDrives) {
  Bench bench(machine_of("0", 2, small_cache));
  const auto time_of_write = [&] { return bench.times_of({write(bench.machine(), 0)}); };
  EXPECT_EQ(time_of_write(), (Times{110}));
  bench.settle();
  bench.machine().cache->status = CacheStatus::temporarily_disabled;
  EXPECT_EQ(time_of_write(), (Times{2100}));
  bench.machine().cache->status = CacheStatus::ok;
  bench.machine().cache->ratio = Ratio{100, 0};
  EXPECT_EQ(time_of_write(), (Times{2100}));
}

TEST(ServiceTimes, ARequestToADriveSkipsTheController) {
  Bench bench(machine_of("0", 2, no_cache, R"("smart_path": true,)"));
  Request straight = read(bench.machine(), 0);
  straight.drive = 1;
  EXPECT_EQ(bench.times_of({straight, straight, straight}), (Times{1000, 1000, 2000}));
}

TEST(ServiceTimes, ADriveThatStandsForItselfIsBehindTheController) {
  auto machine = read_machine(
      fmt::format(R"({{"model": "H240", "mode": "hba", {}, "hba_drives": [{{"media": "ssd"}}]}})",
                  slow_parts),
      "made");
  ASSERT_TRUE(machine) << describe(machine.error());
  Bench bench(*std::move(machine));
  EXPECT_EQ(bench.times_of({{{true, 0, 8}, {}, 0}}), (Times{2100}));
}

TEST(ServiceTimes, AHardDiskIsSlowerByItsOwnTimes) {
  auto machine = read_machine(
      fmt::format(R"({{"model": "P420", {}, "arrays": [{{"drives": [{{"count": 1, "media": "hdd"}}],
                      "logical_drives": [{{"raid": "0", "size": "64 MiB"}}]}}]}})",
                  slow_parts),
      "made");
  ASSERT_TRUE(machine) << describe(machine.error());
  Bench bench(*std::move(machine));
  EXPECT_EQ(bench.times_of({read(bench.machine(), 0)}), (Times{6100}));
}

TEST(ServiceTimes, ADescriptionsTimesAreChecked) {
  const auto refused = [](const std::string& timing) {
    const auto machine = read_machine(R"({"model": "P420", "timing": )" + timing + "}", "made");
    return machine ? std::string() : machine.error().message;
  };
  EXPECT_EQ(refused("{}"), "");
  EXPECT_NE(refused(R"({"controller_at_once": 0})").find("/timing: at once"), std::string::npos);
  EXPECT_NE(refused(R"({"cache_us": 20000000})").find("/timing: 10 s"), std::string::npos);
  EXPECT_NE(refused(R"({"hdd": {"seek_us": 1}})").find("/timing/hdd/seek_us"), std::string::npos);
}

}  // namespace
}  // namespace raidscope::lab
