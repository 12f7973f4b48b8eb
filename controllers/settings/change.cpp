#include "controllers/settings/change.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "controllers/rules/rule.h"

namespace raidscope::settings {
namespace {

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::optional<std::string> word_of(const Maybe<Switch>& value) {
  if (!value) return std::nullopt;
  return *value == Switch::enabled ? "enable" : "disable";
}

std::string word_of(bool on) {
  return on ? "enable" : "disable";
}

std::string word_of(const Ratio& ratio) {
  return fmt::format("{}/{}", ratio.read, ratio.write);
}

/// The printed mode as the word that sets it; what is not known to be one stays unknown, because it
/// could not be put back.
std::optional<std::string> scan_word(const Text& printed) {
  if (!printed) return std::nullopt;
  const std::string word = lower(*printed);
  if (word == "idle" || word == "high") return word;
  if (word == "disable" || word == "disabled") return "disable";
  return std::nullopt;
}

std::string controller_name(const Controller& controller) {
  return fmt::format("{} in slot {}", controller.model.value_or("controller"),
                     controller.slot.value_or("?"));
}

const Controller* find_controller(const Inventory& inventory, const std::string& serial) {
  for (const Controller& controller : inventory.controllers) {
    if (controller.serial == serial) return &controller;
  }
  return nullptr;
}

/// With the drive of this volume; only the controller for an object without one.
std::optional<DriveRef> find_place(const Inventory& inventory, const Object& object) {
  const Controller* controller = find_controller(inventory, object.controller_serial);
  if (controller == nullptr) return std::nullopt;
  if (object.volume.empty()) return DriveRef{controller, nullptr, nullptr};
  for (const DriveRef& place : logical_drives_of(*controller)) {
    if (place.drive->unique_id == object.volume) return place;
  }
  return std::nullopt;
}

/// One that all probes find alike: the first by its id.
std::optional<std::string> volume_of(const Array& array) {
  std::optional<std::string> out;
  for (const LogicalDrive& drive : array.logical_drives) {
    if (drive.unique_id && (!out || *drive.unique_id < *out)) out = drive.unique_id;
  }
  return out;
}

std::string drive_name(const DriveRef& place) {
  return fmt::format("{}, logical drive {}", controller_name(*place.controller),
                     place.drive->number ? std::to_string(*place.drive->number) : "?");
}

std::string array_name(const Controller& controller, const Array& array) {
  return fmt::format("{}, array {}", controller_name(controller), array.letter.value_or("?"));
}

std::string numbers(const std::vector<DriveRef>& drives) {
  std::vector<std::string> out;
  for (const DriveRef& place : drives)
    out.push_back(place.drive->number ? std::to_string(*place.drive->number) : "?");
  return fmt::format("{} {}", out.size() == 1 ? "logical drive" : "logical drives",
                     fmt::join(out, ", "));
}

std::string does_words(Kind kind, const std::string& to) {
  switch (kind) {
    case Kind::caching:
      return to == "enable" ? "reads and writes of this drive go through the controller's cache"
                            : "the controller's cache no longer serves this drive, reads and "
                              "writes alike; what it holds is written first";
    case Kind::smart_path:
      return to == "enable" ? "the driver may send requests to the array's drives past the "
                              "controller and its cache"
                            : "all requests to the array go through the controller";
    case Kind::cache_ratio:
      return fmt::format("the cache is shared {} % to reads, {} % to writes",
                         to.substr(0, to.find('/')), to.substr(to.find('/') + 1));
    case Kind::surface_scan_mode:
      return to == "disable" ? "no surface scan runs; turn it on again afterwards, it finds bad "
                               "sectors before a rebuild does"
                             : fmt::format("surface scans run in mode {}", to);
  }
  return {};
}

bool takes(Kind kind, std::string_view value) {
  switch (kind) {
    case Kind::caching:
    case Kind::smart_path:
      return value == "enable" || value == "disable";
    case Kind::surface_scan_mode:
      return value == "disable" || value == "idle" || value == "high";
    case Kind::cache_ratio:
      return ratio_of(value).has_value();
  }
  return false;
}

/// The order in which the tool takes changes: off before on, the cache before its ratio.
int rank(Kind kind, const std::string& to) {
  const bool on = to == "enable";
  switch (kind) {
    case Kind::smart_path:
      return on ? 2 : 0;
    case Kind::caching:
      return on ? 3 : 1;
    case Kind::cache_ratio:
      return 4;
    case Kind::surface_scan_mode:
      return 5;
  }
  return 6;
}

Result<const Controller*> controller_wished(const Inventory& inventory, const Wish& wish) {
  std::vector<const Controller*> fitting;
  std::vector<std::string> names;
  for (const Controller& controller : inventory.controllers) {
    names.push_back(controller_name(controller));
    if (!wish.slot || controller.slot == *wish.slot) fitting.push_back(&controller);
  }
  if (inventory.controllers.empty()) {
    return fail(Errc::not_found, "no controller was found", "",
                "see `raidscope doctor` for what a probe needs");
  }
  if (fitting.empty()) {
    return fail(Errc::usage, fmt::format("no controller is in slot {}", *wish.slot), "",
                fmt::format("there is {}", fmt::join(names, ", ")));
  }
  if (fitting.size() > 1) {
    return fail(Errc::usage, "there are several controllers", "",
                fmt::format("name one with --slot: {}", fmt::join(names, ", ")));
  }
  if (!fitting.front()->serial) {
    return fail(Errc::refused, "the controller's serial number is not known",
                controller_name(*fitting.front()),
                "without it the controller could not be found again to put its settings back; "
                "probe as root with the vendor tool");
  }
  return fitting.front();
}

/// Why caching must not be turned on here, or nothing.
Status may_cache(const Inventory& inventory, const Controller& controller) {
  const AuditReport report = audit(inventory, std::nullopt);
  const auto guards = [](const std::string& rule) {
    // C01: there is no cache to turn on.
    return rule == "C01" || rule == "C11" || rule == "C12" || rule == "C13" || rule == "C14";
  };
  for (const Finding& finding : report.findings) {
    if (!guards(finding.rule) || finding.subject.slot != controller.slot) continue;
    return fail(
        Errc::refused,
        fmt::format("caching is not turned on while {} holds: {}", finding.rule, finding.evidence),
        controller_name(controller),
        fmt::format("{}; `raidscope audit --explain {}` says more",
                    finding.fix.empty() ? finding.why : finding.fix.front(), finding.rule));
  }
  for (const NotEvaluated& unknown : report.not_evaluated) {
    if (unknown.rule != "C12" && unknown.rule != "C14") continue;
    return fail(Errc::refused,
                "caching is not turned on while it is not known whether a battery or capacitor "
                "protects it",
                controller_name(controller), "probe as root with the vendor tool");
  }
  return Done{};
}

/// Collects what is wanted, each setting once.
class Wanted {
 public:
  explicit Wanted(const std::vector<Present>& present) : present_(present) {}

  /// refused where the present value is not known: it could not be put back.
  Status set(Kind kind, const Object& object, std::string value) {
    const Present* now = find_setting(present_, kind, object);
    if (now == nullptr) return Done{};
    if (!now->value) {
      return fail(
          Errc::refused,
          fmt::format("the present {} is not known and could not be put back", words_of(kind)),
          now->name,
          kind == Kind::cache_ratio
              ? "the tool tells a ratio only while a drive uses the cache: turn caching on "
                "in a plan of its own first"
              : "probe as root with the vendor tool");
    }
    for (const Present& one : out_) {
      if (one.kind == kind && one.object == object) return Done{};
    }
    out_.push_back({kind, object, now->name, std::move(value)});
    return Done{};
  }
  [[nodiscard]] const std::vector<Present>& all() const noexcept { return out_; }

  static std::string words_of(Kind kind) {
    switch (kind) {
      case Kind::caching:
        return "caching";
      case Kind::cache_ratio:
        return "cache ratio";
      case Kind::smart_path:
        return "Smart Path setting";
      case Kind::surface_scan_mode:
        return "surface scan mode";
    }
    return "setting";
  }

 private:
  const std::vector<Present>& present_;
  std::vector<Present> out_;
};

}  // namespace

std::optional<Ratio> ratio_of(std::string_view words) {
  const std::size_t slash = words.find('/');
  if (slash == std::string_view::npos) return std::nullopt;
  const auto number = [](std::string_view digits) -> std::optional<int> {
    int value = 0;
    const auto [end, problem] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const bool whole = problem == std::errc{} && end == digits.data() + digits.size();
    return whole && digits.size() <= 3 && digits.front() != '-' ? std::optional(value)
                                                                : std::nullopt;
  };
  const auto read = number(words.substr(0, slash));
  const auto write = number(words.substr(slash + 1));
  if (!read || !write) return std::nullopt;
  return Ratio{*read, *write};
}

std::vector<Present> present_settings(const Inventory& inventory,
                                      std::vector<std::string>* without_ids) {
  const auto left_out = [&](std::string name) {
    if (without_ids != nullptr) without_ids->push_back(std::move(name));
  };
  std::vector<Present> out;
  for (const Controller& controller : inventory.controllers) {
    if (!controller.serial || controller.serial->empty()) {
      left_out(controller_name(controller));
      continue;
    }
    const Object whole{*controller.serial, ""};
    const std::string name = controller_name(controller);
    out.push_back(
        {Kind::cache_ratio, whole, name,
         controller.cache.ratio ? std::optional(word_of(*controller.cache.ratio)) : std::nullopt});
    out.push_back(
        {Kind::surface_scan_mode, whole, name, scan_word(controller.settings.surface_scan_mode)});
    for (const Array& array : controller.arrays) {
      if (const auto volume = volume_of(array)) {
        out.push_back({Kind::smart_path,
                       {*controller.serial, *volume},
                       array_name(controller, array),
                       word_of(array.smart_path)});
      } else {
        left_out(array_name(controller, array));
      }
    }
    for (const DriveRef& place : logical_drives_of(controller)) {
      if (place.drive->unique_id && !place.drive->unique_id->empty()) {
        out.push_back({Kind::caching,
                       {*controller.serial, *place.drive->unique_id},
                       drive_name(place),
                       word_of(place.drive->caching)});
      } else {
        left_out(drive_name(place));
      }
    }
  }
  return out;
}

const Present* find_setting(const std::vector<Present>& all, Kind kind, const Object& object) {
  for (const Present& one : all) {
    if (one.kind == kind && one.object == object) return &one;
  }
  return nullptr;
}

Result<ChangeCommand> change_command(const Inventory& inventory, Kind kind, const Object& object,
                                     std::string_view value) {
  if (!takes(kind, value)) {
    return fail(Errc::malformed, fmt::format("\"{}\" is no value of {}", value, to_name(kind)),
                object.controller_serial, "make the plan anew with `raidscope settings plan`");
  }
  const auto place = find_place(inventory, object);
  const auto gone = [&](std::string_view what) {
    return fail(Errc::not_found, fmt::format("{} is not there", what),
                object.volume.empty() ? fmt::format("controller {}", object.controller_serial)
                                      : fmt::format("volume {} of controller {}", object.volume,
                                                    object.controller_serial),
                "see `raidscope probe`");
  };
  if (!place) return gone("what the setting belongs to");
  if (!place->controller->slot) return gone("the controller's slot");
  ChangeCommand out;
  std::vector<std::string>& words = out.words_;
  words = {"ctrl", "slot=" + *place->controller->slot};
  std::string_view parameter;
  switch (kind) {
    case Kind::caching:
      if (place->drive == nullptr || !place->drive->number) return gone("the drive's number");
      words.insert(words.end(), {"ld", std::to_string(*place->drive->number)});
      parameter = "caching";
      break;
    case Kind::smart_path:
      if (place->array == nullptr || !place->array->letter) return gone("the array's letter");
      words.insert(words.end(), {"array", *place->array->letter});
      parameter = "ssdsmartpath";
      break;
    case Kind::cache_ratio:
      parameter = "cacheratio";
      break;
    case Kind::surface_scan_mode:
      parameter = "surfacescanmode";
      break;
  }
  words.emplace_back("modify");
  words.push_back(fmt::format("{}={}", parameter, value));
  words.emplace_back("forced");  // no question: there is nobody to answer it
  return out;
}

std::vector<Step> steps_to(const Inventory& inventory, const std::vector<Present>& wanted,
                           std::string_view tool) {
  const std::vector<Present> now = present_settings(inventory);
  std::vector<Step> out;
  for (const Present& one : wanted) {
    const Present* const present = find_setting(now, one.kind, one.object);
    if (present == nullptr || !present->value || !one.value || present->value == one.value)
      continue;
    const auto command = change_command(inventory, one.kind, one.object, *one.value);
    if (!command) continue;
    out.push_back({one.kind, one.object, present->name, *present->value, *one.value,
                   fmt::format("{} {}", tool, fmt::join(command->words(), " ")),
                   does_words(one.kind, *one.value)});
  }
  std::stable_sort(out.begin(), out.end(), [](const Step& a, const Step& b) {
    return rank(a.kind, a.to) < rank(b.kind, b.to);
  });
  return out;
}

Result<Plan> plan_changes(const Inventory& inventory, const Wish& wish, std::string_view tool) {
  if (!wish.caching && !wish.smart_path && !wish.ratio && !wish.surface_scan_mode)
    return fail(Errc::usage, "nothing to change was named", "",
                "give --caching, --smart-path, --cache-ratio or --surface-scan");
  if (wish.caching == true && wish.smart_path == true)
    return fail(Errc::usage, "Smart Path and caching exclude each other", "", "ask for one");
  RAIDSCOPE_TRY(const Controller* const controller, controller_wished(inventory, wish));
  const std::string& serial = *controller->serial;
  std::vector<DriveRef> drives = logical_drives_of(*controller);
  if (wish.drive) {
    std::erase_if(drives, [&](const DriveRef& p) { return p.drive->number != wish.drive; });
    if (drives.empty()) {
      return fail(Errc::usage, fmt::format("there is no logical drive {}", *wish.drive),
                  controller_name(*controller), "see `raidscope settings show`");
    }
  }
  if ((wish.caching || wish.smart_path) && drives.empty()) {
    return fail(Errc::refused, "the controller's logical drives are not known",
                controller_name(*controller), "probe as root with the vendor tool");
  }
  if (wish.caching == true) RAIDSCOPE_CHECK(may_cache(inventory, *controller));

  const std::vector<Present> present = present_settings(inventory);
  Wanted wanted(present);
  Plan plan;
  std::set<const Array*> arrays;
  for (const DriveRef& place : drives) {
    if (!place.drive->unique_id) {
      return fail(Errc::refused, "the drive's unique id is not known", drive_name(place),
                  "without it the drive could not be found again to put its settings back");
    }
    if (place.array != nullptr) arrays.insert(place.array);
    if (wish.caching)
      RAIDSCOPE_CHECK(
          wanted.set(Kind::caching, {serial, *place.drive->unique_id}, word_of(*wish.caching)));
  }
  for (const Array* array : arrays) {
    std::vector<DriveRef> sharing;
    for (const DriveRef& place : logical_drives_of(*controller)) {
      if (place.array == array) sharing.push_back(place);
    }
    const auto volume = volume_of(*array);
    if (!volume) continue;
    const Object object{serial, *volume};
    if (wish.smart_path) {
      if (!array->smart_path) {
        return fail(Errc::refused, "the array's Smart Path setting is not told",
                    array_name(*controller, *array),
                    "the tool prints it where controller and drives can do it; this one may be "
                    "unable to");
      }
      RAIDSCOPE_CHECK(wanted.set(Kind::smart_path, object, word_of(*wish.smart_path)));
      if (*wish.smart_path && array->smart_path == Switch::disabled) {
        // The tool refuses Smart Path, or takes the cache away by itself: both are said here.
        for (const DriveRef& place : sharing) {
          if (place.drive->unique_id)
            RAIDSCOPE_CHECK(
                wanted.set(Kind::caching, {serial, *place.drive->unique_id}, word_of(false)));
        }
      }
      if (sharing.size() > 1)
        plan.affects.push_back(
            fmt::format("Smart Path is the whole array's: {}", numbers(sharing)));
    } else if (wish.caching == true && array->smart_path == Switch::enabled) {
      RAIDSCOPE_CHECK(wanted.set(Kind::smart_path, object, word_of(false)));
      plan.affects.push_back(
          fmt::format("Smart Path goes off for the whole array: {}", numbers(sharing)));
    }
  }
  if (wish.ratio) {
    if (wish.ratio->read < 0 || wish.ratio->write < 0 ||
        wish.ratio->read + wish.ratio->write != 100)
      return fail(Errc::usage, "a cache ratio is READ/WRITE with a sum of 100", "",
                  "--cache-ratio 10/90");
    RAIDSCOPE_CHECK(wanted.set(Kind::cache_ratio, {serial, ""}, word_of(*wish.ratio)));
    plan.affects.push_back(fmt::format("the ratio is the whole controller's: {}",
                                       numbers(logical_drives_of(*controller))));
  }
  if (wish.surface_scan_mode) {
    RAIDSCOPE_CHECK(wanted.set(Kind::surface_scan_mode, {serial, ""}, *wish.surface_scan_mode));
    plan.affects.push_back(fmt::format("surface scans are the whole controller's: {}",
                                       numbers(logical_drives_of(*controller))));
  }
  plan.steps = steps_to(inventory, wanted.all(), tool);
  return plan;
}

}  // namespace raidscope::settings
