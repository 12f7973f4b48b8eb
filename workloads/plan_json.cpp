#include "workloads/plan_json.h"

#include "probe/base/json_fields.h"

namespace raidscope {

nlohmann::ordered_json to_json(const Plan& plan) {
  return json::encode(plan);
}

}  // namespace raidscope
