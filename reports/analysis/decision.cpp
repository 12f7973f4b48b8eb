#include "reports/analysis/decision.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "controllers/rules/readings.h"
#include "reports/analysis/arm_commands.h"
#include "reports/analysis/bypass_share.h"
#include "reports/analysis/decision_reasons.h"
#include "reports/analysis/level_interval.h"
#include "reports/analysis/measuring_advice.h"
#include "reports/text/units.h"
#include "reports/words.h"
#include "workloads/crossover.h"
#include "workloads/derived.h"

namespace raidscope {
namespace {

/// A run with the drive that it was measured on.
struct PlacedRun {
  const RunResult* run = nullptr;
  const Inventory* inventory = nullptr;
  DriveRef at;
  SmartPathArm arm = SmartPathArm::cache;
  std::int64_t disks = 0;
};

/// Runs that may be held against each other: one workload, one controller, one kind of array.
struct Case {
  std::string key;
  std::vector<PlacedRun> runs;
};

std::vector<const RunResult*> runs_of(const Case& found, std::int64_t disks, SmartPathArm arm) {
  std::vector<const RunResult*> out;
  for (const PlacedRun& placed : found.runs) {
    if (placed.disks == disks && placed.arm == arm) out.push_back(placed.run);
  }
  return out;
}

const PlacedRun& newest(const Case& found) {
  return *std::max_element(found.runs.begin(), found.runs.end(),
                           [](const PlacedRun& a, const PlacedRun& b) {
                             return std::pair(a.run->started_at, a.run->run_id) <
                                    std::pair(b.run->started_at, b.run->run_id);
                           });
}

/// An area that is the whole target grows with the disks.
std::string case_key(const RunResult& run, const RunSettings& settings) {
  const bool whole = run.workload.area_bytes == 0;
  std::string out;
  for (const RunSetting& setting : settings) {
    const bool workload = setting.kind == SettingKind::workload && setting.matters &&
                          !(whole && setting.key == "area_bytes");
    // Not the serial: two machines set up alike are one, as for the fingerprint.
    const bool place = setting.key == "origin" || setting.key == "model" || setting.key == "raid" ||
                       setting.key == "strip_bytes" || setting.key == "drives.model";
    if (workload || place) out += fmt::format("{}={};", setting.key, setting.value.value_or("?"));
  }
  return out;
}

/// Without the vendor tool a drive has no number, and its device tells it from the others.
std::string drive_words(const DriveRef& at) {
  std::string out = subject_words(subject_of(at));
  if (at.drive != nullptr && !at.drive->number && at.drive->device) out += ", " + *at.drive->device;
  return out;
}

std::optional<double> iops_of(const RunResult& run) {
  return run.iops;
}
std::optional<double> mean_of_run(const RunResult& run) {
  return run.latency_us.mean;
}
std::optional<double> p99_of(const RunResult& run) {
  return run.latency_us.p99;
}

ArmWinner winner_of(Judgement judgement, bool smaller_is_better) {
  switch (judgement) {
    case Judgement::above:
      return smaller_is_better ? ArmWinner::cache : ArmWinner::smart_path;
    case Judgement::below:
      return smaller_is_better ? ArmWinner::smart_path : ArmWinner::cache;
    case Judgement::equal:
      return ArmWinner::equal;
    case Judgement::undecided:
      break;
  }
  return ArmWinner::undecided;
}

/// What the audit says of a drive and everything above it.
bool is_about(const Subject& subject, const DriveRef& at) {
  if (subject.slot && subject.slot != at.controller->slot) return false;
  if (subject.array && at.array != nullptr && subject.array != at.array->letter) return false;
  if (subject.logical_drive && at.drive != nullptr && subject.logical_drive != at.drive->number)
    return false;
  return true;
}

/// Findings under which caching must not be turned on, or would not be used.
bool forbids_cache(const Finding& finding) {
  constexpr std::string_view rules[] = {"C01", "C02", "C03", "C06", "C10",
                                        "C11", "C12", "C13", "C14"};
  return finding.severity >= Severity::warning &&
         std::find(std::begin(rules), std::end(rules), finding.rule) != std::end(rules);
}

class Decider {
 public:
  Decider(const DecisionInput& input, const DecisionOptions& options)
      : input_(input), options_(options), present_(input.present) {}

  SmartPathDecision run() {
    place_runs();
    if (present_ == nullptr) present_ = newest_inventory();
    if (present_ != nullptr) {
      AuditOptions options;
      options.tool = options_.tool;
      findings_ = audit(*present_, std::nullopt, options).findings;
    }
    for (const Case& found : cases_) out_.workloads.push_back(decided(found));
    add_planned();
    return std::move(out_);
  }

 private:
  void miss(std::string text) {
    if (std::find(out_.missing.begin(), out_.missing.end(), text) == out_.missing.end())
      out_.missing.push_back(std::move(text));
  }

  void place_runs() {
    for (const RunResult* run : input_.runs) {
      PlacedRun placed{run, inventory_of(*run, *input_.snapshots), {}, SmartPathArm::cache, 0};
      const auto leave_out = [&](std::string_view why) {
        miss(fmt::format("run {} is left out: {}", run->run_id, why));
      };
      if (placed.inventory == nullptr) {
        leave_out("it carries no inventory");
        continue;
      }
      placed.at = target_drive(*run, *placed.inventory);
      if (placed.at.drive == nullptr) {
        leave_out("it is unknown on which logical drive it was measured");
        continue;
      }
      if (input_.drive && !input_.drive->names(placed.at)) continue;
      const auto arm = arm_of(placed.at);
      if (!arm) {
        leave_out("its Smart Path or caching state is unknown, and with it the arm");
        continue;
      }
      if (!placed.at.drive->disk_count) {
        leave_out("the number of its disks is unknown");
        continue;
      }
      placed.arm = *arm;
      placed.disks = *placed.at.drive->disk_count;
      const std::string key = case_key(*run, settings_of(*run));
      const auto found = std::find_if(cases_.begin(), cases_.end(),
                                      [&](const Case& one) { return one.key == key; });
      if (found == cases_.end()) {
        cases_.push_back({key, {placed}});
      } else {
        found->runs.push_back(placed);
      }
    }
  }

  const RunSettings& settings_of(const RunResult& run) {
    auto& settings = settings_[&run];
    if (settings.empty()) settings = run_settings(run, inventory_of(run, *input_.snapshots));
    return settings;
  }

  /// After the newest run that was placed, as far as it is known.
  const Inventory* newest_inventory() const {
    const PlacedRun* last = nullptr;
    for (const Case& found : cases_) {
      const PlacedRun& one = newest(found);
      if (last == nullptr || std::pair(last->run->started_at, last->run->run_id) <
                                 std::pair(one.run->started_at, one.run->run_id)) {
        last = &one;
      }
    }
    if (last == nullptr) return nullptr;
    if (last->run->inventory_after) {
      const auto found = input_.snapshots->find(last->run->inventory_after->snapshot);
      if (found != input_.snapshots->end()) return &found->second;
    }
    return last->inventory;
  }

  /// The same drive in the present inventory.
  DriveRef present_drive(const DriveRef& measured) const {
    if (present_ == nullptr) return {};
    DriveRef by_number;
    for (const DriveRef& ref : all_logical_drives(*present_)) {
      const Controller& a = *ref.controller;
      const Controller& b = *measured.controller;
      if (a.serial && b.serial ? a.serial != b.serial : a.slot != b.slot || a.model != b.model)
        continue;
      if (ref.drive->unique_id && ref.drive->unique_id == measured.drive->unique_id) return ref;
      if (ref.drive->number && ref.drive->number == measured.drive->number) by_number = ref;
    }
    return by_number;
  }

  DecidedArm arm_numbers(const std::vector<const RunResult*>& runs, const DriveRef& at,
                         SmartPathArm arm) const {
    DecidedArm out;
    out.n = static_cast<std::int64_t>(runs.size());
    for (const RunResult* run : runs) out.runs.push_back(run->run_id);
    const auto level = [&](MetricOf metric, std::optional<double>& value,
                           std::optional<ValueRange>& range) {
      const LevelInterval found = level_interval(runs, metric, nullptr, options_.confidence);
      value = found.estimate;
      if (found.low && found.high) range = ValueRange{*found.low, *found.high};
    };
    level(iops_of, out.iops, out.iops_interval);
    level(mean_of_run, out.mean_us, out.mean_us_interval);
    level(p99_of, out.p99_us, out.p99_us_interval);
    if (options_.prices.given()) {
      const PricePerformance priced =
          price_performance(price_of(options_.prices, at, arm == SmartPathArm::cache), out.iops);
      out.price = priced.price;
      out.price_per_kiops = priced.per_kiops;
      out.iops_per_unit = priced.iops_per_unit;
      out.price_per_gb = priced.per_gb;
    }
    return out;
  }

  DecidedPoint point_of(const Case& found, std::int64_t disks,
                        std::vector<CrossoverPoint>& crossing) {
    DecidedPoint out;
    out.disk_count = disks;
    const auto fill = [&](SmartPathArm arm, std::optional<DecidedArm>& into) {
      const auto runs = runs_of(found, disks, arm);
      const auto first = std::find_if(
          found.runs.begin(), found.runs.end(),
          [&](const PlacedRun& placed) { return placed.disks == disks && placed.arm == arm; });
      if (first != found.runs.end()) into = arm_numbers(runs, first->at, arm);
      return runs;
    };
    const auto cache = fill(SmartPathArm::cache, out.cache);
    const auto smart_path = fill(SmartPathArm::smart_path, out.smart_path);
    fill(SmartPathArm::neither, out.neither);
    fill(SmartPathArm::driver_off, out.driver_off);
    if (cache.empty() || smart_path.empty()) return out;

    const SettingsDifference difference = settings_difference(
        settings_list(cache), settings_list(smart_path), {"smart_path"}, options_.allowed);
    for (const std::string& words : difference.words) out.in_the_way.push_back(words + " differed");
    out.conditional = !difference.unknown.empty();
    unknown_.insert(difference.unknown.begin(), difference.unknown.end());
    for (const auto* runs : {&cache, &smart_path}) {
      for (const RunResult* run : *runs) {
        if (run->config_changed == true)
          out.in_the_way.push_back("the configuration changed during run " + run->run_id);
        if (!run->checks.valid) out.in_the_way.push_back("run " + run->run_id + " is not valid");
      }
    }
    const bool barred = !out.in_the_way.empty();
    const auto ratio = [&](MetricOf metric) {
      return measured_ratio(cache, smart_path, metric, options_.method, options_.confidence);
    };
    const auto throughput = ratio(iops_of);
    if (throughput && throughput->a && throughput->b) {
      const LogRatio& log = throughput->log;
      out.ratio = ratio_interval(log);
      if (throughput->paired) out.pairs = static_cast<std::int64_t>(log.pairs);
      if (!barred) {
        out.winner = winner_of(judge(log, options_.margin), false);
        if (const auto more = pairs_to_go(log, options_.margin, options_.confidence))
          out.more_pairs = static_cast<std::int64_t>(*more);
        if (log.error && log.degrees)
          crossing.push_back({static_cast<double>(disks), log.estimate, *log.error, *log.degrees});
      }
    }
    if (const auto mean = ratio(mean_of_run); mean && mean->a && mean->b)
      out.mean_ratio = ratio_interval(mean->log);
    if (const auto tail = ratio(p99_of); tail && tail->a && tail->b) {
      out.p99_ratio = ratio_interval(tail->log);
      if (!barred) out.p99_winner = winner_of(judge(tail->log, options_.margin), true);
    }
    return out;
  }

  DecidedWorkload decided(const Case& found) {
    DecidedWorkload out;
    const PlacedRun& last = newest(found);
    out.workload = last.run->workload;
    out.origin = to_name(last.run->origin);
    unknown_.clear();
    std::set<std::int64_t> counts;
    for (const PlacedRun& placed : found.runs) counts.insert(placed.disks);
    std::vector<CrossoverPoint> crossing;
    for (const std::int64_t disks : counts) out.points.push_back(point_of(found, disks, crossing));

    const DriveRef at = present_drive(last.at);
    // The members' queues show in the Smart Path arm alone.
    DriveRef mapped = at.drive != nullptr ? at : last.at;
    for (const PlacedRun& placed : found.runs) {
      if (placed.arm == SmartPathArm::smart_path && placed.disks == last.disks) mapped = placed.at;
    }
    say_bypass(bypass_share(out.workload, mapped), out);
    const std::vector<std::string> apart = differing_over_disks(found, counts);
    if (apart.empty()) {
      find_crossover(crossing, out);
    } else if (counts.size() > 1) {
      out.because.push_back(fmt::format(
          "no crossover: beside the number of disks there differed {}; --allow excuses a "
          "setting",
          fmt::join(apart, ", ")));
    }
    if (on_two_controllers(found))
      out.because.emplace_back("the arms were measured on two controllers of one model");
    out.disk_count = at.drive != nullptr ? at.drive->disk_count : std::nullopt;
    out.drive =
        at.drive != nullptr ? drive_words(at) : "the measured drive is not in the latest inventory";
    answer(at, out);
    say_points(options_, out);
    if (!unknown_.empty()) {
      out.because.push_back(
          fmt::format("conditional: unknown, and so perhaps different between the arms: {}",
                      fmt::join(unknown_, ", ")));
    }
    say_prices(options_.prices, out);
    recommend(at, out);
    say_missing(out, at.drive != nullptr ? at : last.at);
    return out;
  }

  std::vector<const RunSettings*> settings_list(const std::vector<const RunResult*>& runs) {
    std::vector<const RunSettings*> out;
    for (const RunResult* run : runs) out.push_back(&settings_of(*run));
    return out;
  }

  /// What differed from one number of disks to the next in the same arm, beside the disks.
  std::vector<std::string> differing_over_disks(const Case& found,
                                                const std::set<std::int64_t>& counts) {
    std::vector<std::string> allowed = options_.allowed;
    allowed.emplace_back("area_bytes");
    std::vector<std::string> out;
    for (const SmartPathArm arm : {SmartPathArm::cache, SmartPathArm::smart_path}) {
      std::vector<const RunResult*> last;
      for (const std::int64_t disks : counts) {
        std::vector<const RunResult*> runs = runs_of(found, disks, arm);
        if (runs.empty()) continue;
        if (!last.empty()) {
          for (std::string& words : settings_difference(settings_list(last), settings_list(runs),
                                                        {"disk_count"}, allowed)
                                        .words) {
            if (std::find(out.begin(), out.end(), words) == out.end())
              out.push_back(std::move(words));
          }
        }
        last = std::move(runs);
      }
    }
    return out;
  }

  static bool on_two_controllers(const Case& found) {
    std::set<std::string> cache, smart_path;
    for (const PlacedRun& placed : found.runs) {
      const Text& serial = placed.at.controller->serial;
      if (!serial) return false;
      if (placed.arm == SmartPathArm::cache) cache.insert(*serial);
      if (placed.arm == SmartPathArm::smart_path) smart_path.insert(*serial);
    }
    return !cache.empty() && !smart_path.empty() &&
           std::none_of(cache.begin(), cache.end(),
                        [&](const std::string& serial) { return smart_path.contains(serial); });
  }

  void find_crossover(const std::vector<CrossoverPoint>& points, DecidedWorkload& out) const {
    const auto found =
        crossover(points, {.confidence = options_.confidence, .draws = 2000, .seed = 1});
    if (!found) return;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (DecidedPoint& point : out.points) {
        if (static_cast<double>(point.disk_count) == points[i].x)
          point.fitted_ratio = std::exp(found->fitted[i]);
      }
    }
    say_crossover(*found, points.front().x, points.back().x, options_.confidence, out);
  }

  /// The winner for the drive as it is: at its number of disks, else by the crossover.
  static void answer(const DriveRef& at, DecidedWorkload& out) {
    Integer disks = at.drive != nullptr ? at.drive->disk_count : Integer{};
    if (!disks && out.points.size() == 1) disks = out.points.front().disk_count;
    for (const DecidedPoint& point : out.points) {
      if (disks && point.disk_count == *disks) out.answer = point.winner;
    }
    if (out.answer != ArmWinner::undecided || !out.crossover || !disks) return;
    const auto count = static_cast<double>(*disks);
    if (out.crossover->low && count < *out.crossover->low) out.answer = ArmWinner::cache;
    if (out.crossover->high && count > *out.crossover->high) out.answer = ArmWinner::smart_path;
    if (out.answer != ArmWinner::undecided)
      out.because.push_back(fmt::format("for {} disks the crossover decides", *disks));
  }

  /// The sentence, the commands, and what forbids them.
  void recommend(const DriveRef& at, DecidedWorkload& out) {
    bool cache_forbidden = false;
    if (at.controller != nullptr) {
      for (const Finding& finding : findings_) {
        if (!is_about(finding.subject, at)) continue;
        const bool forbids = forbids_cache(finding);
        cache_forbidden = cache_forbidden || forbids;
        if (finding.severity < Severity::error && !forbids) continue;
        out.in_the_way.push_back(rule_and_subject(finding) + finding.evidence);
      }
      settle_without_measuring(at, cache_forbidden, out);
    }
    const std::string where =
        at.drive == nullptr ? std::string() : fmt::format(" on {}", drive_words(at));
    switch (out.answer) {
      case ArmWinner::cache:
        out.recommendation =
            "Use the controller's cache and leave SSD Smart Path off" + where + ".";
        break;
      case ArmWinner::smart_path:
        out.recommendation =
            "Use SSD Smart Path and leave the controller's cache off" + where + ".";
        break;
      case ArmWinner::equal:
        out.recommendation = fmt::format(
            "Leave it as it is{}: the cache and Smart Path are practically equal.", where);
        return;
      case ArmWinner::undecided:
        out.recommendation = out.points.empty() ? "Undecided: measure both arms." : "Undecided.";
        if (const auto other = measured_elsewhere(out)) {
          out.recommendation =
              fmt::format("Undecided for the {} disks that the drive has: measured with {}.",
                          *out.disk_count, *other);
        }
        for (const DecidedPoint& point : out.points) {
          if (point.more_pairs && (!out.disk_count || *out.disk_count == point.disk_count)) {
            out.recommendation = fmt::format("Undecided: {} more pairs at {} disks would decide.",
                                             *point.more_pairs, point.disk_count);
          }
        }
        return;
    }
    if (at.drive == nullptr) return;
    if (out.answer == ArmWinner::cache && cache_forbidden) {
      out.because.push_back(
          "no commands: the cache must not be turned on, or would not be used, until the findings "
          "that stand in the way are mended");
      return;
    }
    const SmartPathArm arm =
        out.answer == ArmWinner::cache ? SmartPathArm::cache : SmartPathArm::smart_path;
    auto commands = commands_to(arm, *present_, at, options_.tool);
    if (!commands) {
      out.because.push_back("no commands: " + describe(commands.error()));
      return;
    }
    out.commands = std::move(*commands);
    if (out.commands.empty()) out.because.emplace_back("the drive is set so already");
    leave_out_what_is_mended(arm, at, out);
  }

  /// A finding that an audit would not have after the commands is a reason for them, not against.
  void leave_out_what_is_mended(SmartPathArm arm, const DriveRef& at, DecidedWorkload& out) const {
    if (out.commands.empty() || out.in_the_way.empty()) return;
    AuditOptions options;
    options.tool = options_.tool;
    std::set<std::string> after;
    for (const Finding& finding :
         audit(with_arm(arm, *present_, at), std::nullopt, options).findings)
      after.insert(rule_and_subject(finding));
    const auto first_mended = std::stable_partition(
        out.in_the_way.begin(), out.in_the_way.end(), [&](const std::string& words) {
          return std::any_of(after.begin(), after.end(),
                             [&](const std::string& left) { return words.starts_with(left); });
        });
    out.mended.assign(first_mended, out.in_the_way.end());
    out.in_the_way.erase(first_mended, out.in_the_way.end());
  }

  static std::string rule_and_subject(const Finding& finding) {
    return fmt::format("{} ({}), {}: ", finding.rule, to_name(finding.severity),
                       subject_words(finding.subject));
  }

  /// "8, 16" where the drive's own number of disks is not among those that were measured.
  static std::optional<std::string> measured_elsewhere(const DecidedWorkload& out) {
    if (!out.disk_count || out.points.empty()) return std::nullopt;
    std::vector<std::int64_t> counts;
    for (const DecidedPoint& point : out.points) {
      if (point.disk_count == *out.disk_count) return std::nullopt;
      counts.push_back(point.disk_count);
    }
    return fmt::format("{}", fmt::join(counts, ", "));
  }

  /// Where the rules settle it, nobody need measure.
  static void settle_without_measuring(const DriveRef& at, bool cache_forbidden,
                                       DecidedWorkload& out) {
    const bool measured = std::any_of(out.points.begin(), out.points.end(), [](const auto& point) {
      return point.winner != ArmWinner::undecided;
    });
    if (measured || out.answer != ArmWinner::undecided) return;
    const bool no_cache = !has_cache_to_ask(*at.controller);
    const bool nothing_bypasses = out.bypass_share == 0.0;
    if (nothing_bypasses && !no_cache && !cache_forbidden) {
      out.answer = ArmWinner::cache;
      out.because.emplace_back(
          "Smart Path cannot help this workload, and keeps it from the cache while it is on");
    } else if (no_cache && !nothing_bypasses && out.bypass_share) {
      out.answer = ArmWinner::smart_path;
      out.because.emplace_back("this controller has no cache that could serve in its place");
    }
  }

  /// What to measure next, and how.
  void say_missing(const DecidedWorkload& out, const DriveRef& at) {
    for (const DecidedPoint& point : out.points) {
      for (const auto& [numbers, arm] : {std::pair{&point.cache, SmartPathArm::cache},
                                         std::pair{&point.smart_path, SmartPathArm::smart_path}}) {
        if (*numbers) continue;
        if (out.answer != ArmWinner::undecided) continue;
        miss(fmt::format("{} disks: the arm {} is not measured{}; {}", point.disk_count,
                         to_name(arm), to_reach(arm, at), "measure it in turn with the other one"));
      }
      if (point.ratio && !point.ratio->low) {
        miss(fmt::format("{} disks: single results have no interval; measure {} pairs in turn",
                         point.disk_count, advised_pairs));
      } else if (point.more_pairs) {
        miss(fmt::format("{} disks: {} more pairs would decide", point.disk_count,
                         *point.more_pairs));
      }
    }
  }

  std::string to_reach(SmartPathArm arm, const DriveRef& at) const {
    if (present_ == nullptr || at.drive == nullptr) return "";
    const auto commands = commands_to(arm, *present_, at, options_.tool);
    if (!commands || commands->empty()) return "";
    return fmt::format(" ({})", fmt::join(*commands, "; "));
  }

  // Nothing measured ------------------------------------------------------------------------------

  bool comes_into_question(const DriveRef& ref) const {
    if (input_.drive) return input_.drive->names(ref);
    return solid_state(group_of(ref)) != false;
  }

  bool has_case_of(const Workload& workload) const {
    return std::any_of(out_.workloads.begin(), out_.workloads.end(), [&](const auto& one) {
      return workload_shape(one.workload) == workload_shape(workload);
    });
  }

  void add_planned() {
    if (!cases_.empty() && input_.planned.empty()) return;
    if (present_ == nullptr) {
      if (cases_.empty()) miss("nothing is measured, and no inventory tells what there is");
      return;
    }
    std::vector<DriveRef> drives;
    for (const DriveRef& ref : all_logical_drives(*present_)) {
      if (comes_into_question(ref)) drives.push_back(ref);
    }
    if (drives.empty() && cases_.empty()) {
      miss(input_.drive ? describe(input_.drive->none_in(*present_))
           : present_->controllers.empty()
               ? "no Smart Array controller is here: there is nothing to decide; --from reads "
                 "another machine's capture"
               : "the inventory has no logical drive of solid-state disks, and Smart Path is for "
                 "these alone");
    }
    for (const Workload& workload : input_.planned) {
      if (has_case_of(workload)) continue;
      for (const DriveRef& at : drives) out_.workloads.push_back(planned(workload, at));
    }
  }

  DecidedWorkload planned(const Workload& workload, const DriveRef& at) {
    DecidedWorkload out;
    out.workload = workload;
    out.drive = drive_words(at);
    out.disk_count = at.drive->disk_count;
    say_bypass(bypass_share(workload, at), out);
    recommend(at, out);
    if (out.answer != ArmWinner::undecided) return out;
    out.recommendation =
        fmt::format("Undecided: nothing is measured on {}; measure both arms.", out.drive);
    out.because.push_back(fmt::format("for comparison, and no more: {}", published_sweep));
    for (std::string& text : how_to_measure(workload, at, *present_, options_.tool))
      miss(std::move(text));
    return out;
  }

  const DecisionInput& input_;
  const DecisionOptions& options_;
  const Inventory* present_;
  std::vector<Finding> findings_;  ///< of present_
  std::vector<Case> cases_;
  std::map<const RunResult*, RunSettings> settings_;
  std::set<std::string> unknown_;
  SmartPathDecision out_;
};

}  // namespace

SmartPathDecision decide_smart_path(const DecisionInput& input, const DecisionOptions& options) {
  return Decider(input, options).run();
}

}  // namespace raidscope
