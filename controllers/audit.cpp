#include <algorithm>
#include <charconv>
#include <tuple>

#include "controllers/inventory/assemble.h"
#include "controllers/rules/context.h"
#include "controllers/rules/measured_test.h"
#include "controllers/rules/rule.h"
#include "controllers/rules/window.h"

namespace raidscope {
namespace {

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> out;
  for (const RuleTopic* topic : rule_topics()) {
    for (const Rule& rule : topic->rules) out.push_back(&rule);
  }
  std::sort(out.begin(), out.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; });
  return out;
}

/// Numbers inside text in the order of numbers: slot 2 before 10, bay 1I:1:2 before 1I:1:10.
bool natural_less(std::string_view a, std::string_view b) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  while (!a.empty() && !b.empty()) {
    if (digit(a.front()) && digit(b.front())) {
      const auto take = [&](std::string_view& text) {
        unsigned long long value = 0;
        const auto [end, ec] = std::from_chars(text.data(), text.data() + text.size(), value);
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
        return ec == std::errc{} ? value : ~0ULL;
      };
      const auto x = take(a);
      const auto y = take(b);
      if (x != y) return x < y;
    } else {
      if (a.front() != b.front()) return a.front() < b.front();
      a.remove_prefix(1);
      b.remove_prefix(1);
    }
  }
  return a.size() < b.size();
}

int compare(const Text& a, const Text& b) {
  if (a.has_value() != b.has_value()) return a ? 1 : -1;
  if (!a || *a == *b) return 0;
  return natural_less(*a, *b) ? -1 : 1;
}

bool before(const Finding& a, const Finding& b) {
  if (a.severity != b.severity) return a.severity > b.severity;
  if (a.rule != b.rule) return a.rule < b.rule;
  for (const Text Subject::*part : {&Subject::slot, &Subject::array}) {
    if (const int order = compare(a.subject.*part, b.subject.*part)) return order < 0;
  }
  if (a.subject.logical_drive != b.subject.logical_drive) {
    return a.subject.logical_drive < b.subject.logical_drive;
  }
  return compare(a.subject.bay, b.subject.bay) < 0;
}

/// Why there is no controller to look at: none there, or nobody could tell.
std::string no_controller_reason(const Inventory& inventory) {
  std::string failed;
  std::string answered;
  for (const SourceInfo& source : inventory.sources) {
    if (source.status == "absent" || source.status == "skipped") continue;
    std::string& out = source.status == "failed" ? failed : answered;
    if (source.status != "failed" && !source.detail) continue;
    if (!out.empty()) out += "; ";
    out += source.path + ": " + source.detail.value_or("failed");
  }
  if (inventory.sources.empty()) {
    return "a controller: the inventory holds none, nor a path that was asked for one";
  }
  if (!failed.empty()) return "whether there is a Smart Array controller (" + failed + ")";
  return "a Smart Array controller: none was found" +
         (answered.empty() ? std::string() : " (" + answered + ")");
}

/// Every rule that found nothing may still find something in what is not known.
void leave_open(AuditReport& report, const AuditOptions& options, const std::string& reason) {
  const auto& ignored = options.ignore;
  for (const Rule* rule : all_rules()) {
    if (rule->severity < Severity::warning || rule->window || rule->planned || rule->measured)
      continue;
    if (std::find(ignored.begin(), ignored.end(), rule->id) != ignored.end()) continue;
    if (std::any_of(report.findings.begin(), report.findings.end(),
                    [&](const Finding& finding) { return finding.rule == rule->id; })) {
      continue;
    }
    auto& gaps = report.not_evaluated;
    auto gap =
        std::lower_bound(gaps.begin(), gaps.end(), rule->id,
                         [](const NotEvaluated& a, std::string_view b) { return a.rule < b; });
    if (gap == gaps.end() || gap->rule != rule->id) {
      gap = gaps.insert(gap, {std::string(rule->id), {}});
    }
    gap->missing.push_back(reason);
  }
}

Verdict verdict_of(const AuditReport& report, const Inventory& inventory) {
  if (!report.findings.empty()) {
    switch (report.findings.front().severity) {
      case Severity::block:
        return Verdict::blocked;
      case Severity::error:
        return Verdict::error;
      case Severity::warning:
        return Verdict::warning;
      case Severity::info:
        break;
    }
  }
  if (inventory.controllers.empty()) return Verdict::unknown;
  const bool open = std::any_of(report.not_evaluated.begin(), report.not_evaluated.end(),
                                [](const NotEvaluated& gap) {
                                  const Rule* rule = find_rule(gap.rule);
                                  return rule != nullptr && rule->severity >= Severity::warning;
                                });
  return open ? Verdict::unknown : Verdict::ok;
}

}  // namespace

const Rule* find_rule(std::string_view id) noexcept {
  for (const RuleTopic* topic : rule_topics()) {
    for (const Rule& rule : topic->rules) {
      if (rule.id == id) return &rule;
    }
  }
  return nullptr;
}

namespace {

/// The rules about one inventory, or those about a window or a result where the context has one.
AuditReport evaluate_all(RuleContext& context, const AuditOptions& options) {
  for (const Rule* rule : all_rules()) {
    const auto& ignored = options.ignore;
    if (std::find(ignored.begin(), ignored.end(), rule->id) != ignored.end()) continue;
    if (rule->window != (context.window() != nullptr)) continue;
    if (rule->measured != (context.measured() != nullptr)) continue;
    if (rule->planned && context.planned() == nullptr) continue;
    context.begin(*rule);
    rule->evaluate(context);
  }
  AuditReport report;
  report.findings = context.take_findings();
  report.not_evaluated = context.take_not_evaluated();
  std::stable_sort(report.findings.begin(), report.findings.end(), before);
  return report;
}

}  // namespace

AuditReport audit(const Inventory& inventory, const std::optional<PlannedTest>& planned,
                  const AuditOptions& options) {
  RuleContext context(inventory, planned ? &*planned : nullptr, options);
  AuditReport report = evaluate_all(context, options);
  if (inventory.controllers.empty()) {
    leave_open(report, options, no_controller_reason(inventory));
  } else if (text_was_cut(inventory)) {
    leave_open(report, options, "the rest of a text that was cut off");
  }
  report.verdict = verdict_of(report, inventory);
  return report;
}

AuditReport audit_window(const RunWindow& window, const std::optional<PlannedTest>& test,
                         const AuditOptions& options) {
  RuleContext context(window.configured, test ? &*test : nullptr, options, &window);
  AuditReport report = evaluate_all(context, options);
  report.verdict = verdict_of(report, window.configured);
  return report;
}

AuditReport audit_result(const Inventory& inventory, const std::optional<PlannedTest>& test,
                         const MeasuredTest& measured, const AuditOptions& options) {
  RuleContext context(inventory, test ? &*test : nullptr, options, nullptr, &measured);
  AuditReport report = evaluate_all(context, options);
  report.verdict = verdict_of(report, inventory);
  return report;
}

int audit_exit_code(const AuditReport& report, Severity fail_on) {
  Severity worst = Severity::info;
  for (const Finding& finding : report.findings) {
    if (finding.severity >= fail_on) worst = std::max(worst, finding.severity);
  }
  if (worst >= Severity::error) return 2;
  if (worst == Severity::warning) return 1;
  return report.verdict == Verdict::unknown ? 3 : 0;
}

}  // namespace raidscope
