#include "reports/text/decision.h"

#include <algorithm>
#include <cstdint>
#include <optional>

#include <fmt/format.h>

#include "reports/text/escape.h"
#include "reports/text/layout.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope {
namespace {

std::string iops_words(const std::optional<DecidedArm>& arm) {
  return arm && arm->iops ? fmt::format("{} ({})", grouped(*arm->iops), arm->n) : "none";
}

std::string ratio_cell(const std::optional<RatioInterval>& ratio) {
  if (!ratio || !ratio->estimate) return "none";
  return ratio_words(*ratio->estimate) + "×";
}

std::string interval_cell(const std::optional<RatioInterval>& ratio) {
  if (!ratio || !ratio->low || !ratio->high) return "none";
  return ratio_words(*ratio->low) + " to " + ratio_words(*ratio->high);
}

std::string winner_cell(const DecidedPoint& point) {
  switch (point.winner) {
    case ArmWinner::cache:
      return "cache";
    case ArmWinner::smart_path:
      return "Smart Path";
    case ArmWinner::equal:
      return "equal";
    case ArmWinner::undecided:
      break;
  }
  if (!point.in_the_way.empty()) return "undecided: see why";
  return point.more_pairs ? fmt::format("undecided: {} more pairs", *point.more_pairs)
                          : "undecided";
}

Ink winner_ink(ArmWinner winner) {
  return winner == ArmWinner::undecided ? Ink::warn : Ink::good;
}

std::string latency_cell(const std::optional<DecidedArm>& cache,
                         const std::optional<DecidedArm>& smart_path,
                         std::optional<double> DecidedArm::*member) {
  const auto one = [&](const std::optional<DecidedArm>& arm) {
    return arm ? latency((*arm).*member) : std::string("none");
  };
  return one(cache) + " | " + one(smart_path);
}

bool has_prices(const DecidedWorkload& workload) {
  return std::any_of(workload.points.begin(), workload.points.end(), [](const DecidedPoint& p) {
    return (p.cache && p.cache->price_per_kiops) || (p.smart_path && p.smart_path->price_per_kiops);
  });
}

std::string price_cell(const DecidedPoint& point) {
  const auto one = [](const std::optional<DecidedArm>& arm) {
    return arm && arm->price_per_kiops ? price_words(arm->price_per_kiops) : std::string("none");
  };
  return one(point.cache) + " | " + one(point.smart_path);
}

std::vector<std::string> titles(const DecidedWorkload& workload) {
  std::vector<std::string> out{"Disks",
                               "Cache IOPS (runs)",
                               "Smart Path IOPS (runs)",
                               "Ratio",
                               "95 % interval",
                               "Winner",
                               "Mean c|s",
                               "p99 c|s"};
  const bool third = std::any_of(workload.points.begin(), workload.points.end(),
                                 [](const DecidedPoint& p) { return p.neither || p.driver_off; });
  if (third) out.emplace_back("Neither");
  if (has_prices(workload)) out.emplace_back("Price/kIOPS c|s");
  return out;
}

std::vector<std::string> cells(const DecidedWorkload& workload, const DecidedPoint& point) {
  std::vector<std::string> out{fmt::format("{}", point.disk_count),
                               iops_words(point.cache),
                               iops_words(point.smart_path),
                               ratio_cell(point.ratio),
                               interval_cell(point.ratio),
                               winner_cell(point),
                               latency_cell(point.cache, point.smart_path, &DecidedArm::mean_us),
                               latency_cell(point.cache, point.smart_path, &DecidedArm::p99_us)};
  const std::vector<std::string> heads = titles(workload);
  if (std::find(heads.begin(), heads.end(), "Neither") != heads.end())
    out.push_back(iops_words(point.neither ? point.neither : point.driver_off));
  if (has_prices(workload)) out.push_back(price_cell(point));
  return out;
}

std::string points_table(const DecidedWorkload& workload, const TextStyle& style) {
  std::vector<TableColumn> columns;
  for (const std::string& title : titles(workload))
    columns.push_back({title, title != "Winner", 0});
  std::vector<std::vector<Cell>> rows;
  for (const DecidedPoint& point : workload.points) {
    std::vector<Cell> row;
    for (std::string& text : cells(workload, point)) row.push_back({std::move(text), Ink::plain});
    row[5].ink = winner_ink(point.winner);
    rows.push_back(std::move(row));
  }
  return table_text(columns, rows, style, true, 2);
}

std::string head_words(const DecidedWorkload& workload) {
  std::string out = workload_shape(workload.workload);
  if (!workload.origin.empty() && workload.origin != "measured")
    out += fmt::format(" ({})", workload.origin);
  return out;
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

std::string number(const std::optional<DecidedArm>& arm,
                   std::optional<double> DecidedArm::*member) {
  return arm ? number((*arm).*member) : "";
}

std::string iops_end(const std::optional<DecidedArm>& arm, double ValueRange::*end) {
  return arm && arm->iops_interval ? fmt::format("{}", (*arm->iops_interval).*end) : "";
}

}  // namespace

std::string decision_text(const SmartPathDecision& decision, const TextStyle& style) {
  std::string out;
  for (const DecidedWorkload& workload : decision.workloads) {
    if (!out.empty()) out += "\n";
    out += paint(wrapped(printable(workload.recommendation), usable_width(style), 2),
                 workload.answer == ArmWinner::undecided ? Ink::warn : Ink::good, style) +
           "\n";
    out += keyed_line("workload", head_words(workload), 12, style);
    out += keyed_line("drive", workload.drive, 12, style);
    for (const std::string& reason : workload.because)
      out += keyed_line("because", reason, 12, style);
    for (const std::string& finding : workload.in_the_way)
      out += keyed_line("in the way", finding, 12, style, Ink::bad);
    for (const std::string& finding : workload.mended)
      out += keyed_line("mends", finding, 12, style);
    if (!workload.points.empty()) out += "\n" + points_table(workload, style);
    if (!workload.commands.empty()) {
      out += "\n  Commands, in this order:\n";
      for (const std::string& command : workload.commands)
        out += "    " + printable(command) + "\n";
    }
  }
  if (decision.workloads.empty()) out += "Nothing to decide.\n";
  if (!decision.missing.empty()) out += "\nMissing:\n";
  for (const std::string& text : decision.missing) out += keyed_line("-", text, 4, style);
  return out;
}

std::string decision_markdown(const SmartPathDecision& decision) {
  std::string out = "# Controller cache or SSD Smart Path\n";
  for (const DecidedWorkload& workload : decision.workloads) {
    out += fmt::format("\n## {}\n\n**{}**\n\n", markdown_text(head_words(workload)),
                       markdown_text(workload.recommendation));
    for (const std::string& reason : workload.because) out += "- " + markdown_text(reason) + "\n";
    for (const std::string& finding : workload.in_the_way)
      out += "- In the way: " + markdown_text(finding) + "\n";
    for (const std::string& finding : workload.mended)
      out += "- The commands mend: " + markdown_text(finding) + "\n";
    if (!workload.points.empty()) {
      std::string rule;
      out += "\n|";
      for (const std::string& title : titles(workload)) {
        out += " " + markdown_text(title) + " |";
        rule += " ---: |";
      }
      out += "\n|" + rule + "\n";
      for (const DecidedPoint& point : workload.points) {
        out += "|";
        for (const std::string& cell : cells(workload, point))
          out += " " + markdown_text(cell) + " |";
        out += "\n";
      }
    }
    if (!workload.commands.empty()) {
      out += "\nCommands, in this order:\n\n```\n";
      for (const std::string& command : workload.commands) out += printable(command) + "\n";
      out += "```\n";
    }
  }
  if (!decision.missing.empty()) out += "\n## Missing\n\n";
  for (const std::string& text : decision.missing) out += "- " + markdown_text(text) + "\n";
  return out;
}

std::string decision_csv(const SmartPathDecision& decision) {
  std::string out =
      "workload,origin,disk_count,cache_iops,cache_runs,smart_path_iops,smart_path_runs,ratio,"
      "ratio_low,ratio_high,winner,fitted_ratio,cache_mean_us,smart_path_mean_us,cache_p99_us,"
      "smart_path_p99_us,cache_price_per_kiops,smart_path_price_per_kiops,bypass_share,"
      "neither_iops,driver_off_iops,cache_iops_low,cache_iops_high,smart_path_iops_low,"
      "smart_path_iops_high,cache_price,smart_path_price,cache_iops_per_unit,"
      "smart_path_iops_per_unit,cache_price_per_gb,smart_path_price_per_gb\r\n";
  for (const DecidedWorkload& workload : decision.workloads) {
    for (const DecidedPoint& point : workload.points) {
      const RatioInterval ratio = point.ratio.value_or(RatioInterval{});
      const std::string row[] = {workload_shape(workload.workload),
                                 workload.origin,
                                 fmt::format("{}", point.disk_count),
                                 number(point.cache, &DecidedArm::iops),
                                 fmt::format("{}", point.cache ? point.cache->n : 0),
                                 number(point.smart_path, &DecidedArm::iops),
                                 fmt::format("{}", point.smart_path ? point.smart_path->n : 0),
                                 number(ratio.estimate),
                                 number(ratio.low),
                                 number(ratio.high),
                                 std::string(to_name(point.winner)),
                                 number(point.fitted_ratio),
                                 number(point.cache, &DecidedArm::mean_us),
                                 number(point.smart_path, &DecidedArm::mean_us),
                                 number(point.cache, &DecidedArm::p99_us),
                                 number(point.smart_path, &DecidedArm::p99_us),
                                 number(point.cache, &DecidedArm::price_per_kiops),
                                 number(point.smart_path, &DecidedArm::price_per_kiops),
                                 number(workload.bypass_share),
                                 number(point.neither, &DecidedArm::iops),
                                 number(point.driver_off, &DecidedArm::iops),
                                 iops_end(point.cache, &ValueRange::low),
                                 iops_end(point.cache, &ValueRange::high),
                                 iops_end(point.smart_path, &ValueRange::low),
                                 iops_end(point.smart_path, &ValueRange::high),
                                 number(point.cache, &DecidedArm::price),
                                 number(point.smart_path, &DecidedArm::price),
                                 number(point.cache, &DecidedArm::iops_per_unit),
                                 number(point.smart_path, &DecidedArm::iops_per_unit),
                                 number(point.cache, &DecidedArm::price_per_gb),
                                 number(point.smart_path, &DecidedArm::price_per_gb)};
      for (std::size_t i = 0; i < std::size(row); ++i) {
        if (i != 0) out.push_back(',');
        out += csv_cell(row[i]);
      }
      out += "\r\n";
    }
  }
  return out;
}

}  // namespace raidscope
