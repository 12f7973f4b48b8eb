#pragma once

#include <string_view>

namespace raidscope {

/// What a logical or physical drive's status says, whatever the dialect's words.
enum class DriveState {
  ok,
  degraded,  ///< interim recovery, ready for rebuild, failed, and any word not known to be harmless
  rebuilding,          ///< "Recovering", "Rebuilding"
  transforming,        ///< transforming, expanding, migrating, or queued for one of these
  parity,              ///< parity is being initialised
  erasing,             ///< erase or sanitize is running
  predictive_failure,  ///< physical drives
  failed,              ///< physical drives; a failed logical drive counts as degraded
  other,               ///< physical drives: erase complete, spare in use and the like
};

DriveState drive_state(std::string_view logical_drive_status);
DriveState physical_drive_state(std::string_view status);

}  // namespace raidscope
