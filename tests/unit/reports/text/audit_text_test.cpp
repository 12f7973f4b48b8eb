#include <algorithm>

#include <gtest/gtest.h>

#include "reports/text.h"
#include "tests/support/sample_runs.h"

namespace raidscope {
namespace {

AuditReport sample_report() {
  AuditReport report;
  report.verdict = Verdict::error;
  report.findings = {sample::finding("C09", Severity::error),
                     sample::finding("C07", Severity::warning)};
  report.not_evaluated = {{"C12", {"battery status (slot 0)"}},
                          {"C13", {"battery status (slot 0)"}},
                          {"T05", {"link rates"}}};
  return report;
}

TEST(AuditText, EveryFindingHasAllThatItSays) {
  const std::string text = audit_text(sample_report(), {false, 100});
  for (const char* part : {"Audit: error (1 error, 1 warning)", "ERROR  C09  slot 0, array A, LD 1",
                           "Caching: Disabled", "nobody enabled the cache",
                           "ssacli ctrl slot=0 ld 1 modify caching=enable",
                           "this logical drive only", "S2, CMDS", "WARNING  C07"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
}

TEST(AuditText, RulesThatMissTheSameFactShareALine) {
  const std::string text = audit_text(sample_report(), {false, 100});
  EXPECT_NE(text.find("Not evaluated: 3 rules"), std::string::npos) << text;
  EXPECT_NE(text.find("C12 C13: battery status (slot 0)"), std::string::npos) << text;
}

TEST(AuditText, ACommandIsNeverWrapped) {
  AuditReport report = sample_report();
  const std::string command =
      "ssacli ctrl slot=0 " + std::string(150, 'x') + " modify caching=enable";
  report.findings.front().fix = {command};
  EXPECT_NE(audit_text(report, {false, 60}).find(command), std::string::npos);
}

TEST(AuditText, NothingFound) {
  AuditReport report;
  report.verdict = Verdict::ok;
  EXPECT_EQ(audit_text(report, {false, 100}), "Audit: ok (no findings)\n");
}

TEST(AuditNagios, OneStatusLineWithPerformanceData) {
  const std::string text = audit_nagios(sample_report());
  const std::string first = text.substr(0, text.find('\n'));
  EXPECT_EQ(first.rfind("CRITICAL - 1 error, 1 warning: C09 slot 0, array A, LD 1", 0), 0U)
      << first;
  EXPECT_NE(first.find(
                " | blockers=0;;0;0 errors=1;;0;0 warnings=1;0;;0 infos=0;;;0 not_evaluated=3;;;0"),
            std::string::npos)
      << first;
  EXPECT_EQ(std::count(first.begin(), first.end(), '|'), 1);
  EXPECT_NE(text.find("\nERROR C09"), std::string::npos);
}

// The word is that of the exit code, for a monitoring system reads both.
TEST(AuditNagios, EveryStateHasItsWord) {
  AuditReport report;
  report.verdict = Verdict::ok;
  EXPECT_EQ(audit_nagios(report).rfind("OK - ", 0), 0U);
  report.verdict = Verdict::unknown;
  EXPECT_EQ(audit_nagios(report).rfind("UNKNOWN - ", 0), 0U);
  report = sample_report();
  for (const auto& [severity, word] :
       std::vector<std::pair<Severity, std::string>>{{Severity::warning, "WARNING - "},
                                                     {Severity::error, "CRITICAL - "},
                                                     {Severity::block, "CRITICAL - "}}) {
    for (Finding& finding : report.findings) finding.severity = severity;
    EXPECT_EQ(audit_nagios(report).rfind(word, 0), 0U) << word;
  }
  for (Finding& finding : report.findings) finding.severity = Severity::warning;
  EXPECT_EQ(audit_nagios(report, Severity::error).rfind("OK - ", 0), 0U);
}

TEST(AuditNagios, UnknownSaysWhatIsNotKnown) {
  AuditReport report;
  report.not_evaluated = {{"C01", {"whether there is a Smart Array controller (ssacli: it hung)"}}};
  EXPECT_EQ(
      audit_nagios(report).rfind("UNKNOWN - no findings, 1 rules not evaluated; not known: "
                                 "whether there is a Smart Array controller (ssacli: it hung)",
                                 0),
      0U)
      << audit_nagios(report);
}

TEST(AuditNagios, NoBarInDetailsBeginsPerformanceData) {
  AuditReport report = sample_report();
  report.findings.front().evidence = "a | b\nc";
  const std::string text = audit_nagios(report);
  EXPECT_EQ(std::count(text.begin(), text.end(), '|'), 1);
  EXPECT_NE(text.find("a / b c"), std::string::npos);
}

}  // namespace
}  // namespace raidscope
