#pragma once

#include <cstddef>
#include <optional>
#include <span>

/// Intervals for the ratio of two settings out of few repeats. Everything works on natural
/// logarithms of ratios, so that twice as fast and half as fast lie equally far from 1. Student's t
/// and the exact signed-rank interval, because a percentile bootstrap covers too little with the
/// few pairs that people can afford (86 % at six pairs, measured, where 95 % was asked for).
namespace raidscope {

enum class IntervalMethod { student_t, signed_rank };

inline constexpr double usual_confidence = 0.95;

/// Of the logarithm of a ratio.
struct LogRatio {
  double estimate = 0;
  /// null: too few repeats for an interval at this confidence
  std::optional<double> low, high;
  /// How far a single pair lies from the estimate (a standard deviation); null with less than two.
  std::optional<double> deviation;
  /// The estimate over that deviation, corrected for few repeats (Hedges); null without one, and
  /// where all pairs are the same.
  std::optional<double> effect_size;
  /// Standard error of the estimate and its degrees of freedom; null with less than two.
  std::optional<double> error, degrees;
  std::size_t pairs = 0;  ///< or repeats of the smaller side where nothing pairs up
};

/// Of logarithms of ratios of pairs; Student's t with n - 1 degrees of freedom, from two pairs on.
LogRatio paired_t(std::span<const double> pairs, double confidence = usual_confidence);

/// Of the logarithms of two sides without pairs: second less first, Welch's t; from two on a side.
LogRatio welch_t(std::span<const double> first, std::span<const double> second,
                 double confidence = usual_confidence);

/// The Hodges-Lehmann estimate and the exact signed-rank interval, which needs no normal noise,
/// only symmetric noise. At 95 % there is none with less than six pairs. Exact up to 200 pairs, by
/// the normal approximation above.
LogRatio signed_rank(std::span<const double> pairs, double confidence = usual_confidence);

enum class Judgement { above, below, equal, undecided };

/// Above or below: the whole interval lies more than the margin away from 1. Equal: all of it lies
/// within. `margin` is relative, 0.05 for a ratio of 1/1.05 to 1.05. Undecided without an interval.
Judgement judge(const LogRatio& ratio, double margin);

/// How many pairs more would decide if they scattered like those seen and the estimate stayed.
/// Null where the spread is unknown, where it is decided already, and where a thousand pairs would
/// not be enough: the estimate lies on the margin.
std::optional<std::size_t> pairs_to_go(const LogRatio& ratio, double margin,
                                       double confidence = usual_confidence);

}  // namespace raidscope
