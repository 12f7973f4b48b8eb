#include "reports/analysis/decision_reasons.h"

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace raidscope {
namespace {

std::string disks_words(double disks) {
  return fmt::format("{:.3g}", disks);
}

std::optional<double> finite(double value) {
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string winner_words(ArmWinner winner) {
  switch (winner) {
    case ArmWinner::cache:
      return "the controller's cache";
    case ArmWinner::smart_path:
      return "Smart Path";
    case ArmWinner::equal:
      return "neither";
    case ArmWinner::undecided:
      break;
  }
  return "undecided";
}

std::string times_words(const RatioInterval& ratio) {
  std::string out = fmt::format("{}×", ratio_words(*ratio.estimate));
  if (ratio.low && ratio.high)
    out += fmt::format(" ({} to {})", ratio_words(*ratio.low), ratio_words(*ratio.high));
  return out;
}

}  // namespace

void say_bypass(const BypassShare& share, DecidedWorkload& out) {
  out.bypass_share = share.by_rule;
  out.bypass_share_capped = share.capped;
  out.bypass_reason = share.why;
  out.bypass_capped_reason = share.why_capped;
  if (!share.by_rule) {
    out.because.push_back("how much of the workload can bypass the controller is unknown: " +
                          share.why);
    return;
  }
  out.because.push_back(
      fmt::format("{}{:.3g} % of the requests can bypass the controller by rule: {}",
                  *share.by_rule > 0 ? "at most " : "", *share.by_rule * 100, share.why));
  if (share.capped && *share.capped < *share.by_rule) {
    out.because.push_back(
        fmt::format("{:.3g} % at this depth: {}", *share.capped * 100, share.why_capped));
  }
}

void say_points(const DecisionOptions& options, DecidedWorkload& out) {
  for (const DecidedPoint& point : out.points) {
    if (!point.ratio || !point.ratio->estimate) continue;
    std::string text = fmt::format("at {} disks Smart Path served {} the IOPS of the cache",
                                   point.disk_count, times_words(*point.ratio));
    if (!point.in_the_way.empty()) {
      text += fmt::format(", but no conclusion: {}", fmt::join(point.in_the_way, ", "));
    } else {
      switch (point.winner) {
        case ArmWinner::equal:
          text += fmt::format(": practically equal (within {:g} %)", options.margin * 100);
          break;
        case ArmWinner::undecided:
          text += point.more_pairs ? fmt::format(": undecided, {} more pairs", *point.more_pairs)
                                   : std::string(": undecided");
          break;
        default:
          text += ": " + winner_words(point.winner) + " is better";
      }
    }
    if (point.mean_ratio && point.mean_ratio->estimate)
      text += fmt::format("; mean latency {}", times_words(*point.mean_ratio));
    if (point.p99_ratio && point.p99_ratio->estimate)
      text += fmt::format(", p99 {}", times_words(*point.p99_ratio));
    out.because.push_back(std::move(text));
    const bool sure = point.winner == ArmWinner::cache || point.winner == ArmWinner::smart_path;
    const bool tail_sure =
        point.p99_winner == ArmWinner::cache || point.p99_winner == ArmWinner::smart_path;
    if (sure && tail_sure && point.winner != point.p99_winner) {
      out.because.push_back(fmt::format(
          "at {} disks throughput and tail disagree: {} serves more, {} has the lower p99; "
          "decide "
          "by what the application waits for",
          point.disk_count, winner_words(point.winner), winner_words(point.p99_winner)));
    }
  }
}

void say_prices(const Prices& prices, DecidedWorkload& out) {
  if (!prices.given()) return;
  const DecidedPoint* best = nullptr;
  const DecidedArm* numbers = nullptr;
  const char* name = "";
  for (const DecidedPoint& point : out.points) {
    for (const auto& [arm, words] :
         {std::pair{&point.cache, "the cache"}, std::pair{&point.smart_path, "Smart Path"}}) {
      if (!*arm || !(*arm)->price_per_kiops) continue;
      if (numbers != nullptr && *(*arm)->price_per_kiops >= *numbers->price_per_kiops) continue;
      best = &point;
      numbers = &**arm;
      name = words;
    }
  }
  if (best == nullptr) {
    out.because.emplace_back("no price of a thousand IOPS: a drive's price or number is unknown");
    return;
  }
  out.because.push_back(fmt::format(
      "cheapest: {} disks with {}, {} for a thousand IOPS, {} IOPS for one unit of the currency "
      "(drives{}{})",
      best->disk_count, name, price_words(numbers->price_per_kiops),
      price_words(numbers->iops_per_unit),
      prices.controller.empty() ? "; the controller's price was not given" : ", controller",
      prices.module.empty() ? "; the module's price was not given"
                            : ", module where the cache is used"));
}

void say_crossover(const Crossover& found, double first, double last, double confidence,
                   DecidedWorkload& out) {
  if (found.misfit > 1) {
    out.because.push_back(
        "no crossover: Smart Path does not simply gain with more disks here, which the fit takes "
        "for granted");
    return;
  }
  const CrossoverRange range{finite(found.low), finite(found.high), finite(found.estimate)};
  if (!range.low && !range.high) {
    out.because.push_back(
        found.low > 0    ? fmt::format("no crossover up to {} disks: the cache is ahead at each",
                                       disks_words(last))
        : found.high < 0 ? fmt::format("no crossover down to {} disks: Smart Path is ahead at each",
                                       disks_words(first))
                         : "the crossover may lie anywhere: measure more pairs");
    return;
  }
  out.crossover = range;
  std::string words = "the two cross ";
  if (range.low && range.high) {
    words += disks_words(*range.low) == disks_words(*range.high)
                 ? fmt::format("at {} disks", disks_words(*range.low))
                 : fmt::format("between {} and {} disks", disks_words(*range.low),
                               disks_words(*range.high));
  } else if (range.low) {
    words += fmt::format("above {} disks, perhaps beyond the {} that were measured",
                         disks_words(*range.low), disks_words(last));
  } else {
    words += fmt::format("below {} disks, perhaps under the {} that were measured",
                         disks_words(*range.high), disks_words(first));
  }
  out.because.push_back(
      fmt::format("{} (a {:g} % bootstrap interval of a fit that rises with the "
                  "disks, for this workload alone)",
                  words, confidence * 100));
}

}  // namespace raidscope
