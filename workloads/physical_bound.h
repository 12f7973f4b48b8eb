#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "workloads/workload.h"

namespace raidscope {

/// What a workload's requests reach. All null: nothing is known of it.
struct BoundPlace {
  const Controller* controller = nullptr;
  const Array* array = nullptr;
  const LogicalDrive* drive = nullptr;
  const BlockDevice* device = nullptr;  ///< one disk that no listed controller owns
};

/// What a person says of one drive. Absent: not given.
struct DriveRates {
  std::optional<double> iops;  ///< random requests a second
  std::optional<double> mbps;  ///< MB/s, of 10^6 bytes
};

struct PhysicalBound {
  double iops = 0;    ///< requests of this workload a second, at most
  std::string name;   ///< what it is and how it was computed, with the source of a cited rate
  std::string above;  ///< what it means when a result lies above it
};

/// Everything that limits the workload there and whose rate is cited or given, in no order: the
/// drives' rates, their links, the lanes of the controller, its link to the host, and what its
/// processor was published to do. A rate that is not known gives no bound. Each is a bound from
/// above: what could be cheaper than assumed is taken as cheap.
///
/// Writes count as the level makes them: twice on 1+0, three times on ADM, 4 requests on RAID 4, 5
/// and 50, 6 on RAID 6 and 60 while a block fits into a strip. `emulated`: the card is the
/// project's own, which real rates do not bind. `target_bytes`: size of the target, 0 where it is
/// unknown.
std::vector<PhysicalBound> physical_bounds(const Workload& workload, const BoundPlace& place,
                                           const DriveRates& rates, std::uint64_t target_bytes = 0,
                                           bool emulated = false);

/// The smallest of them.
std::optional<PhysicalBound> smallest_bound(const std::vector<PhysicalBound>& bounds);

/// Why a result is above its bound, in words; empty when it is not. The margin is 2 % and the
/// requests that cross the edges of the window.
std::string above_bound(const PhysicalBound& bound, const Workload& workload, double iops);

}  // namespace raidscope
