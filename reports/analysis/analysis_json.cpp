#include "reports/analysis/analysis_json.h"

#include "probe/base/json_fields.h"

namespace raidscope {

nlohmann::ordered_json to_json(const RunComparison& comparison) {
  return json::encode(comparison);
}

nlohmann::ordered_json to_json(const SmartPathDecision& decision) {
  return json::encode(decision);
}

}  // namespace raidscope
