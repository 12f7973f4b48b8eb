#include <algorithm>

#include <fmt/format.h>

#include "reports/analysis/report_analysis.h"
#include "reports/remarks.h"
#include "reports/report.h"
#include "reports/text/comparison.h"
#include "reports/text/decision.h"
#include "reports/text/escape.h"
#include "reports/text/layout.h"
#include "reports/text/prices.h"
#include "reports/text/references.h"
#include "reports/text/report_plots.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope {
namespace {

// A code span ends at the first backtick, so longer fences are used where the text has some.
std::string code(std::string_view text) {
  std::string body = printable(text);
  std::replace(body.begin(), body.end(), '|', '/');  // cells end at a bar even in code
  std::size_t longest = 0, run = 0;
  for (const char c : body) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  const std::string fence(longest + 1, '`');
  const char* pad = longest > 0 ? " " : "";
  return fence + pad + body + pad + fence;
}

using Row = std::vector<std::string>;

std::string table(const Row& titles, const std::vector<bool>& right, const std::vector<Row>& rows) {
  std::string out = fmt::format("| {} |\n|", fmt::join(titles, " | "));
  for (std::size_t c = 0; c < titles.size(); ++c) out += right[c] ? " ---: |" : " --- |";
  out += "\n";
  for (const Row& row : rows) out += fmt::format("| {} |\n", fmt::join(row, " | "));
  return out + "\n";
}

std::string configuration_name(const RunResult& run) {
  return run.inventory_before ? code(run.inventory_before->fingerprint) : "unknown";
}

std::string results(const ReportInput& input) {
  std::vector<Row> rows;
  for (const RunResult& run : input.runs) {
    rows.push_back({
        code(run.run_id),
        markdown_text(run.name),
        block_words(run.workload),
        mix_words(run.workload),
        std::string(to_name(run.workload.pattern)),
        grouped_count(run.workload.outstanding_total),
        grouped(run.iops),
        byte_rate(run.bytes_per_s),
        latency(run.latency_us.mean),
        latency(run.latency_us.p50),
        latency(run.latency_us.p99),
        latency(run.latency_us.p99_9),
        std::string(to_name(run.origin)),
        configuration_name(run),
        run_warnings(run).empty() ? "none" : fmt::format("{}, below", run_warnings(run).size()),
    });
  }
  return "## Results\n\n" +
         table({"Run", "Workload", "Block", "Mix", "Pattern", "Outstanding", "IOPS", "Rate", "Mean",
                "p50", "p99", "p99.9", "Origin", "Configuration", "Warnings"},
               {false, false, true, false, false, true, true, true, true, true, true, true, false,
                false, false},
               rows);
}

std::string remark_list(std::string_view title, const std::vector<Remark>& all) {
  std::string out;
  for (const Remark& remark : all) {
    const std::string where = where_words(remark, code);
    out += "- " + markdown_text(remark.text) + (where.empty() ? "" : " (" + where + ")") + "\n";
  }
  return out.empty() ? out : fmt::format("## {}\n\n{}\n", title, out);
}

std::string warnings(const ReportInput& input) {
  return remark_list("Warnings", remarks(input.runs, run_warnings));
}

std::string notes(const ReportInput& input) {
  return remark_list("Notes on the workloads", remarks(input.runs, run_notes));
}

std::string how_measured(const ReportInput& input) {
  std::vector<Row> rows;
  for (const RunResult& run : input.runs) {
    rows.push_back({
        code(run.run_id),
        code(run.target.path),
        size_or_unknown(run.target),
        markdown_text(run.engine.name + " " + run.engine.version) +
            (run.engine.direct ? ", direct" : ", not direct"),
        duration(run.workload.duration_s) + " after " + duration(run.workload.ramp_s),
        markdown_text(workload_shape(run.workload)),
        run.workload.source.empty() ? "options" : code(run.workload.source),
        percent(run.checks.littles_law_pct),
        run.checks.physical_bound_iops
            ? markdown_text(fmt::format("{} IOPS ({})", grouped(*run.checks.physical_bound_iops),
                                        run.checks.bound_name.value_or(unknown_word)))
            : unknown_word,
        run.cpu.us_per_io ? grouped(*run.cpu.us_per_io) + " µs" : unknown_word,
    });
  }
  return "## How it was measured\n\n" +
         table({"Run", "Target", "Size", "Engine", "Time after ramp", "Workload", "As written",
                "Little's law off by", "Physical bound", "CPU per I/O"},
               {false, false, true, false, false, false, false, true, false, true}, rows);
}

std::string findings(const ReportInput& input) {
  std::vector<Row> rows;
  for (const RunResult& run : input.runs) {
    for (const Finding& finding : run.audit) {
      std::vector<std::string> fixes;
      for (const std::string& fix : finding.fix) fixes.push_back(code(fix));
      Row row{std::string(to_name(finding.severity)),
              markdown_text(finding.rule),
              markdown_text(subject_words(finding.subject)),
              markdown_text(finding.evidence),
              markdown_text(finding.why),
              fixes.empty() ? "none" : fmt::format("{}", fmt::join(fixes, "<br>"))};
      if (!finding.affects.empty()) row.back() += "<br>affects: " + markdown_text(finding.affects);
      // Points of one session share their findings.
      if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(std::move(row));
    }
  }
  if (rows.empty()) return {};
  return "## Audit findings\n\n" + table({"Severity", "Rule", "Subject", "Found", "Why", "Fix"},
                                         {false, false, false, false, false, false}, rows);
}

std::string drives_table(const Inventory& inventory) {
  std::vector<Row> rows;
  for (const DriveRef& ref : all_logical_drives(inventory)) {
    const LogicalDrive& drive = *ref.drive;
    rows.push_back({
        markdown_text(text_or_unknown(ref.controller->slot)),
        drive.number ? std::to_string(*drive.number) : unknown_word,
        code(drive_place(drive)),
        markdown_text(raid_words(drive)),
        binary_bytes(drive.size_bytes),
        binary_bytes(drive.strip_bytes),
        drive.disk_count ? std::to_string(*drive.disk_count) : unknown_word,
        "**" + write_cache_words(drive.effective_write_cache) +
            "**: " + markdown_text(drive.effective_write_cache_reason),
        io_path_words(drive.io_path),
        code(drive.fingerprint),
    });
  }
  if (rows.empty()) return {};
  return table({"Slot", "LD", "Device", "RAID", "Size", "Strip", "Disks", "Write cache", "Path",
                "Fingerprint"},
               {false, true, false, false, true, true, true, false, false, false}, rows);
}

std::string block_device_table(const Inventory& inventory) {
  std::vector<Row> rows;
  for (const BlockDevice& device : inventory.block_devices) {
    rows.push_back({code(device.path), markdown_text(text_or_unknown(device.model)),
                    markdown_text(text_or_unknown(device.firmware)),
                    markdown_text(text_or_unknown(device.transport)), media_words(device.media),
                    decimal_bytes(device.size_bytes),
                    write_cache_words(device.effective_write_cache),
                    markdown_text(text_or_unknown(device.block_device.scheduler))});
  }
  if (rows.empty()) return {};
  return table({"Device", "Model", "Firmware", "Link", "Media", "Size", "Write cache", "Scheduler"},
               {false, false, false, false, false, true, false, false}, rows);
}

std::string host_words(const HostFacts& host) {
  return fmt::format(
      "Host: {}; {}; kernel {}; {}; memory {}; hypervisor {}", text_or_unknown(host.product),
      text_or_unknown(host.os), text_or_unknown(host.kernel),
      host.cpus ? fmt::format("{} × {}", *host.cpus, text_or_unknown(host.cpu_model))
                : "processors unknown",
      binary_bytes(host.memory_bytes), host.hypervisor ? *host.hypervisor : "none known");
}

std::string configurations(const ReportInput& input) {
  std::string out;
  for (const auto& [id, inventory] : input.snapshots) {
    out += "### " + code(id.substr(0, 19)) + "\n\n" + markdown_text(host_words(inventory.host)) +
           "\n\n";
    for (const Controller& controller : inventory.controllers) {
      out += "- " + markdown_text(text_or_unknown(controller.name)) + " in slot " +
             markdown_text(text_or_unknown(controller.slot)) + ", firmware " +
             markdown_text(text_or_unknown(controller.firmware)) + ", driver " +
             markdown_text(text_or_unknown(controller.driver.name)) +
             "; cache: " + markdown_text(cache_words(controller.cache)) + "\n";
      for (const Array& array : controller.arrays) {
        for (const AlikeDrives& group : group_drives(array.physical_drives)) {
          out += fmt::format("  - array {}: {} × {}; {}\n",
                             markdown_text(text_or_unknown(array.letter)), group.count,
                             markdown_text(group.what), markdown_text(group.status));
        }
      }
    }
    if (inventory.controllers.empty())
      out += "- " + markdown_text(no_controller_words(inventory)) + "\n";
    out += "\n";
    out += drives_table(inventory) + block_device_table(inventory);
  }
  return out.empty() ? out : "## Configuration\n\n" + out;
}

std::string changes(const ReportInput& input) {
  std::vector<Row> rows;
  for (const RunResult& run : input.runs) {
    const auto reference = [&](const std::optional<SnapshotRef>& ref) {
      const std::string undecided = ref ? undecided_words(run, *ref) : std::string();
      if (!undecided.empty()) return markdown_text(undecided);
      return ref ? code(ref->fingerprint) + " " + markdown_text(ref->tag)
                 : std::string(unknown_word);
    };
    rows.push_back({code(run.run_id), reference(run.inventory_before),
                    reference(run.inventory_after),
                    run.config_changed ? (*run.config_changed ? "**yes**" : "no") : unknown_word,
                    markdown_text(run.inventory_origin)});
  }
  return "## Before and after\n\n" + table({"Run", "Before", "After", "Changed", "Inventory"},
                                           {false, false, false, false, false}, rows);
}

// The headings of a part, one level deeper than where it stands alone.
std::string deeper(const std::string& text) {
  std::string out;
  for (const std::string& line : split_lines(text))
    out += (line.starts_with('#') ? "#" : "") + line + "\n";
  return out;
}

std::string together(const ReportAnalysis& analysis) {
  std::string out;
  if (!analysis.decision.workloads.empty()) {
    out += deeper(decision_markdown(analysis.decision)) + "\n";
    for (const DecidedWorkload& workload : analysis.decision.workloads) {
      if (workload.points.size() > 1)
        out +=
            fmt::format("- Crossover, {}: {}\n", markdown_text(workload_shape(workload.workload)),
                        markdown_text(crossover_words(workload)));
      for (const Reference* claim : claims_about(workload.workload))
        out += "- " + markdown_text(claim_words(*claim)) + "\n";
    }
    out += "\n";
  }
  if (analysis.comparison) out += deeper(comparison_markdown(*analysis.comparison)) + "\n";
  out += references_markdown(analysis.references);
  if (const std::string prices = prices_markdown(analysis.prices); !prices.empty())
    out += prices.substr(prices.find_first_not_of('\n')) + "\n";
  return out;
}

std::string render_markdown(const ReportInput& input) {
  std::string out = fmt::format("# raidscope report\n\nMade {} by raidscope {} from {} {}.\n\n",
                                markdown_text(input.made_at), markdown_text(input.program_version),
                                input.runs.size(), input.runs.size() == 1 ? "run" : "runs");
  if (input.runs.empty()) return out + "There are no runs in this report.\n";
  const ReportAnalysis analysis = analyse(input);
  out += "**" + markdown_text(analysis.verdict) + "**\n\n";
  return out + warnings(input) + results(input) + together(analysis) + changes(input) +
         findings(input) + configurations(input) + how_measured(input) + notes(input);
}

}  // namespace

extern const ReportFormat report_format_markdown;
const ReportFormat report_format_markdown{"markdown", "tables for an issue or a wiki", ".md",
                                          render_markdown};

}  // namespace raidscope
