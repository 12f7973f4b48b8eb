#include "cli/pacing.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "cli/inputs.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "workloads/repeat_name.h"

namespace raidscope::cli {
namespace {

constexpr double short_point_s = 60;

/// The same for every depth of a sweep.
std::string sweep_key(Workload workload) {
  workload.queue_depth_per_worker = 1;
  workload.outstanding_total = 1;
  return round_key(std::move(workload));
}

}  // namespace

Result<std::optional<RoundsRule>> rounds_rule(const Arguments& arguments) {
  const auto text = arguments.get("until");
  if (!text) return std::optional<RoundsRule>{};
  if (*text == "steady") {
    RoundsRule rule;
    rule.steady = SteadyStateRules{};
    return std::optional<RoundsRule>{rule};
  }
  std::string number = *text;
  if (number.ends_with('%')) number.pop_back();
  RoundsRule rule;
  char* end = nullptr;
  rule.within_pct = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !(rule.within_pct > 0) || rule.within_pct > 100) {
    return fail(Errc::usage,
                fmt::format("--until takes a percentage above 0 or steady, not \"{}\"", *text), "",
                "--until 5 measures until the interval is within ±5 %");
  }
  return std::optional<RoundsRule>{rule};
}

void MeasuredRounds::add(const RunResult& result) {
  iops_[round_key(result.workload)].push_back(result.iops);
}

bool MeasuredRounds::enough(const PlannedPoint& point, const RoundsRule& rule) const {
  const auto found = iops_.find(round_key(point.workload));
  return found != iops_.end() && enough_rounds(found->second, rule);
}

SteadyState MeasuredRounds::steady(const Workload& workload, const SteadyStateRules& rules) const {
  const auto found = iops_.find(round_key(workload));
  if (found == iops_.end()) return {};
  return judge_rounds(found->second, workload.duration_s, rules);
}

std::size_t MeasuredRounds::count(const Workload& workload) const {
  const auto found = iops_.find(round_key(workload));
  return found == iops_.end() ? 0 : found->second.size();
}

std::string steady_words(const SteadyState& steady, const SteadyStateRules& rules) {
  if (!steady.window_s || !steady.excursion_pct || !steady.slope_pct) return {};
  return fmt::format(
      "the last {} rounds ({}) lie within {:.1f} % ({:.0f} % are allowed), their slope is {:.1f} % "
      "({:.0f} %)",
      rules.rounds, duration_words(*steady.window_s), *steady.excursion_pct,
      rules.max_excursion_pct, *steady.slope_pct, rules.max_slope_pct);
}

std::vector<std::string> steady_lines(std::span<const PlannedPoint> points,
                                      const MeasuredRounds& rounds, const SteadyStateRules& rules) {
  std::vector<std::string> out;
  std::set<std::string> said;
  for (const PlannedPoint& point : points) {
    const std::size_t count = rounds.count(point.workload);
    if (count == 0 || !said.insert(round_key(point.workload)).second) continue;
    const std::string name = repeat_name(point.name);
    const SteadyState steady = rounds.steady(point.workload, rules);
    const std::string words = steady_words(steady, rules);
    out.push_back(fmt::format(
        "{}: {} {} {}: {}", name, steady.reached == true ? "steady after" : "not steady after",
        count, count == 1 ? "round" : "rounds",
        words.empty() ? fmt::format("{} are needed to tell", rules.rounds) : words));
  }
  return out;
}

Result<std::optional<double>> asked_rest(const Arguments& arguments) {
  const std::string word = arguments.get_or("drain", "auto");
  if (word == "auto") return std::optional<double>{};
  if (word == "none") return std::optional(0.0);
  RAIDSCOPE_TRY(const auto seconds, duration_option(arguments, "drain"));
  return std::optional(seconds.value_or(0));
}

bool rests_between(double last_s, double next_s) noexcept {
  return last_s >= short_point_s && next_s >= short_point_s;
}

Result<double> pause_before_next(const Arguments& arguments, const RunResult& last,
                                 const PlannedPoint& next, const Controller* controller,
                                 const LogicalDrive* drive) {
  RAIDSCOPE_TRY(const auto asked, asked_rest(arguments));
  if (asked) return *asked;
  if (controller == nullptr || drive == nullptr || last.write.ios.value_or(0) == 0) return 0.0;
  if (!rests_between(last.workload.duration_s, next.workload.duration_s)) return 0.0;
  if (drive->effective_write_cache == EffectiveWriteCache::none) return 0.0;
  const bool random = last.workload.pattern == Pattern::random;
  return drain_seconds(usable_cache(*controller),
                       random ? last.write.bytes_per_s : std::optional<double>{});
}

void leave_idle(const Arguments& arguments, double seconds) {
  if (seconds <= 0) return;
  note(arguments, fmt::format("idle for {}, so that the write cache drains before the next point",
                              duration_words(seconds)));
  ProgressLine line(arguments);
  const auto begin = std::chrono::steady_clock::now();
  while (!StopSignals::stop()) {
    const double left =
        seconds - std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (left <= 0) return;
    line.show(fmt::format("draining: {} left", duration_words(left)));
    std::this_thread::sleep_for(std::chrono::duration<double>(std::min(left, 0.2)));
  }
}

std::vector<std::string> sweet_spot_lines(std::span<const RunResult> results) {
  struct Sweep {
    const Workload* first = nullptr;
    std::vector<DepthSample> depths;
  };
  std::vector<Sweep> sweeps;  // in the order of the results
  std::map<std::string, std::size_t> known;
  for (const RunResult& result : results) {
    const auto [at, fresh] = known.emplace(sweep_key(result.workload), sweeps.size());
    if (fresh) sweeps.push_back({&result.workload, {}});
    if (!result.latency_us.mean) continue;
    std::vector<DepthSample>& depths = sweeps[at->second].depths;
    auto depth = std::find_if(depths.begin(), depths.end(), [&](const DepthSample& one) {
      return one.outstanding == result.workload.outstanding_total;
    });
    if (depth == depths.end())
      depth = depths.insert(depths.end(), {result.workload.outstanding_total, {}, {}});
    depth->iops.push_back(result.iops);
    depth->mean_us.push_back(*result.latency_us.mean);
  }
  std::vector<std::string> out;
  for (const auto& [first, depths] : sweeps) {
    if (depths.size() < 3) continue;
    Workload named = *first;
    named.queue_depth_per_worker = 1;
    std::string name = point_name(named);
    if (const auto depth = name.rfind(" qd"); depth != std::string::npos) name.resize(depth);
    const auto spot = find_sweet_spot(depths);
    if (!spot) {
      out.push_back(fmt::format(
          "{}: no sweet spot inside this sweep; the deepest point still gains, so sweep deeper",
          name));
      continue;
    }
    out.push_back(fmt::format(
        "{}: sweet spot at {} outstanding ({}): {:.0f} % of the most IOPS, at {:.2f} ms in place "
        "of "
        "{:.2f} ms",
        name, spot->estimate,
        spot->confidence_pct ? spot->high == 0 || spot->high == spot->low
                                   ? fmt::format("with {:.0f} % confidence", *spot->confidence_pct)
                                   : fmt::format("between {} and {} with {:.0f} % confidence",
                                                 spot->low, spot->high, *spot->confidence_pct)
                             : "one round each: --repeat 4 tells with what confidence",
        spot->share_pct, spot->latency_us / 1000, spot->best_latency_us / 1000));
  }
  return out;
}

}  // namespace raidscope::cli
