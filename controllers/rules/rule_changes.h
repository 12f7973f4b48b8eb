#pragma once

#include <string>
#include <vector>

#include "controllers/rules/rule.h"

namespace raidscope {

/// What one rule says of one object, where two inventories of an audit do not say the same.
struct RuleChange {
  std::string rule;
  Subject subject;   ///< all null where a side could not evaluate the rule and the other is clear
  std::string a, b;  ///< a severity, "clear", or "unknown" where the rule was not evaluated
  std::string evidence;  ///< of b's finding, else of a's
  bool operator==(const RuleChange&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("rule", s.rule);
    f("subject", s.subject);
    f("a", s.a);
    f("b", s.b);
    f("evidence", s.evidence);
  }
};

/// Findings are matched by rule and subject. What b says worst comes first, then what a said worst,
/// then by rule. Pure.
std::vector<RuleChange> rule_changes(const AuditReport& a, const AuditReport& b);

}  // namespace raidscope
