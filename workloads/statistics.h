#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "workloads/latency_histogram.h"
#include "workloads/run_result.h"

namespace raidscope {

/// Microseconds out of a histogram of nanoseconds; everything null when it is empty, p99.99 null
/// below 100,000 latencies (ten values above it are the least that mean anything).
LatencySummary summarize(const LatencyHistogram& histogram);

/// The non-empty buckets, and back: counts and quantiles survive, minimum, maximum and sums are
/// then those of the buckets' upper edges. Buckets out of range are left out.
HistogramBuckets to_buckets(const LatencyHistogram& histogram);
/// Adds the counts of one to the other: as exact as merging the histograms.
void merge_buckets(HistogramBuckets& into, const HistogramBuckets& other);
/// The upper edge of the bucket that holds the q-th latency, in nanoseconds; 0 when empty. May be
/// 1/64 above LatencyHistogram::quantile(), which knows the maximum.
std::uint64_t quantile_of(const HistogramBuckets& buckets, double q);
LatencyHistogram from_buckets(const HistogramBuckets& buckets);

/// Least-squares line through values at 0, 1, 2, …
struct Line {
  double intercept = 0;
  double slope = 0;  ///< per step
};
Line fit_line(std::span<const double> values) noexcept;

double mean_of(std::span<const double> values) noexcept;

}  // namespace raidscope
