#pragma once

#include <string>

#include "reports/report.h"

namespace raidscope {

struct ReportAnalysis;

struct ReportVerdict {
  std::string sentence;
  bool settled = false;
};

/// One sentence: what to set, where the runs hold arms against each other; else which group served
/// more; else the best result and under what. With what is unknown, what an audit finding or a
/// doubtful run puts in the way, and where the numbers come from if nobody measured them here.
ReportVerdict verdict_of(const ReportInput& input, const ReportAnalysis& analysis);

}  // namespace raidscope
