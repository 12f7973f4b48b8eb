#pragma once

#include <string>

#include "reports/analysis/report_analysis.h"

namespace raidscope {

/// The CSV of a report whose runs are analysed already.
std::string csv_report(const ReportInput& input, const ReportAnalysis& analysis);

}  // namespace raidscope
