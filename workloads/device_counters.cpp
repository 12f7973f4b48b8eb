#include "workloads/device_counters.h"

#include <algorithm>
#include <charconv>

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

}  // namespace raidscope
