#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "probe/base/enum_names.h"
#include "reports/analysis/report_analysis.h"
#include "reports/html/model.h"
#include "reports/html/script_json.h"
#include "reports/html/sweeps.h"
#include "reports/text/layout.h"

namespace raidscope::html {
namespace {

using Json = nlohmann::ordered_json;

Json number(const std::optional<double>& value) {
  return value && std::isfinite(*value) ? Json(*value) : Json(nullptr);
}

constexpr struct {
  const char* name;
  std::optional<double> LatencySummary::*member;
} percentiles[] = {{"p50", &LatencySummary::p50},     {"p90", &LatencySummary::p90},
                   {"p95", &LatencySummary::p95},     {"p99", &LatencySummary::p99},
                   {"p99.9", &LatencySummary::p99_9}, {"p99.99", &LatencySummary::p99_99},
                   {"max", &LatencySummary::max}};

Json seconds_of(const RunResult& run) {
  Json t = Json::array(), iops = Json::array(), mean = Json::array(), p99 = Json::array();
  for (const SeriesPoint& point : run.series) {
    t.push_back(number(point.t));
    iops.push_back(number(point.iops));
    mean.push_back(number(point.mean_us));
    p99.push_back(number(point.p99_us));
  }
  return {{"t", t}, {"iops", iops}, {"mean", mean}, {"p99", p99}};
}

Json range(const std::optional<double>& low, const std::optional<double>& high) {
  return low && high ? Json{*low, *high} : Json(nullptr);
}

/// Where each round ends, in seconds since the measurement began, with its IOPS.
Json rounds_of(const RunResult& run) {
  Json out = Json::array();
  double end = 0;
  for (const RoundResult& round : run.rounds) {
    const double begin = end;
    end += round.seconds;
    out.push_back({begin, end, number(round.iops)});
  }
  return out;
}

/// The window that steady state was judged by: the last of the measurement, or of its rounds.
Json steady_of(const RunResult& run) {
  const SteadyState& steady = run.steady_state;
  if (!steady.window_s || run.series.empty()) return nullptr;
  double end = run.series.back().t;
  if (!run.rounds.empty()) {
    end = 0;
    for (const RoundResult& round : run.rounds) end += round.seconds;
  }
  return {{"from", std::max(0.0, end - *steady.window_s)},
          {"to", end},
          {"reached", steady.reached ? Json(*steady.reached) : Json(nullptr)}};
}

constexpr struct {
  const char* name;
  std::optional<DecidedArm> DecidedPoint::*member;
} decided_arms[] = {{"controller's cache", &DecidedPoint::cache},
                    {"SSD Smart Path", &DecidedPoint::smart_path},
                    {"neither", &DecidedPoint::neither},
                    {"driver switched off", &DecidedPoint::driver_off}};

/// One plot over the disks.
Json disks_of(const DecidedWorkload& workload) {
  Json out{{"arms", Json::array()}};
  const auto ends = [](const std::optional<ValueRange>& one) {
    return one ? Json{one->low, one->high} : Json(nullptr);
  };
  for (const auto& arm : decided_arms) {
    Json points = Json::array();
    for (const DecidedPoint& point : workload.points) {
      const std::optional<DecidedArm>& numbers = point.*arm.member;
      if (!numbers) continue;
      points.push_back({{"x", point.disk_count},
                        {"iops", number(numbers->iops)},
                        {"iops_range", ends(numbers->iops_interval)},
                        {"mean", number(numbers->mean_us)},
                        {"mean_range", ends(numbers->mean_us_interval)},
                        {"p99", number(numbers->p99_us)},
                        {"n", numbers->n}});
    }
    if (!points.empty()) out["arms"].push_back({{"name", arm.name}, {"points", points}});
  }
  out["crossover"] = nullptr;
  if (workload.crossover) {
    out["crossover"] = {{"low", number(workload.crossover->low)},
                        {"high", number(workload.crossover->high)},
                        {"estimate", number(workload.crossover->estimate)}};
  }
  return out;
}

Json point_of(const Point& point) {
  Json out{{"name", printable(point.name)}, {"cells", Json::array()}};
  for (const PointCell& cell : point.cells) {
    const Spread iops =
        spread(cell.runs, [](const RunResult& run) { return std::optional(run.iops); });
    const Spread p99 = spread(cell.runs, [](const RunResult& run) { return run.latency_us.p99; });
    const Spread mean = spread(cell.runs, [](const RunResult& run) { return run.latency_us.mean; });
    const LevelInterval level = iops_level(cell.runs), mean_interval = mean_level(cell.runs);
    Json latency = Json::array(), runs = Json::array();
    for (const RunResult* run : cell.runs) {
      Json values = Json::array();
      for (const auto& percentile : percentiles)
        values.push_back(number(run->latency_us.*percentile.member));
      latency.push_back(values);
      Json seconds = seconds_of(*run);
      seconds["run"] = printable(run->run_id);
      seconds["rounds"] = rounds_of(*run);
      seconds["steady"] = steady_of(*run);
      runs.push_back(seconds);
    }
    out["cells"].push_back({{"series", cell.series},
                            {"iops", number(iops.median)},
                            {"low", number(iops.low)},
                            {"high", number(iops.high)},
                            {"n", iops.count},
                            {"iops_range", range(level.low, level.high)},
                            {"mean", number(mean.median)},
                            {"mean_range", range(mean_interval.low, mean_interval.high)},
                            {"interval_of", to_name(level.basis)},
                            {"p99", number(p99.median)},
                            {"latency", latency},
                            {"runs", runs}});
  }
  return out;
}

}  // namespace

std::string plot_data(const Model& model, const ReportAnalysis& analysis) {
  Json out;
  out["percentiles"] = Json::array();
  for (const auto& percentile : percentiles) out["percentiles"].push_back(percentile.name);
  out["series"] = Json::array();
  for (const Series& series : model.series) {
    std::string name = series.letter;
    if (series.origin != Origin::measured) name += " (" + std::string(to_name(series.origin)) + ")";
    out["series"].push_back(
        {{"name", name}, {"letter", series.letter}, {"origin", to_name(series.origin)}});
  }
  out["points"] = Json::array();
  for (const Point& point : model.points) out["points"].push_back(point_of(point));
  out["sweeps"] = Json::array();
  for (const Sweep& sweep : sweeps(model)) {
    out["sweeps"].push_back(
        {{"base", sweep.base}, {"points", sweep.points}, {"depth", sweep.depth}});
  }
  out["disks"] = Json::array();
  for (const DecidedWorkload& workload : analysis.decision.workloads)
    out["disks"].push_back(disks_of(workload));
  return script_json(out);
}

}  // namespace raidscope::html
