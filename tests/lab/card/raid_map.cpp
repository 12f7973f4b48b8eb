#include "tests/lab/card/answers.h"
#include "tests/lab/card/raid_level.h"

namespace raidscope::lab {
namespace {

/// Of a row: how many drives hold data, how many parity, and how many copies of the row, or parity
/// groups in it, there are.
struct Layout {
  unsigned data = 0, parity = 0, maps = 1;
};
Layout layout_of(const RaidLevel& level, unsigned drives, unsigned groups) {
  if (level.tolerance == 2) return {drives / 2, 0, 2};
  if (level.tolerance == 6) return {drives / 3, 0, 3};
  if (level.word == "50") return {drives / groups - 1, 1, groups};
  if (level.word == "60") return {drives / groups - 2, 2, groups};
  if (level.tolerance == 5) return {drives - 2, 2, 1};
  if (level.tolerance == 3) return {drives - 1, 1, 1};
  return {drives, 0, 1};
}

}  // namespace

CissReply raid_map(const Machine& machine, const PlacedVolume& volume) {
  const LogicalDrive& drive = *volume.drive;
  if (!volume.array->smart_path.value_or(false)) return illegal_command();
  const auto count = static_cast<unsigned>(volume.array->drives.size());
  const Layout layout = layout_of(*find_level(drive.raid), count, drive.parity_groups);
  constexpr std::size_t header = 64, entry = 8;
  CissBytes out(header + count * entry);
  const auto strip = static_cast<unsigned>(drive.strip->bytes / 512);
  out.u32(0, static_cast<std::uint32_t>(header + count * entry)).u32(4, 512);
  out.u64(8, drive.size->bytes / 512).u16(18, strip);
  out.u64(28, drive.size->bytes / 512 / layout.data / (layout.parity > 0 ? layout.maps : 1));
  out.u16(36, layout.data).u16(38, layout.parity).u16(40, 1).u16(42, layout.maps);
  std::size_t at = header;
  const auto drives = all_drives(machine);
  for (std::size_t number = 0; number < drives.size(); ++number) {
    if (drives[number].array != volume.array || drives[number].role != Role::data) continue;
    out.u32(at, io_handle(number));
    at += entry;
  }
  return out.reply();
}

}  // namespace raidscope::lab
