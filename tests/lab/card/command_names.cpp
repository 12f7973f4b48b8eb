#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "tests/lab/card/card.h"
#include "tests/lab/card/operations.h"

namespace raidscope::lab {
namespace {

struct Name {
  unsigned operation;
  std::optional<unsigned> below;
  std::string_view name;
};
constexpr auto names = std::to_array<Name>({
    {op::test_unit_ready, {}, "TEST UNIT READY"},
    {op::read_6, {}, "READ(6)"},
    {op::write_6, {}, "WRITE(6)"},
    {op::inquiry, 0x00, "INQUIRY"},
    {op::inquiry, {}, "INQUIRY of a page"},
    {op::mode_sense_6, {}, "MODE SENSE(6)"},
    {op::read_capacity_10, {}, "READ CAPACITY(10)"},
    {op::bmic_read, 0x10, "BMIC identify logical drive"},
    {op::bmic_read, 0x11, "BMIC identify controller"},
    {op::bmic_read, 0x12, "BMIC sense logical drive status"},
    {op::bmic_read, 0x15, "BMIC identify physical drive"},
    {op::bmic_read, 0x64, "BMIC sense controller parameters"},
    {op::bmic_read, 0x65, "BMIC sense storage box"},
    {op::bmic_read, 0x66, "BMIC sense subsystem information"},
    {op::bmic_read, 0xC1, "BMIC sense cache configuration"},
    {op::bmic_read, lab_state, "lab: state"},
    {op::bmic_read, {}, "BMIC read"},
    {op::bmic_write, 0xC2, "BMIC flush cache"},
    {op::bmic_write, lab_change, "lab: change"},
    {op::bmic_write, lab_mark, "lab: mark"},
    {op::bmic_write, {}, "BMIC write"},
    {op::read_10, {}, "READ(10)"},
    {op::write_10, {}, "WRITE(10)"},
    {op::synchronize_10, {}, "SYNCHRONIZE CACHE(10)"},
    {op::mode_sense_10, {}, "MODE SENSE(10)"},
    {op::read_16, {}, "READ(16)"},
    {op::write_16, {}, "WRITE(16)"},
    {op::service_action_in, {}, "READ CAPACITY(16)"},
    {op::ciss_read, op::get_raid_map, "CISS get RAID map"},
    {op::report_logical, {}, "CISS report logical drives"},
    {op::report_physical, {}, "CISS report physical devices"},
});

/// The operation or page below the operation code, where there is one.
std::optional<unsigned> below(std::span<const std::byte> cdb) {
  switch (byte_at(cdb, 0)) {
    case op::inquiry:
      return (byte_at(cdb, 1) & 1) != 0 ? byte_at(cdb, 2) : 0U;
    case op::bmic_read:
    case op::bmic_write:
      return byte_at(cdb, 6);
    case op::ciss_read:
      return byte_at(cdb, 1);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::string command_name(std::span<const std::byte> cdb) {
  const auto under = below(cdb);
  const bool page_zero =
      byte_at(cdb, 0) == op::inquiry && (byte_at(cdb, 1) & 1) != 0 && under == 0U;
  const auto* const found = std::find_if(names.begin(), names.end(), [&](const Name& name) {
    if (name.operation != byte_at(cdb, 0)) return false;
    return !name.below || (name.below == under && !page_zero);
  });
  return found == names.end() ? std::string() : std::string(found->name);
}

std::string command_selector(std::span<const std::byte> cdb) {
  const auto under = below(cdb);
  const bool plain_inquiry = byte_at(cdb, 0) == op::inquiry && (byte_at(cdb, 1) & 1) == 0;
  if (!under || plain_inquiry) return fmt::format("{:02x}", byte_at(cdb, 0));
  return fmt::format("{:02x}:{:02x}", byte_at(cdb, 0), *under);
}

}  // namespace raidscope::lab
