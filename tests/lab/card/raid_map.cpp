#include "tests/lab/card/raid_map.h"

#include "tests/lab/card/raid_level.h"

namespace raidscope::lab {
namespace {

constexpr std::uint64_t sector = 512;

/// Of a row: how many drives hold data, how many parity; and how many copies of the row, or parity
/// groups side by side in it, there are.
struct Layout {
  unsigned data = 0, parity = 0, maps = 1;
  std::uint64_t strip = 0;  ///< sectors
  [[nodiscard]] unsigned groups() const { return parity > 0 ? maps : 1; }
  [[nodiscard]] std::uint64_t row_sectors() const { return strip * data * groups(); }
};

Layout layout_of(const PlacedVolume& volume) {
  const LogicalDrive& drive = *volume.drive;
  const RaidLevel& level = *find_level(drive.raid);
  const auto drives = static_cast<unsigned>(volume.array->drives.size());
  const unsigned groups = drive.parity_groups;
  const std::uint64_t strip = drive.strip->bytes / sector;
  if (level.tolerance == 2) return {drives / 2, 0, 2, strip};
  if (level.tolerance == 6) return {drives / 3, 0, 3, strip};
  if (level.word == "50") return {drives / groups - 1, 1, groups, strip};
  if (level.word == "60") return {drives / groups - 2, 2, groups, strip};
  if (level.tolerance == 5) return {drives - 2, 2, 1, strip};
  if (level.tolerance == 3) return {drives - 1, 1, 1, strip};
  return {drives, 0, 1, strip};
}

/// Sectors of each drive that a volume takes: whole rows.
std::uint64_t sectors_on_each(const PlacedVolume& volume) {
  const Layout layout = layout_of(volume);
  const std::uint64_t row = layout.row_sectors();
  return (volume.drive->size->bytes / sector + row - 1) / row * layout.strip;
}

/// Where a volume begins on its drives: behind those that the array had before.
std::uint64_t first_sector(const PlacedVolume& volume) {
  std::uint64_t out = 0;
  for (const LogicalDrive& drive : volume.array->logical_drives) {
    if (drive.number < volume.drive->number) out += sectors_on_each({&drive, volume.array});
  }
  return out;
}

/// The block of the volume, where the drive that is `index`-th of the array has data there.
std::optional<std::uint64_t> block_on(const PlacedVolume& volume, unsigned index,
                                      std::uint64_t drive_block) {
  const std::uint64_t first = first_sector(volume);
  if (drive_block < first || drive_block - first >= sectors_on_each(volume)) return std::nullopt;
  const Layout layout = layout_of(volume);
  const unsigned per_row = layout.data + layout.parity;
  const unsigned column = index % per_row;
  if (column >= layout.data) return std::nullopt;
  const unsigned group = layout.parity > 0 ? index / per_row : 0;
  const std::uint64_t row = (drive_block - first) / layout.strip;
  const std::uint64_t within = (drive_block - first) % layout.strip;
  return row * layout.row_sectors() + (std::uint64_t{group} * layout.data + column) * layout.strip +
         within;
}

}  // namespace

CissReply raid_map(const Machine& machine, const PlacedVolume& volume) {
  if (!volume.array->smart_path.value_or(false)) return illegal_command();
  const Layout layout = layout_of(volume);
  constexpr std::size_t header = 64, entry = 8;
  const std::size_t drives = volume.array->drives.size();
  CissBytes out(header + drives * entry);
  out.u32(0, static_cast<std::uint32_t>(header + drives * entry)).u32(4, sector);
  out.u64(8, volume.drive->size->bytes / sector).u16(18, static_cast<unsigned>(layout.strip));
  out.u64(20, first_sector(volume)).u64(28, sectors_on_each(volume));
  out.u16(36, layout.data).u16(38, layout.parity).u16(40, 1).u16(42, layout.maps);
  std::size_t at = header;
  const auto all = all_drives(machine);
  for (std::size_t number = 0; number < all.size(); ++number) {
    if (all[number].array != volume.array || all[number].role != Role::data) continue;
    out.u32(at, io_handle(number));
    at += entry;
  }
  return out.reply();
}

std::optional<VolumeBlock> volume_block(const Machine& machine, std::uint32_t handle,
                                        std::uint64_t drive_block) {
  const auto all = all_drives(machine);
  for (std::size_t number = 0; number < all.size(); ++number) {
    const Array* const array = all[number].array;
    if (io_handle(number) != handle || all[number].role != Role::data) continue;
    if (!array->smart_path.value_or(false)) return std::nullopt;
    const auto index = static_cast<unsigned>(all[number].drive - array->drives.data());
    for (const LogicalDrive& drive : array->logical_drives) {
      const PlacedVolume volume{&drive, array};
      if (const auto block = block_on(volume, index, drive_block))
        return VolumeBlock{volume, *block};
    }
  }
  return std::nullopt;
}

}  // namespace raidscope::lab
