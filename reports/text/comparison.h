#pragma once

#include <string>

#include "reports/analysis/comparison.h"
#include "reports/text.h"

namespace raidscope {

/// One side's number in its unit; "unknown" for none.
std::string value_words(const ComparedMetric& row, const std::optional<double>& value);
/// "better", "worse", "practically equal", "undecided: 4 more pairs".
std::string verdict_words(const ComparedMetric& row);
std::string count_words(const ComparedMetric& row);  ///< "6 pairs", or "4 and 5" runs

/// The sentence first, then a table for each workload and pair of groups, then what differed.
std::string comparison_text(const RunComparison& comparison, const TextStyle& style);
std::string comparison_markdown(const RunComparison& comparison);
/// One row a number (RFC 4180); plain numbers, an empty cell is unknown.
std::string comparison_csv(const RunComparison& comparison);

}  // namespace raidscope
