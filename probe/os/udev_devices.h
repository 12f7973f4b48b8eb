#pragma once

#include "probe/host.h"

namespace raidscope {

/// The live machine's devices with their udev properties, by libudev. Works without a running
/// udevd: the properties are then the kernel's own.
class UdevDevices final : public DeviceDb {
 public:
  Result<std::vector<DeviceNode>> enumerate(std::string_view subsystem) const override;
};

/// Devices of a tree that is not the running machine's: sys/class, sys/bus and sys/block below its
/// root, with the properties of the uevent files. Asks nothing live.
class UeventDevices final : public DeviceDb {
 public:
  explicit UeventDevices(const FileTree& files) : files_(files) {}
  Result<std::vector<DeviceNode>> enumerate(std::string_view subsystem) const override;

 private:
  const FileTree& files_;
};

}  // namespace raidscope
