#pragma once

#include <nlohmann/json_fwd.hpp>

#include "workloads/plan.h"

namespace raidscope {
nlohmann::ordered_json to_json(const Plan& plan);
}  // namespace raidscope
