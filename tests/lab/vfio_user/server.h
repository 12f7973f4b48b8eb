#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probe/base/result.h"
#include "probe/os/unique_fd.h"
#include "tests/lab/vfio_user/guest_memory.h"
#include "tests/lab/vfio_user/pci_device.h"

namespace raidscope::lab {

/// The server's side of vfio-user, as far as QEMU's vfio-user-pci needs it: regions, interrupts and
/// memory that comes as shared files. Source: docs/interop/vfio-user.rst of QEMU, linux/vfio.h.
class VfioUserServer {
 public:
  VfioUserServer(PciDevice& device, GuestMemory& memory);

  /// Listens at `socket`, takes one client and serves it until it goes away.
  Status serve(const std::string& socket);

 private:
  struct Header {
    std::uint16_t id = 0, command = 0;
    std::uint32_t size = 0, flags = 0, error = 0;
  };
  struct Message {
    Header header;
    std::vector<std::byte> body;
    std::vector<UniqueFd> files;
  };

  void wait_for_message();
  std::optional<Message> receive();
  bool receive_bytes(std::span<std::byte> out, std::vector<UniqueFd>& files);
  void handle(Message& message);
  void reply(const Header& to, std::span<const std::byte> body, int error = 0);
  void answer_version(const Message& message);
  void map_memory(const Message& message);
  void answer_device_info(const Message& message);
  void answer_region_info(const Message& message);
  void answer_irq_info(const Message& message);
  void set_irqs(Message& message);
  void read_region(const Message& message);
  void write_region(const Message& message);

  PciDevice& device_;
  GuestMemory& memory_;
  UniqueFd connection_;
  std::vector<UniqueFd> vectors_;
  UniqueFd pin_;
};

}  // namespace raidscope::lab
