#include "workloads/run/runner.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <ctime>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "workloads/derived.h"
#include "workloads/engine.h"
#include "workloads/request_stream.h"
#include "workloads/run/crew.h"
#include "workloads/run/engine_choice.h"
#include "workloads/run/runner_target.h"
#include "workloads/run/testfile_mark.h"
#include "workloads/run/worker.h"
#include "workloads/run_checks.h"
#include "workloads/series_collector.h"
#include "workloads/statistics.h"
#include "workloads/steady_state.h"
#include "workloads/workload_check.h"

namespace raidscope {
namespace {

constexpr double ns_per_s = 1e9;

std::int64_t to_ns(double seconds) {
  return static_cast<std::int64_t>(seconds * ns_per_s);
}

std::string utc_now() {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  std::tm parts{};
  ::gmtime_r(&now.tv_sec, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z", parts.tm_year + 1900,
                     parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec,
                     now.tv_nsec / 1'000'000);
}

/// All that direct I/O must be able to address: blocks, steps and beginnings.
std::vector<std::pair<std::uint64_t, std::uint64_t>> kinds_of(const Workload& workload,
                                                              const Extent& extent) {
  if (extent.lines.empty()) return {{extent.block_bytes, extent.step_bytes}};
  std::vector<std::pair<std::uint64_t, std::uint64_t>> out;
  for (const ExtentLine& line : extent.lines)
    out.emplace_back(line.block_bytes, workload.stride_bytes != 0
                                           ? std::gcd(line.step_bytes, workload.stride_bytes)
                                           : line.step_bytes);
  return out;
}

Status check_alignment(const Workload& workload, const Extent& extent, const RunnerTarget& target) {
  const std::uint64_t sector = target.sector_bytes;
  if (!workload.direct) return Done{};
  for (const std::uint64_t at : {workload.base_bytes, workload.worker_offset_bytes}) {
    if (at % sector == 0) continue;
    return fail(
        Errc::unsupported,
        fmt::format("the target has {}-byte sectors and takes no direct I/O from byte {} on",
                    sector, at),
        target.info.path, fmt::format("choose a multiple of {}", sector));
  }
  for (const auto& [block, step] : kinds_of(workload, extent)) {
    if (block % sector == 0 && step % sector == 0) continue;
    return fail(
        Errc::unsupported,
        fmt::format(
            "the target has {}-byte sectors and takes no direct I/O of {} bytes at multiples of "
            "{} bytes",
            sector, block, step),
        target.info.path,
        block % sector == 0
            ? fmt::format(
                  "use the aligned variant of the workload: an alignment of {} bytes, or the "
                  "block size as by default",
                  std::max<std::uint64_t>(sector, 4096))
            : fmt::format("choose a block size that is a multiple of {}", sector));
  }
  return Done{};
}

const WriteConsent* consent_for(const RunnerTarget& target,
                                const std::vector<WriteConsent>& consents) {
  for (const WriteConsent& consent : consents) {
    if (consent.real_path() == target.real_path) return &consent;
  }
  return nullptr;
}

/// One run from the first look at the targets to the result.
class Run {
 public:
  Run(const Workload& workload, const RunOptions& options)
      : workload_(workload), options_(options) {}

  Result<RunResult> go() {
    RAIDSCOPE_CHECK(prepare());
    RAIDSCOPE_CHECK(start());
    monitor();
    crew_->join();
    add_instances();
    ended_at_ = utc_now();
    counters_after_ = read_counters();
    for (std::size_t i = 0; i < parts_.size(); ++i) drain(i);
    RAIDSCOPE_CHECK(failures());
    return result();
  }

 private:
  using Counters = std::map<std::string, DeviceCounters>;  // by path, each disk once

  Status prepare() {
    RAIDSCOPE_CHECK(check_workload(workload_));
    if (workload_.targets.empty()) {
      return fail(Errc::usage, "the workload names no target", workload_.name,
                  "give one with --target FILE|DEVICE");
    }
    const EngineType* const asked = find_engine(options_.engine);
    const bool moves_data = asked == nullptr || asked->moves_data;
    const TargetSystem system = TargetSystem::read({});
    for (const std::string& path : workload_.targets) {
      if (moves_data) {
        RAIDSCOPE_TRY(RunnerTarget target, look_at_target(path, workload_.direct, system));
        targets_.push_back(std::move(target));
      } else {
        auto target = look_at_target(path, false, system);
        targets_.push_back(target ? *std::move(target) : RunnerTarget{});
        targets_.back().info.path = path;
      }
    }
    EngineNeeds needs{.in_flight = 0, .direct = workload_.direct, .poll = workload_.poll};
    for (const WorkerSeat& seat : seats_of(workload_))
      needs.in_flight = std::max(needs.in_flight, seat.slots);
    if (workload_.trim_percent != 0) needs.trims = true;
    for (const RunnerTarget& target : targets_) {
      if (!target.takes_nowait) needs.waiting_target = target.info.path;
    }
    RAIDSCOPE_TRY(choice_, choose_engine(options_.engine, needs));
    const bool writes = workload_writes(workload_);
    const std::size_t n = targets_.size();
    std::vector<WorkerSeat> seats = seats_of(workload_, choice_.type->max_in_flight);
    RAIDSCOPE_TRY(boards_, Boards::make(std::max(workload_.instances, 1U),
                                        static_cast<std::uint32_t>(seats.size())));
    board_ = &boards_->run();
    shared_ = std::make_unique<RunShared>(workload_, *choice_.type, *board_);
    shared_->seats = std::move(seats);
    EngineSetup& setup = shared_->setup;
    for (const RunnerTarget& target : targets_) {
      std::uint64_t size = target.info.size_bytes.value_or(0);
      if (size == 0) {
        // /dev/zero, or no target at all under the null engine.
        constexpr std::uint64_t nominal = std::uint64_t{1} << 30U;
        size = workload_.area_bytes != 0 ? workload_.area_bytes : nominal;
      }
      RAIDSCOPE_TRY(const Extent extent, extent_of(workload_, size));
      const WriteConsent* consent = nullptr;
      if (moves_data) {
        RAIDSCOPE_CHECK(check_alignment(workload_, extent, target));
        if (writes) {
          consent = consent_for(target, options_.consents);
          if (consent == nullptr) {
            return fail(
                Errc::refused, "the workload writes, and there is no consent to write the target",
                target.info.path, "see what \"raidscope run --dry-run\" says of the target");
          }
        }
      }
      if (consent != nullptr && workload_.compressible_percent > 0 && target.info.kind == "file")
        mark_padded(target.real_path);
      if (workload_.trim_percent != 0 && moves_data && !target.trims) {
        return fail(
            Errc::unsupported, "the workload trims, and the target has no trim", target.info.path,
            target.info.kind == "block" ? "its queue/discard_max_bytes is 0; choose another target"
                                        : "a file's holes are no trim: name a block device");
      }
      shared_->extents.push_back(extent);
      setup.targets.push_back({target.info.path, consent});
    }
    std::uint32_t most = 1;
    for (const WorkerSeat& seat : shared_->seats) most = std::max(most, seat.slots);
    if (most > 32768) {
      return fail(
          Errc::usage,
          fmt::format("{} requests in flight per worker are more than a ring holds (32768)", most),
          workload_.name, "use more workers of a smaller depth");
    }
    setup.depth = most;
    for (const Extent& extent : shared_->extents)
      setup.buffer_bytes = std::max(setup.buffer_bytes, extent.block_bytes);
    setup.direct = workload_.direct;
    setup.poll = workload_.poll;
    setup.write_through = workload_.sync == Sync::write_through;
    setup.content = {workload_.compressible_percent, workload_.duplicate_percent, workload_.verify};
    setup.content_seed = workload_.verify ? workload_.seed : content_seed();
    shared_->cursors = std::make_unique<SharedCursor[]>(n);
    shared_->completion_batch = std::max(options_.completion_batch, 1U);
    shared_->write_budget = options_.write_budget;
    if (options_.write_budget != nullptr && workload_.instances > 1) {
      board_->write_left = options_.write_budget->load();
      shared_->write_budget = &board_->write_left;
    }
    return Done{};
  }

  /// Written data must differ from what an earlier run with the same seed left on the device, or a
  /// device that drops repeated blocks would have nothing to do. Offsets stay those of the seed.
  std::uint64_t content_seed() const {
    return mix64(workload_.seed ^ static_cast<std::uint64_t>(clock_ns()));
  }

  Status start() {
    parts_.resize(boards_->workers().size());
    crew_ = std::make_unique<Crew>(*shared_, *boards_);
    RAIDSCOPE_CHECK(crew_->open());
    counters_before_ = read_counters();
    started_at_ = utc_now();
    begin_ns_ = clock_ns();
    window_begin_ns_ = begin_ns_ + to_ns(workload_.ramp_s);
    board_->begin_ns = begin_ns_;
    board_->window_begin_ns = window_begin_ns_;
    board_->cooldown_ns = to_ns(workload_.cooldown_s);
    board_->window_end_ns = window_begin_ns_ + to_ns(workload_.duration_s);
    crew_->go();
    return Done{};
  }

  void monitor() {
    std::int64_t next_look = begin_ns_;
    std::int64_t next_count = begin_ns_ + to_ns(0.02);
    CpuWatch cpu;
    bool begun = false;
    bool ended = false;
    while (!crew_->finished()) {
      const std::int64_t now = clock_ns();
      const std::int64_t end = board_->window_end_ns.load(std::memory_order_relaxed);
      cpu.look(*board_, now);
      if (!begun && now >= window_begin_ns_) {
        begun = true;
        steal_s_ -= steal_seconds();
      }
      if (!ended && now >= end) {
        ended = true;
        if (begun) steal_s_ += steal_seconds();
      }
      if (!ended) {
        stop_when_asked(now);
        stop_when_steady(now);
      }
      if (now >= next_count) {
        io_wq_threads_ = std::max(io_wq_threads_, count_io_wq_threads());
        next_count = now + to_ns(1);
      }
      for (std::size_t i = 0; i < parts_.size(); ++i) drain(i);
      if (now >= next_look && !ended) {
        tell_progress(now);
        next_look = now + to_ns(0.25);
      }
      // Wakes for the edges of the window, and often enough for Ctrl-C; the loop's own cost is in
      // the CPU figures.
      std::int64_t wake = now + to_ns(ended ? 0.001 : 0.05);
      if (!begun) wake = std::min(wake, window_begin_ns_);
      if (!ended) wake = std::min(wake, end);
      if (wake > now) std::this_thread::sleep_for(std::chrono::nanoseconds(wake - now));
    }
    cpu.finish();
    if (begun && !ended) steal_s_ += steal_seconds();
    cpu_ = cpu.used();
    done_ns_ = clock_ns();
    if (board_->budget_spent.load()) end_with_the_last();
  }

  /// Workers that used the budget up have ended by themselves, perhaps before the monitor looked:
  /// the time after that is no part of the measurement.
  void end_with_the_last() {
    std::int64_t last = 0;
    for (const WorkerBoard& board : boards_->workers()) last = std::max(last, board.ended_ns);
    last = std::max(last, window_begin_ns_);
    if (last < board_->window_end_ns.load()) board_->window_end_ns.store(last);
  }

  /// What other processes leave behind when they have ended.
  void add_instances() {
    if (boards_->instances().size() == 1) return;
    for (const InstanceBoard& instance : boards_->instances()) {
      io_wq_threads_ += instance.io_wq_threads.load();
      cpu_.user_s += instance.cpu.user_s;
      cpu_.system_s += instance.cpu.system_s;
    }
    if (options_.write_budget != nullptr) options_.write_budget->store(board_->write_left.load());
  }

  /// A moment ahead, so that every worker learns of it before it comes.
  void end_window(std::int64_t now) {
    std::int64_t end = board_->window_end_ns.load(std::memory_order_relaxed);
    const std::int64_t sooner = now + to_ns(0.001);
    while (sooner < end && !board_->window_end_ns.compare_exchange_weak(end, sooner)) {
    }
  }

  [[nodiscard]] SteadyStateRules steady_rules() const {
    SteadyStateRules rules = options_.until_steady.value_or(SteadyStateRules{});
    if (options_.until_steady)
      rules.longest_round_s =
          std::clamp(std::floor(workload_.duration_s / 25), 1.0, rules.longest_round_s);
    return rules;
  }

  void stop_when_steady(std::int64_t now) {
    if (!options_.until_steady || now < window_begin_ns_) return;
    const SteadyStateRules rules = steady_rules();
    const double elapsed = static_cast<double>(now - window_begin_ns_) / ns_per_s;
    const double due = static_cast<double>(rounds_judged_ + rules.rounds) * rules.longest_round_s;
    // The workers hand a second over when they come to the next.
    if (elapsed < due + 0.2) return;
    ++rounds_judged_;
    for (std::size_t i = 0; i < parts_.size(); ++i) drain(i);
    if (judge_steady_state(cut_rounds(series_.series(due), rules), rules).reached == true)
      end_window(now);
  }

  void stop_when_asked(std::int64_t now) {
    const bool asked = options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
    const bool spent = board_->budget_spent.load(std::memory_order_relaxed);
    if (!asked && !spent) return;
    end_window(now);
    board_->cooldown_ns.store(0, std::memory_order_relaxed);
    interrupted_ = interrupted_ || asked;
  }

  void drain(std::size_t number) {
    boards_->workers()[number].seconds.drain([this, number](const SecondRecord& record) {
      const std::uint64_t bytes = record.bytes[0] + record.bytes[1] + record.bytes[2];
      series_.add(record.second, record.read, record.write, bytes, record.trim);
      Part& part = parts_[number];
      for (std::size_t kind = 0; kind < 3; ++kind) {
        bytes_[kind] += record.bytes[kind];
        part.bytes += record.bytes[kind];
      }
      for (const LatencyHistogram* one : {&record.read, &record.write, &record.trim})
        part.all.merge(*one);
    });
  }

  void tell_progress(std::int64_t now) {
    if (!options_.progress) return;
    Live live;
    for (const WorkerBoard& board : boards_->workers()) {
      live.ios += board.live_ios.load(std::memory_order_relaxed);
      live.latency_ns += board.live_latency_ns.load(std::memory_order_relaxed);
      live.bytes += board.live_bytes.load(std::memory_order_relaxed);
    }
    RunProgress progress;
    progress.ramping = now < window_begin_ns_;
    progress.elapsed_s = static_cast<double>(now - begin_ns_) / ns_per_s;
    progress.total_s = workload_.ramp_s + workload_.duration_s;
    const auto ios = static_cast<double>(live.ios - told_.ios);
    const double seconds = static_cast<double>(now - told_at_) / ns_per_s;
    if (told_at_ != 0 && seconds > 0) {
      progress.iops = ios / seconds;
      progress.bytes_per_s = static_cast<double>(live.bytes - told_.bytes) / seconds;
      if (ios > 0) {
        progress.mean_us = static_cast<double>(live.latency_ns - told_.latency_ns) / ios / 1000;
      }
    }
    told_ = live;
    told_at_ = now;
    options_.progress(progress);
  }

  Counters read_counters() const {
    Counters out;
    if (!choice_.type->moves_data) return out;
    for (const RunnerTarget& target : targets_) {
      for (const auto* paths : {&target.counters_paths, &target.ground_paths}) {
        for (const std::string& path : *paths) {
          if (const auto counters = read_device_counters(path)) out[path] = *counters;
        }
      }
    }
    return out;
  }

  Status failures() const {
    for (const WorkerBoard& board : boards_->workers()) {
      if (const auto& failure = board.failure) {
        const Request& r = failure->request;
        const char* const kind = r.kind == Request::Kind::trim   ? "a trim"
                                 : r.kind == Request::Kind::sync ? "a flush"
                                 : r.write                       ? "a write"
                                                                 : "a read";
        const std::string what =
            fmt::format("{} of {} bytes at offset {}", kind, r.length, r.offset);
        const std::string& path = targets_[r.target].info.path;
        if (failure->wrong_at) {
          return fail(
              Errc::io,
              fmt::format("verification failed: the byte at offset {} is not that of seed {}",
                          *failure->wrong_at, workload_.seed),
              path,
              "the target was never written with this seed and \"verify\", or it lost or "
              "mixed up what was written; nothing was stored");
        }
        if (failure->result < 0) {
          return fail(Errc::io, what + " failed", path,
                      "see the kernel's log (dmesg) for what the device said; nothing was stored",
                      -failure->result);
        }
        return fail(Errc::io,
                    fmt::format("{} ended after {} bytes: the target is shorter than it was", what,
                                failure->result),
                    path, "make the test file anew");
      }
      if (board.engine_error != 0) {
        return fail(Errc::io, fmt::format("the {} engine failed", choice_.type->id),
                    targets_.front().info.path, "try --engine psync", board.engine_error);
      }
    }
    return crew_->lost();
  }

  RunEvidence evidence(const LatencyHistogram& all, double window_s, RunResult& out) const {
    RunEvidence e;
    e.moves_data = choice_.type->moves_data;
    e.direct = workload_.direct;
    e.outstanding_asked = out.workload.outstanding_total;
    e.outstanding_possible = 0;
    for (const WorkerSeat& seat : shared_->seats) e.outstanding_possible += seat.slots;
    e.outstanding_possible *= boards_->instances().size();
    // A depth-limited engine has one request in flight per worker, whatever the targets.
    if (choice_.type->max_in_flight != 0) {
      e.outstanding_possible = std::min<std::uint64_t>(
          e.outstanding_possible, std::uint64_t{choice_.type->max_in_flight} * parts_.size());
    }
    e.outstanding_possible = std::min(e.outstanding_possible, e.outstanding_asked);
    if (workload_.arrivals != Arrivals::closed)
      e.rate_asked = workload_.rate_iops * static_cast<double>(boards_->instances().size());
    e.pauses = workload_.think_us > 0 || workload_.fsync_every != 0;
    e.mixed_sizes = workload_.mix.size() > 1;
    e.block_bytes = shared_->extents.front().block_bytes;
    e.engine = choice_.type->id;
    e.window_s = window_s;
    e.ios = all.count();
    e.mean_us = all.mean() / 1000;
    e.total_s = static_cast<double>(done_ns_ - begin_ns_) / ns_per_s;
    std::uint64_t reads = 0;
    std::uint64_t writes = 0;
    std::uint64_t trims = 0;
    double area = 0;
    for (const WorkerBoard& board : boards_->workers()) {
      reads += board.totals[0];
      writes += board.totals[1];
      trims += board.totals[2];
      area += board.depth_area;
      e.bytes_read += board.total_bytes[0];
      e.bytes_written += board.total_bytes[1];
      e.backlog += board.backlog;
      e.blurred_seconds += board.blurred_seconds;
    }
    e.total_ios = reads + writes + trims;
    if (window_s > 0) e.achieved_depth = area / (window_s * ns_per_s);
    add_counters(e);
    e.io_wq_threads = io_wq_threads_;
    e.cpus = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
    e.cpu_s = out.cpu.user_s.value_or(0) + out.cpu.system_s.value_or(0);
    e.steal_s = steal_s_;
    e.interrupted = interrupted_;
    e.write_limit_reached = board_->budget_spent.load();
    return e;
  }

  /// What these devices counted meanwhile, each once; nullopt when one of them cannot be read.
  std::optional<DeviceCounters> counted(const std::set<std::string>& paths,
                                        std::string& name) const {
    DeviceCounters sum;
    for (const std::string& path : paths) {
      const auto before = counters_before_.find(path);
      const auto after = counters_after_.find(path);
      if (before == counters_before_.end() || after == counters_after_.end()) return std::nullopt;
      const DeviceCounters d = after->second.since(before->second);
      sum.reads += d.reads;
      sum.writes += d.writes;
      sum.sectors_read += d.sectors_read;
      sum.sectors_written += d.sectors_written;
      sum.queue_ms += d.queue_ms;
      name += (name.empty() ? "" : " + ") + path;
    }
    if (paths.empty()) return std::nullopt;
    return sum;
  }

  void add_counters(RunEvidence& e) const {
    std::set<std::string> devices;
    std::set<std::string> ground;
    bool stacked = false;
    for (const RunnerTarget& target : targets_) {
      const auto take = [](std::string& to, const std::string& from) {
        if (to.empty()) to = from;
      };
      take(e.in_memory, target.in_memory);
      take(e.page_cache, target.page_cache);
      take(e.ground_unknown, target.ground_unknown);
      if (target.counters_paths.empty()) take(e.counters_missing, target.counters_missing);
      devices.insert(target.counters_paths.begin(), target.counters_paths.end());
      stacked = stacked || !target.ground_paths.empty();
      const auto& bottom =
          target.ground_paths.empty() ? target.counters_paths : target.ground_paths;
      ground.insert(bottom.begin(), bottom.end());
    }
    if (!e.counters_missing.empty()) return;
    e.device = counted(devices, e.counters_name);
    if (!e.device) e.counters_missing = "the device's counters could not be read";
    if (stacked && e.ground_unknown.empty() && e.in_memory.empty())
      e.ground = counted(ground, e.ground_name);
  }

  /// Sub-block writes to a file: ext4 and xfs take them one at a time.
  void add_alignment_suspicion(Checks& checks) const {
    if (!workload_writes(workload_) || !workload_.direct || !choice_.type->moves_data) return;
    for (std::size_t i = 0; i < targets_.size(); ++i) {
      const RunnerTarget& target = targets_[i];
      if (target.file_block_bytes == 0) continue;
      if (shared_->extents[i].step_bytes % target.file_block_bytes != 0 ||
          shared_->extents[i].block_bytes % target.file_block_bytes != 0) {
        checks.suspicions.push_back(
            fmt::format("writes off the {}-byte blocks of {}: the file system takes such direct "
                        "writes one at a time, "
                        "so the queue depth does not reach the device; use a block device or the "
                        "aligned variant",
                        target.file_block_bytes, target.file_system));
        return;
      }
    }
  }

  RunResult result() {
    RunResult out;
    const std::int64_t end = board_->window_end_ns.load();
    const double window_s = std::max(0.0, static_cast<double>(end - window_begin_ns_) / ns_per_s);
    const LatencyHistogram all = series_.both();

    out.name = workload_.name;
    out.started_at = started_at_;
    out.ended_at = ended_at_;
    // The null engine's figures must never be compared with a device's.
    if (!choice_.type->moves_data) out.origin = Origin::simulated;
    out.workload = workload_;
    out.workload.outstanding_total = outstanding(workload_);
    out.target = targets_.front().info;
    out.engine.name = choice_.type->id;
    out.engine.version = choice_.type->version();
    out.engine.reason = choice_.reason;
    out.engine.details = boards_->workers().front().details.str();
    if (shared_->completion_batch > 1) {
      out.engine.details +=
          fmt::format("{}waits for {} completions at a time",
                      out.engine.details.empty() ? "" : ", ", shared_->completion_batch);
    }

    const auto direction = [&](const LatencyHistogram& histogram, std::uint64_t bytes) {
      DirectionResult d;
      d.ios = histogram.count();
      if (window_s > 0) {
        d.iops = static_cast<double>(histogram.count()) / window_s;
        d.bytes_per_s = static_cast<double>(bytes) / window_s;
      }
      d.latency_us = summarize(histogram);
      return d;
    };
    out.read = direction(series_.read(), bytes_[0]);
    out.write = direction(series_.write(), bytes_[1]);
    if (workload_.trim_percent != 0) out.trim = direction(series_.trim(), bytes_[2]);
    if (workload_.fsync_every != 0) {
      LatencyHistogram syncs;
      for (const WorkerBoard& board : boards_->workers()) syncs.merge(board.syncs);
      out.sync = SyncResult{syncs.count(), summarize(syncs)};
    }
    const DirectionResult whole = direction(all, bytes_[0] + bytes_[1] + bytes_[2]);
    out.bytes = bytes_[0] + bytes_[1] + bytes_[2];
    out.iops = whole.iops;
    out.bytes_per_s = whole.bytes_per_s;
    out.latency_us = whole.latency_us;
    out.histogram = to_buckets(all);
    const auto part = [&](std::size_t number, const Part& of) {
      const DirectionResult own = direction(of.all, of.bytes);
      return PartResult{static_cast<int>(number), of.all.count(), of.bytes,          own.iops,
                        own.bytes_per_s,          own.latency_us, to_buckets(of.all)};
    };
    for (std::size_t i = 0; i < parts_.size(); ++i) out.workers.push_back(part(i, parts_[i]));
    const std::size_t instances = boards_->instances().size();
    for (std::size_t i = 0; instances > 1 && i < instances; ++i) {
      Part sum;
      for (std::size_t w = i * boards_->workers_each(); w < (i + 1) * boards_->workers_each();
           ++w) {
        sum.all.merge(parts_[w].all);
        sum.bytes += parts_[w].bytes;
      }
      out.instances.push_back(part(i, sum));
    }
    out.series = series_.series(window_s);
    out.rounds = cut_rounds(out.series, steady_rules());
    out.steady_state = judge_steady_state(out.rounds, steady_rules());
    out.cpu.user_s = cpu_.user_s;
    out.cpu.system_s = cpu_.system_s;
    if (all.count() != 0) {
      out.cpu.us_per_io =
          (*out.cpu.user_s + *out.cpu.system_s) * 1e6 / static_cast<double>(all.count());
    }
    out.interrupted = interrupted_;

    RunVerdict verdict = check_run(evidence(all, window_s, out));
    add_alignment_suspicion(verdict.checks);
    LatencyHistogram gaps;
    for (const WorkerBoard& board : boards_->workers()) gaps.merge(board.batch_gaps);
    if (gaps.count() != 0) {
      // A stamp is early by at most the time a batch takes, and a reap late by as much.
      verdict.checks.latency_error_us = 2 * static_cast<double>(gaps.quantile(0.99)) / 1000;
    }
    out.checks = std::move(verdict.checks);
    out.engine.direct = verdict.direct;
    out.engine.direct_proof = std::move(verdict.direct_proof);
    return out;
  }

  const Workload& workload_;
  const RunOptions& options_;
  std::vector<RunnerTarget> targets_;
  EngineChoice choice_;
  std::unique_ptr<Boards> boards_;
  RunBoard* board_ = nullptr;  ///< of boards_
  std::unique_ptr<RunShared> shared_;
  std::unique_ptr<Crew> crew_;
  struct Part {
    LatencyHistogram all;
    std::uint64_t bytes = 0;
  };
  std::vector<Part> parts_;  ///< by worker
  std::uint64_t bytes_[3] = {0, 0, 0};
  SeriesCollector series_;
  Counters counters_before_, counters_after_;
  std::string started_at_, ended_at_;
  std::int64_t begin_ns_ = 0, window_begin_ns_ = 0, done_ns_ = 0;
  CpuTime cpu_;
  double steal_s_ = 0;
  int rounds_judged_ = 0;
  int io_wq_threads_ = 0;
  bool interrupted_ = false;
  struct Live {
    std::uint64_t ios = 0, latency_ns = 0, bytes = 0;
  };
  Live told_;
  std::int64_t told_at_ = 0;
};

}  // namespace

Result<RunResult> run_workload(const Workload& workload, const RunOptions& options) {
  return Run(workload, options).go();
}

}  // namespace raidscope
