#include <algorithm>

#include <boost/program_options.hpp>
#include <fmt/format.h>

#include "cli/verb.h"

namespace raidscope::cli {
namespace {

namespace po = boost::program_options;

std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

/// " (did you mean --block-size?)" or nothing.
std::string near_option(const Verb& verb, std::string_view word) {
  std::string_view best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const OptionGroup* group : verb.groups) {
    for (const Option& option : group->options) {
      if (const std::size_t d = distance(word, option.name); d < least) {
        least = d;
        best = option.name;
      }
    }
  }
  return best.empty() ? "" : fmt::format("did you mean --{}? ", best);
}

/// "--anything", or the short form of an option that the verb has.
bool is_option_word(const Verb& verb, std::string_view word) {
  if (word.starts_with("--")) return true;
  if (word.size() != 2 || word[0] != '-') return false;
  for (const OptionGroup* group : verb.groups) {
    for (const Option& option : group->options) {
      if (option.letter == word[1]) return true;
    }
  }
  return false;
}

/// "--resume s1" as "--resume=s1" for options whose value may be left out: only so is the value
/// taken.
std::vector<std::string> with_values_attached(const Verb& verb,
                                              const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out.push_back(words[i]);
    if (i + 1 == words.size() || words[i + 1].starts_with('-')) continue;
    for (const OptionGroup* group : verb.groups) {
      for (const Option& option : group->options) {
        if (!option.argument.starts_with('[') || words[i] != fmt::format("--{}", option.name))
          continue;
        out.back() += "=" + words[++i];
        break;
      }
      if (out.back() != words[i]) break;
    }
  }
  return out;
}

std::string ask_help(const Verb& verb) {
  return fmt::format("see `raidscope {} --help`", verb.name);
}

}  // namespace

std::vector<const Verb*> verbs_in_order() {
  std::vector<const Verb*> all(verbs().begin(), verbs().end());
  std::stable_sort(all.begin(), all.end(),
                   [](const Verb* a, const Verb* b) { return a->order < b->order; });
  return all;
}

const Verb* find_verb(std::string_view name) {
  for (const Verb* verb : verbs()) {
    if (verb->name == name) return verb;
  }
  return nullptr;
}

Result<Arguments> parse_arguments(const Verb& verb, const std::vector<std::string>& words) {
  po::options_description known;
  for (const OptionGroup* group : verb.groups) {
    for (const Option& option : group->options) {
      std::string names(option.name);
      if (option.letter != 0) names += fmt::format(",{}", option.letter);
      if (option.argument.empty()) {
        known.add_options()(names.c_str(), "");
      } else if (option.argument.starts_with('[')) {
        known.add_options()(
            names.c_str(),
            po::value<std::vector<std::string>>()->implicit_value(std::vector<std::string>{}, ""),
            "");
      } else {
        known.add_options()(names.c_str(), po::value<std::vector<std::string>>(), "");
      }
    }
  }
  // Positional words go to a hidden option; the first unknown "--" word is an error there.
  known.add_options()("word", po::value<std::vector<std::string>>(), "");
  po::positional_options_description positional;
  positional.add("word", -1);

  Arguments arguments;
  try {
    using Style = po::command_line_style::style_t;
    const int style = Style::allow_long | Style::allow_short | Style::allow_dash_for_short |
                      Style::long_allow_adjacent | Style::long_allow_next |
                      Style::short_allow_adjacent | Style::short_allow_next;
    const po::parsed_options parsed = po::command_line_parser(with_values_attached(verb, words))
                                          .options(known)
                                          .positional(positional)
                                          .style(style)
                                          .run();
    for (const auto& option : parsed.options) {
      if (option.string_key == "word") {
        for (const std::string& word : option.value) arguments.add_word(word);
        continue;
      }
      const Option* row = nullptr;
      for (const OptionGroup* group : verb.groups) {
        for (const Option& candidate : group->options) {
          if (candidate.name == option.string_key) row = &candidate;
        }
      }
      if (option.value.empty()) {
        arguments.set_switch(option.string_key);
      } else {
        if (row != nullptr && !row->repeatable && arguments.has(option.string_key)) {
          return fail(Errc::usage, fmt::format("--{} is given twice", option.string_key), "",
                      ask_help(verb));
        }
        for (const std::string& value : option.value) {
          // "-o --dry-run": the value was forgotten, and the next option must not be lost to it.
          if (option.original_tokens.size() > 1 && is_option_word(verb, value)) {
            return fail(
                Errc::usage,
                fmt::format("--{} needs {}, and \"{}\" stands in its place", option.string_key,
                            row == nullptr ? "a value" : row->argument, value),
                "", ask_help(verb));
          }
          arguments.add(option.string_key, value);
        }
      }
    }
  } catch (const po::unknown_option& problem) {
    std::string name = problem.get_option_name();
    std::string bare = name.substr(std::min(name.find_first_not_of('-'), name.size()));
    return fail(Errc::usage, fmt::format("`raidscope {}` has no option {}", verb.name, name), "",
                near_option(verb, bare) + ask_help(verb));
  } catch (const po::error& problem) {
    return fail(Errc::usage, problem.what(), "", ask_help(verb));
  }
  if (arguments.words().size() > verb.most_words) {
    return fail(Errc::usage,
                verb.most_words == 0
                    ? fmt::format("`raidscope {}` takes options only, not \"{}\"", verb.name,
                                  arguments.words().front())
                    : fmt::format("one word too many: \"{}\"", arguments.words()[verb.most_words]),
                "", ask_help(verb));
  }
  // Options of a closed set are checked here, so that every verb says it in the same words.
  for (const OptionGroup* group : verb.groups) {
    for (const Option& option : group->options) {
      if (option.argument.find('|') == std::string_view::npos || option.repeatable) continue;
      if (option.argument.find_first_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ") != std::string_view::npos)
        continue;
      const auto value = arguments.get(option.name);
      if (!value) continue;
      std::string_view rest = option.argument;
      bool found = false;
      while (!rest.empty() && !found) {
        const std::size_t bar = std::min(rest.find('|'), rest.size());
        found = rest.substr(0, bar) == *value;
        rest.remove_prefix(std::min(bar + 1, rest.size()));
      }
      if (!found) {
        return fail(Errc::usage,
                    fmt::format("--{} takes {}, not \"{}\"", option.name, option.argument, *value),
                    "", ask_help(verb));
      }
    }
  }
  return arguments;
}

}  // namespace raidscope::cli
