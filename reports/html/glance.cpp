#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "reports/html/markup.h"
#include "reports/html/sections.h"
#include "reports/remarks.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope::html {
namespace {

const char* badge_class(EffectiveWriteCache value) {
  switch (value) {
    case EffectiveWriteCache::protected_:
      return " good";
    case EffectiveWriteCache::volatile_:
      return " bad";
    case EffectiveWriteCache::none:
    case EffectiveWriteCache::unknown:
      return " warn";
  }
  return "";
}

std::string badge(std::string_view text, std::string_view kind = {}) {
  return fmt::format("<span class=\"badge{}\">{}</span>", kind, escaped(text));
}

std::string audit_badge(const Series& series) {
  std::map<Severity, std::vector<std::string>> rules;
  for (const RunResult* run : series.runs) {
    for (const Finding& finding : run->audit) {
      auto& list = rules[finding.severity];
      if (std::find(list.begin(), list.end(), finding.rule) == list.end())
        list.push_back(finding.rule);
    }
  }
  if (rules.empty()) return badge("audit: no findings");
  const auto& [worst, list] = *rules.rbegin();
  const char* kind = worst >= Severity::error ? " bad" : worst == Severity::warning ? " warn" : "";
  return badge(fmt::format("audit: {} {}", to_name(worst), fmt::join(list, " ")), kind);
}

std::string verdict_badges(const Model& model, const Series& series) {
  const RunResult& run = *series.runs.front();
  std::string out;
  const Inventory* inventory = nullptr;
  if (run.inventory_before) {
    const auto found = model.input->snapshots.find(run.inventory_before->snapshot);
    if (found != model.input->snapshots.end()) inventory = &found->second;
  }
  const DriveRef drive = inventory != nullptr ? target_drive(run, *inventory) : DriveRef{};
  if (drive.drive != nullptr) {
    const EffectiveWriteCache cache = drive.drive->effective_write_cache;
    out += badge("write cache: " + write_cache_words(cache), badge_class(cache));
    out += badge("path: " + io_path_words(drive.drive->io_path),
                 drive.drive->io_path == IoPath::neither || drive.drive->io_path == IoPath::unknown
                     ? " warn"
                     : " good");
    return out;
  }
  if (inventory != nullptr) {
    for (const BlockDevice& device : inventory->block_devices) {
      if (run.target.device_chain.empty() || device.path != run.target.device_chain.back())
        continue;
      return badge("write cache of the disk: " + write_cache_words(device.effective_write_cache),
                   badge_class(device.effective_write_cache));
    }
  }
  return badge("write cache: unknown", " warn") + badge("path: unknown", " warn");
}

// The fingerprints that the runs ended with, where they are not the one that they began with.
std::string after_words(const Series& series) {
  std::vector<std::string> after;
  for (const RunResult* run : series.runs) {
    if (!run->inventory_after || run->inventory_after->fingerprint == series.fingerprint) continue;
    const std::string one = "<code>" + escaped(run->inventory_after->fingerprint) + "</code>";
    if (std::find(after.begin(), after.end(), one) == after.end()) after.push_back(one);
  }
  return after.empty() ? "" : fmt::format(" before, {} after", fmt::join(after, ", "));
}

std::string changed_badge(const Series& series) {
  bool changed = false, unknown = false;
  for (const RunResult* run : series.runs) {
    changed |= run->config_changed == true;
    unknown |= !run->config_changed;
  }
  if (changed) return badge("configuration changed during a run", " bad");
  return unknown ? badge("same configuration after: unknown", " warn")
                 : badge("same configuration before and after", " good");
}

std::string remark_list(const std::vector<Remark>& all) {
  std::string out = "<ul>\n";
  for (const Remark& remark : all) {
    const std::string where = where_words(remark, [](std::string_view id) {
      return fmt::format("<a href=\"#run-{0}\"><code>{0}</code></a>", escaped(id));
    });
    out += fmt::format("<li>{}{}{}</li>\n", escaped(remark.text),
                       where.empty() ? "" : " <span class=\"muted\">in</span> ", where);
  }
  return out + "</ul>";
}

}  // namespace

std::string origin_badge(Origin origin) {
  return badge(to_name(origin), origin == Origin::measured ? "" : " warn");
}

std::string series_key(const Model& model, std::size_t series) {
  return fmt::format("<span class=\"key k{}\">{}</span>", series % 8, model.series[series].letter);
}

std::string glance(const Model& model) {
  std::string out = "<div class=\"cards\">\n";
  for (std::size_t s = 0; s < model.series.size(); ++s) {
    const Series& series = model.series[s];
    const std::size_t count = series.runs.size();
    out += fmt::format("<article class=\"card\"><div class=\"head\">{}<h3>{}</h3></div>\n",
                       series_key(model, s),
                       series.tag.empty() ? "Configuration unknown" : escaped(series.tag));
    out += fmt::format(
        "<p class=\"sub\">{} {} on <code>{}</code><br>session <code>{}</code>, fingerprint "
        "<code>{}</code>{}</p>\n",
        count, count == 1 ? "run" : "runs", escaped(series.target),
        series.session_id.empty() ? unknown_word : escaped(series.session_id),
        series.fingerprint.empty() ? unknown_word : escaped(series.fingerprint),
        after_words(series));
    out += "<div class=\"badges\">" + origin_badge(series.origin) + verdict_badges(model, series) +
           changed_badge(series) + audit_badge(series) + "</div></article>\n";
  }
  return out + "</div>\n";
}

std::string warnings(const Model& model) {
  std::vector<Remark> all = remarks(model.input->runs, run_warnings);
  // What the run itself did comes before what the audit thinks of its configuration.
  std::stable_partition(all.begin(), all.end(),
                        [](const Remark& one) { return !one.text.starts_with("Audit "); });
  if (all.empty()) {
    return "<p class=\"sub\">No run has a warning: none was interrupted, none changed its "
           "configuration, and no check found a reason for doubt.</p>\n";
  }
  const bool grave =
      std::any_of(model.input->runs.begin(), model.input->runs.end(), [](const RunResult& run) {
        return run.interrupted || !run.checks.valid || run.config_changed == true ||
               !run.checks.suspicions.empty() || run.origin == Origin::simulated;
      });
  return fmt::format(
      "<div class=\"note{}\" role=\"note\"><h3>Before you trust these numbers</h3>{}</div>\n",
      grave ? " bad" : "", remark_list(all));
}

std::string notes(const Model& model) {
  const std::vector<Remark> all = remarks(model.input->runs, run_notes);
  if (all.empty()) return {};
  return "<div class=\"card\"><details class=\"numbers\" open><summary>Notes on the "
         "workloads</summary>\n" +
         remark_list(all) + "</details></div>\n";
}

}  // namespace raidscope::html
