#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "controllers/rules/planned_test.h"

namespace raidscope {

enum class Severity { info, warning, error, block };
template <>
struct EnumNames<Severity> {
  static constexpr std::pair<Severity, std::string_view> table[] = {{Severity::info, "info"},
                                                                    {Severity::warning, "warning"},
                                                                    {Severity::error, "error"},
                                                                    {Severity::block, "block"}};
};

enum class Verdict { ok, warning, error, blocked, unknown };
template <>
struct EnumNames<Verdict> {
  static constexpr std::pair<Verdict, std::string_view> table[] = {{Verdict::ok, "ok"},
                                                                   {Verdict::warning, "warning"},
                                                                   {Verdict::error, "error"},
                                                                   {Verdict::blocked, "blocked"},
                                                                   {Verdict::unknown, "unknown"}};
};

struct Subject {
  Text slot, array;
  Integer logical_drive;
  Text bay;
  bool operator==(const Subject&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("slot", s.slot);
    f("array", s.array);
    f("logical_drive", s.logical_drive);
    f("bay", s.bay);
  }
};

struct Finding {
  std::string rule;  ///< "C09"
  Severity severity = Severity::info;
  Subject subject;
  std::string evidence;  ///< the facts that made it hold, in the source's words
  std::string why;       ///< what it does to a measurement or to data
  std::vector<std::string>
      fix;              ///< commands in the order to give them; a line of prose has no "ctrl"
  std::string affects;  ///< what else the fix changes; empty when nothing
  std::string source;   ///< where the rule comes from
  bool operator==(const Finding&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("rule", s.rule);
    f("severity", s.severity);
    f("subject", s.subject);
    f("evidence", s.evidence);
    f("why", s.why);
    f("fix", s.fix);
    f("affects", s.affects);
    f("source", s.source);
  }
};

struct NotEvaluated {
  std::string rule;
  std::vector<std::string>
      missing;  ///< facts in people's words, with the object: "cache status (slot 0)"
  bool operator==(const NotEvaluated&) const = default;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("rule", s.rule);
    f("missing", s.missing);
  }
};

struct AuditReport {
  std::string schema = "raidscope.audit/1";
  Verdict verdict = Verdict::unknown;
  std::vector<Finding> findings;  ///< worst first, then by rule id, then by subject
  std::vector<NotEvaluated> not_evaluated;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("schema", s.schema);
    f("verdict", s.verdict);
    f("findings", s.findings);
    f("not_evaluated", s.not_evaluated);
  }
};

/// What a rule sees and where it reports.
class RuleContext;

/// A topic's rules are data plus one function each. To add a rule, add a row to the topic's table;
/// to add a topic, add controllers/rules/NAME.cpp that defines `const RuleTopic rule_topic_NAME`.
struct Rule {
  std::string_view id;
  Severity severity;  ///< the usual one; a finding may be raised above it where the catalogue says
  std::string_view condition;  ///< one line for --list-rules
  std::string_view why;
  std::string_view source;
  void (*evaluate)(RuleContext& context) = nullptr;
  /// About what happened between two inventories: audit() passes it by, audit_window() runs it.
  bool window = false;
  /// About a planned test: without one there is nothing to look at.
  bool planned = false;
  /// About a result: audit() passes it by, audit_result() runs it.
  bool measured = false;
};

struct RuleTopic {
  std::string_view id;
  std::string_view title;
  std::span<const Rule> rules;
};

std::span<const RuleTopic* const> rule_topics() noexcept;  // generated

/// nullptr when there is none.
const Rule* find_rule(std::string_view id) noexcept;

struct AuditOptions {
  std::vector<std::string> ignore;  ///< rule ids left out
  std::string tool = "ssacli";      ///< the vendor tool that fix commands name
  int smart_path_threshold_drives =
      18;  ///< S01: below it the cache was better in the one published sweep
};

/// Runs every rule over an inventory and, where given, a planned test. Pure.
AuditReport audit(const Inventory& inventory, const std::optional<PlannedTest>& planned,
                  const AuditOptions& options = {});

/// Exit code of CONTRACT: 0 ok, 1 warning, 2 error or blocked, 3 unknown; findings below `fail_on`
/// count as none.
int audit_exit_code(const AuditReport& report, Severity fail_on);

}  // namespace raidscope
