#include "workloads/result_facts.h"

#include <algorithm>

namespace raidscope {
namespace {

/// The time that SQLIO cuts off its printed average, twice a whole millisecond at most.
constexpr double sqlio_cut_us = 2000;

}  // namespace

void apply_bound(RunResult& run, const std::vector<PhysicalBound>& bounds) {
  const auto bound = smallest_bound(bounds);
  if (!bound) return;
  run.checks.physical_bound_iops = bound->iops;
  run.checks.bound_name = bound->name;
  std::string above = above_bound(*bound, run.workload, run.iops);
  if (!above.empty()) run.checks.suspicions.push_back(std::move(above));
}

MeasuredTest measured_test(const RunResult& run, const std::vector<PhysicalBound>& bounds) {
  const Workload& w = run.workload;
  MeasuredTest out;
  out.iops = run.iops;
  out.bytes_per_s = run.bytes_per_s;
  // A trim is a request and moves no bytes.
  if (w.mix.empty() && w.block_bytes.size() == 1 && w.trim_percent == 0)
    out.block_bytes = w.block_bytes.front();
  out.keeps_depth =
      w.arrivals == Arrivals::closed && w.think_us == 0 && w.fsync_every == 0 && !run.interrupted;
  out.outstanding = w.outstanding_total;
  out.littles_law_pct = run.checks.littles_law_pct;
  if (run.latency_us.mean && w.duration_s > 0) {
    const double edges = 100 * 2 * *run.latency_us.mean * 1e-6 / w.duration_s;
    out.law_slack_up_pct = out.law_slack_down_pct = edges;
    if (run.engine.name == "sqlio" && *run.latency_us.mean > 0)
      out.law_slack_down_pct += 100 * sqlio_cut_us / *run.latency_us.mean;
  }
  out.steady = run.steady_state.reached;
  out.window_s = run.steady_state.window_s;
  out.slope_pct = run.steady_state.slope_pct;
  out.excursion_pct = run.steady_state.excursion_pct;
  if (const auto bound = smallest_bound(bounds)) {
    out.bound_iops = bound->iops;
    out.above_bound = above_bound(*bound, w, run.iops);
  }
  out.config_changed = run.config_changed;
  out.changes = run.changes;
  out.unverified = run.unverified;
  return out;
}

}  // namespace raidscope
