#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/device_counters.h"
#include "workloads/run_result.h"

namespace raidscope {

/// What was seen while a workload ran, apart from the latencies themselves.
struct RunEvidence {
  // What was asked for, and what the engine can do.
  bool moves_data = true;
  bool direct = true;
  std::uint64_t outstanding_asked = 1;
  std::uint64_t outstanding_possible = 1;  ///< less where the engine has fewer in flight
  std::uint32_t block_bytes = 0;
  std::string engine;
  double rate_asked = 0;      ///< requests a second that were to start; 0: as soon as others end
  std::uint64_t backlog = 0;  ///< due and not started when the window ended
  bool pauses = false;        ///< think time or flushes: the depth is not kept all the time
  bool mixed_sizes = false;   ///< block_bytes is the largest of several
  // What was measured inside the window.
  double window_s = 0;
  std::uint64_t ios = 0;
  double mean_us = 0;
  std::optional<double> achieved_depth;  ///< time-weighted, all workers
  // From the first request to the last completion, ramp and drain included.
  double total_s = 0;
  std::uint64_t bytes_read = 0, bytes_written = 0, total_ios = 0;
  /// Of the disks under the targets, summed; nullopt with the reason in counters_missing.
  std::optional<DeviceCounters> device;
  std::string counters_name;     ///< "/sys/dev/block/8:0/stat"
  std::string counters_missing;  ///< "tmpfs lies on no block device"
  /// Of the disks at the bottom of stacked devices (loop, dm, md), summed; nullopt where the
  /// targets' devices lie on nothing else, or with the reason in ground_unknown.
  std::optional<DeviceCounters> ground;
  std::string ground_name;
  std::string ground_unknown;  ///< "which device holds /x, the file of /dev/loop0, is not known"
  std::string in_memory;       ///< "tmpfs keeps its files in memory"; empty: it is no memory
  std::string page_cache;  ///< "/dev/loop0 reads and writes /x through the page cache"; or empty
  // The machine.
  int io_wq_threads = 0;
  int cpus = 1;
  double cpu_s = 0;                   ///< of this process in the window
  double steal_s = 0;                 ///< taken by the hypervisor, all CPUs, in the window
  std::uint64_t blurred_seconds = 0;  ///< that the monitor came too late to keep apart
  bool interrupted = false;
  bool write_limit_reached = false;
};

struct RunVerdict {
  Checks checks;
  bool direct = false;  ///< false where the counters show that a cache served the requests
  std::string direct_proof;
};

/// Holds the evidence against itself: Little's law, the achieved depth, the device's own counters,
/// io-wq threads, CPU and steal. `valid` is false when the numbers contradict each other or say
/// nothing about the device. Pure.
RunVerdict check_run(const RunEvidence& evidence);

}  // namespace raidscope
