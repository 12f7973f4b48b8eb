#pragma once

#include <string>

#include "cli/verb.h"
#include "workloads/experiment/experiment.h"

namespace raidscope::cli {

/// Carries an experiment out: settings through the journal, each visit a session of `run`, the
/// state on disk after each. Gives the exit code; settings are put back whatever happens.
int run_experiment(const Arguments& arguments, const std::string& plan_path,
                   const Experiment& experiment);

/// Where the state of a plan's experiment is kept.
std::string state_path(const Arguments& arguments, const std::string& plan_path);

}  // namespace raidscope::cli
