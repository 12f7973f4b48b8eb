#include <algorithm>
#include <utility>

#include "probe/base/text.h"
#include "probe/sources/vendor/key_facts.h"
#include "probe/sources/vendor/vendor_context.h"
#include "probe/sources/vendor/vendor_values.h"

namespace raidscope::vendor {

using namespace raidscope::text;

namespace {

constexpr auto npos = std::string_view::npos;
constexpr auto C = EntityKind::controller;
constexpr auto A = EntityKind::array;
constexpr auto L = EntityKind::logical_drive;
constexpr auto D = EntityKind::physical_drive;

constexpr std::size_t at(EntityKind kind) {
  return static_cast<std::size_t>(kind);
}

}  // namespace

EntityId VendorContext::chain_next(EntityKind kind, EntityKind& next) const {
  if (kind == L || kind == D) {
    if (open_[at(A)] != 0) {
      next = A;
      return open_[at(A)];
    }
  }
  if (kind == C || kind == EntityKind::machine) {
    next = EntityKind::machine;
    return 0;
  }
  next = C;
  return open_[at(C)];
}

bool VendorContext::at_key_indent(int indent) const {
  return leaf_ != EntityKind::machine && key_indent_[at(leaf_)] == indent;
}

const KnownKey* VendorContext::second_property(std::string_view value, std::size_t& start,
                                               std::size_t& colon) {
  int tries = 0;
  for (colon = value.find(':'); colon != npos; colon = value.find(':', colon + 1)) {
    if (++tries > 4) break;
    const std::string_view before = trim_right(value.substr(0, colon));
    // Behind two blanks or more any known key; behind one blank only those that the tool is known
    // to put there.
    if (const std::size_t run = before.rfind("  "); run != npos) {
      const std::string_view key = before.substr(run + 2);
      if (const KnownKey* known = find_key(key)) {
        start = run + 2;
        return known;
      }
    }
    for (const std::string_view key :
         {"HP SSD Smart Path", "HPE SSD Smart Path", "SSD Smart Path", "Smart Path",
          "SSD I/O Bypass", "I/O Bypass", "Mount Points"}) {
      if (before.size() > key.size() + 1 && before.ends_with(key) &&
          is_blank(before[before.size() - key.size() - 1])) {
        start = before.size() - key.size();
        return find_key(key);
      }
    }
  }
  return nullptr;
}

void VendorContext::key(const PlacedLine& placed) {
  const Line& line = placed.line;
  std::string_view value = line.value;
  std::string_view name = line.key;
  const KnownKey* known = line.known;
  std::size_t start = 0;
  std::size_t colon = 0;
  for (int properties = 0; properties < 4 && value.find(':') != npos; ++properties) {
    const KnownKey* second = second_property(value, start, colon);
    if (second == nullptr) break;
    PlacedLine first = placed;
    first.whole = true;
    first.last = false;
    store_key(name, known, trim(value.substr(0, start)), first);
    name = trim_right(value.substr(start, colon - start));
    known = second;
    value = trim(value.substr(colon + 1));
  }
  store_key(name, known, value, placed);
}

void VendorContext::store_key(std::string_view name, const KnownKey* known, std::string_view value,
                              const PlacedLine& placed) {
  const std::uint32_t number = placed.number;
  EntityId target = 0;
  EntityKind kind = EntityKind::machine;
  if (weak_ || leaf_ == EntityKind::machine) {
    // Nothing is open: only what no other object prints may start a controller's block.
    if (known == nullptr || !known->only(C)) {
      note(number, "belongs to nothing: " + std::string(placed.line.text));
      return;
    }
    if (name == "Cache Ratio" && controllers_.empty() && foreign_) return;
    target = require_controller(number);
    kind = C;
    if (!piped_) {
      weak_ = false;
      leaf_ = C;
    }
  } else if (known != nullptr) {
    kind = leaf_;
    target = open_[at(kind)];
    while (target != 0 && !known->has(kind)) target = chain_next(kind, kind);
    if (target != 0 && kind == C && leaf_ != C && !soft_heading_ &&
        key_indent_[at(leaf_)] == placed.indent && key_indent_[at(C)] >= 0 &&
        key_indent_[at(C)] != placed.indent) {
      // Among the keys of the open object by its indentation: a key that this object got lately.
      kind = leaf_;
      target = open_[at(leaf_)];
    }
    if (target == 0) known = nullptr;
  }
  if (target == 0) {
    // Not a key that tells its object: indentation decides, else the open object.
    kind = leaf_;
    target = open_[at(kind)];
    EntityKind next = kind;
    for (EntityId id = target; id != 0; id = chain_next(next, next)) {
      if (key_indent_[at(next)] == placed.indent) {
        kind = next;
        target = id;
        break;
      }
    }
  }
  saw_vendor_ = true;
  if (kind != leaf_ && !(piped_ && weak_)) {
    if (kind == C) {
      close_to_controller();
    } else if (kind == A) {
      open_leaf(A, target);
    }
  }
  close_group();
  soft_heading_ = false;
  if (key_indent_[at(kind)] < 0 && known != nullptr) key_indent_[at(kind)] = placed.indent;

  const KeyRule* rule = known != nullptr ? known->rule(kind) : nullptr;
  passed_key(kind, target, name, rule != nullptr && is_complete_value(*rule, value));
  if (kind == C) {
    ControllerState& controller = controllers_[controller_index_.at(target)];
    if (rule != nullptr) {
      if (rule->after_battery) passed_battery_place();
      if (rule->how == How::cache_board) controller.board_seen = true;
      if (rule->how == How::status) controller.status_answer = out_.answer();
      if (rule->how == How::slot && controller.slot.empty() && placed.whole) {
        arena_.emplace_back(value);
        controller.slot = arena_.back();
      }
    }
  }
  bool told = false;
  // A long text on the very last line may go on in what was cut off, unless a sentence ends with
  // it.
  const bool may_go_on = placed.last && rule != nullptr && rule->how == How::text && kind == C &&
                         value.size() > 40 && (!placed.whole || value.back() != '.');
  if (rule != nullptr && rule->how == How::role && section_ == Section::unassigned &&
      value.starts_with("HBA") && placed.whole) {
    // A card in HBA mode lists its drives below "unassigned", which is no contradiction.
    role_pending_ = 0;
    out_.force(target, rule->attribute, std::string("hba"), number);
    return;
  }
  if (rule != nullptr && rule->how == How::role && target == role_pending_ && placed.whole) {
    // Where a drive's own words contradict the section that it stands in, the section is believed.
    settle_role();
  }
  const bool section_knows =
      rule != nullptr && rule->how == How::role &&
      ((section_ == Section::unassigned && !value.starts_with("Unassigned")) ||
       (section_ == Section::hba && !value.starts_with("HBA")));
  if (rule != nullptr && !may_go_on && !section_knows) {
    told = tell_key(out_, target, *rule, value, number, placed.whole);
  }
  if (told) return;
  out_.extra(target, name, value, number);
  if (!placed.whole)
    note(number, "the text ends in the middle of: " + std::string(placed.line.text));
}

void VendorContext::add_warning(ControllerState& controller, const std::string& words,
                                std::uint32_t number) {
  if (!controller.seen_warnings.insert(words).second) return;
  if (controller.warnings.empty()) controller.first_warning_line = number;
  controller.warnings.push_back(words);
}

bool VendorContext::is_about_next_drive(const PendingWarning& warning) {
  return contains(warning.words, "Unrecoverable Media Errors") &&
         !contains(warning.words, "are affected");
}

void VendorContext::resolve_warnings(bool heading_follows) {
  if (pending_warnings_.empty() || heading_follows) return;
  for (const PendingWarning& warning : pending_warnings_) {
    if (open_[at(C)] != 0) {
      add_warning(state(), warning.words, warning.number);
    } else {
      note(warning.number, warning.words);
    }
  }
  pending_warnings_.clear();
}

/// The list of logical drives has a warning ahead of each drive that it is about.
void VendorContext::warn_of_drive(EntityId drive, const std::vector<PendingWarning>& warnings) {
  for (const PendingWarning& warning : warnings) {
    if (is_about_next_drive(warning)) out_.extra(drive, "Warning", warning.words, warning.number);
  }
}

void VendorContext::paragraph(const std::string& words, bool error, std::uint32_t number,
                              bool whole) {
  passed_line(error ? LineKind::error : LineKind::message, number);
  if (error) {
    saw_vendor_ = true;
    if (first_error_.empty()) first_error_ = words;
    note(number, words);
    return;
  }
  if (!whole) {
    note(number, "the text ends in the middle of: " + words);
    return;
  }
  pending_warnings_.push_back({words, number});
}

void VendorContext::plain(std::string_view words, std::uint32_t number, bool whole) {
  passed_line(LineKind::plain, number);
  if (!whole) {
    note(number, "the text ends in the middle of: " + std::string(words));
    return;
  }
  if (contains(words, "Non-Volatile Cache status") || contains(words, "status: OK") ||
      words.starts_with("ADU Version") || contains(words, " : Identify Controller")) {
    foreign_ = true;
  }
  // A whole sentence inside the structure is the tool's: "One of the drives on this array have …".
  if (leaf_ != EntityKind::machine && !weak_ && words.size() > 20 && is_upper(words.front()) &&
      words.back() == '.' && contains(words, " ")) {
    if (contains(words, "this array") && open_[at(A)] != 0) {
      out_.extra(open_[at(A)], "Warning", collapse_blanks(words), number);
    } else {
      add_warning(state(), collapse_blanks(words), number);
    }
    return;
  }
  note(number, "not understood: " + std::string(words.substr(0, 400)));
}

void VendorContext::noise(std::string_view words) {
  if (words == "--") {
    // A mail signature, or a gap between matches of grep: what follows belongs to nothing open.
    close_group();
    const EntityId controller = open_[at(C)];
    open_.fill(0);
    key_indent_.fill(-1);
    open_[at(C)] = controller;
    cage_ = 0;
    section_ = Section::none;
    leaf_ = EntityKind::machine;
    weak_ = true;
    piped_ = true;
    return;
  }
  // An author's elision: what is missing behind it is not known.
  if (contains(words, "...") && open_[at(C)] != 0) state().board_seen = false;
}

}  // namespace raidscope::vendor
