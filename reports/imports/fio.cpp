#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "probe/base/text.h"
#include "reports/import_format.h"
#include "reports/importing/echoed_words.h"
#include "reports/importing/fio_options.h"
#include "reports/importing/imported_run.h"
#include "reports/importing/result_text.h"

// fio's --output-format=json and json+. A group (jobs between two stonewalls) is one result. fio
// prints errors and its ETA into the same file, so what stands before and behind the document is
// passed over, and several documents may follow each other.
namespace raidscope {
namespace {

using namespace importing;
using Json = nlohmann::ordered_json;

struct Piece {
  std::string_view text;
  std::size_t line = 1;
};

/// The JSON documents of a file: each from a line that begins with "{" to the bracket that closes
/// it. `cut_at`: the line where one begins that never ends.
std::vector<Piece> documents_in(std::string_view text, std::size_t& cut_at) {
  std::vector<Piece> out;
  std::size_t line = 1;
  std::size_t at = 0;
  bool line_begins = true;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '{' && line_begins) {
      const std::size_t begin = at, begin_line = line;
      int depth = 0;
      bool quoted = false, closed = false;
      for (; at < text.size() && !closed; ++at) {
        const char d = text[at];
        if (d == '\n') ++line;
        if (quoted) {
          if (d == '\\') {
            ++at;
          } else if (d == '"') {
            quoted = false;
          }
        } else if (d == '"') {
          quoted = true;
        } else if (d == '{' || d == '[') {
          ++depth;
        } else if (d == '}' || d == ']') {
          closed = --depth == 0;
        }
      }
      if (!closed) {
        cut_at = begin_line;
        return out;
      }
      out.push_back({text.substr(begin, at - begin), begin_line});
      line_begins = false;
      continue;
    }
    if (c == '\n') {
      ++line;
      line_begins = true;
    } else if (c != ' ' && c != '\t' && c != '\r') {
      line_begins = false;
    }
    ++at;
  }
  return out;
}

const Json* member(const Json& in, const char* key) {
  if (!in.is_object()) return nullptr;
  const auto found = in.find(key);
  return found == in.end() ? nullptr : &*found;
}

std::optional<double> number(const Json& in, const char* key) {
  const Json* found = member(in, key);
  if (found == nullptr || !found->is_number()) return std::nullopt;
  const auto value = found->get<double>();
  return std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::string word(const Json& in, const char* key) {
  const Json* found = member(in, key);
  return found != nullptr && found->is_string() ? found->get<std::string>() : std::string();
}

/// Latencies of one direction of one job.
struct Latencies {
  std::optional<double> min, mean, stddev, max;  // microseconds, of submit to reap
  std::optional<double> submission_mean;
  std::map<double, double> percentiles;  // percent to microseconds
  bool percentiles_of_completion = false;
  BucketCounts bins;
  bool bins_of_completion = false;
};

struct Part {
  std::uint64_t ios = 0;
  double bytes = 0, seconds = 0;
  Latencies latency;
};

/// fio's kinds of latency: 3.x says "_ns", 2.x means microseconds without saying so.
struct Unit {
  const char *total, *completion, *submission;
  double to_us;
};
constexpr Unit nanoseconds{"lat_ns", "clat_ns", "slat_ns", 1e-3};
constexpr Unit microseconds{"lat", "clat", "slat", 1};

bool read_percentiles(const Json& latency, double to_us, Latencies& out) {
  const Json* table = member(latency, "percentile");
  if (table == nullptr || !table->is_object()) return false;
  for (const auto& [key, value] : table->items()) {
    const auto percent = number_of(key);
    if (percent && value.is_number()) out.percentiles[*percent] = value.get<double>() * to_us;
  }
  return !out.percentiles.empty();
}

bool read_bins(const Json& latency, Latencies& out) {
  const Json* bins = member(latency, "bins");
  if (bins == nullptr || !bins->is_object()) return false;
  for (const auto& [key, value] : bins->items()) {
    const auto ns = count_of(key);
    if (ns && value.is_number_unsigned()) out.bins.add(*ns, value.get<std::uint64_t>());
  }
  return out.bins.total() != 0;
}

Latencies read_latencies(const Json& direction) {
  Latencies out;
  const bool ns = member(direction, "lat_ns") != nullptr || member(direction, "clat_ns") != nullptr;
  const Unit& unit = ns ? nanoseconds : microseconds;
  const Json* total = member(direction, unit.total);
  const Json* completion = member(direction, unit.completion);
  const Json* submission = member(direction, unit.submission);
  const auto in_us = [&](const Json* from, const char* key) -> std::optional<double> {
    const auto value = from == nullptr ? std::nullopt : number(*from, key);
    if (!value) return std::nullopt;
    return *value * unit.to_us;
  };
  const bool has_total = in_us(total, "mean").value_or(0) > 0;
  const Json* main = has_total ? total : completion;
  out.min = in_us(main, "min");
  out.mean = in_us(main, "mean");
  out.stddev = in_us(main, "stddev");
  out.max = in_us(main, "max");
  out.submission_mean = in_us(submission, "mean");
  if (total == nullptr || !read_percentiles(*total, unit.to_us, out)) {
    out.percentiles_of_completion =
        completion != nullptr && read_percentiles(*completion, unit.to_us, out);
  }
  // Bins of 2.x are numbers of places and not times.
  if (ns && (total == nullptr || !read_bins(*total, out)))
    out.bins_of_completion = completion != nullptr && read_bins(*completion, out);
  return out;
}

Result<Part> read_part(const Json& direction, const FioOptions& options, std::string_view where) {
  Part out;
  const auto ios = number(direction, "total_ios");
  const auto runtime = number(direction, "runtime");
  const auto count = ios ? whole_of(*ios) : std::nullopt;
  if (!count || !runtime || *runtime < 0) {
    return fail(Errc::malformed, "expected total_ios and runtime in a direction of a job",
                std::string(where));
  }
  out.ios = *count;
  out.seconds = *runtime / 1000;
  const bool counts_bytes =
      member(direction, "bw_bytes") != nullptr || member(direction, "io_kbytes") != nullptr;
  if (const auto bytes = number(direction, "io_bytes"))
    out.bytes = *bytes * (counts_bytes ? 1 : 1024);
  // 2.x tells KiB, rounded down; with one block size its own count of I/Os is exact.
  if (!counts_bytes && options.block_bytes)
    out.bytes = *ios * static_cast<double>(*options.block_bytes);
  out.latency = read_latencies(direction);
  return out;
}

std::optional<double> percentile_at(const std::map<double, double>& table, double percent) {
  for (const auto& [key, value] : table) {
    if (std::abs(key - percent) < 1e-6) return value;
  }
  return std::nullopt;
}

/// The entries of one job name. fio does not print group_reporting: with it one entry stands for
/// all of numjobs, without it each has its own.
struct Section {
  std::uint32_t entries = 0, numjobs = 1, depth = 1;
  [[nodiscard]] std::uint32_t workers() const { return entries == 1 ? numjobs : entries; }
};

/// Jobs that ran together.
struct Group {
  std::string name;
  std::size_t jobs = 0;
  FioOptions options;
  Json first_options = Json::object();
  std::vector<Part> reads, writes;
  int error = 0;
  bool mixed_only = false;
  std::optional<double> started_ms;
  std::map<std::string, Section> sections;
  std::vector<std::string> targets;
  std::optional<bool> same_depth;
};

DirectionResult added_up(const std::vector<Part>& parts, BucketCounts& all) {
  DirectionResult out;
  double weighted = 0, weight = 0;
  bool every_mean = true;
  LatencySummary& l = out.latency_us;
  const Part* only = nullptr;
  std::size_t working = 0;
  BucketCounts bins;
  for (const Part& part : parts) {
    if (part.ios == 0) continue;
    ++working;
    only = &part;
    out.ios = *out.ios + part.ios;
    if (part.seconds > 0) {
      out.iops += static_cast<double>(part.ios) / part.seconds;
      out.bytes_per_s += part.bytes / part.seconds;
    }
    const Latencies& x = part.latency;
    if (x.mean) {
      weighted += *x.mean * static_cast<double>(part.ios);
      weight += static_cast<double>(part.ios);
    } else {
      every_mean = false;
    }
    if (x.min) l.min = std::min(l.min.value_or(*x.min), *x.min);
    if (x.max) l.max = std::max(l.max.value_or(*x.max), *x.max);
    bins.merge(x.bins);
  }
  if (working == 0) return out;
  if (every_mean && weight > 0) l.mean = weighted / weight;
  const bool one = working == 1;
  if (one) l.stddev = only->latency.stddev;
  if (one && !only->latency.percentiles.empty()) {
    const auto at = [&](double p) { return percentile_at(only->latency.percentiles, p); };
    l.p50 = at(50);
    l.p90 = at(90);
    l.p95 = at(95);
    l.p99 = at(99);
    l.p99_9 = at(99.9);
    l.p99_99 = at(99.99);
  } else if (bins.total() == *out.ios) {
    bins.fill_percentiles(l);
  }
  all.merge(bins);
  return out;
}

class Reader {
 public:
  Reader(const Json& document, std::string_view name, std::size_t line)
      : document_(document), where_(fmt::format("{}:{}", name, line)), line_(line) {}

  Result<ImportedFile> read() {
    version_ = word(document_, "fio version");
    const Json* jobs = member(document_, "jobs");
    if (jobs == nullptr || !jobs->is_array()) {
      if (member(document_, "client_stats") != nullptr) jobs = member(document_, "client_stats");
      if (jobs == nullptr || !jobs->is_array())
        return fail(Errc::malformed, "expected \"jobs\" in fio's document", where_);
    }
    if (const Json* global = member(document_, "global options"); global != nullptr)
      global_ = *global;
    for (const Json& job : *jobs) RAIDSCOPE_CHECK(take(job));
    for (auto& [id, group] : groups_) RAIDSCOPE_CHECK(finish(group));
    return std::move(out_);
  }

 private:
  Status take(const Json& job) {
    const std::string name = word(job, "jobname");
    if (name == "All clients") return Done{};  // the sum of what stands before it
    const std::string where = fmt::format("{}, job \"{}\"", where_, name);
    const auto id = number(job, "groupid");
    const Json* read = member(job, "read");
    const Json* write = member(job, "write");
    const bool mixed = member(job, "mixed") != nullptr;
    if (!read && !write && !mixed)
      return fail(Errc::malformed, "expected \"read\" and \"write\" in a job", where);
    Group& group = groups_[id.value_or(0)];
    Json options = global_.is_object() ? global_ : Json::object();
    if (const Json* own = member(job, "job options"); own != nullptr && own->is_object()) {
      for (const auto& [key, value] : own->items()) options[key] = value;
    }
    const FioOptions one = fio_options(options_map(options));
    const bool first = group.jobs == 0;
    if (first) {
      group.name = name;
      group.options = one;
      group.first_options = options;
    }
    ++group.jobs;
    group.mixed_only = group.mixed_only || (mixed && (read == nullptr || write == nullptr));
    group.error = std::max(
        group.error, static_cast<int>(std::clamp(number(job, "error").value_or(0), -1e9, 1e9)));
    if (const auto start = number(job, "job_start"); start && *start > 0)
      group.started_ms = std::min(group.started_ms.value_or(*start), *start);
    Section& section = group.sections[name];
    ++section.entries;
    section.numjobs = one.numjobs;
    section.depth = one.depth;
    for (const std::string& target : one.targets) {
      if (std::find(group.targets.begin(), group.targets.end(), target) == group.targets.end())
        group.targets.push_back(target);
    }
    if (one.depth != group.options.depth) group.same_depth = false;
    if (read != nullptr) {
      RAIDSCOPE_TRY(Part part, read_part(*read, one, where));
      group.reads.push_back(std::move(part));
    }
    if (write != nullptr) {
      RAIDSCOPE_TRY(Part part, read_part(*write, one, where));
      group.writes.push_back(std::move(part));
    }
    return Done{};
  }

  static std::map<std::string, std::string> options_map(const Json& options) {
    std::map<std::string, std::string> out;
    for (const auto& [key, value] : options.items())
      out[key] = value.is_string() ? value.get<std::string>() : value.dump();
    return out;
  }

  Status finish(Group& group) {
    if (group.mixed_only) {
      return fail(Errc::malformed,
                  "this run has unified_rw_reporting, which does not tell reads from writes",
                  fmt::format("{}, job \"{}\"", where_, group.name),
                  "run it with unified_rw_reporting=none or both");
    }
    RunResult run = blank_run("fio", version_);
    BucketCounts all;
    run.read = added_up(group.reads, all);
    run.write = added_up(group.writes, all);
    if (run.read.ios == 0U && run.write.ios == 0U) {
      out_.notes.push_back({static_cast<std::uint32_t>(line_),
                            fmt::format("group \"{}\" left out: it did no I/O (error {})",
                                        group.name, group.error)});
      return Done{};
    }
    run.iops = run.read.iops + run.write.iops;
    run.bytes_per_s = run.read.bytes_per_s + run.write.bytes_per_s;
    add_workload(group, run);
    add_latency(group, all, run);
    if (group.error != 0) {
      run.checks.valid = false;
      run.checks.suspicions.push_back(fmt::format("fio ended with error {}", group.error));
    }
    apply_littles_law(run, run.latency_us.mean);
    look_at_disks(run);
    if (group.started_ms) run.started_at = utc_of(*group.started_ms);
    if (groups_.size() == 1) {
      if (const auto end = number(document_, "timestamp_ms"); end && *end > 0)
        run.ended_at = utc_of(*end);
    }
    run.workload.name = group.name;
    run.name = group.name;
    finish_run(run);
    out_.runs.push_back(std::move(run));
    return Done{};
  }

  void add_workload(const Group& group, RunResult& run) {
    Workload& w = run.workload;
    w = group.options.workload;
    w.targets = group.targets;
    w.workers = 0;
    w.outstanding_total = 0;
    for (const auto& [section_name, section] : group.sections) {
      w.workers += section.workers();
      w.outstanding_total += std::uint64_t{section.workers()} * section.depth;
    }
    w.queue_depth_per_worker = group.options.depth;
    w.depth_over_targets = group.targets.size() > 1;
    double seconds = 0;
    for (const auto* parts : {&group.reads, &group.writes}) {
      for (const Part& part : *parts) seconds = std::max(seconds, part.seconds);
    }
    w.duration_s = seconds;
    if (group.same_depth == false)
      w.warnings.emplace_back(
          "the jobs of this group have different depths; outstanding is their sum");
    for (const std::string& warning : group.options.warnings) w.warnings.push_back(warning);
    std::string source;
    for (const auto& [key, value] : group.first_options.items())
      source += fmt::format("{}{}={}", source.empty() ? "" : " ", key,
                            value.is_string() ? value.get<std::string>() : value.dump());
    w.source = fmt::format("fio [{}] {}", group.name, source);
    if (group.jobs > 1) w.source += fmt::format(" (and {} more jobs of the group)", group.jobs - 1);
    complete(group, w);
    run.engine.direct = w.direct;
    run.engine.direct_proof = w.direct ? "direct=1 was given; fio's word, not proven here"
                                       : "direct=1 was not given, and fio's default is buffered";
    run.engine.details = group.options.engine;
    if (group.first_options.empty())
      w.warnings.emplace_back(
          "the file does not hold the job's options: the workload is unknown "
          "but for its results, and fio's defaults stand in its place");
  }

  /// What the options say beyond the few that are read above, by the syntax of job files.
  static void complete(const Group& group, Workload& w) {
    if (group.first_options.empty() || group.sections.size() != 1) return;
    std::string job = "[job]\n";
    for (const auto& [key, value] : group.first_options.items()) {
      if (key == "name") continue;
      const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
      job += text.empty() ? key + "\n" : fmt::format("{}={}\n", key, text);
    }
    if (!complete_by_words("fio", job, {.shape = false}, w)) return;
    // Nothing of these is in the source alone any more.
    const auto told = [&](const std::string& warning) {
      return (!w.mix.empty() && warning.starts_with("the block sizes of this job differ")) ||
             (w.spread == Spread::hot_spots && warning.starts_with("random_distribution=")) ||
             (w.rate_iops > 0 && warning.starts_with("rate="));
    };
    std::erase_if(w.warnings, told);
  }

  static void add_latency(const Group& group, const BucketCounts& all, RunResult& run) {
    const bool both = run.read.ios != 0U && run.write.ios != 0U;
    LatencySummary& l = run.latency_us;
    if (!both) {
      l = run.read.ios != 0U ? run.read.latency_us : run.write.latency_us;
    } else {
      const LatencySummary &r = run.read.latency_us, &w = run.write.latency_us;
      l.mean = mean_of_both(run.read, run.write);
      if (r.min && w.min) l.min = std::min(*r.min, *w.min);
      if (r.max && w.max) l.max = std::max(*r.max, *w.max);
    }
    const std::uint64_t ios = *run.read.ios + *run.write.ios;
    std::vector<std::string>& notes = run.workload.warnings;
    bool of_completion = false, bins_of_completion = false;
    double submission = 0;
    for (const auto* parts : {&group.reads, &group.writes}) {
      for (const Part& part : *parts) {
        if (part.ios == 0) continue;
        of_completion = of_completion || part.latency.percentiles_of_completion;
        bins_of_completion = bins_of_completion || part.latency.bins_of_completion;
        submission = std::max(submission, part.latency.submission_mean.value_or(0));
      }
    }
    if (all.total() == ios) {
      run.histogram = all.buckets();
      if (both) all.fill_percentiles(l);
      notes.emplace_back(
          "the histogram is fio's own (JSON+), place by place: a latency read from it is at most "
          "1/64 (1.6 %) high and never low; fio prints the middle of a place, at most 1/128 (0.8 "
          "%) "
          "off either way");
    } else if (all.total() != 0) {
      notes.push_back(fmt::format("fio's histogram holds {} of {} I/Os, so it was not taken",
                                  all.total(), ios));
    }
    if ((of_completion || (both && bins_of_completion)) && submission > 0) {
      notes.push_back(fmt::format(
          "percentiles are of fio's completion latency: its time to submit, {:.2f} µs on average, "
          "is in the mean and not in them (lat_percentiles=1 has both)",
          submission));
    }
    if (l.mean && !l.p50)
      notes.emplace_back("percentiles are unknown: fio told none that hold for the whole group");
  }

  /// fio's counters of the disks below, held against what it asked for.
  void look_at_disks(RunResult& run) {
    const Json* disks = member(document_, "disk_util");
    if (disks == nullptr || !disks->is_array()) return;
    double ios = 0;
    bool any = false;
    for (const Json& disk : *disks) {
      const std::string name = word(disk, "name");
      if (name.empty()) continue;
      run.target.device_chain.push_back("/dev/" + name);
      ios += number(disk, "read_ios").value_or(0) + number(disk, "write_ios").value_or(0);
      any = true;
    }
    const double asked = static_cast<double>(*run.read.ios + *run.write.ios);
    if (any && groups_.size() == 1 && asked >= 100 && ios < 0.5 * asked) {
      run.checks.suspicions.push_back(
          fmt::format("fio's counters of the disk (disk_util) show {:.0f} I/Os for {:.0f} asked: "
                      "the page cache "
                      "or merging served the rest",
                      ios, asked));
    }
  }

  const Json& document_;
  std::string where_;
  std::size_t line_;
  std::string version_;
  Json global_ = Json::object();
  std::map<double, Group> groups_;
  ImportedFile out_;
};

bool recognises(std::string_view text) {
  return text.find("\"fio version\"") != std::string_view::npos;
}

Result<ImportedFile> parse(std::string_view text, std::string_view name) {
  std::size_t cut_at = 0;
  const std::vector<Piece> pieces = documents_in(text, cut_at);
  if (cut_at != 0) {
    return malformed(
        name, lines_of(text).size(),
        fmt::format("the JSON document that begins at line {} is cut off: expected its "
                    "closing brackets",
                    cut_at),
        "take the result anew, or look whether the disk was full");
  }
  ImportedFile out;
  for (const Piece& piece : pieces) {
    Json document;
    try {
      document = Json::parse(piece.text);
    } catch (const nlohmann::json::parse_error& problem) {
      const auto offset = std::min(problem.byte, piece.text.size());
      const auto lines = static_cast<std::size_t>(std::count(
          piece.text.begin(), piece.text.begin() + static_cast<std::ptrdiff_t>(offset), '\n'));
      return malformed(name, piece.line + lines,
                       "expected JSON; fio writes its errors into the same file",
                       "remove what is no JSON there, or run fio with --output=FILE");
    } catch (const nlohmann::json::exception& problem) {
      return malformed(name, piece.line, fmt::format("expected JSON: {}", problem.what()));
    }
    if (member(document, "fio version") == nullptr) continue;
    try {
      RAIDSCOPE_TRY(ImportedFile one, Reader(document, name, piece.line).read());
      std::move(one.runs.begin(), one.runs.end(), std::back_inserter(out.runs));
      out.notes.insert(out.notes.end(), one.notes.begin(), one.notes.end());
    } catch (const nlohmann::json::exception& problem) {
      return malformed(name, piece.line, fmt::format("expected fio's fields: {}", problem.what()));
    }
  }
  if (out.runs.empty()) {
    return malformed(name, out.notes.empty() ? 1 : out.notes.front().line,
                     out.notes.empty() ? "expected a whole document of fio with at least one job"
                                       : out.notes.front().text);
  }
  return out;
}

}  // namespace

extern const ImportFormat import_format_fio;
const ImportFormat import_format_fio{"fio", "fio's JSON and JSON+", recognises, parse};

}  // namespace raidscope
