#include "reports/report.h"
#include "reports/text.h"

namespace raidscope {
namespace {

std::string render_terminal(const ReportInput& input) {
  const TextStyle style;
  std::string out = runs_table(input.runs, style);
  for (const RunResult& run : input.runs) out += "\n" + run_text(run, style);
  for (const auto& [id, inventory] : input.snapshots) {
    out += "\nInventory " + id + "\n\n" + inventory_text(inventory, style);
  }
  return out;
}

}  // namespace

extern const ReportFormat report_format_terminal;
const ReportFormat report_format_terminal{
    "terminal", "plain text: a table, then each run and inventory", ".txt", render_terminal};

}  // namespace raidscope
