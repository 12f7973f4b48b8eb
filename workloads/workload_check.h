#pragma once

#include "probe/base/result.h"
#include "workloads/workload.h"

namespace raidscope {

/// Errc::usage when the values make no workload whatever the target: no workers, 101 % reads, a
/// block of 1000 bytes with direct I/O. Errc::unsupported: sound, but no run can do it yet.
Status check_workload(const Workload& workload);

/// Whether any of its requests changes the target: writes or trims.
bool workload_writes(const Workload& workload);

}  // namespace raidscope
