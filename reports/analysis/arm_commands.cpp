#include "reports/analysis/arm_commands.h"

#include <fmt/format.h>

#include "controllers/rules/readings.h"

namespace raidscope {
namespace {

/// The switch of hpsa is the driver's for the whole controller; smartpqi has none.
bool driver_switch_off(const Controller& controller) {
  return controller.driver.name == "hpsa" && controller.smart_path.driver_enabled == false;
}

/// The logical drives that share the array's Smart Path setting.
std::vector<const LogicalDrive*> drives_beside(const DriveRef& at) {
  if (at.array == nullptr) return {at.drive};
  std::vector<const LogicalDrive*> out;
  for (const LogicalDrive& drive : at.array->logical_drives) out.push_back(&drive);
  return out;
}

}  // namespace

std::optional<SmartPathArm> arm_of(const DriveRef& at) {
  if (at.controller == nullptr || at.drive == nullptr) return std::nullopt;
  const Flag on = smart_path_on(*at.controller, at.array, at.drive);
  if (!on) return std::nullopt;
  if (*on)
    return driver_switch_off(*at.controller) ? SmartPathArm::driver_off : SmartPathArm::smart_path;
  if (at.drive->caching)
    return *at.drive->caching == Switch::enabled ? SmartPathArm::cache : SmartPathArm::neither;
  if (at.drive->acceleration == Acceleration::controller_cache) return SmartPathArm::cache;
  if (at.drive->acceleration == Acceleration::none || at.controller->cache.present == false)
    return SmartPathArm::neither;
  return std::nullopt;
}

Result<std::vector<std::string>> commands_to(SmartPathArm arm, const Inventory& present,
                                             const DriveRef& at, const std::string& tool) {
  const Flag on = smart_path_on(*at.controller, at.array, at.drive);
  if (!on) return fail(Errc::not_found, "whether Smart Path is on now is unknown");
  AuditOptions options;
  options.tool = tool;
  const RuleContext context(present, nullptr, options);
  const auto array_command = [&](std::string_view value) {
    if (at.array == nullptr || !at.array->letter)
      return fmt::format("set ssdsmartpath={} for the array that holds this drive", value);
    return context.command(
        *at.controller, fmt::format("array {} modify ssdsmartpath={}", *at.array->letter, value));
  };
  const auto caching_command = [&](const LogicalDrive& drive, std::string_view value) {
    if (!drive.number) return fmt::format("set caching={} for this logical drive", value);
    return context.command(*at.controller,
                           fmt::format("ld {} modify caching={}", *drive.number, value));
  };
  std::vector<std::string> out;
  if (arm == SmartPathArm::cache) {
    // The tool refuses caching while Smart Path is on, and turning that off leaves the cache off.
    if (*on) out.push_back(array_command("disable"));
    for (const LogicalDrive* drive : drives_beside(at)) {
      const bool asked = drive->number == at.drive->number;
      if (!*on && (!asked || drive->caching == Switch::enabled)) continue;
      out.push_back(caching_command(*drive, "enable"));
    }
    return out;
  }
  if (!*on) {
    for (const LogicalDrive* drive : drives_beside(at)) {
      if (drive->caching != Switch::disabled) out.push_back(caching_command(*drive, "disable"));
    }
    out.push_back(array_command("enable"));
  }
  if (driver_switch_off(*at.controller))
    out.emplace_back("echo 1 > /sys/class/scsi_host/hostN/hp_ssd_smart_path_status");
  return out;
}

Inventory with_arm(SmartPathArm arm, const Inventory& present, const DriveRef& at) {
  Inventory out = present;
  const bool on = arm == SmartPathArm::smart_path;
  const auto set = [&](LogicalDrive& drive, bool asked) {
    drive.smart_path.array_setting = on ? Switch::enabled : Switch::disabled;
    drive.smart_path.firmware_enabled = on;
    if (!on) drive.smart_path.driver_enabled = false;
    if (asked || on) drive.caching = on ? Switch::disabled : Switch::enabled;
    drive.acceleration.reset();
  };
  for (std::size_t c = 0; c < present.controllers.size(); ++c) {
    const Controller& was = present.controllers[c];
    if (&was != at.controller) continue;
    for (std::size_t a = 0; a < was.arrays.size(); ++a) {
      if (&was.arrays[a] != at.array) continue;
      Array& array = out.controllers[c].arrays[a];
      array.smart_path = on ? Switch::enabled : Switch::disabled;
      // Where Smart Path was on, the commands turn caching on for every drive of the array.
      const bool all = smart_path_on(*at.controller, at.array, at.drive) == true;
      for (LogicalDrive& drive : array.logical_drives)
        set(drive, all || drive.number == at.drive->number);
    }
    for (std::size_t d = 0; d < was.logical_drives.size(); ++d) {
      if (&was.logical_drives[d] == at.drive) set(out.controllers[c].logical_drives[d], true);
    }
  }
  return out;
}

}  // namespace raidscope
