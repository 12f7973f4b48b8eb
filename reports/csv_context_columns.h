#pragma once

#include <span>
#include <string>
#include <string_view>

#include "reports/analysis/report_analysis.h"

namespace raidscope {

/// Columns behind those of csv_columns(): what the report's other runs make of a run. Names and
/// order are stable; docs/csv-columns.md says what each means.
struct CsvContextColumn {
  std::string_view name;
  std::string (*value)(const RunResult& run, const ReportInput& input,
                       const ReportAnalysis& analysis) = nullptr;
};

std::span<const CsvContextColumn> csv_context_columns() noexcept;

}  // namespace raidscope
