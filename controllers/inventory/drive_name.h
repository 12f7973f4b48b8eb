#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"

namespace raidscope {

/// How a person names a logical drive: SLOT:NUMBER as the vendor tool counts, else its device
/// ("/dev/sda") or its unique id. Without the vendor tool no drive has a number: the firmware's own
/// number of a volume is usually one less, but not always.
class DriveName {
 public:
  /// usage for what is none of the three.
  static Result<DriveName> of(std::string_view words);

  [[nodiscard]] bool names(const DriveRef& ref) const;
  /// The drive of this name; usage, with all that can be named, where there is none.
  [[nodiscard]] Result<DriveRef> find_in(const Inventory& inventory) const;
  /// The error of find_in(): "there is no drive 1:1", and what there is.
  [[nodiscard]] Error none_in(const Inventory& inventory) const;

 private:
  enum class Kind { number, device, unique_id };
  Kind kind_ = Kind::number;
  std::string words_, slot_;
  std::int64_t number_ = 0;
};

}  // namespace raidscope
