#include <nlohmann/json.hpp>

#include "controllers/inventory/inventory_json.h"
#include "reports/report.h"
#include "workloads/run_result_json.h"

namespace raidscope {
namespace {

// Complete: the results and every snapshot that they refer to, so that another store can take them
// in.
std::string render_json(const ReportInput& input) {
  nlohmann::ordered_json out;
  out["schema"] = "raidscope.export/1";
  out["made_at"] = input.made_at;
  out["tool"] = {{"name", "raidscope"}, {"version", input.program_version}};
  out["runs"] = nlohmann::ordered_json::array();
  for (const RunResult& run : input.runs) out["runs"].push_back(to_json(run));
  out["snapshots"] = nlohmann::ordered_json::object();
  for (const auto& [id, inventory] : input.snapshots) out["snapshots"][id] = to_json(inventory);
  return out.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace

extern const ReportFormat report_format_json;
const ReportFormat report_format_json{
    "json", "complete results with their inventories, importable elsewhere", ".json", render_json};

}  // namespace raidscope
