#include "workloads/worker_seats.h"

#include <algorithm>

namespace raidscope {

std::vector<WorkerSeat> seats_of(const Workload& workload, std::uint32_t most_per_target) {
  std::vector<WorkerGroup> groups = workload.groups;
  if (groups.empty()) {
    WorkerGroup all{workload.workers, workload.queue_depth_per_worker, {}};
    for (std::uint32_t i = 0; i < workload.targets.size(); ++i) all.targets.push_back(i);
    groups.push_back(std::move(all));
  }
  std::vector<std::uint32_t> sharers(workload.targets.size(), 0);
  std::vector<WorkerSeat> out;
  for (const WorkerGroup& group : groups) {
    for (std::uint32_t worker = 0; worker < group.workers; ++worker) {
      WorkerSeat seat;
      const std::uint32_t depth =
          most_per_target != 0 ? std::min(most_per_target, group.queue_depth) : group.queue_depth;
      seat.targets = group.targets;
      for (const std::uint32_t target : seat.targets)
        seat.sharing.push_back({sharers[target]++, 0});
      const bool over_targets =
          workload.depth_over_targets || workload.arrivals != Arrivals::closed;
      seat.slots = workload.depth_over_targets
                       ? depth
                       : depth * static_cast<std::uint32_t>(seat.targets.size());
      // An engine that blocks has one request in flight, wherever it goes.
      if (most_per_target != 0 && over_targets) seat.slots = std::min(seat.slots, most_per_target);
      out.push_back(std::move(seat));
    }
  }
  for (WorkerSeat& seat : out)
    for (std::size_t i = 0; i < seat.targets.size(); ++i)
      seat.sharing[i].sharers = sharers[seat.targets[i]];
  return out;
}

}  // namespace raidscope
