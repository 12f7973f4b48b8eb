#include <algorithm>
#include <set>

#include <fmt/format.h>

#include "reports/text.h"
#include "reports/text/layout.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope {
namespace {

constexpr std::size_t key_columns = 14;  // "  Learn more  " and its like

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

std::string keyed(std::string_view key, const std::string& text, const TextStyle& style,
                  Ink ink = Ink::plain) {
  return keyed_line(key, text, key_columns, style, ink);
}

Ink ink_of(EffectiveWriteCache value) {
  switch (value) {
    case EffectiveWriteCache::protected_:
      return Ink::good;
    case EffectiveWriteCache::volatile_:
      return Ink::bad;
    case EffectiveWriteCache::none:
      return Ink::warn;
    case EffectiveWriteCache::unknown:
      return Ink::dim;
  }
  return Ink::plain;
}

Ink ink_of(IoPath value) {
  switch (value) {
    case IoPath::cache:
    case IoPath::smart_path:
      return Ink::good;
    case IoPath::neither:
      return Ink::warn;
    case IoPath::unknown:
      return Ink::dim;
  }
  return Ink::plain;
}

bool has_source(const Inventory& inventory, std::string_view path) {
  return std::any_of(inventory.sources.begin(), inventory.sources.end(),
                     [&](const SourceInfo& source) { return source.path == path; });
}

std::string host_line(const Inventory& inventory) {
  const HostFacts& host = inventory.host;
  std::vector<std::string> parts;
  if (host.hostname) parts.push_back(*host.hostname);
  if (host.product) parts.push_back(*host.product);
  if (host.os) parts.push_back(*host.os);
  if (host.kernel) parts.push_back("kernel " + *host.kernel);
  if (host.cpu_model || host.cpus) {
    std::string cpu = host.cpus ? fmt::format("{} CPUs", *host.cpus) : "CPU count unknown";
    if (host.cpu_model) cpu += " " + *host.cpu_model;
    parts.push_back(cpu);
  }
  if (host.memory_bytes) parts.push_back(binary_bytes(host.memory_bytes) + " memory");
  if (host.hypervisor) {
    parts.push_back(*host.hypervisor == "unknown" ? "in a virtual machine"
                                                  : "in a guest of " + *host.hypervisor);
  }
  if (parts.empty()) {
    const auto host_source =
        std::find_if(inventory.sources.begin(), inventory.sources.end(),
                     [](const SourceInfo& source) { return source.path == "host"; });
    const bool looked = host_source != inventory.sources.end();
    parts.emplace_back(looked && host_source->status == "skipped" && host_source->detail
                           ? "Host unknown: " + *host_source->detail
                       : looked                        ? "Host unknown: the kernel did not tell"
                       : has_source(inventory, "file") ? "Host unknown: this input does not tell"
                       : inventory.sources.empty()     ? "Host unknown: nothing tells"
                                                       : "Host not asked");
  }
  if (inventory.taken_at) parts.push_back(*inventory.taken_at);
  return printable(joined(parts, " · "));
}

std::string drive_members(const DriveRef& ref) {
  std::string media;
  if (ref.array != nullptr) media = media_words(ref.array->media);
  if (!ref.drive->disk_count) return "disks unknown";  // their kind stands with the array
  const std::int64_t count = *ref.drive->disk_count;
  if (media.empty() || media == unknown_word) {
    return fmt::format("{} {}", count, count == 1 ? "disk" : "disks");
  }
  return fmt::format("{} {}", count, media);
}

std::vector<Cell> drive_row(const DriveRef& ref, bool several_controllers) {
  const LogicalDrive& drive = *ref.drive;
  std::string name = drive.number ? fmt::format("LD {}", *drive.number) : "LD unknown";
  if (several_controllers) {
    name = "slot " + text_or_unknown(ref.controller->slot) + " " + name;
  }
  const std::string size = drive.size_bytes  ? binary_bytes(drive.size_bytes)
                           : drive.size_text ? *drive.size_text
                                             : "size unknown";
  const bool untold = !drive.raid && drive.raid_candidates.empty() && !drive.disk_count;
  const std::string shape =
      untold ? "RAID and disks unknown" : raid_words(drive) + ", " + drive_members(ref);
  return {
      {name, Ink::strong},
      {printable(drive_place(drive))},
      {printable(shape + ", " + size)},
      {"write cache: " + write_cache_words(drive.effective_write_cache),
       ink_of(drive.effective_write_cache)},
      {"path: " + io_path_words(drive.io_path), ink_of(drive.io_path)},
  };
}

// One word where all that is known agrees; else who says what.
std::string smart_path_words(const DriveRef& ref) {
  const LogicalDriveSmartPath& path = ref.drive->smart_path;
  const Maybe<Switch> array = path.array_setting     ? path.array_setting
                              : ref.array != nullptr ? ref.array->smart_path
                                                     : Maybe<Switch>{};
  std::vector<std::pair<std::string, bool>> told;
  if (array) told.emplace_back("array", *array == Switch::enabled);
  if (path.firmware_configured) told.emplace_back("firmware configured", *path.firmware_configured);
  if (path.firmware_enabled) told.emplace_back("firmware enabled", *path.firmware_enabled);
  if (path.driver_enabled) told.emplace_back("driver", *path.driver_enabled);
  std::string out = "Smart Path ";
  if (told.empty()) {
    out += unknown_word;
  } else if (std::all_of(told.begin(), told.end(),
                         [&](const auto& one) { return one.second == told.front().second; })) {
    out += told.front().second ? "on" : "off";
  } else {
    std::vector<std::string> parts;
    for (const auto& [who, on] : told) parts.push_back(who + (on ? " on" : " off"));
    out += "mixed: " + joined(parts, ", ");
  }
  if (path.bypass_count) {
    out += fmt::format(
        ", {} requests bypassed so far",
        grouped_count(static_cast<std::uint64_t>(std::max<std::int64_t>(0, *path.bypass_count))));
  }
  return out;
}

std::string drive_detail(const DriveRef& ref) {
  const LogicalDrive& drive = *ref.drive;
  std::vector<std::string> parts;
  if (drive.status && *drive.status != "OK") {
    std::string status = "status " + *drive.status;
    if (drive.progress_pct) status += " " + percent(drive.progress_pct);
    parts.push_back(status);
  }
  if (drive.parity_init && *drive.parity_init != ParityInit::complete) {
    std::string parity = "parity " + std::string(to_name(*drive.parity_init));
    std::replace(parity.begin(), parity.end(), '_', ' ');
    if (drive.parity_progress_pct) parity += " " + percent(drive.parity_progress_pct);
    parts.push_back(parity);
  }
  parts.push_back(drive.effective_write_cache_reason.empty() ? "no reason told"
                                                             : drive.effective_write_cache_reason);
  parts.push_back(smart_path_words(ref));
  parts.push_back("strip " + binary_bytes(drive.strip_bytes));
  if (!drive.mount_points.empty()) parts.push_back("on " + joined(drive.mount_points, ", "));
  return printable(joined(parts, "; "));
}

std::string verdicts(const Inventory& inventory, const TextStyle& style) {
  const std::vector<DriveRef> drives = all_logical_drives(inventory);
  if (drives.empty()) return {};
  std::vector<std::vector<Cell>> rows;
  for (const DriveRef& ref : drives)
    rows.push_back(drive_row(ref, inventory.controllers.size() > 1));
  const std::vector<std::string> lines = split_lines(
      table_text({{""}, {"", false, 10}, {"", false, 24}, {""}, {""}}, rows, style, false));
  // What is the same of several drives in a row is said once, below the last of them.
  std::string out;
  std::size_t same = 1;
  for (std::size_t i = 0; i < drives.size(); ++i) {
    out += lines[i] + "\n";
    std::string detail = drive_detail(drives[i]);
    if (i + 1 < drives.size() && detail == drive_detail(drives[i + 1])) {
      ++same;
      continue;
    }
    if (same > 1) detail = (same == 2 ? "both: " : "each: ") + detail;
    same = 1;
    for (const std::string& line : split_lines(wrapped(detail, usable_width(style) - 6, 0))) {
      out += "      " + paint(line, Ink::dim, style) + "\n";
    }
  }
  return out + "\n";
}

std::string controller_heading(const Controller& controller, const TextStyle& style) {
  std::string name = controller.name    ? *controller.name
                     : controller.model ? "Smart Array " + *controller.model
                                        : "Controller, model unknown";
  name += controller.slot ? " in slot " + *controller.slot : ", slot unknown";
  if (controller.embedded == true) name += " (embedded)";
  std::vector<std::string> parts;
  if (is_locked_up(controller)) parts.emplace_back("LOCKED UP");
  parts.push_back("status " + text_or_unknown(controller.status));
  parts.push_back("firmware " + text_or_unknown(controller.firmware));
  if (controller.driver.name || controller.driver.version) {
    parts.push_back("driver " + text_or_unknown(controller.driver.name) +
                    (controller.driver.version ? " " + *controller.driver.version : ""));
  } else {
    parts.push_back("driver " + std::string(unknown_word));
  }
  parts.push_back("mode " +
                  (controller.mode ? std::string(to_name(*controller.mode)) : unknown_word));
  if (controller.generation) parts.push_back(*controller.generation);
  const std::string rest = printable(joined(parts, ", "));
  const std::string title = printable(name);
  std::string out = paint(title, Ink::strong, style);
  if (display_width(title) + 2 + display_width(rest) <= usable_width(style))
    return out + "  " + rest + "\n";
  out += "\n";
  for (const std::string& line : split_lines(wrapped(rest, usable_width(style) - 2, 0)))
    out += "  " + line + "\n";
  return out;
}

std::string group_words(const AlikeDrives& group) {
  std::string out = fmt::format("{} × {}; {}", group.count, group.what, group.status);
  if (!group.bays.empty()) out += "; " + group.bays;
  return out;
}

std::string drive_lines(std::string_view key, const std::vector<PhysicalDrive>& drives,
                        const TextStyle& style) {
  std::string out;
  for (const AlikeDrives& group : group_drives(drives)) {
    out += keyed(key, group_words(group), style, group.healthy ? Ink::plain : Ink::warn);
    key = "";
  }
  return out;
}

std::string array_lines(const Array& array, const TextStyle& style) {
  std::vector<std::string> parts;
  parts.push_back(media_words(array.media) == unknown_word ? "media unknown"
                                                           : media_words(array.media));
  if (array.interface) parts.back() = std::string(to_name(*array.interface)) + " " + parts.back();
  parts.push_back("Smart Path " + switch_words(array.smart_path));
  parts.push_back("status " + text_or_unknown(array.status));
  if (array.unused_bytes) parts.push_back(binary_bytes(array.unused_bytes) + " unused");
  const std::string key = "Array " + text_or_unknown(array.letter);
  const std::vector<AlikeDrives> groups = group_drives(array.physical_drives);
  std::string first = joined(parts, ", ");
  if (groups.empty()) return keyed(key, first + ", drives unknown", style);
  std::string out = keyed(key, first, style);
  for (const AlikeDrives& group : groups) {
    out += keyed("", group_words(group), style, group.healthy ? Ink::plain : Ink::warn);
  }
  return out;
}

Ink cache_ink(const CacheModule& cache) {
  if (cache.status && *cache.status != CacheStatus::ok) return Ink::warn;
  if (cache.backup.status && *cache.backup.status != BackupStatus::ok) return Ink::warn;
  return Ink::plain;
}

std::string controller_lines(const Controller& controller, const TextStyle& style) {
  std::string out = controller_heading(controller, style);
  out += keyed("Cache", cache_words(controller.cache), style, cache_ink(controller.cache));
  std::vector<std::string> switches;
  switches.push_back("drives' own write cache " +
                     (controller.drive_write_cache
                          ? std::string(to_name(*controller.drive_write_cache))
                          : unknown_word));
  switches.push_back("Smart Path: " + controller_smart_path_words(controller.smart_path));
  out += keyed("Switches", joined(switches, "; "), style);
  for (const Array& array : controller.arrays) out += array_lines(array, style);
  out += drive_lines("Drives", controller.physical_drives, style);
  out += drive_lines("Unassigned", controller.unassigned_drives, style);
  out += drive_lines("HBA drives", controller.hba_drives, style);
  for (const std::string& warning : controller.warnings)
    out += keyed("It warns", warning, style, Ink::warn);
  return out;
}

std::string block_devices(const Inventory& inventory, const TextStyle& style) {
  if (inventory.block_devices.empty()) return {};
  std::vector<std::vector<Cell>> rows;
  for (const BlockDevice& device : inventory.block_devices) {
    rows.push_back({
        {printable(device.path), Ink::strong},
        {printable(text_or_unknown(device.model))},
        {printable(text_or_unknown(device.firmware))},
        {printable(text_or_unknown(device.transport))},
        {media_words(device.media)},
        {decimal_bytes(device.size_bytes)},
        {write_cache_words(device.effective_write_cache), ink_of(device.effective_write_cache)},
        {printable(text_or_unknown(device.block_device.scheduler))},
        {printable(device.mount_points.empty() ? "none" : joined(device.mount_points, ", "))},
    });
  }
  return table_text({{"Device"},
                     {"Model", false, 18},
                     {"Firmware", false, 8},
                     {"Link"},
                     {"Media"},
                     {"Size", true},
                     {"Write cache"},
                     {"Scheduler", false, 9},
                     {"Mounts", false, 10}},
                    rows, style) +
         "\n";
}

std::string default_detail(const SourceInfo& source) {
  if (source.path == "ssacli")
    return "no vendor tool answered; raidscope doctor says how to get one";
  if (source.status == "skipped") return "not asked for";
  return "raidscope doctor says more";
}

std::string what_was_not_asked(const Inventory& inventory, const TextStyle& style) {
  std::string out;
  std::vector<std::string> skipped;
  for (const SourceInfo& source : inventory.sources) {
    if (source.status == "ok") continue;
    const std::string detail =
        source.detail && !source.detail->empty() ? *source.detail : default_detail(source);
    if (source.status == "skipped") {
      skipped.push_back(source.path + " (" + detail + ")");
      continue;
    }
    out += keyed(out.empty() ? "Not asked" : "", source.path + " " + source.status + ": " + detail,
                 style, Ink::warn);
  }
  if (!skipped.empty()) {
    out += keyed(out.empty() ? "Not asked" : "", joined(skipped, "; "), style, Ink::dim);
  }
  for (const Disagreement& disagreement : inventory.disagreements) {
    out += keyed("Disagree", disagreement_words(disagreement), style,
                 disagreement.settled ? Ink::dim : Ink::warn);
  }
  const bool from_text = has_source(inventory, "file");
  const bool cache_untold =
      std::any_of(inventory.controllers.begin(), inventory.controllers.end(),
                  [](const Controller& one) { return !one.cache.present && !one.cache.status; });
  if (from_text && cache_untold) {
    out +=
        keyed("Learn more",
              "this text does not tell the cache: ssacli ctrl all show config detail does", style);
  }
  constexpr std::size_t most_notes = 3;  // the rest is in the JSON document
  for (std::size_t i = 0; i < inventory.notes.size() && i < most_notes; ++i) {
    const NoteLine& note = inventory.notes[i];
    out += keyed(i == 0 ? "Notes" : "",
                 note.line > 0 ? fmt::format("line {}: {}", note.line, note.text) : note.text,
                 style, Ink::dim);
  }
  if (inventory.notes.size() > most_notes) {
    out += keyed("",
                 fmt::format("and {} more: see --format json", inventory.notes.size() - most_notes),
                 style, Ink::dim);
  }
  return out;
}

}  // namespace

std::string inventory_text(const Inventory& inventory, const TextStyle& style) {
  std::string out = wrapped(host_line(inventory), usable_width(style), 0) + "\n\n";
  out += verdicts(inventory, style);
  for (const Controller& controller : inventory.controllers) {
    out += controller_lines(controller, style) + "\n";
  }
  if (inventory.controllers.empty()) {
    const std::string headline = no_controller_words(inventory);
    for (const std::string& line : split_lines(wrapped(headline, usable_width(style), 0)))
      out += paint(line, Ink::strong, style) + "\n";
    out += "\n";
  }
  out += block_devices(inventory, style);
  if (inventory.controllers.empty() && inventory.block_devices.empty()) {
    out += "No disks are known either.\n\n";
  }
  out += what_was_not_asked(inventory, style);
  while (out.size() > 1 && out[out.size() - 1] == '\n' && out[out.size() - 2] == '\n')
    out.pop_back();
  return out;
}

}  // namespace raidscope
