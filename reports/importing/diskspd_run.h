#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "workloads/run_result.h"

/// What diskspd's XML and its text have in common.
namespace raidscope::importing {

/// A target as diskspd was asked to use it.
struct DiskspdTarget {
  std::string path;
  std::uint64_t block_bytes = 65536;
  std::uint32_t outstanding = 2;  ///< per thread
  std::uint32_t threads = 1;      ///< of this target; 0: all threads of -F
  int write_percent = 0;
  bool random = false;
  int random_percent = -1;  ///< -rs
  bool interlocked = false;
  std::uint64_t stride_bytes = 0, thread_stride_bytes = 0;  ///< stride, random: the alignment
  std::uint64_t base_bytes = 0, size_bytes = 0, most_bytes = 0;
  bool buffered = false, write_through = false, zero_data = false, sequential_data = false;
  double think_ms = 0;
  std::uint32_t burst = 0;
  double rate = 0;  ///< -g; 0: none
};

struct DiskspdSpan {
  std::vector<DiskspdTarget> targets;
  std::uint32_t total_threads = 0;  ///< -F; 0: threads are per target
  double duration_s = 0, warmup_s = 0, cooldown_s = 0, test_s = 0;
  std::uint64_t seed = 0;
};

/// The workload of a time span; outstanding and the traps of the syntax are filled.
Workload diskspd_workload(const DiskspdSpan& span);

/// What is left when workload, counts and latencies are in place: direct, checks, name.
void finish_diskspd(const DiskspdSpan& span, RunResult& run);

}  // namespace raidscope::importing
