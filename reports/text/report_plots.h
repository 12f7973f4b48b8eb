#pragma once

#include <string>

#include "reports/analysis/report_analysis.h"
#include "reports/text.h"

namespace raidscope {

/// IOPS by number of disks with the crossover below, and by requests outstanding, for a terminal.
std::string report_plots(const ReportInput& input, const ReportAnalysis& analysis,
                         const TextStyle& style);

/// The crossover with its interval, or that there is none; empty with one number of disks.
std::string crossover_words(const DecidedWorkload& workload);

}  // namespace raidscope
