#include "reports/text/report_plots.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/html/sweeps.h"
#include "reports/text/layout.h"
#include "reports/text/line_plot.h"
#include "reports/words.h"

namespace raidscope {
namespace {

std::string over_disks(const DecidedWorkload& workload, const TextStyle& style) {
  struct Arm {
    char mark;
    const char* name;
    std::optional<DecidedArm> DecidedPoint::*member;
  };
  constexpr Arm arms[] = {{'C', "controller's cache", &DecidedPoint::cache},
                          {'S', "SSD Smart Path", &DecidedPoint::smart_path},
                          {'N', "neither", &DecidedPoint::neither},
                          {'D', "driver switched off", &DecidedPoint::driver_off}};
  if (workload.points.size() < 2) return {};
  std::vector<PlotLine> lines;
  for (const Arm& arm : arms) {
    PlotLine line{arm.mark, arm.name, {}};
    for (const DecidedPoint& point : workload.points) {
      const auto& numbers = point.*arm.member;
      if (numbers && numbers->iops)
        line.points.push_back({static_cast<double>(point.disk_count), *numbers->iops});
    }
    if (!line.points.empty()) lines.push_back(std::move(line));
  }
  const std::string plot =
      line_plot(lines, "IOPS, " + workload_shape(workload.workload), "disks", false, style);
  if (plot.empty()) return {};
  return "\n" + plot + keyed_line("crossover", crossover_words(workload), 14, style);
}

}  // namespace

std::string crossover_words(const DecidedWorkload& workload) {
  if (workload.points.size() < 2) return {};
  if (!workload.crossover) return "none known";
  const CrossoverRange& range = *workload.crossover;
  const auto end = [](const std::optional<double>& value) {
    return value ? fmt::format("{:.3g}", *value) : std::string("outside of what was measured");
  };
  return fmt::format("{} disks; 95 % interval from {} to {}", end(range.estimate), end(range.low),
                     end(range.high));
}

std::string report_plots(const ReportInput& input, const ReportAnalysis& analysis,
                         const TextStyle& style) {
  std::string out;
  for (const DecidedWorkload& workload : analysis.decision.workloads)
    out += over_disks(workload, style);
  const html::Model model = html::make_model(input);
  for (const html::Sweep& sweep : html::sweeps(model)) {
    std::vector<PlotLine> lines;
    for (std::size_t s = 0; s < model.series.size(); ++s) {
      PlotLine line{model.series[s].letter.front(), model.series[s].tag, {}};
      if (line.name.empty()) line.name = "configuration unknown";
      for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        for (const html::PointCell& cell : model.points[sweep.points[i]].cells) {
          if (cell.series != s) continue;
          const auto iops =
              html::spread(cell.runs, [](const RunResult& run) { return std::optional(run.iops); });
          if (iops.median)
            line.points.push_back({static_cast<double>(sweep.depth[i]), *iops.median});
        }
      }
      if (!line.points.empty()) lines.push_back(std::move(line));
    }
    out += "\n" + line_plot(lines, "IOPS, " + sweep.base, "requests outstanding", true, style);
  }
  return out;
}

}  // namespace raidscope
