#include "reports/csv_columns.h"

#include <fmt/format.h>

namespace raidscope {
namespace {

// The shortest text that reads back as the same double.
std::string number(double value) {
  return fmt::format("{}", value);
}
std::string number(const std::optional<double>& value) {
  return value ? number(*value) : std::string();
}

std::string count(const std::optional<std::uint64_t>& value) {
  return value ? std::to_string(*value) : std::string();
}

std::string word(bool value) {
  return value ? "true" : "false";
}
std::string word(const std::optional<bool>& value) {
  return value ? word(*value) : std::string();
}

std::string joined(const std::vector<std::string>& texts) {
  return fmt::format("{}", fmt::join(texts, "; "));
}

std::string findings(const RunResult& run) {
  std::string out;
  for (const Finding& finding : run.audit) {
    if (!out.empty()) out += "; ";
    out += fmt::format("{} {}", finding.rule, to_name(finding.severity));
  }
  return out;
}

using R = const RunResult&;

constexpr CsvColumn columns[] = {
    {"run_id", [](R r) { return r.run_id; }},
    {"session_id", [](R r) { return r.session_id; }},
    {"name", [](R r) { return r.name; }},
    {"started_at", [](R r) { return r.started_at.value_or(""); }},
    {"ended_at", [](R r) { return r.ended_at.value_or(""); }},
    {"origin", [](R r) { return std::string(to_name(r.origin)); }},
    {"inventory_origin", [](R r) { return r.inventory_origin; }},
    {"fingerprint",
     [](R r) { return r.inventory_before ? r.inventory_before->fingerprint : std::string(); }},
    {"fingerprint_after",
     [](R r) { return r.inventory_after ? r.inventory_after->fingerprint : std::string(); }},
    {"config_changed", [](R r) { return word(r.config_changed); }},
    {"tag", [](R r) { return r.inventory_before ? r.inventory_before->tag : std::string(); }},
    {"target", [](R r) { return r.target.path; }},
    {"target_kind", [](R r) { return r.target.kind; }},
    {"target_size_bytes", [](R r) { return count(r.target.size_bytes); }},
    {"controller", [](R r) { return r.target.controller.value_or(""); }},
    {"logical_drive",
     [](R r) {
       return r.target.logical_drive ? std::to_string(*r.target.logical_drive) : std::string();
     }},
    {"pattern", [](R r) { return std::string(to_name(r.workload.pattern)); }},
    {"block_bytes", [](R r) { return fmt::format("{}", fmt::join(r.workload.block_bytes, "; ")); }},
    {"read_percent", [](R r) { return std::to_string(r.workload.read_percent); }},
    {"workers", [](R r) { return std::to_string(r.workload.workers); }},
    {"queue_depth_per_worker",
     [](R r) { return std::to_string(r.workload.queue_depth_per_worker); }},
    {"outstanding_total", [](R r) { return std::to_string(r.workload.outstanding_total); }},
    {"area_bytes", [](R r) { return std::to_string(r.workload.area_bytes); }},
    {"alignment_bytes", [](R r) { return std::to_string(r.workload.alignment_bytes); }},
    {"duration_s", [](R r) { return number(r.workload.duration_s); }},
    {"ramp_s", [](R r) { return number(r.workload.ramp_s); }},
    {"seed", [](R r) { return std::to_string(r.workload.seed); }},
    {"sync", [](R r) { return std::string(to_name(r.workload.sync)); }},
    {"source", [](R r) { return r.workload.source; }},
    {"engine", [](R r) { return r.engine.name; }},
    {"engine_version", [](R r) { return r.engine.version; }},
    {"direct", [](R r) { return word(r.engine.direct); }},
    {"iops", [](R r) { return number(r.iops); }},
    {"bytes_per_s", [](R r) { return number(r.bytes_per_s); }},
    {"latency_min_us", [](R r) { return number(r.latency_us.min); }},
    {"latency_mean_us", [](R r) { return number(r.latency_us.mean); }},
    {"latency_stddev_us", [](R r) { return number(r.latency_us.stddev); }},
    {"latency_p50_us", [](R r) { return number(r.latency_us.p50); }},
    {"latency_p90_us", [](R r) { return number(r.latency_us.p90); }},
    {"latency_p95_us", [](R r) { return number(r.latency_us.p95); }},
    {"latency_p99_us", [](R r) { return number(r.latency_us.p99); }},
    {"latency_p99_9_us", [](R r) { return number(r.latency_us.p99_9); }},
    {"latency_p99_99_us", [](R r) { return number(r.latency_us.p99_99); }},
    {"latency_max_us", [](R r) { return number(r.latency_us.max); }},
    {"read_ios", [](R r) { return count(r.read.ios); }},
    {"read_iops", [](R r) { return number(r.read.iops); }},
    {"read_bytes_per_s", [](R r) { return number(r.read.bytes_per_s); }},
    {"read_latency_mean_us", [](R r) { return number(r.read.latency_us.mean); }},
    {"read_latency_p99_us", [](R r) { return number(r.read.latency_us.p99); }},
    {"write_ios", [](R r) { return count(r.write.ios); }},
    {"write_iops", [](R r) { return number(r.write.iops); }},
    {"write_bytes_per_s", [](R r) { return number(r.write.bytes_per_s); }},
    {"write_latency_mean_us", [](R r) { return number(r.write.latency_us.mean); }},
    {"write_latency_p99_us", [](R r) { return number(r.write.latency_us.p99); }},
    {"steady_state", [](R r) { return word(r.steady_state.reached); }},
    {"littles_law_pct", [](R r) { return number(r.checks.littles_law_pct); }},
    {"achieved_queue_depth", [](R r) { return number(r.checks.achieved_queue_depth); }},
    {"physical_bound_iops", [](R r) { return number(r.checks.physical_bound_iops); }},
    {"cpu_us_per_io", [](R r) { return number(r.cpu.us_per_io); }},
    {"valid", [](R r) { return word(r.checks.valid); }},
    {"interrupted", [](R r) { return word(r.interrupted); }},
    {"suspicions", [](R r) { return joined(r.checks.suspicions); }},
    {"changes", [](R r) { return joined(r.changes); }},
    {"findings", findings},
    {"accepted", [](R r) { return joined(r.accepted); }},
    {"snapshot_before",
     [](R r) { return r.inventory_before ? r.inventory_before->snapshot : std::string(); }},
    {"snapshot_after",
     [](R r) { return r.inventory_after ? r.inventory_after->snapshot : std::string(); }},
};

}  // namespace

std::span<const CsvColumn> csv_columns() noexcept {
  return columns;
}

}  // namespace raidscope
