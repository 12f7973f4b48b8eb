#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/enum_names.h"

namespace raidscope {

enum class Pattern { sequential, random };
template <>
struct EnumNames<Pattern> {
  static constexpr std::pair<Pattern, std::string_view> table[] = {
      {Pattern::sequential, "sequential"}, {Pattern::random, "random"}};
};

/// How sequential workers share the target: one cursor for all (SQLIO, diskspd -si), a region each,
/// or a cursor each over the whole area, all from its beginning or `worker_offset_bytes` apart
/// (Iometer, diskspd, fio: they read the same blocks, which a cache answers).
enum class SequentialCursor { shared, per_worker, own };
template <>
struct EnumNames<SequentialCursor> {
  static constexpr std::pair<SequentialCursor, std::string_view> table[] = {
      {SequentialCursor::shared, "shared"},
      {SequentialCursor::per_worker, "per_worker"},
      {SequentialCursor::own, "own"}};
};

/// What a write's completion promises.
enum class Sync { none, write_through };  ///< write_through: O_DSYNC, SQLIO's -BN on writes
template <>
struct EnumNames<Sync> {
  static constexpr std::pair<Sync, std::string_view> table[] = {
      {Sync::none, "none"}, {Sync::write_through, "write_through"}};
};

/// Which offsets random requests prefer.
enum class Spread {
  uniform,
  once,       ///< each position once, in random order, then again (fio's random map)
  zipf,       ///< popularity of the n-th position falls as n^-skew
  pareto,     ///< `skew` is fio's h: a share 1-h of the requests goes to a share h of the area
  hot_spots,  ///< the steps of `hot_spots`
};
template <>
struct EnumNames<Spread> {
  static constexpr std::pair<Spread, std::string_view> table[] = {{Spread::uniform, "uniform"},
                                                                  {Spread::once, "once"},
                                                                  {Spread::zipf, "zipf"},
                                                                  {Spread::pareto, "pareto"},
                                                                  {Spread::hot_spots, "hot_spots"}};
};

/// When requests start: as soon as one has ended, or at times that do not wait for answers, evenly
/// spaced or at random (exponential gaps).
enum class Arrivals { closed, regular, poisson };
template <>
struct EnumNames<Arrivals> {
  static constexpr std::pair<Arrivals, std::string_view> table[] = {
      {Arrivals::closed, "closed"}, {Arrivals::regular, "regular"}, {Arrivals::poisson, "poisson"}};
};

/// One kind of request of a mix: an Iometer access specification line. Each request draws its line,
/// then read or write, then random or following its predecessor, all anew.
struct MixLine {
  double percent = 100;  ///< of the requests; the lines of a mix sum to 100
  std::uint64_t block_bytes = 4096;
  int read_percent = 100;
  int random_percent = 100;
  std::uint64_t alignment_bytes = 0;  ///< 0: the block size
  bool operator==(const MixLine&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("percent", s.percent);
    f("block_bytes", s.block_bytes);
    f("read_percent", s.read_percent);
    f("random_percent", s.random_percent);
    f("alignment_bytes", s.alignment_bytes);
  }
};

/// A step of a skewed spread: this share of the requests falls on the next such share of the area.
struct HotSpot {
  double access_percent = 0;
  double area_percent = 0;
  bool operator==(const HotSpot&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("access_percent", s.access_percent);
    f("area_percent", s.area_percent);
  }
};

/// Workers that have targets and a depth of their own (a line of SQLIO's parameter file, an Iometer
/// worker).
struct WorkerGroup {
  std::uint32_t workers = 1;
  std::uint32_t queue_depth = 1;       ///< outstanding per worker per target
  std::vector<std::uint32_t> targets;  ///< indices into Workload::targets
  bool operator==(const WorkerGroup&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("workers", s.workers);
    f("queue_depth", s.queue_depth);
    f("targets", s.targets);
  }
};

/// What to do to one or more targets, whatever syntax it was written in: `raidscope.workload/1`. A
/// regular value. Sizes in bytes, times in seconds.
struct Workload {
  std::string schema = "raidscope.workload/1";
  std::string name;
  std::vector<std::string> targets;
  Pattern pattern = Pattern::random;
  SequentialCursor cursor = SequentialCursor::shared;
  std::vector<std::uint64_t> block_bytes{4096};  ///< one size, or the sizes of `mix` in its order
  int read_percent = 100;
  std::uint32_t workers = 1;
  std::uint32_t queue_depth_per_worker = 1;  ///< outstanding per worker per target
  std::uint64_t outstanding_total = 1;       ///< workers × depth × targets; kept for readers
  std::uint64_t area_bytes = 0;              ///< 0: the whole target
  std::uint64_t alignment_bytes = 0;         ///< 0: the block size
  double duration_s = 30;
  double ramp_s = 0;
  std::uint64_t seed = 1;
  Sync sync = Sync::none;
  bool direct = true;
  /// Empty: every request is block_bytes[0], read_percent and pattern. Otherwise these lines say it
  /// all; read_percent is then their mean, and pattern is sequential only if every line is.
  std::vector<MixLine> mix;
  int random_percent = -1;       ///< -1: as `pattern` says; else a share of both, as in a mix line
  std::uint64_t base_bytes = 0;  ///< the area begins here
  std::uint64_t stride_bytes = 0;         ///< sequential: distance of two requests; 0: the block
  std::uint64_t worker_offset_bytes = 0;  ///< cursor own: distance of the workers' beginnings
  Spread spread = Spread::uniform;
  double skew = 0;  ///< of zipf (theta) and pareto (h)
  std::vector<HotSpot> hot_spots;
  /// Not empty: in place of workers × all targets; `workers` is then their sum and
  /// queue_depth_per_worker the largest.
  std::vector<WorkerGroup> groups;
  /// Slots are a worker's and not a target's: one request at a time visits the targets in turn
  /// (SQLIO without -o, diskspd -O).
  bool depth_over_targets = false;
  std::uint32_t instances = 1;  ///< processes that do this at the same time, each with all workers
  Arrivals arrivals = Arrivals::closed;
  double rate_iops = 0;           ///< of one instance in all; with arrivals other than closed
  double think_us = 0;            ///< a worker's pause from a burst's end to the next, per target
  std::uint32_t burst = 1;        ///< requests between two pauses
  std::uint32_t fsync_every = 0;  ///< writes of a worker between two fsyncs; 0: none
  int trim_percent = 0;           ///< of the requests that do not read
  int compressible_percent = 0;   ///< of each written block
  int duplicate_percent = 0;      ///< of the written blocks
  bool verify = false;            ///< writes carry their address; reads are held against it
  bool poll = false;              ///< completions are polled for (IOPOLL)
  double cooldown_s = 0;          ///< the load goes on after the measurement
  std::string source;             ///< the other tool's own words, or the preset's name
  std::vector<std::string> warnings;  ///< traps of the syntax or preset, for a person
  bool operator==(const Workload&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("name", s.name);
    f("targets", s.targets);
    f("pattern", s.pattern);
    f("cursor", s.cursor);
    f("block_bytes", s.block_bytes);
    f("read_percent", s.read_percent);
    f("workers", s.workers);
    f("queue_depth_per_worker", s.queue_depth_per_worker);
    f("outstanding_total", s.outstanding_total);
    f("area_bytes", s.area_bytes);
    f("alignment_bytes", s.alignment_bytes);
    f("duration_s", s.duration_s);
    f("ramp_s", s.ramp_s);
    f("seed", s.seed);
    f("sync", s.sync);
    f("direct", s.direct);
    f("mix", s.mix);
    f("random_percent", s.random_percent);
    f("base_bytes", s.base_bytes);
    f("stride_bytes", s.stride_bytes);
    f("worker_offset_bytes", s.worker_offset_bytes);
    f("spread", s.spread);
    f("skew", s.skew);
    f("hot_spots", s.hot_spots);
    f("groups", s.groups);
    f("depth_over_targets", s.depth_over_targets);
    f("instances", s.instances);
    f("arrivals", s.arrivals);
    f("rate_iops", s.rate_iops);
    f("think_us", s.think_us);
    f("burst", s.burst);
    f("fsync_every", s.fsync_every);
    f("trim_percent", s.trim_percent);
    f("compressible_percent", s.compressible_percent);
    f("duplicate_percent", s.duplicate_percent);
    f("verify", s.verify);
    f("poll", s.poll);
    f("cooldown_s", s.cooldown_s);
    f("source", s.source);
    f("warnings", s.warnings);
  }
};

}  // namespace raidscope
