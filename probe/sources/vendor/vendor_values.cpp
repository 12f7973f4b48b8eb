#include "probe/sources/vendor/vendor_values.h"

#include <cmath>

#include "probe/base/text.h"

namespace raidscope::vendor {

using namespace raidscope::text;

std::optional<std::int64_t> size_bytes(std::string_view value, Units units) {
  std::string_view rest;
  const auto number = leading_decimal(value, rest);
  if (!number) return std::nullopt;
  std::string_view unit = take_word(rest);
  if (!trim(rest).empty()) return std::nullopt;
  double base = units == Units::binary ? 1024.0 : 1000.0;
  if (unit.size() == 3 && unit[1] == 'i') base = 1024.0;
  int power = 3;
  if (unit.empty()) {
    base = 1024.0;  // only cache sizes come bare, in GiB
  } else {
    if (to_lower(unit.back()) != 'b' || unit.size() > 3) return std::nullopt;
    if (unit.size() == 3 && unit[1] != 'i') return std::nullopt;
    if (unit.size() == 1) {
      power = 0;
    } else {
      switch (to_lower(unit.front())) {
        case 'k':
          power = 1;
          break;
        case 'm':
          power = 2;
          break;
        case 'g':
          power = 3;
          break;
        case 't':
          power = 4;
          break;
        case 'p':
          power = 5;
          break;
        default:
          return std::nullopt;
      }
    }
  }
  const double bytes = *number * std::pow(base, power);
  if (!(bytes < 9.0e18)) return std::nullopt;
  return static_cast<std::int64_t>(std::llround(bytes));
}

StatusWords status_words(std::string_view value) {
  StatusWords out{value, std::nullopt};
  const std::size_t comma = value.find(',');
  if (comma == std::string_view::npos) return out;
  out.words = trim(value.substr(0, comma));
  std::string_view rest;
  const auto percent = leading_decimal(value.substr(comma + 1), rest);
  if (percent && !trim_left(rest).empty() && trim_left(rest).front() == '%' && *percent <= 100.0) {
    out.progress_pct = percent;
  }
  return out;
}

std::string_view raid_word(std::string_view value) {
  constexpr std::pair<std::string_view, std::string_view> words[] = {
      {"0", "0"},           {"1", "1"},         {"1+0", "1+0"},      {"10", "1+0"},
      {"5", "5"},           {"6", "6"},         {"4", "4"},          {"50", "50"},
      {"5+0", "50"},        {"60", "60"},       {"6+0", "60"},       {"5+1", "5+1"},
      {"51", "5+1"},        {"6(ADG)", "6"},    {"ADG", "6"},        {"1adm", "1adm"},
      {"1(ADM)", "1adm"},   {"10adm", "10adm"}, {"1+0adm", "10adm"}, {"1+0(ADM)", "10adm"},
      {"10(ADM)", "10adm"}, {"1(1+0)", "1+0"},  {"1Triple", "1adm"}, {"10Triple", "10adm"},
  };
  if (value.size() > 5 && iequals(value.substr(0, 4), "RAID") && is_blank(value[4])) {
    value = trim_left(value.substr(4));
  }
  char packed[12];
  std::size_t n = 0;
  for (const char c : value) {
    if (is_blank(c)) continue;
    if (n == sizeof packed) return {};
    packed[n++] = c;
  }
  const std::string_view word(packed, n);
  for (const auto& [printed, ours] : words) {
    if (iequals(word, printed)) return ours;
  }
  return {};
}

InterfaceWords interface_words(std::string_view value) {
  InterfaceWords out;
  std::string_view rest = value;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (iequals(word, "SAS")) {
      out.interface = "SAS";
    } else if (iequals(word, "SATA")) {
      out.interface = "SATA";
    } else if (iequals(word, "SCSI")) {
      out.interface = "SCSI";
    } else if (iequals(word, "NVMe") || iequals(word, "PCIe")) {
      out.interface = "NVMe";
    } else if (iequals(word, "SSD") || iequals(word, "Solid")) {
      out.media = "ssd";
    } else if (iequals(word, "HDD")) {
      out.media = "hdd";
    } else if (!iequals(word, "State") && !iequals(word, "Parallel")) {
      return {};
    }
  }
  if (out.interface.empty()) return {};
  return out;
}

std::optional<RatioParts> cache_ratio(std::string_view value) {
  const auto part = [&value](std::string_view word) -> std::optional<std::int64_t> {
    std::size_t digits = 0;
    value = trim_left(value);
    while (digits < value.size() && is_digit(value[digits])) ++digits;
    const auto number = to_integer(value.substr(0, digits));
    value = trim_left(value.substr(digits));
    if (!number || *number > 100 || value.empty() || value.front() != '%') return std::nullopt;
    value.remove_prefix(1);
    std::string_view rest = value;
    if (!iequals(take_word(rest), word)) return std::nullopt;
    value = trim_left(rest);
    return number;
  };
  const auto read = part("Read");
  if (!read || value.empty() || value.front() != '/') return std::nullopt;
  value.remove_prefix(1);
  const auto write = part("Write");
  if (!write || !value.empty() || *read + *write != 100) return std::nullopt;
  return RatioParts{*read, *write};
}

namespace {

/// "512 MB …" at the front: the size that the tool prints behind or before a mount path.
bool begins_with_size(std::string_view s) {
  std::string_view rest;
  if (!leading_decimal(s, rest) || rest.empty() || !is_blank(rest.front())) return false;
  const std::string_view unit = take_word(rest);
  return unit.size() >= 2 && unit.size() <= 3 && to_lower(unit.back()) == 'b' &&
         (unit.size() == 2 || unit[1] == 'i') && contains("KMGTPkmgtp", unit.substr(0, 1));
}

/// A blank run this long inside a path is the rest of a terminal line, not part of the name.
constexpr std::size_t terminal_run = 16;

std::string without_terminal_runs(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size();) {
    if (!is_blank(path[i])) {
      out.push_back(path[i++]);
      continue;
    }
    std::size_t end = i;
    while (end < path.size() && is_blank(path[end])) ++end;
    if (end - i < terminal_run) out.append(path.substr(i, end - i));
    i = end;
  }
  return out;
}

}  // namespace

std::vector<std::string> mount_points(std::string_view value) {
  std::vector<std::string> out;
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    std::string_view piece = trim(value.substr(0, comma));
    value = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
    // Either "PATH [SIZE [Partition Number N]]" or "SIZE Partition N [PATH]".
    std::size_t start = 0;
    if (!piece.starts_with('/')) {
      start = piece.find(" /");
      if (start == std::string_view::npos || !begins_with_size(piece)) continue;
      ++start;
    }
    std::string_view path = piece.substr(start);
    for (std::size_t i = path.find(' '); i != std::string_view::npos; i = path.find(' ', i + 1)) {
      if (i + 1 < path.size() && is_digit(path[i + 1]) && begins_with_size(path.substr(i + 1))) {
        path = trim_right(path.substr(0, i));
        break;
      }
    }
    out.push_back(without_terminal_runs(path));
  }
  return out;
}

bool mount_points_are_bare(std::string_view value) {
  if (value == "None" || value.empty()) return true;
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    const std::string_view piece = trim(value.substr(0, comma));
    value = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
    if (!piece.starts_with('/') || contains(piece, " ")) return false;
  }
  return true;
}

DriveModel drive_model(std::string_view value) {
  constexpr std::string_view vendors[] = {
      "HP",     "HPE",    "ATA",   "COMPAQ", "SEAGATE", "HITACHI", "HGST",     "TOSHIBA", "SAMSUNG",
      "WDC",    "WD",     "INTEL", "MICRON", "FUJITSU", "SanDisk", "KIOXIA",   "IBM",     "MAXTOR",
      "LENOVO", "NETAPP", "DELL",  "SMART",  "OCZ",     "CRUCIAL", "KINGSTON", "NVMe"};
  std::size_t end = 0;
  while (end < value.size() && !is_blank(value[end])) ++end;
  if (end == 0 || end == value.size()) return {{}, value};
  const std::string_view first = value.substr(0, end);
  const std::string_view rest = trim_left(value.substr(end));
  const bool columns =
      end <= 7 && value.size() > 8 && static_cast<std::size_t>(rest.data() - value.data()) == 8;
  if (columns && (end < 7 || is_blank(value[7]))) return {first, rest};
  for (const std::string_view vendor : vendors) {
    if (iequals(first, vendor)) return {first, rest};
  }
  return {{}, value};
}

std::vector<double> phy_rates(std::string_view value) {
  std::vector<double> out;
  while (!value.empty()) {
    const std::size_t comma = value.find(',');
    const std::string_view piece = trim(value.substr(0, comma));
    value = comma == std::string_view::npos ? std::string_view() : value.substr(comma + 1);
    if (iequals(piece, "Unknown")) {
      out.push_back(0);
      continue;
    }
    std::string_view rest;
    const auto rate = leading_decimal(piece, rest);
    if (!rate || !iequals(trim(rest), "Gbps")) return {};
    out.push_back(*rate);
  }
  return out;
}

ControllerWords controller_words(std::string_view name) {
  ControllerWords out;
  std::string_view rest = name;
  const std::string_view first = take_word(rest);
  if (first == "HP" || first == "HPE" || first == "MSCC") {
    out.vendor = first;
  } else if (first == "Smart" || first == "Dynamic") {
    out.vendor = "HP";
  }
  rest = name;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    bool digit = false;
    for (const char c : word) digit = digit || is_digit(c);
    if (digit && !word.starts_with("Gen")) {
      out.model = word;
      break;
    }
  }
  return out;
}

}  // namespace raidscope::vendor
