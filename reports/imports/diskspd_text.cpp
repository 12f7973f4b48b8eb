#include <algorithm>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "reports/import_format.h"
#include "reports/importing/diskspd_run.h"
#include "reports/importing/echoed_words.h"
#include "reports/importing/imported_run.h"
#include "reports/importing/result_text.h"

// The text that diskspd prints without -Rxml, of Windows and of the Linux port. A time span is one
// result; its three tables have a "total:" row each.
namespace raidscope {
namespace {

using namespace importing;

/// "8192", "8KiB", "8K": diskspd's own units are powers of 1024.
std::optional<std::uint64_t> size_of(std::string_view text) {
  std::string_view unit;
  const auto value = text::leading_decimal(text, unit);
  if (!value || *value < 0 || *value > 1e15) return std::nullopt;
  double factor = 1;
  unit = strip(unit);
  if (!unit.empty()) {
    const char letter = text::to_lower(unit.front());
    if (letter == 'k') factor = 1024;
    if (letter == 'm') factor = 1048576;
    if (letter == 'g') factor = 1073741824;
    if (letter == 't') factor = 1099511627776.0;
  }
  return whole_of(*value * factor);
}

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> out;
  while (true) {
    const std::size_t bar = line.find('|');
    out.push_back(strip(line.substr(0, bar)));
    if (bar == std::string_view::npos) return out;
    line.remove_prefix(bar + 1);
  }
}

/// What stands behind "word:" in a line, to a closing bracket if there is one.
std::string_view behind(std::string_view line, std::string_view key) {
  const std::size_t at = line.find(key);
  if (at == std::string_view::npos) return {};
  line.remove_prefix(at + key.size());
  return strip(line.substr(0, line.find(')')));
}

double seconds_in(std::string_view text) {
  std::string_view unit;
  return text::leading_decimal(text, unit).value_or(0);
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<ImportedFile> read() {
    for (const Line& line : lines_of(text_)) RAIDSCOPE_CHECK(take(line));
    RAIDSCOPE_CHECK(close());
    if (out_.runs.empty()) {
      return malformed(name_, out_.notes.empty() ? last_line_ : out_.notes.front().line,
                       out_.notes.empty() ? "expected \"Results for timespan\" and its tables"
                                          : out_.notes.front().text);
    }
    return std::move(out_);
  }

 private:
  struct Totals {
    bool told = false;
    std::uint64_t bytes = 0, ios = 0;
    double rate = 0;
    std::optional<double> mean_us, stddev_us;
  };
  enum class Table { none, total, read, write, percentiles };

  Status take(const Line& line) {
    last_line_ = line.number;
    const std::string_view t = strip(line.text);
    if (starts_with_word(t, "Command Line:")) {
      RAIDSCOPE_CHECK(close());
      spans_.clear();
      command_ = strip(t.substr(13));
      planning_ = true;
      next_span_ = 0;
      return Done{};
    }
    if (starts_with_word(t, "start time:")) start_ = strip(t.substr(11));
    if (starts_with_word(t, "Results for timespan")) {
      RAIDSCOPE_CHECK(close());
      planning_ = false;
      open_ = true;
      open_line_ = line.number;
      totals_ = reads_ = writes_ = {};
      run_ = blank_run("diskspd", "");
      table_ = Table::none;
      test_s_.reset();
      done_ = false;
      return Done{};
    }
    if (planning_) {
      plan(t);
      return Done{};
    }
    if (open_) return result(line, t);
    return Done{};
  }

  void plan(std::string_view t) {
    if (starts_with_word(t, "timespan:")) {
      spans_.emplace_back();
      return;
    }
    if (spans_.empty()) {
      if (!starts_with_word(t, "duration:")) return;
      spans_.emplace_back();
    }
    DiskspdSpan& span = spans_.back();
    if (starts_with_word(t, "duration:")) span.duration_s = seconds_in(behind(t, ":"));
    if (starts_with_word(t, "warm up time:")) span.warmup_s = seconds_in(behind(t, ":"));
    if (starts_with_word(t, "cool down time:")) span.cooldown_s = seconds_in(behind(t, ":"));
    if (starts_with_word(t, "random seed:")) span.seed = count_of(behind(t, ":")).value_or(0);
    if (starts_with_word(t, "total threads:") || starts_with_word(t, "thread count:"))
      span.total_threads = whole(behind(t, ":"));
    if (starts_with_word(t, "path:")) {
      std::string_view path = strip(t.substr(5));
      if (path.size() >= 2 && path.front() == '\'' && path.back() == '\'')
        path = path.substr(1, path.size() - 2);
      span.targets.emplace_back().path = path;
      return;
    }
    if (!span.targets.empty()) target(t, span.targets.back());
  }

  static std::uint32_t whole(std::string_view text) {
    return static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count_of(text).value_or(0), 1'000'000));
  }

  static void target(std::string_view t, DiskspdTarget& d) {
    if (starts_with_word(t, "think time:")) d.think_ms = seconds_in(behind(t, ":"));
    if (starts_with_word(t, "burst size:")) d.burst = whole(behind(t, ":"));
    if (starts_with_word(t, "size:")) d.size_bytes = size_of(behind(t, ":")).value_or(0);
    if (text::contains(t, "using hardware and software caches") ||
        text::contains(t, "using hardware write cache, using software"))
      d.buffered = true;
    if (text::contains(t, "software cache disabled")) d.buffered = false;
    if (text::contains(t, "writethrough on") || text::contains(t, "write through"))
      d.write_through = true;
    if (starts_with_word(t, "performing read test")) d.write_percent = 0;
    if (starts_with_word(t, "performing write test")) d.write_percent = 100;
    if (starts_with_word(t, "performing mix test")) {
      const std::string_view ratio = behind(t, "ratio:");
      const std::size_t slash = ratio.find('/');
      if (slash != ratio.npos)
        d.write_percent = static_cast<int>(std::min(whole(ratio.substr(slash + 1)), 100U));
    }
    if (starts_with_word(t, "block size:"))
      d.block_bytes = std::max<std::uint64_t>(size_of(behind(t, ":")).value_or(65536), 1);
    if (starts_with_word(t, "using random I/O")) {
      d.random = true;
      d.stride_bytes = size_of(behind(t, "alignment:")).value_or(0);
    }
    if (text::contains(t, "sequential I/O")) {
      d.random = false;
      d.interlocked = text::contains(t, "interlocked");
      d.stride_bytes = size_of(behind(t, "stride:")).value_or(0);
    }
    if (text::contains(t, "outstanding I/O operations per thread:"))
      d.outstanding = std::max(whole(behind(t, "thread:")), 1U);
    if (starts_with_word(t, "number of outstanding I/O operations:"))
      d.outstanding = std::max(whole(behind(t, "operations:")), 1U);
    if (starts_with_word(t, "threads per file:")) d.threads = std::max(whole(behind(t, ":")), 1U);
    if (text::contains(t, "zero") && text::contains(t, "write buffer")) d.zero_data = true;
  }

  Status result(const Line& line, std::string_view t) {
    if (starts_with_word(t, "actual test time:")) {
      test_s_ = number_of(behind(t, ":").substr(0, behind(t, ":").find('s')));
      if (!test_s_ || *test_s_ < 0)
        return malformed(name_, line.number, "expected \"actual test time: N s\"");
      return Done{};
    }
    if (text::iequals(t, "Total IO")) table_ = Table::total;
    if (text::iequals(t, "Read IO")) table_ = Table::read;
    if (text::iequals(t, "Write IO")) table_ = Table::write;
    if (starts_with_word(t, "thread |")) columns_ = columns_of(t);
    if (starts_with_word(t, "%-ile |")) {
      table_ = Table::percentiles;
      columns_ = columns_of(t);
    }
    if (starts_with_word(t, "total:")) return total(line, t.substr(6));
    if (table_ == Table::percentiles) percentile(t);
    return Done{};
  }

  Status total(const Line& line, std::string_view rest) {
    Totals* into = table_ == Table::total   ? &totals_
                   : table_ == Table::read  ? &reads_
                   : table_ == Table::write ? &writes_
                                            : nullptr;
    if (into == nullptr) return Done{};
    // The row has no cell for "thread": its first is "bytes".
    const auto cells = columns_of(rest);
    const auto cell = [&](std::string_view column) -> std::string_view {
      for (std::size_t i = 1; i < columns_.size(); ++i) {
        if (text::iequals(columns_[i], column) && i - 1 < cells.size()) return cells[i - 1];
      }
      return {};
    };
    const auto bytes = count_of(cell("bytes")), ios = count_of(cell("I/Os"));
    const auto rate = number_of(cell("I/O per s"));
    if (!bytes || !ios || !rate || *rate < 0 || !line.whole) {
      return malformed(
          name_, line.number,
          "expected \"total: BYTES | I/Os | MiB/s | I/O per s\" as in the table's head");
    }
    *into = {true, *bytes, *ios, *rate, std::nullopt, std::nullopt};
    if (const auto ms = number_of(cell("AvgLat"))) into->mean_us = *ms * 1000;
    if (const auto ms = number_of(cell("LatStdDev"))) into->stddev_us = *ms * 1000;
    if (table_ == Table::write) done_ = true;
    return Done{};
  }

  void percentile(std::string_view t) {
    const auto cells = columns_of(t);
    if (cells.size() < 4) return;
    const std::pair<std::string_view, std::optional<double> LatencySummary::*> rows[] = {
        {"min", &LatencySummary::min},        {"50th", &LatencySummary::p50},
        {"90th", &LatencySummary::p90},       {"95th", &LatencySummary::p95},
        {"99th", &LatencySummary::p99},       {"3-nines", &LatencySummary::p99_9},
        {"4-nines", &LatencySummary::p99_99}, {"max", &LatencySummary::max}};
    for (const auto& [word, field] : rows) {
      if (cells[0] != word) continue;
      LatencySummary* const into[] = {&run_.read.latency_us, &run_.write.latency_us,
                                      &run_.latency_us};
      for (std::size_t i = 0; i < 3; ++i) {
        if (const auto ms = number_of(cells[i + 1])) into[i]->*field = *ms * 1000;
      }
    }
  }

  static void put(const Totals& from, DirectionResult& into) {
    into.ios = from.ios;
    into.iops = from.rate;
    into.bytes_per_s =
        from.ios == 0 ? 0
                      : static_cast<double>(from.bytes) / static_cast<double>(from.ios) * from.rate;
    into.latency_us.mean = from.ios == 0 ? std::nullopt : from.mean_us;
    into.latency_us.stddev = from.ios == 0 ? std::nullopt : from.stddev_us;
  }

  Status close() {
    if (!open_) return Done{};
    open_ = false;
    if (!totals_.told || !reads_.told || !done_ || !test_s_) {
      out_.notes.push_back(
          {static_cast<std::uint32_t>(open_line_),
           "time span left out: its tables of total, read and write I/O are not whole"});
      ++next_span_;
      return Done{};
    }
    DiskspdSpan span;
    if (next_span_ < spans_.size()) span = spans_[next_span_];
    const bool first = next_span_++ == 0;
    put(reads_, run_.read);
    put(writes_, run_.write);
    run_.iops = totals_.rate;
    run_.bytes_per_s = run_.read.bytes_per_s + run_.write.bytes_per_s;
    run_.latency_us.mean = totals_.mean_us;
    run_.latency_us.stddev = totals_.stddev_us;
    run_.workload = diskspd_workload(span);
    run_.workload.source = fmt::format(
        "{} | actual test time {:g} s | I/O per s {:.2f}",
        command_.empty() ? "diskspd (command not in the file)" : command_, *test_s_, totals_.rate);
    const bool told = !span.targets.empty();
    const bool by_words =
        !command_.empty() &&
        complete_by_words("diskspd", command_, {.shape = told, .load = told}, run_.workload);
    if (!told && !by_words) {
      run_.workload.outstanding_total = 0;
      run_.workload.warnings.emplace_back(
          "the text does not hold the input parameters: the workload is unknown");
    }
    if (run_.workload.duration_s == 0) run_.workload.duration_s = *test_s_;
    if (first && start_.size() == 23 && start_.ends_with(" UTC")) {
      std::string iso = start_.substr(0, 19);
      iso[4] = iso[7] = '-';
      iso[10] = 'T';
      if (std::all_of(iso.begin(), iso.end(),
                      [](char c) { return text::is_digit(c) || c == '-' || c == 'T' || c == ':'; }))
        run_.started_at = iso + "Z";
    }
    if (totals_.ios != reads_.ios + writes_.ios) {
      run_.checks.valid = false;
      run_.checks.suspicions.emplace_back(
          "reads and writes do not add up to the total: the text was changed");
    }
    if (totals_.ios == 0) {
      out_.notes.push_back(
          {static_cast<std::uint32_t>(open_line_), "time span left out: it did no I/O"});
      return Done{};
    }
    finish_diskspd(span, run_);
    out_.runs.push_back(std::move(run_));
    return Done{};
  }

  std::string_view text_, name_;
  ImportedFile out_;
  std::string command_, start_;
  std::vector<DiskspdSpan> spans_;
  std::size_t next_span_ = 0, open_line_ = 0, last_line_ = 1;
  bool planning_ = false, open_ = false, done_ = false;
  Table table_ = Table::none;
  std::vector<std::string_view> columns_;
  Totals totals_, reads_, writes_;
  std::optional<double> test_s_;
  RunResult run_;
};

bool recognises(std::string_view text) {
  return text.find("Results for timespan") != std::string_view::npos ||
         (text.find("Command Line:") != std::string_view::npos &&
          text.find("Input parameters:") != std::string_view::npos);
}

Result<ImportedFile> parse(std::string_view text, std::string_view name) {
  return Reader(text, name).read();
}

}  // namespace

extern const ImportFormat import_format_diskspd_text;
const ImportFormat import_format_diskspd_text{"diskspd_text", "the text that diskspd prints",
                                              recognises, parse};

}  // namespace raidscope
