#include "reports/html/markup.h"

#include <array>

#include <fmt/format.h>

#include "controllers/inventory/fingerprint.h"
#include "reports/text/layout.h"

namespace raidscope::html {
namespace {

unsigned nibble(char c) {
  return static_cast<unsigned>(c <= '9' ? c - '0' : c - 'a' + 10);
}

std::string base64_of_hex(std::string_view hex) {
  constexpr std::string_view letters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::vector<unsigned> bytes;
  for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
    bytes.push_back(nibble(hex[i]) << 4 | nibble(hex[i + 1]));
  }
  std::string out;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    const std::size_t have = std::min<std::size_t>(3, bytes.size() - i);
    unsigned triple = bytes[i] << 16;
    if (have > 1) triple |= bytes[i + 1] << 8;
    if (have > 2) triple |= bytes[i + 2];
    out.push_back(letters[triple >> 18 & 63U]);
    out.push_back(letters[triple >> 12 & 63U]);
    out.push_back(have > 1 ? letters[triple >> 6 & 63U] : '=');
    out.push_back(have > 2 ? letters[triple & 63U] : '=');
  }
  return out;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out.push_back(c);
    }
  }
  return out;
}

std::string policy_hash(std::string_view content) {
  return "sha256-" + base64_of_hex(sha256_hex(content));
}

std::string table(std::string_view caption, const std::vector<Column>& columns,
                  const std::vector<std::vector<std::string>>& rows) {
  std::string out =
      fmt::format("<div class=\"scroll\"><table><caption>{}</caption><thead><tr>", caption);
  for (const Column& column : columns) {
    out += fmt::format("<th scope=\"col\"{}>{}</th>", column.number ? " class=\"n\"" : "",
                       column.title);
  }
  out += "</tr></thead><tbody>\n";
  for (const auto& row : rows) {
    out += "<tr>";
    for (std::size_t c = 0; c < row.size() && c < columns.size(); ++c) {
      out += fmt::format("<td{}>{}</td>", columns[c].number ? " class=\"n\"" : "", row[c]);
    }
    out += "</tr>\n";
  }
  return out + "</tbody></table></div>\n";
}

std::string facts(const std::vector<std::pair<std::string_view, std::string>>& items) {
  std::string out = "<dl class=\"facts\">\n";
  for (const auto& [key, value] : items) {
    out += fmt::format("<dt>{}</dt><dd>{}</dd>\n", key, value);
  }
  return out + "</dl>\n";
}

}  // namespace raidscope::html
