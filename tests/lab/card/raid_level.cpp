#include "tests/lab/card/raid_level.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace raidscope::lab {
namespace {

constexpr auto levels = std::to_array<RaidLevel>({
    {"0", 0, "0", 1, 1},
    {"1", 2, "1", 2, 2},
    {"1+0", 2, "1+0", 2, 2},
    {"4", 1, "4", 3, 1},
    {"5", 3, "5", 3, 1},
    {"5+1", 4, "5+1", 6, 2},
    {"6", 5, "6 (ADG)", 4, 1},
    {"50", 3, "50", 6, 1},
    {"60", 5, "60", 8, 1},
    {"1adm", 6, "1 (ADM)", 3, 3},
    {"10adm", 6, "1+0 (ADM)", 6, 3},
});

bool in_groups(const RaidLevel& level) {
  return level.word == "50" || level.word == "60";
}

}  // namespace

const RaidLevel* find_level(std::string_view word) noexcept {
  const auto* const found = std::find_if(
      levels.begin(), levels.end(), [&](const RaidLevel& level) { return level.word == word; });
  return found == levels.end() ? nullptr : found;
}

std::string misfit(const RaidLevel& level, std::uint32_t drives, std::uint32_t groups) {
  if (level.word == "1" || level.word == "1adm") {
    if (drives != level.fewest)
      return fmt::format("RAID {} takes {} drives", level.word, level.fewest);
    return {};
  }
  if (drives < level.fewest) {
    return fmt::format("RAID {} takes {} drives at least", level.word, level.fewest);
  }
  const std::uint32_t multiple = in_groups(level) ? groups : level.multiple;
  if (multiple == 0 || drives % multiple != 0) {
    return fmt::format("RAID {} takes a multiple of {} drives", level.word, multiple);
  }
  const std::uint32_t in_each = level.word == "50" ? 3 : 4;
  if (in_groups(level) && drives / groups < in_each) {
    return fmt::format("RAID {} takes {} drives at least in each parity group", level.word,
                       in_each);
  }
  return {};
}

RowLayout row_layout(const RaidLevel& level, std::uint32_t drives, std::uint32_t groups) {
  const auto of = [&](std::uint32_t parity, std::uint32_t copies, std::uint32_t in_groups) {
    return RowLayout{drives / (copies * in_groups) - parity, parity, copies, in_groups};
  };
  if (level.word == "0") return of(0, 1, 1);
  if (level.word == "1" || level.word == "1+0") return of(0, 2, 1);
  if (level.word == "1adm" || level.word == "10adm") return of(0, 3, 1);
  if (level.word == "5+1") return of(1, 2, 1);
  if (level.word == "50") return of(1, 1, groups);
  if (level.word == "60") return of(2, 1, groups);
  return of(level.word == "6" ? 2 : 1, 1, 1);  // 4 and 5
}

}  // namespace raidscope::lab
