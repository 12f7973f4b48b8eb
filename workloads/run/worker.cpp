#include "workloads/run/worker.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "workloads/random.h"

namespace raidscope {
namespace {
constexpr std::int64_t second_ns = 1'000'000'000;
constexpr std::uint32_t gap_sample_mask = 63;  // every 64th batch
}  // namespace

std::int64_t clock_ns() noexcept {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

Worker::Worker(RunShared& shared, std::uint32_t number) : shared_(shared), number_(number) {}

void Worker::run() {
  const EngineSetup& common = shared_.setup;
  const std::uint32_t slots = common.depth;
  const auto targets = static_cast<std::uint32_t>(common.targets.size());
  in_slot_.resize(slots);
  stamp_.resize(slots);
  batch_.resize(slots);
  completions_.resize(slots);
  for (std::uint32_t target = 0; target < targets; ++target) {
    streams_.emplace_back(shared_.workload, shared_.extents[target], number_, target,
                          &shared_.cursors[target]);
  }
  // Slot s serves target s mod n for good, which keeps each target's depth; this order also makes
  // an engine with one request in flight visit the targets in turn.
  for (std::uint32_t slot = 0; slot < slots; ++slot) idle_.push_back(slot);
  idle_count_ = slots;

  std::unique_ptr<Engine> engine = shared_.type.make();
  EngineSetup own = common;
  own.content_seed = mix64(common.content_seed + number_ + 1);
  opened_ = engine->open(own);
  if (opened_) details_ = engine->details();
  shared_.opened.count_down();
  shared_.go.wait();
  if (!shared_.cancelled) loop(*engine);
  seconds_.finish();
  engine.reset();
  shared_.finished.fetch_add(1, std::memory_order_release);
}

void Worker::loop(Engine& engine) {
  const bool exact = shared_.setup.depth == 1 || shared_.type.max_in_flight == 1;
  next_edge_ = shared_.window_begin_ns;
  std::int64_t now = clock_ns();
  depth_since_ = now;
  for (std::uint32_t batches = 0;; ++batches) {
    if (issuing_ && prepared_ < idle_count_) prepare(idle_count_);
    if (!issuing_) prepared_ = 0;

    if (exact) {
      now = clock_ns();
      integrate(now);
    }
    if (prepared_ != 0) {
      const std::int32_t taken =
          engine.submit({batch_.data(), prepared_}, {idle_.data(), prepared_});
      if (taken < 0) {
        engine_error_ = -taken;
        shared_.window_end_ns.store(0, std::memory_order_relaxed);
        issuing_ = false;
      } else if (taken > 0) {
        const auto n = static_cast<std::uint32_t>(taken);
        for (std::uint32_t i = 0; i < n; ++i) {
          in_slot_[idle_[i]] = batch_[i];
          stamp_[idle_[i]] = now;
        }
        if (n != idle_count_) {
          std::copy(batch_.begin() + n, batch_.begin() + prepared_, batch_.begin());
          std::copy(idle_.begin() + n, idle_.begin() + idle_count_, idle_.begin());
        }
        prepared_ -= n;
        idle_count_ -= n;
        in_flight_ += n;
      }
    }
    if (in_flight_ == 0) {
      if (!issuing_) return;
      continue;
    }

    if ((batches & gap_sample_mask) == 0) {
      const std::int64_t from = exact ? clock_ns() : now;
      batch_gaps_.record(static_cast<std::uint64_t>(std::max<std::int64_t>(clock_ns() - from, 0)));
    }
    const std::uint32_t least =
        issuing_ ? std::min(shared_.completion_batch, in_flight_) : std::uint32_t{1};
    const std::int32_t count = engine.reap(completions_, least, for_ever);
    now = clock_ns();
    if (count < 0) {
      // The ring itself failed: nothing in flight can be waited for any more.
      engine_error_ = -count;
      shared_.window_end_ns.store(0, std::memory_order_relaxed);
      return;
    }
    const std::int64_t end = shared_.window_end_ns.load(std::memory_order_relaxed);
    if (now >= next_edge_) roll(now);
    if (now >= end) {
      if (counting_ && end > depth_since_) integrate(end);
      counting_ = false;
      issuing_ = false;
      next_edge_ = std::numeric_limits<std::int64_t>::max();
    } else {
      integrate(now);
    }
    settle(static_cast<std::uint32_t>(count), now);
  }
}

void Worker::prepare(std::uint32_t idle) {
  const std::uint32_t begin = prepared_;
  const std::span<Request> fresh{batch_.data() + begin, idle - begin};
  if (streams_.size() == 1) {
    streams_.front().fill(fresh);
  } else {
    for (std::uint32_t i = 0; i < fresh.size(); ++i) {
      streams_[idle_[begin + i] % streams_.size()].fill(fresh.subspan(i, 1));
    }
  }
  prepared_ = idle;
  if (shared_.write_budget != nullptr && !within_budget(begin, idle)) {
    prepared_ = begin;
    issuing_ = false;
    shared_.budget_spent.store(true, std::memory_order_relaxed);
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

void Worker::roll(std::int64_t now) noexcept {
  const auto second = static_cast<std::uint64_t>((now - shared_.window_begin_ns) / second_ns);
  next_edge_ = shared_.window_begin_ns + static_cast<std::int64_t>(second + 1) * second_ns;
  if (!counting_) {
    counting_ = true;
    seconds_.current().second = second;
    // What was in flight when the window began was so since then.
    depth_since_ = shared_.window_begin_ns;
    depth_area_ = 0;
    return;
  }
  if (!seconds_.advance(second)) ++blurred_;
}

void Worker::integrate(std::int64_t now) noexcept {
  depth_area_ += static_cast<double>(in_flight_) * static_cast<double>(now - depth_since_);
  depth_since_ = now;
}

void Worker::settle(std::uint32_t count, std::int64_t now) noexcept {
  for (std::uint32_t i = 0; i < count; ++i) {
    const Completion& done = completions_[i];
    const Request& request = in_slot_[done.slot];
    idle_[idle_count_++] = done.slot;
    if (done.result != static_cast<std::int32_t>(request.length)) [[unlikely]] {
      if (!failure_) failure_ = RequestFailure{request, done.result};
      shared_.window_end_ns.store(0, std::memory_order_relaxed);
      issuing_ = false;
      continue;
    }
    if (stamp_[done.slot] != run_stamp_) {
      flush(now);
      run_stamp_ = stamp_[done.slot];
    }
    ++run_[request.write ? 1 : 0];
  }
  flush(now);
  in_flight_ -= count;
  live_ios_.store(live_ios_local_, std::memory_order_relaxed);
  live_latency_ns_.store(live_latency_local_, std::memory_order_relaxed);
}

void Worker::flush(std::int64_t now) noexcept {
  const std::uint64_t n = run_[0] + run_[1];
  if (n == 0) return;
  const auto latency = static_cast<std::uint64_t>(std::max<std::int64_t>(now - run_stamp_, 0));
  if (counting_) {
    SecondRecord& record = seconds_.current();
    if (run_[0] != 0) record.read.record(latency, run_[0]);
    if (run_[1] != 0) record.write.record(latency, run_[1]);
  }
  totals_[0] += run_[0];
  totals_[1] += run_[1];
  live_ios_local_ += n;
  live_latency_local_ += latency * n;
  run_[0] = 0;
  run_[1] = 0;
}

}  // namespace raidscope
