#include "probe/capture/secrets_tables.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>

#include "probe/base/text.h"

namespace raidscope::capture {
namespace {

using text::is_alpha;
using text::is_blank;
using text::is_digit;

constexpr auto npos = std::string_view::npos;

bool is_alnum(char c) noexcept {
  return is_alpha(c) || is_digit(c);
}
bool is_hex(char c) noexcept {
  const char low = text::to_lower(c);
  return is_digit(c) || (low >= 'a' && low <= 'f');
}
bool all_hex(std::string_view s) noexcept {
  return !s.empty() && std::all_of(s.begin(), s.end(), is_hex);
}
bool all_digits(std::string_view s) noexcept {
  return std::all_of(s.begin(), s.end(), is_digit);
}

template <std::size_t N>
bool is_one_of(std::string_view word, const std::array<std::string_view, N>& words) noexcept {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// A stretch of one text that is taken apart.
struct Part {
  std::string_view whole;
  std::size_t at = 0;
  std::size_t end = 0;

  [[nodiscard]] std::string_view words() const { return whole.substr(at, end - at); }
  // `n` may be npos.
  [[nodiscard]] Part from(std::size_t n) const { return {whole, at + std::min(n, end - at), end}; }
  [[nodiscard]] Part first(std::size_t n) const { return {whole, at, at + std::min(n, end - at)}; }
};

void place(const Part& part, SecretKind kind, std::vector<Place>& out) {
  if (part.end > part.at) out.push_back({part.at, part.end - part.at, kind});
}

/// Names that are set apart by one character; numbers and empty ones are none.
void place_names(Part part, char between, std::vector<Place>& out) {
  while (part.at < part.end) {
    const Part name = part.first(part.words().find(between));
    if (!all_digits(name.words())) place(name, SecretKind::name, out);
    part = part.from(name.end - name.at + 1);
  }
}

/// RFC 4291, section 2.2, without the form that ends in an IPv4 address.
bool is_ipv6(std::string_view s) noexcept {
  std::size_t groups = 0;
  std::size_t digits = 0;
  bool gap = false;
  for (std::size_t i = 0; i < s.size(); ++i) {
    if (is_hex(s[i])) {
      groups += digits == 0 ? 1U : 0U;
      if (++digits > 4) return false;
    } else if (s[i] == ':') {
      if (i > 0 && s[i - 1] == ':') {
        if (gap) return false;
        gap = true;
      }
      digits = 0;
    } else {
      return false;
    }
  }
  return gap ? groups > 0 && groups < 8 : groups == 8;
}

/// Networks of Lustre: "server@tcp1".
bool is_network(std::string_view word) noexcept {
  while (!word.empty() && is_digit(word.back())) word.remove_suffix(1);
  constexpr std::array<std::string_view, 7> networks{"tcp", "o2ib", "gni", "kfi",
                                                     "udp", "rdma", "lo"};
  return is_one_of(word, networks);
}

void place_host(const Part& part, std::vector<Place>& out) {
  const std::string_view word = part.words();
  if (word.empty() || all_digits(word) || is_network(word)) return;
  const bool ipv4 =
      std::all_of(word.begin(), word.end(), [](char c) { return is_digit(c) || c == '.'; });
  place(part, ipv4 ? SecretKind::serial : SecretKind::name, out);
}

/// Servers as mount sources and options list them: "a,b", "user@host", "10.0.0.1:6789",
/// "[fe80::1%eth0]:", "mgs@tcp:other@tcp".
void place_hosts(Part part, std::vector<Place>& out) {
  constexpr std::string_view separators = ",;@=#%/[]\\ ";
  while (part.at < part.end) {
    const std::string_view rest = part.words();
    if (rest.front() == '\\') {  // an escape: "\134"
      part = part.from(4);
      continue;
    }
    Part token = part.first(rest.find_first_of(separators));
    std::size_t used = token.end - token.at;
    while (token.words().ends_with(':') && !is_ipv6(token.words())) --token.end;
    if (is_ipv6(token.words())) {
      place(token, SecretKind::serial, out);
      // The zone of a link local address is an interface of this machine.
      if (rest.substr(used).starts_with('%'))
        used = std::min(rest.find_first_of(",;@=/]", used), rest.size());
    } else {
      while (token.at < token.end) {
        const Part host = token.first(token.words().find(':'));
        place_host(host, out);
        token = token.from(host.end - host.at + 1);
      }
    }
    part = part.from(used);
    if (part.at < part.end && part.words().front() != '\\') part = part.from(1);
  }
}

/// "VG-LV", where a dash of a name is doubled; any other name of the device mapper as one.
void place_mapper_name(const Part& leaf, std::vector<Place>& out) {
  const std::string_view name = leaf.words();
  if (name == "control") return;
  std::size_t dashes = 0;
  std::size_t dash = npos;
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (name[i] != '-') continue;
    if (i + 1 < name.size() && name[i + 1] == '-') {
      ++i;
      continue;
    }
    ++dashes;
    dash = i;
  }
  if (dashes == 1) {
    place(leaf.first(dash), SecretKind::name, out);
    place(leaf.from(dash + 1), SecretKind::name, out);
  } else {
    place(leaf, SecretKind::name, out);
  }
}

/// "-part1" behind the name of a disk.
Part without_partition(Part leaf) {
  const std::string_view name = leaf.words();
  const auto at = name.rfind("-part");
  if (at != npos && at + 5 < name.size() && all_digits(name.substr(at + 5)))
    leaf.end = leaf.at + at;
  return leaf;
}

/// The forms of /dev/disk/by-id (60-persistent-storage.rules of udev): BUS-MODEL_SERIAL,
/// scsi-SVENDOR_MODEL_SERIAL, scsi-3ID, wwn-0xID, dm-name-NAME, md-uuid-UUID.
void place_by_id(Part leaf, std::vector<Place>& out) {
  leaf = without_partition(leaf);
  const std::string_view name = leaf.words();
  for (const std::string_view words : {"uuid-", "wwn-0x", "wwn-"}) {
    const auto at = name.find(words);
    if (at == npos || (at > 0 && name[at - 1] != '-')) continue;
    place(leaf.from(at + words.size()), SecretKind::id, out);
    return;
  }
  if (name.starts_with("dm-name-")) return place_mapper_name(leaf.from(8), out);
  if (name.starts_with("md-name-")) return place_names(leaf.from(8), ':', out);
  const std::string_view bus = name.substr(0, name.find('-'));
  if (bus.size() == name.size()) return place(leaf, SecretKind::name, out);
  leaf = leaf.from(bus.size() + 1);
  if (leaf.words().starts_with("nvme.")) {
    // nvme.VENDOR-SERIAL-MODEL-NAMESPACE, serial number and model as hex of their letters.
    const auto from = leaf.words().find('-');
    if (from == npos) return;
    leaf = leaf.from(from + 1);
    return place(leaf.first(leaf.words().find('-')), SecretKind::id, out);
  }
  if (leaf.words().starts_with("eui.") || leaf.words().starts_with("uuid.")) return;
  if (bus == "usb") {
    // "-0:0": the unit.
    const auto dash = leaf.words().rfind('-');
    if (dash != npos && leaf.words().find(':', dash) != npos) leaf.end = leaf.at + dash;
  }
  while (leaf.words().ends_with('_')) --leaf.end;
  auto underscore = leaf.words().rfind('_');
  if (bus == "nvme" && underscore != npos && leaf.words().size() - underscore <= 4 &&
      all_digits(leaf.words().substr(underscore + 1))) {
    leaf.end = leaf.at + underscore;  // the namespace
    underscore = leaf.words().rfind('_');
  }
  if (underscore != npos) {
    leaf = leaf.from(underscore + 1);
    if (leaf.words().starts_with("0x")) leaf = leaf.from(2);
  } else if ((bus == "scsi" || bus == "cciss") && leaf.words().size() > 16 &&
             all_hex(leaf.words())) {
    // The designator's type, then the id.
    return place(leaf.from(1), SecretKind::id, out);
  }
  place(leaf, SecretKind::name, out);
}

/// "ip-10.0.0.1:3260-iscsi-…" among paths of PCI and SAS.
void place_by_path(const Part& leaf, std::vector<Place>& out) {
  if (!leaf.words().starts_with("ip-")) return;
  const Part address = leaf.from(3);
  place_hosts(address.first(address.words().find("-iscsi-")), out);
}

void place_disk_link(std::string_view by, const Part& leaf, std::vector<Place>& out) {
  if (by == "by-id") return place_by_id(leaf, out);
  if (by == "by-path") return place_by_path(leaf, out);
  if (by == "by-uuid" || by == "by-partuuid") return place(leaf, SecretKind::id, out);
  constexpr std::array<std::string_view, 4> numbers{"by-diskseq", "by-partnum", "by-loop-inode",
                                                    "by-parttypeuuid"};
  if (!is_one_of(by, numbers)) place(leaf, SecretKind::name, out);
}

/// Whether a letter can be part of a name below /dev: what udev leaves as it is, its escapes, those
/// of the mount table, and UTF-8.
bool in_device_name(char c) noexcept {
  return is_alnum(c) || static_cast<unsigned char>(c) >= 0x80 ||
         std::string_view("#+-.:=@_%\\~").find(c) != npos;
}

Part leaf_at(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && in_device_name(text[end])) ++end;
  // A mark that belongs to the sentence.
  while (end > at && (text[end - 1] == ':' || text[end - 1] == '.')) --end;
  return {text, at, end};
}

bool begins_path(std::string_view text, std::size_t at) noexcept {
  return at == 0 || (!in_device_name(text[at - 1]) && text[at - 1] != '/') || text[at - 1] == '=' ||
         text[at - 1] == ':';
}

/// Folders of /dev whose files have the kernel's own names.
constexpr std::array<std::string_view, 36> device_folders{
    "disk", "block",    "char", "bus",        "cciss",   "ida",       "rd",     "input", "snd",
    "dri",  "net",      "shm",  "pts",        "mqueue",  "hugepages", "vfio",   "raw",   "loop",
    "i2o",  "cdrom",    "fd",   "v4l",        "cpu",     "usb",       "serial", "misc",  "dm",
    "drbd", "dma_heap", "nvme", "infiniband", "ataraid", "bsg",       "scsi",   "tape",  "md"};

void place_below_dev(std::string_view text, std::size_t at, std::vector<Place>& out) {
  const Part folder = leaf_at(text, at);
  if (folder.end == folder.at || folder.end >= text.size() || text[folder.end] != '/') return;
  const Part leaf = leaf_at(text, folder.end + 1);
  if (leaf.end == leaf.at) return;
  const std::string_view name = folder.words();
  if (name == "mapper") return place_mapper_name(leaf, out);
  if (name == "md") return place_names(leaf, ':', out);
  if (is_one_of(name, device_folders)) return;
  // A volume group, or a pool below zvol or rbd.
  if (name != "zvol" && name != "rbd") place(folder, SecretKind::name, out);
  place(leaf, SecretKind::name, out);
  if (leaf.end < text.size() && text[leaf.end] == '/')
    place(leaf_at(text, leaf.end + 1), SecretKind::name, out);
}

/// "UUID=…", "PARTLABEL=…" as far as the next blank or comma.
void place_assignments(std::string_view table, std::vector<Place>& out) {
  constexpr std::array<std::pair<std::string_view, SecretKind>, 2> keys{
      {{"uuid=", SecretKind::id}, {"label=", SecretKind::name}}};
  const std::string low = folded(table);
  for (const auto& [key, kind] : keys) {
    for (auto at = low.find(key); at != std::string::npos; at = low.find(key, at + key.size())) {
      const std::size_t from = at + key.size();
      place({table, from, std::min(low.find_first_of(" \t\n,\"'", from), low.size())}, kind, out);
    }
  }
}

/// File systems that have no server and no device, whatever stands for a source.
constexpr std::array<std::string_view, 32> pseudo_types{
    "proc",       "sysfs",   "tmpfs",   "devtmpfs",  "devpts",   "ramfs",       "rootfs",
    "securityfs", "cgroup",  "cgroup2", "pstore",    "efivarfs", "bpf",         "mqueue",
    "hugetlbfs",  "debugfs", "tracefs", "fusectl",   "configfs", "binfmt_misc", "rpc_pipefs",
    "nfsd",       "overlay", "aufs",    "selinuxfs", "nsfs",     "resctrl",     "sockfs",
    "pipefs",     "bdev",    "usbfs",   "usbdevfs"};

bool is_pseudo(std::string_view type, std::string_view source) noexcept {
  if (is_one_of(type, pseudo_types) || source == type || source == "none") return true;
  if (type == "autofs" && source.starts_with("systemd-")) return true;
  // A program that gives its own name: "lxcfs", "s3fs".
  return type.starts_with("fuse.") && source == type.substr(5);
}

void place_source(Part source, std::string_view type, std::vector<Place>& out) {
  const std::string_view words = source.words();
  if (is_pseudo(type, words)) return;
  std::size_t key = 0;
  while (key < words.size() && is_alpha(words[key]) && !text::is_lower(words[key])) ++key;
  if (key > 0 && key < words.size() && words[key] == '=') return;  // LABEL=…
  if (const auto scheme = words.find("://"); scheme != npos) {
    source = source.from(scheme + 3);
  } else if (words.starts_with("//")) {
    source = source.from(2);
  } else if (words.starts_with("\\134\\134")) {
    source = source.from(8);
  } else if (words.starts_with('/')) {
    return;
  }
  const std::size_t end = std::min(source.words().find('/'), source.words().find("\\134"));
  place_hosts(source.first(end), out);
}

void place_options(Part options, std::vector<Place>& out) {
  constexpr std::array<std::string_view, 10> keys{
      "servern",  "server",   "domain",   "netbiosname",    "host",
      "hostname", "mon_host", "username", "volfile-server", "mgsnode"};
  while (options.at < options.end) {
    const Part option = options.first(options.words().find(','));
    const auto equals = option.words().find('=');
    if (equals != npos) {
      const std::string key = folded(option.words().substr(0, equals));
      if (key.ends_with("addr") || is_one_of(key, keys)) place_hosts(option.from(equals + 1), out);
    }
    options = options.from(option.end - option.at + 1);
  }
}

std::vector<Part> words_of(std::string_view table, std::size_t at, std::size_t end) {
  std::vector<Part> out;
  while (at < end) {
    while (at < end && is_blank(table[at])) ++at;
    const std::size_t from = at;
    while (at < end && !is_blank(table[at])) ++at;
    if (at > from) out.push_back({table, from, at});
  }
  return out;
}

struct PropertyWords {
  std::string_view words;
  SecretKind kind;
};
/// What the keys of udev have in them; the first that fits counts.
constexpr std::array<PropertyWords, 16> property_words{{{"SERIAL", SecretKind::serial},
                                                        {"LUN_T10", SecretKind::serial},
                                                        {"WWN", SecretKind::id},
                                                        {"UUID", SecretKind::id},
                                                        {"LABEL", SecretKind::name},
                                                        {"PART_ENTRY_NAME", SecretKind::name},
                                                        {"PARTNAME", SecretKind::name},
                                                        {"VOLUME_ID", SecretKind::name},
                                                        {"VOLUME_SET_ID", SecretKind::name},
                                                        {"PUBLISHER_ID", SecretKind::name},
                                                        {"PREPARER_ID", SecretKind::name},
                                                        {"VG_NAME", SecretKind::name},
                                                        {"LV_NAME", SecretKind::name},
                                                        {"POOL_NAME", SecretKind::name},
                                                        {"STRATIS_NAME", SecretKind::name},
                                                        {"HOSTNAME", SecretKind::name}}};

void place_property(std::string_view key, Part value, std::vector<Place>& out) {
  if (key == "DM_NAME") return place_mapper_name(value, out);
  if (key == "MD_NAME" || key == "MD_DEVNAME") return place_names(value, ':', out);
  if (key == "DM_UUID") {
    // "LVM-…", "CRYPT-LUKS2-…": what made the device.
    const auto dash = value.words().find('-');
    if (dash != npos) value = value.from(dash + 1);
    return place(value, SecretKind::id, out);
  }
  for (const PropertyWords& known : property_words) {
    if (key.find(known.words) == npos) continue;
    return place(value, known.kind, out);
  }
}

}  // namespace

void place_device_names(std::string_view text, std::vector<Place>& out) {
  for (auto at = text.find("by-"); at != npos; at = text.find("by-", at + 3)) {
    if (!begins_path(text, at) && text[at - 1] != '/') continue;
    std::size_t end = at + 3;
    while (end < text.size() && is_alpha(text[end])) ++end;
    if (end == at + 3 || end >= text.size() || text[end] != '/') continue;
    place_disk_link(text.substr(at, end - at), leaf_at(text, end + 1), out);
  }
  for (auto at = text.find("dev/"); at != npos; at = text.find("dev/", at + 4)) {
    const std::size_t from = at > 0 && text[at - 1] == '/' ? at - 1 : at;
    if (begins_path(text, from)) place_below_dev(text, at + 4, out);
  }
}

void place_mounts(std::string_view table, std::vector<Place>& out) {
  place_assignments(table, out);
  for (std::size_t at = 0; at < table.size();) {
    const std::size_t end = std::min(table.find('\n', at), table.size());
    const std::vector<Part> fields = words_of(table, at, end);
    at = end + 1;
    std::size_t source = 0;
    std::size_t type = 2;
    std::size_t options = 3;
    // mountinfo: … - type source options (proc(5)).
    for (std::size_t i = 6; i < fields.size(); ++i) {
      if (fields[i].words() != "-") continue;
      type = i + 1;
      source = i + 2;
      options = i + 3;
      break;
    }
    if (source < fields.size()) {
      place_source(fields[source], type < fields.size() ? fields[type].words() : "", out);
    }
    if (options < fields.size()) place_options(fields[options], out);
  }
}

void place_properties(std::string_view nodes, std::vector<Place>& out) {
  for (std::size_t at = 0; at < nodes.size();) {
    const std::size_t end = std::min(nodes.find('\n', at), nodes.size());
    Part line{nodes, at, end};
    at = end + 1;
    if (line.words().starts_with("E ")) line = line.from(2);
    const auto equals = line.words().find('=');
    if (equals == npos) continue;
    const std::string_view key = line.words().substr(0, equals);
    line = line.from(equals + 1);
    place_property(key, line, out);
  }
}

}  // namespace raidscope::capture
