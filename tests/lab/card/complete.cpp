#include "tests/lab/card/complete.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "controllers/catalogue/catalogue.h"
#include "tests/lab/card/hash.h"
#include "tests/lab/card/raid_level.h"

namespace raidscope::lab {
namespace {

constexpr std::uint64_t mib = 1ULL << 20, gib = 1ULL << 30;
constexpr std::size_t most_drives = 255, most_volumes = 64;

void default_to(std::string& field, std::string value) {
  if (field.empty()) field = std::move(value);
}
template <class T>
void default_to(std::optional<T>& field, T value) {
  if (!field) field = value;
}

bool is_hex(const std::string& digits, std::size_t size) {
  return digits.size() == size && digits.find_first_not_of("0123456789ABCDEF") == std::string::npos;
}

/// Completes one description; the first thing that is wrong ends it.
class Completion {
 public:
  Completion(Machine& machine, const ControllerModel& model) : machine_(machine), model_(model) {}

  std::string run() {
    controller();
    cache();
    for (std::size_t i = 0; i < machine_.arrays.size() && wrong_.empty(); ++i) {
      array(machine_.arrays[i], fmt::format("/arrays/{}", i));
    }
    drives(machine_.unassigned, "/unassigned");
    drives(machine_.hba_drives, "/hba_drives");
    if (!machine_.hba_drives.empty() && machine_.mode != Mode::hba) {
      refuse("/hba_drives", "only a controller in HBA mode (\"mode\": \"hba\") shows drives");
    }
    if (machine_.mode == Mode::hba && !machine_.arrays.empty()) {
      refuse("/arrays", "a controller in HBA mode has none");
    }
    counts();
    timing();
    faults();
    return wrong_;
  }

 private:
  void refuse(const std::string& at, std::string_view why) {
    if (wrong_.empty()) wrong_ = fmt::format("{}: {}", at, why);
  }
  [[nodiscard]] bool is_sas12() const {
    return model_.generation == "Gen9" || model_.generation == "Gen8+";
  }
  [[nodiscard]] std::uint64_t hash(std::string_view of) const {
    return hash_of(machine_.serial + "/" + std::string(of));
  }

  void controller() {
    if (!machine_.pci) {
      machine_.pci = PciIds{model_.vendor, model_.device, model_.subvendor, model_.subdevice};
    }
    default_to(machine_.vendor, "HP");
    default_to(machine_.slot, model_.embedded.value_or(false) ? "0" : "1");
    default_to(machine_.serial,
               fmt::format("5001438{:09X}", hash_of(machine_.model + machine_.slot) >> 28));
    const bool g6 = model_.generation == "G6" || model_.generation == "G7";
    default_to(machine_.firmware, g6 ? "6.64" : is_sas12() ? "7.20" : "8.32");
    default_to(machine_.hardware_revision, "B");
    default_to(machine_.surface_scan_mode, "Idle");
    if (machine_.firmware.size() != 4) refuse("/firmware", "four characters, as in \"8.32\"");
    if (machine_.serial.size() > 32) refuse("/serial", "32 characters at most");
    const bool digits = machine_.slot.find_first_not_of("0123456789") == std::string::npos;
    if (!digits || machine_.slot.size() > 2) refuse("/slot", "a number of at most two digits");
    if (machine_.surface_scan_mode != "Idle" && machine_.surface_scan_mode != "High" &&
        machine_.surface_scan_mode != "Disabled") {
      refuse("/surface_scan_mode", "\"Idle\", \"High\" or \"Disabled\"");
    }
  }

  void cache() {
    if (!machine_.cache) return;
    CacheModule& cache = *machine_.cache;
    const bool old = model_.generation == "G6" || model_.generation == "G7";
    default_to(cache.size, Size{old ? 512 * mib : is_sas12() ? 2 * gib : gib});
    // 144 of 256 MiB, 400 of 512 MiB and 816 of 1024 MiB have been seen to be left.
    const std::uint64_t taken = cache.size->bytes >= gib ? 208 * mib : 112 * mib;
    default_to(cache.available, Size{cache.size->bytes > 2 * taken ? cache.size->bytes - taken
                                                                   : cache.size->bytes / 2});
    default_to(cache.serial, fmt::format("PLAB{:010X}", hash("cache") >> 24));
    Backup& backup = cache.backup;
    default_to(backup.count, backup.status == BackupStatus::absent ? 0U : 1U);
    if (*backup.count > 0)
      default_to(backup.kind, old ? BackupKind::battery : BackupKind::capacitor);
    if (*backup.count == 0) backup.status = BackupStatus::absent;
    const bool backed = *backup.count > 0 || cache.no_battery_write_cache;
    default_to(cache.ratio, backed ? Ratio{10, 90} : Ratio{100, 0});
    if (cache.ratio->read + cache.ratio->write != 100) refuse("/cache/ratio", "100 % in all");
    if (cache.size->bytes / mib > 0xFFFF || cache.size->bytes % mib != 0) {
      refuse("/cache/size", "whole MiB, less than 64 GiB");
    }
    if (cache.available->bytes > cache.size->bytes) {
      refuse("/cache/available", "not more than the module's size");
    }
    if (*backup.count > 16) refuse("/cache/backup/count", "16 at most");
  }

  void array(Array& array, const std::string& at) {
    default_to(array.letter,
               std::string(1, static_cast<char>('A' + (&array - machine_.arrays.data()))));
    if (model_.smart_path == true) default_to(array.smart_path, false);
    if (array.smart_path && model_.smart_path != true) {
      refuse(at + "/smart_path", "this model's firmware has none");
    }
    drives(array.drives, at + "/drives");
    drives(array.spares, at + "/spares");
    if (array.drives.empty()) refuse(at + "/drives", "an array has one at least");
    const bool failed =
        std::any_of(array.drives.begin(), array.drives.end(), [](const Drive& drive) {
          return drive.status == DriveStatus::failed || drive.status == DriveStatus::missing;
        });
    // Told by its drives, so that a change of one changes it as well.
    array.status = failed ? "Failed Physical Drive" : "OK";
    for (std::size_t i = 0; i < array.logical_drives.size() && wrong_.empty(); ++i) {
      volume(array, array.logical_drives[i], fmt::format("{}/logical_drives/{}", at, i));
    }
  }

  void volume(Array& array, LogicalDrive& drive, const std::string& at) {
    ++volumes_;
    if (drive.number == 0) drive.number = volumes_;
    const auto count = static_cast<std::uint32_t>(array.drives.size());
    const RaidLevel* const level = find_level(drive.raid);
    if (level == nullptr) {
      refuse(at + "/raid", "0, 1, 1+0, 4, 5, 5+1, 6, 50, 60, 1adm or 10adm");
      return;
    }
    if (auto why = misfit(*level, count, drive.parity_groups); !why.empty()) {
      refuse(at + "/raid", fmt::format("{}; the array has {}", why, count));
      return;
    }
    default_to(drive.strip, Size{256 << 10});
    if (drive.strip->bytes < sector_bytes || drive.strip->bytes % sector_bytes != 0 ||
        drive.strip->bytes / sector_bytes > 0xFFFF) {
      refuse(at + "/strip", "whole sectors, less than 32 MiB");
      return;
    }
    fit(array, drive, *level, at);
    default_to(drive.unique_id,
               fmt::format("600508B1001C{:016X}{:04X}", hash("volume"), drive.number));
    if (!is_hex(drive.unique_id, 32)) refuse(at + "/unique_id", "32 upper-case hex digits");
    default_to(drive.caching, machine_.cache.has_value() && !array.smart_path.value_or(false));
    if (*drive.caching && !machine_.cache) refuse(at + "/caching", "there is no cache module");
    if (*drive.caching && array.smart_path.value_or(false)) {
      refuse(at + "/caching", "Smart Path and caching exclude each other");
    }
    if (status_code(drive.status) == 0xFF) {
      refuse(at + "/status", "a status of a logical drive, as \"OK\" or \"Interim Recovery Mode\"");
    }
    if (drive.progress_pct.value_or(0) > 100) refuse(at + "/progress_pct", "100 at most");
    if (drive.label.size() > 64) refuse(at + "/label", "64 characters at most");
    if (!numbers_.insert(drive.number).second || drive.number > most_volumes) {
      refuse(at + "/number", "from 1 to 64, each once");
    }
    if (!ids_.insert(drive.unique_id).second) refuse(at + "/unique_id", "each once");
  }

  /// What a logical drive takes of each of its array's drives.
  static std::uint64_t on_each(const Array& array, const LogicalDrive& drive) {
    const RaidLevel* const level = find_level(drive.raid);
    const auto count = static_cast<std::uint32_t>(array.drives.size());
    if (level == nullptr || !drive.size) return 0;
    if (!misfit(*level, count, drive.parity_groups).empty()) return 0;
    return drive.size->bytes / row_layout(*level, count, drive.parity_groups).data_drives();
  }

  void fit(const Array& array, LogicalDrive& drive, const RaidLevel& level, const std::string& at) {
    const auto smallest = std::min_element(
        array.drives.begin(), array.drives.end(),
        [](const Drive& a, const Drive& b) { return a.size->bytes < b.size->bytes; });
    std::uint64_t left = smallest->size->bytes;
    for (const LogicalDrive& other : array.logical_drives) {
      if (&other != &drive) left -= std::min(left, on_each(array, other));
    }
    const auto count = static_cast<std::uint32_t>(array.drives.size());
    const std::uint64_t data = row_layout(level, count, drive.parity_groups).data_drives();
    default_to(drive.size, Size{left / drive.strip->bytes * drive.strip->bytes * data});
    if (drive.size->bytes < 1 * mib || drive.size->bytes % sector_bytes != 0) {
      refuse(at + "/size", "whole sectors, and 1 MiB at least: has the array any room left?");
    }
    if (on_each(array, drive) > left) {
      refuse(at + "/size",
             fmt::format("the array has room for {} bytes at this level", left * data));
    }
  }

  /// Groups become single drives, so that the state can change one.
  void drives(std::vector<Drive>& list, const std::string& at) {
    std::vector<Drive> out;
    for (std::size_t i = 0; i < list.size() && wrong_.empty(); ++i) {
      const std::string here = fmt::format("{}/{}", at, i);
      Drive next = list[i];
      if (next.count < 1 || next.count > most_drives) refuse(here + "/count", "from 1 to 255");
      if (next.bay.empty())
        next.bay = fmt::format("{}:1:{}", next_bay_ <= 4 ? "1I" : "2I", next_bay_);
      for (std::uint32_t n = 0; n < list[i].count && wrong_.empty(); ++n) {
        Drive single = next;
        single.count = 1;
        const auto place = place_of(next.bay);
        if (!place) {
          refuse(here + "/bay", "port, box and bay as in \"1I:1:3\", 254 at most");
          break;
        }
        one(single, here);
        out.push_back(std::move(single));
        next.bay = fmt::format("{}:{}:{}", place->port, place->box, place->bay + 1);
        // What identifies a drive identifies one.
        next.serial.clear();
        next.wwid.clear();
      }
    }
    list = std::move(out);
  }

  void one(Drive& drive, const std::string& at) {
    ++next_bay_;
    const bool ssd = drive.media == Media::ssd;
    default_to(drive.interface, ssd ? Interface::sata : Interface::sas);
    const bool sas = *drive.interface == Interface::sas;
    default_to(drive.size, Size{ssd ? 200'049'647'616ULL : 300'000'000'000ULL});
    default_to(drive.rpm, ssd ? 1U : sas ? 10000U : 7200U);
    default_to(drive.vendor, sas ? "HP" : "ATA");
    default_to(drive.model, ssd   ? sas ? "MO0200FBRWB" : "VK0200GDJYA"
                            : sas ? "EG0300FCVBF"
                                  : "MB0500EBNCR");
    default_to(drive.firmware, "HPD9");
    const std::uint64_t identity = hash(drive.bay);
    default_to(drive.serial, fmt::format("LAB{:09X}", identity >> 28));
    default_to(drive.wwid, fmt::format("5000C500{:08X}", identity & 0xFFFFFFF0U));
    default_to(drive.temperature_c, ssd ? 24U : 30U);
    default_to(drive.temperature_max_c, ssd ? 39U : 45U);
    default_to(drive.link_gbps, model_.generation == "Gen9" && sas ? 12.0 : sas || ssd ? 6.0 : 3.0);
    if (ssd) default_to(drive.endurance_used_pct, 2U);
    if (ssd) default_to(drive.power_on_hours, 5000U);
    if (!is_hex(drive.wwid, 16)) refuse(at + "/wwid", "16 upper-case hex digits");
    if (drive.model.size() > 32 || drive.vendor.size() > 8) {
      refuse(at + "/model", "a vendor of 8 and a model of 32 characters at most");
    }
    if (drive.size->bytes < 16 * mib || drive.size->bytes % sector_bytes != 0) {
      refuse(at + "/size", "whole sectors, and 16 MiB at least");
    }
    if (!bays_.insert(drive.bay).second) refuse(at + "/bay", drive.bay + " is taken");
  }

  void counts() {
    if (all_drives(machine_).size() > most_drives) refuse("/arrays", "255 drives at most");
    if (volumes_ > most_volumes) refuse("/arrays", "64 logical drives at most");
  }

  void timing() {
    if (!machine_.timing) return;
    const Timing& timing = *machine_.timing;
    constexpr std::uint32_t longest_us = 10'000'000, most_at_once = 256;
    for (const std::uint32_t us : {timing.controller_us, timing.cache_us, timing.hdd.read_us,
                                   timing.hdd.write_us, timing.ssd.read_us, timing.ssd.write_us}) {
      if (us > longest_us) refuse("/timing", "10 s at most: the driver gives up after 30");
    }
    for (const std::uint32_t at_once :
         {timing.controller_at_once, timing.hdd.at_once, timing.ssd.at_once}) {
      if (at_once < 1 || at_once > most_at_once) refuse("/timing", "at once from 1 to 256");
    }
  }

  void faults() {
    const auto check = [&](const std::vector<std::string>& commands, const char* at) {
      for (const std::string& command : commands) {
        const bool plain = command.size() == 2 || (command.size() == 5 && command[2] == ':');
        if (!plain) refuse(at, "operation codes as in \"26:c1\", \"12:c3\" or \"28\"");
      }
    };
    check(machine_.faults.never_answer, "/faults/never_answer");
    check(machine_.faults.short_replies, "/faults/short_replies");
    check(machine_.faults.zero_replies, "/faults/zero_replies");
    const std::string& how = machine_.tool.behaviour;
    if (!how.empty() && how != "hangs" && how != "garbage" && how != "locked") {
      refuse("/tool/behaviour", "\"hangs\", \"garbage\" or \"locked\"");
    }
  }

  Machine& machine_;
  const ControllerModel& model_;
  std::string wrong_;
  std::uint32_t volumes_ = 0, next_bay_ = 1;
  std::set<std::string> bays_, ids_;
  std::set<std::uint32_t> numbers_;
};

}  // namespace

std::string complete(Machine& machine) {
  if (machine.model.empty()) return "/model: a model of the catalogue (raidscope controllers)";
  const ControllerModel* const model = find_model(machine.model);
  if (model == nullptr) {
    return fmt::format("/model: the catalogue has no \"{}\" (raidscope controllers)",
                       machine.model);
  }
  if (model->drivers.find("hpsa") == std::string_view::npos || model->device == 0) {
    return fmt::format("/model: the emulated card speaks CISS to hpsa, which does not drive a {}",
                       machine.model);
  }
  machine.model = model->model;
  if (machine.cache && model->cache_by_design == false) {
    return fmt::format("/cache: a {} never has a module", machine.model);
  }
  return Completion(machine, *model).run();
}

}  // namespace raidscope::lab
