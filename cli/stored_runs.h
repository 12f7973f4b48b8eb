#pragma once

#include <span>
#include <string>
#include <vector>

#include "cli/verb.h"
#include "reports/report.h"

namespace raidscope::cli {

struct StoredRuns {
  ReportInput input;
  std::vector<std::vector<std::string>> groups;  ///< run ids, for each group that was asked for
  bool whole = true;  ///< false: a snapshot that a run refers to could not be read, which was said
};

/// The runs that the words name, each once, in the order of the words, with every snapshot that
/// they refer to. usage when there is no word.
Result<StoredRuns> stored_runs(const Arguments& arguments);
/// The same for groups of words; a run that several groups name is among the runs once.
Result<StoredRuns> stored_runs_of(const Arguments& arguments,
                                  const std::vector<std::vector<std::string>>& groups);

/// Leaves out interrupted runs that were made again, and says so: for whoever counts.
void leave_out_made_again(const Arguments& arguments, StoredRuns& runs);

/// The report format that --format names, else that of the ending of -o, else `fallback`.
/// usage for an unknown one, and for an ending that none has.
Result<const ReportFormat*> asked_format(const Arguments& arguments, std::string_view fallback,
                                         std::span<const std::string_view> allowed = {});

}  // namespace raidscope::cli
