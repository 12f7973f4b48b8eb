#include "cli/app.h"

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

#include <fmt/core.h>

#include "cli/help.h"
#include "cli/settings_hands.h"
#include "cli/terminal.h"

namespace raidscope::cli {
namespace {

int print(const std::string& text) {
  return write_data(Arguments{}, text);
}

/// Whoever measures or audits must know that the settings are not the machine's own.
void warn_of_open_journals(const Verb& verb, const Arguments& arguments) {
  const std::string own = journal_path(arguments);
  const bool restores =
      verb.name == "settings" && !arguments.words().empty() && arguments.words()[0] == "restore";
  std::vector<settings::KnownJournal> all = settings::known_journals();
  if (std::none_of(all.begin(), all.end(), [&](const auto& one) { return one.path == own; }) &&
      settings::JournalFile::is_open(own))
    all.push_back({own, {}, false});
  for (const settings::KnownJournal& journal : all) {
    if (!restores || journal.path != own || journal.lost) warn(journal_words(journal));
  }
}

int run_verb(const Verb& verb, const std::vector<std::string>& words) {
  for (const std::string& word : words) {
    if (word == "--help" || word == "-h") return print(verb_help(verb));
    if (word == "--") break;
  }
  const auto arguments = parse_arguments(verb, words);
  if (!arguments) {
    const ExitCode code = complain(arguments.error());
    // A monitoring system reads a status line and a code of 0 to 3, whatever went wrong.
    for (std::size_t i = 0; i < words.size(); ++i) {
      if (words[i] == "--format=nagios" ||
          (words[i] == "nagios" && i > 0 && words[i - 1] == "--format")) {
        print(fmt::format("UNKNOWN - {}\n", describe(arguments.error())));
        return 3;
      }
    }
    return code;
  }
  warn_of_open_journals(verb, *arguments);
  return verb.run(*arguments);
}

}  // namespace

int run(int argc, char** argv) {
  // A reader that goes away is an error of write(), not the end of a run that is to be stored.
  std::signal(SIGPIPE, SIG_IGN);
  std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  try {
    if (words.empty()) {
      std::fputs(general_help().c_str(), stderr);
      return exit_usage;
    }
    const std::string first = words.front();
    if (first == "--help" || first == "-h") return print(general_help());
    if (first == "help") {
      if (words.size() == 1) return print(general_help());
      if (const Verb* verb = find_verb(words[1])) return print(verb_help(*verb));
      return complain(exit_usage,
                      fmt::format("no verb \"{}\"; `raidscope --help` lists them", words[1]));
    }
    if (first == "--version") return print(version_text());
    if (first == "--generate-man") return print(man_page());
    if (first == "--generate-bash") return print(bash_completion());
    const Verb* verb = find_verb(first);
    if (verb == nullptr) {
      if (first.size() > 1 && first.front() == '-') {
        return complain(exit_usage,
                        fmt::format("{} stands before the verb; options follow it: raidscope VERB "
                                    "{}",
                                    first, first));
      }
      return complain(exit_usage,
                      fmt::format("no verb \"{}\"; `raidscope --help` lists them", first));
    }
    words.erase(words.begin());
    return run_verb(*verb, words);
  } catch (const std::bad_alloc&) {
    return complain(exit_unavailable, "out of memory");
  } catch (const std::exception& problem) {
    return complain(exit_partly, fmt::format("unexpected: {}; please report this with the command",
                                             problem.what()));
  }
}

}  // namespace raidscope::cli
