#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "reports/import_format.h"
#include "reports/importing/echoed_words.h"
#include "reports/importing/imported_run.h"
#include "reports/importing/result_text.h"
#include "workloads/derived.h"

// The text that SQLIO 1.5 prints: any number of runs one after another, each from "sqlio v" to its
// histogram, with whatever a batch file printed between them.
namespace raidscope {
namespace {

using namespace importing;

/// The command in a line that a batch file or a shell echoed, or nothing: the program's name
/// followed by an option, behind a prompt or a path.
std::string_view echoed_command(std::string_view line) {
  line = strip(line);
  for (std::size_t at = 0; at + 5 <= line.size(); ++at) {
    if (!text::iequals(line.substr(at, 5), "sqlio")) continue;
    std::string_view rest = line.substr(at + 5);
    if (starts_with_word(rest, ".exe")) rest.remove_prefix(4);
    if (rest.starts_with('"')) rest.remove_prefix(1);
    if (!rest.starts_with(' ') && !rest.starts_with('\t')) continue;
    if (!strip(rest).starts_with('-')) continue;
    const std::size_t prompt = line.substr(0, at).rfind('>');
    return strip(prompt == std::string_view::npos ? line : line.substr(prompt + 1));
  }
  return {};
}

struct Draft {
  std::size_t line = 0;  ///< of "sqlio v"
  std::string version, command;
  std::vector<std::string> context;  ///< ComputerName and Date lines
  std::uint64_t threads = 0, seconds = 0, block = 0, stride = 0, depth = 0;
  bool reads = true, random = false, shape_told = false, latency_asked = false;
  std::string files_text;
  std::vector<std::pair<std::string, std::uint64_t>> pools;  ///< file, threads: of -F
  std::vector<std::pair<std::string, double>> sizes;         ///< file, MiB
  std::string buffering;
  std::optional<double> iops, mib;
  std::optional<double> min_ms, avg_ms, max_ms;
  std::string iops_text, mib_text, histogram;
  std::vector<std::string> init_latency;
  bool histogram_whole = false;
};

std::optional<std::uint64_t> leading_count(std::string_view line) {
  return count_of(line.substr(0, line.find(' ')));
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<ImportedFile> read() {
    for (const Line& line : lines_of(text_)) RAIDSCOPE_CHECK(take(line));
    RAIDSCOPE_CHECK(close());
    if (out_.runs.empty()) {
      return malformed(name_, std::max<std::size_t>(last_begin_, 1),
                       "no run of this file was finished: expected \"IOs/sec:\" and what follows");
    }
    return std::move(out_);
  }

 private:
  Status take(const Line& line) {
    const std::string_view t = strip(line.text);
    if (const std::string_view command = echoed_command(t); !command.empty()) {
      RAIDSCOPE_CHECK(close());
      command_ = command;
      return Done{};
    }
    if (starts_with_word(t, "sqlio v")) {
      RAIDSCOPE_CHECK(close());
      draft_.emplace();
      draft_->line = last_begin_ = line.number;
      draft_->version = strip(t.substr(6));
      draft_->command = std::move(command_);
      draft_->context = context_;
      command_.clear();
      return Done{};
    }
    if (starts_with_word(t, "ComputerName:") || starts_with_word(t, "Date:")) {
      const std::string_view key = t.substr(0, t.find(':'));
      std::erase_if(context_, [&](const std::string& c) { return starts_with_word(c, key); });
      context_.emplace_back(t);
      return Done{};
    }
    if (!draft_) return Done{};
    return in_run(line, t);
  }

  Status in_run(const Line& line, std::string_view t) {
    Draft& d = *draft_;
    if (starts_with_word(t, "using system counter for latency") ||
        starts_with_word(t, "using processor cycle counter for latency")) {
      d.latency_asked = true;
    } else if (starts_with_word(t, "file ") && text::contains(t, " with ")) {
      return pool(line, t);
    } else if (text::contains(t, "reading for") || text::contains(t, "writing for")) {
      return load(line, t);
    } else if (starts_with_word(t, "using ") && text::contains(t, "KB ") &&
               text::contains(t, " IOs")) {
      return shape(line, t);
    } else if (starts_with_word(t, "enabling multiple I/Os per thread")) {
      const auto depth =
          words_of(t.substr(t.find(" with ") == t.npos ? t.size() : t.find(" with ")));
      const auto value = depth.size() > 1 ? count_of(depth[1]) : std::nullopt;
      if (!value || *value == 0 || *value > 1'000'000)
        return malformed(name_, line.number, "expected \"… with N outstanding\"");
      d.depth = *value;
    } else if (starts_with_word(t, "buffering set to ")) {
      d.buffering = t.substr(17);
    } else if (starts_with_word(t, "using specified size:") ||
               starts_with_word(t, "using current size:")) {
      const auto words = words_of(t.substr(t.find(':') + 1));
      const std::size_t file = t.find("for file:");
      const auto mib = words.empty() ? std::nullopt : number_of(words[0]);
      if (!mib || *mib < 0 || file == t.npos)
        return malformed(name_, line.number, "expected \"… size: N MB for file: NAME\"");
      d.sizes.emplace_back(strip(t.substr(file + 9)), *mib);
    } else if (t.find(':') != t.npos) {
      return metric(line, t);
    }
    return Done{};
  }

  Status pool(const Line& line, std::string_view t) {
    const std::size_t with = t.rfind(" with ");
    const auto words = words_of(t.substr(with + 6));
    const auto threads = words.empty() ? std::nullopt : count_of(words[0]);
    if (!threads || *threads == 0 || *threads > 100'000)
      return malformed(name_, line.number, "expected \"file NAME with N threads (…)\"");
    draft_->pools.emplace_back(strip(t.substr(5, with - 5)), *threads);
    return Done{};
  }

  Status load(const Line& line, std::string_view t) {
    Draft& d = *draft_;
    const auto words = words_of(t);
    const auto threads = leading_count(t);
    const auto seconds = words.size() > 4 ? count_of(words[4]) : std::nullopt;
    if (words.size() < 8 || !threads || *threads == 0 || *threads > 100'000 || !seconds) {
      return malformed(name_, line.number,
                       "expected \"N threads reading|writing for S secs from|to file(s) NAME\"");
    }
    d.threads = *threads;
    d.seconds = *seconds;
    d.reads = text::iequals(words[2], "reading");
    const std::string_view file = words[7];
    d.files_text = strip(t.substr(static_cast<std::size_t>(file.data() - t.data()) + file.size()));
    // The word itself is "file" or "files"; a name without it would be the name.
    if (!starts_with_word(file, "file")) d.files_text = std::string(file) + " " + d.files_text;
    return Done{};
  }

  Status shape(const Line& line, std::string_view t) {
    Draft& d = *draft_;
    const auto words = words_of(t);
    const auto kib = count_of(words[1].substr(0, words[1].find("KB")));
    if (!kib || *kib == 0 || *kib > 1U << 20U)
      return malformed(name_, line.number, "expected \"using N KB … IOs\"");
    d.block = *kib * 1024;
    d.random = words.size() > 2 && text::iequals(words[2], "random");
    d.shape_told = d.random || (words.size() > 2 && text::iequals(words[2], "sequential"));
    // "using 2KB IOs over 128KB stripes with 64 IOs per run"
    if (const std::size_t over = t.find(" over "); !d.shape_told && over != t.npos) {
      const std::string_view rest = strip(t.substr(over + 6));
      if (const auto stripe = count_of(rest.substr(0, rest.find("KB")))) {
        d.stride = *stripe * 1024;
        d.shape_told = true;
      }
    }
    return Done{};
  }

  Status metric(const Line& line, std::string_view t) {
    Draft& d = *draft_;
    const std::size_t colon = t.find(':');
    const std::string_view key = t.substr(0, colon);
    const std::string_view value = strip(t.substr(colon + 1));
    const auto into = [&](std::optional<double>& field) -> Status {
      // A file that ends inside a number has another number.
      if (!line.whole) return Done{};
      field = number_of(value);
      if (!field || *field < 0)
        return malformed(name_, line.number, fmt::format("expected a number behind \"{}:\"", key));
      return Done{};
    };
    if (key == "IOs/sec") {
      d.iops_text = value;
      return into(d.iops);
    }
    if (key == "MBs/sec") {
      d.mib_text = value;
      return into(d.mib);
    }
    if (key == "Min_Latency(ms)") return into(d.min_ms);
    if (key == "Avg_Latency(ms)") return into(d.avg_ms);
    if (key == "Max_Latency(ms)") return into(d.max_ms);
    if (text::contains(key, "_Init_Latency(us)")) d.init_latency.emplace_back(t);
    if (key == "ms") d.histogram = fmt::format("ms: {}", text::collapse_blanks(value));
    if (key == "%" && !d.histogram.empty()) {
      const auto cells = words_of(value);
      for (const std::string_view cell : cells) {
        if (!count_of(cell))
          return malformed(name_, line.number, "expected whole percentages behind \"%:\"");
      }
      d.histogram += fmt::format("; %: {}", text::collapse_blanks(value));
      d.histogram_whole =
          cells.size() == words_of(d.histogram.substr(3, d.histogram.find(';') - 3)).size();
    }
    return Done{};
  }

  /// Ends the run that is being read: stores it, or says why not.
  Status close() {
    if (!draft_) return Done{};
    const Draft d = std::move(*draft_);
    draft_.reset();
    const auto left_out = [&](std::string why) {
      out_.notes.push_back({static_cast<std::uint32_t>(d.line), "run left out: " + std::move(why)});
    };
    if (!d.iops || !d.mib) {
      left_out("it was not finished (no \"IOs/sec:\" and \"MBs/sec:\")");
      return Done{};
    }
    if (d.latency_asked && !d.histogram_whole) {
      left_out("it is cut off (latency was asked for with -L and its histogram is missing)");
      return Done{};
    }
    if (d.threads == 0 || d.block == 0) {
      return malformed(name_, d.line,
                       "expected \"… threads reading|writing for … secs\" and \"using …KB … IOs\" "
                       "in this run");
    }
    out_.runs.push_back(made(d));
    return Done{};
  }

  static void add_targets(const Draft& d, Workload& w) {
    if (!d.pools.empty()) {
      for (const auto& [file, threads] : d.pools) w.targets.push_back(file);
    } else {
      // Names may hold blanks; the lines about sizes have one name each.
      std::string rest = d.files_text;
      for (const auto& [file, mib] : d.sizes) {
        if (!rest.starts_with(file)) break;
        w.targets.push_back(file);
        rest = strip(std::string_view(rest).substr(file.size()));
      }
      if (!rest.empty()) {
        w.targets.clear();
        for (const std::string_view word : words_of(d.files_text)) w.targets.emplace_back(word);
      }
    }
    if (w.targets.empty()) w.targets.push_back(d.files_text);
  }

  static void add_load(const Draft& d, Workload& w) {
    w.workers = static_cast<std::uint32_t>(d.threads);
    w.queue_depth_per_worker = static_cast<std::uint32_t>(std::max<std::uint64_t>(d.depth, 1));
    w.depth_over_targets = d.depth == 0 && w.targets.size() > 1;
    if (d.pools.empty()) return;
    std::uint64_t workers = 0;
    for (std::size_t i = 0; i < d.pools.size(); ++i) {
      workers += d.pools[i].second;
      w.groups.push_back({static_cast<std::uint32_t>(d.pools[i].second),
                          w.queue_depth_per_worker,
                          {static_cast<std::uint32_t>(i)}});
    }
    w.workers = static_cast<std::uint32_t>(workers);
    w.depth_over_targets = false;
    if (d.pools.size() == 1) w.groups.clear();
  }

  static std::string words_as_printed(const Draft& d) {
    std::string out = d.command;
    if (out.empty()) {
      out = fmt::format("(command not in the file) {} threads {} for {} secs, file(s) {}, {}",
                        d.threads, d.reads ? "reading" : "writing", d.seconds, d.files_text,
                        d.depth == 0 ? "no -o" : fmt::format("-o{}", d.depth));
    }
    for (const std::string& line : d.context) out += " | " + line;
    out += fmt::format(" | IOs/sec: {} | MBs/sec: {}", d.iops_text, d.mib_text);
    for (const std::string& line : d.init_latency) out += " | " + line;
    if (d.min_ms && d.avg_ms && d.max_ms)
      out += fmt::format(" | Min_Latency(ms): {:g} | Avg_Latency(ms): {:g} | Max_Latency(ms): {:g}",
                         *d.min_ms, *d.avg_ms, *d.max_ms);
    if (!d.histogram.empty()) out += " | " + d.histogram;
    return out;
  }

  static RunResult made(const Draft& d) {
    RunResult run = blank_run("sqlio", d.version);
    Workload& w = run.workload;
    add_targets(d, w);
    add_load(d, w);
    w.pattern = d.random ? Pattern::random : Pattern::sequential;
    w.cursor = SequentialCursor::shared;
    w.block_bytes = {d.block};
    w.alignment_bytes = d.block;
    w.stride_bytes = d.stride == d.block ? 0 : d.stride;
    w.read_percent = d.reads ? 100 : 0;
    w.duration_s = static_cast<double>(d.seconds);
    w.source = words_as_printed(d);
    w.outstanding_total = outstanding(w);
    const bool by_words =
        !d.command.empty() && complete_by_words("sqlio", d.command, {.shape = d.shape_told}, w);
    add_buffering(d, run);
    w.warnings.emplace_back("SQLIO has no warm-up: the cold start is inside the number");
    if (!d.reads)
      w.warnings.emplace_back(
          "SQLIO writes zeros: a device that compresses or detects them is "
          "flattered, so a run with other data differs");
    if (!d.shape_told && !by_words)
      w.warnings.emplace_back(
          "SQLIO's line about the pattern was not understood: taken as "
          "sequential");

    double smallest_mib = 0;
    for (const auto& [file, mib] : d.sizes) {
      if (file == w.targets.front()) run.target.size_bytes = whole_of(mib * 1048576);
      smallest_mib = smallest_mib == 0 ? mib : std::min(smallest_mib, mib);
    }
    // Strides touch rows × stripe and no more, and the rows are not printed.
    if (w.stride_bytes == 0 && d.shape_told)
      w.area_bytes = whole_of(smallest_mib * 1048576).value_or(0);

    run.iops = *d.iops;
    run.bytes_per_s = *d.iops * static_cast<double>(d.block);
    DirectionResult& part = d.reads ? run.read : run.write;
    part.ios.reset();
    part.iops = run.iops;
    part.bytes_per_s = run.bytes_per_s;
    add_latency(d, run);
    part.latency_us = run.latency_us;
    const double expected_mib = run.bytes_per_s / 1048576;
    if (std::abs(expected_mib - *d.mib) > 0.011 + expected_mib * 1e-4) {
      run.checks.valid = false;
      run.checks.suspicions.push_back(
          fmt::format("SQLIO printed {} MB/s, and {} I/Os of {} KiB a second are {:.2f} MiB/s: the "
                      "text was changed or does not belong together",
                      d.mib_text, d.iops_text, d.block / 1024, expected_mib));
    }
    finish_run(run);
    return run;
  }

  static void add_buffering(const Draft& d, RunResult& run) {
    Workload& w = run.workload;
    std::string_view said = d.buffering;
    const std::string lower_command = [&] {
      std::string out = d.command;
      std::transform(out.begin(), out.end(), out.begin(), [](char c) { return text::to_lower(c); });
      return out;
    }();
    char letter = 'n';  // the default: neither file cache nor, on writes, drive cache
    if (const std::size_t at = lower_command.find(" -b"); at != std::string::npos) {
      for (std::size_t b = at; b != std::string::npos; b = lower_command.find(" -b", b + 1)) {
        const char next = b + 3 < d.command.size() ? d.command[b + 3] : ' ';
        if (d.command[b + 2] == 'B') letter = text::to_lower(next);
      }
    }
    if (text::contains(said, "hardware disk cache (but not file cache)")) letter = 'h';
    w.direct = letter == 'n' || letter == 'h';
    w.sync = letter == 'n' || letter == 's' ? Sync::write_through : Sync::none;
    run.engine.direct = w.direct;
    run.engine.direct_proof = fmt::format(
        "{}; SQLIO's word, not proven here",
        !said.empty()                      ? "\"buffering set to " + std::string(said) + "\""
        : letter != 'n'                    ? fmt::format("-B{} was given", letter)
        : text::contains(d.command, "-BN") ? "-BN was given"
                                           : "no -B was given, and -BN is SQLIO's default");
  }

  static void add_latency(const Draft& d, RunResult& run) {
    const auto outstanding = static_cast<double>(run.workload.outstanding_total);
    if (d.iops.value_or(0) <= 0) return;
    const double law_ms = outstanding / *d.iops * 1000;
    run.latency_us.mean = law_ms * 1000;
    std::string note = fmt::format(
        "mean latency {:.3g} ms is recomputed by Little's law ({} outstanding ÷ {} IOs/sec)",
        law_ms, run.workload.outstanding_total, d.iops_text);
    if (d.avg_ms) {
      note += fmt::format(
          "; SQLIO printed an Avg_Latency of {:g} ms, which it truncates twice "
          "(it reads 0.6 to 1.6 ms low)",
          *d.avg_ms);
      const double pct = (*d.avg_ms / law_ms - 1) * 100;
      run.checks.littles_law_pct = pct;
      if (*d.avg_ms > law_ms + 0.05 * law_ms || *d.avg_ms + 2 < 0.95 * law_ms) {
        run.checks.suspicions.push_back(fmt::format(
            "Little's law: {} outstanding at {} IOs/sec must take {:.2f} ms on average, "
            "and SQLIO printed {:g} ms, which truncation alone does not explain",
            run.workload.outstanding_total, d.iops_text, law_ms, *d.avg_ms));
      }
    }
    run.workload.warnings.push_back(std::move(note));
    if (d.min_ms && *d.min_ms > 0) run.latency_us.min = *d.min_ms * 1000;
    if (d.max_ms) {
      run.latency_us.max = *d.max_ms * 1000;
      run.workload.warnings.emplace_back(
          "SQLIO tells the least and the greatest latency in whole ms, cut; percentiles are "
          "unknown, "
          "because its histogram has steps of 1 ms in whole percent");
    }
  }

  std::string_view text_, name_;
  ImportedFile out_;
  std::optional<Draft> draft_;
  std::string command_;
  std::vector<std::string> context_;
  std::size_t last_begin_ = 0;
};

bool recognises(std::string_view text) {
  for (const Line& line : lines_of(text)) {
    if (starts_with_word(strip(line.text), "sqlio v")) return true;
  }
  return false;
}

Result<ImportedFile> parse(std::string_view text, std::string_view name) {
  return Reader(text, name).read();
}

}  // namespace

extern const ImportFormat import_format_sqlio;
const ImportFormat import_format_sqlio{"sqlio", "the text that SQLIO prints", recognises, parse};

}  // namespace raidscope
