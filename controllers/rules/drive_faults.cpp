// The state of physical drives: T08, T10, T11, T13.

#include <fmt/format.h>

#include "controllers/rules/drive_state.h"
#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_drive_faults;

namespace {

std::string drive_evidence(const PhysicalDriveRef& at) {
  std::string out = fmt::format("physicaldrive {} Status: {}", at.drive->bay.value_or("?"),
                                at.drive->status.value_or("?"));
  if (at.drive->model) out += "; Model: " + *at.drive->model;
  return out;
}

Flag in_state(const PhysicalDrive& drive, DriveState state) {
  if (!drive.status) return std::nullopt;
  return physical_drive_state(*drive.status) == state;
}

/// Calls `found` for each physical drive in this state.
template <class Found>
void each_in_state(RuleContext& context, DriveState state, Found found) {
  for (const Controller& controller : context.controllers()) {
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      Condition holds;
      holds.require(in_state(*at.drive, state), "physical drive status");
      if (context.decide(holds, subject_of(at))) found(at);
    }
  }
}

std::string show_drive(const RuleContext& context, const PhysicalDriveRef& at) {
  return context.command(*at.controller, at.drive->bay
                                             ? fmt::format("pd {} show detail", *at.drive->bay)
                                             : std::string("pd all show detail"));
}

void erase_running(RuleContext& context) {
  each_in_state(context, DriveState::erasing, [&](const PhysicalDriveRef& at) {
    FindingText text;
    text.evidence = drive_evidence(at);
    if (at.drive->progress_pct) {
      text.evidence += fmt::format("; Erase Percent Complete: {}%", *at.drive->progress_pct);
    } else if (const std::string* done = extra_value(at.drive->extra, "Erase Percent Complete")) {
      text.evidence += "; Erase Percent Complete: " + *done;
    }
    text.fix = {"wait for the end, or stop it:"};
    text.fix.push_back(
        at.drive->bay
            ? context.command(*at.controller, fmt::format("pd {} modify stoperase", *at.drive->bay))
            : std::string("stop the erase of this drive"));
    text.affects = "this drive only; a stopped erase leaves it unusable until it is re-enabled";
    context.report(subject_of(at), std::move(text));
  });
  // A logical drive can be erased as a whole.
  for (const Controller& controller : context.controllers()) {
    for (const DriveRef& at : context.logical_drives(controller)) {
      if (!at.drive->status || drive_state(*at.drive->status) != DriveState::erasing) continue;
      context.report(subject_of(at), {.evidence = "Status: " + *at.drive->status,
                                      .fix = {"wait for the end of the erase"},
                                      .affects = ""});
    }
  }
}

/// "predictive": the spare takes over before the drive fails.
Flag activates_early(const Controller& controller) {
  if (const Text& mode = controller.settings.spare_activation_mode) {
    return contains_word(*mode, "predictive");
  }
  for (const std::string& banner : controller.warnings) {
    if (contains_word(banner, "Predictive Spare Activation Mode is enabled")) return true;
  }
  // The older tools and cards have no such mode.
  if (printed_whole(controller)) return false;
  return std::nullopt;
}

void spare_may_start(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    Condition early;
    early.require(activates_early(controller), "spare activation mode");
    if (early.refuted()) continue;
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      Condition holds = early;
      holds.require(in_state(*at.drive, DriveState::predictive_failure), "physical drive status");
      if (!context.decide(holds, subject_of(at))) continue;
      context.report(subject_of(at),
                     {.evidence = fmt::format("Spare Activation Mode: {}; {}",
                                              controller.settings.spare_activation_mode.value_or(
                                                  "predictive (from the tool's note)"),
                                              drive_evidence(at)),
                      .fix = {"for the time of the test:",
                              context.command(controller, "modify spareactivationmode=failure")},
                      .affects = whole_controller(controller, "the mode is")});
    }
  }
}

void predicted_to_fail(RuleContext& context) {
  each_in_state(context, DriveState::predictive_failure, [&](const PhysicalDriveRef& at) {
    context.report(subject_of(at), {.evidence = drive_evidence(at),
                                    .fix = {"replace the drive", show_drive(context, at)},
                                    .affects = ""});
  });
}

void failed(RuleContext& context) {
  each_in_state(context, DriveState::failed, [&](const PhysicalDriveRef& at) {
    FindingText text;
    text.evidence = drive_evidence(at);
    if (at.drive->last_failure_reason) {
      text.evidence += "; Last Failure Reason: " + *at.drive->last_failure_reason;
    }
    text.fix = {at.drive->last_failure_reason
                    ? "do as the reason says; replace the drive if it does not come back"
                    : "replace the drive",
                show_drive(context, at)};
    context.report(subject_of(at), std::move(text));
  });
}

constexpr Rule rules[] = {
    {.id = "T08",
     .severity = Severity::block,
     .condition = "a drive is being erased or sanitized",
     .why = "the drive is busy",
     .source = "CMDS",
     .evaluate = erase_running},
    {.id = "T10",
     .severity = Severity::warning,
     .condition = "the spare activation mode is predictive and a physical drive is in Predictive "
                  "Failure",
     .why = "a rebuild may start in the middle of the test",
     .source = "ACUCL, CMDS",
     .evaluate = spare_may_start},
    {.id = "T11",
     .severity = Severity::error,
     .condition = "a physical drive's status is Predictive Failure",
     .why = "retries lengthen the tail of the latencies",
     .source = "DSA, https://github.com/glensc/nagios-plugin-check_raid/issues/211",
     .evaluate = predicted_to_fail},
    {.id = "T13",
     .severity = Severity::block,
     .condition = "a physical drive has failed; its last failure reason is printed",
     .why = "the array runs without it, or it cannot be used",
     .source = "field note",
     .evaluate = failed},
};

}  // namespace

const RuleTopic rule_topic_drive_faults{"drive_faults", "State of physical drives", rules};

}  // namespace raidscope
