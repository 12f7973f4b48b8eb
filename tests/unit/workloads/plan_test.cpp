#include "workloads/plan.h"

#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "workloads/plan_json.h"
#include "workloads/syntax.h"

namespace raidscope {
namespace {

bool mentions(const std::vector<std::string>& texts, std::string_view word) {
  for (const std::string& text : texts) {
    if (text.find(word) != std::string::npos) return true;
  }
  return false;
}

TEST(Presets, SqlioStudyIsItsThreeTests) {
  const auto tests = find_preset("sqlio-study")->make({});
  ASSERT_EQ(tests.size(), 3U);
  for (const Workload& w : tests) {
    EXPECT_EQ(w.block_bytes, std::vector<std::uint64_t>{65536});
    EXPECT_EQ(w.workers, 4U);
    EXPECT_EQ(w.duration_s, 120);
    EXPECT_EQ(w.ramp_s, 0);
    EXPECT_EQ(w.area_bytes, 0U);
    EXPECT_TRUE(w.direct);
    EXPECT_NE(w.source.find("-BN"), std::string::npos);
    EXPECT_TRUE(mentions(w.warnings, "100 GB"));
    EXPECT_TRUE(mentions(w.warnings, "ramp"));
  }
  EXPECT_EQ(tests[0].pattern, Pattern::sequential);
  EXPECT_EQ(tests[0].cursor, SequentialCursor::shared);
  EXPECT_EQ(tests[0].read_percent, 100);
  EXPECT_EQ(tests[0].queue_depth_per_worker, 2U);
  EXPECT_EQ(tests[0].outstanding_total, 8U);
  EXPECT_EQ(tests[1].pattern, Pattern::random);
  EXPECT_EQ(tests[1].read_percent, 100);
  EXPECT_EQ(tests[1].outstanding_total, 64U);
  EXPECT_EQ(tests[2].pattern, Pattern::random);
  EXPECT_EQ(tests[2].read_percent, 0);
  EXPECT_EQ(tests[2].outstanding_total, 64U);
  EXPECT_EQ(tests[2].sync, Sync::write_through);
  EXPECT_TRUE(mentions(tests[2].warnings, "write-through"));
}

TEST(Presets, IometerDatabaseIs512OutstandingInBothAlignments) {
  const auto tests = find_preset("iometer-database")->make({});
  ASSERT_EQ(tests.size(), 2U);
  for (const Workload& w : tests) {
    EXPECT_EQ(w.workers, 8U);
    EXPECT_EQ(w.queue_depth_per_worker, 64U);
    EXPECT_EQ(w.outstanding_total, 512U);
    EXPECT_EQ(w.read_percent, 67);
    EXPECT_EQ(w.area_bytes, 4294967296U);
    EXPECT_EQ(w.duration_s, 540);
    EXPECT_EQ(w.sync, Sync::none);
  }
  EXPECT_EQ(tests[0].alignment_bytes, 512U);
  EXPECT_TRUE(mentions(tests[0].warnings, "sector"));
  EXPECT_EQ(tests[1].alignment_bytes, 4096U);
  const auto total = find_preset("iometer-database")->make({.reading_total = true});
  EXPECT_EQ(total[0].queue_depth_per_worker, 8U);
  EXPECT_EQ(total[0].outstanding_total, 64U);
}

TEST(Presets, IometerQueueSweepIsEightDepthsTwiceFourTimes) {
  const Preset& preset = *find_preset("iometer-queue-sweep");
  const auto tests = preset.make({});
  ASSERT_EQ(tests.size(), 16U);
  EXPECT_EQ(preset.repeats, 4);
  const std::uint32_t depths[] = {1, 2, 4, 8, 16, 24, 32, 64};
  for (std::size_t i = 0; i < 16; ++i) {
    EXPECT_EQ(tests[i].queue_depth_per_worker, depths[i % 8]);
    EXPECT_EQ(tests[i].outstanding_total, 2 * depths[i % 8]);
    EXPECT_EQ(tests[i].read_percent, i < 8 ? 100 : 0);
    EXPECT_EQ(tests[i].workers, 2U);
    EXPECT_EQ(tests[i].area_bytes, 5'120'000'000U);
    EXPECT_EQ(tests[i].alignment_bytes, 512U);
    EXPECT_EQ(tests[i].duration_s, 60);
    EXPECT_TRUE(mentions(tests[i].warnings, "per worker"));
  }
  EXPECT_EQ(find_preset("nosuch"), nullptr);
}

TEST(Plan, OfOptionsHasReadableStableNames) {
  PlanOptions o;
  o.read_percent = {67};
  o.workers = {8};
  o.queue_depth = {64};
  o.repeat = 2;
  o.targets = {"/t"};
  const Plan plan = make_plan(o).value();
  ASSERT_EQ(plan.points.size(), 2U);
  EXPECT_EQ(plan.points[0].name, "4k random read67 w8 qd64 #1");
  EXPECT_EQ(plan.points[1].name, "4k random read67 w8 qd64 #2");
  EXPECT_EQ(plan.points[1].workload.name, plan.points[1].name);
  EXPECT_EQ(plan.points[0].workload.outstanding_total, 512U);
  EXPECT_EQ(plan.points[0].workload.targets, std::vector<std::string>{"/t"});
  EXPECT_EQ(plan.points[1].workload.seed, plan.points[0].workload.seed + 1);
  EXPECT_EQ(plan.duration_s, 60);
}

TEST(Plan, SweepsOverEveryList) {
  PlanOptions o;
  o.block_bytes = {4096, 65536};
  o.read_percent = {100, 0, 67};
  o.workers = {1, 4};
  o.queue_depth = {1, 16};
  o.patterns = {Pattern::random, Pattern::sequential};
  o.duration_s = 10;
  o.ramp_s = 5;
  const Plan plan = make_plan(o).value();
  EXPECT_EQ(plan.points.size(), 48U);
  EXPECT_EQ(plan.duration_s, 48 * 15);
  std::set<std::string> names;
  for (const PlannedPoint& p : plan.points) names.insert(p.name);
  EXPECT_EQ(names.size(), 48U);
  EXPECT_EQ(plan.points.front().name, "4k random read w1 qd1");
  EXPECT_EQ(plan.points.back().name, "64k sequential read67 w4 qd16");
}

TEST(Plan, OfAPresetKeepsTheStudyAndTakesTimeSeedAndRepeats) {
  PlanOptions o;
  o.preset = "sqlio-study";
  o.duration_s = 3;
  o.seed = 9;
  const Plan plan = make_plan(o).value();
  ASSERT_EQ(plan.points.size(), 3U);
  EXPECT_EQ(plan.points[0].name, "sqlio sequential read 64k");
  EXPECT_EQ(plan.points[0].workload.duration_s, 3);
  EXPECT_EQ(plan.points[0].workload.seed, 9U);
  EXPECT_EQ(plan.duration_s, 9);
  EXPECT_TRUE(mentions(plan.warnings, "100 GB"));

  o = {};
  o.preset = "iometer-queue-sweep";
  const Plan sweep = make_plan(o).value();
  EXPECT_EQ(sweep.points.size(), 64U);
  EXPECT_EQ(sweep.points[0].name, "iometer queue sweep 4k read qd1 #1");
  EXPECT_EQ(sweep.points[16].name, "iometer queue sweep 4k read qd1 #2");
  o.repeat = 1;
  EXPECT_EQ(make_plan(o)->points.size(), 16U);
}

TEST(Plan, CountsBytesThatCanBeWrittenOrSaysThatItCannot) {
  PlanOptions o;
  o.targets = {"/t"};
  EXPECT_EQ(make_plan(o)->bytes_to_write, 0U);
  o.testfile_bytes = 1000;
  EXPECT_EQ(make_plan(o)->bytes_to_write, 1000U);
  o.read_percent = {0};
  EXPECT_FALSE(make_plan(o)->bytes_to_write);
  EXPECT_TRUE(mentions(make_plan(o)->warnings, "--max-write"));
  o.target_bytes = 1'048'576;
  EXPECT_EQ(make_plan(o)->bytes_to_write, 1000U + 1'048'576U);
  o.area_bytes = 65536;
  EXPECT_EQ(make_plan(o)->bytes_to_write, 1000U + 65536U);
}

TEST(Plan, RefusesWhatTheTargetCannotDo) {
  PlanOptions o;
  o.preset = "iometer-database";
  o.target_bytes = std::uint64_t{1} << 30U;
  o.logical_block_bytes = 4096;
  const Plan plan = make_plan(o).value();
  std::set<std::string> codes;
  for (const Refusal& r : plan.refusals) codes.insert(r.code);
  EXPECT_EQ(codes, (std::set<std::string>{"alignment", "area"}));
  bool names_the_variant = false;
  for (const Refusal& r : plan.refusals) {
    names_the_variant = names_the_variant || r.why.find("aligned variant") != std::string::npos;
  }
  EXPECT_TRUE(names_the_variant);
  o.target_bytes = std::uint64_t{8} << 30U;
  o.logical_block_bytes = 512;
  EXPECT_TRUE(make_plan(o)->refusals.empty());
}

TEST(Plan, RefusesValuesThatMakeNoWorkload) {
  const auto code = [](auto change) {
    PlanOptions o;
    change(o);
    const auto plan = make_plan(o);
    return plan ? std::optional<Errc>() : std::optional<Errc>(plan.error().code);
  };
  EXPECT_EQ(code([](PlanOptions& o) { o.read_percent = {101}; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.read_percent = {-1}; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.workers = {0}; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.queue_depth = {0}; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.block_bytes = {0}; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.block_bytes = {64000 + 1}; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.alignment_bytes = 100; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.duration_s = 0; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.ramp_s = -1; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.repeat = 0; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) { o.preset = "nosuch"; }), Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) {
              o.preset = "sqlio-study";
              o.block_bytes = {4096};
            }),
            Errc::usage);
  EXPECT_EQ(code([](PlanOptions& o) {
              o.direct = false;
              o.block_bytes = {1000};
            }),
            std::nullopt);
}

TEST(Plan, DocumentHasItsKeys) {
  PlanOptions o;
  o.read_percent = {0};
  const nlohmann::ordered_json document = to_json(make_plan(o).value());
  EXPECT_EQ(document["schema"], "raidscope.plan/1");
  EXPECT_TRUE(document["bytes_to_write"].is_null());
  EXPECT_EQ(document["points"][0]["name"], "4k random write w1 qd1");
  EXPECT_EQ(document["points"][0]["workload"]["schema"], "raidscope.workload/1");
  EXPECT_TRUE(document["refusals"].is_array());
  EXPECT_TRUE(document["warnings"].is_array());
  EXPECT_EQ(document["duration_s"], 30.0);
}

TEST(Plan, SettingsGoToEveryPointAndWhatFollowsIsDerived) {
  PlanOptions options;
  options.targets = {"a", "b"};
  options.settings = {{"--mix", "4k:50:100:100,64k:50:0:100"}, {"--groups", "4x16@0,2x8@1"}};
  ASSERT_TRUE(options.described());
  const Plan plan = make_plan(options).value();
  ASSERT_EQ(plan.points.size(), 1U);
  const Workload& w = plan.points[0].workload;
  EXPECT_EQ(w.read_percent, 50);
  EXPECT_EQ(w.workers, 6U);
  EXPECT_EQ(w.outstanding_total, 80U);
  options.settings = {{"--stride", "soon"}};
  EXPECT_EQ(make_plan(options).error().code, Errc::usage);
}

TEST(Plan, WorkloadsOfAnotherSyntaxKeepTheirTargets) {
  PlanOptions options;
  Workload w;
  w.targets = {"b"};
  options.base = {w, Workload{}};
  options.targets = {"a", "b"};
  const Plan plan = make_plan(options).value();
  EXPECT_EQ(plan.points[0].workload.targets, std::vector<std::string>{"b"});
  EXPECT_EQ(plan.points[1].workload.targets, (std::vector<std::string>{"a", "b"}));
}

TEST(Plan, AnAreaBehindTheEndIsRefused) {
  PlanOptions options;
  options.settings = {{"--base", "1M"}};
  options.target_bytes = 1U << 20U;
  const Plan plan = make_plan(options).value();
  bool refused = false;
  for (const Refusal& refusal : plan.refusals) refused = refused || refusal.code == "area";
  EXPECT_TRUE(refused);
}

TEST(Plan, ASpreadThatIsGivenTakesTheNoteOfTheRandomMapAway) {
  PlanOptions options;
  options.base = *find_syntax("fio")->parse("[a]\nrw=randread\nfilename=x\nruntime=5\n", {});
  EXPECT_TRUE(mentions(make_plan(options)->warnings, "takes each block once"));
  options.settings = {{"--spread", "uniform"}};
  const Plan plan = make_plan(options).value();
  EXPECT_FALSE(mentions(plan.warnings, "takes each block once"));
  EXPECT_FALSE(mentions(plan.points.front().workload.warnings, "takes each block once"));
}

TEST(Plan, WrongWordsOfAnotherToolAreNotTheOptionsFault) {
  PlanOptions options;
  Workload w;
  w.block_bytes = {1000};
  w.targets = {"x"};
  options.base = {w};
  EXPECT_EQ(make_plan(options).error().code, Errc::malformed);
  options.direct = false;
  EXPECT_TRUE(make_plan(options));
  options.settings = {{"--rate", "5"}};
  EXPECT_EQ(make_plan(options).error().code, Errc::usage);
}

TEST(Plan, ATrimIsNamedSo) {
  Workload w;
  w.read_percent = 0;
  w.trim_percent = 100;
  EXPECT_EQ(point_name(w), "4k random trim w1 qd1");
}

TEST(Plan, OptionsThatDoNothingAtAnyPointAreNamed) {
  const std::pair<WorkloadSetting, Pattern> cases[] = {
      {{"--stride", "64k"}, Pattern::random},
      {{"--cursor", "own"}, Pattern::random},
      {{"--worker-offset", "1M"}, Pattern::random},
      {{"--spread", "zipf:1.2"}, Pattern::sequential},
  };
  for (const auto& [setting, pattern] : cases) {
    PlanOptions o;
    o.settings = {setting};
    o.patterns = {pattern};
    EXPECT_TRUE(mentions(make_plan(o)->warnings, setting.name + " does nothing")) << setting.name;
    // A sweep that uses it somewhere is left alone.
    o.patterns = {Pattern::random, Pattern::sequential};
    EXPECT_FALSE(mentions(make_plan(o)->warnings, "does nothing")) << setting.name;
  }
  for (const WorkloadSetting& setting :
       {WorkloadSetting{"--trim-percent", "10"}, WorkloadSetting{"--fsync-every", "8"},
        WorkloadSetting{"--compressible", "50"}, WorkloadSetting{"--duplicate", "50"},
        WorkloadSetting{"--write-through", ""}}) {
    PlanOptions o;
    o.settings = {setting};
    EXPECT_TRUE(mentions(make_plan(o)->warnings, setting.name + " does nothing")) << setting.name;
    o.read_percent = {100, 67};
    EXPECT_FALSE(mentions(make_plan(o)->warnings, "does nothing")) << setting.name;
    o.read_percent.clear();
    o.settings.push_back({"--mix", "4k:50:100,8k:50:100"});
    EXPECT_TRUE(mentions(make_plan(o)->warnings, setting.name + " does nothing")) << setting.name;
  }
  PlanOptions o;
  o.sync = Sync::write_through;
  EXPECT_TRUE(mentions(make_plan(o)->warnings, "--write-through does nothing"));
  o = {};
  o.settings = {{"--poll", ""}};
  EXPECT_FALSE(mentions(make_plan(o)->warnings, "does nothing"));
  o.direct = false;
  EXPECT_TRUE(mentions(make_plan(o)->warnings, "--poll does nothing"));
  o = {};
  o.settings = {{"--spread", "uniform"}, {"--trim-percent", "0"}};
  o.patterns = {Pattern::sequential};
  EXPECT_FALSE(mentions(make_plan(o)->warnings, "does nothing"));
}

TEST(Plan, ARateIsEachInstances) {
  PlanOptions o;
  o.settings = {{"--rate", "1000"}, {"--arrivals", "regular"}};
  EXPECT_FALSE(mentions(make_plan(o)->warnings, "each instance"));
  o.settings.push_back({"--instances", "2"});
  EXPECT_TRUE(mentions(make_plan(o)->warnings, "1000 a second for each instance"));
  EXPECT_TRUE(mentions(make_plan(o)->warnings, "2000 a second in all"));
}

TEST(Plan, PreconditioningIsInItsDurationAndFillingInItsBytes) {
  PlanOptions options;
  options.targets = {"a", "b"};
  options.read_percent = {0, 50, 100};
  options.repeat = 2;
  options.duration_s = 10;
  options.ramp_s = 0;
  options.target_bytes = 10U << 20U;
  const Plan plain = make_plan(options).value();
  EXPECT_EQ(plain.duration_s, 60);
  EXPECT_EQ(plain.bytes_to_write, 20U << 20U);
  options.precondition_s = 100;
  options.fill_passes = 3;
  const Plan plan = make_plan(options).value();
  EXPECT_EQ(plan.duration_s, 60 + 2 * 100) << "each of the two that write, once";
  EXPECT_EQ(plan.bytes_to_write, (20U + 3 * 20U) << 20U);
  options.target_bytes.reset();
  EXPECT_FALSE(make_plan(options).value().bytes_to_write);
  options.read_percent = {100};
  EXPECT_FALSE(make_plan(options).value().bytes_to_write);
  options.target_bytes = 10U << 20U;
  EXPECT_EQ(make_plan(options).value().bytes_to_write, (3 * 20U) << 20U);
}

TEST(Plan, FillingCoversWhatThePointsUseInWholeMegabytes) {
  PlannedPoint low{"low", {}}, high{"high", {}}, other{"other", {}};
  low.workload.targets = {"a"};
  low.workload.base_bytes = 1U << 20U;
  low.workload.area_bytes = 4U << 20U;
  high.workload.targets = {"a", "b"};
  high.workload.base_bytes = 8U << 20U;
  other.workload.targets = {"c"};
  const std::vector<PlannedPoint> points{low, high, other};
  const auto fill = filling_workload(points, "a", (16U << 20U) + 4096);
  ASSERT_TRUE(fill);
  EXPECT_EQ(fill->base_bytes, 1U << 20U);
  EXPECT_EQ(fill->area_bytes, 15U << 20U);
  EXPECT_EQ(fill->pattern, Pattern::sequential);
  EXPECT_EQ(fill->read_percent, 0);
  EXPECT_EQ(fill->targets, std::vector<std::string>{"a"});
  EXPECT_EQ(filling_workload(points, "b", 16U << 20U)->base_bytes, 8U << 20U);
  EXPECT_FALSE(filling_workload(points, "d", 16U << 20U));
  EXPECT_FALSE(filling_workload(points, "c", 4096));
}

}  // namespace
}  // namespace raidscope
