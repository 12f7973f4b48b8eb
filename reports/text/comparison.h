#pragma once

#include <string>

#include "reports/analysis/comparison.h"
#include "reports/text.h"

namespace raidscope {

/// The sentence first, then a table for each workload and pair of groups, then what differed.
std::string comparison_text(const RunComparison& comparison, const TextStyle& style);
std::string comparison_markdown(const RunComparison& comparison);
/// One row a number (RFC 4180); plain numbers, an empty cell is unknown.
std::string comparison_csv(const RunComparison& comparison);

}  // namespace raidscope
