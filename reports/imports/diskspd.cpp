#include <algorithm>
#include <cmath>
#include <cstring>
#include <pugixml.hpp>
#include <vector>

#include <fmt/format.h>

#include "reports/import_format.h"
#include "reports/importing/diskspd_run.h"
#include "reports/importing/imported_run.h"
#include "reports/importing/result_text.h"

// diskspd -Rxml. Totals are not in the file: they are summed over Thread/Target and divided by
// TestTimeSeconds. A time span is one result.
namespace raidscope {
namespace {

using namespace importing;
using Node = pugi::xml_node;

std::string_view text_of(const Node& node, const char* name) {
  return strip(node.child_value(name));
}
std::uint64_t count_in(const Node& node, const char* name, std::uint64_t fallback = 0) {
  return count_of(text_of(node, name)).value_or(fallback);
}
double number_in(const Node& node, const char* name) {
  return number_of(text_of(node, name)).value_or(0);
}
bool flag_in(const Node& node, const char* name) {
  return text_of(node, name) == "true";
}
std::optional<double> ms_in(const Node& node, const char* name) {
  const auto ms = number_of(text_of(node, name));
  if (!ms) return std::nullopt;
  return *ms * 1000;
}

class Reader {
 public:
  Reader(std::string_view text, std::string_view name) : text_(text), name_(name) {}

  Result<ImportedFile> read() {
    pugi::xml_document document;
    const pugi::xml_parse_result parsed =
        document.load_buffer(text_.data(), text_.size(), pugi::parse_default, pugi::encoding_utf8);
    if (!parsed) {
      return malformed(name_, line_at(parsed.offset),
                       fmt::format("expected whole XML: {}", parsed.description()),
                       "look whether the file was cut off");
    }
    const Node root = document.child("Results");
    if (!root) return malformed(name_, 1, "expected <Results> of diskspd");
    const Node system = root.child("System");
    version_ = text_of(system.child("Tool"), "Version");
    run_time_ = text_of(system, "RunTime");
    computer_ = text_of(system, "ComputerName");
    const Node profile = root.child("Profile");
    std::vector<Node> planned;
    for (const Node span : profile.child("TimeSpans").children("TimeSpan")) planned.push_back(span);
    std::size_t number = 0;
    for (const Node span : root.children("TimeSpan")) {
      RAIDSCOPE_CHECK(take(span, number < planned.size() ? planned[number] : Node{}, number));
      ++number;
    }
    if (number == 0)
      return malformed(name_, line_of(root), "expected <TimeSpan> with results in <Results>");
    if (out_.runs.empty())
      return malformed(name_, out_.notes.front().line, out_.notes.front().text);
    return std::move(out_);
  }

 private:
  [[nodiscard]] std::size_t line_at(std::ptrdiff_t offset) const {
    const auto end =
        std::clamp<std::ptrdiff_t>(offset, 0, static_cast<std::ptrdiff_t>(text_.size()));
    return 1 + static_cast<std::size_t>(std::count(text_.begin(), text_.begin() + end, '\n'));
  }
  [[nodiscard]] std::size_t line_of(const Node& node) const { return line_at(node.offset_debug()); }

  static DiskspdTarget target_of(const Node& node) {
    DiskspdTarget t;
    t.path = text_of(node, "Path");
    t.block_bytes = count_in(node, "BlockSize", 65536);
    t.outstanding = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count_in(node, "RequestCount", 2), 1'000'000));
    t.threads = static_cast<std::uint32_t>(
        std::min<std::uint64_t>(count_in(node, "ThreadsPerFile", 1), 100'000));
    t.write_percent = static_cast<int>(std::min<std::uint64_t>(count_in(node, "WriteRatio"), 100));
    t.random = static_cast<bool>(node.child("Random"));
    t.stride_bytes = t.random ? count_in(node, "Random") : count_in(node, "StrideSize");
    if (node.child("RandomRatio"))
      t.random_percent =
          static_cast<int>(std::min<std::uint64_t>(count_in(node, "RandomRatio"), 100));
    t.interlocked = flag_in(node, "InterlockedSequential");
    t.thread_stride_bytes = count_in(node, "ThreadStride");
    t.base_bytes = count_in(node, "BaseFileOffset");
    t.most_bytes = count_in(node, "MaxFileSize");
    t.size_bytes = count_in(node, "FileSize");
    t.buffered = !flag_in(node, "DisableOSCache");
    t.write_through = flag_in(node, "WriteThrough");
    const std::string_view pattern = text_of(node.child("WriteBufferContent"), "Pattern");
    t.zero_data = pattern == "zero";
    t.sequential_data = pattern == "sequential";
    t.think_ms = number_in(node, "ThinkTime");
    t.burst =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(count_in(node, "BurstSize"), 1'000'000));
    t.rate = number_in(node, "Throughput");
    return t;
  }

  static DiskspdSpan span_of(const Node& plan) {
    DiskspdSpan out;
    out.duration_s = number_in(plan, "Duration");
    out.warmup_s = number_in(plan, "Warmup");
    out.cooldown_s = number_in(plan, "Cooldown");
    out.total_threads =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(count_in(plan, "ThreadCount"), 100'000));
    out.seed = count_in(plan, "RandSeed");
    for (const Node target : plan.child("Targets").children("Target"))
      out.targets.push_back(target_of(target));
    return out;
  }

  Status add_counts(const Node& span, double seconds, DiskspdSpan& plan, RunResult& run) {
    double read_bytes = 0, write_bytes = 0;
    std::uint64_t reads = 0, writes = 0;
    bool any = false;
    for (const Node thread : span.children("Thread")) {
      for (const Node target : thread.children("Target")) {
        any = true;
        const std::pair<const char*, std::uint64_t*> counts[] = {{"ReadCount", &reads},
                                                                 {"WriteCount", &writes}};
        for (const auto& [tag, into] : counts) {
          const auto value = count_of(text_of(target, tag));
          if (!value || *value > 1ULL << 60U)
            return malformed(name_, line_of(target),
                             fmt::format("expected <{}> with a count", tag));
          *into += *value;
        }
        read_bytes += number_in(target, "ReadBytes");
        write_bytes += number_in(target, "WriteBytes");
        const std::string_view path = text_of(target, "Path");
        for (DiskspdTarget& known : plan.targets) {
          if (known.path == path) known.size_bytes = count_in(target, "FileSize", known.size_bytes);
        }
      }
    }
    if (!any)
      return malformed(name_, line_of(span), "expected <Thread> with <Target> in a time span");
    run.read.ios = reads;
    run.write.ios = writes;
    run.read.iops = static_cast<double>(reads) / seconds;
    run.write.iops = static_cast<double>(writes) / seconds;
    run.read.bytes_per_s = read_bytes / seconds;
    run.write.bytes_per_s = write_bytes / seconds;
    run.iops = static_cast<double>(reads + writes) / seconds;
    run.bytes_per_s = (read_bytes + write_bytes) / seconds;
    return Done{};
  }

  static void add_latency(const Node& latency, RunResult& run) {
    if (!latency) return;
    struct Kind {
      LatencySummary* into;
      const char *mean, *stddev, *bucket;
    };
    const Kind kinds[] = {
        {&run.latency_us, "AverageTotalMilliseconds", "LatencyStdev", "TotalMilliseconds"},
        {&run.read.latency_us, "AverageReadMilliseconds", "ReadLatencyStdev", "ReadMilliseconds"},
        {&run.write.latency_us, "AverageWriteMilliseconds", "WriteLatencyStdev",
         "WriteMilliseconds"}};
    for (const Kind& kind : kinds) {
      LatencySummary& l = *kind.into;
      l.mean = ms_in(latency, kind.mean);
      l.stddev = ms_in(latency, kind.stddev);
      for (const Node bucket : latency.children("Bucket")) {
        const auto percent = number_of(text_of(bucket, "Percentile"));
        const auto us = ms_in(bucket, kind.bucket);
        if (!percent || !us) continue;
        const std::pair<double, std::optional<double>*> wanted[] = {
            {0, &l.min},  {50, &l.p50},     {90, &l.p90},       {95, &l.p95},
            {99, &l.p99}, {99.9, &l.p99_9}, {99.99, &l.p99_99}, {100, &l.max}};
        for (const auto& [at, field] : wanted) {
          if (std::abs(*percent - at) < 1e-9) *field = us;
        }
      }
    }
  }

  static void add_series(const Node& iops, std::uint64_t block, RunResult& run) {
    double before = 0;
    for (const Node bucket : iops.children("Bucket")) {
      const double at = bucket.attribute("SampleMillisecond").as_double() / 1000;
      const double rate = bucket.attribute("Total").as_double();
      if (!(at > before) || !(rate >= 0) || rate > 1e12 || at > 1e9) continue;
      SeriesPoint point;
      point.t = at;
      point.iops = rate;
      point.ios = static_cast<std::uint64_t>(std::llround(rate * (at - before)));
      point.bytes_per_s = rate * static_cast<double>(block);
      run.series.push_back(point);
      before = at;
    }
  }

  Status take(const Node& span, const Node& planned, std::size_t number) {
    const auto seconds = number_of(text_of(span, "TestTimeSeconds"));
    if (!seconds || *seconds < 0)
      return malformed(name_, line_of(span), "expected <TestTimeSeconds> in <TimeSpan>");
    if (*seconds == 0) {
      out_.notes.push_back({static_cast<std::uint32_t>(line_of(span)),
                            fmt::format("time span {} left out: it ran for no time", number + 1)});
      return Done{};
    }
    RunResult run = blank_run("diskspd", version_);
    DiskspdSpan plan = span_of(planned);
    plan.test_s = *seconds;
    RAIDSCOPE_CHECK(add_counts(span, *seconds, plan, run));
    run.workload = diskspd_workload(plan);
    if (plan.targets.empty()) {
      run.workload.outstanding_total = 0;
      run.workload.warnings.emplace_back(
          "the file does not hold the profile: the workload is unknown");
      for (const Node thread : span.children("Thread")) {
        for (const Node target : thread.children("Target")) {
          std::string path(text_of(target, "Path"));
          auto& targets = run.workload.targets;
          if (std::find(targets.begin(), targets.end(), path) == targets.end())
            targets.push_back(std::move(path));
        }
      }
    }
    if (run.workload.duration_s == 0) run.workload.duration_s = *seconds;
    add_latency(span.child("Latency"), run);
    if (plan.targets.size() == 1) add_series(span.child("Iops"), plan.targets[0].block_bytes, run);
    run.workload.source = source_of(plan, *seconds);
    // "2024/05/06 07:08:09 UTC": when the tool was started.
    if (run_time_.size() == 23 && run_time_.ends_with(" UTC") && number == 0) {
      std::string iso = run_time_.substr(0, 19);
      iso[4] = iso[7] = '-';
      iso[10] = 'T';
      if (std::all_of(iso.begin(), iso.end(), [](char c) {
            return (c >= '0' && c <= '9') || c == '-' || c == 'T' || c == ':';
          })) {
        run.started_at = iso + "Z";
      }
    }
    finish_diskspd(plan, run);
    out_.runs.push_back(std::move(run));
    return Done{};
  }

  [[nodiscard]] std::string source_of(const DiskspdSpan& plan, double seconds) const {
    std::string out = "diskspd";
    if (!plan.targets.empty()) {
      const DiskspdTarget& t = plan.targets.front();
      out += fmt::format(" -b{} -o{} -w{}", t.block_bytes, t.outstanding, t.write_percent);
      out += plan.total_threads != 0 ? fmt::format(" -F{}", plan.total_threads)
                                     : fmt::format(" -t{}", t.threads);
      if (t.random) {
        out += fmt::format(" -r{}", t.stride_bytes);
      } else {
        out += fmt::format(" -s{}{}", t.interlocked ? "i" : "", t.stride_bytes);
      }
      if (!t.buffered) out += t.write_through ? " -Sh" : " -Su";
      out += fmt::format(" -d{:g} -W{:g} -C{:g} -z{}", plan.duration_s, plan.warmup_s,
                         plan.cooldown_s, plan.seed);
      if (t.rate > 0) out += fmt::format(" -g{:g}", t.rate);
      for (const DiskspdTarget& target : plan.targets) out += " " + target.path;
      out += " (from the profile in the XML)";
    }
    out += fmt::format(" | TestTimeSeconds {:g}", seconds);
    if (!computer_.empty()) out += " | ComputerName " + computer_;
    if (!run_time_.empty()) out += " | RunTime " + run_time_;
    return out;
  }

  std::string_view text_, name_;
  std::string version_, run_time_, computer_;
  ImportedFile out_;
};

bool recognises(std::string_view text) {
  const std::size_t first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos || text[first] != '<') return false;
  return text.find("<Results") != std::string_view::npos;
}

Result<ImportedFile> parse(std::string_view text, std::string_view name) {
  return Reader(text, name).read();
}

}  // namespace

extern const ImportFormat import_format_diskspd;
const ImportFormat import_format_diskspd{"diskspd", "diskspd's XML (-Rxml)", recognises, parse};

}  // namespace raidscope
