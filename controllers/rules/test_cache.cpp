// A planned test and the controller's cache: C07, C16, C17, C19, C20, W01, W04.

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_test_cache;

namespace {

/// W01: below it DRAM alone answers; up to it the cache holds a share that shows.
constexpr std::uint64_t comfortable_times = 4;
constexpr std::uint64_t wanted_times = 10;
/// W04: shorter than any drain seen.
constexpr double shortest_write_s = 60;

bool writes(const PlannedTest& test) {
  return test.read_percent < 100;
}

std::string gib(std::uint64_t bytes) {
  return fmt::format("{:.2f} GiB", static_cast<double>(bytes) / (1ULL << 30U));
}

void ratio_of_the_test(RuleContext& context) {
  const auto at = context.target();
  if (!at || !has_cache_to_ask(*at->controller)) return;
  const PlannedTest& test = *context.planned();
  const auto& ratio = at->controller->cache.ratio;
  Condition holds;
  holds.require(negate(is(at->drive->caching, Switch::disabled)), "caching")
      .require(any_of({Flag{writes(test) && test.read_percent < 50}, solid_state(group_of(*at))}),
               "media of the drives")
      .require(ratio ? Flag{ratio->write < 100} : Flag{}, "cache ratio");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(subject_of(*at),
                 {.evidence = fmt::format("Cache Ratio: {}% Read / {}% Write; planned test: {} % "
                                          "reads",
                                          ratio->read, ratio->write, test.read_percent),
                  .fix = {context.command(*at->controller, "modify cacheratio=0/100")},
                  .affects = whole_controller(*at->controller, "the ratio is")});
}

void two_caches(RuleContext& context) {
  const auto at = context.target();
  if (!at || !writes(*context.planned())) return;
  const Controller& controller = *at->controller;
  if (!controller.drive_write_cache || !at->drive->caching) return;
  const bool drives_on = *controller.drive_write_cache == DriveWriteCache::enabled;
  const bool controller_on = *at->drive->caching == Switch::enabled;
  if (drives_on == controller_on) return;
  context.report(
      subject_of(*at),
      {.evidence = fmt::format("Drive Write Cache: {} (the drives' own RAM); Caching: {} (the "
                               "controller's module)",
                               drives_on ? "Enabled" : "not enabled",
                               controller_on ? "Enabled" : "Disabled"),
       .fix = {"name both in the report"},
       .affects = "what a reader takes \"write cache\" to mean"});
}

void bypass_threshold(RuleContext& context) {
  const auto at = context.target();
  if (!at || !writes(*context.planned())) return;
  const Integer& threshold = at->controller->cache.write_bypass_threshold_bytes;
  if (!threshold || *threshold <= 0) return;  // only Gen10 has and prints it
  const auto& blocks = context.planned()->block_bytes;
  const auto limit = static_cast<std::uint64_t>(*threshold);
  const bool over = std::any_of(blocks.begin(), blocks.end(), [&](auto b) { return b >= limit; });
  const bool under = std::any_of(blocks.begin(), blocks.end(), [&](auto b) { return b < limit; });
  if (!over) return;
  context.report(
      subject_of(*at),
      {.evidence =
           fmt::format("Write Cache Bypass Threshold Size: {} KiB; planned blocks: {} bytes",
                       *threshold / 1024, fmt::join(blocks, ", ")),
       .fix = {under ? "keep all block sizes on one side of the threshold, or say which is where"
                     : "say in the report that these writes skip the cache"},
       .affects = "writes of this size and larger"});
}

void smart_cache(RuleContext& context) {
  const auto at = context.target();
  if (!at) return;
  const std::string* const with = extra_value(at->drive->extra, "Caching Association");
  if (with == nullptr || same_word(*with, "None") || with->empty()) return;
  context.report(subject_of(*at),
                 {.evidence = "Caching Association: " + *with,
                  .fix = {"test a logical drive without SmartCache, or warm it up and say so"},
                  .affects = "every read that hits the SSD cache"});
}

void unlike_caches(RuleContext& context) {
  const auto at = context.target();
  if (!at || context.planned()->compared_slots.empty()) return;
  const auto own = usable_cache(*at->controller);
  for (const Controller& other : context.controllers()) {
    const auto& slots = context.planned()->compared_slots;
    if (&other == at->controller || !other.slot ||
        std::find(slots.begin(), slots.end(), *other.slot) == slots.end()) {
      continue;
    }
    const auto theirs = usable_cache(other);
    Condition holds;
    holds.require(own && theirs ? Flag{*own != *theirs} : Flag{}, "cache size");
    if (!context.decide(holds, subject_of(*at))) continue;
    context.report(subject_of(*at), {.evidence = fmt::format("{} of cache here, {} in slot {}",
                                                             gib(*own), gib(*theirs), *other.slot),
                                     .fix = {"compare logical drives of one card"},
                                     .affects = "the comparison of the two targets"});
  }
}

void small_area(RuleContext& context) {
  const auto at = context.target();
  if (!at || !has_cache_to_ask(*at->controller)) return;
  const PlannedTest& test = *context.planned();
  const auto cache = usable_cache(*at->controller);
  Condition holds;
  holds.require(negate(is(at->controller->cache.present, false)), "cache board present")
      .require(cache && test.area_bytes != 0 ? Flag{test.area_bytes <= comfortable_times * *cache}
                                             : Flag{},
               cache ? "size of the test area" : "usable cache size");
  if (!context.decide(holds, subject_of(*at))) return;
  FindingText text;
  text.evidence =
      fmt::format("test area of {}, {:.1f} times the usable cache of {}", gib(test.area_bytes),
                  static_cast<double>(test.area_bytes) / static_cast<double>(*cache), gib(*cache));
  text.fix = {
      fmt::format("take at least --size {}G", (wanted_times * *cache + (1ULL << 30U) - 1) >> 30U)};
  text.affects = "what the result measures: memory in place of drives";
  if (test.area_bytes <= *cache) text.severity = Severity::error;
  context.report(subject_of(*at), std::move(text));
}

void short_write(RuleContext& context) {
  const auto at = context.target();
  if (!at || !writes(*context.planned()) || !has_cache_to_ask(*at->controller)) return;
  Condition holds;
  holds.require(negate(is(at->controller->cache.present, false)), "cache board present")
      .require(context.planned()->duration_s < shortest_write_s, "");
  if (!context.decide(holds, subject_of(*at))) return;
  context.report(
      subject_of(*at),
      {.evidence = fmt::format("{:.0f} s of writing", context.planned()->duration_s),
       .fix = {"measure writes for 300 s or longer (--time 300) after a ramp of 60 s (--ramp 60)"},
       .affects = "what the result measures: filling the cache"});
}

constexpr Rule rules[] = {
    {.id = "C07",
     .severity = Severity::warning,
     .condition = "a test that mostly writes, or is on solid-state drives, with a write share of "
                  "the cache below 100 %",
     .why = "a part of the cache is spent on reads, which gain little",
     .source = "S2, PERF-3",
     .evaluate = ratio_of_the_test,
     .planned = true},
    {.id = "C16",
     .severity = Severity::info,
     .condition = "a test that writes, where the drives' own cache and the controller's are not in "
                  "the same state",
     .why = "two different caches are easily taken for one",
     .source = "field note",
     .evaluate = two_caches,
     .planned = true},
    {.id = "C17",
     .severity = Severity::warning,
     .condition = "writes as large as the cache's bypass threshold or larger",
     .why = "large writes skip the cache, so that block sizes straddle two mechanisms",
     .source = "FX-netdata P408i-a, FX-redhat",
     .evaluate = bypass_threshold,
     .planned = true},
    {.id = "C19",
     .severity = Severity::error,
     .condition = "SmartCache (an SSD cache drive) is attached to the drive to be tested",
     .why = "its hit rate decides, it needs to warm up, and it takes memory from the other cache",
     .source = "HPE-SP",
     .evaluate = smart_cache,
     .planned = true},
    {.id = "C20",
     .severity = Severity::warning,
     .condition = "targets of one plan lie on controllers with caches of different size",
     .why = "modules of 1 and 2 GiB also have twice the bandwidth of one of 512 MiB",
     .source = "PERF-3",
     .evaluate = unlike_caches,
     .planned = true},
    {.id = "W01",
     .severity = Severity::warning,
     .condition = "the test area is at most 4 times the usable cache (error: at most as large)",
     .why = "it measures the cache's memory",
     .source = "S1, S2, S3, D",
     .evaluate = small_area,
     .planned = true},
    {.id = "W04",
     .severity = Severity::error,
     .condition = "writes are measured for less than 60 s behind a cache",
     .why = "it fills the cache only",
     .source = "N6 (60 s discarded, 300 s kept)",
     .evaluate = short_write,
     .planned = true},
};

}  // namespace

const RuleTopic rule_topic_test_cache{"test_cache", "The test and the cache", rules};

}  // namespace raidscope
