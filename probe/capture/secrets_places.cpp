#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>

#include "probe/base/text.h"
#include "probe/capture/answers.h"
#include "probe/capture/secret_letters.h"
#include "probe/capture/secrets.h"
#include "probe/capture/secrets_tables.h"

/// Where secrets stand in what was answered.
namespace raidscope::capture {
namespace {

struct SecretWords {
  std::string_view words;
  SecretKind kind;
};
/// Keys by how they are spelled in vendor text, udev and DMI, in lower case.
constexpr std::array<SecretWords, 32> secret_words{{{"serial number", SecretKind::serial},
                                                    {"serial no", SecretKind::serial},
                                                    {"serial num", SecretKind::serial},
                                                    {"serialnumber", SecretKind::serial},
                                                    {"serial_number", SecretKind::serial},
                                                    {"serial", SecretKind::serial},
                                                    {"(sn", SecretKind::serial},
                                                    {"s/n", SecretKind::serial},
                                                    {"service tag", SecretKind::serial},
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
                                                    {"volume name", SecretKind::name},
                                                    {"key name", SecretKind::name},
                                                    {"password", SecretKind::name},
                                                    {"label", SecretKind::name},
                                                    {"host name", SecretKind::name},
                                                    {"hostname", SecretKind::name},
                                                    {"domainname", SecretKind::name}}};

bool at_key_end(std::string_view text, std::size_t at) noexcept {
  while (at < text.size() && (text::is_blank(text[at]) || text[at] == '#' || text[at] == '.')) ++at;
  return at < text.size() && (text[at] == ':' || text[at] == '=');
}

bool in_number(char c) noexcept {
  return is_alnum(c) || c == '-' || c == '_';
}

/// "serial XYZ998877": a value behind a key in a sentence, with no colon to tell it. Then it must
/// look like one, for "serial attached" and "serial number of" do not. Empty when there is none.
std::string_view value_in_sentence(std::string_view text, std::size_t at) noexcept {
  const auto skip_blanks = [&] {
    const std::size_t from = at;
    while (at < text.size() && (text::is_blank(text[at]) || text[at] == '#' || text[at] == '.' ||
                                text[at] == '\'' || text[at] == '"' || text[at] == '(')) {
      ++at;
    }
    return at > from;
  };
  if (!skip_blanks()) return {};
  for (const std::string_view word : {"number", "no", "num", "is", "of", "id", "drive", "disk"}) {
    if (!text.substr(at).starts_with(word)) continue;
    if (at + word.size() >= text.size() || is_alnum(text[at + word.size()])) continue;
    at += word.size();
    if (!skip_blanks()) return {};
  }
  if (text.substr(at).starts_with("0x")) at += 2;
  std::size_t end = at;
  std::size_t digits = 0;
  while (end < text.size() && in_number(text[end])) digits += text::is_digit(text[end++]) ? 1U : 0U;
  const bool number = digits == end - at;
  return end - at >= (number ? 8U : 6U) && digits >= 2 ? text.substr(at, end - at)
                                                       : std::string_view{};
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

/// "iqn.2001-05.org.example:box1" (RFC 3720) and "nqn.2014-08.…" of NVMe: who and which, behind the
/// date.
void collect_qualified(std::string_view text, Secrets& secrets) {
  const std::string low = folded(text);
  for (const std::string_view type : {"iqn.", "nqn."}) {
    for (auto at = low.find(type); at != std::string::npos; at = low.find(type, at + 4)) {
      if (at > 0 && is_alnum(low[at - 1])) continue;
      const auto date = low.find('.', at + 4);
      if (date == std::string::npos || date - at != 11) continue;
      std::size_t from = date + 1;
      std::size_t end = from;
      while (end < low.size() && (in_number(low[end]) || low[end] == '.' || low[end] == ':')) ++end;
      const std::string_view name = std::string_view(low).substr(from, end - from);
      // Behind it in the names of /dev/disk/by-path.
      end = from + std::min(name.find("-lun-"), name.size());
      if (name.starts_with("org.nvmexpress")) {
        const auto colon = name.find(':');
        if (colon == std::string_view::npos || name.substr(colon).starts_with(":uuid:")) continue;
        from += colon + 1;
      }
      while (end > from && (low[end - 1] == '.' || low[end - 1] == ':')) --end;
      if (end > from) secrets.add(text.substr(from, end - from), SecretKind::serial);
    }
  }
}

/// Everything that is told by its shape alone.
void collect_shapes(std::string_view text, Secrets& secrets) {
  collect_ids(text, secrets);
  collect_qualified(text, secrets);
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

bool is_binary(const Section& section) {
  return section.kind == kind_ciss || section.kind == kind_scsi || !scsi_page(section).empty();
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

/// Letters and digits mixed as no word, size or version has them.
bool looks_like_a_serial(std::string_view word) noexcept {
  std::size_t digits = 0;
  std::size_t changes = 0;
  for (std::size_t i = 0; i < word.size(); ++i) {
    digits += text::is_digit(word[i]) ? 1U : 0U;
    changes += i > 0 && text::is_digit(word[i]) != text::is_digit(word[i - 1]) ? 1U : 0U;
  }
  if (word.size() < 8 || word.size() > 40 || digits < 2 || digits == word.size()) return false;
  // "sda10000", "10000rpm": a word and a number.
  return changes >= 2 || word.size() >= 10;
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
    place_mounts(section.content, out);
  }
  if (name == "uevent") place_properties(section.content, out);
}

/// The names in a folder such as /dev/disk/by-label.
void place_listed(const Section& section, std::vector<Place>& out) {
  for (std::size_t at = 0; at < section.content.size();) {
    const std::size_t end = std::min(section.content.find('\n', at), section.content.size());
    const std::string folder = section.key + "/";
    std::vector<Place> placed;
    place_device_names(folder + section.content.substr(at, end - at), placed);
    for (const Place& each : placed) {
      if (each.at >= folder.size()) {
        out.push_back({at + each.at - folder.size(), each.length, each.kind});
      }
    }
    at = end + 1;
  }
}

}  // namespace

bool is_text_field(std::string_view name) noexcept {
  constexpr std::array<std::string_view, 11> others{
      "taken_at", "answers", "duration_ms",    "times",       "settled", "exit_status",
      "errno",    "error",   "command_status", "scsi_status", "line"};
  return std::find(others.begin(), others.end(), name) == others.end();
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
      if (!at_key_end(low, from)) {
        // "serials" and "iscsi_serial" are no such words.
        if (key.kind == SecretKind::name || (at > 0 && is_alnum(low[at - 1]))) continue;
        if (const auto value = value_in_sentence(low, from); !value.empty()) {
          out.push_back(
              {static_cast<std::size_t>(value.data() - low.data()), value.size(), key.kind});
        }
        continue;
      }
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
  place_device_names(text, out);
  return out;
}

std::vector<Place> places_in_key(const Section& section) {
  std::vector<Place> out;
  place_device_names(section.key, out);
  return out;
}

std::vector<Place> places_in(const Section& section) {
  std::vector<Place> out;
  const std::string_view bytes = section.content;
  if (section.kind == kind_tool) return places_in_text(bytes);
  if (section.kind == kind_devices) place_properties(bytes, out);
  if (section.kind == kind_file) place_file(section, out);
  if (section.kind == kind_list) place_listed(section, out);
  const bool table = section.key.ends_with("/mountinfo") || section.key.ends_with("/mounts");
  if (section.kind == kind_devices || section.kind == kind_link || section.kind == kind_symlink ||
      table) {
    place_device_names(bytes, out);
  } else if (!is_binary(section) && bytes.find('\0') == std::string_view::npos) {
    // A file of some driver, an answer of a kind to come.
    const auto places = places_in_text(bytes);
    out.insert(out.end(), places.begin(), places.end());
  }
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

void collect_words(std::string_view text, Secrets& secrets) {
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_alnum(text[end])) ++end;
    if (looks_like_a_serial(text.substr(at, end - at)))
      secrets.add(text.substr(at, end - at), SecretKind::name);
    at = end + 1;
  }
}

void collect(const Bundle& bundle, Secrets& secrets) {
  for (const Section& section : bundle.sections) {
    for (const Place& place : places_in_key(section)) {
      secrets.add(std::string_view(section.key).substr(place.at, place.length), place.kind);
    }
    for (const Place& place : places_in(section)) {
      secrets.add(std::string_view(section.content).substr(place.at, place.length), place.kind);
    }
    collect_binary(section, secrets);
    collect_shapes(section.content, secrets);
    collect_shapes(section.key, secrets);
    for (const auto& [name, value] : section.fields) {
      if (is_text_field(name)) collect(value, secrets);
    }
  }
  collect_neighbours(bundle, secrets);
}

}  // namespace raidscope::capture
