#pragma once

#include <nlohmann/json_fwd.hpp>

#include "reports/analysis/comparison.h"

namespace raidscope {

nlohmann::ordered_json to_json(const RunComparison& comparison);

}  // namespace raidscope
