#include "probe/sources/vendor/vendor_context.h"

#include <algorithm>
#include <utility>

#include "probe/base/text.h"
#include "probe/sources/vendor/key_facts.h"
#include "probe/sources/vendor/vendor_text.h"
#include "probe/sources/vendor/vendor_values.h"

namespace raidscope::vendor {

using namespace raidscope::text;

namespace {

constexpr auto C = EntityKind::controller;
constexpr auto A = EntityKind::array;
constexpr auto L = EntityKind::logical_drive;
constexpr auto D = EntityKind::physical_drive;
constexpr auto E = EntityKind::enclosure;
constexpr auto P = EntityKind::port;
constexpr auto S = EntityKind::sensor;

constexpr std::size_t at(EntityKind kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace

void VendorContext::begin_text(std::string_view name, bool several) {
  text_name_ = name;
  notes_before_ = out_.set().notes.size();
  several_ = several;
  open_.fill(0);
  key_indent_.fill(-1);
  cage_ = 0;
  leaf_ = EntityKind::machine;
  section_ = Section::none;
  weak_ = true;
  piped_ = false;
  soft_heading_ = false;
  asked_slot_ = {};
  saw_vendor_ = false;
  foreign_ = false;
  in_drive_list_ = false;
  last_key_ = {};
  last_kind_ = LineKind::nothing;
  caged_drives_.clear();
  placing_.clear();
  out_.next_answer();
}

void VendorContext::end_text(const TextEnd& end) {
  const bool blank_end = end.blank;
  const auto& notes = out_.set().notes;
  const bool said =
      std::any_of(notes.begin() + static_cast<std::ptrdiff_t>(notes_before_), notes.end(),
                  [](const Note& told) { return contains(told.text, text_ends_words); });
  const bool cut = said || ends_inside_answer(end);
  const bool in_array = section_ == Section::array && open_[at(A)] != 0;
  // Not by note(): they must be there however many other notes there are.
  const auto tell = [&](std::uint32_t number, std::string_view words) {
    const std::string where = several_ ? std::string(text_name_) + ": " : "";
    out_.set().notes.push_back({number, where + std::string(words)});
  };
  if (in_array && (cut || (!end.blank && end.any_blank && in_drive_list_))) {
    tell(out_.entity(open_[at(A)]).line, open_list_note);
  } else if (cut && !said) {
    tell(last_number_, cut_off_note);
  }
  if (group_drive_ != 0 && !blank_end) {
    groups_[group_drive_].open_at_end = true;
    group_drive_ = 0;
    group_.clear();
  }
  close_group();
  if (!blank_end) role_pending_ = 0;
  settle_role();
  for (const PendingWarning& warning : pending_warnings_) {
    if (is_about_next_drive(warning)) {
      note(warning.number, "the text ends in front of the drive that a warning is about");
    }
  }
  resolve_warnings(false);
}

void VendorContext::end_all() {
  for (const EntityId id : groups_order_) {
    Groups& groups = groups_[id];
    if (groups.open_at_end || groups.groups.empty()) continue;
    std::vector<std::string> members;
    for (std::vector<std::string>& group : groups.groups) {
      members.insert(members.end(), group.begin() + 1, group.end());
      out_.tell_another(id, attribute_index(L, "mirror_groups"), std::move(group), groups.line);
    }
    out_.tell(id, attribute_index(L, "member_drives"), std::move(members), groups.line);
  }
  for (ControllerState& controller : controllers_) {
    if (!controller.warnings.empty()) {
      out_.tell(controller.id, attribute_index(C, "warnings"), std::move(controller.warnings),
                controller.first_warning_line);
    }
    // An absent module has no size, whichever line came first.
    const Value* present = out_.told(controller.id, attribute_index(C, "cache.present"));
    if (present == nullptr || *present != Value(false)) continue;
    for (const auto& [text, key] :
         {std::pair{attribute_index(C, "cache.size_text"), "Total Cache Size"},
          std::pair{attribute_index(C, "cache.available_text"), "Total Cache Memory Available"}}) {
      if (const Value* told = out_.told(controller.id, text)) {
        const std::string words = std::get<std::string>(*told);
        out_.extra(controller.id, key, words, 0);
        for (const int back : {-1, 0, 1}) {
          out_.retract(controller.id, static_cast<std::uint8_t>(text + back));
        }
      }
    }
  }
}

void VendorContext::note(std::uint32_t number, std::string words) {
  if (several_) words = std::string(text_name_) + ": " + words;
  out_.note(number, std::move(words));
}

VendorContext::ControllerState& VendorContext::state() {
  return controllers_[controller_index_.at(open_[at(C)])];
}

VendorContext::ControllerState& VendorContext::make_controller(std::string_view id,
                                                               std::string_view slot,
                                                               std::uint32_t number) {
  const EntityId entity = out_.open(C, 0, id, machine_entity, number);
  controller_index_.emplace(entity, controllers_.size());
  ControllerState& made = controllers_.emplace_back();
  made.id = entity;
  made.slot = slot;
  return made;
}

EntityId VendorContext::require_controller(std::uint32_t number) {
  saw_vendor_ = true;
  if (open_[at(C)] != 0) return open_[at(C)];
  if (!asked_slot_.empty()) {
    for (const ControllerState& controller : controllers_) {
      if (controller.slot == asked_slot_) return open_[at(C)] = controller.id;
    }
  } else if (controllers_.size() == 1) {
    return open_[at(C)] = controllers_.front().id;
  }
  arena_.push_back("\n" + std::string(asked_slot_) + "\n" + std::to_string(controllers_.size()));
  ControllerState& made = make_controller(arena_.back(), asked_slot_, number);
  made.unnamed = true;
  out_.entity(made.id).name.clear();
  if (!asked_slot_.empty()) {
    out_.tell(made.id, attribute_index(C, "slot"), std::string(asked_slot_), number);
  }
  return open_[at(C)] = made.id;
}

void VendorContext::heading(const PlacedLine& placed) {
  const Line& line = placed.line;
  saw_vendor_ = true;
  const std::string name = collapse_blanks(line.name);
  // A slot at the very end of the text may have lost its last digits.
  const bool slot_whole = placed.whole || !line.text.ends_with(line.slot);
  const bool slot_known = !line.slot.empty() && !line.slot.starts_with("ATTR_VALUE") && slot_whole;
  const std::string_view slot = slot_known ? line.slot : std::string_view();

  EntityId id = 0;
  if (!slot_whole) {
    // The same controller as one already known, or one whose slot is not known.
    for (const ControllerState& controller : controllers_) {
      if (controller.name == name) id = controller.id;
    }
    if (id != 0) return;
  }
  std::string key = name + "\n" + std::string(slot);
  if (!slot_known) key += "?" + std::string(line.chassis);
  id = out_.find(C, 0, key);
  if (id != 0 && !slot_known) {
    // Two boxes without a slot may print the same heading. A second status in one answer is another
    // box; a heading repeated for another answer is not.
    int copy = 1;
    while (id != 0 && controllers_[controller_index_.at(id)].status_answer == out_.answer()) {
      key += "'";
      id = out_.find(C, 0, key);
      if (++copy > 8) break;
    }
  }
  if (id == 0 && slot_known) {
    // A controller that an answer without heading told of by its slot alone.
    for (ControllerState& controller : controllers_) {
      if (!controller.unnamed || controller.slot != slot) continue;
      arena_.push_back(std::move(key));
      out_.alias(controller.id, 0, arena_.back());
      out_.entity(controller.id).name = name;
      controller.unnamed = false;
      arena_.push_back(name);
      controller.name = arena_.back();
      key = arena_[arena_.size() - 2];
      id = controller.id;
      break;
    }
  }
  const bool same = id != 0 && id == open_[at(C)] && !weak_;
  if (id == 0) {
    arena_.push_back(key);
    const std::string_view stored = arena_.back();
    ControllerState& made = make_controller(stored, {}, placed.number);
    arena_.push_back(name);
    made.name = arena_.back();
    arena_.emplace_back(slot);
    made.slot = arena_.back();
    out_.entity(made.id).name = name;
    id = made.id;
  } else {
    out_.reopen(id);
  }
  resolve_warnings(false);
  if (same) {
    soft_heading_ = true;
  } else {
    close_group();
    settle_role();
    open_.fill(0);
    key_indent_.fill(-1);
    cage_ = 0;
    section_ = Section::none;
    open_[at(C)] = id;
    leaf_ = C;
    soft_heading_ = false;
  }
  weak_ = false;
  if (!same) state().board_seen = false;

  const ControllerWords words = controller_words(name);
  out_.tell(id, attribute_index(C, "name"), name, placed.number);
  if (!words.model.empty()) {
    out_.tell(id, attribute_index(C, "model"), std::string(words.model), placed.number);
  }
  if (!words.vendor.empty()) {
    out_.tell(id, attribute_index(C, "vendor"), std::string(words.vendor), placed.number);
  }
  if (slot_known) out_.tell(id, attribute_index(C, "slot"), std::string(slot), placed.number);
  if (line.embedded) out_.tell(id, attribute_index(C, "embedded"), true, placed.number);
  if (!line.serial.empty()) {
    out_.tell(id, attribute_index(C, "serial"), std::string(line.serial), placed.number);
  }
  if (!line.chassis.empty() && placed.whole) {
    out_.extra(id, "Chassis Name", line.chassis, placed.number);
  }
  if (line.mode == "RAID")
    out_.tell(id, attribute_index(C, "mode"), std::string("raid"), placed.number);
  if (line.mode == "HBA")
    out_.tell(id, attribute_index(C, "mode"), std::string("hba"), placed.number);
  if (line.mode == "Mixed")
    out_.tell(id, attribute_index(C, "mode"), std::string("mixed"), placed.number);
}

void VendorContext::close_group() {
  if (group_drive_ == 0) return;
  if (group_.size() > 1) {
    Groups& groups = groups_[group_drive_];
    if (std::find(groups.groups.begin(), groups.groups.end(), group_) == groups.groups.end()) {
      groups.groups.push_back(std::move(group_));
    }
  }
  group_.clear();
  group_drive_ = 0;
}

void VendorContext::open_leaf(EntityKind kind, EntityId id) {
  close_group();
  settle_role();
  soft_heading_ = false;
  weak_ = false;
  for (const EntityKind other : {L, D, E, P, S}) {
    open_[at(other)] = 0;
    key_indent_[at(other)] = -1;
  }
  if (kind == A || kind == C) key_indent_[at(A)] = -1;
  open_[at(kind)] = id;
  leaf_ = kind;
}

void VendorContext::close_to_controller() {
  close_group();
  settle_role();
  for (const EntityKind other : {A, L, D, E, P, S}) {
    open_[at(other)] = 0;
    key_indent_[at(other)] = -1;
  }
  cage_ = 0;
  section_ = Section::none;
  leaf_ = C;
}

void VendorContext::passed_battery_place() {
  ControllerState& controller = state();
  if (controller.board_seen && !piped_) {
    out_.tell(controller.id, attribute_index(C, "whole_block"), true,
              out_.entity(controller.id).line);
  }
}

void VendorContext::array(const PlacedLine& placed) {
  const Line& line = placed.line;
  const EntityId controller = require_controller(placed.number);
  const EntityId id = out_.open(A, controller, line.name, controller, placed.number);
  passed_battery_place();
  open_leaf(A, id);
  placing_.insert(controller);
  cage_ = 0;
  section_ = Section::array;
  out_.tell(id, attribute_index(A, "letter"), std::string(line.name), placed.number);
  std::string_view rest = line.detail;
  while (!rest.empty()) {
    const std::string_view field = take_field(rest);
    if (field.starts_with("Unused Space:")) {
      const std::string_view size = trim(field.substr(13));
      if (const auto bytes = size_bytes(size, Units::binary); bytes && !is_digit(size.back())) {
        out_.tell(id, attribute_index(A, "unused_bytes"), *bytes, placed.number);
      }
    } else if (const InterfaceWords words = interface_words(field); !words.interface.empty()) {
      out_.tell(id, attribute_index(A, "interface"), std::string(words.interface), placed.number);
      if (!words.media.empty()) {
        out_.tell(id, attribute_index(A, "media"), std::string(words.media), placed.number);
      }
    } else if (field == "Failed") {
      out_.tell(id, attribute_index(A, "status"), std::string(field), placed.number);
    } else if (!field.empty()) {
      out_.extra(id, "Listed as", field, placed.number);
    }
  }
}

EntityId VendorContext::logical_drive(const PlacedLine& placed) {
  const Line& line = placed.line;
  const EntityId controller = require_controller(placed.number);
  const EntityId parent = open_[at(A)] != 0 ? open_[at(A)] : controller;
  const EntityId id = out_.open(L, controller, line.name, parent, placed.number);
  if (parent != controller) out_.entity(id).parent = parent;
  if (line.kind == LineKind::logical_drive) {
    open_leaf(L, id);
  } else {
    open_leaf(open_[at(A)] != 0 ? A : C, open_[at(A)] != 0 ? open_[at(A)] : controller);
  }
  if (const auto number = to_integer(line.name)) {
    out_.tell(id, attribute_index(L, "number"), *number, placed.number);
  }
  if (line.kind == LineKind::logical_line)
    tell_logical_line(out_, id, line, placed.number, placed.whole);
  return id;
}

void VendorContext::drive(const PlacedLine& placed) {
  const Line& line = placed.line;
  const EntityId controller = require_controller(placed.number);
  const EntityId parent = open_[at(A)] != 0 ? open_[at(A)] : controller;
  const EntityId id = out_.open(D, controller, line.name, parent, placed.number);
  if (parent != controller) out_.entity(id).parent = parent;
  open_leaf(D, id);
  out_.tell(id, attribute_index(D, "bay"), std::string(line.name), placed.number);
  // The block itself may say "HBA Mode Drive" yet: the section is believed when that place is
  // passed.
  if (section_ == Section::unassigned || section_ == Section::hba) {
    role_pending_ = id;
    pending_role_ = section_ == Section::unassigned ? "unassigned" : "hba";
    pending_role_line_ = placed.number;
  }
}

void VendorContext::settle_role() {
  if (role_pending_ == 0) return;
  out_.tell(role_pending_, attribute_index(D, "role"), std::string(pending_role_),
            pending_role_line_);
  role_pending_ = 0;
}

/// A drive below "unassigned" or "HBA Drives" has that role, whatever its own block says or leaves
/// out.
void VendorContext::tell_section_role(EntityId drive, std::uint32_t number) {
  if (section_ != Section::unassigned && section_ != Section::hba) return;
  const char* role = section_ == Section::unassigned ? "unassigned" : "hba";
  out_.tell(drive, attribute_index(D, "role"), std::string(role), number);
}

void VendorContext::drive_line(const PlacedLine& placed) {
  const Line& line = placed.line;
  const EntityId controller = require_controller(placed.number);
  const EntityId parent = open_[at(A)] != 0 ? open_[at(A)] : controller;
  const EntityId id = out_.open(D, controller, line.name, parent, placed.number);
  if (parent != controller) out_.entity(id).parent = parent;
  out_.tell(id, attribute_index(D, "bay"), std::string(line.name), placed.number);
  tell_drive_line(out_, id, line, placed.number, placed.whole);
  if (group_drive_ != 0) {
    group_.emplace_back(line.name);
    return;
  }
  if (section_ == Section::cage) caged_drives_.push_back({id, controller});
  if (section_ == Section::array && !is_spare_line(line)) {
    out_.tell(id, attribute_index(D, "role"), std::string("data"), placed.number);
  }
  tell_section_role(id, placed.number);
  if (leaf_ == L || leaf_ == D) {
    open_leaf(open_[at(A)] != 0 ? A : C, open_[at(A)] != 0 ? open_[at(A)] : controller);
  }
  weak_ = false;
  soft_heading_ = false;
}

void VendorContext::cage(const PlacedLine& placed) {
  const Line& line = placed.line;
  const EntityId controller = require_controller(placed.number);
  passed_battery_place();
  arena_.push_back(collapse_blanks(line.name) + " at " + std::string(line.port) + ":" +
                   std::string(line.box));
  const EntityId id = out_.open(E, controller, arena_.back(), controller, placed.number);
  close_to_controller();
  open_leaf(E, id);
  cage_ = id;
  section_ = Section::cage;
  out_.entity(id).name = collapse_blanks(line.name);
  out_.tell(id, attribute_index(E, "name"), out_.entity(id).name, placed.number);
  out_.tell(id, attribute_index(E, "port"), std::string(line.port), placed.number);
  if (!line.box.empty())
    out_.tell(id, attribute_index(E, "box"), std::string(line.box), placed.number);
  if (!line.state.empty() && placed.whole) {
    out_.tell(id, attribute_index(E, "status"), std::string(line.state), placed.number);
  }
}

void VendorContext::device(const PlacedLine& placed) {
  const Line& line = placed.line;
  const EntityId controller = require_controller(placed.number);
  const EntityId cage = cage_;
  const Section section = section_;
  std::string name = collapse_blanks(line.name);
  arena_.push_back(name);
  const std::string_view stored = arena_.back();
  // The tail of an answer repeats devices that stood in their cages.
  EntityId id = cage != 0 ? 0 : out_.find(E, controller, stored);
  if (id == 0) {
    const bool repeated = out_.find(E, cage != 0 ? cage : controller, stored) != 0;
    id = out_.open(E, cage != 0 ? cage : controller, stored, controller, placed.number);
    if (!repeated && cage != 0) out_.alias(id, controller, stored);
  } else {
    out_.reopen(id);
  }
  close_to_controller();
  open_leaf(E, id);
  cage_ = cage;
  section_ = section == Section::cage ? Section::cage : Section::none;
  out_.tell(id, attribute_index(E, "name"), std::move(name), placed.number);
  const auto tell = [&](std::uint8_t attribute, std::string_view value) {
    if (!value.empty()) out_.tell(id, attribute, std::string(value), placed.number);
  };
  tell(attribute_index(E, "vendor"), line.vendor);
  tell(attribute_index(E, "model"), line.model);
  tell(attribute_index(E, "wwid"), line.wwid);
  tell(attribute_index(E, "port"), line.port);
  tell(attribute_index(E, "box"), line.box);
}

void VendorContext::prompt(const PlacedLine& placed) {
  close_group();
  settle_role();
  const EntityId controller = open_[at(C)];
  open_.fill(0);
  key_indent_.fill(-1);
  cage_ = 0;
  section_ = Section::none;
  leaf_ = EntityKind::machine;
  weak_ = true;
  soft_heading_ = false;
  const std::string_view text = placed.line.text;
  piped_ = contains(text, "|");
  asked_slot_ = command_slot(text);
  // An answer without heading belongs to the slot that was asked for, else to the last controller.
  if (asked_slot_.empty()) {
    open_[at(C)] = controller;
  } else {
    for (const ControllerState& known : controllers_) {
      if (known.slot == asked_slot_) open_[at(C)] = known.id;
    }
  }
  out_.next_answer();
}

void VendorContext::take(const PlacedLine& placed) {
  const Line& line = placed.line;
  const std::uint32_t number = placed.number;
  passed_line(line.kind, number);
  if (placed.whole || line.kind == LineKind::drive_line) {
    in_drive_list_ = line.kind == LineKind::drive_line;
  }
  if (line.kind == LineKind::heading) {
    // A banner in front of a heading is about the controller that follows.
    std::vector<PendingWarning> ahead;
    if (open_[at(C)] == 0 || weak_) ahead.swap(pending_warnings_);
    heading(placed);
    for (const PendingWarning& warning : ahead) add_warning(state(), warning.words, warning.number);
    return;
  }
  const std::vector<PendingWarning> ahead = pending_warnings_;
  resolve_warnings(false);
  switch (line.kind) {
    case LineKind::array:
      if (placed.whole || !line.detail.empty()) array(placed);
      break;
    case LineKind::unassigned:
    case LineKind::hba_drives: {
      const EntityId controller = require_controller(number);
      passed_battery_place();
      close_to_controller();
      open_leaf(C, controller);
      placing_.insert(controller);
      section_ = line.kind == LineKind::unassigned ? Section::unassigned : Section::hba;
      break;
    }
    case LineKind::cage_drives: {
      const EntityId controller = require_controller(number);
      const EntityId cage = cage_;
      close_to_controller();
      open_leaf(cage != 0 ? E : C, cage != 0 ? cage : controller);
      cage_ = cage;
      section_ = Section::cage;
      break;
    }
    case LineKind::logical_drive:
      if (placed.whole) {
        warn_of_drive(logical_drive(placed), ahead);
      } else {
        note(number, "the text ends in the middle of: " + std::string(line.text));
      }
      break;
    case LineKind::logical_line:
      warn_of_drive(logical_drive(placed), ahead);
      break;
    case LineKind::drive:
      if (placed.whole) {
        drive(placed);
      } else {
        note(number, "the text ends in the middle of: " + std::string(line.text));
      }
      break;
    case LineKind::drive_line:
      drive_line(placed);
      break;
    case LineKind::group:
      close_group();
      soft_heading_ = false;
      if (leaf_ == L) {
        group_drive_ = open_[at(L)];
        group_.assign(1, collapse_blanks(line.name));
        const auto [found, made] = groups_.try_emplace(group_drive_);
        if (made) groups_order_.push_back(group_drive_);
        Groups& groups = found->second;
        if (groups.block != out_.block_of(group_drive_)) {
          groups = Groups{};
          groups.block = out_.block_of(group_drive_);
          groups.line = number;
        }
      }
      break;
    case LineKind::cage:
      cage(placed);
      break;
    case LineKind::device:
      if (placed.whole || line.text.ends_with(')')) device(placed);
      break;
    case LineKind::port:
    case LineKind::sensor: {
      if (!placed.whole && !line.text.ends_with(')')) break;
      const EntityId controller = require_controller(number);
      passed_battery_place();
      const EntityKind kind = line.kind == LineKind::port ? P : S;
      const EntityId id = out_.open(kind, controller, line.name, controller, number);
      close_to_controller();
      open_leaf(kind, id);
      out_.tell(id, kind == P ? attribute_index(P, "name") : attribute_index(S, "id"),
                std::string(line.name), number);
      if (kind == P && !line.mode.empty()) {
        out_.tell(id, attribute_index(P, "mode"), std::string(line.mode), number);
      }
      break;
    }
    case LineKind::license:
      if (open_[at(C)] != 0) {
        close_to_controller();
        out_.extra(open_[at(C)], "licensekey", trim(line.text.substr(10)), number);
      }
      break;
    case LineKind::key:
      key(placed);
      break;
    case LineKind::unknown_key:
      key(placed);
      break;
    case LineKind::version: {
      saw_vendor_ = true;
      std::string_view version = line.value;
      const bool tool = line.key.empty() || line.key.ends_with("CLI Version");
      if (tool && out_.set().version.empty() && placed.whole) {
        out_.set().version = std::string(take_word(version));
      }
      if (!line.key.empty()) out_.extra(machine_entity, line.key, line.value, number);
      break;
    }
    case LineKind::prompt:
      prompt(placed);
      break;
    case LineKind::nothing:
      break;
    case LineKind::noise:
      noise(line.text);
      break;
    case LineKind::unfinished:
      if (!line.slot.empty() && !line.text.ends_with(line.slot)) {
        heading(placed);  // cut off behind its slot
      } else if (contains(line.text, " in Slot") || line.text.starts_with("physicaldrive") ||
                 line.text.starts_with("logicaldrive")) {
        saw_vendor_ = true;
      }
      note(number, "the text ends in the middle of: " + std::string(line.text));
      break;
    case LineKind::heading:
    case LineKind::message:
    case LineKind::error:
    case LineKind::plain:
      break;
  }
}

}  // namespace raidscope::vendor
