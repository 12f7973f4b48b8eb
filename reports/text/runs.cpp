#include <algorithm>

#include <fmt/format.h>

#include "reports/remarks.h"
#include "reports/text.h"
#include "reports/text/layout.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope {
namespace {

std::string keyed(std::string_view key, const std::string& text, const TextStyle& style,
                  Ink ink = Ink::plain) {
  return keyed_line(key, text, 17, style, ink);
}

std::string latency_line(const LatencySummary& l) {
  return fmt::format("mean {}, p50 {}, p90 {}, p95 {}, p99 {}, p99.9 {}, max {}", latency(l.mean),
                     latency(l.p50), latency(l.p90), latency(l.p95), latency(l.p99),
                     latency(l.p99_9), latency(l.max));
}

std::string reference_words(const RunResult& run, const std::optional<SnapshotRef>& reference) {
  if (!reference) return unknown_word;
  if (std::string undecided = undecided_words(run, *reference); !undecided.empty())
    return undecided;
  return reference->fingerprint + "  " + reference->tag;
}

std::string config_words(const RunResult& run) {
  if (!run.config_changed) return "unknown whether it stayed the same";
  return *run.config_changed ? "CHANGED during the run" : "the same before and after";
}

Ink origin_ink(Origin origin) {
  return origin == Origin::measured ? Ink::plain : Ink::warn;
}

// What makes a row of the table doubtful, in few words; run_text() has the sentences.
std::vector<std::string> doubts_of(const RunResult& run) {
  std::vector<std::string> doubts;
  if (run.interrupted) doubts.emplace_back("interrupted");
  if (!run.checks.valid) doubts.emplace_back("not valid");
  if (run.config_changed == true) doubts.emplace_back("configuration changed during the run");
  for (const std::string& suspicion : run.checks.suspicions) doubts.push_back(suspicion);
  if (run.steady_state.reached == false) doubts.emplace_back("no steady state");
  if (run.engine.name == "null") doubts.emplace_back("null engine: no data moved");
  return doubts;
}

}  // namespace

std::string run_text(const RunResult& run, const TextStyle& style) {
  std::string out = paint(printable(run.name.empty() ? "run" : run.name), Ink::strong, style) +
                    "  " + printable(run.run_id) + "  " +
                    paint(origin_words(run), origin_ink(run.origin), style) + "\n";
  std::string rates = fmt::format("{} IOPS, {}", grouped(run.iops), byte_rate(run.bytes_per_s));
  if (run.checks.physical_bound_iops) {
    rates += fmt::format("; physical bound {} IOPS ({})", grouped(*run.checks.physical_bound_iops),
                         run.checks.bound_name ? *run.checks.bound_name : unknown_word);
  }
  out += keyed("result", rates, style, Ink::strong);
  out += keyed("latency", latency_line(run.latency_us), style);
  if (run.read.ios != 0 && run.write.ios != 0) {
    out += keyed("  read",
                 fmt::format("{} IOPS, {}; {}", grouped(run.read.iops),
                             byte_rate(run.read.bytes_per_s), latency_line(run.read.latency_us)),
                 style);
    out += keyed("  write",
                 fmt::format("{} IOPS, {}; {}", grouped(run.write.iops),
                             byte_rate(run.write.bytes_per_s), latency_line(run.write.latency_us)),
                 style);
  }
  for (const PartResult& one : run.instances) {
    out += keyed(fmt::format("  instance {}", one.number),
                 fmt::format("{} IOPS, {}; {}", grouped(one.iops), byte_rate(one.bytes_per_s),
                             latency_line(one.latency_us)),
                 style);
  }
  out += keyed("workload", workload_shape(run.workload), style);
  if (!run.workload.source.empty()) out += keyed("  as written", run.workload.source, style);
  out +=
      keyed("time",
            fmt::format("{} to {}; asked for {} after {} of ramp",
                        run.started_at.value_or(unknown_word), run.ended_at.value_or(unknown_word),
                        duration(run.workload.duration_s), duration(run.workload.ramp_s)),
            style);
  std::string target =
      fmt::format("{} ({}, {})", run.target.path, run.target.kind, size_or_unknown(run.target));
  if (!run.target.device_chain.empty()) {
    target += fmt::format("; {}", fmt::join(run.target.device_chain, " > "));
  }
  target +=
      run.target.controller ? "; controller " + *run.target.controller : "; controller unknown";
  target += run.target.logical_drive ? fmt::format(", LD {}", *run.target.logical_drive)
                                     : ", logical drive unknown";
  out += keyed("target", target, style);
  out += keyed("engine",
               fmt::format("{} {}; {}", run.engine.name, run.engine.version,
                           run.engine.direct ? "direct" : "not direct") +
                   (run.engine.direct_proof.empty() ? "" : ": " + run.engine.direct_proof),
               style);
  out += keyed("configuration",
               config_words(run) + (run.inventory_origin == "given" ? " (given)" : ""), style,
               run.config_changed == true ? Ink::bad : Ink::plain);
  out += keyed("  before", reference_words(run, run.inventory_before), style);
  out += keyed("  after", reference_words(run, run.inventory_after), style);
  if (!run.unverified.empty()) {
    out +=
        keyed("  unverified", fmt::format("{}", fmt::join(run.unverified, "; ")), style, Ink::dim);
  }
  std::string checks = fmt::format(
      "Little's law off by {}; queue depth achieved {} of {}", percent(run.checks.littles_law_pct),
      run.checks.achieved_queue_depth ? grouped(*run.checks.achieved_queue_depth) : unknown_word,
      grouped_count(run.workload.outstanding_total));
  out += keyed("checks", checks, style);
  out += keyed("processor",
               fmt::format("user {}, system {}, {} µs per I/O", duration_or_unknown(run.cpu.user_s),
                           duration_or_unknown(run.cpu.system_s),
                           run.cpu.us_per_io ? grouped(*run.cpu.us_per_io) : unknown_word),
               style);
  for (const std::string& warning : run_warnings(run))
    out += keyed("warning", warning, style, Ink::warn);
  for (const std::string& note : run_notes(run)) out += keyed("note", note, style, Ink::dim);
  return out;
}

std::string runs_table(std::span<const RunResult> results, const TextStyle& style) {
  if (results.empty()) return "No runs.\n";
  std::vector<std::vector<Cell>> rows;
  for (const RunResult& run : results) {
    rows.push_back({
        {printable(run.run_id), Ink::dim},
        {printable(run.name.empty() ? "unnamed" : run.name), Ink::strong},
        {block_words(run.workload)},
        {mix_words(run.workload)},
        {grouped_count(run.workload.outstanding_total)},
        {grouped(run.iops), Ink::strong},
        {grouped(run.bytes_per_s / (1024.0 * 1024.0))},
        {latency(run.latency_us.mean)},
        {latency(run.latency_us.p99)},
        {std::string(to_name(run.origin)), origin_ink(run.origin)},
    });
  }
  const std::vector<std::string> lines = split_lines(table_text({{"Run"},
                                                                 {"Workload", false, 12},
                                                                 {"Block", true},
                                                                 {"Mix"},
                                                                 {"QD", true},
                                                                 {"IOPS", true},
                                                                 {"MiB/s", true},
                                                                 {"Mean", true},
                                                                 {"p99", true},
                                                                 {"Origin"}},
                                                                rows, style));
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  const std::vector<Remark> doubts = remarks(results, doubts_of);
  if (!doubts.empty()) out += "\n";
  for (const Remark& doubt : doubts) {
    const std::string where = where_words(doubt, [](std::string_view id) { return printable(id); });
    out += keyed_line("doubtful", doubt.text + (where.empty() ? "" : " (" + where + ")"), 14, style,
                      Ink::warn);
  }
  // The tag belongs to every number; runs of one configuration share its line.
  std::vector<std::string> tags;
  for (const RunResult& run : results) {
    std::string line =
        run.inventory_before ? reference_words(run, run.inventory_before) : "configuration unknown";
    if (std::find(tags.begin(), tags.end(), line) == tags.end()) tags.push_back(std::move(line));
  }
  out += "\n";
  for (const std::string& line : tags) out += keyed_line("measured on", line, 14, style);
  return out;
}

std::string list_text(std::span<const RunListEntry> entries, const TextStyle& style) {
  if (entries.empty()) return "No runs are stored yet.\n";
  std::vector<std::vector<Cell>> rows;
  for (const RunListEntry& entry : entries) {
    rows.push_back({
        {printable(entry.run_id), Ink::strong},
        {printable(entry.started_at.value_or(unknown_word))},
        {printable(entry.name.empty() ? "unnamed" : entry.name)},
        {std::string(to_name(entry.origin)), origin_ink(entry.origin)},
        {grouped(entry.iops), Ink::strong},
        {grouped(entry.bytes_per_s / (1024.0 * 1024.0))},
    });
  }
  const std::vector<std::string> lines = split_lines(table_text(
      {{"Run"}, {"Started"}, {"Workload", false, 12}, {"Origin"}, {"IOPS", true}, {"MiB/s", true}},
      rows, style));
  // Runs of one session on one target and configuration stand below one heading.
  const auto heading = [](const RunListEntry& entry) {
    return fmt::format("Session {} on {}: {}",
                       entry.session_id.empty() ? unknown_word : entry.session_id,
                       entry.target.empty() ? unknown_word : entry.target,
                       entry.tag.empty() ? "configuration unknown" : entry.tag);
  };
  std::string out = lines.front() + "\n", current;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    std::string wanted = heading(entries[i]);
    if (wanted != current) {
      const std::string flat = wrapped(printable(wanted), usable_width(style), 2);
      for (const std::string& line : split_lines(flat)) out += paint(line, Ink::dim, style) + "\n";
      current = std::move(wanted);
    }
    out += lines[i + 1] + "\n";
  }
  return out;
}

}  // namespace raidscope
