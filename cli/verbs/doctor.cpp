#include <unistd.h>

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/checkup.h"
#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "reports/text/layout.h"
#include "workloads/engine.h"
#include "workloads/run/engine_choice.h"

namespace raidscope {
namespace {

using namespace cli;

std::vector<EngineState> engine_states() {
  std::vector<EngineState> out;
  for (const EngineType* type : engines()) {
    if (!type->moves_data) continue;
    EngineState state{std::string(type->id), type->version ? type->version() : "", std::nullopt};
    if (const Status can = type->available(); !can) state.why_not = can.error();
    out.push_back(std::move(state));
  }
  return out;
}

std::string text_of(const std::vector<Check>& checks, const TextStyle& style) {
  std::string out;
  for (const Check& check : checks) {
    const Ink ink = check.health == Health::ok        ? Ink::good
                    : check.health == Health::missing ? Ink::bad
                    : check.health == Health::limited ? Ink::warn
                                                      : Ink::dim;
    out += keyed_line(to_name(check.health), check.what + ": " + check.found, 12, style, ink);
    if (!check.costs.empty()) out += keyed_line("", "costs: " + check.costs, 14, style, Ink::dim);
    if (!check.get.empty()) out += keyed_line("", "do: " + check.get, 14, style, Ink::dim);
  }
  return out;
}

nlohmann::ordered_json json_of(const std::vector<Check>& checks) {
  auto list = nlohmann::ordered_json::array();
  for (const Check& check : checks) {
    const auto or_null = [](const std::string& text) {
      return text.empty() ? nlohmann::ordered_json() : nlohmann::ordered_json(text);
    };
    list.push_back({{"id", check.id},
                    {"what", check.what},
                    {"health", to_name(check.health)},
                    {"found", check.found},
                    {"costs", or_null(check.costs)},
                    {"get", or_null(check.get)}});
  }
  return {{"schema", "raidscope.doctor/1"}, {"checks", list}};
}

int run_doctor(const Arguments& arguments) {
  const auto options = host_options(arguments);
  if (!options) return complain(options.error());
  const LiveHost live(*options);
  Surroundings around;
  around.live = options->sysroot.empty();
  around.root = ::geteuid() == 0;
  around.vendor_tool = live.vendor_tool();
  if (around.live) {
    around.engines = engine_states();
    if (const auto choice = choose_engine({}, {.in_flight = 16})) {
      around.engine_chosen = fmt::format(
          "{}: {}; a target that takes no request without waiting (tmpfs, zram, some md "
          "and dm) gets libaio, at depth 1 psync",
          choice->type->id, choice->reason);
    }
  }
  const auto checks = check_up(live.host(), around);
  return write_data(arguments, arguments.get_or("format", "text") == "json"
                                   ? json_text(json_of(checks))
                                   : text_of(checks, output_style(arguments)));
}

constexpr const OptionGroup* groups[] = {&machine_options, &format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope doctor", "what is missing for a full probe, what the lack costs, how to get it"},
    {"raidscope doctor --format json", "the same for a program"},
};

}  // namespace

extern const Verb verb_doctor;
const Verb verb_doctor{
    .name = "doctor",
    .order = 130,
    .synopsis = "[OPTIONS]",
    .summary = "what is missing on this machine for full discovery, and how to get each",
    .description =
        "Looks for the vendor tool and its version, the sg driver, privilege and "
        "capabilities, the controller's driver, the way to the firmware, and the engines "
        "for I/O. Nothing is changed. Ends with 0 whatever is missing.",
    .groups = groups,
    .examples = examples,
    .run = run_doctor};

}  // namespace raidscope
