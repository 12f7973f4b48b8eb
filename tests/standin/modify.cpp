#include <algorithm>
#include <array>
#include <charconv>

#include <fmt/format.h>

#include "tests/standin/controller.h"

namespace raidscope::standin {
namespace {

using lab::Array;
using lab::LogicalDrive;
using lab::Machine;

constexpr std::string_view unsupported_now =
    "This operation is not supported with the current configuration. Use the \"show\" command on "
    "devices to show additional details about the configuration.";

auto refuse(std::string words) {
  return fail(Errc::usage, std::move(words));
}
auto invalid(const std::string& value, std::string_view options) {
  return refuse(
      fmt::format("\"{}\" is not a valid option.\n\nAvailable options are:\n{}", value, options));
}
auto unknown_parameter(const std::string& parameter) {
  return refuse(fmt::format("Parameter \"{}\" is not supported by this stand-in.", parameter));
}

Result<bool> is_enable(const std::string& value) {
  if (value != "enable" && value != "disable") return invalid(value, "enable\ndisable");
  return value == "enable";
}

Result<std::string> change_drive(const Machine& machine, const Modification& wish) {
  if (wish.parameter != "caching" && wish.parameter != "aa" &&
      wish.parameter != "arrayaccelerator") {
    return unknown_parameter(wish.parameter);
  }
  RAIDSCOPE_TRY(const bool enable, is_enable(wish.value));
  for (std::size_t a = 0; a < machine.arrays.size(); ++a) {
    const Array& array = machine.arrays[a];
    for (std::size_t d = 0; d < array.logical_drives.size(); ++d) {
      if (std::to_string(array.logical_drives[d].number) != wish.which) continue;
      // The real message for Smart Path being on is as misleading.
      if (enable && array.smart_path.value_or(false)) break;
      if (enable && !machine.cache) return refuse(std::string(unsupported_now));
      return fmt::format(R"({{"/arrays/{}/logical_drives/{}/caching": {}}})", a, d, enable);
    }
  }
  return refuse(fmt::format("Invalid drive specified: {}", wish.which));
}

Result<std::string> change_array(const Machine& machine, const Modification& wish) {
  const auto found = std::find_if(machine.arrays.begin(), machine.arrays.end(),
                                  [&](const Array& array) { return array.letter == wish.which; });
  if (found == machine.arrays.end()) return refuse("The specified array does not exist.");
  if (wish.parameter != "ssdsmartpath" || !found->smart_path)
    return refuse(std::string(unsupported_now));
  RAIDSCOPE_TRY(const bool enable, is_enable(wish.value));
  const bool caches = std::any_of(found->logical_drives.begin(), found->logical_drives.end(),
                                  [](const LogicalDrive& drive) { return *drive.caching; });
  if (enable && caches) {
    return refuse(
        "SSD Smart Path cannot be enabled while an array has caching enabled on any of its logical "
        "drives.");
  }
  const auto at = found - machine.arrays.begin();
  std::string changes = fmt::format(R"({{"/arrays/{}/smart_path": {})", at, enable);
  // What the real tool leaves behind is not settled; a test may want either.
  if (!enable && machine.tool.off_turns_caching_on) {
    for (std::size_t d = 0; d < found->logical_drives.size(); ++d) {
      changes += fmt::format(R"(, "/arrays/{}/logical_drives/{}/caching": true)", at, d);
    }
  }
  return changes + "}";
}

/// "10/90" of whole per cents that make 100.
bool is_ratio(const std::string& value, unsigned& read, unsigned& write) {
  const std::size_t slash = value.find('/');
  if (slash == std::string::npos) return false;
  const char* const end = value.data() + value.size();
  const auto first = std::from_chars(value.data(), value.data() + slash, read);
  const auto second = std::from_chars(value.data() + slash + 1, end, write);
  return first.ptr == value.data() + slash && second.ptr == end && read <= 100 &&
         read + write == 100;
}

Result<std::string> change_controller(const Machine& machine, const Modification& wish) {
  if (wish.parameter == "cacheratio" || wish.parameter == "cr") {
    unsigned read = 0;
    unsigned write = 0;
    if (!is_ratio(wish.value, read, write)) {
      return invalid(wish.value, "100/0\n75/25\n50/50\n25/75\n10/90\n0/100");
    }
    if (!machine.cache || !lab::uses_cache(machine)) return refuse(std::string(unsupported_now));
    return fmt::format(R"({{"/cache/ratio": {{"read": {}, "write": {}}}}})", read, write);
  }
  if (wish.parameter == "surfacescanmode") {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> modes{
        {{"disable", "Disabled"}, {"high", "High"}, {"idle", "Idle"}}};
    for (const auto& [word, shown] : modes) {
      if (wish.value == word) return fmt::format(R"({{"/surface_scan_mode": "{}"}})", shown);
    }
    return invalid(wish.value, "disable\nhigh\nidle");
  }
  return unknown_parameter(wish.parameter);
}

}  // namespace

Result<std::string> changes_for(const Machine& machine, const Modification& wish) {
  if (wish.kind == "ld") return change_drive(machine, wish);
  if (wish.kind == "array") return change_array(machine, wish);
  return change_controller(machine, wish);
}

}  // namespace raidscope::standin
