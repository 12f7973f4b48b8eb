#include "controllers/settings/apply/apply.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace raidscope::settings {
namespace {

std::string how_to_restore(const JournalFile& file) {
  return fmt::format("put the settings back with `{}`", JournalFile::restore_command(file.path()));
}

Entry* find_entry(Journal& journal, const Step& step) {
  for (Entry& entry : journal.entries) {
    if (entry.kind == step.kind && entry.object == step.object) return &entry;
  }
  return nullptr;
}

std::string now_is(const Inventory& inventory, const Step& step) {
  const auto all = present_settings(inventory);
  const Present* const present = find_setting(all, step.kind, step.object);
  return present == nullptr ? "gone" : present->value.value_or("not told");
}

/// Gives the command and reads back. The journal says "asked" before and "changed" after.
Result<Inventory> take(const Step& step, const Inventory& inventory, Journal& journal,
                       const JournalFile& file, const Hands& hands) {
  RAIDSCOPE_TRY(const ChangeCommand command,
                change_command(inventory, step.kind, step.object, step.to));
  if (Entry* const entry = find_entry(journal, step)) {
    entry->progress = Progress::asked;
    RAIDSCOPE_CHECK(file.write(journal));
  }
  // The words that are given, and not those of the plan, which somebody may have edited.
  const std::string words = fmt::format("{} {}", hands.tool, fmt::join(command.words(), " "));
  if (hands.say) hands.say(fmt::format("{}: {}", step.name, words));
  RAIDSCOPE_CHECK(hands.change(command));
  RAIDSCOPE_TRY(Inventory after, hands.look());
  if (const std::string now = now_is(after, step); now != step.to) {
    return fail(Errc::io,
                fmt::format("the tool took the command, but {} is {} and not {}",
                            to_name(step.kind), now, step.to),
                step.name, words);
  }
  note_present(journal, after);
  RAIDSCOPE_CHECK(file.write(journal));
  return after;
}

Status take_all(const Plan& plan, Inventory inventory, Journal& journal, const JournalFile& file,
                const Hands& hands) {
  for (const Step& step : plan.steps) {
    if (hands.stop && hands.stop()) return fail(Errc::interrupted, "stopped by the user");
    const std::string now = now_is(inventory, step);
    if (now == step.to) continue;  // an earlier step has done it
    if (now != step.from) {
      return fail(Errc::refused,
                  fmt::format("{} is {} now, neither {} nor {}", to_name(step.kind), now, step.from,
                              step.to),
                  step.name, "");
    }
    RAIDSCOPE_TRY(inventory, take(step, inventory, journal, file, hands));
  }
  return Done{};
}

}  // namespace

Status apply(const Plan& plan, const JournalFile& file, const Hands& hands) {
  RAIDSCOPE_TRY(const auto open, file.read());
  if (open) {
    return fail(Errc::refused,
                fmt::format("settings were changed on {} and not put back yet", open->opened_at),
                file.path(), how_to_restore(file));
  }
  return apply_further(plan, file, hands);
}

Status apply_further(const Plan& plan, const JournalFile& file, const Hands& hands) {
  RAIDSCOPE_TRY(const auto open, file.read());
  RAIDSCOPE_TRY(Inventory inventory, hands.look());
  RAIDSCOPE_TRY(Journal journal, open_journal(inventory, plan, hands.now, open));
  if (plan.steps.empty()) return Done{};
  RAIDSCOPE_CHECK(file.write(journal));
  const Status taken = take_all(plan, std::move(inventory), journal, file, hands);
  if (taken) return Done{};
  if (hands.say)
    hands.say(fmt::format("{}; putting back what was changed", describe(taken.error())));
  if (const Status back = restore(file, hands); !back) {
    Error both = taken.error();
    both.message += "; and putting back failed: " + describe(back.error());
    both.hint = how_to_restore(file);
    return tl::unexpected<Error>(std::move(both));
  }
  return taken;
}

Status restore(const JournalFile& file, const Hands& hands) {
  RAIDSCOPE_TRY(auto open, file.read());
  if (!open) return Done{};
  Journal& journal = *open;
  RAIDSCOPE_TRY(Inventory inventory, hands.look());
  if (const auto others = strangers(journal, inventory); !others.empty()) {
    const Stranger& one = others.front();
    if (one.present == "gone") {
      return fail(
          Errc::refused,
          fmt::format("{} is not there any more, so nothing was put back; its {} was {}", one.name,
                      to_name(one.kind), one.original),
          file.path(),
          "restore again when it is back, or remove the journal to keep everything as it is");
    }
    return fail(
        Errc::refused,
        fmt::format("{} is {} now; it was {}, and {}: somebody else changed it, and nothing "
                    "was put back",
                    to_name(one.kind), one.present, one.original,
                    one.ours ? "we made it " + *one.ours : "we did not make it so"),
        one.name,
        fmt::format("set it to one of the two with the vendor tool and restore again, or "
                    "remove {} to keep everything as it is",
                    file.path()));
  }
  std::string last;
  bool told = !hands.stop || hands.stop();
  for (;;) {
    if (!told && hands.stop()) {
      told = true;
      if (hands.say)
        hands.say("going on until everything is put back; a second signal ends it here");
    }
    const std::vector<Step> steps = steps_back(journal, inventory, hands.tool);
    if (steps.empty()) break;
    const Step& step = steps.front();
    // A step that another undoes would come back for ever.
    if (step.command == last)
      return fail(Errc::io, fmt::format("{} does not stay {}", to_name(step.kind), step.to),
                  step.name, how_to_restore(file));
    last = step.command;
    RAIDSCOPE_TRY(inventory, take(step, inventory, journal, file, hands));
  }
  if (const auto missing = not_back(journal, inventory); !missing.empty()) {
    return fail(Errc::io, fmt::format("not put back: {}", fmt::join(missing, "; ")), file.path(),
                "the journal stays open; probe as root with the vendor tool and restore again");
  }
  return file.close();
}

}  // namespace raidscope::settings
