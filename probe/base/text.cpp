#include "probe/base/text.h"

#include <algorithm>
#include <charconv>

namespace raidscope::text {

std::string_view take_word(std::string_view& s) noexcept {
  s = trim_left(s);
  std::size_t end = 0;
  while (end < s.size() && !is_blank(s[end])) ++end;
  const std::string_view word = s.substr(0, end);
  s.remove_prefix(end);
  return word;
}

std::optional<std::int64_t> to_integer(std::string_view s) noexcept {
  if (s.empty() || !is_digit(s.front())) return std::nullopt;
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(s.data(), s.data() + s.size(), value);
  if (error != std::errc{} || end != s.data() + s.size()) return std::nullopt;
  return value;
}

std::optional<double> leading_decimal(std::string_view s, std::string_view& rest) noexcept {
  // Written out: std::from_chars for double takes forms ("1e9", "inf") that no tool prints.
  s = trim_left(s);
  std::size_t i = 0;
  double value = 0;
  while (i < s.size() && is_digit(s[i]) && i < 18) value = value * 10 + (s[i++] - '0');
  if (i == 0 || (i < s.size() && is_digit(s[i]))) return std::nullopt;
  if (i + 1 < s.size() && s[i] == '.' && is_digit(s[i + 1])) {
    ++i;
    double digits = 0;
    double scale = 1;
    const std::size_t limit = i + 15;
    while (i < s.size() && is_digit(s[i]) && i < limit) {
      digits = digits * 10 + (s[i++] - '0');
      scale *= 10;
    }
    value += digits / scale;
  }
  rest = s.substr(i);
  return value;
}

std::optional<double> to_decimal(std::string_view s) noexcept {
  std::string_view rest;
  if (s.empty() || !is_digit(s.front())) return std::nullopt;
  const auto value = leading_decimal(s, rest);
  return value && rest.empty() ? value : std::nullopt;
}

std::optional<std::int64_t> leading_integer(std::string_view s) noexcept {
  s = trim_left(s);
  std::size_t end = 0;
  while (end < s.size() && is_digit(s[end])) ++end;
  return to_integer(s.substr(0, end));
}

std::string collapse_blanks(std::string_view s) {
  std::string out;
  s = trim(s);
  out.reserve(s.size());
  bool blank = false;
  for (const char c : s) {
    if (is_blank(c)) {
      blank = true;
    } else {
      if (blank) out.push_back(' ');
      blank = false;
      out.push_back(c);
    }
  }
  return out;
}

namespace {

/// Length of the well-formed sequence at the front of `s`, 0 when it is malformed.
std::size_t sequence_length(std::string_view s) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(s[i]); };
  const auto continues = [&](std::size_t i) { return i < s.size() && (byte(i) & 0xC0u) == 0x80u; };
  const unsigned char first = byte(0);
  if (first < 0x80) return 1;
  if (first >= 0xC2 && first <= 0xDF) return continues(1) ? 2 : 0;
  if (first >= 0xE0 && first <= 0xEF) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0 && byte(1) < 0xA0) return 0;
    if (first == 0xED && byte(1) > 0x9F) return 0;
    return 3;
  }
  if (first >= 0xF0 && first <= 0xF4) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xF0 && byte(1) < 0x90) return 0;
    if (first == 0xF4 && byte(1) > 0x8F) return 0;
    return 4;
  }
  return 0;
}

}  // namespace

std::string shell_word(std::string_view s) {
  constexpr std::string_view plain = "_@%+=:,./-";
  const bool bare = !s.empty() && std::all_of(s.begin(), s.end(), [&](char c) {
    return is_alpha(c) || is_digit(c) || plain.find(c) != std::string_view::npos;
  });
  if (bare) return std::string(s);
  std::string out = "'";
  for (const char c : s) {
    if (c == '\'') {
      out += "'\\''";
    } else {
      out += c;
    }
  }
  return out + "'";
}

bool is_utf8(std::string_view s) noexcept {
  while (!s.empty()) {
    const std::size_t length = sequence_length(s);
    if (length == 0) return false;
    s.remove_prefix(length);
  }
  return true;
}

std::string to_utf8(std::string_view s) {
  std::string out;
  out.reserve(s.size() + s.size() / 8);
  while (!s.empty()) {
    const std::size_t length = sequence_length(s);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      s.remove_prefix(1);
    } else {
      out += s.substr(0, length);
      s.remove_prefix(length);
    }
  }
  return out;
}

}  // namespace raidscope::text
