#include <algorithm>

#include <fmt/format.h>

#include "reports/html/figure.h"
#include "reports/html/markup.h"
#include "reports/html/sections.h"
#include "reports/html/sweeps.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope::html {
namespace {

// The median, and below it how far the repeats lie apart.
std::string ranged(const Spread& spread, double scale, std::string_view unit) {
  if (!spread.median) return unknown_word;
  std::string out = fmt::format("<b>{}{}</b>", grouped(*spread.median / scale), unit);
  if (spread.count > 1) {
    out += fmt::format("<br><span class=\"muted\">{} to {}</span>", grouped(*spread.low / scale),
                       grouped(*spread.high / scale));
  }
  return out;
}

constexpr double mebibyte = 1024.0 * 1024.0;

std::string latency_cell(const std::vector<const RunResult*>& runs,
                         std::optional<double> (*value)(const RunResult&)) {
  return latency(spread(runs, value).median);
}

std::string marks(const std::vector<const RunResult*>& runs) {
  const auto doubtful = std::count_if(runs.begin(), runs.end(),
                                      [](const RunResult* run) { return is_doubtful(*run); });
  if (doubtful == 0) return "none";
  return fmt::format("<span class=\"badge bad\">{} of {}</span>", doubtful, runs.size());
}

std::string bound_words(const RunResult& run) {
  if (!run.checks.physical_bound_iops) return unknown_word;
  return fmt::format("{}<br><span class=\"muted note-cell\">{}</span>",
                     grouped(*run.checks.physical_bound_iops),
                     run.checks.bound_name ? escaped(*run.checks.bound_name) : unknown_word);
}

std::string point_name(const Point& point) {
  return fmt::format("<b>{}</b><br><span class=\"muted\">{}</span>",
                     point.name.empty() ? "unnamed" : escaped(point.name), escaped(point.shape));
}

std::string results_table(const Model& model) {
  std::vector<std::vector<std::string>> rows;
  for (const Point& point : model.points) {
    for (const PointCell& cell : point.cells) {
      rows.push_back({
          point_name(point),
          series_key(model, cell.series) + " " + origin_badge(cell.runs.front()->origin),
          std::to_string(cell.runs.size()),
          ranged(spread(cell.runs, [](const RunResult& r) { return std::optional(r.iops); }), 1,
                 ""),
          ranged(spread(cell.runs, [](const RunResult& r) { return std::optional(r.bytes_per_s); }),
                 mebibyte, " MiB/s"),
          latency_cell(cell.runs, [](const RunResult& r) { return r.latency_us.mean; }),
          latency_cell(cell.runs, [](const RunResult& r) { return r.latency_us.p50; }),
          latency_cell(cell.runs, [](const RunResult& r) { return r.latency_us.p99; }),
          latency_cell(cell.runs, [](const RunResult& r) { return r.latency_us.p99_9; }),
          latency_cell(cell.runs, [](const RunResult& r) { return r.latency_us.max; }),
      });
    }
  }
  return "<div id=\"numbers-iops\">" +
         table("Results of every point: median of the repeats, below it the least and the greatest",
               {{"Workload"},
                {"Configuration"},
                {"Runs", true},
                {"IOPS", true},
                {"Throughput", true},
                {"Mean", true},
                {"p50", true},
                {"p99", true},
                {"p99.9", true},
                {"Max", true}},
               rows) +
         "</div>";
}

std::string steady_cell(const std::vector<const RunResult*>& runs) {
  std::size_t reached = 0, missed = 0;
  for (const RunResult* run : runs) {
    reached += run->steady_state.reached == true;
    missed += run->steady_state.reached == false;
  }
  if (missed != 0)
    return fmt::format("<span class=\"badge bad\">not in {} of {}</span>", missed, runs.size());
  return reached == runs.size() ? "reached" : unknown_word;
}

std::string checks_table(const Model& model) {
  std::vector<std::vector<std::string>> rows;
  for (const Point& point : model.points) {
    for (const PointCell& cell : point.cells) {
      const RunResult& first = *cell.runs.front();
      const Spread depth =
          spread(cell.runs, [](const RunResult& r) { return r.checks.achieved_queue_depth; });
      rows.push_back({
          "<b>" + (point.name.empty() ? "unnamed" : escaped(point.name)) + "</b>",
          series_key(model, cell.series) + " " + origin_badge(first.origin),
          ranged(spread(cell.runs, [](const RunResult& r) { return std::optional(r.iops); }), 1,
                 ""),
          bound_words(first),
          percent(spread(cell.runs, [](const RunResult& r) { return r.checks.littles_law_pct; })
                      .median),
          fmt::format("{} of {}", depth.median ? grouped(*depth.median) : unknown_word,
                      grouped_count(first.workload.outstanding_total)),
          latency_cell(cell.runs, [](const RunResult& r) { return r.cpu.us_per_io; }),
          steady_cell(cell.runs),
          marks(cell.runs),
      });
    }
  }
  return table("Checks of every point",
               {{"Workload"},
                {"Configuration"},
                {"IOPS", true},
                {"Bound, IOPS", true},
                {"Little&#39;s law", true},
                {"Queue depth", true},
                {"CPU per I/O", true},
                {"Steady state"},
                {"Doubtful"}},
               rows);
}

std::string legend(const Model& model) {
  std::string out = "<ul class=\"legend\">\n";
  for (std::size_t s = 0; s < model.series.size(); ++s) {
    const Series& series = model.series[s];
    out += fmt::format(
        "<li>{}<span><span class=\"tag\">{}</span> <span class=\"sub\">session {}, "
        "{}</span></span></li>\n",
        series_key(model, s), series.tag.empty() ? "Configuration unknown" : escaped(series.tag),
        series.session_id.empty() ? unknown_word : escaped(series.session_id),
        escaped(origin_words(series.origin)));
  }
  return out + "</ul>\n";
}

std::string percentile_table(const Model& model, const Point& point) {
  std::vector<std::vector<std::string>> rows;
  for (const PointCell& cell : point.cells) {
    for (const RunResult* run : cell.runs) {
      const LatencySummary& l = run->latency_us;
      rows.push_back(
          {series_key(model, cell.series),
           fmt::format("<a href=\"#run-{0}\"><code>{0}</code></a>", escaped(run->run_id)),
           std::string(to_name(run->origin)), latency(l.min), latency(l.mean), latency(l.stddev),
           latency(l.p50), latency(l.p90), latency(l.p95), latency(l.p99), latency(l.p99_9),
           latency(l.p99_99), latency(l.max)});
    }
  }
  return table("Latency of each run, from submit to reap",
               {{"Configuration"},
                {"Run"},
                {"Origin"},
                {"Min", true},
                {"Mean", true},
                {"Std. dev.", true},
                {"p50", true},
                {"p90", true},
                {"p95", true},
                {"p99", true},
                {"p99.9", true},
                {"p99.99", true},
                {"Max", true}},
               rows);
}

// Long runs would drown the page: at most this many rows a run, evenly taken, and the table says
// so.
constexpr std::size_t most_seconds = 120;

std::string seconds_table(const Model& model, const Point& point) {
  std::vector<std::vector<std::string>> rows;
  std::size_t step = 1;
  for (const PointCell& cell : point.cells) {
    for (const RunResult* run : cell.runs) {
      const std::size_t every = (run->series.size() + most_seconds - 1) / most_seconds;
      step = std::max({step, every, std::size_t{1}});
      for (std::size_t i = 0; i < run->series.size(); i += std::max<std::size_t>(every, 1)) {
        const SeriesPoint& second = run->series[i];
        rows.push_back({series_key(model, cell.series), "<code>" + escaped(run->run_id) + "</code>",
                        duration(second.t), grouped(second.iops), byte_rate(second.bytes_per_s),
                        latency(second.mean_us), latency(second.p99_us)});
      }
    }
  }
  if (rows.empty()) return "<p class=\"sub\">No run of this point has a series over time.</p>\n";
  std::string out = table("Each run over time",
                          {{"Configuration"},
                           {"Run"},
                           {"Until", true},
                           {"IOPS", true},
                           {"Throughput", true},
                           {"Mean", true},
                           {"p99", true}},
                          rows);
  if (step > 1)
    out +=
        fmt::format("<p class=\"sub\">Every {}. interval of the longest run is shown.</p>\n", step);
  return out;
}

bool has_series(const Point& point) {
  for (const PointCell& cell : point.cells) {
    for (const RunResult* run : cell.runs) {
      if (!run->series.empty()) return true;
    }
  }
  return false;
}

bool has_rounds(const Point& point) {
  for (const PointCell& cell : point.cells) {
    for (const RunResult* run : cell.runs) {
      if (!run->rounds.empty() || run->steady_state.window_s) return true;
    }
  }
  return false;
}

bool has_percentiles(const Point& point) {
  for (const PointCell& cell : point.cells) {
    for (const RunResult* run : cell.runs) {
      if (run->latency_us.p50 || run->latency_us.p99 || run->latency_us.max) return true;
    }
  }
  return false;
}

// Where the bands come from, or why there are none.
std::string interval_words(const Model& model) {
  std::size_t repeats = 0, rounds = 0, none = 0;
  for (const Point& point : model.points) {
    for (const PointCell& cell : point.cells) {
      const IntervalBasis basis = iops_level(cell.runs).basis;
      repeats += basis == IntervalBasis::repeats;
      rounds += basis == IntervalBasis::rounds;
      none += basis == IntervalBasis::none;
    }
  }
  std::string out;
  if (repeats != 0) out += "Bands are 95 % intervals of the repeats. ";
  if (rounds != 0)
    out +=
        "Where there is one run, the band is the 95 % interval of its last rounds: it says nothing "
        "of another run. ";
  if (none != 0)
    out += fmt::format(
        "{} without a band: an interval needs three repeats, or the rounds of a single run.",
        none == 1 ? "One point is" : fmt::format("{} points are", none));
  return out;
}

std::string sweep_plots(const Model& model) {
  const std::vector<Sweep> all = sweeps(model);
  if (all.empty()) return {};
  std::string out = "<h4>Over queue depth</h4>\n<div class=\"plots two\">\n";
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string base = escaped(all[i].base);
    out += figure(fmt::format("plot-sweep-iops-{}", i), base + ": IOPS by outstanding requests",
                  "numbers-iops", "xy");
    out += figure(fmt::format("plot-sweep-latency-{}", i),
                  base + ": mean latency by outstanding requests; p99 thin", "numbers-iops", "xy");
  }
  return out + "</div>\n<p class=\"sub\">" + interval_words(model) + "</p>\n";
}

}  // namespace

std::string results(const Model& model) {
  return "<div class=\"card\">\n" + legend(model) +
         figure("plot-iops",
                "IOPS of every point, by configuration and session: median of the repeats, "
                "whiskers from least to greatest",
                "numbers-iops", "") +
         sweep_plots(model) + "<h4>The same in numbers</h4>\n" + results_table(model) +
         "<h4>Can they be trusted?</h4>\n" + checks_table(model) + "</div>\n";
}

std::string points(const Model& model) {
  std::string out;
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    const Point& point = model.points[p];
    out += fmt::format(
        "<article class=\"card\"><div class=\"head\"><h3>{}</h3><span "
        "class=\"sub\">{}</span></div>\n",
        point.name.empty() ? "unnamed" : escaped(point.name), escaped(point.shape));
    out += "<div class=\"badges\">";
    for (const PointCell& cell : point.cells) {
      const Spread iops =
          spread(cell.runs, [](const RunResult& r) { return std::optional(r.iops); });
      out += fmt::format("<span>{} {} IOPS, {}</span>", series_key(model, cell.series),
                         iops.median ? grouped(*iops.median) : unknown_word,
                         to_name(cell.runs.front()->origin));
    }
    out += "</div>\n";
    const std::string described = fmt::format("numbers-{}", p);
    if (has_percentiles(point) || has_series(point)) {
      out += "<div class=\"plots\">\n";
      if (has_percentiles(point)) {
        out += figure(fmt::format("plot-percentiles-{}", p), "Latency percentiles", described, "y");
      }
      if (has_series(point)) {
        out += figure(fmt::format("plot-iops-time-{}", p),
                      has_rounds(point) ? "IOPS over time, with rounds and the steady-state window"
                                        : "IOPS over time",
                      described, "y");
        out += figure(fmt::format("plot-latency-time-{}", p), "Mean latency over time; p99 thin",
                      described, "y");
      }
      out += "</div>\n";
    }
    out += fmt::format(
        "<details class=\"numbers\" open id=\"{}\"><summary>The same in numbers</summary>\n",
        described);
    out += "<h4>Latency</h4>" + percentile_table(model, point) + "<h4>Over time</h4>" +
           seconds_table(model, point) + "</details></article>\n";
  }
  return out;
}

}  // namespace raidscope::html
