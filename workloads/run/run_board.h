#pragma once

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <optional>
#include <semaphore.h>
#include <string>

#include "probe/base/result.h"
#include "workloads/latency_histogram.h"
#include "workloads/request_stream.h"
#include "workloads/run/second_ring.h"

/// What the monitor and the workers of one run see of each other. The workers may be in other
/// processes, so this lies in memory that they share: it holds no pointer and no string.
namespace raidscope {

/// Counts passes; wait() takes one. Unlike std::latch it works between processes.
class Gate {
 public:
  Gate() noexcept { ::sem_init(&passes_, 1, 0); }
  ~Gate() { ::sem_destroy(&passes_); }
  Gate(const Gate&) = delete;
  Gate& operator=(const Gate&) = delete;

  void let(std::uint32_t count = 1) noexcept {
    for (; count != 0; --count) ::sem_post(&passes_);
  }
  void wait() noexcept {
    while (::sem_wait(&passes_) != 0 && errno == EINTR) {
    }
  }
  /// False when none came within a tenth of a second.
  [[nodiscard]] bool wait_a_moment() noexcept {
    timespec until{};
    ::clock_gettime(CLOCK_REALTIME, &until);
    until.tv_nsec += 100'000'000;
    until.tv_sec += until.tv_nsec / 1'000'000'000;
    until.tv_nsec %= 1'000'000'000;
    return ::sem_timedwait(&passes_, &until) == 0;
  }

 private:
  sem_t passes_{};
};

/// A text of bounded length.
template <std::size_t N>
class BoardText {
 public:
  void operator=(const std::string& text) noexcept {
    const std::size_t n = std::min(text.size(), N - 1);
    std::memcpy(text_, text.data(), n);
    text_[n] = '\0';
  }
  [[nodiscard]] std::string str() const { return text_; }

 private:
  char text_[N] = {};
};

/// An Error; what is longer than a person reads is cut.
struct BoardError {
  std::atomic<bool> set{false};
  Errc code = Errc::io;
  int os_errno = 0;
  BoardText<1024> message, hint;
  BoardText<4097> where;

  void put(const Error& error) noexcept {
    code = error.code;
    os_errno = error.os_errno;
    message = error.message;
    where = error.where;
    hint = error.hint;
    set.store(true, std::memory_order_release);
  }
  [[nodiscard]] Status status() const {
    if (!set.load(std::memory_order_acquire)) return Done{};
    return fail(code, message.str(), where.str(), hint.str(), os_errno);
  }
};

/// A request that went wrong.
struct RequestFailure {
  Request request;
  std::int32_t result = 0;  ///< -errno, or fewer bytes than asked for
  /// Where a read brought other bytes than the address's own.
  std::optional<std::uint64_t> wrong_at;
};

/// Of all workers. Times are clock_ns().
struct RunBoard {
  Gate opened;                       ///< each worker lets one pass when its engine is open, or not
  Gate go;                           ///< one for each worker
  std::int64_t begin_ns = 0;         ///< set before `go`; intended starts count from it
  std::int64_t window_begin_ns = 0;  ///< set before `go`; earlier completions are ramp
  bool cancelled = false;            ///< set before `go`: some engine did not open
  alignas(64) std::atomic<std::int64_t> window_end_ns{
      0};                                    ///< no requests and no counting from then on
  std::atomic<std::int64_t> cooldown_ns{0};  ///< requests go on for so long after the window
  std::atomic<bool> budget_spent{false};
  std::atomic<std::int64_t> write_left{0};  ///< of all instances' budget
};

/// CPU seconds.
struct CpuTime {
  double user_s = 0, system_s = 0;
};

/// Of one process with all its workers.
struct InstanceBoard {
  alignas(64) std::atomic<std::uint32_t> finished{0};  ///< workers
  std::atomic<int> io_wq_threads{0};                   ///< the most that were seen
  CpuTime cpu;                                         ///< in the window; there when it has ended
};

/// Of one worker.
struct WorkerBoard {
  SecondRing seconds;
  alignas(64) std::atomic<std::uint64_t> live_ios{0};
  std::atomic<std::uint64_t> live_latency_ns{0};
  std::atomic<std::uint64_t> live_bytes{0};
  // There after RunBoard::opened.
  BoardError not_opened;
  BoardText<1024> details;
  // There when the worker has finished.
  std::uint64_t totals[3] = {0, 0,
                             0};  ///< requests, ramp and drain included: read, written, trimmed
  std::uint64_t total_bytes[3] = {0, 0, 0};
  std::int64_t ended_ns = 0;          ///< its last completion
  std::uint64_t backlog = 0;          ///< due and not started when the window ended
  double depth_area = 0;              ///< requests in flight × nanoseconds inside the window
  std::uint64_t blurred_seconds = 0;  ///< that the monitor came too late to keep apart
  std::optional<RequestFailure> failure;
  int engine_error = 0;
  LatencyHistogram batch_gaps, syncs;
};

}  // namespace raidscope
