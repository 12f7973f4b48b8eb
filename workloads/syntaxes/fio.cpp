#include <algorithm>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "workloads/derived.h"
#include "workloads/quantities.h"
#include "workloads/syntax.h"
#include "workloads/syntaxes/support/fio_job.h"
#include "workloads/syntaxes/support/sayable.h"

// Job files of fio 3. Jobs between two stonewalls run at the same time and are one workload.
namespace raidscope {
namespace {

using fio::Job;
using fio::Value;
using fio::where_of;

constexpr std::uint64_t most_bytes = std::uint64_t{1} << 62U;

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// Options about what is shown or how fio goes about it, which leave the I/O at the device as it
/// is.
bool is_harmless(std::string_view key) {
  return key.starts_with("log_") || key.starts_with("write_") || key.starts_with("disable_") ||
         key.starts_with("eta") || key.starts_with("output") || key.starts_with("iodepth_batch") ||
         key.ends_with("_percentiles") ||
         is_one_of(key, {"name",
                         "description",
                         "group_reporting",
                         "new_group",
                         "stats",
                         "thread",
                         "unlink",
                         "allow_file_create",
                         "fallocate",
                         "invalidate",
                         "create_serialize",
                         "create_fsync",
                         "create_on_open",
                         "refill_buffers",
                         "scramble_buffers",
                         "bwavgtime",
                         "iopsavgtime",
                         "per_job_logs",
                         "percentile_list",
                         "disk_util",
                         "gtod_reduce",
                         "gtod_cpu",
                         "clocksource",
                         "unified_rw_reporting",
                         "continue_on_error",
                         "error_dump",
                         "exitall",
                         "exitall_on_error",
                         "allrandrepeat",
                         "mem",
                         "lockmem",
                         "significant_figures",
                         "unit_base",
                         "registerfiles",
                         "fixedbufs",
                         "nonvectored",
                         "userspace_reap",
                         "overwrite",
                         "fadvise_hint",
                         "openfiles",
                         "allow_mounted_write",
                         "kb_base",
                         "verify_fatal",
                         "verify_dump",
                         "verify_async",
                         "minimal",
                         "status-interval",
                         "thinktime_blocks_type",
                         "unlink_each_loop",
                         "random_generator",
                         "serialize_overlap",
                         "ignore_error",
                         "hugepage-size",
                         "cpuload"});
}

/// Options that change a little of what a run does and that no Workload holds.
bool is_noted(std::string_view key) {
  return is_one_of(key, {"cpus_allowed",
                         "cpumask",
                         "cpus_allowed_policy",
                         "numa_cpu_nodes",
                         "numa_mem_policy",
                         "nice",
                         "prio",
                         "prioclass",
                         "end_fsync",
                         "fsync_on_close",
                         "ioscheduler",
                         "sqthread_poll",
                         "sqthread_poll_cpu",
                         "filesize",
                         "file_service_type",
                         "thinktime_spin",
                         "io_size",
                         "number_ios",
                         "do_verify",
                         "write_barrier"});
}

bool is_synchronous(std::string_view engine) {
  return is_one_of(engine, {"sync", "psync", "vsync", "pvsync", "pvsync2"});
}

bool is_asynchronous(std::string_view engine) {
  return is_one_of(
      engine, {"libaio", "io_uring", "posixaio", "windowsaio", "solarisaio", "sg", "io_uring_cmd"});
}

/// Takes one job's options as a workload of its own.
class JobReader {
 public:
  explicit JobReader(const Job& job) : job_(job) {}

  Result<Workload> read() {
    RAIDSCOPE_CHECK(known_options());
    w_.name = job_.name;
    RAIDSCOPE_CHECK(direction());
    RAIDSCOPE_CHECK(blocks());
    RAIDSCOPE_CHECK(randomness());
    RAIDSCOPE_CHECK(workers());
    RAIDSCOPE_CHECK(place());
    RAIDSCOPE_CHECK(times());
    RAIDSCOPE_CHECK(rates());
    RAIDSCOPE_CHECK(writes());
    return std::move(w_);
  }

 private:
  [[nodiscard]] const Value* get(std::string_view key) const {
    const auto found = job_.options.find(key);
    return found == job_.options.end() ? nullptr : &found->second;
  }

  [[nodiscard]] tl::unexpected<Error> wrong(std::string_view key, std::string_view what,
                                            std::string hint = {}) const {
    const Value* value = get(key);
    return fail(Errc::malformed,
                fmt::format("{}={}: {}", key, value == nullptr ? "" : value->text, what),
                value == nullptr ? "line 1" : where_of(*value), std::move(hint));
  }

  [[nodiscard]] std::optional<bool> flag(std::string_view key) const {
    const Value* value = get(key);
    if (value == nullptr) return std::nullopt;
    return !(value->text == "0" || value->text == "none" || value->text == "false");
  }

  void warn(std::string text) { add_once(w_.warnings, std::move(text)); }

  Status known_options() {
    constexpr std::string_view kept[] = {"rw",
                                         "bs",
                                         "bssplit",
                                         "ba",
                                         "rwmixread",
                                         "rwmixwrite",
                                         "percentage_random",
                                         "iodepth",
                                         "numjobs",
                                         "size",
                                         "offset",
                                         "offset_increment",
                                         "runtime",
                                         "ramp_time",
                                         "time_based",
                                         "direct",
                                         "buffered",
                                         "sync",
                                         "fsync",
                                         "fdatasync",
                                         "rate",
                                         "rate_iops",
                                         "rate_process",
                                         "thinktime",
                                         "thinktime_blocks",
                                         "random_distribution",
                                         "norandommap",
                                         "ioengine",
                                         "filename",
                                         "buffer_compress_percentage",
                                         "dedupe_percentage",
                                         "zero_buffers",
                                         "verify",
                                         "stonewall",
                                         "hipri",
                                         "randseed",
                                         "randrepeat"};
    for (const auto& [key, value] : job_.options) {
      if (std::find(std::begin(kept), std::end(kept), key) != std::end(kept)) continue;
      if (is_harmless(key)) continue;
      if (is_noted(key)) {
        warn(fmt::format("{}={} is not kept: it does not change the pattern of the I/O", key,
                         value.text));
        continue;
      }
      std::string hint = "remove it if the test does without";
      if (key == "loops") hint = "--repeat measures each point several times";
      if (key.starts_with("steadystate")) hint = "raidscope judges the steady state of every run";
      if (key == "bsrange") hint = "bssplit gives sizes and their shares";
      if (key == "directory" || key == "nrfiles" || key == "filename_format")
        hint = "name the files with filename=";
      return wrong(key, fmt::format("[{}] cannot be kept", job_.name), hint);
    }
    return Done{};
  }

  /// fio's units: k is 1024 and ki is 1000, unless kb_base=1000 turns them.
  [[nodiscard]] std::optional<std::uint64_t> size_of(std::string_view text) {
    const Value* base = get("kb_base");
    const bool si = base != nullptr && base->text == "1000";
    std::size_t digits = 0;
    while (digits < text.size() && text::is_digit(text[digits])) ++digits;
    std::string unit;
    for (const char c : text.substr(digits)) unit += text::to_lower(c);
    const bool binary_name = unit.size() > 1 && unit[1] == 'i';
    if (unit.ends_with('b')) unit.pop_back();
    if (unit.ends_with('i')) unit.pop_back();
    constexpr std::string_view prefixes = "kmgtp";
    const std::size_t power = unit.empty() ? 0 : prefixes.find(unit) + 1;
    if (unit.size() > 1 || (!unit.empty() && power == 0)) return std::nullopt;
    const std::uint64_t step = binary_name == si ? 1024 : 1000;
    if (binary_name && !si)
      warn(
          fmt::format("fio reads {} with kb_base=1024 as powers of 1000, the other way round from "
                      "the standard",
                      text));
    std::uint64_t scale = 1;
    for (std::size_t i = 0; i < power; ++i) scale *= step;
    const auto number = to_count(text.substr(0, digits), most_bytes / scale);
    if (!number) return std::nullopt;
    return *number * scale;
  }

  Status size(std::string_view key, std::uint64_t& out) {
    const Value* value = get(key);
    if (value == nullptr) return Done{};
    const auto bytes = size_of(value->text);
    if (!bytes) return wrong(key, "expected a size, as 4k or 1g");
    out = *bytes;
    return Done{};
  }

  Status count(std::string_view key, std::uint64_t least, std::uint64_t most, std::uint64_t& out) {
    const Value* value = get(key);
    if (value == nullptr) return Done{};
    const auto number = to_count(value->text, most);
    if (!number || *number < least)
      return wrong(key, fmt::format("expected a number from {} to {}", least, most));
    out = *number;
    return Done{};
  }

  Status percent(std::string_view key, int& out) {
    auto number = static_cast<std::uint64_t>(std::max(out, 0));
    if (get(key) == nullptr) return Done{};
    RAIDSCOPE_CHECK(count(key, 0, 100, number));
    out = static_cast<int>(number);
    return Done{};
  }

  Status direction() {
    const Value* rw = get("rw");
    std::string word = rw == nullptr ? "read" : rw->text;
    const std::size_t colon = word.find(':');
    if (colon != std::string::npos) {
      const std::string more = word.substr(colon + 1);
      word.resize(colon);
      if (word.starts_with("rand"))
        return wrong("rw", "several requests for each random offset cannot be kept");
      const auto gap = size_of(more);
      if (!gap) return wrong("rw", "expected the gap between two requests, as read:4k");
      gap_ = *gap;
    }
    random_ = word.starts_with("rand");
    const std::string_view kind =
        random_ ? std::string_view(word).substr(4) : std::string_view(word);
    int reads = 50;
    RAIDSCOPE_CHECK(percent("rwmixread", reads));
    int writes = 100 - reads;
    RAIDSCOPE_CHECK(percent("rwmixwrite", writes));
    reads = get("rwmixwrite") != nullptr && get("rwmixread") == nullptr ? 100 - writes : reads;
    if (kind == "read") {
      w_.read_percent = 100;
    } else if (kind == "write") {
      w_.read_percent = 0;
    } else if (kind == "rw" || kind == "readwrite") {
      w_.read_percent = reads;
    } else if (kind == "trim") {
      w_.read_percent = 0;
      w_.trim_percent = 100;
    } else {
      return wrong("rw", "expected read, write, rw, trim, or one of them with rand in front");
    }
    w_.pattern = random_ ? Pattern::random : Pattern::sequential;
    return Done{};
  }

  /// "4k/50:64k/50"; shares left out divide what is left.
  Result<std::vector<MixLine>> split(std::string_view text) {
    std::vector<MixLine> lines;
    double left = 100;
    double unsaid = 0;
    while (!text.empty()) {
      const std::size_t end = std::min(text.find(':'), text.size());
      const std::string_view part = text.substr(0, end);
      text.remove_prefix(std::min(end + 1, text.size()));
      const std::size_t slash = std::min(part.find('/'), part.size());
      MixLine line;
      const auto block = size_of(part.substr(0, slash));
      const std::string_view share = part.substr(std::min(slash + 1, part.size()));
      const auto number = share.empty() ? std::nullopt : text::to_decimal(share);
      if (!block || *block == 0 || (!share.empty() && (!number || *number > 100)))
        return wrong("bssplit", "expected SIZE/PERCENT:SIZE/PERCENT…");
      if (*block > largest_block) return wrong("bssplit", "expected blocks of at most 1G");
      line.block_bytes = *block;
      line.percent = number.value_or(-1);
      if (number) left -= *number;
      if (!number) ++unsaid;
      lines.push_back(line);
    }
    if (lines.empty() || left < -0.001 || (unsaid == 0 && left > 0.001))
      return wrong("bssplit", "the shares do not sum to 100");
    for (MixLine& line : lines) {
      if (line.percent < 0) line.percent = left / unsaid;
    }
    std::erase_if(lines, [](const MixLine& line) { return line.percent == 0; });
    return lines;
  }

  static std::vector<std::string_view> comma_parts(std::string_view text) {
    std::vector<std::string_view> out;
    while (true) {
      const std::size_t comma = text.find(',');
      out.push_back(text::trim(text.substr(0, comma)));
      if (comma == std::string_view::npos) return out;
      text.remove_prefix(comma + 1);
    }
  }

  Status blocks() {
    std::vector<MixLine> reads{{100, 4096, 100, 100, 0}};
    std::vector<MixLine> writes = reads;
    if (const Value* bs = get("bs")) {
      const auto parts = comma_parts(bs->text);
      for (std::size_t i = 0; i < parts.size() && i < 2; ++i) {
        if (parts[i].empty()) continue;
        const auto block = size_of(parts[i]);
        if (!block || *block == 0) return wrong("bs", "expected a size, as 4k or 4k,64k");
        if (*block > largest_block) return wrong("bs", "expected a block of at most 1G");
        writes.front().block_bytes = *block;
        if (i == 0) reads.front().block_bytes = *block;
      }
      if (parts.size() > 3) return wrong("bs", "expected sizes of reads, writes and trims");
    }
    if (const Value* value = get("bssplit")) {
      const auto parts = comma_parts(value->text);
      RAIDSCOPE_TRY(reads, split(parts[0]));
      writes = reads;
      if (parts.size() > 1 && !parts[1].empty()) {
        RAIDSCOPE_TRY(writes, split(parts[1]));
      }
    }
    std::uint64_t alignment = 0;
    RAIDSCOPE_CHECK(size("ba", alignment));
    if (reads == writes || w_.read_percent == 0 || w_.read_percent == 100) {
      w_.mix = w_.read_percent == 0 ? writes : reads;
      set_alignment(w_.mix, alignment);
      for (MixLine& line : w_.mix) line.read_percent = w_.read_percent;
      return Done{};
    }
    set_alignment(reads, alignment);
    set_alignment(writes, alignment);
    for (auto& [lines, share, is_read] : {std::tuple{&reads, w_.read_percent, 100},
                                          std::tuple{&writes, 100 - w_.read_percent, 0}}) {
      for (MixLine line : *lines) {
        line.percent = line.percent * share / 100;
        line.read_percent = is_read;
        w_.mix.push_back(line);
      }
    }
    return Done{};
  }

  /// Offsets are multiples of the smallest block unless blockalign says otherwise.
  static void set_alignment(std::vector<MixLine>& lines, std::uint64_t given) {
    std::uint64_t least = UINT64_MAX;
    for (const MixLine& line : lines) least = std::min(least, line.block_bytes);
    for (MixLine& line : lines) line.alignment_bytes = given != 0 ? given : least;
  }

  Status randomness() {
    int share = random_ ? 100 : 0;
    if (get("percentage_random") != nullptr) {
      if (!random_) return wrong("percentage_random", "goes with a random rw");
      const Value* value = get("percentage_random");
      const auto parts = comma_parts(value->text);
      const auto number = to_count(parts[0], 100);
      if (!number || std::any_of(parts.begin(), parts.end(),
                                 [&](std::string_view part) { return part != parts[0]; }))
        return wrong("percentage_random", "expected one share of 0 to 100 for all requests");
      share = static_cast<int>(*number);
    }
    for (MixLine& line : w_.mix) line.random_percent = share;
    if (!random_ || share == 0) return Done{};
    if (const Value* value = get("random_distribution")) RAIDSCOPE_CHECK(distribution(value->text));
    if (w_.spread == Spread::uniform && !flag("norandommap").value_or(false)) {
      const bool mixed = std::any_of(w_.mix.begin(), w_.mix.end(), [this](const MixLine& line) {
        return line.block_bytes != w_.mix.front().block_bytes;
      });
      if (!mixed) w_.spread = Spread::once;
      warn(std::string(mixed ? fio_mixed_map_warning : fio_map_warning));
    }
    return Done{};
  }

  Status distribution(std::string_view text) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    const std::string_view kind = text.substr(0, colon);
    const std::string_view rest = text.substr(std::min(colon + 1, text.size()));
    if (kind == "random") return Done{};
    if (kind == "zipf" || kind == "pareto") {
      const auto skew =
          rest.empty() ? std::optional(kind == "zipf" ? 1.1 : 0.2) : text::to_decimal(rest);
      if (!skew) return wrong("random_distribution", "expected a number behind the colon alone");
      if (kind == "zipf" && (!(*skew > 0) || *skew > 10))
        return wrong("random_distribution", "expected an exponent above 0, and 10 at most");
      if (kind == "pareto" && (!(*skew > 0) || !(*skew < 1)))
        return wrong("random_distribution", "expected a number between 0 and 1");
      w_.spread = kind == "zipf" ? Spread::zipf : Spread::pareto;
      w_.skew = *skew;
      return Done{};
    }
    if (kind != "zoned" || rest.find(',') != std::string_view::npos) {
      return wrong("random_distribution", "cannot be kept",
                   "random, zipf:THETA, pareto:H and zoned:ACCESS/SIZE:… can");
    }
    w_.spread = Spread::hot_spots;
    double accesses = 0;
    double area = 0;
    std::string_view zones = rest;
    while (!zones.empty()) {
      const std::size_t end = std::min(zones.find(':'), zones.size());
      const std::string_view zone = zones.substr(0, end);
      zones.remove_prefix(std::min(end + 1, zones.size()));
      const std::size_t slash = std::min(zone.find('/'), zone.size());
      const auto access = text::to_decimal(zone.substr(0, slash));
      const std::string_view size = zone.substr(std::min(slash + 1, zone.size()));
      const auto part = size.empty() ? std::optional(100 - area) : text::to_decimal(size);
      if (!access || !part) return wrong("random_distribution", "expected ACCESS%/SIZE% zones");
      w_.hot_spots.push_back({*access, *part});
      accesses += *access;
      area += *part;
    }
    if (w_.hot_spots.empty() || accesses > 100 || area > 100)
      return wrong("random_distribution", "the zones sum to more than 100");
    if (accesses < 100 || area < 100) w_.hot_spots.push_back({100 - accesses, 100 - area});
    return Done{};
  }

  Status workers() {
    std::uint64_t jobs = 1;
    std::uint64_t depth = 1;
    RAIDSCOPE_CHECK(count("numjobs", 1, 1024, jobs));
    RAIDSCOPE_CHECK(count("iodepth", 1, 16384, depth));
    const Value* engine = get("ioengine");
    const std::string name = engine == nullptr ? "psync" : engine->text;
    if (is_synchronous(name)) {
      if (depth > 1) {
        warn(fmt::format(
            "{} does one request at a time, so that fio's iodepth={} has no effect: "
            "ioengine=libaio or io_uring has it",
            engine == nullptr ? "fio's default engine (psync)" : "ioengine=" + name, depth));
      }
      depth = 1;
    } else if (!is_asynchronous(name)) {
      return wrong("ioengine", "cannot be kept",
                   "libaio, io_uring, psync and their kin can; --engine chooses raidscope's");
    }
    w_.workers = static_cast<std::uint32_t>(jobs);
    w_.queue_depth_per_worker = static_cast<std::uint32_t>(depth);
    w_.poll = flag("hipri").value_or(false);
    w_.direct = flag("direct").value_or(!flag("buffered").value_or(true));
    if (!w_.direct) {
      warn(get("direct") == nullptr
               ? "fio's direct is 0 unless it is given: this goes through the page cache and "
                 "measures memory as much as storage"
               : "direct=0 goes through the page cache and measures memory as much as storage");
    }
    return Done{};
  }

  Status place() {
    if (const Value* value = get("filename")) RAIDSCOPE_CHECK(file_names(value->text));
    const std::uint64_t files = std::max<std::size_t>(w_.targets.size(), 1);
    w_.depth_over_targets = files > 1;
    if (w_.targets.empty())
      warn("no filename: fio would make a file for each job; --target names one");
    std::uint64_t size_bytes = 0;
    if (const Value* value = get("size"); value != nullptr && value->text != "100%") {
      if (value->text.ends_with('%'))
        return wrong("size", "a share of the target cannot be kept", "give bytes, or --size");
      RAIDSCOPE_CHECK(size("size", size_bytes));
    }
    if (const Value* value = get("offset"); value != nullptr && value->text.ends_with('%'))
      return wrong("offset", "a share of the target cannot be kept", "give bytes");
    if (const Value* value = get("offset_increment");
        value != nullptr && value->text.ends_with('%'))
      return wrong("offset_increment", "a share of the target cannot be kept", "give bytes");
    std::uint64_t increment = 0;
    RAIDSCOPE_CHECK(size("offset", w_.base_bytes));
    RAIDSCOPE_CHECK(size("offset_increment", increment));
    w_.area_bytes = size_bytes / files;
    w_.cursor = SequentialCursor::own;
    if (gap_ != 0) {
      if (w_.mix.size() > 1) return wrong("rw", "a gap beside several block sizes cannot be kept");
      w_.stride_bytes = w_.mix.front().block_bytes + gap_;
    }
    if (w_.workers < 2 || increment == 0) {
      if (w_.workers > 1 && !random_) {
        warn(
            fmt::format("the {} jobs begin at the same place and read the same blocks, which a "
                        "cache answers: offset_increment sets them apart",
                        w_.workers));
      }
      return Done{};
    }
    if (increment > most_bytes / 1024 || w_.area_bytes > most_bytes / 1024)
      return wrong("offset_increment", "is too large");
    if (w_.area_bytes != 0 && increment == w_.area_bytes && !random_) {
      w_.cursor = SequentialCursor::per_worker;
      w_.area_bytes *= w_.workers;
      return Done{};
    }
    w_.worker_offset_bytes = increment;
    if (w_.area_bytes != 0) w_.area_bytes += increment * (w_.workers - 1);
    warn(random_ ? "each job of fio keeps to its own part; here all jobs go over all the parts"
                 : "each job of fio keeps to its own part; here a job goes on into the next one's");
    return Done{};
  }

  /// Separated by colons; \: is a colon of the name.
  Status file_names(std::string_view text) {
    std::string name;
    for (std::size_t i = 0; i <= text.size(); ++i) {
      if (i < text.size() && text[i] == '\\' && i + 1 < text.size() && text[i + 1] == ':') {
        name += text[++i];
      } else if (i < text.size() && text[i] != ':') {
        name += text[i];
      } else {
        if (!name.empty()) index_in(w_.targets, name);
        name.clear();
      }
    }
    return w_.targets.empty() ? wrong("filename", "expected a name") : Status(Done{});
  }

  Status time(std::string_view key, double& out) {
    const Value* value = get(key);
    if (value == nullptr) return Done{};
    const auto seconds = parse_duration(value->text);
    if (!seconds) return wrong(key, "expected a time, as 60, 60s or 5m");
    out = *seconds;
    return Done{};
  }

  Status times() {
    RAIDSCOPE_CHECK(time("ramp_time", w_.ramp_s));
    const Value* runtime = get("runtime");
    if (runtime == nullptr || runtime->text == "0") {
      warn(
          fmt::format("without runtime fio ends when it has been over the size once; here it runs "
                      "{}, and --time sets another",
                      print_duration(w_.duration_s)));
      return Done{};
    }
    RAIDSCOPE_CHECK(time("runtime", w_.duration_s));
    if (!flag("time_based").value_or(false)) {
      warn(
          "without time_based fio ends earlier when it has been over the size once; here the time "
          "is what counts");
    }
    return Done{};
  }

  Status rates() {
    const bool iops = get("rate_iops") != nullptr;
    if (const Value* value = get(iops ? "rate_iops" : "rate")) {
      const std::string_view key = iops ? "rate_iops" : "rate";
      const auto parts = comma_parts(value->text);
      const auto number = size_of(parts[0]);
      if (!number || *number == 0 || parts.size() > 1)
        return wrong(key, "expected one rate for reads and writes together",
                     "a rate for each cannot be kept");
      if (!iops && w_.mix.size() > 1)
        return wrong(key, "bytes a second of several block sizes cannot be kept", "give rate_iops");
      w_.rate_iops = static_cast<double>(*number) * w_.workers;
      if (!iops) w_.rate_iops /= static_cast<double>(w_.mix.front().block_bytes);
      w_.arrivals = Arrivals::regular;
      if (const Value* process = get("rate_process")) {
        if (process->text == "poisson") {
          w_.arrivals = Arrivals::poisson;
        } else if (process->text != "linear") {
          return wrong("rate_process", "expected linear or poisson");
        }
      }
      warn(
          "fio's rate waits for answers; here requests start at times that do not, and latency "
          "counts from then");
    } else if (get("rate_process") != nullptr) {
      warn("rate_process has no effect without a rate");
    }
    if (const Value* value = get("thinktime")) {
      const auto plain = to_count(value->text, 1'000'000'000'000);
      const auto seconds =
          plain ? std::optional<double>() : parse_duration(value->text).value_or(-1);
      if (seconds && *seconds < 0) return wrong("thinktime", "expected a time, as 500 or 2ms");
      w_.think_us = plain ? static_cast<double>(*plain) : std::round(*seconds * 1e6);
      std::uint64_t burst = 1;
      RAIDSCOPE_CHECK(count("thinktime_blocks", 1, 1'000'000'000, burst));
      w_.burst = static_cast<std::uint32_t>(burst);
    }
    std::uint64_t seed = w_.seed;
    RAIDSCOPE_CHECK(count("randseed", 0, most_bytes, seed));
    w_.seed = seed;
    if (flag("randrepeat") == false)
      warn("randrepeat=0 takes a new seed each time; here --seed does");
    return Done{};
  }

  Status writes() {
    if (const Value* value = get("sync");
        value != nullptr && value->text != "none" && value->text != "0")
      w_.sync = Sync::write_through;
    std::uint64_t fsync = 0;
    std::uint64_t fdatasync = 0;
    RAIDSCOPE_CHECK(count("fsync", 0, UINT32_MAX, fsync));
    RAIDSCOPE_CHECK(count("fdatasync", 0, UINT32_MAX, fdatasync));
    if (fsync != 0 && fdatasync != 0) return wrong("fdatasync", "beside fsync cannot be kept");
    if (fdatasync != 0) warn("fdatasync is done as fsync");
    w_.fsync_every = static_cast<std::uint32_t>(fsync + fdatasync);
    RAIDSCOPE_CHECK(percent("buffer_compress_percentage", w_.compressible_percent));
    RAIDSCOPE_CHECK(percent("dedupe_percentage", w_.duplicate_percent));
    if (flag("zero_buffers").value_or(false)) w_.compressible_percent = 100;
    if (const Value* value = get("verify"))
      w_.verify = value->text != "0" && value->text != "none" && value->text != "null";
    if (w_.verify) warn("verification is raidscope's own, not " + get("verify")->text);
    if (w_.read_percent < 100 && w_.trim_percent < 100 && w_.compressible_percent == 0 &&
        w_.duplicate_percent == 0 && !flag("refill_buffers").value_or(false)) {
      warn(
          "without refill_buffers fio writes one buffer with small changes again and again; this "
          "run writes data that do not repeat");
    }
    return Done{};
  }

  const Job& job_;
  Workload w_;
  bool random_ = false;
  std::uint64_t gap_ = 0;
};

/// A job as what the jobs beside it must have in common.
Workload shared_part(Workload w) {
  w.name = {};
  w.targets = {};
  w.workers = w.queue_depth_per_worker = 1;
  w.outstanding_total = 1;
  w.rate_iops = 0;
  w.depth_over_targets = false;
  w.warnings = {};
  return w;
}

WorkerGroup group_of(const Workload& job, std::vector<std::string>& targets) {
  WorkerGroup group{job.workers, job.queue_depth_per_worker, {}};
  for (const std::string& target : job.targets) group.targets.push_back(index_in(targets, target));
  return group;
}

/// The first option in which two jobs differ in what they do.
std::string difference(const Job& a, const Job& b) {
  for (const auto& [key, value] : b.options) {
    if (is_harmless(key) || is_noted(key) ||
        is_one_of(key, {"filename", "iodepth", "numjobs", "stonewall", "ioengine", "hipri"}))
      continue;
    const auto found = a.options.find(key);
    if (found == a.options.end() || found->second.text != value.text) return key;
  }
  return "options";
}

/// Jobs that run at the same time as one workload.
Result<Workload> merged(std::span<const Job> jobs, std::span<const Workload> parts) {
  Workload w = parts.front();
  const bool several = parts.size() > 1;
  if (several) {
    w.targets.clear();
    w.rate_iops = 0;
  }
  for (std::size_t i = 0; several && i < parts.size(); ++i) {
    const Workload& part = parts[i];
    if (!(shared_part(part) == shared_part(parts.front())) || part.targets.empty()) {
      return fail(
          Errc::malformed,
          fmt::format("[{}] and [{}] run at the same time, and {}", jobs.front().name, jobs[i].name,
                      part.targets.empty() ? "without filename"
                                           : "differ in " + difference(jobs.front(), jobs[i])),
          fmt::format("line {}", jobs[i].line),
          "put stonewall in the second, so that one runs after the other");
    }
    w.groups.push_back(group_of(part, w.targets));
    w.rate_iops += part.rate_iops;
    w.depth_over_targets = w.depth_over_targets || part.depth_over_targets;
    for (const std::string& warning : part.warnings) add_once(w.warnings, warning);
  }
  w = canonical(std::move(w));
  if (w.depth_over_targets) {
    add_once(w.warnings,
             fmt::format("fio's iodepth is a job's over all its files: {}", outstanding_words(w)));
  } else if (outstanding(w) > 1) {
    add_once(w.warnings, fmt::format("iodepth is each job's: {}", outstanding_words(w)));
  }
  w.source = "fio:";
  for (const Job& job : jobs) {
    w.source += fmt::format(" [{}]", job.name);
    for (const auto& [key, value] : job.options) w.source += fmt::format(" {}={}", key, value.text);
  }
  return w;
}

Result<std::vector<Workload>> parse(std::string_view text, const NamedTexts& files) {
  RAIDSCOPE_TRY(const std::vector<Job> jobs, fio::read_jobs(text, files));
  std::vector<Workload> out;
  std::vector<Workload> parts;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= jobs.size(); ++i) {
    const auto waits = [&](const Job& job) {
      const auto found = job.options.find("stonewall");
      return found != job.options.end() && found->second.text != "0";
    };
    if (i == jobs.size() || (i > first && waits(jobs[i]))) {
      RAIDSCOPE_TRY(Workload w, merged(std::span(jobs).subspan(first, i - first), parts));
      out.push_back(std::move(w));
      parts.clear();
      first = i;
      if (i == jobs.size()) break;
    }
    RAIDSCOPE_TRY(Workload part, JobReader(jobs[i]).read());
    RAIDSCOPE_CHECK(possible(part, fmt::format("line {}, [{}]", jobs[i].line, jobs[i].name)));
    parts.push_back(std::move(part));
  }
  return out;
}

// ---- printing ----

std::string size_word(std::uint64_t bytes) {
  std::string out = print_size(bytes);
  for (char& c : out) c = text::to_lower(c);
  return out;
}

/// Whole seconds, or whole milliseconds.
std::optional<std::string> time_word(double seconds) {
  if (!(seconds >= 0) || seconds > 1e8) return std::nullopt;
  if (seconds == std::floor(seconds)) return fmt::format("{}", seconds);
  const std::string ms = fmt::format("{}ms", std::round(seconds * 1000));
  const auto back = parse_duration(ms);
  return back && *back == seconds ? std::optional(ms) : std::nullopt;
}

class JobPrinter {
 public:
  JobPrinter(const Workload& w, Losses& losses) : w_(w), losses_(losses) {}

  std::string print(bool wait) {
    add_unsayable(w_,
                  {.mix = true,
                   .read_write = true,
                   .random_share = true,
                   .alignment = true,
                   .ramp = true,
                   .seed = true,
                   .area = true,
                   .base = true,
                   .open_rate = true,
                   .poisson = true,
                   .think = true,
                   .fsync = true,
                   .trim = true,
                   .data = true,
                   .verify = true,
                   .poll = true,
                   .hot_spots = true,
                   .skewed = true,
                   .once = true},
                  losses_);
    common();
    std::vector<WorkerGroup> groups = w_.groups;
    if (groups.empty()) {
      groups.push_back({w_.workers, w_.queue_depth_per_worker, {}});
      for (std::uint32_t i = 0; i < w_.targets.size(); ++i) groups.front().targets.push_back(i);
    }
    std::string out;
    for (std::size_t i = 0; i < groups.size(); ++i) {
      out += fmt::format("[{}{}]\n", section_name(), i == 0 ? "" : fmt::format("-{}", i + 1));
      if (wait && i == 0) out += "stonewall\n";
      out += options_ + group_text(groups[i]);
    }
    return out;
  }

 private:
  [[nodiscard]] std::string section_name() const {
    const bool good = !w_.name.empty() && !text::iequals(w_.name, "global") &&
                      std::none_of(w_.name.begin(), w_.name.end(), [](char c) {
                        return static_cast<unsigned char>(c) < 0x20 || c == ']' || c == '[' ||
                               c == ';' || c == '#';
                      });
    return good ? w_.name : "job";
  }

  void add(std::string_view key, std::string_view value) {
    options_ += fmt::format("{}={}\n", key, value);
  }

  void common() {
    order();
    blocks();
    add("ioengine", w_.poll ? "io_uring" : "libaio");
    if (w_.poll) options_ += "hipri\n";
    add("direct", w_.direct ? "1" : "0");
    options_ += "time_based\n";
    const auto runtime = time_word(w_.duration_s);
    const auto ramp = time_word(w_.ramp_s);
    losses_.add_if(!runtime || w_.duration_s == 0,
                   fmt::format("a time of {}", print_duration(w_.duration_s)));
    losses_.add_if(!ramp, fmt::format("a ramp-up of {}", print_duration(w_.ramp_s)));
    if (runtime) add("runtime", *runtime);
    if (w_.ramp_s != 0 && ramp) add("ramp_time", *ramp);
    losses_.add_if(w_.seed > most_bytes, fmt::format("the seed {}", w_.seed));
    if (w_.seed != 1 && w_.seed <= most_bytes) add("randseed", fmt::format("{}", w_.seed));
    if (w_.sync == Sync::write_through) add("sync", "dsync");
    if (w_.fsync_every != 0) add("fsync", fmt::format("{}", w_.fsync_every));
    if (w_.think_us != 0) {
      losses_.add_if(
          w_.think_us != std::floor(w_.think_us) || w_.think_us > 1e12 || w_.burst > 1'000'000'000,
          "think time in parts of a microsecond");
      add("thinktime", fmt::format("{}", static_cast<std::uint64_t>(std::min(w_.think_us, 1e12))));
      add("thinktime_blocks", fmt::format("{}", w_.burst));
    }
    rate();
    if (w_.verify) add("verify", "crc32c");
    if (w_.read_percent < 100) options_ += "refill_buffers\n";
    if (w_.compressible_percent != 0)
      add("buffer_compress_percentage", fmt::format("{}", w_.compressible_percent));
    if (w_.duplicate_percent != 0)
      add("dedupe_percentage", fmt::format("{}", w_.duplicate_percent));
  }

  [[nodiscard]] int random_share() const {
    if (!w_.mix.empty()) return w_.mix.front().random_percent;
    return w_.random_percent >= 0 ? w_.random_percent : w_.pattern == Pattern::random ? 100 : 0;
  }

  void order() {
    const bool trims = w_.trim_percent == 100 && w_.read_percent == 0;
    losses_.add_if(w_.trim_percent != 0 && !trims, "trims beside other requests");
    const int random = random_share();
    std::string rw = trims                    ? "trim"
                     : w_.read_percent == 100 ? "read"
                     : w_.read_percent == 0   ? "write"
                                              : "rw";
    if (random > 0) rw = "rand" + rw;
    const std::uint64_t block = w_.block_bytes.front();
    if (w_.stride_bytes != 0) {
      losses_.add_if(random > 0 || !w_.mix.empty() || w_.stride_bytes <= block,
                     fmt::format("a stride of {}", size_with_unit(w_.stride_bytes)));
      if (random == 0 && w_.stride_bytes > block) rw += ":" + size_word(w_.stride_bytes - block);
    }
    add("rw", rw);
    if (random > 0 && random < 100) add("percentage_random", fmt::format("{}", random));
    if (random == 0) return;
    if (w_.spread == Spread::uniform) options_ += "norandommap\n";
    losses_.add_if(w_.spread == Spread::once && std::any_of(w_.mix.begin(), w_.mix.end(),
                                                            [this](const MixLine& line) {
                                                              return line.block_bytes !=
                                                                     w_.mix.front().block_bytes;
                                                            }),
                   "each position once with several block sizes");
    if (w_.spread == Spread::zipf || w_.spread == Spread::pareto) {
      losses_.add_if(!text::to_decimal(fmt::format("{}", w_.skew)), "this skew");
      add("random_distribution", fmt::format("{}:{}", to_name(w_.spread), w_.skew));
    }
    if (w_.spread != Spread::hot_spots) return;
    std::string zones = "zoned";
    double accesses = 0;
    double area = 0;
    for (const HotSpot& spot : w_.hot_spots) {
      zones += fmt::format(":{}/{}", spot.access_percent, spot.area_percent);
      accesses += spot.access_percent;
      area += spot.area_percent;
      losses_.add_if(spot.access_percent != std::floor(spot.access_percent) ||
                         spot.area_percent != std::floor(spot.area_percent),
                     "hot spots in parts of a percent");
    }
    losses_.add_if(accesses != 100 || area != 100, "hot spots that do not sum to 100");
    add("random_distribution", zones);
  }

  void blocks() {
    if (w_.mix.empty()) {
      losses_.add_if(w_.block_bytes.front() == 0, "a block of 0 bytes");
      add("bs", size_word(w_.block_bytes.front()));
      if (w_.alignment_bytes != 0) add("blockalign", size_word(w_.alignment_bytes));
      if (w_.read_percent != 0 && w_.read_percent != 100)
        add("rwmixread", fmt::format("{}", w_.read_percent));
      return;
    }
    const std::vector<MixLine>& mix = w_.mix;
    const auto all = [&](auto&& same) { return std::all_of(mix.begin(), mix.end(), same); };
    losses_.add_if(
        !all([&](const MixLine& l) { return l.random_percent == mix[0].random_percent; }),
        "a random share for each line of a mix");
    losses_.add_if(!all([](const MixLine& l) {
      return l.percent == std::floor(l.percent) && l.percent > 0 && l.block_bytes > 0;
    }),
                   "shares of a mix in parts of a percent");
    double sum = 0;
    for (const MixLine& line : mix) sum += line.percent;
    losses_.add_if(sum != 100, "a mix that does not sum to 100 %");
    if (mix.size() == 2 && mix[0].read_percent == 100 && mix[1].read_percent == 0 &&
        mix[0].alignment_bytes == 0 && mix[1].alignment_bytes == 0 &&
        mix[0].block_bytes != mix[1].block_bytes) {
      add("bs", size_word(mix[0].block_bytes) + "," + size_word(mix[1].block_bytes));
      add("rwmixread", fmt::format("{}", mix[0].percent));
      return;
    }
    losses_.add_if(!all([&](const MixLine& l) { return l.read_percent == mix[0].read_percent; }),
                   "a read share for each line of a mix");
    std::uint64_t least = UINT64_MAX;
    std::string split;
    for (const MixLine& line : mix) {
      least = std::min(least, line.block_bytes);
      split += fmt::format("{}{}/{}", split.empty() ? "" : ":", size_word(line.block_bytes),
                           line.percent);
    }
    const auto alignment = [](const MixLine& l) {
      return l.alignment_bytes == 0 ? l.block_bytes : l.alignment_bytes;
    };
    losses_.add_if(!all([&](const MixLine& l) { return alignment(l) == alignment(mix[0]); }),
                   "an alignment for each line of a mix");
    add("bssplit", split);
    if (alignment(mix[0]) != least) add("blockalign", size_word(alignment(mix[0])));
    if (mix[0].read_percent != 0 && mix[0].read_percent != 100)
      add("rwmixread", fmt::format("{}", mix[0].read_percent));
  }

  void rate() {
    if (w_.arrivals == Arrivals::closed) return;
    const double each = w_.rate_iops / std::max(w_.workers, 1U);
    const bool whole =
        each >= 1 && each == std::floor(each) && each < 1e12 && each * w_.workers == w_.rate_iops;
    losses_.add_if(!whole,
                   fmt::format("{} requests a second over {} jobs", w_.rate_iops, w_.workers));
    if (whole) add("rate_iops", fmt::format("{}", static_cast<std::uint64_t>(each)));
    if (w_.arrivals == Arrivals::poisson) add("rate_process", "poisson");
  }

  std::string group_text(const WorkerGroup& group) {
    losses_.add_if(group.workers == 0 || group.workers > 1024,
                   fmt::format("{} jobs", group.workers));
    losses_.add_if(group.queue_depth == 0 || group.queue_depth > 16384,
                   fmt::format("a depth of {}", group.queue_depth));
    losses_.add_if(!w_.depth_over_targets && group.targets.size() > 1,
                   "a depth for each of several files");
    losses_.add_if(!w_.groups.empty() && group.targets.empty(), "a group without targets");
    std::string out = fmt::format("iodepth={}\nnumjobs={}\n", group.queue_depth, group.workers);
    std::string names;
    for (const std::uint32_t index : group.targets) {
      if (index >= w_.targets.size()) {
        losses_.add("a group whose target is not listed");
        continue;
      }
      const std::string& target = w_.targets[index];
      losses_.add_if(target.empty() || target != text::trim(target) ||
                         target.find_first_of("\n\r$\\;#") != std::string::npos,
                     fmt::format("the target {}", target));
      names += names.empty() ? "" : ":";
      for (const char c : target) names += c == ':' ? std::string("\\:") : std::string(1, c);
    }
    if (!names.empty()) out += "filename=" + names + "\n";
    return out + place(group) + "group_reporting\n";
  }

  std::string place(const WorkerGroup& group) {
    std::string out;
    if (w_.base_bytes != 0) out += fmt::format("offset={}\n", size_word(w_.base_bytes));
    std::uint64_t area = w_.area_bytes;
    const bool sequential_part = random_share() < 100;
    if (group.workers > 1 && sequential_part) {
      losses_.add_if(w_.cursor == SequentialCursor::shared, "one cursor for several jobs");
      if (w_.cursor == SequentialCursor::per_worker) {
        losses_.add_if(
            area == 0 || area % group.workers != 0 || random_share() > 0 || !w_.groups.empty(),
            "a region for each worker of an area that they do not divide");
        area /= group.workers;
        if (area != 0) out += fmt::format("offset_increment={}\n", size_word(area));
      } else if (w_.worker_offset_bytes != 0) {
        const std::uint64_t all = w_.worker_offset_bytes * (group.workers - 1);
        losses_.add_if((area != 0 && area <= all) || !w_.groups.empty() ||
                           area - std::min(all, area) == w_.worker_offset_bytes,
                       "an offset between jobs that leaves them no area");
        if (area > all) area -= all;
        out += fmt::format("offset_increment={}\n", size_word(w_.worker_offset_bytes));
      }
    } else if (sequential_part && !w_.groups.empty()) {
      losses_.add_if(w_.cursor != SequentialCursor::own || w_.worker_offset_bytes != 0,
                     "how jobs share their files");
    }
    if (area != 0) {
      const std::uint64_t files = std::max<std::size_t>(group.targets.size(), 1);
      losses_.add_if(area > most_bytes / files / 1024, "so large an area");
      out += fmt::format("size={}\n", size_word(area * files));
    }
    return out;
  }

  const Workload& w_;
  Losses& losses_;
  std::string options_;
};

Printed print(std::span<const Workload> workloads) {
  Printed printed;
  bool first = true;
  for (const Workload& workload : workloads) {
    Losses losses(workload, "fio", printed.losses);
    const Workload w = canonical(workload);
    if (!first) printed.text += "\n";
    printed.text += JobPrinter(w, losses).print(!first);
    first = false;
  }
  return printed;
}

}  // namespace

extern const Syntax syntax_fio;
const Syntax syntax_fio{
    .id = "fio",
    .summary = "a job file of fio 3: the options that describe I/O",
    .parse = parse,
    .print = print,
};

}  // namespace raidscope
