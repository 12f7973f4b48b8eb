#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "workloads/engine.h"
#include "workloads/latency_histogram.h"
#include "workloads/request_stream.h"
#include "workloads/run/arrival_clock.h"
#include "workloads/run/run_board.h"
#include "workloads/worker_seats.h"
#include "workloads/workload.h"

namespace raidscope {

/// Nanoseconds of the monotonic clock.
std::int64_t clock_ns() noexcept;

/// What the workers of one process have in common.
struct RunShared {
  RunShared(Workload what, const EngineType& how, RunBoard& run)
      : workload(std::move(what)), type(how), board(run) {}

  Workload workload;  ///< with the seed of this instance
  const EngineType& type;
  RunBoard& board;
  EngineSetup setup;              ///< content_seed is made each worker's own, unless addressed
  std::vector<WorkerSeat> seats;  ///< by worker; empty: all on all targets, setup.depth
  std::vector<Extent> extents;    ///< by target
  std::unique_ptr<SharedCursor[]> cursors;  ///< by target
  std::uint32_t completion_batch = 1;
  std::atomic<std::int64_t>* write_budget = nullptr;
};

/// One worker: one thread, which alone owns engine, request streams and histograms. Its loop
/// allocates, locks and logs nothing. It reads the clock once per batch (right after reaping, which
/// is also when the next batch begins), and before and after each request at depth 1; a latency is
/// from submit to reap, so that batching can make it too high by the time the batch takes
/// (measured: batch_gaps), never too low. With arrivals of their own, requests count from when they
/// were meant to start: those that had to wait for a slot have waited.
class Worker {
 public:
  /// What the worker tells while it runs and in the end stands on `board`.
  Worker(RunShared& shared, WorkerBoard& board, std::uint32_t number);

  /// The thread's function.
  void run();

 private:
  /// A target of this worker.
  struct Lane {
    RequestStream stream;
    std::uint16_t target = 0;
    std::uint32_t burst_left = 0;
    std::uint32_t in_flight = 0;  ///< with those prepared
    std::int64_t paused_until = 0;
  };

  void loop(Engine& engine);
  void prepare(std::int64_t now);
  void prepare_closed();
  void prepare_open(std::int64_t now);
  void prepare_thinking(std::int64_t now);
  [[nodiscard]] Request next_request(std::uint32_t lane);
  [[nodiscard]] std::uint32_t lane_of(std::uint32_t slot) noexcept;
  /// The next moment that something can begin by itself; far away when there is none.
  [[nodiscard]] std::int64_t next_event() const noexcept;
  void wait_for_event(std::int64_t now) const noexcept;
  [[nodiscard]] bool take_up(std::int32_t taken, std::int64_t now) noexcept;
  void pass_edges(std::int64_t now) noexcept;
  bool within_budget(std::uint32_t begin, std::uint32_t end) noexcept;
  void roll(std::int64_t now) noexcept;
  void settle(const Engine& engine, std::uint32_t count, std::int64_t now) noexcept;
  void settle_special(const Engine& engine, std::uint32_t slot, std::int64_t now) noexcept;
  void fail_with(const RequestFailure& failure) noexcept;
  void flush(std::int64_t now) noexcept;
  void integrate(std::int64_t now) noexcept;
  void report() noexcept;

  RunShared& shared_;
  WorkerBoard& board_;
  RunBoard& run_board_;
  std::uint32_t number_;

  // By slot.
  std::vector<Request> in_slot_;
  std::vector<std::int64_t> stamp_;
  std::vector<std::uint32_t> slot_lane_;
  // Idle slots, the first prepared_ of them with a request each in batch_.
  std::vector<std::uint32_t> idle_;
  std::vector<Request> batch_;
  std::vector<std::int64_t> intended_;  ///< of batch_, with arrivals of their own
  std::vector<std::uint32_t> batch_lane_;
  std::vector<Completion> completions_;
  std::vector<Lane> lanes_;
  std::uint32_t idle_count_ = 0, prepared_ = 0, in_flight_ = 0;
  bool issuing_ = true, counting_ = false, window_over_ = false;
  bool last_batch_ = false;  ///< the write budget holds no more

  // What is not always asked for.
  std::optional<ArrivalClock> arrivals_;
  bool lanes_in_turn_ = false;  ///< slots belong to no target
  bool thinking_ = false, special_ = false, verify_ = false;
  std::uint32_t turn_ = 0, burst_ = 1, fsync_every_ = 0, writes_since_sync_ = 0;
  std::int64_t think_ns_ = 0;
  std::uint64_t content_seed_ = 0;
  std::uint64_t backlog_ = 0;

  // Completions with the same submit stamp have the same latency: recorded together.
  std::int64_t run_stamp_ = 0;
  std::uint64_t run_[3] = {0, 0, 0};  ///< reads, writes, trims
  std::uint64_t run_bytes_[3] = {0, 0, 0};
  std::uint64_t totals_[3] = {0, 0, 0};
  std::uint64_t total_bytes_[3] = {0, 0, 0};
  std::uint64_t live_ios_local_ = 0, live_latency_local_ = 0, live_bytes_local_ = 0;
  std::int64_t next_edge_ = 0, depth_since_ = 0;
  double depth_area_ = 0;
  std::uint64_t blurred_ = 0;
  std::optional<RequestFailure> failure_;
  int engine_error_ = 0;
  LatencyHistogram batch_gaps_;
  LatencyHistogram syncs_;
};

}  // namespace raidscope
