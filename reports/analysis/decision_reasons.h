#pragma once

#include "reports/analysis/bypass_share.h"
#include "reports/analysis/decision.h"

/// The sentences behind a decision; each adds to `because`.
namespace raidscope {

/// What can bypass the controller at all: said first, since it often settles the question.
void say_bypass(const BypassShare& share, DecidedWorkload& out);
/// What each number of disks showed, latency beside throughput.
void say_points(const DecisionOptions& options, DecidedWorkload& out);
/// The cheapest thousand IOPS; nothing without prices.
void say_prices(const Prices& prices, DecidedWorkload& out);

}  // namespace raidscope
