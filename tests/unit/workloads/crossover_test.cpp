#include "workloads/crossover.h"

#include <cmath>
#include <vector>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(Isotonic, PoolsWhatFalls) {
  const std::vector<double> weights{1, 1, 1, 1, 2};
  EXPECT_EQ(isotonic_fit(std::vector<double>{1, 2, 3, 4, 5}, weights),
            (std::vector<double>{1, 2, 3, 4, 5}));
  const std::vector<double> fit = isotonic_fit(std::vector<double>{1, 3, 2, 6, 3}, weights);
  EXPECT_EQ(fit, (std::vector<double>{1, 2.5, 2.5, 4, 4}));
  EXPECT_TRUE(isotonic_fit({}, {}).empty());
}

std::vector<CrossoverPoint> line(double error) {
  std::vector<CrossoverPoint> out;
  for (const double disks : {4.0, 8.0, 16.0, 20.0, 24.0})
    out.push_back({disks, (disks - 18) / 20, error, 5});
  return out;
}

TEST(Crossover, OfALineIsWhereItIsNothing) {
  const auto exact = crossover(line(0));
  ASSERT_TRUE(exact);
  EXPECT_NEAR(exact->estimate, 18, 1e-9);
  EXPECT_NEAR(exact->low, 18, 1e-9);
  EXPECT_NEAR(exact->high, 18, 1e-9);
  const auto noisy = crossover(line(0.02));
  EXPECT_NEAR(noisy->estimate, 18, 1e-9);
  EXPECT_LT(noisy->low, 17.9);
  EXPECT_GT(noisy->low, 15);
  EXPECT_GT(noisy->high, 18.1);
  EXPECT_LT(noisy->high, 21);
  EXPECT_LT(noisy->misfit, 1e-9);
}

TEST(Crossover, OutsideWhatWasMeasured) {
  std::vector<CrossoverPoint> points = line(0.01);
  for (CrossoverPoint& point : points) point.estimate -= 1;
  EXPECT_TRUE(std::isinf(crossover(points)->low));
  EXPECT_GT(crossover(points)->low, 0);
  for (CrossoverPoint& point : points) point.estimate += 3;
  EXPECT_TRUE(std::isinf(crossover(points)->high));
  EXPECT_LT(crossover(points)->high, 0);
  points.resize(1);
  EXPECT_FALSE(crossover(points));
}

TEST(Crossover, AStretchOfNothingIsCrossedInItsMiddle) {
  const std::vector<CrossoverPoint> points{
      {2, -1, 0, 3}, {4, 0, 0, 3}, {8, 0, 0, 3}, {12, 1, 0, 3}};
  EXPECT_DOUBLE_EQ(crossover(points)->estimate, 6);
}

TEST(Crossover, ARatioThatFallsIsSeen) {
  const std::vector<CrossoverPoint> points{
      {2, 0.5, 0.02, 3}, {4, 0.1, 0.02, 3}, {8, -0.5, 0.02, 3}};
  EXPECT_GT(crossover(points)->misfit, 2);
}

TEST(Crossover, TheSameSeedGivesTheSame) {
  const auto a = crossover(line(0.05), {.seed = 7}), b = crossover(line(0.05), {.seed = 7});
  EXPECT_EQ(a->low, b->low);
  EXPECT_EQ(a->high, b->high);
}

}  // namespace
}  // namespace raidscope
