#include "workloads/series_collector.h"

#include <algorithm>
#include <cmath>

namespace raidscope {
namespace {
// Workers are at most the length of their ring (run/second_ring.h) behind one another.
constexpr std::uint64_t kept_open = 8;
}  // namespace

SeriesCollector::Closed SeriesCollector::summary(const LatencyHistogram& histogram) {
  return {histogram.count(), histogram.mean() * 1e-3,
          static_cast<double>(histogram.quantile(0.99)) * 1e-3};
}

void SeriesCollector::add(std::uint64_t second, const LatencyHistogram& read,
                          const LatencyHistogram& write) {
  if (read.count() + write.count() == 0) return;  // series() knows of empty seconds by the window
  read_.merge(read);
  write_.merge(write);
  if (second < closed_.size()) {
    // Too late for its percentile, which is then the larger of the two; the count still adds up.
    LatencyHistogram both = read;
    both.merge(write);
    const Closed late = summary(both);
    Closed& known = closed_[second];
    const auto n = static_cast<double>(known.ios + late.ios);
    known.mean_us = (known.mean_us * static_cast<double>(known.ios) +
                     late.mean_us * static_cast<double>(late.ios)) /
                    n;
    known.p99_us = std::max(known.p99_us, late.p99_us);
    known.ios += late.ios;
    return;
  }
  LatencyHistogram& both = open_[second];
  both.merge(read);
  both.merge(write);
  if (second >= kept_open) close(second - kept_open);
}

void SeriesCollector::close(std::uint64_t before) {
  while (!open_.empty() && open_.begin()->first < before) {
    const auto& [second, histogram] = *open_.begin();
    closed_.resize(second + 1);
    closed_[second] = summary(histogram);
    open_.erase(open_.begin());
  }
}

std::vector<SeriesPoint> SeriesCollector::series(double window_s, std::uint32_t block_bytes) const {
  std::vector<Closed> all = closed_;
  for (const auto& [second, histogram] : open_) {
    all.resize(std::max<std::size_t>(all.size(), second + 1));
    all[second] = summary(histogram);
  }
  all.resize(std::max(all.size(), static_cast<std::size_t>(std::ceil(window_s - 1e-3))));
  std::vector<SeriesPoint> out;
  out.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    SeriesPoint point;
    const auto begin = static_cast<double>(i);
    point.t = window_s > begin ? std::min(begin + 1, window_s) : begin + 1;
    const double seconds = point.t - begin;
    point.ios = all[i].ios;
    point.iops = static_cast<double>(point.ios) / seconds;
    point.bytes_per_s = point.iops * block_bytes;
    if (point.ios != 0) {
      point.mean_us = all[i].mean_us;
      point.p99_us = all[i].p99_us;
    }
    out.push_back(point);
  }
  return out;
}

}  // namespace raidscope
