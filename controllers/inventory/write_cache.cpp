#include <string>
#include <vector>

#include <fmt/format.h>

#include "controllers/inventory/assemble.h"

namespace raidscope {
namespace {

constexpr std::string_view words(CacheStatus status) {
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

/// The state of battery or capacitor. Nothing printed means none only in a whole controller block.
Maybe<BackupStatus> backup_of(const Controller& controller) {
  const CacheBackup& backup = controller.cache.backup;
  if (backup.count == 0) return BackupStatus::absent;
  if (backup.status) return backup.status;
  const bool no_line = !backup.count && !backup.status_text && !backup.kind;
  if (no_line && controller.whole_block == true) return BackupStatus::absent;
  return std::nullopt;
}

std::string backup_words(const Controller& controller, BackupStatus status) {
  const auto& kind = controller.cache.backup.kind;
  const std::string_view name = !kind                          ? "battery or capacitor"
                                : *kind == BackupKind::battery ? "battery"
                                                               : "capacitor";
  switch (status) {
    case BackupStatus::ok:
      return fmt::format("the {} is OK", name);
    case BackupStatus::recharging:
      return fmt::format("the {} is recharging", name);
    case BackupStatus::failed:
      return fmt::format("the {} has failed", name);
    case BackupStatus::absent:
      return fmt::format("there is no {}", name);
  }
  return {};
}

Maybe<Switch> array_setting(const Array* array, const LogicalDrive& drive) {
  if (array != nullptr && array->smart_path) return array->smart_path;
  return drive.smart_path.array_setting;
}

/// Why the write cache certainly does nothing for this drive; empty when no known fact says so.
std::string reason_for_none(const Controller& controller, const Array* array,
                            const LogicalDrive& drive) {
  const CacheModule& cache = controller.cache;
  if (cache.present == false) return "the controller has no cache module";
  if (controller.mode == ControllerMode::hba) return "the controller is in HBA mode";
  if (cache.status && *cache.status != CacheStatus::ok) {
    std::string out = fmt::format("the cache status is {}", words(*cache.status));
    if (cache.details) out += fmt::format(" ({})", *cache.details);
    if (drive.caching == Switch::enabled) {
      out += ", so the drive's own caching setting has no effect";
    }
    return out;
  }
  if (drive.caching == Switch::disabled) {
    const auto setting = array_setting(array, drive);
    if (setting == Switch::enabled) {
      return "caching is disabled on the logical drive, as its array uses SSD Smart Path";
    }
    if (setting == Switch::disabled) {
      return "caching is disabled on the logical drive, and SSD Smart Path is off too";
    }
    return "caching is disabled on the logical drive";
  }
  if (cache.ratio && cache.ratio->write == 0) {
    return fmt::format(
        "the cache ratio gives writes nothing ({}/{} read/write); reads may still hit",
        cache.ratio->read, cache.ratio->write);
  }
  const auto backup = backup_of(controller);
  if (backup && *backup != BackupStatus::ok && cache.no_battery_write_cache == false) {
    return backup_words(controller, *backup) + " and no-battery write cache is off";
  }
  return {};
}

std::string listed(const std::vector<std::string_view>& items) {
  std::string out;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out += i + 1 == items.size() ? " and " : ", ";
    out += items[i];
  }
  return out;
}

}  // namespace

WriteCacheVerdict effective_write_cache(const Controller& controller, const Array* array,
                                        const LogicalDrive& drive) {
  if (is_locked_up(controller)) {
    return {EffectiveWriteCache::unknown,
            "the controller has locked up: what was read of it may be of before"};
  }
  if (std::string reason = reason_for_none(controller, array, drive); !reason.empty()) {
    return {EffectiveWriteCache::none, std::move(reason)};
  }
  const CacheModule& cache = controller.cache;
  const auto backup = backup_of(controller);
  std::vector<std::string_view> missing;
  if (!cache.present) missing.push_back("the presence of a cache module");
  if (!cache.status) missing.push_back("the cache status");
  if (!drive.caching) missing.push_back("the drive's caching setting");
  if (!backup) missing.push_back("the state of battery or capacitor");
  if (backup && *backup != BackupStatus::ok && !cache.no_battery_write_cache) {
    missing.push_back("the no-battery write cache setting");
  }
  if (!missing.empty()) {
    return {EffectiveWriteCache::unknown, "not told: " + listed(missing)};
  }
  const std::string_view cached = "module present, status OK, caching enabled on the logical drive";
  if (*backup == BackupStatus::ok) {
    return {EffectiveWriteCache::protected_,
            fmt::format("{}, {}", cached, backup_words(controller, *backup))};
  }
  return {EffectiveWriteCache::volatile_,
          fmt::format("{}, but {} and no-battery write cache is on: a power failure loses writes",
                      cached, backup_words(controller, *backup))};
}

IoPath io_path(const Controller& controller, const Array* array, const LogicalDrive& drive,
               EffectiveWriteCache write_cache) {
  if (is_locked_up(controller)) return IoPath::unknown;
  // The firmware's own words on page 0xC2 stand in for a vendor tool that was not asked.
  auto setting = array_setting(array, drive);
  if (!setting && drive.smart_path.firmware_configured) {
    setting = *drive.smart_path.firmware_configured ? Switch::enabled : Switch::disabled;
  }
  Flag method;
  if (drive.acceleration) {
    method = *drive.acceleration == Acceleration::smart_path;
  } else {
    method = drive.smart_path.firmware_enabled;
  }
  const bool driver_off = drive.smart_path.driver_enabled == false ||
                          controller.smart_path.driver_enabled == false ||
                          controller.smart_path.driver_supports == false;
  if (setting == Switch::enabled && method == true) {
    return driver_off ? IoPath::neither : IoPath::smart_path;
  }
  if (write_cache == EffectiveWriteCache::protected_ ||
      write_cache == EffectiveWriteCache::volatile_) {
    return IoPath::cache;
  }
  if (write_cache == EffectiveWriteCache::unknown) return IoPath::unknown;
  // The driver uses Smart Path, and the words of the others would not let it.
  if (drive.smart_path.driver_enabled == true && !driver_off) return IoPath::unknown;
  // No write cache. It is "neither" only where Smart Path is known not to carry the I/O: caching
  // and Smart Path exclude each other on one drive.
  const bool smart_path_off = setting == Switch::disabled || method == false || driver_off ||
                              controller.smart_path.capable == false ||
                              controller.mode == ControllerMode::hba ||
                              drive.caching == Switch::enabled;
  return smart_path_off ? IoPath::neither : IoPath::unknown;
}

}  // namespace raidscope
