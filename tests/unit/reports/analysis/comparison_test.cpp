#include "reports/analysis/comparison.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tests/support/arms.h"

// TEST DATA: made-up numbers on a made-up machine.
namespace raidscope {
namespace {

using sample::arm;
using sample::bypassing;
using sample::cached;
using sample::in_turn;
using sample::Runs;

RunComparison by(const Runs& runs, const std::string& key, ComparisonOptions options = {}) {
  const GroupedRuns grouped = group_runs(runs.runs, runs.snapshots, key);
  if (options.factor.empty()) options.factor = {key};
  return compare_groups(grouped.groups, runs.snapshots, options);
}

const ComparedMetric& metric(const RunComparison& comparison, std::string_view name) {
  for (const ComparedMetric& row : comparison.metrics) {
    if (row.metric == name) return row;
  }
  static const ComparedMetric none;
  ADD_FAILURE() << name;
  return none;
}

bool has(const std::vector<std::string>& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}
bool says(const std::vector<std::string>& list, std::string_view part) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

TEST(Comparison, SmartPathOverCacheInPairs) {
  const Runs runs =
      in_turn(cached(), {40000, 41000, 40500, 40200}, bypassing(), {30000, 30900, 30300, 30100});
  const RunComparison c = by(runs, "smart_path");
  ASSERT_EQ(c.groups.size(), 2U);
  EXPECT_EQ(c.groups[0].label, "smart_path disabled");
  EXPECT_EQ(c.groups[1].label, "smart_path enabled");
  EXPECT_EQ(c.groups[0].settings.at("smart_path"), "disabled");
  EXPECT_EQ(c.groups[1].settings.at("disk_count"), "8");
  ASSERT_EQ(c.metrics.size(), 6U);
  const ComparedMetric& iops = metric(c, "iops");
  EXPECT_EQ(iops.pairs, 4);
  EXPECT_EQ(iops.method, "paired t");
  EXPECT_NEAR(*iops.ratio.estimate, *iops.b / *iops.a, 1e-12);
  EXPECT_LT(*iops.ratio.low, *iops.ratio.estimate);
  EXPECT_LT(*iops.ratio.high, 0.8);
  EXPECT_EQ(iops.verdict, ComparisonVerdict::worse);
  // Latency rose, which is worse too.
  EXPECT_GT(*metric(c, "mean").ratio.low, 1.2);
  EXPECT_EQ(metric(c, "mean").verdict, ComparisonVerdict::worse);
  EXPECT_EQ(metric(c, "p99_9").verdict, ComparisonVerdict::worse);
  // What follows from Smart Path is named, and stands in nobody's way.
  for (const char* key :
       {"smart_path", "caching", "acceleration", "smart_path.driver_enabled", "cache.status"})
    EXPECT_TRUE(has(c.differing, key)) << key;
  EXPECT_TRUE(c.in_the_way.empty());
  EXPECT_FALSE(c.conditional);
  EXPECT_TRUE(says(c.notes, "one misses on average"));
  EXPECT_NE(c.conclusion.find("0.75× IOPS"), std::string::npos) << c.conclusion;
}

TEST(Comparison, AnotherSettingStandsInTheWay) {
  Inventory other = bypassing();
  other.controllers.front().cache.status = CacheStatus::ok;  // another drive uses the cache
  other.controllers.front().cache.ratio = Ratio{25, 75};
  const Runs runs = in_turn(cached(), {40000, 41000, 40500}, other, {30000, 30900, 30300});
  const RunComparison c = by(runs, "smart_path");
  EXPECT_EQ(c.in_the_way, std::vector<std::string>{"cache.ratio"});
  EXPECT_TRUE(says(c.notes, "cache.ratio (25/75 against 10/90)"));
  EXPECT_NE(c.conclusion.find("cache.ratio"), std::string::npos);
  for (const ComparedMetric& row : c.metrics) {
    EXPECT_EQ(row.verdict, ComparisonVerdict::undecided);
    EXPECT_FALSE(row.more_pairs) << "more pairs would not help";
    EXPECT_TRUE(row.ratio.estimate) << "the numbers are still there";
  }
  ComparisonOptions allow;
  allow.allowed = {"cache.ratio"};
  const RunComparison excused = by(runs, "smart_path", allow);
  EXPECT_EQ(metric(excused, "iops").verdict, ComparisonVerdict::worse);
  EXPECT_TRUE(has(excused.differing, "cache.ratio"));
}

TEST(Comparison, WhatStandsInTheWayOfOneWorkloadLeavesTheOthersAlone) {
  Inventory other = bypassing();
  other.controllers.front().cache.ratio = Ratio{25, 75};
  Runs runs = in_turn(cached(), {40000, 41000, 40500}, bypassing(), {30000, 30900, 30300});
  Runs deep = in_turn(cached(), {40000, 41000, 40500}, other, {30000, 30900, 30300});
  Runs doubtful = in_turn(cached(), {40000, 41000, 40500}, bypassing(), {30000, 30900, 30300});
  doubtful.runs.front().checks.valid = false;
  for (auto& [more, depth] : {std::pair{&deep, 64U}, std::pair{&doubtful, 128U}}) {
    for (RunResult& run : more->runs) {
      run.run_id += "-" + std::to_string(depth);
      run.workload.queue_depth_per_worker = depth;
      runs.runs.push_back(run);
    }
    runs.snapshots.merge(more->snapshots);
  }
  const RunComparison c = by(runs, "smart_path");
  std::vector<ComparedMetric> iops;
  std::copy_if(c.metrics.begin(), c.metrics.end(), std::back_inserter(iops),
               [](const ComparedMetric& row) { return row.metric == "iops"; });
  ASSERT_EQ(iops.size(), 3U);
  EXPECT_EQ(iops[0].verdict, ComparisonVerdict::worse);
  EXPECT_TRUE(iops[0].in_the_way.empty());
  EXPECT_EQ(iops[1].verdict, ComparisonVerdict::undecided);
  EXPECT_EQ(iops[1].in_the_way, std::vector<std::string>{"cache.ratio"});
  EXPECT_EQ(iops[2].verdict, ComparisonVerdict::undecided);
  EXPECT_EQ(iops[2].doubtful_runs, std::vector<std::string>{doubtful.runs.front().run_id});
  // The sentence of each is its own.
  const std::size_t first_end = c.conclusion.find('\n');
  EXPECT_NE(c.conclusion.substr(0, first_end).find("worse"), std::string::npos) << c.conclusion;
  EXPECT_EQ(c.conclusion.substr(0, first_end).find("differed too"), std::string::npos);
  EXPECT_NE(c.conclusion.find("cache.ratio differed too"), std::string::npos);
}

TEST(Comparison, WhatVariesInsideAGroupStandsInTheWay) {
  // Smart Path off, once with the cache and once without: two arms in one group.
  Runs runs;
  runs.add(cached(), 40000, 0);
  runs.add(bypassing(), 30000, 1);
  runs.add(arm(Switch::disabled, Switch::disabled), 9000, 2);
  runs.add(bypassing(), 30000, 3);
  EXPECT_TRUE(has(by(runs, "smart_path").in_the_way, "caching"));
}

TEST(Comparison, TheOnlyDifferenceIsTheFactor) {
  Inventory other = cached();
  other.controllers.front().cache.ratio = Ratio{0, 100};
  const Runs runs = in_turn(cached(), {40000, 40100, 40200}, other, {46000, 46100, 46200});
  std::vector<RunGroup> groups{{"a", {}}, {"b", {}}};
  for (std::size_t i = 0; i < runs.runs.size(); ++i) groups[i % 2].runs.push_back(&runs.runs[i]);
  const RunComparison c = compare_groups(groups, runs.snapshots, {});
  EXPECT_EQ(c.factor, std::vector<std::string>{"cache.ratio"});
  EXPECT_EQ(metric(c, "iops").verdict, ComparisonVerdict::better);
  // Two things that have nothing to do with each other: none is.
  other.controllers.front().firmware = "6.00";
  const Runs two = in_turn(cached(), {40000, 40100, 40200}, other, {46000, 46100, 46200});
  for (std::size_t i = 0; i < two.runs.size(); ++i) {
    if (i < 2) groups[i].runs.clear();
    groups[i % 2].runs.push_back(&two.runs[i]);
  }
  const RunComparison none = compare_groups(groups, two.snapshots, {});
  EXPECT_TRUE(none.factor.empty());
  EXPECT_TRUE(has(none.in_the_way, "cache.ratio"));
  EXPECT_TRUE(has(none.in_the_way, "firmware"));
  // The configuration as a whole may be the factor.
  ComparisonOptions whole;
  whole.factor = {"fingerprint"};
  EXPECT_EQ(metric(compare_groups(groups, two.snapshots, whole), "iops").verdict,
            ComparisonVerdict::better);
}

TEST(Comparison, UnknownOnBothSidesIsConditional) {
  Inventory a = cached(), b = bypassing();
  for (Inventory* inventory : {&a, &b}) {
    inventory->controllers.front().cache.status = CacheStatus::ok;
    inventory->controllers.front().cache.ratio.reset();
  }
  const RunComparison c = by(in_turn(a, {40000, 41000}, b, {30000, 30900}), "smart_path");
  EXPECT_TRUE(c.conditional);
  EXPECT_EQ(c.unknown, std::vector<std::string>{"cache.ratio"});
  EXPECT_TRUE(says(c.notes, "cache.ratio"));
  EXPECT_NE(c.conclusion.find("only if"), std::string::npos);
  // Known on one side alone it may differ as well.
  const RunComparison one = by(in_turn(cached(), {40000, 41000}, b, {30000, 30900}), "smart_path");
  EXPECT_TRUE(has(one.unknown, "cache.ratio"));
  // A controller without a cache has no ratio to be unknown.
  for (Inventory* inventory : {&a, &b}) {
    inventory->controllers.front().cache = {};
    inventory->controllers.front().cache.present = false;
  }
  EXPECT_FALSE(by(in_turn(a, {40000, 41000}, b, {30000, 30900}), "smart_path").conditional);
}

TEST(Comparison, RunsWithoutAnInventoryAreConditional) {
  Runs runs = in_turn(cached(), {40000, 41000}, cached(), {41000, 42000});
  runs.snapshots.clear();
  const RunComparison c =
      compare_groups({{"a", {&runs.runs[0], &runs.runs[2]}}, {"b", {&runs.runs[1], &runs.runs[3]}}},
                     runs.snapshots, {});
  EXPECT_TRUE(c.conditional);
  EXPECT_TRUE(has(c.unknown, "smart_path"));
}

TEST(Comparison, OriginsDoNotMix) {
  Runs runs = in_turn(cached(), {40000, 41000, 40500}, bypassing(), {30000, 30900, 30300});
  for (RunResult& run : runs.runs) {
    if (run.iops < 35000) run.origin = Origin::simulated;
  }
  const RunComparison c = by(runs, "smart_path");
  EXPECT_TRUE(has(c.in_the_way, "origin"));
  EXPECT_TRUE(says(c.notes, "--mix-origins"));
  EXPECT_FALSE(metric(c, "iops").ratio.estimate);
  EXPECT_EQ(metric(c, "iops").verdict, ComparisonVerdict::undecided);
  ComparisonOptions mix;
  mix.mix_origins = true;
  EXPECT_EQ(metric(by(runs, "smart_path", mix), "iops").verdict, ComparisonVerdict::worse);
}

TEST(Comparison, SingleResultsAreUndecided) {
  const RunComparison c = by(in_turn(cached(), {40000}, bypassing(), {20000}), "smart_path");
  const ComparedMetric& iops = metric(c, "iops");
  EXPECT_NEAR(*iops.ratio.estimate, 0.5, 1e-12);
  EXPECT_FALSE(iops.ratio.low);
  EXPECT_FALSE(iops.method);
  EXPECT_EQ(iops.verdict, ComparisonVerdict::undecided);
  EXPECT_TRUE(says(c.notes, "single results"));
}

TEST(Comparison, ARunWhoseConfigurationChangedConcludesNothing) {
  Runs runs = in_turn(cached(), {40000, 41000, 40500}, bypassing(), {30000, 30900, 30300});
  runs.runs.front().config_changed = true;
  const RunComparison c = by(runs, "smart_path");
  EXPECT_EQ(metric(c, "iops").verdict, ComparisonVerdict::undecided);
  EXPECT_TRUE(says(c.notes, runs.runs.front().run_id));
}

TEST(Comparison, UndecidedSaysHowManyMore) {
  const Runs runs = in_turn(cached(), {40000, 40000, 40000}, bypassing(), {41000, 46000, 44500});
  const ComparedMetric iops = metric(by(runs, "smart_path"), "iops");
  EXPECT_EQ(iops.verdict, ComparisonVerdict::undecided);
  ASSERT_TRUE(iops.more_pairs);
  EXPECT_GT(*iops.more_pairs, 0);
}

TEST(Comparison, RunsOneAfterTheOtherAreTwoSamples) {
  Runs runs;
  for (int i = 0; i < 4; ++i) runs.add(cached(), 40000 + 100 * i, i);
  for (int i = 0; i < 4; ++i) runs.add(bypassing(), 30000 + 100 * i, 10 + i);
  const RunComparison c = by(runs, "smart_path");
  EXPECT_FALSE(metric(c, "iops").pairs);
  EXPECT_EQ(metric(c, "iops").method, "Welch's t");
  EXPECT_TRUE(says(c.notes, "drift"));
  ComparisonOptions ranks;
  ranks.method = IntervalMethod::signed_rank;
  const RunComparison none = by(runs, "smart_path", ranks);
  EXPECT_FALSE(metric(none, "iops").ratio.low);
  EXPECT_TRUE(says(none.notes, "in turn"));
}

TEST(Comparison, PairsAreThoseThatFollowEachOther) {
  const Runs runs = in_turn(cached(), {1, 2, 3}, bypassing(), {4, 5, 6});
  std::vector<const RunResult*> a, b;
  for (std::size_t i = 0; i < 6; ++i) (i % 2 == 0 ? a : b).push_back(&runs.runs[i]);
  const auto pairs = paired_runs(a, b);
  ASSERT_EQ(pairs.size(), 3U);
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(pairs[i].first->iops, a[i]->iops);
    EXPECT_EQ(pairs[i].second->iops, b[i]->iops);
  }
  a.pop_back();  // an interrupted session
  EXPECT_EQ(paired_runs(a, b).size(), 2U);
}

TEST(Comparison, EachWorkloadIsComparedWithItself) {
  Runs runs;
  for (int i = 0; i < 2; ++i) {
    const Inventory inventory = i == 0 ? cached() : bypassing();
    runs.add(inventory, 40000.0 / (i + 1), 4 * i, "one");
    runs.add(inventory, 9000.0 * (i + 1), 4 * i + 1, "two");
    runs.runs.back().workload.read_percent = 0;
  }
  runs.add(bypassing(), 1, 20, "three");
  runs.runs.back().workload.block_bytes = {65536};
  const RunComparison c = by(runs, "smart_path");
  ASSERT_EQ(c.metrics.size(), 12U);
  EXPECT_NEAR(*c.metrics[0].ratio.estimate, 0.5, 1e-12);
  EXPECT_NEAR(*c.metrics[6].ratio.estimate, 2, 1e-12);
  EXPECT_TRUE(says(c.notes, "left out"));
}

TEST(Comparison, ByIoPathTheCacheComesFirst) {
  Runs runs;
  for (int i = 0; i < 3; ++i) {
    Inventory inventory = i == 0   ? arm(Switch::disabled, Switch::disabled)
                          : i == 1 ? bypassing()
                                   : cached();
    inventory.controllers.front().arrays.front().logical_drives.front().io_path =
        i == 0   ? IoPath::neither
        : i == 1 ? IoPath::smart_path
                 : IoPath::cache;
    runs.add(inventory, 40000, i);
  }
  const RunComparison c = by(runs, "io_path");
  ASSERT_EQ(c.groups.size(), 3U);
  EXPECT_EQ(c.groups[0].label, "io_path cache");
  EXPECT_EQ(c.groups[1].label, "io_path smart_path");
  EXPECT_EQ(c.groups[2].label, "io_path neither");
}

TEST(Comparison, AWorkloadIsNamedByWhatAllItsRunsAreCalled) {
  Runs runs = in_turn(cached(), {40000, 41000}, bypassing(), {30000, 30900});
  EXPECT_EQ(by(runs, "smart_path").metrics.front().workload.rfind("random read: ", 0), 0U);
  for (std::size_t i = 0; i < runs.runs.size(); ++i)
    runs.runs[i].name = "block " + std::to_string(i / 2 + 1) + ", an arm: random read";
  EXPECT_EQ(by(runs, "smart_path").metrics.front().workload.find("block"), std::string::npos);
}

TEST(Comparison, AWorkloadKeyIsAFactorToo) {
  Runs runs;
  for (int i = 0; i < 6; ++i) {
    runs.add(cached(), i % 2 == 0 ? 40000 + i : 60000 + i, i);
    runs.runs.back().workload.queue_depth_per_worker = i % 2 == 0 ? 4 : 32;
    runs.runs.back().workload.outstanding_total = i % 2 == 0 ? 8 : 64;
  }
  const auto key = setting_key("queue-depth");
  ASSERT_TRUE(key);
  EXPECT_EQ(*key, "queue_depth_per_worker");
  const RunComparison c = by(runs, *key);
  EXPECT_EQ(c.groups[0].label, "queue_depth_per_worker 4");
  EXPECT_EQ(metric(c, "iops").verdict, ComparisonVerdict::better);
  EXPECT_TRUE(has(c.differing, "queue_depth_per_worker"));
}

TEST(Comparison, KeysHaveOtherNames) {
  EXPECT_EQ(setting_key("ratio").value_or(""), "cache.ratio");
  EXPECT_EQ(setting_key("workload.read_percent").value_or(""), "read_percent");
  EXPECT_EQ(setting_key("surface_scan_mode").value_or(""), "settings.surface_scan_mode");
  EXPECT_EQ(setting_key("disk_count").value_or(""), "disk_count");
  EXPECT_EQ(setting_key("fingerprint").value_or(""), "fingerprint");
  const auto unknown = setting_key("nonsense");
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code, Errc::usage);
}

TEST(Comparison, KeysAreUniqueAndTheSameForEveryRun) {
  const Inventory inventory = cached();
  const RunSettings full = run_settings(sample::run(inventory, {"x"}, 1), &inventory);
  const RunSettings none = run_settings({}, nullptr);
  ASSERT_EQ(full.size(), none.size());
  std::set<std::string> keys;
  for (std::size_t i = 0; i < full.size(); ++i) {
    EXPECT_EQ(full[i].key, none[i].key);
    EXPECT_TRUE(keys.insert(full[i].key).second) << full[i].key;
    if (full[i].kind == SettingKind::inventory) {
      EXPECT_FALSE(none[i].value) << none[i].key;
    }
  }
  EXPECT_EQ(setting_value(full, "model"), "P420i");
  EXPECT_EQ(setting_value(full, "drives.model"), "EO0400FBRWA");
  EXPECT_EQ(setting_value(full, "cache.ratio"), "10/90");
  EXPECT_EQ(setting_value(full, "driver.version"), "3.4.20-200");
}

TEST(Comparison, ALaptopAgainstAServer) {
  const Inventory laptop = sample::laptop();
  Runs runs;
  runs.add(cached(), 40000, 0);
  runs.add(laptop, 20000, 1);
  RunResult& run = runs.runs.back();
  run.target.controller.reset();
  run.target.logical_drive.reset();
  run.target.device_chain = {"ext4", "/dev/nvme0n1p2", "/dev/nvme0n1"};
  run.inventory_before = SnapshotRef{snapshot_id(laptop), "cccccccccccc", "NVMe"};
  const RunComparison c = by(runs, "fingerprint");
  EXPECT_TRUE(has(c.differing, "behind"));
  EXPECT_TRUE(c.in_the_way.empty());
  EXPECT_NEAR(*metric(c, "iops").ratio.estimate, 0.5, 1e-12);
}

}  // namespace
}  // namespace raidscope
