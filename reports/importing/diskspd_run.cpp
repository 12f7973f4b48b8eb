#include "reports/importing/diskspd_run.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/importing/imported_run.h"
#include "workloads/derived.h"

namespace raidscope::importing {

Workload diskspd_workload(const DiskspdSpan& span) {
  Workload w;
  w.duration_s = span.duration_s;
  w.ramp_s = span.warmup_s;
  w.cooldown_s = span.cooldown_s;
  w.seed = span.seed;
  if (span.targets.empty()) return w;
  const DiskspdTarget& first = span.targets.front();
  const auto alike = [&](const DiskspdTarget& t) {
    return t.block_bytes == first.block_bytes && t.write_percent == first.write_percent &&
           t.random == first.random && t.stride_bytes == first.stride_bytes;
  };
  if (!std::all_of(span.targets.begin(), span.targets.end(), alike))
    w.warnings.emplace_back(
        "the targets have different patterns; the first one's stands here, and "
        "the result is of all of them");
  w.pattern = first.random ? Pattern::random : Pattern::sequential;
  w.cursor = first.interlocked ? SequentialCursor::shared : SequentialCursor::own;
  w.block_bytes = {first.block_bytes};
  w.read_percent = 100 - first.write_percent;
  w.random_percent =
      first.random_percent > 0 && first.random_percent < 100 ? first.random_percent : -1;
  w.base_bytes = first.base_bytes;
  w.area_bytes = first.most_bytes;
  if (first.random) {
    w.alignment_bytes = first.stride_bytes;
  } else {
    w.stride_bytes = first.stride_bytes == first.block_bytes ? 0 : first.stride_bytes;
    w.worker_offset_bytes = first.thread_stride_bytes;
  }
  w.direct = !first.buffered;
  w.sync = first.write_through ? Sync::write_through : Sync::none;
  w.think_us = first.think_ms * 1000;
  w.burst = std::max(first.burst, 1U);
  if (first.rate > 0) {
    w.arrivals = Arrivals::regular;
    w.warnings.emplace_back("the rate was limited with -g, which is in the source");
  }
  if (first.write_percent > 0 && (first.zero_data || first.sequential_data))
    w.warnings.push_back(
        fmt::format("diskspd wrote {}: a device that compresses is flattered",
                    first.zero_data ? "zeros" : "the same 256 bytes over and over"));
  for (const DiskspdTarget& target : span.targets) w.targets.push_back(target.path);
  if (span.total_threads != 0) {
    w.workers = span.total_threads;
    w.queue_depth_per_worker = first.outstanding;
    w.outstanding_total = outstanding(w);
    return w;
  }
  // Threads are per target: workers that have one target each.
  w.workers = 0;
  for (std::size_t i = 0; i < span.targets.size(); ++i) {
    const DiskspdTarget& target = span.targets[i];
    w.workers += target.threads;
    w.queue_depth_per_worker =
        i == 0 ? target.outstanding : std::max(w.queue_depth_per_worker, target.outstanding);
    w.groups.push_back({target.threads, target.outstanding, {static_cast<std::uint32_t>(i)}});
  }
  if (w.groups.size() == 1) w.groups.clear();
  w.outstanding_total = outstanding(w);
  return w;
}

void finish_diskspd(const DiskspdSpan& span, RunResult& run) {
  if (!span.targets.empty() && span.targets.front().size_bytes != 0)
    run.target.size_bytes = span.targets.front().size_bytes;
  run.engine.direct = run.workload.direct;
  run.engine.direct_proof =
      run.workload.direct
          ? "the profile says that the OS cache was off; diskspd's word, not proven here"
          : "diskspd's default is cached; -Sh or -Su was not given";
  if (!run.latency_us.mean)
    run.workload.warnings.emplace_back("latency was not measured (-L was not given)");
  apply_littles_law(run, run.latency_us.mean);
  finish_run(run);
}

}  // namespace raidscope::importing
