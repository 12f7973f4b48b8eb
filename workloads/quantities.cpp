#include "workloads/quantities.h"

#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include <fmt/format.h>

namespace raidscope {
namespace {

constexpr std::uint64_t one = 1;

struct SizeUnit {
  std::string_view name;
  std::uint64_t bytes;
};
constexpr SizeUnit size_units[] = {
    {"", 1},
    {"b", 1},
    {"k", one << 10U},
    {"kib", one << 10U},
    {"kb", 1'000},
    {"m", one << 20U},
    {"mib", one << 20U},
    {"mb", 1'000'000},
    {"g", one << 30U},
    {"gib", one << 30U},
    {"gb", 1'000'000'000},
    {"t", one << 40U},
    {"tib", one << 40U},
    {"tb", 1'000'000'000'000},
    {"p", one << 50U},
    {"pib", one << 50U},
    {"pb", 1'000'000'000'000'000},
};

struct TimeUnit {
  std::string_view name;
  double seconds;
};
constexpr TimeUnit time_units[] = {
    {"", 1},     {"s", 1},    {"sec", 1},     {"ms", 0.001}, {"us", 1e-6},   {"m", 60},
    {"min", 60}, {"h", 3600}, {"hour", 3600}, {"d", 86400},  {"day", 86400},
};

std::string lowered(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  return text;
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Takes digits with at most one point off the front; empty when there is none.
std::string_view take_number(std::string_view& text) {
  std::size_t n = 0;
  bool point = false;
  while (n < text.size() && (is_digit(text[n]) || (text[n] == '.' && !point))) {
    point = point || text[n] == '.';
    ++n;
  }
  const std::string_view number = text.substr(0, n);
  text.remove_prefix(n);
  return number == "." ? std::string_view() : number;
}

std::string_view take_unit(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && !is_digit(text[n]) && text[n] != '.') ++n;
  const std::string_view unit = trimmed(text.substr(0, n));
  text.remove_prefix(n);
  return unit;
}

std::optional<double> to_double(std::string_view number) {
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error != std::errc() || end != number.data() + number.size()) return std::nullopt;
  return value;
}

tl::unexpected<Error> bad_size(std::string_view text, std::string_view why) {
  return fail(
      Errc::usage, fmt::format("\"{}\" {}", text, why), {},
      "a size is a number and a unit, as 4096, 64k, 1.5G or 100G; " + std::string(size_help));
}

tl::unexpected<Error> bad_duration(std::string_view text) {
  return fail(Errc::usage, fmt::format("\"{}\" is not a time", text), {},
              "give seconds, or a number and a unit, as 90, 90s, 9m, 2h or 1h30m");
}

/// The number times the unit when that is a whole number of bytes below 2^63. In whole numbers
/// throughout: a double would lose the last bytes of a large size.
std::optional<std::uint64_t> whole_bytes(std::string_view number, std::uint64_t unit) {
  __extension__ using Wide = unsigned __int128;
  constexpr Wide limit = Wide{1} << 63U;
  Wide value = 0;
  Wide scale = 1;
  bool after_point = false;
  for (const char c : number) {
    if (c == '.') {
      after_point = true;
      continue;
    }
    value = value * 10 + static_cast<Wide>(c - '0');
    if (after_point) scale *= 10;
    if (value > limit || scale > limit) return std::nullopt;
  }
  const Wide bytes = value * unit;
  if (bytes % scale != 0 || bytes / scale >= limit) return std::nullopt;
  return static_cast<std::uint64_t>(bytes / scale);
}

}  // namespace

Result<std::uint64_t> parse_size(std::string_view text) {
  std::string_view rest = trimmed(text);
  const std::string_view number = take_number(rest);
  if (number.empty()) return bad_size(text, "is not a size");
  const std::string unit = lowered(trimmed(rest));
  for (const SizeUnit& known : size_units) {
    if (unit != known.name) continue;
    const auto bytes = whole_bytes(number, known.bytes);
    if (!bytes) return bad_size(text, "is too large or not a whole number of bytes");
    return *bytes;
  }
  return bad_size(text, fmt::format("has the unknown unit \"{}\"", trimmed(rest)));
}

std::string print_size(std::uint64_t bytes) {
  constexpr std::pair<char, unsigned> units[] = {
      {'P', 50}, {'T', 40}, {'G', 30}, {'M', 20}, {'k', 10}};
  for (const auto& [letter, shift] : units) {
    if (bytes != 0 && bytes % (one << shift) == 0)
      return fmt::format("{}{}", bytes >> shift, letter);
  }
  return fmt::format("{}", bytes);
}

std::string size_with_unit(std::uint64_t bytes) {
  const std::string size = print_size(bytes);
  return bytes % 1024 != 0 || bytes == 0 ? size + " bytes" : size;
}

Result<double> parse_duration(std::string_view text) {
  std::string_view rest = trimmed(text);
  double seconds = 0;
  bool any = false;
  while (!rest.empty()) {
    const std::string_view number = take_number(rest);
    const std::string unit = lowered(take_unit(rest));
    const auto value = to_double(number);
    if (number.empty() || !value) return bad_duration(text);
    if (any && unit.empty()) return bad_duration(text);
    const TimeUnit* found = nullptr;
    for (const TimeUnit& known : time_units) {
      if (unit == known.name) found = &known;
    }
    if (found == nullptr) return bad_duration(text);
    seconds += *value * found->seconds;
    any = true;
  }
  if (!any || !std::isfinite(seconds)) return bad_duration(text);
  return seconds;
}

std::string print_duration(double seconds) {
  const auto exactly = [seconds](double unit) {
    const double n = seconds / unit;
    return n >= 1 && n < 1e9 && n == std::floor(n) && n * unit == seconds;
  };
  if (exactly(3600)) return fmt::format("{}h", static_cast<std::uint64_t>(seconds / 3600));
  if (exactly(60)) return fmt::format("{}m", static_cast<std::uint64_t>(seconds / 60));
  return fmt::format("{}s", seconds);
}

}  // namespace raidscope
