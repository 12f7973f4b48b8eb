#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/enum_names.h"
#include "probe/base/result.h"

/// The states that a Smart Path decision compares, and how to get from one to another.
namespace raidscope {

/// The states that a logical drive can be measured in (docs/contract.md §6).
enum class SmartPathArm { cache, smart_path, neither, driver_off };
template <>
struct EnumNames<SmartPathArm> {
  static constexpr std::pair<SmartPathArm, std::string_view> table[] = {
      {SmartPathArm::cache, "cache"},
      {SmartPathArm::smart_path, "smart_path"},
      {SmartPathArm::neither, "neither"},
      {SmartPathArm::driver_off, "driver_off"}};
};

/// Null where a fact that tells it is unknown.
std::optional<SmartPathArm> arm_of(const DriveRef& at);

/// The commands that lead a drive from its present state to `cache` or `smart_path`, in the order
/// in which they must be given; empty where it is there already. The setting is the array's, so
/// every logical drive of the array is part of it. Errc::not_found where the present state is not
/// told.
Result<std::vector<std::string>> commands_to(SmartPathArm arm, const Inventory& present,
                                             const DriveRef& at, const std::string& tool);

/// The inventory as it would be told after commands_to(`cache` or `smart_path`): what an audit
/// would then find. `at` points into `present`.
Inventory with_arm(SmartPathArm arm, const Inventory& present, const DriveRef& at);

}  // namespace raidscope
