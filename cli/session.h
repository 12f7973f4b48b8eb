#pragma once

#include "cli/verb.h"

namespace raidscope::cli {

/// What `run` and `profile` share: probe, audit, consent, run every point, probe again, tag, store,
/// print. `profile` also makes the test file and writes the HTML report.
int run_session(const Arguments& arguments, bool profile);

}  // namespace raidscope::cli
