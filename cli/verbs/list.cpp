#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/resume.h"
#include "cli/run_documents.h"
#include "cli/stores.h"
#include "cli/terminal.h"

namespace raidscope {
namespace {

using namespace cli;

int run_list(const Arguments& arguments) {
  const auto store = open_asked_store_to_read(arguments);
  Result<std::vector<RunListEntry>> entries;
  if (store) {
    entries = (*store)->list();
    const auto sessions = (*store)->sessions();
    if (!sessions) return complain(sessions.error());
    for (const std::string& line : unfinished_lines(*sessions)) note(arguments, line);
  } else if (is_of_a_store_to_come(arguments, store.error())) {
    note(arguments, store.error().message + ": " + store.error().where);
  } else {
    return complain(store.error());
  }
  if (!entries) return complain(entries.error());
  return write_data(arguments, arguments.get_or("format", "text") == "json"
                                   ? json_text(list_document(*entries))
                                   : list_text(*entries, output_style(arguments)));
}

constexpr const OptionGroup* groups[] = {&store_options, &format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope list", "every stored run, newest first, with the configuration it was measured on"},
    {"raidscope list --format json", "the same for a program"},
};

}  // namespace

extern const Verb verb_list;
const Verb verb_list{.name = "list",
                     .order = 60,
                     .synopsis = "[OPTIONS]",
                     .summary = "list the stored runs",
                     .description = "",
                     .groups = groups,
                     .examples = examples,
                     .run = run_list};

}  // namespace raidscope
