#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Small helpers on text. ASCII only: no locale, no allocation but where a std::string is returned.
namespace raidscope::text {

constexpr bool is_blank(char c) noexcept {
  return c == ' ' || c == '\t';
}
constexpr bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}
constexpr bool is_upper(char c) noexcept {
  return c >= 'A' && c <= 'Z';
}
constexpr bool is_lower(char c) noexcept {
  return c >= 'a' && c <= 'z';
}
constexpr bool is_alpha(char c) noexcept {
  return is_upper(c) || is_lower(c);
}
constexpr char to_lower(char c) noexcept {
  return is_upper(c) ? static_cast<char>(c + 32) : c;
}

constexpr std::string_view trim_left(std::string_view s) noexcept {
  while (!s.empty() && is_blank(s.front())) s.remove_prefix(1);
  return s;
}
constexpr std::string_view trim_right(std::string_view s) noexcept {
  while (!s.empty() && is_blank(s.back())) s.remove_suffix(1);
  return s;
}
constexpr std::string_view trim(std::string_view s) noexcept {
  return trim_right(trim_left(s));
}

constexpr bool iequals(std::string_view a, std::string_view b) noexcept {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (to_lower(a[i]) != to_lower(b[i])) return false;
  }
  return true;
}
constexpr bool contains(std::string_view s, std::string_view part) noexcept {
  return s.find(part) != std::string_view::npos;
}

/// Takes the words up to the next blank off the front of `s`, leading blanks skipped.
std::string_view take_word(std::string_view& s) noexcept;

/// The whole of `s` as a decimal number without sign; nullopt for anything else or above 2^63-1.
std::optional<std::int64_t> to_integer(std::string_view s) noexcept;
/// The whole of `s` as "12" or "12.34"; nullopt for anything else.
std::optional<double> to_decimal(std::string_view s) noexcept;
/// The digits that `s` begins with, leading blanks skipped.
std::optional<std::int64_t> leading_integer(std::string_view s) noexcept;
/// The decimal number that `s` begins with; `rest` is what follows it.
std::optional<double> leading_decimal(std::string_view s, std::string_view& rest) noexcept;

/// Runs of blanks made one blank, outer blanks off.
std::string collapse_blanks(std::string_view s);

/// One word of a POSIX shell's command line, in single quotes where it needs them: what a person is
/// told to type must work when it is pasted.
std::string shell_word(std::string_view s);

/// True when every byte sequence is well-formed UTF-8 (no surrogates, no overlong forms).
bool is_utf8(std::string_view s) noexcept;
/// Malformed bytes become U+FFFD, so that the text can stand in a JSON document.
std::string to_utf8(std::string_view s);

}  // namespace raidscope::text
