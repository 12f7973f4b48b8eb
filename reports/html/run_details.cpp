#include <fmt/format.h>

#include "reports/html/markup.h"
#include "reports/html/sections.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope::html {
namespace {

std::string reference(const RunResult& run, const std::optional<SnapshotRef>& ref) {
  if (!ref) return unknown_word;
  if (const std::string undecided = undecided_words(run, *ref); !undecided.empty())
    return escaped(undecided);
  return "<code>" + escaped(ref->fingerprint) + "</code> " + escaped(ref->tag);
}

std::string listed(const std::vector<std::string>& texts) {
  std::string out = "<ul class=\"plain\">";
  for (const std::string& text : texts) out += "<li>" + escaped(text) + "</li>";
  return out + "</ul>";
}

std::string direction(const DirectionResult& part) {
  if (part.ios == 0) return "none";
  return fmt::format("{} I/Os, {} IOPS, {}; mean {}, p99 {}, p99.9 {}",
                     part.ios ? grouped_count(*part.ios) : unknown_word, grouped(part.iops),
                     byte_rate(part.bytes_per_s), latency(part.latency_us.mean),
                     latency(part.latency_us.p99), latency(part.latency_us.p99_9));
}

std::string steady_words(const SteadyState& steady) {
  std::string out = steady.reached ? (*steady.reached ? "reached" : "<b>not reached</b>")
                                   : "unknown whether it was reached";
  if (steady.window_s) out += ", window " + duration(*steady.window_s);
  if (steady.slope_pct) out += ", slope " + percent(steady.slope_pct);
  if (steady.excursion_pct) out += ", excursion " + percent(steady.excursion_pct);
  return out;
}

std::string time_words(const RunResult& run) {
  return escaped(fmt::format("{} to {}; {} asked for after {} of ramp",
                             run.started_at.value_or(unknown_word),
                             run.ended_at.value_or(unknown_word), duration(run.workload.duration_s),
                             duration(run.workload.ramp_s)));
}

std::string target_words(const RunResult& run) {
  std::string out = "<code>" + escaped(run.target.path) + "</code>, " +
                    escaped(run.target.kind.empty() ? "kind unknown" : run.target.kind) + ", " +
                    size_or_unknown(run.target);
  if (!run.target.device_chain.empty()) {
    out += "<br>" + escaped(fmt::format("{}", fmt::join(run.target.device_chain, " › ")));
  }
  return out + "<br>controller " + escaped(run.target.controller.value_or(unknown_word)) +
         ", logical drive " +
         (run.target.logical_drive ? std::to_string(*run.target.logical_drive) : unknown_word);
}

std::string workload_words(const RunResult& run) {
  const Workload& w = run.workload;
  return escaped(workload_shape(w)) +
         escaped(fmt::format(
             "; area {}, alignment {}, seed {}, {}",
             w.area_bytes == 0 ? "the whole target"
                               : binary_bytes(static_cast<double>(w.area_bytes)),
             w.alignment_bytes == 0 ? "the block size"
                                    : binary_bytes(static_cast<double>(w.alignment_bytes)),
             w.seed, w.sync == Sync::write_through ? "write-through" : "no write-through"));
}

std::string one_run(const Model& model, std::size_t series, const RunResult& run) {
  std::vector<std::pair<std::string_view, std::string>> items{
      {"Result", fmt::format("<b>{} IOPS</b>, {}, {}", grouped(run.iops),
                             byte_rate(run.bytes_per_s), escaped(origin_words(run)))},
      {"Workload", workload_words(run)},
      {"As written", run.workload.source.empty()
                         ? "with raidscope&#39;s own options"
                         : "<code>" + escaped(run.workload.source) + "</code>"},
      {"Reads", direction(run.read)},
      {"Writes", direction(run.write)},
      {"Time", time_words(run)},
      {"Target", target_words(run)},
      {"Engine",
       escaped(fmt::format("{} {}, {}", run.engine.name.empty() ? unknown_word : run.engine.name,
                           run.engine.version, run.engine.direct ? "direct" : "not direct")) +
           (run.engine.direct_proof.empty() ? "" : ": " + escaped(run.engine.direct_proof))},
      {"Before", reference(run, run.inventory_before)},
      {"After", reference(run, run.inventory_after)},
      {"Changed", run.config_changed ? (*run.config_changed ? "<b>yes</b>" : "no") : unknown_word},
  };
  if (!run.instances.empty()) {
    std::vector<std::string> instances;
    for (const PartResult& one : run.instances)
      instances.push_back(fmt::format("{}: {} IOPS, {}, mean {}, p99 {}", one.number,
                                      grouped(one.iops), byte_rate(one.bytes_per_s),
                                      latency(one.latency_us.mean), latency(one.latency_us.p99)));
    items.emplace_back("Instances", listed(instances));
  }
  if (!run.changes.empty()) items.emplace_back("Changes", listed(run.changes));
  if (!run.unverified.empty()) items.emplace_back("Not verified", listed(run.unverified));
  items.emplace_back("Steady state", steady_words(run.steady_state));
  items.emplace_back(
      "Checks",
      escaped(fmt::format(
          "{}; Little's law off by {}; queue depth achieved {} of {}; bound {}",
          run.checks.valid ? "valid" : "NOT valid", percent(run.checks.littles_law_pct),
          run.checks.achieved_queue_depth ? grouped(*run.checks.achieved_queue_depth)
                                          : unknown_word,
          grouped_count(run.workload.outstanding_total),
          run.checks.physical_bound_iops ? grouped(*run.checks.physical_bound_iops) + " IOPS, " +
                                               run.checks.bound_name.value_or(unknown_word)
                                         : unknown_word)));
  items.emplace_back(
      "Processor",
      escaped(fmt::format("user {}, system {}, {} per I/O", duration_or_unknown(run.cpu.user_s),
                          duration_or_unknown(run.cpu.system_s), latency(run.cpu.us_per_io))));
  const std::vector<std::string> warnings = run_warnings(run);
  items.emplace_back("Warnings", warnings.empty() ? "none" : listed(warnings));
  const std::vector<std::string> notes = run_notes(run);
  if (!notes.empty()) items.emplace_back("Notes", listed(notes));
  const char* mark = warnings.empty() ? "" : "<span class=\"badge warn\">warnings</span>";
  return fmt::format(
      "<details class=\"numbers run\" open id=\"run-{}\"><summary><span "
      "class=\"head\">{} "
      "<code>{}</code> <b>{}</b> {} IOPS {} {}</span></summary>\n{}</details>\n",
      escaped(run.run_id), series_key(model, series), escaped(run.run_id),
      run.name.empty() ? "unnamed" : escaped(run.name), grouped(run.iops), origin_badge(run.origin),
      mark, facts(items));
}

}  // namespace

std::string run_details(const Model& model) {
  std::string out = "<div class=\"card\">\n";
  for (std::size_t s = 0; s < model.series.size(); ++s) {
    for (const RunResult* run : model.series[s].runs) out += one_run(model, s, *run);
  }
  return out + "</div>\n";
}

}  // namespace raidscope::html
