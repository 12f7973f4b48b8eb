#include <algorithm>
#include <map>
#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/analysis_options.h"
#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/price_options.h"
#include "cli/stored_runs.h"
#include "cli/terminal.h"
#include "reports/analysis/analysis_json.h"
#include "reports/analysis/comparison.h"
#include "reports/analysis/references.h"
#include "reports/text/comparison.h"

namespace raidscope {
namespace {

using namespace cli;

/// "[LABEL=]RUN[,RUN…]".
struct GroupWord {
  std::string label;
  std::vector<std::string> runs;
};

Result<GroupWord> group_word(const std::string& word) {
  GroupWord out;
  std::string_view rest = word;
  if (const std::size_t sign = rest.find('='); sign != std::string_view::npos) {
    out.label = rest.substr(0, sign);
    rest.remove_prefix(sign + 1);
  }
  while (true) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    if (comma == 0) return fail(Errc::usage, "a group is [LABEL=]RUN[,RUN…]", word);
    out.runs.emplace_back(rest.substr(0, comma));
    if (comma == rest.size()) return out;
    rest.remove_prefix(comma + 1);
  }
}

Result<ComparisonOptions> comparison_options(const Arguments& arguments) {
  ComparisonOptions out;
  RAIDSCOPE_TRY(out.factor, keys_option(arguments, "factor"));
  RAIDSCOPE_TRY(out.allowed, keys_option(arguments, "allow"));
  out.mix_origins = arguments.has("mix-origins");
  RAIDSCOPE_TRY(out.margin, margin_option(arguments));
  RAIDSCOPE_TRY(out.method, method_option(arguments));
  RAIDSCOPE_TRY(out.prices, prices_asked_for(arguments));
  return out;
}

/// The groups that the words make; labels are what was typed, with the name of a single run.
Result<std::vector<RunGroup>> groups_of_words(const std::vector<GroupWord>& words,
                                              const StoredRuns& stored) {
  std::vector<RunGroup> out;
  std::set<std::string> taken;
  std::map<std::string_view, const RunResult*> by_id;
  for (const RunResult& run : stored.input.runs) by_id.emplace(run.run_id, &run);
  for (std::size_t i = 0; i < words.size(); ++i) {
    RunGroup group{words[i].label, {}};
    for (const std::string& id : stored.groups[i]) {
      if (!taken.insert(id).second) {
        return fail(Errc::usage, fmt::format("run {} is in two groups", id), {},
                    "a run cannot be compared with itself");
      }
      group.runs.push_back(by_id.at(id));
    }
    if (group.label.empty()) {
      group.label = fmt::format("{}", fmt::join(words[i].runs, ","));
      if (group.runs.size() == 1) {
        group.label = group.runs.front()->run_id;
        if (!group.runs.front()->name.empty()) group.label += " " + group.runs.front()->name;
      }
    }
    out.push_back(std::move(group));
  }
  return out;
}

/// Published results as groups of one, before the groups that are held against them.
struct ReferenceGroups {
  std::vector<ReferenceRun> runs;
  std::vector<std::string> labels, notes;
};

Result<ReferenceGroups> reference_groups(const Arguments& arguments) {
  RAIDSCOPE_TRY(const std::vector<std::string> ids, list_option(arguments, "reference"));
  ReferenceGroups out;
  for (const std::string& id : ids) {
    const Reference* reference = find_reference(id);
    if (reference == nullptr) {
      return fail(Errc::usage, fmt::format("--reference: no published result \"{}\"", id), {},
                  "`raidscope references` lists them");
    }
    auto run = reference_run(*reference);
    if (!run) {
      return fail(Errc::usage,
                  fmt::format("--reference: {} has no workload that a run could be held against",
                              reference->id),
                  {}, fmt::format("`raidscope references {}` shows what it says", reference->id));
    }
    out.runs.push_back(std::move(*run));
    out.labels.push_back(reference->id + " (published)");
    out.notes.push_back(fmt::format("{} is published: {}; not told: {}", reference->id,
                                    reference->configuration, fmt::join(reference->unknown, ", ")));
  }
  return out;
}

int run_compare(const Arguments& arguments) {
  if (arguments.words().empty()) {
    return complain(exit_usage,
                    "what with what? name two runs, sessions or groups, or one session and a key "
                    "with --by");
  }
  auto options = comparison_options(arguments);
  if (!options) return complain(options.error());
  std::vector<GroupWord> words;
  std::vector<std::vector<std::string>> ids;
  for (const std::string& word : arguments.words()) {
    auto group = group_word(word);
    if (!group) return complain(group.error());
    ids.push_back(group->runs);
    words.push_back(std::move(*group));
  }
  std::string by;
  if (const auto word = arguments.get("by")) {
    auto key = setting_key(*word);
    if (!key) return complain(key.error());
    by = std::move(*key);
  }
  auto published = reference_groups(arguments);
  if (!published) return complain(published.error());
  auto stored = stored_runs_of(arguments, ids);
  if (!stored) return complain(stored.error());
  leave_out_made_again(arguments, *stored);

  std::vector<RunGroup> groups;
  std::vector<std::string> unknown;
  if (by.empty()) {
    if (words.size() < 2 && published->runs.empty()) {
      return complain(exit_usage, fmt::format("{} is one group, and it takes two to compare: name "
                                              "another, or a key to part it by with --by",
                                              arguments.words().front()));
    }
    auto made = groups_of_words(words, *stored);
    if (!made) return complain(made.error());
    groups = std::move(*made);
  } else {
    GroupedRuns grouped = group_runs(stored->input.runs, stored->input.snapshots, by);
    groups = std::move(grouped.groups);
    unknown = std::move(grouped.unknown);
    if (groups.size() + published->runs.size() < 2 || groups.empty()) {
      std::string why = fmt::format("--by {}: ", by);
      why += groups.empty()
                 ? "no run tells it"
                 : fmt::format("all runs that tell it have the same: {}", groups.front().label);
      return complain(exit_usage, why);
    }
    if (options->factor.empty()) options->factor = {by};
  }
  std::vector<RunGroup> before;
  for (std::size_t i = 0; i < published->runs.size(); ++i) {
    const ReferenceRun& one = published->runs[i];
    before.push_back({published->labels[i], {&one.run}});
    stored->input.snapshots.emplace(one.run.inventory_before->snapshot, one.inventory);
    options->mix_origins = true;  // asked for by name
  }
  groups.insert(groups.begin(), before.begin(), before.end());
  RunComparison comparison = compare_groups(groups, stored->input.snapshots, *options);
  if (!unknown.empty()) {
    comparison.notes.push_back(fmt::format("{} is unknown of {} runs, which are left out: {}", by,
                                           unknown.size(), fmt::join(unknown, ", ")));
  }
  comparison.notes.insert(comparison.notes.end(), published->notes.begin(), published->notes.end());
  const std::string format = table_format(arguments);
  std::string out;
  if (format == "json") {
    out = json_text(to_json(comparison));
  } else if (format == "csv") {
    out = comparison_csv(comparison);
  } else if (format == "markdown") {
    out = comparison_markdown(comparison);
  } else {
    out = comparison_text(comparison, output_style(arguments));
  }
  const ExitCode written = write_data(arguments, out);
  return written == exit_done && !stored->whole ? exit_partly : written;
}

constexpr Option own[] = {
    {"by", 0, "KEY",
     "group all named runs by a key of the inventory or the workload: smart_path, io_path, "
     "fingerprint, disk_count, cache.ratio, block_bytes, …"},
    {"factor", 0, "KEY",
     "what is compared (default: the key of --by, else the only thing that differed); a comma list",
     true},
    {"allow", 0, "KEY", "this may differ beside the factor; a comma list", true},
    {"reference", 0, "ID",
     "hold the runs against a published result too: see `raidscope references`; a comma list",
     true},
    {"mix-origins", 0, "", "compare measured, imported, published and simulated results"},
    {"margin", 0, "PERCENT", "ratios within this of 1 are practically equal (default: 5)"},
    {"method", 0, "student-t|signed-rank",
     "the interval: Student's t on the logarithms (default), or exact signed ranks, which need six "
     "pairs"},
    {"format", 0, "text|json|csv|markdown",
     "how to print it (default: by the ending of -o, else text)"},
    {"output", 'o', "FILE", "write it to FILE, whole or not at all"},
};
constexpr OptionGroup own_options{"Comparison", own};
constexpr const OptionGroup* groups[] = {&own_options, &price_options, &store_options,
                                         &common_options};
constexpr Example examples[] = {
    {"raidscope compare s1m7q2x s1m7q9k",
     "two sessions: each workload that both have, the second over the first"},
    {"raidscope compare s1m7q2x --by queue_depth", "the points of one sweep against each other"},
    {"raidscope compare s1m7q2x s1m7q9k s1m7r3c s1m7r8d --by smart_path",
     "all runs of four sessions, Smart Path on over off; refuses where anything else differed"},
    {"raidscope compare old=1m7q2x4kd7fa,1m7q2xb03rse new=1m7q9k77h2wd --allow firmware",
     "groups by hand; another firmware is excused"},
    {"raidscope compare latest --reference S1-c1",
     "the newest run over the first study's sequential read of two SSDs"},
    {"raidscope compare s1m7q2x s1m7q9k --price-drive EO0400=310,EG0600=95",
     "what the drives of each group make a thousand IOPS and a GB cost"},
};

}  // namespace

extern const Verb verb_compare;
const Verb verb_compare{
    .name = "compare",
    .order = 82,
    .synopsis = "[LABEL=]RUN[,RUN…] … [--by KEY] [OPTIONS]",
    .summary = "runs or groups of runs: ratios with intervals, and which settings differed",
    .description =
        "Every RUN is a run id or a unique prefix of one, \"latest\", or a session id, which "
        "stands for all of its runs. Without --by each word is a group; up to four groups are held "
        "against each other, of more each against the first. The ratio is the second group over "
        "the first, of geometric means.\n"
        "IOPS, bytes/s, mean, p50, p99 and p99.9 latency are judged separately: \"better\" and "
        "\"worse\" where the whole 95 % interval lies more than the margin from 1 (for latency "
        "smaller is better), \"practically equal\" where it lies within, else \"undecided\" with "
        "the number of further pairs that would decide. Runs that were measured in turn are "
        "compared in pairs, others as two samples (Welch).\n"
        "There is no conclusion where something beside the factor differed, or where the origins "
        "mix; the key that stands in the way is named. A setting that nobody told may have "
        "differed: the conclusion is then conditional.\n"
        "Exit codes: 0 whatever the verdict; 1 an inventory that a run refers to could not be "
        "read; 64 too few groups or an unknown key; 66 no such run.",
    .groups = groups,
    .examples = examples,
    .most_words = 1000,
    .words_name = "RUN…",
    .run = run_compare};

}  // namespace raidscope
