#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

/// Where a ratio that rises with something (the number of disks) crosses 1, out of a few measured
/// places with an error each.
namespace raidscope {

/// The least-squares fit that never falls (pool adjacent violators); weights > 0.
std::vector<double> isotonic_fit(std::span<const double> values, std::span<const double> weights);

struct CrossoverPoint {
  double x = 0;         ///< the number of disks
  double estimate = 0;  ///< logarithm of the ratio
  double error = 0;     ///< its standard error; 0: repeats agreed to the last digit
  double degrees = 1;   ///< degrees of freedom of the error, > 0
};

/// Minus infinity: below the first point, where the ratio is above 1 already. Plus infinity: above
/// the last one.
struct Crossover {
  double estimate = 0;
  double low = 0, high = 0;
  std::vector<double> fitted;  ///< logarithms, one a point
  /// The largest distance between a point and the fit, over what chance leaves within in all but
  /// one of a thousand: above 1 the ratio falls where the fit cannot.
  double misfit = 0;
};

struct CrossoverOptions {
  double confidence = 0.95;
  int draws = 2000;
  std::uint64_t seed = 1;
};

/// A parametric bootstrap: each draw moves every point by its error times Student's t with its
/// degrees of freedom (resampling few pairs would cover too little), fits again, and crosses again;
/// between two points the fit is a line. Points in rising order of x, at least two; nullopt else.
std::optional<Crossover> crossover(std::span<const CrossoverPoint> points,
                                   const CrossoverOptions& options = {});

}  // namespace raidscope
