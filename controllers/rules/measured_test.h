#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "controllers/rules/planned_test.h"
#include "controllers/rules/rule.h"

namespace raidscope {

/// What a result shows, as far as rules look at it. A plain value that workloads fill. Absent: it
/// is not known, or it cannot be asked of this kind of load.
struct MeasuredTest {
  double iops = 0, bytes_per_s = 0;
  std::optional<std::uint64_t> block_bytes;  ///< of every request; absent: sizes differ

  /// Requests were to be outstanding all the time; false with a rate, pauses or flushes.
  bool keeps_depth = true;
  std::uint64_t outstanding = 0;          ///< that were to be kept
  std::optional<double> littles_law_pct;  ///< IOPS × mean latency against outstanding, in %
  /// What the edges of the window and figures that were printed cut explain of it, downwards and
  /// upwards.
  double law_slack_down_pct = 0, law_slack_up_pct = 0;

  std::optional<bool> steady;
  std::optional<double> window_s, slope_pct, excursion_pct;

  std::optional<double> bound_iops;
  std::string above_bound;  ///< in words; empty when the result is not above it

  std::optional<bool> config_changed;
  std::vector<std::string> changes, unverified;
};

/// What a result says of itself: the rules with `measured` set (W06, W11, W12, W13, W17), in the
/// form of an audit. `test` names the logical drive that was measured. Pure.
AuditReport audit_result(const Inventory& inventory, const std::optional<PlannedTest>& test,
                         const MeasuredTest& measured, const AuditOptions& options = {});

}  // namespace raidscope
