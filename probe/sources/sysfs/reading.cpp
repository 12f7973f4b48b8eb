#include "probe/sources/sysfs/reading.h"

#include <algorithm>
#include <charconv>

namespace raidscope::sysfs {
namespace {

constexpr std::string_view blanks{" \t\r\n\v\f\0", 7};

std::vector<std::string_view> split(std::string_view text, std::string_view separators) {
  std::vector<std::string_view> out;
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(separators), text.size());
    if (end > 0) out.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

}  // namespace

std::string_view trim(std::string_view text) noexcept {
  const auto first = text.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(blanks) - first + 1);
}

std::vector<std::string_view> lines(std::string_view text) {
  return split(text, "\n");
}
std::vector<std::string_view> words(std::string_view text) {
  return split(text, " \t\n");
}

std::string_view base_name(std::string_view path) noexcept {
  const auto slash = path.rfind('/');
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

std::optional<std::int64_t> to_integer(std::string_view text) noexcept {
  text = trim(text);
  int base = 10;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    base = 16;
    text.remove_prefix(2);
  }
  std::int64_t value = 0;
  const auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (text.empty() || problem != std::errc() || end != text.data() + text.size()) {
    return std::nullopt;
  }
  return value;
}

bool all_digits(std::string_view text) noexcept {
  return !text.empty() &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string plain_wwid(std::string_view wwid) {
  wwid = trim(wwid);
  const bool hex = wwid.starts_with("naa.") || wwid.starts_with("0x");
  if (!hex) return std::string(wwid);
  std::string out(wwid.substr(wwid.starts_with("0x") ? 2 : 4));
  for (char& c : out) {
    if (c >= 'a' && c <= 'f') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::optional<std::string> text(const FileTree& files, std::string_view path) {
  const auto content = files.read(path);
  if (!content) return std::nullopt;
  const auto trimmed = trim(*content);
  if (trimmed.empty()) return std::nullopt;
  return std::string(trimmed);
}

std::optional<std::int64_t> integer(const FileTree& files, std::string_view path) {
  const auto content = files.read(path);
  return content ? to_integer(*content) : std::nullopt;
}

std::vector<std::byte> bytes(const FileTree& files, std::string_view path) {
  const auto content = files.read(path);
  if (!content) return {};
  std::vector<std::byte> out(content->size());
  std::transform(content->begin(), content->end(), out.begin(),
                 [](char c) { return static_cast<std::byte>(c); });
  return out;
}

std::vector<std::string> names(const FileTree& files, std::string_view folder) {
  return files.list(folder).value_or(std::vector<std::string>{});
}

void found_none(FactSet& set, const Host& host, std::string detail) {
  const bool blind = shows_no_devices(host);
  set.status = blind ? SourceStatus::skipped : SourceStatus::absent;
  set.detail = blind ? std::string(no_devices_shown) : std::move(detail);
}

bool shows_no_devices(const Host& host) {
  const auto missing = [&](std::string_view kind) {
    const auto found = host.devices.enumerate(kind);
    return !found && found.error().code == Errc::not_found;
  };
  return missing("pci") && missing("block");
}

}  // namespace raidscope::sysfs
