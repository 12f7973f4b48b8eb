// How a test is laid out: W02, W03, W05, W07 to W10, W14 to W16, W18. What a result itself shows is
// in test_result.cpp.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_test_design;

namespace {

constexpr int enough_repeats = 6;
/// W10: a solid-state drive needs several requests at once.
constexpr std::int64_t requests_per_drive = 4;
/// W09: a write cache is not empty sooner, whatever its size.
constexpr double least_rest_s = 60;
/// W15: inner tracks give about half of what the outer ones give.
constexpr double short_stroke = 0.5;

/// What someone saw of the target's file.
void report_if(RuleContext& context, const std::optional<bool>& seen, std::string evidence,
               std::string fix) {
  if (!seen) return;
  Condition holds;
  holds.require(*seen, "");
  const Subject subject = subject_of_target(context);
  if (!context.decide(holds, subject)) return;
  context.report(subject,
                 {.evidence = std::move(evidence), .fix = {std::move(fix)}, .affects = {}});
}

void sparse(RuleContext& context) {
  if (context.planned() == nullptr) return;
  report_if(context, context.planned()->sparse, context.planned()->target + " has holes",
            "raidscope testfile create PATH --size SIZE writes real data");
}

void compressible(RuleContext& context) {
  if (context.planned() == nullptr) return;
  report_if(context, context.planned()->compressible,
            context.planned()->target + " holds data that compresses or repeats",
            "raidscope testfile create PATH --size SIZE writes data that does neither");
}

void not_preconditioned(RuleContext& context) {
  const auto at = context.target();
  if (!at || context.planned()->read_percent == 100 || !context.planned()->preconditioned) return;
  Condition holds;
  holds.require(!*context.planned()->preconditioned, "")
      .require(solid_state(group_of(*at)), "media of the drives");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(subject_of(*at),
                 {.evidence = "a test that writes to solid-state drives, without preconditioning",
                  .fix = {"write the capacity twice with 128 KiB sequentially, then run the load "
                          "until it is steady"},
                  .affects = "the drives wear by what is written"});
}

void few_repeats(RuleContext& context) {
  if (context.planned() == nullptr || !context.planned()->repeats) return;
  const int repeats = *context.planned()->repeats;
  Condition holds;
  holds.require(repeats < enough_repeats, "");
  const Subject subject = subject_of_target(context);
  if (!context.decide(holds, subject)) return;
  context.report(subject, {.evidence = fmt::format("{} {} of each point", repeats,
                                                   repeats == 1 ? "round" : "rounds"),
                           .fix = {fmt::format("--repeat {}", enough_repeats)},
                           .affects = {}});
}

void in_blocks(RuleContext& context) {
  if (context.planned() == nullptr) return;
  report_if(context, context.planned()->in_blocks, "all rounds of one point, then all of the next",
            "let the rounds go round all points: --repeat does so, and raidscope experiment");
}

void not_drained(RuleContext& context) {
  const auto at = context.target();
  if (!at || !context.planned()->rest_s) return;
  const double rest_s = *context.planned()->rest_s;
  const EffectiveWriteCache cache = at->drive->effective_write_cache;
  Condition holds;
  holds.require(rest_s < least_rest_s, "")
      .require(
          cache == EffectiveWriteCache::unknown ? Flag{} : Flag{cache != EffectiveWriteCache::none},
          "effective write cache");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(
      subject_of(*at),
      {.evidence = fmt::format("the point before writes into the cache, and the drives "
                               "then rest for {:g} s",
                               rest_s),
       .fix = {"--drain 60s, or points of a minute or longer, between which it drains by "
               "itself"},
       .affects = {}});
}

void too_shallow(RuleContext& context) {
  const auto at = context.target();
  if (!at || context.planned()->largest_outstanding == 0) return;
  const Integer drives = solid_state_drives(group_of(*at));
  if (solid_state(group_of(*at)) == false) return;
  const std::int64_t deepest = context.planned()->largest_outstanding;
  Condition holds;
  holds.require(drives ? Flag{deepest < *drives * requests_per_drive} : Flag{},
                "count of solid-state drives");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(subject_of(*at),
                 {.evidence = fmt::format("at most {} outstanding for {} solid-state drives",
                                          deepest, *drives),
                  .fix = {"sweep --queue-depth 1,2,4,8,16,32,64,128,256"},
                  .affects = {}});
}

void same_sequence(RuleContext& context) {
  if (context.planned() == nullptr) return;
  report_if(context, context.planned()->same_sequence,
            "every round asks for the same offsets in the same order",
            "let each round have a seed of its own (leave the other tool's fixed seed out)");
}

void short_stroked(RuleContext& context) {
  const auto at = context.target();
  if (!at || context.planned()->area_bytes == 0) return;
  const Flag solid = solid_state(group_of(*at));
  const Integer& size = at->drive->size_bytes;
  Condition holds;
  holds.require(negate(solid), "media of the drives")
      .require(size && *size > 0 ? Flag{static_cast<double>(context.planned()->area_bytes) <
                                        short_stroke * static_cast<double>(*size)}
                                 : Flag{},
               "size of the logical drive");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(subject_of(*at),
                 {.evidence = fmt::format("the area is {:.1f} % of the logical drive",
                                          100 * static_cast<double>(context.planned()->area_bytes) /
                                              static_cast<double>(*size)),
                  .fix = {"name this share in the report, or spread the area over the whole drive"},
                  .affects = {}});
}

void metadata(RuleContext& context) {
  const auto at = context.target();
  if (!at) return;
  const Controller& controller = *at->controller;
  std::vector<std::string> missing;
  const auto need = [&](bool known, const char* what) {
    if (!known) missing.emplace_back(what);
  };
  const bool cached = has_cache_to_ask(controller);
  need(!cached || controller.cache.size_bytes || controller.cache.available_bytes ||
           controller.cache.present == false,
       "cache size");
  need(!cached || controller.cache.ratio || controller.cache.present == false, "cache ratio");
  need(smart_path_on(group_of(*at)).has_value(), "Smart Path setting");
  need(controller.firmware.has_value(), "firmware");
  need(at->drive->raid.has_value(), "RAID level");
  need(at->drive->strip_bytes.has_value(), "strip size");
  if (missing.empty()) return;
  context.report(subject_of(*at),
                 {.evidence = fmt::format("unknown: {}", fmt::join(missing, ", ")),
                  .fix = {"let the vendor tool tell it (raidscope doctor), or say in a publication "
                          "that it is not known"},
                  .affects = {}});
}

void scan_due(RuleContext& context) {
  const auto at = context.target();
  if (!at) return;
  const ControllerSettings& settings = at->controller->settings;
  const Text& mode = settings.surface_scan_mode;
  if (!mode && !printed_whole(*at->controller)) {
    return;  // T09 says that it is not known
  }
  if (!mode) return;
  const bool high = same_word(*mode, "High");
  // In idle mode it starts after a pause that only a paced test makes.
  const bool idle =
      same_word(*mode, "Idle") && context.planned()->paced && settings.surface_scan_delay_s &&
      static_cast<double>(*settings.surface_scan_delay_s) <= context.planned()->duration_s;
  if (!(high || idle)) return;
  context.report(
      subject_of(*at),
      {.evidence =
           "Surface Scan Mode: " + *mode +
           (idle ? fmt::format("; Surface Scan Delay: {} secs", *settings.surface_scan_delay_s)
                 : ""),
       .fix = {context.command(*at->controller, "modify surfacescanmode=disable"),
               "and afterwards:", context.command(*at->controller, "modify surfacescanmode=idle")},
       .affects = whole_controller(*at->controller, "the scan is")});
}

constexpr Rule rules[] = {
    {.id = "W02",
     .severity = Severity::error,
     .condition = "the target is a file with holes",
     .why = "reads of holes come from the file system's tables, not from the drives",
     .source = "S1",
     .evaluate = sparse,
     .planned = true},
    {.id = "W03",
     .severity = Severity::warning,
     .condition = "the target holds data that compresses or repeats",
     .why = "some drives compress and some caches deduplicate",
     .source = "S1, fio HOWTO",
     .evaluate = compressible,
     .planned = true},
    {.id = "W05",
     .severity = Severity::warning,
     .condition = "writes to solid-state drives that were not preconditioned",
     .why = "new drives write faster than they will",
     .source = "SNIA",
     .evaluate = not_preconditioned,
     .planned = true},
    {.id = "W07",
     .severity = Severity::warning,
     .condition = "fewer than 6 rounds of each point",
     .why = "without a spread no difference can be told from noise",
     .source = "S3",
     .evaluate = few_repeats,
     .planned = true},
    {.id = "W08",
     .severity = Severity::warning,
     .condition = "all rounds of one point are measured before those of the next",
     .why = "drift is taken for an effect",
     .source = "SNIA; experiment design",
     .evaluate = in_blocks,
     .planned = true},
    {.id = "W09",
     .severity = Severity::warning,
     .condition =
         "a point follows one that writes into a write cache, after less than 60 s of rest",
     .why = "it begins with a cache that is full of the other's data",
     .source = "D",
     .evaluate = not_drained,
     .planned = true},
    {.id = "W10",
     .severity = Severity::warning,
     .condition = "no point has 4 outstanding for each solid-state drive",
     .why = "the drives are never busy",
     .source = "S3, PERF-11; the factor is chosen here",
     .evaluate = too_shallow,
     .planned = true},
    {.id = "W14",
     .severity = Severity::warning,
     .condition = "every round asks for the same random offsets",
     .why = "the cache learns them",
     .source = "fio HOWTO",
     .evaluate = same_sequence,
     .planned = true},
    {.id = "W15",
     .severity = Severity::warning,
     .condition = "hard disks, and an area of less than half of the logical drive",
     .why = "the outer tracks are faster and the heads move less",
     .source = "S1, INTELRAID; the share is chosen here",
     .evaluate = short_stroked,
     .planned = true},
    {.id = "W16",
     .severity = Severity::info,
     .condition = "cache size, ratio, Smart Path, firmware, RAID level or strip size is unknown",
     .why = "an error for a published result: nobody can compare with it",
     .source = "S1",
     .evaluate = metadata,
     .planned = true},
    {.id = "W18",
     .severity = Severity::warning,
     .condition = "the surface scan will run during the test: mode high, or idle and a paced test",
     .why = "it reads from the drives that are measured",
     .source = "INTELRAID, SCAN",
     .evaluate = scan_due,
     .planned = true},
};

}  // namespace

const RuleTopic rule_topic_test_design{"test_design", "The test's layout", rules};

}  // namespace raidscope
