#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>

namespace raidscope {

/// The bucket arithmetic, apart from the counters so that it can be checked while compiling.
/// Range 0 holds 0..63 ns one by one; range r > 0 holds 64 buckets of 2^(r-1) ns each.
namespace latency_buckets {
inline constexpr unsigned bits = 6;
inline constexpr std::size_t per_range = std::size_t{1} << bits;
inline constexpr std::size_t total = (64 - bits + 1) * per_range;

constexpr std::size_t index(std::uint64_t ns) noexcept {
  const auto width = static_cast<unsigned>(std::bit_width(ns));
  if (width <= bits) return static_cast<std::size_t>(ns);
  const unsigned range = width - bits;
  return range * per_range + static_cast<std::size_t>((ns >> (range - 1U)) - per_range);
}

constexpr std::uint64_t lower(std::size_t i) noexcept {
  const std::size_t range = i / per_range;
  const std::uint64_t step = i % per_range;
  return range == 0 ? step : (per_range + step) << (range - 1U);
}

/// The largest value of bucket i: what a quantile is told as.
constexpr std::uint64_t upper(std::size_t i) noexcept {
  const std::size_t range = i / per_range;
  const std::uint64_t step = i % per_range;
  return range == 0 ? step : ((per_range + step + 1) << (range - 1U)) - 1U;
}

static_assert(index(63) == 63 && index(64) == 64 && index(127) == 127 && index(128) == 128);
static_assert(upper(index(1'000'000)) >= 1'000'000 &&
              upper(index(1'000'000)) <= 1'000'000 * 65 / 64);
static_assert(index(std::numeric_limits<std::uint64_t>::max()) == total - 1);
static_assert(upper(total - 1) == std::numeric_limits<std::uint64_t>::max());
}  // namespace latency_buckets

/// Latencies in nanoseconds, in 64 linear buckets per power of two up to 2^64: a quantile is never
/// more than 1/64 (1.6 %) above the true value, and never below it. Count, sum, sum of squares,
/// minimum and maximum are exact. Fixed size (30 KiB), no allocation, and merge() loses nothing, so
/// that workers and seconds are recorded alone and added up afterwards.
class LatencyHistogram {
 public:
  __extension__ using Wide = unsigned __int128;

  /// `times` latencies of one value: what one reaped batch usually is.
  void record(std::uint64_t nanoseconds, std::uint64_t times = 1) noexcept {
    buckets_[latency_buckets::index(nanoseconds)] += times;
    count_ += times;
    const std::uint64_t sum = nanoseconds * times;
    sum_ += sum;
    squares_ += static_cast<Wide>(nanoseconds) * sum;
    min_ = std::min(min_, nanoseconds);
    max_ = std::max(max_, nanoseconds);
  }

  void merge(const LatencyHistogram& other) noexcept {
    if (other.count_ == 0) return;
    const std::size_t last = latency_buckets::index(other.max_);
    for (std::size_t i = latency_buckets::index(other.min_); i <= last; ++i) {
      buckets_[i] += other.buckets_[i];
    }
    count_ += other.count_;
    sum_ += other.sum_;
    squares_ += other.squares_;
    min_ = std::min(min_, other.min_);
    max_ = std::max(max_, other.max_);
  }

  /// Touches only the buckets that were used.
  void clear() noexcept {
    if (count_ == 0) return;
    const std::size_t last = latency_buckets::index(max_);
    for (std::size_t i = latency_buckets::index(min_); i <= last; ++i) buckets_[i] = 0;
    count_ = 0;
    sum_ = 0;
    squares_ = 0;
    min_ = std::numeric_limits<std::uint64_t>::max();
    max_ = 0;
  }

  /// Upper edge of the bucket that holds the q-th latency, 0 < q <= 1, but never above the maximum;
  /// 0 when empty. q counts in steps of a billionth, so that 0.99 of 100 is the 99th, whatever its
  /// binary form.
  [[nodiscard]] std::uint64_t quantile(double q) const noexcept {
    constexpr Wide billion = 1'000'000'000;
    const auto parts = static_cast<Wide>(std::llround(std::clamp(q, 0.0, 1.0) * 1e9));
    const auto rank = std::max<std::uint64_t>(
        static_cast<std::uint64_t>((parts * count_ + billion - 1) / billion), 1);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < buckets_.size(); ++i) {
      seen += buckets_[i];
      if (seen >= rank) return std::min(latency_buckets::upper(i), max_);
    }
    return 0;
  }

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::uint64_t min() const noexcept { return count_ == 0 ? 0 : min_; }
  [[nodiscard]] std::uint64_t max() const noexcept { return max_; }
  [[nodiscard]] std::uint64_t sum() const noexcept { return sum_; }
  [[nodiscard]] std::uint64_t bucket(std::size_t i) const noexcept { return buckets_[i]; }

  /// 0 when empty.
  [[nodiscard]] double mean() const noexcept {
    return count_ == 0 ? 0.0 : static_cast<double>(sum_) / static_cast<double>(count_);
  }

  /// Of all latencies, not of a sample (divided by n), from exact integer sums; 0 when empty.
  [[nodiscard]] double stddev() const noexcept {
    if (count_ == 0) return 0.0;
    // n·Σx² - (Σx)² in whole numbers while it fits, so that nothing cancels away.
    const Wide n = count_;
    const double n_double = static_cast<double>(count_);
    if (squares_ < (~Wide{0} >> 1U) / n) {
      const Wide spread = n * squares_ - static_cast<Wide>(sum_) * sum_;
      return std::sqrt(static_cast<double>(spread)) / n_double;
    }
    const double average = mean();
    return std::sqrt(std::max(0.0, static_cast<double>(squares_) / n_double - average * average));
  }

 private:
  std::array<std::uint64_t, latency_buckets::total> buckets_{};
  std::uint64_t count_ = 0;
  std::uint64_t sum_ = 0;  ///< outstanding × run time at most: 1000 requests for half a year
  Wide squares_ = 0;
  std::uint64_t min_ = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t max_ = 0;
};

}  // namespace raidscope
