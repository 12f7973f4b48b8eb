#include "workloads/latency_histogram.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/statistics.h"

namespace raidscope {
namespace {

TEST(LatencyBuckets, EveryValueLiesInItsBucketUpToTheEndOfTheRange) {
  std::vector<std::uint64_t> values;
  for (unsigned bit = 0; bit < 64; ++bit) {
    const std::uint64_t power = std::uint64_t{1} << bit;
    for (const std::uint64_t v : {power - 1, power, power + 1, power + power / 3}) {
      values.push_back(v);
    }
  }
  values.push_back(~std::uint64_t{0});
  for (const std::uint64_t v : values) {
    const std::size_t i = latency_buckets::index(v);
    ASSERT_LT(i, latency_buckets::total);
    ASSERT_LE(latency_buckets::lower(i), v);
    ASSERT_GE(latency_buckets::upper(i), v);
  }
}

TEST(LatencyBuckets, FollowEachOtherWithoutGap) {
  for (std::size_t i = 1; i < latency_buckets::total; ++i) {
    ASSERT_EQ(latency_buckets::lower(i), latency_buckets::upper(i - 1) + 1) << i;
  }
}

TEST(LatencyHistogram, QuantileIsAtMostOneSixtyFourthHighAndNeverLow) {
  std::mt19937_64 rng(1);
  std::lognormal_distribution<double> d(11, 1.5);
  std::vector<std::uint64_t> all;
  LatencyHistogram one;
  LatencyHistogram two;
  for (int i = 0; i < 200'000; ++i) {
    const auto ns = static_cast<std::uint64_t>(d(rng));
    all.push_back(ns);
    (i % 2 == 0 ? one : two).record(ns);
  }
  one.merge(two);
  std::sort(all.begin(), all.end());
  for (const double q : {0.00001, 0.01, 0.5, 0.9, 0.95, 0.99, 0.999, 0.9999, 1.0}) {
    const auto exact =
        all[static_cast<std::size_t>(std::llround(std::ceil(q * 200'000.0 - 1e-6))) - 1];
    EXPECT_GE(one.quantile(q), exact) << q;
    EXPECT_LE(one.quantile(q), exact + exact / 64 + 1) << q;
  }
}

TEST(LatencyHistogram, RanksAreWholeWhateverTheBinaryFormOfTheQuantile) {
  LatencyHistogram h;
  for (std::uint64_t i = 1; i <= 100; ++i) h.record(i <= 7 ? 1 : i <= 29 ? 2 : i <= 99 ? 3 : 4);
  EXPECT_EQ(h.quantile(0.07), 1U);  // 0.07 × 100 is 7.000000000000001 in binary
  EXPECT_EQ(h.quantile(0.29), 2U);  // 0.29 × 100 is 28.999999999999996
  EXPECT_EQ(h.quantile(0.99), 3U);
  EXPECT_EQ(h.quantile(1.0), 4U);
}

TEST(LatencyHistogram, KeepsMinimumMaximumMeanAndDeviationExactly) {
  LatencyHistogram h;
  for (const std::uint64_t ns : {1'000'003U, 1'000'007U, 999'999U, 1'000'011U}) h.record(ns);
  EXPECT_EQ(h.min(), 999'999U);
  EXPECT_EQ(h.max(), 1'000'011U);
  EXPECT_EQ(h.quantile(1.0), 1'000'011U);  // the maximum itself, not the edge of its bucket
  EXPECT_DOUBLE_EQ(h.mean(), 1'000'005.0);
  EXPECT_DOUBLE_EQ(h.stddev(), std::sqrt(20.0));
}

TEST(LatencyHistogram, DeviationDoesNotCancelAwayOnLongLatencies) {
  LatencyHistogram h;
  const std::uint64_t base = 600'000'000'000;  // ten minutes
  for (int i = 0; i < 1'000'000; ++i) h.record(base + static_cast<std::uint64_t>(i % 2));
  EXPECT_NEAR(h.stddev(), 0.5, 1e-9);
}

TEST(LatencyHistogram, RecordingManyAtOnceIsRecordingEach) {
  LatencyHistogram one;
  LatencyHistogram many;
  for (int i = 0; i < 16; ++i) one.record(12'345);
  many.record(12'345, 16);
  EXPECT_EQ(one.count(), many.count());
  EXPECT_EQ(one.sum(), many.sum());
  EXPECT_EQ(one.stddev(), many.stddev());
  EXPECT_EQ(to_buckets(one), to_buckets(many));
}

TEST(LatencyHistogram, ClearLeavesNothing) {
  LatencyHistogram h;
  h.record(5);
  h.record(~std::uint64_t{0});
  h.clear();
  EXPECT_EQ(h.count(), 0U);
  EXPECT_EQ(h.quantile(0.5), 0U);
  EXPECT_TRUE(to_buckets(h).index.empty());
  LatencyHistogram other;
  other.record(7);
  h.merge(other);
  EXPECT_EQ(h.min(), 7U);
  EXPECT_EQ(h.max(), 7U);
}

TEST(Summary, IsNullWithoutRequests) {
  const LatencySummary s = summarize(LatencyHistogram());
  EXPECT_EQ(s, LatencySummary());
  EXPECT_FALSE(s.min || s.mean || s.max || s.p50);
}

TEST(Summary, FourNinesNeedAHundredThousand) {
  LatencyHistogram h;
  h.record(1000, 99'999);
  EXPECT_FALSE(summarize(h).p99_99);
  h.record(1000);
  ASSERT_TRUE(summarize(h).p99_99);
  EXPECT_DOUBLE_EQ(*summarize(h).p99_99, 1.0);
  EXPECT_DOUBLE_EQ(*summarize(h).p99_9, 1.0);
}

TEST(Buckets, SurviveTheWayThroughADocument) {
  std::mt19937_64 rng(3);
  LatencyHistogram h;
  for (int i = 0; i < 10'000; ++i) h.record(rng() >> (rng() % 60));
  const LatencyHistogram back = from_buckets(to_buckets(h));
  EXPECT_EQ(to_buckets(back), to_buckets(h));
  EXPECT_EQ(back.count(), h.count());
  for (const double q : {0.1, 0.5, 0.99}) EXPECT_EQ(back.quantile(q), h.quantile(q));
}

TEST(Line, OfLeastSquares) {
  const double rising[] = {1, 3, 5, 7};
  EXPECT_DOUBLE_EQ(fit_line(rising).slope, 2);
  EXPECT_DOUBLE_EQ(fit_line(rising).intercept, 1);
  const double one[] = {4};
  EXPECT_DOUBLE_EQ(fit_line(one).slope, 0);
  EXPECT_DOUBLE_EQ(fit_line({}).intercept, 0);
}

}  // namespace
}  // namespace raidscope
