#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace raidscope {

/// What a planned test would do, as far as rules look at it. A plain value that workloads fill, so
/// that rules need not know how workloads are written.
struct PlannedTest {
  std::string target;                      ///< as given; empty when there is none
  std::optional<std::string> slot;         ///< of the controller it lies on, when known
  std::optional<std::int64_t> drive;       ///< logical drive number, when known
  std::optional<std::string> drive_id;     ///< its unique id, when known
  std::vector<std::uint64_t> block_bytes;  ///< every block size it uses
  int read_percent = 100;
  bool random = true;
  std::uint64_t area_bytes = 0;  ///< 0: unknown
  std::uint32_t outstanding = 0;
  double duration_s = 0;
  bool writes_raw_device = false;
  /// Where the partition that holds the target begins on its drive, when known.
  std::optional<std::uint64_t> partition_start_bytes;
};

}  // namespace raidscope
