#include <fmt/format.h>

#include "probe/base/text.h"
#include "reports/report.h"

namespace raidscope {
namespace {

std::string escaped_label(std::string_view text) {
  std::string out;
  for (const char c : text::to_utf8(text)) {
    if (c == '\\' || c == '"') {
      out.push_back('\\');
      out.push_back(c);
    } else if (c == '\n') {
      out += "\\n";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

// What tells one result from another, and which of them may be compared: the origin is on every
// sample.
std::string labels(const RunResult& run) {
  std::string out;
  const auto add = [&](std::string_view name, std::string_view value) {
    out += fmt::format("{}{}=\"{}\"", out.empty() ? "" : ",", name, escaped_label(value));
  };
  add("run_id", run.run_id);
  add("session_id", run.session_id);
  add("name", run.name);
  add("origin", to_name(run.origin));
  add("inventory_origin", run.inventory_origin);
  add("target", run.target.path);
  add("fingerprint", run.inventory_before ? run.inventory_before->fingerprint : "");
  add("tag", run.inventory_before ? run.inventory_before->tag : "");
  add("valid", run.checks.valid ? "true" : "false");
  return out;
}

struct Metric {
  std::string_view name, help;
  std::optional<double> (*value)(const RunResult& run) = nullptr;
};

using R = const RunResult&;
std::optional<double> seconds(const std::optional<double>& microseconds) {
  if (!microseconds) return std::nullopt;
  return *microseconds * 1e-6;
}

constexpr Metric metrics[] = {
    {"iops", "I/Os per second", [](R r) { return std::optional(r.iops); }},
    {"read_iops", "reads per second", [](R r) { return std::optional(r.read.iops); }},
    {"write_iops", "writes per second", [](R r) { return std::optional(r.write.iops); }},
    {"bytes_per_second", "bytes per second", [](R r) { return std::optional(r.bytes_per_s); }},
    {"outstanding", "I/Os that were to be outstanding",
     [](R r) { return std::optional(static_cast<double>(r.workload.outstanding_total)); }},
    {"latency_mean_seconds", "mean latency", [](R r) { return seconds(r.latency_us.mean); }},
    {"latency_max_seconds", "greatest latency", [](R r) { return seconds(r.latency_us.max); }},
};

/// Of all directions; nullopt where one of them is not known.
std::optional<std::uint64_t> total_ios(const RunResult& run) {
  if (!run.read.ios || !run.write.ios || (run.trim && !run.trim->ios)) return std::nullopt;
  return *run.read.ios + *run.write.ios + (run.trim ? *run.trim->ios : 0);
}

struct Quantile {
  std::string_view word;
  std::optional<double> LatencySummary::*value;
};
constexpr Quantile quantiles[] = {
    {"0.5", &LatencySummary::p50},     {"0.9", &LatencySummary::p90},
    {"0.95", &LatencySummary::p95},    {"0.99", &LatencySummary::p99},
    {"0.999", &LatencySummary::p99_9}, {"0.9999", &LatencySummary::p99_99},
};

/// The text format of Prometheus, version 0.0.4, without time stamps: an old result is not a
/// sample of now, and started_at is a metric of its own in no format that is scraped. What is
/// unknown has no sample.
std::string render_prometheus(const ReportInput& input) {
  std::string out;
  for (const Metric& metric : metrics) {
    out += fmt::format(
        "# HELP raidscope_run_{0} {1} of a stored run\n# TYPE raidscope_run_{0} gauge\n",
        metric.name, metric.help);
    for (const RunResult& run : input.runs) {
      if (const auto value = metric.value(run))
        out += fmt::format("raidscope_run_{}{{{}}} {}\n", metric.name, labels(run), *value);
    }
  }
  out +=
      "# HELP raidscope_run_latency_seconds latency of a stored run by quantile\n"
      "# TYPE raidscope_run_latency_seconds summary\n";
  for (const RunResult& run : input.runs) {
    for (const Quantile& quantile : quantiles) {
      if (const auto value = seconds(run.latency_us.*quantile.value))
        out += fmt::format("raidscope_run_latency_seconds{{{},quantile=\"{}\"}} {}\n", labels(run),
                           quantile.word, *value);
    }
    const std::optional<std::uint64_t> ios = total_ios(run);
    if (const auto mean = seconds(run.latency_us.mean); mean && ios) {
      out += fmt::format("raidscope_run_latency_seconds_sum{{{}}} {}\n", labels(run),
                         *mean * static_cast<double>(*ios));
      out += fmt::format("raidscope_run_latency_seconds_count{{{}}} {}\n", labels(run), *ios);
    }
  }
  return out;
}

}  // namespace

extern const ReportFormat report_format_prometheus;
const ReportFormat report_format_prometheus{
    "prometheus",
    "the text format of Prometheus, gauges and the latency as a summary, one sample a run", ".prom",
    render_prometheus};

}  // namespace raidscope
