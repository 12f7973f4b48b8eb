#pragma once

#include <span>
#include <string>
#include <string_view>

#include "workloads/run_result.h"

namespace raidscope {

/// One column of the CSV report. Names and order are stable: new ones go to the end, and
/// docs/csv-columns.md says what each means. Numbers are plain, without units or grouping; an empty
/// cell is unknown.
struct CsvColumn {
  std::string_view name;
  std::string (*value)(const RunResult& run) = nullptr;
};

std::span<const CsvColumn> csv_columns() noexcept;

}  // namespace raidscope
