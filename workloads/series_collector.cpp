#include "workloads/series_collector.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "workloads/statistics.h"

namespace raidscope {
namespace {
// Workers are at most the length of their ring (run/second_ring.h) behind one another.
constexpr std::uint64_t kept_open = 8;
}  // namespace

SeriesCollector::Second SeriesCollector::summary(const Open& open) {
  return {open.bytes, static_cast<double>(open.all.sum()) * 1e-3, to_buckets(open.all)};
}

void SeriesCollector::add(std::uint64_t second, const LatencyHistogram& read,
                          const LatencyHistogram& write, std::uint64_t bytes,
                          const LatencyHistogram& trim) {
  if (read.count() + write.count() + trim.count() == 0)
    return;  // series() knows of empty seconds by the window
  read_.merge(read);
  write_.merge(write);
  trim_.merge(trim);
  Open late;
  Open& open = second < closed_.size() ? late : open_[second];
  open.bytes += bytes;
  for (const LatencyHistogram* one : {&read, &write, &trim}) open.all.merge(*one);
  if (second < closed_.size()) {
    const Second more = summary(late);
    Second& known = closed_[second];
    known.bytes += more.bytes;
    known.latency_us += more.latency_us;
    merge_buckets(known.buckets, more.buckets);
    return;
  }
  if (second >= kept_open) close(second - kept_open);
}

void SeriesCollector::close(std::uint64_t before) {
  while (!open_.empty() && open_.begin()->first < before) {
    const auto& [second, open] = *open_.begin();
    closed_.resize(second + 1);
    closed_[second] = summary(open);
    open_.erase(open_.begin());
  }
}

std::vector<SeriesPoint> SeriesCollector::series(double window_s) const {
  std::vector<Second> all = closed_;
  for (const auto& [second, open] : open_) {
    all.resize(std::max<std::size_t>(all.size(), second + 1));
    all[second] = summary(open);
  }
  all.resize(std::max(all.size(), static_cast<std::size_t>(std::ceil(window_s - 1e-3))));
  std::vector<SeriesPoint> out;
  out.reserve(all.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    SeriesPoint point;
    const auto begin = static_cast<double>(i);
    point.t = window_s > begin ? std::min(begin + 1, window_s) : begin + 1;
    const double seconds = point.t - begin;
    point.histogram = std::move(all[i].buckets);
    for (const std::uint64_t count : point.histogram.count) point.ios += count;
    point.bytes = all[i].bytes;
    point.iops = static_cast<double>(point.ios) / seconds;
    point.bytes_per_s = static_cast<double>(point.bytes) / seconds;
    if (point.ios != 0) {
      point.mean_us = all[i].latency_us / static_cast<double>(point.ios);
      point.p99_us = static_cast<double>(quantile_of(point.histogram, 0.99)) * 1e-3;
    }
    out.push_back(std::move(point));
  }
  return out;
}

}  // namespace raidscope
