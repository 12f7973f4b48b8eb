#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"

/// An experiment: arms that differ in settings, measured in blocks, each block with every arm once
/// in an order of its own. Pure.
namespace raidscope {

/// One way to set the controller. "on", "off"; null: as it is.
struct Arm {
  std::string name;
  std::optional<std::string> smart_path, caching;
  std::optional<std::string> cache_ratio;   ///< "10/90"
  std::optional<std::string> surface_scan;  ///< "disable", "idle", "high"
  bool operator==(const Arm&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("name", s.name);
    f("smart_path", s.smart_path);
    f("caching", s.caching);
    f("cache_ratio", s.cache_ratio);
    f("surface_scan", s.surface_scan);
  }
};

/// The logical drive that a person has to make before its blocks are measured; null: any.
struct Layout {
  std::optional<std::int64_t> disk_count;
  std::optional<std::string> raid;
  std::optional<std::int64_t> strip_bytes;
  bool operator==(const Layout&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("disk_count", s.disk_count);
    f("raid", s.raid);
    f("strip_bytes", s.strip_bytes);
  }
};

inline constexpr std::string_view experiment_schema = "raidscope.experiment/1";

/// `raidscope.experiment/1`.
struct Experiment {
  std::string schema{experiment_schema};
  std::uint64_t seed = 1;  ///< of the order
  int blocks = 4;          ///< each has every arm once: pairs, for the deciding
  std::vector<Layout> layouts;
  std::vector<Arm> arms;
  std::vector<std::string> run;  ///< the options of `run`: target, workloads, times
  bool operator==(const Experiment&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("seed", s.seed);
    f("blocks", s.blocks);
    f("layouts", s.layouts);
    f("arms", s.arms);
    f("run", s.run);
  }
};

/// One arm in one block.
struct Visit {
  int layout = 0, block = 0;  ///< from 0
  std::string arm;
  bool done = false;
  bool operator==(const Visit&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("layout", s.layout);
    f("block", s.block);
    f("arm", s.arm);
    f("done", s.done);
  }
};

inline constexpr std::string_view experiment_state_schema = "raidscope.experiment_state/1";

/// `raidscope.experiment_state/1`: how far it has come.
struct ExperimentState {
  std::string schema{experiment_state_schema};
  std::string session_id;  ///< of every result of it
  Experiment experiment;
  std::vector<Visit> visits;  ///< in order
  bool operator==(const ExperimentState&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("session_id", s.session_id);
    f("experiment", s.experiment);
    f("visits", s.visits);
  }
};

/// An arm by its name in a Smart Path decision: "cache" (Smart Path off, caching on), "smart_path",
/// "neither", "as-is". usage for another.
Result<Arm> named_arm(std::string_view name);

/// Errc::malformed names the first thing that makes no experiment.
Status check_experiment(const Experiment& experiment);

/// Every layout in turn, its blocks, each block's arms in an order drawn from the seed.
std::vector<Visit> visits_of(const Experiment& experiment);

/// What is not as the layout says: "8 disks are asked for, 4 are there". Empty: it fits. What is
/// not known does not fit.
std::vector<std::string> misfits(const Layout& layout, const LogicalDrive& drive);

/// The commands for a person to make the layout, and what they destroy, a line each.
std::vector<std::string> how_to_make(const Layout& layout, const Controller& controller,
                                     const Array* array, const LogicalDrive* drive,
                                     std::string_view tool);

std::string experiment_text(const Experiment& experiment);
Result<Experiment> experiment_from_text(std::string_view text, std::string_view where);
std::string state_text(const ExperimentState& state);
Result<ExperimentState> state_from_text(std::string_view text, std::string_view where);

}  // namespace raidscope
