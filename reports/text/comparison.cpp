#include "reports/text/comparison.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "reports/text/escape.h"
#include "reports/text/layout.h"
#include "reports/text/prices.h"
#include "reports/text/units.h"

namespace raidscope {
namespace {

std::string metric_words(const std::string& metric) {
  if (metric == "iops") return "IOPS";
  if (metric == "bytes_per_s") return "throughput";
  if (metric == "p99_9") return "p99.9";
  return metric;
}

std::string times_words(const ComparedMetric& row) {
  return row.ratio.estimate ? ratio_words(*row.ratio.estimate) + "×" : unknown_word;
}

std::string interval_words(const ComparedMetric& row) {
  if (!row.ratio.low || !row.ratio.high) return "none";
  return ratio_words(*row.ratio.low) + " to " + ratio_words(*row.ratio.high);
}

Ink verdict_ink(ComparisonVerdict verdict) {
  switch (verdict) {
    case ComparisonVerdict::better:
      return Ink::good;
    case ComparisonVerdict::worse:
      return Ink::bad;
    case ComparisonVerdict::equal:
      return Ink::plain;
    case ComparisonVerdict::undecided:
      break;
  }
  return Ink::warn;
}

/// Whether the verdict on the first number is one, for its colour.
Ink conclusion_ink(const RunComparison& comparison) {
  if (comparison.metrics.empty()) return Ink::warn;
  return verdict_ink(comparison.metrics.front().verdict);
}

bool told_by_nobody(const ComparedMetric& row) {
  return !row.a && !row.b;
}

bool same_block(const ComparedMetric& a, const ComparedMetric& b) {
  return a.workload == b.workload && a.group_a == b.group_a && a.group_b == b.group_b;
}

/// The index behind the rows that share the workload and the groups of the row at `first`.
std::size_t block_end(const RunComparison& comparison, std::size_t first) {
  std::size_t end = first;
  const auto same = [&](const ComparedMetric& row) {
    return same_block(comparison.metrics[first], row) &&
           (end == first || row.metric != comparison.metrics[first].metric);
  };
  while (end < comparison.metrics.size() && same(comparison.metrics[end])) ++end;
  return end;
}

/// "unknown on both sides: p50, p99"; empty where all was told.
std::string untold_words(const RunComparison& comparison, std::size_t first, std::size_t end) {
  std::string out;
  for (std::size_t i = first; i < end; ++i) {
    if (!told_by_nobody(comparison.metrics[i])) continue;
    out += (out.empty() ? "not told on either side: " : ", ") +
           metric_words(comparison.metrics[i].metric);
  }
  return out;
}

std::string setting_words(const RunComparison& comparison, const std::string& key) {
  std::string out;
  for (const ComparedGroup& group : comparison.groups) {
    const auto found = group.settings.find(key);
    const bool known = found != group.settings.end() && found->second;
    out += fmt::format("{}{}", out.empty() ? "" : " | ", known ? *found->second : unknown_word);
  }
  return out;
}

std::string number(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}
std::string number(const std::optional<std::int64_t>& value) {
  return value ? fmt::format("{}", *value) : "";
}

}  // namespace

std::string value_words(const ComparedMetric& row, const std::optional<double>& value) {
  if (!value) return unknown_word;
  if (row.unit == "us") return latency(value);
  return row.metric == "bytes_per_s" ? byte_rate(*value) : grouped(*value);
}

std::string verdict_words(const ComparedMetric& row) {
  switch (row.verdict) {
    case ComparisonVerdict::better:
      return "better";
    case ComparisonVerdict::worse:
      return "worse";
    case ComparisonVerdict::equal:
      return "practically equal";
    case ComparisonVerdict::undecided:
      break;
  }
  if (row.more_pairs) return fmt::format("undecided: {} more pairs", *row.more_pairs);
  return "undecided";
}

std::string count_words(const ComparedMetric& row) {
  return row.pairs ? fmt::format("{} pairs", *row.pairs)
                   : fmt::format("{} and {}", row.n_a, row.n_b);
}

std::string comparison_text(const RunComparison& comparison, const TextStyle& style) {
  std::string out;
  for (const std::string& sentence : split_lines(comparison.conclusion)) {
    out += paint(wrapped(printable(sentence), usable_width(style), 2), conclusion_ink(comparison),
                 style) +
           "\n";
  }
  for (std::size_t first = 0; first < comparison.metrics.size();) {
    const std::size_t end = block_end(comparison, first);
    const ComparedMetric& head = comparison.metrics[first];
    out += "\n" + paint(printable(head.workload), Ink::strong, style) + "\n";
    out += fmt::format("  ratio: {} over {}; runs: {}\n", printable(head.group_b),
                       printable(head.group_a), count_words(head));
    std::vector<std::vector<Cell>> rows;
    for (std::size_t i = first; i < end; ++i) {
      const ComparedMetric& row = comparison.metrics[i];
      if (told_by_nobody(row)) continue;
      rows.push_back({{metric_words(row.metric)},
                      {value_words(row, row.a)},
                      {value_words(row, row.b)},
                      {times_words(row), Ink::strong},
                      {interval_words(row)},
                      {verdict_words(row), verdict_ink(row.verdict)}});
    }
    if (!rows.empty()) {
      out += table_text({{"Number"},
                         {shorten(printable(head.group_a), 24), true, 8},
                         {shorten(printable(head.group_b), 24), true, 8},
                         {"Ratio", true},
                         {fmt::format("{:g} % interval", comparison.confidence_pct), true},
                         {"Verdict"}},
                        rows, style, true, 2);
    }
    if (const std::string untold = untold_words(comparison, first, end); !untold.empty())
      out += "  " + paint(untold, Ink::dim, style) + "\n";
    first = end;
  }
  out += prices_text(comparison.prices, style);
  out += "\n";
  if (comparison.differing.empty()) out += "No known setting differed.\n";
  for (const std::string& key : comparison.differing) {
    const bool in_the_way = std::find(comparison.in_the_way.begin(), comparison.in_the_way.end(),
                                      key) != comparison.in_the_way.end();
    out += keyed_line(in_the_way ? "in the way" : "differed",
                      key + ": " + setting_words(comparison, key), 14, style,
                      in_the_way ? Ink::bad : Ink::plain);
  }
  for (const std::string& note : comparison.notes) out += keyed_line("note", note, 14, style);
  return out;
}

std::string comparison_markdown(const RunComparison& comparison) {
  std::string out = "# Comparison\n\n";
  for (const std::string& sentence : split_lines(comparison.conclusion))
    out += "- **" + markdown_text(sentence) + "**\n";
  for (std::size_t first = 0; first < comparison.metrics.size();) {
    const std::size_t end = block_end(comparison, first);
    const ComparedMetric& head = comparison.metrics[first];
    out += fmt::format("\n## {}\n\n{} over {} ({}).\n\n", markdown_text(head.workload),
                       markdown_text(head.group_b), markdown_text(head.group_a), count_words(head));
    out += fmt::format("| Number | {} | {} | Ratio | {:g} % interval | Verdict |\n",
                       markdown_text(head.group_a), markdown_text(head.group_b),
                       comparison.confidence_pct);
    out += "| --- | ---: | ---: | ---: | ---: | --- |\n";
    for (std::size_t i = first; i < end; ++i) {
      const ComparedMetric& row = comparison.metrics[i];
      out += fmt::format("| {} | {} | {} | {} | {} | {} |\n", metric_words(row.metric),
                         value_words(row, row.a), value_words(row, row.b), times_words(row),
                         interval_words(row), verdict_words(row));
    }
    first = end;
  }
  if (!comparison.differing.empty()) {
    out += "\n## What differed\n\n| Setting |";
    for (const ComparedGroup& group : comparison.groups)
      out += fmt::format(" {} |", markdown_text(group.label));
    out += "\n| --- |";
    for (std::size_t i = 0; i < comparison.groups.size(); ++i) out += " --- |";
    out += "\n";
    for (const std::string& key : comparison.differing) {
      out += fmt::format("| {} |", markdown_text(key));
      for (const ComparedGroup& group : comparison.groups) {
        const auto found = group.settings.find(key);
        const bool known = found != group.settings.end() && found->second;
        out += fmt::format(" {} |", known ? markdown_text(*found->second) : unknown_word);
      }
      out += "\n";
    }
  }
  out += prices_markdown(comparison.prices);
  if (!comparison.notes.empty()) out += "\n## Notes\n\n";
  for (const std::string& note : comparison.notes) out += "- " + markdown_text(note) + "\n";
  return out;
}

std::string comparison_csv(const RunComparison& comparison) {
  std::string out =
      "workload,group_a,group_b,metric,unit,a,b,ratio,ratio_low,ratio_high,verdict,n_a,n_b,pairs,"
      "method,effect_size,more_pairs,conditional,in_the_way\r\n";
  for (const ComparedMetric& row : comparison.metrics) {
    const std::string cells[] = {row.workload,
                                 row.group_a,
                                 row.group_b,
                                 row.metric,
                                 row.unit,
                                 number(row.a),
                                 number(row.b),
                                 number(row.ratio.estimate),
                                 number(row.ratio.low),
                                 number(row.ratio.high),
                                 std::string(to_name(row.verdict)),
                                 fmt::format("{}", row.n_a),
                                 fmt::format("{}", row.n_b),
                                 number(row.pairs),
                                 row.method.value_or(""),
                                 number(row.effect_size),
                                 number(row.more_pairs),
                                 comparison.conditional ? "true" : "false",
                                 fmt::format("{}", fmt::join(row.in_the_way, " "))};
    bool first = true;
    for (const std::string& cell : cells) {
      if (!first) out.push_back(',');
      out += csv_cell(cell);
      first = false;
    }
    out += "\r\n";
  }
  return out;
}

}  // namespace raidscope
