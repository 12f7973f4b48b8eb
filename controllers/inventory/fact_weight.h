#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <fmt/format.h>

#include "controllers/inventory/inventory.h"
#include "controllers/inventory/precedence.h"

/// What each field means to a measurement: the one list behind the fingerprint and the diff. The
/// same list for people is docs/fingerprint.md; a test compares them.
namespace raidscope {

enum class FactWeight : std::uint8_t {
  varies,       ///< changes by itself, or is identity, or a second form of another field
  information,  ///< worth telling in a diff; the same test gives the same result
  performance,  ///< part of the fingerprint
};

/// The fields of T that are not FactWeight::information, as words. For a field that is an object,
/// performance means that the object's own list decides.
template <class T>
struct FactWeights {
  static constexpr std::string_view performance = "", varies = "";
};

template <>
struct FactWeights<Driver> {
  static constexpr std::string_view performance = "name version", varies = "";
};
template <>
struct FactWeights<Ratio> {
  static constexpr std::string_view performance = "read write", varies = "";
};
template <>
struct FactWeights<CacheBackup> {
  static constexpr std::string_view performance = "status", varies = "status_text";
};
template <>
struct FactWeights<CacheModule> {
  static constexpr std::string_view
      performance =
          "present status size_bytes available_bytes ratio backup no_battery_write_cache "
          "write_bypass_threshold_bytes",
      varies =
          "status_text size_text size_exact available_text available_exact serial "
          "temperature_c capacitor_temperature_c";
};
template <>
struct FactWeights<ControllerSmartPath> {
  static constexpr std::string_view performance = "driver_supports driver_enabled", varies = "";
};
template <>
struct FactWeights<Controller> {
  static constexpr std::string_view
      performance = "model firmware driver mode status cache drive_write_cache smart_path settings",
      varies =
          "serial temperature_c fingerprint tag arrays logical_drives physical_drives "
          "unassigned_drives hba_drives enclosures ports sensors whole_block extra";
};
template <>
struct FactWeights<Array> {
  static constexpr std::string_view performance = "status interface media smart_path",
                                    varies =
                                        "letter unused_bytes logical_drives physical_drives extra";
};
template <>
struct FactWeights<LogicalDriveSmartPath> {
  static constexpr std::string_view
      performance = "array_setting firmware_configured firmware_enabled driver_enabled",
      varies = "bypass_count";
};
template <>
struct FactWeights<LogicalDrive> {
  static constexpr std::string_view
      performance =
          "status raid strip_bytes full_stripe_bytes caching acceleration smart_path "
          "parity_init disk_count block_device",
      varies =
          "number progress_pct size_text size_exact fingerprint tag unique_id device "
          "mount_points parity_progress_pct mirror_groups effective_write_cache_reason "
          "extra";
};
template <>
struct FactWeights<PhysicalDrive> {
  static constexpr std::string_view
      performance = "status role media interface rpm model firmware phy_rates_gbps phy_max_gbps",
      varies =
          "bay progress_pct size_text size_exact serial wwid temperature_c "
          "temperature_max_c wear_remaining_pct power_on_hours device mount_points extra";
};
template <>
struct FactWeights<Enclosure> {
  static constexpr std::string_view performance = "", varies = "name port box serial wwid extra";
};
template <>
struct FactWeights<BlockDevice> {
  static constexpr std::string_view performance = "model firmware transport media block_device",
                                    varies = "path serial wwid mount_points";
};
template <>
struct FactWeights<HostFacts> {
  static constexpr std::string_view performance = "", varies = "hostname";
};

/// Every field of these is part of the fingerprint.
template <class T>
inline constexpr bool all_performance =
    std::same_as<T, ControllerSettings> || std::same_as<T, BlockSettings>;

template <class T>
FactWeight weight_of(std::string_view field) {
  if constexpr (all_performance<T>) return FactWeight::performance;
  const auto in = [&](std::string_view words) {
    return (" " + std::string(words) + " ").find(" " + std::string(field) + " ") !=
           std::string::npos;
  };
  if (in(FactWeights<T>::performance)) return FactWeight::performance;
  return in(FactWeights<T>::varies) ? FactWeight::varies : FactWeight::information;
}

namespace facts {

template <class T>
concept HasFields = requires(T& t) {
  T::fields(t, [](const char*, auto&) {});
};

template <class T>
struct ValueOf {
  using type = T;
};
template <class U>
struct ValueOf<std::optional<U>> {
  using type = U;
};

/// The weights of T's fields in the order of fields(), looked up once.
template <class T>
const std::vector<FactWeight>& weights() {
  static const std::vector<FactWeight> list = [] {
    std::vector<FactWeight> out;
    const T sample{};
    T::fields(sample, [&](const char* name, const auto&) { out.push_back(weight_of<T>(name)); });
    return out;
  }();
  return list;
}

/// Calls leaf(path, value, weight) for every field that is no list of objects and does not vary;
/// `path` is dotted. An object that nobody told is visited with all its fields unknown.
template <class T, class F>
void visit(const T& object, std::string& path, FactWeight above, F&& leaf) {
  const std::vector<FactWeight>& weight = weights<T>();
  std::size_t i = 0;
  const std::size_t length = path.size();
  T::fields(object, [&](const char* name, const auto& member) {
    using Member = std::remove_cvref_t<decltype(member)>;
    using Inner = typename ValueOf<Member>::type;
    const FactWeight own = std::min(weight[i++], above);
    if (own == FactWeight::varies) return;
    path += name;
    if constexpr (HasFields<Inner>) {
      path += '.';
      if constexpr (std::same_as<Inner, Member>) {
        visit(member, path, own, leaf);
      } else {
        if (member) {
          visit(*member, path, own, leaf);
        } else {
          visit(Inner{}, path, own, [&](std::string_view field, const auto& value, FactWeight w) {
            using Value = typename ValueOf<std::remove_cvref_t<decltype(value)>>::type;
            leaf(field, std::optional<Value>{}, w);
          });
        }
      }
    } else {
      leaf(std::string_view(path), member, own);
    }
    path.resize(length);
  });
}

inline std::string text(const std::string& value) {
  return value;
}
inline std::string text(bool value) {
  return value ? "true" : "false";
}
template <std::integral T>
std::string text(T value) {
  return fmt::format("{}", value);
}
inline std::string text(double value) {
  return fmt::format("{}", value);
}
/// An unknown item of a list. "0" is what fingerprints have had for it from their first version on.
inline std::string text(const std::optional<double>& value) {
  return value ? text(*value) : "0";
}
template <NamedEnum T>
std::string text(T value) {
  return std::string(to_name(value));
}
template <class T>
std::string text(const std::vector<T>& list) {
  std::string out;
  for (const T& item : list) {
    if (!out.empty()) out += ", ";
    if constexpr (HasFields<T>) {
      out += '?';
    } else {
      out += text(item);
    }
  }
  return out;
}
inline std::string text(const std::map<std::string, std::string>& map) {
  std::string out;
  for (const auto& [key, value] : map)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", key, value);
  return out;
}
inline std::string text(const ExtraFields&) {
  return {};
}

/// The value as it is compared: firmware without "-0", cache sizes to a tenth of a GiB, for a tool
/// may print no more. nullopt: nobody told. An empty list is a list that nobody told.
template <class T>
std::optional<std::string> comparable(std::string_view path, const T& value) {
  if constexpr (!std::same_as<typename ValueOf<T>::type, T>) {
    if (!value) return std::nullopt;
    return comparable(path, *value);
  } else {
    if constexpr (requires { value.empty(); }) {
      if (value.empty()) return std::nullopt;
    }
    if constexpr (std::same_as<T, std::string>) {
      if (path == "firmware") return std::string(comparable_firmware(value));
    }
    if constexpr (std::same_as<T, std::int64_t>) {
      if (path.ends_with("size_bytes") || path == "cache.available_bytes") {
        constexpr double gib = 1024.0 * 1024 * 1024;
        return fmt::format("{:.1f} GiB", static_cast<double>(value) / gib);
      }
    }
    return text(value);
  }
}

}  // namespace facts
}  // namespace raidscope
