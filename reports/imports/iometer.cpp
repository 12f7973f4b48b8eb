#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "probe/base/text.h"
#include "reports/import_format.h"
#include "reports/importing/imported_run.h"
#include "reports/importing/result_text.h"
#include "workloads/derived.h"

// The CSV that Iometer appends to, of 2006.07.27 (no bins, one kind of MB) and 1.1.0. Columns are
// found by name. A test is one result: its ALL row; the rows below it tell the shape of the load.
namespace raidscope {
namespace {

using namespace importing;

std::vector<std::string> cells_of(std::string_view line) {
  std::vector<std::string> out;
  while (true) {
    const std::size_t comma = line.find(',');
    std::string_view cell = strip(line.substr(0, comma));
    if (cell.size() >= 2 && cell.front() == '"' && cell.back() == '"')
      cell = cell.substr(1, cell.size() - 2);
    out.emplace_back(cell);
    if (comma == std::string_view::npos) return out;
    line.remove_prefix(comma + 1);
  }
}

/// A spreadsheet that saved the file again pads every line with commas.
std::string_view without_padding(std::string_view line) {
  line = strip(line);
  while (line.ends_with(',') || line.ends_with(' ')) line.remove_suffix(1);
  return line;
}

struct Row {
  std::size_t line = 0;
  std::map<std::string, std::string, std::less<>> cells;  ///< by column
  std::vector<std::pair<std::string, std::string>> printed;

  [[nodiscard]] std::string text(std::string_view column) const {
    const auto found = cells.find(column);
    return found == cells.end() ? std::string() : found->second;
  }
  /// nullopt for an empty or missing cell, and for -1, by which Iometer means "they differ".
  [[nodiscard]] std::optional<double> number(std::string_view column) const {
    const auto value = number_of(text(column));
    return value && *value < 0 ? std::nullopt : value;
  }
  /// A count of workers or requests; 0 for an empty cell, and no more than a million of them.
  [[nodiscard]] std::uint32_t whole(std::string_view column) const {
    return static_cast<std::uint32_t>(std::min(number(column).value_or(0), 1e6));
  }
};

struct AccessLine {
  double size = 0, percent = 0, reads = 0, random = 0, delay = 0, burst = 1, align = 0, reply = 0;
};

struct Worker {
  std::string name;
  std::uint32_t depth = 0;  ///< 0: not told
  std::vector<std::string> disks;
};

struct Test {
  std::string description, stamp;
  std::map<std::string, std::vector<AccessLine>> specs;
  std::map<std::string, std::string> spec_text;
  std::string last_spec;
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<ImportedFile> read() {
    for (const Line& line : lines_of(text_)) RAIDSCOPE_CHECK(take(line));
    RAIDSCOPE_CHECK(close());
    if (out_.runs.empty()) {
      return malformed(name_, out_.notes.empty() ? 1 : out_.notes.front().line,
                       out_.notes.empty()
                           ? "expected a 'Results section with a row that begins with \"ALL\""
                           : out_.notes.front().text);
    }
    return std::move(out_);
  }

 private:
  enum class Next { nothing, type, version, stamp, header, spec_name, spec_lines };

  void note(std::size_t line, std::string text) {
    out_.notes.push_back({static_cast<std::uint32_t>(line), std::move(text)});
  }

  Status take(const Line& line) {
    const std::string_view t = without_padding(line.text);
    if (t.empty()) return Done{};
    if (text::iequals(t, "Aborted test")) {
      note(line.number, "test left out: Iometer says \"Aborted test\"");
      all_.reset();
      workers_.clear();
      return Done{};
    }
    if (t.starts_with('\'')) return key(line, t.substr(1));
    switch (next_) {
      case Next::type: {
        const std::size_t comma = t.find(',');
        test_.description = comma == t.npos ? "" : std::string(strip(t.substr(comma + 1)));
        next_ = Next::nothing;
        return Done{};
      }
      case Next::version:
        version_ = t;
        next_ = Next::nothing;
        return Done{};
      case Next::stamp:
        (all_ ? end_stamp_ : test_.stamp) = t;
        next_ = Next::nothing;
        return Done{};
      case Next::spec_name:
        test_.last_spec = cells_of(t).front();
        test_.specs[test_.last_spec].clear();
        test_.spec_text[test_.last_spec].clear();
        return Done{};
      case Next::spec_lines:
        return access_line(line, t);
      case Next::header:
        return row(line);
      case Next::nothing:
        return Done{};
    }
    return Done{};
  }

  Status key(const Line& line, std::string_view t) {
    if (starts_with_word(t, "Test Type,")) {
      RAIDSCOPE_CHECK(close());
      test_ = {};
      columns_.clear();
      next_ = Next::type;
    } else if (starts_with_word(t, "Version")) {
      next_ = Next::version;
    } else if (starts_with_word(t, "Time Stamp")) {
      next_ = Next::stamp;
    } else if (starts_with_word(t, "Access specification name")) {
      next_ = Next::spec_name;
    } else if (starts_with_word(t, "size,")) {
      next_ = Next::spec_lines;
    } else if (starts_with_word(t, "Target Type,")) {
      RAIDSCOPE_CHECK(close());
      columns_ = cells_of(without_padding(line.text).substr(1));
      header_line_ = line.number;
      for (const char* needed : {"Target Name", "IOps", "Read IOps", "Write IOps"}) {
        if (std::find(columns_.begin(), columns_.end(), needed) == columns_.end())
          return malformed(name_, line.number, fmt::format("expected a column \"{}\"", needed));
      }
      next_ = Next::header;
    } else {
      next_ = Next::nothing;
    }
    return Done{};
  }

  Status access_line(const Line& line, std::string_view t) {
    const auto cells = cells_of(t);
    AccessLine a;
    double* const into[] = {&a.size,  &a.percent, &a.reads, &a.random,
                            &a.delay, &a.burst,   &a.align, &a.reply};
    for (std::size_t i = 0; i < std::size(into); ++i) {
      const auto value = i < cells.size() ? number_of(cells[i]) : std::nullopt;
      if (!value || *value < 0 || *value > 1e15)
        return malformed(name_, line.number,
                         "expected eight numbers: size, % of size, % reads, % random, delay, "
                         "burst, align, reply");
      *into[i] = *value;
    }
    if (a.size < 1 || a.reads > 100 || a.random > 100 || a.percent > 100)
      return malformed(name_, line.number, "expected a size above 0 and percentages up to 100");
    test_.specs[test_.last_spec].push_back(a);
    std::string& text = test_.spec_text[test_.last_spec];
    text += fmt::format("{}{}", text.empty() ? "" : "; ", t);
    return Done{};
  }

  Status row(const Line& line) {
    const auto cells = cells_of(line.text);
    if (cells.size() < columns_.size() && !line.whole) {
      return malformed(
          name_, line.number,
          fmt::format("the file ends inside a row: expected {} cells", columns_.size()));
    }
    Row row;
    row.line = line.number;
    for (std::size_t i = 0; i < std::min(cells.size(), columns_.size()); ++i) {
      row.cells[columns_[i]] = cells[i];
      if (!cells[i].empty()) row.printed.emplace_back(columns_[i], cells[i]);
    }
    const std::string kind = cells.front();
    if (kind == "ALL") {
      RAIDSCOPE_CHECK(close());
      if (cells.size() < columns_.size()) {
        return malformed(name_, line.number,
                         fmt::format("expected {} cells as in the header of line {}",
                                     columns_.size(), header_line_));
      }
      all_ = std::move(row);
    } else if (kind == "WORKER") {
      workers_.push_back({row.text("Target Name"), row.whole("Queue Depth"), {}});
    } else if (kind == "DISK" && !workers_.empty()) {
      Worker& worker = workers_.back();
      worker.disks.push_back(row.text("Target Name"));
      if (worker.depth == 0) worker.depth = row.whole("Queue Depth");
    }
    return Done{};
  }

  Status close() {
    if (!all_) return Done{};
    const Row all = std::move(*all_);
    all_.reset();
    RAIDSCOPE_TRY(RunResult run, made(all));
    workers_.clear();
    end_stamp_.clear();
    if (run.iops == 0 && run.read.ios.value_or(0) + run.write.ios.value_or(0) == 0) {
      note(all.line, "test left out: it did no I/O");
      return Done{};
    }
    out_.runs.push_back(std::move(run));
    return Done{};
  }

  Result<double> needed(const Row& row, std::string_view column) const {
    const auto value = row.number(column);
    if (!value)
      return malformed(name_, row.line,
                       fmt::format("expected a number in the column \"{}\"", column));
    return *value;
  }

  Result<RunResult> made(const Row& all) {
    RunResult run = blank_run("iometer", version_);
    RAIDSCOPE_TRY(run.iops, needed(all, "IOps"));
    RAIDSCOPE_TRY(run.read.iops, needed(all, "Read IOps"));
    RAIDSCOPE_TRY(run.write.iops, needed(all, "Write IOps"));
    add_counts(all, run);
    add_bytes(all, run);
    add_workload(all, run);
    add_latency(all, run);
    if (const auto errors = all.number("Errors"); errors && *errors > 0) {
      run.checks.valid = false;
      run.checks.suspicions.push_back(fmt::format("Iometer counted {:.0f} errors", *errors));
    }
    apply_littles_law(run, run.latency_us.mean);
    finish_run(run);
    if (!test_.description.empty()) run.name = fmt::format("{}: {}", test_.description, run.name);
    return run;
  }

  static std::optional<std::uint64_t> count(const Row& row, std::string_view column,
                                            std::uint64_t most = largest_whole) {
    const auto value = row.number(column);
    return value ? whole_of(*value, most) : std::nullopt;
  }

  static void add_counts(const Row& all, RunResult& run) {
    run.read.ios = count(all, "Read I/Os");
    run.write.ios = count(all, "Write I/Os");
    if (run.read.ios && run.write.ios && run.iops > 0) {
      const double seconds = static_cast<double>(*run.read.ios + *run.write.ios) / run.iops;
      run.workload.duration_s = std::round(seconds * 1000) / 1000;
      run.workload.warnings.emplace_back(
          "the run time is I/Os ÷ IOps; the ramp-up time is not in Iometer's file");
    } else {
      run.workload.duration_s = 0;
    }
  }

  /// Bytes a second from the counts of bytes and I/Os; else from the printed column, whose unit
  /// the header says (2006: a bare MB is 2^20).
  static void add_bytes(const Row& all, RunResult& run) {
    const auto rate = [&](DirectionResult& part, std::string_view bytes_column,
                          std::string_view prefix) {
      const auto bytes = all.number(bytes_column);
      if (bytes && part.ios.value_or(0) > 0) {
        part.bytes_per_s = *bytes / static_cast<double>(*part.ios) * part.iops;
        return;
      }
      const auto printed = [&](std::string_view unit) {
        return all.number(prefix.empty() ? std::string(unit) : fmt::format("{} {}", prefix, unit));
      };
      if (const auto mib = printed("MiBps (Binary)")) {
        part.bytes_per_s = *mib * 1048576;
      } else if (const auto mb = printed("MBps (Decimal)")) {
        part.bytes_per_s = *mb * 1e6;
      } else if (const auto old = printed("MBps")) {
        part.bytes_per_s = *old * 1048576;
      }
    };
    rate(run.read, "Bytes Read", "Read");
    rate(run.write, "Bytes Written", "Write");
    run.bytes_per_s = run.read.bytes_per_s + run.write.bytes_per_s;
    std::optional<double> printed;
    std::string_view unit = "MiBps (Binary)";
    if (const auto mib = all.number(unit)) printed = *mib * 1048576;
    if (!printed) {
      unit = "MBps";
      if (const auto old = all.number(unit)) printed = *old * 1048576;
    }
    if (printed && run.bytes_per_s > 0 && std::abs(*printed / run.bytes_per_s - 1) > 0.005) {
      run.checks.valid = false;
      run.checks.suspicions.push_back(
          fmt::format("Iometer printed {} {}, and its own counts of bytes and I/Os give {:.3f} "
                      "MiB/s: the file was changed or does not belong together",
                      all.text(unit), unit, run.bytes_per_s / 1048576));
    }
  }

  void add_workload(const Row& all, RunResult& run) {
    Workload& w = run.workload;
    const std::string spec = all.text("Access Specification Name");
    w.name = spec;
    add_load(all, w);
    auto found = test_.specs.find(spec);
    if (found == test_.specs.end() && test_.specs.size() == 1) found = test_.specs.begin();
    if (found == test_.specs.end() || found->second.empty()) {
      w.warnings.push_back(
          fmt::format("the file does not hold the access specification \"{}\"; its "
                      "pattern is unknown and stands as random",
                      spec));
      const double ios = run.iops;
      w.read_percent =
          ios > 0 ? static_cast<int>(std::lround(std::clamp(100 * run.read.iops / ios, 0.0, 100.0)))
                  : 100;
      if (ios > 0)
        w.block_bytes = {
            std::max<std::uint64_t>(whole_of(std::round(run.bytes_per_s / ios)).value_or(0), 1)};
    } else {
      add_spec(found->second, w);
    }
    w.seed = 0;
    // "a direct request always": Iometer opens its targets without buffering on every system.
    w.direct = true;
    run.engine.direct = true;
    run.engine.direct_proof = "Iometer opens its targets without buffering; not proven here";
    w.source = fmt::format("Iometer {} | {}: {}", version_, spec,
                           found == test_.specs.end() ? "specification not in the file"
                                                      : test_.spec_text[found->first]);
    if (!test_.stamp.empty())
      w.source += fmt::format(" | Time Stamp {} (local time of that machine)", test_.stamp);
    if (!end_stamp_.empty()) w.source += fmt::format(" to {}", end_stamp_);
    for (const auto& [column, value] : all.printed) {
      if (column != "Target Type" && column != "Target Name")
        w.source += fmt::format(" | {}: {}", column, value);
    }
  }

  static void add_spec(const std::vector<AccessLine>& lines, Workload& w) {
    w.cursor = SequentialCursor::own;
    double reads = 0, random = 0;
    w.block_bytes.clear();
    for (const AccessLine& a : lines) {
      MixLine line;
      line.percent = a.percent;
      line.block_bytes = static_cast<std::uint64_t>(a.size);
      line.read_percent = static_cast<int>(std::lround(a.reads));
      line.random_percent = static_cast<int>(std::lround(a.random));
      line.alignment_bytes = a.align > 0 ? static_cast<std::uint64_t>(a.align) : 512;
      w.mix.push_back(line);
      w.block_bytes.push_back(line.block_bytes);
      reads += a.reads * a.percent / 100;
      random += a.random * a.percent / 100;
      if (a.delay > 0) w.think_us = a.delay * 1000;
      if (a.burst > 1) w.burst = static_cast<std::uint32_t>(std::min(a.burst, 1e6));
      if (a.reply > 0)
        w.warnings.emplace_back(
            "every I/O had a reply of the opposite direction, which is in the "
            "source alone");
    }
    w.read_percent = static_cast<int>(std::lround(reads));
    w.pattern = random > 0 ? Pattern::random : Pattern::sequential;
    w.alignment_bytes = w.mix.front().alignment_bytes;
    const bool unaligned = std::any_of(lines.begin(), lines.end(), [](const AccessLine& a) {
      return a.align == 0 && a.random > 0 && a.size > 512;
    });
    if (unaligned)
      w.warnings.emplace_back(
          "Iometer's alignment 0 is a sector of 512 bytes, not the block: random requests began on "
          "any sector and crossed the blocks and strips of the device");
    if (lines.size() == 1) {
      const int share = w.mix.front().random_percent;
      w.random_percent = share == 0 || share == 100 ? -1 : share;
      w.mix.clear();
    }
  }

  void add_load(const Row& all, Workload& w) {
    const std::uint32_t rows_workers = static_cast<std::uint32_t>(workers_.size());
    w.workers = std::max<std::uint32_t>(
        all.whole("# Workers") != 0 ? all.whole("# Workers") : rows_workers, 1);
    const std::uint32_t depth_of_all = all.whole("Queue Depth");
    for (const Worker& worker : workers_) {
      for (const std::string& disk : worker.disks) {
        if (std::find(w.targets.begin(), w.targets.end(), disk) == w.targets.end())
          w.targets.push_back(disk);
      }
    }
    // Starting sector and maximum size are in sectors of 512 bytes; 0 is the whole disk.
    w.area_bytes = count(all, "Maximum Size", largest_whole / 512).value_or(0) * 512;
    w.base_bytes = count(all, "Starting Sector", largest_whole / 512).value_or(0) * 512;
    if (all.text("Queue Depth").starts_with('-'))
      w.warnings.emplace_back("Queue Depth is -1: the workers' depths differ");

    bool told = !workers_.empty() && rows_workers == w.workers;
    bool alike = told;
    for (const Worker& worker : workers_) {
      const std::uint32_t depth = worker.depth != 0 ? worker.depth : depth_of_all;
      told = told && depth != 0 && !worker.disks.empty();
      alike = alike && worker.disks.size() == w.targets.size() &&
              worker.depth == workers_.front().depth;
    }
    if (told && !alike) {
      for (const Worker& worker : workers_) {
        WorkerGroup group;
        group.queue_depth = worker.depth != 0 ? worker.depth : depth_of_all;
        for (const std::string& disk : worker.disks) {
          const auto at = std::find(w.targets.begin(), w.targets.end(), disk) - w.targets.begin();
          group.targets.push_back(static_cast<std::uint32_t>(at));
        }
        w.queue_depth_per_worker = std::max(w.queue_depth_per_worker, group.queue_depth);
        w.groups.push_back(std::move(group));
      }
      w.outstanding_total = outstanding(w);
      return;
    }
    w.queue_depth_per_worker =
        told && workers_.front().depth != 0 ? workers_.front().depth : depth_of_all;
    if (told) {
      w.outstanding_total = outstanding(w);
      return;
    }
    // Without the workers' rows: "# Disks" counts a disk once for each worker that has it.
    const std::uint32_t disks = all.whole("# Disks");
    w.outstanding_total = std::uint64_t{w.queue_depth_per_worker} * std::max(disks, w.workers);
    if (w.queue_depth_per_worker == 0) {
      w.queue_depth_per_worker = 1;
      w.outstanding_total = 0;
      w.warnings.emplace_back(depth_of_all == 0 && all.text("Queue Depth").empty()
                                  ? "this version of Iometer does not print the queue depth: how "
                                    "much was outstanding is unknown"
                                  : "how much was outstanding is unknown");
    } else {
      w.warnings.push_back(
          fmt::format("outstanding is the queue depth × {} pairs of worker and disk, as \"# "
                      "Disks\" counts them",
                      std::max(disks, w.workers)));
    }
  }

  static void add_latency(const Row& all, RunResult& run) {
    const auto us = [&](std::string_view column) -> std::optional<double> {
      const auto ms = all.number(column);
      if (!ms) return std::nullopt;
      return *ms * 1000;
    };
    run.latency_us.mean = us("Average Response Time");
    run.latency_us.max = us("Maximum Response Time");
    if (run.read.iops > 0) {
      run.read.latency_us.mean = us("Average Read Response Time");
      run.read.latency_us.max = us("Maximum Read Response Time");
    }
    if (run.write.iops > 0) {
      run.write.latency_us.mean = us("Average Write Response Time");
      run.write.latency_us.max = us("Maximum Write Response Time");
    }
    if (run.iops == 0) run.latency_us = {};
    double binned = 0;
    bool bins = false;
    for (const auto& [column, value] : all.cells) {
      const bool range =
          column.find(" to ") != std::string::npos &&
          (column.ends_with("uS") || column.ends_with("mS") || column.ends_with(" S") ||
           column.ends_with(" s") || column.ends_with("us") || column.ends_with("ms"));
      if (!range && !column.starts_with(">= 10")) continue;
      bins = true;
      binned += number_of(value).value_or(0);
    }
    run.workload.warnings.emplace_back(
        bins ? "percentiles are unknown: Iometer's 21 bins are too wide; they stand in the source"
             : "percentiles are unknown: this version of Iometer prints no bins");
    if (bins && run.read.ios && run.write.ios) {
      const double missing = static_cast<double>(*run.read.ios + *run.write.ios) - binned;
      if (missing >= 1) {
        run.checks.suspicions.push_back(fmt::format(
            "{:.0f} I/Os are in no bin: Iometer never counts those of 10 s and more", missing));
      }
    }
  }

  std::string_view text_, name_;
  ImportedFile out_;
  Test test_;
  std::string version_, end_stamp_;
  Next next_ = Next::nothing;
  std::vector<std::string> columns_;
  std::size_t header_line_ = 0;
  std::optional<Row> all_;
  std::vector<Worker> workers_;
};

bool recognises(std::string_view text) {
  for (const Line& line : lines_of(text)) {
    if (starts_with_word(line.text, "'Test Type,Test Description") ||
        starts_with_word(line.text, "'Target Type,Target Name")) {
      return true;
    }
  }
  return false;
}

Result<ImportedFile> parse(std::string_view text, std::string_view name) {
  return Reader(text, name).read();
}

}  // namespace

extern const ImportFormat import_format_iometer;
const ImportFormat import_format_iometer{"iometer", "Iometer's CSV of 2006 and 1.1.0", recognises,
                                         parse};

}  // namespace raidscope
