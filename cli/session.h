#pragma once

#include <string>

#include "cli/verb.h"

namespace raidscope::cli {

/// What `run` and `profile` share: probe, audit, consent, run every point, probe again, tag, store,
/// print. `profile` also makes the test file and writes the HTML report.
int run_session(const Arguments& arguments, bool profile);

/// A `run` whose results belong to a session that somebody else keeps and goes on with.
int run_part_of(const std::string& session_id, const Arguments& arguments);

}  // namespace raidscope::cli
