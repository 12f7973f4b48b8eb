#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "probe/host.h"
#include "tests/lab/card/machine.h"
#include "tests/support/ciss_bytes.h"

/// What the card says to each command, made of its state alone. A reply is whole: cutting it to
/// what the host has room for is the transport's. Layouts: cciss_vol_status 1.12a, Linux'
/// hpsa_cmd.h, smartpqi.h and illumos' smrt_scsi.h for CISS and BMIC; SPC-4 and SBC-3 for SCSI.
namespace raidscope::lab {

using Cdb = std::span<const std::byte, 16>;
using testing::CissBytes;

inline unsigned byte_at(std::span<const std::byte> bytes, std::size_t at) {
  return std::to_integer<unsigned>(bytes[at]);
}
/// Big endian, as SCSI has its numbers.
inline std::uint64_t big_endian(std::span<const std::byte> bytes, std::size_t at,
                                std::size_t size) {
  std::uint64_t out = 0;
  for (std::size_t i = 0; i < size; ++i) out = out << 8 | byte_at(bytes, at + i);
  return out;
}

/// Check condition with fixed-format sense data.
CissReply check_condition(std::uint8_t key, std::uint8_t code, std::uint8_t qualifier = 0);
/// The command, or a field of it, is none that the card knows.
CissReply illegal_command();
CissReply illegal_field();
CissReply no_such_unit();
inline CissReply done() {
  return {};
}

CissReply controller_inquiry(const Machine& machine, Cdb cdb);
CissReply volume_inquiry(const Machine& machine, const PlacedVolume& volume, Cdb cdb);
CissReply drive_inquiry(const PlacedDrive& drive, Cdb cdb);

CissReply report_logical(const Machine& machine, Cdb cdb);
CissReply report_physical(const Machine& machine, Cdb cdb);
/// By which RAID maps and ioaccel requests name a drive.
std::uint32_t io_handle(std::size_t bmic_number) noexcept;

/// BMIC reads, operation code 0x26.
CissReply bmic_read(const Machine& machine, Cdb cdb);
/// Changes with what is configured, and with nothing that only happens.
std::uint32_t configuration_signature(const Machine& machine);

/// CISS GET RAID MAP.
CissReply raid_map(const Machine& machine, const PlacedVolume& volume);

}  // namespace raidscope::lab
