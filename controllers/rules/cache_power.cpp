// What keeps cached data through a power failure: C11 to C15 and C21.

#include <fmt/format.h>

#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_cache_power;

namespace {

/// Above these a finding is made. No source gives a limit: everyday captures show cache modules up
/// to 50 degrees and capacitors up to 32.
constexpr std::int64_t cache_limit_c = 80;
constexpr std::int64_t capacitor_limit_c = 60;

void no_battery_write_cache(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Flag& setting = controller.cache.no_battery_write_cache;
    // Not printed where there is no module or nothing uses the cache.
    if (!setting && (printed_whole(controller) || !has_cache_to_ask(controller))) continue;
    Condition holds;
    holds.require(setting, "no-battery write cache");
    if (!context.decide(holds, subject_of(controller))) continue;
    FindingText text;
    text.evidence = "No-Battery Write Cache: Enabled; " + backup_evidence(controller);
    if (backup_failed_or_none(controller) == true) {
      text.severity = Severity::block;
      text.why =
          "posted writes are lost at a power failure, and nothing protects them now: no battery or "
          "capacitor works";
    }
    text.fix = {context.command(controller, "modify nbwc=disable")};
    text.affects = whole_controller(controller, "the setting is");
    context.report(subject_of(controller), std::move(text));
  }
}

void battery_failed(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!controller.cache.backup.status && !has_cache_to_ask(controller)) continue;
    const Backup backup = backup_of(controller);
    const Text& words = controller.cache.backup.status_text;
    // A count of 0 beside a failed status is a contradiction that the tool prints.
    const bool failed = backup == Backup::failed ||
                        (backup == Backup::none && words && contains_word(*words, "fail"));
    Condition holds;
    holds.require(backup == Backup::unknown ? Flag{} : Flag{failed}, "battery or capacitor status");
    if (!context.decide(holds, subject_of(controller))) continue;
    FindingText text;
    text.evidence = backup_evidence(controller);
    for (const auto& [key, value] : controller.extra.items) {
      if (same_word(key, "Failed Battery Location")) text.evidence += "; " + key + ": " + value;
    }
    if (const std::string cache = cache_evidence(controller); !cache.empty()) {
      text.evidence += "; " + cache;
    }
    text.fix = {"replace the battery or capacitor pack"};
    if (controller.cache.no_battery_write_cache == true) {
      text.severity = Severity::block;
      text.evidence += "; No-Battery Write Cache: Enabled";
      text.why =
          "the write cache is on and nothing protects it: posted writes are lost at a power "
          "failure";
      text.fix.insert(text.fix.begin(), context.command(controller, "modify nbwc=disable"));
    }
    text.affects = whole_controller(controller, "the cache is");
    context.report(subject_of(controller), std::move(text));
  }
}

void battery_charging(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!controller.cache.backup.status && !has_cache_to_ask(controller)) continue;
    const CacheModule& cache = controller.cache;
    const Backup backup = backup_of(controller);
    const auto says_low = [](const Text& text) {
      return text && (contains_word(*text, "charge is low") || contains_word(*text, "charge low") ||
                      contains_word(*text, "low charge"));
    };
    const bool charging = backup == Backup::recharging || says_low(cache.details) ||
                          says_low(cache.backup.status_text);
    Condition holds;
    holds.require(charging                    ? Flag{true}
                  : backup == Backup::unknown ? Flag{}
                                              : Flag{false},
                  "battery or capacitor status");
    if (!context.decide(holds, subject_of(controller))) continue;
    FindingText text;
    text.evidence = backup_evidence(controller);
    if (const std::string words = cache_evidence(controller); !words.empty()) {
      text.evidence += "; " + words;
    }
    text.fix = {
        cache.backup.kind == BackupKind::capacitor
            ? "wait about 5 minutes for the capacitor, and ask until it is OK:"
            : "wait 15 minutes to 2 hours for a battery (about 5 minutes for a capacitor), and "
              "ask until it is OK:",
        context.command(controller, "show status")};
    text.affects = whole_controller(controller, "the cache is");
    context.report(subject_of(controller), std::move(text));
  }
}

/// No battery or capacitor stands behind the write cache: a count of 0, or no line about any in a
/// whole block whose cache is OK.
Flag without_source(const Controller& controller) {
  const CacheBackup& backup = controller.cache.backup;
  if (backup.count == 0 || backup.status == BackupStatus::absent) return true;
  if (backup.count || backup.status || backup.status_text || backup.kind) return false;
  if (!printed_whole(controller)) return std::nullopt;
  return is(controller.cache.status, CacheStatus::ok);
}

void write_cache_without_source(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!has_cache_to_ask(controller)) continue;
    const CacheModule& cache = controller.cache;
    const bool whole = printed_whole(controller);
    Condition holds;
    // A whole block without a ratio line has no write share; without the no-battery line it is not
    // on.
    holds
        .require(cache.ratio ? Flag{cache.ratio->write > 0}
                 : whole     ? Flag{false}
                             : Flag{},
                 "cache ratio")
        .require(cache.no_battery_write_cache ? negate(cache.no_battery_write_cache)
                 : whole                      ? Flag{true}
                                              : Flag{},
                 "no-battery write cache")
        .require(without_source(controller), "battery or capacitor");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(
        subject_of(controller),
        {.evidence =
             fmt::format("Cache Ratio: {}% Read / {}% Write; No-Battery Write Cache not "
                         "enabled; {}",
                         cache.ratio->read, cache.ratio->write, backup_evidence(controller)),
         .fix = {"power down and check the cable and the seat of the battery or capacitor",
                 context.command(controller, "show detail")},
         .affects = whole_controller(controller, "the cache is")});
  }
}

void drive_write_cache(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const Text& policy = controller.settings.configured_drive_write_cache_policy;
    const auto& setting = controller.drive_write_cache;
    if (!setting && !policy && printed_whole(controller)) continue;
    const bool by_policy = policy && contains_word(*policy, "enable");
    Condition holds;
    holds.require(setting == DriveWriteCache::enabled || by_policy ? Flag{true}
                  : setting || policy                              ? Flag{false}
                                                                   : Flag{},
                  "drive write cache");
    if (!context.decide(holds, subject_of(controller))) continue;
    // The newer tools split the setting by use and refuse the command without saying which.
    const bool split = policy || gen10(controller);
    context.report(
        subject_of(controller),
        {.evidence = by_policy ? "Configured Drive Write Cache Policy: " + *policy
                               : std::string("Drive Write Cache: Enabled"),
         .fix = {context.command(
             controller, split ? "modify dwc=disable usage=configured" : "modify dwc=disable")},
         .affects = whole_controller(controller, "the drives' own cache is")});
  }
}

void cache_temperature(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const CacheModule& cache = controller.cache;
    std::string hot;
    const auto check = [&](const Integer& value, std::int64_t limit, std::string_view name) {
      if (!value || *value <= limit) return;
      fmt::format_to(std::back_inserter(hot), "{}{}: {}", hot.empty() ? "" : "; ", name, *value);
    };
    check(cache.temperature_c, cache_limit_c, "Cache Module Temperature (C)");
    check(cache.capacitor_temperature_c, capacitor_limit_c, "Capacitor Temperature (C)");
    bool sensor_read = false;
    for (const Sensor& sensor : controller.sensors) {
      sensor_read = sensor_read || sensor.current_c;
      if (sensor.location && contains_word(*sensor.location, "capacitor")) {
        check(sensor.current_c, capacitor_limit_c, "Sensor at " + *sensor.location);
      }
    }
    if (!hot.empty()) {
      context.report(subject_of(controller),
                     {.evidence = hot + fmt::format(" (limits taken: cache {}, capacitor {})",
                                                    cache_limit_c, capacitor_limit_c),
                      .fix = {"improve the flow of air over the card and its battery or capacitor"},
                      .affects = whole_controller(controller, "the cache is")});
      continue;
    }
    if (cache.temperature_c || cache.capacitor_temperature_c) continue;
    if (controller.temperature_c || sensor_read) continue;
    // Printed, and all of them 0: unreadable, not cold.
    std::string zeros;
    bool all_zero = true;
    for (const auto& [key, value] : controller.extra.items) {
      if (!contains_word(key, "temperature (c)") && !contains_word(key, "temperature  (c)"))
        continue;
      all_zero = all_zero && value == "0";
      zeros += (zeros.empty() ? "" : "; ") + key + ": " + value;
    }
    if (!zeros.empty() && all_zero) {
      context.report(subject_of(controller),
                     {.evidence = zeros,
                      .fix = {},
                      .affects = "",
                      .severity = Severity::info,
                      .why = "a temperature of 0 is one that was not read, not a cold one"});
    } else if (zeros.empty() && !printed_whole(controller) && has_cache_to_ask(controller)) {
      context.missing("cache and capacitor temperature", subject_of(controller));
    }
  }
}

constexpr Rule rules[] = {
    {.id = "C11",
     .severity = Severity::warning,
     .condition =
         "\"No-Battery Write Cache: Enabled\" (block with a failed battery or capacitor, or "
         "none)",
     .why = "posted writes are lost at a power failure",
     .source = "PERF-6, FX-petzah, https://github.com/glensc/nagios-plugin-check_raid/issues/174",
     .evaluate = no_battery_write_cache},
    {.id = "C12",
     .severity = Severity::error,
     .condition = "the battery or capacitor failed, or is in another state that is neither OK nor "
                  "recharging (block with no-battery write cache)",
     .why = "the cache is off, or on and unprotected",
     .source = "FX-petzah, AGENTS",
     .evaluate = battery_failed},
    {.id = "C13",
     .severity = Severity::error,
     .condition = "the battery or capacitor is recharging, or its charge is low",
     .why = "the write cache, expansion and migration are suspended until it is charged",
     .source = "AGENTS, G7-FBWC",
     .evaluate = battery_charging},
    {.id = "C14",
     .severity = Severity::error,
     .condition =
         "the ratio gives writes a share and no-battery write cache is not enabled, yet the "
         "battery or capacitor count is 0, or a whole controller block with an OK cache has no "
         "battery line",
     .why = "a contradiction: a write cache without a source of power behind it",
     .source = "DSA",
     .evaluate = write_cache_without_source},
    {.id = "C15",
     .severity = Severity::warning,
     .condition =
         "\"Drive Write Cache: Enabled\" or \"Configured Drive Write Cache Policy: Enable\"",
     .why = "the drives' own memory is unprotected and makes writes look faster; on drives with "
            "power-loss protection it may even slow them. No run with it may be called safe",
     .source =
         "DWC-ISS, N14, "
         "https://serveraide.com/enabling-drive-write-cache-using-smart-storage-admin-cli-85875",
     .evaluate = drive_write_cache},
    {.id = "C21",
     .severity = Severity::warning,
     .condition =
         "the cache module is above 80 degrees or its capacitor above 60 (limits chosen here); "
         "info where every temperature reads 0",
     .why = "heat ages the cache's parts and may disable them",
     .source = "PB-jXX1fX62; limits chosen here",
     .evaluate = cache_temperature},
};

}  // namespace

const RuleTopic rule_topic_cache_power{"cache_power", "What protects cached data", rules};

}  // namespace raidscope
