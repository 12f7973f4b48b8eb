#include <algorithm>
#include <cctype>
#include <charconv>

#include <fmt/format.h>

#include "controllers/catalogue/catalogue.h"
#include "controllers/rules/readings.h"

namespace raidscope {
namespace {

char lower(char c) {
  return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
}

bool begins_with(std::string_view text, std::string_view start) {
  return text.size() >= start.size() && same_word(text.substr(0, start.size()), start);
}

void append(std::string& out, std::string_view key, std::string_view value) {
  if (!out.empty()) out += "; ";
  fmt::format_to(std::back_inserter(out), "{}: {}", key, value);
}

std::string_view printed(CacheStatus status) {
  switch (status) {
    case CacheStatus::ok:
      return "OK";
    case CacheStatus::not_configured:
      return "Not Configured";
    case CacheStatus::temporarily_disabled:
      return "Temporarily Disabled";
    case CacheStatus::permanently_disabled:
      return "Permanently Disabled";
  }
  return "?";
}

std::vector<const LogicalDrive*> drives_of(const Controller& controller) {
  std::vector<const LogicalDrive*> out;
  for (const DriveRef& at : logical_drives_of(controller)) out.push_back(at.drive);
  return out;
}

}  // namespace

bool contains_word(std::string_view text, std::string_view word) {
  const auto found = std::search(text.begin(), text.end(), word.begin(), word.end(),
                                 [](char a, char b) { return lower(a) == lower(b); });
  return found != text.end();
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](char x, char y) { return lower(x) == lower(y); });
}

const std::string* extra_value(const ExtraFields& extra, std::string_view key) {
  for (const auto& [name, value] : extra.items) {
    if (same_word(name, key)) return &value;
  }
  return nullptr;
}

bool printed_whole(const Controller& controller) {
  return controller.whole_block == true;
}

bool printed_whole(const Controller& controller, const LogicalDrive& drive) {
  // These lines stand behind those for media errors and parity.
  return printed_whole(controller) && drive.status &&
         (drive.unique_id || drive.device || drive.acceleration);
}

bool printed_whole(const Controller& controller, const PhysicalDrive& drive) {
  return printed_whole(controller) && (drive.model || drive.serial || drive.firmware);
}

bool drives_told(const Controller& controller) {
  return !controller.arrays.empty() || !controller.logical_drives.empty() ||
         !controller.unassigned_drives.empty() || !controller.hba_drives.empty();
}

Flag cache_by_design(const Controller& controller) {
  if (!controller.model) return std::nullopt;
  const std::string_view model = *controller.model;
  if (const ControllerModel* row = find_model(model); row && row->cache_by_design) {
    return row->cache_by_design;
  }
  // Product families beyond the catalogue's rows: HBAs (H240, H244br), software RAID (B140i, S100i)
  // and the Gen10 E line have no cache module; the P line does.
  const bool numbered = model.size() > 1 && std::isdigit(static_cast<unsigned char>(model[1]));
  if (!numbered) return std::nullopt;
  if (begins_with(model, "E208")) return false;
  switch (lower(model[0])) {
    case 'h':
    case 'b':
    case 's':
      return false;
    case 'p':
      return true;
    default:
      return std::nullopt;
  }
}

Flag before_smart_path(const Controller& controller) {
  if (!controller.generation) return std::nullopt;
  for (const std::string_view old : {"older", "G5", "G6", "G7"}) {
    if (*controller.generation == old) return true;
  }
  return false;
}

bool gen10(const Controller& controller) {
  return controller.generation && begins_with(*controller.generation, "Gen10");
}

bool software_raid(const Controller& controller) {
  if (!controller.model || controller.model->size() < 2) return false;
  const char family = lower(controller.model->front());
  return (family == 'b' || family == 's') &&
         std::isdigit(static_cast<unsigned char>((*controller.model)[1])) != 0;
}

Flag model_in(const Controller& controller, std::initializer_list<std::string_view> models) {
  if (!controller.model) return std::nullopt;
  return std::any_of(models.begin(), models.end(),
                     [&](std::string_view model) { return same_word(*controller.model, model); });
}

std::vector<int> version_parts(std::string_view version) {
  std::vector<int> out;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  version.remove_prefix(std::min(version.find_first_of("0123456789"), version.size()));
  while (!version.empty() && digit(version.front())) {
    int part = 0;
    const auto [end, ec] = std::from_chars(version.data(), version.data() + version.size(), part);
    if (ec != std::errc{}) break;
    out.push_back(part);
    version.remove_prefix(static_cast<std::size_t>(end - version.data()));
    if (version.empty() || (version.front() != '.' && version.front() != '-')) break;
    version.remove_prefix(1);
  }
  return out;
}

Flag older(const Text& version, std::string_view than) {
  if (!version) return std::nullopt;
  std::vector<int> mine = version_parts(*version);
  std::vector<int> limit = version_parts(than);
  if (mine.empty()) return std::nullopt;
  const std::size_t parts = std::max(mine.size(), limit.size());
  mine.resize(parts);
  limit.resize(parts);
  return mine < limit;
}

bool has_cache_to_ask(const Controller& controller) {
  if (controller.cache.present) return *controller.cache.present;
  if (controller.cache.status) return true;
  if (controller.mode == ControllerMode::hba) return false;
  return cache_by_design(controller) != false;
}

Flag cache_disabled(const Controller& controller) {
  if (!controller.cache.status) return std::nullopt;
  return *controller.cache.status == CacheStatus::temporarily_disabled ||
         *controller.cache.status == CacheStatus::permanently_disabled;
}

Backup backup_of(const Controller& controller) {
  const CacheBackup& backup = controller.cache.backup;
  if (backup.status) {
    switch (*backup.status) {
      case BackupStatus::ok:
        return Backup::good;
      case BackupStatus::recharging:
        return Backup::recharging;
      case BackupStatus::failed:
        return Backup::failed;
      case BackupStatus::absent:
        return Backup::none;
    }
  }
  if (backup.count == 0) return Backup::none;
  // A status in words that no enumeration knows is not OK.
  if (backup.status_text && !backup.status_text->empty()) return Backup::failed;
  if (!backup.count && !backup.kind && printed_whole(controller)) return Backup::none;
  return Backup::unknown;
}

Flag backup_good(const Controller& controller) {
  const Backup backup = backup_of(controller);
  if (backup == Backup::unknown) return std::nullopt;
  return backup == Backup::good;
}

Flag backup_failed_or_none(const Controller& controller) {
  const Backup backup = backup_of(controller);
  if (backup == Backup::unknown) return std::nullopt;
  return backup == Backup::failed || backup == Backup::none;
}

Flag smart_path_on(const Controller& controller, const Array* array, const LogicalDrive* drive) {
  if (array && array->smart_path) return *array->smart_path == Switch::enabled;
  if (drive) {
    if (drive->smart_path.array_setting) {
      return *drive->smart_path.array_setting == Switch::enabled;
    }
    if (drive->acceleration == Acceleration::smart_path) return true;
    if (drive->smart_path.firmware_configured) return drive->smart_path.firmware_configured;
    if (drive->smart_path.driver_enabled == true) return true;
  }
  if (controller.smart_path.capable == false || before_smart_path(controller) == true) return false;
  if (array && array->media == Media::hdd) return false;
  return std::nullopt;
}

Flag smart_path_on(const DriveGroup& group) {
  Flag out = smart_path_on(*group.controller, group.array, nullptr);
  for (const LogicalDrive* drive : group.drives) {
    if (out) break;
    out = smart_path_on(*group.controller, group.array, drive);
  }
  return out;
}

namespace {

/// Of a logical drive whose array is not told: its members where a path named them, else all the
/// data drives of the controller when they are of one kind. What the kernel calls rotational says
/// nothing of a volume's drives (smart-array-linux.md §2.4).
Flag media_of_members(const Controller& controller, const LogicalDrive& drive) {
  bool ssd = false, hdd = false, unknown = false;
  const auto see = [&](const PhysicalDrive& member) {
    ssd = ssd || member.media == Media::ssd;
    hdd = hdd || member.media == Media::hdd;
    unknown = unknown || !member.media;
  };
  std::size_t seen = 0;
  for (const PhysicalDrive& member : controller.physical_drives) {
    const auto& named = drive.member_drives;
    const bool is_member = named.empty() ? member.role == DriveRole::data
                                         : member.bay && std::find(named.begin(), named.end(),
                                                                   *member.bay) != named.end();
    if (!is_member) continue;
    see(member);
    ++seen;
  }
  if (seen == 0 || seen < drive.member_drives.size() || unknown || ssd == hdd) return std::nullopt;
  return ssd;
}

}  // namespace

Flag solid_state(const DriveGroup& group) {
  if (!group.array) {
    return media_of_members(*group.controller, *group.drives.front());
  }
  if (!group.array->media) return std::nullopt;
  return *group.array->media == Media::ssd;
}

Integer solid_state_drives(const DriveGroup& group) {
  // The count of the drive, not of the list: a list may be cut off.
  Integer all;
  for (const LogicalDrive* drive : group.drives) {
    if (drive->disk_count) all = drive->disk_count;
  }
  if (!all || solid_state(group) == true) return all;
  if (!group.array || !group.array->media) return std::nullopt;
  return std::count_if(group.array->physical_drives.begin(), group.array->physical_drives.end(),
                       [](const PhysicalDrive& drive) {
                         return drive.media == Media::ssd && drive.role != DriveRole::spare;
                       });
}

std::string cache_evidence(const Controller& controller) {
  const CacheModule& cache = controller.cache;
  std::string out;
  if (cache.status_text) {
    append(out, "Cache Status", *cache.status_text);
  } else if (cache.status) {
    append(out, "Cache Status", printed(*cache.status));
  }
  if (cache.details) append(out, "Cache Status Details", *cache.details);
  if (cache.disable_reason) append(out, "Cache Disable Reason", *cache.disable_reason);
  if (out.empty() && cache.present) {
    append(out, "Cache Board Present", *cache.present ? "True" : "False");
  }
  return out;
}

std::string backup_evidence(const Controller& controller) {
  const CacheBackup& backup = controller.cache.backup;
  std::string out;
  if (backup.kind) {
    append(out, "Cache Backup Power Source",
           *backup.kind == BackupKind::battery ? "Batteries" : "Capacitors");
  }
  if (backup.count) append(out, "Battery/Capacitor Count", std::to_string(*backup.count));
  if (backup.status_text) {
    append(out, "Battery/Capacitor Status", *backup.status_text);
  } else if (backup.status && *backup.status != BackupStatus::absent) {
    append(out, "Battery/Capacitor Status",
           *backup.status == BackupStatus::ok           ? "OK"
           : *backup.status == BackupStatus::recharging ? "Recharging"
                                                        : "Failed");
  }
  if (out.empty()) {
    out = printed_whole(controller) ? "no battery or capacitor line in the whole controller block"
                                    : "battery or capacitor not told";
  }
  return out;
}

std::string smart_path_evidence(const DriveGroup& group) {
  std::string out;
  if (group.array && group.array->smart_path) {
    append(out, "Smart Path", *group.array->smart_path == Switch::enabled ? "enable" : "disable");
  }
  for (const LogicalDrive* drive : group.drives) {
    if (drive->acceleration == Acceleration::smart_path && drive->number) {
      append(out, fmt::format("logical drive {}, LD Acceleration Method", *drive->number),
             "Smart Path");
    } else if (out.empty() && drive->smart_path.array_setting) {
      append(out, "Smart Path",
             *drive->smart_path.array_setting == Switch::enabled ? "enable" : "disable");
    } else if (out.empty() && drive->smart_path.firmware_configured) {
      append(out, "firmware's Smart Path page",
             *drive->smart_path.firmware_configured ? "configured" : "not configured");
    } else if (out.empty() && drive->smart_path.driver_enabled) {
      append(out, "hp_ssd_smart_path_enabled", *drive->smart_path.driver_enabled ? "1" : "0");
    }
  }
  if (out.empty() && group.controller->generation && before_smart_path(*group.controller) == true) {
    out = fmt::format("no Smart Path on {}", *group.controller->generation);
  } else if (out.empty()) {
    out = "no Smart Path on this model";
  }
  return out;
}

std::string caching_evidence(const LogicalDrive& drive) {
  std::string out;
  if (drive.caching) {
    append(out, "Caching", *drive.caching == Switch::enabled ? "Enabled" : "Disabled");
  }
  if (drive.acceleration) {
    append(out, "LD Acceleration Method",
           *drive.acceleration == Acceleration::controller_cache ? "Controller Cache"
           : *drive.acceleration == Acceleration::smart_path     ? "Smart Path"
                                                                 : "All disabled");
  }
  return out;
}

std::string name_drives(const std::vector<const LogicalDrive*>& drives) {
  std::string numbers;
  std::size_t count = 0;
  for (const LogicalDrive* drive : drives) {
    if (!drive->number) continue;
    fmt::format_to(std::back_inserter(numbers), "{}{}", count++ ? ", " : "", *drive->number);
  }
  if (count == 0) return "";
  return (count == 1 ? "logical drive " : "logical drives ") + numbers;
}

std::string other_drives(const Controller& controller, const LogicalDrive* but) {
  std::vector<const LogicalDrive*> others = drives_of(controller);
  others.erase(std::remove(others.begin(), others.end(), but), others.end());
  return name_drives(others);
}

std::string whole_controller(const Controller& controller, std::string_view what) {
  const std::string drives = name_drives(drives_of(controller));
  return fmt::format("{} the whole controller's{}{}", what, drives.empty() ? "" : ": ", drives);
}

std::string caching_on(const RuleContext& context, const Controller& controller,
                       const LogicalDrive& drive) {
  if (!drive.number) return "turn caching on for this logical drive";
  return context.command(controller, fmt::format("ld {} modify caching=enable", *drive.number));
}

std::vector<std::string> cache_in_place_of_smart_path(const RuleContext& context,
                                                      const DriveGroup& group) {
  std::vector<std::string> out;
  if (group.array && group.array->letter) {
    out.push_back(
        context.command(*group.controller,
                        fmt::format("array {} modify ssdsmartpath=disable", *group.array->letter)));
  } else {
    out.emplace_back("turn Smart Path off for the array that holds this drive");
  }
  for (const LogicalDrive* drive : group.drives) {
    out.push_back(caching_on(context, *group.controller, *drive));
  }
  return out;
}

}  // namespace raidscope
