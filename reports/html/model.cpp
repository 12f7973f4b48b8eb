#include "reports/html/model.h"

#include <algorithm>
#include <cmath>

#include "reports/words.h"
#include "workloads/repeat_name.h"

namespace raidscope::html {

Model make_model(const ReportInput& input) {
  Model model;
  model.input = &input;
  model.series = report_series(input.runs);
  for (const RunResult& run : input.runs) {
    const auto owner =
        std::find_if(model.series.begin(), model.series.end(), [&](const Series& one) {
          return std::find(one.runs.begin(), one.runs.end(), &run) != one.runs.end();
        });
    const auto series = static_cast<std::size_t>(owner - model.series.begin());
    const std::string shape = workload_shape(run.workload);
    const std::string name = repeat_name(run.name);
    auto point = std::find_if(model.points.begin(), model.points.end(), [&](const Point& one) {
      return one.name == name && one.shape == shape;
    });
    if (point == model.points.end()) {
      model.points.push_back({name, shape, {}});
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
