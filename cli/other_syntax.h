#pragma once

#include <string>
#include <vector>

#include "cli/verb.h"
#include "probe/base/result.h"
#include "workloads/workload.h"

/// Workloads that another tool's words describe.
namespace raidscope::cli {

/// The workloads of --sqlio, --diskspd, --iometer and --fio, in order; empty when none is given.
/// Their targets stand for the --targets in order; without those, drive letters and raw disk
/// numbers go by --map. malformed names file and line; not_found for a file that is not there;
/// usage for a drive that nothing maps and for targets that do not come out even.
Result<std::vector<Workload>> workloads_of_syntaxes(const Arguments& arguments);

}  // namespace raidscope::cli
