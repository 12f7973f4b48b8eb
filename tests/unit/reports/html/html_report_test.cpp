#include <algorithm>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "reports/analysis/report_analysis.h"
#include "reports/html/assets.h"
#include "reports/html/markup.h"
#include "reports/html/model.h"
#include "reports/html/sweeps.h"
#include "reports/report.h"
#include "tests/support/sample_runs.h"
#include "tests/support/sample_study.h"

namespace raidscope {
namespace {

using html::make_model;

std::string page(const ReportInput& input) {
  return find_report_format("html")->render(input);
}

std::size_t count_of(const std::string& text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

TEST(HtmlMarkup, TextStaysText) {
  EXPECT_EQ(html::escaped("<a href=\"x\">'&'</a>"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
  EXPECT_EQ(html::escaped("LD\x01"), "LD\xEF\xBF\xBD");
}

TEST(HtmlMarkup, PolicyHashIsBase64OfTheDigest) {
  // echo -n "" | openssl dgst -sha256 -binary | base64, and the same of "abc"
  EXPECT_EQ(html::policy_hash(""), "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=");
  EXPECT_EQ(html::policy_hash("abc"), "sha256-ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=");
}

TEST(HtmlAssets, CannotEndTheirElement) {
  for (const std::string_view asset : {page_js(), chart_js()}) {
    std::string lower(asset);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    EXPECT_EQ(lower.find("</script"), std::string::npos);
    EXPECT_EQ(lower.find("<!--"), std::string::npos);
  }
  EXPECT_EQ(page_css().find("</"), std::string_view::npos);
  EXPECT_EQ(page_css().find("url("), std::string_view::npos);
  EXPECT_EQ(page_css().find("@import"), std::string_view::npos);
  EXPECT_EQ(chart_js_licence().find_first_of("<&"), std::string_view::npos);
}

TEST(HtmlReport, NeedsAndAsksNothing) {
  const std::string text = page(sample::report());
  EXPECT_NE(text.find("Content-Security-Policy\" content=\"default-src 'none'"), std::string::npos);
  EXPECT_NE(text.find(html::policy_hash(page_js())), std::string::npos);
  EXPECT_NE(text.find(html::policy_hash(chart_js())), std::string::npos);
  EXPECT_EQ(text.find("src=\""), std::string::npos);
  EXPECT_EQ(text.find("href=\"http"), std::string::npos);
  EXPECT_NE(text.find("Chart.js v3"), std::string::npos);
  EXPECT_NE(text.find("Permission is hereby granted"), std::string::npos);
}

TEST(HtmlReport, SaysWhatAReportMustSay) {
  const std::string text = page(sample::report());
  for (const char* part : {"12 runs of 2 sessions",
                           "41,200",
                           "322 MiB/s",
                           "measured",
                           "Interrupted",
                           "sparse: 40 %",
                           "The configuration changed during the run",
                           "No steady state",
                           "c0ffee123456",
                           "a41c6e90d2b8",
                           "C09",
                           "nobody enabled the cache",
                           "ssacli ctrl slot=0 ld 1 modify caching=enable",
                           "this logical drive only",
                           "write cache: none",
                           "write cache: protected",
                           "path: neither",
                           "8 × HP EO0400FBRWA",
                           "10 % read / 90 % write",
                           "Little&#39;s law off by",
                           "63.7 of 64",
                           "200,000",
                           "the device&#39;s counters grew with ours",
                           "-kR -s30",
                           "s1sample00001",
                           "s1sample00002",
                           "p99.99",
                           "cache on (protected)"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(HtmlReport, NotesOfAWorkloadAreFoldedAndSaidOnce) {
  ReportInput input = sample::report();
  EXPECT_EQ(page(input).find("Notes on the workloads"), std::string::npos);
  for (RunResult& run : input.runs) run.workload.warnings = {"the study used a larger file"};
  const std::string text = page(input);
  EXPECT_NE(text.find("Notes on the workloads"), std::string::npos);
  EXPECT_NE(text.find("the study used a larger file <span class=\"muted\">in</span> all runs"),
            std::string::npos);
}

TEST(HtmlReport, EveryPlotHasItsNumbersInATable) {
  const std::string text = page(sample::report());
  const std::size_t canvases = count_of(text, "<canvas ");
  EXPECT_EQ(canvases, 1U + 3U * 3U);
  EXPECT_EQ(count_of(text, "aria-describedby=\"numbers-"), canvases);
  EXPECT_EQ(count_of(text, "<noscript>"), 1U);
}

TEST(HtmlReport, NoNameOrLabelRuns) {
  ReportInput input = sample::report();
  const std::string attack = "<script>alert(1)</script>\"><img src=x onerror=alert(1)>'&";
  for (RunResult& run : input.runs) {
    run.name = run.run_id = run.session_id = attack;
    run.started_at = run.ended_at = attack;
    run.workload.source = run.target.path = run.target.kind = attack;
    run.target.device_chain = {attack};
    run.target.controller = attack;
    run.engine = {attack, attack, true, attack, attack};
    run.inventory_before->fingerprint = run.inventory_before->tag = attack;
    run.inventory_after->fingerprint = run.inventory_after->tag = attack;
    run.checks.suspicions = run.changes = run.unverified = run.accepted = {attack};
    run.workload.warnings = {attack};
    run.checks.bound_name = attack;
    run.audit = {{attack,
                  Severity::block,
                  {attack, attack, 1, attack},
                  attack,
                  attack,
                  {attack},
                  attack,
                  attack}};
  }
  for (auto& [id, inventory] : input.snapshots) {
    inventory.host.product = inventory.host.os = inventory.host.kernel = inventory.host.cpu_model =
        attack;
    inventory.host.hypervisor = attack;
    Controller& c = inventory.controllers.front();
    c.name = c.slot = c.firmware = c.status = attack;
    c.driver = {attack, attack};
    c.cache.status_text = c.cache.details = c.cache.disable_reason = attack;
    for (Array& array : c.arrays) {
      for (LogicalDrive& drive : array.logical_drives) {
        drive.label = drive.status = drive.raid = drive.device = attack;
        drive.effective_write_cache_reason = drive.fingerprint = attack;
      }
      for (PhysicalDrive& drive : array.physical_drives)
        drive.model = drive.firmware = drive.status = attack;
    }
  }
  input.made_at = input.program_version = attack;
  const std::string text = page(input);
  EXPECT_EQ(count_of(text, "<script>"), 3U) << "Chart.js and the page's own two";
  EXPECT_EQ(text.find("<img"), std::string::npos);
  EXPECT_NE(text.find("&lt;script&gt;alert(1)"), std::string::npos);
}

TEST(HtmlReport, AMachineWithoutASmartArray) {
  ReportInput input;
  const Inventory inventory = sample::laptop();
  RunResult run = sample::run(inventory, {"random read 4K", Pattern::random, 4096, 100, 90000}, 1);
  run.inventory_before = SnapshotRef{snapshot_id(inventory), "0123456789ab", "Example NVMe 1TB"};
  run.target.device_chain = {"ext4", "/dev/nvme0n1p2", "/dev/nvme0n1"};
  run.target.controller.reset();
  run.target.logical_drive.reset();
  input.runs = {run};
  input.snapshots = {{run.inventory_before->snapshot, inventory}};
  const std::string text = page(input);
  for (const char* part : {"No Smart Array controller", "Example NVMe 1TB",
                           "write cache of the disk: volatile", "logical drive unknown"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
}

TEST(HtmlReport, OriginsAreNeverMixedInSilence) {
  ReportInput input = sample::report();
  EXPECT_EQ(page(input).find("origins are mixed"), std::string::npos);
  input.runs.front().origin = Origin::simulated;
  const std::string text = page(input);
  EXPECT_NE(text.find("origins are mixed"), std::string::npos);
  EXPECT_NE(text.find("simulated"), std::string::npos);
  const auto model = make_model(input);
  EXPECT_EQ(model.series.size(), 3U) << "another origin is another colour";
}

TEST(HtmlReport, WhatIsUnknownIsSaid) {
  ReportInput input;
  input.runs.emplace_back();
  const std::string text = page(input);
  for (const char* part : {"write cache: unknown", "path: unknown", "Configuration unknown",
                           "unnamed", "No inventory belongs to"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part;
  }
  EXPECT_NE(page(ReportInput{}).find("no runs in this report"), std::string::npos);
  input = sample::report();
  input.snapshots.clear();
  EXPECT_NE(page(input).find("is not in this report"), std::string::npos);
}

TEST(HtmlModel, SpreadIsMedianLeastAndGreatest) {
  const ReportInput input = sample::report();
  std::vector<RunResult> runs(3, input.runs.front());
  runs[0].iops = 10;
  runs[1].iops = 30;
  runs[2].iops = 11;
  const auto iops = [](const RunResult& run) { return std::optional(run.iops); };
  const auto three = html::spread({&runs[0], &runs[1], &runs[2]}, iops);
  EXPECT_EQ(three.low, 10);
  EXPECT_EQ(three.median, 11);
  EXPECT_EQ(three.high, 30);
  EXPECT_EQ(html::spread({&runs[0], &runs[1]}, iops).median, 20);
  EXPECT_FALSE(html::spread({}, iops).median);
}

TEST(HtmlModel, PlotDataIsJsonThatCannotEndItsElement) {
  ReportInput input = sample::report();
  input.runs.front().name = "</script>\"\\";
  const std::string data = html::plot_data(make_model(input), analyse(input));
  EXPECT_EQ(data.find('<'), std::string::npos);
  const auto parsed = nlohmann::json::parse(data);
  EXPECT_EQ(parsed["points"].size(), 4U);
  EXPECT_EQ(parsed["points"][0]["name"], "</script>\"\\");
  EXPECT_EQ(parsed["points"][1]["cells"][0]["runs"][0]["t"].size(), 30U);
}

TEST(HtmlModel, PlotDataHasBandsWindowsAndTheCrossover) {
  const ReportInput input = sample::study();
  const auto data = nlohmann::json::parse(html::plot_data(make_model(input), analyse(input)));
  const auto& disks = data["disks"][0];
  ASSERT_EQ(disks["arms"].size(), 3U);
  for (const auto& arm : disks["arms"]) {
    ASSERT_EQ(arm["points"].size(), 6U);
    for (const auto& point : arm["points"]) {
      EXPECT_EQ(point["n"], 4);
      EXPECT_LT(point["iops_range"][0], point["iops"]);
      EXPECT_GT(point["iops_range"][1], point["iops"]);
      EXPECT_TRUE(point["mean_range"].is_array());
    }
  }
  EXPECT_LT(disks["crossover"]["low"], disks["crossover"]["estimate"]);
  EXPECT_GT(disks["crossover"]["high"], disks["crossover"]["estimate"]);
  const auto& cell = data["points"][0]["cells"][0];
  EXPECT_EQ(cell["interval_of"], "repeats");
  const auto& run = cell["runs"][0];
  ASSERT_EQ(run["rounds"].size(), 6U);
  EXPECT_EQ(run["rounds"][1][0], 5);
  EXPECT_EQ(run["rounds"][1][1], 10);
  EXPECT_EQ(run["steady"], (nlohmann::json{{"from", 5}, {"to", 30}, {"reached", true}}));
  // A single run has a band of its rounds; one without rounds has none.
  const auto& single = data["points"].back()["cells"][0];
  EXPECT_EQ(single["interval_of"], "rounds");
  EXPECT_TRUE(single["iops_range"].is_array());
  const ReportInput bare = sample::report();
  const auto without = nlohmann::json::parse(html::plot_data(make_model(bare), analyse(bare)));
  EXPECT_TRUE(without["points"][0]["cells"][0]["iops_range"].is_null());
}

TEST(HtmlReport, TheVerdictStandsAboveEverything) {
  const ReportInput input = sample::study();
  const std::string text = page(input);
  const std::size_t verdict = text.find("id=\"verdict\"");
  ASSERT_NE(verdict, std::string::npos);
  EXPECT_LT(verdict, text.find("<nav"));
  EXPECT_LT(verdict, text.find("<table"));
  EXPECT_NE(text.find("raw-data"), std::string::npos);
  EXPECT_NE(text.find(html::policy_hash(controls_js())), std::string::npos);
}

TEST(HtmlModel, ThreeDepthsAreASweep) {
  ReportInput input;
  const Inventory inventory = sample::server();
  for (const int depth : {8, 1, 64, 2}) {
    RunResult run =
        sample::run(inventory, {"read", Pattern::random, 4096, 100, 1000.0 * depth}, depth);
    run.workload.outstanding_total = static_cast<std::uint64_t>(depth);
    run.name = "depth " + std::to_string(depth);
    input.runs.push_back(run);
  }
  const auto model = make_model(input);
  const auto found = html::sweeps(model);
  ASSERT_EQ(found.size(), 1U);
  EXPECT_EQ(found[0].base, "4 KiB random read");
  EXPECT_EQ(found[0].depth, (std::vector<std::uint64_t>{1, 2, 8, 64}));
  EXPECT_EQ(found[0].points, (std::vector<std::size_t>{1, 3, 0, 2}));
  EXPECT_NE(page(input).find("plot-sweep-iops-0"), std::string::npos);
  input.runs.resize(2);
  EXPECT_TRUE(html::sweeps(make_model(input)).empty());
}

}  // namespace
}  // namespace raidscope
