#include "workloads/ratio_interval.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "workloads/students_t.h"

namespace raidscope {
namespace {

std::vector<double> logs(std::initializer_list<double> ratios) {
  std::vector<double> out;
  for (const double ratio : ratios) out.push_back(std::log(ratio));
  return out;
}

// By hand: mean 0.3, deviation 0.1, t(3) = 3.18245 at 97.5 %.
TEST(RatioInterval, StudentOfPairs) {
  const std::vector<double> pairs{0.2, 0.4, 0.2, 0.4};
  const LogRatio r = paired_t(pairs);
  EXPECT_NEAR(r.estimate, 0.3, 1e-12);
  ASSERT_TRUE(r.low && r.high && r.deviation);
  const double deviation = std::sqrt(0.04 / 3);
  EXPECT_NEAR(*r.deviation, deviation, 1e-12);
  EXPECT_NEAR(*r.low, 0.3 - 3.182446305 * deviation / 2, 1e-8);
  EXPECT_NEAR(*r.high, 0.3 + 3.182446305 * deviation / 2, 1e-8);
  // Hedges: the effect less 3 / (4 · 3 - 1) of it.
  EXPECT_NEAR(*r.effect_size, 0.3 / deviation * (1 - 3.0 / 11), 1e-9);
}

TEST(RatioInterval, OneOrNoPairHasNone) {
  EXPECT_FALSE(paired_t(logs({2.56})).low);
  EXPECT_NEAR(std::exp(paired_t(logs({2.56})).estimate), 2.56, 1e-12);
  EXPECT_FALSE(paired_t({}).low);
  EXPECT_FALSE(welch_t(logs({1, 1.1}), logs({2})).low);
  EXPECT_FALSE(signed_rank({}).low);
}

// Welch's own worked numbers: variances 1 and 4, five and ten values.
TEST(RatioInterval, WelchHasItsDegreesOfFreedom) {
  const std::vector<double> first{-1, -1, 0, 1, 1};
  const std::vector<double> second{-2, -2, -2, -2, 0, 0, 2, 2, 2, 2};
  const LogRatio r = welch_t(first, second);
  const double a = 1.0 / 5, b = (32.0 / 9) / 10;
  const double degrees = (a + b) * (a + b) / (a * a / 4 + b * b / 9);
  EXPECT_NEAR(*r.high, student_t_quantile(degrees, 0.975) * std::sqrt(a + b), 1e-12);
  EXPECT_NEAR(*r.low, -*r.high, 1e-12);
}

// Hollander and Wolfe: with six pairs the only 95 % interval is the whole range (96.9 %), with five
// there is none, with ten it is the ninth mean from each end (P(T+ <= 8) = 0.0244).
TEST(RatioInterval, SignedRanksAreExact) {
  EXPECT_FALSE(signed_rank(logs({1.1, 1.2, 1.3, 1.4, 1.5})).low);
  const LogRatio six = signed_rank(std::vector<double>{0.1, 0.2, 0.3, 0.4, 0.5, 0.9});
  EXPECT_NEAR(*six.low, 0.1, 1e-12);
  EXPECT_NEAR(*six.high, 0.9, 1e-12);
  EXPECT_NEAR(six.estimate, 0.375, 0.03);
  std::vector<double> ten;
  std::vector<double> means;
  for (int i = 0; i < 10; ++i) ten.push_back(std::pow(2.0, i));
  for (int i = 0; i < 10; ++i) {
    for (int j = i; j < 10; ++j)
      means.push_back((ten[static_cast<std::size_t>(i)] + ten[static_cast<std::size_t>(j)]) / 2);
  }
  std::sort(means.begin(), means.end());
  EXPECT_DOUBLE_EQ(*signed_rank(ten).low, means[8]);
  EXPECT_DOUBLE_EQ(*signed_rank(ten).high, means[means.size() - 9]);
}

TEST(RatioInterval, ManyPairsComeCloseToStudent) {
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0.1, 0.05);
  for (const int n : {200, 201}) {
    std::vector<double> pairs;
    for (int i = 0; i < n; ++i) pairs.push_back(noise(random));
    const LogRatio t = paired_t(pairs), ranks = signed_rank(pairs);
    EXPECT_NEAR(*t.low, *ranks.low, 0.002);
    EXPECT_NEAR(*t.high, *ranks.high, 0.002);
  }
}

LogRatio between(double low, double high) {
  LogRatio out;
  out.low = std::log(low);
  out.high = std::log(high);
  out.estimate = (*out.low + *out.high) / 2;
  out.pairs = 6;
  return out;
}

TEST(RatioInterval, JudgedAgainstTheMargin) {
  EXPECT_EQ(judge(between(1.06, 1.2), 0.05), Judgement::above);
  EXPECT_EQ(judge(between(0.8, 0.94), 0.05), Judgement::below);
  EXPECT_EQ(judge(between(0.97, 1.03), 0.05), Judgement::equal);
  EXPECT_EQ(judge(between(1.01, 1.04), 0.05), Judgement::equal);
  EXPECT_EQ(judge(between(1.02, 1.1), 0.05), Judgement::undecided);
  EXPECT_EQ(judge(between(0.9, 1.2), 0.05), Judgement::undecided);
  EXPECT_EQ(judge(LogRatio{}, 0.05), Judgement::undecided);
  // Turned round, the verdict turns round.
  EXPECT_EQ(judge(between(1 / 1.2, 1 / 1.051), 0.05), Judgement::below);
}

TEST(RatioInterval, HowManyPairsMore) {
  LogRatio r = paired_t(std::vector<double>{0.0, 0.25, 0.05, 0.22});
  ASSERT_EQ(judge(r, 0.05), Judgement::undecided);
  const auto more = pairs_to_go(r, 0.05);
  ASSERT_TRUE(more);
  const auto half = [&](std::size_t n) {
    const auto count = static_cast<double>(n);
    return student_t_quantile(count - 1, 0.975) * *r.deviation / std::sqrt(count);
  };
  EXPECT_GT(r.estimate - half(4 + *more), std::log(1.05));
  EXPECT_LE(r.estimate - half(4 + *more - 1), std::log(1.05));
  // Decided already; unknown spread; on the margin itself.
  EXPECT_FALSE(pairs_to_go(between(1.2, 1.3), 0.05));
  EXPECT_FALSE(pairs_to_go(paired_t(logs({1.5})), 0.05));
  LogRatio edge = r;
  edge.estimate = std::log(1.05);
  edge.low = edge.estimate - 0.1;
  edge.high = edge.estimate + 0.1;
  EXPECT_FALSE(pairs_to_go(edge, 0.05));
}

}  // namespace
}  // namespace raidscope
