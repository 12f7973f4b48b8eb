#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/stores.h"
#include "cli/terminal.h"
#include "workloads/run_result_json.h"

namespace raidscope {
namespace {

using namespace cli;

int run_show(const Arguments& arguments) {
  if (arguments.words().size() != 1)
    return complain(exit_usage, "which run? `raidscope list` names them; \"latest\" is the newest");
  const auto store = open_asked_store_to_read(arguments);
  if (!store) return complain(store.error());
  const auto runs = (*store)->find(arguments.words().front());
  if (!runs) return complain(runs.error());
  std::string out;
  if (arguments.get_or("format", "text") == "json") {
    // A session prints one document a line, a single run one that a person can read.
    for (const RunResult& run : *runs) out += json_text(to_json(run), runs->size() == 1 ? 2 : -1);
  } else {
    const TextStyle style = output_style(arguments);
    for (std::size_t i = 0; i < runs->size(); ++i)
      out += (i == 0 ? "" : "\n") + run_text((*runs)[i], style);
  }
  return write_data(arguments, out);
}

constexpr const OptionGroup* groups[] = {&store_options, &format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope show latest",
     "the newest run: workload, results, configuration before and after, findings"},
    {"raidscope show s1m7q2x --format json", "every run of a session, one document a line"},
};

}  // namespace

extern const Verb verb_show;
const Verb verb_show{
    .name = "show",
    .order = 70,
    .synopsis = "RUN [OPTIONS]",
    .summary = "print one run: what was measured, on what, and what to think of it",
    .description =
        "RUN is a run id or a prefix of it that is unique, \"latest\", or a session id, which "
        "stands for "
        "all of its runs.",
    .groups = groups,
    .examples = examples,
    .most_words = 1,
    .words_name = "RUN",
    .run = run_show};

}  // namespace raidscope
