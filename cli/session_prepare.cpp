#include <algorithm>
#include <set>

#include <fmt/core.h>
#include <fmt/ranges.h>

#include "cli/inputs.h"
#include "cli/judging.h"
#include "cli/result_place.h"
#include "cli/session_steps.h"
#include "cli/target_record.h"
#include "cli/terminal.h"
#include "cli/test_file_choice.h"
#include "cli/test_surroundings.h"
#include "controllers/inventory/inventory_diff.h"
#include "probe/base/text.h"
#include "reports/words.h"
#include "workloads/run/testfile_mark.h"

namespace raidscope::cli {

int Session::plan() {
  auto options = plan_options(arguments_, profile_ ? "sqlio-study" : "");
  if (!options) return complain(options.error());
  options_ = std::move(*options);
  if (resumed_ != nullptr) {
    if (options_.targets.empty()) options_.targets = {resumed_->record.targets.front().path};
    if (options_.targets.size() != resumed_->record.targets.size())
      return complain(exit_refused, "the session's options name other targets than it began with");
    rename_targets(options_, *resumed_);
    default_target_ = made_by_the_session() && resumed_->record.test_file->default_place;
  }
  if (options_.targets.empty()) {
    if (!profile_) {
      return complain(
          exit_usage,
          "no target; name a file or device with --target, or let `raidscope profile` make a file");
    }
    auto path = default_test_file();
    if (!path) return complain(path.error());
    options_.targets.push_back(std::move(*path));
    default_target_ = true;
    if (options_.targets.front().front() != '.')
      warn(fmt::format(
          "no test file can be made here (the folder is not writable or takes no direct "
          "I/O), so another disk may be measured: {}; name a file with --target",
          options_.targets.front()));
  }
  const std::set<std::string> distinct(options_.targets.begin(), options_.targets.end());
  if (distinct.size() != options_.targets.size())
    return complain(exit_usage, "the same --target is given twice");
  auto plan = make_plan(options_);
  if (!plan) return complain(plan.error());
  plan_ = std::move(*plan);
  if (options_.precondition_s > 0 && std::none_of(plan_.points.begin(), plan_.points.end(), writes))
    return complain(exit_usage,
                    "--precondition runs the workloads that write before they are measured, and "
                    "none of this plan writes; --fill-passes writes the area itself");
  return exit_done;
}

Status Session::refine_plan() {
  std::uint64_t smallest = file_size_ != 0 ? file_size_ : examination_.info.size_bytes.value_or(0);
  for (const TargetExamination& other : others_)
    smallest = std::min(smallest, other.info.size_bytes.value_or(0));
  if (absent_.empty()) options_.target_bytes = smallest;
  options_.testfile_bytes = file_size_ > present_bytes_ ? file_size_ - present_bytes_ : 0;
  const TargetPlace place = place_in(before_);
  const BlockSettings* block = nullptr;
  if (place.drive != nullptr && place.drive->block_device) block = &*place.drive->block_device;
  if (place.device != nullptr) block = &place.device->block_device;
  if (block != nullptr && block->logical_block_bytes && *block->logical_block_bytes > 0) {
    options_.logical_block_bytes = static_cast<std::uint64_t>(*block->logical_block_bytes);
  }
  RAIDSCOPE_TRY(plan_, make_plan(options_));
  refuse_what_does_not_fit_in_memory();
  RAIDSCOPE_TRY(const auto most, size_option(arguments_, "max-write"));
  if (most && (!plan_.bytes_to_write || *plan_.bytes_to_write > *most)) {
    plan_.refusals.push_back(
        {"max_write",
         plan_.bytes_to_write
             ? fmt::format("the plan writes up to {}, more than --max-write {}",
                           size_words(static_cast<double>(*plan_.bytes_to_write)),
                           size_words(static_cast<double>(*most)))
             : std::string("how much the plan writes is not known, and --max-write is given"),
         false});
  }
  return Done{};
}

/// Every request in flight has a buffer of its own.
void Session::refuse_what_does_not_fit_in_memory() {
  const auto available = available_memory();
  if (!available || arguments_.get_or("engine", "") == "null") return;
  for (const PlannedPoint& point : plan_.points) {
    const Workload& w = point.workload;
    const std::uint64_t block =
        w.block_bytes.empty() ? 0 : *std::max_element(w.block_bytes.begin(), w.block_bytes.end());
    const double needed = static_cast<double>(w.outstanding_total) *
                          static_cast<double>(std::max<std::uint64_t>(block, 4096));
    if (needed < 0.5 * static_cast<double>(*available)) continue;
    plan_.refusals.push_back(
        {"memory",
         fmt::format("{}: {} requests outstanding of {} need {} of memory, and {} are free; take "
                     "fewer workers or a smaller queue depth",
                     point.name, w.outstanding_total, size_words(static_cast<double>(block)),
                     size_words(needed), size_words(static_cast<double>(*available))),
         false});
    return;
  }
}

TargetPlace Session::place_in(const Inventory& inventory) const {
  return place_of_target(arguments_, inventory, examination_.info.device_chain)
      .value_or(TargetPlace{});
}

int Session::probe() {
  if (const auto file = arguments_.get("inventory")) {
    auto inventory = inventory_from(*file);
    if (!inventory) return complain(inventory.error());
    before_ = std::move(*inventory);
    given_ = true;
    // The I/O is done here all the same: somebody else's inventory does not make it hardware.
    const auto here = inventory_of_kernel(arguments_);
    emulated_ = is_lab(before_) || (here && is_lab(*here));
    return exit_done;
  }
  if (arguments_.has("inventory-after")) {
    return complain(exit_usage, "--inventory-after needs --inventory: both or neither are given");
  }
  auto inventory = probe_with_progress(arguments_);
  if (!inventory) return complain(inventory.error());
  before_ = std::move(*inventory);
  emulated_ = is_lab(before_);
  if (StopSignals::stop()) return StopSignals::exit_code();
  for (const std::string& failure : discovery_failures(before_)) {
    warn(failure);
    partly_ = true;
  }
  return exit_done;
}

/// What `profile` does with a test file of ours that is there already: one that was left by a
/// killed `profile` is made anew, one that is not full yet is filled, and a person's own keeps its
/// size.
Status Session::existing_file_fits(const std::optional<std::uint64_t>& size) {
  if (!profile_ || !examination_.made_by_raidscope) return Done{};
  const std::string& path = examination_.real_path.empty() ? target() : examination_.real_path;
  const auto mark = own_test_file(path);
  if (!mark) return Done{};
  left_behind_ = default_target_ && is_temporary(path);
  if (left_behind_) {
    remakes_file_ = true;
  } else if (!mark->complete() && (!size || *size == mark->size)) {
    remakes_file_ = true;
    unfilled_size_ = mark->size;
  } else if (size && *size > mark->size) {
    return fail(Errc::usage,
                fmt::format("the test file has {}, and --size asks for {}",
                            size_words(static_cast<double>(mark->size)),
                            size_words(static_cast<double>(*size))),
                target(),
                fmt::format("make it so with `raidscope testfile create {} --size {}`, or name a "
                            "file that is not there yet",
                            text::shell_word(target()), arguments_.get_or("size", "")));
  }
  return Done{};
}

int Session::examine() {
  const std::string sysroot = arguments_.get_or("sysroot", "");
  auto first = examine_target(target(), 0, sysroot);
  if (!first) return complain(first.error());
  examination_ = std::move(*first);
  if (const auto place = place_of_target(arguments_, before_, examination_.info.device_chain);
      !place) {
    return complain(place.error());
  }
  const auto size = size_option(arguments_, "size");
  if (!size) return complain(size.error());
  if (*size && **size < (1U << 20U)) return complain(exit_usage, "--size takes at least 1M");

  const bool file = examination_.info.kind != "block";
  present_bytes_ = examination_.exists ? examination_.info.size_bytes.value_or(0) : 0;
  if (made_by_the_session()) {
    const SessionTestFile& made = *resumed_->record.test_file;
    if (!examination_.exists || !test_file_is_whole(made, examination_.real_path)) {
      note(arguments_, fmt::format("the session's test file is {}: it is made anew, with the same "
                                   "size and content",
                                   examination_.exists ? "not whole" : "gone"));
      file_size_ = made.size_bytes;
      left_behind_ = examination_.exists;
      auto again = examine_target(
          target(), file_size_ > present_bytes_ ? file_size_ - present_bytes_ : 0, sysroot);
      if (!again) return complain(again.error());
      examination_ = std::move(*again);
    }
    return examine_others();
  }
  if (const Status fits = existing_file_fits(*size); !fits) return complain(fits.error());
  if (file && (!examination_.exists || remakes_file_)) {
    std::string absent = fmt::format(
        "the target is not there: {0}; make it with `raidscope testfile create {0} --size 10G`, or "
        "use `raidscope profile`",
        target());
    if (!profile_ && !arguments_.has("dry-run")) return complain(exit_no_input, absent);
    if (!profile_) {
      absent_.push_back(std::move(absent));
      if (*size) options_.area_bytes = *size;
      return examine_others();
    }
    std::uint64_t area = 0;
    for (const PlannedPoint& point : plan_.points) area = std::max(area, point.workload.area_bytes);
    const auto space = space_at(target());
    if (!space) return complain(space.error());
    file_size_ = *size ? **size
                 : unfilled_size_ != 0
                     ? unfilled_size_
                     : default_file_size(usable_cache(place_in(before_)), *space, area);
    auto again = examine_target(
        target(), file_size_ > present_bytes_ ? file_size_ - present_bytes_ : 0, sysroot);
    if (!again) return complain(again.error());
    examination_ = std::move(*again);
  } else if (*size) {
    options_.area_bytes = *size;
  }
  return examine_others();
}

int Session::examine_others() {
  const std::string sysroot = arguments_.get_or("sysroot", "");
  for (std::size_t i = 1; i < options_.targets.size(); ++i) {
    auto other = examine_target(options_.targets[i], 0, sysroot);
    if (!other) return complain(other.error());
    if (!other->exists) {
      std::string absent = fmt::format("the target is not there: {}", options_.targets[i]);
      if (!arguments_.has("dry-run")) return complain(exit_no_input, absent);
      absent_.push_back(std::move(absent));
    }
    for (std::size_t j = 0; j < i; ++j) {
      const TargetExamination& known = j == 0 ? examination_ : others_[j - 1];
      if (known.exists && other->exists && known.identity == other->identity) {
        return complain(exit_usage, fmt::format("{} and {} are one target under two names",
                                                options_.targets[j], options_.targets[i]));
      }
    }
    others_.push_back(std::move(*other));
  }
  if (const Status refined = refine_plan(); !refined) return complain(refined.error());
  if (resumed_ == nullptr) return exit_done;
  const std::string other = plan_difference(resumed_->record.points, plan_.points);
  if (other.empty()) return exit_done;
  return complain(exit_refused, fmt::format("the session's options do not make the plan that it "
                                            "began with: {}; begin a new session without --resume",
                                            other));
}

/// Results of one session are of one configuration, unless a person says otherwise.
int Session::compare_with_beginning() {
  if (resumed_ == nullptr) return exit_done;
  const ConfigChange change = config_change(resumed_->inventory, before_);
  const std::string& then = resumed_->record.inventory->fingerprint;
  const std::string now = reference_to(before_, place_in(before_), "").fingerprint;
  if (!change.changed && then == now) return exit_done;
  std::vector<std::string> what = change.changes;
  if (!change.changed) what = change.unverified;
  const std::string names = fmt::format("{}", fmt::join(what, "; "));
  const std::string changed = fmt::format(
      "the configuration is not what it was when the session began (fingerprint {} then, {} "
      "now){}{}",
      then.empty() ? "not told" : then, now.empty() ? "not told" : now, names.empty() ? "" : ": ",
      names);
  if (!resumed_->change_accepted)
    return complain(exit_refused,
                    changed + "; --accept-change goes on, and the results that follow say so");
  warn(changed);
  change_ = changed;
  partly_ = true;
  return exit_done;
}

int Session::audit() {
  std::vector<PlannedTest> tests;
  for (const PlannedPoint& point : plan_.points) {
    PlannedTest test = planned_test(point.workload, place_in(before_));
    if (test.area_bytes == 0) test.area_bytes = options_.target_bytes.value_or(0);
    test.writes_raw_device = writes(point) && examination_.info.kind == "block";
    tests.push_back(std::move(test));
  }
  add_plan(plan_, tests);
  if (options_.fill_passes > 0 || options_.precondition_s > 0) {
    for (PlannedTest& test : tests) test.preconditioned = true;
  }
  add_rests(arguments_, plan_, place_in(before_), tests);
  add_surroundings(examination_, arguments_.get_or("sysroot", ""), !arguments_.has("dry-run"),
                   tests);
  AuditOptions options;
  options.tool = vendor_tool_word(before_);
  audit_ = audit_all(before_, tests, options);

  auto accepted = list_option(arguments_, "accept");
  if (!accepted) return complain(accepted.error());
  std::vector<std::string> accept = std::move(*accepted);
  for (std::string& id : accept) {
    id = rule_id(id);
    if (find_rule(id) == nullptr) {
      return complain(
          exit_usage,
          fmt::format("--accept: no rule \"{}\"; `raidscope audit --list-rules` lists them", id));
    }
  }
  std::vector<std::string> blockers;
  for (const Finding& finding : audit_.findings) {
    if (finding.severity == Severity::info) continue;
    warn(fmt::format("{} {} ({}): {}", finding.rule, to_name(finding.severity),
                     subject_words(finding.subject), finding.evidence));
    if (finding.severity != Severity::block) continue;
    if (std::find(accept.begin(), accept.end(), finding.rule) != accept.end()) {
      if (std::find(accepted_.begin(), accepted_.end(), finding.rule) == accepted_.end())
        accepted_.push_back(finding.rule);
    } else if (std::find(blockers.begin(), blockers.end(), finding.rule) == blockers.end()) {
      blockers.push_back(finding.rule);
    }
  }
  if (!blockers.empty() && !arguments_.has("dry-run")) {
    return complain(
        exit_refused,
        fmt::format(
            "the audit blocks this test ({}); `raidscope audit` says how to mend it, --accept RULE "
            "goes on and stores that in the result",
            fmt::join(blockers, ", ")));
  }
  return exit_done;
}

}  // namespace raidscope::cli
