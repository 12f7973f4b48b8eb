#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/analysis/comparison.h"
#include "reports/analysis/decision.h"

namespace raidscope {

nlohmann::ordered_json to_json(const RunComparison& comparison);
nlohmann::ordered_json to_json(const SmartPathDecision& decision);

}  // namespace raidscope
