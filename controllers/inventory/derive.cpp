#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "controllers/catalogue/catalogue.h"
#include "controllers/inventory/assemble.h"
#include "controllers/inventory/fingerprint.h"
#include "controllers/inventory/fingerprinter.h"
#include "controllers/inventory/smart_path_states.h"
#include "probe/sources/vendor/vendor_text.h"

namespace raidscope {
namespace {

/// "103c:323b/103c:3354" looked up in the catalogue.
const ControllerModel* find_by_pci_id(const Text& pci_id) {
  if (!pci_id || pci_id->size() != 19) return nullptr;
  const std::string_view text = *pci_id;
  std::uint16_t part[4] = {};
  for (std::size_t i = 0; i < 4; ++i) {
    const char* begin = text.data() + 5 * i;
    if (std::from_chars(begin, begin + 4, part[i], 16).ptr != begin + 4) return nullptr;
  }
  return find_pci(part[0], part[1], part[2], part[3]);
}

template <class T>
void forget_if(std::optional<T>& fact, const T& meaningless) {
  if (fact == meaningless) fact.reset();
}

bool is_bare_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string_view::npos;
}

void derive_cache(Controller& controller) {
  CacheModule& cache = controller.cache;
  forget_if(cache.temperature_c, std::int64_t{0});
  forget_if(cache.capacitor_temperature_c, std::int64_t{0});
  if (cache.backup.count == 0) cache.backup.status = BackupStatus::absent;
  if (cache.present == false) {
    cache.size_bytes.reset();
    cache.size_exact.reset();
    cache.available_bytes.reset();
    cache.available_exact.reset();
  } else if (cache.size_text && is_bare_number(*cache.size_text) && controller.model) {
    if (const auto bytes = cache_module_bytes(*controller.model, *cache.size_text)) {
      cache.size_bytes = static_cast<std::int64_t>(*bytes);
    }
  }
}

void derive_identity(Controller& controller) {
  const ControllerModel* model = find_by_pci_id(controller.pci_id);
  if (model == nullptr && controller.model) model = find_model(*controller.model);
  if (!controller.vendor && controller.name &&
      (controller.name->starts_with("Smart") || controller.name->starts_with("Dynamic"))) {
    controller.vendor = "HP";
  }
  forget_if(controller.firmware, std::string("0.00"));
  forget_if(controller.temperature_c, std::int64_t{0});
  for (Sensor& sensor : controller.sensors) forget_if(sensor.current_c, std::int64_t{0});
  if (model == nullptr) return;
  if (!controller.model) controller.model = std::string(model->model);
  if (!controller.generation && !model->generation.empty()) {
    controller.generation = std::string(model->generation);
  }
  if (!controller.embedded) controller.embedded = model->embedded;
  if (!controller.smart_path.capable) controller.smart_path.capable = model->smart_path;
}

bool serves_data(const PhysicalDrive& drive) {
  return drive.role != DriveRole::spare;
}

/// Of the data drives. A failed drive loses its keys and is passed over; any other unknown one
/// leaves the array's kind unknown, unless two kinds were seen already.
Maybe<Media> media_of(const Array& array) {
  bool ssd = false, hdd = false, unknown = false;
  for (const PhysicalDrive& drive : array.physical_drives) {
    if (!serves_data(drive)) continue;
    ssd = ssd || drive.media == Media::ssd;
    hdd = hdd || drive.media == Media::hdd;
    unknown = unknown || (!drive.media && !(drive.status && drive.status->starts_with("Failed")));
  }
  if (ssd && hdd) return Media::mixed;
  if (unknown || ssd == hdd) return std::nullopt;
  return ssd ? Media::ssd : Media::hdd;
}

/// Drives that one full stripe of this many data strips needs; 0 when the level does not tell.
std::int64_t drives_for_stripe(std::string_view raid, std::int64_t data_strips) {
  if (raid == "0") return data_strips;
  if (raid == "1" || raid == "1+0") return 2 * data_strips;
  if (raid == "1adm" || raid == "10adm") return 3 * data_strips;
  if (raid == "4" || raid == "5") return data_strips + 1;
  if (raid == "6") return data_strips + 2;
  return 0;
}

bool being_reshaped(const LogicalDrive& drive) {
  const std::string_view status = drive.status ? std::string_view(*drive.status) : "";
  return status.find("Transform") != std::string_view::npos ||
         status.find("Expan") != std::string_view::npos ||
         status.find("Migrat") != std::string_view::npos;
}

/// How many drives the stripe says that there must be; null where it does not tell.
/// While a drive is reshaped its stripe is still that of the drives it had.
Integer told_by_stripe(const LogicalDrive& drive) {
  if (being_reshaped(drive) || !drive.raid || !drive.strip_bytes || !drive.full_stripe_bytes ||
      *drive.strip_bytes <= 0) {
    return std::nullopt;
  }
  const std::int64_t drives =
      drives_for_stripe(*drive.raid, *drive.full_stripe_bytes / *drive.strip_bytes);
  return drives > 0 ? Integer{drives} : std::nullopt;
}

/// The fewest drives that make the level. Older tools call a mirror of two "RAID 1+0".
std::int64_t fewest_drives(std::string_view raid) {
  if (raid == "1" || raid == "1+0") return 2;
  if (raid == "1adm" || raid == "10adm" || raid == "4" || raid == "5") return 3;
  if (raid == "6") return 4;
  if (raid == "50" || raid == "5+1") return 6;
  if (raid == "60") return 8;
  return 1;
}

/// A list of drives may have been cut off at a line's end: the level and the stripe tell how many
/// there must be.
bool may_have(const LogicalDrive& drive, std::int64_t count) {
  if (drive.raid && count < fewest_drives(*drive.raid)) return false;
  const Integer expected = told_by_stripe(drive);
  return !expected || *expected == count;
}

/// With several texts a note begins with the name of its text.
bool has_note(const Inventory& inventory, std::string_view words) {
  return std::any_of(inventory.notes.begin(), inventory.notes.end(), [&](const NoteLine& line) {
    return line.text.find(words) != std::string::npos;
  });
}

/// Whether the text behind an inventory may have been cut off in its last list of drives.
bool ends_in_a_list(const Inventory& inventory) {
  return has_note(inventory, open_list_note);
}

/// `open_ended`: nothing tells that the list of drives is whole, unless a stripe does.
void derive_array(Array& array, bool open_ended) {
  const auto media = media_of(array);
  if (!array.media || media == Media::mixed) array.media = media;
  std::int64_t data_drives = 0;
  for (const PhysicalDrive& drive : array.physical_drives)
    data_drives += serves_data(drive) ? 1 : 0;
  const auto& drives = array.logical_drives;
  const bool whole =
      (!open_ended ||
       std::any_of(drives.begin(), drives.end(),
                   [](const LogicalDrive& drive) { return told_by_stripe(drive).has_value(); })) &&
      std::all_of(drives.begin(), drives.end(),
                  [&](const LogicalDrive& drive) { return may_have(drive, data_drives); });
  for (LogicalDrive& drive : array.logical_drives) {
    if (!drive.smart_path.array_setting) drive.smart_path.array_setting = array.smart_path;
    if (!drive.disk_count && data_drives > 0 && whole) drive.disk_count = data_drives;
    if (drive.member_drives.empty() && drive.mirror_groups.empty() && data_drives > 0 && whole) {
      for (const PhysicalDrive& member : array.physical_drives) {
        if (serves_data(member) && member.bay) drive.member_drives.push_back(*member.bay);
      }
    }
  }
}

void derive_drive(const Controller& controller, const Array* array, LogicalDrive& drive) {
  if (drive.raid) drive.raid_candidates.clear();
  // A strip of nothing is a field that the tool had no number for.
  forget_if(drive.strip_bytes, std::int64_t{0});
  forget_if(drive.full_stripe_bytes, std::int64_t{0});
  if (drive.member_drives.empty()) {
    for (const MirrorGroup& group : drive.mirror_groups) {
      drive.member_drives.insert(drive.member_drives.end(), group.drives.begin(),
                                 group.drives.end());
    }
  }
  if (!drive.disk_count && !drive.mirror_groups.empty()) {
    const auto count = static_cast<std::int64_t>(drive.member_drives.size());
    if (may_have(drive, count)) drive.disk_count = count;
  }
  auto [value, reason] = effective_write_cache(controller, array, drive);
  drive.effective_write_cache = value;
  drive.effective_write_cache_reason = std::move(reason);
  drive.io_path = io_path(controller, array, drive, value);
}

void derive_physical(PhysicalDrive& drive) {
  forget_if(drive.temperature_c, std::int64_t{0});
  forget_if(drive.temperature_max_c, std::int64_t{0});
  // Documents of the first builds wrote 0 for an unknown rate.
  for (auto* rates : {&drive.phy_rates_gbps, &drive.phy_max_gbps}) {
    for (Maybe<double>& rate : *rates) forget_if(rate, 0.0);
  }
}

/// The kernel only knows whether a disk says that it caches writes; whether the disk keeps them
/// through a power failure it does not know.
EffectiveWriteCache write_cache_of(const BlockDevice& device) {
  const Text& setting = device.block_device.write_cache;
  if (setting == "write back") return EffectiveWriteCache::volatile_;
  if (setting == "write through") return EffectiveWriteCache::none;
  return EffectiveWriteCache::unknown;
}

}  // namespace

bool text_was_cut(const Inventory& inventory) {
  return has_note(inventory, text_ends_words);
}

void derive(Inventory& inventory) {
  const bool open_end = ends_in_a_list(inventory);
  for (Controller& controller : inventory.controllers) {
    derive_identity(controller);
    derive_cache(controller);
    for (Array& array : controller.arrays) {
      for (PhysicalDrive& drive : array.physical_drives) derive_physical(drive);
      derive_array(array, open_end && &array == &controller.arrays.back());
      for (LogicalDrive& drive : array.logical_drives) derive_drive(controller, &array, drive);
    }
    for (LogicalDrive& drive : controller.logical_drives) derive_drive(controller, nullptr, drive);
    for (auto* list :
         {&controller.physical_drives, &controller.unassigned_drives, &controller.hba_drives}) {
      for (PhysicalDrive& drive : *list) derive_physical(drive);
    }
    const Fingerprinter fingerprinter(inventory, controller);
    controller.fingerprint = fingerprinter.of_controller();
    controller.tag = tag(controller, nullptr, nullptr);
    for (Array& array : controller.arrays) {
      const std::string array_part = Fingerprinter::array_part(&array);
      for (LogicalDrive& drive : array.logical_drives) {
        drive.fingerprint = fingerprinter.of_drive(array_part, drive);
        drive.tag = tag(controller, &array, &drive);
      }
    }
    const std::string no_array = Fingerprinter::array_part(nullptr);
    for (LogicalDrive& drive : controller.logical_drives) {
      drive.fingerprint = fingerprinter.of_drive(no_array, drive);
      drive.tag = tag(controller, nullptr, &drive);
    }
  }
  for (BlockDevice& device : inventory.block_devices) {
    device.effective_write_cache = write_cache_of(device);
  }
  list_smart_path_disagreements(inventory);
}

}  // namespace raidscope
