#include <cstdint>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "controllers/inventory/fingerprint.h"
#include "controllers/inventory/precedence.h"

namespace raidscope {
namespace {

constexpr std::int64_t kib = 1024, mib = 1024 * kib, gib = 1024 * mib;

std::string or_unknown(const Text& text) {
  return text ? *text : "?";
}

/// "512 MiB", "2 GiB", "1.8 GiB".
std::string binary_size(const Integer& bytes) {
  if (!bytes) return "?";
  if (*bytes < gib) return fmt::format("{} MiB", (*bytes + mib / 2) / mib);
  const std::string text =
      fmt::format("{:.1f}", static_cast<double>(*bytes) / static_cast<double>(gib));
  return (text.ends_with(".0") ? text.substr(0, text.size() - 2) : text) + " GiB";
}

std::string_view cache_kind(const CacheBackup& backup) {
  if (!backup.kind) return "cache";
  return *backup.kind == BackupKind::capacitor ? "FBWC" : "BBWC";
}

std::string cache_part(const CacheModule& cache) {
  if (cache.present == false) return "no cache module";
  if (!cache.present && !cache.status && !cache.size_bytes) return "cache ?";
  std::string status = cache.status ? std::string(to_name(*cache.status)) : "?";
  for (char& c : status) c = c == '_' ? ' ' : c;
  const std::string ratio =
      cache.ratio ? fmt::format("{}/{}", cache.ratio->read, cache.ratio->write) : "?/?";
  std::string out = fmt::format("{} {} {} {}", binary_size(cache.size_bytes),
                                cache_kind(cache.backup), status, ratio);
  if (cache.backup.status && *cache.backup.status != BackupStatus::ok) {
    out += fmt::format(", backup {}", to_name(*cache.backup.status));
  }
  if (cache.no_battery_write_cache == true) out += ", no-battery write cache on";
  return out;
}

std::string_view media_word(const Maybe<Media>& media) {
  if (!media) return "?";
  switch (*media) {
    case Media::ssd:
      return "SSD";
    case Media::hdd:
      return "HDD";
    case Media::mixed:
      return "mixed";
  }
  return "?";
}

std::string strip_word(const Integer& bytes) {
  if (!bytes) return "?";
  return *bytes % mib == 0 ? fmt::format("{}M", *bytes / mib) : fmt::format("{}K", *bytes / kib);
}

std::string_view on_off(const Maybe<Switch>& value) {
  if (!value) return "?";
  return *value == Switch::enabled ? "on" : "off";
}

std::string smart_path_part(const Controller& controller, const Array* array,
                            const LogicalDrive& drive) {
  Maybe<Switch> setting = drive.smart_path.array_setting;
  if (!setting && array != nullptr) setting = array->smart_path;
  if (!setting && controller.smart_path.capable == false) setting = Switch::disabled;
  const bool driver_off =
      drive.smart_path.driver_enabled == false || controller.smart_path.driver_enabled == false;
  return fmt::format("smart path {}{}", on_off(setting),
                     setting == Switch::enabled && driver_off ? " (driver off)" : "");
}

}  // namespace

std::string tag(const Controller& controller, const Array* array, const LogicalDrive* drive) {
  const Text& name = controller.model ? controller.model : controller.name;
  std::string out = fmt::format(
      "{} fw {} | {}", or_unknown(name),
      controller.firmware ? comparable_firmware(*controller.firmware) : std::string_view("?"),
      cache_part(controller.cache));
  if (drive == nullptr) return out;
  out += fmt::format(
      " | LD{} R{} {}×{} strip {}", drive->number ? std::to_string(*drive->number) : "?",
      or_unknown(drive->raid), drive->disk_count ? std::to_string(*drive->disk_count) : "?",
      media_word(array != nullptr ? array->media : std::nullopt), strip_word(drive->strip_bytes));
  out += fmt::format(" | cache {} ({}) | {}", on_off(drive->caching),
                     to_name(drive->effective_write_cache),
                     smart_path_part(controller, array, *drive));
  return out;
}

std::string tag(const BlockDevice& device) {
  std::string size = "?";
  if (device.size_bytes) {
    size = fmt::format("{:.1f} GB", static_cast<double>(*device.size_bytes) / 1e9);
  }
  const BlockSettings& block = device.block_device;
  return fmt::format("{} fw {} | {} {} {} | scheduler {} depth {} | write cache {}",
                     device.model ? *device.model : device.path, or_unknown(device.firmware),
                     or_unknown(device.transport), media_word(device.media), size,
                     or_unknown(block.scheduler),
                     block.queue_depth   ? std::to_string(*block.queue_depth)
                     : block.nr_requests ? std::to_string(*block.nr_requests)
                                         : "?",
                     to_name(device.effective_write_cache));
}

}  // namespace raidscope
