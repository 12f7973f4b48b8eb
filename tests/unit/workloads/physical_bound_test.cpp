#include "workloads/physical_bound.h"

#include <algorithm>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "controllers/catalogue/rates.h"
#include "workloads/derived.h"
#include "workloads/result_facts.h"

namespace raidscope {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Eight hard disks on a card of which no source tells a rate, so that a test adds one at a time.
struct Machine {
  Controller controller;
  Array array;
  LogicalDrive drive;

  explicit Machine(const char* raid = "1+0", int disks = 8) {
    controller.model = "P430";
    controller.generation = "Gen8+";
    array.media = Media::ssd;
    for (int i = 0; i < disks; ++i) {
      PhysicalDrive disk;
      disk.role = DriveRole::data;
      array.physical_drives.push_back(disk);
    }
    drive.raid = raid;
    drive.disk_count = disks;
    drive.strip_bytes = 256 * 1024;
    drive.size_bytes = 1LL << 40;
    drive.io_path = IoPath::cache;
  }
  [[nodiscard]] BoundPlace place() const { return {&controller, &array, &drive, nullptr}; }
};

Workload random_load(int read_percent, std::uint64_t block = 4096) {
  Workload w;
  w.pattern = Pattern::random;
  w.read_percent = read_percent;
  w.block_bytes = {block};
  derive(w);
  return w;
}

Workload sequential_load(int read_percent, std::uint64_t block) {
  Workload w = random_load(read_percent, block);
  w.pattern = Pattern::sequential;
  return w;
}

/// The bound whose name holds the words; 0 where there is none.
double bound_of(const std::vector<PhysicalBound>& bounds, std::string_view words) {
  for (const PhysicalBound& bound : bounds) {
    if (bound.name.find(words) != std::string::npos) return bound.iops;
  }
  return 0;
}

double drives_bound(const Machine& m, const Workload& w, double iops) {
  return bound_of(physical_bounds(w, m.place(), {iops, {}}), "--drive-iops");
}

TEST(PhysicalBound, NothingIsKnownNothingIsSaid) {
  const Machine m;
  EXPECT_THAT(physical_bounds(random_load(67), m.place(), {}), IsEmpty());
  EXPECT_THAT(physical_bounds(random_load(67), {}, {150.0, 100.0}), IsEmpty());
  EXPECT_FALSE(smallest_bound({}));
}

TEST(PhysicalBound, DrivesTimesTheirRateForReads) {
  const Machine m;
  EXPECT_DOUBLE_EQ(drives_bound(m, random_load(100), 150), 1200);
  const auto bound = smallest_bound(physical_bounds(random_load(100), m.place(), {150.0, {}}));
  ASSERT_TRUE(bound);
  EXPECT_EQ(bound->name, "8 drives × 150 IOPS (--drive-iops)");
}

TEST(PhysicalBound, WritesCountAsTheLevelMakesThem) {
  const struct {
    const char* raid;
    double writes;
  } levels[] = {{"0", 1}, {"1+0", 2}, {"1", 2},  {"10adm", 3}, {"1adm", 3},
                {"4", 4}, {"5", 4},   {"50", 4}, {"6", 6},     {"60", 6}};
  for (const auto& [raid, writes] : levels) {
    const Machine m(raid, 12);
    EXPECT_DOUBLE_EQ(drives_bound(m, random_load(0), 150), 1800 / writes) << raid;
    EXPECT_DOUBLE_EQ(drives_bound(m, random_load(75), 150), 1800 / (0.75 + 0.25 * writes)) << raid;
  }
  const Machine m("5");
  EXPECT_THAT(smallest_bound(physical_bounds(random_load(0), m.place(), {150.0, {}}))->name,
              HasSubstr("a write on RAID 5 is 4 requests"));
}

TEST(PhysicalBound, WhatALevelCostsIsNotGuessed) {
  for (const char* raid : {"5+1", "?"}) {
    EXPECT_EQ(drives_bound(Machine(raid), random_load(50), 150), 0) << raid;
    EXPECT_EQ(drives_bound(Machine(raid), random_load(100), 150), 1200) << raid;
  }
  Machine unknown;
  unknown.drive.raid.reset();
  EXPECT_EQ(drives_bound(unknown, random_load(50), 150), 0);
  Machine uncounted;
  uncounted.drive.disk_count.reset();
  EXPECT_EQ(drives_bound(uncounted, random_load(100), 150), 0);
}

TEST(PhysicalBound, ABlockOfSeveralStripsIsSeveralRequests) {
  Machine m("5", 5);
  m.drive.strip_bytes = 64 * 1024;
  // Two strips are two reads; a whole stripe is written without reading: 4 + 1.
  EXPECT_DOUBLE_EQ(drives_bound(m, random_load(100, 128 << 10), 100), 250);
  EXPECT_DOUBLE_EQ(drives_bound(m, random_load(0, 256 << 10), 100), 100);
  // More strips than drives: neighbours on one drive are one request.
  EXPECT_DOUBLE_EQ(drives_bound(m, random_load(100, 1 << 20), 100), 125);
  Machine mirror("1", 2);
  EXPECT_DOUBLE_EQ(drives_bound(mirror, random_load(100, 1 << 20), 100), 200);
  Machine untold("5", 5);
  untold.drive.strip_bytes.reset();
  EXPECT_EQ(drives_bound(untold, random_load(0, 256 << 10), 100), 0);
  EXPECT_DOUBLE_EQ(drives_bound(untold, random_load(0, 4096), 100), 125);
}

TEST(PhysicalBound, SequentialRequestsHaveNoRandomBound) {
  const Machine m;
  EXPECT_EQ(drives_bound(m, sequential_load(100, 65536), 150), 0);
  Workload half = random_load(100);
  half.random_percent = 50;
  EXPECT_DOUBLE_EQ(drives_bound(m, half, 150), 2400);
}

TEST(PhysicalBound, AMixIsTheMeanOfItsLines) {
  const Machine m("0", 4);
  Workload w;
  w.mix = {{60, 4096, 100, 100, 0}, {40, 65536, 0, 0, 0}};
  derive(w);
  EXPECT_DOUBLE_EQ(drives_bound(m, w, 150), 600 / 0.6);
  EXPECT_DOUBLE_EQ(bound_of(physical_bounds(w, m.place(), {{}, 100.0}), "--drive-mbps"),
                   400e6 / (0.6 * 4096 + 0.4 * 65536));
}

TEST(PhysicalBound, TrimsMoveNothing) {
  const Machine m("1+0");
  Workload w = random_load(0);
  w.trim_percent = 50;
  EXPECT_DOUBLE_EQ(drives_bound(m, w, 150), 1200);
}

TEST(PhysicalBound, BytesOfTheDrives) {
  const auto mbps = [](const Machine& m, const Workload& w) {
    return bound_of(physical_bounds(w, m.place(), {{}, 200.0}), "--drive-mbps");
  };
  constexpr std::uint64_t block = 1 << 20;
  EXPECT_DOUBLE_EQ(mbps(Machine(), sequential_load(100, block)), 1600e6 / block);
  EXPECT_DOUBLE_EQ(mbps(Machine(), sequential_load(0, block)), 800e6 / block);
  EXPECT_DOUBLE_EQ(mbps(Machine("5", 5), sequential_load(0, block)), 800e6 / block);
  EXPECT_DOUBLE_EQ(mbps(Machine("6", 6), sequential_load(0, block)), 800e6 / block);
  EXPECT_DOUBLE_EQ(mbps(Machine("50", 6), sequential_load(0, block)), 1200e6 / block);
  EXPECT_EQ(mbps(Machine("5+1", 6), sequential_load(0, block)), 0);
}

TEST(PhysicalBound, ADiskOfTheKernelsOwnIsOneDrive) {
  BlockDevice disk;
  disk.path = "/dev/nvme0n1";
  const auto bounds =
      physical_bounds(random_load(50), {nullptr, nullptr, nullptr, &disk}, {90'000.0, {}});
  ASSERT_EQ(bounds.size(), 1U);
  EXPECT_DOUBLE_EQ(bounds[0].iops, 90'000);
  EXPECT_EQ(bounds[0].name, "1 drive × 90000 IOPS (--drive-iops)");
}

TEST(PhysicalBound, TheCitedRateOfHardDisksNeedsMostOfTheDrive) {
  Machine m;
  m.array.media = Media::hdd;
  constexpr std::string_view words = "fastest hard disk";
  const auto bound = [&](const Workload& w, std::uint64_t target, DriveRates rates = {}) {
    return bound_of(physical_bounds(w, m.place(), rates, target), words);
  };
  constexpr std::uint64_t most = 900ULL << 30;
  EXPECT_DOUBLE_EQ(bound(random_load(100), most), 8 * 470);
  EXPECT_EQ(bound(random_load(100), 100ULL << 30), 0) << "a short stroke is faster";
  EXPECT_EQ(bound(random_load(100), 0), 0) << "the area is unknown";
  EXPECT_EQ(bound(random_load(100, 512), most), 0) << "the rate is of 4 KiB";
  EXPECT_EQ(bound(random_load(100), most, {150.0, {}}), 0) << "a person knows better";
  m.array.media = Media::ssd;
  EXPECT_EQ(bound(random_load(100), most), 0);
  m.array.media.reset();
  EXPECT_EQ(bound(random_load(100), most), 0);
}

TEST(PhysicalBound, LinksOfTheDrives) {
  Machine m("1+0", 4);
  constexpr std::string_view words = "links of 4 drives";
  for (PhysicalDrive& disk : m.array.physical_drives) disk.phy_rates_gbps = {6.0, std::nullopt};
  PhysicalDrive spare;
  spare.role = DriveRole::spare;
  m.array.physical_drives.push_back(spare);
  const auto bound = [&](const Workload& w) {
    return bound_of(physical_bounds(w, m.place(), {}), words);
  };
  EXPECT_DOUBLE_EQ(bound(sequential_load(100, 65536)), 2400e6 / 65536);
  EXPECT_DOUBLE_EQ(bound(sequential_load(0, 65536)), 1200e6 / 65536);
  EXPECT_DOUBLE_EQ(bound(sequential_load(50, 65536)), 2400e6 / 65536) << "links are two-way";
  m.array.physical_drives[2].phy_rates_gbps = {std::nullopt};
  EXPECT_EQ(bound(sequential_load(100, 65536)), 0) << "one rate is not told";
}

TEST(PhysicalBound, LanesOfTheController) {
  Machine m;
  m.controller.model = "P420i";
  const auto bounds = physical_bounds(sequential_load(100, 65536), m.place(), {});
  EXPECT_DOUBLE_EQ(bound_of(bounds, "drive lanes of the P420i: 8 × 600 MB/s"), 4800e6 / 65536);
}

TEST(PhysicalBound, TheHostLinkAsNegotiatedOrAsTheCardHasIt) {
  Machine m;
  m.controller.model = "P440ar";
  EXPECT_DOUBLE_EQ(bound_of(physical_bounds(random_load(100), m.place(), {}), "PCIe 3.0 x8"),
                   7880e6 / 4096);
  m.controller.extra.items = {{"Negotiated PCIe Data Rate", "PCIe 1.0 x8 (2000 MB/s)"}};
  const auto bounds = physical_bounds(random_load(50), m.place(), {});
  EXPECT_DOUBLE_EQ(bound_of(bounds, "PCIe 1.0 x8: 2000 MB/s each way (as negotiated)"),
                   2000e6 / 2048);
  EXPECT_THAT(smallest_bound(bounds)->above, HasSubstr("memory of this machine"));
}

TEST(PhysicalBound, TheProcessorOfTheController) {
  Machine m;
  m.controller.model = "P420i";
  constexpr std::string_view words = "processor of the P420i: 200000";
  const auto bound = [&](const Workload& w) {
    return bound_of(physical_bounds(w, m.place(), {}), words);
  };
  EXPECT_DOUBLE_EQ(bound(random_load(67)), 200'000);
  EXPECT_EQ(bound(sequential_load(100, 4096)), 0) << "the figure is of random requests";
  EXPECT_EQ(bound(random_load(67, 512)), 0);
  m.drive.io_path = IoPath::neither;
  EXPECT_DOUBLE_EQ(bound(random_load(67)), 200'000);
  for (const IoPath path : {IoPath::smart_path, IoPath::unknown}) {
    m.drive.io_path = path;
    EXPECT_EQ(bound(random_load(67)), 0);
  }
  m.controller.model = "P410i";
  m.controller.generation = "G6";
  EXPECT_DOUBLE_EQ(bound_of(physical_bounds(random_load(67), m.place(), {}), "of the P410i"),
                   60'000)
      << "before Gen8 nothing goes past it";
}

TEST(PhysicalBound, AnEmulatedCardIsBoundByWhatAPersonSaysAlone) {
  Machine m;
  m.controller.model = "P420i";
  m.array.media = Media::hdd;
  EXPECT_THAT(physical_bounds(random_load(67), m.place(), {}, 1ULL << 40, true), IsEmpty());
  EXPECT_EQ(physical_bounds(random_load(67), m.place(), {150.0, {}}, 1ULL << 40, true).size(), 1U);
}

TEST(PhysicalBound, TheSmallestIsTaken) {
  Machine m;
  m.controller.model = "P420i";
  const auto bounds = physical_bounds(random_load(100), m.place(), {150.0, 100.0});
  EXPECT_GE(bounds.size(), 4U);
  EXPECT_DOUBLE_EQ(smallest_bound(bounds)->iops, 1200);
}

RunResult result_of(double iops) {
  RunResult run;
  run.workload = random_load(100);
  run.workload.duration_s = 30;
  run.workload.outstanding_total = 64;
  run.iops = iops;
  run.bytes_per_s = iops * 4096;
  return run;
}

TEST(PhysicalBound, AResultAboveItIsSuspected) {
  const Machine m;
  const auto bounds = physical_bounds(random_load(100), m.place(), {150.0, {}});
  RunResult below = result_of(1200 * 1.02);
  apply_bound(below, bounds);
  EXPECT_DOUBLE_EQ(below.checks.physical_bound_iops.value_or(0), 1200);
  EXPECT_EQ(below.checks.bound_name.value_or(""), "8 drives × 150 IOPS (--drive-iops)");
  EXPECT_THAT(below.checks.suspicions, IsEmpty());
  EXPECT_THAT(measured_test(below, bounds).above_bound, IsEmpty());
  RunResult above = result_of(1200 * 1.02 + 64.0 / 30 + 1);
  apply_bound(above, bounds);
  ASSERT_EQ(above.checks.suspicions.size(), 1U);
  EXPECT_THAT(above.checks.suspicions[0], HasSubstr("above the physical bound of 1200"));
  EXPECT_THAT(above.checks.suspicions[0], HasSubstr("a cache served"));
  EXPECT_EQ(measured_test(above, bounds).above_bound, above.checks.suspicions[0]);
  RunResult unbound = result_of(1e6);
  apply_bound(unbound, {});
  EXPECT_FALSE(unbound.checks.physical_bound_iops);
  EXPECT_FALSE(unbound.checks.bound_name);
}

TEST(MeasuredTestOf, AsksOfALoadOnlyWhatItPromises) {
  RunResult run = result_of(1000);
  EXPECT_TRUE(measured_test(run, {}).keeps_depth);
  EXPECT_EQ(measured_test(run, {}).block_bytes, 4096U);
  run.workload.think_us = 10;
  EXPECT_FALSE(measured_test(run, {}).keeps_depth);
  run = result_of(1000);
  run.workload.trim_percent = 10;
  EXPECT_FALSE(measured_test(run, {}).block_bytes) << "trims move nothing";
  run.workload.mix = {{50, 4096, 100, 100, 0}, {50, 8192, 100, 100, 0}};
  EXPECT_FALSE(measured_test(run, {}).block_bytes);
  run = result_of(1000);
  run.latency_us.mean = 1000;
  run.engine.name = "sqlio";
  EXPECT_GT(measured_test(run, {}).law_slack_down_pct, 200) << "SQLIO cuts its average";
  EXPECT_LT(measured_test(run, {}).law_slack_up_pct, 1);
}

}  // namespace
}  // namespace raidscope
