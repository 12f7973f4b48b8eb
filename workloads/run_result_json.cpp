#include "workloads/run_result_json.h"

#include "probe/base/json_fields.h"

namespace raidscope {

nlohmann::ordered_json to_json(const Workload& workload) {
  return json::encode(workload);
}

nlohmann::ordered_json to_json(const RunResult& result) {
  return json::encode(result);
}

Result<RunResult> run_result_from_json(const nlohmann::ordered_json& document,
                                       std::string_view where) {
  return json::decode_document<RunResult>(document, where);
}

}  // namespace raidscope
