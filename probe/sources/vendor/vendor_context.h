#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "probe/sources/vendor/fact_builder.h"
#include "probe/sources/vendor/vendor_lines.h"

namespace raidscope::vendor {

/// A line as it stands in the structure: wraps joined, paragraphs gathered.
struct PlacedLine {
  const Line& line;
  std::uint32_t number = 0;
  int indent = 0;
  bool whole = true;  ///< false where the end of the text may have cut it
  bool last = false;  ///< nothing stands behind it
};

/// How a text ended.
struct TextEnd {
  bool blank = false;      ///< with a blank line, as the tool's answers do
  bool any_blank = false;  ///< false where something dropped the blank lines on the way
  bool whole = true;       ///< its last line has an end
  bool well = false;       ///< the tool ended well
};

/// Knows which objects are open and puts each line on the right one.
class VendorContext {
 public:
  explicit VendorContext(FactBuilder& out) : out_(out) {}

  void begin_text(std::string_view name, bool several);
  void end_text(const TextEnd& end);
  void end_all();

  void take(const PlacedLine& placed);
  void paragraph(const std::string& words, bool error, std::uint32_t number, bool whole);
  void plain(std::string_view words, std::uint32_t number, bool whole = true);
  void noise(std::string_view words);

  /// True when the line's indentation is that of the open object's keys.
  bool at_key_indent(int indent) const;
  /// The known key of a second property on the line, npos when there is none; `at` is where it
  /// starts.
  static const KnownKey* second_property(std::string_view value, std::size_t& at,
                                         std::size_t& colon);

  bool saw_vendor() const { return saw_vendor_; }
  bool saw_foreign() const { return foreign_; }
  const std::string& first_error() const { return first_error_; }

 private:
  enum class Section : std::uint8_t { none, array, unassigned, hba, cage };

  struct ControllerState {
    EntityId id = 0;
    std::string_view name;
    std::string_view slot;
    std::vector<std::string> warnings;
    std::unordered_set<std::string> seen_warnings;
    std::uint32_t first_warning_line = 0;
    std::uint32_t status_answer = 0;
    bool board_seen = false;
    bool unnamed = false;
  };
  struct Groups {
    std::uint32_t block = 0;
    std::uint32_t line = 0;
    std::vector<std::vector<std::string>> groups;
    bool open_at_end = false;
  };

  void heading(const PlacedLine& placed);
  void array(const PlacedLine& placed);
  EntityId logical_drive(const PlacedLine& placed);
  void drive(const PlacedLine& placed);
  void tell_section_role(EntityId drive, std::uint32_t number);
  void settle_role();
  void drive_line(const PlacedLine& placed);
  void cage(const PlacedLine& placed);
  void device(const PlacedLine& placed);
  void prompt(const PlacedLine& placed);
  void key(const PlacedLine& placed);
  void store_key(std::string_view key, const KnownKey* known, std::string_view value,
                 const PlacedLine& placed);

  EntityId require_controller(std::uint32_t number);
  ControllerState& state();
  ControllerState& make_controller(std::string_view id, std::string_view slot,
                                   std::uint32_t number);
  void open_leaf(EntityKind kind, EntityId id);
  void close_to_controller();
  void close_group();
  void passed_battery_place();
  struct PendingWarning {
    std::string words;
    std::uint32_t number;
  };
  static bool is_about_next_drive(const PendingWarning& warning);
  void resolve_warnings(bool heading_follows);
  void warn_of_drive(EntityId drive, const std::vector<PendingWarning>& warnings);
  void add_warning(ControllerState& controller, const std::string& words, std::uint32_t number);
  void note(std::uint32_t number, std::string words);
  void passed_line(LineKind kind, std::uint32_t number);
  void passed_key(EntityKind kind, EntityId entity, std::string_view key, bool complete);
  bool key_may_end_answer(const TextEnd& end) const;
  bool drives_left_over() const;
  bool ends_inside_answer(const TextEnd& end) const;
  EntityId chain_next(EntityKind kind, EntityKind& next) const;

  FactBuilder& out_;
  bool in_drive_list_ = false;  ///< the last whole line was one of a list of drives
  /// The last key of a block that is still open, and the keys that closed and did not close earlier
  /// blocks of the same kind: a block that ends in the middle was cut off.
  struct LastKey {
    EntityKind kind = EntityKind::machine;
    EntityId entity = 0;  ///< 0: no key is open
    std::uint32_t block = 0;
    std::string_view key;
    bool complete = false;  ///< the value is one of a closed set
    bool in_cage = false;
  };
  LastKey last_key_;
  std::array<std::unordered_set<std::string_view>, 9> ending_keys_;  // by EntityKind
  std::array<std::unordered_set<std::string_view>, 9> inner_keys_;
  struct CagedDrive {
    EntityId drive = 0;
    EntityId controller = 0;
  };
  std::vector<CagedDrive> caged_drives_;  ///< listed in a cage of this text
  std::unordered_set<EntityId>
      placing_;  ///< controllers of this text with an array or "unassigned"
  LineKind last_kind_ = LineKind::nothing;
  std::uint32_t last_number_ = 0;
  std::size_t notes_before_ = 0;  ///< notes on the texts before this one
  std::string_view text_name_;
  bool several_ = false;

  std::deque<ControllerState> controllers_;
  std::unordered_map<EntityId, std::size_t> controller_index_;
  std::array<EntityId, 9> open_{};   // by EntityKind
  std::array<int, 9> key_indent_{};  // of the open object's keys, -1: none seen
  EntityId cage_ = 0;                // the cage that devices lie in
  EntityKind leaf_ = EntityKind::machine;
  Section section_ = Section::none;
  bool weak_ = true;  // no heading or object opened since the last prompt
  bool piped_ = false;
  bool soft_heading_ = false;  // the open controller's own heading was just repeated
  std::string_view asked_slot_;

  EntityId role_pending_ = 0;  // drive whose block has not told its role yet
  std::string_view pending_role_;
  std::uint32_t pending_role_line_ = 0;

  EntityId group_drive_ = 0;  // logical drive whose mirror group is open
  std::vector<std::string> group_;
  std::unordered_map<EntityId, Groups> groups_;
  std::vector<EntityId> groups_order_;

  std::vector<PendingWarning> pending_warnings_;
  std::deque<std::string> arena_;
  std::string first_error_;
  bool saw_vendor_ = false;
  bool foreign_ = false;
};

}  // namespace raidscope::vendor
