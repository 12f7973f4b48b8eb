#include <string_view>

#include "cli/options.h"
#include "cli/stored_runs.h"
#include "cli/terminal.h"
#include "reports/report.h"

namespace raidscope {
namespace {

using namespace cli;

constexpr std::string_view formats[] = {"json", "csv", "prometheus"};

int run_export(const Arguments& arguments) {
  const auto runs = stored_runs(arguments);
  if (!runs) return complain(runs.error());
  const auto format = asked_format(arguments, "json", formats);
  if (!format) return complain(format.error());
  const ExitCode written = write_data(arguments, (*format)->render(runs->input));
  return written == exit_done && !runs->whole ? exit_partly : written;
}

constexpr Option own[] = {
    {"format", 0, "json|csv|prometheus",
     "json is complete and can be imported elsewhere (default: by the ending of -o, else json)"},
    {"output", 'o', "FILE", "write the data to FILE, whole or not at all"},
};
constexpr OptionGroup own_options{"Export", own};
constexpr const OptionGroup* groups[] = {&own_options, &store_options, &common_options};
constexpr Example examples[] = {
    {"raidscope export s1m7q2x -o session.json",
     "every run of a session with its inventories; `raidscope import session.json` brings them "
     "back anywhere"},
    {"raidscope export latest --format csv", "one row a run, for a spreadsheet"},
    {"raidscope export latest --format prometheus -o /var/lib/node_exporter/raidscope.prom",
     "gauges for the text file collector of a node exporter"},
};

}  // namespace

extern const Verb verb_export;
const Verb verb_export{
    .name = "export",
    .order = 95,
    .synopsis = "RUN… [--format json|csv|prometheus] [-o FILE]",
    .summary = "stored runs as JSON (complete, importable elsewhere), CSV or Prometheus text",
    .description =
        "Every RUN is a run id or a unique prefix of one, \"latest\", or a session id, "
        "which stands for all of its runs. The origin of a number (measured, imported, "
        "published, simulated) goes with it in every format.\n"
        "Exit codes: 0 done; 1 an inventory that a run refers to could not be read.",
    .groups = groups,
    .examples = examples,
    .most_words = 1000,
    .words_name = "RUN…",
    .run = run_export};

}  // namespace raidscope
