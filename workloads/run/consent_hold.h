#pragma once

#include <memory>
#include <string>

#include <sys/types.h>

#include "probe/base/result.h"

/// The exclusive opens that this process itself holds for its consents.
namespace raidscope {

/// Opens a block device exclusively, for reading; -1 with errno EBUSY when somebody holds it.
int open_exclusive(const std::string& path);
/// Whether a consent of this process holds the device, so that an exclusive open says nothing.
bool device_held(dev_t device);
/// Holds the device until the last copy of the value is gone; several consents share one hold. Null
/// with errno when somebody else has it.
std::shared_ptr<const void> hold_device(const std::string& path, dev_t device);

/// Locks a file against other runs that write it, until the last copy of the value is gone.
/// Errc::refused while another process has it.
Result<std::shared_ptr<const void>> hold_file(const std::string& path);

}  // namespace raidscope
