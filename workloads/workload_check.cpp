#include "workloads/workload_check.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace raidscope {
namespace {

using Wrong = std::optional<std::pair<std::string, std::string>>;  // what, and what to do

bool percent(double value) {
  return std::isfinite(value) && value >= 0 && value <= 100;
}

Wrong wrong_mix(const Workload& w) {
  double sum = 0;
  for (const MixLine& line : w.mix) {
    if (!percent(line.percent) || !percent(line.read_percent) || !percent(line.random_percent))
      return {{"a line of the mix has a share that is none", "give 0 to 100"}};
    if (line.block_bytes == 0 || line.block_bytes > (std::uint64_t{1} << 30U) ||
        (w.direct && (line.block_bytes % 512 != 0 || line.alignment_bytes % 512 != 0)))
      return {{fmt::format("a line of the mix has blocks of {} bytes at multiples of {}",
                           line.block_bytes, line.alignment_bytes),
               "give 512 bytes to 1G, for direct I/O multiples of 512"}};
    sum += line.percent;
  }
  if (!w.mix.empty() && std::abs(sum - 100) > 0.01)
    return {{fmt::format("the lines of the mix sum to {:g} %", sum), "make them 100 %"}};
  if (w.random_percent < -1 || w.random_percent > 100)
    return {{fmt::format("{} % random is not possible", w.random_percent), "give 0 to 100"}};
  return {};
}

Wrong wrong_spread(const Workload& w) {
  switch (w.spread) {
    case Spread::zipf:
      if (!(w.skew > 0) || w.skew > 10)
        return {{fmt::format("a Zipf exponent of {:g} is not possible", w.skew), "give 0.1 to 10"}};
      break;
    case Spread::pareto:
      if (!(w.skew > 0) || !(w.skew < 1))
        return {{fmt::format("a Pareto share of {:g} is not possible", w.skew),
                 "give a number between 0 and 1, such as 0.2"}};
      break;
    case Spread::hot_spots: {
      double access = 0;
      double area = 0;
      for (const HotSpot& spot : w.hot_spots) {
        if (!percent(spot.access_percent) || !percent(spot.area_percent))
          return {{"a hot spot has a share that is none", "give 0 to 100"}};
        access += spot.access_percent;
        area += spot.area_percent;
      }
      if (w.hot_spots.empty() || access > 100.01 || area > 100.01)
        return {{"the hot spots are none, or more than the whole",
                 "give steps of at most 100 % in all"}};
      break;
    }
    case Spread::once:
      for (const MixLine& line : w.mix)
        if (line.block_bytes != w.mix.front().block_bytes)
          return {{"each position once needs one block size", "take another spread"}};
      break;
    case Spread::uniform:
      break;
  }
  return {};
}

Wrong wrong_groups(const Workload& w) {
  std::uint64_t workers = 0;
  for (const WorkerGroup& group : w.groups) {
    workers += group.workers;
    if (group.workers == 0 || group.queue_depth == 0 || group.queue_depth > 16384)
      return {{"a group has no workers or no queue depth", "give 1 or more of both"}};
    if (group.targets.empty()) return {{"a group of workers has no target", "name one"}};
    for (const std::uint32_t target : group.targets)
      if (target >= w.targets.size() && !w.targets.empty())
        return {{fmt::format("a group names target {} of {}", target, w.targets.size()),
                 "targets count from 0"}};
  }
  if (!w.groups.empty() && workers != w.workers)
    return {{fmt::format("the groups have {} workers, the workload {}", workers, w.workers),
             "make them the same"}};
  return {};
}

Wrong wrong_pace(const Workload& w) {
  if (w.arrivals != Arrivals::closed && (!std::isfinite(w.rate_iops) || w.rate_iops <= 0))
    return {{"arrivals of their own need a rate", "give requests a second"}};
  if (w.arrivals == Arrivals::closed && w.rate_iops != 0)
    return {{"a rate needs arrivals of their own", "make them regular or poisson"}};
  if (!std::isfinite(w.think_us) || w.think_us < 0 || w.burst == 0)
    return {{"think time and burst must be possible", "give 0 or more, and a burst of 1 or more"}};
  if (w.arrivals != Arrivals::closed && w.think_us > 0)
    return {{"a rate and think time exclude each other", "give one of them"}};
  if (!std::isfinite(w.cooldown_s) || w.cooldown_s < 0)
    return {{"a cool-down must be possible", "give 0 seconds or more"}};
  if (w.poll && w.fsync_every != 0)
    return {{"polled completions and flushes exclude each other", "give one of them"}};
  return {};
}

Wrong wrong_content(const Workload& w) {
  for (const int share : {w.trim_percent, w.compressible_percent, w.duplicate_percent})
    if (!percent(share)) return {{fmt::format("a share of {} % is none", share), "give 0 to 100"}};
  if (w.verify && (w.compressible_percent != 0 || w.duplicate_percent != 0 || w.trim_percent != 0))
    return {{"what is verified can be neither compressible, repeated nor trimmed",
             "verify in a run of its own"}};
  return {};
}

}  // namespace

bool workload_writes(const Workload& workload) {
  if (workload.mix.empty()) return workload.read_percent < 100;
  return std::any_of(workload.mix.begin(), workload.mix.end(),
                     [](const MixLine& line) { return line.read_percent < 100; });
}

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
  if (w.instances == 0 || w.instances > 64 || std::uint64_t{w.instances} * w.workers > 1024) {
    return wrong(fmt::format("{} instances of {} workers are not possible", w.instances, w.workers),
                 "give 1 to 64 instances, and at most 1024 workers in all");
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
  for (const auto check : {wrong_mix, wrong_spread, wrong_groups, wrong_pace, wrong_content}) {
    if (const Wrong problem = check(w)) return wrong(problem->first, problem->second);
  }
  if (w.direct &&
      (w.stride_bytes % 512 != 0 || w.base_bytes % 512 != 0 || w.worker_offset_bytes % 512 != 0)) {
    return wrong("stride, beginning or offset is not a multiple of 512, which direct I/O needs");
  }
  return Done{};
}

}  // namespace raidscope
