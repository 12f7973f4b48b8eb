#pragma once

#include "reports/analysis/bypass_share.h"
#include "reports/analysis/decision.h"
#include "workloads/crossover.h"

/// The sentences behind a decision; each adds to `because`.
namespace raidscope {

/// What can bypass the controller at all: said first, since it often settles the question.
void say_bypass(const BypassShare& share, DecidedWorkload& out);
/// What each number of disks showed, latency beside throughput.
void say_points(const DecisionOptions& options, DecidedWorkload& out);
/// Where the arms cross, which it puts into `out`, or why nowhere; first and last are the numbers
/// of disks that were measured.
void say_crossover(const Crossover& found, double first, double last, double confidence,
                   DecidedWorkload& out);
/// The cheapest thousand IOPS; nothing without prices.
void say_prices(const Prices& prices, DecidedWorkload& out);

}  // namespace raidscope
