#include "reports/text/diff.h"

#include <algorithm>

#include <sys/stat.h>

#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/run_documents.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "controllers/inventory/inventory_diff.h"
#include "controllers/rules/rule_changes.h"

namespace raidscope {
namespace {

using namespace cli;

/// A file or folder is an inventory; anything else names a run, whose inventory before it is meant.
Result<Inventory> side(const Arguments& arguments, const std::string& word) {
  struct stat status {};
  if (word == "-" || ::stat(word.c_str(), &status) == 0) return inventory_from(word);
  if (word.find('/') != std::string::npos) {
    return fail(Errc::not_found, "neither a file nor a stored run", word);
  }
  const auto store = open_asked_store_to_read(arguments);
  if (!store && is_of_a_store_to_come(arguments, store.error())) {
    return fail(Errc::not_found, "neither a file nor a stored run", word,
                store.error().message + ": " + store.error().where);
  }
  if (!store) return tl::unexpected<Error>(store.error());
  auto runs = (*store)->find(word);
  if (!runs) {
    Error error = runs.error();
    if (error.code == Errc::not_found) error.message = "neither a file nor a stored run";
    if (error.where.empty()) error.where = word;
    return tl::unexpected<Error>(std::move(error));
  }
  const RunResult& run = runs->front();
  if (!run.inventory_before) return fail(Errc::not_found, "the run has no inventory", word);
  return (*store)->snapshot(run.inventory_before->snapshot);
}

int run_diff(const Arguments& arguments) {
  if (arguments.words().size() != 2)
    return complain(exit_usage, "diff takes two sides: files, or runs of the store");
  const auto a = side(arguments, arguments.words()[0]);
  if (!a) return complain(a.error());
  const auto b = side(arguments, arguments.words()[1]);
  if (!b) return complain(b.error());
  const std::vector<Difference> differences = diff_inventories(*a, *b);
  const std::vector<RuleChange> rules = rule_changes(audit(*a, {}), audit(*b, {}));
  const ExitCode written =
      write_data(arguments, arguments.get_or("format", "text") == "json"
                                ? json_text(diff_document(differences, rules))
                                : diff_text(differences, rules, output_style(arguments)));
  if (written != exit_done) return written;
  if (differences.empty()) return 0;
  return std::any_of(differences.begin(), differences.end(),
                     [](const Difference& d) { return d.performance; })
             ? 2
             : 1;
}

constexpr const OptionGroup* groups[] = {&machine_options, &store_options, &format_options,
                                         &common_options};
constexpr Example examples[] = {
    {"raidscope diff before.json after.json", "what changed between two inventories"},
    {"raidscope diff 1m7q2x4kd7fa latest", "between the configurations of two runs"},
};

}  // namespace

extern const Verb verb_diff;
const Verb verb_diff{
    .name = "diff",
    .order = 80,
    .synopsis = "A B [OPTIONS]",
    .summary = "what differs between two inventories, or those of two runs",
    .description =
        "A and B are inventories (snapshots or captures) or runs of the store. What changes what "
        "a test measures comes first, and at the end the audit rules that say something else.\n"
        "Exit codes: 0 no difference; 1 differences, none that matter for performance; 2 the "
        "fingerprint differs.",
    .groups = groups,
    .examples = examples,
    .most_words = 2,
    .words_name = "A B",
    .run = run_diff};

}  // namespace raidscope
