#pragma once

#include <string>

#include "controllers/inventory/inventory.h"

namespace raidscope {

/// Makes the fingerprints of one controller and its drives; keeps the parts that they share, for a
/// controller may have many drives.
class Fingerprinter {
 public:
  Fingerprinter(const Inventory& inventory, const Controller& controller);
  std::string of_controller() const;
  /// `array_part` of the drive's array.
  std::string of_drive(const std::string& array_part, const LogicalDrive& drive) const;
  /// The array's facts and those of its drives as a sorted list, so that bays do not matter. "null"
  /// for no array.
  static std::string array_part(const Array* array);

 private:
  std::string controller_part_;
};

}  // namespace raidscope
