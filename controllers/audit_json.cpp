#include "controllers/rules/audit_json.h"

#include "probe/base/json_fields.h"

namespace raidscope {

nlohmann::ordered_json to_json(const AuditReport& report) {
  return json::encode(report);
}
nlohmann::ordered_json to_json(const Finding& finding) {
  return json::encode(finding);
}

}  // namespace raidscope
