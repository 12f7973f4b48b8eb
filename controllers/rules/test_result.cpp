// What a result shows of itself: W06, W11, W12, W13, W17.

#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/rules/measured_test.h"
#include "controllers/rules/readings.h"

namespace raidscope {
extern const RuleTopic rule_topic_test_result;

namespace {

/// W12: what the catalogue of rules allows.
constexpr double law_pct = 10;
/// W13: rounding of printed figures.
constexpr double rounding = 0.01;

void no_steady_state(RuleContext& context) {
  const MeasuredTest& seen = *context.measured();
  const Subject subject = subject_of_target(context);
  Condition holds;
  holds.require(negate(seen.steady), "steady state (a series of seconds that is long enough)");
  if (!context.decide(holds, subject)) return;
  std::string evidence = "no steady state";
  if (seen.slope_pct && seen.excursion_pct) {
    evidence += fmt::format(": the slope is {:.1f} % and the excursion {:.1f} %", *seen.slope_pct,
                            *seen.excursion_pct);
    if (seen.window_s) evidence += fmt::format(" of the mean over {:g} s", *seen.window_s);
  }
  context.report(subject, {.evidence = std::move(evidence),
                           .fix = {"measure longer (--time), after a longer --ramp"},
                           .affects = {}});
}

void above_its_bound(RuleContext& context) {
  const MeasuredTest& seen = *context.measured();
  const Subject subject = subject_of_target(context);
  Condition holds;
  holds.require(seen.bound_iops ? Flag{!seen.above_bound.empty()} : Flag{},
                "a physical bound (--drive-iops or --drive-mbps gives one)");
  if (!context.decide(holds, subject)) return;
  context.report(subject, {.evidence = seen.above_bound,
                           .fix = {"take an area that no cache holds, or call it a result of the "
                                   "cache"},
                           .affects = {}});
}

void law_broken(RuleContext& context) {
  const MeasuredTest& seen = *context.measured();
  if (!seen.keeps_depth || seen.outstanding == 0 || seen.iops <= 0) return;
  const Subject subject = subject_of_target(context);
  Flag broken;
  if (const auto& off = seen.littles_law_pct) {
    broken = *off > law_pct + seen.law_slack_up_pct || *off < -law_pct - seen.law_slack_down_pct;
  }
  Condition holds;
  holds.require(broken, "mean latency");
  if (!context.decide(holds, subject)) return;
  context.report(subject,
                 {.evidence = fmt::format(
                      "IOPS × mean latency is {:.1f} outstanding, {} were to be kept "
                      "({:+.0f} %)",
                      (1 + *seen.littles_law_pct / 100) * static_cast<double>(seen.outstanding),
                      seen.outstanding, *seen.littles_law_pct),
                  .fix = {"find out what held requests back, or which of the figures is another's"},
                  .affects = {}});
}

void other_unit(RuleContext& context) {
  const MeasuredTest& seen = *context.measured();
  if (!seen.block_bytes || seen.iops <= 0) return;
  const double made = seen.iops * static_cast<double>(*seen.block_bytes);
  const double ratio = seen.bytes_per_s / made;
  const Subject subject = subject_of_target(context);
  Condition holds;
  holds.require(std::abs(ratio - 1) > rounding, "");
  if (!context.decide(holds, subject)) return;
  constexpr double mebi = 1.048576;
  const bool mixed_up =
      std::abs(ratio * mebi - 1) <= rounding || std::abs(ratio / mebi - 1) <= rounding;
  context.report(subject, {.evidence = fmt::format(
                               "{:.2f} MB/s, and {:.2f} IOPS of {} bytes are {:.2f} MB/s{}",
                               seen.bytes_per_s / 1e6, seen.iops, *seen.block_bytes, made / 1e6,
                               mixed_up ? "; MB and MiB differ by as much" : ""),
                           .fix = {"say which unit each figure has"},
                           .affects = {}});
}

void configuration_changed(RuleContext& context) {
  const MeasuredTest& seen = *context.measured();
  const Subject subject = subject_of_target(context);
  Condition holds;
  holds.require(seen.config_changed,
                seen.unverified.empty()
                    ? std::string("configuration after the run")
                    : fmt::format("{} after the run", fmt::join(seen.unverified, ", ")));
  if (!context.decide(holds, subject)) return;
  context.report(
      subject, {.evidence = seen.changes.empty() ? std::string("the configuration changed")
                                                 : fmt::format("{}", fmt::join(seen.changes, "; ")),
                .fix = {"discard the run and repeat it"},
                .affects = {}});
}

constexpr Rule rules[] = {
    {.id = "W06",
     .severity = Severity::warning,
     .condition = "the result did not come to a steady state: slope or excursion is too large",
     .why = "it is a point of a trend, not a level",
     .source = "fio HOWTO, SNIA",
     .evaluate = no_steady_state,
     .measured = true},
    {.id = "W11",
     .severity = Severity::error,
     .condition = "the result is above what drives, links, PCIe or the controller can do",
     .why = "a cache answered, or a unit is wrong",
     .source = "N15, SSDEND, PERF-3",
     .evaluate = above_its_bound,
     .measured = true},
    {.id = "W12",
     .severity = Severity::warning,
     .condition = "IOPS × mean latency is more than 10 % off what was to be outstanding",
     .why = "a latency or the depth is not what it says (Little's law)",
     .source = "D",
     .evaluate = law_broken,
     .measured = true},
    {.id = "W13",
     .severity = Severity::warning,
     .condition = "bytes a second are not IOPS × block size",
     .why = "MB and MiB were mixed up, or the figures do not belong together",
     .source = "S1, D",
     .evaluate = other_unit,
     .measured = true},
    {.id = "W17",
     .severity = Severity::error,
     .condition = "the configuration after the run is not the one before it",
     .why = "something changed while it was measured",
     .source = "D",
     .evaluate = configuration_changed,
     .measured = true},
};

}  // namespace

const RuleTopic rule_topic_test_result{"test_result", "What a result shows", rules};

}  // namespace raidscope
