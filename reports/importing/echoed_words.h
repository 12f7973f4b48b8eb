#pragma once

#include <string>
#include <string_view>

#include "workloads/workload.h"

namespace raidscope::importing {

/// What an output told of its workload by itself, so that the echoed words cannot change it.
struct ToldByOutput {
  bool shape = true;  ///< block size, share of reads, pattern
  bool load = true;   ///< workers and depth
};

/// Completes an imported workload by the command or options that the output repeats, read with the
/// tool's own syntax: base, area, distance, spread, mix, rates and pauses, where the output told
/// none. What the output told stays. Words that cannot be read, that describe several workloads or
/// another one than the output does, change nothing and are a warning; true when they were taken.
/// An output that told neither shape nor load gets the whole workload of the words.
bool complete_by_words(std::string_view syntax, const std::string& words, const ToldByOutput& told,
                       Workload& workload);

}  // namespace raidscope::importing
