#include <numeric>
#include <random>

#include <gtest/gtest.h>

#include "workloads/run/second_ring.h"
#include "workloads/series_collector.h"
#include "workloads/statistics.h"
#include "workloads/steady_state.h"

namespace raidscope {
namespace {

std::vector<SeriesPoint> seconds_of(const std::vector<double>& iops) {
  std::vector<SeriesPoint> out;
  for (std::size_t i = 0; i < iops.size(); ++i) {
    SeriesPoint p;
    p.t = static_cast<double>(i) + 1;
    p.ios = static_cast<std::uint64_t>(iops[i]);
    p.iops = iops[i];
    p.bytes_per_s = iops[i] * 4096;
    p.mean_us = 100;
    out.push_back(p);
  }
  return out;
}

TEST(Series, RoundsAndTotalAddUp) {
  std::mt19937_64 rng(5);
  SeriesCollector collector;
  LatencyHistogram total;
  // Three workers, each up to three seconds behind, reads and writes.
  for (std::uint64_t base = 0; base < 23; ++base) {
    for (std::uint64_t worker = 0; worker < 3; ++worker) {
      const std::uint64_t second = base;
      LatencyHistogram read;
      LatencyHistogram write;
      for (std::uint64_t i = rng() % 500; i > 0; --i) {
        const std::uint64_t ns = 1000 + rng() % 1'000'000;
        (rng() % 3 == 0 ? write : read).record(ns);
        total.record(ns);
      }
      collector.add(second, read, write, 4096 * (read.count() + write.count()));
    }
  }
  const double window = 22.5;
  const auto series = collector.series(window);
  ASSERT_EQ(series.size(), 23U);
  EXPECT_DOUBLE_EQ(series.back().t, 22.5);
  std::uint64_t ios = 0;
  double latency = 0;
  double by_rate = 0;
  double begin = 0;
  for (const SeriesPoint& p : series) {
    ios += p.ios;
    latency += p.mean_us.value_or(0) * static_cast<double>(p.ios);
    by_rate += p.iops * (p.t - begin);
    begin = p.t;
  }
  EXPECT_EQ(ios, total.count());
  EXPECT_EQ(collector.read().count() + collector.write().count(), total.count());
  EXPECT_EQ(to_buckets(collector.both()), to_buckets(total));
  EXPECT_NEAR(latency, static_cast<double>(total.sum()) / 1000, 1e-3);
  EXPECT_NEAR(by_rate, static_cast<double>(total.count()), 1e-6);

  HistogramBuckets merged;
  std::uint64_t bytes = 0;
  for (const SeriesPoint& p : series) {
    merge_buckets(merged, p.histogram);
    bytes += p.bytes;
  }
  EXPECT_EQ(merged, to_buckets(total));
  EXPECT_EQ(bytes, 4096 * total.count());
  std::uint64_t in_rounds = 0;
  std::uint64_t rounds_ios = 0;
  double length = 0;
  for (const RoundResult& r : cut_rounds(series)) {
    in_rounds += r.ios;
    bytes -= r.bytes;
    rounds_ios +=
        std::accumulate(r.histogram.count.begin(), r.histogram.count.end(), std::uint64_t{0});
    length += r.seconds;
  }
  EXPECT_EQ(in_rounds + series.back().ios, total.count());
  EXPECT_EQ(rounds_ios, in_rounds);
  EXPECT_EQ(bytes, series.back().bytes);
  EXPECT_EQ(length, 22);
}

TEST(Series, KeepsEmptySecondsAndLateOnes) {
  SeriesCollector collector;
  LatencyHistogram one;
  one.record(1000);
  collector.add(0, one, {}, 512);
  collector.add(20, one, {}, 512);
  collector.add(1, {}, one, 512);  // far too late: its second is closed
  const auto series = collector.series(22);
  ASSERT_EQ(series.size(), 22U);
  EXPECT_EQ(series[0].ios, 1U);
  EXPECT_EQ(series[1].ios, 1U);
  EXPECT_EQ(series[5].ios, 0U);
  EXPECT_FALSE(series[5].mean_us);
  EXPECT_EQ(series[20].ios, 1U);
  EXPECT_EQ(series[21].ios, 0U);
  EXPECT_EQ(collector.both().count(), 3U);
}

TEST(SecondRing, LosesNothingWhenTheMonitorIsLate) {
  const auto ring = std::make_unique<SecondRing>();
  std::uint64_t refused = 0;
  for (std::uint64_t second = 1; second <= 10; ++second) {
    ring->current().read.record(second);
    if (!ring->advance(second)) ++refused;
  }
  ring->current().write.record(99);
  ring->finish();
  EXPECT_EQ(refused, 7U);
  std::uint64_t seen = 0;
  ring->drain([&](const SecondRecord& r) { seen += r.read.count() + r.write.count(); });
  EXPECT_EQ(seen, 11U);
}

TEST(Rounds, CoverAShortMeasurementAndEndALongOne) {
  EXPECT_TRUE(cut_rounds(seconds_of({1, 1, 1, 1})).empty());
  const auto short_one = cut_rounds(seconds_of(std::vector<double>(12, 10)));
  ASSERT_EQ(short_one.size(), 5U);
  EXPECT_EQ(short_one[0].seconds, 4);  // takes the remainder
  EXPECT_EQ(short_one[4].seconds, 2);
  EXPECT_EQ(short_one[4].number, 5);
  const auto long_one = cut_rounds(seconds_of(std::vector<double>(540, 10)));
  ASSERT_EQ(long_one.size(), 9U);
  for (const RoundResult& r : long_one) EXPECT_EQ(r.seconds, 60);
  EXPECT_EQ(judge_steady_state(long_one).window_s, 300.0);
}

TEST(SteadyState, FollowsTheSniaCriteria) {
  const auto judge = [](const std::vector<double>& iops) {
    return judge_steady_state(cut_rounds(seconds_of(iops)));
  };
  const SteadyState flat = judge({100, 100, 100, 100, 100});
  EXPECT_EQ(flat.reached, true);
  EXPECT_DOUBLE_EQ(flat.slope_pct.value(), 0);
  EXPECT_DOUBLE_EQ(flat.excursion_pct.value(), 0);
  EXPECT_DOUBLE_EQ(flat.window_s.value(), 5);

  const SteadyState falling = judge({120, 110, 100, 90, 80});
  EXPECT_EQ(falling.reached, false);
  EXPECT_NEAR(falling.slope_pct.value(), -40, 1e-9);
  EXPECT_NEAR(falling.excursion_pct.value(), 40, 1e-9);

  // Within the excursion, but on the way down.
  const SteadyState sinking = judge({109, 105, 100, 95, 91});
  EXPECT_LT(sinking.excursion_pct.value(), 20);
  EXPECT_EQ(sinking.reached, false);

  const SteadyState jumping = judge({100, 130, 100, 130, 100});
  EXPECT_NEAR(jumping.slope_pct.value(), 0, 1e-9);
  EXPECT_EQ(jumping.reached, false);

  EXPECT_FALSE(judge({100, 100}).reached);
  EXPECT_FALSE(judge({0, 0, 0, 0, 0}).reached);
}

}  // namespace
}  // namespace raidscope
