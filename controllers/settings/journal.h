#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "controllers/settings/change.h"
#include "probe/base/enum_names.h"
#include "probe/base/result.h"

namespace raidscope::settings {

/// How far one setting has come.
enum class Progress {
  untouched,  ///< not asked for yet
  asked,      ///< the command was about to be given, and may have been
  changed,    ///< read back; `ours` is the value then
};

/// One setting that a plan changes, or may change by what it does to others (Smart Path and caching
/// take each other away; the ratio goes when nothing uses the cache).
struct Entry {
  Kind kind = Kind::caching;
  Object object;
  std::string name;
  std::string original;
  std::optional<std::string> wanted;  ///< null: changed only by what is done to others
  std::optional<std::string> ours;    ///< what it was after our last change; null: no longer told
  Progress progress = Progress::untouched;
  bool operator==(const Entry&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("kind", s.kind);
    f("object", s.object);
    f("name", s.name);
    f("original", s.original);
    f("wanted", s.wanted);
    f("ours", s.ours);
    f("progress", s.progress);
  }
};

inline constexpr std::string_view journal_schema = "raidscope.settings_journal/1";

/// `raidscope.settings_journal/1`: on disk before the first change, until all is put back.
struct Journal {
  std::string schema{journal_schema};
  std::string opened_at;  ///< ISO 8601 UTC
  std::vector<Entry> entries;
  bool operator==(const Journal&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("opened_at", s.opened_at);
    f("entries", s.entries);
  }
};

/// The journal of a plan on a machine in this state. refused: a present value is not the plan's
/// `from` (both are named), or the object is gone. On top of an open journal the originals are that
/// one's, and what it does not hold yet is added.
Result<Journal> open_journal(const Inventory& inventory, const Plan& plan, std::string opened_at,
                             const std::optional<Journal>& onto = {});

/// What keeps a setting from being put back: its present value is neither the original nor one that
/// our changes can have left. Null values (no longer told) keep nothing.
struct Stranger {
  std::string name;
  Kind kind = Kind::caching;
  std::string original, present;
  std::optional<std::string> ours;
};
std::vector<Stranger> strangers(const Journal& journal, const Inventory& inventory);

/// The steps that are left to put everything back, in the order to take them.
std::vector<Step> steps_back(const Journal& journal, const Inventory& inventory,
                             std::string_view tool);

/// Originals that the present inventory does not show although no step is left: "name: what is not
/// told". Empty when all is as it was.
std::vector<std::string> not_back(const Journal& journal, const Inventory& inventory);

/// Notes what these settings are now. `all`: also those that were not asked for.
void note_present(Journal& journal, const Inventory& inventory);

std::string journal_text(const Journal& journal);
Result<Journal> journal_from_text(std::string_view text, std::string_view where);
std::string plan_text(const Plan& plan);
Result<Plan> plan_from_text(std::string_view text, std::string_view where);

}  // namespace raidscope::settings

namespace raidscope {
template <>
struct EnumNames<settings::Progress> {
  static constexpr std::pair<settings::Progress, std::string_view> table[] = {
      {settings::Progress::untouched, "untouched"},
      {settings::Progress::asked, "asked"},
      {settings::Progress::changed, "changed"}};
};
}  // namespace raidscope
