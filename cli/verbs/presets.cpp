#include "workloads/presets.h"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "reports/words.h"
#include "workloads/run_result_json.h"

namespace raidscope {
namespace {

using namespace cli;

int run_presets(const Arguments& arguments) {
  const PresetOptions options{.reading_total =
                                  arguments.get_or("reading", "per-worker") == "total"};
  std::string out;
  if (arguments.get_or("format", "text") == "json") {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const Preset& preset : presets()) {
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
    {"reading", 0, "total|per-worker",
     "iometer-database: whether its 64 outstanding are all there are, or each worker's (default)"},
};
constexpr OptionGroup own_options{"Presets", own};
constexpr const OptionGroup* groups[] = {&own_options, &format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope presets", "the built-in workloads, point by point, with what to know of each"}};

}  // namespace

extern const Verb verb_presets;
const Verb verb_presets{.name = "presets",
                        .order = 100,
                        .synopsis = "[OPTIONS]",
                        .summary = "the built-in workloads",
                        .description = "",
                        .groups = groups,
                        .examples = examples,
                        .run = run_presets};

}  // namespace raidscope
