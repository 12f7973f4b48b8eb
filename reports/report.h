#pragma once

#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "reports/analysis/prices.h"
#include "workloads/run_result.h"

namespace raidscope {

/// What every report is made of. A renderer opens nothing and reads no clock.
struct ReportInput {
  std::vector<RunResult> runs;
  std::map<std::string, Inventory> snapshots;  ///< by snapshot id; all that the runs refer to
  std::string made_at;                         ///< ISO 8601 UTC
  std::string program_version;
  Prices prices;                ///< none given: nothing is said of prices
  std::string tool = "ssacli";  ///< the vendor tool that commands name
};

/// One way to show stored runs. To add one, add reports/formats/NAME.cpp that defines
/// `const ReportFormat report_format_NAME`.
struct ReportFormat {
  std::string_view id;  ///< "html", "markdown", "csv", "json", "terminal"
  std::string_view summary;
  std::string_view file_suffix;
  std::string (*render)(const ReportInput& input) = nullptr;
};

std::span<const ReportFormat* const> report_formats() noexcept;  // generated
const ReportFormat* find_report_format(std::string_view id) noexcept;

}  // namespace raidscope
