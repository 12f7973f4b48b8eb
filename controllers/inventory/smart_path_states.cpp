#include "controllers/inventory/smart_path_states.h"

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace raidscope {
namespace {

constexpr std::string_view field = "/smart_path";

std::string teller(const Inventory& inventory, const std::string& pointer,
                   std::string_view otherwise) {
  const auto known = inventory.provenance.find(pointer);
  return known == inventory.provenance.end() ? std::string(otherwise) : known->second;
}

/// One line for one logical drive; nothing where the states fit or too few are known.
std::optional<Disagreement> look_at(const Inventory& inventory, const Controller& controller,
                                    const std::string& pointer, const LogicalDrive& drive) {
  const LogicalDriveSmartPath& states = drive.smart_path;
  const bool all_switched_off = controller.smart_path.driver_enabled == false;
  const bool setting_known = states.array_setting.has_value();
  const bool setting = states.array_setting == Switch::enabled;
  const bool setting_differs =
      setting_known && states.firmware_configured && setting != *states.firmware_configured;
  // The firmware may have it off for a while (a degraded volume), so that only an "enabled" of the
  // firmware says what the driver should do; without it the setting does.
  std::optional<bool> asked_of_driver;
  if (states.firmware_enabled) {
    asked_of_driver = states.firmware_enabled;
  } else if (setting_known) {
    asked_of_driver = setting;
  }
  const bool driver_differs = !all_switched_off && asked_of_driver && states.driver_enabled &&
                              *asked_of_driver != *states.driver_enabled;
  if (!setting_differs && !driver_differs) return std::nullopt;

  Disagreement out;
  out.fact = pointer + std::string(field);
  // Page 0xC2 tells the setting too, but then its own words follow.
  const std::string by = teller(inventory, out.fact + "/array_setting", "ssacli");
  if (setting_known && by != "scsi")
    out.values.push_back({by, fmt::format("array setting {}", setting ? "enabled" : "disabled")});
  if (states.firmware_configured || states.firmware_enabled) {
    std::string words = "firmware:";
    if (states.firmware_configured)
      words += *states.firmware_configured ? " configured" : " not configured";
    if (states.firmware_enabled) {
      words += states.firmware_configured ? "," : "";
      words += *states.firmware_enabled ? " enabled" : " not enabled";
    }
    out.values.push_back({"scsi", std::move(words)});
  }
  if (states.driver_enabled) {
    out.values.push_back(
        {"sysfs", *states.driver_enabled ? "the driver uses it" : "the driver does not use it"});
  }
  out.taken = states.driver_enabled ? "sysfs" : "scsi";
  out.why = "the three states are kept apart; the one nearest to the I/O says which path it takes";
  out.settled = false;
  return out;
}

}  // namespace

std::vector<Disagreement> smart_path_disagreements(const Inventory& inventory) {
  std::vector<Disagreement> out;
  for (std::size_t c = 0; c < inventory.controllers.size(); ++c) {
    const Controller& controller = inventory.controllers[c];
    const std::string above = fmt::format("/controllers/{}", c);
    const auto look = [&](const std::vector<LogicalDrive>& drives, const std::string& list) {
      for (std::size_t d = 0; d < drives.size(); ++d) {
        auto one =
            look_at(inventory, controller, fmt::format("{}/logical_drives/{}", list, d), drives[d]);
        if (one) out.push_back(std::move(*one));
      }
    };
    for (std::size_t a = 0; a < controller.arrays.size(); ++a)
      look(controller.arrays[a].logical_drives, fmt::format("{}/arrays/{}", above, a));
    look(controller.logical_drives, above);
  }
  return out;
}

void list_smart_path_disagreements(Inventory& inventory) {
  std::vector<Disagreement> now = smart_path_disagreements(inventory);
  auto& listed = inventory.disagreements;
  for (Disagreement& one : now) {
    const auto before = std::find_if(listed.begin(), listed.end(), [&](const Disagreement& old) {
      return old.fact == one.fact && old.values == one.values;
    });
    if (before != listed.end()) one.settled = before->settled;
  }
  listed.erase(std::remove_if(listed.begin(), listed.end(),
                              [](const Disagreement& old) { return old.fact.ends_with(field); }),
               listed.end());
  listed.insert(listed.end(), std::make_move_iterator(now.begin()),
                std::make_move_iterator(now.end()));
}

bool has_unsettled_smart_path(const Inventory& inventory) {
  return std::any_of(
      inventory.disagreements.begin(), inventory.disagreements.end(),
      [](const Disagreement& one) { return one.fact.ends_with(field) && !one.settled; });
}

void settle_smart_path(Inventory& inventory) {
  for (Disagreement& one : inventory.disagreements) {
    if (one.fact.ends_with(field)) one.settled = true;
  }
}

}  // namespace raidscope
