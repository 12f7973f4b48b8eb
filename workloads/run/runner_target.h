#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "workloads/device_counters.h"
#include "workloads/run/target_system.h"
#include "workloads/run_result.h"

namespace raidscope {

/// What the run loop must know of a target before it starts.
struct RunnerTarget {
  TargetInfo info;                ///< path, kind and size
  bool character_device = false;  ///< /dev/zero: no size of its own
  std::string real_path;
  std::string file_system;             ///< type; empty for devices
  std::uint32_t sector_bytes = 512;    ///< the least block and alignment of direct I/O
  std::uint32_t file_block_bytes = 0;  ///< of the file system; 0 for devices
  bool takes_nowait = true;  ///< false: io_uring would hand each request to a kernel thread
  bool trims = false;        ///< a block device whose queue takes discards
  std::vector<std::string> counters_paths;  ///< of the device below, or of all members of a btrfs
  std::string counters_missing;             ///< why there is none
  /// Of the devices at the bottom, where those above are stacked on others and all of these count.
  std::vector<std::string> ground_paths;
  std::string in_memory;  ///< why the target is memory: "tmpfs keeps its files in memory"; or empty
  std::string page_cache;      ///< what goes through the page cache on the way down; or empty
  std::string ground_unknown;  ///< why what lies at the bottom is not known; or empty
};

/// Opens the target for reading, looks and closes it. Errors as open_target(); Errc::usage for an
/// empty file.
Result<RunnerTarget> look_at_target(const std::string& path, bool direct,
                                    const TargetSystem& system);

/// nullopt when the file cannot be read or understood.
std::optional<DeviceCounters> read_device_counters(const std::string& path);

/// Threads of this process that io_uring started to wait in its place ("iou-wrk-…").
int count_io_wq_threads();

/// Seconds of CPU time that the hypervisor took away, all CPUs, since the machine started.
double steal_seconds();

}  // namespace raidscope
