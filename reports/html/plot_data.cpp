#include <cmath>

#include <nlohmann/json.hpp>

#include "probe/base/enum_names.h"
#include "reports/html/model.h"
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

Json point_of(const Point& point) {
  Json out{{"name", printable(point.name)}, {"cells", Json::array()}};
  for (const PointCell& cell : point.cells) {
    const Spread iops =
        spread(cell.runs, [](const RunResult& run) { return std::optional(run.iops); });
    const Spread p99 = spread(cell.runs, [](const RunResult& run) { return run.latency_us.p99; });
    Json latency = Json::array(), runs = Json::array();
    for (const RunResult* run : cell.runs) {
      Json values = Json::array();
      for (const auto& percentile : percentiles)
        values.push_back(number(run->latency_us.*percentile.member));
      latency.push_back(values);
      Json seconds = seconds_of(*run);
      seconds["run"] = printable(run->run_id);
      runs.push_back(seconds);
    }
    out["cells"].push_back({{"series", cell.series},
                            {"iops", number(iops.median)},
                            {"low", number(iops.low)},
                            {"high", number(iops.high)},
                            {"n", iops.count},
                            {"p99", number(p99.median)},
                            {"latency", latency},
                            {"runs", runs}});
  }
  return out;
}

}  // namespace

std::string plot_data(const Model& model) {
  Json out;
  out["percentiles"] = Json::array();
  for (const auto& percentile : percentiles) out["percentiles"].push_back(percentile.name);
  out["series"] = Json::array();
  for (const Series& series : model.series) {
    std::string name = series.letter;
    if (series.origin != Origin::measured) name += " (" + std::string(to_name(series.origin)) + ")";
    out["series"].push_back({{"name", name}, {"origin", to_name(series.origin)}});
  }
  out["points"] = Json::array();
  for (const Point& point : model.points) out["points"].push_back(point_of(point));
  out["sweeps"] = Json::array();
  for (const Sweep& sweep : sweeps(model)) {
    out["sweeps"].push_back(
        {{"base", sweep.base}, {"points", sweep.points}, {"depth", sweep.depth}});
  }
  // In a script element only "<" could end it; a JSON string may write it as an escape.
  std::string safe;
  for (const char c : out.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe.push_back(c);
    }
  }
  return safe;
}

}  // namespace raidscope::html
