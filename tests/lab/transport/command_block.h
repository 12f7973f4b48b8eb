#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "probe/host.h"
#include "tests/lab/vfio_user/guest_memory.h"

namespace raidscope::lab {

/// A command as the driver lays it out in memory: a header of 20 bytes with the address, the
/// request of 20 bytes, the error descriptor, and the scatter-gather list, whose last entry may
/// point to the rest of it. Source: struct CommandList of Linux' hpsa_cmd.h.
class CommandBlock {
 public:
  enum class Kind : std::uint8_t { command = 0, message = 1, task_management = 3 };

  /// Nothing when it does not lie in the guest's memory.
  static std::optional<CommandBlock> at(GuestMemory& memory, std::uint64_t address);
  /// The same of a request that the driver addresses to a drive itself (struct io_accel1_cmd).
  static std::optional<CommandBlock> accelerated_at(GuestMemory& memory, std::uint64_t address);

  std::array<std::byte, 8> lun{};
  std::array<std::byte, 16> cdb{};
  Kind kind = Kind::command;
  bool writes = false;  ///< data go to the card
  std::uint8_t reply_queue = 0;
  std::uint64_t tag = 0;                      ///< what the driver wants to see again
  std::optional<std::uint32_t> drive_handle;  ///< where it is addressed to a drive
  std::uint64_t data_bytes = 0;               ///< that the list has room for

  /// What the driver sends.
  [[nodiscard]] std::vector<std::byte> gather() const;
  /// Puts the reply where the driver wants it: its data, cut to the room and to the allocation
  /// length of an INQUIRY, and the error information. True where there is any of the latter.
  bool deliver(const CissReply& reply) const;

 private:
  explicit CommandBlock(GuestMemory& memory) : memory_(&memory) {}
  void read_list(std::span<const std::byte> entries, unsigned count);

  struct Segment {
    std::uint64_t address = 0;
    std::uint32_t size = 0;
  };
  GuestMemory* memory_;
  std::vector<Segment> segments_;
  std::uint64_t error_address_ = 0;
  std::uint32_t error_bytes_ = 0;
};

}  // namespace raidscope::lab
