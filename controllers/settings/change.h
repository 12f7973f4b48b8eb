#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/enum_names.h"
#include "probe/base/result.h"

/// Planning changes of a controller's settings: pure. What is here is all that can ever be changed;
/// drive write cache, no-battery write cache and HBA mode cannot.
namespace raidscope::settings {

enum class Kind { caching, cache_ratio, smart_path, surface_scan_mode };

/// What a setting belongs to, by names that stay when slots, letters and numbers move.
struct Object {
  std::string controller_serial;
  std::string volume;  ///< unique id: of the logical drive, of one that the array holds, or empty
  bool operator==(const Object&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("controller_serial", s.controller_serial);
    f("volume", s.volume);
  }
};

/// A value is a word of the vendor tool: "enable", "disable", "10/90", "idle".
struct Step {
  Kind kind = Kind::caching;
  Object object;
  std::string name;  ///< for people: "P420i in slot 0, logical drive 1"
  std::string from, to;
  std::string command;  ///< as it would be typed now
  std::string does;
  bool operator==(const Step&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("kind", s.kind);
    f("object", s.object);
    f("name", s.name);
    f("from", s.from);
    f("to", s.to);
    f("command", s.command);
    f("does", s.does);
  }
};

inline constexpr std::string_view plan_schema = "raidscope.settings_plan/1";

/// `raidscope.settings_plan/1`.
struct Plan {
  std::string schema{plan_schema};
  std::vector<Step> steps;           ///< in the order to take them
  std::vector<std::string> affects;  ///< what else they change
  bool operator==(const Plan&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("steps", s.steps);
    f("affects", s.affects);
  }
};

/// "10/90" as a ratio; nullopt for what is no two numbers with a slash between. Whether they sum to
/// 100 is plan_changes()'s to say.
std::optional<Ratio> ratio_of(std::string_view words);

/// What a person wants. What is not given stays as it is.
struct Wish {
  std::optional<std::string> slot;    ///< of the controller; not needed where there is one
  std::optional<std::int64_t> drive;  ///< logical drive; else all of the controller
  std::optional<bool> caching, smart_path;
  std::optional<Ratio> ratio;
  std::optional<std::string> surface_scan_mode;  ///< "disable", "idle", "high"
};

/// A setting with its present value; null: not told.
struct Present {
  Kind kind = Kind::caching;
  Object object;
  std::string name;
  std::optional<std::string> value;
  bool operator==(const Present&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("kind", s.kind);
    f("object", s.object);
    f("name", s.name);
    f("value", s.value);
  }
};

/// All settings of these controllers that can be changed. What cannot be found again by its ids (a
/// controller without a serial, a drive without a unique id) is left out; `without_ids` names it.
std::vector<Present> present_settings(const Inventory& inventory,
                                      std::vector<std::string>* without_ids = nullptr);

/// The present value of one setting; nullptr when the object is not there.
const Present* find_setting(const std::vector<Present>& all, Kind kind, const Object& object);

/// A command that changes one setting, in the tool's words behind its own name: "ctrl", "slot=0",
/// "ld", "1", "modify", "caching=enable", "forced". Only change_command() makes one, and only of
/// the settings and values of this header.
class ChangeCommand {
 public:
  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }

 private:
  friend Result<ChangeCommand> change_command(const Inventory& inventory, Kind kind,
                                              const Object& object, std::string_view value);
  std::vector<std::string> words_;
};

/// With slot, number and letter as they are now. not_found when the object is gone; malformed for a
/// value that the setting does not take.
Result<ChangeCommand> change_command(const Inventory& inventory, Kind kind, const Object& object,
                                     std::string_view value);

/// The steps to a wish, in the order in which the tool takes them: Smart Path and caching exclude
/// each other, and a ratio is kept only while a drive uses the cache. usage: the wish names no
/// object, or contradicts itself. refused: caching would be turned on under C11 to C14, or a
/// present value is not known and could not be put back.
Result<Plan> plan_changes(const Inventory& inventory, const Wish& wish, std::string_view tool);

/// The steps from the present values to these ones, in the order in which the tool takes them.
std::vector<Step> steps_to(const Inventory& inventory, const std::vector<Present>& wanted,
                           std::string_view tool);

}  // namespace raidscope::settings

namespace raidscope {
template <>
struct EnumNames<settings::Kind> {
  static constexpr std::pair<settings::Kind, std::string_view> table[] = {
      {settings::Kind::caching, "caching"},
      {settings::Kind::cache_ratio, "cache_ratio"},
      {settings::Kind::smart_path, "smart_path"},
      {settings::Kind::surface_scan_mode, "surface_scan_mode"}};
};
}  // namespace raidscope
