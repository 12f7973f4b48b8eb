#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"

namespace raidscope::cli {

/// One option. Parsing, --help, the man page and completion are all made from these rows.
struct Option {
  std::string_view name;  ///< without dashes
  char letter = 0;        ///< 0: none
  /// "FILE"; empty: a switch. "a|b|c" is also what completion offers; "[ID]" may be left out.
  std::string_view argument;
  std::string_view help;
  bool repeatable = false;
};

/// Options that several verbs share, with a heading for --help.
struct OptionGroup {
  std::string_view title;
  std::span<const Option> options;
};

struct Example {
  std::string_view command;
  std::string_view says;
};

/// What was given on the command line, checked against the verb's options.
class Arguments {
 public:
  [[nodiscard]] bool has(std::string_view option) const { return values_.contains(option); }
  /// The last value given; nullopt when the option was not given.
  [[nodiscard]] std::optional<std::string> get(std::string_view option) const {
    const auto found = values_.find(option);
    if (found == values_.end() || found->second.empty()) return std::nullopt;
    return found->second.back();
  }
  [[nodiscard]] std::string get_or(std::string_view option, std::string_view fallback) const {
    return get(option).value_or(std::string(fallback));
  }
  /// Every value given, in order; comma lists are not split.
  [[nodiscard]] std::vector<std::string> all(std::string_view option) const {
    const auto found = values_.find(option);
    return found == values_.end() ? std::vector<std::string>{} : found->second;
  }
  /// Everything given, by option; a switch has no values.
  [[nodiscard]] const std::map<std::string, std::vector<std::string>, std::less<>>& given()
      const noexcept {
    return values_;
  }
  [[nodiscard]] const std::vector<std::string>& words() const noexcept { return words_; }

  void add(std::string_view option, std::string value) {
    values_[std::string(option)].push_back(std::move(value));
  }
  void set_switch(std::string_view option) { values_[std::string(option)]; }
  /// In place of what was given.
  void set(std::string_view option, std::vector<std::string> values) {
    values_[std::string(option)] = std::move(values);
  }
  void add_word(std::string word) { words_.push_back(std::move(word)); }

 private:
  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> words_;
};

/// One verb. To add one, add cli/verbs/NAME.cpp that defines `const Verb verb_NAME`.
struct Verb {
  std::string_view name;
  int order = 0;                 ///< of --help: the order in which a person uses them
  std::string_view synopsis;     ///< behind the name: "[--from FILE…]"
  std::string_view summary;      ///< one line
  std::string_view description;  ///< paragraphs of --help and the man page
  std::span<const OptionGroup* const> groups;
  std::span<const Example> examples;
  std::size_t most_words = 0;   ///< positional arguments
  std::string_view words_name;  ///< "RUN"; empty when there are none
  /// Prints data to standard output and the rest to standard error; gives the exit code.
  int (*run)(const Arguments& arguments) = nullptr;
};

}  // namespace raidscope::cli

namespace raidscope {
using cli::Verb;
/// In file order; verbs_in_order() is what people see.
std::span<const Verb* const> verbs() noexcept;  // generated
}  // namespace raidscope

namespace raidscope::cli {
std::vector<const Verb*> verbs_in_order();
const Verb* find_verb(std::string_view name);
/// Errc::usage names the word and what is near it.
Result<Arguments> parse_arguments(const Verb& verb, const std::vector<std::string>& words);
}  // namespace raidscope::cli
