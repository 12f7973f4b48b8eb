#include <algorithm>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "workloads/derived.h"
#include "workloads/quantities.h"
#include "workloads/syntax.h"
#include "workloads/syntaxes/support/sayable.h"
#include "workloads/syntaxes/support/script.h"

// SQLIO v1.5 as its readme of 1999 has it: options are glued to their values, everything else is a
// file, and -kR -t1 -s30 -f64 -b2 -i64 -BN testfile.dat is what it does when it is told nothing.
namespace raidscope {
namespace {

constexpr std::uint64_t kib = 1024;
constexpr std::uint64_t mib = 1024 * kib;
constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62U;

struct Line {
  bool reads = true;
  std::uint64_t threads = 1;
  bool threads_given = false;
  std::uint64_t seconds = 30;
  std::optional<std::uint64_t> depth;
  std::uint64_t block_kib = 2;
  enum class Order { random, sequential, stride } order = Order::stride;
  bool order_given = false;
  std::uint64_t stride_blocks = 64;
  std::uint64_t run_length = 64;
  bool run_length_given = false;
  std::uint64_t first_block = 0;
  char buffering = 'N';
  bool latency = false;
  std::string drives;      // of -d
  std::string parameters;  // of -F
  std::vector<std::string> files;
  std::vector<std::string> notes;
};

class LineParser {
 public:
  explicit LineParser(const ToolCall& call) : call_(call) {}

  Result<Line> parse() {
    for (const std::string& word : call_.words) {
      if (!word.starts_with("-")) {
        line_.files.push_back(word);
        continue;
      }
      word_ = word;
      RAIDSCOPE_CHECK(take(word.size() > 1 ? word[1] : '\0', word.size() > 1
                                                                 ? std::string_view(word).substr(2)
                                                                 : std::string_view()));
    }
    return std::move(line_);
  }

 private:
  [[nodiscard]] tl::unexpected<Error> expected(std::string_view what) const {
    return fail(Errc::malformed, fmt::format("{}: expected {}", word_, what),
                fmt::format("line {}", call_.line),
                "SQLIO's options are glued to their values, as in -b64");
  }

  Status count(std::string_view value, std::uint64_t least, std::uint64_t most,
               std::uint64_t& out) const {
    const auto number = to_count(value, most);
    if (!number || *number < least)
      return expected(fmt::format("a number from {} to {} right behind it", least, most));
    out = *number;
    return Done{};
  }

  Status take(char option, std::string_view value) {
    switch (option) {
      case 'k':
        if (text::iequals(value, "R") || text::iequals(value, "W")) {
          const bool reads = text::iequals(value, "R");
          if (kind_given_ && reads != line_.reads)
            return expected("one of -kR and -kW: SQLIO reads or writes, and not both in one line");
          kind_given_ = true;
          line_.reads = reads;
          return Done{};
        }
        return expected("-kR or -kW");
      case 't':
        line_.threads_given = true;
        return count(value, 1, 256, line_.threads);
      case 's':
        return count(value, 1, 30 * 86400, line_.seconds);
      case 'o': {
        line_.depth = 0;
        return count(value, 1, 16384, *line_.depth);
      }
      case 'b':
        return count(value, 1, mib, line_.block_kib);
      case 'f':
        return order(value);
      case 'i':
        line_.run_length_given = true;
        return count(value, 1, mib, line_.run_length);
      case 'S':
        return count(value, 0, most_bytes / (4 * mib) / kib, line_.first_block);
      case 'm':
        if (value.empty() || (text::to_lower(value[0]) != 'c' && text::to_lower(value[0]) != 's'))
          return expected("-mC or -mS and a number of buffers");
        note("copies or gathers several buffers in SQLIO; here every request has one buffer");
        return Done{};
      case 'L':
        line_.latency = true;
        return Done{};
      case 'B':
        if (value.size() == 1 && text::contains("NYHSnyhs", value)) {
          constexpr std::string_view letters = "NYHS";
          line_.buffering = letters[std::string_view("nyhs").find(text::to_lower(value[0]))];
          return Done{};
        }
        return expected("-BN, -BY, -BH or -BS");
      case 'd':
        if (value.empty() || !std::all_of(value.begin(), value.end(), text::is_alpha))
          return expected("drive letters");
        line_.drives = value;
        return Done{};
      case 'R':
        return raw(value);
      case 'F':
        if (value.empty()) return expected("the name of a parameter file");
        line_.parameters = value;
        return Done{};
      case 'p':
      case 'a':
        note("ties threads to processors in SQLIO; here the scheduler places them");
        return Done{};
      case 'v':
      case 'D':
      case '6':
      case 'U':  // the processor time is always measured
        return Done{};
      default:
        return fail(Errc::malformed, fmt::format("SQLIO has no option {}", word_),
                    fmt::format("line {}", call_.line),
                    "-k -t -s -o -b -f -i -S -m -L -U -B -d -R -p -a -F are known");
    }
  }

  Status order(std::string_view value) {
    line_.order_given = true;
    if (text::iequals(value, "random")) {
      line_.order = Line::Order::random;
    } else if (text::iequals(value, "sequential")) {
      line_.order = Line::Order::sequential;
    } else {
      line_.order = Line::Order::stride;
      if (!count(value, 1, mib, line_.stride_blocks))
        return expected("-frandom, -fsequential or a stride in blocks");
    }
    return Done{};
  }

  Status raw(std::string_view value) {
    while (!value.empty()) {
      const std::size_t comma = std::min(value.find(','), value.size());
      const std::string_view drive = value.substr(0, comma);
      if (drive.size() != 1 && !to_count(drive)) return expected("drive letters and disk numbers");
      line_.files.push_back(std::string(drive) + ":");
      value.remove_prefix(std::min(comma + 1, value.size()));
    }
    return line_.files.empty() ? expected("drive letters and disk numbers") : Status(Done{});
  }

  void note(std::string_view what) { line_.notes.push_back(fmt::format("{} {}", word_, what)); }

  const ToolCall& call_;
  std::string word_;
  Line line_;
  bool kind_given_ = false;
};

/// Lines "<file> <threads> [<mask> [<size MB>]]" of a parameter file.
Status read_parameters(const Line& line, std::string_view content, Workload& w) {
  std::optional<std::uint64_t> megabytes;
  std::size_t number = 0;
  while (!content.empty()) {
    const std::size_t end = std::min(content.find('\n'), content.size());
    std::string_view row = content.substr(0, end);
    content.remove_prefix(std::min(end + 1, content.size()));
    ++number;
    if (row.ends_with('\r')) row.remove_suffix(1);
    row = text::trim(row);
    if (row.empty() || row.front() == '#') continue;
    const auto wrong = [&](std::string_view what) {
      return fail(Errc::malformed, fmt::format("expected {}, found \"{}\"", what, row),
                  fmt::format("{}, line {}", line.parameters, number),
                  "a line is a file, its threads, an affinity mask and a size in MB");
    };
    std::string name;
    if (row.front() == '"') {
      const std::size_t quote = row.find('"', 1);
      if (quote == std::string_view::npos) return wrong("a closing quote");
      name = row.substr(1, quote - 1);
      row.remove_prefix(quote + 1);
    } else {
      name = text::take_word(row);
    }
    const auto threads = to_count(text::take_word(row), 256);
    const std::string_view mask = text::take_word(row);
    const std::string_view size = text::take_word(row);
    if (!threads || *threads == 0) return wrong("1 to 256 threads behind the file's name");
    if (!mask.empty() && mask != "0" && mask != "0x0") {
      add_once(w.warnings,
               "affinity masks tie threads to processors in SQLIO; here the scheduler "
               "places them");
    }
    if (!size.empty() && line.order != Line::Order::stride) {
      const auto mb = to_count(size, most_bytes / mib);
      if (!mb) return wrong("a size in MB");
      if (megabytes && *megabytes != *mb) {
        return fail(Errc::malformed,
                    "files of different sizes in one parameter file cannot be kept",
                    fmt::format("{}, line {}", line.parameters, number),
                    "give the same size to all, or run the files one after the other");
      }
      megabytes = *mb;
    }
    WorkerGroup group;
    group.workers = static_cast<std::uint32_t>(*threads);
    group.queue_depth = static_cast<std::uint32_t>(line.depth.value_or(1));
    group.targets = {index_in(w.targets, name)};
    w.groups.push_back(std::move(group));
  }
  if (w.groups.empty())
    return fail(Errc::malformed, "the parameter file names no test file", line.parameters);
  w.area_bytes = megabytes.value_or(0) * mib;
  return Done{};
}

std::string default_stride_words(const Line& line) {
  return fmt::format(
      "no -frandom or -fsequential: SQLIO's default is a stride of {} blocks, which goes over {} "
      "only",
      line.stride_blocks,
      size_with_unit(line.run_length * line.stride_blocks * line.block_kib * kib));
}

void set_order(const Line& line, Workload& w) {
  const std::uint64_t block = line.block_kib * kib;
  if (line.order == Line::Order::random) {
    w.pattern = Pattern::random;
    return;
  }
  w.pattern = Pattern::sequential;
  w.cursor = SequentialCursor::shared;
  if (line.order == Line::Order::sequential || line.stride_blocks == 1) return;
  // Threads split the strip: thread t of T begins at block t·N/T of it.
  w.stride_bytes = line.stride_blocks * block;
  w.area_bytes = line.run_length * w.stride_bytes;
  w.cursor = SequentialCursor::own;
  w.worker_offset_bytes = line.stride_blocks / line.threads * block;
}

void add_traps(const Line& line, Workload& w) {
  const auto warn = [&w](std::string text) { add_once(w.warnings, std::move(text)); };
  if (!line.order_given) warn(default_stride_words(line));
  if (line.run_length_given && line.order != Line::Order::stride)
    warn("-i goes with a stride: it has no effect here");
  warn(
      fmt::format("SQLIO has no ramp-up: the cold start lies inside the {} s; --ramp leaves it out",
                  line.seconds));
  if (!line.depth && w.targets.size() > 1) {
    warn(
        "no -o: each thread has one request outstanding and goes round its files; -o1 would be one "
        "for each file");
  } else if (outstanding(w) > 1) {
    warn(fmt::format("-o is for each thread and file: {}", outstanding_words(w)));
  }
  if (w.pattern == Pattern::sequential && w.stride_bytes == 0 && w.workers > 1) {
    warn(
        fmt::format("{} threads share one cursor for each file, as SQLIO's readme words it "
                    "(\"previous I/O on that file\"); SQLIO's source is closed",
                    w.workers));
  }
  if (!line.reads) {
    warn(
        "SQLIO writes zeros, and files that it makes are zeros, which some devices shrink or skip; "
        "this run writes incompressible data");
  }
  if (line.buffering == 'N') {
    warn(line.reads ? "-BN is direct I/O (O_DIRECT); its write-through matters for writes only"
                    : "-BN is direct and write-through (O_DIRECT and O_DSYNC); a controller with a "
                      "protected write cache generally ignores write-through and answers from it");
  } else if (line.buffering != 'H') {
    warn(fmt::format("-B{} goes through the page cache: it measures memory as much as storage",
                     line.buffering));
  }
  if (line.latency)
    warn("SQLIO's average latency is truncated to whole ms, about 1 ms too low: compare IOPS");
  for (const std::string& note : line.notes) warn(note);
}

Result<Workload> workload_of(const ToolCall& call, const NamedTexts& files,
                             const std::map<std::string, std::string>& echoed) {
  RAIDSCOPE_TRY(Line line, LineParser(call).parse());
  const auto wrong = [&](std::string message, std::string hint = {}) {
    return fail(Errc::malformed, std::move(message), fmt::format("line {}", call.line),
                std::move(hint));
  };
  Workload w;
  w.source = call.text;
  w.block_bytes = {line.block_kib * kib};
  w.read_percent = line.reads ? 100 : 0;
  w.duration_s = static_cast<double>(line.seconds);
  w.base_bytes = line.first_block * line.block_kib * kib;
  w.direct = line.buffering == 'N' || line.buffering == 'H';
  w.sync = !line.reads && (line.buffering == 'N' || line.buffering == 'S') ? Sync::write_through
                                                                           : Sync::none;
  if (!line.parameters.empty()) {
    if (!line.files.empty() || !line.drives.empty())
      return wrong("files are named both in the line and by -F", "name them in one place");
    if (line.threads_given)
      w.warnings.push_back("the threads of the parameter file are used, not -t, as in SQLIO");
    const auto known = echoed.find(line.parameters);
    std::string content;
    if (known != echoed.end()) {
      content = known->second;
    } else if (files) {
      RAIDSCOPE_TRY(content, files(line.parameters));
    } else {
      return wrong("the parameter file cannot be read here: " + line.parameters);
    }
    RAIDSCOPE_CHECK(read_parameters(line, content, w));
    line.threads = 0;
    for (const WorkerGroup& group : w.groups) line.threads += group.workers;
  } else {
    w.workers = static_cast<std::uint32_t>(line.threads);
    w.queue_depth_per_worker = static_cast<std::uint32_t>(line.depth.value_or(1));
    for (const std::string& file : line.files) {
      if (line.drives.empty()) {
        index_in(w.targets, file);
        continue;
      }
      for (const char drive : line.drives)
        index_in(w.targets,
                 fmt::format("{}:{}{}", drive, file.starts_with('\\') ? "" : "\\", file));
    }
    if (line.files.empty())
      w.warnings.emplace_back("the line names no file; SQLIO would take testfile.dat");
    w.depth_over_targets = !line.depth && w.targets.size() > 1;
  }
  if (line.order == Line::Order::stride && line.stride_blocks < line.threads) {
    return wrong(fmt::format("a stride of {} blocks for {} threads: SQLIO needs at least as many "
                             "blocks as threads",
                             line.stride_blocks, line.threads),
                 "give -frandom, -fsequential or a longer stride");
  }
  if (line.order == Line::Order::stride &&
      line.run_length * line.stride_blocks > most_bytes / (line.block_kib * kib)) {
    return wrong("the stride goes over more than any disk", "give a smaller -f, -i or -b");
  }
  set_order(line, w);
  w = canonical(std::move(w));
  add_traps(line, w);
  return w;
}

Result<std::vector<Workload>> parse(std::string_view text, const NamedTexts& files) {
  RAIDSCOPE_TRY(const Script script, read_script(text, "sqlio"));
  std::vector<Workload> out;
  for (const ToolCall& call : script.calls) {
    RAIDSCOPE_TRY(Workload w, workload_of(call, files, script.files));
    RAIDSCOPE_CHECK(possible(w, fmt::format("line {}, {}", call.line, call.text)));
    out.push_back(std::move(w));
  }
  for (const std::string& note : script.notes) out.front().warnings.push_back(note);
  return out;
}

/// The part of the line that says where requests go; empty when SQLIO cannot say it.
std::string order_text(const Workload& w, Losses& losses) {
  const std::uint64_t block = w.block_bytes.front();
  if (w.pattern == Pattern::random) return "-frandom";
  const std::uint64_t workers = std::max(w.workers, 1U);
  if (w.stride_bytes == 0) {
    losses.add_if(w.cursor == SequentialCursor::per_worker, "a region for each worker");
    losses.add_if(w.cursor == SequentialCursor::own, "a cursor for each worker");
    return "-fsequential";
  }
  const std::uint64_t blocks = w.stride_bytes / block;
  const std::uint64_t runs = w.area_bytes / std::max<std::uint64_t>(w.stride_bytes, 1);
  const bool spread_evenly = workers == 1 || (w.cursor == SequentialCursor::own &&
                                              w.worker_offset_bytes == blocks / workers * block);
  losses.add_if(w.stride_bytes % block != 0 || blocks < std::max<std::uint64_t>(workers, 2) ||
                    blocks > mib || runs == 0 || runs > mib || w.area_bytes % w.stride_bytes != 0 ||
                    !spread_evenly,
                fmt::format("a stride of {}", size_with_unit(w.stride_bytes)));
  return fmt::format("-f{} -i{}", std::max<std::uint64_t>(blocks, 1),
                     std::max<std::uint64_t>(runs, 1));
}

/// A parameter file, written by the script itself; its name, or nothing where none is needed.
std::string print_parameters(const Workload& w, std::size_t index, std::string& out,
                             Losses& losses) {
  const bool sized = w.area_bytes != 0 && w.stride_bytes == 0;
  if (w.groups.empty() && !(sized && w.targets.size() == 1)) {
    losses.add_if(sized,
                  fmt::format("an area of {} but of a single file", size_with_unit(w.area_bytes)));
    return {};
  }
  std::vector<WorkerGroup> groups = w.groups;
  if (groups.empty()) groups.push_back({w.workers, w.queue_depth_per_worker, {0}});
  const std::string name = fmt::format("param{}.txt", index + 1);
  losses.add_if(sized && w.area_bytes % mib != 0,
                fmt::format("an area of {}", size_with_unit(w.area_bytes)));
  for (std::size_t i = 0; i < groups.size(); ++i) {
    const WorkerGroup& group = groups[i];
    losses.add_if(group.targets.size() != 1 || group.targets[0] >= w.targets.size(),
                  "workers on several files beside others");
    losses.add_if(group.queue_depth != w.queue_depth_per_worker, "different depths");
    losses.add_if(group.workers == 0 || group.workers > 256,
                  fmt::format("{} threads", group.workers));
    if (group.targets.empty() || group.targets[0] >= w.targets.size()) continue;
    const auto target = windows_word(w.targets[group.targets[0]]);
    losses.add_if(!target || target->find(' ') != std::string::npos, "the name of a target");
    out +=
        fmt::format("echo {} {} 0x0{}{} {}\n", target.value_or("?"), group.workers,
                    sized ? fmt::format(" {}", w.area_bytes / mib) : "", i == 0 ? ">" : ">>", name);
  }
  return name;
}

void print_line(const Workload& w, std::size_t index, std::string& out, Losses& losses) {
  add_unsayable(w, {.area = true, .base = true}, losses);
  const std::uint64_t block = w.block_bytes.empty() ? 0 : w.block_bytes.front();
  losses.add_if(block == 0 || block % kib != 0 || block > mib * kib,
                fmt::format("a block of {}", size_with_unit(block)));
  if (block == 0) return;
  losses.add_if(w.base_bytes % block != 0 || w.base_bytes / block > most_bytes / (4 * mib) / kib,
                "where the area begins");
  losses.add_if(w.duration_s < 1 || w.duration_s != static_cast<double>(static_cast<std::uint64_t>(
                                                        std::clamp(w.duration_s, 0.0, 2592000.0))),
                fmt::format("a time of {}", print_duration(w.duration_s)));
  const std::string parameters = print_parameters(w, index, out, losses);
  if (w.groups.empty())
    losses.add_if(w.workers == 0 || w.workers > 256, fmt::format("{} threads", w.workers));
  out += fmt::format("sqlio -k{} -s{} {} -b{}", w.read_percent == 0 ? 'W' : 'R',
                     static_cast<std::uint64_t>(std::clamp(w.duration_s, 1.0, 2592000.0)),
                     order_text(w, losses), std::max<std::uint64_t>(block / kib, 1));
  if (parameters.empty()) out += fmt::format(" -t{}", w.workers);
  const bool in_turn = w.depth_over_targets && w.targets.size() > 1;
  losses.add_if(in_turn && w.queue_depth_per_worker > 1, "a depth over all files together");
  losses.add_if(w.queue_depth_per_worker == 0 || w.queue_depth_per_worker > 16384,
                fmt::format("a depth of {}", w.queue_depth_per_worker));
  if (!in_turn) out += fmt::format(" -o{}", w.queue_depth_per_worker);
  if (w.base_bytes >= block) out += fmt::format(" -S{}", w.base_bytes / block);
  const bool through = w.read_percent == 100 || w.sync == Sync::write_through;
  out +=
      w.direct ? (through ? " -BN" : " -BH") : (through && w.read_percent != 100 ? " -BS" : " -BY");
  if (!parameters.empty()) {
    out += " -F" + parameters;
  } else {
    for (const std::string& target : w.targets) {
      const auto word = windows_word(target);
      losses.add_if(!word, fmt::format("the target {}", target));
      if (word) out += " " + *word;
    }
  }
  out += '\n';
}

Printed print(std::span<const Workload> workloads) {
  Printed printed;
  for (std::size_t i = 0; i < workloads.size(); ++i) {
    Losses losses(workloads[i], "SQLIO", printed.losses);
    print_line(canonical(workloads[i]), i, printed.text, losses);
  }
  return printed;
}

}  // namespace

extern const Syntax syntax_sqlio;
const Syntax syntax_sqlio{
    .id = "sqlio",
    .summary = "SQLIO 1.5: a line, or a batch or PowerShell script of lines",
    .parse = parse,
    .print = print,
};

}  // namespace raidscope
