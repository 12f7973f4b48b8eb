#include "reports/analysis/references.h"

#include <cmath>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "reports/analysis/comparison.h"
#include "tests/support/arms.h"

namespace raidscope {
namespace {

double iops_of(std::string_view id) {
  const Reference* reference = find_reference(id);
  EXPECT_NE(reference, nullptr) << id;
  return reference != nullptr ? reference->iops.value_or(0) : 0;
}

TEST(References, EachHasItsSourceAndWhatIsUnknown) {
  std::set<std::string> ids;
  for (const Reference& reference : references()) {
    EXPECT_TRUE(ids.insert(reference.id).second) << reference.id;
    for (const std::string* text :
         {&reference.study, &reference.source, &reference.configuration, &reference.workload})
      EXPECT_FALSE(text->empty()) << reference.id;
    EXPECT_FALSE(reference.unknown.empty()) << reference.id;
    const bool number = reference.iops || reference.bytes_per_s || reference.mean_us;
    if (!number) {
      EXPECT_FALSE(reference.says.empty()) << reference.id;
    }
    if (reference.kind == ReferenceKind::claim) {
      EXPECT_FALSE(number) << reference.id;
    }
  }
  EXPECT_EQ(find_reference("s1-C1"), find_reference("S1-c1"));
  EXPECT_EQ(find_reference("S9"), nullptr);
}

// What the studies' authors wrote of their own numbers, computed.
TEST(References, TheFirstStudysRatios) {
  const auto ratio = [](const char* a, const char* b) {
    return std::round(iops_of(b) / iops_of(a) * 100) / 100;
  };
  EXPECT_DOUBLE_EQ(ratio("S1-a1", "S1-c1"), 2.56);
  EXPECT_DOUBLE_EQ(ratio("S1-b1", "S1-c1"), 3.54);
  EXPECT_DOUBLE_EQ(ratio("S1-a2", "S1-c2"), 12.88);
  EXPECT_DOUBLE_EQ(ratio("S1-b2", "S1-c2"), 17.94);
  EXPECT_DOUBLE_EQ(ratio("S1-a3", "S1-c3"), 11.20);
  EXPECT_DOUBLE_EQ(ratio("S1-b3", "S1-c3"), 17.11);
  EXPECT_NEAR(*find_reference("S1-c1")->bytes_per_s / (1 << 20), 639.13, 0.01);
  EXPECT_NEAR(iops_of("S3-sheet-write-cache") / iops_of("S3-sheet-write"), 1.42, 0.005);
}

TEST(References, OneIsARunOfItsOwnOrigin) {
  const auto published = reference_run(*find_reference("S1-c1"));
  ASSERT_TRUE(published);
  EXPECT_EQ(published->run.origin, Origin::published);
  EXPECT_EQ(published->run.workload.duration_s, 120);
  EXPECT_NEAR(*published->run.latency_us.mean, 782.3, 0.1);
  const RunSettings settings = run_settings(published->run, &published->inventory);
  EXPECT_EQ(setting_value(settings, "model"), "P420i");
  EXPECT_EQ(setting_value(settings, "disk_count"), "2");
  EXPECT_EQ(setting_value(settings, "engine"), "sqlio");
  for (const char* key : {"smart_path", "cache.ratio", "firmware", "caching", "ramp_s"})
    EXPECT_FALSE(setting_value(settings, key)) << key;
  const auto unknown_depth = reference_run(*find_reference("N9-read"));
  const RunSettings untold = run_settings(unknown_depth->run, &unknown_depth->inventory);
  for (const char* key : {"block_bytes", "workers", "queue_depth_per_worker", "outstanding_total",
                          "duration_s", "area_bytes", "engine"})
    EXPECT_FALSE(setting_value(untold, key)) << key;
  EXPECT_FALSE(reference_run(*find_reference("S2-18")));
}

TEST(References, AgainstOnesOwnRunsThereIsARatioAndNoConclusion) {
  sample::Runs mine;
  for (int i = 0; i < 3; ++i) mine.add(sample::cached(2), 20000, i);
  const auto published = reference_run(*find_reference("S1-c2"));
  mine.snapshots.emplace(published->run.inventory_before->snapshot, published->inventory);
  ComparisonOptions options;
  options.mix_origins = true;
  const RunComparison c = compare_groups(
      {{"S1-c2", {&published->run}}, {"mine", {&mine.runs[0], &mine.runs[1], &mine.runs[2]}}},
      mine.snapshots, options);
  ASSERT_FALSE(c.metrics.empty());
  EXPECT_NEAR(*c.metrics.front().ratio.estimate, 20000 / 12390.94, 1e-9);
  EXPECT_EQ(c.metrics.front().verdict, ComparisonVerdict::undecided);
  EXPECT_TRUE(c.conditional);
}

}  // namespace
}  // namespace raidscope
