#include "probe/sources/vendor/vendor_lines.h"

#include "probe/base/text.h"

namespace raidscope::vendor {

using namespace raidscope::text;

namespace {

constexpr auto npos = std::string_view::npos;

bool all_digits(std::string_view s) {
  for (const char c : s) {
    if (!is_digit(c)) return false;
  }
  return !s.empty();
}

bool is_id(std::string_view s) {
  bool colon = false;
  for (const char c : s) {
    if (c == ':') {
      colon = true;
    } else if (!is_digit(c) && !is_alpha(c)) {
      return false;
    }
  }
  return colon && s.front() != ':' && s.back() != ':';
}

/// Where the parenthesis that opens at `open` closes; npos when it does not.
std::size_t closing(std::string_view s, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < s.size(); ++i) {
    if (s[i] == '(') ++depth;
    if (s[i] == ')' && --depth == 0) return i;
  }
  return npos;
}

/// "ID (detail): tail" behind the word physicaldrive or logicaldrive.
void read_drive(Line& line, std::string_view rest, bool logical) {
  rest = trim_left(rest);
  std::size_t end = 0;
  while (end < rest.size() && !is_blank(rest[end]) && rest[end] != '(') ++end;
  line.name = rest.substr(0, end);
  rest = trim_left(rest.substr(end));
  if (line.name.empty()) {
    line.kind = LineKind::unfinished;
    return;
  }
  if (logical ? !all_digits(line.name) : !is_id(line.name)) return;
  if (rest.empty() || rest.starts_with('<') || rest.starts_with('#')) {
    line.kind = logical ? LineKind::unfinished : LineKind::drive;
    return;
  }
  if (rest.front() != '(') return;
  const std::size_t close = closing(rest, 0);
  if (close == npos) {
    line.kind = LineKind::unfinished;
    return;
  }
  line.detail = trim(rest.substr(1, close - 1));
  line.tail = trim(rest.substr(close + 1));
  if (line.tail.starts_with(':')) {
    line.tail = trim(line.tail.substr(1));
    if (line.tail.empty()) {
      line.kind = LineKind::unfinished;
      return;
    }
  } else {
    line.tail = {};
  }
  if (contains(line.detail, ",")) {
    line.kind = logical ? LineKind::logical_line : LineKind::drive_line;
  }
}

bool read_array(Line& line, std::string_view rest) {
  if (rest.starts_with(':')) rest.remove_prefix(1);
  if (rest.empty() || !is_blank(rest.front())) return false;
  rest = trim_left(rest);
  std::size_t end = 0;
  while (end < rest.size() && is_upper(rest[end])) ++end;
  if (end == 0 || end > 3) return false;
  line.name = rest.substr(0, end);
  rest = trim_left(rest.substr(end));
  if (rest.empty()) {
    line.kind = LineKind::array;
    return true;
  }
  if (rest.front() != '(') return false;
  const std::size_t close = closing(rest, 0);
  if (close == npos) {
    line.kind = LineKind::unfinished;
    return true;
  }
  line.detail = trim(rest.substr(1, close - 1));
  line.kind = LineKind::array;
  return true;
}

/// Words that could be a product name: each begins with a capital or a digit.
bool is_product_name(std::string_view name) {
  if (name.empty() || name.size() > 80) return false;
  std::string_view rest = name;
  int words = 0;
  for (std::string_view word = take_word(rest); !word.empty(); word = take_word(rest)) {
    if (!is_upper(word.front()) && !is_digit(word.front())) return false;
    if (contains(word, ":") || word.back() == ',') return false;
    ++words;
  }
  return words <= 8;
}

bool is_slot(std::string_view slot) {
  if (slot.starts_with("ATTR_VALUE")) return true;
  std::size_t digits = 0;
  while (digits < slot.size() && is_digit(slot[digits])) ++digits;
  if (digits == 0 || digits > 5 || slot.size() - digits > 2) return false;
  for (const char c : slot.substr(digits)) {
    if (!is_alpha(c)) return false;
  }
  return true;
}

bool read_heading(Line& line, std::string_view text) {
  if (const std::size_t in = text.find(" in Slot"); in != npos) {
    line.name = trim(text.substr(0, in));
    if (!is_product_name(line.name)) return false;
    std::string_view rest = text.substr(in + 8);
    if (rest.empty()) {
      line.kind = LineKind::unfinished;
      return true;
    }
    if (!is_blank(rest.front())) return false;
    rest = trim_left(rest);
    std::size_t end = 0;
    while (end < rest.size() && !is_blank(rest[end]) && rest[end] != '(') ++end;
    line.slot = rest.substr(0, end);
    if (!is_slot(line.slot)) return false;
    rest = trim_left(rest.substr(end));
    while (!rest.empty() && rest.front() == '(') {
      const std::size_t close = closing(rest, 0);
      if (close == npos) {
        line.kind = LineKind::unfinished;
        return true;
      }
      const std::string_view group = trim(rest.substr(1, close - 1));
      if (group == "Embedded") {
        line.embedded = true;
      } else if (group.starts_with("sn:")) {
        line.serial = trim(group.substr(3));
      } else if (group.ends_with(" Mode")) {
        line.mode = trim(group.substr(0, group.size() - 5));
      }
      rest = trim_left(rest.substr(close + 1));
    }
    if (!rest.empty() && rest.front() != ':') return false;
    line.kind = LineKind::heading;
    return true;
  }
  // Storage boxes with a controller inside print their chassis name in place of a slot.
  if (text.starts_with("MSA") || text.starts_with("StorageWorks MSA")) {
    const std::size_t in = text.find(" in ");
    if (in == npos || contains(text, ":") || contains(text, ",")) return false;
    line.name = trim(text.substr(0, in));
    line.chassis = trim(text.substr(in + 4));
    if (line.chassis.empty() || !is_product_name(line.name)) return false;
    line.kind = LineKind::heading;
    return true;
  }
  return false;
}

bool read_cage(Line& line, std::string_view text) {
  const std::size_t at = text.find(" at Port ");
  if (at == npos || at == 0) return false;
  line.name = trim(text.substr(0, at));
  if (line.name.empty() || contains(line.name, ":") || line.name.size() > 80) return false;
  std::string_view rest = text.substr(at + 9);
  const std::size_t comma = rest.find(',');
  if (comma == npos) {
    line.kind = LineKind::unfinished;
    return true;
  }
  line.port = trim(rest.substr(0, comma));
  rest = trim_left(rest.substr(comma + 1));
  if (!rest.starts_with("Box")) {
    line.kind = rest.empty() ? LineKind::unfinished : LineKind::plain;
    return rest.empty();
  }
  rest = trim_left(rest.substr(3));
  std::size_t end = 0;
  while (end < rest.size() && is_digit(rest[end])) ++end;
  line.box = rest.substr(0, end);
  rest = trim_left(rest.substr(end));
  if (rest.starts_with('(')) {
    const std::size_t close = closing(rest, 0);
    rest = close == npos ? std::string_view() : trim_left(rest.substr(close + 1));
  }
  line.state = rest.starts_with(',') ? trim(rest.substr(1)) : std::string_view();
  line.kind = line.box.empty() || line.state.empty() ? LineKind::unfinished : LineKind::cage;
  return true;
}

/// "Expander 250", "Enclosure SEP (Vendor ID HP, Model MSA60) 248 (WWID: X, Port: 1E, Box: 1)",
/// "HP SAS Expander Card SEP 248".
bool read_device(Line& line, std::string_view text) {
  const bool expander = text.starts_with("Expander ");
  const bool sep = text.starts_with("SEP ") || contains(text, " SEP ");
  if (!expander && !sep) return false;
  if (!balanced(text)) {
    line.kind = LineKind::unfinished;
    return true;
  }
  std::string_view head = text;
  if (const std::size_t at = text.find("(WWID:"); at != npos) {
    head = trim_right(text.substr(0, at));
    const std::size_t close = closing(text, at);
    if (!trim(text.substr(close + 1)).empty()) return false;
    std::string_view rest = text.substr(at + 1, close - at - 1);
    while (!rest.empty()) {
      const std::string_view field = take_field(rest);
      const std::size_t colon = field.find(':');
      if (colon == npos) continue;
      const std::string_view value = trim(field.substr(colon + 1));
      const std::string_view key = trim(field.substr(0, colon));
      if (key == "WWID") line.wwid = value;
      if (key == "Port") line.port = value;
      if (key == "Box") line.box = value;
    }
  }
  std::size_t digits = head.size();
  while (digits > 0 && is_digit(head[digits - 1])) --digits;
  if (digits == head.size() || digits == 0 || !is_blank(head[digits - 1])) return false;
  if (expander && trim(head.substr(8, digits - 8)) != "") return false;
  if (const std::size_t open = head.find("(Vendor ID "); open != npos) {
    std::string_view rest = head.substr(open + 11, closing(head, open) - open - 11);
    line.vendor = take_field(rest);
    rest = trim(rest);
    if (rest.starts_with("Model")) line.model = trim(rest.substr(5));
  } else if (contains(head, ":")) {
    return false;
  }
  line.name = head;
  line.kind = LineKind::device;
  return true;
}

bool has_only_punctuation(std::string_view text) {
  for (const char c : text) {
    if (is_alpha(c) || is_digit(c) || static_cast<unsigned char>(c) >= 0x80) return false;
  }
  return true;
}

/// A command of the tool, echoed by a prompt or a script.
bool is_command(std::string_view text) {
  for (const std::string_view tool : {"ssacli", "hpacucli"}) {
    for (std::size_t at = text.find(tool); at != npos; at = text.find(tool, at + 1)) {
      std::string_view rest = text.substr(at + tool.size());
      if (rest.starts_with(".exe")) rest.remove_prefix(4);
      if (rest.starts_with('"') || rest.starts_with('\'')) rest.remove_prefix(1);
      if (!rest.empty() && !is_blank(rest.front())) continue;
      const std::string_view word = take_word(rest);
      if (word == "ctrl" || word == "controller" || word == "version" || word == "help" ||
          word == "rescan" || word == "all") {
        return true;
      }
    }
  }
  return false;
}

bool is_prompt(std::string_view text) {
  if (text.starts_with("=>") || text.starts_with("$ ") || text == "$") return true;
  if (is_command(text)) return true;
  if ((text.starts_with("ctrl ") || text.starts_with("controller ")) && contains(text, " show")) {
    return true;
  }
  // user@host:~# or [user@host ~]$
  const std::size_t at = text.find('@');
  if (at == npos || at > 40) return false;
  const std::size_t end = text.find_first_of("#$%>", at);
  if (end == npos || end > 80) return false;
  if (end + 1 < text.size() && !is_blank(text[end + 1])) return false;
  return !contains(text.substr(0, at), " ");
}

/// Log lines of whatever wrote the capture: they begin with a time.
bool begins_with_time(std::string_view text) {
  if (text.starts_with('[')) return true;
  if (text.size() >= 10 && is_digit(text[0]) && is_digit(text[3]) && text[4] == '-' &&
      text[7] == '-') {
    return true;
  }
  if (text.size() > 9 && is_digit(text[0]) && is_digit(text[1]) && text[2] == ':' &&
      is_digit(text[3]) && text[5] == ':') {
    return true;
  }
  constexpr std::string_view months = "JanFebMarAprMayJunJulAugSepOctNovDec";
  if (text.size() >= 15 && is_upper(text[0]) && text[3] == ' ' && text[9] == ':') {
    return months.find(text.substr(0, 3)) % 3 == 0;
  }
  return false;
}

bool is_plausible_key(std::string_view key) {
  if (key.empty() || key.size() > 80) return false;
  if (!is_upper(key.front()) && !is_digit(key.front())) return false;
  for (const char c : key) {
    if (c == ':' || c == '[' || c == ']' || c == '"' || c == '=' || c == '<' || c == '{')
      return false;
  }
  for (const std::string_view level : {"INFO", "DEBUG", "TRACE", "NOTICE", "ERROR", "WARN"}) {
    if (key == level) return false;
  }
  return true;
}

/// "CACHE STATUS PROBLEM DETECTED": two words or more, all capitals.
bool is_shouted(std::string_view key) {
  bool blank = false;
  for (const char c : key) {
    if (is_blank(c)) {
      blank = true;
    } else if (!is_upper(c)) {
      return false;
    }
  }
  return blank;
}

/// "HP Array Configuration Utility CLI 9.20.9.0": the version, else empty.
std::string_view greeting_version(std::string_view text) {
  const std::size_t at = text.rfind(" CLI ");
  if (at == npos) return {};
  const std::string_view version = trim(text.substr(at + 5));
  if (version.empty() || !is_digit(version.front()) || !contains(version, ".") ||
      contains(version, " ")) {
    return {};
  }
  const std::string_view who = text.substr(0, at);
  return who.ends_with("Configuration Utility") || who.ends_with("Administrator")
             ? version
             : std::string_view();
}

/// Splits at the colon that ends the key.
bool split_key(Line& line, std::string_view text) {
  std::size_t first = npos;
  std::size_t i = 0;
  for (std::size_t colon = text.find(':'); colon != npos; colon = text.find(':', colon + 1)) {
    if (first == npos) first = colon;
    if (colon + 1 == text.size() || is_blank(text[colon + 1])) {
      line.key = trim_right(text.substr(0, colon));
      line.value = trim_left(text.substr(colon + 1));
      line.known = find_key(line.key);
      break;
    }
    if (++i == 8) break;
  }
  if (line.known != nullptr) return true;
  // "Option ROM Version:4.08-0": without a blank only a known key is a key.
  i = 0;
  for (std::size_t colon = first; colon != npos && i < 4; colon = text.find(':', colon + 1), ++i) {
    const std::string_view key = trim_right(text.substr(0, colon));
    if (const KnownKey* known = find_key(key)) {
      line.key = key;
      line.value = trim_left(text.substr(colon + 1));
      line.known = known;
      return true;
    }
  }
  return !line.key.empty();
}

bool starts_word(std::string_view text, std::string_view word) {
  return text.starts_with(word);
}

/// Lines that a few fixed words tell. False when none fits.
bool read_fixed(Line& line, std::string_view text) {
  switch (text.front()) {
    case 'p':
      if (starts_word(text, "physicaldrive")) {
        if (text.size() == 13) {
          line.kind = LineKind::unfinished;
          return true;
        }
        if (is_blank(text[13])) {
          read_drive(line, text.substr(13), false);
          return line.kind != LineKind::plain;
        }
      }
      break;
    case 'l':
      if (starts_word(text, "logicaldrive")) {
        if (text.size() == 12) {
          line.kind = LineKind::unfinished;
          return true;
        }
        if (is_blank(text[12])) {
          read_drive(line, text.substr(12), true);
          return line.kind != LineKind::plain;
        }
      }
      if (starts_word(text, "licensekey ")) {
        line.kind = LineKind::license;
        return true;
      }
      break;
    case 'L':
      if (starts_word(text, "Logical Drive:")) {
        line.name = trim(text.substr(14));
        if (all_digits(line.name)) {
          line.kind = LineKind::logical_drive;
          return true;
        }
        if (line.name.empty()) {
          line.kind = LineKind::unfinished;
          return true;
        }
      }
      break;
    case 'a':
    case 'A':
      if (text.substr(1).starts_with("rray")) return read_array(line, text.substr(5));
      break;
    case 'u':
    case 'U':
      if (iequals(text, "unassigned") || iequals(text, "unassigned drives")) {
        line.kind = LineKind::unassigned;
        return true;
      }
      break;
    case 'H':
      if (text == "HBA Drives") {
        line.kind = LineKind::hba_drives;
        return true;
      }
      break;
    case 'M':
    case 'P':
      if (starts_word(text, "Mirror Group ") || starts_word(text, "Parity Group ")) {
        std::string_view number = trim(text.substr(13));
        if (number.ends_with(':')) number = trim_right(number.substr(0, number.size() - 1));
        if (all_digits(number)) {
          line.name = text.ends_with(':') ? trim_right(text.substr(0, text.size() - 1)) : text;
          line.kind = LineKind::group;
          return true;
        }
      }
      if (text == "Physical Drives") {
        line.kind = LineKind::cage_drives;
        return true;
      }
      if (starts_word(text, "Port Name:")) {
        std::string_view rest = trim(text.substr(10));
        const std::size_t open = rest.find('(');
        line.name = trim(rest.substr(0, open));
        if (open != npos) {
          const std::size_t close = closing(rest, open);
          if (close != npos) line.mode = trim(rest.substr(open + 1, close - open - 1));
        }
        line.kind = line.name.empty() ? LineKind::unfinished : LineKind::port;
        return true;
      }
      break;
    case 'S':
      if (starts_word(text, "Sensor ID:")) {
        line.name = trim(text.substr(10));
        line.kind = line.name.empty() ? LineKind::unfinished : LineKind::sensor;
        return true;
      }
      break;
    case 'N':
      if (text == "None attached") {
        line.kind = LineKind::nothing;
        return true;
      }
      break;
    case 'D':
      if (text == "Disk Partition Information" || starts_word(text, "Detecting Controllers")) {
        line.kind = LineKind::nothing;
        return true;
      }
      break;
    case 'G':
      if (starts_word(text, "Generating diagnostic report")) {
        line.kind = LineKind::nothing;
        return true;
      }
      break;
    case 'T':
      if (starts_word(text, "Type \"help\" for") || starts_word(text, "Type \"exit\" to")) {
        line.kind = LineKind::nothing;
        return true;
      }
      break;
    default:
      break;
  }
  return false;
}

}  // namespace

bool balanced(std::string_view text) {
  int depth = 0;
  for (const char c : text) {
    if (c == '(') ++depth;
    if (c == ')') --depth;
  }
  return depth <= 0;
}

std::string_view take_field(std::string_view& rest) {
  int depth = 0;
  std::size_t i = 0;
  for (; i < rest.size(); ++i) {
    if (rest[i] == '(') ++depth;
    if (rest[i] == ')') --depth;
    if (rest[i] == ',' && depth <= 0) break;
  }
  const std::string_view field = trim(rest.substr(0, i));
  rest = i < rest.size() ? rest.substr(i + 1) : std::string_view();
  return field;
}

std::string_view command_slot(std::string_view text) {
  const std::size_t at = text.find("slot=");
  if (at == npos) return {};
  std::string_view rest = text.substr(at + 5);
  std::size_t end = 0;
  while (end < rest.size() && (is_digit(rest[end]) || is_alpha(rest[end]))) ++end;
  rest = rest.substr(0, end);
  return is_slot(rest) ? rest : std::string_view();
}

Line read_line(std::string_view text) {
  Line line;
  line.text = text;
  if (read_fixed(line, text)) return line;
  const bool keyed = split_key(line, text);
  if (line.known != nullptr) {
    line.kind = LineKind::key;
    return line;
  }
  if (read_heading(line, text) || read_cage(line, text) || read_device(line, text)) return line;
  if (keyed) {
    const std::string_view key = line.key;
    if (key == "Error") {
      line.kind = LineKind::error;
      return line;
    }
    if (key == "Warning" || key == "WARNING" || key == "Note" || key == "NOTE" ||
        key == "Caution" || key == "CAUTION" || key == "Reason" || key == "Available options are" ||
        is_shouted(key)) {
      line.kind = LineKind::message;
      return line;
    }
    if (key.ends_with("CLI Version") || iequals(key, "SoulAPI Version")) {
      line.kind = LineKind::version;
      return line;
    }
  }
  if (const std::string_view version = greeting_version(text); !version.empty()) {
    line.kind = LineKind::version;
    line.key = {};
    line.value = version;
    return line;
  }
  if (is_prompt(text)) {
    line.kind = LineKind::prompt;
  } else if (has_only_punctuation(text) || begins_with_time(text)) {
    line.kind = LineKind::noise;
  } else if (keyed && is_plausible_key(line.key)) {
    line.kind = LineKind::unknown_key;
  }
  return line;
}

}  // namespace raidscope::vendor
