#include "workloads/offset_spread.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(Permutation, VisitsEachPlaceOnce) {
  for (const std::uint64_t count : {1U, 2U, 3U, 5U, 64U, 1000U, 4097U, 65536U}) {
    for (const std::uint64_t seed : {0U, 1U, 99U}) {
      const Permutation order(count, seed);
      std::vector<bool> seen(count, false);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::uint64_t at = order.at(i);
        ASSERT_LT(at, count);
        ASSERT_FALSE(seen[at]) << "twice " << at << " of " << count;
        seen[at] = true;
      }
    }
  }
}

/// A stripe's drives must be equally busy in each part of the order, whatever the strip:
/// chi-squared of the drives hit by the first tenth.
TEST(Permutation, IsEvenModuloStripWidths) {
  constexpr std::uint64_t count = 1'000'000;
  const Permutation order(count, 7);
  for (const std::uint64_t strip_blocks : {4U, 16U, 64U, 256U}) {
    for (const std::uint64_t drives : {3U, 4U, 5U, 8U, 12U, 24U}) {
      std::vector<double> hits(drives, 0);
      constexpr double drawn = 100'000;
      for (std::uint64_t i = 0; i < 100'000; ++i) hits[order.at(i) / strip_blocks % drives] += 1;
      const double expected = drawn / static_cast<double>(drives);
      double chi2 = 0;
      for (const double h : hits) chi2 += (h - expected) * (h - expected) / expected;
      const auto freedom = static_cast<double>(drives - 1);
      EXPECT_LT(chi2, freedom + 5 * std::sqrt(2 * freedom) + 5)
          << drives << " drives, strips of " << strip_blocks << " blocks";
    }
  }
}

TEST(Zipf, FollowsThePowerLaw) {
  constexpr std::uint64_t count = 1000;
  constexpr int draws = 400'000;
  for (const double exponent : {0.5, 0.99, 1.0, 1.2, 2.0}) {
    const Zipf zipf(count, exponent);
    SplitMix64 random(3);
    std::vector<double> hits(count, 0);
    for (int i = 0; i < draws; ++i) hits[zipf.draw(random)] += 1;
    double sum = 0;
    for (std::uint64_t n = 1; n <= count; ++n) sum += std::pow(static_cast<double>(n), -exponent);
    for (const std::uint64_t n : {1U, 2U, 3U, 10U, 100U}) {
      const double expected = draws * std::pow(static_cast<double>(n), -exponent) / sum;
      EXPECT_NEAR(hits[n - 1], expected, 5 * std::sqrt(expected) + 2)
          << "place " << n << ", exponent " << exponent;
    }
  }
}

Workload spread_like(Spread spread, double skew) {
  Workload w;
  w.spread = spread;
  w.skew = skew;
  return w;
}

TEST(Spread, ParetoIsEightyTwenty) {
  constexpr std::uint64_t positions = 10'000;
  OffsetSpread spread(spread_like(Spread::pareto, 0.2), positions, 0, 0, 1);
  SplitMix64 random(1);
  std::vector<int> hits(positions, 0);
  for (int i = 0; i < 500'000; ++i) ++hits[spread.draw(random)];
  std::sort(hits.rbegin(), hits.rend());
  double top = 0;
  for (std::size_t i = 0; i < positions / 5; ++i) top += hits[i];
  EXPECT_NEAR(top / 500'000, 0.8, 0.02);
}

TEST(Spread, HotSpotsGetTheirShares) {
  Workload w = spread_like(Spread::hot_spots, 0);
  w.hot_spots = {{90, 10}, {5, 20}};  // the rest: 5 % of the requests on 70 % of the area
  constexpr std::uint64_t positions = 1000;
  OffsetSpread spread(w, positions, 0, 0, 1);
  SplitMix64 random(1);
  std::array<double, 3> hits{};
  for (int i = 0; i < 100'000; ++i) {
    const std::uint64_t at = spread.draw(random);
    ASSERT_LT(at, positions);
    hits[at < 100 ? 0 : at < 300 ? 1 : 2] += 1e-5;
  }
  EXPECT_NEAR(hits[0], 0.90, 0.01);
  EXPECT_NEAR(hits[1], 0.05, 0.01);
  EXPECT_NEAR(hits[2], 0.05, 0.01);
}

TEST(Spread, OnceVisitsEachPositionOnceOverAllWorkersAndThenAgain) {
  constexpr std::uint64_t positions = 1001;
  std::multiset<std::uint64_t> seen;
  std::vector<std::uint64_t> first_pass;
  for (std::uint32_t rank = 0; rank < 3; ++rank) {
    OffsetSpread spread(spread_like(Spread::once, 0), positions, 0, rank, 3);
    SplitMix64 random(1);
    const std::uint64_t own = (positions - rank + 2) / 3;
    for (std::uint64_t i = 0; i < 2 * own; ++i) {
      const std::uint64_t at = spread.draw(random);
      seen.insert(at);
      if (rank == 0 && i < own) first_pass.push_back(at);
    }
  }
  ASSERT_EQ(seen.size(), 2 * positions);
  for (std::uint64_t at = 0; at < positions; ++at) EXPECT_EQ(seen.count(at), 2U) << at;
  EXPECT_FALSE(std::is_sorted(first_pass.begin(), first_pass.end()));
}

TEST(AliasTable, DrawsByWeight) {
  const std::vector<double> weights{1, 0, 59, 40};
  const AliasTable table(weights);
  SplitMix64 random(1);
  std::array<double, 4> hits{};
  for (int i = 0; i < 200'000; ++i) hits[table.draw(random)] += 100.0 / 200'000;
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(hits[i], weights[i], 0.5) << i;
  EXPECT_EQ(hits[1], 0);
}

}  // namespace
}  // namespace raidscope
