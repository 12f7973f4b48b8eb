#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "workloads/latency_histogram.h"
#include "workloads/run_result.h"

namespace raidscope {

/// Adds up what workers recorded second by second: the totals, and one point of the series for each
/// second. The two add up by construction, because both come from the same histograms.
class SeriesCollector {
 public:
  /// `second` counts from the beginning of the measurement. Each worker's seconds come in order;
  /// the workers among each other may be some seconds apart. `bytes` moved in it by all kinds.
  void add(std::uint64_t second, const LatencyHistogram& read, const LatencyHistogram& write,
           std::uint64_t bytes, const LatencyHistogram& trim = {});

  /// One point for every second begun, empty ones too; the last may be a part of a second.
  [[nodiscard]] std::vector<SeriesPoint> series(double window_s) const;
  [[nodiscard]] const LatencyHistogram& read() const noexcept { return read_; }
  [[nodiscard]] const LatencyHistogram& write() const noexcept { return write_; }
  [[nodiscard]] const LatencyHistogram& trim() const noexcept { return trim_; }
  [[nodiscard]] LatencyHistogram both() const noexcept {
    LatencyHistogram out = read_;
    out.merge(write_);
    out.merge(trim_);
    return out;
  }

 private:
  struct Second {
    std::uint64_t bytes = 0;
    double latency_us = 0;  ///< sum
    HistogramBuckets buckets;
  };
  struct Open {
    std::uint64_t bytes = 0;
    LatencyHistogram all;
  };
  static Second summary(const Open& open);
  void close(std::uint64_t before);

  std::map<std::uint64_t, Open> open_;  ///< the last few seconds, 30 KiB each
  std::vector<Second> closed_;          ///< by second
  LatencyHistogram read_, write_, trim_;
};

}  // namespace raidscope
