#include "workloads/workload_check.h"

#include <cmath>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace raidscope {
namespace {

/// What a workload can say and no run can do yet: refused by name, never left out quietly.
std::string_view not_runnable(const Workload& w) {
  if (!w.mix.empty() || w.random_percent >= 0) return "a mix of request kinds";
  if (w.cursor == SequentialCursor::own || w.worker_offset_bytes != 0)
    return "a cursor of each worker's own over the whole area";
  if (w.base_bytes != 0) return "an area that begins behind the target's beginning";
  if (w.stride_bytes != 0) return "a stride";
  if (w.spread != Spread::uniform) return "a spread other than uniform";
  if (!w.groups.empty()) return "groups of workers";
  if (w.depth_over_targets) return "a depth over all targets together";
  if (w.instances != 1) return "several instances";
  if (w.arrivals != Arrivals::closed || w.rate_iops != 0) return "a rate";
  if (w.think_us != 0 || w.burst != 1) return "think time";
  if (w.fsync_every != 0) return "fsync";
  if (w.trim_percent != 0) return "trim";
  if (w.compressible_percent != 0 || w.duplicate_percent != 0)
    return "compressible or duplicate data";
  if (w.verify) return "verification";
  if (w.cooldown_s != 0) return "a cool-down";
  return {};
}

}  // namespace

Status check_workload(const Workload& w) {
  const auto wrong = [&w](std::string message, std::string hint = {}) {
    return fail(Errc::usage, std::move(message), w.name, std::move(hint));
  };
  if (w.read_percent < 0 || w.read_percent > 100) {
    return wrong(fmt::format("{} % reads is not possible", w.read_percent), "give 0 to 100");
  }
  if (w.workers == 0 || w.workers > 1024) {
    return wrong(fmt::format("{} workers are not possible", w.workers), "give 1 to 1024");
  }
  if (w.queue_depth_per_worker == 0 || w.queue_depth_per_worker > 16384) {
    return wrong(fmt::format("a queue depth of {} is not possible", w.queue_depth_per_worker),
                 "give 1 to 16384 per worker");
  }
  if (!std::isfinite(w.duration_s) || w.duration_s <= 0 || !std::isfinite(w.ramp_s) ||
      w.ramp_s < 0) {
    return wrong("a run needs a time above 0 and a ramp of 0 or more");
  }
  for (const std::uint64_t block : w.block_bytes) {
    if (block == 0 || block > (std::uint64_t{1} << 30U)) {
      return wrong(fmt::format("a block size of {} bytes is not possible", block),
                   "give 512 bytes to 1G");
    }
    if (w.direct && block % 512 != 0) {
      return wrong(
          fmt::format("a block size of {} bytes is not a multiple of 512, which direct I/O "
                      "needs",
                      block),
          "64kB is 64,000 bytes, 64k is 65,536");
    }
  }
  if (w.direct && w.alignment_bytes % 512 != 0) {
    return wrong(
        fmt::format("an alignment of {} bytes is not a multiple of 512, which direct I/O "
                    "needs",
                    w.alignment_bytes));
  }
  if (const std::string_view what = not_runnable(w); !what.empty()) {
    return fail(Errc::unsupported, fmt::format("this version cannot run {}", what), w.name);
  }
  return Done{};
}

}  // namespace raidscope
