#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/run_result.h"

/// What imported results have in common, whatever tool they come from. Pure.
namespace raidscope::importing {

/// A result of `tool` that says nothing yet: unknown times, sizes and processor cost.
RunResult blank_run(std::string tool, std::string version);

/// "file" or "block": D:, PHYSICALDRIVE:1, #1, \\.\PhysicalDrive1 and /dev/sdb are block.
std::string kind_of(std::string_view target);

/// Makes percentiles of fewer than 100,000 I/Os what the document says they are: p99.99 null.
void drop_thin_percentiles(LatencySummary& latency, std::optional<std::uint64_t> ios);

/// Of the two directions, weighted by their I/Os; nullopt unless each that did I/O has a mean.
std::optional<double> mean_of_both(const DirectionResult& read, const DirectionResult& write);

/// Little's law with the mean that the tool told: stored, and a suspicion beyond 10 %. Nothing
/// where the mean or the load is unknown, or where requests do not start as soon as others end.
void apply_littles_law(RunResult& run, std::optional<double> told_mean_us);

/// Names the run after its workload and makes target, rates and times consistent.
void finish_run(RunResult& run);

/// ISO 8601 UTC of milliseconds since 1970, whole seconds; nullopt beyond the year 9999, which
/// no clock has told.
std::optional<std::string> utc_of(double milliseconds);

/// Counts per nanosecond value into the buckets of LatencyHistogram: upper edges are never low.
class BucketCounts {
 public:
  void add(std::uint64_t nanoseconds, std::uint64_t count);
  void merge(const BucketCounts& other);
  [[nodiscard]] std::uint64_t total() const { return total_; }
  /// Upper edge of the bucket of the q-th value in microseconds, not above `most_us`.
  [[nodiscard]] std::optional<double> quantile_us(double q, std::optional<double> most_us) const;
  [[nodiscard]] HistogramBuckets buckets() const;
  void fill_percentiles(LatencySummary& latency) const;

 private:
  std::map<std::uint64_t, std::uint64_t> counts_;
  std::uint64_t total_ = 0;
};

}  // namespace raidscope::importing
