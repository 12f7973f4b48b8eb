#include "cli/help.h"

#include <scsi/sg_lib.h>
#include <sqlite3.h>

#include <boost/version.hpp>
#include <fmt/core.h>
#include <nlohmann/json.hpp>

namespace raidscope::cli {
namespace {

constexpr std::size_t help_width = 96;

/// Text broken at blanks to help_width, every line indented; paragraphs are kept.
std::string wrap(std::string_view text, std::size_t indent) {
  std::string out;
  const std::string margin(indent, ' ');
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view paragraph = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::string line;
    while (!paragraph.empty()) {
      const std::size_t blank = std::min(paragraph.find(' '), paragraph.size());
      const std::string_view word = paragraph.substr(0, blank);
      if (!line.empty() && indent + line.size() + 1 + word.size() > help_width) {
        out += margin + line + "\n";
        line.clear();
      }
      if (!line.empty()) line += ' ';
      line += word;
      paragraph.remove_prefix(std::min(blank + 1, paragraph.size()));
    }
    out += line.empty() ? "\n" : margin + line + "\n";
  }
  return out;
}

std::string option_head(const Option& option) {
  std::string head = option.letter != 0 ? fmt::format("-{}, ", option.letter) : "    ";
  head += fmt::format("--{}", option.name);
  if (!option.argument.empty()) head += fmt::format(" {}", option.argument);
  return head;
}

std::string roff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (const char c : text) {
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    if (c == '\\') {
      out += "\\e";
    } else if (c == '-') {
      out += "\\-";
    } else {
      out += c;
    }
    line_start = c == '\n';
  }
  return out;
}

}  // namespace

std::string general_help() {
  std::string out =
      "raidscope: measures storage behind RAID controllers and says what was measured.\n\n"
      "Usage: raidscope VERB [OPTIONS]\n\n";
  for (const Verb* verb : verbs_in_order()) {
    out += fmt::format("  {:<12}{}\n", verb->name, verb->summary);
  }
  out +=
      "\n`raidscope VERB --help` explains one verb and ends with worked examples.\n"
      "`raidscope --version` prints the versions of the program and its libraries.\n\n"
      "Exit codes: 0 done; 1 ended, but some part could not be done; 64 wrong usage; 65 input not\n"
      "understood; 66 input missing; 69 something needed is not available; 73 output cannot be "
      "written;\n"
      "77 not enough privilege; 78 refused for safety; 130, 143 stopped. audit, diff and testfile "
      "check\n"
      "answer with 0 to 3: see their help.\n";
  return out;
}

std::string verb_help(const Verb& verb) {
  std::string out = fmt::format("Usage: raidscope {} {}\n\n", verb.name, verb.synopsis);
  out += wrap(verb.description.empty() ? verb.summary : verb.description, 0);
  for (const OptionGroup* group : verb.groups) {
    out += fmt::format("\n{}:\n", group->title);
    for (const Option& option : group->options) {
      const std::string head = option_head(option);
      constexpr std::size_t column = 32;
      std::string help = wrap(option.help, column);
      if (head.size() + 4 <= column) {
        help.replace(0, column, fmt::format("  {:<{}}", head, column - 2));
        out += help;
      } else {
        out += fmt::format("  {}\n{}", head, help);
      }
    }
  }
  if (!verb.examples.empty()) {
    out += "\nExamples:\n";
    for (const Example& example : verb.examples) {
      out += fmt::format("  {}\n{}", example.command, wrap(example.says, 6));
    }
  }
  return out;
}

std::string man_page() {
  std::string out = fmt::format(
      ".TH RAIDSCOPE 1 \"\" \"raidscope {}\" \"User Commands\"\n.SH NAME\nraidscope \\- profile "
      "storage behind "
      "RAID controllers, tied to the exact configuration\n.SH SYNOPSIS\n.B raidscope\n.I "
      "VERB\n[OPTIONS]\n"
      ".SH DESCRIPTION\nraidscope discovers the RAID controller, its cache module, write\\-cache "
      "ratio and SSD "
      "Smart Path state, audits them, runs the I/O workload, and ties every result to the "
      "configuration before "
      "and after.\n.SH VERBS\n",
      RAIDSCOPE_VERSION);
  for (const Verb* verb : verbs_in_order()) {
    out += fmt::format(".SS {}\n.B raidscope {}\n{}\n.PP\n{}\n", roff(verb->name), roff(verb->name),
                       roff(verb->synopsis),
                       roff(verb->description.empty() ? verb->summary : verb->description));
    for (const OptionGroup* group : verb->groups) {
      for (const Option& option : group->options) {
        std::string head;
        if (option.letter != 0) head = fmt::format("\\fB\\-{}\\fR, ", option.letter);
        head += fmt::format("\\fB\\-\\-{}\\fR", roff(option.name));
        if (!option.argument.empty()) head += fmt::format(" \\fI{}\\fR", roff(option.argument));
        out += fmt::format(".TP\n{}\n{}\n", head, roff(option.help));
      }
    }
    for (const Example& example : verb->examples) {
      out += fmt::format(".PP\n.nf\n{}\n.fi\n.RS\n{}\n.RE\n", roff(example.command),
                         roff(example.says));
    }
  }
  out +=
      ".SH EXIT STATUS\n0 done; 1 ended, but some part could not be done; 64 wrong usage; 65 input "
      "not understood; "
      "66 input missing or unreadable; 69 something needed is not available; 73 output cannot be "
      "written; 77 not "
      "enough privilege; 78 refused for safety; 130 or 143 stopped by the user.\n";
  return out;
}

std::string bash_completion() {
  std::string names;
  std::string cases;
  for (const Verb* verb : verbs_in_order()) {
    names += fmt::format("{} ", verb->name);
    std::string words;
    for (const OptionGroup* group : verb->groups) {
      for (const Option& option : group->options) {
        words += fmt::format("--{} ", option.name);
        if (option.argument.find('|') != std::string_view::npos &&
            option.argument.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") == std::string_view::npos) {
          std::string choices(option.argument);
          for (char& c : choices) c = c == '|' ? ' ' : c;
          cases +=
              fmt::format("    {}:--{}) COMPREPLY=($(compgen -W \"{}\" -- \"$word\")); return;;\n",
                          verb->name, option.name, choices);
        }
      }
    }
    cases += fmt::format("    {}:*) words=\"{}\";;\n", verb->name, words);
  }
  return fmt::format(
      "_raidscope() {{\n  local word=\"${{COMP_WORDS[COMP_CWORD]}}\" "
      "previous=\"${{COMP_WORDS[COMP_CWORD-1]}}\" "
      "words=\"\"\n  if [ \"$COMP_CWORD\" = 1 ]; then COMPREPLY=($(compgen -W \"{}\" -- "
      "\"$word\")); return; fi\n"
      "  case \"${{COMP_WORDS[1]}}:$previous\" in\n{}  esac\n"
      "  if [ \"${{word#-}}\" != \"$word\" ]; then COMPREPLY=($(compgen -W \"$words\" -- "
      "\"$word\"))\n"
      "  else COMPREPLY=($(compgen -f -- \"$word\")); fi\n}}\ncomplete -F _raidscope raidscope\n",
      names, cases);
}

std::string version_text() {
  return fmt::format(
      "raidscope {}\nBoost {}.{}.{}, fmt {}.{}.{}, nlohmann-json {}.{}.{}, SQLite {}, liburing {}, "
      "libudev {}, sg3_utils {}\n",
      RAIDSCOPE_VERSION, BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100,
      FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100, NLOHMANN_JSON_VERSION_MAJOR,
      NLOHMANN_JSON_VERSION_MINOR, NLOHMANN_JSON_VERSION_PATCH, sqlite3_libversion(),
      RAIDSCOPE_URING_VERSION, RAIDSCOPE_UDEV_VERSION, sg_lib_version());
}

}  // namespace raidscope::cli
