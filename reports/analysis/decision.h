#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "controllers/inventory/drive_name.h"
#include "controllers/inventory/inventory.h"
#include "reports/analysis/arm_commands.h"
#include "reports/analysis/comparison.h"
#include "reports/analysis/prices.h"
#include "workloads/run_result.h"

/// Controller cache or SSD Smart Path, by number of disks, out of stored runs:
/// `raidscope.decision/1`. Pure.
namespace raidscope {

enum class ArmWinner { cache, smart_path, equal, undecided };
template <>
struct EnumNames<ArmWinner> {
  static constexpr std::pair<ArmWinner, std::string_view> table[] = {
      {ArmWinner::cache, "cache"},
      {ArmWinner::smart_path, "smart_path"},
      {ArmWinner::equal, "equal"},
      {ArmWinner::undecided, "undecided"}};
};

/// Where a number lies with the confidence asked for.
struct ValueRange {
  double low = 0, high = 0;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("low", s.low);
    f("high", s.high);
  }
};

struct DecidedArm {
  std::optional<double> iops;  ///< geometric mean of the runs
  std::int64_t n = 0;
  std::optional<double> mean_us, p99_us;
  std::optional<double> price_per_kiops;  ///< null without prices
  /// Of the repeats; null with fewer than three.
  std::optional<ValueRange> iops_interval, mean_us_interval, p99_us_interval;
  /// Of the drives, the controller and, where it is used, the cache; null without prices.
  std::optional<double> price, iops_per_unit, price_per_gb;
  std::vector<std::string> runs;  ///< ids
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("iops", s.iops);
    f("n", s.n);
    f("mean_us", s.mean_us);
    f("p99_us", s.p99_us);
    f("price_per_kiops", s.price_per_kiops);
    f("iops_interval", s.iops_interval);
    f("mean_us_interval", s.mean_us_interval);
    f("p99_us_interval", s.p99_us_interval);
    f("price", s.price);
    f("iops_per_unit", s.iops_per_unit);
    f("price_per_gb", s.price_per_gb);
    f("runs", s.runs);
  }
};

/// One number of disks. Ratios are Smart Path over cache.
struct DecidedPoint {
  std::int64_t disk_count = 0;
  std::optional<DecidedArm> cache, smart_path, neither, driver_off;
  std::optional<RatioInterval> ratio;  ///< of the IOPS; null: an arm was not measured
  ArmWinner winner = ArmWinner::undecided;
  std::optional<double> fitted_ratio;  ///< the fit that rises with the disks
  std::optional<RatioInterval> mean_ratio, p99_ratio;
  ArmWinner p99_winner = ArmWinner::undecided;  ///< smaller is better
  std::optional<std::int64_t> pairs, more_pairs;
  bool conditional = false;
  std::vector<std::string> in_the_way;  ///< what differed beside the arm, and doubtful runs
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("disk_count", s.disk_count);
    f("cache", s.cache);
    f("smart_path", s.smart_path);
    f("neither", s.neither);
    f("driver_off", s.driver_off);
    f("ratio", s.ratio);
    f("winner", s.winner);
    f("fitted_ratio", s.fitted_ratio);
    f("mean_ratio", s.mean_ratio);
    f("p99_ratio", s.p99_ratio);
    f("p99_winner", s.p99_winner);
    f("pairs", s.pairs);
    f("more_pairs", s.more_pairs);
    f("conditional", s.conditional);
    f("in_the_way", s.in_the_way);
  }
};

/// In disks; an end is null where it lies outside of what was measured.
struct CrossoverRange {
  std::optional<double> low, high, estimate;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("low", s.low);
    f("high", s.high);
    f("estimate", s.estimate);
  }
};

struct DecidedWorkload {
  Workload workload;
  std::optional<double> bypass_share, bypass_share_capped;
  std::string bypass_reason, bypass_capped_reason;
  std::vector<DecidedPoint> points;
  std::optional<CrossoverRange> crossover;
  ArmWinner answer = ArmWinner::undecided;  ///< for the drive as it is
  std::string recommendation;
  std::vector<std::string> because;
  std::vector<std::string> commands;
  std::vector<std::string> in_the_way;  ///< audit findings: "C12 (error), slot 0: …"
  std::vector<std::string> mended;      ///< findings that the commands do away with, likewise
  std::string drive;                    ///< "slot 0, array A, LD 1", or why there is none
  std::optional<std::int64_t> disk_count;
  std::string origin;  ///< of the results; empty when nothing was measured
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("workload", s.workload);
    f("bypass_share", s.bypass_share);
    f("bypass_share_capped", s.bypass_share_capped);
    f("bypass_reason", s.bypass_reason);
    f("bypass_capped_reason", s.bypass_capped_reason);
    f("points", s.points);
    f("crossover", s.crossover);
    f("answer", s.answer);
    f("recommendation", s.recommendation);
    f("because", s.because);
    f("commands", s.commands);
    f("in_the_way", s.in_the_way);
    f("mended", s.mended);
    f("drive", s.drive);
    f("disk_count", s.disk_count);
    f("origin", s.origin);
  }
};

struct SmartPathDecision {
  std::string schema = "raidscope.decision/1";
  std::vector<DecidedWorkload> workloads;
  std::vector<std::string> missing;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("workloads", s.workloads);
    f("missing", s.missing);
  }
};

struct DecisionInput {
  std::vector<const RunResult*> runs;
  const std::map<std::string, Inventory>* snapshots = nullptr;
  /// The state that commands lead from; null: the latest that a run carries.
  const Inventory* present = nullptr;
  /// The drive that is asked about; nullopt: each that comes into question.
  std::optional<DriveName> drive;
  std::vector<Workload> planned;  ///< looked at where nothing is measured
};

struct DecisionOptions {
  double margin = 0.05;
  double confidence = usual_confidence;
  IntervalMethod method = IntervalMethod::student_t;
  std::vector<std::string> allowed;  ///< settings that may differ between the arms
  Prices prices;
  std::string tool = "ssacli";  ///< that the commands name
};

SmartPathDecision decide_smart_path(const DecisionInput& input, const DecisionOptions& options);

}  // namespace raidscope
