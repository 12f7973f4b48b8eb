#include "controllers/inventory/inventory.h"

namespace raidscope {

std::vector<DriveRef> all_logical_drives(const Inventory& inventory) {
  std::vector<DriveRef> out;
  for (const Controller& controller : inventory.controllers) {
    for (const Array& array : controller.arrays) {
      for (const LogicalDrive& drive : array.logical_drives) {
        out.push_back({&controller, &array, &drive});
      }
    }
    for (const LogicalDrive& drive : controller.logical_drives) {
      out.push_back({&controller, nullptr, &drive});
    }
  }
  return out;
}

}  // namespace raidscope
