#pragma once

#include <nlohmann/json_fwd.hpp>

#include "controllers/rules/rule.h"

namespace raidscope {
nlohmann::ordered_json to_json(const AuditReport& report);
nlohmann::ordered_json to_json(const Finding& finding);
}  // namespace raidscope
