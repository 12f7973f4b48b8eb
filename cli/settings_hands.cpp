#include "cli/settings_hands.h"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "cli/inputs.h"
#include "cli/signals.h"
#include "cli/terminal.h"
#include "controllers/settings/apply/change_tool.h"
#include "probe/os/live_host.h"

namespace raidscope::cli {

std::string journal_path(const Arguments& arguments) {
  const auto named = arguments.get("journal");
  if (!named) {
    const auto known = settings::known_journals();
    return known.empty() || known.front().lost ? settings::JournalFile::default_path()
                                               : known.front().path;
  }
  // Absolute, so that what a person is told to type works in any folder.
  std::error_code problem;
  const auto path = std::filesystem::absolute(*named, problem);
  return problem ? *named : path.string();
}

std::string journal_words(const settings::KnownJournal& journal) {
  const std::string command = settings::JournalFile::restore_command(journal.path);
  if (!journal.lost) {
    return fmt::format(
        "settings of a controller were changed and are not put back yet ({}): `{}` "
        "does that",
        journal.path, command);
  }
  return fmt::format(
      "settings of a controller were changed, and the journal that says how they were is not there "
      "({}): mount its file system, then `{}`; if they are as they should be, remove {}",
      journal.path, command, journal.link);
}

Status no_other_journal(const std::string& path) {
  for (const settings::KnownJournal& journal : settings::known_journals()) {
    if (journal.path != path) return fail(Errc::refused, journal_words(journal));
  }
  return Done{};
}

Result<std::string> tool_for_changes(const Arguments& arguments) {
  RAIDSCOPE_TRY(const LiveHostOptions options, host_options(arguments));
  std::string tool = LiveHost(options).vendor_tool();
  if (!tool.empty()) return tool;
  return fail(
      Errc::unsupported,
      "no vendor tool (ssacli, hpssacli or hpacucli) is there to change settings with; name "
      "it with --ssacli PATH");
}

settings::Hands settings_hands(const Arguments& arguments, const std::string& tool) {
  settings::Hands hands;
  hands.look = [&arguments, tool]() -> Result<Inventory> {
    const bool stopping = StopSignals::stop();
    RAIDSCOPE_TRY(Inventory inventory, inventory_of_machine(arguments));
    // What the tool did not tell is not gone, and nothing may be concluded or changed from it.
    const auto asked = std::find_if(
        inventory.sources.begin(), inventory.sources.end(),
        [](const SourceInfo& source) { return source.path == name_of(PathName::ssacli); });
    if (asked != inventory.sources.end() && asked->status == "ok") return inventory;
    if (!stopping && StopSignals::stop())
      return fail(Errc::interrupted, "stopped by the user while the vendor tool was asked", tool);
    return fail(Errc::unsupported, "what is set now cannot be told without the vendor tool", tool,
                asked == inventory.sources.end() ? "--only leaves it out"
                                                 : asked->detail.value_or("it told nothing"));
  };
  hands.say = [&arguments](const std::string& line) { note(arguments, line); };
  hands.stop = [] { return StopSignals::stop().load(); };
  hands.change = [options = settings::ChangeToolOptions{tool, {}, hands.say, hands.stop}](
                     const settings::ChangeCommand& command) {
    return settings::change_setting(options, command);
  };
  hands.tool = tool.substr(tool.rfind('/') + 1);  // all of it where there is no slash
  hands.now = utc_now();
  return hands;
}

}  // namespace raidscope::cli
