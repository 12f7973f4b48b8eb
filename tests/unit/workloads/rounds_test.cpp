#include "workloads/experiment/rounds.h"

#include <algorithm>
#include <cmath>
#include <random>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(Rounds, TheIntervalIsStudents) {
  // t(0.975, 4) = 2.776; s = sqrt(2.5), n = 5.
  const auto interval = mean_interval(std::vector<double>{1, 2, 3, 4, 5});
  ASSERT_TRUE(interval);
  EXPECT_DOUBLE_EQ(interval->mean, 3);
  EXPECT_NEAR(interval->half_width, 2.7764 * std::sqrt(2.5 / 5), 1e-3);
  EXPECT_FALSE(mean_interval(std::vector<double>{7}));
}

TEST(Rounds, TheIntervalHoldsTheMeanNineteenTimesInTwenty) {
  std::mt19937 random(11);
  std::normal_distribution<double> noise(1000, 50);
  int held = 0;
  for (int trial = 0; trial < 4000; ++trial) {
    std::vector<double> values;
    for (int i = 0; i < 6; ++i) values.push_back(noise(random));
    const auto interval = mean_interval(values);
    held += std::abs(interval->mean - 1000) <= interval->half_width ? 1 : 0;
  }
  EXPECT_NEAR(held / 4000.0, 0.95, 0.012);
}

TEST(Rounds, AreEnoughWhenTheyAgreeAndNotBefore) {
  const RoundsRule rule{3, 5};
  EXPECT_FALSE(enough_rounds(std::vector<double>{100, 100}, rule));
  EXPECT_TRUE(enough_rounds(std::vector<double>{100, 101, 100}, rule));
  EXPECT_FALSE(enough_rounds(std::vector<double>{100, 120, 90}, rule));
  EXPECT_FALSE(enough_rounds(std::vector<double>{0, 0, 0}, rule));
}

TEST(Rounds, UntilSteadyByTheLastFive) {
  RoundsRule rule;
  rule.steady = SteadyStateRules{};
  EXPECT_FALSE(enough_rounds(std::vector<double>{100, 100, 100, 100}, rule));
  EXPECT_TRUE(enough_rounds(std::vector<double>{100, 100, 100, 100, 100}, rule));
  // Falling by 10 % of the mean from end to end is allowed, by more is not.
  EXPECT_TRUE(enough_rounds(std::vector<double>{104, 102, 100, 98, 96}, rule));
  EXPECT_FALSE(enough_rounds(std::vector<double>{108, 104, 100, 96, 92}, rule));
  // One round out of 20 % is too much, and the first rounds do not count.
  EXPECT_FALSE(enough_rounds(std::vector<double>{100, 100, 122, 100, 100}, rule));
  EXPECT_TRUE(enough_rounds(std::vector<double>{500, 300, 100, 101, 100, 101, 100}, rule));
}

TEST(Rounds, TheirWindowSlopeAndExcursionAreTold) {
  const std::vector<double> iops{500, 104, 102, 100, 98, 96};
  const SteadyState state = judge_rounds(iops, 30, {});
  EXPECT_EQ(state.reached, true);
  EXPECT_DOUBLE_EQ(*state.window_s, 150);
  EXPECT_NEAR(*state.excursion_pct, 8, 1e-9);
  EXPECT_NEAR(*state.slope_pct, -8, 1e-9);
  const SteadyState few = judge_rounds(std::span<const double>(iops).first(4), 30, {});
  EXPECT_FALSE(few.reached || few.window_s || few.slope_pct || few.excursion_pct);
}

TEST(Drain, IsTheCacheOverTheRateWithinItsBounds) {
  EXPECT_DOUBLE_EQ(drain_seconds(2ULL << 30U, 10e6), (2ULL << 30U) / 10e6);
  EXPECT_DOUBLE_EQ(drain_seconds(1ULL << 30U, 1e9), 60);
  EXPECT_DOUBLE_EQ(drain_seconds(4ULL << 30U, 1e6), 900);
  EXPECT_DOUBLE_EQ(drain_seconds(std::nullopt, 1e6), 60);
  EXPECT_DOUBLE_EQ(drain_seconds(1ULL << 30U, std::nullopt), 60);
  EXPECT_DOUBLE_EQ(drain_seconds(1ULL << 30U, 0.0), 60);
}

/// IOPS of a closed loop over `drives` that take 1 ms each: rises, then stays.
std::vector<DepthSample> saturating(double drives, int rounds, double noise) {
  std::mt19937 random(3);
  std::normal_distribution<double> spread(1, std::max(noise, 1e-12));
  std::vector<DepthSample> out;
  for (std::uint64_t depth = 1; depth <= 256; depth *= 2) {
    DepthSample sample{depth, {}, {}};
    const double busy = std::min(static_cast<double>(depth), drives);
    for (int i = 0; i < rounds; ++i) {
      const double iops = 1000 * busy * spread(random);
      sample.iops.push_back(iops);
      sample.mean_us.push_back(1e6 * static_cast<double>(depth) / iops);
    }
    out.push_back(sample);
  }
  return out;
}

TEST(SweetSpot, IsWhereTheDrivesAreBusy) {
  const auto spot = find_sweet_spot(saturating(16, 4, 0.005));
  ASSERT_TRUE(spot);
  EXPECT_EQ(spot->estimate, 16U);
  EXPECT_LE(spot->low, 16U);
  EXPECT_GE(spot->high, 16U);
  EXPECT_GE(spot->share_pct, 95);
  EXPECT_EQ(spot->confidence_pct, 95);
  EXPECT_NEAR(spot->latency_us, 1000, 50);
}

TEST(SweetSpot, ANoisySweepGivesARangeAndOneRoundNoConfidence) {
  const auto noisy = find_sweet_spot(saturating(20, 3, 0.08));
  ASSERT_TRUE(noisy);
  EXPECT_LT(noisy->low, noisy->high);
  const auto once = find_sweet_spot(saturating(16, 1, 0));
  ASSERT_TRUE(once);
  EXPECT_EQ(once->estimate, 16U);
  EXPECT_FALSE(once->confidence_pct);
}

TEST(SweetSpot, LiesBeyondASweepThatStillRises) {
  EXPECT_FALSE(find_sweet_spot(saturating(1000, 4, 0.005)));
  EXPECT_FALSE(find_sweet_spot({}));
}

}  // namespace
}  // namespace raidscope
