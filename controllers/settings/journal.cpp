#include "controllers/settings/journal.h"

#include <algorithm>

#include <fmt/format.h>

#include "probe/base/json_document.h"

namespace raidscope::settings {
namespace {

/// Whether a change of one may move the other by itself.
bool coupled(const Step& step, const Present& other, const Inventory& inventory) {
  if (step.object.controller_serial != other.object.controller_serial) return false;
  if (step.kind == Kind::surface_scan_mode || step.kind == Kind::cache_ratio) return false;
  if (other.kind == Kind::surface_scan_mode) return false;
  if (other.kind == Kind::cache_ratio) return true;
  // Of one array.
  for (const Controller& controller : inventory.controllers) {
    if (controller.serial != step.object.controller_serial) continue;
    for (const Array& array : controller.arrays) {
      const auto holds = [&](const std::string& volume) {
        return std::any_of(array.logical_drives.begin(), array.logical_drives.end(),
                           [&](const LogicalDrive& d) { return d.unique_id == volume; });
      };
      if (holds(step.object.volume) && holds(other.object.volume)) return true;
    }
  }
  return false;
}

}  // namespace

Result<Journal> open_journal(const Inventory& inventory, const Plan& plan, std::string opened_at,
                             const std::optional<Journal>& onto) {
  const std::vector<Present> now = present_settings(inventory);
  Journal out = onto.value_or(Journal{});
  if (!onto) out.opened_at = std::move(opened_at);
  const auto known = [&out](Kind kind, const Object& object) {
    const auto at = std::find_if(out.entries.begin(), out.entries.end(), [&](const Entry& entry) {
      return entry.kind == kind && entry.object == object;
    });
    return at == out.entries.end() ? nullptr : &*at;
  };
  for (const Step& step : plan.steps) {
    const Present* const present = find_setting(now, step.kind, step.object);
    if (present == nullptr) {
      return fail(Errc::refused, fmt::format("{} is not there any more", step.name),
                  step.object.volume.empty() ? step.object.controller_serial : step.object.volume,
                  "make the plan anew with `raidscope settings plan`");
    }
    if (present->value != step.from) {
      return fail(Errc::refused,
                  fmt::format("{} was {} when the plan was made and is {} now", to_name(step.kind),
                              step.from, present->value.value_or("not told")),
                  step.name, "make the plan anew with `raidscope settings plan`");
    }
    // Also says whether the value is one that may be set.
    RAIDSCOPE_CHECK(change_command(inventory, step.kind, step.object, step.to));
    RAIDSCOPE_CHECK(change_command(inventory, step.kind, step.object, step.from));
    if (Entry* const entry = known(step.kind, step.object)) {
      entry->wanted = step.to;
      continue;
    }
    out.entries.push_back({step.kind, step.object, present->name, step.from, step.to, std::nullopt,
                           Progress::untouched});
  }
  for (const Present& other : now) {
    if (!other.value) continue;
    const bool listed = known(other.kind, other.object) != nullptr;
    const bool moves = std::any_of(plan.steps.begin(), plan.steps.end(), [&](const Step& step) {
      return coupled(step, other, inventory);
    });
    if (listed || !moves) continue;
    out.entries.push_back({other.kind, other.object, other.name, *other.value, std::nullopt,
                           std::nullopt, Progress::untouched});
  }
  return out;
}

std::vector<Stranger> strangers(const Journal& journal, const Inventory& inventory) {
  const std::vector<Present> now = present_settings(inventory);
  const bool in_flight =
      std::any_of(journal.entries.begin(), journal.entries.end(),
                  [](const Entry& entry) { return entry.progress == Progress::asked; });
  std::vector<Stranger> out;
  for (const Entry& entry : journal.entries) {
    const Present* const present = find_setting(now, entry.kind, entry.object);
    if (present == nullptr) {
      out.push_back({entry.name, entry.kind, entry.original, "gone", entry.ours});
      continue;
    }
    if (!present->value) continue;
    const bool known = present->value == entry.original || present->value == entry.ours;
    const bool just_set = entry.progress == Progress::asked && present->value == entry.wanted;
    // Nobody has read yet what the last command did to others.
    const bool moved =
        in_flight && entry.progress != Progress::asked && entry.kind != Kind::surface_scan_mode;
    if (!known && !just_set && !moved)
      out.push_back({entry.name, entry.kind, entry.original, *present->value, entry.ours});
  }
  return out;
}

std::vector<Step> steps_back(const Journal& journal, const Inventory& inventory,
                             std::string_view tool) {
  std::vector<Present> wanted;
  for (const Entry& entry : journal.entries)
    wanted.push_back({entry.kind, entry.object, entry.name, entry.original});
  return steps_to(inventory, wanted, tool);
}

std::vector<std::string> not_back(const Journal& journal, const Inventory& inventory) {
  const std::vector<Present> now = present_settings(inventory);
  std::vector<std::string> out;
  for (const Entry& entry : journal.entries) {
    const Present* const present = find_setting(now, entry.kind, entry.object);
    if (present != nullptr && present->value == entry.original) continue;
    out.push_back(fmt::format("{}: {} was {} and is {}", entry.name, to_name(entry.kind),
                              entry.original,
                              present == nullptr ? "gone" : present->value.value_or("not told")));
  }
  return out;
}

void note_present(Journal& journal, const Inventory& inventory) {
  const std::vector<Present> now = present_settings(inventory);
  for (Entry& entry : journal.entries) {
    const Present* const present = find_setting(now, entry.kind, entry.object);
    entry.ours = present == nullptr ? std::nullopt : present->value;
    if (entry.progress == Progress::asked) entry.progress = Progress::changed;
  }
}

std::string journal_text(const Journal& journal) {
  return json::document_text(journal);
}

Result<Journal> journal_from_text(std::string_view text, std::string_view where) {
  return json::document_of<Journal>(
      text, where, journal_schema,
      "if it still tells what the settings were, put them back by hand with the vendor tool; then "
      "remove it");
}

std::string plan_text(const Plan& plan) {
  return json::document_text(plan);
}

Result<Plan> plan_from_text(std::string_view text, std::string_view where) {
  constexpr std::string_view hint = "`raidscope settings plan -o FILE` writes one";
  RAIDSCOPE_TRY(Plan plan, json::document_of<Plan>(text, where, plan_schema, hint));
  const json::Json document = json::Json::parse(text), whole = json::encode(plan);
  const auto wrong = [&](std::string_view what, const std::string& at) {
    return fail(Errc::malformed, std::string(what), fmt::format("{}: {}", where, at),
                std::string(hint));
  };
  if (const auto key = json::unknown_key(document, whole); !key.empty())
    return wrong("a plan of settings has no such key", key);
  if (const auto key = json::unknown_key(whole, document); !key.empty())
    return wrong("a plan of settings needs this key", key);
  return plan;
}

}  // namespace raidscope::settings
