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
  /// the workers among each other may be some seconds apart.
  void add(std::uint64_t second, const LatencyHistogram& read, const LatencyHistogram& write);

  /// One point for every second begun, empty ones too; the last may be a part of a second.
  [[nodiscard]] std::vector<SeriesPoint> series(double window_s, std::uint32_t block_bytes) const;
  [[nodiscard]] const LatencyHistogram& read() const noexcept { return read_; }
  [[nodiscard]] const LatencyHistogram& write() const noexcept { return write_; }
  [[nodiscard]] LatencyHistogram both() const noexcept {
    LatencyHistogram out = read_;
    out.merge(write_);
    return out;
  }

 private:
  struct Closed {
    std::uint64_t ios = 0;
    double mean_us = 0, p99_us = 0;
  };
  static Closed summary(const LatencyHistogram& histogram);
  void close(std::uint64_t before);

  std::map<std::uint64_t, LatencyHistogram> open_;  ///< the last few seconds, 30 KiB each
  std::vector<Closed> closed_;                      ///< by second
  LatencyHistogram read_, write_;
};

}  // namespace raidscope
