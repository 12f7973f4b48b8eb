#include "workloads/ratio_interval.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include <boost/math/distributions/normal.hpp>

#include "workloads/statistics.h"
#include "workloads/students_t.h"

namespace raidscope {
namespace {

/// Beyond this the normal approximation of the signed ranks is as good.
constexpr std::size_t most_exact_ranks = 200;
constexpr std::size_t most_pairs_worth_asking = 1000;

/// Hedges' correction of a standardised difference.
double corrected(double effect, double degrees) {
  return degrees > 1 ? effect * (1 - 3 / (4 * degrees - 1)) : effect;
}

/// The rank k of the interval's ends among the sorted means of pairs: the largest count with
/// P(W <= k) <= tail. Null where even P(W <= 0) is above it.
std::optional<std::size_t> signed_rank_end(std::size_t n, double tail) {
  const std::size_t sums = n * (n + 1) / 2;
  if (n > most_exact_ranks) {
    const auto count = static_cast<double>(n);
    const double mean = count * (count + 1) / 4;
    const double deviation = std::sqrt(count * (count + 1) * (2 * count + 1) / 24);
    const boost::math::normal_distribution<double> normal;
    const double end = mean - deviation * boost::math::quantile(complement(normal, tail)) - 0.5;
    return static_cast<std::size_t>(std::max(end, 0.0));
  }
  // probability[w]: that the ranks with a positive sign sum up to w.
  std::vector<double> probability(sums + 1, 0.0);
  probability[0] = 1;
  for (std::size_t rank = 1; rank <= n; ++rank) {
    for (std::size_t w = rank * (rank + 1) / 2 + 1; w-- > 0;) {
      const double without = probability[w];
      probability[w] = (without + (w >= rank ? probability[w - rank] : 0)) / 2;
    }
  }
  std::optional<std::size_t> end;
  double sum = 0;
  for (std::size_t w = 0; w <= sums; ++w) {
    sum += probability[w];
    if (sum > tail) break;
    end = w;
  }
  return end;
}

/// The middle of sorted values.
double middle(std::span<const double> sorted) {
  const std::size_t half = sorted.size() / 2;
  return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

}  // namespace

LogRatio paired_t(std::span<const double> pairs, double confidence) {
  LogRatio out;
  out.pairs = pairs.size();
  out.estimate = mean_of(pairs);
  if (pairs.size() < 2) return out;
  const auto n = static_cast<double>(pairs.size());
  const double deviation = std::sqrt(squared_distances(pairs, out.estimate) / (n - 1));
  out.deviation = deviation;
  out.error = deviation / std::sqrt(n);
  out.degrees = n - 1;
  if (deviation > 0) out.effect_size = corrected(out.estimate / deviation, n - 1);
  const double half = mean_half_width(pairs, confidence);
  out.low = out.estimate - half;
  out.high = out.estimate + half;
  return out;
}

LogRatio welch_t(std::span<const double> first, std::span<const double> second, double confidence) {
  LogRatio out;
  out.pairs = std::min(first.size(), second.size());
  const double mean_first = mean_of(first);
  const double mean_second = mean_of(second);
  out.estimate = mean_second - mean_first;
  if (out.pairs < 2) return out;
  const auto n_first = static_cast<double>(first.size());
  const auto n_second = static_cast<double>(second.size());
  const double variance_first = squared_distances(first, mean_first) / (n_first - 1);
  const double variance_second = squared_distances(second, mean_second) / (n_second - 1);
  out.deviation = std::sqrt(variance_first + variance_second);
  const WelchError error =
      welch_error(variance_first, first.size(), variance_second, second.size());
  out.error = error.error;
  out.degrees = error.degrees > 0 ? error.degrees : n_first + n_second - 2;
  if (!(error.error > 0)) {
    out.low = out.high = out.estimate;
    return out;
  }
  const double pooled =
      std::sqrt((squared_distances(first, mean_first) + squared_distances(second, mean_second)) /
                (n_first + n_second - 2));
  out.effect_size = corrected(out.estimate / pooled, n_first + n_second - 2);
  const double half = student_t_quantile(error.degrees, (1 + confidence) / 2) * error.error;
  out.low = out.estimate - half;
  out.high = out.estimate + half;
  return out;
}

LogRatio signed_rank(std::span<const double> pairs, double confidence) {
  LogRatio out = paired_t(pairs, confidence);
  out.low.reset();
  out.high.reset();
  if (pairs.empty()) return out;
  std::vector<double> means;
  means.reserve(pairs.size() * (pairs.size() + 1) / 2);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    for (std::size_t j = i; j < pairs.size(); ++j) means.push_back((pairs[i] + pairs[j]) / 2);
  }
  std::sort(means.begin(), means.end());
  out.estimate = middle(means);
  if (const auto end = signed_rank_end(pairs.size(), (1 - confidence) / 2)) {
    out.low = means[*end];
    out.high = means[means.size() - 1 - *end];
  }
  return out;
}

Judgement judge(const LogRatio& ratio, double margin) {
  if (!ratio.low || !ratio.high) return Judgement::undecided;
  const double bound = std::log1p(margin);
  if (*ratio.low > bound) return Judgement::above;
  if (*ratio.high < -bound) return Judgement::below;
  if (*ratio.low >= -bound && *ratio.high <= bound) return Judgement::equal;
  return Judgement::undecided;
}

std::optional<std::size_t> pairs_to_go(const LogRatio& ratio, double margin, double confidence) {
  if (!ratio.deviation || judge(ratio, margin) != Judgement::undecided) return std::nullopt;
  LogRatio wished = ratio;
  for (std::size_t n = std::max<std::size_t>(ratio.pairs + 1, 2); n <= most_pairs_worth_asking;
       ++n) {
    const auto pairs = static_cast<double>(n);
    const double half =
        student_t_quantile(pairs - 1, (1 + confidence) / 2) * *ratio.deviation / std::sqrt(pairs);
    wished.low = ratio.estimate - half;
    wished.high = ratio.estimate + half;
    if (judge(wished, margin) != Judgement::undecided) return n - ratio.pairs;
  }
  return std::nullopt;
}

}  // namespace raidscope
