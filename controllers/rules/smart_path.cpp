// SSD Smart Path: S01, S03, S05, S06, S07, S08, S12.

#include <array>
#include <charconv>

#include <fmt/format.h>

#include "controllers/rules/drive_state.h"
#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_smart_path;

namespace {

constexpr std::string_view setting = "Smart Path setting";

std::string name_of_group(const DriveGroup& group) {
  if (group.array && group.array->letter) return "array " + *group.array->letter;
  return name_drives(group.drives);
}

/// The array's name, or what stands for it where no path told the arrays.
std::string words_of_group(const DriveGroup& group) {
  std::string name = name_of_group(group);
  return name.empty() ? "the array that holds this drive" : name;
}

/// The cache is there to be used in place of Smart Path.
Condition cache_usable(const Controller& controller) {
  const CacheModule& cache = controller.cache;
  Condition out;
  if (!cache.present && !has_cache_to_ask(controller)) return out.require(false, ""), out;
  out.require(cache.present, "cache board present")
      .require(backup_good(controller), "battery or capacitor status")
      .require(any_of({is(cache.status, CacheStatus::ok),
                       is(cache.status, CacheStatus::not_configured)}),
               "cache status");
  return out;
}

void add_planned_test(const RuleContext& context, const DriveGroup& group, std::string& evidence) {
  const PlannedTest* planned = context.planned();
  if (!planned || !planned->slot || planned->slot != group.controller->slot) return;
  for (const LogicalDrive* drive : group.drives) {
    if (planned->drive && planned->drive == drive->number) {
      fmt::format_to(std::back_inserter(evidence), "; planned test: {} % reads, {}",
                     planned->read_percent, planned->random ? "random" : "sequential");
    }
  }
}

void few_drives(RuleContext& context) {
  const int threshold = context.options().smart_path_threshold_drives;
  for (const Controller& controller : context.controllers()) {
    const Condition usable = cache_usable(controller);
    if (usable.refuted()) continue;
    for (const DriveGroup& group : context.drive_groups(controller)) {
      const Integer drives = solid_state_drives(group);
      Condition holds = usable;
      holds.require(smart_path_on(group), std::string(setting))
          .require(drives ? Flag{*drives > 0 && *drives < threshold} : Flag{},
                   "count of solid-state drives");
      if (!context.decide(holds, subject_of(group))) continue;
      FindingText text;
      text.evidence = fmt::format("{}; {} solid-state drives, fewer than {}; {}; {}",
                                  smart_path_evidence(group), *drives, threshold,
                                  cache_evidence(controller), backup_evidence(controller));
      add_planned_test(context, group, text.evidence);
      text.fix = {"measure both; to try the cache:"};
      for (std::string& line : cache_in_place_of_smart_path(context, group)) {
        text.fix.push_back(std::move(line));
      }
      const std::string own = name_drives(group.drives);
      text.affects = fmt::format(
          "every drive of {}{}; the cache is shared with the rest of the "
          "controller",
          words_of_group(group), own.empty() ? "" : " (" + own + ")");
      context.report(subject_of(group), std::move(text));
    }
  }
}

/// The tool prints "Solid State" in the array's interface, so an interface without it says enough.
Flag not_solid(const DriveGroup& group) {
  const Flag solid = solid_state(group);
  if (!solid && group.array && group.array->interface) return true;
  return negate(solid);
}

void not_solid_state(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const DriveGroup& group : context.drive_groups(controller)) {
      Condition holds;
      holds.require(smart_path_on(group), std::string(setting))
          .require(not_solid(group), "media of the drives");
      if (!context.decide(holds, subject_of(group))) continue;
      FindingText text;
      text.evidence = smart_path_evidence(group);
      if (group.array && group.array->media == Media::mixed) {
        text.evidence += "; the array mixes media";
      } else if (group.array && group.array->interface) {
        text.evidence += fmt::format("; Interface Type: {}", to_name(*group.array->interface));
      } else {
        text.evidence += "; hard disks";
      }
      if (controller.cache.present == true) {
        text.fix = cache_in_place_of_smart_path(context, group);
      } else {
        text.fix = {cache_in_place_of_smart_path(context, group).front()};
      }
      text.fix.emplace_back("and check the capture: this may be a fault of the reading");
      text.affects = "every drive of " + words_of_group(group);
      context.report(subject_of(group), std::move(text));
    }
  }
}

void both_at_once(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const DriveRef& at : context.logical_drives(controller)) {
      Condition holds;
      holds.require(is(at.drive->caching, Switch::enabled), "caching")
          .require(smart_path_on(controller, at.array, at.drive), std::string(setting));
      if (!context.decide(holds, subject_of(at))) continue;
      const DriveGroup group{at.controller, at.array, {at.drive}};
      context.report(subject_of(at),
                     {.evidence = smart_path_evidence(group) + "; " + caching_evidence(*at.drive),
                      .fix = {"read it again:", context.command(controller, "show config detail")},
                      .affects = ""});
    }
  }
}

/// "3.4.4", "3.4.20-125", "Linux 1.0.4-100": the first three numbers. Null when there are none.
std::optional<std::array<int, 3>> version_of(std::string_view text) {
  std::array<int, 3> out{};
  const std::size_t start = text.find_first_of("0123456789");
  if (start == std::string_view::npos) return std::nullopt;
  text.remove_prefix(start);
  for (int& part : out) {
    const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), part);
    if (ec != std::errc{}) break;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (text.empty() || text.front() != '.') break;
    text.remove_prefix(1);
  }
  return out;
}

/// The driver cannot send anything past the controller.
Flag driver_too_old(const Controller& controller) {
  const Flag& supports = controller.smart_path.driver_supports;
  if (supports == false) return true;
  const Driver& driver = controller.driver;
  // Gen10 is smartpqi's, which does it and for which the tool prints no such line.
  if (driver.name ? *driver.name == "smartpqi" : gen10(controller)) return false;
  if (driver.name && *driver.name == "hpsa" && driver.version) {
    constexpr std::array<int, 3> first{3, 4, 4};
    if (const auto version = version_of(*driver.version)) return *version < first;
  }
  if (supports == true) return false;
  return std::nullopt;
}

void driver_without(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const DriveGroup& group : context.drive_groups(controller)) {
      Condition holds;
      holds.require(smart_path_on(group), std::string(setting))
          .require(driver_too_old(controller), "driver's Smart Path support and version");
      if (!context.decide(holds, subject_of(group))) continue;
      FindingText text;
      text.evidence = smart_path_evidence(group);
      if (controller.smart_path.driver_supports) {
        text.evidence += fmt::format("; Driver Supports SSD Smart Path: {}",
                                     *controller.smart_path.driver_supports ? "True" : "False");
      }
      if (controller.driver.name) {
        text.evidence += fmt::format("; driver {} {}", *controller.driver.name,
                                     controller.driver.version.value_or("(version not told)"));
      }
      text.fix = {"update the hpsa driver to 3.4.4 or later"};
      if (cache_usable(controller).holds()) {
        text.fix.emplace_back("or use the cache in its place:");
        for (std::string& line : cache_in_place_of_smart_path(context, group)) {
          text.fix.push_back(std::move(line));
        }
      }
      text.affects = "every drive of " + words_of_group(group);
      context.report(subject_of(group), std::move(text));
    }
  }
}

/// hpsa has a switch for all drives and a flag for each; smartpqi has the flag alone.
Flag driver_leaves_it(const Controller& controller, const LogicalDrive& drive) {
  const Flag& flag = drive.smart_path.driver_enabled;
  const Text& driver = controller.driver.name;
  if (driver ? *driver == "smartpqi" : gen10(controller)) return negate(flag);
  return any_of({negate(controller.smart_path.driver_enabled), negate(flag)});
}

void driver_off(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (controller.smart_path.capable == false || before_smart_path(controller) == true) continue;
    for (const DriveRef& at : context.logical_drives(controller)) {
      Condition holds;
      holds.require(smart_path_on(controller, at.array, at.drive), std::string(setting))
          .require(driver_leaves_it(controller, *at.drive), "driver's Smart Path switch");
      if (!context.decide(holds, subject_of(at))) continue;
      FindingText text;
      text.evidence = smart_path_evidence({at.controller, at.array, {at.drive}});
      const auto say = [&](std::string_view what, const Flag& flag) {
        if (flag) text.evidence += fmt::format("; {}: {}", what, *flag ? "enabled" : "disabled");
      };
      say("hp_ssd_smart_path_status", controller.smart_path.driver_enabled);
      say("driver's flag of the drive", at.drive->smart_path.driver_enabled);
      if (controller.smart_path.driver_enabled == false) {
        text.fix = {"echo 1 > /sys/class/scsi_host/hostN/hp_ssd_smart_path_status"};
        text.affects = whole_controller(controller, "the switch is");
      } else {
        text.fix = {
            "find out why the driver does not use it: the state of array and drives, or an "
            "error that turned it off until the next scan"};
      }
      context.report(subject_of(at), std::move(text));
    }
  }
}

void driver_line_only(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Flag& supports = controller.smart_path.driver_supports;
    if (!supports && printed_whole(controller)) continue;
    Condition holds;
    holds.require(supports, "driver's Smart Path support")
        .require(before_smart_path(controller), "generation");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = fmt::format("Driver Supports SSD Smart Path: True; generation {}",
                                            controller.generation.value_or("")),
                    .fix = {},
                    .affects = ""});
  }
}

void busy_array(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const DriveRef& at : context.logical_drives(controller)) {
      const DriveGroup group{at.controller, at.array, {at.drive}};
      const auto state = at.drive->status ? std::optional(drive_state(*at.drive->status))
                                          : std::optional<DriveState>{};
      const Text& array_status = at.array ? at.array->status : Text{};
      const Flag disturbed =
          any_of({state ? Flag{*state == DriveState::degraded || *state == DriveState::rebuilding ||
                               *state == DriveState::transforming}
                        : Flag{},
                  array_status ? Flag{!same_word(*array_status, "OK")} : Flag{false}});
      Condition holds;
      holds.require(smart_path_on(controller, at.array, at.drive), std::string(setting))
          .require(disturbed, "status");
      if (!context.decide(holds, subject_of(at))) continue;
      std::string evidence = smart_path_evidence(group);
      if (at.drive->status) evidence += "; Status: " + *at.drive->status;
      if (array_status) evidence += "; array Status: " + *array_status;
      context.report(subject_of(at), {.evidence = std::move(evidence),
                                      .fix = {"wait until the drive's status is OK:",
                                              context.command(controller, "ld all show status")},
                                      .affects = ""});
    }
  }
}

constexpr Rule rules[] = {
    {.id = "S01",
     .severity = Severity::warning,
     .condition =
         "Smart Path is on for a solid-state array of fewer than 18 drives (the threshold is "
         "an option) while the cache is usable: module present, backup OK, status OK or Not "
         "Configured",
     .why = "the only published sweep found the cache better up to 16 drives: measure both",
     .source = "S2",
     .evaluate = few_drives},
    {.id = "S03",
     .severity = Severity::error,
     .condition = "Smart Path is on for an array that is not solid state, or mixes media",
     .why = "a contradiction: Smart Path is for solid-state arrays",
     .source = "HPE-SP",
     .evaluate = not_solid_state},
    {.id = "S05",
     .severity = Severity::error,
     .condition = "Smart Path is on and a logical drive of the array has caching enabled",
     .why = "the two exclude each other: the snapshot was torn by a change, or fields were misread",
     .source = "LSM, field note",
     .evaluate = both_at_once},
    {.id = "S06",
     .severity = Severity::error,
     .condition = "Smart Path is on but the driver does not support it, or is hpsa before 3.4.4",
     .why = "nothing goes past the controller and nothing is cached",
     .source = "PB-EMiih7kc, K-TOGGLE",
     .evaluate = driver_without},
    {.id = "S07",
     .severity = Severity::error,
     .condition = "Smart Path is on for an array, but the driver's switch is off, or its flag for "
                  "the logical drive is 0",
     .why = "the third state: nothing goes past the controller and nothing is cached",
     .source = "HPSA, ABI",
     .evaluate = driver_off},
    {.id = "S08",
     .severity = Severity::info,
     .condition = "a controller of Gen6 or older with \"Driver Supports SSD Smart Path: True\"",
     .why = "the line tells of the driver only: the controller cannot do Smart Path",
     .source = "HPE-SP, FX-netdata",
     .evaluate = driver_line_only},
    {.id = "S12",
     .severity = Severity::error,
     .condition = "rebuild, expansion or a degraded array while Smart Path is on",
     .why = "Smart Path is off for the drive until it is over, whatever the setting says",
     .source = "HPE-SP, HPSA",
     .evaluate = busy_array},
};

}  // namespace

const RuleTopic rule_topic_smart_path{"smart_path", "SSD Smart Path", rules};

}  // namespace raidscope
