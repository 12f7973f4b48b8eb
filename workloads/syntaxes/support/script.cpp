#include "workloads/syntaxes/support/script.h"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "probe/base/text.h"

namespace raidscope {
namespace {

std::string lowered(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = text::to_lower(c);
  return out;
}

/// A command of a line: words, and where its output goes.
struct Command {
  std::vector<std::string> words;
  std::string text;    // of the words, as written
  std::string output;  // of > or >>
  bool appends = false;
};

/// Word processors make dashes of hyphens, and lines are copied from web pages.
std::string plain_dash(std::string word) {
  for (const std::string_view dash : {"\u2013", "\u2014", "\u2212"}) {
    if (word.starts_with(dash)) return "-" + word.substr(dash.size());
  }
  return word;
}

/// Splits a line at &, &&, ; and | outside quotes, and takes redirections off. Nothing when a quote
/// stays open.
class LineReader {
 public:
  explicit LineReader(std::string_view line) : line_(line) {}

  std::optional<std::vector<Command>> read() {
    while (at_ < line_.size()) {
      const char c = line_[at_];
      if (c == ' ' || c == '\t') {
        end_word();
        ++at_;
      } else if (c == '"' || (c == '\'' && word_.empty() && !in_word_)) {
        if (!take_quoted(c)) return std::nullopt;
      } else if (c == '>') {
        take_redirection();
      } else if (c == '&' || c == ';' || c == '|') {
        end_command(c == '|');
        ++at_;
      } else {
        begin_word();
        word_ += c;
        ++at_;
      }
    }
    end_command(false);
    return std::move(commands_);
  }

 private:
  void begin_word() {
    if (in_word_) return;
    in_word_ = true;
    if (output_next_) return;
    if (command_.words.empty()) text_begin_ = at_;
  }

  bool take_quoted(char quote) {
    begin_word();
    const std::size_t end = line_.find(quote, at_ + 1);
    if (end == std::string_view::npos) return false;
    word_ += line_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    return true;
  }

  void take_redirection() {
    if (word_ == "1" || word_ == "2") {  // 2>&1 and 2>file: the number belongs to the arrow
      word_.clear();
      in_word_ = false;
    }
    end_word();
    command_.appends = line_.substr(at_).starts_with(">>");
    at_ += command_.appends ? 2 : 1;
    if (at_ < line_.size() && line_[at_] == '&') {
      at_ = std::min(at_ + 2, line_.size());
      return;
    }
    output_next_ = true;
  }

  void end_word() {
    if (!in_word_) return;
    in_word_ = false;
    if (output_next_) {
      command_.output = std::exchange(word_, {});
      output_next_ = false;
    } else {
      command_.words.push_back(plain_dash(std::exchange(word_, {})));
      command_.text = line_.substr(text_begin_, at_ - text_begin_);
    }
  }

  void end_command(bool pipe) {
    end_word();
    output_next_ = false;
    Command done = std::exchange(command_, {});
    // What comes behind a pipe only shows or keeps the output.
    if (!behind_pipe_ && !done.words.empty()) commands_.push_back(std::move(done));
    behind_pipe_ = pipe;
  }

  std::string_view line_;
  std::size_t at_ = 0;
  std::size_t text_begin_ = 0;
  std::vector<Command> commands_;
  Command command_;
  std::string word_;
  bool in_word_ = false;
  bool output_next_ = false;
  bool behind_pipe_ = false;
};

/// Whether a word calls the tool: its name with or without folders and ".exe".
bool names_tool(std::string_view word, std::string_view tool) {
  if (word.starts_with("@")) word.remove_prefix(1);
  const std::size_t slash = word.find_last_of("\\/");
  if (slash != std::string_view::npos) word.remove_prefix(slash + 1);
  if (word.size() > 4 && text::iequals(word.substr(word.size() - 4), ".exe")) word.remove_suffix(4);
  return text::iequals(word, tool);
}

/// "C:\SQLIO> " and "PS C:\SQLIO> " of a copied screen.
std::string_view without_prompt(std::string_view line) {
  std::string_view rest = line;
  if (rest.starts_with("PS ")) rest.remove_prefix(3);
  if (rest.size() < 3 || !text::is_alpha(rest[0]) || rest[1] != ':' || rest[2] != '\\') return line;
  const std::size_t arrow = rest.find('>');
  if (arrow == std::string_view::npos || rest.substr(0, arrow).find(" -") != std::string_view::npos)
    return line;
  return text::trim(rest.substr(arrow + 1));
}

bool is_any_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_comment(std::string_view line) {
  if (line.starts_with("@")) line.remove_prefix(1);
  const std::string_view rest = line;
  std::string_view words = rest;
  const std::string first = lowered(text::take_word(words));
  return first == "rem" || line.starts_with("::") || line.starts_with("#") || line.starts_with(":");
}

bool says_nothing_about_io(std::string_view word) {
  return is_any_of(word,
                   {"timeout",    "sleep",        "start-sleep",  "ping",  "pause",  "cls",
                    "title",      "setlocal",     "endlocal",     "cd",    "chdir",  "pushd",
                    "popd",       "exit",         "set",          "mkdir", "md",     "color",
                    "date",       "time",         "hostname",     "ver",   "chcp",   "get-date",
                    "write-host", "write-output", "set-location", "type",  "prompt", "clear-host"});
}

/// The first variable in a word, which has its value only when the script runs.
std::string variable_in(std::string_view word) {
  if (const std::size_t first = word.find('%'); first != std::string_view::npos) {
    if (const std::size_t last = word.find('%', first + 1); last != std::string_view::npos)
      return std::string(word.substr(first, last - first + 1));
    if (first + 1 < word.size() && (text::is_digit(word[first + 1]) || word[first + 1] == '~'))
      return std::string(word.substr(first, 2));
  }
  const std::size_t dollar = word.find('$');
  if (dollar != std::string_view::npos && dollar + 1 < word.size() &&
      (text::is_alpha(word[dollar + 1]) || word[dollar + 1] == '{' || word[dollar + 1] == '(')) {
    std::size_t end = dollar + 1;
    while (end < word.size() && (text::is_alpha(word[end]) || text::is_digit(word[end]) ||
                                 is_any_of(word.substr(end, 1), {"_", "{", "}", ":"})))
      ++end;
    return std::string(word.substr(dollar, end - dollar));
  }
  return {};
}

class ScriptReader {
 public:
  ScriptReader(std::string_view text, std::string_view tool) : text_(text), tool_(tool) {}

  Result<Script> read() {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    while (!text_.empty()) {
      const std::string line = next_line();
      RAIDSCOPE_CHECK(take_line(line));
    }
    if (script_.calls.empty()) {
      return fail(Errc::malformed, fmt::format("no {} line is in the text", tool_), "line 1",
                  fmt::format("give its options, as in {}", example()));
    }
    return std::move(script_);
  }

 private:
  [[nodiscard]] std::string example() const {
    return tool_ == "sqlio" ? "sqlio -kR -s120 -frandom -b64 -t4 -o16 -BN testfile.dat"
                            : "diskspd -b64K -d120 -t4 -o16 -r -Sh testfile.dat";
  }

  /// With the lines that it goes on in: ^ at the end in a batch file, ` in PowerShell.
  std::string next_line() {
    std::string out;
    first_line_ = line_ + 1;
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view part = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++line_;
      if (part.ends_with('\r')) part.remove_suffix(1);
      part = text::trim(part);
      const bool goes_on = part.ends_with('^') || part.ends_with('`');
      if (goes_on) part.remove_suffix(1);
      out += part;
      if (!goes_on) break;
      out += ' ';
    }
    return out;
  }

  [[nodiscard]] std::string where() const { return fmt::format("line {}", first_line_); }

  Status take_line(std::string_view line) {
    line = without_prompt(text::trim(line));
    if (line.empty() || is_comment(line)) return Done{};
    auto commands = LineReader(line).read();
    if (!commands) {
      // An apostrophe in a comment or an echo is no quote.
      std::string_view rest = line;
      if (lowered(text::take_word(rest)).find("echo") != std::string::npos) return Done{};
      return fail(Errc::malformed, "a quote is not closed", where());
    }
    for (Command& command : *commands) RAIDSCOPE_CHECK(take_command(std::move(command)));
    return Done{};
  }

  Status take_command(Command command) {
    std::string first = lowered(command.words.front());
    while (first.starts_with("@") || first.starts_with("(")) first.erase(0, 1);
    if (first.starts_with("echo")) {
      keep_echo(command);
      return Done{};
    }
    if (first == "rem" || first.starts_with("#")) return Done{};
    const auto called =
        std::find_if(command.words.begin(), command.words.end(),
                     [this](const std::string& word) { return names_tool(word, tool_); });
    if (called == command.words.end()) {
      if (command.words.front().starts_with("-") || is_bare_line(command))
        return add_call(std::move(command), 0);
      if (!says_nothing_about_io(first))
        script_.notes.push_back(fmt::format("{} is not followed: {}", where(), command.text));
      return Done{};
    }
    const auto before = static_cast<std::size_t>(called - command.words.begin());
    for (std::size_t i = 0; i < before; ++i) {
      const std::string word = lowered(command.words[i]);
      const bool harmless = is_any_of(word, {"start", "@start", "/wait", "/b", "/w", "/min", "call",
                                             "cmd", "/c", "start-process", "=", ""}) ||
                            word.starts_with("$") || (i > 0 && i + 1 == before);
      if (!harmless || is_any_of(word, {"do", "(", "{", "else"})) {
        return fail(Errc::malformed,
                    fmt::format("{} is called inside \"{}\", whose value is known only when the "
                                "script runs",
                                tool_, command.words.front()),
                    where(), fmt::format("give the {} lines themselves, one for each call", tool_));
      }
    }
    return add_call(std::move(command), before + 1);
  }

  /// One line of options that begins with a file name.
  [[nodiscard]] bool is_bare_line(const Command& command) const {
    return first_line_ == 1 && text_.empty() && script_.calls.empty() &&
           std::any_of(command.words.begin(), command.words.end(),
                       [](const std::string& word) { return word.starts_with("-"); });
  }

  Status add_call(Command command, std::size_t words_before) {
    ToolCall call;
    call.line = first_line_;
    call.text = std::move(command.text);
    call.words.assign(
        std::make_move_iterator(command.words.begin() + static_cast<std::ptrdiff_t>(words_before)),
        std::make_move_iterator(command.words.end()));
    for (const std::string& word : call.words) {
      if (const std::string name = variable_in(word); !name.empty()) {
        return fail(Errc::malformed,
                    fmt::format("{} is a variable of the script, and its value is not known", name),
                    where(), "put the value in its place");
      }
    }
    script_.calls.push_back(std::move(call));
    return Done{};
  }

  void keep_echo(const Command& command) {
    if (command.output.empty()) return;
    std::string line;
    for (std::size_t i = 1; i < command.words.size(); ++i)
      line += (i == 1 ? "" : " ") + command.words[i];
    while (line.ends_with(")")) line.pop_back();
    std::string& file = script_.files[command.output];
    if (!command.appends) file.clear();
    file += line + "\n";
  }

  std::string_view text_;
  std::string_view tool_;
  Script script_;
  std::size_t line_ = 0;
  std::size_t first_line_ = 1;
};

}  // namespace

Result<Script> read_script(std::string_view text, std::string_view tool) {
  return ScriptReader(text, tool).read();
}

}  // namespace raidscope
