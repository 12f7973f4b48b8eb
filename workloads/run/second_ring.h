#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "workloads/latency_histogram.h"

namespace raidscope {

/// What one worker measured in one second.
struct SecondRecord {
  std::uint64_t second = 0;
  LatencyHistogram read, write, trim;
  std::uint64_t bytes[3] = {0, 0, 0};  ///< read, written, trimmed
};

/// Hands finished seconds from a worker to the monitor: one writer, one reader, no lock, no
/// allocation. When the monitor is so late that no record is free, the worker goes on in the one it
/// has: nothing is lost, and advance() says that the second could not be kept apart.
class SecondRing {
 public:
  // The worker's side.
  [[nodiscard]] SecondRecord& current() noexcept { return records_[published_local_ % length]; }

  bool advance(std::uint64_t second) noexcept {
    if (published_local_ + 1 - consumed_.load(std::memory_order_acquire) >= length) return false;
    published_.store(++published_local_, std::memory_order_release);
    current().second = second;
    return true;
  }

  /// After the last request: hands over the record in work.
  void finish() noexcept { published_.store(++published_local_, std::memory_order_release); }

  // The monitor's side: calls take(const SecondRecord&) for each finished second.
  template <class F>
  void drain(F&& take) {
    std::uint64_t consumed = consumed_.load(std::memory_order_relaxed);
    while (consumed != published_.load(std::memory_order_acquire)) {
      SecondRecord& record = records_[consumed % length];
      take(static_cast<const SecondRecord&>(record));
      record.read.clear();
      record.write.clear();
      record.trim.clear();
      for (std::uint64_t& bytes : record.bytes) bytes = 0;
      consumed_.store(++consumed, std::memory_order_release);
    }
  }

 private:
  static constexpr std::uint64_t length = 4;
  std::array<SecondRecord, length> records_;
  std::uint64_t published_local_ = 0;
  alignas(64) std::atomic<std::uint64_t> published_{0};
  alignas(64) std::atomic<std::uint64_t> consumed_{0};
};

}  // namespace raidscope
