#include "reports/text/escape.h"

#include "reports/text/layout.h"

namespace raidscope {

std::string csv_cell(std::string_view text) {
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return std::string(text);
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"') out.push_back('"');
    out.push_back(c);
  }
  out.push_back('"');
  return out;
}

std::string markdown_text(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '&':
        out += "&amp;";
        break;
      case '@':
        out += "&#64;";
        break;  // a name behind it would be told of the issue
      case '\\':
      case '`':
      case '*':
      case '_':
      case '[':
      case ']':
      case '|':
      case '#':
      case '~':
      case '!':
        out.push_back('\\');
        [[fallthrough]];
      default:
        out.push_back(c);
    }
  }
  return out;
}

}  // namespace raidscope
