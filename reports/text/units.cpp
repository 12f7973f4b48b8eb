#include "reports/text/units.h"

#include <array>
#include <cmath>

#include <fmt/format.h>

namespace raidscope {
namespace {

// At most `decimals` places, without zeros at the end.
std::string trimmed(double value, int decimals) {
  std::string out = fmt::format("{:.{}f}", value, decimals);
  if (out.find('.') != std::string::npos) {
    while (out.back() == '0') out.pop_back();
    if (out.back() == '.') out.pop_back();
  }
  return out;
}

std::string three_digits(double value) {
  const double size = std::fabs(value);
  return trimmed(value, size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

template <std::size_t N>
std::string scaled(double value, double step, const std::array<const char*, N>& units) {
  std::size_t unit = 0;
  while (unit + 1 < N && std::fabs(value) >= step * 0.9995) {
    value /= step;
    ++unit;
  }
  return fmt::format("{} {}", unit == 0 ? trimmed(value, 0) : three_digits(value), units[unit]);
}

constexpr std::array<const char*, 7> binary_units{"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
constexpr std::array<const char*, 7> decimal_units{"B", "KB", "MB", "GB", "TB", "PB", "EB"};

}  // namespace

std::string binary_bytes(double bytes) {
  return scaled(bytes, 1024, binary_units);
}
std::string decimal_bytes(double bytes) {
  return scaled(bytes, 1000, decimal_units);
}

std::string byte_rate(double bytes_per_s) {
  const double mebibytes = bytes_per_s / (1024.0 * 1024.0);
  return fmt::format("{} MiB/s", mebibytes >= 1000 ? grouped(mebibytes) : three_digits(mebibytes));
}

std::string grouped_count(std::uint64_t value) {
  const std::string plain = fmt::format("{}", value);
  std::string out;
  for (std::size_t i = 0; i < plain.size(); ++i) {
    if (i != 0 && (plain.size() - i) % 3 == 0) out.push_back(',');
    out.push_back(plain[i]);
  }
  return out;
}

std::string grouped(double value) {
  if (!std::isfinite(value)) return unknown_word;
  if (value < 0) return "-" + grouped(-value);
  if (value < 99.95) return three_digits(value);
  if (value >= 1e18) return fmt::format("{:.3g}", value);
  return grouped_count(static_cast<std::uint64_t>(std::llround(value)));
}

std::string latency(std::optional<double> microseconds) {
  if (!microseconds || !std::isfinite(*microseconds)) return unknown_word;
  const double us = *microseconds;
  if (us < 999.5) return three_digits(us) + " µs";
  if (us < 999.5e3) return three_digits(us / 1e3) + " ms";
  return three_digits(us / 1e6) + " s";
}

std::string duration(double seconds) {
  if (!std::isfinite(seconds)) return unknown_word;
  if (seconds < 120) return trimmed(seconds, seconds < 10 ? 2 : 1) + " s";
  const auto whole = static_cast<std::uint64_t>(std::llround(seconds));
  const std::uint64_t hours = whole / 3600, minutes = whole % 3600 / 60, rest = whole % 60;
  std::string out;
  if (hours != 0) out += fmt::format("{} h ", hours);
  if (minutes != 0) out += fmt::format("{} min ", minutes);
  if (rest != 0) out += fmt::format("{} s ", rest);
  out.pop_back();
  return out;
}

std::string duration_or_unknown(const std::optional<double>& seconds) {
  return seconds ? duration(*seconds) : unknown_word;
}

std::string percent(std::optional<double> value) {
  if (!value || !std::isfinite(*value)) return unknown_word;
  return three_digits(*value) + " %";
}

std::string binary_bytes(std::optional<std::int64_t> bytes) {
  return bytes ? binary_bytes(static_cast<double>(*bytes)) : unknown_word;
}

std::string decimal_bytes(std::optional<std::int64_t> bytes) {
  return bytes ? decimal_bytes(static_cast<double>(*bytes)) : unknown_word;
}

std::string text_or_unknown(const std::optional<std::string>& text) {
  return text && !text->empty() ? *text : unknown_word;
}

}  // namespace raidscope
