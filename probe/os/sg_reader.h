#pragma once

#include <chrono>

#include "probe/host.h"

namespace raidscope {

/// SCSI commands of the live machine, by SG_IO through libsgutils2. Only the commands of
/// scsi::reads_only() are sent; the node is opened for reading, so that closing it starts no udev
/// event.
class SgReader final : public ScsiReader {
 public:
  /// The kernel recovers a whole host after a command's timeout: 60 s is the least that is gentle.
  explicit SgReader(std::chrono::seconds timeout) : timeout_(timeout) {}
  Result<std::vector<std::byte>> read(std::string_view devnode, std::span<const std::byte> cdb,
                                      std::size_t reply_capacity) const override;

 private:
  std::chrono::seconds timeout_;
};

/// A machine that is not the running one: nothing can be asked. Still refuses what SgReader
/// refuses.
class NoScsiReader final : public ScsiReader {
 public:
  Result<std::vector<std::byte>> read(std::string_view devnode, std::span<const std::byte> cdb,
                                      std::size_t reply_capacity) const override;
};

}  // namespace raidscope
