#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "probe/base/result.h"

namespace raidscope {

/// Something at rest on a device that a person may still want.
struct DataAtRest {
  std::string what;  ///< "ext4 file system \"data\"", "gpt partition table"
  std::uint64_t offset = 0;
};

struct EdgeScan {
  std::optional<std::uint64_t> first_nonzero;  ///< in the first MiB, offset in bytes
  std::optional<std::uint64_t> last_nonzero;   ///< in the last MiB
};

/// Every signature and partition table that libblkid knows, at the start and at the end, also those
/// with a bad checksum. Reads only. `path` is a block device or a plain file that stands for one.
Result<std::vector<DataAtRest>> find_signatures(const std::string& path);

/// Looks for anything but zeros in the first and the last MiB. `size` in bytes.
Result<EdgeScan> scan_edges(const std::string& path, std::uint64_t size);

}  // namespace raidscope
