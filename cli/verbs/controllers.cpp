#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/terminal.h"
#include "controllers/catalogue/catalogue.h"

namespace raidscope {
namespace {

using namespace cli;
using Json = nlohmann::ordered_json;

Json text_or_null(std::string_view text) {
  return text.empty() ? Json(nullptr) : Json(text);
}
Json flag_or_null(const std::optional<bool>& flag) {
  return flag ? Json(*flag) : Json(nullptr);
}
std::string_view yes_no(const std::optional<bool>& flag) {
  return flag ? (*flag ? "yes" : "no") : "unknown";
}

std::string details(const ControllerModel& m) {
  std::string out = fmt::format("{} ({})\n", m.model, m.generation);
  const auto line = [&out](std::string_view name, std::string_view text) {
    out += fmt::format("  {:<16}{}\n", name, text.empty() ? "unknown" : text);
  };
  line("PCI id", m.vendor == 0 ? ""
                               : fmt::format("{:04x}:{:04x}/{:04x}:{:04x}", m.vendor, m.device,
                                             m.subvendor, m.subdevice));
  line("embedded", yes_no(m.embedded));
  line("SSD Smart Path", yes_no(m.smart_path));
  line("cache by design", yes_no(m.cache_by_design));
  line("cache options", m.cache_options);
  line("RAID levels", m.raid_levels);
  line("host link", m.host_link);
  line("drive link", m.drive_link);
  line("drivers", m.drivers);
  line("ceiling", m.ceiling);
  line("last firmware", m.last_firmware);
  line("source", m.citation);
  return out;
}

int run_controllers(const Arguments& arguments) {
  const bool json = arguments.get_or("format", "text") == "json";
  const auto& words = arguments.words();
  std::string out;
  Json list = Json::array();
  bool found = words.empty();
  if (!json && words.empty()) {
    out +=
        fmt::format("{:<16}{:<9}{:<21}{:<12}{}\n", "MODEL", "GEN", "PCI ID", "SMART PATH", "CACHE");
  }
  for (const ControllerModel& m : controller_models()) {
    if (!words.empty() && find_model(words.front()) != nullptr &&
        find_model(words.front())->model != m.model)
      continue;
    if (!words.empty() && find_model(words.front()) == nullptr) continue;
    found = true;
    const std::string pci = m.vendor == 0 ? ""
                                          : fmt::format("{:04x}:{:04x}/{:04x}:{:04x}", m.vendor,
                                                        m.device, m.subvendor, m.subdevice);
    if (json) {
      list.push_back({{"model", m.model},
                      {"generation", text_or_null(m.generation)},
                      {"embedded", flag_or_null(m.embedded)},
                      {"pci_id", text_or_null(pci)},
                      {"smart_path", flag_or_null(m.smart_path)},
                      {"cache_by_design", flag_or_null(m.cache_by_design)},
                      {"drivers", text_or_null(m.drivers)},
                      {"host_link", text_or_null(m.host_link)},
                      {"drive_link", text_or_null(m.drive_link)},
                      {"cache_options", text_or_null(m.cache_options)},
                      {"raid_levels", text_or_null(m.raid_levels)},
                      {"ceiling", text_or_null(m.ceiling)},
                      {"last_firmware", text_or_null(m.last_firmware)},
                      {"citation", m.citation}});
    } else if (!words.empty()) {
      out += details(m);
    } else {
      out += fmt::format(
          "{:<16}{:<9}{:<21}{:<12}{}\n", m.model, m.generation.empty() ? "unknown" : m.generation,
          pci.empty() ? "unknown" : pci, yes_no(m.smart_path),
          m.cache_by_design == false ? "none by design"
                                     : (m.cache_options.empty() ? "unknown" : m.cache_options));
    }
  }
  if (!found) {
    return complain(
        exit_usage,
        fmt::format("no controller \"{}\" in the catalogue; `raidscope controllers` lists it",
                    words.front()));
  }
  if (json) out = json_text(Json{{"schema", "raidscope.controllers/1"}, {"controllers", list}});
  return write_data(arguments, out);
}

constexpr const OptionGroup* groups[] = {&format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope controllers", "every model that is known"},
    {"raidscope controllers P420i", "all that is known of one, and from where"},
};

}  // namespace

extern const Verb verb_controllers;
const Verb verb_controllers{.name = "controllers",
                            .order = 110,
                            .synopsis = "[MODEL] [OPTIONS]",
                            .summary = "the catalogue of controllers, each fact with its source",
                            .description = "",
                            .groups = groups,
                            .examples = examples,
                            .most_words = 1,
                            .words_name = "MODEL",
                            .run = run_controllers};

}  // namespace raidscope
