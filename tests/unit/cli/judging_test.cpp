#include "cli/judging.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "cli/test_surroundings.h"
#include "workloads/derived.h"

namespace raidscope::cli {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

Workload load(int read_percent, std::uint32_t depth = 1, double seconds = 60) {
  Workload w;
  w.read_percent = read_percent;
  w.queue_depth_per_worker = depth;
  w.duration_s = seconds;
  w.targets = {"/dev/sda"};
  derive(w);
  return w;
}

Plan plan_of(const std::vector<Workload>& points) {
  Plan plan;
  for (const Workload& w : points) plan.points.push_back({"", w});
  return plan;
}

std::vector<std::optional<bool>> blocks_of(const Plan& plan) {
  std::vector<PlannedTest> tests(plan.points.size());
  add_plan(plan, tests);
  std::vector<std::optional<bool>> out;
  for (const PlannedTest& test : tests) out.push_back(test.in_blocks);
  return out;
}

TEST(Judging, RoundsThatStandTogetherAreBlocks) {
  const Workload a = load(100, 1), b = load(100, 2);
  using Answers = std::vector<std::optional<bool>>;
  EXPECT_EQ(blocks_of(plan_of({a, a, b, b})), (Answers{true, true, true, true}));
  EXPECT_EQ(blocks_of(plan_of({a, b, a, b})), (Answers{false, false, false, false}));
  EXPECT_EQ(blocks_of(plan_of({a, b, b, a})), (Answers{false, false, false, false}));
  EXPECT_EQ(blocks_of(plan_of({a, b})), (Answers{{}, {}})) << "one round each has no order";
  EXPECT_EQ(blocks_of(plan_of({a, a})), (Answers{{}, {}})) << "there is nothing to mix with";
}

std::vector<std::optional<double>> rests_of(const char* drain, const std::vector<Workload>& points,
                                            bool placed = true) {
  Arguments arguments;
  if (drain != nullptr) arguments.add("drain", drain);
  const Controller controller;
  const LogicalDrive drive;
  TargetPlace place;
  if (placed) place = {&controller, nullptr, &drive, nullptr};
  const Plan plan = plan_of(points);
  std::vector<PlannedTest> tests(points.size());
  add_rests(arguments, plan, place, tests);
  std::vector<std::optional<double>> out;
  for (const PlannedTest& test : tests) out.push_back(test.rest_s);
  return out;
}

TEST(Judging, RestIsWhatTheDrainLeavesAfterAWrite) {
  using Rests = std::vector<std::optional<double>>;
  const std::vector<Workload> points{load(0), load(100), load(100)};
  EXPECT_EQ(rests_of(nullptr, points), (Rests{{}, 60.0, {}}));
  EXPECT_EQ(rests_of("none", points), (Rests{{}, 0.0, {}}));
  EXPECT_EQ(rests_of("90s", points), (Rests{{}, 90.0, {}}));
  EXPECT_EQ(rests_of(nullptr, {load(0, 1, 59), load(100)}), (Rests{{}, 0.0}))
      << "short points do not rest by themselves";
  EXPECT_EQ(rests_of(nullptr, points, false), (Rests{{}, 0.0, {}})) << "no cache is known";
}

Arguments drive_iops(const char* value) {
  Arguments arguments;
  arguments.add("drive-iops", value);
  return arguments;
}

TEST(Judging, RatesAreNumbersAboveZero) {
  EXPECT_EQ(drive_rates(drive_iops("180.5"))->iops, 180.5);
  EXPECT_FALSE(drive_rates(Arguments())->iops);
  for (const char* wrong : {"", "0", "-5", "180 IOPS", "nan", "inf", "1e10"})
    EXPECT_FALSE(drive_rates(drive_iops(wrong))) << wrong;
}

struct Disks {
  Inventory inventory;
  TargetInfo target;
  explicit Disks(std::vector<std::string> chain) {
    for (const char* path : {"/dev/sda", "/dev/sdb"}) {
      BlockDevice disk;
      disk.path = path;
      inventory.block_devices.push_back(disk);
    }
    target.device_chain = std::move(chain);
  }
  [[nodiscard]] TargetPlace place() const {
    return {nullptr, nullptr, nullptr, &inventory.block_devices[0]};
  }
};

TEST(Judging, ATargetOfSeveralDrivesHasNoBound) {
  const Disks one({"ext4 on /data", "/dev/sda1", "/dev/sda"});
  const auto bounds =
      bounds_of(drive_iops("200"), one.inventory, one.place(), load(100), one.target);
  ASSERT_THAT(bounds, SizeIs(1));
  EXPECT_EQ(bounds[0].iops, 200);
  const Disks two({"/dev/md0", "/dev/sda", "/dev/sdb"});
  EXPECT_THAT(bounds_of(drive_iops("200"), two.inventory, two.place(), load(100), two.target),
              IsEmpty());
  Workload several = load(100);
  several.targets.emplace_back("/dev/sdb");
  EXPECT_THAT(bounds_of(drive_iops("200"), one.inventory, one.place(), several, one.target),
              IsEmpty());
}

RunResult result_of(const Disks& disks, double iops) {
  RunResult run;
  run.engine.name = "io_uring";
  run.name = "point";
  run.workload = load(100);
  run.target = disks.target;
  run.iops = iops;
  run.bytes_per_s = iops * 4096;
  return run;
}

TEST(Judging, AResultAboveItsBoundIsNeverQuiet) {
  const Disks disks({"/dev/sda"});
  RunResult run = result_of(disks, 5000);
  run.audit.push_back({.rule = "O09", .severity = Severity::warning});
  ::testing::internal::CaptureStderr();
  judge_result(drive_iops("200"), disks.inventory, disks.place(), run);
  EXPECT_THAT(::testing::internal::GetCapturedStderr(), HasSubstr("W11 error"));
  EXPECT_EQ(run.checks.physical_bound_iops, 200);
  EXPECT_THAT(run.checks.suspicions, SizeIs(1));
  ASSERT_THAT(run.audit, SizeIs(2));
  EXPECT_EQ(run.audit[0].rule, "W11") << "worst first";
  RunResult slow = result_of(disks, 150);
  judge_result(drive_iops("200"), disks.inventory, disks.place(), slow);
  EXPECT_THAT(slow.audit, IsEmpty());
  EXPECT_THAT(slow.checks.suspicions, IsEmpty());
}

TEST(Judging, WhatMovesNoDataHasNoBound) {
  const Disks disks({"/dev/sda"});
  RunResult run = result_of(disks, 5e6);
  run.engine.name = "null";
  judge_result(drive_iops("200"), disks.inventory, disks.place(), run);
  EXPECT_FALSE(run.checks.physical_bound_iops);
  EXPECT_THAT(run.checks.suspicions, IsEmpty());
}

}  // namespace
}  // namespace raidscope::cli
