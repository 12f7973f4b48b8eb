#include "workloads/syntaxes/support/iometer_file.h"

#include <algorithm>
#include <initializer_list>
#include <optional>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "workloads/syntaxes/support/sayable.h"

namespace raidscope::iometer {
namespace {

constexpr std::size_t most_steps = 1000;

/// A line that begins with ' and the lines of data behind it.
struct Entry {
  std::size_t line = 0;
  std::string key;  // in small letters, without the '
  std::vector<std::string> data;
};

std::string lowered(std::string_view s) {
  std::string out(s);
  for (char& c : out) c = text::to_lower(c);
  return out;
}

/// Values stand between commas, white space or both.
std::vector<std::string> fields_of(std::string_view data) {
  std::vector<std::string> out;
  std::string current;
  for (const char c : data) {
    if (c == ',' || text::is_blank(c)) {
      if (!current.empty()) out.push_back(std::exchange(current, {}));
    } else {
      current += c;
    }
  }
  if (!current.empty()) out.push_back(std::move(current));
  return out;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  Result<std::vector<File>> read() {
    if (text_.starts_with("\xEF\xBB\xBF")) text_.remove_prefix(3);
    RAIDSCOPE_CHECK(split());
    for (const Entry& entry : entries_) {
      if (entry.key == "version") {
        RAIDSCOPE_CHECK(take_version(entry));
        continue;
      }
      if (files_.empty())
        return wrong(entry, "a Version line first", "it is an Iometer configuration");
      RAIDSCOPE_CHECK(take(entry));
    }
    if (files_.empty())
      return fail(Errc::malformed, "no Version line: this is no Iometer configuration", "line 1",
                  "save the test set-up in Iometer (.icf)");
    return std::move(files_);
  }

 private:
  static tl::unexpected<Error> wrong(const Entry& entry, std::string_view what,
                                     std::string_view hint = {}) {
    const std::string found =
        entry.data.empty() ? "" : fmt::format(", found \"{}\"", entry.data.front());
    return fail(Errc::malformed, fmt::format("expected {} behind '{}{}", what, entry.key, found),
                fmt::format("line {}", entry.line), std::string(hint));
  }

  Status split() {
    std::size_t number = 0;
    while (!text_.empty()) {
      const std::size_t end = std::min(text_.find('\n'), text_.size());
      std::string_view line = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++number;
      if (line.ends_with('\r')) line.remove_suffix(1);
      line = text::trim(line);
      if (line.empty()) continue;
      if (line.front() == '\'') {
        line.remove_prefix(1);
        // "'<tab>hours minutes seconds" only explains the data below it.
        if (line.empty() || text::is_blank(line.front())) continue;
        entries_.push_back({number, lowered(text::trim(line)), {}});
      } else if (text::iequals(line.substr(0, 8), "version ")) {
        entries_.push_back({number, "version", {std::string(text::trim(line.substr(8)))}});
      } else if (entries_.empty()) {
        return fail(Errc::malformed, "the text does not begin as an Iometer configuration",
                    fmt::format("line {}", number),
                    "the first line is \"Version 1.1.0\" or a date");
      } else {
        entries_.back().data.emplace_back(line);
      }
    }
    return Done{};
  }

  /// A configuration begins and ends with its version.
  Status take_version(const Entry& entry) {
    const std::string& version = entry.data.front();
    if (open_) {
      open_ = false;
      return Done{};
    }
    const auto year = text::leading_integer(version);
    if (!year || (*year > 1900 && version < "1998.05.21") || version == "3.26.97") {
      return fail(Errc::malformed,
                  fmt::format("version {} of the file is older than its named fields", version),
                  fmt::format("line {}", entry.line),
                  "open it in a newer Iometer and save it again");
    }
    files_.emplace_back();
    files_.back().version = version;
    open_ = true;
    return Done{};
  }

  Status take(const Entry& entry) {
    const std::string_view key = entry.key;
    if (key.starts_with("results display")) skipping_ = true;
    if (key.starts_with("end ")) {
      if (key.starts_with("end results display")) skipping_ = false;
      return Done{};
    }
    if (skipping_) return Done{};
    File& file = files_.back();
    if (key.starts_with("test setup") || key.starts_with("access specifications") ||
        key.starts_with("manager list") || key.starts_with("default disk workers") ||
        key.starts_with("default network workers") || key.starts_with("default workers") ||
        key.starts_with("record results") || key.starts_with("manager network address") ||
        key.starts_with("default target settings") || key.starts_with("target assignments"))
      return Done{};
    if (key.starts_with("test description")) {
      if (!entry.data.empty()) file.description = entry.data.front();
      return Done{};
    }
    if (key.starts_with("test type")) return word(entry, file.test_type);
    if (key.starts_with("run time")) return run_time(entry, file);
    if (key.starts_with("ramp up time")) return number(entry, 0, file.ramp_s);
    if (key.starts_with("worker cycling")) return cycle(entry, file.workers, false);
    if (key.starts_with("disk cycling")) return cycle(entry, file.targets, false);
    if (key.starts_with("queue depth cycling")) return cycle(entry, file.depths, true);
    if (key.starts_with("access specification name")) return spec_name(entry, file);
    if (key.starts_with("size,")) return spec_lines(entry, file);
    if (key.starts_with("manager id")) {
      const std::string data = entry.data.empty() ? "" : entry.data.front();
      const std::size_t comma = data.find(',');
      file.managers.push_back(
          {std::string(text::trim(comma == std::string::npos ? "" : data.substr(comma + 1))), {}});
      return Done{};
    }
    return take_worker(entry, file);
  }

  Status take_worker(const Entry& entry, File& file) {
    const std::string_view key = entry.key;
    if (key == "worker") {
      if (file.managers.empty()) return wrong(entry, "a manager before its workers");
      file.managers.back().workers.emplace_back();
      file.managers.back().workers.back().line = entry.line;
      if (!entry.data.empty()) file.managers.back().workers.back().name = entry.data.front();
      return Done{};
    }
    constexpr std::string_view known[] = {"worker type", "number of outstanding ios",
                                          "disk maximum size", "assigned access specs", "target"};
    if (std::none_of(std::begin(known), std::end(known),
                     [&](std::string_view k) { return key.starts_with(k); })) {
      return fail(Errc::malformed, fmt::format("'{} is not known", entry.key),
                  fmt::format("line {}", entry.line),
                  "it could change what the test does, so it is not passed over");
    }
    if (file.managers.empty() || file.managers.back().workers.empty())
      return wrong(entry, "a worker before its settings");
    Worker& worker = file.managers.back().workers.back();
    if (key == "worker type") {
      worker.disk = !entry.data.empty() && lowered(entry.data.front()).starts_with("disk");
      return Done{};
    }
    if (key.starts_with("number of outstanding ios")) return outstanding_of(entry, worker);
    if (key.starts_with("disk maximum size")) {
      RAIDSCOPE_CHECK(number(entry, 0, worker.sectors));
      RAIDSCOPE_CHECK(number(entry, 1, worker.first_sector));
      return fields(entry).size() > 2 ? number(entry, 2, worker.data_pattern) : Status(Done{});
    }
    if (key.starts_with("assigned access specs")) {
      for (const std::string& name : entry.data) worker.specs.push_back(name);
      return Done{};
    }
    if (key == "target") {
      if (entry.data.empty()) return wrong(entry, "the target's name");
      worker.targets.push_back(entry.data.front());
      return Done{};
    }
    if (key == "target type") {
      if (entry.data.empty() || !lowered(entry.data.front()).starts_with("disk")) {
        return fail(Errc::malformed, "network targets cannot be kept",
                    fmt::format("line {}", entry.line));
      }
      return Done{};
    }
    return fail(Errc::malformed, fmt::format("'{} is not known", entry.key),
                fmt::format("line {}", entry.line));
  }

  static std::vector<std::string> fields(const Entry& entry) {
    return entry.data.empty() ? std::vector<std::string>{} : fields_of(entry.data.front());
  }

  static Status number(const Entry& entry, std::size_t index, std::uint64_t& out) {
    const std::vector<std::string> all = fields(entry);
    const auto value =
        index < all.size() ? to_count(all[index], std::uint64_t{1} << 52U) : std::nullopt;
    if (!value) return wrong(entry, "whole numbers");
    out = *value;
    return Done{};
  }

  static Status word(const Entry& entry, std::string& out) {
    const std::vector<std::string> all = fields(entry);
    if (all.empty()) return wrong(entry, "a word");
    out = all.front();
    for (char& c : out) c = text::is_lower(c) ? static_cast<char>(c - 32) : c;
    return Done{};
  }

  static Status run_time(const Entry& entry, File& file) {
    std::uint64_t hours = 0;
    std::uint64_t minutes = 0;
    std::uint64_t seconds = 0;
    RAIDSCOPE_CHECK(number(entry, 0, hours));
    RAIDSCOPE_CHECK(number(entry, 1, minutes));
    RAIDSCOPE_CHECK(number(entry, 2, seconds));
    if (hours > 100'000 || minutes > 10'000'000 || seconds > 1'000'000'000)
      return wrong(entry, "hours, minutes and seconds");
    file.run_s = hours * 3600 + minutes * 60 + seconds;
    return Done{};
  }

  static Status cycle(const Entry& entry, Cycle& out, bool with_end) {
    const std::size_t shift = with_end ? 1 : 0;
    RAIDSCOPE_CHECK(number(entry, 0, out.first));
    if (with_end) RAIDSCOPE_CHECK(number(entry, 1, out.last));
    RAIDSCOPE_CHECK(number(entry, 1 + shift, out.step));
    const std::vector<std::string> all = fields(entry);
    out.line = entry.line;
    const std::string type = all.size() > 2 + shift ? lowered(all[2 + shift]) : "linear";
    if (type != "linear" && type != "exponential") return wrong(entry, "LINEAR or EXPONENTIAL");
    out.exponential = type == "exponential";
    return Done{};
  }

  static Status spec_name(const Entry& entry, File& file) {
    if (entry.data.empty()) return wrong(entry, "a name and a default assignment");
    const std::string& data = entry.data.front();
    const std::size_t comma = data.rfind(',');
    AccessSpec spec;
    spec.line = entry.line;
    spec.name = text::trim(std::string_view(data).substr(0, comma));
    if (comma != std::string::npos)
      spec.assignment = lowered(text::trim(std::string_view(data).substr(comma + 1)));
    file.specs.push_back(std::move(spec));
    return Done{};
  }

  static Status spec_lines(const Entry& entry, File& file) {
    if (file.specs.empty()) return wrong(entry, "a name before the lines");
    for (const std::string& data : entry.data) {
      const std::vector<std::string> all = fields_of(data);
      std::uint64_t values[8] = {0, 0, 0, 0, 0, 1, 0, 0};
      bool good = all.size() >= 6 && all.size() <= 8;
      for (std::size_t i = 0; good && i < all.size(); ++i) {
        const auto value = to_count(all[i], std::uint64_t{1} << 40U);
        good = value.has_value();
        if (good) values[i] = *value;
      }
      const bool shares = values[1] <= 100 && values[2] <= 100 && values[3] <= 100;
      if (!good || !shares || values[0] > largest_block) {
        return fail(Errc::malformed,
                    fmt::format("expected {} behind '{}, found \"{}\"",
                                !good || !shares ? "eight numbers and percentages to 100"
                                                 : "a size of at most 1073741824 bytes",
                                entry.key, data),
                    fmt::format("line {}", entry.line));
      }
      file.specs.back().lines.push_back(
          {values[0], values[1], values[2], values[3], values[4], values[5], values[6], values[7]});
    }
    return Done{};
  }

  static bool is_depth(std::uint64_t depth) { return depth >= 1 && depth <= 16384; }

  static Status outstanding_of(const Entry& entry, Worker& worker) {
    RAIDSCOPE_CHECK(number(entry, 0, worker.outstanding));
    if (!is_depth(worker.outstanding)) return wrong(entry, "1 to 16384 outstanding requests");
    const std::vector<std::string> all = fields(entry);
    const auto enabled = [&](std::size_t i) {
      return i < all.size() && text::iequals(all[i], "enabled");
    };
    worker.connection_rate = enabled(1);
    worker.fixed_seed = enabled(3);
    if (worker.fixed_seed) return number(entry, 4, worker.seed);
    return Done{};
  }

  std::string_view text_;
  std::vector<Entry> entries_;
  std::vector<File> files_;
  bool open_ = false;
  bool skipping_ = false;
};

}  // namespace

std::vector<std::uint64_t> Cycle::values(std::uint64_t upto) const {
  std::vector<std::uint64_t> out;
  std::uint64_t value = std::max<std::uint64_t>(first, 1);
  while ((value <= upto && out.size() < most_steps) || out.empty()) {
    out.push_back(std::min(value, std::max<std::uint64_t>(upto, 1)));
    const std::uint64_t next = exponential ? (step > 1 && value <= upto / step ? value * step : 0)
                                           : (step > 0 ? value + step : 0);
    if (next <= value) break;
    value = next;
  }
  return out;
}

Result<std::vector<File>> read_files(std::string_view text) {
  return Reader(text).read();
}

}  // namespace raidscope::iometer
