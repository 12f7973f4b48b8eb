#include "reports/analysis/comparison.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "reports/analysis/measuring_advice.h"
#include "reports/words.h"
#include "workloads/plan.h"
#include "workloads/repeat_name.h"

namespace raidscope {
namespace {

constexpr std::size_t most_groups_each_with_each = 4;
/// Below this the exact signed-rank interval has no 95 %.
constexpr std::size_t least_signed_rank_pairs = 6;

struct Metric {
  std::string_view name, unit;
  bool smaller_is_better;
  MetricOf of;
};

constexpr Metric metrics[] = {
    {"iops", "1/s", false, [](const RunResult& r) -> std::optional<double> { return r.iops; }},
    {"bytes_per_s", "B/s", false,
     [](const RunResult& r) -> std::optional<double> { return r.bytes_per_s; }},
    {"mean", "us", true, [](const RunResult& r) { return r.latency_us.mean; }},
    {"p50", "us", true, [](const RunResult& r) { return r.latency_us.p50; }},
    {"p99", "us", true, [](const RunResult& r) { return r.latency_us.p99; }},
    {"p99_9", "us", true, [](const RunResult& r) { return r.latency_us.p99_9; }},
};

/// Numbers as numbers, switches off before on, the cache before Smart Path; empty for texts, which
/// keep their order.
std::optional<double> rank_of(const std::string& value) {
  if (value == "disabled" || value == "false") return 0;
  if (value == "enabled" || value == "true") return 1;
  // io_path: Smart Path over cache, as a decision has it.
  if (value == "cache") return 0;
  if (value == "smart_path") return 1;
  if (value == "neither") return 2;
  double number = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), number);
  if (problem != std::errc{} || end != value.data() + value.size()) return std::nullopt;
  return number;
}

/// The runs of a group that do the same, whatever the factor is.
struct Point {
  std::string shape;     ///< of the workload without the keys that may differ
  std::string name;      ///< that all of its runs have; empty: none, or one made of the workload
  std::string workload;  ///< for a person
  std::vector<const RunResult*> runs;
  std::vector<const RunSettings*> settings;
};

std::vector<Point> points_of(const RunGroup& group,
                             const std::map<const RunResult*, RunSettings>& settings,
                             const std::vector<std::string>& may_differ) {
  std::vector<Point> out;
  for (const RunResult* run : group.runs) {
    const RunSettings& own = settings.at(run);
    std::string shape;
    for (const RunSetting& setting : own) {
      if (setting.kind != SettingKind::workload || !setting.matters ||
          is_covered(setting, may_differ))
        continue;
      shape += fmt::format("{}={};", setting.key, setting.value.value_or("?"));
    }
    const auto found =
        std::find_if(out.begin(), out.end(), [&](const Point& p) { return p.shape == shape; });
    if (found == out.end()) {
      const std::string name = repeat_name(run->name);
      const bool made_up = name == point_name(run->workload);
      out.push_back({shape, made_up ? "" : name, workload_shape(run->workload), {run}, {&own}});
    } else {
      // An experiment names its runs by block and arm, which is no name of the workload.
      if (repeat_name(run->name) != found->name) found->name.clear();
      found->runs.push_back(run);
      found->settings.push_back(&own);
    }
  }
  return out;
}

/// Pattern, block and mix: what two workloads must share to be worth comparing.
std::string rough_shape(const Point& point) {
  const Workload& w = point.runs.front()->workload;
  return fmt::format("{} {} {}", block_words(w), to_name(w.pattern), w.read_percent);
}

/// The points of two groups that belong together: the same workload; else the only ones of the same
/// rough shape; else the only ones there are.
std::vector<std::pair<const Point*, const Point*>> matched(const std::vector<Point>& a,
                                                           const std::vector<Point>& b) {
  std::vector<std::pair<const Point*, const Point*>> out;
  std::vector<const Point*> left_a, left_b;
  for (const Point& point : a) left_a.push_back(&point);
  for (const Point& point : b) left_b.push_back(&point);
  const auto take = [&](auto&& same) {
    for (std::size_t i = 0; i < left_a.size();) {
      const auto fits = [&](const Point* p) { return same(*left_a[i], *p); };
      const bool only = std::count_if(left_b.begin(), left_b.end(), fits) == 1 &&
                        std::count_if(left_a.begin(), left_a.end(),
                                      [&](const Point* p) { return same(*p, *left_a[i]); }) == 1;
      if (!only) {
        ++i;
        continue;
      }
      const auto found = std::find_if(left_b.begin(), left_b.end(), fits);
      out.emplace_back(left_a[i], *found);
      left_b.erase(found);
      left_a.erase(left_a.begin() + static_cast<std::ptrdiff_t>(i));
    }
  };
  take([](const Point& x, const Point& y) { return x.shape == y.shape; });
  take([](const Point& x, const Point& y) { return rough_shape(x) == rough_shape(y); });
  if (a.size() == 1 && b.size() == 1) take([](const Point&, const Point&) { return true; });
  return out;
}

ComparisonVerdict verdict_of(Judgement judgement, bool smaller_is_better) {
  switch (judgement) {
    case Judgement::above:
      return smaller_is_better ? ComparisonVerdict::worse : ComparisonVerdict::better;
    case Judgement::below:
      return smaller_is_better ? ComparisonVerdict::better : ComparisonVerdict::worse;
    case Judgement::equal:
      return ComparisonVerdict::equal;
    case Judgement::undecided:
      break;
  }
  return ComparisonVerdict::undecided;
}

void add_once(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

void add_all_once(std::vector<std::string>& list, const std::vector<std::string>& more) {
  for (const std::string& text : more) add_once(list, text);
}

std::string listed(const std::vector<std::string>& words) {
  return fmt::format("{}", fmt::join(words, ", "));
}

/// The whole of one comparison while it is made.
class Comparer {
 public:
  Comparer(const std::vector<RunGroup>& groups, const std::map<std::string, Inventory>& snapshots,
           const ComparisonOptions& options)
      : groups_(groups), options_(options) {
    for (const RunGroup& group : groups) {
      for (const RunResult* run : group.runs)
        settings_.emplace(run, run_settings(*run, inventory_of(*run, snapshots)));
    }
    out_.factor = options.factor;
    out_.allowed = options.allowed;
    out_.margin_pct = options.margin * 100;
    out_.confidence_pct = options.confidence * 100;
  }

  RunComparison run() {
    describe_groups();
    look_at_origins();
    look_at_runs();
    const bool each = groups_.size() <= most_groups_each_with_each;
    for (std::size_t b = 1; b < groups_.size(); ++b) {
      for (std::size_t a = 0; a < (each ? b : 1); ++a) compare(groups_[a], groups_[b]);
    }
    if (!each) {
      note(fmt::format("{} groups: each is held against the first, {}", groups_.size(),
                       groups_.front().label));
    }
    finish_notes();
    // All that is said of one workload stands together.
    std::vector<std::string> order;
    for (const ComparedMetric& row : out_.metrics) add_once(order, row.workload);
    const auto place = [&](const ComparedMetric& row) {
      return std::find(order.begin(), order.end(), row.workload) - order.begin();
    };
    std::stable_sort(
        out_.metrics.begin(), out_.metrics.end(),
        [&](const ComparedMetric& x, const ComparedMetric& y) { return place(x) < place(y); });
    out_.conclusion = conclusion();
    return std::move(out_);
  }

 private:
  void note(std::string text) { add_once(out_.notes, std::move(text)); }

  void describe_groups() {
    for (const RunGroup& group : groups_) {
      ComparedGroup shown{group.label, {}, {}};
      std::vector<const RunSettings*> all;
      for (const RunResult* run : group.runs) {
        shown.runs.push_back(run->run_id);
        all.push_back(&settings_.at(run));
      }
      for (std::size_t key = 0; !all.empty() && key < all.front()->size(); ++key) {
        const RunSetting& setting = (*all.front())[key];
        if (!setting.matters && !setting.derived && setting.kind != SettingKind::origin) continue;
        const GroupValues values = group_values(all, key);
        std::optional<std::string> value;
        if (values.known.size() > 1) {
          value = fmt::format("varies: {}", fmt::join(values.known, ", "));
        } else if (!values.known.empty()) {
          value = *values.known.begin();
        }
        shown.settings.emplace(setting.key, std::move(value));
      }
      out_.groups.push_back(std::move(shown));
    }
  }

  void look_at_origins() {
    std::set<std::string> origins;
    for (const auto& [run, settings] : settings_) origins.insert(std::string(to_name(run->origin)));
    if (origins.size() < 2) {
      if (!origins.empty() && *origins.begin() == "simulated")
        note("these are simulated results: they say nothing of the speed of hardware");
      return;
    }
    add_once(out_.differing, "origin");
    if (options_.mix_origins) {
      note(fmt::format("the origins are mixed, as asked for: {}", fmt::join(origins, ", ")));
      return;
    }
    mixed_ = true;
    add_once(out_.in_the_way, "origin");
    note(
        fmt::format("no conclusion and no ratio: the origins differ ({}); --mix-origins compares "
                    "them all the same",
                    fmt::join(origins, " and ")));
  }

  void look_at_runs() {
    std::vector<std::string> interrupted, unsteady, null_engine;
    for (const RunGroup& group : groups_) {
      for (const RunResult* run : group.runs) {
        if (run->config_changed == true) {
          note(fmt::format("no conclusion from run {}: the configuration changed during it",
                           run->run_id));
        }
        if (!run->checks.valid) {
          note(fmt::format("no conclusion from run {}, which is not valid: {}", run->run_id,
                           listed(run->checks.suspicions)));
        }
        if (run->interrupted) interrupted.push_back(run->run_id);
        if (run->steady_state.reached == false) unsteady.push_back(run->run_id);
        if (run->engine.name == "null") null_engine.push_back(run->run_id);
      }
    }
    const auto say = [&](const std::vector<std::string>& runs, std::string_view what) {
      if (runs.empty()) return;
      note(fmt::format("{} {}: {}",
                       runs.size() == 1 ? "one run" : fmt::format("{} runs", runs.size()), what,
                       listed(runs)));
    };
    say(interrupted, "interrupted");
    say(unsteady, "without a steady state");
    say(null_engine, "moved no data (the null engine)");
  }

  void compare(const RunGroup& a, const RunGroup& b) {
    std::vector<std::string> may_differ = options_.factor;
    may_differ.insert(may_differ.end(), options_.allowed.begin(), options_.allowed.end());
    const std::vector<Point> points_a = points_of(a, settings_, may_differ);
    const std::vector<Point> points_b = points_of(b, settings_, may_differ);
    const auto pairs = matched(points_a, points_b);
    std::size_t runs = 0;
    for (const auto& [left, right] : pairs) {
      compare(a.label, *left, b.label, *right);
      runs += left->runs.size() + right->runs.size();
    }
    if (pairs.empty()) {
      note(fmt::format("{} and {} have no workload in common", a.label, b.label));
    } else if (runs < a.runs.size() + b.runs.size()) {
      note(
          fmt::format("{} runs of {} and {} have no counterpart with the same workload and are "
                      "left out",
                      a.runs.size() + b.runs.size() - runs, a.label, b.label));
    }
  }

  void compare(const std::string& label_a, const Point& a, const std::string& label_b,
               const Point& b) {
    const SettingsDifference difference =
        settings_difference(a.settings, b.settings, options_.factor, options_.allowed);
    add_all_once(out_.differing, difference.differing);
    add_all_once(out_.in_the_way, difference.in_the_way);
    add_all_once(out_.unknown, difference.unknown);
    if (options_.factor.empty()) add_all_once(out_.factor, difference.factor);
    if (!difference.words.empty()) {
      note(fmt::format(
          "no conclusion about {} against {}: {} than {} differed: {}; name what you compare with "
          "--factor KEY, or excuse a setting with --allow KEY",
          label_b, label_a, difference.words.size() == 1 ? "something else" : "other things",
          difference.factor.empty() ? "one factor" : listed(difference.factor),
          listed(difference.words)));
    }
    ComparedMetric row;
    row.workload = a.name.empty() || a.name != b.name ? a.workload : a.name + ": " + a.workload;
    row.group_a = label_a;
    row.group_b = label_b;
    row.in_the_way = difference.in_the_way;
    if (mixed_) row.in_the_way.emplace_back("origin");
    for (const Point* point : {&a, &b}) {
      for (const RunResult* run : point->runs) {
        if (run->config_changed == true || !run->checks.valid)
          row.doubtful_runs.push_back(run->run_id);
      }
    }
    for (const Metric& metric : metrics) compare(metric, a, b, row);
  }

  void compare(const Metric& metric, const Point& a, const Point& b, ComparedMetric row) {
    row.metric = metric.name;
    row.unit = metric.unit;
    const auto measured =
        measured_ratio(a.runs, b.runs, metric.of, options_.method, options_.confidence);
    if (measured) {
      row.a = measured->a;
      row.b = measured->b;
      row.n_a = measured->n_a;
      row.n_b = measured->n_b;
      if (measured->paired) row.pairs = static_cast<std::int64_t>(measured->log.pairs);
      if (row.a && row.b && !mixed_) fill_ratio(metric, *measured, row);
    }
    out_.metrics.push_back(std::move(row));
  }

  void fill_ratio(const Metric& metric, const MeasuredRatio& measured, ComparedMetric& row) {
    const LogRatio& log = measured.log;
    row.ratio = ratio_interval(log);
    row.effect_size = log.effect_size;
    if (log.low) {
      row.method = options_.method == IntervalMethod::signed_rank ? "signed-rank"
                   : measured.paired                              ? "paired t"
                                                                  : "Welch's t";
      any_interval_ = true;
      if (!measured.paired) unpaired_ = true;
    } else if (log.pairs >= 2) {
      too_few_for_method_ = true;
    } else {
      single_ = true;
    }
    if (log.deviation && *log.deviation == 0 && log.pairs >= 2) alike_ = true;
    if (!row.in_the_way.empty() || !row.doubtful_runs.empty()) return;
    row.verdict = verdict_of(judge(log, options_.margin), metric.smaller_is_better);
    if (row.verdict != ComparisonVerdict::undecided) return;
    const auto more = pairs_to_go(log, options_.margin, options_.confidence);
    if (!more) {
      if (log.deviation) on_the_margin_ = true;
      return;
    }
    std::size_t least = 0;
    if (options_.method == IntervalMethod::signed_rank && log.pairs < least_signed_rank_pairs)
      least = least_signed_rank_pairs - log.pairs;
    row.more_pairs = static_cast<std::int64_t>(std::max(*more, least));
  }

  void finish_notes() {
    if (options_.factor.empty() && !out_.factor.empty()) {
      note(fmt::format("{} is taken as the factor: nothing else differed", listed(out_.factor)));
    }
    for (const std::string& key : options_.factor) {
      const bool differs =
          std::any_of(out_.differing.begin(), out_.differing.end(), [&](const std::string& one) {
            return covered_by(one, SettingKind::inventory, key) ||
                   covered_by(one, SettingKind::workload, key);
          });
      if (!differs && !groups_by_identity(key))
        note(fmt::format("the factor {} is not known to differ between the groups", key));
    }
    out_.conditional = !out_.unknown.empty();
    if (out_.conditional) {
      note(fmt::format("conditional: unknown, and so perhaps different: {}", listed(out_.unknown)));
    }
    if (single_) {
      note(
          fmt::format("single results have no interval: repeat both sides, in turn, at least {} "
                      "times each",
                      advised_pairs));
    }
    if (too_few_for_method_) {
      note(
          fmt::format("the signed-rank interval needs at least {} pairs of runs that were measured "
                      "in turn; --method student-t needs two repeats",
                      least_signed_rank_pairs));
    }
    if (unpaired_) {
      note(
          "the runs were not measured in turn, so they do not pair up: a drift between the groups "
          "is in the ratio and not in the interval");
    }
    if (alike_) note("repeats agree to the last digit: they may be one result stored twice");
    if (on_the_margin_) {
      note(
          fmt::format("where no number of further pairs is given, the ratio lies on the margin of "
                      "{:g} %, and more pairs would not help",
                      out_.margin_pct));
    }
    if (any_interval_) {
      note(
          fmt::format("every number is judged by itself, each with a {:g} % interval: of twenty "
                      "such intervals one misses on average, so decide beforehand which number "
                      "counts, and take the others as exploratory",
                      out_.confidence_pct));
    }
  }

  static bool groups_by_identity(const std::string& key) {
    return key == "run_id" || key == "session_id" || key == "name" || key == "target" ||
           key == "fingerprint" || key == "tag" || key == "origin";
  }

  /// What the first workload's IOPS say, or what stands in the way.
  std::string conclusion() const {
    if (out_.metrics.empty()) return "Nothing to compare: the groups have no workload in common.";
    std::string out;
    for (const ComparedMetric& row : out_.metrics) {
      if (row.metric != "iops") continue;
      if (!out.empty()) out += "\n";
      out += sentence(row);
    }
    if (out_.conditional) out += "\nThis holds only if what is unknown did not differ.";
    return out;
  }

  std::string sentence(const ComparedMetric& row) const {
    const bool several =
        std::any_of(out_.metrics.begin(), out_.metrics.end(),
                    [&](const ComparedMetric& m) { return m.workload != row.workload; });
    std::string out = fmt::format("{}{} against {}: ", several ? row.workload + ": " : "",
                                  row.group_b, row.group_a);
    if (!row.ratio.estimate) {
      return out + (mixed_ ? "not compared, because the origins differ."
                           : "no ratio, because a number is missing.");
    }
    out += ratio_words(*row.ratio.estimate) + "× IOPS";
    if (row.ratio.low) {
      out += fmt::format(" ({:g} % interval {} to {}, {} {})", out_.confidence_pct,
                         ratio_words(*row.ratio.low), ratio_words(*row.ratio.high),
                         row.pairs ? *row.pairs : std::min(row.n_a, row.n_b),
                         row.pairs ? "pairs" : "repeats");
    }
    if (!row.in_the_way.empty())
      return out + fmt::format(", undecided: {} differed too.", listed(row.in_the_way));
    if (!row.doubtful_runs.empty()) return out + ", undecided: see the notes on the runs.";
    switch (row.verdict) {
      case ComparisonVerdict::better:
        return out + ": better.";
      case ComparisonVerdict::worse:
        return out + ": worse.";
      case ComparisonVerdict::equal:
        return out + fmt::format(": practically equal (within {:g} %).", out_.margin_pct);
      case ComparisonVerdict::undecided:
        break;
    }
    if (!row.ratio.low) return out + ", undecided: without repeats there is no interval.";
    out += ", undecided";
    if (*row.ratio.low > 1 || *row.ratio.high < 1) {
      out += fmt::format(" ({}, but whether by more than {:g} % is open)",
                         *row.ratio.low > 1 ? "more" : "less", out_.margin_pct);
    }
    return out + (row.more_pairs ? fmt::format(": {} more pairs.", *row.more_pairs) : ".");
  }

  const std::vector<RunGroup>& groups_;
  const ComparisonOptions& options_;
  std::map<const RunResult*, RunSettings> settings_;
  RunComparison out_;
  bool mixed_ = false, single_ = false, unpaired_ = false, alike_ = false,
       too_few_for_method_ = false, any_interval_ = false, on_the_margin_ = false;
};

}  // namespace

RatioInterval ratio_interval(const LogRatio& log) {
  const auto power = [](const std::optional<double>& value) {
    return value ? std::optional(std::exp(*value)) : std::nullopt;
  };
  return {std::exp(log.estimate), power(log.low), power(log.high)};
}

std::string ratio_words(double ratio) {
  return ratio < 0.0995 ? fmt::format("{:.2g}", ratio) : fmt::format("{:.2f}", ratio);
}

GroupedRuns group_runs(const std::vector<RunResult>& runs,
                       const std::map<std::string, Inventory>& snapshots, const std::string& key) {
  GroupedRuns out;
  std::vector<std::string> values;
  for (const RunResult& run : runs) {
    const auto value = setting_value(run_settings(run, inventory_of(run, snapshots)), key);
    if (!value) {
      out.unknown.push_back(run.run_id);
      continue;
    }
    const auto found = std::find(values.begin(), values.end(), *value);
    if (found == values.end()) {
      values.push_back(*value);
      out.groups.push_back({fmt::format("{} {}", key, *value), {&run}});
    } else {
      out.groups[static_cast<std::size_t>(found - values.begin())].runs.push_back(&run);
    }
  }
  std::vector<std::pair<double, std::size_t>> order;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto rank = rank_of(values[i]);
    if (!rank) return out;
    order.emplace_back(*rank, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<RunGroup> sorted;
  for (const auto& [rank, i] : order) sorted.push_back(std::move(out.groups[i]));
  out.groups = std::move(sorted);
  return out;
}

RunComparison compare_groups(const std::vector<RunGroup>& groups,
                             const std::map<std::string, Inventory>& snapshots,
                             const ComparisonOptions& options) {
  RunComparison out = Comparer(groups, snapshots, options).run();
  out.prices = price_results(groups, snapshots, options.prices);
  return out;
}

}  // namespace raidscope
