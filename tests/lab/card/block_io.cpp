#include "tests/lab/card/block_io.h"

#include <algorithm>

namespace raidscope::lab {
namespace {

constexpr std::uint64_t sector = 512;
constexpr unsigned test_unit_ready = 0x00, mode_sense_6 = 0x1A, start_stop = 0x1B, lock_door = 0x1E,
                   read_capacity_10 = 0x25, synchronize_10 = 0x35, mode_sense_10 = 0x5A,
                   synchronize_16 = 0x91, service_action_in = 0x9E;

CissBytes& big_endian_number(CissBytes& out, std::size_t at, std::uint64_t value,
                             std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) {
    out.u8(at + i, static_cast<unsigned>(value >> (8 * (size - 1 - i)) & 0xFF));
  }
  return out;
}

CissReply capacity_10(std::uint64_t blocks) {
  CissBytes out(8);
  big_endian_number(out, 0, std::min<std::uint64_t>(blocks - 1, 0xFFFFFFFF), 4);
  return big_endian_number(out, 4, sector, 4).reply();
}

CissReply capacity_16(Cdb cdb, std::uint64_t blocks) {
  constexpr unsigned read_capacity_16 = 0x10;
  if ((byte_at(cdb, 1) & 0x1F) != read_capacity_16) return illegal_command();
  CissBytes out(32);
  big_endian_number(out, 0, blocks - 1, 8);
  return big_endian_number(out, 8, sector, 4).reply();
}

/// The caching page, or a header alone. DPO and FUA are supported; WCE is set whatever the cache
/// does: on real volumes it says nothing reliable either.
CissReply mode_sense(Cdb cdb) {
  constexpr unsigned caching = 0x08, all_pages = 0x3F, no_page = 0x00;
  const bool ten = byte_at(cdb, 0) == mode_sense_10;
  const unsigned page = byte_at(cdb, 2) & 0x3F;
  const bool with_caching = page == caching || page == all_pages;
  if (!with_caching && page != no_page) return illegal_field();
  const std::size_t header = ten ? 8 : 4;
  CissBytes out(header + (with_caching ? 20 : 0));
  const auto size = static_cast<unsigned>(out.bytes().size());
  if (ten) {
    out.u8(1, size - 2).u8(3, 0x10);
  } else {
    out.u8(0, size - 1).u8(2, 0x10);
  }
  if (with_caching) out.u8(header, caching).u8(header + 1, 18).u8(header + 2, 4);
  return out.reply();
}

CissReply move(Medium& medium, const Transfer& transfer, std::span<const std::byte> out) {
  CissReply reply;
  if (transfer.writes) {
    if (out.size() < transfer.blocks * sector) return check_condition(0x0B, 0x4B);  // data phase
    medium.write(transfer.block * sector, out.first(transfer.blocks * sector));
    return reply;
  }
  reply.data.resize(transfer.blocks * sector);
  medium.read(transfer.block * sector, reply.data);
  return reply;
}

}  // namespace

std::optional<Transfer> transfer_of(Cdb cdb) {
  switch (const unsigned operation = byte_at(cdb, 0); operation) {
    case 0x08:
    case 0x0A: {
      const std::uint64_t blocks = byte_at(cdb, 4);
      return Transfer{operation == 0x0A, big_endian(cdb, 1, 3) & 0x1FFFFF,
                      blocks == 0 ? 256 : blocks};
    }
    case 0x28:
    case 0x2A:
      return Transfer{operation == 0x2A, big_endian(cdb, 2, 4), big_endian(cdb, 7, 2)};
    case 0xA8:
    case 0xAA:
      return Transfer{operation == 0xAA, big_endian(cdb, 2, 4), big_endian(cdb, 6, 4)};
    case 0x88:
    case 0x8A:
      return Transfer{operation == 0x8A, big_endian(cdb, 2, 8), big_endian(cdb, 10, 4)};
    default:
      return std::nullopt;
  }
}

CissReply transfer_blocks(Medium& medium, std::uint64_t disk_blocks,
                          const std::vector<std::uint64_t>& bad_blocks, const Transfer& transfer,
                          std::span<const std::byte> out) {
  if (transfer.block > disk_blocks || transfer.blocks > disk_blocks - transfer.block) {
    return check_condition(5, 0x21);  // out of range
  }
  const bool bad = std::any_of(bad_blocks.begin(), bad_blocks.end(), [&](std::uint64_t block) {
    return block >= transfer.block && block < transfer.block + transfer.blocks;
  });
  if (bad) return check_condition(3, transfer.writes ? 0x0C : 0x11);
  return move(medium, transfer, out);
}

CissReply disk_command(Medium& medium, std::uint64_t disk_blocks,
                       const std::vector<std::uint64_t>& bad_blocks, Cdb cdb,
                       std::span<const std::byte> out) {
  if (const auto transfer = transfer_of(cdb)) {
    return transfer_blocks(medium, disk_blocks, bad_blocks, *transfer, out);
  }
  switch (byte_at(cdb, 0)) {
    case test_unit_ready:
    case start_stop:
    case lock_door:
    case synchronize_10:
    case synchronize_16:
      return done();
    case read_capacity_10:
      return capacity_10(disk_blocks);
    case service_action_in:
      return capacity_16(cdb, disk_blocks);
    case mode_sense_6:
    case mode_sense_10:
      return mode_sense(cdb);
    default:
      return illegal_command();
  }
}

}  // namespace raidscope::lab
