#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/lab/card/card.h"

namespace raidscope::lab {
namespace {

struct Name {
  unsigned operation;
  std::optional<unsigned> below;
  std::string_view name;
};
constexpr auto names = std::to_array<Name>({
    {0x00, {}, "TEST UNIT READY"},
    {0x08, {}, "READ(6)"},
    {0x0A, {}, "WRITE(6)"},
    {0x12, 0x00, "INQUIRY"},
    {0x12, {}, "INQUIRY of a page"},
    {0x1A, {}, "MODE SENSE(6)"},
    {0x25, {}, "READ CAPACITY(10)"},
    {0x26, 0x10, "BMIC identify logical drive"},
    {0x26, 0x11, "BMIC identify controller"},
    {0x26, 0x12, "BMIC sense logical drive status"},
    {0x26, 0x15, "BMIC identify physical drive"},
    {0x26, 0x64, "BMIC sense controller parameters"},
    {0x26, 0x65, "BMIC sense storage box"},
    {0x26, 0x66, "BMIC sense subsystem information"},
    {0x26, 0xC1, "BMIC sense cache configuration"},
    {0x26, lab_state, "lab: state"},
    {0x26, {}, "BMIC read"},
    {0x27, 0xC2, "BMIC flush cache"},
    {0x27, lab_change, "lab: change"},
    {0x27, lab_mark, "lab: mark"},
    {0x27, {}, "BMIC write"},
    {0x28, {}, "READ(10)"},
    {0x2A, {}, "WRITE(10)"},
    {0x35, {}, "SYNCHRONIZE CACHE(10)"},
    {0x5A, {}, "MODE SENSE(10)"},
    {0x88, {}, "READ(16)"},
    {0x8A, {}, "WRITE(16)"},
    {0x9E, {}, "READ CAPACITY(16)"},
    {0xC0, 0xC8, "CISS get RAID map"},
    {0xC2, {}, "CISS report logical drives"},
    {0xC3, {}, "CISS report physical devices"},
});

/// The operation or page below the operation code, where there is one.
std::optional<unsigned> below(std::span<const std::byte> cdb) {
  switch (byte_at(cdb, 0)) {
    case 0x12:
      return (byte_at(cdb, 1) & 1) != 0 ? byte_at(cdb, 2) : 0U;
    case 0x26:
    case 0x27:
      return byte_at(cdb, 6);
    case 0xC0:
      return byte_at(cdb, 1);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string command_name(std::span<const std::byte> cdb) {
  const auto under = below(cdb);
  const bool page_zero = byte_at(cdb, 0) == 0x12 && (byte_at(cdb, 1) & 1) != 0 && under == 0U;
  const auto* const found = std::find_if(names.begin(), names.end(), [&](const Name& name) {
    if (name.operation != byte_at(cdb, 0)) return false;
    return !name.below || (name.below == under && !page_zero);
  });
  return found == names.end() ? std::string() : std::string(found->name);
}

std::string command_selector(std::span<const std::byte> cdb) {
  const auto under = below(cdb);
  const bool plain_inquiry = byte_at(cdb, 0) == 0x12 && (byte_at(cdb, 1) & 1) == 0;
  if (!under || plain_inquiry) return fmt::format("{:02x}", byte_at(cdb, 0));
  return fmt::format("{:02x}:{:02x}", byte_at(cdb, 0), *under);
}

}  // namespace raidscope::lab
