#pragma once

#include <string>
#include <vector>

#include "controllers/inventory/inventory_diff.h"
#include "controllers/rules/rule_changes.h"
#include "reports/text/layout.h"

namespace raidscope {

/// The differences of two inventories for a person: what changes what a test measures first, under
/// the object that it is of, then the rest, then the audit rules that say something else now.
std::string diff_text(const std::vector<Difference>& differences,
                      const std::vector<RuleChange>& rules, const TextStyle& style);

}  // namespace raidscope
