#pragma once

#include <functional>
#include <string>
#include <vector>

#include "controllers/settings/change.h"
#include "probe/base/result.h"

namespace raidscope::settings {

struct ChangeToolOptions {
  std::string tool;                             ///< full path
  std::vector<std::string> lock_folders;        ///< empty: the usual ones
  std::function<void(const std::string&)> say;  ///< told of a long wait
  std::function<bool()> stop;                   ///< the user wants to end, and is told of the wait
};

/// Gives one command to the vendor tool and waits until it has ended, however long that takes: a
/// change in flight is never killed. Ctrl-C does not reach the tool, and it goes on by itself when
/// this process dies, holding the lock that keeps others from the tool. Errors: what the tool
/// printed after "Error:", with the command.
Status change_setting(const ChangeToolOptions& options, const ChangeCommand& command);

}  // namespace raidscope::settings
