#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "workloads/run_result.h"

namespace raidscope {

/// The same sentence about several runs stands once, with the runs behind it.
struct Remark {
  std::string text;
  std::vector<std::string> runs;  ///< ids
  bool all = false;               ///< of the runs that were asked
};

/// In the order in which they come up.
std::vector<Remark> remarks(std::span<const RunResult> runs,
                            std::vector<std::string> (*of_run)(const RunResult&));

/// More run ids than this are counted.
inline constexpr std::size_t most_named_runs = 4;

/// "all runs", "1m7q2x4k, 1m7q2x9k and 3 more"; empty where there is but one run. `paint` dresses
/// an id up.
std::string where_words(const Remark& remark, std::string (*paint)(std::string_view id));

}  // namespace raidscope
