#include "probe/capture/secrets.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>

#include "probe/base/text.h"
#include "probe/capture/answers.h"

namespace raidscope::capture {
namespace {

bool is_alnum(char c) noexcept {
  return text::is_alpha(c) || text::is_digit(c);
}
bool is_hex(char c) noexcept {
  const char low = text::to_lower(c);
  return text::is_digit(c) || (low >= 'a' && low <= 'f');
}
bool all_hex(std::string_view s) noexcept {
  return std::all_of(s.begin(), s.end(), is_hex);
}

constexpr std::string_view padding{" \t\r\n\0", 5};

std::string_view strip(std::string_view s) noexcept {
  const auto first = s.find_first_not_of(padding);
  if (first == std::string_view::npos) return {};
  return s.substr(first, s.find_last_not_of(padding) - first + 1);
}

/// Words of the reports, of the kernel's paths and of the bundle itself: a label that is one of
/// them stays where it is not the label.
constexpr std::string_view common_words[] = {
    "accelerator", "answer",     "answers",    "array",      "arrays",      "attached",
    "available",   "backplane",  "backup",     "battery",    "bays",        "bios",
    "block",       "board",      "boot",       "by",         "bypass",      "cache",
    "cage",        "capacitor",  "capture",    "ciss",       "class",       "command",
    "config",      "configured", "connector",  "controller", "count",       "current",
    "data",        "debian",     "degraded",   "delay",      "depth",       "detail",
    "dev",         "device",     "devices",    "disable",    "disabled",    "disk",
    "disks",       "drive",      "driver",     "drives",     "duration",    "elevator",
    "embedded",    "enable",     "enabled",    "enclosure",  "end",         "error",
    "exact",       "exit",       "expand",     "expander",   "external",    "failed",
    "false",       "fault",      "file",       "firmware",   "found",       "free",
    "full",        "generic",    "group",      "hardware",   "high",        "host",
    "hostname",    "hpsa",       "identifier", "info",       "inquiry",     "install",
    "interface",   "internal",   "kernel",     "key",        "label",       "license",
    "linux",       "list",       "link",       "local",      "localhost",   "location",
    "logical",     "mail",       "max",        "memory",     "message",     "method",
    "mirror",      "mode",       "model",      "module",     "mount",       "name",
    "node",        "none",       "number",     "online",     "optimal",     "original",
    "output",      "parity",     "path",       "physical",   "pool",        "port",
    "ports",       "power",      "present",    "priority",   "proc",        "product",
    "project",     "proliant",   "queue",      "raid",       "ratio",       "read",
    "ready",       "rebuild",    "recovery",   "redhat",     "revision",    "root",
    "rotational",  "scan",       "scheduler",  "scsi",       "self",        "sense",
    "serial",      "server",     "service",    "settings",   "show",        "size",
    "slot",        "smart",      "solid",      "source",     "space",       "spare",
    "speed",       "state",      "status",     "storage",    "store",       "strip",
    "stripe",      "subsystem",  "supported",  "swap",       "symlink",     "system",
    "table",       "taken",      "target",     "temp",       "temperature", "test",
    "text",        "tolerance",  "tool",       "total",      "tree",        "true",
    "type",        "ubuntu",     "unassigned", "unique",     "unknown",     "unused",
    "update",      "user",       "vendor",     "version",    "volume",      "write"};

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

struct SecretWords {
  std::string_view words;
  SecretKind kind;
};
/// Keys by how they are spelled in vendor text, udev and DMI, in lower case.
constexpr std::array<SecretWords, 26> secret_words{{{"serial number", SecretKind::serial},
                                                    {"serial no", SecretKind::serial},
                                                    {"serial num", SecretKind::serial},
                                                    {"serialnumber", SecretKind::serial},
                                                    {"serial_number", SecretKind::serial},
                                                    {"serial", SecretKind::serial},
                                                    {"(sn", SecretKind::serial},
                                                    {"asset tag", SecretKind::serial},
                                                    {"license key", SecretKind::serial},
                                                    {"licence key", SecretKind::serial},
                                                    {"chassis name", SecretKind::name},
                                                    {"wwid", SecretKind::id},
                                                    {"wwn", SecretKind::id},
                                                    {"world wide name", SecretKind::id},
                                                    {"world wide id", SecretKind::id},
                                                    {"unique identifier", SecretKind::id},
                                                    {"unique id", SecretKind::id},
                                                    {"sas address", SecretKind::id},
                                                    {"node name", SecretKind::id},
                                                    {"uuid", SecretKind::id},
                                                    {"guid", SecretKind::id},
                                                    {"drive label", SecretKind::name},
                                                    {"volume label", SecretKind::name},
                                                    {"label", SecretKind::name},
                                                    {"host name", SecretKind::name},
                                                    {"hostname", SecretKind::name}}};

bool at_key_end(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && (text::is_blank(text[at]) || text[at] == '#' || text[at] == '.')) ++at;
  return at < text.size() && (text[at] == ':' || text[at] == '=');
}

/// Ids by their shape: NAA 5 and 6 with or without what udev and the kernel put before them, UUIDs.
void collect_ids(std::string_view text, Secrets& secrets) {
  for (std::size_t at = 0; at < text.size();) {
    if (!is_hex(text[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_hex(text[end])) ++end;
    // Not inside a word, and no decimals of a number.
    const bool from_inside =
        at > 0 && ((is_alnum(text[at - 1]) && text[at - 1] != 'x') ||
                   (at > 1 && text[at - 1] == '.' && text::is_digit(text[at - 2])));
    const bool to_inside = end < text.size() && is_alnum(text[end]);
    const std::string_view run = text.substr(at, end - at);
    if (!from_inside && !to_inside) {
      const bool naa5 = run.size() == 16 && run.front() == '5';
      const bool naa6 = run.size() == 32 && run.front() == '6';
      if (naa5 || naa6) secrets.add(run, SecretKind::id);
      if ((run.size() == 17 && run.starts_with("35")) ||
          (run.size() == 33 && run.starts_with("36"))) {
        secrets.add(run.substr(1), SecretKind::id);
      }
    }
    if (!from_inside && run.size() == 8 && text.size() - at >= 36) {
      const std::string_view uuid = text.substr(at, 36);
      bool shaped = true;
      for (std::size_t i = 0; i < uuid.size(); ++i) {
        const bool dash = i == 8 || i == 13 || i == 18 || i == 23;
        shaped = shaped && (dash ? uuid[i] == '-' : is_hex(uuid[i]));
      }
      if (shaped) {
        secrets.add(uuid, SecretKind::id);
        end = at + 36;
      }
    }
    at = end;
  }
}

/// "50-01-43-80-…", "50:01:43:…": the bytes of an address set apart, six (Ethernet) or eight (SAS,
/// EUI-64) of them.
void collect_addresses(std::string_view text, Secrets& secrets) {
  for (std::size_t at = 0; at + 17 <= text.size(); ++at) {
    if (!is_hex(text[at]) || (at > 0 && (is_alnum(text[at - 1]) || text[at - 1] == ':' ||
                                         text[at - 1] == '-' || text[at - 1] == '.'))) {
      continue;
    }
    const char between = text[at + 2];
    if (between != ':' && between != '-') continue;
    std::size_t end = at;
    std::size_t bytes = 0;
    bool letters = false;
    while (end + 2 <= text.size() && is_hex(text[end]) && is_hex(text[end + 1])) {
      letters = letters || text::is_alpha(text[end]) || text::is_alpha(text[end + 1]);
      ++bytes;
      end += 2;
      if (end >= text.size() || text[end] != between) break;
      ++end;
    }
    const bool closed = end >= text.size() || !is_alnum(text[end]);
    // Six pairs of plain digits may as well be a time or a version.
    if (closed && text[end - 1] != between && (bytes == 8 || (bytes == 6 && letters)))
      secrets.add(text.substr(at, end - at), SecretKind::id);
  }
}

/// "eui.0025388b71b0a1c2", as the kernel names NVMe drives, under whatever key.
void collect_eui(std::string_view text, Secrets& secrets) {
  const std::string low = folded(text);
  for (auto at = low.find("eui."); at != std::string::npos; at = low.find("eui.", at + 4)) {
    std::size_t end = at + 4;
    while (end < low.size() && is_hex(low[end])) ++end;
    const std::size_t digits = end - at - 4;
    if ((digits == 16 || digits == 32) && (end == low.size() || !is_alnum(low[end])))
      secrets.add(text.substr(at + 4, digits), SecretKind::id);
  }
}

/// Everything that is told by its shape alone.
void collect_shapes(std::string_view text, Secrets& secrets) {
  collect_ids(text, secrets);
  collect_addresses(text, secrets);
  collect_eui(text, secrets);
}

std::string_view base_name(std::string_view path) noexcept {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

/// The SCSI command of a section: "1201830040", or what it is for a file that the kernel cached.
std::string scsi_page(const Section& section) {
  if (section.kind == kind_scsi) {
    const std::string_view cdb = std::string_view(section.key).substr(0, section.key.find(' '));
    if (cdb.starts_with("1200")) return "inquiry";
    if (cdb.starts_with("1201") && cdb.size() >= 6) return "vpd_pg" + std::string(cdb.substr(4, 2));
    return {};
  }
  if (section.kind != kind_file) return {};
  const std::string_view name = base_name(section.key);
  return name == "inquiry" || name.starts_with("vpd_pg") ? std::string(name) : std::string();
}

unsigned byte_at(std::string_view bytes, std::size_t at) noexcept {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0U;
}

/// Stretches of printable text between padding, so that each can be a secret.
void place_text(std::string_view bytes, std::size_t at, std::size_t length, SecretKind kind,
                std::vector<Place>& out) {
  if (at >= bytes.size()) return;
  const std::string_view field = bytes.substr(at, length);
  // Up to the NUL: what is behind it in a fixed field is not of the value.
  const std::string_view value = strip(field.substr(0, field.find('\0')));
  if (value.empty()) return;
  out.push_back({static_cast<std::size_t>(value.data() - bytes.data()), value.size(), kind});
}

/// The designators of VPD 0x83: names as text here, binary ids in collect_binary().
void place_designators(std::string_view page, std::vector<Place>& out) {
  for (std::size_t at = 4; at + 4 <= page.size();) {
    const std::size_t length = byte_at(page, at + 3);
    const unsigned code_set = byte_at(page, at) & 15U;
    const unsigned type = byte_at(page, at + 1) & 15U;
    if (code_set == 2 || code_set == 3) {
      std::size_t from = at + 4;
      std::size_t size = std::min(length, page.size() - from);
      if (type == 1) {
        // Maker, product and serial number in one; the last word is the serial number.
        const std::string_view value = strip(page.substr(from, size));
        const auto blank = value.rfind(' ');
        from = static_cast<std::size_t>(value.data() - page.data());
        size = value.size();
        if (value.empty()) size = 0;
        if (blank != std::string_view::npos) {
          from += blank + 1;
          size -= blank + 1;
        }
      }
      if (size > 0) place_text(page, from, size, SecretKind::serial, out);
    }
    at += 4 + length;
  }
}

void add_binary(std::string_view bytes, std::size_t at, std::size_t length, Secrets& secrets) {
  if (at + length > bytes.size()) return;
  secrets.add(to_hex(bytes.substr(at, length)), SecretKind::id);
}

std::string_view ciss_query(const Section& section) {
  if (section.kind != kind_ciss) return {};
  return std::string_view(section.key).substr(0, section.key.find(' '));
}

/// Ids as raw bytes. Offsets are those of the BMIC structures (docs/discovery.md names the source).
void collect_binary(const Section& section, Secrets& secrets) {
  const std::string_view bytes = section.content;
  const std::string page = scsi_page(section);
  if (page == "vpd_pg83") {
    for (std::size_t at = 4; at + 4 <= bytes.size();) {
      const std::size_t length = byte_at(bytes, at + 3);
      const unsigned type = byte_at(bytes, at + 1) & 15U;
      const bool binary = (byte_at(bytes, at) & 15U) == 1;
      if (binary && (type == 2 || type == 3) && length >= 8) {
        add_binary(bytes, at + 4, length, secrets);
      }
      at += 4 + length;
    }
  }
  if (page == "vpd_pg89" && bytes.size() >= 100) {
    // IDENTIFY DEVICE data from byte 60 on, serial number in its words 10 to 19, bytes swapped.
    std::string serial(bytes.substr(80, 20));
    for (std::size_t i = 0; i + 1 < serial.size(); i += 2) std::swap(serial[i], serial[i + 1]);
    secrets.add(serial, SecretKind::serial);
  }
  const std::string_view query = ciss_query(section);
  if (query == "identify_logical_drive") add_binary(bytes, 102, 16, secrets);
  if (query == "identify_physical_drive") add_binary(bytes, 142, 8, secrets);
  if (query == "subsystem_information") add_binary(bytes, 36, 8, secrets);
  if (query == "report_physical" && byte_at(bytes, 4) == 2) {
    for (std::size_t at = 8; at + 24 <= bytes.size(); at += 24) {
      add_binary(bytes, at + 8, 8, secrets);
    }
  }
}

/// Port addresses differ from the WWID of their device in the last byte.
void collect_neighbours(const Bundle& bundle, Secrets& secrets) {
  std::set<std::string> stems;
  for (const auto& [secret, reach] : secrets.all()) {
    if (secret.size() != 16 || secret.front() != '5' || !all_hex(secret)) continue;
    std::string stem;
    append_hex(std::string_view(secret).substr(0, 14), stem);
    stems.insert(std::move(stem));
  }
  for (const Section& section : bundle.sections) {
    if (section.kind != kind_ciss && section.kind != kind_scsi && scsi_page(section).empty()) {
      continue;
    }
    const std::string_view bytes = section.content;
    for (std::size_t at = 0; at + 8 <= bytes.size(); ++at) {
      if ((byte_at(bytes, at) >> 4U) != 5) continue;
      if (stems.contains(std::string(bytes.substr(at, 7)))) add_binary(bytes, at, 8, secrets);
    }
  }
}

/// Values of "PARTUUID=…", "UUID=…" and "LABEL=…" in the kernel's tables, as far as the next blank
/// or comma, and the addresses that network file systems are mounted with.
void place_assignments(std::string_view table, std::vector<Place>& out) {
  constexpr std::array<SecretWords, 6> keys{{{"uuid=", SecretKind::id},
                                             {"label=", SecretKind::name},
                                             {",addr=", SecretKind::serial},
                                             {",clientaddr=", SecretKind::serial},
                                             {",mountaddr=", SecretKind::serial},
                                             {",srcaddr=", SecretKind::serial}}};
  const std::string low = folded(table);
  for (const auto& [key, kind] : keys) {
    for (auto at = low.find(key); at != std::string::npos; at = low.find(key, at + key.size())) {
      const std::size_t from = at + key.size();
      const std::size_t end = std::min(low.find_first_of(" \t\n,\"'", from), low.size());
      if (end > from) out.push_back({from, end - from, kind});
    }
  }
}

/// Servers of network file systems in the mount table.
void place_servers(std::string_view table, std::vector<Place>& out) {
  for (const std::string_view type : {" nfs ", " nfs4 ", " cifs ", " smb3 "}) {
    for (auto at = table.find(type); at != std::string_view::npos; at = table.find(type, at + 1)) {
      const std::size_t line = table.rfind('\n', at) + 1;
      // proc/mounts has the source first, mountinfo behind the type.
      std::size_t from = line;
      if (table.substr(line, at - line).ends_with(" -")) from = at + type.size();
      while (from < table.size() && table[from] == '/') ++from;
      const std::size_t end = table.find_first_of(":/ \n", from);
      if (end == std::string_view::npos || end == from) continue;
      out.push_back({from, end - from, SecretKind::name});
    }
  }
}

void place_properties(std::string_view nodes, std::vector<Place>& out) {
  constexpr std::array<SecretWords, 11> keys{{{"ID_SERIAL", SecretKind::serial},
                                              {"ID_SCSI_SERIAL", SecretKind::serial},
                                              {"SCSI_IDENT_SERIAL", SecretKind::serial},
                                              {"ID_WWN", SecretKind::id},
                                              {"ID_FS_LABEL", SecretKind::name},
                                              {"ID_FS_UUID", SecretKind::id},
                                              {"ID_PART_ENTRY_NAME", SecretKind::name},
                                              {"ID_PART_ENTRY_UUID", SecretKind::id},
                                              {"ID_PART_TABLE_UUID", SecretKind::id},
                                              {"DM_UUID", SecretKind::id},
                                              {"MD_UUID", SecretKind::id}}};
  std::size_t at = 0;
  while (at < nodes.size()) {
    const std::size_t end = std::min(nodes.find('\n', at), nodes.size());
    const std::string_view line = nodes.substr(at, end - at);
    // "E KEY=value" of a devices section, "KEY=value" of a uevent file.
    const std::size_t key_at = line.starts_with("E ") ? 2 : 0;
    const std::size_t equals = line.find('=');
    if (equals != std::string_view::npos) {
      for (const auto& [key, kind] : keys) {
        if (!line.substr(key_at).starts_with(key)) continue;
        out.push_back({at + equals + 1, line.size() - equals - 1, kind});
        break;
      }
    }
    at = end + 1;
  }
}

void place_file(const Section& section, std::vector<Place>& out) {
  constexpr std::array<SecretWords, 20> names{{{"serial", SecretKind::serial},
                                               {"serial_number", SecretKind::serial},
                                               {"product_serial", SecretKind::serial},
                                               {"board_serial", SecretKind::serial},
                                               {"chassis_serial", SecretKind::serial},
                                               {"product_uuid", SecretKind::id},
                                               {"board_asset_tag", SecretKind::serial},
                                               {"chassis_asset_tag", SecretKind::serial},
                                               {"wwid", SecretKind::id},
                                               {"unique_id", SecretKind::id},
                                               {"sas_address", SecretKind::id},
                                               {"nguid", SecretKind::id},
                                               {"eui", SecretKind::id},
                                               {"uuid", SecretKind::id},
                                               {"subsysnqn", SecretKind::serial},
                                               {"port_name", SecretKind::id},
                                               {"node_name", SecretKind::id},
                                               {"hostname", SecretKind::name},
                                               {"HOSTNAME", SecretKind::name},
                                               {"nodename", SecretKind::name}}};
  const std::string_view name = base_name(section.key);
  for (const auto& [known, kind] : names) {
    if (name == known) place_text(section.content, 0, section.content.size(), kind, out);
  }
  if (section.key.ends_with("/mountinfo") || section.key.ends_with("/mounts")) {
    place_servers(section.content, out);
    place_assignments(section.content, out);
  }
  if (name == "uevent") place_properties(section.content, out);
}

}  // namespace

bool is_text_field(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 6> names{"message", "where",   "hint",
                                                  "tool",    "command", "sense"};
  return std::find(names.begin(), names.end(), name) != names.end();
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
  // How udev and the mount table write a blank.
  if (low.find(' ') != std::string::npos) {
    for (const std::string_view blank : {"_", "\\040", "\\x20"}) {
      std::string other;
      for (const char c : value) {
        if (c == ' ') {
          other += blank;
        } else {
          other += c;
        }
      }
      kinds_.emplace(folded(other), kind);
      spelled_.emplace(other, kind);
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

bool is_secret_key(std::string_view key, SecretKind& kind) {
  const std::string low = folded(key);
  for (const SecretWords& known : secret_words) {
    if (!std::string_view(low).ends_with(known.words)) continue;
    kind = known.kind;
    return true;
  }
  return false;
}

std::vector<Place> places_in_text(std::string_view text) {
  std::vector<Place> out;
  const std::string low = folded(text);
  for (const SecretWords& key : secret_words) {
    for (auto at = low.find(key.words); at != std::string::npos;
         at = low.find(key.words, at + key.words.size())) {
      std::size_t from = at + key.words.size();
      if (!at_key_end(low, from)) continue;
      from = low.find_first_of(":=", from) + 1;
      while (from < low.size() && text::is_blank(low[from])) ++from;
      const bool line = key.kind == SecretKind::name;
      std::size_t end = low.find_first_of(
          line ? std::string_view("\r\n") : std::string_view(" \t\r\n),;\"'"), from);
      if (end == std::string::npos) end = low.size();
      while (end > from && text::is_blank(low[end - 1])) --end;
      if (end == from) continue;
      // Several keys on one line: where this value ends, its reader knows.
      if (line && low.substr(from, end - from).find(": ") != std::string::npos) continue;
      out.push_back({from, end - from, key.kind});
    }
  }
  return out;
}

std::vector<Place> places_in(const Section& section) {
  std::vector<Place> out;
  const std::string_view bytes = section.content;
  if (section.kind == kind_tool) return places_in_text(bytes);
  if (section.kind == kind_devices) place_properties(bytes, out);
  if (section.kind == kind_file) place_file(section, out);
  const std::string page = scsi_page(section);
  if (page == "vpd_pg80") place_text(bytes, 4, bytes.size(), SecretKind::serial, out);
  if (page == "vpd_pg83") place_designators(bytes, out);
  if (page == "inquiry" && bytes.size() >= 44) {
    // Some makers repeat the serial number in the vendor's bytes.
    const std::string_view value = strip(bytes.substr(36, 20));
    const bool shaped = value.size() >= 8 && std::all_of(value.begin(), value.end(), is_alnum) &&
                        std::any_of(value.begin(), value.end(), text::is_digit);
    if (shaped) place_text(bytes, 36, 20, SecretKind::serial, out);
  }
  const std::string_view query = ciss_query(section);
  if (query == "identify_logical_drive") place_text(bytes, 30, 64, SecretKind::name, out);
  if (query == "identify_physical_drive") place_text(bytes, 52, 40, SecretKind::serial, out);
  if (query == "subsystem_information") {
    for (const std::size_t at : {4U, 44U, 76U, 116U, 148U}) {
      place_text(bytes, at, 32, SecretKind::serial, out);
    }
  }
  return out;
}

void collect(std::string_view text, Secrets& secrets) {
  for (const Place& place : places_in_text(text)) {
    secrets.add(text.substr(place.at, place.length), place.kind);
  }
  collect_shapes(text, secrets);
}

void collect(const Bundle& bundle, Secrets& secrets) {
  for (const Section& section : bundle.sections) {
    for (const Place& place : places_in(section)) {
      secrets.add(std::string_view(section.content).substr(place.at, place.length), place.kind);
    }
    collect_binary(section, secrets);
    collect_shapes(section.content, secrets);
    collect_shapes(section.key, secrets);
    for (const auto& [name, value] : section.fields) {
      if (is_text_field(name)) collect_shapes(value, secrets);
    }
  }
  collect_neighbours(bundle, secrets);
}

}  // namespace raidscope::capture
