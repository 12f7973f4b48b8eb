#include "tests/lab/card/raid_map.h"

#include "tests/lab/card/placement.h"

namespace raidscope::lab {

CissReply raid_map(const Machine& machine, const PlacedVolume& volume) {
  if (!volume.array->smart_path.value_or(false)) return illegal_command();
  const Placement placement(volume);
  const RowLayout& rows = placement.rows();
  constexpr std::size_t header = 64, entry = 8;
  const std::size_t drives = volume.array->drives.size();
  CissBytes out(header + drives * entry);
  out.u32(0, static_cast<std::uint32_t>(header + drives * entry)).u32(4, sector_bytes);
  out.u64(8, volume.drive->size->bytes / sector_bytes)
      .u16(18, static_cast<unsigned>(placement.strip()));
  out.u64(20, placement.first_sector()).u64(28, placement.sectors_on_each());
  out.u16(36, rows.data).u16(38, rows.parity).u16(40, 1).u16(42, rows.parts());
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
      if (const auto block = Placement(volume).block_on(index, drive_block)) {
        return VolumeBlock{volume, *block, number};
      }
    }
  }
  return std::nullopt;
}

}  // namespace raidscope::lab
