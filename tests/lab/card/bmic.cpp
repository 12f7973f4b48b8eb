#include <algorithm>

#include <fmt/format.h>

#include "probe/base/emulated_mark.h"
#include "probe/base/text.h"
#include "tests/lab/card/answers.h"
#include "tests/lab/card/hash.h"
#include "tests/lab/card/raid_level.h"

namespace raidscope::lab {
namespace {

constexpr std::uint64_t mib = 1ULL << 20;

unsigned slot_number(const Machine& machine) {
  return static_cast<unsigned>(text::to_integer(machine.slot).value_or(0));
}
unsigned mib_of(std::uint64_t bytes) {
  return static_cast<unsigned>(bytes / mib);
}
std::uint32_t capped32(std::uint64_t value) {
  return static_cast<std::uint32_t>(std::min<std::uint64_t>(value, 0xFFFFFFFF));
}
unsigned map_of(unsigned count) {
  return (1U << count) - 1;
}

/// 0x11.
CissReply identify_controller(const Machine& machine) {
  CissBytes out(512);
  const auto volumes = static_cast<unsigned>(all_volumes(machine).size());
  const auto drives = all_drives(machine);
  out.u8(0, volumes).u32(1, configuration_signature(machine));
  out.text(5, machine.firmware)
      .text(9, machine.firmware)
      .text(13, machine.hardware_revision.substr(0, 1));
  out.u32(26, machine.pci->subdevice << 16 | machine.pci->subvendor);
  out.u8(41, 0x80).u8(53, 16);  // big drive maps; drives a bus
  for (std::size_t n = 0; n < std::min<std::size_t>(drives.size(), 128); ++n) {
    if (drives[n].drive->status == DriveStatus::missing) continue;
    const std::size_t at = 54 + n / 8;
    out.u8(at, std::to_integer<unsigned>(out.bytes()[at]) | 1U << (n % 8));
  }
  if (machine.cache) {
    out.u8(113, 1).u8(139, machine.cache->ratio->write);
    out.u16(140, mib_of(machine.cache->size->bytes));
    out.u8(142, *machine.cache->backup.count);
    out.u16(143, mib_of(machine.cache->size->bytes));
  }
  out.u16(152, 64).u16(154, volumes).u16(156, 255);
  out.u32(184, machine.mode == Mode::hba ? 1U << 25 : 0U);
  out.u8(189, slot_number(machine)).u16(190, 0).u32(196, 512);
  return out.text(200, machine.vendor, 8).text(208, machine.model, 16).reply();
}

/// 0x10.
CissReply identify_logical_drive(const LogicalDrive& drive) {
  CissBytes out(512);
  const std::uint64_t blocks = drive.size->bytes / sector_bytes;
  out.u16(0, sector_bytes).u32(2, capped32(blocks)).u8(8, 255).u8(10, 32);
  out.u8(22, find_level(drive.raid)->tolerance).u32(26, 0x1000 + drive.number);
  if (!drive.label.empty()) out.text(30, drive.label, 64);
  return out.u64(94, blocks).hex(102, drive.unique_id).reply();
}

/// 0x12. Knows the statuses of the first controllers only: later ones are all well here, or not
/// available.
CissReply logical_drive_status(const Machine& machine, const PlacedVolume& volume) {
  const LogicalDrive& drive = *volume.drive;
  CissBytes out(1024);
  const unsigned status = status_code(drive.status);
  out.u8(0, status <= 12 ? status : 11U);
  if (drive.progress_pct && status == 5) {
    const std::uint64_t blocks = drive.size->bytes / sector_bytes;
    out.u32(421, capped32(blocks / 100 * (100 - *drive.progress_pct)));
  }
  if (!volume.array->spares.empty()) out.u8(498, 1);
  const auto drives = all_drives(machine);
  for (std::size_t n = 0; n < std::min<std::size_t>(drives.size(), 128); ++n) {
    const bool here = drives[n].array == volume.array && drives[n].role == Role::data;
    const DriveStatus is = drives[n].drive->status;
    if (!here || (is != DriveStatus::failed && is != DriveStatus::missing)) continue;
    const std::size_t at = 539 + n / 8;
    out.u8(at, std::to_integer<unsigned>(out.bytes()[at]) | 1U << (n % 8));
  }
  return out.u8(987, 0xFF).reply();
}

/// SAS codes of link rates.
unsigned link_code(double gbps) {
  return gbps >= 12 ? 0x0B : gbps >= 6 ? 0x0A : gbps >= 3 ? 0x09 : 0x08;
}

/// 0x15.
CissReply identify_physical_drive(const PlacedDrive& placed) {
  const Drive& drive = *placed.drive;
  CissBytes out(2560);
  const std::uint64_t blocks = drive.size->bytes / sector_bytes;
  out.u16(2, sector_bytes).u32(4, capped32(blocks));
  out.text(12, drive.vendor, 8).text(20, drive.model, 32).text(52, drive.serial, 40);
  out.text(92, drive.firmware, 8);
  const bool runs =
      drive.status == DriveStatus::ok || drive.status == DriveStatus::predictive_failure;
  if (!runs) out.u8(102, drive.status == DriveStatus::missing ? 0x14 : 0x0D);  // removed; hardware
  out.u8(103, runs ? 1U : 0U);
  const unsigned configured = placed.role == Role::data ? 0x20 : 0;
  const unsigned spare = placed.role == Role::spare ? 0x40 : 0;
  const unsigned predicted = drive.status == DriveStatus::predictive_failure ? 0x02 : 0;
  out.u8(104, 0x05 | configured | spare | predicted);
  const auto place = place_of(drive.bay);
  out.text(112, place->port, 2).u8(114, place->box).u8(115, place->bay).u32(116, *drive.rpm);
  out.u8(120, *drive.interface == Interface::sas ? 2 : 1).u64(122, blocks).hex(142, drive.wwid);
  const unsigned phys = *drive.interface == Interface::sas ? 2 : 1;
  out.u16(194, phys);
  if (drive.endurance_used_pct) out.u16(1222, 1U << 10);
  for (unsigned phy = 0; phy < phys; ++phy)
    out.u8(1224 + phy, phy == 0 ? link_code(*drive.link_gbps) : 0);
  // One path, number 0, which the driver shows in path_info.
  out.u8(1736, 1).u8(1738, 0).text(1739, place->port, 2).u8(1755, place->box);
  out.u8(1792, *drive.temperature_c).u8(1793, 65).u8(1794, *drive.temperature_max_c);
  out.u16(1796, 32);
  if (drive.power_on_hours) out.u16(1858, *drive.power_on_hours);
  if (drive.endurance_used_pct) out.u16(1860, *drive.endurance_used_pct * 100);
  return out.u8(1862, 0x80).reply();
}

/// Why the write cache is off: what the description says, or what its backup explains.
unsigned disable_code(const CacheModule& cache) {
  if (cache.disable_code) return *cache.disable_code;
  if (cache.status == CacheStatus::permanently_disabled) return 18;  // the cache cannot be written
  if (cache.backup.status == BackupStatus::ok) return 2;             // by the user
  return cache.backup.kind == BackupKind::battery ? 1 : 12;          // charge
}

/// 0xC1.
CissReply cache_configuration(const Machine& machine) {
  CissBytes out(512);
  out.u32(16, 512).u16(20, 64);
  if (!machine.cache) return out.u8(8, 1).reply();
  const CacheModule& cache = *machine.cache;
  const CacheStatus status = cache_status(machine);
  std::uint32_t posted = 0;
  for (const PlacedVolume& volume : all_volumes(machine)) {
    if (*volume.drive->caching && volume.drive->number <= 32)
      posted |= 1U << (volume.drive->number - 1);
  }
  const unsigned available = mib_of(cache.available->bytes);
  const unsigned for_reads = available * cache.ratio->read / 100;
  out.u32(0, posted).u16(4, for_reads).u16(6, available - for_reads);
  out.u8(8, status == CacheStatus::not_configured ? 1U : 0U);
  const bool off =
      status == CacheStatus::temporarily_disabled || status == CacheStatus::permanently_disabled;
  std::uint32_t bits = 0;
  if (status == CacheStatus::ok && cache.ratio->write > 0) bits |= 1U << 0;
  if (status == CacheStatus::temporarily_disabled) bits |= 1U << 1;
  if (status == CacheStatus::permanently_disabled) bits |= 1U << 2;
  if (cache.backup.status == BackupStatus::failed) bits |= 1U << 14;
  if (cache.backup.kind == BackupKind::capacitor && *cache.backup.count > 0) bits |= 1U << 16;
  out.u32(32, bits);
  if (off) out.u16(36, disable_code(cache));
  out.u16(38, mib_of(cache.size->bytes));
  const unsigned count = *cache.backup.count;
  const unsigned broken = cache.backup.status == BackupStatus::failed ? map_of(count) : 0;
  const unsigned good = cache.backup.status == BackupStatus::ok ? map_of(count) : 0;
  out.u16(40, count).u16(42, good).u16(208, broken);
  out.u8(210, 1).u16(222, mib_of(cache.size->bytes));
  return out.u8(224, cache.ratio->read).u8(225, cache.ratio->write).u8(226, 25).u8(227, 75).reply();
}

/// 0x64.
CissReply controller_parameters(const Machine& machine) {
  return CissBytes(512)
      .u8(14, 2)
      .u8(15, 1)
      .text(18, emulated_mark, 64)
      .text(82, emulated_mark, 32)
      .u8(123, machine.mode == Mode::hba ? 0x09 : 0x01)
      .reply();
}

/// 0x66.
CissReply subsystem_information(const Machine& machine) {
  CissBytes out(512);
  out.u8(0, slot_number(machine)).hex(36, "5001438000000001");
  out.text(44, machine.serial, 32);
  if (machine.cache) out.text(76, machine.cache->serial, 32);
  return out.reply();
}

/// 0x65: one internal box.
CissReply storage_box(Cdb cdb) {
  CissBytes out(512);
  if (byte_at(cdb, 5) != 0) return out.u8(36, 0).reply();
  return out.u8(105, 1).text(214, "1I").reply();
}

}  // namespace

std::uint32_t configuration_signature(const Machine& machine) {
  std::string words = machine.serial + to_name(machine.mode).data();
  for (const PlacedVolume& volume : all_volumes(machine)) {
    const LogicalDrive& drive = *volume.drive;
    words += fmt::format("|{} {} {} {} {} {}", drive.number, drive.raid, drive.size->bytes,
                         drive.unique_id, *drive.caching, volume.array->smart_path.value_or(false));
  }
  for (const PlacedDrive& drive : all_drives(machine)) {
    words += fmt::format("|{} {}", drive.drive->serial, static_cast<int>(drive.role));
  }
  if (machine.cache) words += fmt::format("|{}", machine.cache->ratio->read);
  return static_cast<std::uint32_t>(hash_of(words));
}

CissReply bmic_read(const Machine& machine, Cdb cdb) {
  const unsigned volume_number = byte_at(cdb, 1) | byte_at(cdb, 9) << 8;
  const unsigned drive_number = byte_at(cdb, 2) | byte_at(cdb, 9) << 8;
  const auto of_volume = [&](auto answer) -> CissReply {
    for (const PlacedVolume& volume : all_volumes(machine)) {
      if (volume.drive->number == volume_number + 1) return answer(volume);
    }
    return illegal_field();
  };
  switch (byte_at(cdb, 6)) {
    case 0x10:
      return of_volume(
          [](const PlacedVolume& volume) { return identify_logical_drive(*volume.drive); });
    case 0x11:
      return identify_controller(machine);
    case 0x12:
      return of_volume(
          [&](const PlacedVolume& volume) { return logical_drive_status(machine, volume); });
    case 0x15: {
      const auto drives = all_drives(machine);
      return drive_number < drives.size() ? identify_physical_drive(drives[drive_number])
                                          : illegal_field();
    }
    case 0x64:
      return controller_parameters(machine);
    case 0x65:
      return storage_box(cdb);
    case 0x66:
      return subsystem_information(machine);
    case 0xC1:
      return cache_configuration(machine);
    case 0xF5:  // diagnostic options: none set
      return CissBytes(4).reply();
    default:
      return illegal_field();
  }
}

}  // namespace raidscope::lab
