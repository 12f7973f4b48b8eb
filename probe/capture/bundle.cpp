#include "probe/capture/bundle.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "probe/capture/answers.h"

namespace raidscope::capture {
namespace {

/// Bytes of content on one line of hex: whole for every answer of a controller, so that a search
/// for digits finds them.
constexpr std::size_t hex_line_bytes = 32768;

constexpr std::string_view hex_digits = "0123456789abcdef";

std::optional<unsigned> hex_value(char c) noexcept {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  const char low = text::to_lower(c);
  if (low >= 'a' && low <= 'f') return static_cast<unsigned>(low - 'a' + 10);
  return std::nullopt;
}

bool is_control(char c) noexcept {
  const auto code = static_cast<unsigned char>(c);
  return code < 0x20 || code == 0x7F;
}

/// Content that a person can read and that survives as lines.
bool is_plain(std::string_view content) noexcept {
  const bool controls = std::any_of(content.begin(), content.end(),
                                    [](char c) { return is_control(c) && c != '\n' && c != '\t'; });
  return !controls && text::is_utf8(content);
}

void write_content(std::string& out, std::string_view content) {
  if (!is_plain(content)) {
    while (!content.empty()) {
      const auto part = content.substr(0, hex_line_bytes);
      out += 'x';
      out += to_hex(part);
      out += '\n';
      content.remove_prefix(part.size());
    }
    return;
  }
  while (!content.empty()) {
    const std::size_t end = content.find('\n');
    const bool ended = end != std::string_view::npos;
    out += ended ? ' ' : '-';
    out += content.substr(0, end);
    out += '\n';
    content.remove_prefix(ended ? end + 1 : content.size());
  }
}

void write_section(std::string& out, const Section& section) {
  out += "== ";
  out += section.kind;
  if (!section.key.empty()) out += " " + encode_word(section.key);
  out += '\n';
  for (const auto& [name, value] : section.fields) {
    out += "." + name + " " + encode_word(value) + "\n";
  }
  write_content(out, section.content);
}

/// Splits off the first line. `ended` tells whether its newline was there.
std::string_view take_line(std::string_view& text, bool& ended) noexcept {
  const std::size_t end = text.find('\n');
  ended = end != std::string_view::npos;
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(ended ? end + 1 : text.size());
  return line;
}

std::optional<int> version_in(std::string_view first_line) noexcept {
  if (!first_line.starts_with(bundle_magic)) return std::nullopt;
  first_line.remove_prefix(bundle_magic.size());
  if (first_line.empty() || first_line.front() != ' ') return std::nullopt;
  const auto number = text::to_integer(text::trim(first_line));
  if (!number || *number > 1'000'000) return std::nullopt;
  return static_cast<int>(*number);
}

std::string_view without_mark(std::string_view text) noexcept {
  if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
  return text;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view where) : text_(text), where_(where) {}

  Result<Bundle> read() {
    bool ended = true;
    std::string_view first = take_line(text_, ended);
    dos_ = first.ends_with('\r');
    if (dos_) first.remove_suffix(1);
    const auto version = version_in(first);
    if (!version) return malformed("expected \"raidscope-capture 1\"");
    if (*version != bundle_version) {
      return malformed(
          fmt::format("the bundle has version {} of the format, and this program reads "
                      "version {}",
                      *version, bundle_version),
          "read it with a newer raidscope");
    }
    while (!text_.empty() && !at_end_) {
      ++line_;
      std::string_view line = take_line(text_, ended);
      if (dos_ && line.ends_with('\r')) line.remove_suffix(1);
      // The last line may be half of one: it is then of a section that is left out, or a tool's.
      const Status taken = take(line, ended);
      if (!taken) {
        if (!ended) break;
        return tl::unexpected<Error>(taken.error());
      }
    }
    if (at_end_) {
      RAIDSCOPE_CHECK(check_rest());
    } else {
      cut_off();
    }
    RAIDSCOPE_CHECK(take_header());
    return std::move(bundle_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> malformed(std::string message, std::string hint = {}) const {
    return fail(Errc::malformed, std::move(message), fmt::format("{}:{}", where_, line_),
                std::move(hint));
  }

  Status take(std::string_view line, bool ended) {
    if (line.empty()) return Done{};
    const std::string_view rest = line.substr(1);
    switch (line.front()) {
      case '#':
        return Done{};
      case '=':
        return heading(line, ended);
      case '.': {
        if (sections().empty()) return malformed("a field before the first heading");
        const std::size_t blank = std::min(rest.find(' '), rest.size());
        const std::string_view name = rest.substr(0, blank);
        std::string value = decode_word(rest.substr(std::min(blank + 1, rest.size())));
        if (std::string expected = wanted_in_field(sections().back().kind, name, value);
            !expected.empty())
          return malformed(fmt::format(".{} takes {}, not \"{}\"", name, expected, value));
        sections().back().fields.emplace_back(name, std::move(value));
        return Done{};
      }
      case ' ':
      case '-':
        if (sections().empty()) return malformed("content before the first heading");
        sections().back().content += rest;
        if (line.front() == ' ' && ended) sections().back().content += '\n';
        return Done{};
      case 'x':
        if (sections().empty()) return malformed("content before the first heading");
        if (!append_hex(rest, sections().back().content)) {
          return malformed("expected pairs of hex digits after the x");
        }
        return Done{};
      default:
        return malformed(
            "expected a heading (== …), a field (.name value), text after a blank or a dash, or "
            "hex after an x",
            "copy the file as it is; a mail program may have broken its lines");
    }
  }

  Status heading(std::string_view line, bool ended) {
    if (!line.starts_with("== ")) return malformed("expected \"== KIND KEY\"");
    line.remove_prefix(3);
    const std::size_t blank = std::min(line.find(' '), line.size());
    const std::string_view kind = line.substr(0, blank);
    const std::string_view key = line.substr(std::min(blank + 1, line.size()));
    if (kind.empty()) return malformed("expected a word after ==");
    if (kind == "end" && ended) {
      at_end_ = true;
      const auto said = text::to_integer(text::trim(key));
      if (said && *said < static_cast<std::int64_t>(sections().size())) {
        // Nothing that was written is missing.
        bundle_.notes.push_back(fmt::format(
            "the capture bundle says that it has {} sections and has {}: somebody added to it",
            *said, sections().size()));
      } else if (said && *said != static_cast<std::int64_t>(sections().size())) {
        bundle_.whole = false;
        bundle_.lost_parts = true;
        bundle_.notes.push_back(fmt::format(
            "the capture bundle should have {} sections and has {}: parts of it are missing", *said,
            sections().size()));
      }
      return Done{};
    }
    sections().push_back({std::string(kind), decode_word(key), {}, {}, line_});
    return Done{};
  }

  Status check_rest() {
    bool ended = true;
    while (!text_.empty()) {
      ++line_;
      const std::string_view line = take_line(text_, ended);
      if (version_in(line.substr(0, line.find('\r')))) {
        return malformed("a second bundle begins here", "give each bundle by a --from of its own");
      }
      if (text::trim(line).empty() || line == "\r" || noted_rest_) continue;
      noted_rest_ = true;
      bundle_.notes.push_back(
          fmt::format("what follows the end of the capture bundle at line {} is left out", line_));
    }
    return Done{};
  }

  void cut_off() {
    bundle_.whole = false;
    std::string last;
    if (!sections().empty()) {
      const Section& section = sections().back();
      last = fmt::format(" in the answer that begins at line {} ({} {})", section.line,
                         section.kind, encode_word(section.key));
      // A tool's text can be read as far as it goes, but not one that has not begun.
      const bool readable = section.kind == "tool" && !section.content.empty();
      if (!readable && section.kind != "capture") sections().pop_back();
    }
    bundle_.notes.push_back(
        fmt::format("the capture bundle was cut off{}: its end marker is missing", last));
  }

  Status take_header() {
    if (sections().empty() || sections().front().kind != "capture") {
      if (!bundle_.whole) return Done{};
      return malformed("expected the section \"== capture\" first");
    }
    const Section& header = sections().front();
    bundle_.taken_at = header.field("taken_at");
    bundle_.written_by = header.field("by");
    bundle_.tree = header.field("answers") == "tree";
    sections().erase(sections().begin());
    return Done{};
  }

  std::vector<Section>& sections() { return bundle_.sections; }

  std::string_view text_;
  std::string_view where_;
  Bundle bundle_;
  std::uint32_t line_ = 1;
  bool dos_ = false;
  bool at_end_ = false;
  bool noted_rest_ = false;
};

}  // namespace

std::string_view Section::field(std::string_view name) const noexcept {
  const auto found =
      std::find_if(fields.begin(), fields.end(), [&](const auto& f) { return f.first == name; });
  return found == fields.end() ? std::string_view{} : std::string_view(found->second);
}

bool is_bundle(std::string_view text) noexcept {
  text = without_mark(text);
  const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
  return version_in(line).has_value() || line == bundle_magic;
}

std::string write_bundle(const Bundle& bundle) {
  std::string out = fmt::format("{} {}\n", bundle_magic, bundle_version);
  const Section header{"capture",
                       "",
                       {{"taken_at", bundle.taken_at},
                        {"by", bundle.written_by},
                        {"answers", bundle.tree ? "tree" : "exact"}},
                       "",
                       0};
  write_section(out, header);
  for (const Section& section : bundle.sections) write_section(out, section);
  // A bundle that has lost parts stays one that says so.
  if (bundle.whole) out += fmt::format("== end {}\n", bundle.sections.size() + 1);
  return out;
}

Result<Bundle> read_bundle(std::string_view text, std::string_view where) {
  return Reader(without_mark(text), where).read();
}

std::string encode_word(std::string_view word) {
  const bool utf8 = text::is_utf8(word);
  std::string out;
  out.reserve(word.size());
  for (const char c : word) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '%' || is_control(c) || (code >= 0x80 && !utf8)) {
      out += '%';
      out += hex_digits[code >> 4U];
      out += hex_digits[code & 15U];
    } else {
      out += c;
    }
  }
  return out;
}

std::string decode_word(std::string_view word) {
  std::string out;
  out.reserve(word.size());
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] == '%' && i + 2 < word.size()) {
      const auto high = hex_value(word[i + 1]);
      const auto low = hex_value(word[i + 2]);
      if (high && low) {
        out += static_cast<char>(*high * 16 + *low);
        i += 2;
        continue;
      }
    }
    out += word[i];
  }
  return out;
}

std::string to_hex(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() * 2);
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    out += hex_digits[code >> 4U];
    out += hex_digits[code & 15U];
  }
  return out;
}

bool append_hex(std::string_view digits, std::string& out) {
  if (digits.size() % 2 != 0) return false;
  std::string bytes;
  bytes.reserve(digits.size() / 2);
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    const auto high = hex_value(digits[i]);
    const auto low = hex_value(digits[i + 1]);
    if (!high || !low) return false;
    bytes += static_cast<char>(*high * 16 + *low);
  }
  out += bytes;
  return true;
}

}  // namespace raidscope::capture
