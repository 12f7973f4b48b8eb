#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// RAID levels as the controller has them. `drives` counts data drives, parity and mirrors among
/// them.
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

/// How many drives' worth of data there is.
std::uint32_t data_drives(const RaidLevel& level, std::uint32_t drives, std::uint32_t groups);

}  // namespace raidscope::lab
