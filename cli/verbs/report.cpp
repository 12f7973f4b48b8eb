#include "reports/report.h"

#include <algorithm>
#include <set>

#include <fmt/core.h>

#include "cli/options.h"
#include "cli/stores.h"
#include "cli/terminal.h"

namespace raidscope {
namespace {

using namespace cli;

int run_report(const Arguments& arguments) {
  const auto store = open_asked_store_to_read(arguments);
  if (!store) return complain(store.error());
  std::vector<std::string> words = arguments.words();
  if (words.empty())
    return complain(exit_usage,
                    "which runs? `raidscope list` names them; \"latest\" is the newest");

  ReportInput input;
  std::set<std::string> seen;
  for (const std::string& word : words) {
    auto runs = (*store)->find(word);
    if (!runs) return complain(runs.error());
    for (RunResult& run : *runs) {
      if (seen.insert(run.run_id).second) input.runs.push_back(std::move(run));
    }
  }
  for (const RunResult& run : input.runs) {
    for (const auto* ref : {&run.inventory_before, &run.inventory_after}) {
      if (!*ref || input.snapshots.contains((*ref)->snapshot)) continue;
      auto snapshot = (*store)->snapshot((*ref)->snapshot);
      if (!snapshot) {
        warn(describe(snapshot.error()));
        continue;
      }
      input.snapshots.emplace((*ref)->snapshot, std::move(*snapshot));
    }
  }
  input.made_at = utc_now();
  input.program_version = RAIDSCOPE_VERSION;

  std::string output = arguments.get_or("output", "");
  std::transform(output.begin(), output.end(), output.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  std::string format = arguments.get_or("format", "");
  if (format.empty()) {
    format = "terminal";
    bool known_ending = false;
    for (const ReportFormat* candidate : report_formats()) {
      if (candidate->file_suffix.empty() || !output.ends_with(candidate->file_suffix)) continue;
      format = candidate->id;
      known_ending = true;
    }
    const std::string name = output.substr(output.rfind('/') + 1);
    const std::size_t dot = name.rfind('.');
    if (!known_ending && dot != std::string::npos && dot > 0 && name.substr(dot) != ".txt") {
      return complain(exit_usage, fmt::format("no report format ends in \"{}\"; say which one with "
                                              "--format",
                                              name.substr(dot)));
    }
  }
  if (format == "text") format = "terminal";
  const ReportFormat* chosen = find_report_format(format);
  if (chosen == nullptr) {
    std::string known;
    for (const ReportFormat* candidate : report_formats())
      known += fmt::format("{}{}", known.empty() ? "" : ", ", candidate->id);
    return complain(exit_usage,
                    fmt::format("no report format \"{}\"; there are {}", format, known));
  }
  return write_data(arguments, chosen->render(input));
}

constexpr Option own[] = {
    {"format", 0, "FORMAT",
     "html, markdown, csv, json or terminal (default: by the ending of -o, else terminal)"},
    {"output", 'o', "FILE", "write the report to FILE, whole or not at all"},
};
constexpr OptionGroup own_options{"Report", own};
constexpr const OptionGroup* groups[] = {&own_options, &store_options, &common_options};
constexpr Example examples[] = {
    {"raidscope report latest -o report.html",
     "a self-contained page with plots; it opens offline"},
    {"raidscope report s1m7q2x --format markdown", "tables for an issue or a wiki"},
    {"raidscope report 1m7q2x4kd7fa latest --format csv -o runs.csv",
     "one row a run, for a spreadsheet"},
};

}  // namespace

extern const Verb verb_report;
const Verb verb_report{.name = "report",
                       .order = 90,
                       .synopsis = "RUN… [--format FORMAT] [-o FILE]",
                       .summary = "a self-contained HTML page, Markdown or CSV of stored runs",
                       .description =
                           "Every RUN is a run id or a unique prefix of one, \"latest\", or a "
                           "session id, which stands for all "
                           "of its runs.",
                       .groups = groups,
                       .examples = examples,
                       .most_words = 1000,
                       .words_name = "RUN…",
                       .run = run_report};

}  // namespace raidscope
