#include "controllers/inventory/inventory.h"

#include <string_view>

namespace raidscope {

bool is_locked_up(const Controller& controller) noexcept {
  if (!controller.lockup) return false;
  std::string_view code = *controller.lockup;
  if (code.starts_with("ld=")) code.remove_prefix(3);
  return code != "0";
}

std::optional<std::uint64_t> usable_cache(const Controller& controller) noexcept {
  const Integer bytes = controller.cache.available_bytes ? controller.cache.available_bytes
                                                         : controller.cache.size_bytes;
  if (!bytes || *bytes <= 0) return std::nullopt;
  return static_cast<std::uint64_t>(*bytes);
}

std::vector<DriveRef> logical_drives_of(const Controller& controller) {
  std::vector<DriveRef> out;
  for (const Array& array : controller.arrays) {
    for (const LogicalDrive& drive : array.logical_drives) {
      out.push_back({&controller, &array, &drive});
    }
  }
  for (const LogicalDrive& drive : controller.logical_drives) {
    out.push_back({&controller, nullptr, &drive});
  }
  return out;
}

std::vector<DriveRef> all_logical_drives(const Inventory& inventory) {
  std::vector<DriveRef> out;
  for (const Controller& controller : inventory.controllers) {
    const std::vector<DriveRef> drives = logical_drives_of(controller);
    out.insert(out.end(), drives.begin(), drives.end());
  }
  return out;
}

}  // namespace raidscope
