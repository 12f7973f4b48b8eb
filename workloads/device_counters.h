#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace raidscope {

/// What /sys/dev/block/M:m/stat counts (Documentation/block/stat.rst). Sectors are always 512
/// bytes.
struct DeviceCounters {
  std::uint64_t reads = 0, reads_merged = 0, sectors_read = 0, read_ms = 0;
  std::uint64_t writes = 0, writes_merged = 0, sectors_written = 0, write_ms = 0;
  std::uint64_t in_flight = 0, busy_ms = 0, queue_ms = 0;
  bool operator==(const DeviceCounters&) const = default;

  /// What happened since `before`; the unsigned counters may wrap.
  [[nodiscard]] DeviceCounters since(const DeviceCounters& before) const noexcept;
};

std::optional<DeviceCounters> parse_device_counters(std::string_view text);

}  // namespace raidscope
