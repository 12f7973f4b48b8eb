#include "reports/analysis/run_settings.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <span>

#include <fmt/format.h>

#include "controllers/inventory/fact_weight.h"
#include "controllers/rules/readings.h"
#include "reports/words.h"
#include "workloads/derived.h"

namespace raidscope {
namespace {

constexpr std::string_view disabled_word = "disabled";
constexpr std::string_view enabled_word = "enabled";

template <class T>
struct IsObjectList : std::false_type {};
template <class T>
struct IsObjectList<std::vector<T>> : std::bool_constant<facts::HasFields<T>> {};

/// Collects keys. Objects that nobody told are walked all the same, with every value unknown, so
/// that all runs have the same keys.
class Collector {
 public:
  explicit Collector(RunSettings& out) : out_(out) {}

  void add(std::string key, std::optional<std::string> value, SettingKind kind, bool matters) {
    out_.push_back({std::move(key), std::move(value), kind, matters, false, false});
  }

  /// `prefix` stands in front of the key alone; the names inside `renamed` get it, or all.
  template <class T>
  void inventory_object(const T* object, std::string_view prefix,
                        std::span<const std::string_view> only = {}) {
    prefix_ = prefix;
    only_ = only;
    const T unknown{};
    walk(object != nullptr ? *object : unknown, "", FactWeight::performance, object != nullptr);
  }

 private:
  template <class T>
  void walk(const T& object, const std::string& path, FactWeight above, bool known) {
    const std::vector<FactWeight>& weights = facts::weights<T>();
    std::size_t i = 0;
    T::fields(object, [&](const char* name, const auto& member) {
      using Member = std::remove_cvref_t<decltype(member)>;
      using Inner = typename facts::ValueOf<Member>::type;
      const FactWeight weight = std::min(weights[i++], above);
      const std::string at = path + name;
      if constexpr (std::same_as<Inner, Ratio>) {
        leaf(at,
             known && member ? std::optional(fmt::format("{}/{}", member->read, member->write))
                             : std::nullopt,
             weight);
      } else if constexpr (std::same_as<Inner, ExtraFields> || IsObjectList<Inner>::value) {
        // Not one value: drives and arrays have keys of their own.
      } else if constexpr (facts::HasFields<Inner>) {
        if constexpr (std::same_as<Inner, Member>) {
          walk(member, at + ".", weight, known);
        } else {
          const Inner unknown{};
          walk(member ? *member : unknown, at + ".", weight, known && member.has_value());
        }
      } else {
        leaf(at, known ? facts::comparable(at, member) : std::nullopt, weight);
      }
    });
  }

  void leaf(const std::string& path, std::optional<std::string> value, FactWeight weight) {
    const bool prefixed =
        only_.empty() || std::any_of(only_.begin(), only_.end(), [&](std::string_view name) {
          return path == name || path.starts_with(std::string(name) + ".");
        });
    add(prefixed ? std::string(prefix_) + path : path, std::move(value), SettingKind::inventory,
        weight == FactWeight::performance);
  }

  RunSettings& out_;
  std::string_view prefix_;
  std::span<const std::string_view> only_;
};

std::string yes_no(bool value) {
  return value ? "true" : "false";
}

/// A list of objects with fields as one text: "4096:70:67:100:0, …".
template <class T>
std::string list_text(const std::vector<T>& list) {
  std::string out;
  for (const T& item : list) {
    out += out.empty() ? "" : ", ";
    bool first = true;
    T::fields(item, [&](const char*, const auto& member) {
      fmt::format_to(std::back_inserter(out), "{}{}", first ? "" : ":", facts::text(member));
      first = false;
    });
  }
  return out.empty() ? "none" : out;
}

/// The workload's own fields, with those that cannot matter at their defaults.
void add_workload(const RunResult& run, Collector& collector) {
  constexpr std::string_view words_only[] = {"schema", "name",   "targets",
                                             "seed",   "source", "warnings"};
  // A published result has 0 for what its author did not tell.
  constexpr std::string_view may_be_untold[] = {
      "block_bytes",       "workers",    "queue_depth_per_worker",
      "outstanding_total", "duration_s", "ramp_s"};
  const bool published = run.origin == Origin::published;
  const Workload workload = canonical(run.workload);
  Workload::fields(workload, [&](const char* name, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    const std::string_view key = name;
    const bool matters =
        std::find(std::begin(words_only), std::end(words_only), key) == std::end(words_only);
    if (key == "area_bytes") {
      std::optional<std::string> area;
      if (workload.area_bytes != 0) {
        area = fmt::format("{}", workload.area_bytes);
      } else if (run.target.size_bytes) {
        area = fmt::format("{}", *run.target.size_bytes);
      }
      collector.add(std::string(key), std::move(area), SettingKind::workload, true);
      return;
    }
    const std::string full = matters ? std::string(key) : "workload." + std::string(key);
    if constexpr (IsObjectList<Member>::value) {
      collector.add(full, list_text(member), SettingKind::workload, matters);
    } else {
      std::optional<std::string> value = facts::text(member);
      if (published && value == "0" &&
          std::find(std::begin(may_be_untold), std::end(may_be_untold), key) !=
              std::end(may_be_untold)) {
        value.reset();
      }
      collector.add(full, std::move(value), SettingKind::workload, matters);
    }
  });
}

/// What the data drives of a logical drive have in common; null where one of them did not tell.
template <class F>
std::optional<std::string> of_drives(const std::vector<const PhysicalDrive*>& drives, F&& value) {
  std::set<std::string> seen;
  for (const PhysicalDrive* drive : drives) {
    const std::optional<std::string> one = value(*drive);
    if (!one) return std::nullopt;
    seen.insert(*one);
  }
  if (seen.empty()) return std::nullopt;
  return fmt::format("{}", fmt::join(seen, ", "));
}

std::vector<const PhysicalDrive*> data_drives(const DriveRef& at) {
  std::vector<const PhysicalDrive*> out;
  if (at.controller == nullptr) return out;
  const auto& list =
      at.array != nullptr ? at.array->physical_drives : at.controller->physical_drives;
  const auto& named = at.drive != nullptr ? at.drive->member_drives : std::vector<std::string>{};
  for (const PhysicalDrive& drive : list) {
    if (drive.role == DriveRole::spare || drive.role == DriveRole::unassigned) continue;
    if (at.array == nullptr && !named.empty() &&
        (!drive.bay || std::find(named.begin(), named.end(), *drive.bay) == named.end())) {
      continue;
    }
    out.push_back(&drive);
  }
  return out;
}

void add_drives(const DriveRef& at, Collector& collector) {
  const std::vector<const PhysicalDrive*> drives = data_drives(at);
  const auto add = [&](const char* key, bool matters, auto&& member) {
    collector.add(std::string("drives.") + key,
                  of_drives(drives,
                            [&](const PhysicalDrive& drive) {
                              return facts::comparable(key, member(drive));
                            }),
                  SettingKind::inventory, matters);
  };
  add("model", true, [](const PhysicalDrive& d) { return d.model; });
  add("firmware", true, [](const PhysicalDrive& d) { return d.firmware; });
  add("media", true, [](const PhysicalDrive& d) { return d.media; });
  add("interface", true, [](const PhysicalDrive& d) { return d.interface; });
  add("rpm", true, [](const PhysicalDrive& d) { return d.rpm; });
  add("phy_rates_gbps", true, [](const PhysicalDrive& d) { return d.phy_rates_gbps; });
  add("status", true, [](const PhysicalDrive& d) { return d.status; });
  add("size", false, [](const PhysicalDrive& d) { return d.size_bytes; });
}

const BlockDevice* plain_disk(const RunResult& run, const Inventory& inventory) {
  for (auto entry = run.target.device_chain.rbegin(); entry != run.target.device_chain.rend();
       ++entry) {
    for (const BlockDevice& device : inventory.block_devices) {
      if (*entry == device.path || entry->starts_with(device.path + " ")) return &device;
    }
  }
  return nullptr;
}

/// The only controller that the run can have been measured on, where its drive is not told.
const Controller* controller_of(const RunResult& run, const Inventory& inventory) {
  if (!run.target.controller) return nullptr;
  for (const Controller& controller : inventory.controllers) {
    if (controller.slot == run.target.controller || controller.pci_address == run.target.controller)
      return &controller;
  }
  return nullptr;
}

RunSetting* find(RunSettings& settings, std::string_view key) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const RunSetting& s) { return s.key == key; });
  return found == settings.end() ? nullptr : &*found;
}

void need(RunSettings& settings, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    if (RunSetting* setting = find(settings, key)) setting->needed = true;
  }
}

/// What a comparison cannot do without. A cache that is not there has no settings.
void mark_needed(RunSettings& settings, const DriveRef& at, const BlockDevice* disk) {
  if (disk != nullptr) return need(settings, {"disk.model", "disk.media"});
  need(settings, {"model", "firmware", "driver.version", "raid", "strip_bytes", "disk_count",
                  "drives.model", "smart_path", "cache.present"});
  if (at.controller != nullptr && !has_cache_to_ask(*at.controller)) return;
  need(settings, {"caching", "cache.status", "cache.size_bytes", "cache.ratio",
                  "cache.backup.status", "drive_write_cache"});
}

std::string normal(std::string_view word) {
  std::string out;
  for (const char c : word)
    out +=
        c == '-' || c == ' ' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

constexpr std::pair<std::string_view, std::string_view> other_names[] = {
    {"queue_depth", "queue_depth_per_worker"},
    {"block_size", "block_bytes"},
    {"size", "area_bytes"},
    {"time", "duration_s"},
    {"duration", "duration_s"},
    {"ramp", "ramp_s"},
    {"outstanding", "outstanding_total"},
    {"raid_level", "raid"},
    {"strip", "strip_bytes"},
    {"strip_size", "strip_bytes"},
    {"ratio", "cache.ratio"},
    {"cache_ratio", "cache.ratio"},
    {"cache_size", "cache.size_bytes"},
    {"accelerator", "acceleration"},
    {"disks", "disk_count"},
    {"drives", "disk_count"},
    {"arm", "io_path"},
    {"session", "session_id"},
    {"run", "run_id"},
    {"controller", "model"},
    {"logical_drive", "logical_drive.number"},
};

constexpr std::string_view derived_keys[] = {"io_path",
                                             "effective_write_cache",
                                             "effective_write_cache_reason",
                                             "full_stripe_bytes",
                                             "outstanding_total",
                                             "fingerprint",
                                             "tag"};

bool one_of(std::string_view key, std::initializer_list<std::string_view> keys) {
  return std::any_of(keys.begin(), keys.end(), [&](std::string_view one) {
    return key == one ||
           (key.starts_with(one) && key.size() > one.size() && key[one.size()] == '.');
  });
}

}  // namespace

const Inventory* inventory_of(const RunResult& run,
                              const std::map<std::string, Inventory>& stored) {
  if (!run.inventory_before) return nullptr;
  const auto found = stored.find(run.inventory_before->snapshot);
  return found == stored.end() ? nullptr : &found->second;
}

RunSettings run_settings(const RunResult& run, const Inventory* inventory) {
  RunSettings out;
  out.reserve(256);
  Collector collector(out);
  add_workload(run, collector);
  collector.add("engine", run.engine.name.empty() ? std::nullopt : std::optional(run.engine.name),
                SettingKind::engine, true);
  collector.add("engine.version", run.engine.version, SettingKind::engine, false);
  collector.add("engine.direct", yes_no(run.engine.direct), SettingKind::engine, true);
  collector.add("target.kind",
                run.target.kind.empty() ? std::nullopt : std::optional(run.target.kind),
                SettingKind::workload, true);
  collector.add("origin", std::string(to_name(run.origin)), SettingKind::origin, false);
  for (const auto& [key, value] :
       {std::pair{"run_id", run.run_id}, std::pair{"session_id", run.session_id},
        std::pair{"name", run.name}, std::pair{"target", run.target.path}}) {
    collector.add(key, value, SettingKind::identity, false);
  }
  const auto reference = [&](const char* key, const std::string SnapshotRef::*member) {
    const bool known = run.inventory_before && !((*run.inventory_before).*member).empty();
    collector.add(key, known ? std::optional((*run.inventory_before).*member) : std::nullopt,
                  SettingKind::inventory, false);
  };
  reference("fingerprint", &SnapshotRef::fingerprint);
  reference("tag", &SnapshotRef::tag);

  DriveRef at;
  const BlockDevice* disk = nullptr;
  if (inventory != nullptr) {
    at = target_drive(run, *inventory);
    if (at.controller == nullptr) at.controller = controller_of(run, *inventory);
    if (at.controller == nullptr) disk = plain_disk(run, *inventory);
  }
  std::optional<std::string> behind;
  if (at.controller != nullptr) behind = "a controller";
  if (disk != nullptr) behind = "no controller";
  collector.add("behind", std::move(behind), SettingKind::inventory, true);
  Flag smart_path;
  if (at.controller != nullptr) smart_path = smart_path_on(*at.controller, at.array, at.drive);
  collector.add("smart_path",
                smart_path ? std::optional<std::string>(*smart_path ? enabled_word : disabled_word)
                           : std::nullopt,
                SettingKind::inventory, true);

  // Names that an object shares with another one get its name in front.
  constexpr std::string_view of_controller[] = {"name",        "status", "smart_path",
                                                "fingerprint", "tag",    "warnings"};
  constexpr std::string_view of_drive[] = {"status", "number", "fingerprint", "tag"};
  collector.inventory_object(at.controller, "controller.", of_controller);
  collector.inventory_object(at.array, "array.");
  collector.inventory_object(at.drive, "logical_drive.", of_drive);
  add_drives(at, collector);
  collector.inventory_object(disk, "disk.");
  collector.inventory_object(inventory != nullptr ? &inventory->host : nullptr, "host.");

  if (at.controller != nullptr && at.controller->driver.name && !at.controller->driver.version) {
    const auto& versions = inventory->host.driver_versions;
    const auto found = versions.find(*at.controller->driver.name);
    if (found != versions.end()) find(out, "driver.version")->value = found->second;
  }
  // Kept as enumerations that always have a value.
  for (const char* key : {"io_path", "effective_write_cache", "disk.effective_write_cache"}) {
    RunSetting* setting = find(out, key);
    if (setting != nullptr && setting->value == "unknown") setting->value.reset();
  }
  for (RunSetting& setting : out) {
    setting.derived = std::find(std::begin(derived_keys), std::end(derived_keys), setting.key) !=
                      std::end(derived_keys);
    if (setting.key == "io_path" || setting.key == "effective_write_cache") setting.matters = true;
  }
  mark_needed(out, at, disk);
  return out;
}

std::optional<std::string> setting_value(const RunSettings& settings, std::string_view key) {
  const auto found = std::find_if(settings.begin(), settings.end(),
                                  [&](const RunSetting& s) { return s.key == key; });
  return found == settings.end() ? std::nullopt : found->value;
}

Result<std::string> setting_key(std::string_view word) {
  const RunSettings keys = run_settings({}, nullptr);
  const auto known = [&](std::string_view key) {
    return std::any_of(keys.begin(), keys.end(), [&](const RunSetting& s) { return s.key == key; });
  };
  std::string wanted = normal(word);
  if (known(wanted)) return wanted;
  for (const auto& [other, key] : other_names) {
    if (wanted == other) return std::string(key);
  }
  for (const std::string_view object :
       {"workload.", "logical_drive.", "controller.", "inventory.", "latest."}) {
    if (wanted.starts_with(object) && known(wanted.substr(object.size())))
      return wanted.substr(object.size());
  }
  std::vector<std::string> near;
  for (const RunSetting& setting : keys) {
    if (setting.key.ends_with("." + wanted)) return setting.key;
    if (wanted.size() >= 3 && setting.key.find(wanted) != std::string::npos && near.size() < 6)
      near.push_back(setting.key);
  }
  return fail(Errc::usage, fmt::format("no setting \"{}\"", word), {},
              near.empty() ? "take a field of the inventory or the workload, as smart_path, "
                             "disk_count, cache.ratio, block_bytes or fingerprint"
                           : fmt::format("did you mean {}?", fmt::join(near, ", ")));
}

bool covered_by(std::string_view key, SettingKind kind, std::string_view factor) {
  if (one_of(key, {factor})) return true;
  const bool inventory = kind == SettingKind::inventory;
  if (one_of(factor, {"fingerprint", "tag"})) return inventory;
  if (one_of(factor, {"run_id", "session_id", "name", "target", "workload.targets"})) return false;
  if (factor == "workload.name") return false;
  if (one_of(factor, {"smart_path", "io_path", "acceleration", "array.smart_path"})) {
    // Smart Path and caching exclude each other, and a drive with a RAID map has another queue.
    return inventory &&
           one_of(key, {"smart_path", "array.smart_path", "acceleration", "caching",
                        "controller.smart_path.driver_enabled", "block_device.queue_depth",
                        "block_device.nr_requests", "block_device.write_cache"});
  }
  if (factor == "caching") return one_of(key, {"acceleration", "block_device.write_cache"});
  if (factor == "disk_count") {
    return one_of(key, {"full_stripe_bytes", "block_device.queue_depth", "size_bytes"});
  }
  if (factor == "cache.size_bytes") return key == "cache.available_bytes";
  if (one_of(factor, {"drives.model", "drives.media"})) {
    return one_of(key, {"drives.model", "drives.firmware", "drives.media", "drives.interface",
                        "drives.rpm", "drives.phy_rates_gbps", "drives.size", "array.media",
                        "array.interface", "block_device.rotational"});
  }
  if (factor == "disk.model") return one_of(key, {"disk"});
  if (factor == "behind") return inventory;
  if (one_of(factor, {"workers", "queue_depth_per_worker"})) return key == "outstanding_total";
  if (factor == "outstanding_total") return one_of(key, {"workers", "queue_depth_per_worker"});
  if (factor == "block_bytes") return key == "alignment_bytes";
  if (factor == "pattern") return one_of(key, {"cursor", "spread", "alignment_bytes"});
  if (factor == "read_percent") return key == "sync";
  if (factor == "mix") return one_of(key, {"block_bytes", "read_percent", "pattern"});
  return false;
}

}  // namespace raidscope
