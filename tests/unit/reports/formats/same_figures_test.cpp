#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "reports/analysis/report_analysis.h"
#include "reports/html/markup.h"
#include "reports/text/escape.h"
#include "reports/text/layout.h"
#include "reports/text/report_plots.h"
#include "reports/text/units.h"
#include "tests/support/sample_study.h"

// The formats say the same: verdict, crossover, ratios, references and prices come from one
// analysis.
namespace raidscope {
namespace {

std::string rendered(std::string_view id) {
  return find_report_format(id)->render(sample::study());
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Lines joined, so that a wrapped sentence is found.
std::string flat(const std::string& text) {
  std::string out;
  for (const char c : text) {
    if (c != '\n') {
      out.push_back(c);
    } else if (!out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
    while (out.size() > 1 && out.back() == ' ' && out[out.size() - 2] == ' ') out.pop_back();
  }
  return out;
}

TEST(SameFigures, VerdictFirst) {
  const ReportAnalysis analysis = analyse(sample::study());
  const std::string html = rendered("html"), markdown = rendered("markdown"),
                    terminal = flat(rendered("terminal")), csv = rendered("csv");
  EXPECT_LT(html.find("id=\"verdict\">" + html::escaped(analysis.verdict)), html.find("<h2"));
  EXPECT_LT(markdown.find("**" + markdown_text(analysis.verdict) + "**"), markdown.find("\n## "));
  EXPECT_EQ(terminal.find(printable(analysis.verdict)), 0U);
  EXPECT_TRUE(has(csv, analysis.verdict.substr(0, 40)));
}

TEST(SameFigures, CrossoverRatiosReferencesAndPrices) {
  const ReportAnalysis analysis = analyse(sample::study());
  const std::string html = rendered("html"), markdown = rendered("markdown"),
                    terminal = flat(rendered("terminal")), csv = rendered("csv");
  for (const DecidedWorkload& workload : analysis.decision.workloads) {
    if (workload.points.size() < 2) continue;
    const std::string words = crossover_words(workload);
    EXPECT_TRUE(has(html, html::escaped(words)));
    EXPECT_TRUE(has(markdown, markdown_text(words)));
    EXPECT_TRUE(has(terminal, words)) << words;
    ASSERT_TRUE(workload.crossover && workload.crossover->estimate);
    EXPECT_TRUE(has(csv, fmt::format("{}", *workload.crossover->estimate)));
    for (const DecidedPoint& point : workload.points) {
      const std::string ratio = ratio_words(*point.ratio->estimate) + "×";
      for (const std::string* text : {&html, &markdown, &terminal}) EXPECT_TRUE(has(*text, ratio));
      EXPECT_TRUE(has(
          csv, fmt::format("cache with {} disks,{}", point.disk_count, *point.ratio->estimate)));
      const std::string iops = grouped(*point.cache->iops);
      for (const std::string* text : {&html, &markdown, &terminal}) EXPECT_TRUE(has(*text, iops));
    }
  }
  ASSERT_FALSE(analysis.references.empty());
  for (const ReferencePosition& row : analysis.references) {
    const std::string ratio = ratio_words(row.ratio) + "×";
    for (const std::string* text : {&html, &markdown, &terminal}) {
      EXPECT_TRUE(has(*text, ratio)) << ratio;
      EXPECT_TRUE(has(*text, row.reference->id.substr(0, 2)));
    }
    EXPECT_TRUE(has(csv, row.reference->id + " (published)"));
  }
  ASSERT_FALSE(analysis.prices.empty());
  for (const PricedResult& row : analysis.prices) {
    const std::string words = price_words(row.iops_per_unit);
    for (const std::string* text : {&html, &markdown, &terminal}) EXPECT_TRUE(has(*text, words));
    EXPECT_TRUE(has(csv, fmt::format("{}", *row.iops_per_unit)));
  }
}

}  // namespace
}  // namespace raidscope
