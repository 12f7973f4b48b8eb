#pragma once

#include <string>
#include <string_view>

/// Texts of devices and people in formats that would read more into them.
namespace raidscope {

/// One cell by RFC 4180: quotes only where they are needed, doubled inside.
std::string csv_cell(std::string_view text);

/// No markup, no link, no table cell of its own.
std::string markdown_text(std::string_view text);

}  // namespace raidscope
