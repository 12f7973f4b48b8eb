#include "reports/analysis/report_analysis.h"
#include "reports/report.h"
#include "reports/text.h"
#include "reports/text/comparison.h"
#include "reports/text/decision.h"
#include "reports/text/layout.h"
#include "reports/text/line_plot.h"
#include "reports/text/prices.h"
#include "reports/text/references.h"
#include "reports/text/report_plots.h"

namespace raidscope {
namespace {

std::string over_time(const RunResult& run, const TextStyle& style) {
  std::vector<double> iops;
  for (const SeriesPoint& second : run.series) iops.push_back(second.iops);
  if (iops.size() < 2) return {};
  return keyed_line("IOPS over time", sparkline(iops, 50), 17, style);
}

std::string render_terminal(const ReportInput& input) {
  const TextStyle style;
  const ReportAnalysis analysis = analyse(input);
  std::string out = wrapped(printable(analysis.verdict), usable_width(style), 2) + "\n\n";
  out += runs_table(input.runs, style) + report_plots(input, analysis, style);
  if (!analysis.decision.workloads.empty()) out += "\n" + decision_text(analysis.decision, style);
  if (analysis.comparison) out += "\n" + comparison_text(*analysis.comparison, style);
  for (const DecidedWorkload& workload : analysis.decision.workloads) {
    for (const Reference* claim : claims_about(workload.workload))
      out += keyed_line("published", claim_words(*claim), 14, style);
  }
  out += references_text(analysis.references, style) + prices_text(analysis.prices, style);
  for (const RunResult& run : input.runs)
    out += "\n" + run_text(run, style) + over_time(run, style);
  for (const auto& [id, inventory] : input.snapshots) {
    out += "\nInventory " + id + "\n\n" + inventory_text(inventory, style);
  }
  return out;
}

}  // namespace

extern const ReportFormat report_format_terminal;
const ReportFormat report_format_terminal{
    "terminal", "plain text with plots: the verdict, a table, then each run and inventory", ".txt",
    render_terminal};

}  // namespace raidscope
