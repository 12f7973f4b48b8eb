#include <cstdlib>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "controllers/rules/audit_json.h"
#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

TEST(Audit, HealthyMachineIsOk) {
  const AuditReport report = audited(healthy());
  EXPECT_EQ(report.verdict, Verdict::ok);
  EXPECT_THAT(report.findings, IsEmpty());
  EXPECT_THAT(report.not_evaluated, IsEmpty());
  EXPECT_EQ(audit_exit_code(report, Severity::warning), 0);
}

TEST(Audit, WithoutASmartArrayItCannotTell) {
  const AuditReport report = audited(Inventory{});
  EXPECT_EQ(report.verdict, Verdict::unknown);
  EXPECT_EQ(audit_exit_code(report, Severity::warning), 3);
}

TEST(Audit, APartialTextIsUnknown) {
  for (const Controller& part : {status_only(), summary_only()}) {
    const AuditReport report = audited(machine(part));
    EXPECT_EQ(report.verdict, Verdict::unknown);
    EXPECT_THAT(report.findings, IsEmpty());
    EXPECT_EQ(audit_exit_code(report, Severity::warning), 3);
  }
}

TEST(Audit, AnUntoldFactOfAnInfoRuleAloneLeavesItOk) {
  const AuditReport report = audited(healthy_but([](Controller& c) { c.generation.reset(); }));
  EXPECT_THAT(missing_of(report, "S08"), SizeIs(1));
  EXPECT_EQ(report.verdict, Verdict::ok);
}

TEST(Audit, SomethingFoundOutweighsWhatIsUnknown) {
  Controller part = status_only();
  part.cache.backup.status = BackupStatus::failed;
  const AuditReport report = audited(machine(part));
  EXPECT_EQ(report.verdict, Verdict::error);
  EXPECT_THAT(report.not_evaluated, Not(IsEmpty()));
  EXPECT_EQ(audit_exit_code(report, Severity::warning), 2);
}

TEST(Audit, WorstFirstThenRuleThenSubject) {
  Inventory many = healthy_but([](Controller& c) {
    c.cache.no_battery_write_cache = true;
    c.drive_write_cache = DriveWriteCache::enabled;
    c.arrays[0].physical_drives[7].bay = "1I:1:10";
    c.arrays[0].physical_drives[7].status = "Predictive Failure";
    c.arrays[0].physical_drives[1].status = "Predictive Failure";
  });
  many.controllers.push_back(many.controllers[0]);
  many.controllers[0].slot = "10";
  many.controllers[1].slot = "2";
  many.controllers[1].status = "Failed";
  const AuditReport report = audited(many);
  std::vector<std::string> order;
  for (const Finding& finding : report.findings) {
    order.push_back(finding.rule + " " + finding.subject.slot.value_or("") + " " +
                    finding.subject.bay.value_or(""));
  }
  EXPECT_THAT(order, ElementsAre("T01 2 ", "T11 2 1I:1:2", "T11 2 1I:1:10", "T11 10 1I:1:2",
                                 "T11 10 1I:1:10", "C11 2 ", "C11 10 ", "C15 2 ", "C15 10 "));
}

TEST(Audit, FailOnMakesWhatIsBelowEndWellButNotTheUnknown) {
  const AuditReport warnings =
      audited(healthy_but([](Controller& c) { c.cache.no_battery_write_cache = true; }));
  EXPECT_EQ(audit_exit_code(warnings, Severity::info), 1);
  EXPECT_EQ(audit_exit_code(warnings, Severity::warning), 1);
  EXPECT_EQ(audit_exit_code(warnings, Severity::error), 0);
  const AuditReport errors = audited(
      healthy_but([](Controller& c) { c.cache.status = CacheStatus::permanently_disabled; }));
  EXPECT_EQ(audit_exit_code(errors, Severity::error), 2);
  EXPECT_EQ(audit_exit_code(errors, Severity::block), 0);
  EXPECT_EQ(audit_exit_code(audited(Inventory{}), Severity::block), 3);
}

TEST(Audit, IgnoredRulesAreLeftOut) {
  const Inventory bad = healthy_but([](Controller& c) {
    c.cache.no_battery_write_cache = true;
    c.generation.reset();
  });
  const AuditReport report = audited(bad, {.ignore = {"C11", "S08"}});
  EXPECT_EQ(report.verdict, Verdict::ok);
  EXPECT_THAT(report.not_evaluated, IsEmpty());
}

TEST(Audit, AMissingFactIsListedOncePerRuleWithEveryObject) {
  const Inventory two = healthy_but([](Controller& c) {
    c.cache.ratio = Ratio{100, 0};
    c.arrays.push_back(ssd_array("B", 2));
    c.arrays[0].logical_drives[0].caching.reset();
    c.arrays[1].logical_drives[0].caching.reset();
  });
  const AuditReport report = audited(two);
  EXPECT_EQ(std::count_if(report.not_evaluated.begin(), report.not_evaluated.end(),
                          [](const NotEvaluated& gap) { return gap.rule == "C08"; }),
            1);
  EXPECT_THAT(missing_of(report, "C08"), ElementsAre("caching (slot 0, array A, logical drive 1)",
                                                     "caching (slot 0, array B, logical drive 2)"));
}

TEST(Audit, AControllerWithoutASlotIsNamedByItsSerial) {
  const Finding found = only(healthy_but([](Controller& c) {
                               c.slot.reset();
                               c.cache.no_battery_write_cache = true;
                             }),
                             "C11");
  EXPECT_THAT(found.fix, ElementsAre("ssacli ctrl serialnumber=PSERIAL0 modify nbwc=disable"));
}

TEST(Audit, DrivesThatNoSourcePlacesAreAuditedToo) {
  const Inventory loose = healthy_but([](Controller& c) {
    c.logical_drives = c.arrays[0].logical_drives;
    c.arrays.clear();
    c.logical_drives[0].caching = Switch::disabled;
    c.logical_drives[0].acceleration = Acceleration::none;
    c.logical_drives[0].smart_path.array_setting = Switch::disabled;
  });
  EXPECT_EQ(only(loose, "C09").subject, (Subject{.slot = "0", .logical_drive = 1}));
  EXPECT_THAT(missing_of(loose, "T13"), ElementsAre("physical drives (slot 0)"));
}

TEST(Audit, DocumentHasTheKeysOfTheContractInOrder) {
  const AuditReport report = audited(healthy_but([](Controller& c) {
    c.cache.no_battery_write_cache = true;
    c.generation.reset();
  }));
  const nlohmann::ordered_json document = to_json(report);
  EXPECT_EQ(document["schema"], "raidscope.audit/1");
  EXPECT_EQ(document["verdict"], "warning");
  EXPECT_THAT(document["findings"][0].dump(),
              ::testing::StartsWith(
                  "{\"rule\":\"C11\",\"severity\":\"warning\",\"subject\":{\"slot\":\"0\","
                  "\"array\":null,\"logical_drive\":null,\"bay\":null},\"evidence\":"));
  for (const char* key : {"evidence", "why", "fix", "affects", "source"}) {
    EXPECT_TRUE(document["findings"][0].contains(key)) << key;
  }
  EXPECT_EQ(document["not_evaluated"].dump(),
            "[{\"rule\":\"S08\",\"missing\":[\"generation (slot 0)\"]}]");
}

/// docs/rules.md as the rules' rows say it. RAIDSCOPE_UPDATE_DOCS=1 writes it anew.
TEST(Rules, TheirDocumentIsUpToDate) {
  const std::string path = RAIDSCOPE_SOURCE_DIR "/docs/rules.md";
  std::stringstream on_disk;
  on_disk << std::ifstream(path).rdbuf();
  const std::string text = on_disk.str();
  const std::string begin = "<!-- rules: begin -->\n";
  const std::string end = "<!-- rules: end -->\n";
  const std::size_t from = text.find(begin);
  const std::size_t to = text.find(end);
  ASSERT_NE(from, std::string::npos) << path;
  ASSERT_NE(to, std::string::npos) << path;
  std::string tables;
  for (const RuleTopic* topic : rule_topics()) {
    tables += fmt::format(
        "\n### {} (`{}`)\n\n| id | severity | condition | why | source |\n|---|---|---|---|---|\n",
        topic->title, topic->id);
    for (const Rule& rule : topic->rules) {
      tables += fmt::format("| {} | {} | {} | {} | {} |\n", rule.id, to_name(rule.severity),
                            rule.condition, rule.why, rule.source);
    }
  }
  tables += "\n";
  if (std::getenv("RAIDSCOPE_UPDATE_DOCS") != nullptr) {
    std::ofstream(path) << text.substr(0, from + begin.size()) << tables << text.substr(to);
    return;
  }
  EXPECT_EQ(text.substr(from + begin.size(), to - from - begin.size()), tables)
      << "the rules changed: run this test once with RAIDSCOPE_UPDATE_DOCS=1";
}

TEST(Rules, TheWholeSetIsThereOnceEachAndExplainsItself) {
  const std::vector<std::string> expected = {
      "C01", "C02", "C03", "C04", "C05", "C06", "C07", "C08", "C09", "C10", "C11", "C12", "C13",
      "C14", "C15", "C16", "C17", "C18", "C19", "C20", "C21", "C22", "D01", "D02", "D03", "D04",
      "D05", "D06", "D07", "D08", "D09", "D10", "D11", "D12", "D13", "D14", "D15", "D16", "F01",
      "F02", "F03", "F04", "F05", "F06", "F07", "F08", "F09", "F10", "F11", "F12", "O01", "O02",
      "O03", "O04", "O06", "O07", "O08", "O09", "O10", "O11", "O12", "O13", "O14", "O15", "O16",
      "O17", "S01", "S02", "S03", "S04", "S05", "S06", "S07", "S08", "S09", "S10", "S11", "S12",
      "S13", "T01", "T02", "T03", "T04", "T05", "T06", "T07", "T08", "T09", "T10", "T11", "T12",
      "T13", "T14", "T15", "T16", "T17", "T18", "T19", "T20", "W01", "W02", "W03", "W04", "W05",
      "W06", "W07", "W08", "W09", "W10", "W11", "W12", "W13", "W14", "W15", "W16", "W17", "W18"};
  std::vector<std::string> ids;
  for (const RuleTopic* topic : rule_topics()) {
    EXPECT_FALSE(topic->title.empty());
    for (const Rule& rule : topic->rules) {
      ids.emplace_back(rule.id);
      EXPECT_FALSE(rule.condition.empty()) << rule.id;
      EXPECT_FALSE(rule.why.empty()) << rule.id;
      EXPECT_FALSE(rule.source.empty()) << rule.id;
      EXPECT_EQ(find_rule(rule.id), &rule);
    }
  }
  std::sort(ids.begin(), ids.end());
  EXPECT_EQ(ids, expected);
  EXPECT_EQ(find_rule("C99"), nullptr);
}

TEST(Audit, SaysWhyThereIsNoControllerToLookAt) {
  const auto reason = [](std::vector<SourceInfo> sources) {
    Inventory none;
    none.sources = std::move(sources);
    const AuditReport report = audit(none, std::nullopt);
    EXPECT_EQ(report.verdict, Verdict::unknown);
    return report.not_evaluated.empty() ? std::string()
                                        : report.not_evaluated.front().missing.front();
  };
  EXPECT_EQ(reason({}),
            "a controller: the inventory holds none, nor a path that was asked for one");
  EXPECT_EQ(reason({{"sysfs", "ok", {}, {}, {}}, {"ssacli", "absent", "not installed", {}, {}}}),
            "a Smart Array controller: none was found");
  EXPECT_EQ(reason({{"file", "ok", "Error: No controllers detected.", {}, {}}}),
            "a Smart Array controller: none was found (file: Error: No controllers detected.)");
  EXPECT_EQ(reason({{"sysfs", "ok", {}, {}, {}}, {"ssacli", "failed", "it hung", {}, {}}}),
            "whether there is a Smart Array controller (ssacli: it hung)");
}

}  // namespace
}  // namespace raidscope::testing
