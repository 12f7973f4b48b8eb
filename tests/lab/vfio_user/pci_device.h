#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>

namespace raidscope::lab {

/// A PCI function with one memory BAR, as the vfio-user server shows it to QEMU.
class PciDevice {
 public:
  virtual ~PciDevice() = default;
  [[nodiscard]] virtual std::size_t bar_bytes() const = 0;
  [[nodiscard]] virtual unsigned vectors() const = 0;  ///< of MSI-X
  /// The 256 bytes of configuration space.
  virtual std::span<std::byte> configuration() = 0;
  /// Whether the guest may set this byte of it.
  [[nodiscard]] virtual bool may_be_set(std::size_t offset) const = 0;
  virtual void read_bar(std::uint64_t offset, std::span<std::byte> out) = 0;
  virtual void write_bar(std::uint64_t offset, std::span<const std::byte> data) = 0;
  virtual void reset() = 0;
  /// Does what has fallen due. Then the time until there is more, or nothing while the device only
  /// waits for the guest.
  virtual std::optional<std::chrono::microseconds> run_due() = 0;
  /// Whether the pin is asserted: asked when the guest unmasks it.
  [[nodiscard]] virtual bool pin_asserted() const = 0;

  /// How the device interrupts: MSI-X vector `n`, or the pin where MSI-X is off.
  struct Interrupts {
    std::function<bool(unsigned vector)> message;  ///< false: not enabled
    std::function<void()> pin;
  };
  Interrupts interrupts;
};

}  // namespace raidscope::lab
