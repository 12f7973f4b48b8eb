#include "workloads/experiment/session_record.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "workloads/experiment/session_record_json.h"

namespace raidscope {
namespace {

using Missing = std::vector<bool>;

std::vector<PlannedPoint> sweep(const std::vector<std::string>& targets, int rounds) {
  PlanOptions options;
  options.targets = targets;
  options.queue_depth = {1, 2};
  options.repeat = rounds;
  return make_plan(options)->points;
}

RunResult result_of(const PlannedPoint& point, bool interrupted = false) {
  RunResult result;
  result.workload = point.workload;
  result.interrupted = interrupted;
  return result;
}

TEST(SessionRecord, WhatIsStoredWholeIsDone) {
  const auto points = sweep({"/dev/sdb"}, 2);
  EXPECT_EQ(missing_points(points, {}), (Missing{true, true, true, true}));
  EXPECT_EQ(missing_points(points, {result_of(points[0]), result_of(points[1], true)}),
            (Missing{false, true, true, true}));
  // A round of its own, not any round of the point.
  EXPECT_EQ(missing_points(points, {result_of(points[2])}), (Missing{true, true, false, true}));
}

TEST(SessionRecord, OneResultIsOnePoint) {
  auto points = sweep({"/dev/sdb"}, 1);
  points.push_back(points[0]);
  EXPECT_EQ(missing_points(points, {result_of(points[0])}), (Missing{false, true, true}));
  EXPECT_EQ(missing_points(points, {result_of(points[0]), result_of(points[0])}),
            (Missing{false, true, false}));
}

TEST(SessionRecord, WhatWasInterruptedAndMadeAgainCountsOnce) {
  const auto points = sweep({"/dev/sdb"}, 1);
  const auto run = [&](const char* id, const char* session, const char* name, std::size_t point,
                       bool interrupted) {
    RunResult out = result_of(points[point], interrupted);
    out.run_id = id;
    out.session_id = session;
    out.name = name;
    return out;
  };
  const std::vector<RunResult> runs{
      run("r1", "s1", "block 1, cache", 0, true), run("r2", "s1", "block 1, cache", 0, false),
      // Never made again: in its session, under its name, or at its point.
      run("r3", "s2", "block 1, cache", 0, true), run("r4", "s1", "block 2, cache", 0, true),
      run("r5", "s1", "block 1, cache", 1, true), run("r6", "", "", 0, true),
      run("r7", "", "", 0, false)};
  EXPECT_EQ(made_again(runs), std::set<std::string>{"r1"});
}

TEST(SessionRecord, ARenamedTargetIsTheSamePoint) {
  const auto then = sweep({"/dev/sdb"}, 1);
  const auto now = sweep({"/dev/sdc"}, 1);
  EXPECT_EQ(missing_points(then, {result_of(then[0]), result_of(now[1])}), (Missing{false, false}));
  EXPECT_EQ(plan_difference(then, now), "");
  // Two targets that swapped their names: each result counts once.
  std::vector<PlannedPoint> both{then[0], now[0]};
  EXPECT_EQ(missing_points(both, {result_of(then[0])}), (Missing{false, true}));
  EXPECT_EQ(missing_points(both, {result_of(then[0]), result_of(then[0])}),
            (Missing{false, false}));
}

TEST(SessionRecord, AnotherPlanIsNamed) {
  const auto then = sweep({"/dev/sdb"}, 1);
  EXPECT_NE(plan_difference(then, sweep({"/dev/sdb"}, 2)).find("2 points"), std::string::npos);
  auto now = then;
  now[1].workload.area_bytes = 4096;
  EXPECT_NE(plan_difference(then, now).find("point 2"), std::string::npos);
}

TEST(SessionRecord, GoesThroughItsDocument) {
  SessionRecord record;
  record.session_id = "s1sample00001";
  record.options = {{"target", {"a", "b"}}, {"buffered", {}}};
  record.points = sweep({"/dev/sdb"}, 1);
  record.points[0].workload.seed = UINT64_MAX;
  record.targets.push_back(
      {"/dev/sdb", "/dev/sdb", "block", "naa.5000", "WWN", {}, {}, 1U << 30U, false, {"ext4"}});
  record.test_file = SessionTestFile{1U << 20U, 7, true};
  const std::string text = to_json(record).dump();
  const auto read = session_record_from_text(text, "here");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(*read, record);
  const auto document = nlohmann::ordered_json::parse(text);
  for (const auto& [name, value] : document.items()) {
    auto without = nlohmann::ordered_json::parse(text);
    without.erase(name);
    const auto damaged = session_record_from_text(without.dump(), "here");
    ASSERT_FALSE(damaged) << name;
    EXPECT_EQ(damaged.error().code, Errc::malformed);
  }
}

}  // namespace
}  // namespace raidscope
