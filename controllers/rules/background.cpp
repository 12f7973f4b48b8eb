// Controller settings that let background work or power saving into a test: T09, T14, T15, T16.

#include <fmt/format.h>

#include "controllers/rules/drive_state.h"
#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_background;

namespace {

void surface_scan(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Text& mode = controller.settings.surface_scan_mode;
    // Not printed where there is no array to scan.
    if (!mode && (printed_whole(controller) || controller.mode == ControllerMode::hba)) continue;
    Condition holds;
    holds.require(mode ? Flag{same_word(*mode, "High")} : Flag{}, "surface scan mode");
    if (!context.decide(holds, subject_of(controller))) continue;
    const std::int64_t delay = controller.settings.surface_scan_delay_s.value_or(3);
    context.report(
        subject_of(controller),
        {.evidence = "Surface Scan Mode: " + *mode,
         .fix = {"for the time of the test:",
                 context.command(controller, "modify surfacescanmode=disable"),
                 "afterwards:", context.command(controller, "modify surfacescanmode=idle"),
                 context.command(controller, fmt::format("modify surfacescandelay={}", delay))},
         .affects = whole_controller(controller, "the scan is")});
  }
}

/// T04 or T05 holds on the controller, or would once a rebuild starts.
Flag work_pending(RuleContext& context, const Controller& controller) {
  Flag out = false;
  for (const DriveRef& at : context.logical_drives(controller)) {
    if (!at.drive->status) {
      out = any_of({out, Flag{}});
      continue;
    }
    const DriveState state = drive_state(*at.drive->status);
    out = any_of({out, state == DriveState::rebuilding || state == DriveState::transforming ||
                           contains_word(*at.drive->status, "ready for rebuild")});
  }
  for (const Array& array : controller.arrays) {
    for (const PhysicalDrive& drive : array.physical_drives) {
      if (!drive.status) continue;
      out = any_of({out, physical_drive_state(*drive.status) == DriveState::rebuilding});
    }
  }
  return out;
}

void high_priority(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const ControllerSettings& settings = controller.settings;
    const auto high = [&](const Text& priority) {
      if (priority) return Flag{same_word(*priority, "High")};
      return printed_whole(controller) ? Flag{false} : Flag{};
    };
    const Flag rebuild = high(settings.rebuild_priority);
    const Flag expand = high(settings.expand_priority);
    Condition holds;
    holds.require(any_of({rebuild, expand}), "rebuild and expand priority");
    if (holds.refuted()) continue;
    holds.require(work_pending(context, controller), "logical drive status");
    if (!context.decide(holds, subject_of(controller))) continue;
    FindingText text;
    if (settings.rebuild_priority)
      text.evidence = "Rebuild Priority: " + *settings.rebuild_priority;
    if (settings.expand_priority) {
      text.evidence +=
          (text.evidence.empty() ? "" : "; ") + ("Expand Priority: " + *settings.expand_priority);
    }
    for (const DriveRef& at : context.logical_drives(controller)) {
      if (at.drive->status && at.drive->number &&
          drive_state(*at.drive->status) != DriveState::ok) {
        text.evidence +=
            fmt::format("; logical drive {}: {}", *at.drive->number, *at.drive->status);
      }
    }
    text.fix = {"once the rebuild has been judged:"};
    if (rebuild == true) text.fix.push_back(context.command(controller, "modify rp=low"));
    if (expand == true) text.fix.emplace_back("lower the expand priority in the same way");
    text.affects = whole_controller(controller, "the priority is");
    context.report(subject_of(controller), std::move(text));
  }
}

std::optional<ControllerMode> mode_word(std::string_view text) {
  if (contains_word(text, "mixed")) return ControllerMode::mixed;
  if (contains_word(text, "hba")) return ControllerMode::hba;
  if (contains_word(text, "raid")) return ControllerMode::raid;
  return std::nullopt;
}

std::string_view mode_text(ControllerMode mode) {
  switch (mode) {
    case ControllerMode::raid:
      return "RAID";
    case ControllerMode::hba:
      return "HBA";
    case ControllerMode::mixed:
      return "Mixed";
  }
  return "?";
}

void controller_mode(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    std::optional<ControllerMode> mode = controller.mode;
    if (const std::string* on = extra_value(controller.extra, "HBA Mode Enabled");
        !mode && on && same_word(*on, "True")) {
      mode = ControllerMode::hba;
    }
    const Text& pending = controller.settings.pending_controller_mode;
    const auto coming = pending ? mode_word(*pending) : std::nullopt;
    // HBA mode came with Gen8; a whole block without a mode has none to choose.
    if (!mode && (printed_whole(controller) || before_smart_path(controller) == true)) continue;
    const bool hba = mode == ControllerMode::hba;
    Condition holds;
    holds.require(mode ? Flag{hba || (coming && *coming != *mode)} : Flag{}, "controller mode");
    if (!context.decide(holds, subject_of(controller))) continue;
    FindingText text;
    text.evidence = fmt::format("Controller Mode: {}", mode_text(*mode));
    if (pending) text.evidence += "; Pending Controller Mode: " + *pending;
    const bool waits = coming && *coming != *mode;
    if (waits) {
      text.why =
          "the mode changes at the next restart: what is measured now will not be there then";
      text.fix = {"restart the machine, then probe again"};
    } else {
      text.fix = {"choose the mode before the test; to leave HBA mode:",
                  context.command(controller, "modify hbamode=off"), "then restart the machine"};
    }
    text.affects = whole_controller(controller, "the mode is");
    context.report(subject_of(controller), std::move(text));
  }
}

void power_mode(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Text& mode = controller.settings.power_mode;
    if (!mode && printed_whole(controller)) continue;  // Gen9 and later have the setting
    Condition holds;
    holds.require(mode ? Flag{!contains_word(*mode, "max")} : Flag{}, "power mode");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = "Current Power Mode: " + *mode,
                    .fix = {context.command(controller, "modify powermode=maxperformance"),
                            "the spelling of this option is unverified: the tool's help decides"},
                    .affects = whole_controller(controller, "the mode is")});
  }
}

constexpr Rule rules[] = {
    {.id = "T09",
     .severity = Severity::warning,
     .condition = "\"Surface Scan Mode: High\"",
     .why = "the scan reads redundant logical drives during the test",
     .source = "SCAN, PB-jXX1fX62",
     .evaluate = surface_scan},
    {.id = "T14",
     .severity = Severity::warning,
     .condition =
         "the rebuild or expand priority is High while a rebuild or transformation is pending",
     .why = "the host's I/O is starved",
     .source = "CMDS, PB-2u3GXdX2",
     .evaluate = high_priority},
    {.id = "T15",
     .severity = Severity::error,
     .condition = "the pending controller mode differs from the present one, or HBA mode is on",
     .why = "in HBA mode there is no cache and no array; HP warns that performance will be poor",
     .source = "SWIFTLM, FX-redhat",
     .evaluate = controller_mode},
    {.id = "T16",
     .severity = Severity::warning,
     .condition = "\"Current Power Mode\" is not MaxPerformance",
     .why = "the card may run with a slower link or processor (effect unverified)",
     .source = "the tool's own line; effect unverified",
     .evaluate = power_mode},
};

}  // namespace

const RuleTopic rule_topic_background{"background", "Settings that disturb a test", rules};

}  // namespace raidscope
