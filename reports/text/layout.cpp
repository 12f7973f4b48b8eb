#include "reports/text/layout.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace raidscope {
namespace {

constexpr char32_t replacement = 0xFFFD;

struct Decoded {
  char32_t code = replacement;
  std::size_t bytes = 1;
  bool good = false;
};

Decoded decode_one(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char lead = byte(0);
  if (lead < 0x80) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 0;
  if (length == 0 || lead > 0xF4 || text.size() < length) return {};
  char32_t code = lead & (0xFFU >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80) return {};
    code = (code << 6) | (byte(i) & 0x3FU);
  }
  const std::array<char32_t, 5> least{0, 0, 0x80, 0x800, 0x10000};
  if (code < least[length] || code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return {};
  return {code, length, true};
}

bool in_ranges(char32_t code, const std::pair<char32_t, char32_t>* first, std::size_t count) {
  return std::any_of(first, first + count, [code](const auto& range) {
    return code >= range.first && code <= range.second;
  });
}

// Unicode 15, coarse: enough for labels and model names.
std::size_t width_of(char32_t code) {
  static constexpr std::pair<char32_t, char32_t> zero[] = {
      {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A}, {0x064B, 0x065F},
      {0x0E31, 0x0E31}, {0x0E34, 0x0E3A}, {0x0E47, 0x0E4E}, {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF},
      {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0xE0100, 0xE01EF}};
  static constexpr std::pair<char32_t, char32_t> wide[] = {
      {0x1100, 0x115F}, {0x2E80, 0x303E},   {0x3041, 0x33FF},   {0x3400, 0x4DBF},  {0x4E00, 0x9FFF},
      {0xA000, 0xA4CF}, {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},  {0xFF00, 0xFF60},
      {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F900, 0x1F9FF}, {0x20000, 0x3FFFD}};
  if (in_ranges(code, zero, std::size(zero))) return 0;
  return in_ranges(code, wide, std::size(wide)) ? 2 : 1;
}

}  // namespace

std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool blank = false;
  while (!text.empty()) {
    const Decoded one = decode_one(text);
    const bool control = one.code < 0x20 || (one.code >= 0x7F && one.code < 0xA0) ||
                         (one.code >= 0x202A && one.code <= 0x202E) ||  // these reorder a line
                         (one.code >= 0x2066 && one.code <= 0x2069);
    if (one.good && (one.code == ' ' || one.code == '\t' || one.code == '\n' || one.code == '\r')) {
      blank = true;
    } else {
      if (blank && !out.empty()) out.push_back(' ');
      blank = false;
      if (!one.good || control) {
        out += "\xEF\xBF\xBD";
      } else {
        out.append(text.substr(0, one.bytes));
      }
    }
    text.remove_prefix(one.bytes);
  }
  return out;
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const Decoded one = decode_one(text);
    width += width_of(one.code);
    text.remove_prefix(one.bytes);
  }
  return width;
}

std::string paint(std::string_view text, Ink ink, const TextStyle& style) {
  if (!style.color || ink == Ink::plain || text.empty()) return std::string(text);
  const char* code = "";
  switch (ink) {
    case Ink::plain:
      break;
    case Ink::dim:
      code = "2";
      break;
    case Ink::strong:
      code = "1";
      break;
    case Ink::good:
      code = "32";
      break;
    case Ink::warn:
      code = "33";
      break;
    case Ink::bad:
      code = "1;31";
      break;
  }
  return "\x1b[" + std::string(code) + "m" + std::string(text) + "\x1b[0m";
}

std::string shorten(std::string_view text, std::size_t columns) {
  if (display_width(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::string out;
  std::size_t width = 0;
  while (!text.empty()) {
    const Decoded one = decode_one(text);
    width += width_of(one.code);
    if (width + 1 > columns) break;
    out.append(text.substr(0, one.bytes));
    text.remove_prefix(one.bytes);
  }
  return out + "…";
}

std::string wrapped(std::string_view text, std::size_t width, std::size_t indent) {
  std::string out;
  std::size_t column = 0;
  bool first_word = true;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    const std::size_t word_width = display_width(word);
    if (!first_word && column + 1 + word_width > width) {
      out.push_back('\n');
      out.append(indent, ' ');
      column = indent;
    } else if (!first_word) {
      out.push_back(' ');
      ++column;
    }
    out.append(word);
    column += word_width;
    first_word = false;
  }
  return out;
}

std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    out.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::size_t usable_width(const TextStyle& style) {
  return static_cast<std::size_t>(std::max(style.width, 40));
}

std::string keyed_line(std::string_view key, std::string_view text, std::size_t columns,
                       const TextStyle& style, Ink ink) {
  std::string lead = "  " + std::string(key);
  lead.append(columns - std::min(columns - 1, display_width(lead)), ' ');
  const std::string flat = wrapped(printable(text), usable_width(style) - columns, 0);
  std::string out = paint(lead, Ink::dim, style);
  for (std::size_t at = 0; at <= flat.size();) {
    const std::size_t end = std::min(flat.find('\n', at), flat.size());
    if (at != 0) out += "\n" + std::string(columns, ' ');
    out += paint(std::string_view(flat).substr(at, end - at), ink, style);
    at = end + 1;
  }
  out.push_back('\n');
  return out;
}

std::string table_text(const std::vector<TableColumn>& columns,
                       const std::vector<std::vector<Cell>>& rows, const TextStyle& style,
                       bool titles, std::size_t indent) {
  std::vector<std::size_t> widths;
  for (std::size_t c = 0; c < columns.size(); ++c) {
    std::size_t width = titles ? display_width(columns[c].title) : 0;
    for (const auto& row : rows) {
      if (c < row.size()) width = std::max(width, display_width(row[c].text));
    }
    widths.push_back(width);
  }
  // Too wide: take from the widest column that may shrink, a column of the terminal at a time.
  std::size_t total = indent + (columns.empty() ? 0 : 2 * (columns.size() - 1));
  for (const std::size_t width : widths) total += width;
  const auto limit = usable_width(style);
  while (total > limit) {
    std::size_t victim = columns.size();
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c].least == 0 || widths[c] <= columns[c].least) continue;
      if (victim == columns.size() || widths[c] > widths[victim]) victim = c;
    }
    if (victim == columns.size()) break;
    --widths[victim];
    --total;
  }

  std::string out;
  const auto put_row = [&](const std::vector<Cell>& row) {
    std::string line(indent, ' ');
    for (std::size_t c = 0; c < columns.size() && c < row.size(); ++c) {
      const std::string text = shorten(row[c].text, widths[c]);
      const std::size_t pad = widths[c] - std::min(widths[c], display_width(text));
      const bool last = c + 1 == std::min(columns.size(), row.size());
      if (columns[c].right) line.append(pad, ' ');
      line += paint(text, row[c].ink, style);
      if (!columns[c].right && !last) line.append(pad, ' ');
      if (!last) line += "  ";
    }
    while (!line.empty() && line.back() == ' ') line.pop_back();
    out += line;
    out.push_back('\n');
  };
  if (titles) {
    std::vector<Cell> heading;
    for (const TableColumn& column : columns) heading.push_back({column.title, Ink::strong});
    put_row(heading);
  }
  for (const auto& row : rows) put_row(row);
  return out;
}

}  // namespace raidscope
