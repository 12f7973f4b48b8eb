// What the controller says of its cache module: C01 to C06 and C22.

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_cache_state;

namespace {

/// "0.0", "0 MB": a size printed as nothing.
bool prints_zero(std::string_view size) {
  const auto digit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
  return std::any_of(size.begin(), size.end(), digit) &&
         std::none_of(size.begin(), size.end(), [&](char c) { return digit(c) && c != '0'; });
}

bool size_is_zero(const CacheModule& cache) {
  return cache.size_bytes == 0 || (cache.size_text && prints_zero(*cache.size_text));
}

void no_module(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    const CacheModule& cache = controller.cache;
    if (!cache.present && !size_is_zero(cache) && !has_cache_to_ask(controller)) continue;
    Condition absent;
    absent.require(size_is_zero(cache) ? Flag{true} : negate(cache.present), "cache board present");
    if (!context.decide(absent, subject_of(controller))) continue;

    FindingText text;
    if (cache.present) {
      text.evidence = fmt::format("Cache Board Present: {}", *cache.present ? "True" : "False");
    }
    if (size_is_zero(cache)) {
      text.evidence += fmt::format("{}Total Cache Size: {}", text.evidence.empty() ? "" : "; ",
                                   cache.size_text.value_or("0"));
    }
    const Flag by_design = cache_by_design(controller);
    if (by_design == true) {
      text.fix = {controller.model == "P410i"
                      ? "fit a cache module (P410i: 1 GB FBWC, part 534562-B21), or label the run "
                        "\"no cache\""
                      : "fit a cache module, or label the run \"no cache\""};
      text.affects = whole_controller(controller, "the cache is");
    } else {
      text.severity = Severity::info;
      text.why = by_design ? "this model has no cache module by design: writes run at the speed of "
                             "the drives"
                           : "no cache module; whether this model can take one is not known";
    }
    context.report(subject_of(controller), std::move(text));
  }
}

/// C02 and C03: the status is this one.
template <class Fix>
void status_is(RuleContext& context, CacheStatus status, Fix fix) {
  for (const Controller& controller : context.controllers()) {
    if (!has_cache_to_ask(controller)) continue;
    Condition disabled;
    disabled.require(is(controller.cache.status, status), "cache status");
    if (!context.decide(disabled, subject_of(controller))) continue;
    FindingText text;
    text.evidence = cache_evidence(controller) + "; " + backup_evidence(controller);
    text.fix = fix(controller);
    text.affects = whole_controller(controller, "the cache is");
    context.report(subject_of(controller), std::move(text));
  }
}

void permanently_disabled(RuleContext& context) {
  status_is(context, CacheStatus::permanently_disabled, [&](const Controller& controller) {
    return std::vector<std::string>{
        context.command(controller, "show detail"),
        "read the reason there; reseat or replace the module, its battery or capacitor; update the "
        "firmware"};
  });
}

void temporarily_disabled(RuleContext& context) {
  status_is(context, CacheStatus::temporarily_disabled, [&](const Controller& controller) {
    return std::vector<std::string>{
        "wait until the battery or capacitor is charged, and ask until the status is OK:",
        context.command(controller, "show status"),
        "not OK after four hours: replace the battery or capacitor (C12)"};
  });
}

void not_configured(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!has_cache_to_ask(controller)) continue;
    Condition holds;
    holds.require(is(controller.cache.status, CacheStatus::not_configured), "cache status");
    if (!context.decide(holds, subject_of(controller))) continue;

    FindingText text;
    text.evidence = cache_evidence(controller);
    if (controller.mode == ControllerMode::hba) {
      text.severity = Severity::info;
      text.evidence += "; Controller Mode: HBA";
      text.why = "in HBA mode no logical drive exists that could use the cache";
      context.report(subject_of(controller), std::move(text));
      continue;
    }
    // With a drive outside Smart Path nobody turned the cache on. With none at all there is nothing
    // to cache. Where drives or their path are not told, only the status is said.
    std::vector<const LogicalDrive*> left_out;
    bool unknown = !drives_told(controller);
    std::size_t drives = 0;
    for (const DriveRef& at : context.logical_drives(controller)) {
      ++drives;
      const Flag on = smart_path_on(controller, at.array, at.drive);
      if (!on) {
        unknown = true;
        context.missing("Smart Path setting", subject_of(at));
      } else if (!*on) {
        left_out.push_back(at.drive);
      }
    }
    if (left_out.empty()) {
      text.severity = Severity::info;
      text.why = unknown ? "no logical drive uses the cache; whether that is meant depends on "
                           "drives that were not told"
                 : drives == 0
                     ? "there is no logical drive that could use the cache"
                     : "every logical drive goes by Smart Path, which does without the cache";
    } else {
      text.evidence += "; not on Smart Path: " + name_drives(left_out);
      for (const LogicalDrive* drive : left_out) {
        text.fix.push_back(caching_on(context, controller, *drive));
      }
      text.affects =
          "the status of the whole controller's cache, and with it the ratio, which can be set "
          "only "
          "once a drive uses the cache";
    }
    context.report(subject_of(controller), std::move(text));
  }
}

/// C05 and C06 read the free text beside the status. Only a whole block without it says that there
/// is none.
Flag details_hold(const Controller& controller, std::string_view words) {
  const CacheModule& cache = controller.cache;
  const auto holds = [&](const Text& text) { return text && contains_word(*text, words); };
  if (holds(cache.details) || holds(cache.disable_reason)) return true;
  if (cache.details || printed_whole(controller)) return false;
  return std::nullopt;
}

void unclean_stop(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!has_cache_to_ask(controller)) continue;
    Condition holds;
    holds.require(is(controller.cache.status, CacheStatus::ok), "cache status")
        .require(details_hold(controller, "valid data stored in"), "cache status details");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(
        subject_of(controller),
        {.evidence = cache_evidence(controller),
         .fix = {"check the file systems on this controller, and run again after a clean "
                 "restart"},
         .affects = whole_controller(controller, "the data flushed at the start is")});
  }
}

void cable_error(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    if (!has_cache_to_ask(controller)) continue;
    Condition holds;
    holds.require(details_hold(controller, "cable error"), "cache status details");
    if (!context.decide(holds, subject_of(controller))) continue;
    context.report(subject_of(controller),
                   {.evidence = cache_evidence(controller),
                    .fix = {"power down and reseat the cable of the battery or capacitor",
                            context.command(controller, "show detail")},
                    .affects = whole_controller(controller, "the cache is")});
  }
}

/// Banners that speak of a fault. Calls for newer firmware or software are another matter, and the
/// media error warning has a rule of its own (T12).
bool speaks_of_problem(std::string_view banner) {
  if (contains_word(banner, "UPGRADE REQUIRED")) return false;
  if (contains_word(banner, "Unrecoverable Media Errors")) return false;
  return contains_word(banner, "PROBLEM") || contains_word(banner, "FAILURE DETECTED") ||
         contains_word(banner, "ERROR DETECTED");
}

void problem_banner(RuleContext& context) {
  for (const Controller& controller : context.controllers()) {
    for (const std::string& banner : controller.warnings) {
      if (!speaks_of_problem(banner)) continue;
      // A status that is not OK says it already, and has its own rule.
      const Backup backup = backup_of(controller);
      if (cache_disabled(controller) == true || backup == Backup::failed ||
          backup == Backup::recharging) {
        continue;
      }
      const std::string keys = cache_evidence(controller);
      context.report(
          subject_of(controller),
          {.evidence =
               banner + (keys.empty() ? "" : "; yet " + keys) + "; " + backup_evidence(controller),
           .fix = {context.command(controller, "show detail"),
                   "look there at the cache, its battery or capacitor, and their cables"},
           .affects = whole_controller(controller, "the cache is")});
    }
  }
}

constexpr Rule rules[] = {
    {.id = "C01",
     .severity = Severity::error,
     .condition =
         "no cache module: \"Cache Board Present: False\" or a cache size of 0 on a P-series "
         "card (info on models that have none by design, such as H240, E208i, B140i)",
     .why = "no write is posted, every write runs at the speed of the drives; without a module a "
            "P-series card offers RAID 0, 1 and 1+0 only",
     .source = "S3, G6, FX-redhat, https://github.com/openstreetmap/operations/issues/100",
     .evaluate = no_module},
    {.id = "C02",
     .severity = Severity::error,
     .condition = "\"Cache Status: Permanently Disabled\"",
     .why = "writes go through uncached until a part is changed",
     .source = "A-4GB, A-6.60, https://github.com/openstreetmap/operations/issues/757",
     .evaluate = permanently_disabled},
    {.id = "C03",
     .severity = Severity::error,
     .condition = "\"Cache Status: Temporarily Disabled\"",
     .why = "the result will change by itself when the battery or capacitor is charged",
     .source = "PB-KUijG9q1, P400BAT",
     .evaluate = temporarily_disabled},
    {.id = "C04",
     .severity = Severity::error,
     .condition =
         "\"Cache Status: Not Configured\" (info where every logical drive is on Smart Path, "
         "in HBA mode, and where there is no logical drive)",
     .why = "no logical drive uses the cache: nobody turned it on",
     .source = "DSA, PB-kCTGDd44, https://github.com/im-0/hpsahba/issues/21",
     .evaluate = not_configured},
    {.id = "C05",
     .severity = Severity::warning,
     .condition =
         "the cache status is OK and its details say that valid data was stored in the write "
         "cache at the last reset",
     .why = "the machine was not stopped cleanly: the data was flushed at the start, and a file "
            "system may be dirty",
     .source = "CHKRAID, CHKHPASM, A-4GB",
     .evaluate = unclean_stop},
    {.id = "C06",
     .severity = Severity::error,
     .condition = "the details of the cache status name a cable error",
     .why = "the cable of the battery or capacitor; the battery line may be missing because of it",
     .source = "DSA, https://github.com/lausser/check_hpasm/issues/19",
     .evaluate = cable_error},
    {.id = "C22",
     .severity = Severity::warning,
     .condition =
         "the tool prints a problem banner (\"CACHE STATUS PROBLEM DETECTED\" and the like) "
         "that no key accounts for",
     .why = "the keys say OK, the tool does not",
     .source = "SWIFTLM",
     .evaluate = problem_banner},
};

}  // namespace

const RuleTopic rule_topic_cache_state{"cache_state", "The cache module", rules};

}  // namespace raidscope
