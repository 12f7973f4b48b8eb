#include "controllers/rules/rule_changes.h"

#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

Finding finding(std::string rule, Severity severity, std::string slot, std::string evidence) {
  Finding out;
  out.rule = std::move(rule);
  out.severity = severity;
  out.subject.slot = std::move(slot);
  out.evidence = std::move(evidence);
  return out;
}

std::string words(const std::vector<RuleChange>& changes) {
  std::string out;
  for (const RuleChange& change : changes) {
    out += change.rule + " " + change.subject.slot.value_or("-") + " " + change.a + ">" + change.b +
           " " + change.evidence + "\n";
  }
  return out;
}

TEST(RuleChanges, WhatGotWorseComesFirst) {
  AuditReport a, b;
  a.findings = {finding("C09", Severity::error, "0", "off"),
                finding("C03", Severity::warning, "0", "same")};
  b.findings = {finding("C03", Severity::warning, "0", "same too"),
                finding("T01", Severity::block, "1", "failed"),
                finding("C09", Severity::error, "1", "off there")};
  EXPECT_EQ(words(rule_changes(a, b)),
            "T01 1 clear>block failed\nC09 1 clear>error off there\nC09 0 error>clear off\n");
  EXPECT_EQ(words(rule_changes(a, a)), "");
}

TEST(RuleChanges, UnknownIsNotClear) {
  AuditReport a, b;
  a.findings = {finding("C09", Severity::error, "0", "off")};
  a.not_evaluated = {{"T02", {"status (slot 0)"}}, {"S01", {"x"}}};
  b.not_evaluated = {{"C09", {"caching (LD 1)"}}, {"S01", {"x"}}};
  EXPECT_EQ(words(rule_changes(a, b)), "C09 0 error>unknown off\nT02 - unknown>clear \n");
}

TEST(RuleChanges, OfTwoInventories) {
  Inventory off = healthy();
  ASSERT_FALSE(off.controllers.empty());
  off.controllers[0].cache.status = CacheStatus::temporarily_disabled;
  const auto changes = rule_changes(audit(healthy(), {}), audit(off, {}));
  ASSERT_FALSE(changes.empty());
  EXPECT_EQ(changes.front().a, "clear");
}

}  // namespace
}  // namespace raidscope::testing
