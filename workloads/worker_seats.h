#pragma once

#include <cstdint>
#include <vector>

#include "workloads/request_stream.h"
#include "workloads/workload.h"

namespace raidscope {

/// What one worker works on.
struct WorkerSeat {
  std::vector<std::uint32_t> targets;  ///< indices into Workload::targets
  std::vector<Sharing> sharing;        ///< by the same order
  std::uint32_t slots = 1;             ///< requests in flight, over its targets
};

/// The places of all workers, groups one behind another. `most_per_target`: what an engine can have
/// in flight (0: as asked).
std::vector<WorkerSeat> seats_of(const Workload& workload, std::uint32_t most_per_target = 0);

}  // namespace raidscope
