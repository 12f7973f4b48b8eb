#include "workloads/derived.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace raidscope {
namespace {

std::uint64_t targets_of(const Workload& w) {
  return w.depth_over_targets ? 1 : std::max<std::uint64_t>(w.targets.size(), 1);
}

std::uint64_t targets_of(const Workload& w, const WorkerGroup& group) {
  return w.depth_over_targets ? 1 : std::max<std::uint64_t>(group.targets.size(), 1);
}

std::string workers_words(std::uint64_t workers, std::uint64_t depth, std::uint64_t targets) {
  std::string out = fmt::format("{} {} × {}", workers, workers == 1 ? "worker" : "workers", depth);
  if (targets > 1) out += fmt::format(" × {} targets", targets);
  return out;
}

bool all_of_mix(const Workload& w, int random_percent) {
  return !w.mix.empty() && std::all_of(w.mix.begin(), w.mix.end(), [&](const MixLine& line) {
    return line.random_percent == random_percent;
  });
}

bool all_reads(const Workload& w, int read_percent) {
  return std::all_of(w.mix.begin(), w.mix.end(),
                     [&](const MixLine& line) { return line.read_percent == read_percent; });
}

/// A mix of one kind of request is that kind.
void unfold_single_line(Workload& w) {
  if (w.mix.size() != 1) return;
  const MixLine line = w.mix.front();
  w.mix.clear();
  w.block_bytes = {line.block_bytes};
  w.read_percent = line.read_percent;
  w.random_percent = line.random_percent;
  w.alignment_bytes = line.alignment_bytes;
}

void settle_random_share(Workload& w) {
  if (!w.mix.empty()) {
    w.random_percent = -1;
    w.alignment_bytes = 0;
    return;
  }
  if (w.random_percent < 0) return;
  w.pattern = w.random_percent == 0 ? Pattern::sequential : Pattern::random;
  if (w.random_percent == 0 || w.random_percent == 100) w.random_percent = -1;
}

}  // namespace

std::uint64_t outstanding(const Workload& w) {
  std::uint64_t sum = 0;
  if (w.groups.empty()) {
    sum = std::uint64_t{w.workers} * w.queue_depth_per_worker * targets_of(w);
  }
  for (const WorkerGroup& group : w.groups) {
    sum += std::uint64_t{group.workers} * group.queue_depth * targets_of(w, group);
  }
  return sum * std::max(w.instances, 1U);
}

std::string outstanding_words(const Workload& w) {
  std::string how;
  if (w.groups.empty()) how = workers_words(w.workers, w.queue_depth_per_worker, targets_of(w));
  for (const WorkerGroup& group : w.groups) {
    how += (how.empty() ? "" : " + ") +
           workers_words(group.workers, group.queue_depth, targets_of(w, group));
  }
  if (w.instances > 1) how = fmt::format("{} instances × ({})", w.instances, how);
  std::string out = fmt::format("{} outstanding: {}", outstanding(w), how);
  if (w.depth_over_targets && w.targets.size() > 1)
    out += fmt::format(", going over {} targets", w.targets.size());
  return out;
}

void derive(Workload& w) {
  if (!w.mix.empty()) {
    w.block_bytes.clear();
    double reads = 0;
    double percent = 0;
    for (const MixLine& line : w.mix) {
      w.block_bytes.push_back(line.block_bytes);
      reads += line.percent * line.read_percent;
      percent += line.percent;
    }
    // Whoever reads 100 here takes it that nothing is written.
    if (percent > 0) {
      w.read_percent = std::clamp(static_cast<int>(std::lround(reads / percent)),
                                  all_reads(w, 0) ? 0 : 1, all_reads(w, 100) ? 100 : 99);
    }
    w.pattern = all_of_mix(w, 0) ? Pattern::sequential : Pattern::random;
  }
  if (!w.groups.empty()) {
    w.workers = 0;
    w.queue_depth_per_worker = 0;
    for (const WorkerGroup& group : w.groups) {
      w.workers += group.workers;
      w.queue_depth_per_worker = std::max(w.queue_depth_per_worker, group.queue_depth);
    }
  }
  const bool one_each =
      !w.groups.empty() && std::all_of(w.groups.begin(), w.groups.end(),
                                       [](const WorkerGroup& g) { return g.targets.size() < 2; });
  if (w.targets.size() < 2 || one_each) w.depth_over_targets = false;
  w.outstanding_total = outstanding(w);
}

Workload canonical(Workload w) {
  unfold_single_line(w);
  settle_random_share(w);
  // Neighbours that do the same are one group.
  for (std::size_t i = 1; i < w.groups.size();) {
    WorkerGroup& before = w.groups[i - 1];
    if (before.queue_depth == w.groups[i].queue_depth && before.targets == w.groups[i].targets) {
      before.workers += w.groups[i].workers;
      w.groups.erase(w.groups.begin() + static_cast<std::ptrdiff_t>(i));
    } else {
      ++i;
    }
  }
  if (w.groups.size() == 1) {
    const WorkerGroup& only = w.groups.front();
    bool all = only.targets.size() == std::max<std::size_t>(w.targets.size(), 1);
    for (std::size_t i = 0; all && i < only.targets.size(); ++i) all = only.targets[i] == i;
    if (all) {
      w.workers = only.workers;
      w.queue_depth_per_worker = only.queue_depth;
      w.groups.clear();
    }
  }
  derive(w);
  if (w.block_bytes.empty()) w.block_bytes = Workload().block_bytes;
  if (w.mix.empty() && w.alignment_bytes == w.block_bytes.front()) w.alignment_bytes = 0;
  for (MixLine& line : w.mix) {
    if (line.alignment_bytes == line.block_bytes) line.alignment_bytes = 0;
  }
  const bool all_random =
      w.mix.empty() ? w.pattern == Pattern::random && w.random_percent < 0 : all_of_mix(w, 100);
  const bool all_sequential = w.mix.empty() ? w.pattern == Pattern::sequential : all_of_mix(w, 0);
  if (all_random || (w.groups.empty() && w.workers == 1)) w.cursor = SequentialCursor::shared;
  if (all_random || w.stride_bytes == w.block_bytes.front()) w.stride_bytes = 0;
  if (w.cursor != SequentialCursor::own) w.worker_offset_bytes = 0;
  if (all_sequential) {
    w.spread = Spread::uniform;
    if (w.mix.empty()) w.alignment_bytes = 0;
  }
  if (w.spread != Spread::zipf && w.spread != Spread::pareto) w.skew = 0;
  if (w.spread != Spread::hot_spots) w.hot_spots.clear();
  if (w.read_percent == 100) {
    w.sync = Sync::none;
    w.fsync_every = 0;
    w.trim_percent = 0;
    w.compressible_percent = 0;
    w.duplicate_percent = 0;
  }
  if (w.arrivals == Arrivals::closed) w.rate_iops = 0;
  if (w.think_us == 0) w.burst = 1;
  return w;
}

}  // namespace raidscope
