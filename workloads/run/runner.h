#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "workloads/run/consent.h"
#include "workloads/run_result.h"
#include "workloads/steady_state.h"
#include "workloads/workload.h"

namespace raidscope {

/// A live line: what has been measured so far.
struct RunProgress {
  bool ramping = false;
  double elapsed_s = 0, total_s = 0;
  double iops = 0, bytes_per_s = 0;  ///< of the last interval
  double mean_us = 0;
};

struct RunOptions {
  std::string engine;                  ///< empty: chosen by what kernel and target can do
  std::vector<WriteConsent> consents;  ///< one for each target that the workload writes
  std::function<void(const RunProgress&)>
      progress;  ///< called from the calling thread, about 4 per second
  const std::atomic<bool>* stop =
      nullptr;  ///< set by a signal handler: stop early, keep what was measured
  /// Bytes that may still be written (--max-write), counted down as requests are made, over several
  /// runs if the caller likes; null: no limit. The run stops early when it is used up.
  std::atomic<std::int64_t>* write_budget = nullptr;
  /// How many completions a worker waits for at a time. More saves system calls and lets the depth
  /// sink by as many meanwhile; stored in the engine's details.
  std::uint32_t completion_batch = 1;
  /// The measurement ends as soon as its last rounds are steady by these rules, at the latest after
  /// the workload's duration. A round is a 25th of the duration, a second at least and
  /// longest_round_s at most. RunResult::steady_state tells whether it was reached.
  std::optional<SteadyStateRules> until_steady;
};

/// Drives one workload over its targets and measures it. Fills what is measured: workload, target,
/// engine, rates, latencies, histogram, series, checks, cpu, started_at, ended_at, interrupted.
/// Ids, inventories, audit and store are the caller's. Errors: target missing or not
/// direct-capable, engine not available, an I/O error of the device (offset and errno named), a
/// write without consent.
Result<RunResult> run_workload(const Workload& workload, const RunOptions& options);

}  // namespace raidscope
