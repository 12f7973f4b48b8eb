#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "probe/base/fact.h"
#include "probe/sources/vendor/attributes.h"

namespace raidscope::vendor {

/// How a key's value becomes a fact. `extra`: it has no typed attribute and goes to the extras.
enum class How : std::uint8_t {
  extra,
  text,            ///< as printed; may be cut off anywhere, so never told from an unfinished line
  setting,         ///< as printed; the common words are a closed set
  status,          ///< words before a comma, progress behind it
  truth,           ///< True, Yes
  switched,        ///< Enabled, Disabled as a boolean
  enabled,         ///< Enabled, Disabled as the document's words
  integer,         ///< leading number, unit words dropped
  temperature,     ///< 0 is an unread sensor
  size_binary,     ///< with _text and _exact beside it
  size_decimal,    ///< with _text and _exact beside it
  bytes,           ///< binary size without companions
  firmware,        ///< "0.00" is a redacted one
  drive_firmware,  ///< advice in parentheses goes to the extras
  slot,
  pci_address,
  mode,
  hba_mode_enabled,
  cache_board,
  cache_status,
  cache_ratio,
  backup_kind,
  backup_count,
  backup_status,
  drive_write_cache,
  drive_write_cache_policy,
  interface,
  raid,
  acceleration,
  parity_init,
  percent,        ///< double
  whole_percent,  ///< integer
  role,
  rpm,
  model,
  rates,
  mount_points,
};

inline constexpr std::uint8_t no_attribute = 0xFF;

/// Index into vendor_attributes. Does not compile for one that is not there.
consteval std::uint8_t attribute_index(EntityKind kind, std::string_view name) {
  for (std::size_t i = 0; i < vendor_attributes.size(); ++i) {
    if (vendor_attributes[i].kind == kind && vendor_attributes[i].name == name) {
      return static_cast<std::uint8_t>(i);
    }
  }
  throw "no such attribute in attributes.h";
}

struct KeyRule {
  EntityKind kind = EntityKind::machine;
  std::string_view key;
  How how = How::extra;
  std::uint8_t attribute = no_attribute;  ///< index into vendor_attributes
  bool after_battery = false;  ///< a controller key that is printed behind the battery lines
};

constexpr std::uint8_t bit(EntityKind kind) noexcept {
  return static_cast<std::uint8_t>(1u << static_cast<unsigned>(kind));
}

/// A key that the tools are known to print, and on which objects.
struct KnownKey {
  std::string_view key;
  std::uint8_t kinds = 0;  ///< bit() of each EntityKind
  std::array<const KeyRule*, 8> rules{};

  bool has(EntityKind kind) const noexcept { return (kinds & bit(kind)) != 0; }
  const KeyRule* rule(EntityKind kind) const noexcept {
    return rules[static_cast<std::size_t>(kind)];
  }
  bool only(EntityKind kind) const noexcept { return kinds == bit(kind); }
};

/// nullptr when no tool is known to print it. Runs of blanks inside count as one.
const KnownKey* find_key(std::string_view key) noexcept;

}  // namespace raidscope::vendor
