#pragma once

#include <algorithm>
#include <string_view>

#include "probe/base/text.h"

/// What secrets are made of, and what stands around them.
namespace raidscope::capture {

inline bool is_alnum(char c) noexcept {
  return text::is_alpha(c) || text::is_digit(c);
}
inline bool is_hex(char c) noexcept {
  const char low = text::to_lower(c);
  return text::is_digit(c) || (low >= 'a' && low <= 'f');
}
inline bool all_hex(std::string_view s) noexcept {
  return std::all_of(s.begin(), s.end(), is_hex);
}

inline constexpr std::string_view padding{" \t\r\n\0", 5};

inline std::string_view strip(std::string_view s) noexcept {
  const auto first = s.find_first_not_of(padding);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(padding) - first + 1);
}

}  // namespace raidscope::capture
