#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/enum_names.h"
#include "probe/base/result.h"
#include "reports/analysis/measured_ratio.h"
#include "reports/analysis/priced_results.h"
#include "reports/analysis/settings_difference.h"
#include "workloads/ratio_interval.h"
#include "workloads/run_result.h"

/// Groups of stored runs against each other, `raidscope.comparison/1`. Pure.
namespace raidscope {

enum class ComparisonVerdict { better, worse, equal, undecided };
template <>
struct EnumNames<ComparisonVerdict> {
  static constexpr std::pair<ComparisonVerdict, std::string_view> table[] = {
      {ComparisonVerdict::better, "better"},
      {ComparisonVerdict::worse, "worse"},
      {ComparisonVerdict::equal, "equal"},
      {ComparisonVerdict::undecided, "undecided"}};
};
template <>
struct EnumNames<IntervalMethod> {
  static constexpr std::pair<IntervalMethod, std::string_view> table[] = {
      {IntervalMethod::student_t, "student-t"}, {IntervalMethod::signed_rank, "signed-rank"}};
};

/// The second group over the first; an end is null where there are too few repeats for one.
struct RatioInterval {
  std::optional<double> estimate, low, high;
  bool operator==(const RatioInterval&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("estimate", s.estimate);
    f("low", s.low);
    f("high", s.high);
  }
};

/// Of an interval on the log scale.
RatioInterval ratio_interval(const LogRatio& log);

struct ComparedGroup {
  std::string label;
  std::vector<std::string> runs;
  /// What changes a test's result: the value that all runs share, "varies: a, b", or null where
  /// nobody told.
  std::map<std::string, std::optional<std::string>> settings;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("label", s.label);
    f("runs", s.runs);
    f("settings", s.settings);
  }
};

/// One number of one workload in two groups.
struct ComparedMetric {
  std::string metric;    ///< "iops", "bytes_per_s", "mean", "p50", "p99", "p99_9"
  std::string unit;      ///< "1/s", "B/s", "us"
  std::string workload;  ///< for a person
  std::string group_a, group_b;
  std::optional<double> a, b;  ///< geometric means
  RatioInterval ratio;
  ComparisonVerdict verdict = ComparisonVerdict::undecided;
  std::int64_t n_a = 0, n_b = 0;      ///< runs that told the number
  std::optional<std::int64_t> pairs;  ///< null: the runs do not pair up
  std::optional<std::string> method;  ///< null: no interval
  std::optional<double> effect_size;  ///< the log ratio over its spread, Hedges' g
  std::optional<std::int64_t> more_pairs;
  /// What forbids a verdict here: keys that differed beside the factor, and runs that are doubtful.
  std::vector<std::string> in_the_way, doubtful_runs;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("metric", s.metric);
    f("unit", s.unit);
    f("workload", s.workload);
    f("group_a", s.group_a);
    f("group_b", s.group_b);
    f("a", s.a);
    f("b", s.b);
    f("ratio", s.ratio);
    f("verdict", s.verdict);
    f("n_a", s.n_a);
    f("n_b", s.n_b);
    f("pairs", s.pairs);
    f("method", s.method);
    f("effect_size", s.effect_size);
    f("more_pairs", s.more_pairs);
    f("in_the_way", s.in_the_way);
    f("doubtful_runs", s.doubtful_runs);
  }
};

struct RunComparison {
  std::string schema = "raidscope.comparison/1";
  std::string conclusion;  ///< a sentence in a line for each workload and pair of groups
  std::vector<ComparedGroup> groups;
  std::vector<ComparedMetric> metrics;
  std::vector<std::string> differing;  ///< keys that are known to differ, the factor among them
  /// A setting is unknown where it may have differed: the verdicts hold if it did not.
  bool conditional = false;
  std::vector<std::string> notes;
  std::vector<std::string> factor, allowed;
  std::vector<std::string> in_the_way;  ///< keys that differed beside the factor, of all metrics
  std::vector<std::string> unknown;     ///< keys that make it conditional
  double margin_pct = 5, confidence_pct = 95;
  std::vector<PricedResult> prices;  ///< of the groups; empty: no prices were given
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("conclusion", s.conclusion);
    f("groups", s.groups);
    f("metrics", s.metrics);
    f("differing", s.differing);
    f("conditional", s.conditional);
    f("notes", s.notes);
    f("factor", s.factor);
    f("allowed", s.allowed);
    f("in_the_way", s.in_the_way);
    f("unknown", s.unknown);
    f("margin_pct", s.margin_pct);
    f("confidence_pct", s.confidence_pct);
    f("prices", s.prices);
  }
};

struct RunGroup {
  std::string label;
  std::vector<const RunResult*> runs;
};

struct ComparisonOptions {
  std::vector<std::string> factor;   ///< keys; empty: the only thing that differed is the factor
  std::vector<std::string> allowed;  ///< keys that may differ
  bool mix_origins = false;
  double margin = 0.05;
  double confidence = usual_confidence;
  IntervalMethod method = IntervalMethod::student_t;
  Prices prices;
};

/// Groups by the value of a key: numbers from low to high, disabled before enabled, everything else
/// in the order of the runs. Runs that do not know the key are in `unknown`.
struct GroupedRuns {
  std::vector<RunGroup> groups;
  std::vector<std::string> unknown;  ///< run ids
};
GroupedRuns group_runs(const std::vector<RunResult>& runs,
                       const std::map<std::string, Inventory>& snapshots, const std::string& key);

/// "2.56", "0.084": two decimals, or two digits where they would be lost.
std::string ratio_words(double ratio);

/// Each group against each before it, up to four groups; of more, each against the first.
RunComparison compare_groups(const std::vector<RunGroup>& groups,
                             const std::map<std::string, Inventory>& snapshots,
                             const ComparisonOptions& options);

}  // namespace raidscope
