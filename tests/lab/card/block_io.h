#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "tests/lab/card/answers.h"
#include "tests/lab/card/medium.h"

namespace raidscope::lab {

/// Where a READ or WRITE of any length goes, in sectors of 512 bytes.
struct Transfer {
  bool writes = false;
  std::uint64_t block = 0, blocks = 0;
};
std::optional<Transfer> transfer_of(Cdb cdb);

/// One READ or WRITE: its data, or the error that it meets.
CissReply transfer_blocks(Medium& medium, std::uint64_t disk_blocks,
                          const std::vector<std::uint64_t>& bad_blocks, const Transfer& transfer,
                          std::span<const std::byte> out);

/// A disk as SBC-3 has it, as far as Linux asks: capacity, mode pages, reads, writes, flushes.
/// INQUIRY is not among them.
CissReply disk_command(Medium& medium, std::uint64_t disk_blocks,
                       const std::vector<std::uint64_t>& bad_blocks, Cdb cdb,
                       std::span<const std::byte> out);

}  // namespace raidscope::lab
