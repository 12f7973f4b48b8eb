#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/analysis_options.h"
#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/planning.h"
#include "cli/price_options.h"
#include "cli/stored_runs.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "reports/analysis/analysis_json.h"
#include "reports/analysis/decision.h"
#include "reports/text/decision.h"
#include "reports/words.h"

namespace raidscope {
namespace {

using namespace cli;

constexpr std::string_view subject = "smart-path";
/// What is looked at where nothing is measured and no workload is named: the published sweep's.
constexpr std::string_view fallback_preset = "iometer-database";

/// The runs that are named, else all that are stored; none where there is no store yet.
Result<StoredRuns> runs_asked_for(const Arguments& arguments) {
  std::vector<std::string> words(arguments.words().begin() + 1, arguments.words().end());
  if (words.empty()) {
    const auto store = open_asked_store_to_read(arguments);
    if (!store && is_of_a_store_to_come(arguments, store.error())) return StoredRuns{};
    if (!store) return tl::unexpected<Error>(store.error());
    RAIDSCOPE_TRY(const auto entries, (*store)->list());
    for (const RunListEntry& entry : entries) words.push_back(entry.run_id);
    if (words.empty()) return StoredRuns{};
  }
  return stored_runs_of(arguments, {words});
}

/// Whether a run was measured on a controller of this inventory, as far as serial numbers tell.
bool is_of(const RunResult& run, const StoredRuns& stored, const Inventory& inventory) {
  const Inventory* const of_run = inventory_of(run, stored.input.snapshots);
  if (of_run == nullptr) return false;
  for (const Controller& mine : inventory.controllers) {
    for (const Controller& theirs : of_run->controllers) {
      if (mine.serial && mine.serial == theirs.serial) return true;
    }
  }
  return false;
}

Result<DecisionOptions> decision_options(const Arguments& arguments) {
  DecisionOptions out;
  RAIDSCOPE_TRY(out.margin, margin_option(arguments));
  RAIDSCOPE_TRY(out.method, method_option(arguments));
  RAIDSCOPE_TRY(out.allowed, keys_option(arguments, "allow"));
  RAIDSCOPE_TRY(out.prices, prices_asked_for(arguments));
  return out;
}

/// The workloads to look at where nothing is measured.
Result<std::vector<Workload>> planned_workloads(const Arguments& arguments, bool measured) {
  RAIDSCOPE_TRY(PlanOptions options, plan_options(arguments));
  const bool named = !options.preset.empty() || !options.base.empty() || options.described();
  if (!named && measured) return std::vector<Workload>{};
  if (!named) options.preset = fallback_preset;
  options.repeat = 1;
  RAIDSCOPE_TRY(const Plan plan, make_plan(options));
  std::vector<Workload> out;
  for (const PlannedPoint& point : plan.points) out.push_back(point.workload);
  // The study's preset has its workload twice, with two alignments: one of them is enough here.
  if (!named && out.size() > 1) out.erase(out.begin(), out.end() - 1);
  return out;
}

int run_decide(const Arguments& arguments) {
  if (arguments.words().empty() || arguments.words().front() != subject) {
    return complain(exit_usage,
                    arguments.words().empty()
                        ? "decide what? `raidscope decide smart-path` is what there is"
                        : fmt::format("there is nothing to decide about \"{}\"; `raidscope decide "
                                      "smart-path` is what there is",
                                      arguments.words().front()));
  }
  auto options = decision_options(arguments);
  if (!options) return complain(options.error());
  std::optional<DriveName> drive;
  if (const auto words = arguments.get("logical-drive")) {
    auto name = named_drive(*words);
    if (!name) return complain(name.error());
    drive = *std::move(name);
  }
  const bool named = arguments.words().size() > 1;

  std::optional<Inventory> present;
  if (arguments.has("from")) {
    auto inventory = inventory_asked_for(arguments);
    if (!inventory) return complain(inventory.error());
    present = std::move(*inventory);
  }
  auto stored = runs_asked_for(arguments);
  if (!stored) return complain(stored.error());
  leave_out_made_again(arguments, *stored);

  DecisionInput input;
  input.snapshots = &stored->input.snapshots;
  input.drive = std::move(drive);
  for (const RunResult& run : stored->input.runs) {
    if (named || !present || is_of(run, *stored, *present)) input.runs.push_back(&run);
  }
  if (!present) {
    // Without results that lie on a controller, this machine is what can be looked at.
    const bool placed =
        std::any_of(input.runs.begin(), input.runs.end(), [&](const RunResult* run) {
          const Inventory* const inventory = inventory_of(*run, stored->input.snapshots);
          return inventory != nullptr && target_drive(*run, *inventory).drive != nullptr;
        });
    if (!placed && !named) {
      auto inventory = probe_with_progress(arguments);
      if (!inventory) return complain(inventory.error());
      for (const std::string& failure : discovery_failures(*inventory)) warn(failure);
      present = std::move(*inventory);
      input.runs.clear();
    }
  }
  if (present) {
    input.present = &*present;
    if (input.drive) {
      if (const auto found = input.drive->find_in(*present); !found) return complain(found.error());
    }
    options->tool = vendor_tool_word(*present);
  } else if (!stored->input.snapshots.empty()) {
    options->tool = vendor_tool_word(stored->input.snapshots.begin()->second);
  }
  auto planned = planned_workloads(arguments, !input.runs.empty());
  if (!planned) return complain(planned.error());
  input.planned = std::move(*planned);

  const SmartPathDecision decision = decide_smart_path(input, *options);
  const std::string format = table_format(arguments);
  std::string out;
  if (format == "json") {
    out = json_text(to_json(decision));
  } else if (format == "csv") {
    out = decision_csv(decision);
  } else if (format == "markdown") {
    out = decision_markdown(decision);
  } else {
    out = decision_text(decision, output_style(arguments));
  }
  const ExitCode written = write_data(arguments, out);
  return written == exit_done && !stored->whole ? exit_partly : written;
}

constexpr Option own[] = {
    {"logical-drive", 0, "DRIVE",
     "the drive that is asked about: SLOT:NUMBER, its device or its unique id (default: all)"},
    {"allow", 0, "KEY", "this setting may differ between the arms; a comma list", true},
    {"margin", 0, "PERCENT", "ratios within this of 1 are practically equal (default: 5)"},
    {"method", 0, "student-t|signed-rank",
     "the interval: Student's t on the logarithms (default), or exact signed ranks"},
    {"format", 0, "text|json|csv|markdown",
     "how to print it (default: by the ending of -o, else text)"},
    {"output", 'o', "FILE", "write it to FILE, whole or not at all"},
};
constexpr OptionGroup own_options{"Decision", own};
constexpr const OptionGroup* groups[] = {&own_options,      &price_options,  &source_options,
                                         &workload_options, &syntax_options, &machine_options,
                                         &store_options,    &common_options};
constexpr Example examples[] = {
    {"raidscope decide smart-path",
     "from all stored results; where there are none, what this machine is and what to measure"},
    {"raidscope decide smart-path s1m7q2x s1m7q9k s1m7r3c",
     "from the runs of three sessions, with the commands for the controller's latest state"},
    {"raidscope decide smart-path --from server.txt --block-size 8k --read-percent 70 --workers 4 "
     "--queue-depth 16",
     "nothing measured yet: how much of this workload could bypass the controller of a capture"},
    {"raidscope decide smart-path s1m7q2x s1m7q9k --price-drive 310 --price-module 450",
     "with the price of a thousand IOPS for each number of disks"},
};

}  // namespace

extern const Verb verb_decide;
const Verb verb_decide{
    .name = "decide",
    .order = 84,
    .synopsis = "smart-path [RUN…] [--from FILE|DIR|-] [OPTIONS]",
    .summary = "controller cache or SSD Smart Path: the better one, and the commands to set it",
    .description =
        "For each workload and number of disks: which of the controller's cache and SSD Smart Path "
        "served more, with the interval; where the two cross; latency beside throughput; how much "
        "of the workload can bypass the controller at all, by the rules of its Linux driver; the "
        "commands that lead from the latest known state to the better one, and the audit findings "
        "that stand in the way. Nothing is changed: commands are printed, never run.\n"
        "Every RUN is a run id, a unique prefix of one, \"latest\" or a session id; without one "
        "all "
        "stored runs are looked at (with --from, those of its controllers). A run's arm is read "
        "from the inventory that it carries: cache (Smart Path off, caching on), smart_path, "
        "neither, and on hpsa driver_off. With two arms of one array there is one comparison; with "
        "several numbers of disks a crossover too; with nothing measured it says what to measure. "
        "\"Undecided\" is an answer.\n"
        "Exit codes: 0 whatever the answer; 1 an inventory that a run refers to could not be read; "
        "64 wrong usage; 66 no such run or input.",
    .groups = groups,
    .examples = examples,
    .most_words = 1000,
    .words_name = "smart-path [RUN…]",
    .run = run_decide};

}  // namespace raidscope
