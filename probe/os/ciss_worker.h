#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "probe/host.h"

/// The child's side of LiveCissReader: asks one controller, one question after the other. It runs
/// in a process of its own between fork() and _exit(), so it allocates nothing.
namespace raidscope {

/// Where an answer comes from.
enum class CissStage : std::uint8_t {
  answered,  ///< by the driver; the error is 0
  open,      ///< the node could not be opened
  no_ciss,   ///< the node's driver does not know CCISS_GETPCIINFO: nothing was sent to it
  refused,   ///< not in the allow list
  ioctl,     ///< the driver gave an error
};

/// One message of the child; `data_size` bytes follow it in the same message.
struct CissAnswer {
  CissStage stage = CissStage::answered;
  std::uint8_t scsi_status = 0, sense_size = 0;
  std::uint16_t command_status = 0;
  std::int32_t error = 0;  ///< errno
  std::uint32_t data_size = 0;
  std::array<std::byte, 32> sense{};
};
inline constexpr std::size_t ciss_data_capacity = 0xFFFF;  ///< the ioctl's length has 16 bits

/// Answers each CissAsk that comes as one message of the socket, until the other side closes it.
void serve_ciss(int socket, const char* devnode);

}  // namespace raidscope
