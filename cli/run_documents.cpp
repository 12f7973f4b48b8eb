#include "cli/run_documents.h"

#include <cstdlib>
#include <unistd.h>

#include <fmt/core.h>

#include "cli/terminal.h"
#include "probe/base/json_fields.h"
#include "reports/words.h"
#include "workloads/derived.h"
#include "workloads/native_syntax.h"

namespace raidscope::cli {

namespace {

/// As options, where the sentence about the point does not say it all.
std::string options_line(const Workload& w) {
  Workload plain;
  plain.pattern = w.pattern;
  plain.block_bytes = w.block_bytes;
  plain.read_percent = w.read_percent;
  plain.workers = w.workers;
  plain.queue_depth_per_worker = w.queue_depth_per_worker;
  plain.outstanding_total = w.outstanding_total;
  plain.area_bytes = w.area_bytes;
  plain.duration_s = w.duration_s;
  plain.ramp_s = w.ramp_s;
  plain.seed = w.seed;
  plain.sync = w.sync;
  Workload shown = w;
  shown.name.clear();
  shown.targets.clear();
  shown.source.clear();
  shown.warnings.clear();
  shown.outstanding_total = outstanding(shown);
  plain.outstanding_total = shown.outstanding_total;
  return shown == plain ? std::string() : print_native(std::span<const Workload>(&shown, 1));
}

}  // namespace

std::string plan_text(const Plan& plan) {
  std::string out =
      fmt::format("{} {}, {} of running\n", plan.points.size(),
                  plan.points.size() == 1 ? "point" : "points", duration_words(plan.duration_s));
  for (const PlannedPoint& point : plan.points) {
    const Workload& w = point.workload;
    out += fmt::format(
        "  {}: {}, {} after {} of ramp{}{}\n    at the device: {}\n", point.name, workload_shape(w),
        duration_words(w.duration_s), duration_words(w.ramp_s),
        w.area_bytes != 0 ? ", on the first " + size_words(static_cast<double>(w.area_bytes))
                          : ", on all of the target",
        w.sync == Sync::write_through ? ", write-through" : "", outstanding_words(w));
    if (const std::string options = options_line(w); !options.empty()) out += "    as " + options;
  }
  out += fmt::format(
      "Bytes to be written: {}\n",
      plan.bytes_to_write ? size_words(static_cast<double>(*plan.bytes_to_write)) : "unknown");
  for (const std::string& warning : plan.warnings) out += fmt::format("note: {}\n", warning);
  for (const Refusal& refusal : plan.refusals)
    out += fmt::format("would be refused ({}): {}\n", refusal.code, refusal.why);
  return out;
}

std::vector<RunListEntry> list_entries(std::span<const RunResult> results) {
  std::vector<RunListEntry> out;
  for (const RunResult& r : results) {
    RunListEntry entry{r.run_id,      r.session_id, r.started_at, r.name, r.origin,
                       r.target.path, "",           "",           r.iops, r.bytes_per_s};
    if (r.inventory_before) {
      entry.fingerprint = r.inventory_before->fingerprint;
      entry.tag = r.inventory_before->tag;
    }
    out.push_back(std::move(entry));
  }
  return out;
}

nlohmann::ordered_json list_document(std::span<const RunListEntry> entries) {
  json::Json runs = json::Json::array();
  for (const RunListEntry& entry : entries) runs.push_back(json::encode(entry));
  return {{"schema", "raidscope.list/1"}, {"runs", std::move(runs)}};
}

nlohmann::ordered_json diff_document(const std::vector<Difference>& differences,
                                     const std::vector<RuleChange>& rules) {
  return {{"schema", "raidscope.diff/1"},
          {"differences", json::encode(differences)},
          {"rules", json::encode(rules)}};
}

nlohmann::ordered_json testfile_document(const TestFileCheck& check) {
  return json::encode(check);
}

std::string report_path(const Arguments& arguments, const std::string& session_id) {
  if (const auto given = arguments.get("output")) return *given;
  const std::string name = fmt::format("raidscope-report-{}.html", session_id);
  if (::access(".", W_OK) == 0) return "./" + name;
  const char* temporary = std::getenv("TMPDIR");
  return fmt::format("{}/{}", temporary != nullptr && *temporary != '\0' ? temporary : "/tmp",
                     name);
}

}  // namespace raidscope::cli
