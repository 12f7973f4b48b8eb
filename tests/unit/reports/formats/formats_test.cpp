#include <algorithm>
#include <fstream>
#include <set>
#include <sstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "controllers/inventory/inventory_json.h"
#include "reports/csv_columns.h"
#include "reports/csv_context_columns.h"
#include "reports/report.h"
#include "tests/support/sample_runs.h"
#include "workloads/run_result_json.h"

namespace raidscope {
namespace {

std::string rendered(std::string_view id, const ReportInput& input) {
  const ReportFormat* format = find_report_format(id);
  EXPECT_NE(format, nullptr) << id;
  return format != nullptr ? format->render(input) : std::string();
}

/// RFC 4180, read back.
std::vector<std::vector<std::string>> read_csv(const std::string& text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool quoted = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '"') {
        rows.back().back().push_back(c);
      } else if (i + 1 < text.size() && text[i + 1] == '"') {
        rows.back().back().push_back('"');
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '"') {
      quoted = true;
    } else if (c == ',') {
      rows.back().emplace_back();
    } else if (c == '\r' && text[i + 1] == '\n') {
      ++i;
      if (i + 1 < text.size()) rows.push_back({""});
    } else {
      rows.back().back().push_back(c);
    }
  }
  return rows;
}

TEST(Formats, PagesSayWhatIsUndecidedAndWhoSimulated) {
  ReportInput input = sample::report();
  RunResult& run = input.runs.front();
  ASSERT_TRUE(run.inventory_before);
  const std::string snapshot = run.inventory_before->snapshot;
  input.runs = {run};
  Inventory& inventory = input.snapshots.at(snapshot);
  inventory.controllers.clear();
  inventory.sources = {{"ssacli", "failed", "it hung", {}, {}}};
  RunResult& only = input.runs.front();
  only.inventory_before->fingerprint = only.inventory_before->tag = "";
  only.inventory_origin = "given";
  only.origin = Origin::simulated;
  only.engine.name = "null";
  for (const char* id : {"html", "markdown", "terminal"}) {
    const std::string text = rendered(id, input);
    EXPECT_NE(text.find("undecided: which drive of the given inventory"), std::string::npos)
        << id << "\n"
        << text;
    EXPECT_EQ(text.find("emulated controller"), std::string::npos) << id;
    if (std::string_view(id) == "terminal") continue;
    EXPECT_NE(text.find("Whether there is a Smart Array controller is unknown"), std::string::npos)
        << id;
  }
}

TEST(Formats, EveryOneIsFoundByItsId) {
  for (const char* id : {"html", "markdown", "csv", "json", "terminal"}) {
    const ReportFormat* format = find_report_format(id);
    ASSERT_NE(format, nullptr) << id;
    EXPECT_FALSE(format->summary.empty());
    EXPECT_EQ(format->file_suffix.front(), '.');
  }
  EXPECT_EQ(find_report_format("nothing"), nullptr);
}

TEST(Formats, AreDeterministicAndTakeNothingToo) {
  const ReportInput input = sample::report();
  for (const ReportFormat* format : report_formats()) {
    EXPECT_EQ(format->render(input), format->render(input));
    EXPECT_FALSE(format->render(ReportInput{}).empty());
    EXPECT_FALSE(format->render(ReportInput{{RunResult{}}, {}, "", ""}).empty())
        << "a run that knows nothing";
  }
}

TEST(Csv, OneRowARunAndItsNumbersExactly) {
  const ReportInput input = sample::report();
  const auto rows = read_csv(rendered("csv", input));
  ASSERT_EQ(rows.size(), input.runs.size() + 1);
  for (const auto& row : rows) EXPECT_EQ(row.size(), rows.front().size());
  const auto column = [&](const std::string& name) {
    const auto found = std::find(rows.front().begin(), rows.front().end(), name);
    EXPECT_NE(found, rows.front().end()) << name;
    return static_cast<std::size_t>(found - rows.front().begin());
  };
  for (std::size_t i = 0; i < input.runs.size(); ++i) {
    const RunResult& run = input.runs[i];
    EXPECT_EQ(rows[i + 1][column("run_id")], run.run_id);
    EXPECT_EQ(std::stod(rows[i + 1][column("iops")]), run.iops);
    EXPECT_EQ(std::stod(rows[i + 1][column("latency_p99_us")]), *run.latency_us.p99);
    EXPECT_EQ(rows[i + 1][column("tag")], run.inventory_before->tag);
    EXPECT_EQ(rows[i + 1][column("origin")], "measured");
  }
}

TEST(Csv, QuotesWhatNeedsIt) {
  ReportInput input = sample::report();
  input.runs.resize(1);
  const std::string name = "a \"name\", with\r\nlines";
  input.runs.front().name = name;
  const auto rows = read_csv(rendered("csv", input));
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[1][2], name);
}

TEST(Csv, UnknownIsEmptyAndNotZero) {
  ReportInput input;
  input.runs.emplace_back();
  const auto rows = read_csv(rendered("csv", input));
  for (std::size_t c = 0; c < rows[0].size(); ++c) {
    if (rows[0][c].rfind("latency_", 0) == 0 || rows[0][c] == "config_changed" ||
        rows[0][c] == "steady_state") {
      EXPECT_EQ(rows[1][c], "") << rows[0][c];
    }
  }
}

TEST(Csv, EveryColumnIsDocumented) {
  std::ifstream file(std::string(RAIDSCOPE_SOURCE_DIR) + "/docs/csv-columns.md");
  std::stringstream text;
  text << file.rdbuf();
  std::set<std::string_view> names;
  for (const CsvColumn& column : csv_columns()) {
    EXPECT_NE(text.str().find("| `" + std::string(column.name) + "` |"), std::string::npos)
        << column.name;
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
  }
  for (const CsvContextColumn& column : csv_context_columns()) {
    EXPECT_NE(text.str().find("| `" + std::string(column.name) + "` |"), std::string::npos)
        << column.name;
    EXPECT_TRUE(names.insert(column.name).second) << column.name;
  }
}

TEST(Json, IsCompleteAndReadsBack) {
  const ReportInput input = sample::report();
  const auto document = nlohmann::ordered_json::parse(rendered("json", input));
  EXPECT_EQ(document.begin().key(), "schema");
  ASSERT_EQ(document["runs"].size(), input.runs.size());
  for (std::size_t i = 0; i < input.runs.size(); ++i) {
    const auto run = run_result_from_json(document["runs"][i], "test");
    ASSERT_TRUE(run) << describe(run.error());
    EXPECT_EQ(*run, input.runs[i]);
    const auto& snapshot = document["snapshots"][run->inventory_before->snapshot];
    const auto inventory = inventory_from_json(snapshot, "test");
    ASSERT_TRUE(inventory) << describe(inventory.error());
    EXPECT_EQ(snapshot_id(*inventory), run->inventory_before->snapshot);
  }
}

TEST(Markdown, SaysWhatAReportMustSay) {
  const std::string text = rendered("markdown", sample::report());
  for (const char* part :
       {"# raidscope report", "## Warnings", "## Results", "41,200", "measured",
        "## Before and after", "c0ffee123456", "**yes**", "## Audit findings", "C09",
        "`ssacli ctrl slot=0 ld 1 modify caching=enable`", "## Configuration", "**protected**",
        "## How it was measured", "io\\_uring", "`-kR -s30"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(Markdown, TheBoundStandsBesideTheResultOrIsUnknown) {
  ReportInput input = sample::report();
  input.runs.resize(1);
  input.runs[0].checks.physical_bound_iops = 1200;
  input.runs[0].checks.bound_name = "8 drives × 150 IOPS (--drive-iops)";
  const std::string text = find_report_format("markdown")->render(input);
  EXPECT_NE(text.find("Physical bound"), std::string::npos);
  EXPECT_NE(text.find("1,200 IOPS (8 drives × 150 IOPS"), std::string::npos) << text;
  input.runs[0].checks.physical_bound_iops.reset();
  EXPECT_EQ(find_report_format("markdown")->render(input).find("1,200 IOPS (8"), std::string::npos);
}

TEST(Markdown, TextStaysText) {
  ReportInput input = sample::report();
  input.runs.resize(1);
  input.runs.front().name = "<script>alert(1)</script> | [x](http://example.com) @someone `code`";
  input.runs.front().target.path = "/data/a`b|c";
  const std::string text = rendered("markdown", input);
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find("[x]("), std::string::npos);
  EXPECT_EQ(text.find("@someone"), std::string::npos);
  EXPECT_NE(text.find("`` /data/a`b/c ``"), std::string::npos);
  // No cell was split: every row of a table has as many bars as its heading.
  std::istringstream lines(text);
  std::string line;
  std::size_t bars = 0;
  while (std::getline(lines, line)) {
    if (line.empty() || line[0] != '|') {
      bars = 0;
      continue;
    }
    std::size_t here = 0;
    for (std::size_t i = 0; i < line.size(); ++i)
      here += line[i] == '|' && (i == 0 || line[i - 1] != '\\');
    if (bars == 0) bars = here;
    EXPECT_EQ(here, bars) << line;
  }
}

TEST(Terminal, HasTheTableTheRunsAndTheInventory) {
  const std::string text = rendered("terminal", sample::report());
  for (const char* part :
       {"Workload", "random write 8K", "Inventory sha256:", "write cache: protected"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace raidscope
