#include "reports/importing/imported_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "reports/importing/result_text.h"
#include "workloads/latency_histogram.h"
#include "workloads/plan.h"

namespace raidscope::importing {

RunResult blank_run(std::string tool, std::string version) {
  RunResult run;
  run.origin = Origin::imported;
  run.engine.name = std::move(tool);
  run.engine.version = std::move(version);
  run.engine.reason = "imported";
  run.target.size_bytes.reset();
  run.cpu.user_s.reset();
  run.cpu.system_s.reset();
  return run;
}

std::string kind_of(std::string_view target) {
  const bool letter = target.size() >= 2 && text::is_alpha(target[0]) && target[1] == ':';
  const bool bare = target.size() == 2 || (target.size() == 3 && target[2] == '\\');
  const auto has = [&](std::string_view part) {
    for (std::size_t i = 0; i + part.size() <= target.size(); ++i) {
      if (text::iequals(target.substr(i, part.size()), part)) return true;
    }
    return false;
  };
  if ((letter && bare) || target.starts_with("/dev/") || target.starts_with('#') ||
      has("physicaldrive")) {
    return "block";
  }
  return "file";
}

void drop_thin_percentiles(LatencySummary& latency, std::optional<std::uint64_t> ios) {
  if (!ios || *ios < 100'000) latency.p99_99.reset();
}

std::optional<double> mean_of_both(const DirectionResult& read, const DirectionResult& write) {
  double sum = 0, weight = 0;
  for (const DirectionResult* part : {&read, &write}) {
    const double share = part->iops;
    if (share == 0) continue;
    if (!part->latency_us.mean) return std::nullopt;
    sum += *part->latency_us.mean * share;
    weight += share;
  }
  if (weight == 0) return std::nullopt;
  return sum / weight;
}

void apply_littles_law(RunResult& run, std::optional<double> told_mean_us) {
  const Workload& w = run.workload;
  if (!told_mean_us || w.outstanding_total == 0 || w.arrivals != Arrivals::closed || w.think_us > 0)
    return;
  const double seen = run.iops * *told_mean_us * 1e-6;
  const double pct = (seen / static_cast<double>(w.outstanding_total) - 1) * 100;
  run.checks.littles_law_pct = pct;
  if (std::abs(pct) <= 10) return;
  run.checks.suspicions.push_back(
      fmt::format("Little's law: IOPS × mean latency gives {:.1f} outstanding, {} were to be kept "
                  "({:+.0f} %): the load, or what {} printed, is not what it seems",
                  seen, w.outstanding_total, pct, run.engine.name));
}

void finish_run(RunResult& run) {
  Workload& w = run.workload;
  if (w.name.empty()) w.name = point_name(w);
  if (run.name.empty()) run.name = w.name;
  if (run.target.path.empty() && !w.targets.empty()) run.target.path = w.targets.front();
  if (run.target.kind.empty()) run.target.kind = kind_of(run.target.path);
  for (DirectionResult* part : {&run.read, &run.write})
    drop_thin_percentiles(part->latency_us, part->ios);
  std::optional<std::uint64_t> all;
  if (run.read.ios && run.write.ios) all = *run.read.ios + *run.write.ios;
  drop_thin_percentiles(run.latency_us, all);
}

std::optional<std::string> utc_of(double milliseconds) {
  constexpr std::uint64_t end_of_9999 = 253'402'300'799'999;
  const auto whole = whole_of(milliseconds, end_of_9999);
  if (!whole) return std::nullopt;
  // Civil date of days since 1970 (H. Hinnant's algorithm), so that no clock or zone is asked.
  const auto seconds = static_cast<std::int64_t>(*whole / 1000);
  const std::int64_t days = seconds / 86400, rest = seconds % 86400;
  const std::int64_t z = days + 719468;
  const std::int64_t era = z / 146097;
  const std::int64_t of_era = z - era * 146097;
  const std::int64_t year = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  const std::int64_t of_year = of_era - (365 * year + year / 4 - year / 100);
  const std::int64_t mp = (5 * of_year + 2) / 153;
  const std::int64_t day = of_year - (153 * mp + 2) / 5 + 1;
  const std::int64_t month = mp < 10 ? mp + 3 : mp - 9;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
                     year + era * 400 + (month <= 2 ? 1 : 0), month, day, rest / 3600,
                     rest % 3600 / 60, rest % 60);
}

void BucketCounts::add(std::uint64_t nanoseconds, std::uint64_t count) {
  if (count == 0) return;
  counts_[latency_buckets::index(nanoseconds)] += count;
  total_ += count;
}

void BucketCounts::merge(const BucketCounts& other) {
  for (const auto& [index, count] : other.counts_) counts_[index] += count;
  total_ += other.total_;
}

std::optional<double> BucketCounts::quantile_us(double q, std::optional<double> most_us) const {
  if (total_ == 0) return std::nullopt;
  const auto rank = std::max(std::ceil(q * static_cast<double>(total_) - 1e-6), 1.0);
  double seen = 0;
  double value = 0;
  for (const auto& [index, count] : counts_) {
    seen += static_cast<double>(count);
    value = static_cast<double>(latency_buckets::upper(index)) / 1000;
    if (seen >= rank) break;
  }
  return most_us ? std::min(value, *most_us) : value;
}

HistogramBuckets BucketCounts::buckets() const {
  HistogramBuckets out;
  for (const auto& [index, count] : counts_) {
    out.index.push_back(index);
    out.count.push_back(count);
  }
  return out;
}

void BucketCounts::fill_percentiles(LatencySummary& latency) const {
  const auto at = [&](double q) { return quantile_us(q, latency.max); };
  latency.p50 = at(0.5);
  latency.p90 = at(0.9);
  latency.p95 = at(0.95);
  latency.p99 = at(0.99);
  latency.p99_9 = at(0.999);
  latency.p99_99 = at(0.9999);
}

}  // namespace raidscope::importing
