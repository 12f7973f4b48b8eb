#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/level_interval.h"
#include "reports/analysis/report_series.h"
#include "reports/report.h"

namespace raidscope {
struct ReportAnalysis;
}

/// The runs of a report in the order that its page shows them. Pure.
namespace raidscope::html {

using Series = ReportSeries;  ///< one colour in every plot

/// The repeats of one point within one series.
struct PointCell {
  std::size_t series = 0;
  std::vector<const RunResult*> runs;
};

/// One workload, with what each series says about it.
struct Point {
  std::string name;
  std::string shape;  ///< workload_shape()
  std::vector<PointCell> cells;
};

struct Model {
  const ReportInput* input = nullptr;
  std::vector<Series> series;
  std::vector<Point> points;
};

Model make_model(const ReportInput& input);

/// Of the repeats of a point. The median, because few repeats are seldom normal; low and high are
/// the least and the greatest, not an interval of confidence. Null where no repeat has the value.
struct Spread {
  std::optional<double> low, median, high;
  std::size_t count = 0;
};
Spread spread(const std::vector<const RunResult*>& runs,
              std::optional<double> (*value)(const RunResult& run));

/// Everything that the plots draw, as JSON that may stand inside a script element.
std::string plot_data(const Model& model, const ReportAnalysis& analysis);

}  // namespace raidscope::html
