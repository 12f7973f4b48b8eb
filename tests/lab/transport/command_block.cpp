#include "tests/lab/transport/command_block.h"

#include <algorithm>

#include "tests/lab/card/operations.h"

namespace raidscope::lab {
namespace {

constexpr std::size_t block_bytes = 52, entry_bytes = 16, most_entries = 32;
constexpr std::uint32_t chained = 0x80000000;
constexpr std::uint16_t success = 0, underrun = 2;

template <class T>
T load(std::span<const std::byte> bytes, std::size_t offset) {
  return GuestMemory::load<T>(bytes, offset);
}

}  // namespace

std::optional<CommandBlock> CommandBlock::at(GuestMemory& memory, std::uint64_t address) {
  const std::span<const std::byte> head = memory.at(address, block_bytes);
  if (head.empty()) return std::nullopt;
  CommandBlock out(memory);
  out.reply_queue = load<std::uint8_t>(head, 0);
  out.tag = load<std::uint64_t>(head, 4);
  std::copy_n(head.begin() + 12, 8, out.lun.begin());
  const unsigned type = load<std::uint8_t>(head, 21);
  out.kind = static_cast<Kind>(type & 7);
  out.writes = type >> 6 == 1;
  std::copy_n(head.begin() + 24, 16, out.cdb.begin());
  out.error_address_ = load<std::uint64_t>(head, 40);
  out.error_bytes_ = load<std::uint32_t>(head, 48);
  const unsigned count = std::min<unsigned>(load<std::uint8_t>(head, 1), most_entries);
  if (count > 0) {
    out.read_list(memory.at(address + block_bytes, count * entry_bytes), count);
  }
  for (const Segment& segment : out.segments_) out.data_bytes += segment.size;
  return out;
}

std::optional<CommandBlock> CommandBlock::accelerated_at(GuestMemory& memory,
                                                         std::uint64_t address) {
  constexpr std::size_t head_bytes = 0x80, most_accelerated = 24;
  constexpr std::uint32_t data_out = 0x01000000, last = 0x40000000;
  const std::span<const std::byte> head =
      memory.at(address, head_bytes + most_accelerated * entry_bytes);
  if (head.empty()) return std::nullopt;
  CommandBlock out(memory);
  out.drive_handle = load<std::uint16_t>(head, 0x00);
  out.error_address_ = load<std::uint32_t>(head, 0x0C);
  out.error_bytes_ = load<std::uint8_t>(head, 0x12);
  out.data_bytes = load<std::uint32_t>(head, 0x1C);
  out.writes = (load<std::uint32_t>(head, 0x3C) & data_out) != 0;
  std::copy_n(head.begin() + 0x40, 16, out.cdb.begin());
  out.reply_queue = load<std::uint8_t>(head, 0x64);
  out.tag = load<std::uint64_t>(head, 0x68);
  std::copy_n(head.begin() + 0x78, 8, out.lun.begin());
  // The list has no length: its last entry says that it is.
  unsigned count = 0;
  while (out.data_bytes > 0 && count < most_accelerated) {
    const std::size_t entry = head_bytes + count++ * entry_bytes;
    if ((load<std::uint32_t>(head, entry + 12) & last) != 0) break;
  }
  out.read_list(head.subspan(head_bytes), count);
  return out;
}

void CommandBlock::read_list(std::span<const std::byte> entries, unsigned count) {
  for (unsigned i = 0; i < count && (i + 1) * entry_bytes <= entries.size(); ++i) {
    const std::span<const std::byte> entry = entries.subspan(i * entry_bytes, entry_bytes);
    const Segment segment{load<std::uint64_t>(entry, 0), load<std::uint32_t>(entry, 8)};
    if ((load<std::uint32_t>(entry, 12) & chained) == 0) {
      segments_.push_back(segment);
      continue;
    }
    const std::span<const std::byte> rest = memory_->at(segment.address, segment.size);
    for (std::size_t at = 0; at + entry_bytes <= rest.size(); at += entry_bytes) {
      segments_.push_back({load<std::uint64_t>(rest, at), load<std::uint32_t>(rest, at + 8)});
    }
  }
}

std::vector<std::byte> CommandBlock::gather() const {
  std::vector<std::byte> out;
  if (!writes) return out;
  for (const Segment& segment : segments_) {
    const auto bytes = memory_->at(segment.address, segment.size);
    out.insert(out.end(), bytes.begin(), bytes.end());
  }
  return out;
}

bool CommandBlock::deliver(const CissReply& reply) const {
  std::uint16_t status = reply.command_status;
  std::uint64_t residue = 0;
  if (status == success && !writes && data_bytes > 0) {
    std::uint64_t size = std::min<std::uint64_t>(reply.data.size(), data_bytes);
    if (std::to_integer<unsigned>(cdb[0]) == op::inquiry) {
      const auto allocated =
          std::to_integer<std::uint64_t>(cdb[3]) << 8 | std::to_integer<std::uint64_t>(cdb[4]);
      size = std::min(size, allocated);
    }
    std::span<const std::byte> rest = std::span(reply.data).first(size);
    for (const Segment& segment : segments_) {
      const std::size_t part = std::min<std::size_t>(segment.size, rest.size());
      const auto place = memory_->at(segment.address, part);
      std::copy_n(rest.begin(), place.size(), place.begin());
      rest = rest.subspan(part);
    }
    residue = data_bytes - size;
    if (residue > 0) status = underrun;
  }
  if (status == success) return false;
  const auto error = memory_->at(error_address_, error_bytes_);
  constexpr std::size_t sense_at = 16;
  if (error.size() < sense_at) return true;
  std::fill(error.begin(), error.end(), std::byte{0});
  const std::size_t sense = std::min(reply.sense.size(), error.size() - sense_at);
  GuestMemory::store(error, 0, reply.scsi_status);
  GuestMemory::store(error, 1, static_cast<std::uint8_t>(sense));
  GuestMemory::store(error, 2, status);
  GuestMemory::store(error, 4, static_cast<std::uint32_t>(residue));
  std::copy_n(reply.sense.begin(), sense, error.begin() + sense_at);
  return true;
}

}  // namespace raidscope::lab
