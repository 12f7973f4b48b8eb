#pragma once

#include <string>

#include "reports/analysis/decision.h"
#include "reports/text.h"

namespace raidscope {

/// The recommendation first, then why, the numbers by disk count, the commands, and what is
/// missing.
std::string decision_text(const SmartPathDecision& decision, const TextStyle& style);
std::string decision_markdown(const SmartPathDecision& decision);
/// One row a workload and number of disks (RFC 4180); an empty cell is unknown.
std::string decision_csv(const SmartPathDecision& decision);

}  // namespace raidscope
