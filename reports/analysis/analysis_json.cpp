#include "reports/analysis/analysis_json.h"

#include "probe/base/json_fields.h"

namespace raidscope {

nlohmann::ordered_json to_json(const RunComparison& comparison) {
  return json::encode(comparison);
}

nlohmann::ordered_json to_json(const SmartPathDecision& decision) {
  return json::encode(decision);
}

nlohmann::ordered_json references_document(const std::vector<Reference>& list) {
  return {{"schema", "raidscope.references/1"}, {"references", json::encode(list)}};
}

}  // namespace raidscope
