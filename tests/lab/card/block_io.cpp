#include "tests/lab/card/block_io.h"

#include <algorithm>

#include "tests/lab/card/operations.h"

namespace raidscope::lab {
namespace {

CissReply capacity_10(std::uint64_t blocks) {
  const auto last = std::min<std::uint64_t>(blocks - 1, 0xFFFFFFFF);
  return CissBytes(8).big_endian(0, last, 4).big_endian(4, sector_bytes, 4).reply();
}

CissReply capacity_16(Cdb cdb, std::uint64_t blocks) {
  constexpr unsigned read_capacity_16 = 0x10;
  if ((byte_at(cdb, 1) & 0x1F) != read_capacity_16) return illegal_command();
  return CissBytes(32).big_endian(0, blocks - 1, 8).big_endian(8, sector_bytes, 4).reply();
}

/// The caching page, or a header alone. DPO and FUA are supported; WCE is set whatever the cache
/// does: on real volumes it says nothing reliable either.
CissReply mode_sense(Cdb cdb) {
  constexpr unsigned caching = 0x08, all_pages = 0x3F, no_page = 0x00;
  const bool ten = byte_at(cdb, 0) == op::mode_sense_10;
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
    if (out.size() < transfer.blocks * sector_bytes)
      return check_condition(0x0B, 0x4B);  // data phase
    medium.write(transfer.block * sector_bytes, out.first(transfer.blocks * sector_bytes));
    return reply;
  }
  reply.data.resize(transfer.blocks * sector_bytes);
  medium.read(transfer.block * sector_bytes, reply.data);
  return reply;
}

}  // namespace

std::optional<Transfer> transfer_of(Cdb cdb) {
  switch (const unsigned operation = byte_at(cdb, 0); operation) {
    case op::read_6:
    case op::write_6: {
      const std::uint64_t blocks = byte_at(cdb, 4);
      return Transfer{operation == op::write_6, big_endian(cdb, 1, 3) & 0x1FFFFF,
                      blocks == 0 ? 256 : blocks};
    }
    case op::read_10:
    case op::write_10:
      return Transfer{operation == op::write_10, big_endian(cdb, 2, 4), big_endian(cdb, 7, 2)};
    case op::read_12:
    case op::write_12:
      return Transfer{operation == op::write_12, big_endian(cdb, 2, 4), big_endian(cdb, 6, 4)};
    case op::read_16:
    case op::write_16:
      return Transfer{operation == op::write_16, big_endian(cdb, 2, 8), big_endian(cdb, 10, 4)};
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
    case op::test_unit_ready:
    case op::start_stop:
    case op::lock_door:
    case op::synchronize_10:
    case op::synchronize_16:
      return done();
    case op::read_capacity_10:
      return capacity_10(disk_blocks);
    case op::service_action_in:
      return capacity_16(cdb, disk_blocks);
    case op::mode_sense_6:
    case op::mode_sense_10:
      return mode_sense(cdb);
    default:
      return illegal_command();
  }
}

}  // namespace raidscope::lab
