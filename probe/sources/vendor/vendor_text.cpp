#include "probe/sources/vendor/vendor_text.h"

#include <algorithm>
#include <cstring>
#include <deque>
#include <utility>
#include <vector>

#include "probe/base/text.h"
#include "probe/sources/vendor/key_facts.h"
#include "probe/sources/vendor/vendor_context.h"

namespace raidscope {

namespace vendor {
namespace {

using namespace raidscope::text;

// Bounds that keep the work linear whatever the text is.
constexpr std::size_t longest_line = 16384;
constexpr std::size_t longest_paragraph = 4096;
constexpr int most_joins = 12;
/// A line shorter than this was not broken by a terminal, a mail program or a text editor.
constexpr std::size_t narrowest_wrap = 40;

bool is_ascii(std::string_view s) {
  std::uint64_t all = 0;
  std::size_t i = 0;
  for (; i + 8 <= s.size(); i += 8) {
    std::uint64_t chunk = 0;
    std::memcpy(&chunk, s.data() + i, 8);
    all |= chunk;
  }
  for (; i < s.size(); ++i) all |= static_cast<unsigned char>(s[i]);
  return (all & 0x8080808080808080ull) == 0;
}

/// UTF-16 as Windows shells write it; only the ASCII part of it matters here.
std::string from_utf16(std::string_view s, bool little) {
  std::string out;
  out.reserve(s.size() / 2);
  for (std::size_t i = 0; i + 1 < s.size(); i += 2) {
    const auto low = static_cast<unsigned char>(s[little ? i : i + 1]);
    const auto high = static_cast<unsigned char>(s[little ? i + 1 : i]);
    out.push_back(high == 0 && low < 0x80 ? static_cast<char>(low) : '?');
  }
  return out;
}

/// Whether nearly every second byte is 0, beginning with this one: UTF-16 without its mark.
bool is_half_zero(std::string_view s, std::size_t first) {
  const std::size_t looked_at = std::min<std::size_t>(s.size(), 4096);
  if (looked_at < 16) return false;
  std::size_t zero = 0;
  std::size_t all = 0;
  for (std::size_t i = first; i < looked_at; i += 2) {
    ++all;
    zero += s[i] == '\0' ? 1U : 0U;
  }
  return zero * 10 > all * 9;
}

/// Without the sequences that colour a terminal, move its cursor or name its window.
/// Only what can belong to a sequence goes: a stray escape takes neither a letter of more bytes
/// than one, which it would leave in halves, nor the end of its line.
std::string without_escapes(std::string_view s) {
  constexpr char escape = '\x1b';
  std::string out;
  out.reserve(s.size());
  std::size_t i = 0;
  const auto within = [&](char low, char high) {
    return i < s.size() && s[i] >= low && s[i] <= high;
  };
  while (i < s.size()) {
    if (s[i] != escape) {
      out.push_back(s[i++]);
      continue;
    }
    ++i;
    if (!within(' ', '~')) continue;
    const char kind = s[i++];
    if (kind == '[') {
      while (within(' ', '?')) ++i;
      if (within('@', '~')) ++i;
    } else if (kind == ']') {
      // Up to BEL or ESC \, never beyond the line: a sequence that was cut takes no line with it.
      while (i < s.size() && s[i] != '\a' && s[i] != escape && s[i] != '\n') ++i;
      if (within('\a', '\a')) ++i;
      if (i + 1 < s.size() && s[i] == escape && s[i + 1] == '\\') i += 2;
    } else if (kind == '(' || kind == ')') {
      if (within(' ', '~')) ++i;  // a character set
    }
  }
  return out;
}

/// Makes structural lines, keys and paragraphs of a text's lines: wraps are joined here.
class LineAssembler {
 public:
  LineAssembler(VendorContext& context, std::deque<std::string>& arena)
      : context_(context), arena_(arena) {}

  void run(std::string_view text, bool ended_well) {
    std::uint32_t number = 0;
    TextEnd ending;
    ending.well = ended_well;
    while (!text.empty()) {
      ++number;
      const void* end = std::memchr(text.data(), '\n', text.size());
      const std::size_t length =
          end != nullptr ? static_cast<std::size_t>(static_cast<const char*>(end) - text.data())
                         : text.size();
      const std::string_view raw = text.substr(0, length);
      const bool whole = end != nullptr;
      text.remove_prefix(whole ? length + 1 : length);
      const bool blank = physical_line(raw, number, whole, text.empty());
      if (blank && !whole) break;  // the indentation of a line that is not there says nothing
      ending.whole = whole;
      ending.blank = blank;
      ending.any_blank = ending.any_blank || blank;
    }
    finish_paragraph(true);
    resolve_fragment();
    flush();
    context_.end_text(ending);
  }

 private:
  struct Piece {
    Line line;
    std::uint32_t number = 0;
    int indent = 0;
    std::size_t width = 0;  ///< columns of its last physical line
    bool whole = true;
    bool last = false;
    bool active = false;
    bool blank_behind = false;
    int joins = 0;
  };

  static bool stands_alone(const Line& line) {
    return line.kind != LineKind::plain && line.kind != LineKind::unknown_key &&
           line.kind != LineKind::noise;
  }

  /// True for a blank line.
  bool physical_line(std::string_view raw, std::uint32_t number, bool whole, bool last) {
    while (!raw.empty() && (raw.back() == '\r' || is_blank(raw.back()))) raw.remove_suffix(1);
    int indent = 0;
    std::size_t i = 0;
    for (; i < raw.size(); ++i) {
      const char c = raw[i];
      if (c == ' ') {
        ++indent;
      } else if (c == '\t') {
        indent = (indent / 8 + 1) * 8;
      } else if ((c == '#' || c == '>' || c == '|') && i < 8) {
        ++indent;  // comment and quotation marks before every line
      } else {
        break;
      }
    }
    const std::size_t width = raw.size();
    raw.remove_prefix(i);
    if (raw.empty()) {
      if (!paragraph_.empty()) finish_paragraph(true);
      resolve_fragment();
      piece_.blank_behind = true;
      return true;
    }
    if (raw.size() > longest_line) {
      context_.plain(raw.substr(0, 80), number);
      return false;
    }
    if (std::memchr(raw.data(), '\t', raw.size()) != nullptr) {
      std::string& copy = arena_.emplace_back(raw);
      std::replace(copy.begin(), copy.end(), '\t', ' ');
      raw = copy;
    }
    Piece piece;
    piece.line = read_line(raw);
    if (!stands_alone(piece.line) && contains(raw, "  ")) {
      // Blanks doubled on the way here, also between the words of a heading.
      const Line packed = read_line(arena_.emplace_back(collapse_blanks(raw)));
      if (stands_alone(packed) && packed.kind != LineKind::unfinished) piece.line = packed;
    }
    piece.number = number;
    piece.indent = indent;
    piece.width = width;
    piece.whole = whole;
    piece.last = last;
    piece.active = true;
    take(piece);
    return false;
  }

  void take(Piece& piece) {
    const LineKind kind = piece.line.kind;
    if (!paragraph_.empty()) {
      if (!stands_alone(piece.line) && kind != LineKind::noise && !looks_like_tool_key(piece)) {
        if (paragraph_.size() < longest_paragraph) {
          paragraph_ += ' ';
          paragraph_ += piece.line.text.substr(0, longest_paragraph);
        }
        if (!piece.whole) finish_paragraph(false);
        return;
      }
      finish_paragraph(true);
    }
    if (kind == LineKind::message || kind == LineKind::error) {
      resolve_fragment();
      flush();
      paragraph_ = piece.line.text;
      paragraph_number_ = piece.number;
      paragraph_error_ = kind == LineKind::error;
      paragraph_indent_ = piece.indent;
      if (!piece.whole) finish_paragraph(false);
      return;
    }
    if (join(piece)) return;
    if (kind == LineKind::plain) {
      // A sentence that was wrapped.
      if (fragment_.active && fragment_.joins < most_joins && fragment_.width >= narrowest_wrap &&
          is_upper(fragment_.line.text.front()) && fragment_.line.text.back() != '.' &&
          piece.line.text.back() == '.' && contains(fragment_.line.text, " ")) {
        const Line joined = read_line(keep(fragment_.line.text, " ", piece.line.text));
        if (joined.kind == LineKind::plain) {
          fragment_.line = joined;
          fragment_.whole = piece.whole;
          ++fragment_.joins;
          return;
        }
      }
      resolve_fragment();
      if (!piece_.active || piece_.blank_behind) flush();
      fragment_ = piece;
      return;
    }
    resolve_fragment();
    flush();
    piece_ = piece;
  }

  /// Within a paragraph: "Key: value" that is the tool's rather than part of the prose.
  bool looks_like_tool_key(const Piece& piece) const {
    if (piece.line.kind != LineKind::unknown_key) return false;
    if (piece.indent > paragraph_indent_ && context_.at_key_indent(piece.indent)) return true;
    int capital = 0;
    int small = 0;
    std::string_view rest = piece.line.key;
    for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
      if (is_lower(word.front())) {
        ++small;
      } else {
        ++capital;
      }
    }
    return capital > small && capital + small <= 8;
  }

  /// Joins the line to what stands before it where the two make one line of the tool.
  bool join(Piece& piece) {
    if (piece_.joins >= most_joins) return false;
    const bool alone = stands_alone(piece.line);
    // An opened parenthesis, a heading whose particulars wrapped. Its rest may look like a key.
    const bool closes = piece_.active && piece_.line.kind == LineKind::unfinished &&
                        piece.line.kind == LineKind::key && piece.line.text.back() == ')' &&
                        !piece_.blank_behind;
    if (piece_.active && (!alone || closes) &&
        (piece_.line.kind == LineKind::unfinished ||
         (!piece_.blank_behind && piece.line.text.front() == '(' &&
          (piece_.line.kind == LineKind::heading || piece_.line.kind == LineKind::device)))) {
      for (const std::string_view glue : {" ", ""}) {
        const Line joined = read_line(keep(piece_.line.text, glue, piece.line.text));
        if (stands_alone(joined) && joined.kind != LineKind::key) {
          if (joined.kind == LineKind::unfinished && glue.empty()) continue;
          extend(joined, piece);
          return true;
        }
      }
    }
    if (alone) return false;
    // The end of a key whose beginning ended the line before.
    if (fragment_.active && piece.line.kind == LineKind::unknown_key) {
      const Line joined = read_line(keep(fragment_.line.text, " ", piece.line.text));
      if (joined.kind == LineKind::key) {
        flush();
        piece_ = fragment_;
        fragment_ = {};
        extend(joined, piece);
        return true;
      }
    }
    // The end of a second property: "Array Type: Data      HPE SSD Smart", "Path: disable".
    if (piece_.active && !piece_.blank_behind && !fragment_.active &&
        piece.line.kind == LineKind::unknown_key &&
        (piece_.line.kind == LineKind::key || piece_.line.kind == LineKind::unknown_key)) {
      const Line joined = read_line(keep(piece_.line.text, " ", piece.line.text));
      std::size_t start = 0;
      std::size_t colon = 0;
      if (VendorContext::second_property(joined.value, start, colon) != nullptr &&
          start + static_cast<std::size_t>(joined.value.data() - joined.text.data()) <
              piece_.line.text.size()) {
        extend(joined, piece);
        return true;
      }
    }
    return false;
  }

  std::string_view keep(std::string_view a, std::string_view glue, std::string_view b) {
    std::string& joined = arena_.emplace_back();
    joined.reserve(a.size() + glue.size() + b.size());
    joined.append(a).append(glue).append(b);
    return joined;
  }

  void extend(const Line& joined, const Piece& by) {
    piece_.line = joined;
    piece_.width = by.width;
    piece_.whole = by.whole;
    piece_.last = by.last;
    piece_.blank_behind = false;
    ++piece_.joins;
  }

  /// Decides on the plain line that was held back: the rest of a wrapped value, or by itself.
  void resolve_fragment() {
    if (!fragment_.active) return;
    const Piece fragment = std::exchange(fragment_, Piece{});
    if (piece_.active && !piece_.blank_behind && piece_.joins < most_joins && continues(fragment)) {
      const Line joined = read_line(keep(piece_.line.text, " ", fragment.line.text));
      if (joined.kind == piece_.line.kind) {
        extend(joined, fragment);
        return;
      }
    }
    flush();
    context_.plain(fragment.line.text, fragment.number, fragment.whole);
  }

  bool continues(const Piece& fragment) const {
    const Line& line = piece_.line;
    if (line.kind != LineKind::key && line.kind != LineKind::unknown_key) return false;
    std::string_view rest = fragment.line.text;
    const std::size_t first_word = take_word(rest).size();
    if (piece_.joins == 0 && piece_.width + 1 + first_word < narrowest_wrap &&
        !line.value.empty()) {
      return false;
    }
    if (line.known != nullptr) {
      for (const KeyRule* rule : line.known->rules) {
        if (rule != nullptr) return !is_complete_value(*rule, line.value);
      }
    }
    return true;
  }

  void flush() {
    if (!piece_.active) return;
    context_.take({piece_.line, piece_.number, piece_.indent, piece_.whole, piece_.last});
    piece_.active = false;
    piece_.joins = 0;
    piece_.blank_behind = false;
  }

  void finish_paragraph(bool whole) {
    if (paragraph_.empty()) return;
    const std::string words = collapse_blanks(paragraph_);
    paragraph_.clear();
    context_.paragraph(words, paragraph_error_, paragraph_number_, whole);
  }

  VendorContext& context_;
  std::deque<std::string>& arena_;
  Piece piece_;
  Piece fragment_;
  std::string paragraph_;
  std::uint32_t paragraph_number_ = 0;
  int paragraph_indent_ = 0;
  bool paragraph_error_ = false;
};

bool has_heading(std::string_view text) {
  return contains(text, " in Slot ") || contains(text, "MSA");
}

constexpr std::string_view how_to =
    "capture \"ssacli ctrl all show config detail\" (or hpssacli, hpacucli) as root";

tl::unexpected<Error> refuse(const NamedText& named) {
  const std::string_view text = named.text;
  if (trim(text.substr(
               0, text.find_first_not_of(" \t\r\n") == std::string_view::npos ? 0 : text.size()))
          .empty()) {
    return fail(Errc::malformed, "the text is empty", named.name, std::string(how_to));
  }
  std::string what = "no output of hpacucli, hpssacli or ssacli";
  if (contains(text, "Non-Volatile Cache status") || contains(text, ") RAID ") ||
      contains(text, "Running firmware:")) {
    what += "; it looks like that of cciss_vol_status";
  } else if (contains(text, "ADU Version") || contains(text, "Identify Controller") ||
             contains(text, "Consolidated Error Report")) {
    what += "; it looks like an ADU diagnostic report";
  } else if (contains(text, ": not found") || contains(text, "command not found")) {
    what += "; the tool was not found when it was captured";
  }
  return fail(Errc::malformed, std::move(what), named.name, std::string(how_to));
}

bool is_foreign(std::string_view text) {
  return contains(text, "Non-Volatile Cache status") || contains(text, "ADU Version ") ||
         contains(text, "Consolidated Error Report");
}

}  // namespace
}  // namespace vendor

Result<FactSet> parse_vendor_text(std::span<const NamedText> texts) {
  using namespace vendor;
  if (texts.empty()) return fail(Errc::malformed, "no text was given", "", std::string(how_to));

  std::deque<std::string> arena;
  FactBuilder builder;
  std::size_t bytes = 0;
  for (const NamedText& text : texts) bytes += text.text.size();
  builder.reserve(bytes / 48);  // a line is about 32 bytes, and two of three tell a fact
  VendorContext context(builder);

  // Texts with headings first, so that answers without one know the controllers.
  std::vector<const NamedText*> order;
  for (const NamedText& text : texts) {
    if (has_heading(text.text)) order.push_back(&text);
  }
  for (const NamedText& text : texts) {
    if (!has_heading(text.text)) order.push_back(&text);
  }

  for (const NamedText* named : order) {
    std::string_view text = named->text;
    if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
      text = arena.emplace_back(from_utf16(text.substr(2), text.starts_with("\xFF\xFE")));
    } else if (is_half_zero(text, 1) || is_half_zero(text, 0)) {
      text = arena.emplace_back(from_utf16(text, is_half_zero(text, 1)));
    }
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    if (!is_ascii(text) && !text::is_utf8(text)) text = arena.emplace_back(text::to_utf8(text));
    if (text.find('\x1b') != std::string_view::npos) {
      text = arena.emplace_back(without_escapes(text));
    }
    if (text.find('\n') == std::string_view::npos && text.find('\r') != std::string_view::npos) {
      std::string& copy = arena.emplace_back(text);
      std::replace(copy.begin(), copy.end(), '\r', '\n');
      text = copy;
    }
    if (is_foreign(text) && !text::contains(text, " in Slot ") &&
        !text::contains(text, "physicaldrive ") && !text::contains(text, "logicaldrive ")) {
      return refuse(*named);
    }
    context.begin_text(named->name, texts.size() > 1);
    LineAssembler(context, arena).run(text, named->ended_well);
    if (!context.saw_vendor()) return refuse(*named);
  }
  context.end_all();

  FactSet set = builder.take();
  set.path = PathName::file;
  set.status = SourceStatus::ok;
  const bool controllers =
      std::any_of(set.entities.begin(), set.entities.end(),
                  [](const Entity& e) { return e.kind == EntityKind::controller; });
  if (!controllers) {
    set.detail = context.first_error().empty() ? "the tool's answer names no controller"
                                               : context.first_error();
  }
  return set;
}

}  // namespace raidscope
