#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "controllers/inventory/inventory_json.h"
#include "reports/import_format.h"
#include "reports/importing/result_text.h"
#include "workloads/run_result_json.h"

// raidscope's own `export --format json`: the runs come back as they were, with their ids, their
// origin and their inventories.
namespace raidscope {
namespace {

constexpr std::string_view schema = "raidscope.export/1";

Result<ImportedFile> decoded(const nlohmann::ordered_json& document, std::string_view name) {
  const auto runs = document.find("runs");
  const auto snapshots = document.find("snapshots");
  if (document.value("schema", "") != schema || runs == document.end() || !runs->is_array() ||
      snapshots == document.end() || !snapshots->is_object()) {
    return fail(Errc::malformed,
                fmt::format("expected a document of schema \"{}\" with runs and snapshots", schema),
                std::string(name));
  }
  ImportedFile out;
  for (const auto& [id, snapshot] : snapshots->items()) {
    RAIDSCOPE_TRY(Inventory inventory,
                  inventory_from_json(snapshot, fmt::format("{}, snapshot {}", name, id)));
    if (snapshot_id(inventory) != id) {
      return fail(Errc::malformed, "a snapshot does not have the content that its id names",
                  fmt::format("{}, snapshot {}", name, id),
                  "the file was changed, or a later version of raidscope wrote it");
    }
    out.snapshots.emplace(id, std::move(inventory));
  }
  std::size_t number = 0;
  for (const auto& item : *runs) {
    const std::string where = fmt::format("{}, run {}", name, ++number);
    RAIDSCOPE_TRY(RunResult run, run_result_from_json(item, where));
    if (run.schema != "raidscope.result/1" || run.run_id.empty() || run.session_id.empty()) {
      return fail(Errc::malformed, "expected a raidscope.result/1 with run_id and session_id",
                  where);
    }
    for (const auto* reference : {&run.inventory_before, &run.inventory_after}) {
      if (*reference && !out.snapshots.contains((*reference)->snapshot))
        return fail(Errc::malformed,
                    fmt::format("the snapshot {} that a run refers to is not in the file",
                                (*reference)->snapshot),
                    where);
    }
    out.runs.push_back(std::move(run));
  }
  return out;
}

bool recognises(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && text[first] == '{' &&
         text.substr(0, first + 4096).find(schema) != std::string_view::npos;
}

Result<ImportedFile> parse(std::string_view text, std::string_view name) {
  try {
    const auto document = nlohmann::ordered_json::parse(text);
    if (!document.is_object()) return importing::malformed(name, 1, "expected a JSON object");
    return decoded(document, name);
  } catch (const nlohmann::json::exception& problem) {
    std::string_view why = problem.what();
    if (const auto end = why.find("] "); end != std::string_view::npos) why.remove_prefix(end + 2);
    return fail(Errc::malformed, fmt::format("not a whole JSON document: {}", why),
                std::string(name), "export it anew, or look whether it was cut off");
  }
}

}  // namespace

extern const ImportFormat import_format_raidscope;
const ImportFormat import_format_raidscope{"raidscope", "raidscope's own export in JSON",
                                           recognises, parse};

}  // namespace raidscope
