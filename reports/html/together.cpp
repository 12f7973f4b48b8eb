#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/formats/csv.h"
#include "reports/html/figure.h"
#include "reports/html/markup.h"
#include "reports/html/script_json.h"
#include "reports/html/sections.h"
#include "reports/text/comparison.h"
#include "reports/text/layout.h"
#include "reports/text/prices.h"
#include "reports/text/references.h"
#include "reports/text/report_plots.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope::html {
namespace {

std::string list(const std::vector<std::string>& items) {
  if (items.empty()) return {};
  std::string out = "<ul>\n";
  for (const std::string& item : items) out += "<li>" + escaped(item) + "</li>\n";
  return out + "</ul>\n";
}

std::string escaped_cells_table(std::string_view caption, const std::vector<std::string>& titles,
                                const std::vector<std::vector<std::string>>& rows,
                                const std::vector<bool>& numbers) {
  std::vector<Column> columns;
  for (std::size_t c = 0; c < titles.size(); ++c)
    columns.push_back({titles[c], c < numbers.size() && numbers[c]});
  std::vector<std::vector<std::string>> cells;
  for (const auto& row : rows) {
    auto& out = cells.emplace_back();
    for (const std::string& text : row) out.push_back(escaped(text));
  }
  return table(caption, columns, cells);
}

std::string ratio_cell(const std::optional<RatioInterval>& ratio) {
  if (!ratio || !ratio->estimate) return "none";
  std::string out = "<b>" + ratio_words(*ratio->estimate) + "×</b>";
  if (ratio->low && ratio->high)
    out += fmt::format("<br><span class=\"muted\">{} to {}</span>", ratio_words(*ratio->low),
                       ratio_words(*ratio->high));
  return out;
}

std::string arm_cell(const std::optional<DecidedArm>& arm) {
  if (!arm || !arm->iops) return "not measured";
  std::string out = fmt::format("<b>{}</b>", grouped(*arm->iops));
  out += arm->iops_interval ? fmt::format("<br><span class=\"muted\">{} to {}, {} runs</span>",
                                          grouped(arm->iops_interval->low),
                                          grouped(arm->iops_interval->high), arm->n)
                            : fmt::format("<br><span class=\"muted\">no interval: {} {}</span>",
                                          arm->n, arm->n == 1 ? "run" : "runs");
  return out;
}

std::string latencies(const std::optional<DecidedArm>& arm) {
  return arm ? latency(arm->mean_us) + "<br><span class=\"muted\">" + latency(arm->p99_us) +
                   "</span>"
             : "not measured";
}

std::string winner_cell(const DecidedPoint& point) {
  switch (point.winner) {
    case ArmWinner::cache:
      return "<span class=\"badge good\">cache</span>";
    case ArmWinner::smart_path:
      return "<span class=\"badge good\">Smart Path</span>";
    case ArmWinner::equal:
      return "<span class=\"badge\">practically equal</span>";
    case ArmWinner::undecided:
      break;
  }
  return "<span class=\"badge warn\">undecided</span>";
}

std::string arms_table(const DecidedWorkload& workload) {
  const bool third = std::any_of(workload.points.begin(), workload.points.end(),
                                 [](const DecidedPoint& p) { return p.neither || p.driver_off; });
  std::vector<Column> columns{{"Disks", true},
                              {"Cache, IOPS", true},
                              {"Smart Path, IOPS", true},
                              {"Smart Path<br>over cache", true},
                              {"Better"},
                              {"Cache, mean<br>and p99", true},
                              {"Smart Path, mean<br>and p99", true}};
  if (third) columns.push_back({"Neither, IOPS", true});
  std::vector<std::vector<std::string>> rows;
  for (const DecidedPoint& point : workload.points) {
    rows.push_back({std::to_string(point.disk_count), arm_cell(point.cache),
                    arm_cell(point.smart_path), ratio_cell(point.ratio), winner_cell(point),
                    latencies(point.cache), latencies(point.smart_path)});
    if (third) rows.back().push_back(arm_cell(point.neither ? point.neither : point.driver_off));
  }
  return table("The arms at each number of disks", columns, rows);
}

std::string metric_name(const std::string& metric) {
  if (metric == "iops") return "IOPS";
  if (metric == "bytes_per_s") return "throughput";
  if (metric == "p99_9") return "p99.9 latency";
  return metric + " latency";
}

std::string judged(const ComparedMetric& row) {
  const bool good = row.verdict == ComparisonVerdict::better;
  const bool bad = row.verdict == ComparisonVerdict::worse;
  return fmt::format("<span class=\"badge{}\">{}</span>",
                     good                                      ? " good"
                     : bad                                     ? " bad"
                     : row.verdict == ComparisonVerdict::equal ? ""
                                                               : " warn",
                     verdict_words(row));
}

}  // namespace

std::string verdict(const ReportAnalysis& analysis) {
  return fmt::format("<p class=\"verdict{}\" id=\"verdict\">{}</p>\n",
                     analysis.settled ? "" : " open", escaped(analysis.verdict));
}

std::string links(const ReportAnalysis& analysis) {
  std::string out;
  if (!analysis.decision.workloads.empty()) out += "<a href=\"#arms\">Cache or Smart Path</a>";
  if (analysis.comparison) out += "<a href=\"#comparison\">Held against each other</a>";
  if (!analysis.references.empty()) out += "<a href=\"#references\">Published results</a>";
  if (!analysis.prices.empty()) out += "<a href=\"#prices\">Prices</a>";
  return out;
}

std::string arms(const ReportAnalysis& analysis) {
  if (analysis.decision.workloads.empty()) return {};
  std::string out = "<h2 id=\"arms\">Controller cache or SSD Smart Path</h2>\n";
  for (std::size_t w = 0; w < analysis.decision.workloads.size(); ++w) {
    const DecidedWorkload& workload = analysis.decision.workloads[w];
    out += fmt::format(
        "<article class=\"card\"><div class=\"head\"><h3>{}</h3><span class=\"sub\">{}</span>"
        "</div>\n<p>{} <span class=\"badge{}\">{}</span></p>\n",
        escaped(workload.recommendation), escaped(workload_shape(workload.workload)),
        escaped(workload.drive), workload.origin == "measured" ? "" : " warn",
        escaped(workload.origin));
    const std::string numbers = fmt::format("numbers-arms-{}", w);
    if (workload.points.size() > 1) {
      out +=
          "<div class=\"plots two\">\n" +
          figure(fmt::format("plot-disks-iops-{}", w),
                 "IOPS by number of disks, with 95 % intervals and the crossover", numbers, "xy") +
          figure(fmt::format("plot-disks-latency-{}", w),
                 "Mean latency by number of disks; p99 thin", numbers, "xy") +
          "</div>\n<p><b>Crossover:</b> " + escaped(crossover_words(workload)) + "</p>\n";
    }
    out += "<div id=\"" + numbers + "\">" + arms_table(workload) + "</div>\n";
    if (!workload.because.empty()) out += "<h4>Because</h4>\n" + list(workload.because);
    if (!workload.in_the_way.empty())
      out += "<h4>Findings in the way</h4>\n" + list(workload.in_the_way);
    if (!workload.mended.empty())
      out += "<h4>Findings that the commands mend</h4>\n" + list(workload.mended);
    std::vector<std::string> claims;
    for (const Reference* claim : claims_about(workload.workload))
      claims.push_back(claim_words(*claim));
    if (!claims.empty())
      out += "<h4>Published of this workload <span class=\"badge warn\">published</span></h4>\n" +
             list(claims);
    if (!workload.commands.empty()) {
      out += "<h4>Commands, in this order</h4>\n<pre>";
      for (std::size_t i = 0; i < workload.commands.size(); ++i)
        out += (i == 0 ? "" : "\n") + escaped(workload.commands[i]);
      out += "</pre>\n";
    }
    out += "</article>\n";
  }
  if (!analysis.decision.missing.empty())
    out +=
        "<div class=\"card\"><details class=\"numbers\" open><summary>What is missing for a "
        "better answer</summary>\n" +
        list(analysis.decision.missing) + "</details></div>\n";
  return out;
}

std::string comparison(const ReportAnalysis& analysis) {
  if (!analysis.comparison) return {};
  const RunComparison& all = *analysis.comparison;
  std::string out = "<h2 id=\"comparison\">Held against each other</h2>\n<div class=\"card\">\n" +
                    list(split_lines(all.conclusion));
  std::vector<std::vector<std::string>> rows;
  for (const ComparedMetric& row : all.metrics) {
    if (!row.a && !row.b) continue;
    rows.push_back({escaped(row.workload), metric_name(row.metric),
                    escaped(row.group_b + " over " + row.group_a), value_words(row, row.a),
                    value_words(row, row.b), ratio_cell(row.ratio), judged(row), count_words(row)});
  }
  // IOPS alone say much where there is a page of them.
  constexpr std::size_t most_rows = 18;
  const bool fold = rows.size() > most_rows;
  if (fold)
    out += fmt::format("<details class=\"numbers\" open><summary>All {} ratios</summary>\n",
                       rows.size());
  out += table("Ratios of the groups with their intervals",
               {{"Workload"},
                {"Number"},
                {"Groups"},
                {"First", true},
                {"Second", true},
                {"Ratio", true},
                {"Verdict"},
                {"Runs", true}},
               rows);
  if (fold) out += "</details>\n";
  if (!all.differing.empty()) {
    out += "<h4>What differed</h4>\n";
    std::vector<std::string> titles{"Setting"};
    for (const ComparedGroup& group : all.groups) titles.push_back(escaped(group.label));
    std::vector<std::vector<std::string>> settings;
    for (const std::string& key : all.differing) {
      auto& row = settings.emplace_back();
      row.push_back(key);
      for (const ComparedGroup& group : all.groups) {
        const auto found = group.settings.find(key);
        row.push_back(found != group.settings.end() && found->second ? *found->second
                                                                     : unknown_word);
      }
    }
    out += escaped_cells_table("Settings that differed between the groups", titles, settings, {});
  }
  if (!all.notes.empty())
    out += "<details class=\"numbers\" open><summary>Notes on the comparison</summary>\n" +
           list(all.notes) + "</details>\n";
  return out + "</div>\n";
}

std::string references(const ReportAnalysis& analysis) {
  if (analysis.references.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const ReferencePosition& row : analysis.references) rows.push_back(reference_cells(row));
  return "<h2 id=\"references\">Beside published results</h2>\n<div class=\"card\">\n<p "
         "class=\"sub\"><span class=\"badge warn\">published</span> numbers of the same workload. "
         "A "
         "single published number has no interval, so there is a ratio and no verdict.</p>\n" +
         escaped_cells_table("Results beside published ones of the same workload",
                             reference_titles(), rows, {false, true, false, true, true}) +
         "</div>\n";
}

std::string prices(const ReportAnalysis& analysis) {
  if (analysis.prices.empty()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const PricedResult& row : analysis.prices) rows.push_back(price_cells(row));
  return "<h2 id=\"prices\">Prices</h2>\n<div class=\"card\">\n<p class=\"sub\">In the currency of "
         "the prices that were given; nothing else is counted.</p>\n" +
         escaped_cells_table("What the results cost", price_titles(), rows,
                             {false, false, true, true, true, true}) +
         "</div>\n";
}

std::string downloads(const ReportInput& input, const ReportAnalysis& analysis) {
  // A second's histogram is most of a long run, and the whole run's is kept.
  ReportInput lean = input;
  for (RunResult& run : lean.runs) {
    for (SeriesPoint& second : run.series) second.histogram = {};
    for (RoundResult& round : run.rounds) round.histogram = {};
  }
  nlohmann::ordered_json raw;
  raw["json"] = nlohmann::ordered_json::parse(find_report_format("json")->render(lean));
  raw["csv"] = csv_report(input, analysis);
  return "<h2 id=\"raw\">Raw data</h2>\n<div class=\"card\">\n<p>All runs with their inventories "
         "are in this page. The JSON goes into another store with <code>raidscope import</code>; "
         "it lacks only the latency histograms of single seconds, which <code>raidscope "
         "export</code> writes too.</p>\n<p class=\"downloads\"><button type=\"button\" "
         "data-download=\"json\">Download JSON</button> <button type=\"button\" "
         "data-download=\"csv\">Download CSV</button></p>\n</div>\n<script "
         "type=\"application/json\" id=\"raw-data\">" +
         script_json(raw) + "</script>\n";
}

}  // namespace raidscope::html
