#pragma once

#include <cstdint>
#include <optional>

#include "tests/lab/card/machine.h"
#include "tests/lab/card/raid_level.h"

/// Where the blocks of a logical drive are on its array's drives, all in sectors of 512 bytes. RAID
/// maps, requests that the driver sends straight to a drive, and service times ask here alone.
namespace raidscope::lab {

class Placement {
 public:
  explicit Placement(const PlacedVolume& volume);

  [[nodiscard]] const RowLayout& rows() const { return rows_; }
  [[nodiscard]] std::uint64_t strip() const { return strip_; }
  [[nodiscard]] std::uint64_t row_sectors() const { return strip_ * rows_.data_drives(); }
  /// Of each drive: where the volume begins, behind those that the array had before, and how much
  /// it takes, in whole rows.
  [[nodiscard]] std::uint64_t first_sector() const { return first_; }
  [[nodiscard]] std::uint64_t sectors_on_each() const;

  /// The column of a block: its group, and its drive within the group's part.
  struct Column {
    std::uint32_t group = 0, drive = 0;
  };
  [[nodiscard]] Column column_of(std::uint64_t block) const;
  /// Which drive of the array, from 0, is the `drive`-th of a copy of a group.
  [[nodiscard]] std::uint32_t drive_index(std::uint32_t copy, Column column) const;
  /// The block of which the array's drive `index` has the data at `drive_block`; nothing for
  /// parity, and for what is another volume's.
  [[nodiscard]] std::optional<std::uint64_t> block_on(std::uint32_t index,
                                                      std::uint64_t drive_block) const;

 private:
  RowLayout rows_;
  std::uint64_t strip_ = 0, sectors_ = 0, first_ = 0;
};

}  // namespace raidscope::lab
