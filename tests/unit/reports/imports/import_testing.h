#pragma once

// TEST DATA. The texts are written for these tests in the grammar of each tool; nothing was
// measured.

#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "reports/import_format.h"

namespace raidscope::testing {

inline ImportedFile imported(std::string_view text, std::string_view format) {
  auto file = read_results(text, "results", find_import_format(format));
  EXPECT_TRUE(file) << (file ? "" : describe(file.error()));
  return file ? std::move(*file) : ImportedFile{};
}

/// What a refused text is refused with: "message: where; hint".
inline std::string refusal(std::string_view text, const ImportFormat* format = nullptr) {
  const auto file = read_results(text, "results", format);
  EXPECT_FALSE(file);
  if (file) return "";
  EXPECT_EQ(file.error().code, Errc::malformed);
  return describe(file.error());
}

/// Whether one of the texts holds the part.
inline bool one_has(const std::vector<std::string>& texts, std::string_view part) {
  for (const std::string& text : texts) {
    if (text.find(part) != std::string::npos) return true;
  }
  return false;
}

inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

inline std::string as_utf16(std::string_view text, bool big_endian) {
  std::string out = big_endian ? "\xFE\xFF" : "\xFF\xFE";
  for (const char c : text) {
    if (big_endian) out.push_back('\0');
    out.push_back(c);
    if (!big_endian) out.push_back('\0');
  }
  return out;
}

}  // namespace raidscope::testing
