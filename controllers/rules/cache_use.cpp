// Whether logical drives get what the cache could give: C08, C09, C10, C18.

#include <fmt/format.h>

#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_cache_use;

namespace {

std::string ratio_evidence(const Ratio& ratio) {
  return fmt::format("Cache Ratio: {}% Read / {}% Write", ratio.read, ratio.write);
}

void reads_only(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!has_cache_to_ask(controller)) continue;
    // A whole block without a ratio line: no drive uses the cache.
    const auto& ratio = controller.cache.ratio;
    Condition no_writes;
    no_writes.require(ratio                       ? Flag{ratio->write == 0}
                      : printed_whole(controller) ? Flag{false}
                                                  : Flag{},
                      "cache ratio");
    if (no_writes.refuted()) continue;
    for (const DriveRef& at : context.logical_drives(controller)) {
      Condition holds = no_writes;
      holds.require(is(at.drive->caching, Switch::enabled), "caching");
      if (!context.decide(holds, subject_of(at))) continue;
      FindingText text;
      text.evidence = fmt::format("{}; {}; {}", ratio_evidence(*ratio), caching_evidence(*at.drive),
                                  backup_evidence(controller));
      if (backup_good(controller) != true) {
        text.fix.emplace_back("fit a battery or capacitor for the cache, and wait until it is OK");
      }
      text.fix.push_back(context.command(controller, "modify cacheratio=10/90"));
      text.affects = whole_controller(controller, "the ratio is");
      context.report(subject_of(at), std::move(text));
    }
  }
}

/// "Smart Path printed as disabled, or a model that has none": the setting itself, not what the
/// drive's method lets one guess.
Flag smart_path_off(const DriveRef& at) {
  if (at.array && at.array->smart_path) return *at.array->smart_path == Switch::disabled;
  const Flag on = smart_path_on(*at.controller, at.array, at.drive);
  if (on) return !*on;
  return std::nullopt;
}

void cache_left_off(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const CacheModule& cache = controller.cache;
    const Backup backup = backup_of(controller);
    if (!cache.present && !has_cache_to_ask(controller)) continue;
    Condition usable;
    usable.require(cache.present, "cache board present")
        .require(backup == Backup::good || backup == Backup::unknown, "")
        .require(any_of({is(cache.status, CacheStatus::ok),
                         is(cache.status, CacheStatus::not_configured)}),
                 "cache status");
    if (usable.refuted()) continue;
    for (const DriveRef& at : context.logical_drives(controller)) {
      Condition holds = usable;
      holds.require(is(at.drive->caching, Switch::disabled), "caching")
          .require(smart_path_off(at), "Smart Path setting");
      if (!context.decide(holds, subject_of(at))) continue;
      const DriveGroup group{at.controller, at.array, {at.drive}};
      FindingText text;
      text.evidence =
          fmt::format("{}; {}; {}; {}", caching_evidence(*at.drive), smart_path_evidence(group),
                      cache_evidence(controller), backup_evidence(controller));
      text.fix = {caching_on(context, controller, *at.drive)};
      const std::string others = other_drives(controller, at.drive);
      if (!others.empty()) text.affects = "the cache is shared with " + others;
      context.report(subject_of(at), std::move(text));
    }
  }
}

void enabled_in_name_only(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!controller.cache.status && !has_cache_to_ask(controller)) continue;
    Condition disabled;
    disabled.require(cache_disabled(controller), "cache status");
    if (disabled.refuted()) continue;
    for (const DriveRef& at : context.logical_drives(controller)) {
      // Older tools print no method; a drive with caching on has no other.
      const Flag by_cache = at.drive->acceleration
                                ? is(at.drive->acceleration, Acceleration::controller_cache)
                                : negate(smart_path_on(controller, at.array, at.drive) == true);
      Condition holds = disabled;
      holds.require(is(at.drive->caching, Switch::enabled), "caching")
          .require(by_cache, "acceleration method");
      if (!context.decide(holds, subject_of(at))) continue;
      FindingText text;
      text.evidence =
          fmt::format("{}; yet {}", caching_evidence(*at.drive), cache_evidence(controller));
      const Backup backup = backup_of(controller);
      if (backup == Backup::failed) {
        text.fix = {"replace the battery or capacitor (C12)"};
      } else if (controller.cache.status == CacheStatus::temporarily_disabled) {
        text.fix = {"wait until the battery or capacitor is charged (C03)"};
      } else {
        text.fix = {"repair the cache module (C02)"};
      }
      text.fix.push_back(context.command(controller, "show status"));
      const std::string others = other_drives(controller, at.drive);
      if (!others.empty()) text.affects = "the cache is off for " + others + " too";
      context.report(subject_of(at), std::move(text));
    }
  }
}

void waits_for_room(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Text& setting = controller.settings.wait_for_cache_room;
    if (!setting && (printed_whole(controller) || !has_cache_to_ask(controller))) continue;
    Condition holds;
    holds.require(setting ? Flag{contains_word(*setting, "enable")} : Flag{},
                  "wait for cache room");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = "Wait for Cache Room: " + *setting,
                    .fix = {context.command(controller, "modify waitforcacheroom=disable"),
                            "the spelling of this option is unverified: the tool's help decides"},
                    .affects = whole_controller(controller, "the setting is")});
  }
}

constexpr Rule rules[] = {
    {.id = "C08",
     .severity = Severity::error,
     .condition =
         "the ratio gives writes nothing (\"100% Read / 0% Write\") while a logical drive has "
         "caching enabled",
     .why = "it looks cached and posts no write; typical of a cache without battery or capacitor",
     .source = "FX-netdata",
     .evaluate = reads_only},
    {.id = "C09",
     .severity = Severity::error,
     .condition =
         "a logical drive has caching disabled and its array has Smart Path disabled (or the "
         "model has none), while a module is present, its backup is OK or not told, and its "
         "status is OK or Not Configured",
     .why =
         "the trap of the second study: Smart Path was turned off and nobody turned the cache on, "
         "so that neither serves the drive",
     .source = "S2, CMDS",
     .evaluate = cache_left_off},
    {.id = "C10",
     .severity = Severity::error,
     .condition =
         "a logical drive has caching enabled by the controller cache, but the controller's "
         "cache is disabled",
     .why = "the drive's line tells what was asked for, not what is: nothing is cached",
     .source = "FX-netdata",
     .evaluate = enabled_in_name_only},
    {.id = "C18",
     .severity = Severity::warning,
     .condition = "\"Wait for Cache Room: Enabled\"",
     .why =
         "writes wait for room in the cache in place of going through, which changes the tail of "
         "the latencies (effect unverified)",
     .source = "the tool's own line; effect unverified",
     .evaluate = waits_for_room},
};

}  // namespace

const RuleTopic rule_topic_cache_use{"cache_use", "What drives get of the cache", rules};

}  // namespace raidscope
