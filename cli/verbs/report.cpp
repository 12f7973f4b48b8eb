#include "reports/report.h"

#include "cli/options.h"
#include "cli/planning.h"
#include "cli/price_options.h"
#include "cli/stored_runs.h"
#include "cli/terminal.h"

namespace raidscope {
namespace {

using namespace cli;

int run_report(const Arguments& arguments) {
  auto prices = prices_asked_for(arguments);
  if (!prices) return complain(prices.error());
  auto runs = stored_runs(arguments);
  if (!runs) return complain(runs.error());
  leave_out_made_again(arguments, *runs);
  const auto format = asked_format(arguments, "terminal");
  if (!format) return complain(format.error());
  runs->input.prices = std::move(*prices);
  if (!runs->input.snapshots.empty())
    runs->input.tool = vendor_tool_word(runs->input.snapshots.begin()->second);
  return write_data(arguments, (*format)->render(runs->input));
}

constexpr Option own[] = {
    {"format", 0, "FORMAT",
     "html, markdown, csv, json, prometheus or terminal (default: by the ending of -o, else "
     "terminal)"},
    {"output", 'o', "FILE", "write the report to FILE, whole or not at all"},
};
constexpr OptionGroup own_options{"Report", own};
constexpr const OptionGroup* groups[] = {&own_options, &price_options, &store_options,
                                         &common_options};
constexpr Example examples[] = {
    {"raidscope report latest -o report.html",
     "a self-contained page with plots; it opens offline"},
    {"raidscope report s1m7q2x --format markdown", "tables for an issue or a wiki"},
    {"raidscope report s1m7q2x s1m7q9k -o report.html --price-drive 310 --price-module 450",
     "two sessions held against each other, with what a thousand IOPS and a GB cost"},
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
