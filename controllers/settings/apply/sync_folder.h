#pragma once

#include <string>

#include "probe/base/result.h"

namespace raidscope::settings {

/// What was made, renamed or removed at this path is on the disk. unwritable: it may not be.
Status sync_folder(const std::string& path);

}  // namespace raidscope::settings
