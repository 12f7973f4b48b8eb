#include "tests/lab/card/answers.h"

namespace raidscope::lab {
namespace {

constexpr unsigned sas_drive = 2, sata_drive = 1, masked = 0xC0;

/// The eight bytes by which a drive is addressed: the BMIC number on bus 0, and whether the
/// operating system may see it.
CissBytes drive_entry(const PlacedDrive& drive, std::size_t number, std::size_t size) {
  CissBytes out(size);
  out.u8(3, drive.role == Role::hba ? 0U : masked);
  return out.u8(6, static_cast<unsigned>(number & 0xFF))
      .u8(7, static_cast<unsigned>(1 + (number >> 8)));
}

}  // namespace

std::uint32_t io_handle(std::size_t bmic_number) noexcept {
  return static_cast<std::uint32_t>(0x10 + bmic_number);
}

CissReply report_logical(const Machine& machine, Cdb cdb) {
  if (byte_at(cdb, 1) != 0) return illegal_field();
  std::vector<CissBytes> entries;
  for (const PlacedVolume& volume : all_volumes(machine)) {
    entries.push_back(CissBytes(8).u32(0, 0x40000000U | (volume.drive->number - 1)));
  }
  return testing::lun_list(0, entries);
}

CissReply report_physical(const Machine& machine, Cdb cdb) {
  const unsigned format = byte_at(cdb, 1);
  if (format != 0 && format != 2) return illegal_field();
  std::vector<CissBytes> entries;
  const auto drives = all_drives(machine);
  for (std::size_t number = 0; number < drives.size(); ++number) {
    const Drive& drive = *drives[number].drive;
    if (drive.status == DriveStatus::missing) continue;
    if (format == 0) {
      entries.push_back(drive_entry(drives[number], number, 8));
      continue;
    }
    CissBytes entry = drive_entry(drives[number], number, 24);
    entry.hex(8, drive.wwid).u8(16, *drive.interface == Interface::sas ? sas_drive : sata_drive);
    // Drives that stand behind no volume say so; the rest take requests of Smart Path.
    entry.u8(17, drives[number].role == Role::data ? 0x08U : 0U).u8(19, 1);
    entries.push_back(entry.u32(20, io_handle(number)));
  }
  return testing::lun_list(static_cast<std::uint8_t>(format), entries);
}

}  // namespace raidscope::lab
