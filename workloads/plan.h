#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "workloads/presets.h"
#include "workloads/run/consent.h"
#include "workloads/workload.h"

namespace raidscope {

/// One of raidscope's own workload options, as parse_native knows them: {"--stride", "64k"}.
struct WorkloadSetting {
  std::string name;
  std::string value;
};

/// What `run`, `profile` and `experiment` were asked for. What is empty or absent was not given: it
/// has its default, or the preset's own value.
struct PlanOptions {
  std::string preset;  ///< a name of presets(); empty: the lists below
  PresetOptions preset_options;
  std::vector<Workload> base;  ///< from another syntax; empty: the preset or the lists below
  /// For workloads that name none of their own.
  std::vector<std::string> targets;
  // Each list makes a sweep over its values.
  std::vector<std::uint64_t> block_bytes;
  std::vector<int> read_percent;
  std::vector<std::uint32_t> workers;
  std::vector<std::uint32_t> queue_depth;  ///< per worker per target
  std::vector<Pattern> patterns;
  std::optional<double> duration_s, ramp_s;
  std::optional<std::uint64_t> seed, area_bytes, alignment_bytes;
  std::optional<SequentialCursor> cursor;
  std::optional<Sync> sync;
  std::optional<bool> direct;
  std::optional<int> repeat;
  std::vector<WorkloadSetting> settings;  ///< of every point
  // What the plan would meet, as far as the caller knows.
  std::optional<std::uint64_t> target_bytes;         ///< size of the smallest target
  std::optional<std::uint64_t> logical_block_bytes;  ///< largest of the targets
  double precondition_s = 0;                         ///< at most, before each workload that writes
  int fill_passes = 0;               ///< over the area of every target, before anything is measured
  std::uint64_t testfile_bytes = 0;  ///< that would be written to make test files first

  /// Whether a workload is said in lists of values, not by a preset or another syntax.
  [[nodiscard]] bool described() const {
    return lists() || std::any_of(settings.begin(), settings.end(), [](const WorkloadSetting& s) {
             return s.name == "--mix" || s.name == "--groups";
           });
  }
  [[nodiscard]] bool lists() const {
    return !block_bytes.empty() || !read_percent.empty() || !workers.empty() ||
           !queue_depth.empty() || !patterns.empty();
  }
};

struct PlannedPoint {
  std::string name;
  Workload workload;
  bool operator==(const PlannedPoint&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("workload", s.workload);
  }
};

/// `raidscope.plan/1`: what one command would measure, in order; every repeat is a point.
struct Plan {
  std::string schema = "raidscope.plan/1";
  std::vector<PlannedPoint> points;
  /// Bytes that making test files and filling passes write, and the bytes that writing points can
  /// overwrite (each counted once, however often it is rewritten in the time). Null when the size
  /// of a written target is not known.
  std::optional<std::uint64_t> bytes_to_write = 0;
  /// Ramps, measurements, cool-downs and preconditioning (at most), without making test files,
  /// filling passes and probing.
  double duration_s = 0;
  std::vector<Refusal> refusals;
  std::vector<std::string> warnings;
  bool operator==(const Plan&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("points", s.points);
    f("bytes_to_write", s.bytes_to_write);
    f("duration_s", s.duration_s);
    f("refusals", s.refusals);
    f("warnings", s.warnings);
  }
};

/// Seconds that points take: ramps, measurements and cool-downs.
double duration_of(std::span<const PlannedPoint> points) noexcept;

/// Seconds that preconditioning these points takes at most: `each` for every distinct workload that
/// writes.
double preconditioning_of(std::span<const PlannedPoint> points, double each);

/// Both together: what measuring these points takes.
double planned_seconds(std::span<const PlannedPoint> points, double precondition_s);

/// The workload that fills the area that the points use of one target, once through per pass, in
/// whole MiB; nullopt where no point uses the target. `target_bytes`: its size.
std::optional<Workload> filling_workload(std::span<const PlannedPoint> points,
                                         const std::string& target, std::uint64_t target_bytes);

/// The same for every round of one point, and for no other point: the workload without its seed,
/// its name and the words around it.
std::string round_key(Workload workload);

/// The name that a workload gets: "4k random read67 w8 qd64".
std::string point_name(const Workload& workload);

/// Expands options to points. Repeats go round the whole list (round 1 of every point, then round
/// 2), so that drift falls on all points alike; round r has the seed plus r. Errc::usage for values
/// that make no workload (no workers, 101 % reads, an unknown preset, a list beside a preset); what
/// could not run on the known target is a refusal in the plan.
Result<Plan> make_plan(const PlanOptions& options);

}  // namespace raidscope
