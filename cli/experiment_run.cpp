#include "cli/experiment_run.h"

#include <algorithm>
#include <filesystem>
#include <unistd.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "cli/inputs.h"
#include "cli/pacing.h"
#include "cli/planning.h"
#include "cli/session.h"
#include "cli/settings_hands.h"
#include "cli/signals.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "probe/base/text.h"
#include "workloads/run/consent.h"

namespace raidscope::cli {
namespace {

/// The options of one visit's `run`: the plan's, and how to ask this machine and where to store.
Result<Arguments> visit_arguments(const Arguments& own, const Experiment& experiment,
                                  const Visit& visit) {
  std::vector<std::string> words = experiment.run;
  for (const char* name : {"store", "ssacli", "tool-timeout"}) {
    if (const auto value = own.get(name))
      words.insert(words.end(), {fmt::format("--{}", name), *value});
  }
  if (own.has("quiet")) words.emplace_back("--quiet");
  RAIDSCOPE_TRY(Arguments out, parse_arguments(*find_verb("run"), words));
  for (const char* forbidden : {"dry-run", "inventory", "inventory-after"}) {
    if (!out.has(forbidden)) continue;
    return fail(Errc::usage, fmt::format("an experiment's run takes no --{}", forbidden));
  }
  const bool several = !experiment.layouts.empty();
  const std::string name = out.get_or("name", "");
  // The last one counts.
  out.add("name", fmt::format("{}{}{}block {}, {}", name, name.empty() ? "" : ": ",
                              several ? fmt::format("layout {}, ", visit.layout + 1) : "",
                              visit.block + 1, visit.arm));
  // Each block has streams of its own, and every arm of a block the same.
  if (!out.has("seed")) {
    out.add("seed",
            std::to_string(experiment.seed * 1000 + static_cast<std::uint64_t>(visit.block)));
  }
  return out;
}

const Arm& arm_of(const Experiment& experiment, const Visit& visit) {
  return *std::find_if(experiment.arms.begin(), experiment.arms.end(),
                       [&](const Arm& arm) { return arm.name == visit.arm; });
}

bool changes_settings(const Arm& arm) {
  return arm.smart_path || arm.caching || arm.cache_ratio || arm.surface_scan;
}

class ExperimentRun {
 public:
  ExperimentRun(const Arguments& arguments, std::string plan_path, const Experiment& experiment)
      : arguments_(arguments), state_path_(state_path(arguments, plan_path)), plan_(plan_path) {
    state_.experiment = experiment;
  }

  int run() {
    // From one end to the other: between two visits a signal must find somebody who puts back.
    const StopSignals signals;
    if (const int code = take_up(); code != exit_done) return code;
    if (const int code = prepare(); code != exit_done) return code;
    int code = save();  // before anything is changed or measured
    if (code == exit_done) code = visit_all();
    if (changed_anything_) code = put_back(code);
    const bool all = std::all_of(state_.visits.begin(), state_.visits.end(),
                                 [](const Visit& visit) { return visit.done; });
    if (all) {
      std::error_code ignored;
      std::filesystem::remove(state_path_, ignored);
      note(arguments_,
           fmt::format(
               "the experiment is complete, as session {0}: `raidscope decide smart-path {0}` "
               "or `raidscope compare --by smart_path {0}` says what it shows",
               state_.session_id));
    } else {
      note(arguments_, fmt::format("{} of {} visits are left: raidscope experiment {}{} --resume",
                                   left(), state_.visits.size(), text::shell_word(plan_),
                                   arguments_.has("apply") ? " --apply" : ""));
    }
    return code;
  }

 private:
  [[nodiscard]] std::size_t left() const {
    return static_cast<std::size_t>(std::count_if(state_.visits.begin(), state_.visits.end(),
                                                  [](const Visit& visit) { return !visit.done; }));
  }

  int take_up() {
    const bool there = std::filesystem::exists(state_path_);
    if (!there && arguments_.has("resume"))
      return complain(exit_no_input,
                      fmt::format("there is no experiment to resume: {}", state_path_));
    if (there && !arguments_.has("resume")) {
      return complain(exit_usage,
                      fmt::format("this experiment was begun and is not complete: go on with "
                                  "--resume, or remove {} to begin anew",
                                  state_path_));
    }
    if (!there) {
      state_.session_id = new_id('s');
      state_.visits = visits_of(state_.experiment);
      return exit_done;
    }
    const auto text = read_input(state_path_);
    if (!text) return complain(text.error());
    auto state = state_from_text(*text, state_path_);
    if (!state) return complain(state.error());
    if (state->experiment != state_.experiment) {
      return complain(exit_refused,
                      fmt::format("the plan is not the one that was begun: {} holds that one; "
                                  "restore the plan, or remove the state to begin anew",
                                  state_path_));
    }
    state_ = std::move(*state);
    return exit_done;
  }

  int prepare() {
    const auto first = visit_arguments(arguments_, state_.experiment, state_.visits.front());
    if (!first) return complain(first.error());
    run_ = *first;
    if (run_.all("target").empty())
      return complain(exit_usage, "the experiment's run names no --target");
    const bool changes =
        std::any_of(state_.experiment.arms.begin(), state_.experiment.arms.end(), changes_settings);
    if (!changes) return exit_done;
    if (!arguments_.has("apply")) {
      return complain(exit_refused,
                      "the arms change settings of the controller; --apply allows it, and they are "
                      "put back at the end");
    }
    if (::geteuid() != 0)
      return complain(
          exit_no_privilege,
          fmt::format("changing settings needs root: sudo raidscope experiment {} --apply",
                      text::shell_word(plan_)));
    auto tool = tool_for_changes(arguments_);
    if (!tool) return complain(tool.error());
    tool_ = std::move(*tool);
    const std::string journal = journal_path(arguments_);
    const bool open = settings::JournalFile::is_open(journal);
    if (open && !arguments_.has("resume")) {
      return complain(exit_refused,
                      fmt::format("settings were changed and are not put back yet ({}): `{}` first",
                                  journal, settings::JournalFile::restore_command(journal)));
    }
    auto file = settings::JournalFile::hold(journal);
    if (!file) return complain(file.error());
    if (const Status alone = no_other_journal(journal); !alone) return complain(alone.error());
    journal_.emplace(std::move(*file));
    changed_anything_ = open;
    return exit_done;
  }

  [[nodiscard]] settings::Hands hands() const { return settings_hands(arguments_, tool_); }

  /// 0 when the arm is set; else the exit code, said.
  int set_arm(const Arm& arm, const Inventory& inventory, const TargetPlace& place) {
    if (!changes_settings(arm)) return exit_done;
    if (place.controller == nullptr || place.drive == nullptr) {
      return complain(exit_refused,
                      "it is not known on which logical drive the target lies, so no setting is "
                      "changed: name it with --logical-drive in the plan's run");
    }
    settings::Wish wish;
    wish.slot = place.controller->slot;
    wish.drive = place.drive->number;
    if (arm.smart_path) wish.smart_path = *arm.smart_path == "on";
    if (arm.caching) wish.caching = *arm.caching == "on";
    if (arm.cache_ratio) {
      wish.ratio = settings::ratio_of(*arm.cache_ratio);
      if (!wish.ratio)
        return complain(exit_malformed, fmt::format("\"{}\" is no cache ratio", *arm.cache_ratio));
    }
    wish.surface_scan_mode = arm.surface_scan;
    const auto plan = settings::plan_changes(inventory, wish, hands().tool);
    if (!plan) return complain(plan.error());
    if (plan->steps.empty()) return exit_done;
    changed_anything_ = true;
    if (const Status done = settings::apply_further(*plan, *journal_, hands()); !done)
      return complain(done.error());
    return exit_done;
  }

  int visit_all() {
    std::size_t number = 0;
    for (Visit& visit : state_.visits) {
      ++number;
      if (visit.done) continue;
      note(arguments_, fmt::format("visit {} of {}: block {}, arm {}", number, state_.visits.size(),
                                   visit.block + 1, visit.arm));
      if (const int code = make_visit(visit); code != exit_done && code != exit_partly) return code;
      partly_ = partly_ || !visit.done;
      if (!visit.done) return exit_partly;
    }
    return exit_done;
  }

  /// Leaves visit.done false when a person is needed; gives the code of what failed.
  int make_visit(Visit& visit) {
    const auto run = visit_arguments(arguments_, state_.experiment, visit);
    if (!run) return complain(run.error());
    const auto inventory = inventory_of_machine(*run);
    if (StopSignals::stop()) return StopSignals::exit_code();
    if (!inventory) return complain(inventory.error());
    const auto target = examine_target(run->all("target").front(), 0, "");
    if (!target) return complain(target.error());
    const auto place = place_of_target(*run, *inventory, target->info.device_chain);
    if (!place) return complain(place.error());
    if (!state_.experiment.layouts.empty()) {
      const Layout& layout = state_.experiment.layouts[static_cast<std::size_t>(visit.layout)];
      if (const int code = check_layout(layout, *place, vendor_tool_word(*inventory));
          code != exit_done) {
        return code;
      }
    }
    if (const int code = set_arm(arm_of(state_.experiment, visit), *inventory, *place);
        code != exit_done) {
      return code;
    }
    rest(*run, place->controller);
    if (StopSignals::stop()) return StopSignals::exit_code();
    const int code = run_part_of(state_.session_id, *run);
    if (code != exit_done && code != exit_partly) return code;
    partly_ = partly_ || code == exit_partly;
    visit.done = true;
    measured_ = true;
    return save();
  }

  int save() const {
    const Status written = write_file_atomically(state_path_, state_text(state_));
    if (written) return exit_done;
    complain(written.error());
    return exit_cannot_write;
  }

  int check_layout(const Layout& layout, const TargetPlace& place, std::string_view tool) {
    if (place.controller == nullptr)
      return complain(exit_refused, "it is not known on which controller the target lies");
    std::vector<std::string> wrong{"no logical drive is known under the target"};
    if (place.drive != nullptr) wrong = misfits(layout, *place.drive);
    if (wrong.empty()) return exit_done;
    complain(exit_partly, fmt::format("the target's drive is not as the plan wants it: {}",
                                      fmt::join(wrong, "; ")));
    for (const std::string& line :
         how_to_make(layout, *place.controller, place.array, place.drive, tool)) {
      note(arguments_, line);
    }
    note(arguments_, "the state is saved; make the drive, then go on with --resume");
    return exit_partly;
  }

  /// Between arms what the cache holds is written first (rule W04).
  void rest(const Arguments& run, const Controller* controller) {
    if (!measured_ || controller == nullptr) return;
    const auto asked = asked_rest(run);
    if (!asked) return;
    if (*asked) return leave_idle(arguments_, **asked);
    const auto time = duration_option(run, "time");
    if (!time || !rests_between(time->value_or(30), time->value_or(30))) return;
    leave_idle(arguments_, drain_seconds(usable_cache(*controller), std::nullopt));
  }

  int put_back(int code) {
    const Status back = settings::restore(*journal_, hands());
    if (back) return code == exit_done && partly_ ? static_cast<int>(exit_partly) : code;
    const ExitCode failed = complain(back.error());
    return code == exit_done || code == exit_partly ? static_cast<int>(failed) : code;
  }

  const Arguments& arguments_;
  const std::string state_path_, plan_;
  ExperimentState state_;
  Arguments run_;
  std::string tool_;
  std::optional<settings::JournalFile> journal_;
  bool changed_anything_ = false, partly_ = false, measured_ = false;
};

}  // namespace

std::string state_path(const Arguments& arguments, const std::string& plan_path) {
  return arguments.get_or("state", plan_path + ".state");
}

int run_experiment(const Arguments& arguments, const std::string& plan_path,
                   const Experiment& experiment) {
  return ExperimentRun(arguments, plan_path, experiment).run();
}

}  // namespace raidscope::cli
