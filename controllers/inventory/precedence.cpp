#include "controllers/inventory/precedence.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

namespace raidscope {
namespace {

using enum EntityKind;
using enum Choice;

// Rows of one kind stand together; the first that fits rules. A snapshot read from a file ranks as
// the vendor tool whose words it holds.
constexpr auto table = std::to_array<Precedence>({
    {controller, "pci_address", by_order, "sysfs bmic ssacli",
     "the kernel's own PCI address is what every other path is joined by"},
    {controller, "pci_id", by_order, "sysfs bmic ssacli", "PCI identity is read from the bus"},
    {controller, "model", by_order, "sysfs bmic scsi ssacli",
     "the PCI subsystem id names the board, a heading may be rebranded"},
    {controller, "vendor", by_order, "ssacli scsi bmic sysfs",
     "the heading carries the brand that was sold"},
    {controller, "slot", by_order, "ssacli bmic sysfs",
     "the vendor tool's slot is the one that its commands take"},
    {controller, "serial", by_order, "bmic ssacli scsi sysfs",
     "subsystem information holds the board's serial; page 0x80 of a drive only repeats it"},
    {controller, "firmware", by_order, "bmic scsi ssacli sysfs",
     "a fresh answer of the firmware beats the kernel's copy, which is stale after a flash"},
    {controller, "driver.", by_order, "sysfs host ssacli", "the running kernel knows its driver"},
    {controller, "lockup", worse_of, "sysfs scsi bmic ssacli",
     "one that answers like a dead controller has locked up since the driver's state was read"},
    {controller, "mode", by_order, "ssacli bmic sysfs", "the vendor tool knows all three modes"},
    {controller, "cache.present", known_if_agreed, "ssacli bmic",
     "two equal witnesses disagree, so it is unknown"},
    {controller, "cache.status", worse_of, "ssacli bmic",
     "the worse status decides, for a test must not rest on the better one"},
    {controller, "cache.size_bytes", by_order, "ssacli bmic",
     "the vendor tool prints the module's nominal size"},
    {controller, "cache.available_bytes", by_order, "bmic ssacli",
     "the firmware gives exact bytes, the vendor tool one decimal"},
    {controller, "cache.ratio.", by_order, "bmic ssacli",
     "the firmware's current values; the vendor tool is silent while no drive uses the cache"},
    {controller, "cache.backup.status", failed_wins, "ssacli bmic",
     "the firmware's map of failed packs overrides an OK"},
    {controller, "smart_path.driver_enabled", by_order, "sysfs", "the driver's own switch"},
    {controller, "warnings", all_together, "", "each path's warnings stand beside the others"},
    {controller, "", by_order, "ssacli bmic sysfs scsi host",
     "the vendor tool is the authority for settings and status words"},

    {array, "", by_order, "ssacli scsi bmic sysfs", "only the vendor tool sees whole arrays"},

    {logical_drive, "unique_id", by_order, "scsi sysfs bmic ssacli",
     "the drive's own page 0x83 is where the id comes from"},
    {logical_drive, "raid", by_order, "ssacli bmic scsi sysfs",
     "the driver cannot tell RAID 1 from 1+0"},
    {logical_drive, "size_bytes", by_order, "host sysfs scsi bmic ssacli",
     "the block layer has exact bytes, the vendor tool prints rounded ones"},
    {logical_drive, "status", by_order, "scsi bmic ssacli",
     "the drive's volume status page is fresher than the tool's"},
    {logical_drive, "device", by_order, "sysfs host scsi ssacli",
     "a node found by the unique id beats a disk name that may be stale after a hot change"},
    {logical_drive, "smart_path.array_setting", by_order, "ssacli scsi",
     "the switch belongs to the array; page 0xC2 gives it for each drive"},
    {logical_drive, "smart_path.firmware_configured", by_order, "scsi sysfs ssacli",
     "page 0xC2 is the firmware's own word"},
    {logical_drive, "smart_path.firmware_enabled", by_order, "scsi sysfs ssacli",
     "page 0xC2 is the firmware's own word"},
    {logical_drive, "smart_path.", by_order, "sysfs scsi ssacli",
     "the driver's own state of this drive"},
    {logical_drive, "block_device.", by_order, "host sysfs scsi", "the kernel's own settings"},
    {logical_drive, "mount_points", all_together, "",
     "mount points of the kernel and of the vendor tool are one list"},
    {logical_drive, "", by_order, "ssacli bmic scsi sysfs host",
     "the vendor tool is the authority for a drive's settings and members"},

    {physical_drive, "status", by_order, "ssacli bmic sysfs scsi",
     "the vendor tool's status words say more than the firmware's codes"},
    {physical_drive, "role", by_order, "ssacli bmic sysfs scsi",
     "the vendor tool says which array a drive serves"},
    {physical_drive, "mount_points", all_together, "",
     "mount points of the kernel and of the vendor tool are one list"},
    {physical_drive, "", by_order, "bmic ssacli scsi sysfs host",
     "the firmware's identify data is the drive's identity and place"},

    {block_device, "mount_points", all_together, "", "mount points of several paths are one list"},
    {block_device, "media", by_order, "scsi host sysfs",
     "page 0xB1 is the disk's own word; the kernel's rotational may be a default"},
    {block_device, "", by_order, "host sysfs scsi bmic ssacli",
     "the kernel's own view of its disk"},
    {machine, "", by_order, "host sysfs ssacli bmic scsi", "the host knows itself"},
    {enclosure, "", by_order, "ssacli bmic scsi sysfs",
     "the vendor tool names cages and their state"},
    {port, "", by_order, "ssacli bmic sysfs scsi", "the vendor tool names ports"},
    {sensor, "", by_order, "ssacli bmic sysfs scsi", "the vendor tool names sensors"},
});

bool fits(const Precedence& row, std::string_view attribute) {
  if (row.attribute.empty() || row.attribute == attribute) return true;
  return row.attribute.back() == '.' && attribute.starts_with(row.attribute);
}

/// 0 is best. A file holds a vendor tool's words and ranks just behind the tool itself.
std::size_t rank(std::string_view order, PathName path) {
  const bool is_file = path == PathName::file;
  const std::string_view name = name_of(is_file ? PathName::ssacli : path);
  std::size_t place = 0;
  for (std::string_view rest = order; !rest.empty();) {
    const std::size_t end = std::min(rest.find(' '), rest.size());
    if (rest.substr(0, end) == name) return 2 * place + (is_file ? 1 : 0);
    rest.remove_prefix(std::min(end + 1, rest.size()));
    ++place;
  }
  return 100 + static_cast<std::size_t>(path);
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  a = trimmed(a);
  b = trimmed(b);
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [](char x, char y) { return lower(x) == lower(y); });
}

std::string_view last_part(std::string_view attribute) {
  const std::size_t dot = attribute.rfind('.');
  return dot == std::string_view::npos ? attribute : attribute.substr(dot + 1);
}

/// Half of the last digit of a printed size, in bytes: "279.4 GB" for `bytes` gives 0.05 GB.
double half_last_digit(const Told& told, double bytes) {
  if (told.size_text == nullptr) return 0;
  const std::string_view text = trimmed(*told.size_text);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || number <= 0) return 0;
  const std::string_view digits = text.substr(0, static_cast<std::size_t>(end - text.data()));
  const std::size_t dot = digits.find('.');
  const std::size_t decimals = dot == std::string_view::npos ? 0 : digits.size() - dot - 1;
  return 0.5 * std::pow(10.0, -static_cast<double>(decimals)) * (bytes / number);
}

std::optional<double> number_of(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(&value)) return *real;
  return std::nullopt;
}

/// How little a cache of this status can be used.
int badness(const Value& value) {
  const auto* word = std::get_if<std::string>(&value);
  if (word == nullptr) return -1;
  // A lockup code: any but 0 is bad.
  if (!word->empty() && word->find_first_not_of("-0123456789") == std::string::npos)
    return *word == "0" ? 0 : 1;
  constexpr std::string_view from_good[] = {"ok", "not_configured", "temporarily_disabled",
                                            "permanently_disabled"};
  const auto* found = std::find(std::begin(from_good), std::end(from_good), *word);
  return found == std::end(from_good) ? -1 : static_cast<int>(found - std::begin(from_good));
}

bool is_word(const Value& value, std::string_view word) {
  const auto* text = std::get_if<std::string>(&value);
  return text != nullptr && *text == word;
}

/// The RAID levels that a value names: one, or the candidates of who cannot tell them apart.
std::vector<std::string> levels_of(const Value& value) {
  if (const auto* one = std::get_if<std::string>(&value)) return {*one};
  if (const auto* several = std::get_if<std::vector<std::string>>(&value)) return *several;
  return {};
}

/// "8.32" of "8.32-0", but not "8.3": a part that goes on is another version. INQUIRY alone cuts in
/// the middle, after the four characters that it has.
bool begins_with(std::string_view whole, std::string_view begin) {
  constexpr std::size_t inquiry_characters = 4;
  if (begin.empty() || !whole.starts_with(begin)) return false;
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const bool inside =
      whole.size() > begin.size() && digit(begin.back()) && digit(whole[begin.size()]);
  return !inside || begin.size() == inquiry_characters;
}

}  // namespace

const Precedence& precedence_of(EntityKind kind, std::string_view attribute) {
  const auto* found = std::find_if(table.begin(), table.end(), [&](const Precedence& row) {
    return row.kind == kind && fits(row, attribute);
  });
  return found == table.end() ? table.back() : *found;
}

Chosen choose(const Precedence& row, std::string_view attribute, std::span<const Told> told) {
  Chosen out;
  for (std::size_t i = 1; i < told.size(); ++i) {
    if (rank(row.order, told[i].path) < rank(row.order, told[out.taken].path)) out.taken = i;
  }
  for (std::size_t i = 0; i < told.size(); ++i) {
    if (i != out.taken && !agree(attribute, told[i], told[out.taken])) out.agreed = false;
  }
  if (out.agreed) return out;
  switch (row.choice) {
    case known_if_agreed:
      out.unknown = true;
      break;
    case worse_of:
      for (std::size_t i = 0; i < told.size(); ++i) {
        if (badness(*told[i].value) > badness(*told[out.taken].value)) out.taken = i;
      }
      break;
    case failed_wins:
      for (std::size_t i = 0; i < told.size(); ++i) {
        if (is_word(*told[out.taken].value, "ok") && is_word(*told[i].value, "failed")) {
          out.taken = i;
        }
      }
      break;
    case by_order:
    case all_together:
      break;
  }
  return out;
}

bool agree(std::string_view attribute, const Told& a, const Told& b) {
  const auto x = number_of(*a.value), y = number_of(*b.value);
  if (x && y) {
    const double allowed = std::max(half_last_digit(a, *x), half_last_digit(b, *y));
    return std::abs(*x - *y) <= allowed * (1 + 1e-9) + 1e-9;
  }
  const auto* left = std::get_if<std::string>(a.value);
  const auto* right = std::get_if<std::string>(b.value);
  if (attribute == "raid" || attribute == "raid_candidates") {
    const std::vector<std::string> mine = levels_of(*a.value), theirs = levels_of(*b.value);
    return std::any_of(mine.begin(), mine.end(), [&](const std::string& level) {
      return std::find(theirs.begin(), theirs.end(), level) != theirs.end();
    });
  }
  // The three states of Smart Path are compared with each other as one fact.
  if (attribute == "smart_path.array_setting") return true;
  if (left == nullptr || right == nullptr) return *a.value == *b.value;
  const std::string_view field = last_part(attribute);
  // Each path has its own words for these; what they say is compared as cache.status and the like.
  if (field == "disable_reason" || field == "details" || field == "last_failure_reason")
    return true;
  // The vendor tool leaves out the driver's last part too: "3.4.20" of "3.4.20-200".
  if (field == "firmware" || attribute == "driver.version") {
    const std::string_view p = trimmed(*left), q = trimmed(*right);
    return begins_with(p, q) || begins_with(q, p);
  }
  if (field == "unique_id" || field == "wwid") return normal_id(*left) == normal_id(*right);
  if (field == "serial" || field == "pci_address" || field == "pci_id" || field == "model") {
    return equal_ignoring_case(*left, *right);
  }
  return *left == *right;
}

std::string_view comparable_firmware(std::string_view firmware) noexcept {
  firmware = trimmed(firmware);
  if (firmware.ends_with("-0")) firmware.remove_suffix(2);
  return firmware;
}

std::string normal_id(std::string_view id) {
  id = trimmed(id);
  for (const std::string_view prefix : {"naa.", "0x", "0X", "NAA."}) {
    if (id.starts_with(prefix)) id.remove_prefix(prefix.size());
  }
  std::string out(id);
  for (char& c : out) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out;
}

std::string text_of(const Value& value) {
  struct Writer {
    std::string operator()(bool flag) const { return flag ? "true" : "false"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const std::vector<std::string>& texts) const {
      return fmt::format("{}", fmt::join(texts, ", "));
    }
    std::string operator()(const std::vector<double>& numbers) const {
      std::string out;
      for (const double number : numbers) {
        out += out.empty() ? "" : ", ";
        out += number == 0 ? std::string("unknown") : fmt::format("{}", number);
      }
      return out;
    }
  };
  return std::visit(Writer{}, value);
}

}  // namespace raidscope
