#include "workloads/crossover.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>

#include "workloads/random.h"
#include "workloads/ratio_interval.h"
#include "workloads/students_t.h"

namespace raidscope {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
/// A point without scatter still has no infinite weight.
constexpr double least_error = 1e-6;

/// Where a line through the fitted points crosses 0.
double crossing(std::span<const CrossoverPoint> points, std::span<const double> fitted) {
  if (fitted.front() > 0) return -infinity;
  if (fitted.back() < 0) return infinity;
  std::size_t below = 0;  // how many lie below 0
  while (fitted[below] < 0) ++below;
  std::size_t above = below;  // the first above
  while (above < fitted.size() && fitted[above] <= 0) ++above;
  // A stretch at 0 is crossed in its middle.
  if (above > below) return (points[below].x + points[above - 1].x) / 2;
  const CrossoverPoint& left = points[below - 1];
  const CrossoverPoint& right = points[below];
  return left.x + (right.x - left.x) * -fitted[below - 1] / (fitted[below] - fitted[below - 1]);
}

/// Uniform in (-1, 1).
double signed_unit(SplitMix64& random) {
  return 2 * ((static_cast<double>(random() >> 11U) + 0.5) * 0x1.0p-53) - 1;
}

/// Student's t by Bailey's polar method (1994).
double student_t(SplitMix64& random, double degrees) {
  while (true) {
    const double u = signed_unit(random);
    const double v = signed_unit(random);
    const double w = u * u + v * v;
    if (w > 1 || w == 0) continue;
    return u * std::sqrt(degrees * (std::pow(w, -2 / degrees) - 1) / w);
  }
}

}  // namespace

std::vector<double> isotonic_fit(std::span<const double> values, std::span<const double> weights) {
  struct Block {
    double mean, weight;
    std::size_t count;
  };
  std::vector<Block> blocks;
  blocks.reserve(values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    blocks.push_back({values[i], weights[i], 1});
    while (blocks.size() > 1 && blocks[blocks.size() - 2].mean > blocks.back().mean) {
      const Block last = blocks.back();
      blocks.pop_back();
      Block& into = blocks.back();
      into.mean = (into.mean * into.weight + last.mean * last.weight) / (into.weight + last.weight);
      into.weight += last.weight;
      into.count += last.count;
    }
  }
  std::vector<double> out;
  out.reserve(values.size());
  for (const Block& block : blocks) out.insert(out.end(), block.count, block.mean);
  return out;
}

std::optional<Crossover> crossover(std::span<const CrossoverPoint> points,
                                   const CrossoverOptions& options) {
  if (points.size() < 2) return std::nullopt;
  std::vector<double> values;
  std::vector<double> weights;
  for (const CrossoverPoint& point : points) {
    const double error = std::max(point.error, least_error);
    values.push_back(point.estimate);
    weights.push_back(1 / (error * error));
  }
  Crossover out;
  out.fitted = isotonic_fit(values, weights);
  out.estimate = crossing(points, out.fitted);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double error = std::max(points[i].error, least_error);
    const double chance = error * student_t_quantile(points[i].degrees, 0.9995);
    out.misfit = std::max(out.misfit, std::fabs(values[i] - out.fitted[i]) / chance);
  }
  SplitMix64 random(options.seed);
  std::vector<double> crossings;
  std::vector<double> drawn(points.size());
  crossings.reserve(static_cast<std::size_t>(options.draws));
  for (int draw = 0; draw < options.draws; ++draw) {
    for (std::size_t i = 0; i < points.size(); ++i)
      drawn[i] = points[i].estimate + points[i].error * student_t(random, points[i].degrees);
    crossings.push_back(crossing(points, isotonic_fit(drawn, weights)));
  }
  std::sort(crossings.begin(), crossings.end());
  const double tail = (1 - options.confidence) / 2;
  const auto last = static_cast<double>(crossings.size() - 1);
  out.low = crossings[static_cast<std::size_t>(std::floor(tail * last))];
  out.high = crossings[static_cast<std::size_t>(std::ceil((1 - tail) * last))];
  return out;
}

}  // namespace raidscope
