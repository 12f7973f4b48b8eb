#include "workloads/students_t.h"

#include <cmath>

#include <boost/math/distributions/students_t.hpp>

#include "workloads/statistics.h"

namespace raidscope {

double student_t_quantile(double degrees, double probability) {
  const boost::math::students_t_distribution<double> t(degrees);
  return boost::math::quantile(t, probability);
}

double squared_distances(std::span<const double> values, double mean) noexcept {
  double sum = 0;
  for (const double value : values) sum += (value - mean) * (value - mean);
  return sum;
}

double mean_half_width(std::span<const double> values, double confidence) {
  const auto n = static_cast<double>(values.size());
  const double variance = squared_distances(values, mean_of(values)) / (n - 1);
  return student_t_quantile(n - 1, 0.5 + confidence / 2) * std::sqrt(variance / n);
}

WelchError welch_error(double variance_a, std::size_t count_a, double variance_b,
                       std::size_t count_b) noexcept {
  const auto n_a = static_cast<double>(count_a), n_b = static_cast<double>(count_b);
  const double a = variance_a / n_a, b = variance_b / n_b;
  if (!(a + b > 0)) return {};
  return {std::sqrt(a + b), (a + b) * (a + b) / (a * a / (n_a - 1) + b * b / (n_b - 1))};
}

}  // namespace raidscope
