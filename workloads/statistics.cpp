#include "workloads/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace raidscope {

LatencySummary summarize(const LatencyHistogram& histogram) {
  LatencySummary out;
  if (histogram.count() == 0) return out;
  constexpr double us = 1e-3;
  const auto at = [&](double q) { return static_cast<double>(histogram.quantile(q)) * us; };
  out.min = static_cast<double>(histogram.min()) * us;
  out.mean = histogram.mean() * us;
  out.stddev = histogram.stddev() * us;
  out.p50 = at(0.5);
  out.p90 = at(0.9);
  out.p95 = at(0.95);
  out.p99 = at(0.99);
  out.p99_9 = at(0.999);
  if (histogram.count() >= 100'000) out.p99_99 = at(0.9999);
  out.max = static_cast<double>(histogram.max()) * us;
  return out;
}

HistogramBuckets to_buckets(const LatencyHistogram& histogram) {
  HistogramBuckets out;
  for (std::size_t i = 0; i < latency_buckets::total; ++i) {
    if (histogram.bucket(i) == 0) continue;
    out.index.push_back(i);
    out.count.push_back(histogram.bucket(i));
  }
  return out;
}

void merge_buckets(HistogramBuckets& into, const HistogramBuckets& other) {
  HistogramBuckets out;
  std::size_t a = 0;
  std::size_t b = 0;
  const auto put = [&out](std::uint64_t index, std::uint64_t count) {
    out.index.push_back(index);
    out.count.push_back(count);
  };
  while (a < into.index.size() || b < other.index.size()) {
    if (b == other.index.size() || (a < into.index.size() && into.index[a] < other.index[b])) {
      put(into.index[a], into.count[a]);
      ++a;
    } else if (a == into.index.size() || other.index[b] < into.index[a]) {
      put(other.index[b], other.count[b]);
      ++b;
    } else {
      put(into.index[a], into.count[a] + other.count[b]);
      ++a;
      ++b;
    }
  }
  into = std::move(out);
}

std::uint64_t quantile_of(const HistogramBuckets& buckets, double q) {
  std::uint64_t total = 0;
  for (const std::uint64_t count : buckets.count) total += count;
  if (total == 0) return 0;
  const auto rank = std::max<std::uint64_t>(
      static_cast<std::uint64_t>(
          std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(total) - 1e-6)),
      1);
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < buckets.index.size(); ++i) {
    seen += buckets.count[i];
    if (seen >= rank) return latency_buckets::upper(buckets.index[i]);
  }
  return latency_buckets::upper(buckets.index.back());
}

LatencyHistogram from_buckets(const HistogramBuckets& buckets) {
  LatencyHistogram out;
  for (std::size_t i = 0; i < std::min(buckets.index.size(), buckets.count.size()); ++i) {
    if (buckets.index[i] >= latency_buckets::total || buckets.count[i] == 0) continue;
    out.record(latency_buckets::upper(buckets.index[i]), buckets.count[i]);
  }
  return out;
}

double mean_of(std::span<const double> values) noexcept {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

Line fit_line(std::span<const double> values) noexcept {
  const auto n = static_cast<double>(values.size());
  const double y = mean_of(values);
  if (values.size() < 2) return {y, 0};
  const double x = (n - 1) / 2;
  double above = 0;
  double below = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double dx = static_cast<double>(i) - x;
    above += dx * (values[i] - y);
    below += dx * dx;
  }
  const double slope = above / below;
  return {y - slope * x, slope};
}

}  // namespace raidscope
