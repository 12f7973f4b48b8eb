#include "probe/sources/vendor/key_facts.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include "probe/base/text.h"
#include "probe/sources/vendor/vendor_values.h"

namespace raidscope::vendor {

using namespace raidscope::text;

namespace {

constexpr auto C = EntityKind::controller;
constexpr auto A = EntityKind::array;
constexpr auto L = EntityKind::logical_drive;
constexpr auto D = EntityKind::physical_drive;

using Told = FactBuilder::Told;

bool one_of(std::string_view value, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), value) != words.end();
}

/// Words that are never the beginning of a longer value.
bool is_closed_setting(std::string_view value) {
  return one_of(value, {"Enabled", "Disabled", "Default", "Automatic", "True", "False", "Yes",
                        "Low", "High", "Idle", "OK", "Detected"});
}

bool is_closed_status(std::string_view value) {
  return one_of(value, {"OK", "Interim Recovery Mode", "Ready for Rebuild", "Predictive Failure",
                        "Failed Physical Drive", "Redundant", "Not Redundant"});
}

std::optional<bool> truth(std::string_view value) {
  if (iequals(value, "True") || iequals(value, "Yes")) return true;
  if (iequals(value, "False") || iequals(value, "No")) return false;
  return std::nullopt;
}

std::optional<bool> switched(std::string_view value) {
  if (iequals(value, "Enabled") || iequals(value, "Enable")) return true;
  if (iequals(value, "Disabled") || iequals(value, "Disable")) return false;
  return std::nullopt;
}

std::string_view mode_word(std::string_view value) {
  if (value.size() > 5 && value.ends_with(" Mode")) value.remove_suffix(5);
  if (iequals(value, "RAID")) return "raid";
  if (iequals(value, "HBA")) return "hba";
  if (iequals(value, "Mixed")) return "mixed";
  return {};
}

std::string_view cache_status_word(std::string_view value) {
  const std::string_view words = status_words(value).words;
  if (iequals(words, "OK")) return "ok";
  if (iequals(words, "Not Configured")) return "not_configured";
  if (iequals(words, "Temporarily Disabled")) return "temporarily_disabled";
  if (iequals(words, "Permanently Disabled")) return "permanently_disabled";
  return {};
}

std::string_view backup_status_word(std::string_view value) {
  if (iequals(value, "OK")) return "ok";
  if (value.starts_with("Recharging") || value.starts_with("Charging")) return "recharging";
  if (value.starts_with("Failed")) return "failed";
  if (iequals(value, "Not Present") || iequals(value, "Absent")) return "absent";
  return {};
}

std::string_view acceleration_word(std::string_view value) {
  if (iequals(value, "Controller Cache")) return "controller_cache";
  if (iequals(value, "All disabled")) return "none";
  if (value.ends_with("Smart Path") || value.ends_with("I/O Bypass")) return "smart_path";
  return {};
}

std::string_view role_word(std::string_view value) {
  if (contains(value, "Spare")) return "spare";
  if (value == "Data" || value == "Data Drive") return "data";
  if (value.starts_with("Unassigned")) return "unassigned";
  if (value.starts_with("HBA")) return "hba";
  return {};
}

std::uint8_t role_attribute() {
  return attribute_index(D, "role");
}

/// "SAS" in an array may be discs or not; only words that say so tell the media.
bool tell_interface(FactBuilder& out, EntityId entity, EntityKind kind, std::string_view value,
                    std::uint32_t line) {
  const InterfaceWords words = interface_words(value);
  if (words.interface.empty()) return false;
  const bool drive = kind == D;
  const Told told =
      out.tell(entity, drive ? attribute_index(D, "interface") : attribute_index(A, "interface"),
               std::string(words.interface), line);
  if (!words.media.empty()) {
    out.tell(entity, drive ? attribute_index(D, "media") : attribute_index(A, "media"),
             std::string(words.media), line);
  }
  return told != Told::different;
}

/// A size with its text and its exactness, which stand behind it in the list of attributes.
bool tell_size(FactBuilder& out, EntityId entity, std::uint8_t attribute, std::string_view value,
               Units units, bool bare_allowed, std::uint32_t line) {
  if (value.empty() || (!bare_allowed && is_digit(value.back()))) return false;
  const auto bytes = size_bytes(value, units);
  if (!bytes) return false;
  const Told told = out.tell(entity, attribute, *bytes, line);
  if (told == Told::different) return false;
  out.tell(entity, static_cast<std::uint8_t>(attribute + 1), collapse_blanks(value), line);
  out.tell(entity, static_cast<std::uint8_t>(attribute + 2), false, line);
  return true;
}

constexpr bool has_companions(EntityKind kind, std::string_view stem) {
  for (std::size_t i = 0; i + 2 < vendor_attributes.size(); ++i) {
    if (vendor_attributes[i].kind != kind || !vendor_attributes[i].name.starts_with(stem)) continue;
    return vendor_attributes[i].name.substr(stem.size()) == "_bytes" &&
           vendor_attributes[i + 1].name.substr(stem.size()) == "_text" &&
           vendor_attributes[i + 2].name.substr(stem.size()) == "_exact";
  }
  return false;
}
static_assert(has_companions(C, "cache.size") && has_companions(C, "cache.available") &&
              has_companions(L, "size") && has_companions(D, "size"));

bool tell_status(FactBuilder& out, EntityId entity, std::uint8_t attribute, std::string_view value,
                 std::uint32_t line) {
  const StatusWords status = status_words(value);
  if (status.words.empty()) return false;
  const Told told = out.tell(entity, attribute, std::string(status.words), line);
  const EntityKind kind = vendor_attributes[attribute].kind;
  bool all = status.words.size() == value.size();
  if (status.progress_pct && kind == L) {
    out.tell(entity, attribute_index(L, "progress_pct"), *status.progress_pct, line);
    all = true;
  } else if (status.progress_pct && kind == D) {
    out.tell(entity, attribute_index(D, "progress_pct"),
             static_cast<std::int64_t>(*status.progress_pct), line);
    all = true;
  }
  return all && told != Told::different;
}

/// "0  MB (0.0%)" → "0  MB".
std::string_view without_share(std::string_view value) {
  const std::size_t open = value.find('(');
  return open == std::string_view::npos ? value : trim_right(value.substr(0, open));
}

}  // namespace

bool is_complete_value(const KeyRule& rule, std::string_view value) {
  switch (rule.how) {
    case How::extra:
      return one_of(value, {"True", "False", "None", "OK", "Enabled", "Disabled", "Yes", "No"});
    case How::text:
    case How::mount_points:
    case How::drive_firmware:
    case How::model:
      return false;
    case How::setting:
      return is_closed_setting(value);
    case How::status:
      return is_closed_status(value) || value == "Failed";
    case How::truth:
    case How::cache_board:
    case How::hba_mode_enabled:
      return truth(value).has_value();
    case How::switched:
    case How::enabled:
      return switched(value).has_value();
    case How::integer:
    case How::temperature:
    case How::rpm:
      return leading_integer(value).has_value();
    case How::size_binary:
    case How::size_decimal:
      return size_bytes(value, Units::binary).has_value();
    case How::bytes:
      return size_bytes(without_share(value), Units::binary).has_value();
    case How::firmware:
    case How::slot:
    case How::pci_address:
      return !value.empty();
    case How::mode:
      return !mode_word(value).empty();
    case How::cache_status:
      return !cache_status_word(value).empty();
    case How::cache_ratio:
      return cache_ratio(value).has_value();
    case How::backup_kind:
    case How::backup_count:
      return !value.empty();
    case How::backup_status:
      return value == "OK" || value.ends_with(')');
    case How::drive_write_cache:
    case How::drive_write_cache_policy:
      return is_closed_setting(value);
    case How::interface:
      return !interface_words(value).interface.empty();
    case How::raid:
      return !raid_word(value).empty();
    case How::acceleration:
      return !acceleration_word(value).empty();
    case How::parity_init:
      return value.ends_with("Completed") || value == "Queued";
    case How::percent:
    case How::whole_percent:
      return value.ends_with('%');
    case How::role:
      return !role_word(value).empty();
    case How::rates:
      return !phy_rates(value).empty() && !value.ends_with(',');
  }
  return false;
}

bool tell_key(FactBuilder& out, EntityId entity, const KeyRule& rule, std::string_view value,
              std::uint32_t line, bool whole) {
  if (value.empty()) return false;
  const auto tell_text = [&](std::string_view words) {
    return out.tell(entity, rule.attribute, std::string(words), line) != Told::different;
  };
  const auto tell = [&](Value told) {
    return out.tell(entity, rule.attribute, std::move(told), line) != Told::different;
  };
  switch (rule.how) {
    case How::extra:
      return false;

    case How::text:
      if (!whole || (rule.attribute == attribute_index(L, "device") && value.front() != '/')) {
        return false;
      }
      return tell_text(value);

    case How::setting:
      return (whole || is_closed_setting(value)) && tell_text(value);

    case How::status:
      return (whole || is_closed_status(value)) &&
             tell_status(out, entity, rule.attribute, value, line);

    case How::truth:
    case How::cache_board: {
      const auto yes = truth(value);
      if (!yes || (!whole && iequals(value, "No"))) return false;
      return tell(*yes);
    }
    case How::switched: {
      const auto on = switched(value);
      return on && tell(*on);
    }
    case How::enabled: {
      const auto on = switched(value);
      return on && tell_text(*on ? "enabled" : "disabled");
    }
    case How::integer: {
      const auto number = leading_integer(value);
      return whole && number && tell(*number);
    }
    case How::temperature: {
      const auto degrees = to_integer(value);
      return whole && degrees && *degrees != 0 && tell(*degrees);
    }
    case How::size_binary:
    case How::size_decimal: {
      const bool cache = vendor_attributes[rule.attribute].kind == C;
      if (!whole) return false;
      if (cache) {
        const Value* present = out.told(entity, attribute_index(C, "cache.present"));
        if (present != nullptr && *present == Value(false)) return false;
      }
      return tell_size(out, entity, rule.attribute, value,
                       rule.how == How::size_binary ? Units::binary : Units::decimal, cache, line);
    }
    case How::bytes: {
      const std::string_view size = without_share(value);
      const auto bytes = size_bytes(size, Units::binary);
      return whole && bytes && !is_digit(size.back()) && tell(*bytes);
    }
    case How::firmware:
      return whole && value != "0.00" && tell_text(value);

    case How::drive_firmware: {
      if (!whole) return false;
      const std::size_t advice = value.find(" (");
      const bool told = tell_text(trim_right(value.substr(0, advice)));
      return told && advice == std::string_view::npos;
    }
    case How::slot:
      return whole && !value.starts_with("ATTR_VALUE") &&
             out.tell(entity, attribute_index(C, "slot"), std::string(value), line) !=
                 Told::different;

    case How::pci_address: {
      if (!whole) return false;
      std::string address(value);
      for (char& c : address) c = to_lower(c);
      return tell(std::move(address));
    }
    case How::mode: {
      const std::string_view word = mode_word(value);
      return !word.empty() && tell_text(word);
    }
    case How::hba_mode_enabled:
      if (truth(value).value_or(false)) tell_text("hba");
      return false;

    case How::cache_status: {
      const std::string_view word = cache_status_word(value);
      if (!whole && word.empty()) return false;
      bool told = true;
      if (!word.empty()) told = tell_text(word);
      if (whole) {
        told = out.tell(entity, attribute_index(C, "cache.status_text"), std::string(value),
                        line) != Told::different &&
               told;
      }
      return told;
    }
    case How::cache_ratio: {
      const auto ratio = cache_ratio(value);
      if (!ratio) return false;
      const Told read = out.tell(entity, attribute_index(C, "cache.ratio.read"), ratio->read, line);
      const Told write =
          out.tell(entity, attribute_index(C, "cache.ratio.write"), ratio->write, line);
      return read != Told::different && write != Told::different;
    }
    case How::backup_kind: {
      if (!whole && !value.ends_with('s')) return false;
      if (value.starts_with("Capacitor")) return tell_text("capacitor");
      if (value.starts_with("Batter")) return tell_text("battery");
      return false;
    }
    case How::backup_count: {
      const auto count = to_integer(value);
      if (!whole || !count) return false;
      const bool told = tell(*count);
      if (*count == 0) {
        out.force(entity, attribute_index(C, "cache.backup.status"), std::string("absent"), line);
      }
      return told;
    }
    case How::backup_status: {
      const std::string_view word = backup_status_word(value);
      if (!whole && !(word == "ok" || value == "Recharging" || value.ends_with(')'))) return false;
      const Value* count = out.told(entity, attribute_index(C, "cache.backup.count"));
      if (!word.empty() && !(count != nullptr && *count == Value(std::int64_t{0}))) tell_text(word);
      if (!whole) return !word.empty();
      return out.tell(entity, attribute_index(C, "cache.backup.status_text"), std::string(value),
                      line) != Told::different;
    }
    case How::drive_write_cache: {
      if (iequals(value, "Default")) return tell_text("default");
      const auto on = switched(value);
      return on && tell_text(*on ? "enabled" : "disabled");
    }
    case How::drive_write_cache_policy: {
      const auto on = switched(value);
      if (!whole && !on && value != "Default") return false;
      const std::uint8_t setting = attribute_index(C, "drive_write_cache");
      if (on) out.tell(entity, setting, std::string(*on ? "enabled" : "disabled"), line);
      if (iequals(value, "Default")) out.tell(entity, setting, std::string("default"), line);
      return tell_text(value);
    }
    case How::interface:
      return tell_interface(out, entity, vendor_attributes[rule.attribute].kind, value, line);

    case How::raid: {
      const std::string_view word = raid_word(value);
      if (word.empty()) return false;
      if (!whole && !one_of(word, {"0", "50", "60", "1adm", "10adm"})) return false;
      return tell_text(word);
    }
    case How::acceleration: {
      const std::string_view word = acceleration_word(value);
      return !word.empty() && tell_text(word);
    }
    case How::parity_init: {
      const StatusWords status = status_words(value);
      std::string_view word;
      if (contains(status.words, "Completed")) word = "complete";
      if (contains(status.words, "In Progress")) word = "in_progress";
      if (contains(status.words, "Queued")) word = "queued";
      if (contains(status.words, "Failed")) word = "failed";
      if (word.empty()) return false;
      if (status.progress_pct) {
        out.tell(entity, attribute_index(L, "parity_progress_pct"), *status.progress_pct, line);
      }
      return tell_text(word);
    }
    case How::percent:
    case How::whole_percent: {
      std::string_view rest;
      const auto number = leading_decimal(value, rest);
      if (!number || *number > 100.0 || (!whole && rest.empty())) return false;
      if (!rest.empty() && rest.front() != '%') return false;
      if (rule.how == How::percent) return tell(*number);
      return tell(static_cast<std::int64_t>(*number));
    }
    case How::role: {
      const std::string_view word = role_word(value);
      return !word.empty() && (whole || value == "Data Drive") && tell_text(word);
    }
    case How::rpm: {
      const auto speed = to_integer(value);
      if (!whole || !speed || *speed <= 1) return false;  // 0 and 1 stand for an SSD elsewhere
      out.tell(entity, attribute_index(D, "media"), std::string("hdd"), line);
      return tell(*speed);
    }
    case How::model: {
      if (!whole) return false;
      const DriveModel model = drive_model(value);
      if (!model.vendor.empty()) {
        out.tell(entity, attribute_index(D, "vendor"), std::string(model.vendor), line);
      }
      return tell_text(model.model);
    }
    case How::rates: {
      std::vector<double> rates = phy_rates(value);
      return whole && !rates.empty() && tell(std::move(rates));
    }
    case How::mount_points: {
      if (!whole) return false;
      return tell(mount_points(value)) && mount_points_are_bare(value);
    }
  }
  return false;
}

namespace {

bool is_position(std::string_view field) {
  return (field.starts_with("port ") || field.starts_with("port:")) && contains(field, ":");
}

bool is_spare_word(std::string_view field) {
  return field == "spare" || field.starts_with("active spare") || field.starts_with("spare ");
}

}  // namespace

bool is_spare_line(const Line& line) {
  std::string_view rest = line.detail;
  while (!rest.empty()) {
    if (is_spare_word(take_field(rest))) return true;
  }
  return false;
}

void tell_drive_line(FactBuilder& out, EntityId drive, const Line& line, std::uint32_t number,
                     bool whole) {
  std::string_view rest = line.detail;
  bool size_seen = false;
  bool status_seen = !line.tail.empty();
  bool interface_seen = false;
  while (!rest.empty()) {
    const std::string_view field = take_field(rest);
    if (field.empty() || is_position(field)) continue;
    if (!size_seen && (is_digit(field.front()) || field.starts_with("---"))) {
      size_seen = true;
      if (is_digit(field.front())) {
        tell_size(out, drive, attribute_index(D, "size_bytes"), field, Units::decimal, false,
                  number);
      }
      continue;
    }
    if (!size_seen && !interface_seen && tell_interface(out, drive, D, field, number)) {
      interface_seen = true;
      continue;
    }
    if (is_spare_word(field)) {
      out.tell(drive, role_attribute(), std::string("spare"), number);
      if (field != "spare") out.extra(drive, "Spare", field, number);
      continue;
    }
    if (size_seen && !status_seen) {
      status_seen = true;
      // The progress of a rebuild is a field of its own here.
      std::string_view ahead = rest;
      const std::string_view next = take_field(ahead);
      if (contains(next, "% complete")) {
        const std::string joined = std::string(field) + ", " + std::string(next);
        tell_status(out, drive, attribute_index(D, "status"), joined, number);
        rest = ahead;
      } else {
        tell_status(out, drive, attribute_index(D, "status"), field, number);
      }
      continue;
    }
    out.extra(drive, "Listed as", field, number);
  }
  if (!line.tail.empty() && (whole || is_closed_status(line.tail))) {
    tell_status(out, drive, attribute_index(D, "status"), line.tail, number);
  }
}

void tell_logical_line(FactBuilder& out, EntityId drive, const Line& line, std::uint32_t number,
                       bool whole) {
  std::string_view rest = line.detail;
  const std::string_view size = take_field(rest);
  if (!tell_size(out, drive, attribute_index(L, "size_bytes"), size, Units::binary, false,
                 number) &&
      out.told(drive, attribute_index(L, "size_bytes")) == nullptr) {
    out.extra(drive, "Size", size, number);
  }
  if (const std::string_view level = take_field(rest); !level.empty()) {
    const std::string_view word = raid_word(level);
    if (word.empty()) {
      out.extra(drive, "Fault Tolerance", level, number);
    } else {
      out.tell(drive, attribute_index(L, "raid"), std::string(word), number);
    }
  }
  const std::string_view status = line.tail.empty() ? trim(rest) : line.tail;
  const bool status_whole = whole || line.tail.empty() || is_closed_status(status);
  if (!status.empty() && status_whole) {
    if (!tell_status(out, drive, attribute_index(L, "status"), status, number) &&
        contains(status, ",")) {
      out.extra(drive, "Status", status, number);
    }
  }
}

}  // namespace raidscope::vendor
