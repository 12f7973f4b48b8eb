#include "reports/formats/csv.h"

#include "reports/csv_columns.h"
#include "reports/csv_context_columns.h"
#include "reports/report.h"
#include "reports/text/escape.h"

namespace raidscope {

std::string csv_report(const ReportInput& input, const ReportAnalysis& analysis) {
  std::string out;
  for (const CsvColumn& column : csv_columns()) {
    if (!out.empty()) out.push_back(',');
    out += column.name;
  }
  for (const CsvContextColumn& column : csv_context_columns()) {
    out.push_back(',');
    out += column.name;
  }
  out += "\r\n";
  for (const RunResult& run : input.runs) {
    bool first = true;
    for (const CsvColumn& column : csv_columns()) {
      if (!first) out.push_back(',');
      out += csv_cell(column.value(run));
      first = false;
    }
    for (const CsvContextColumn& column : csv_context_columns()) {
      out.push_back(',');
      out += csv_cell(column.value(run, input, analysis));
    }
    out += "\r\n";
  }
  return out;
}

namespace {

std::string render_csv(const ReportInput& input) {
  return csv_report(input, analyse(input));
}

}  // namespace

extern const ReportFormat report_format_csv;
const ReportFormat report_format_csv{"csv", "one row a run, for spreadsheets and R (RFC 4180)",
                                     ".csv", render_csv};

}  // namespace raidscope
