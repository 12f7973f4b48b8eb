#include "reports/analysis/verdict.h"

#include <algorithm>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "reports/analysis/level_interval.h"
#include "reports/analysis/report_analysis.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope {
namespace {

std::string without_stop(std::string text) {
  while (!text.empty() && (text.back() == '.' || text.back() == '\n')) text.pop_back();
  return text;
}

std::string joined(const std::vector<std::string>& parts) {
  return fmt::format("{}", fmt::join(parts, "; "));
}

std::string ratio_with_interval(const RatioInterval& ratio) {
  std::string out = ratio_words(*ratio.estimate) + "×";
  if (ratio.low && ratio.high)
    out += fmt::format(" ({} to {})", ratio_words(*ratio.low), ratio_words(*ratio.high));
  return out;
}

std::string disks_words(double disks) {
  return fmt::format("{:.3g}", disks);
}

bool is_about_another_drive(const Finding& finding, const RunResult& run) {
  const Subject& subject = finding.subject;
  return (subject.slot && run.target.controller && subject.slot != run.target.controller) ||
         (subject.logical_drive && run.target.logical_drive &&
          subject.logical_drive != run.target.logical_drive);
}

/// Findings that make a number or an advice doubtful, each once: "C09 (error)". Those of the arm
/// that is advised against speak for the advice.
std::vector<std::string> grave_findings(const ReportInput& input,
                                        const std::set<std::string>& advised_against) {
  std::set<std::string> seen;
  for (const RunResult& run : input.runs) {
    if (advised_against.contains(run.run_id)) continue;
    for (const Finding& finding : run.audit) {
      if (finding.severity >= Severity::error && !is_about_another_drive(finding, run))
        seen.insert(fmt::format("{} ({})", finding.rule, to_name(finding.severity)));
    }
  }
  return {seen.begin(), seen.end()};
}

/// What stands behind every kind of verdict: doubtful runs, findings, and whose numbers they are.
void add_doubts(const ReportInput& input, const std::set<std::string>& advised_against,
                std::vector<std::string>& parts, bool& settled) {
  const auto count = std::count_if(input.runs.begin(), input.runs.end(), is_doubtful);
  if (count != 0) {
    parts.push_back(fmt::format("{} of {} runs {} doubtful", count, input.runs.size(),
                                count == 1 ? "is" : "are"));
    settled = false;
  }
  if (const auto findings = grave_findings(input, advised_against); !findings.empty()) {
    parts.push_back(fmt::format("audit findings stand in the way: {}", fmt::join(findings, ", ")));
    settled = false;
  }
  std::set<Origin> origins;
  for (const RunResult& run : input.runs) origins.insert(run.origin);
  if (origins.size() > 1) {
    parts.emplace_back("origins are mixed, and nothing is concluded from one against another");
    settled = false;
  }
  for (const Origin origin : origins) {
    if (origin == Origin::measured) continue;
    parts.push_back(origin == Origin::simulated
                        ? "simulated, so it says nothing of the speed of hardware"
                    : origin == Origin::imported ? "imported: another tool measured it"
                                                 : "published, not measured here");
  }
}

// Arms -------------------------------------------------------------------------------------------

const DecidedPoint* telling_point(const DecidedWorkload& workload) {
  const DecidedPoint* out = nullptr;
  for (const DecidedPoint& point : workload.points) {
    if (!point.ratio || !point.ratio->estimate) continue;
    if (workload.disk_count == point.disk_count) return &point;
    out = &point;
  }
  return out;
}

std::string crossing_words(const CrossoverRange& range) {
  if (range.low && range.high) {
    const std::string low = disks_words(*range.low), high = disks_words(*range.high);
    return low == high ? fmt::format("the two cross at {} disks", low)
                       : fmt::format("the two cross between {} and {} disks", low, high);
  }
  return range.low ? fmt::format("the two cross above {} disks", disks_words(*range.low))
                   : fmt::format("the two cross below {} disks", disks_words(*range.high));
}

/// The rules of findings in words: "C12 (error), slot 0: …".
std::set<std::string> rules_of(const std::vector<std::string>& findings) {
  std::set<std::string> out;
  for (const std::string& finding : findings) out.insert(finding.substr(0, finding.find(' ')));
  return out;
}

/// How much can bypass the controller at all, since it often settles the question.
std::string bypass_words(const DecidedWorkload& workload) {
  if (!workload.bypass_share)
    return "how much can bypass the controller is unknown: " + workload.bypass_reason;
  const bool capped =
      workload.bypass_share_capped && *workload.bypass_share_capped < *workload.bypass_share;
  const double share = capped ? *workload.bypass_share_capped : *workload.bypass_share;
  return fmt::format("{}{:.3g} % of the requests can bypass the controller: {}",
                     share > 0 ? "at most " : "", share * 100,
                     capped ? workload.bypass_capped_reason : workload.bypass_reason);
}

/// One workload's arms in a clause; `named` puts the workload in front.
std::string arms_clause(const DecidedWorkload& workload, bool named, bool& settled) {
  std::vector<std::string> parts{without_stop(workload.recommendation)};
  if (named) parts.front() = workload_shape(workload.workload) + ": " + parts.front();
  parts.push_back(without_stop(bypass_words(workload)));
  if (const DecidedPoint* point = telling_point(workload)) {
    parts.push_back(fmt::format("with {} disks Smart Path served {} the IOPS of the cache",
                                point->disk_count, ratio_with_interval(*point->ratio)));
    if (!point->in_the_way.empty()) {
      parts.push_back("no conclusion, because " +
                      fmt::format("{}", fmt::join(point->in_the_way, ", ")));
    } else if (point->conditional) {
      parts.emplace_back("if what is unknown did not differ");
    }
    if (!point->in_the_way.empty() || point->conditional) settled = false;
  }
  if (workload.crossover && (workload.crossover->low || workload.crossover->high))
    parts.push_back(crossing_words(*workload.crossover));
  if (!workload.in_the_way.empty()) {
    parts.push_back(
        fmt::format("{} must be mended first", fmt::join(rules_of(workload.in_the_way), ", ")));
    settled = false;
  }
  if (!workload.mended.empty())
    parts.push_back(
        fmt::format("the commands mend {}", fmt::join(rules_of(workload.mended), ", ")));
  if (workload.answer == ArmWinner::undecided) settled = false;
  return joined(parts);
}

/// The runs of the arm that loses.
std::set<std::string> runs_advised_against(const ReportAnalysis& analysis) {
  std::set<std::string> out;
  for (const DecidedWorkload& workload : analysis.decision.workloads) {
    if (workload.answer != ArmWinner::cache && workload.answer != ArmWinner::smart_path) continue;
    for (const DecidedPoint& point : workload.points) {
      const auto& loser = workload.answer == ArmWinner::cache ? point.smart_path : point.cache;
      if (loser) out.insert(loser->runs.begin(), loser->runs.end());
    }
  }
  return out;
}

std::optional<ReportVerdict> of_arms(const ReportAnalysis& analysis) {
  std::vector<const DecidedWorkload*> with_ratio;
  for (const DecidedWorkload& workload : analysis.decision.workloads) {
    if (telling_point(workload) != nullptr) with_ratio.push_back(&workload);
  }
  if (with_ratio.empty()) return std::nullopt;
  // The widest sweep speaks for all where a sentence could not hold them.
  std::stable_sort(with_ratio.begin(), with_ratio.end(),
                   [](const DecidedWorkload* a, const DecidedWorkload* b) {
                     return a->points.size() > b->points.size();
                   });
  const std::size_t most = with_ratio.size() > 2 ? 1 : 2;
  ReportVerdict out{"", true};
  for (std::size_t i = 0; i < with_ratio.size() && i < most; ++i) {
    out.sentence +=
        (i == 0 ? "" : "; ") + arms_clause(*with_ratio[i], with_ratio.size() > 1, out.settled);
  }
  if (with_ratio.size() > most)
    out.sentence += fmt::format("; {} more workloads below", with_ratio.size() - most);
  return out;
}

// Groups -----------------------------------------------------------------------------------------

std::string verdict_words(const ComparedMetric& row) {
  if (!row.in_the_way.empty())
    return fmt::format("no conclusion, because {} differed too", fmt::join(row.in_the_way, ", "));
  if (!row.doubtful_runs.empty())
    return fmt::format("no conclusion, because {} doubtful",
                       row.doubtful_runs.size() == 1 ? "a run is" : "runs are");
  switch (row.verdict) {
    case ComparisonVerdict::better:
      return "more IOPS";
    case ComparisonVerdict::worse:
      return "less IOPS";
    case ComparisonVerdict::equal:
      return "practically equal";
    case ComparisonVerdict::undecided:
      break;
  }
  if (row.more_pairs) return fmt::format("undecided, {} more pairs would tell", *row.more_pairs);
  return row.ratio.low ? "undecided" : "undecided, because single results have no interval";
}

std::optional<ReportVerdict> of_groups(const ReportAnalysis& analysis) {
  if (!analysis.comparison) return std::nullopt;
  const RunComparison& comparison = *analysis.comparison;
  std::vector<const ComparedMetric*> rows;
  for (const ComparedMetric& row : comparison.metrics) {
    if (row.metric == "iops" && row.ratio.estimate &&
        row.group_a == comparison.metrics.front().group_a &&
        row.group_b == comparison.metrics.front().group_b)
      rows.push_back(&row);
  }
  if (rows.empty()) return std::nullopt;
  ReportVerdict out{"", true};
  constexpr std::size_t most = 3;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < rows.size() && i < most; ++i) {
    const ComparedMetric& row = *rows[i];
    parts.push_back(
        fmt::format("{}{} at {}, {}", i == 0 ? row.group_b + " served " : "",
                    ratio_with_interval(row.ratio) + (i == 0 ? " the IOPS of " + row.group_a : ""),
                    row.workload, verdict_words(row)));
    if (row.verdict == ComparisonVerdict::undecided) out.settled = false;
  }
  if (rows.size() > most) parts.push_back(fmt::format("{} more below", rows.size() - most));
  if (comparison.groups.size() > 2)
    parts.push_back(fmt::format("{} configurations in all", comparison.groups.size()));
  if (comparison.conditional) {
    parts.emplace_back("if what is unknown did not differ");
    out.settled = false;
  }
  out.sentence = joined(parts);
  return out;
}

// A best result ----------------------------------------------------------------------------------

const PointGroup* best_of(const std::vector<PointGroup>& groups, double RunResult::*rate) {
  const auto median = [rate](const PointGroup& group) {
    std::vector<double> values;
    for (const RunResult* run : group.runs) values.push_back(run->*rate);
    std::nth_element(values.begin(),
                     values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
  };
  const auto best = std::max_element(
      groups.begin(), groups.end(),
      [&](const PointGroup& a, const PointGroup& b) { return median(a) < median(b); });
  return best == groups.end() ? nullptr : &*best;
}

/// The run in the middle of the repeats.
const RunResult& middle_run(const PointGroup& group) {
  std::vector<const RunResult*> runs = group.runs;
  std::sort(runs.begin(), runs.end(),
            [](const RunResult* a, const RunResult* b) { return a->iops < b->iops; });
  return *runs[(runs.size() - 1) / 2];
}

/// The middle one of the repeats, and how far their mean is known.
std::string result_words(const PointGroup& group) {
  const RunResult& run = middle_run(group);
  std::string out =
      fmt::format("{} IOPS and {} with {} (p99 {}", grouped(run.iops), byte_rate(run.bytes_per_s),
                  workload_shape(run.workload), latency(run.latency_us.p99));
  if (group.runs.size() > 1) {
    out += fmt::format("; the middle of {} repeats", group.runs.size());
    const LevelInterval level = iops_level(group.runs);
    if (level.low && level.high)
      out += fmt::format(", whose mean lies between {} and {}", grouped(*level.low),
                         grouped(*level.high));
  }
  return out + ")";
}

ReportVerdict of_best(const ReportAnalysis& analysis) {
  ReportVerdict out{"", true};
  const std::vector<PointGroup>& groups = analysis.points;
  const PointGroup* most_iops = best_of(groups, &RunResult::iops);
  const PointGroup* most_bytes = best_of(groups, &RunResult::bytes_per_s);
  const RunResult& first = middle_run(*most_iops);
  std::vector<std::string> parts{(groups.size() > 1 ? "The most was " : "It served ") +
                                 result_words(*most_iops)};
  if (most_bytes != most_iops) parts.push_back("the highest rate was " + result_words(*most_bytes));
  if (analysis.series.size() > 1) {
    const auto of_first = std::find_if(
        analysis.series.begin(), analysis.series.end(), [&first](const ReportSeries& series) {
          return std::find(series.runs.begin(), series.runs.end(), &first) != series.runs.end();
        });
    if (of_first != analysis.series.end()) parts.front() += " in " + of_first->letter;
  }
  const std::string tag = first.inventory_before ? first.inventory_before->tag : std::string();
  if (tag.empty()) {
    parts.emplace_back("the configuration that it was measured on is unknown");
    out.settled = false;
  } else {
    parts.push_back("on " + tag);
  }
  if (!first.config_changed) {
    parts.emplace_back("if the configuration did not change meanwhile, which is unknown");
    out.settled = false;
  }
  out.sentence = joined(parts);
  return out;
}

}  // namespace

ReportVerdict verdict_of(const ReportInput& input, const ReportAnalysis& analysis) {
  if (input.runs.empty()) return {"There are no runs in this report.", false};
  ReportVerdict out;
  std::set<std::string> advised_against;
  if (auto arms = of_arms(analysis)) {
    out = std::move(*arms);
    advised_against = runs_advised_against(analysis);
  } else if (auto groups = of_groups(analysis)) {
    out = std::move(*groups);
  } else {
    out = of_best(analysis);
  }
  std::vector<std::string> doubts;
  add_doubts(input, advised_against, doubts, out.settled);
  if (!doubts.empty()) out.sentence += "; " + joined(doubts);
  out.sentence += ".";
  return out;
}

}  // namespace raidscope
