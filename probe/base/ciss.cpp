#include "probe/base/ciss.h"

#include <algorithm>

#include <fmt/format.h>

namespace raidscope::ciss {
namespace {

constexpr std::uint8_t u8(std::byte value) noexcept {
  return std::to_integer<std::uint8_t>(value);
}
constexpr std::byte low(std::uint32_t value) noexcept {
  return static_cast<std::byte>(value & 0xFFU);
}

constexpr std::size_t bmic_cdb_length = 10;
constexpr std::size_t ciss_cdb_length = 12;
/// 2048 devices of 24 bytes: more than the drivers' limits together, and below the ioctl's 65535.
constexpr std::uint32_t physical_list_bytes = 8 + 2048 * 24;
constexpr std::uint32_t logical_list_bytes = 8 + 1024 * 8;
/// Where orca_password lies in the controller parameters; how long it is, is not public.
constexpr std::size_t password_at = 136;

/// The number goes where the command takes it; the transfer length is big endian, 16 bits.
Command bmic(std::uint8_t operation, std::uint32_t reply_bytes) {
  Command out;
  out.cdb_length = bmic_cdb_length;
  out.cdb[0] = std::byte{bmic_read};
  out.cdb[6] = std::byte{operation};
  out.cdb[7] = low(reply_bytes >> 8);
  out.cdb[8] = low(reply_bytes);
  out.reply_bytes = reply_bytes;
  return out;
}

Command long_read(std::uint8_t operation, std::uint8_t second, std::uint32_t reply_bytes) {
  Command out;
  out.cdb_length = ciss_cdb_length;
  out.cdb[0] = std::byte{operation};
  out.cdb[1] = std::byte{second};
  for (std::size_t i = 0; i < 4; ++i) out.cdb[6 + i] = low(reply_bytes >> (8 * (3 - i)));
  out.reply_bytes = reply_bytes;
  return out;
}

bool asks_about_the_controller(CissQuery query) noexcept {
  switch (query) {
    case CissQuery::identify_controller:
    case CissQuery::controller_parameters:
    case CissQuery::subsystem_information:
    case CissQuery::cache_configuration:
      return true;
    default:
      return false;
  }
}

struct Sense {
  std::uint8_t key = 0, code = 0, qualifier = 0;
};
Sense sense_of(std::span<const std::byte> sense) noexcept {
  const auto at = [&](std::size_t i) { return i < sense.size() ? u8(sense[i]) : std::uint8_t{0}; };
  const bool descriptors = (at(0) & 0x7E) == 0x72;  // 0x72, 0x73; else fixed, 0x70 and 0x71
  const auto key = static_cast<std::uint8_t>(at(descriptors ? 1 : 2) & 0x0F);
  return descriptors ? Sense{key, at(2), at(3)} : Sense{key, at(12), at(13)};
}

}  // namespace

std::optional<Command> command_of(const CissAsk& ask) {
  const std::uint32_t n = ask.number;
  const auto of_logical_drive = [n](Command command) -> std::optional<Command> {
    if (n > 0xFFFF) return std::nullopt;
    command.cdb[1] = low(n);
    command.cdb[9] = low(n >> 8);
    return command;
  };
  switch (ask.query) {
    case CissQuery::pci_info:
    case CissQuery::driver_version:
      return std::nullopt;
    case CissQuery::identify_logical_drive:
      return of_logical_drive(bmic(0x10, 512));
    case CissQuery::identify_controller:
      return bmic(0x11, 512);
    case CissQuery::logical_drive_status:
      return of_logical_drive(bmic(0x12, 1024));
    case CissQuery::identify_physical_drive: {
      if (n > 0xFFFF) return std::nullopt;
      Command command = bmic(0x15, 2560);
      command.cdb[2] = low(n);
      command.cdb[9] = low(n >> 8);
      return command;
    }
    case CissQuery::controller_parameters:
      return bmic(0x64, 512);
    case CissQuery::subsystem_information:
      return bmic(0x66, 512);
    case CissQuery::cache_configuration:
      return bmic(0xC1, 512);
    case CissQuery::report_logical:
      return long_read(report_logical_luns, 0, logical_list_bytes);
    case CissQuery::report_physical:
      return long_read(report_physical_luns, 2, physical_list_bytes);
    case CissQuery::report_physical_plain:
      return long_read(report_physical_luns, 0, physical_list_bytes);
    case CissQuery::raid_map: {
      if (n > 0x3FFFFFFF) return std::nullopt;
      Command command = long_read(ciss_read, get_raid_map, 64 + 256 * 8);
      const std::uint32_t volume = n | 0x40000000U;
      for (std::size_t i = 0; i < 4; ++i) command.lun[i] = low(volume >> (8 * i));
      return command;
    }
  }
  return std::nullopt;
}

bool reads_only(std::span<const std::byte> cdb, Direction direction) noexcept {
  if (direction != Direction::read || cdb.empty()) return false;
  const std::uint8_t operation = u8(cdb[0]);
  if (cdb.size() != (operation == bmic_read ? bmic_cdb_length : ciss_cdb_length)) return false;
  switch (operation) {
    case bmic_read:
      break;
    case ciss_read:
    case report_logical_luns:
    case report_physical_luns:
      if (u8(cdb[6]) != 0 || u8(cdb[7]) != 0) return false;  // longer than the ioctl can carry
      if (operation == report_logical_luns && u8(cdb[1]) != 0) return false;
      if (operation == report_physical_luns && u8(cdb[1]) != 0 && u8(cdb[1]) != 2) return false;
      break;
    default:
      return false;
  }
  const std::uint8_t below = u8(operation == bmic_read ? cdb[6] : cdb[1]);
  return std::any_of(allow_list.begin(), allow_list.end(), [&](const AllowedCommand& allowed) {
    return allowed.operation == operation && (!allowed.below || *allowed.below == below);
  });
}

bool reads_only(const Command& command) noexcept {
  if (command.cdb_length > command.cdb.size() || command.reply_bytes > 0xFFFF) return false;
  if (!reads_only(command.cdb_bytes(), command.direction)) return false;
  if (u8(command.cdb[0]) == ciss_read) return (u8(command.lun[3]) & 0xC0) == 0x40;
  return std::all_of(command.lun.begin(), command.lun.end(),
                     [](std::byte b) { return b == std::byte{0}; });
}

Verdict judge(CissQuery query, const CissReply& reply) noexcept {
  switch (reply.command_status) {
    case 0:
    case 2:
      break;
    case 0xFFFF:
      return Verdict::locked_up;
    case 4:
      return Verdict::absent;
    case 1:
      return reply.scsi_status == 2 && sense_of(reply.sense).key == 5 ? Verdict::absent
                                                                      : Verdict::failed;
    default:
      return Verdict::failed;
  }
  if (asks_about_the_controller(query) &&
      std::all_of(reply.data.begin(), reply.data.end(),
                  [](std::byte b) { return b == std::byte{0}; })) {
    return Verdict::failed;
  }
  return Verdict::answered;
}

std::string status_text(const CissReply& reply) {
  if (reply.command_status == 0xFFFF) return "the controller has locked up";
  if (reply.command_status == 0 || reply.command_status == 2) {
    return reply.data.empty() ? "no data" : "nothing but zeros";
  }
  if (reply.command_status != 1) return fmt::format("command status {}", reply.command_status);
  const Sense sense = sense_of(reply.sense);
  return fmt::format("SCSI status {}, sense {:x}/{:02x}/{:02x}", reply.scsi_status, sense.key,
                     sense.code, sense.qualifier);
}

void blank_secrets(CissQuery query, std::span<std::byte> data) noexcept {
  if (query != CissQuery::controller_parameters || data.size() <= password_at) return;
  const auto secret = data.subspan(password_at);
  std::fill(secret.begin(), secret.end(), std::byte{0});
}

std::string_view name_of(CissQuery query) noexcept {
  switch (query) {
    case CissQuery::pci_info:
      return "PCI information";
    case CissQuery::driver_version:
      return "driver version";
    case CissQuery::identify_logical_drive:
      return "identify logical drive";
    case CissQuery::identify_controller:
      return "identify controller";
    case CissQuery::logical_drive_status:
      return "sense logical drive status";
    case CissQuery::identify_physical_drive:
      return "identify physical drive";
    case CissQuery::controller_parameters:
      return "sense controller parameters";
    case CissQuery::subsystem_information:
      return "sense subsystem information";
    case CissQuery::cache_configuration:
      return "sense cache configuration";
    case CissQuery::report_logical:
      return "report logical drives";
    case CissQuery::report_physical:
      return "report physical devices";
    case CissQuery::report_physical_plain:
      return "report physical devices, plain format";
    case CissQuery::raid_map:
      return "RAID map";
  }
  return "";
}

}  // namespace raidscope::ciss
