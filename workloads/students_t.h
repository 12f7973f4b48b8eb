#pragma once

#include <cstddef>
#include <span>

/// Student's t, as every interval here needs it. Pure.
namespace raidscope {

/// `degrees` > 0.
double student_t_quantile(double degrees, double probability);

/// Sum of squared distances from a mean.
double squared_distances(std::span<const double> values, double mean) noexcept;

/// Half the width of the interval of the mean of at least two values.
double mean_half_width(std::span<const double> values, double confidence);

/// Standard error and degrees of freedom of a difference of two means, after Welch; the variances
/// are those of the values (over n − 1), of at least two values each.
struct WelchError {
  double error = 0;
  double degrees = 0;  ///< 0 where nothing scatters
};
WelchError welch_error(double variance_a, std::size_t count_a, double variance_b,
                       std::size_t count_b) noexcept;

}  // namespace raidscope
