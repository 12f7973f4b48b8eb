#include "reports/analysis/references.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "reports/analysis/analysis_json.h"
#include "reports/text/layout.h"
#include "reports/text/units.h"

namespace raidscope {
namespace {

using namespace cli;

std::string number_words(const Reference& reference) {
  std::string out;
  const auto add = [&out](const std::string& text) { out += (out.empty() ? "" : ", ") + text; };
  if (reference.iops) add(grouped(*reference.iops) + " IOPS");
  if (reference.bytes_per_s) add(byte_rate(*reference.bytes_per_s));
  if (reference.mean_us) add("mean " + latency(reference.mean_us));
  if (reference.p99_us) add("p99 " + latency(reference.p99_us));
  return out;
}

std::string details(const Reference& reference, const TextStyle& style) {
  std::string out = paint(reference.id, Ink::strong, style) + "  " + reference.study + "\n";
  const auto line = [&](std::string_view key, const std::string& text) {
    if (!text.empty()) out += keyed_line(key, text, 16, style);
  };
  line("configuration", reference.configuration);
  line("workload", reference.workload);
  line(to_name(reference.kind), number_words(reference));
  line("says", reference.says);
  line("not told", fmt::format("{}", fmt::join(reference.unknown, ", ")));
  line("source", reference.source);
  return out;
}

std::string table(const TextStyle& style) {
  std::vector<std::vector<Cell>> rows;
  for (const Reference& reference : references()) {
    const std::string numbers = number_words(reference);
    rows.push_back({{reference.id, Ink::strong},
                    {reference.configuration},
                    {reference.workload},
                    {numbers.empty() ? reference.says : numbers}});
  }
  return table_text(
      {{"Id"}, {"Configuration", false, 24}, {"Workload", false, 20}, {"Result", false, 24}}, rows,
      style);
}

int run_references(const Arguments& arguments) {
  const auto& words = arguments.words();
  const Reference* only = words.empty() ? nullptr : find_reference(words.front());
  if (!words.empty() && only == nullptr) {
    return complain(exit_usage, fmt::format("no published result \"{}\"; `raidscope references` "
                                            "lists them",
                                            words.front()));
  }
  if (arguments.get_or("format", "text") == "json") {
    const std::vector<Reference> one =
        only == nullptr ? std::vector<Reference>{} : std::vector{*only};
    return write_data(arguments,
                      json_text(references_document(only == nullptr ? references() : one)));
  }
  const TextStyle style = output_style(arguments);
  return write_data(arguments, only == nullptr ? table(style) : details(*only, style));
}

constexpr const OptionGroup* groups[] = {&format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope references", "every published result that is known, with its configuration"},
    {"raidscope references S1-c1", "one of them: its source, and what its author did not tell"},
    {"raidscope compare latest --reference S1-c1", "one's own newest run over it"},
};

}  // namespace

extern const Verb verb_references;
const Verb verb_references{
    .name = "references",
    .order = 115,
    .synopsis = "[ID] [OPTIONS]",
    .summary = "published results, each with its source and what is unknown about it",
    .description =
        "The numbers of the three studies that raidscope repeats, and others that were published "
        "of "
        "Smart Array controllers. \"given\" is a number as printed, \"derived\" one computed from "
        "such, \"claim\" words without a number.",
    .groups = groups,
    .examples = examples,
    .most_words = 1,
    .words_name = "ID",
    .run = run_references};

}  // namespace raidscope
