#include "reports/csv_columns.h"
#include "reports/report.h"
#include "reports/text/escape.h"

namespace raidscope {
namespace {

std::string render_csv(const ReportInput& input) {
  std::string out;
  bool first = true;
  for (const CsvColumn& column : csv_columns()) {
    if (!first) out.push_back(',');
    out += column.name;
    first = false;
  }
  out += "\r\n";
  for (const RunResult& run : input.runs) {
    first = true;
    for (const CsvColumn& column : csv_columns()) {
      if (!first) out.push_back(',');
      out += csv_cell(column.value(run));
      first = false;
    }
    out += "\r\n";
  }
  return out;
}

}  // namespace

extern const ReportFormat report_format_csv;
const ReportFormat report_format_csv{"csv", "one row a run, for spreadsheets and R (RFC 4180)",
                                     ".csv", render_csv};

}  // namespace raidscope
