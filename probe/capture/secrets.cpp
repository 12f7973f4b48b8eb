#include "probe/capture/secrets.h"

#include <algorithm>
#include <array>

#include "probe/base/text.h"
#include "probe/capture/secret_letters.h"

namespace raidscope::capture {
namespace {

/// Words of the reports, of the kernel's paths and of the bundle itself: a label that is one of
/// them stays where it is not the label.
constexpr std::string_view common_words[] = {
    "accelerator", "admin",      "alma",       "answer",     "answers",    "arch",
    "array",       "arrays",     "attached",   "available",  "backplane",  "backup",
    "battery",     "bays",       "bios",       "block",      "board",      "boot",
    "by",          "bypass",     "cache",      "cage",       "capacitor",  "capture",
    "centos",      "ciss",       "class",      "command",    "config",     "configured",
    "connector",   "containers", "controller", "count",      "current",    "data",
    "debian",      "degraded",   "delay",      "depth",      "detail",     "dev",
    "device",      "devices",    "disable",    "disabled",   "disk",       "disks",
    "docker",      "drive",      "driver",     "drives",     "duration",   "elevator",
    "embedded",    "enable",     "enabled",    "enclosure",  "end",        "error",
    "exact",       "exit",       "expand",     "expander",   "export",     "exports",
    "external",    "failed",     "false",      "fault",      "fedora",     "file",
    "firmware",    "found",      "free",       "full",       "generic",    "group",
    "guest",       "hardware",   "high",       "home",       "host",       "hostname",
    "hpsa",        "identifier", "images",     "info",       "inquiry",    "install",
    "interface",   "internal",   "kernel",     "key",        "label",      "lib",
    "license",     "link",       "linux",      "list",       "local",      "localhost",
    "location",    "log",        "logical",    "logs",       "mail",       "max",
    "media",       "memory",     "message",    "method",     "mirror",     "mode",
    "model",       "module",     "mount",      "name",       "nfs",        "nobody",
    "node",        "none",       "number",     "online",     "opt",        "optimal",
    "original",    "output",     "parity",     "path",       "physical",   "pool",
    "port",        "ports",      "power",      "present",    "priority",   "proc",
    "product",     "project",    "proliant",   "queue",      "raid",       "ratio",
    "read",        "ready",      "rebuild",    "recovery",   "redhat",     "revision",
    "rhel",        "rocky",      "root",       "rotational", "scan",       "scheduler",
    "scsi",        "self",       "sense",      "serial",     "server",     "service",
    "settings",    "share",      "shares",     "show",       "size",       "slot",
    "smart",       "solid",      "source",     "space",      "spare",      "speed",
    "srv",         "state",      "status",     "storage",    "store",      "strip",
    "stripe",      "subsystem",  "supported",  "suse",       "swap",       "symlink",
    "system",      "table",      "taken",      "target",     "temp",       "temperature",
    "test",        "text",       "tmp",        "tolerance",  "tool",       "total",
    "tree",        "true",       "type",       "ubuntu",     "unassigned", "unique",
    "unknown",     "unused",     "update",     "user",       "users",      "usr",
    "var",         "vendor",     "version",    "volume",     "volumes",    "write",
    "zfs"};

bool is_common(std::string_view word) noexcept {
  return std::find(std::begin(common_words), std::end(common_words), word) !=
         std::end(common_words);
}

/// A phrase of words that everybody uses: "backup", "logical drive 1". With digits glued to it
/// ("data1") it is a name.
bool is_ordinary(std::string_view secret) noexcept {
  bool blank = false;
  bool digit = false;
  while (!secret.empty()) {
    std::size_t n = 0;
    if (text::is_alpha(secret.front())) {
      while (n < secret.size() && text::is_alpha(secret[n])) ++n;
      if (n > 1 && !is_common(secret.substr(0, n))) return false;
    } else {
      n = 1;
      if (static_cast<unsigned char>(secret.front()) >= 0x80) return false;
      digit = digit || text::is_digit(secret.front());
      blank = blank || text::is_blank(secret.front());
    }
    secret.remove_prefix(n);
  }
  return blank || !digit;
}

/// What firmware and people write where there is nothing to say.
bool says_nothing(std::string_view low) noexcept {
  constexpr std::array<std::string_view, 22> empty_words{"n/a",
                                                         "na",
                                                         "none",
                                                         "(none)",
                                                         "not available",
                                                         "unknown",
                                                         "default",
                                                         "not set",
                                                         "not specified",
                                                         "to be filled by o.e.m.",
                                                         "empty",
                                                         "null",
                                                         "disabled",
                                                         "enabled",
                                                         "default string",
                                                         "yes",
                                                         "no",
                                                         "true",
                                                         "false",
                                                         "localhost",
                                                         "system serial number",
                                                         "localhost.localdomain"};
  if (std::find(empty_words.begin(), empty_words.end(), low) != empty_words.end()) return true;
  // "0000000000000000", "0x0", "xxxxxxxx", "--": one character over and over.
  if (low.starts_with("0x")) low.remove_prefix(2);
  char only = 0;
  for (const char c : low) {
    if (!is_alnum(c) && static_cast<unsigned char>(c) < 0x80) continue;
    if (only == 0) only = c;
    if (c != only) return false;
  }
  return only == 0 || only == '0' || low.size() >= 4;
}

/// "\x20" of udev, "\040" of the mount table and a backslash of the one in the other, undone.
std::string unescaped(std::string_view value) {
  std::string out;
  while (!value.empty()) {
    const Escape escape = escape_at(value);
    out += escape.length > 0 ? escape.stands_for : value.front();
    value.remove_prefix(std::max<std::size_t>(escape.length, 1));
  }
  return out;
}

/// Ways to write a name that has other than letters, digits and what udev leaves as it is.
std::vector<std::string> ways_to_write(std::string_view plain) {
  constexpr std::string_view plain_marks = "#+-.:=@_";
  constexpr std::string_view hex = "0123456789abcdef";
  // As it is; blanks, then all marks as "_"; as udev, the mount table, and both together write it.
  std::vector<std::string> out(6);
  for (const char c : plain) {
    const auto code = static_cast<unsigned char>(c);
    const bool mark = !is_alnum(c) && code < 0x80 && plain_marks.find(c) == std::string_view::npos;
    const std::string udev{'x', hex[code >> 4U], hex[code & 15U]};
    const std::string octal{'\\', static_cast<char>('0' + (code >> 6U)),
                            static_cast<char>('0' + (code >> 3U & 7U)),
                            static_cast<char>('0' + (code & 7U))};
    const bool in_table = c == ' ' || c == '\t' || c == '\n' || c == '\\' || c == '#';
    out[0] += c;
    out[1] += c == ' ' ? '_' : c;
    out[2] += mark ? '_' : c;
    out[3] += mark ? "\\" + udev : std::string{c};
    out[4] += in_table ? octal : std::string{c};
    out[5] += mark ? "\\134" + udev : std::string{c};
  }
  return out;
}

}  // namespace

Escape escape_at(std::string_view text) noexcept {
  if (!text.starts_with('\\')) return {};
  const auto octal = [&](std::size_t at) { return text[at] >= '0' && text[at] <= '7'; };
  const auto digit = [&](std::size_t at) {
    const char c = text::to_lower(text[at]);
    return static_cast<unsigned>(text::is_digit(c) ? c - '0' : c - 'a' + 10);
  };
  std::size_t x = 1;
  if (text.starts_with("\\134x")) x = 4;
  if (text.size() >= x + 3 && text[x] == 'x' && is_hex(text[x + 1]) && is_hex(text[x + 2]))
    return {x + 3, static_cast<char>(digit(x + 1) * 16 + digit(x + 2))};
  if (text.size() >= 4 && text[1] < '4' && octal(1) && octal(2) && octal(3))
    return {4, static_cast<char>(digit(1) * 64 + digit(2) * 8 + digit(3))};
  return {};
}

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = text::to_lower(c);
  return out;
}

void Secrets::add(std::string_view value, SecretKind kind) {
  value = strip(value);
  if (value.size() >= 2 && value.front() == '"' && value.back() == '"') {
    value = value.substr(1, value.size() - 2);
  }
  for (const std::string_view prefix : {"0x", "naa.", "eui.", "uuid."}) {
    if (kind == SecretKind::id && folded(value).starts_with(prefix)) {
      value.remove_prefix(prefix.size());
    }
  }
  // An NAA id behind the digit that udev and the kernel put there for its type.
  if (all_hex(value) && ((value.size() == 17 && value.starts_with("35")) ||
                         (value.size() == 33 && value.starts_with("36")))) {
    value.remove_prefix(1);
  }
  const std::string low = folded(value);
  if (low.empty() || says_nothing(low)) return;
  // No id is as short as this; scsi_host has a unique_id that is a small number.
  if (kind == SecretKind::id && low.size() < 8) return;
  // A chassis serial or a WWN under a name's key stays what it is.
  const auto [known, fresh] = kinds_.emplace(low, kind);
  if (!fresh && known->second == SecretKind::name) known->second = kind;
  spelled_.emplace(std::string(value), kind);
  if (!fresh) return;

  const bool hex = all_hex(low);
  if (hex && low.size() == 32 && low.front() == '6') {
    // udev tells the two halves apart (ID_WWN, ID_WWN_VENDOR_EXTENSION).
    add(std::string_view(value).substr(0, 16), SecretKind::id);
    add(std::string_view(value).substr(16), SecretKind::id);
  }
  // The old volume ids hold the last 8 letters of the controller's serial number.
  const bool plain = std::all_of(low.begin(), low.end(), is_alnum);
  if (kind == SecretKind::serial && plain && low.size() > 8 && low.size() <= 20) {
    add(value.substr(value.size() - 8), SecretKind::serial);
  }
  if (kind == SecretKind::name) {
    if (const auto dot = value.find('.'); dot != std::string_view::npos && dot > 0) {
      add(value.substr(0, dot), SecretKind::name);
      add(value.substr(dot + 1), SecretKind::name);
    }
  }
  if (kind == SecretKind::name) {
    for (const std::string& other : ways_to_write(unescaped(value))) {
      if (kinds_.emplace(folded(other), kind).second) spelled_.emplace(other, kind);
    }
  }
}

void Secrets::keep(std::string_view public_text) {
  public_ += folded(public_text) + "\n";
}

std::map<std::string, Reach> Secrets::all() const {
  std::map<std::string, Reach> out;
  for (const auto& [secret, kind] : kinds_) {
    const bool digits = std::all_of(secret.begin(), secret.end(), text::is_digit);
    const bool letters = std::any_of(secret.begin(), secret.end(), [](char c) {
      return text::is_alpha(c) || static_cast<unsigned char>(c) >= 0x80;
    });
    const std::size_t alnum =
        static_cast<std::size_t>(std::count_if(secret.begin(), secret.end(), [](char c) {
          return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80;
        }));
    Reach reach = Reach::everywhere;
    if (alnum < 4 || (!letters && alnum < 6)) {
      reach = Reach::in_its_place;
    } else if (digits && secret.size() < 10) {
      reach = Reach::between_digits;
    }
    if (kind != SecretKind::id && is_ordinary(secret)) reach = Reach::in_its_place;
    if (kind == SecretKind::name && public_.find(secret) != std::string::npos) {
      reach = Reach::in_its_place;
    }
    if (confined_.contains(secret)) reach = Reach::in_its_place;
    out.emplace(secret, reach);
  }
  return out;
}

std::vector<std::string> Secrets::names() const {
  std::vector<std::string> out;
  for (const auto& [secret, kind] : kinds_) {
    if (kind == SecretKind::name) out.push_back(secret);
  }
  return out;
}

}  // namespace raidscope::capture
