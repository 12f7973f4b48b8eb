#include "workloads/device_counters.h"

#include <charconv>
#include <string>
#include <vector>

namespace raidscope {
namespace {

std::string_view next_word(std::string_view& text) {
  const std::size_t begin = text.find_first_not_of(" \t\n");
  if (begin == std::string_view::npos) {
    text = {};
    return {};
  }
  text.remove_prefix(begin);
  const std::size_t end = std::min(text.find_first_of(" \t\n"), text.size());
  const std::string_view word = text.substr(0, end);
  text.remove_prefix(end);
  return word;
}

std::string without_octal(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    unsigned code = 0;
    if (text[i] == '\\' && i + 3 < text.size() &&
        std::from_chars(text.data() + i + 1, text.data() + i + 4, code, 8).ptr ==
            text.data() + i + 4) {
      out += static_cast<char>(code);
      i += 3;
    } else {
      out += text[i];
    }
  }
  return out;
}

bool holds(std::string_view mount_point, std::string_view path) {
  if (mount_point == "/") return true;
  return path.starts_with(mount_point) &&
         (path.size() == mount_point.size() || path[mount_point.size()] == '/');
}

}  // namespace

DeviceCounters DeviceCounters::since(const DeviceCounters& b) const noexcept {
  return {reads - b.reads,
          reads_merged - b.reads_merged,
          sectors_read - b.sectors_read,
          read_ms - b.read_ms,
          writes - b.writes,
          writes_merged - b.writes_merged,
          sectors_written - b.sectors_written,
          write_ms - b.write_ms,
          in_flight,
          busy_ms - b.busy_ms,
          queue_ms - b.queue_ms};
}

std::optional<DeviceCounters> parse_device_counters(std::string_view text) {
  DeviceCounters c;
  for (std::uint64_t* field :
       {&c.reads, &c.reads_merged, &c.sectors_read, &c.read_ms, &c.writes, &c.writes_merged,
        &c.sectors_written, &c.write_ms, &c.in_flight, &c.busy_ms, &c.queue_ms}) {
    const std::string_view word = next_word(text);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), *field);
    if (word.empty() || error != std::errc() || end != word.data() + word.size()) {
      return std::nullopt;
    }
  }
  return c;
}

std::optional<Mount> find_mount(std::string_view mountinfo, std::string_view real_path) {
  std::optional<Mount> found;
  std::size_t longest = 0;
  while (!mountinfo.empty()) {
    const std::size_t end = std::min(mountinfo.find('\n'), mountinfo.size());
    std::string_view line = mountinfo.substr(0, end);
    mountinfo.remove_prefix(std::min(end + 1, mountinfo.size()));
    // 36 35 98:0 /root /mount/point options [optional fields] - type source super-options
    std::vector<std::string_view> words;
    for (std::string_view word = next_word(line); !word.empty(); word = next_word(line)) {
      words.push_back(word);
    }
    std::size_t dash = 6;
    while (dash < words.size() && words[dash] != "-") ++dash;
    if (dash + 2 >= words.size()) continue;
    const std::string mount_point = without_octal(words[4]);
    if (!holds(mount_point, real_path) || mount_point.size() < longest) continue;
    longest = mount_point.size();
    found = Mount{words[dash + 1], words[dash + 2]};
  }
  return found;
}

}  // namespace raidscope
