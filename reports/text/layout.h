#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "reports/text.h"

/// Lines and tables for a terminal. Widths are columns of a terminal, not bytes: UTF-8 is decoded,
/// combining marks count 0 and East Asian wide characters 2.
namespace raidscope {

/// Text of a device or a person, made safe to print: control characters (an escape sequence in a
/// drive's label too) and broken UTF-8 become U+FFFD, runs of blanks one blank.
std::string printable(std::string_view text);

std::size_t display_width(std::string_view text);

enum class Ink { plain, dim, strong, good, warn, bad };
/// Wraps text in its colour when the style has colour; else gives it unchanged.
std::string paint(std::string_view text, Ink ink, const TextStyle& style);

/// Cuts to `columns`, with "…" at the end where something was lost.
std::string shorten(std::string_view text, std::size_t columns);

/// Breaks at blanks so that no line is wider than `width`; lines after the first begin with
/// `indent` blanks. A word that is too long stands alone.
std::string wrapped(std::string_view text, std::size_t width, std::size_t indent);

/// "  key       text", the text made printable and wrapped beside its key, which takes `columns` in
/// all.
std::string keyed_line(std::string_view key, std::string_view text, std::size_t columns,
                       const TextStyle& style, Ink ink = Ink::plain);

/// The style's width, never so small that nothing fits.
std::size_t usable_width(const TextStyle& style);

/// The lines of a text without their ends.
std::vector<std::string> split_lines(std::string_view text);

struct Cell {
  std::string text;
  Ink ink = Ink::plain;
};

struct TableColumn {
  std::string title;
  bool right = false;     ///< numbers
  std::size_t least = 0;  ///< > 0: may be shortened down to this where the table is too wide
};

/// Aligned columns, two blanks between them, no lines drawn; `titles` false leaves out the heading.
std::string table_text(const std::vector<TableColumn>& columns,
                       const std::vector<std::vector<Cell>>& rows, const TextStyle& style,
                       bool titles = true, std::size_t indent = 0);

}  // namespace raidscope
