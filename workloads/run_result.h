#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/rules/rule.h"
#include "probe/base/enum_names.h"
#include "workloads/workload.h"

/// One measured point, `raidscope.result/1`, as C++ values. Rates per second, bytes in bytes,
/// latencies in microseconds (submit to reap).
namespace raidscope {

enum class Origin { measured, imported, published, simulated };
template <>
struct EnumNames<Origin> {
  static constexpr std::pair<Origin, std::string_view> table[] = {{Origin::measured, "measured"},
                                                                  {Origin::imported, "imported"},
                                                                  {Origin::published, "published"},
                                                                  {Origin::simulated, "simulated"}};
};

struct LatencySummary {
  std::optional<double> min, mean, stddev, p50, p90, p95, p99, p99_9;
  std::optional<double> p99_99;  ///< null below 100,000 I/Os
  std::optional<double> max;
  bool operator==(const LatencySummary&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("min", s.min);
    f("mean", s.mean);
    f("stddev", s.stddev);
    f("p50", s.p50);
    f("p90", s.p90);
    f("p95", s.p95);
    f("p99", s.p99);
    f("p99_9", s.p99_9);
    f("p99_99", s.p99_99);
    f("max", s.max);
  }
};

struct DirectionResult {
  std::optional<std::uint64_t> ios = 0;  ///< null where another tool told only the rate
  double iops = 0, bytes_per_s = 0;
  LatencySummary latency_us;
  bool operator==(const DirectionResult&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("ios", s.ios);
    f("iops", s.iops);
    f("bytes_per_s", s.bytes_per_s);
    f("latency_us", s.latency_us);
  }
};

struct HistogramBuckets {
  std::vector<std::uint64_t> index, count;  ///< non-empty buckets of LatencyHistogram, in order
  bool operator==(const HistogramBuckets&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("index", s.index);
    f("count", s.count);
  }
};

struct SeriesPoint {
  double t = 0;  ///< seconds since the measurement began, at the end of the interval
  std::uint64_t ios = 0;
  double iops = 0, bytes_per_s = 0;
  std::optional<double> mean_us, p99_us;
  std::uint64_t bytes = 0;     ///< moved in the interval
  HistogramBuckets histogram;  ///< of the interval; empty where it was not kept (imports)
  bool operator==(const SeriesPoint&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("t", s.t);
    f("ios", s.ios);
    f("iops", s.iops);
    f("bytes_per_s", s.bytes_per_s);
    f("mean_us", s.mean_us);
    f("p99_us", s.p99_us);
    f("bytes", s.bytes);
    f("histogram", s.histogram);
  }
};

struct RoundResult {
  int number = 0;
  double seconds = 0;
  std::uint64_t ios = 0;
  double iops = 0, bytes_per_s = 0;
  std::optional<double> mean_us, p99_us;
  std::uint64_t bytes = 0;
  HistogramBuckets histogram;  ///< the sum of its seconds'
  bool operator==(const RoundResult&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("number", s.number);
    f("seconds", s.seconds);
    f("ios", s.ios);
    f("iops", s.iops);
    f("bytes_per_s", s.bytes_per_s);
    f("mean_us", s.mean_us);
    f("p99_us", s.p99_us);
    f("bytes", s.bytes);
    f("histogram", s.histogram);
  }
};

struct SteadyState {
  std::optional<bool> reached;
  std::optional<double> window_s, slope_pct, excursion_pct;
  bool operator==(const SteadyState&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("reached", s.reached);
    f("window", s.window_s);
    f("slope_pct", s.slope_pct);
    f("excursion_pct", s.excursion_pct);
  }
};

struct Checks {
  bool valid = true;
  std::vector<std::string> suspicions;
  std::optional<double>
      littles_law_pct;  ///< IOPS × mean latency against outstanding, difference in %
  std::optional<double> achieved_queue_depth;  ///< time-weighted
  std::optional<double> physical_bound_iops;
  std::optional<std::string> bound_name;
  /// 99 % of the latencies are at most this much too high, by batching, and none is too low.
  std::optional<double> latency_error_us;
  bool operator==(const Checks&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("valid", s.valid);
    f("suspicions", s.suspicions);
    f("littles_law_pct", s.littles_law_pct);
    f("achieved_queue_depth", s.achieved_queue_depth);
    f("physical_bound_iops", s.physical_bound_iops);
    f("bound_name", s.bound_name);
    f("latency_error_us", s.latency_error_us);
  }
};

struct CpuCost {
  std::optional<double> user_s = 0, system_s = 0;
  std::optional<double> us_per_io;
  bool operator==(const CpuCost&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("user_s", s.user_s);
    f("system_s", s.system_s);
    f("us_per_io", s.us_per_io);
  }
};

struct EngineUsed {
  std::string name;  ///< of an engine, or of the tool that an imported result comes from
  std::string version;
  bool direct = false;
  std::string
      direct_proof;     ///< what showed that the page cache was bypassed, or why it is unproven
  std::string reason;   ///< why this engine was chosen
  std::string details;  ///< what it made use of: ring flags, registered resources
  bool operator==(const EngineUsed&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("version", s.version);
    f("direct", s.direct);
    f("direct_proof", s.direct_proof);
    f("reason", s.reason);
    f("details", s.details);
  }
};

struct TargetInfo {
  std::string path;
  std::string kind;                             ///< "file" or "block"
  std::optional<std::uint64_t> size_bytes = 0;  ///< null where another tool did not tell
  std::vector<std::string> device_chain;  ///< file system, partition, dm, …, disk: top first
  std::optional<std::string> controller;  ///< slot, else PCI address
  std::optional<std::int64_t> logical_drive;
  bool operator==(const TargetInfo&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("path", s.path);
    f("kind", s.kind);
    f("size_bytes", s.size_bytes);
    f("device_chain", s.device_chain);
    f("controller", s.controller);
    f("logical_drive", s.logical_drive);
  }
};

struct SnapshotRef {
  std::string snapshot;  ///< "sha256:…" of the canonical inventory document
  std::string fingerprint, tag;
  bool operator==(const SnapshotRef&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("snapshot", s.snapshot);
    f("fingerprint", s.fingerprint);
    f("tag", s.tag);
  }
};

/// What one worker did, or one instance (a process with all workers).
struct PartResult {
  int number = 0;  ///< from 0
  std::uint64_t ios = 0, bytes = 0;
  double iops = 0, bytes_per_s = 0;
  LatencySummary latency_us;
  HistogramBuckets histogram;
  bool operator==(const PartResult&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("number", s.number);
    f("ios", s.ios);
    f("bytes", s.bytes);
    f("iops", s.iops);
    f("bytes_per_s", s.bytes_per_s);
    f("latency_us", s.latency_us);
    f("histogram", s.histogram);
  }
};

/// Flushes between writes (fsync_every): no I/Os, and in no rate.
struct SyncResult {
  std::uint64_t count = 0;
  LatencySummary latency_us;
  bool operator==(const SyncResult&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("count", s.count);
    f("latency_us", s.latency_us);
  }
};

/// What was done to the targets before a point was measured, by this process.
struct Preconditioning {
  int fill_passes = 0;  ///< from the beginning of the area to its end
  double fill_s = 0;
  /// Of the point's own workload as load, before its first round; null: there was none.
  std::optional<double> load_s;
  std::optional<bool> steady;  ///< the load ended because it was steady; null: there was none
  std::uint64_t bytes_written = 0;
  bool operator==(const Preconditioning&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("fill_passes", s.fill_passes);
    f("fill_s", s.fill_s);
    f("load_s", s.load_s);
    f("steady", s.steady);
    f("bytes_written", s.bytes_written);
  }
};

struct RunResult {
  std::string schema = "raidscope.result/1";
  std::string run_id, session_id, name;
  /// ISO 8601 UTC; null where another tool did not tell.
  std::optional<std::string> started_at, ended_at;
  Origin origin = Origin::measured;
  Workload workload;
  TargetInfo target;
  EngineUsed engine;
  std::string inventory_origin = "probed";  ///< or "given"
  std::optional<SnapshotRef> inventory_before, inventory_after;
  std::optional<bool> config_changed;
  std::vector<std::string> changes, unverified;
  double iops = 0, bytes_per_s = 0;
  /// Read, written and trimmed in the window; null where another tool did not tell.
  std::optional<std::uint64_t> bytes;
  DirectionResult read, write;
  std::optional<DirectionResult> trim;  ///< null: the workload trims nothing
  std::optional<SyncResult> sync;       ///< null: it never flushes
  LatencySummary latency_us;
  HistogramBuckets histogram;
  std::vector<PartResult> workers;    ///< of all instances, one behind another
  std::vector<PartResult> instances;  ///< empty: there was one
  std::vector<SeriesPoint> series;
  std::vector<RoundResult> rounds;
  SteadyState steady_state;
  std::optional<Preconditioning> preconditioning;  ///< null: none was done
  Checks checks;
  CpuCost cpu;
  bool interrupted = false;
  std::vector<Finding> audit;
  std::vector<std::string> accepted;
  bool operator==(const RunResult&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("run_id", s.run_id);
    f("session_id", s.session_id);
    f("name", s.name);
    f("started_at", s.started_at);
    f("ended_at", s.ended_at);
    f("origin", s.origin);
    f("workload", s.workload);
    f("target", s.target);
    f("engine", s.engine);
    f("inventory_origin", s.inventory_origin);
    f("inventory_before", s.inventory_before);
    f("inventory_after", s.inventory_after);
    f("config_changed", s.config_changed);
    f("changes", s.changes);
    f("unverified", s.unverified);
    f("iops", s.iops);
    f("bytes_per_s", s.bytes_per_s);
    f("bytes", s.bytes);
    f("read", s.read);
    f("write", s.write);
    f("trim", s.trim);
    f("sync", s.sync);
    f("latency_us", s.latency_us);
    f("histogram", s.histogram);
    f("workers", s.workers);
    f("instances", s.instances);
    f("series", s.series);
    f("rounds", s.rounds);
    f("steady_state", s.steady_state);
    f("preconditioning", s.preconditioning);
    f("checks", s.checks);
    f("cpu", s.cpu);
    f("interrupted", s.interrupted);
    f("audit", s.audit);
    f("accepted", s.accepted);
  }
};

}  // namespace raidscope
