#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "workloads/workload.h"

namespace raidscope::importing {

/// What the options that fio repeats in its JSON say about the load. What is not given has fio's
/// default.
struct FioOptions {
  Workload workload;  ///< pattern, sizes, mix, area, times; without targets and counts
  std::vector<std::string> targets;
  std::uint32_t numjobs = 1, depth = 1;
  std::optional<std::uint64_t> block_bytes;  ///< where there is only one
  std::string engine;                        ///< "fio's libaio"
  std::vector<std::string> warnings;
};

FioOptions fio_options(const std::map<std::string, std::string>& options);

/// "4k", "1m", "4096", "4KiB" as fio reads them (powers of 1024 unless kb_base=1000).
std::optional<std::uint64_t> fio_size(std::string_view text);

}  // namespace raidscope::importing
