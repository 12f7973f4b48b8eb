#include "probe/sources/bmic/tell.h"

#include <algorithm>
#include <bit>
#include <utility>

#include <fmt/format.h>

#include "probe/base/scsi.h"
#include "probe/sources/sysfs/reading.h"
#include "probe/sources/sysfs/smart_array.h"
#include "probe/sources/vendor/vendor_values.h"

namespace raidscope::bmic {
namespace {

using ciss::DeviceType;
using sysfs::tell;

constexpr std::int64_t mib = std::int64_t{1} << 20;

void keep(FactSet& set, EntityId id, std::string key, std::string value) {
  set.extras.push_back({id, std::move(key), std::move(value), 0});
}
template <class T>
void keep(FactSet& set, EntityId id, std::string key, const std::optional<T>& value,
          const char* format = "{}") {
  if (value) keep(set, id, std::move(key), fmt::format(fmt::runtime(format), *value));
}
template <class T>
void keep_if_set(FactSet& set, EntityId id, std::string key, const std::optional<T>& value) {
  if (value && *value != 0) keep(set, id, std::move(key), value);
}

// ---- cache ----

/// Whether there is a module. The board flag alone says that there is none only where nothing else
/// speaks of one.
std::optional<bool> cache_present(const ControllerReplies& replies) {
  const auto& board = replies.cache->board_attached;
  if (!board || *board) return board;
  const auto& cache = *replies.cache;
  const bool memory = cache.total_memory.value_or(0) != 0 || cache.read_memory.value_or(0) != 0 ||
                      cache.write_memory.value_or(0) != 0;
  const bool serial = replies.subsystem && replies.subsystem->cache_serial;
  return memory || serial ? std::nullopt : board;
}

struct CacheState {
  std::string_view word, text;
};
/// Nothing where the firmware says neither on nor off.
std::optional<CacheState> cache_state(const ciss::CacheConfiguration& cache) {
  if (cache.not_configured == true) return CacheState{"not_configured", "Not Configured"};
  if (!cache.status) return std::nullopt;
  if ((*cache.status & ciss::cache_permanently_disabled) != 0) {
    return CacheState{"permanently_disabled", "Permanently Disabled"};
  }
  if ((*cache.status & ciss::cache_temporarily_disabled) != 0) {
    return CacheState{"temporarily_disabled", "Temporarily Disabled"};
  }
  if ((*cache.status & ciss::cache_enabled) != 0) return CacheState{"ok", "OK"};
  return std::nullopt;
}

bool is_disabled(const ciss::CacheConfiguration& cache) {
  return (cache.status.value_or(0) &
          (ciss::cache_temporarily_disabled | ciss::cache_permanently_disabled)) != 0;
}

void tell_backup(FactSet& set, EntityId id, const ciss::CacheConfiguration& cache) {
  if (!cache.status || !cache.batteries) return;
  const bool capacitor = (*cache.status & ciss::cache_capacitor) != 0;
  const std::int64_t count = *cache.batteries;
  if (capacitor) {
    set.tell(id, "cache.backup.kind", std::string("capacitor"));
  } else if (count > 0) {
    set.tell(id, "cache.backup.kind", std::string("battery"));
  }
  // A capacitor that is attached and counted as none: the count is of batteries then.
  if (count > 0 || !capacitor) set.tell(id, "cache.backup.count", count);
  if (count == 0 && !capacitor) {
    set.tell(id, "cache.backup.status", std::string("absent"));
    return;
  }
  const bool broken =
      cache.failed_batteries.value_or(0) != 0 ||
      (*cache.status & (ciss::cache_battery_trouble | ciss::cache_incompatible)) != 0;
  const std::uint16_t code = is_disabled(cache) ? cache.disable_code.value_or(0) : 0;
  const bool charging = code == 1 || code == 12;  // too little charge in batteries, in a capacitor
  const bool all_good = cache.failed_batteries && count > 0 && cache.good_batteries &&
                        std::popcount(*cache.good_batteries) >= count;
  if (broken) {
    set.tell(id, "cache.backup.status", std::string("failed"));
  } else if (charging) {
    set.tell(id, "cache.backup.status", std::string("recharging"));
  } else if (all_good) {
    set.tell(id, "cache.backup.status", std::string("ok"));
  }
}

/// Sizes are MiB but on very old boards, KiB there; a shift factor other than 0 has not been seen
/// and its meaning is not public.
void tell_cache_sizes(FactSet& set, EntityId id, const ControllerReplies& replies) {
  const auto& cache = *replies.cache;
  const auto board = replies.pci        ? std::optional(replies.pci->board_id)
                     : replies.identity ? replies.identity->board_id
                                        : std::nullopt;
  const bool old = board && (*board & 0xFFFF) == 0x0E11;
  if (old || cache.size_shift.value_or(0) != 0) return;
  std::int64_t available = 0;
  if (cache.read_memory && cache.write_memory && cache.not_configured == false) {
    available = std::int64_t{*cache.read_memory} + *cache.write_memory;
    if (available > 0) {
      set.tell(id, "cache.available_bytes", available * mib);
      set.tell(id, "cache.available_exact", true);
    }
  }
  const std::int64_t total = cache.total_memory.value_or(0);
  const std::int64_t nominal =
      replies.identity ? replies.identity->cache_board_size.value_or(0) : 0;
  // Two fields may hold it; where both do and differ, which of them is the module's is not known.
  if (total <= 0 || total < available || (nominal != 0 && nominal != total)) return;
  set.tell(id, "cache.size_bytes", total * mib);
  set.tell(id, "cache.size_exact", true);
}

void keep_cache_numbers(FactSet& set, EntityId id, const ControllerReplies& replies) {
  const auto& cache = *replies.cache;
  keep(set, id, "cache status bits", cache.status, "{:#010x}");
  if (is_disabled(cache)) keep(set, id, "cache disable code", cache.disable_code);
  keep(set, id, "cache read memory (MiB)", cache.read_memory);
  keep(set, id, "cache write memory (MiB)", cache.write_memory);
  keep(set, id, "cache total memory (MiB)", cache.total_memory);
  keep_if_set(set, id, "cache size shift", cache.size_shift);
  if (replies.identity) {
    keep_if_set(set, id, "cache board size", replies.identity->cache_board_size);
  }
  keep(set, id, "cache posted writes map", cache.posted_writes, "{:#010x}");
  keep(set, id, "good battery map", cache.good_batteries, "{:#06x}");
  keep(set, id, "failed battery map", cache.failed_batteries, "{:#06x}");
}

void tell_cache(FactSet& set, EntityId id, const ControllerReplies& replies) {
  if (!replies.cache) return;
  const auto& cache = *replies.cache;
  keep_cache_numbers(set, id, replies);
  const auto present = cache_present(replies);
  tell(set, id, "cache.present", present);
  if (cache.board_attached == false && !present) {
    set.notes.push_back({0,
                         "the controller says that no cache board is attached, and yet names its "
                         "memory or serial number"});
  }
  if (present == false) return;  // an absent module has no state and no size
  if (const auto state = cache_state(cache)) {
    set.tell(id, "cache.status", std::string(state->word));
    set.tell(id, "cache.status_text", std::string(state->text));
  }
  if (cache.not_configured == true) return;  // nothing else in the reply counts then
  if (is_disabled(cache) && cache.disable_code) {
    const auto reason = ciss::disable_reason(*cache.disable_code);
    if (!reason.empty()) set.tell(id, "cache.disable_reason", std::string(reason));
  }
  if (auto trouble = ciss::cache_trouble(cache.status.value_or(0)); !trouble.empty()) {
    set.tell(id, "cache.details", std::move(trouble));
  }
  tell_cache_sizes(set, id, replies);
  if (cache.read_percent && cache.write_percent &&
      *cache.read_percent + *cache.write_percent == 100) {
    set.tell(id, "cache.ratio.read", std::int64_t{*cache.read_percent});
    set.tell(id, "cache.ratio.write", std::int64_t{*cache.write_percent});
  }
  tell_backup(set, id, cache);
}

// ---- controller ----

void tell_identity(FactSet& set, EntityId id, const ControllerReplies& replies) {
  if (!replies.identity) return;
  const auto& identity = *replies.identity;
  if (identity.product) set.tell(id, "model", sysfs::product_word(*identity.product));
  tell(set, id, "vendor", identity.vendor);
  // How smartpqi makes the version that it shows; hpsa's firmware is known by its four characters.
  if (replies.driver == "smartpqi" && identity.long_firmware) {
    set.tell(id, "firmware", *identity.long_firmware);
  } else if (replies.driver == "smartpqi" && identity.firmware && identity.firmware_build) {
    set.tell(id, "firmware", fmt::format("{}-{}", *identity.firmware, *identity.firmware_build));
  } else {
    tell(set, id, "firmware", identity.firmware);
  }
  keep(set, id, "firmware in flash", identity.rom_firmware);
  keep(set, id, "firmware build", identity.firmware_build);
  keep(set, id, "board id", identity.board_id, "{:#010x}");
  keep(set, id, "configuration signature", identity.configuration_signature, "{:#010x}");
  keep(set, id, "configured logical drives", identity.logical_drives);
  keep_if_set(set, id, "last lockup code", identity.last_lockup_code);
}

/// Two replies have the slot. It is told where they agree, or where one alone has it.
void tell_slot(FactSet& set, EntityId id, const ControllerReplies& replies) {
  const auto of_identity = replies.identity ? replies.identity->pci_slot : std::nullopt;
  const auto of_subsystem = replies.subsystem ? replies.subsystem->slot : std::nullopt;
  if (of_identity && of_subsystem && *of_identity != *of_subsystem) {
    keep(set, id, "slots", fmt::format("{} and {}", *of_identity, *of_subsystem));
    return;
  }
  const auto slot = of_identity ? of_identity : of_subsystem;
  if (slot && *slot != 0xFF) set.tell(id, "slot", fmt::format("{}", *slot));
}

void tell_mode(FactSet& set, EntityId id, const ControllerReplies& replies) {
  const auto hba = replies.parameters ? replies.parameters->hba_mode : std::nullopt;
  if (!hba) return;
  if (*hba) {
    set.tell(id, "mode", std::string("hba"));
  } else if (replies.driver == "hpsa" && replies.exposes_drives == false) {
    // The bit alone does not tell RAID from mixed mode, in which unassigned drives are shown.
    set.tell(id, "mode", std::string("raid"));
  }
}

}  // namespace

void tell_controller(FactSet& set, EntityId id, const ControllerReplies& replies) {
  tell_identity(set, id, replies);
  tell_slot(set, id, replies);
  tell_mode(set, id, replies);
  if (replies.subsystem) {
    tell(set, id, "serial", replies.subsystem->serial);
    tell(set, id, "cache.serial", replies.subsystem->cache_serial);
    keep(set, id, "chassis serial number", replies.subsystem->chassis_serial);
    keep(set, id, "primary WWID", replies.subsystem->wwid);
  }
  if (replies.parameters) {
    keep(set, id, "rebuild priority code", replies.parameters->rebuild_priority);
    keep(set, id, "expand priority code", replies.parameters->expand_priority);
    keep(set, id, "NVRAM flags", replies.parameters->nvram_flags, "{:#04x}");
    keep(set, id, "cache NVRAM flags", replies.parameters->cache_nvram_flags, "{:#04x}");
    keep(set, id, "drive configuration flags", replies.parameters->drive_config_flags, "{:#04x}");
  }
  tell_cache(set, id, replies);
}

// ---- physical drives ----

namespace {

std::optional<DeviceType> type_of(const PhysicalDriveReplies& replies) {
  if (replies.listed.type) return replies.listed.type;
  return replies.identity ? replies.identity->type : std::nullopt;
}

std::optional<std::string> interface_of(DeviceType type) {
  switch (type) {
    case DeviceType::parallel_scsi:
      return "SCSI";
    case DeviceType::sata:
    case DeviceType::sata_bridge:
      return "SATA";
    case DeviceType::sas:
    case DeviceType::sas_bridge:
      return "SAS";
    case DeviceType::nvme:
      return "NVMe";
    default:
      return std::nullopt;
  }
}

/// 1 is SCSI's and ATA's word for a drive that does not rotate; 0 is their word for a speed that is
/// not reported, which a disk of old firmware gives as well as an SSD.
std::optional<std::string> media_of(const ciss::PhysicalDriveIdentity& drive,
                                    std::optional<DeviceType> type) {
  if (drive.gas_gauge == true || drive.rpm == 1U || type == DeviceType::nvme) return "ssd";
  if (drive.rpm && *drive.rpm > 1) return "hdd";
  return std::nullopt;
}

std::optional<std::string> role_of(const ciss::PhysicalDriveIdentity& drive, bool masked) {
  if (!drive.spare || !drive.configured) return std::nullopt;
  if (*drive.spare) return "spare";
  if (*drive.configured) return "data";
  return masked ? "unassigned" : "hba";
}

void tell_drive_state(FactSet& set, EntityId id, const ciss::PhysicalDriveIdentity& drive) {
  const auto reason = ciss::failure_reason_name(drive.last_failure_reason.value_or(0));
  if (!reason.empty()) set.tell(id, "last_failure_reason", std::string(reason));
  keep_if_set(set, id, "last failure code", drive.last_failure_reason);
  if (drive.operational == true) {
    set.tell(id, "status",
             std::string(drive.predictive_failure == true ? "Predictive Failure" : "OK"));
  } else if (drive.operational == false && drive.last_failure_reason.value_or(0) != 0) {
    set.tell(id, "status", std::string("Failed"));
  }
}

/// The counters are valid only in a drive with the gas gauge. Its wear is in hundredths of a per
/// cent: the drivers take more than 10000 for worn out, and the vendor tool prints two decimals.
void tell_wear(FactSet& set, EntityId id, const ciss::PhysicalDriveIdentity& drive) {
  if (drive.gas_gauge != true) return;
  if (drive.power_on_hours) set.tell(id, "power_on_hours", std::int64_t{*drive.power_on_hours});
  if (!drive.endurance_used) return;
  const int left = std::max(0, 10000 - int{*drive.endurance_used});
  set.tell(id, "wear_remaining_pct", left / 100.0);
  keep(set, id, "endurance used (1/100 %)", drive.endurance_used);
}

void tell_links(FactSet& set, EntityId id, const std::vector<std::uint8_t>& codes) {
  std::vector<double> rates;
  for (const std::uint8_t code : codes) rates.push_back(ciss::link_rate_gbps(code));
  // Nothing but codes without a rate is no answer.
  if (std::any_of(rates.begin(), rates.end(), [](double rate) { return rate > 0; })) {
    set.tell(id, "phy_rates_gbps", std::move(rates));
  }
}

}  // namespace

std::optional<std::string> tell_physical_drive(FactSet& set, EntityId controller,
                                               const PhysicalDriveReplies& replies) {
  const auto type = type_of(replies);
  const auto bay = replies.identity ? replies.identity->bay : std::nullopt;
  const EntityId id = set.add(EntityKind::physical_drive, controller,
                              bay.value_or(fmt::format("BMIC drive {}", replies.number)));
  keep(set, id, "BMIC drive number", fmt::format("{}", replies.number));
  if (type) tell(set, id, "interface", interface_of(*type));
  auto wwid = replies.listed.wwid;
  if (!wwid && replies.identity) wwid = replies.identity->wwid;
  tell(set, id, "wwid", std::move(wwid));
  if (!replies.identity) return bay;
  const auto& drive = *replies.identity;
  tell(set, id, "bay", bay);
  tell(set, id, "role", role_of(drive, replies.listed.lun.masked()));
  if (const auto media = media_of(drive, type)) {
    set.tell(id, "media", *media);
    if (*media == "hdd") set.tell(id, "rpm", std::int64_t{*drive.rpm});
  }
  if (drive.model) {
    const auto words = vendor::drive_model(*drive.model);
    set.tell(id, "model", std::string(words.model));
    if (!words.vendor.empty()) set.tell(id, "vendor", std::string(words.vendor));
  }
  tell(set, id, "serial", drive.serial);
  tell(set, id, "firmware", drive.firmware);
  constexpr std::uint64_t most = std::uint64_t{1} << 62;
  if (drive.blocks && drive.block_bytes && *drive.blocks < most / *drive.block_bytes) {
    set.tell(id, "size_bytes", static_cast<std::int64_t>(*drive.blocks * *drive.block_bytes));
    set.tell(id, "size_exact", true);
  }
  tell_drive_state(set, id, drive);
  if (drive.temperature_c) set.tell(id, "temperature_c", std::int64_t{*drive.temperature_c});
  if (drive.temperature_max_c) {
    set.tell(id, "temperature_max_c", std::int64_t{*drive.temperature_max_c});
  }
  tell_wear(set, id, drive);
  tell_links(set, id, drive.link_rates);
  if (drive.authentication == 0x80) set.tell(id, "authentication", std::string("OK"));
  if (drive.write_cache_enabled) {
    keep(set, id, "drive write cache", *drive.write_cache_enabled ? "enabled" : "disabled");
  }
  return bay;
}

// ---- logical drives ----

namespace {

/// Which of the two levels that the tolerance code leaves open the map shows.
std::optional<std::string> level_of(std::uint8_t tolerance, const ciss::RaidMap& map) {
  const bool one_wide = map.data_disks_per_row == 1;
  const bool one_group = map.layouts == 1;
  switch (tolerance) {
    case 2:
      if (map.layouts != 2) return std::nullopt;
      return one_wide ? "1" : "1+0";
    case 3:
      return one_group ? "5" : "50";
    case 5:
      return one_group ? "6" : "60";
    case 6:
      if (map.layouts != 3) return std::nullopt;
      return one_wide ? "1adm" : "10adm";
    default:
      return std::nullopt;
  }
}

void tell_map(FactSet& set, EntityId id, const ciss::RaidMap& map, std::uint8_t tolerance,
              std::span<const HandleBay> bays) {
  const std::int64_t strip = std::int64_t{map.strip_blocks} * map.block_bytes;
  if (strip > 0) {
    set.tell(id, "strip_bytes", strip);
    const bool groups = (tolerance == 3 || tolerance == 5) && map.layouts > 1;
    if (!groups) set.tell(id, "full_stripe_bytes", strip * map.data_disks_per_row);
  }
  set.tell(id, "disk_count", static_cast<std::int64_t>(map.handles.size()));
  std::vector<std::string> members;
  for (const std::uint32_t handle : map.handles) {
    const auto found = std::find_if(bays.begin(), bays.end(),
                                    [&](const HandleBay& bay) { return bay.handle == handle; });
    if (found == bays.end()) return;  // a list with a hole is no list of members
    members.push_back(found->bay);
  }
  set.tell(id, "member_drives", std::move(members));
}

}  // namespace

void tell_logical_drive(FactSet& set, EntityId controller, const LogicalDriveReplies& replies,
                        std::span<const HandleBay> bays) {
  const EntityId id = set.add(EntityKind::logical_drive, controller,
                              fmt::format("BMIC logical drive {}", replies.number));
  // The vendor tool counts its drives in another way, so that this is no "number".
  keep(set, id, "BMIC logical drive number", fmt::format("{}", replies.number));
  if (replies.posted_writes) {
    keep(set, id, "posted writes", *replies.posted_writes ? "yes" : "no");
  }
  if (replies.identity) {
    const auto& drive = *replies.identity;
    tell(set, id, "unique_id", drive.unique_id);
    tell(set, id, "label", drive.label);
    constexpr std::uint64_t most = std::uint64_t{1} << 62;
    if (drive.blocks && drive.block_bytes && *drive.blocks < most / *drive.block_bytes) {
      set.tell(id, "size_bytes", static_cast<std::int64_t>(*drive.blocks * *drive.block_bytes));
      set.tell(id, "size_exact", true);
    }
    if (drive.tolerance) {
      sysfs::RaidLevel level = sysfs::raid_level_of_fault_tolerance(*drive.tolerance);
      if (replies.map && !level.raid) {
        if (auto known = level_of(*drive.tolerance, *replies.map)) level = {std::move(known), {}};
      }
      sysfs::tell_raid_level(set, id, std::move(level));
      if (replies.map) tell_map(set, id, *replies.map, *drive.tolerance, bays);
    }
  }
  if (!replies.state) return;
  const auto& state = *replies.state;
  keep(set, id, "logical drive status", fmt::format("{}", state.status));
  const auto name = scsi::volume_status_name(state.status);
  const bool meant = state.status != 1 || !replies.failed_means_nothing;
  if (!name.empty() && meant) set.tell(id, "status", std::string(name));
  keep_if_set(set, id, "blocks left to recover", state.blocks_to_recover);
  keep_if_set(set, id, "spare status", state.spare_status);
  keep_if_set(set, id, "cache failure", state.cache_failure);
  if (state.media_exchanged == true) keep(set, id, "media exchanged", "yes");
}

}  // namespace raidscope::bmic
