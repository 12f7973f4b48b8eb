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

/// How sequential workers share the target: one cursor for all (SQLIO), or a region each.
enum class SequentialCursor { shared, per_worker };
template <>
struct EnumNames<SequentialCursor> {
  static constexpr std::pair<SequentialCursor, std::string_view> table[] = {
      {SequentialCursor::shared, "shared"}, {SequentialCursor::per_worker, "per_worker"}};
};

/// What a write's completion promises.
enum class Sync { none, write_through };  ///< write_through: O_DSYNC, SQLIO's -BN on writes
template <>
struct EnumNames<Sync> {
  static constexpr std::pair<Sync, std::string_view> table[] = {
      {Sync::none, "none"}, {Sync::write_through, "write_through"}};
};

/// What to do to one or more targets, whatever syntax it was written in: `raidscope.workload/1`. A
/// regular value. Sizes in bytes, times in seconds.
struct Workload {
  std::string schema = "raidscope.workload/1";
  std::string name;
  std::vector<std::string> targets;
  Pattern pattern = Pattern::random;
  SequentialCursor cursor = SequentialCursor::shared;
  std::vector<std::uint64_t> block_bytes{4096};  ///< one size; mixes come with later syntaxes
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
  std::string source;                 ///< the other tool's own words, or the preset's name
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
    f("source", s.source);
    f("warnings", s.warnings);
  }
};

}  // namespace raidscope
