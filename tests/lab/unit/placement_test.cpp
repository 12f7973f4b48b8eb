#include "tests/lab/card/placement.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace raidscope::lab {
namespace {

struct Case {
  std::string raid;
  std::uint32_t drives, groups, data_drives, copies, parity;
};
const std::vector<Case> cases{
    {"0", 5, 2, 5, 1, 0},  {"1", 2, 2, 1, 2, 0},    {"1+0", 6, 2, 3, 2, 0},  {"4", 5, 2, 4, 1, 1},
    {"5", 5, 2, 4, 1, 1},  {"5+1", 8, 2, 3, 2, 1},  {"6", 6, 2, 4, 1, 2},    {"50", 9, 3, 6, 1, 1},
    {"60", 8, 2, 4, 1, 2}, {"1adm", 3, 2, 1, 3, 0}, {"10adm", 9, 2, 3, 3, 0}};

TEST(RowLayout, EveryDriveIsDataParityOrACopy) {
  for (const Case& one : cases) {
    const RaidLevel& level = *find_level(one.raid);
    ASSERT_EQ(misfit(level, one.drives, one.groups), "") << one.raid;
    const RowLayout rows = row_layout(level, one.drives, one.groups);
    EXPECT_EQ(rows.drives(), one.drives) << one.raid;
    EXPECT_EQ(rows.data_drives(), one.data_drives) << one.raid;
    EXPECT_EQ(rows.copies, one.copies) << one.raid;
    EXPECT_EQ(rows.parity, one.parity) << one.raid;
  }
}

/// A volume's room, its blocks' columns and what a drive holds are told alike at every level.
TEST(Placement, EachBlockIsOnTheDrivesOfItsColumnAndOnNoOther) {
  for (const Case& one : cases) {
    auto machine = read_machine(
        fmt::format(
            R"({{"model": "P420", "arrays": [{{"drives": [{{"count": {}}}], "logical_drives": [
                {{"raid": "{}", "size": "10 MiB", "strip": "64 KiB", "parity_groups": {}}},
                {{"raid": "{}", "strip": "64 KiB", "parity_groups": {}}}]}}]}})",
            one.drives, one.raid, one.groups, one.raid, one.groups),
        "made");
    ASSERT_TRUE(machine) << describe(machine.error());
    const auto volumes = all_volumes(*machine);
    const Placement first(volumes[0]), second(volumes[1]);
    EXPECT_EQ(second.first_sector(), first.sectors_on_each()) << one.raid;
    EXPECT_EQ(first.row_sectors(), std::uint64_t{one.data_drives} * 128) << one.raid;
    for (std::uint64_t block = 0; block < 3 * second.row_sectors(); block += 32) {
      const std::uint64_t on_drive =
          second.first_sector() + block / second.row_sectors() * 128 + block % 128;
      std::uint32_t holders = 0;
      for (std::uint32_t index = 0; index < one.drives; ++index) {
        holders += second.block_on(index, on_drive) == block ? 1U : 0U;
        EXPECT_FALSE(first.block_on(index, on_drive)) << one.raid;
      }
      EXPECT_EQ(holders, one.copies) << one.raid << " block " << block;
      for (std::uint32_t copy = 0; copy < one.copies; ++copy) {
        const std::uint32_t index = second.drive_index(copy, second.column_of(block));
        EXPECT_EQ(second.block_on(index, on_drive), block) << one.raid;
      }
    }
  }
}

}  // namespace
}  // namespace raidscope::lab
