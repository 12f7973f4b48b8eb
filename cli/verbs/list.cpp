#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/run_documents.h"
#include "cli/stores.h"
#include "cli/terminal.h"

namespace raidscope {
namespace {

using namespace cli;

int run_list(const Arguments& arguments) {
  const auto store = open_asked_store(arguments);
  if (!store) return complain(store.error());
  const auto entries = (*store)->list();
  if (!entries) return complain(entries.error());
  return write_data(arguments, arguments.get_or("format", "text") == "json"
                                   ? list_document(*entries).dump(2) + "\n"
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
