#pragma once

#include <cstdint>
#include <string>

#include "workloads/workload.h"

namespace raidscope {

/// Requests outstanding at the devices: workers × depth × targets, over all groups and instances.
std::uint64_t outstanding(const Workload& workload);

/// How they come about, for a person: "512 outstanding: 8 workers × 64".
std::string outstanding_words(const Workload& workload);

/// Sets what follows from other fields: block sizes, read share and pattern of a mix, workers and
/// depth of groups, and outstanding_total.
void derive(Workload& workload);

/// The same I/O as the same value: fields that cannot matter get their defaults (the cursor of
/// random requests, the sync of reads, a mix of one line).
Workload canonical(Workload workload);

}  // namespace raidscope
