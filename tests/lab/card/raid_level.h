#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// RAID levels as the controller has them. `drives` counts all that an array has but its spares.
namespace raidscope::lab {

struct RaidLevel {
  std::string_view word;    ///< of a description
  std::uint8_t tolerance;   ///< VPD 0xC1 byte 8, BMIC 0x10 byte 22
  std::string_view spoken;  ///< the vendor tool's
  std::uint32_t fewest;     ///< drives
  std::uint32_t multiple;   ///< of drives, parity groups apart
};

/// nullptr for a word that names no level.
const RaidLevel* find_level(std::string_view word) noexcept;

/// Why so many drives cannot make the level; empty when they can.
std::string misfit(const RaidLevel& level, std::uint32_t drives, std::uint32_t groups);

/// How the rows of a logical drive lie on its drives: parts that follow each other, each of so many
/// drives with data and behind them its parity. The parts are copies of each other, or parity
/// groups side by side, or both. Parity does not turn from row to row, as it does on hardware.
struct RowLayout {
  std::uint32_t data = 0, parity = 0;    ///< drives of one part
  std::uint32_t copies = 1, groups = 1;  ///< parts: copies times groups
  [[nodiscard]] std::uint32_t part() const { return data + parity; }
  [[nodiscard]] std::uint32_t parts() const { return copies * groups; }
  [[nodiscard]] std::uint32_t drives() const { return part() * parts(); }
  /// How many drives' worth of data there is.
  [[nodiscard]] std::uint32_t data_drives() const { return data * groups; }
};
/// Of drives that misfit() finds to fit.
RowLayout row_layout(const RaidLevel& level, std::uint32_t drives, std::uint32_t groups);

}  // namespace raidscope::lab
