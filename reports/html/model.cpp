#include "reports/html/model.h"

#include <algorithm>
#include <cmath>

#include "reports/words.h"

namespace raidscope::html {
namespace {

std::string letter_of(std::size_t index) {
  std::string out(1, static_cast<char>('A' + static_cast<int>(index % 26)));
  if (index >= 26) out += std::to_string(index / 26 + 1);
  return out;
}

std::size_t series_of(std::vector<Series>& all, const RunResult& run) {
  Series wanted;
  wanted.session_id = run.session_id;
  wanted.origin = run.origin;
  wanted.target = run.target.path;
  if (run.inventory_before) {
    wanted.fingerprint = run.inventory_before->fingerprint;
    wanted.tag = run.inventory_before->tag;
  }
  const auto found = std::find_if(all.begin(), all.end(), [&](const Series& one) {
    return one.session_id == wanted.session_id && one.fingerprint == wanted.fingerprint &&
           one.origin == wanted.origin && one.target == wanted.target;
  });
  if (found != all.end()) return static_cast<std::size_t>(found - all.begin());
  wanted.letter = letter_of(all.size());
  all.push_back(std::move(wanted));
  return all.size() - 1;
}

}  // namespace

Model make_model(const ReportInput& input) {
  Model model;
  model.input = &input;
  for (const RunResult& run : input.runs) {
    const std::size_t series = series_of(model.series, run);
    model.series[series].runs.push_back(&run);
    const std::string shape = workload_shape(run.workload);
    auto point = std::find_if(model.points.begin(), model.points.end(), [&](const Point& one) {
      return one.name == run.name && one.shape == shape;
    });
    if (point == model.points.end()) {
      model.points.push_back({run.name, shape, {}});
      point = model.points.end() - 1;
    }
    auto cell = std::find_if(point->cells.begin(), point->cells.end(),
                             [&](const PointCell& one) { return one.series == series; });
    if (cell == point->cells.end()) {
      point->cells.push_back({series, {}});
      cell = point->cells.end() - 1;
    }
    cell->runs.push_back(&run);
  }
  return model;
}

Spread spread(const std::vector<const RunResult*>& runs,
              std::optional<double> (*value)(const RunResult& run)) {
  std::vector<double> values;
  for (const RunResult* run : runs) {
    if (const auto one = value(*run); one && std::isfinite(*one)) values.push_back(*one);
  }
  Spread out;
  out.count = values.size();
  if (values.empty()) return out;
  std::sort(values.begin(), values.end());
  out.low = values.front();
  out.high = values.back();
  const std::size_t middle = values.size() / 2;
  out.median = values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
  return out;
}

}  // namespace raidscope::html
