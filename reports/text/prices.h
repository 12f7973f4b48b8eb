#pragma once

#include <string>
#include <vector>

#include "reports/analysis/priced_results.h"
#include "reports/text.h"

namespace raidscope {

/// The cells of one row: group, workload, price, IOPS for a unit, of a thousand IOPS, of a GB,
/// what.
std::vector<std::string> price_cells(const PricedResult& row);
std::vector<std::string> price_titles();

/// Empty where there are no prices; else with a heading and an empty line before it.
std::string prices_text(const std::vector<PricedResult>& prices, const TextStyle& style);
std::string prices_markdown(const std::vector<PricedResult>& prices);

}  // namespace raidscope
