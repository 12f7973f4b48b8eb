#pragma once

#include <span>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "cli/verb.h"
#include "controllers/inventory/inventory_diff.h"
#include "controllers/rules/rule_changes.h"
#include "reports/store/store.h"
#include "workloads/plan.h"
#include "workloads/run/testfile.h"
#include "workloads/run_result.h"

/// The documents and texts that verbs print around runs.
namespace raidscope::cli {

std::string plan_text(const Plan& plan);
std::vector<RunListEntry> list_entries(std::span<const RunResult> results);
nlohmann::ordered_json list_document(std::span<const RunListEntry> entries);
nlohmann::ordered_json diff_document(const std::vector<Difference>& differences,
                                     const std::vector<RuleChange>& rules);
nlohmann::ordered_json testfile_document(const TestFileCheck& check);

/// Where `profile` writes its report: -o, else raidscope-report-SESSION.html in the working folder
/// when that is writable, else in the temporary folder.
std::string report_path(const Arguments& arguments, const std::string& session_id);

}  // namespace raidscope::cli
