#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "workloads/derived.h"
#include "workloads/quantities.h"
#include "workloads/syntax.h"
#include "workloads/syntaxes/support/sayable.h"
#include "workloads/syntaxes/support/script.h"

// diskspd 2.2: options are case-sensitive and glued to their values; everything else is a target.
namespace raidscope {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62U;
constexpr std::uint64_t longest_s = 30 * 86400;

struct Line {
  std::uint64_t block = 64 * kib;
  std::uint64_t depth = 2;
  std::optional<std::uint64_t> depth_per_thread;  // -O
  std::uint64_t threads_per_target = 1;
  std::optional<std::uint64_t> threads_in_all;  // -F
  int write_percent = 0;
  bool random = false;
  std::optional<int> random_percent;
  std::uint64_t alignment = 0;
  std::vector<HotSpot> hot_spots;
  bool interlocked = false;
  std::uint64_t stride = 0;
  std::uint64_t thread_offset = 0;
  std::uint64_t base = 0;
  std::uint64_t length = 0;
  std::uint64_t end = 0;  // -f or -c
  std::uint64_t seconds = 10;
  std::uint64_t warm_up = 5;
  std::uint64_t cool_down = 0;
  bool duration_given = false;
  bool warm_up_given = false;
  bool unbuffered = false;
  bool write_through = false;
  std::optional<double> rate_iops;      // per thread and target
  std::optional<double> rate_bytes_ms;  // the same
  std::uint64_t burst = 0;
  double pause_ms = 0;
  bool random_data = false;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> targets;
  std::vector<std::string> notes;
};

class LineParser {
 public:
  explicit LineParser(const ToolCall& call) : call_(call) {}

  Result<Line> parse() {
    // -b first: sizes in blocks depend on it wherever it stands.
    for (const std::string& word : call_.words) {
      word_ = word;
      if (word.starts_with("-b")) RAIDSCOPE_CHECK(block_size(std::string_view(word).substr(2)));
    }
    for (const std::string& word : call_.words) {
      word_ = word;
      if (!word.starts_with("-")) {
        index_in(line_.targets, word);
      } else if (word.size() < 2) {
        return expected("an option");
      } else {
        RAIDSCOPE_CHECK(take(word[1], std::string_view(word).substr(2)));
      }
    }
    if (line_.threads_in_all && threads_given_)
      return fail(Errc::malformed, "-t and -F exclude each other", where());
    if (line_.depth_per_thread && !line_.threads_in_all)
      return fail(Errc::malformed, "-O goes with -F", where(), "give -F and the number of threads");
    if (line_.random && sequential_given_)
      return fail(Errc::malformed, "-r and -s exclude each other", where());
    return std::move(line_);
  }

 private:
  [[nodiscard]] std::string where() const { return fmt::format("line {}", call_.line); }

  [[nodiscard]] tl::unexpected<Error> expected(std::string_view what) const {
    return fail(Errc::malformed, fmt::format("{}: expected {}", word_, what), where(),
                "diskspd's options are glued to their values, as in -b64K");
  }

  [[nodiscard]] tl::unexpected<Error> cannot_keep(std::string_view what,
                                                  std::string_view hint = {}) const {
    return fail(Errc::malformed, fmt::format("{}: {} cannot be kept", word_, what), where(),
                std::string(hint));
  }

  Status count(std::string_view value, std::uint64_t least, std::uint64_t most,
               std::uint64_t& out) const {
    const auto number = to_count(value, most);
    if (!number || *number < least)
      return expected(fmt::format("a number from {} to {} right behind it", least, most));
    out = *number;
    return Done{};
  }

  /// "64K", "1M", "2G", "1T", "3b" in blocks, or bytes.
  [[nodiscard]] std::optional<std::uint64_t> size_of(std::string_view value) const {
    std::uint64_t unit = 1;
    if (!value.empty() && !text::is_digit(value.back())) {
      switch (text::to_lower(value.back())) {
        case 'b':
          unit = line_.block;
          break;
        case 'k':
          unit = kib;
          break;
        case 'm':
          unit = kib * kib;
          break;
        case 'g':
          unit = kib * kib * kib;
          break;
        case 't':
          unit = kib * kib * kib * kib;
          break;
        default:
          return std::nullopt;
      }
      value.remove_suffix(1);
    }
    const auto number = to_count(value, most_bytes / unit);
    if (!number) return std::nullopt;
    return *number * unit;
  }

  Status size(std::string_view value, std::uint64_t& out) const {
    const auto bytes = size_of(value);
    if (!bytes) return expected("a size, as 64K, 1M, 2G or 8b (blocks)");
    out = *bytes;
    return Done{};
  }

  Status block_size(std::string_view value) {
    RAIDSCOPE_CHECK(size(value, line_.block));
    if (line_.block == 0 || line_.block > largest_block)
      return expected("a size above 0 and of at most 1G");
    return Done{};
  }

  Status take(char option, std::string_view value) {
    switch (option) {
      case 'b':
        return Done{};
      case 'o':
        return count(value, 1, 16384, line_.depth);
      case 'O': {
        std::uint64_t depth = 0;
        RAIDSCOPE_CHECK(count(value, 1, 16384, depth));
        line_.depth_per_thread = depth;
        return Done{};
      }
      case 't':
        threads_given_ = true;
        return count(value, 1, 1024, line_.threads_per_target);
      case 'F': {
        std::uint64_t threads = 0;
        RAIDSCOPE_CHECK(count(value, 1, 1024, threads));
        line_.threads_in_all = threads;
        return Done{};
      }
      case 'w': {
        std::uint64_t percent = 0;  // -w alone writes nothing
        if (!value.empty()) RAIDSCOPE_CHECK(count(value, 0, 100, percent));
        line_.write_percent = static_cast<int>(percent);
        return Done{};
      }
      case 'r':
        return random(value);
      case 's':
        sequential_given_ = true;
        if (value.starts_with("i")) {
          line_.interlocked = true;
          value.remove_prefix(1);
        }
        return value.empty() ? Status(Done{}) : size(value, line_.stride);
      case 'T':
        return size(value, line_.thread_offset);
      case 'p':
        if (!value.empty()) break;
        return cannot_keep("-p (requests in parallel on the same offset)");
      case 'B':
        return base(value);
      case 'f':
        return file_size(value);
      case 'c':
        line_.notes.push_back(
            fmt::format("{} makes the file in diskspd; here `raidscope testfile create` or "
                        "`profile` does, with "
                        "incompressible data",
                        word_));
        return size(value, line_.end);
      case 'd':
        line_.duration_given = true;
        return count(value, 1, longest_s, line_.seconds);
      case 'W':
        line_.warm_up_given = true;
        return count(value, 0, longest_s, line_.warm_up);
      case 'C':
        return count(value, 0, longest_s, line_.cool_down);
      case 'S':
        return caching(value);
      case 'h':
        if (!value.empty()) break;
        return caching("h");
      case 'g':
        return rate(value);
      case 'i':
        return count(value, 1, 1'000'000'000, line_.burst);
      case 'j': {
        std::uint64_t ms = 0;
        RAIDSCOPE_CHECK(count(value, 1, 1'000'000'000, ms));
        line_.pause_ms = static_cast<double>(ms);
        return Done{};
      }
      case 'Z':
        line_.random_data = value == "r";
        if (!line_.random_data && value != "" && value.find(',') != std::string_view::npos)
          line_.notes.push_back(fmt::format("{}: the data written are raidscope's own", word_));
        return Done{};
      case 'z': {
        std::uint64_t seed = 0;
        if (value.empty()) {
          line_.notes.emplace_back("-z takes a seed from the clock; here --seed sets it");
          return Done{};
        }
        RAIDSCOPE_CHECK(count(value, 0, most_bytes, seed));
        line_.seed = seed;
        return Done{};
      }
      case 'X':
        return cannot_keep("a profile file", "give its options as a line");
      case 'y':
        return cannot_keep("an event that starts or stops several programs",
                           "--instances starts several at the same time");
      case 'N':
        return cannot_keep("flushing of mapped memory");
      case 'n':
      case 'a':
        line_.notes.push_back(
            fmt::format("{} places threads on processors; here the scheduler does", word_));
        return Done{};
      case 'I':
      case 'l':
      case 'x':
        line_.notes.push_back(fmt::format(
            "{} is about how Windows does the I/O (priority, pages, completion): not kept", word_));
        return Done{};
      case 'L':
      case 'D':
      case 'R':
      case 'v':
      case 'P':
      case 'e':
      case 'q':
        return Done{};  // what is shown: latency and series are always measured
      default:
        break;
    }
    return fail(Errc::malformed, fmt::format("diskspd has no option {}", word_), where(),
                "options are case-sensitive: -b -o -t -F -O -w -r -s -T -B -f -c -d -W -C -S -g -i "
                "-j -Z -z are known");
  }

  Status random(std::string_view value) {
    line_.random = true;
    if (value.starts_with("s")) {
      std::uint64_t percent = 0;
      RAIDSCOPE_CHECK(count(value.substr(1), 0, 100, percent));
      line_.random_percent = static_cast<int>(percent);
      return Done{};
    }
    if (value.starts_with("dpct")) return hot_spots(value.substr(4));
    if (value.starts_with("d"))
      return cannot_keep("a spread over absolute sizes", "give -rdpct with percentages");
    return value.empty() ? Status(Done{}) : size(value, line_.alignment);
  }

  /// IO%/target%:IO%/target%…; what is left falls on the rest.
  Status hot_spots(std::string_view value) {
    double accesses = 100;
    double area = 100;
    while (!value.empty()) {
      const std::size_t end = std::min(value.find(':'), value.size());
      const std::string_view part = value.substr(0, end);
      value.remove_prefix(std::min(end + 1, value.size()));
      const std::size_t slash = std::min(part.find('/'), part.size());
      const auto access = to_count(part.substr(0, slash), 100);
      const auto size = to_count(part.substr(std::min(slash + 1, part.size())), 100);
      if (!access || !size) return expected("IO%/target%, as in -rdpct90/10:5/5");
      line_.hot_spots.push_back({static_cast<double>(*access), static_cast<double>(*size)});
      accesses -= static_cast<double>(*access);
      area -= static_cast<double>(*size);
    }
    if (line_.hot_spots.empty() || accesses < 0 || area < 0)
      return expected("IO%/target% pairs that sum to 100 at most");
    if (accesses > 0 || area > 0) line_.hot_spots.push_back({accesses, area});
    return Done{};
  }

  Status base(std::string_view value) {
    const std::size_t colon = std::min(value.find(':'), value.size());
    RAIDSCOPE_CHECK(size(value.substr(0, colon), line_.base));
    if (colon == value.size()) return Done{};
    return size(value.substr(colon + 1), line_.length);
  }

  Status file_size(std::string_view value) {
    const bool hint = !value.empty() && std::all_of(value.begin(), value.end(), [](char c) {
      return c == 'r' || c == 's' || c == 't';
    });
    if (!hint) return size(value, line_.end);
    line_.notes.push_back(
        fmt::format("{} is a hint to the file cache of Windows: not kept", word_));
    return Done{};
  }

  Status caching(std::string_view value) {
    if (value.empty()) value = "u";
    for (const char c : value) {
      if (c == 'u' || c == 'h') line_.unbuffered = true;
      if (c == 'w' || c == 'h') line_.write_through = true;
      if (c == 'm') return cannot_keep("mapped memory I/O");
      if (c == 'r') line_.notes.push_back("-Sr turns the cache of a network mount off: not kept");
      if (!text::contains("uhwbr", std::string_view(&c, 1)))
        return expected("-Sb, -Su, -Sw, -Sh or -Suw");
    }
    return Done{};
  }

  Status rate(std::string_view value) {
    const bool iops = value.ends_with("i");
    if (iops) value.remove_suffix(1);
    std::uint64_t number = 0;
    RAIDSCOPE_CHECK(count(value, 1, 1'000'000'000'000, number));
    (iops ? line_.rate_iops : line_.rate_bytes_ms) = static_cast<double>(number);
    return Done{};
  }

  const ToolCall& call_;
  std::string word_;
  Line line_;
  bool threads_given_ = false;
  bool sequential_given_ = false;
};

void set_workers(const Line& line, Workload& w) {
  w.workers = static_cast<std::uint32_t>(line.threads_in_all.value_or(line.threads_per_target));
  w.queue_depth_per_worker = static_cast<std::uint32_t>(line.depth_per_thread.value_or(line.depth));
  w.depth_over_targets = line.depth_per_thread.has_value() && w.targets.size() > 1;
  if (line.threads_in_all || w.targets.size() < 2) return;
  // -t: threads of each target's own.
  for (std::uint32_t i = 0; i < w.targets.size(); ++i)
    w.groups.push_back({w.workers, w.queue_depth_per_worker, {i}});
}

/// Threads × targets that -g and -i -j count for.
double streams(const Workload& w) {
  double sum = 0;
  for (const WorkerGroup& group : w.groups)
    sum += static_cast<double>(group.workers) * static_cast<double>(group.targets.size());
  if (!w.groups.empty()) return sum;
  return static_cast<double>(w.workers) *
         static_cast<double>(std::max<std::size_t>(w.targets.size(), 1));
}

void add_traps(const Line& line, Workload& w) {
  const auto warn = [&w](std::string text) { add_once(w.warnings, std::move(text)); };
  if (!w.direct) {
    warn(
        "without -Su or -Sh diskspd goes through the file cache: it measures memory as much as "
        "storage");
  }
  if (!line.duration_given || !line.warm_up_given) {
    warn(fmt::format("diskspd's own times where the line gives none: {} s measured after {} s",
                     line.seconds, line.warm_up));
  }
  if (outstanding(w) > 1) {
    warn(fmt::format("-o ({}) is for each thread and target: {}", w.queue_depth_per_worker,
                     outstanding_words(w)));
  }
  if (w.cursor == SequentialCursor::own && w.worker_offset_bytes == 0 &&
      w.pattern == Pattern::sequential) {
    warn(
        "every thread begins at the same place and reads the same blocks, which a cache answers: "
        "-si shares one cursor, -T sets them apart");
  }
  if (w.read_percent < 100 && !line.random_data) {
    warn(
        "without -Zr diskspd writes a repeating pattern, which some devices shrink; this run "
        "writes incompressible data");
  }
  if (w.read_percent < 100 && w.direct && w.sync == Sync::write_through) {
    warn(
        "-Sh is direct and write-through (O_DIRECT and O_DSYNC); a controller with a protected "
        "write cache generally ignores write-through and answers from it");
  }
  if (w.arrivals != Arrivals::closed) {
    warn(
        "diskspd's rate waits for answers; here requests start at times that do not, and latency "
        "counts from then");
  }
  for (const std::string& note : line.notes) warn(note);
}

Result<Workload> workload_of(const ToolCall& call) {
  RAIDSCOPE_TRY(const Line line, LineParser(call).parse());
  Workload w;
  w.source = call.text;
  w.targets = line.targets;
  w.block_bytes = {line.block};
  w.read_percent = 100 - line.write_percent;
  w.pattern = line.random ? Pattern::random : Pattern::sequential;
  if (line.random_percent) w.random_percent = *line.random_percent;
  w.alignment_bytes = line.alignment;
  if (!line.hot_spots.empty()) {
    w.spread = Spread::hot_spots;
    w.hot_spots = line.hot_spots;
  }
  w.cursor = line.interlocked ? SequentialCursor::shared : SequentialCursor::own;
  w.stride_bytes = line.stride;
  w.worker_offset_bytes = line.thread_offset;
  w.base_bytes = line.base;
  w.area_bytes = line.length != 0 ? line.length : line.end > line.base ? line.end - line.base : 0;
  if (line.end != 0 && line.end <= line.base) {
    return fail(Errc::malformed, "-B begins behind the end that -f or -c sets",
                fmt::format("line {}", call.line));
  }
  w.duration_s = static_cast<double>(line.seconds);
  w.ramp_s = static_cast<double>(line.warm_up);
  w.cooldown_s = static_cast<double>(line.cool_down);
  w.direct = line.unbuffered;
  w.sync = line.write_through ? Sync::write_through : Sync::none;
  w.seed = line.seed.value_or(1);
  set_workers(line, w);
  if (line.rate_iops || line.rate_bytes_ms) {
    w.arrivals = Arrivals::regular;
    w.rate_iops = streams(w) * line.rate_iops.value_or(line.rate_bytes_ms.value_or(0) * 1000 /
                                                       static_cast<double>(line.block));
  }
  if (line.pause_ms > 0) {
    w.think_us = line.pause_ms * 1000;
    w.burst = static_cast<std::uint32_t>(std::max<std::uint64_t>(line.burst, 1));
  }
  w = canonical(std::move(w));
  add_traps(line, w);
  if (w.targets.empty()) w.warnings.emplace_back("the line names no target: give --target");
  return w;
}

Result<std::vector<Workload>> parse(std::string_view text, const NamedTexts& /*files*/) {
  RAIDSCOPE_TRY(const Script script, read_script(text, "diskspd"));
  std::vector<Workload> out;
  for (const ToolCall& call : script.calls) {
    RAIDSCOPE_TRY(Workload w, workload_of(call));
    RAIDSCOPE_CHECK(possible(w, fmt::format("line {}, {}", call.line, call.text)));
    out.push_back(std::move(w));
  }
  for (const std::string& note : script.notes) out.front().warnings.push_back(note);
  return out;
}

std::string size_word(std::uint64_t bytes) {
  std::string out = print_size(bytes);
  if (out.ends_with('P')) return fmt::format("{}T", bytes >> 40U);
  if (out.ends_with('k')) out.back() = 'K';
  return out;
}

std::string print_order(const Workload& w, Losses& losses) {
  std::string out;
  if (w.pattern == Pattern::random) {
    out = w.alignment_bytes != 0 ? fmt::format(" -r{}", size_word(w.alignment_bytes)) : " -r";
    if (w.random_percent >= 0) out += fmt::format(" -rs{}", w.random_percent);
    if (w.spread == Spread::hot_spots) {
      out += " -rdpct";
      double accesses = 0;
      double area = 0;
      for (std::size_t i = 0; i < w.hot_spots.size(); ++i) {
        const HotSpot& spot = w.hot_spots[i];
        out += fmt::format("{}{}/{}", i == 0 ? "" : ":", spot.access_percent, spot.area_percent);
        accesses += spot.access_percent;
        area += spot.area_percent;
        losses.add_if(spot.access_percent != std::floor(spot.access_percent) ||
                          spot.area_percent != std::floor(spot.area_percent),
                      "hot spots in parts of a percent");
      }
      losses.add_if(accesses != 100 || area != 100, "hot spots that do not sum to 100");
    }
    if (w.random_percent < 0) return out;
    losses.add_if(w.cursor == SequentialCursor::shared && w.workers > 1,
                  "one cursor for partly random workers");
    losses.add_if(w.stride_bytes != 0, "a stride of partly random requests");
  } else {
    out = w.cursor == SequentialCursor::shared ? " -si" : " -s";
    if (w.stride_bytes != 0) out += size_word(w.stride_bytes);
  }
  losses.add_if(w.cursor == SequentialCursor::per_worker, "a region for each worker");
  if (w.worker_offset_bytes != 0) out += fmt::format(" -T{}", size_word(w.worker_offset_bytes));
  return out;
}

/// -t or -F, and the depth.
std::string print_workers(const Workload& w, Losses& losses) {
  losses.add_if(w.workers == 0 || w.workers > 1024, fmt::format("{} threads", w.workers));
  losses.add_if(w.queue_depth_per_worker == 0 || w.queue_depth_per_worker > 16384,
                fmt::format("a depth of {}", w.queue_depth_per_worker));
  if (!w.groups.empty()) {
    bool each = w.groups.size() == w.targets.size();
    for (std::size_t i = 0; each && i < w.groups.size(); ++i) {
      each = w.groups[i] == WorkerGroup{w.groups[0].workers,
                                        w.groups[0].queue_depth,
                                        {static_cast<std::uint32_t>(i)}};
    }
    losses.add_if(!each, "groups of workers that differ");
    losses.add_if(w.depth_over_targets, "a depth over the targets of a group");
    return fmt::format(" -t{} -o{}", w.groups[0].workers, w.groups[0].queue_depth);
  }
  const bool over = w.depth_over_targets && w.targets.size() > 1;
  if (w.targets.size() < 2) return fmt::format(" -t{} -o{}", w.workers, w.queue_depth_per_worker);
  return fmt::format(" -F{} -{}{}", w.workers, over ? 'O' : 'o', w.queue_depth_per_worker);
}

bool whole_seconds(double s, double least) {
  return s >= least && s <= static_cast<double>(longest_s) && s == std::floor(s);
}

std::string print_line(const Workload& w, Losses& losses) {
  add_unsayable(w,
                {.read_write = true,
                 .random_share = true,
                 .alignment = true,
                 .ramp = true,
                 .cooldown = true,
                 .seed = true,
                 .area = true,
                 .base = true,
                 .open_rate = true,
                 .think = true,
                 .hot_spots = true},
                losses);
  if (w.block_bytes.empty()) return {};
  for (const auto& [seconds, least] :
       {std::pair{w.duration_s, 1.0}, std::pair{w.ramp_s, 0.0}, std::pair{w.cooldown_s, 0.0}}) {
    losses.add_if(!whole_seconds(seconds, least),
                  fmt::format("a time of {}", print_duration(seconds)));
  }
  losses.add_if(w.seed > most_bytes, fmt::format("the seed {}", w.seed));
  losses.add_if(w.block_bytes[0] == 0, "a block of 0 bytes");
  std::string out =
      fmt::format("diskspd -b{} -d{} -W{}", size_word(w.block_bytes[0]), w.duration_s, w.ramp_s);
  if (w.cooldown_s != 0) out += fmt::format(" -C{}", w.cooldown_s);
  out += print_workers(w, losses) + print_order(w, losses) +
         fmt::format(" -w{}", 100 - w.read_percent);
  if (w.base_bytes != 0) {
    out += fmt::format(" -B{}", size_word(w.base_bytes));
    if (w.area_bytes != 0) out += fmt::format(":{}", size_word(w.area_bytes));
  } else if (w.area_bytes != 0) {
    out += fmt::format(" -f{}", size_word(w.area_bytes));
  }
  if (w.arrivals == Arrivals::regular) {
    const double each = w.rate_iops / streams(w);
    const bool whole = each >= 1 && each == std::floor(each) && each * streams(w) == w.rate_iops;
    losses.add_if(!whole, fmt::format("{} requests a second over {} threads and targets",
                                      w.rate_iops, streams(w)));
    if (whole) out += fmt::format(" -g{}i", static_cast<std::uint64_t>(each));
  }
  if (w.think_us != 0) {
    const double ms = w.think_us / 1000;
    losses.add_if(ms != std::floor(ms) || ms > 1e9 || w.burst == 0 || ms * 1000 != w.think_us,
                  "think time in parts of a millisecond");
    out += fmt::format(" -i{} -j{}", w.burst, static_cast<std::uint64_t>(std::min(ms, 1e9)));
  }
  if (w.seed != 1) out += fmt::format(" -z{}", w.seed);
  if (w.direct) out += w.sync == Sync::write_through ? " -Sh" : " -Su";
  if (!w.direct && w.sync == Sync::write_through) out += " -Sw";
  if (w.read_percent < 100) out += " -Zr";
  for (const std::string& target : w.targets) {
    const auto word = windows_word(target);
    losses.add_if(!word, fmt::format("the target {}", target));
    // A bare # would begin a comment in PowerShell.
    if (word) out += " " + *word;
  }
  return out + "\n";
}

Printed print(std::span<const Workload> workloads) {
  Printed printed;
  for (const Workload& w : workloads) {
    Losses losses(w, "diskspd", printed.losses);
    printed.text += print_line(canonical(w), losses);
  }
  return printed;
}

}  // namespace

extern const Syntax syntax_diskspd;
const Syntax syntax_diskspd{
    .id = "diskspd",
    .summary = "diskspd 2.2: a line, or a batch or PowerShell script of lines",
    .parse = parse,
    .print = print,
};

}  // namespace raidscope
