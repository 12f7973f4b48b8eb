#include <algorithm>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/inputs.h"
#include "cli/judging.h"
#include "cli/pacing.h"
#include "cli/result_place.h"
#include "cli/session_steps.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "controllers/inventory/inventory_diff.h"
#include "controllers/rules/window.h"
#include "reports/words.h"
#include "workloads/run/runner.h"

namespace raidscope::cli {

std::optional<SnapshotRef> Session::snapshot_ref(const Inventory& inventory) {
  auto id = store_->put_snapshot(inventory);
  if (!id) {
    warn(describe(id.error()));
    partly_ = true;
    return std::nullopt;
  }
  snapshots_.emplace(*id, inventory);
  return reference_to(inventory, place_in(inventory), *id);
}

Result<RunResult> Session::measure_point(const PlannedPoint& point) {
  ProgressLine line(arguments_);
  RunOptions options = run_options(point.name, line);
  if (writes(point)) options.consents = consents_;
  return run_workload(point.workload, options);
}

std::string Session::name_of(const PlannedPoint& point) const {
  const auto name = arguments_.get("name");
  return name ? fmt::format("{}: {}", *name, point.name) : point.name;
}

/// A round whose window of rounds is not steady yet, or never becomes so, says so.
void Session::judge_round(RunResult& result, const RoundsRule& rule,
                          const MeasuredRounds& rounds) const {
  if (!rule.steady) return;
  const SteadyState steady = rounds.steady(result.workload, *rule.steady);
  if (steady.reached.value_or(true)) return;
  result.checks.suspicions.push_back(fmt::format("not steady after {} rounds: {}",
                                                 rounds.count(result.workload),
                                                 steady_words(steady, *rule.steady)));
}

void Session::audit_what_happened(RunResult& result, const PlannedPoint& point,
                                  const Inventory& after) {
  AuditOptions options;
  options.tool = vendor_tool_word(before_);
  AuditReport report = audit_window({before_, last_look_, after},
                                    planned_test(point.workload, place_in(before_)), options);
  for (const Finding& finding : report.findings) {
    warn(fmt::format("{} {} ({}): {}", finding.rule, to_name(finding.severity),
                     subject_words(finding.subject), finding.evidence));
  }
  add_findings(result, std::move(report.findings));
  if (!given_) last_look_ = after;  // a given pair is around every point
}

void Session::close_inventory(RunResult& result, const PlannedPoint& point, Look look) {
  if (given_) {
    const auto file = arguments_.get("inventory-after");
    if (!file) return;
    auto after = inventory_from(*file);
    if (!after) {
      warn(describe(after.error()));
      partly_ = true;
      return;
    }
    result.inventory_after = snapshot_ref(*after);
    ConfigChange change = config_change(before_, *after);
    result.config_changed = change.changed;
    result.changes = std::move(change.changes);
    result.unverified = std::move(change.unverified);
    audit_what_happened(result, point, *after);
    return;
  }
  // Between points the kernel's own files are enough; the vendor tool is asked again at the end, so
  // that it does not disturb what is measured.
  auto after =
      look == Look::closing ? inventory_of_machine(arguments_) : inventory_of_kernel(arguments_);
  // A person who stops a run does not wait for the vendor tool.
  if (StopSignals::stop()) {
    if (look == Look::closing) after = inventory_of_kernel(arguments_);
    look = Look::stopped;
  }
  if (!after) {
    warn(describe(after.error()));
    partly_ = true;
    return;
  }
  audit_what_happened(result, point, *after);
  ConfigChange change = config_change(before_, *after);
  result.unverified = std::move(change.unverified);
  result.changes = std::move(change.changes);
  if (look == Look::stopped) {
    // The kernel's files do not tell what the vendor tool would: a change is one, no change is
    // none.
    if (change.changed == true || !controllers_told(before_))
      result.config_changed = change.changed;
    result.inventory_after = snapshot_ref(*after);
  } else if (look == Look::closing) {
    for (const std::string& failure : discovery_failures(*after)) {
      warn("after the run: " + failure);
      partly_ = true;
    }
    const bool complete = discovery_failures(*after).size() <= discovery_failures(before_).size();
    if (complete || change.changed) result.config_changed = change.changed;
    result.inventory_after = snapshot_ref(*after);
  } else {
    result.config_changed = change.changed;
    result.inventory_after = change.changed ? snapshot_ref(*after) : result.inventory_before;
  }
}

/// Durably, before the first request: from then on another process can go on with the session.
Status Session::begin_record(const std::optional<SnapshotRef>& before) {
  if (recorded_ || part_ || !before) return Done{};
  SessionRecord record =
      record_of_session(arguments_, verb(), session_id_, plan_, options_.targets, examinations());
  record.inventory = before;
  if (made_file_)
    record.test_file = SessionTestFile{examination_.info.size_bytes.value_or(0),
                                       options_.seed.value_or(1), default_target_};
  if (const Status stored = store_->put_session(record, this_process()); !stored) {
    if (stored.error().code != Errc::usage) return stored;
    note(arguments_, describe(stored.error()));
    return Done{};
  }
  recorded_ = true;
  return Done{};
}

void Session::say_how_to_go_on() {
  if (recorded_)
    note(arguments_, fmt::format("session {} is unfinished: raidscope {} --resume {}", session_id_,
                                 verb(), session_id_));
}

int Session::measure() {
  std::vector<PlannedPoint> to_measure;
  for (std::size_t i = 0; i < plan_.points.size(); ++i) {
    if (missing(i)) to_measure.push_back(plan_.points[i]);
  }
  const std::size_t left = to_measure.size();
  const double left_s = planned_seconds(to_measure, options_.precondition_s);
  const std::size_t planned = plan_.points.size();
  if (resumed_ != nullptr)
    note(arguments_,
         fmt::format("going on with session {}: {} of {} {} measured, {} left to measure",
                     session_id_, planned - left, planned, planned == 1 ? "point is" : "points are",
                     left));
  if (part_ && left != planned)
    note(arguments_, fmt::format("{} of {} {} measured already", planned - left, planned,
                                 planned == 1 ? "point is" : "points are"));
  if (part_ && left == 0) return exit_done;
  note(arguments_, fmt::format("{} {} on {}, about {}", left, left == 1 ? "point" : "points",
                               fmt::join(options_.targets, ", "), duration_words(left_s)));
  std::optional<SnapshotRef> before = snapshot_ref(before_);
  if (const Status recorded = begin_record(before); !recorded) {
    complain(recorded.error());
    return exit_cannot_write;
  }
  int code = exit_done;
  bool whole = true;
  left_s_ = left_s;
  last_look_ = before_;
  if (!given_) {
    // Counters of the driver move while the test file is made, so they are read again here.
    if (auto look = inventory_of_kernel(arguments_)) last_look_ = std::move(*look);
  }
  const auto until = rounds_rule(arguments_);
  if (!until) return complain(until.error());
  MeasuredRounds rounds;
  for (const RunResult& result : results_) rounds.add(result);
  const auto spared = [&](std::size_t i) {
    return !missing(i) || (*until && rounds.enough(plan_.points[i], **until));
  };
  const auto is_last = [&](std::size_t i) {
    while (++i < plan_.points.size()) {
      if (!spared(i)) return false;
    }
    return true;
  };
  // A session that is gone on with was filled before its first result.
  if (options_.fill_passes > 0 && results_.empty() && left > 0) {
    if (const Status filled = fill_targets(); !filled) {
      code = complain(filled.error());
      whole = false;
    }
  }
  for (std::size_t i = 0; whole && i < plan_.points.size(); ++i) {
    if (!missing(i)) continue;
    if (spared(i)) {
      left_s_ -= duration_of({&plan_.points[i], 1});
      continue;
    }
    if (measured_ > 0) {
      const TargetPlace place = place_in(before_);
      const auto pause = pause_before_next(arguments_, results_.back(), plan_.points[i],
                                           place.controller, place.drive);
      if (!pause) return complain(pause.error());
      leave_idle(arguments_, *pause);
    }
    if (StopSignals::stop()) {
      whole = false;
      break;
    }
    if (const Status ready = precondition(plan_.points[i]); !ready) {
      if (ready.error().code != Errc::interrupted) code = complain(ready.error());
      whole = false;
      break;
    }
    auto result = measure_point(plan_.points[i]);
    if (!result) {
      code = complain(result.error());
      whole = false;
      break;
    }
    left_s_ -= duration_of({&plan_.points[i], 1});
    result->run_id = new_id('r');
    result->session_id = session_id_;
    result->name = name_of(plan_.points[i]);
    if (emulated_) result->origin = Origin::simulated;
    name_place(result->target, place_in(before_));
    if (result->target.device_chain.empty())
      result->target.device_chain = examination_.info.device_chain;
    result->inventory_origin = given_ ? "given" : "probed";
    result->inventory_before = before;
    result->audit = audit_.findings;
    result->accepted = accepted_;
    for (const std::string& problem : file_problems_) result->checks.suspicions.push_back(problem);
    if (file_misleads_) result->checks.valid = false;
    result->preconditioning = preconditioning_before(plan_.points[i]);
    if (!change_.empty())
      result->checks.suspicions.push_back("gone on with after a change: " + change_);
    const bool stopped = StopSignals::stop();
    if (stopped && result->read.ios == 0U && result->write.ios == 0U) {
      whole = false;
      break;
    }
    if (*until && !stopped) {
      rounds.add(*result);
      judge_round(*result, **until, rounds);
    }
    close_inventory(*result, plan_.points[i],
                    stopped      ? Look::stopped
                    : is_last(i) ? Look::closing
                                 : Look::between);
    if (result->config_changed.value_or(false)) {
      // The vendor tool is asked only before the first point and after the last.
      warn(fmt::format("the configuration changed {} \"{}\": {}",
                       plan_.points.size() > 1 && !given_ ? "during or before" : "during",
                       result->name, fmt::join(result->changes, "; ")));
      if (plan_.points.size() > 1 && i > 0)
        warn(
            "earlier points of this session may have been measured with either configuration; "
            "measure them again");
      partly_ = true;
    }
    judge_result(arguments_, before_, place_in(before_), *result);
    // The after of one point is the before of the next.
    if (result->inventory_after) before = result->inventory_after;
    if (const Status stored = store_->put_run(*result); !stored) {
      complain(stored.error());
      code = exit_cannot_write;
    }
    results_.push_back(std::move(*result));
    ++measured_;
    if (stopped || code != exit_done) {
      whole = false;
      break;
    }
  }
  if (*until && (*until)->steady) {
    for (const std::string& line : steady_lines(plan_.points, rounds, *(*until)->steady))
      note(arguments_, line);
  }
  if (!whole) {
    say_how_to_go_on();
  } else if (recorded_) {
    if (const Status ended = store_->finish_session(session_id_, utc_now()); !ended) {
      complain(ended.error());
      code = exit_cannot_write;
    }
  }
  if (StopSignals::exit_code() != 0) code = StopSignals::exit_code();
  if (!results_.empty()) {
    const int printed = print_results();
    if (code == exit_done) code = printed;
  }
  return code == exit_done && partly_ ? static_cast<int>(exit_partly) : code;
}

}  // namespace raidscope::cli
