// The state of controllers, arrays and logical drives: T01 to T07 and T12.

#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/rules/drive_state.h"
#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_array_state;

namespace {

void controller_state(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const bool lockup = is_locked_up(controller);
    Condition holds;
    holds.require(lockup              ? Flag{true}
                  : controller.status ? Flag{!same_word(*controller.status, "OK")}
                                      : Flag{},
                  "controller status");
    if (!context.decide(holds, subject_of(controller))) continue;
    FindingText text;
    std::vector<std::string> parts;
    // What the subject cannot name: a controller that has locked up does not tell its slot.
    if (!controller.slot && controller.pci_address)
      parts.push_back("the controller at " + *controller.pci_address);
    if (controller.status) parts.push_back("Controller Status: " + *controller.status);
    if (lockup) parts.push_back("lockup_detected: " + *controller.lockup);
    text.evidence = fmt::format("{}", fmt::join(parts, "; "));
    if (lockup) {
      text.fix = {
          "save the controller's log, power off and on, and look for firmware that mends "
          "it, before any test"};
    } else {
      text.fix = {"repair the controller before any test",
                  context.command(controller, "show detail")};
    }
    text.affects = whole_controller(controller, "the fault is");
    context.report(subject_of(controller), std::move(text));
  }
}

void array_failed(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const DriveGroup& group : context.drive_groups(controller)) {
      if (!group.array) {
        context.missing("array", subject_of(group));
        continue;
      }
      const Text& status = group.array->status;
      // A word for work in progress is the drives' affair (T04, T05).
      const bool degraded = status && drive_state(*status) == DriveState::degraded;
      Condition holds;
      holds.require(status ? Flag{degraded} : Flag{}, "array status");
      if (!context.decide(holds, subject_of(group))) continue;
      FindingText text;
      text.evidence = "array Status: " + *status;
      for (const PhysicalDrive& drive : group.array->physical_drives) {
        if (!drive.status || !drive.bay) continue;
        if (physical_drive_state(*drive.status) != DriveState::failed) continue;
        text.evidence += "; physicaldrive " + *drive.bay + ": " + *drive.status;
      }
      text.fix = {"replace the failed drive, and wait for the rebuild",
                  context.command(controller, "pd all show status")};
      const std::string drives = name_drives(group.drives);
      if (!drives.empty()) text.affects = drives;
      context.report(subject_of(group), std::move(text));
    }
  }
}

/// T03 to T05: the logical drive's status is of this kind.
template <class Fill>
void drives_in_state(RuleContext& context, DriveState state, Fill fill) {
  for (const Controller& controller : context.controllers()) {
    for (const DriveRef& at : context.logical_drives(controller)) {
      const Text& status = at.drive->status;
      Condition holds;
      holds.require(status ? Flag{drive_state(*status) == state} : Flag{}, "logical drive status");
      if (!context.decide(holds, subject_of(at))) continue;
      FindingText text;
      text.evidence = "Status: " + *status;
      if (at.drive->progress_pct) {
        text.evidence += fmt::format(", {}% complete", *at.drive->progress_pct);
      }
      fill(at, text);
      context.report(subject_of(at), std::move(text));
    }
  }
}

void degraded(RuleContext& context) {
  drives_in_state(context, DriveState::degraded, [&](const DriveRef& at, FindingText& text) {
    if (contains_word(*at.drive->status, "interim") || contains_word(*at.drive->status, "ready")) {
      text.fix = {
          "replace the failed drive where it is not yet replaced, and let the rebuild end:"};
    } else {
      text.why = "the drive does not work as it should: what is measured is not the array";
      text.fix = {"repair the array first:"};
    }
    text.fix.push_back(context.command(*at.controller, "show config detail"));
  });
}

void rebuilding(RuleContext& context) {
  drives_in_state(context, DriveState::rebuilding, [&](const DriveRef& at, FindingText& text) {
    text.fix = {"wait for the rebuild to end:",
                context.command(*at.controller, "ld all show status")};
  });
  for (const Controller& controller : context.controllers()) {
    for (const PhysicalDriveRef& at : context.physical_drives(controller)) {
      const Text& status = at.drive->status;
      Condition holds;
      holds.require(status ? Flag{physical_drive_state(*status) == DriveState::rebuilding} : Flag{},
                    "physical drive status");
      if (!context.decide(holds, subject_of(at))) continue;
      context.report(subject_of(at), {.evidence = fmt::format("physicaldrive {} Status: {}",
                                                              at.drive->bay.value_or("?"), *status),
                                      .fix = {"wait for the rebuild to end:",
                                              context.command(controller, "pd all show status")},
                                      .affects = ""});
    }
  }
}

void transforming(RuleContext& context) {
  drives_in_state(context, DriveState::transforming, [&](const DriveRef& at, FindingText& text) {
    text.fix = {"wait for it to end:", context.command(*at.controller, "ld all show status")};
    if (gen10(*at.controller)) {
      text.fix.emplace_back("start no migration on firmware before 1.34");
    }
    text.affects = whole_controller(*at.controller, "the work on the drives is");
  });
}

/// Levels that keep parity. Null where the level is not known.
Flag has_parity(const LogicalDrive& drive) {
  const auto parity = [](std::string_view raid) {
    return raid == "4" || raid == "5" || raid == "5+1" || raid == "6" || raid == "50" ||
           raid == "60";
  };
  if (drive.raid) return parity(*drive.raid);
  if (drive.raid_candidates.empty()) return std::nullopt;
  if (std::none_of(drive.raid_candidates.begin(), drive.raid_candidates.end(), parity))
    return false;
  return std::nullopt;
}

template <class Fill>
void parity_in_state(RuleContext& context, std::initializer_list<ParityInit> states,
                     std::string_view status_words, Fill fill) {
  for (const Controller& controller : context.controllers()) {
    for (const DriveRef& at : context.logical_drives(controller)) {
      const LogicalDrive& drive = *at.drive;
      const bool by_status =
          !status_words.empty() && drive.status && contains_word(*drive.status, status_words);
      Condition holds;
      if (by_status) {
        holds.require(true, "");
      } else if (drive.parity_init) {
        holds.require(std::find(states.begin(), states.end(), *drive.parity_init) != states.end(),
                      "");
      } else if (printed_whole(controller, drive)) {
        continue;  // the older tools have no such line, and levels without parity print none
      } else {
        holds.require(has_parity(drive), "RAID level").require({}, "parity initialization status");
      }
      if (!context.decide(holds, subject_of(at))) continue;
      FindingText text;
      if (drive.parity_init) {
        constexpr std::string_view words[] = {"Initialization Completed", "In Progress", "Queued",
                                              "Initialization Failed"};
        text.evidence = fmt::format("Parity Initialization Status: {}",
                                    words[static_cast<std::size_t>(*drive.parity_init)]);
      } else {
        text.evidence = "Status: " + *drive.status;
      }
      if (drive.parity_progress_pct) {
        text.evidence += fmt::format(", {}% complete", *drive.parity_progress_pct);
      }
      if (drive.raid) text.evidence += "; Fault Tolerance: " + *drive.raid;
      fill(at, text);
      context.report(subject_of(at), std::move(text));
    }
  }
}

std::string show_drive(const RuleContext& context, const DriveRef& at) {
  return at.drive->number
             ? context.command(*at.controller, fmt::format("ld {} show detail", *at.drive->number))
             : context.command(*at.controller, "ld all show detail");
}

void parity_running(RuleContext& context) {
  parity_in_state(context, {ParityInit::in_progress, ParityInit::queued}, "parity init",
                  [&](const DriveRef& at, FindingText& text) {
                    text.fix = {"wait for \"Initialization Completed\", which takes hours:",
                                show_drive(context, at)};
                  });
}

void parity_failed(RuleContext& context) {
  parity_in_state(context, {ParityInit::failed}, "", [&](const DriveRef& at, FindingText& text) {
    text.fix = {"initialise the parity again before any test: back up, then re-create the drive",
                show_drive(context, at)};
  });
}

/// A logical drive that the controller's warning "…The following logical drives are affected: 4, 5"
/// names, with the warning.
struct MediaWarning {
  std::int64_t number = 0;
  const std::string* banner = nullptr;
};

std::vector<MediaWarning> media_warnings(const Controller& controller) {
  constexpr std::string_view lead = "logical drives are affected";
  std::vector<MediaWarning> out;
  for (const std::string& banner : controller.warnings) {
    if (!contains_word(banner, "Unrecoverable Media Errors")) continue;
    const std::size_t at = banner.find(lead);
    if (at == std::string::npos) continue;
    std::string_view list = std::string_view(banner).substr(at + lead.size());
    for (;;) {
      const std::size_t digit = list.find_first_of("0123456789");
      if (digit == std::string_view::npos) break;
      list.remove_prefix(digit);
      MediaWarning warning{-1, &banner};
      const auto [end, ec] =
          std::from_chars(list.data(), list.data() + list.size(), warning.number);
      list.remove_prefix(static_cast<std::size_t>(end - list.data()));
      const bool seen = std::any_of(out.begin(), out.end(), [&](const MediaWarning& other) {
        return other.number == warning.number;
      });
      if (ec == std::errc{} && !seen) out.push_back(warning);
    }
  }
  return out;
}

/// "Detected" or a count: anything but "None" and 0.
bool tells_errors(std::string_view text) {
  if (text.empty() || same_word(text, "None")) return false;
  return std::any_of(text.begin(), text.end(), [](char c) { return c != '0' && c != ' '; });
}

void media_errors(RuleContext& context) {
  const PlannedTest* planned = context.planned();
  const auto report = [&](const Subject& subject, std::string evidence) {
    FindingText text;
    text.evidence = std::move(evidence);
    if (planned && planned->read_percent == 100) text.severity = Severity::error;
    text.fix = {"back up, replace the drive that has the bad blocks, restore"};
    context.report(subject, std::move(text));
  };
  for (const Controller& controller : context.controllers()) {
    std::vector<MediaWarning> warnings = media_warnings(controller);
    for (const DriveRef& at : context.logical_drives(controller)) {
      const LogicalDrive& drive = *at.drive;
      const auto named =
          std::find_if(warnings.begin(), warnings.end(),
                       [&](const MediaWarning& warning) { return warning.number == drive.number; });
      std::string banner;
      if (named != warnings.end()) {
        banner = *named->banner;
        warnings.erase(named);
      }
      if (const std::string* own = extra_value(drive.extra, "Warning");
          banner.empty() && own && contains_word(*own, "Unrecoverable Media Errors")) {
        banner = *own;
      }
      // The older tools have no such line and warn in words, so a whole block says that all is
      // well.
      if (banner.empty() && !drive.media_errors && printed_whole(controller, drive)) continue;
      Condition holds;
      holds.require(!banner.empty()      ? Flag{true}
                    : drive.media_errors ? Flag{tells_errors(*drive.media_errors)}
                                         : Flag{},
                    "unrecoverable media errors");
      if (!context.decide(holds, subject_of(at))) continue;
      std::string evidence;
      if (drive.media_errors) evidence = "Unrecoverable Media Errors: " + *drive.media_errors;
      if (!banner.empty()) evidence += (evidence.empty() ? "" : "; ") + banner;
      report(subject_of(at), std::move(evidence));
    }
    // Drives that the warning names and the source does not show.
    for (const MediaWarning& warning : warnings) {
      Subject subject = subject_of(controller);
      subject.logical_drive = warning.number;
      report(subject, *warning.banner);
    }
  }
}

constexpr Rule rules[] = {
    {.id = "T01",
     .severity = Severity::block,
     .condition = "the controller's status is not OK, or the driver detected a lockup",
     .why = "an unstable device",
     .source = "HPSA",
     .evaluate = controller_state},
    {.id = "T02",
     .severity = Severity::block,
     .condition = "an array's status is \"Failed Physical Drive\", or otherwise not OK",
     .why = "a degraded array would be measured as a healthy one",
     .source = "FX-petzah, PB-jXX1fX62",
     .evaluate = array_failed},
    {.id = "T03",
     .severity = Severity::block,
     .condition = "a logical drive is in Interim Recovery Mode, Ready for Rebuild, failed, or in "
                  "another state that is not OK",
     .why = "reads reconstruct what is missing, and one more failure is loss",
     .source = "FX-petzah, PB-2u3GXdX2",
     .evaluate = degraded},
    {.id = "T04",
     .severity = Severity::block,
     .condition = "a logical drive is recovering or rebuilding, or a physical drive is",
     .why = "the rebuild's own traffic, 200 to 520 GB an hour, runs beside the test",
     .source = "REBUILD, DSA",
     .evaluate = rebuilding},
    {.id = "T05",
     .severity = Severity::block,
     .condition = "a logical drive is transforming, expanding, migrating, or queued for it",
     .why = "data is being moved, and Smart Path is off for the while",
     .source = "HPE-SP, A-1.34",
     .evaluate = transforming},
    {.id = "T06",
     .severity = Severity::error,
     .condition = "\"Parity Initialization Status\" is In Progress or Queued",
     .why = "until it is done, RAID 5 and 6 write in another way than later; that takes hours",
     .source = "TECH4 p5, MR-FP p19",
     .evaluate = parity_running},
    {.id = "T07",
     .severity = Severity::block,
     .condition = "\"Parity Initialization Status: Initialization Failed\"",
     .why = "the parity cannot be trusted",
     .source = "DSA, PB-2u3GXdX2",
     .evaluate = parity_failed},
    {.id = "T12",
     .severity = Severity::block,
     .condition =
         "\"Unrecoverable Media Errors\" of a logical drive is neither None nor 0, or a warning "
         "names the drive (error where the planned test only reads)",
     .why = "bad blocks: retries, and data at risk",
     .source = "https://github.com/glensc/nagios-plugin-check_raid/issues/211, "
               "https://github.com/libstorage/libstoragemgmt/issues/344",
     .evaluate = media_errors},
};

}  // namespace

const RuleTopic rule_topic_array_state{"array_state", "State of controllers and arrays", rules};

}  // namespace raidscope
