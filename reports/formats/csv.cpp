#include <fmt/format.h>

#include "reports/csv_columns.h"
#include "reports/report.h"

namespace raidscope {
namespace {

// RFC 4180: quotes only where they are needed, doubled inside; lines end with CR LF.
std::string quoted(const std::string& text) {
  if (text.find_first_of(",\"\r\n") == std::string::npos) return text;
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
  return out;
}

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
      out += quoted(column.value(run));
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
