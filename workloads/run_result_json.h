#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "probe/base/result.h"
#include "workloads/run_result.h"
#include "workloads/workload.h"

namespace raidscope {
nlohmann::ordered_json to_json(const Workload& workload);
nlohmann::ordered_json to_json(const RunResult& result);
Result<RunResult> run_result_from_json(const nlohmann::ordered_json& document,
                                       std::string_view where);
}  // namespace raidscope
