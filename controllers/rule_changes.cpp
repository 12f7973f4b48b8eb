#include "controllers/rules/rule_changes.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace raidscope {
namespace {

using Key = std::tuple<std::string, Text, Text, Integer, Text>;

Key key_of(const std::string& rule, const Subject& subject) {
  return {rule, subject.slot, subject.array, subject.logical_drive, subject.bay};
}

/// The findings of a report by rule and subject, the worst of each.
class Side {
 public:
  explicit Side(const AuditReport& report) {
    for (const Finding& finding : report.findings) {
      const Finding*& worst = findings_[key_of(finding.rule, finding.subject)];
      if (worst == nullptr || worst->severity < finding.severity) worst = &finding;
    }
    for (const NotEvaluated& entry : report.not_evaluated) unknown_.insert(entry.rule);
  }

  [[nodiscard]] const std::map<Key, const Finding*>& findings() const { return findings_; }
  [[nodiscard]] const std::set<std::string>& unknown() const { return unknown_; }
  [[nodiscard]] const Finding* finding(const Key& key) const {
    const auto found = findings_.find(key);
    return found == findings_.end() ? nullptr : found->second;
  }
  [[nodiscard]] bool found_any(const std::string& rule) const {
    const auto at = findings_.lower_bound(key_of(rule, {}));
    return at != findings_.end() && std::get<0>(at->first) == rule;
  }
  [[nodiscard]] std::string word(const std::string& rule, const Finding* finding) const {
    if (finding != nullptr) return std::string(to_name(finding->severity));
    return unknown_.contains(rule) ? "unknown" : "clear";
  }

 private:
  std::map<Key, const Finding*> findings_;
  std::set<std::string> unknown_;
};

/// Of "clear", "unknown" and the severities, the later the worse.
int badness(const std::string& word) {
  if (const auto severity = from_name<Severity>(word)) return 2 + static_cast<int>(*severity);
  return word == "unknown" ? 1 : 0;
}

}  // namespace

std::vector<RuleChange> rule_changes(const AuditReport& a, const AuditReport& b) {
  const Side before(a), after(b);
  std::vector<RuleChange> out;
  const auto add = [&](const std::string& rule, const Subject& subject, const Finding* was,
                       const Finding* is) {
    RuleChange change{rule, subject, before.word(rule, was), after.word(rule, is), {}};
    if (change.a == change.b) return;
    if (is != nullptr) {
      change.evidence = is->evidence;
    } else if (was != nullptr) {
      change.evidence = was->evidence;
    }
    out.push_back(std::move(change));
  };
  for (const auto& [key, is] : after.findings())
    add(is->rule, is->subject, before.finding(key), is);
  for (const auto& [key, was] : before.findings()) {
    if (after.finding(key) == nullptr) add(was->rule, was->subject, was, nullptr);
  }
  // A rule that one side could not evaluate, and of which neither has a finding to stand for it.
  std::set<std::string> unknown = before.unknown();
  unknown.insert(after.unknown().begin(), after.unknown().end());
  for (const std::string& rule : unknown) {
    if (!before.found_any(rule) && !after.found_any(rule)) add(rule, {}, nullptr, nullptr);
  }
  std::stable_sort(out.begin(), out.end(), [](const RuleChange& one, const RuleChange& other) {
    return std::tuple(-badness(one.b), -badness(one.a), one.rule) <
           std::tuple(-badness(other.b), -badness(other.a), other.rule);
  });
  return out;
}

}  // namespace raidscope
