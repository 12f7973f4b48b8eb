#pragma once

#include "probe/base/result.h"

namespace raidscope::cli {

/// The exit codes of the outward contract; verbs with answers of their own (audit, diff, testfile
/// check) use 0 to 3 as docs/contract.md says.
enum ExitCode : int {
  exit_done = 0,
  exit_partly = 1,
  exit_usage = 64,
  exit_malformed = 65,
  exit_no_input = 66,
  exit_unavailable = 69,
  exit_cannot_write = 73,
  exit_no_privilege = 77,
  exit_refused = 78,
  exit_interrupted = 130,
  exit_terminated = 143,
};

/// The code for an error on something that was read or asked for.
ExitCode exit_code(const Error& error) noexcept;

}  // namespace raidscope::cli
