#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "probe/host.h"

/// CISS and BMIC commands as far as they are read: the command descriptor block of each question,
/// the allow list, and what the error information of an answer means. Pure. Sources: the
/// cciss_ioctl headers and the hpsa driver of Linux, FreeBSD's ciss driver.
namespace raidscope::ciss {

/// Bits 6-7 of the request's type byte.
enum class Direction : std::uint8_t { none = 0, write = 1, read = 2 };

struct Command {
  std::array<std::byte, 8> lun{};   ///< zeros: the controller
  std::array<std::byte, 16> cdb{};  ///< `cdb_length` bytes count
  std::uint8_t cdb_length = 0;
  Direction direction = Direction::read;
  std::uint32_t reply_bytes = 0;  ///< at most 65535: the ioctl's length has 16 bits
  [[nodiscard]] std::span<const std::byte> cdb_bytes() const {
    return std::span(cdb).first(cdb_length);
  }
};

/// The pass-through command of a question; nothing for pci_info and driver_version, which have
/// ioctls of their own, and for a number that no command can carry.
std::optional<Command> command_of(const CissAsk& ask);

/// One command that may be sent: its operation code and, where the code is BMIC's 0x26 or CISS's
/// 0xC0, the operation below it.
struct AllowedCommand {
  std::uint8_t operation = 0;
  std::optional<std::uint8_t> below{};
};
inline constexpr std::uint8_t bmic_read = 0x26;
inline constexpr std::uint8_t ciss_read = 0xC0;
inline constexpr std::uint8_t report_logical_luns = 0xC2;
inline constexpr std::uint8_t report_physical_luns = 0xC3;
inline constexpr std::uint8_t get_raid_map = 0xC8;

/// All that is ever sent. Each reads; their neighbours do not: 0xC2 below 0x26 switches the cache
/// off, 0x63 sets what 0x64 reads.
inline constexpr auto allow_list = std::to_array<AllowedCommand>({
    {bmic_read, 0x10},
    {bmic_read, 0x11},
    {bmic_read, 0x12},
    {bmic_read, 0x15},
    {bmic_read, 0x64},
    {bmic_read, 0x66},
    {bmic_read, 0xC1},
    {report_logical_luns, std::nullopt},
    {report_physical_luns, std::nullopt},
    {ciss_read, get_raid_map},
});

/// Commands of which it is known that they change something or wait for something: no list may
/// hold one.
constexpr bool must_never_be_sent(const AllowedCommand& command) {
  if (command.operation == bmic_read) {
    // Blink, reset, set configuration, label, surface scan, CSMI, set parameters, host wellness,
    // flush or disable the cache, notify, accept media, set diagnostics, write flash; 0x61 means
    // another thing in each family; without an operation it is all of them.
    constexpr std::uint8_t never[] = {0x16, 0x40, 0x51, 0x57, 0x60, 0x61, 0x63, 0x68,
                                      0xA5, 0xC2, 0xD0, 0xD1, 0xE0, 0xF4, 0xF6, 0xF7};
    if (!command.below) return true;
    for (const std::uint8_t operation : never) {
      if (*command.below == operation) return true;
    }
    return false;
  }
  if (command.operation == ciss_read) return command.below != get_raid_map;
  // 0x27 writes, 0xC1 is CISS's own write; plain SCSI is another interface's matter.
  return command.operation != report_logical_luns && command.operation != report_physical_luns;
}
constexpr bool only_reads(std::span<const AllowedCommand> list) {
  for (const AllowedCommand& command : list) {
    if (must_never_be_sent(command)) return false;
  }
  return true;
}
static_assert(only_reads(allow_list), "a command that changes the controller is in the allow list");

/// True for a whole command of the allow list with data towards the host, and for nothing else.
/// The formats of the LUN lists are those that are asked: plain, and 2 for physical devices.
bool reads_only(std::span<const std::byte> cdb, Direction direction) noexcept;
/// The same, and addressed as it must be: a RAID map to a logical drive, all else to the
/// controller.
bool reads_only(const Command& command) noexcept;

/// What an answer is worth.
enum class Verdict : std::uint8_t {
  answered,   ///< its data can be decoded
  absent,     ///< the controller knows no such command, drive or target
  locked_up,  ///< the driver's word for a dead controller
  failed,     ///< anything else, data of nothing but zeros among it
};
/// Status 0 and 2 (a short reply) are answers; 4 and a check condition with sense key 5 are an
/// absence. A reply of nothing but zeros to a question about the controller itself is a failure:
/// smartpqi gives one for a controller that went offline during the question.
Verdict judge(CissQuery query, const CissReply& reply) noexcept;
/// "command status 4", "SCSI status 2, sense 5/20/00".
std::string status_text(const CissReply& reply);

/// Overwrites with zeros what must not be kept: the option ROM's password and what follows it in
/// the controller parameters.
void blank_secrets(CissQuery query, std::span<std::byte> data) noexcept;

/// "identify controller", for messages.
std::string_view name_of(CissQuery query) noexcept;

}  // namespace raidscope::ciss
