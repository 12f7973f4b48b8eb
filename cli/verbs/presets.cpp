#include "workloads/presets.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/other_syntax.h"
#include "cli/terminal.h"
#include "reports/words.h"
#include "workloads/run_result_json.h"
#include "workloads/syntax.h"

namespace raidscope {
namespace {

using namespace cli;

/// The presets, or the workloads of another tool's words, in the words of --print.
int print_in_syntax(const Arguments& arguments, const PresetOptions& options) {
  const Syntax* syntax = find_syntax(arguments.get_or("print", ""));
  if (syntax == nullptr) return complain(exit_unavailable, "this build does not write that syntax");
  auto workloads = workloads_of_syntaxes(arguments);
  if (!workloads) return complain(workloads.error());
  if (!workloads->empty() && !arguments.words().empty())
    return complain(exit_usage, "a preset and another tool's words are given: give one of them");
  if (workloads->empty()) {
    for (const Preset& preset : presets()) {
      if (!arguments.words().empty() && preset.name != arguments.words().front()) continue;
      for (Workload& w : preset.make(options)) workloads->push_back(std::move(w));
    }
  }
  const Printed printed = syntax->print(*workloads);
  for (const std::string& loss : printed.losses) warn(loss);
  const int code = write_data(arguments, printed.text);
  return code == exit_done && !printed.losses.empty() ? static_cast<int>(exit_partly) : code;
}

int run_presets(const Arguments& arguments) {
  if (!arguments.words().empty() && find_preset(arguments.words().front()) == nullptr) {
    return complain(exit_usage,
                    fmt::format("there is no preset \"{}\"; `raidscope presets` lists them",
                                arguments.words().front()));
  }
  const PresetOptions options{.reading_total =
                                  arguments.get_or("reading", "per-worker") == "total"};
  if (arguments.has("print")) return print_in_syntax(arguments, options);
  const auto asked = [&](const Preset& preset) {
    return arguments.words().empty() || preset.name == arguments.words().front();
  };
  std::string out;
  if (arguments.get_or("format", "text") == "json") {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Preset& preset : presets()) {
      if (!asked(preset)) continue;
      nlohmann::ordered_json points = nlohmann::ordered_json::array();
      for (const Workload& workload : preset.make(options)) points.push_back(to_json(workload));
      list.push_back({{"name", preset.name},
                      {"summary", preset.summary},
                      {"study", preset.study},
                      {"repeats", preset.repeats},
                      {"points", points}});
    }
    out = json_text({{"schema", "raidscope.presets/1"}, {"presets", list}});
  } else {
    for (const Preset& preset : presets()) {
      if (!asked(preset)) continue;
      out += fmt::format("{}{}\n  {}\n  {}\n", out.empty() ? "" : "\n", preset.name, preset.summary,
                         preset.study);
      std::vector<std::string> warnings;
      for (const Workload& workload : preset.make(options)) {
        out += fmt::format("    {}: {}, {}{}\n", workload.name, workload_shape(workload),
                           duration_words(workload.duration_s),
                           workload.area_bytes != 0
                               ? ", area " + size_words(static_cast<double>(workload.area_bytes))
                               : "");
        for (const std::string& warning : workload.warnings) {
          if (std::find(warnings.begin(), warnings.end(), warning) == warnings.end())
            warnings.push_back(warning);
        }
      }
      if (preset.repeats > 1) out += fmt::format("    each {} times\n", preset.repeats);
      for (const std::string& warning : warnings) out += fmt::format("    note: {}\n", warning);
    }
  }
  return write_data(arguments, out);
}

constexpr Option own[] = {
    {"print", 0, "native|sqlio|iometer|diskspd|fio",
     "print the workloads as another tool's words; what those cannot say is said on standard "
     "error, "
     "and ends with 1"},
    {"reading", 0, "total|per-worker",
     "iometer-database: whether its 64 outstanding are all there are, or each worker's (default)"},
};
constexpr OptionGroup own_options{"Presets", own};
constexpr const OptionGroup* groups[] = {&own_options, &syntax_options, &format_options,
                                         &common_options};
constexpr Example examples[] = {
    {"raidscope presets", "the built-in workloads, point by point, with what to know of each"},
    {"raidscope presets --print fio iometer-queue-sweep", "the same as a job file of fio"},
    {"raidscope presets --print iometer --sqlio 'sqlio -kR -frandom -o16 -b64 -t4 -s120 x.dat'",
     "one tool's words in another's"}};

}  // namespace

extern const Verb verb_presets;
const Verb verb_presets{.name = "presets",
                        .order = 100,
                        .synopsis = "[PRESET] [OPTIONS]",
                        .summary = "the built-in workloads",
                        .description = "",
                        .groups = groups,
                        .examples = examples,
                        .most_words = 1,
                        .words_name = "PRESET",
                        .run = run_presets};

}  // namespace raidscope
