#include <algorithm>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/json_text.h"
#include "cli/options.h"
#include "cli/planning.h"
#include "cli/settings_hands.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "probe/base/text.h"
#include "reports/text/layout.h"

namespace raidscope {
namespace {

using namespace cli;
using nlohmann::ordered_json;

std::string_view words_of(settings::Kind kind) {
  switch (kind) {
    case settings::Kind::caching:
      return "caching";
    case settings::Kind::cache_ratio:
      return "cache ratio";
    case settings::Kind::smart_path:
      return "Smart Path";
    case settings::Kind::surface_scan_mode:
      return "surface scan";
  }
  return "setting";
}

ordered_json json_of(const std::vector<settings::Present>& all,
                     const std::optional<settings::Journal>& journal) {
  auto list = ordered_json::array();
  for (const settings::Present& one : all) {
    list.push_back(
        {{"kind", to_name(one.kind)},
         {"name", one.name},
         {"controller_serial", one.object.controller_serial},
         {"volume", one.object.volume.empty() ? ordered_json() : ordered_json(one.object.volume)},
         {"value", one.value ? ordered_json(*one.value) : ordered_json()}});
  }
  return {{"schema", "raidscope.settings/1"},
          {"settings", list},
          {"journal",
           journal ? ordered_json::parse(settings::journal_text(*journal)) : ordered_json()}};
}

/// The journal without taking hold of it; a person who is not root may be unable to read it.
Result<std::optional<settings::Journal>> look_at_journal(const std::string& path) {
  if (!settings::JournalFile::is_open(path)) return std::optional<settings::Journal>{};
  RAIDSCOPE_TRY(const std::string text, read_input(path));
  RAIDSCOPE_TRY(settings::Journal journal, settings::journal_from_text(text, path));
  return std::optional<settings::Journal>(std::move(journal));
}

int show(const Arguments& arguments) {
  const auto inventory = inventory_asked_for(arguments);
  if (!inventory) return complain(inventory.error());
  std::vector<std::string> without_ids;
  const auto all = settings::present_settings(*inventory, &without_ids);
  for (const std::string& name : without_ids)
    warn(fmt::format("{} has no serial number or unique id here and is left out", name));
  auto journal = look_at_journal(journal_path(arguments));
  if (!journal) warn(describe(journal.error()));
  const auto open = journal ? *journal : std::nullopt;
  if (arguments.get_or("format", "text") == "json")
    return write_data(arguments, json_text(json_of(all, open)));
  std::string out;
  const TextStyle style = output_style(arguments);
  std::string last;
  for (const settings::Present& one : all) {
    if (one.name != last) out += one.name + "\n";
    last = one.name;
    std::string line = one.value.value_or("unknown");
    if (open) {
      for (const settings::Entry& entry : open->entries) {
        if (entry.kind == one.kind && entry.object == one.object && entry.original != one.value)
          line += fmt::format(" (was {}; `{}` puts it back)", entry.original,
                              settings::JournalFile::restore_command(journal_path(arguments)));
      }
    }
    out += keyed_line(fmt::format("  {}", words_of(one.kind)), line, 22, style,
                      one.value ? Ink::plain : Ink::dim);
  }
  if (all.empty()) out = "No settings that can be changed were found.\n";
  return write_data(arguments, out);
}

std::optional<bool> on_or_off(const Arguments& arguments, std::string_view name) {
  const auto word = arguments.get(name);
  return word ? std::optional(*word == "on") : std::nullopt;
}

Result<settings::Wish> wish_of(const Arguments& arguments) {
  settings::Wish wish;
  wish.slot = arguments.get("slot");
  if (const auto drive = arguments.get("logical-drive")) {
    const std::size_t colon = drive->rfind(':');
    const std::string number = colon == std::string::npos ? *drive : drive->substr(colon + 1);
    if (number.empty() || number.size() > 6 ||
        !std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; })) {
      return fail(Errc::usage,
                  fmt::format("--logical-drive takes SLOT:NUMBER, not \"{}\"", *drive));
    }
    if (colon != std::string::npos) wish.slot = drive->substr(0, colon);
    wish.drive = std::stoll(number);
  }
  wish.caching = on_or_off(arguments, "caching");
  wish.smart_path = on_or_off(arguments, "smart-path");
  wish.surface_scan_mode = arguments.get("surface-scan");
  if (const auto words = arguments.get("cache-ratio")) {
    wish.ratio = settings::ratio_of(*words);
    if (!wish.ratio)
      return fail(Errc::usage, fmt::format("--cache-ratio takes READ/WRITE, not \"{}\"", *words),
                  "", "--cache-ratio 10/90");
  }
  return wish;
}

std::string text_of(const settings::Plan& plan) {
  if (plan.steps.empty()) return "Nothing to change: everything is so already.\n";
  std::string out;
  int number = 0;
  for (const settings::Step& step : plan.steps) {
    out += fmt::format("{}. {}\n", ++number, step.command);
    out += fmt::format("   {}: {}, from {} to {}\n   {}\n", step.name, to_name(step.kind),
                       step.from, step.to, step.does);
  }
  for (const std::string& line : plan.affects) out += fmt::format("Note: {}\n", line);
  return out;
}

int plan(const Arguments& arguments) {
  const auto wish = wish_of(arguments);
  if (!wish) return complain(wish.error());
  const auto inventory = inventory_asked_for(arguments);
  if (!inventory) return complain(inventory.error());
  const auto plan = settings::plan_changes(*inventory, *wish, vendor_tool_word(*inventory));
  if (!plan) return complain(plan.error());
  const auto output = arguments.get("output");
  if (output && *output != "-") {
    // What is written is for `settings apply`; the person reads the same here.
    const ExitCode written = write_data(arguments, settings::plan_text(*plan));
    if (written != exit_done) return written;
    note(arguments, fmt::format("`raidscope settings apply {}` as root carries it out:",
                                text::shell_word(*output)));
    return print_data(text_of(*plan));
  }
  return write_data(arguments, arguments.get_or("format", "text") == "json"
                                   ? settings::plan_text(*plan)
                                   : text_of(*plan));
}

int only_root(std::string_view verb) {
  return complain(exit_no_privilege,
                  fmt::format("changing settings needs root: sudo raidscope settings {}", verb));
}

/// Holds the journal and the tool; then does what it is given.
template <class F>
int with_hands(const Arguments& arguments, std::string_view verb, F&& act) {
  if (::geteuid() != 0) return only_root(verb);
  if (const auto from = arguments.get("from"); from || arguments.has("sysroot"))
    return complain(exit_usage, "settings are changed on the running machine only");
  const auto tool = tool_for_changes(arguments);
  if (!tool) return complain(tool.error());
  auto file = settings::JournalFile::hold(journal_path(arguments));
  if (!file) return complain(file.error());
  const StopSignals signals;
  const Status done = act(*file, settings_hands(arguments, *tool));
  if (done) return exit_done;
  const ExitCode code = complain(done.error());
  return StopSignals::exit_code() != 0 ? static_cast<ExitCode>(StopSignals::exit_code()) : code;
}

int apply(const Arguments& arguments) {
  if (arguments.words().size() != 2)
    return complain(exit_usage, "name the plan: raidscope settings apply FILE");
  const std::string& path = arguments.words()[1];
  const auto text = read_input(path);
  if (!text) return complain(text.error());
  const auto plan = settings::plan_from_text(*text, path);
  if (!plan) return complain(plan.error());
  return with_hands(arguments, "apply " + text::shell_word(path),
                    [&](const settings::JournalFile& file, const settings::Hands& hands) -> Status {
                      RAIDSCOPE_CHECK(no_other_journal(file.path()));
                      const Status done = settings::apply(*plan, file, hands);
                      if (done && plan->steps.empty())
                        note(arguments, "the plan has no steps: nothing was changed");
                      if (done && !plan->steps.empty())
                        note(arguments,
                             fmt::format("done; `{}` puts everything back as it was",
                                         settings::JournalFile::restore_command(file.path())));
                      return done;
                    });
}

int restore(const Arguments& arguments) {
  return with_hands(
      arguments, "restore", [&](const settings::JournalFile& file, const settings::Hands& hands) {
        const bool open = settings::JournalFile::is_open(file.path());
        const Status done = settings::restore(file, hands);
        if (done)
          note(arguments,
               open ? "everything is as it was"
                    : fmt::format("no journal is open at {}, so nothing is put back", file.path()));
        return done;
      });
}

int run_settings(const Arguments& arguments) {
  const auto& words = arguments.words();
  const std::string what = words.empty() ? "show" : words.front();
  if (words.size() > 1 && what != "apply")
    return complain(exit_usage, fmt::format("one word too many: \"{}\"", words[1]));
  if (what == "show") return show(arguments);
  if (what == "plan") return plan(arguments);
  if (what == "apply") return apply(arguments);
  if (what == "restore") return restore(arguments);
  return complain(exit_usage, fmt::format("settings takes show, plan, apply FILE or restore, not "
                                          "\"{}\"",
                                          what));
}

constexpr Option wishes[] = {
    {"slot", 0, "SLOT", "the controller, where there are several"},
    {"logical-drive", 0, "SLOT:NUMBER", "one logical drive; without it all of the controller"},
    {"caching", 0, "on|off", "the controller's cache for the drive, reads and writes together"},
    {"smart-path", 0, "on|off", "SSD Smart Path of the drive's array; on turns caching off"},
    {"cache-ratio", 0, "READ/WRITE", "how the controller shares its cache: 10/90"},
    {"surface-scan", 0, "disable|idle|high", "the controller's surface scans"},
    {"journal", 0, "FILE",
     "where the originals are kept until they are put back (default: "
     "/var/lib/raidscope/settings-journal.json)"},
};
constexpr OptionGroup settings_options{"Settings", wishes};
constexpr const OptionGroup* groups[] = {&settings_options, &source_options, &machine_options,
                                         &format_options, &common_options};
constexpr Example examples[] = {
    {"raidscope settings show", "what can be changed, and what it is now"},
    {"raidscope settings plan --smart-path off -o cache.json",
     "the exact commands for controller cache in place of Smart Path, for reading and applying"},
    {"sudo raidscope settings apply cache.json", "carries the plan out; the originals are kept"},
    {"sudo raidscope settings restore", "puts everything back as it was"},
};

}  // namespace

extern const Verb verb_settings;
const Verb verb_settings{
    .name = "settings",
    .order = 65,
    .synopsis = "show | plan [OPTIONS] | apply FILE | restore",
    .summary = "caching, cache ratio, Smart Path and surface scan: show, plan, change, put back",
    .description =
        "\"plan\" prints the vendor tool's commands in the order in which it takes them, and "
        "changes nothing. \"apply\" carries a plan out as root: what each setting was is on "
        "the disk before the first change, each change is read back, and a failure or Ctrl-C puts "
        "everything back. \"restore\" puts the originals back, also after a crash; a setting that "
        "somebody else has changed meanwhile is left alone (78). Drive write cache, no-battery "
        "write cache and HBA mode are never changed, and caching is never turned on without a "
        "working battery or capacitor.",
    .groups = groups,
    .examples = examples,
    .most_words = 2,
    .words_name = "show|plan|apply|restore",
    .run = run_settings};

}  // namespace raidscope
