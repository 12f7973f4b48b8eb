#pragma once

#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "reports/analysis/comparison.h"
#include "reports/analysis/decision.h"
#include "reports/analysis/references.h"

namespace raidscope {

nlohmann::ordered_json to_json(const RunComparison& comparison);
nlohmann::ordered_json to_json(const SmartPathDecision& decision);
/// `raidscope.references/1`.
nlohmann::ordered_json references_document(const std::vector<Reference>& list);

}  // namespace raidscope
