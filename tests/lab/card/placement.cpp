#include "tests/lab/card/placement.h"

namespace raidscope::lab {

Placement::Placement(const PlacedVolume& volume)
    : rows_(row_layout(*find_level(volume.drive->raid),
                       static_cast<std::uint32_t>(volume.array->drives.size()),
                       volume.drive->parity_groups)),
      strip_(volume.drive->strip->bytes / sector_bytes),
      sectors_(volume.drive->size->bytes / sector_bytes) {
  for (const LogicalDrive& other : volume.array->logical_drives) {
    if (other.number < volume.drive->number) {
      first_ += Placement({&other, volume.array}).sectors_on_each();
    }
  }
}

std::uint64_t Placement::sectors_on_each() const {
  return (sectors_ + row_sectors() - 1) / row_sectors() * strip_;
}

Placement::Column Placement::column_of(std::uint64_t block) const {
  const auto strip_in_row = static_cast<std::uint32_t>(block % row_sectors() / strip_);
  return {strip_in_row / rows_.data, strip_in_row % rows_.data};
}

std::uint32_t Placement::drive_index(std::uint32_t copy, Column column) const {
  return (copy * rows_.groups + column.group) * rows_.part() + column.drive;
}

std::optional<std::uint64_t> Placement::block_on(std::uint32_t index,
                                                 std::uint64_t drive_block) const {
  if (drive_block < first_ || drive_block - first_ >= sectors_on_each()) return std::nullopt;
  const std::uint32_t column = index % rows_.part();
  if (column >= rows_.data) return std::nullopt;
  const std::uint32_t group = index / rows_.part() % rows_.groups;
  const std::uint64_t on_drive = drive_block - first_;
  return on_drive / strip_ * row_sectors() + (std::uint64_t{group} * rows_.data + column) * strip_ +
         on_drive % strip_;
}

}  // namespace raidscope::lab
