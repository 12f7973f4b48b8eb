#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/options.h"
#include "cli/schema_files.h"
#include "cli/terminal.h"

namespace raidscope {
namespace {

using namespace cli;

int run_schemas(const Arguments& arguments) {
  const auto& words = arguments.words();
  if (words.empty()) {
    if (arguments.get_or("format", "text") == "json") {
      nlohmann::ordered_json names = nlohmann::ordered_json::array();
      for (const SchemaFile& file : schema_files()) names.push_back(file.name);
      return write_data(
          arguments,
          nlohmann::ordered_json{{"schema", "raidscope.schemas/1"}, {"schemas", names}}.dump(2) +
              "\n");
    }
    std::string out;
    for (const SchemaFile& file : schema_files()) out += fmt::format("{}\n", file.name);
    return write_data(arguments, out);
  }
  for (const SchemaFile& file : schema_files()) {
    if (file.name == words.front() || fmt::format("raidscope.{}/1", file.name) == words.front()) {
      return write_data(arguments, file.text);
    }
  }
  return complain(exit_usage,
                  fmt::format("no schema \"{}\"; `raidscope schemas` lists them", words.front()));
}

constexpr const OptionGroup* groups[] = {&format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope schemas", "the documents that have a schema"},
    {"raidscope schemas snapshot > snapshot.schema.json",
     "the schema of the inventory document (JSON Schema, draft 2020-12)"},
};

}  // namespace

extern const Verb verb_schemas;
const Verb verb_schemas{.name = "schemas",
                        .order = 120,
                        .synopsis = "[NAME] [OPTIONS]",
                        .summary = "the JSON Schemas of every document",
                        .description = "",
                        .groups = groups,
                        .examples = examples,
                        .most_words = 1,
                        .words_name = "NAME",
                        .run = run_schemas};

}  // namespace raidscope
