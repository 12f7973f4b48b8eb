#include "workloads/run/worker.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <limits>
#include <time.h>

#include <sys/prctl.h>

#include "workloads/content.h"
#include "workloads/random.h"

namespace raidscope {
namespace {
constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
constexpr std::uint32_t gap_sample_mask = 63;  // every 64th batch
}  // namespace

std::int64_t clock_ns() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Worker::Worker(RunShared& shared, WorkerBoard& board, std::uint32_t number)
    : shared_(shared), board_(board), run_board_(shared.board), number_(number) {}

void Worker::run() {
  const Workload& workload = shared_.workload;
  EngineSetup own = shared_.setup;
  WorkerSeat seat;
  if (number_ < shared_.seats.size()) {
    seat = shared_.seats[number_];
    own.depth = seat.slots;
  } else {
    seat.slots = own.depth;
    for (std::uint32_t i = 0; i < own.targets.size(); ++i) {
      seat.targets.push_back(i);
      seat.sharing.push_back({number_, std::max(workload.workers, 1U)});
    }
  }
  const std::uint32_t slots = seat.slots;
  in_slot_.resize(slots);
  stamp_.resize(slots);
  slot_lane_.resize(slots);
  batch_.resize(slots);
  batch_lane_.resize(slots);
  intended_.resize(slots);
  completions_.resize(slots);
  lanes_.reserve(seat.targets.size());
  burst_ = std::max(workload.burst, 1U);
  for (std::size_t i = 0; i < seat.targets.size(); ++i) {
    const std::uint32_t target = seat.targets[i];
    lanes_.push_back({RequestStream(workload, shared_.extents[target], number_, target,
                                    &shared_.cursors[target], seat.sharing[i]),
                      static_cast<std::uint16_t>(target), burst_});
  }
  // Slot s serves the worker's target s mod n for good, which keeps each target's depth; this order
  // also makes an engine with one request in flight visit the targets in turn.
  for (std::uint32_t slot = 0; slot < slots; ++slot) idle_.push_back(slot);
  idle_count_ = slots;
  if (workload.arrivals != Arrivals::closed) arrivals_.emplace(workload, number_);
  lanes_in_turn_ = arrivals_ || workload.depth_over_targets;
  think_ns_ = static_cast<std::int64_t>(workload.think_us * 1000);
  thinking_ = think_ns_ > 0;
  fsync_every_ = workload.fsync_every;
  verify_ = workload.verify && shared_.type.moves_data;
  special_ = fsync_every_ != 0 || verify_ || thinking_;
  content_seed_ = own.content_seed;

  // Timers of ordinary threads may be 50 µs late, which would be in each latency.
  if (arrivals_ || thinking_) ::prctl(PR_SET_TIMERSLACK, 1UL, 0UL, 0UL, 0UL);

  std::unique_ptr<Engine> engine = shared_.type.make();
  if (!own.content.addressed) own.content_seed = mix64(own.content_seed + number_ + 1);
  if (const Status opened = engine->open(own)) {
    board_.details = engine->details();
  } else {
    board_.not_opened.put(opened.error());
  }
  run_board_.opened.let();
  run_board_.go.wait();
  if (!run_board_.cancelled) loop(*engine);
  board_.ended_ns = clock_ns();
  report();
  engine.reset();
}

void Worker::report() noexcept {
  board_.seconds.finish();
  std::copy(std::begin(totals_), std::end(totals_), board_.totals);
  std::copy(std::begin(total_bytes_), std::end(total_bytes_), board_.total_bytes);
  board_.backlog = backlog_;
  board_.depth_area = depth_area_;
  board_.blurred_seconds = blurred_;
  board_.failure = failure_;
  board_.engine_error = engine_error_;
  board_.batch_gaps = batch_gaps_;
  board_.syncs = syncs_;
}

void Worker::loop(Engine& engine) {
  const bool exact = in_slot_.size() == 1 || shared_.type.max_in_flight == 1;
  next_edge_ = run_board_.window_begin_ns;
  std::int64_t now = clock_ns();
  depth_since_ = now;
  for (std::uint32_t batches = 0;; ++batches) {
    if (issuing_ && !last_batch_ && prepared_ < idle_count_) prepare(now);
    if (!issuing_) prepared_ = 0;

    if (exact) {
      now = clock_ns();
      if (!window_over_) integrate(now);
    }
    if (prepared_ != 0) {
      const std::int32_t taken =
          engine.submit({batch_.data(), prepared_}, {idle_.data(), prepared_});
      if (!take_up(taken, now)) issuing_ = false;
      if (last_batch_ && prepared_ == 0) issuing_ = false;
    }
    if (in_flight_ == 0) {
      if (!issuing_) return;
      if (prepared_ == 0) {
        wait_for_event(now);
        now = clock_ns();
        pass_edges(now);
      }
      continue;
    }

    if ((batches & gap_sample_mask) == 0) {
      const std::int64_t from = exact ? clock_ns() : now;
      batch_gaps_.record(static_cast<std::uint64_t>(std::max<std::int64_t>(clock_ns() - from, 0)));
    }
    std::uint32_t least = 1;
    std::chrono::nanoseconds patience = for_ever;
    if (arrivals_ || thinking_) {
      // What is due next must not wait for what is in flight.
      if (issuing_ && idle_count_ != 0) {
        const std::int64_t event = next_event();
        if (event != never)
          patience = std::chrono::nanoseconds(std::max<std::int64_t>(event - clock_ns(), 0));
      }
    } else if (issuing_) {
      least = std::min(shared_.completion_batch, in_flight_);
    }
    const std::int32_t count = engine.reap(completions_, least, patience);
    now = clock_ns();
    if (count < 0) {
      // The ring itself failed: nothing in flight can be waited for any more.
      engine_error_ = -count;
      run_board_.window_end_ns.store(0, std::memory_order_relaxed);
      return;
    }
    pass_edges(now);
    settle(engine, static_cast<std::uint32_t>(count), now);
  }
}

bool Worker::take_up(std::int32_t taken, std::int64_t now) noexcept {
  if (taken < 0) {
    engine_error_ = -taken;
    run_board_.window_end_ns.store(0, std::memory_order_relaxed);
    return false;
  }
  const auto n = static_cast<std::uint32_t>(taken);
  if (n == 0) return true;
  for (std::uint32_t i = 0; i < n; ++i) {
    in_slot_[idle_[i]] = batch_[i];
    stamp_[idle_[i]] = now;
  }
  if (arrivals_) {
    for (std::uint32_t i = 0; i < n; ++i) stamp_[idle_[i]] = intended_[i];
  }
  if (thinking_) {
    for (std::uint32_t i = 0; i < n; ++i) slot_lane_[idle_[i]] = batch_lane_[i];
  }
  if (n != idle_count_) {
    std::copy(batch_.begin() + n, batch_.begin() + prepared_, batch_.begin());
    std::copy(idle_.begin() + n, idle_.begin() + idle_count_, idle_.begin());
    if (arrivals_)
      std::copy(intended_.begin() + n, intended_.begin() + prepared_, intended_.begin());
    if (thinking_)
      std::copy(batch_lane_.begin() + n, batch_lane_.begin() + prepared_, batch_lane_.begin());
  }
  prepared_ -= n;
  idle_count_ -= n;
  in_flight_ += n;
  return true;
}

void Worker::prepare(std::int64_t now) {
  const std::uint32_t begin = prepared_;
  if (arrivals_) {
    prepare_open(now);
  } else if (thinking_) {
    prepare_thinking(now);
  } else {
    prepare_closed();
  }
  if (shared_.write_budget != nullptr && !within_budget(begin, prepared_)) {
    // As many as fit, and no more after them.
    std::uint32_t fitting = begin;
    while (fitting < prepared_ && within_budget(fitting, fitting + 1)) ++fitting;
    prepared_ = fitting;
    last_batch_ = true;
    if (prepared_ == 0) issuing_ = false;
    run_board_.budget_spent.store(true, std::memory_order_relaxed);
  }
}

void Worker::prepare_closed() {
  if (lanes_.size() == 1 && fsync_every_ == 0) {
    lanes_.front().stream.fill({batch_.data() + prepared_, idle_count_ - prepared_});
    prepared_ = idle_count_;
    return;
  }
  for (; prepared_ < idle_count_; ++prepared_)
    batch_[prepared_] = next_request(lane_of(idle_[prepared_]));
}

void Worker::prepare_open(std::int64_t now) {
  for (; prepared_ < idle_count_; ++prepared_) {
    const std::int64_t due = run_board_.begin_ns + arrivals_->due();
    if (due > now) return;
    batch_[prepared_] = next_request(lane_of(idle_[prepared_]));
    intended_[prepared_] = due;
    // A flush is no arrival: it goes between.
    if (batch_[prepared_].kind != Request::Kind::sync) arrivals_->next();
  }
}

void Worker::prepare_thinking(std::int64_t now) {
  for (std::uint32_t i = prepared_; i < idle_count_; ++i) {
    const std::uint32_t number = lane_of(idle_[i]);
    Lane& lane = lanes_[number];
    if (lane.burst_left == 0) {
      // The pause begins when the whole burst has ended: settle() sets its end.
      if (lane.in_flight != 0 || now < lane.paused_until) continue;
      lane.burst_left = burst_;
    }
    std::swap(idle_[i], idle_[prepared_]);
    batch_[prepared_] = next_request(number);
    batch_lane_[prepared_] = number;
    --lane.burst_left;
    ++lane.in_flight;
    ++prepared_;
  }
}

std::uint32_t Worker::lane_of(std::uint32_t slot) noexcept {
  const auto lanes = static_cast<std::uint32_t>(lanes_.size());
  if (lanes == 1) return 0;
  if (!lanes_in_turn_) return slot % lanes;
  turn_ = turn_ + 1 == lanes ? 0 : turn_ + 1;
  return turn_;
}

Request Worker::next_request(std::uint32_t lane) {
  if (fsync_every_ != 0 && writes_since_sync_ >= fsync_every_) {
    writes_since_sync_ = 0;
    Request sync;
    sync.target = lanes_[lane].target;
    sync.write = true;
    sync.kind = Request::Kind::sync;
    return sync;
  }
  Request out;
  lanes_[lane].stream.fill({&out, 1});
  if (out.write) ++writes_since_sync_;
  return out;
}

std::int64_t Worker::next_event() const noexcept {
  if (arrivals_) return run_board_.begin_ns + arrivals_->due();
  std::int64_t next = never;
  for (const Lane& lane : lanes_)
    if (lane.burst_left == 0 && lane.in_flight == 0) next = std::min(next, lane.paused_until);
  return next;
}

void Worker::wait_for_event(std::int64_t now) const noexcept {
  // Comes back often enough to learn that the run is over; the last bit is spun, because a sleep
  // ends late.
  constexpr std::int64_t longest = 10'000'000;
  constexpr std::int64_t spun = 60'000;
  const std::int64_t until = std::min({next_event(), now + longest, std::max(next_edge_, now + 1)});
  if (until - now > 2 * spun) {
    const std::int64_t sleep = until - spun;
    const timespec end{static_cast<time_t>(sleep / second_ns),
                       static_cast<long>(sleep % second_ns)};
    ::clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, nullptr);
  }
  while (clock_ns() < until) {
  }
}

bool Worker::within_budget(std::uint32_t begin, std::uint32_t end) noexcept {
  std::int64_t bytes = 0;
  for (std::uint32_t i = begin; i < end; ++i) {
    if (batch_[i].write) bytes += batch_[i].length;
  }
  if (bytes == 0) return true;
  if (shared_.write_budget->fetch_sub(bytes, std::memory_order_relaxed) >= bytes) return true;
  shared_.write_budget->fetch_add(bytes, std::memory_order_relaxed);
  return false;
}

void Worker::pass_edges(std::int64_t now) noexcept {
  const std::int64_t end = run_board_.window_end_ns.load(std::memory_order_relaxed);
  if (now >= next_edge_) roll(now);
  if (now < end && !window_over_) {
    integrate(now);
    return;
  }
  if (!window_over_) {
    if (counting_ && end > depth_since_) integrate(end);
    if (arrivals_) {
      const double late = static_cast<double>(end - run_board_.begin_ns - arrivals_->due());
      const double each = 1e9 * std::max(shared_.workload.workers, 1U) / shared_.workload.rate_iops;
      backlog_ = late > 0 ? static_cast<std::uint64_t>(late / each) : 0;
    }
    window_over_ = true;
    counting_ = false;
    next_edge_ = never;
  }
  if (now >= end + run_board_.cooldown_ns.load(std::memory_order_relaxed)) issuing_ = false;
}

void Worker::roll(std::int64_t now) noexcept {
  const auto second = static_cast<std::uint64_t>((now - run_board_.window_begin_ns) / second_ns);
  next_edge_ = run_board_.window_begin_ns + static_cast<std::int64_t>(second + 1) * second_ns;
  if (!counting_) {
    counting_ = true;
    board_.seconds.current().second = second;
    // What was in flight when the window began was so since then.
    depth_since_ = run_board_.window_begin_ns;
    depth_area_ = 0;
    return;
  }
  if (!board_.seconds.advance(second)) ++blurred_;
}

void Worker::integrate(std::int64_t now) noexcept {
  depth_area_ += static_cast<double>(in_flight_) * static_cast<double>(now - depth_since_);
  depth_since_ = now;
}

void Worker::fail_with(const RequestFailure& failure) noexcept {
  if (!failure_) failure_ = failure;
  run_board_.window_end_ns.store(0, std::memory_order_relaxed);
  run_board_.cooldown_ns.store(0, std::memory_order_relaxed);
  issuing_ = false;
}

void Worker::settle(const Engine& engine, std::uint32_t count, std::int64_t now) noexcept {
  for (std::uint32_t i = 0; i < count; ++i) {
    const Completion& done = completions_[i];
    const Request& request = in_slot_[done.slot];
    idle_[idle_count_++] = done.slot;
    if (done.result != static_cast<std::int32_t>(request.length)) [[unlikely]] {
      fail_with({request, done.result, std::nullopt});
      continue;
    }
    if (special_) [[unlikely]] {
      settle_special(engine, done.slot, now);
      if (request.kind == Request::Kind::sync) continue;
    }
    if (stamp_[done.slot] != run_stamp_) {
      flush(now);
      run_stamp_ = stamp_[done.slot];
    }
    const std::size_t kind = request.kind == Request::Kind::trim ? 2 : request.write ? 1 : 0;
    ++run_[kind];
    run_bytes_[kind] += request.length;
  }
  flush(now);
  in_flight_ -= count;
  board_.live_ios.store(live_ios_local_, std::memory_order_relaxed);
  board_.live_latency_ns.store(live_latency_local_, std::memory_order_relaxed);
  board_.live_bytes.store(live_bytes_local_, std::memory_order_relaxed);
}

void Worker::settle_special(const Engine& engine, std::uint32_t slot, std::int64_t now) noexcept {
  const Request& request = in_slot_[slot];
  if (thinking_) {
    Lane& lane = lanes_[slot_lane_[slot]];
    --lane.in_flight;
    if (lane.burst_left == 0 && lane.in_flight == 0) lane.paused_until = now + think_ns_;
  }
  if (request.kind == Request::Kind::sync) {
    if (counting_)
      syncs_.record(static_cast<std::uint64_t>(std::max<std::int64_t>(now - stamp_[slot], 0)));
    return;
  }
  if (!verify_ || request.write) return;
  const std::byte* const data = engine.data(slot);
  if (data == nullptr) {
    // An engine that hides its buffers must not pass for one whose data are right.
    engine_error_ = EOPNOTSUPP;
    run_board_.window_end_ns.store(0, std::memory_order_relaxed);
    issuing_ = false;
    return;
  }
  if (const auto at = first_difference({data, request.length}, content_seed_, request.offset))
    fail_with({request, 0, request.offset + *at});
}

void Worker::flush(std::int64_t now) noexcept {
  const std::uint64_t n = run_[0] + run_[1] + run_[2];
  if (n == 0) return;
  const auto latency = static_cast<std::uint64_t>(std::max<std::int64_t>(now - run_stamp_, 0));
  if (counting_) {
    SecondRecord& record = board_.seconds.current();
    if (run_[0] != 0) record.read.record(latency, run_[0]);
    if (run_[1] != 0) record.write.record(latency, run_[1]);
    if (run_[2] != 0) record.trim.record(latency, run_[2]);
    for (std::size_t kind = 0; kind < 3; ++kind) record.bytes[kind] += run_bytes_[kind];
  }
  for (std::size_t kind = 0; kind < 3; ++kind) {
    totals_[kind] += run_[kind];
    total_bytes_[kind] += run_bytes_[kind];
    live_bytes_local_ += run_bytes_[kind];
    run_[kind] = 0;
    run_bytes_[kind] = 0;
  }
  live_ios_local_ += n;
  live_latency_local_ += latency * n;
}

}  // namespace raidscope
