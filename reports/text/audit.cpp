#include <algorithm>

#include <fmt/format.h>

#include "reports/text.h"
#include "reports/text/layout.h"
#include "reports/words.h"

namespace raidscope {
namespace {

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  return fmt::format("{}", fmt::join(parts, separator));
}

struct Counts {
  std::size_t blockers = 0, errors = 0, warnings = 0, infos = 0;
};

Counts count(const AuditReport& report) {
  Counts counts;
  for (const Finding& finding : report.findings) {
    switch (finding.severity) {
      case Severity::block:
        ++counts.blockers;
        break;
      case Severity::error:
        ++counts.errors;
        break;
      case Severity::warning:
        ++counts.warnings;
        break;
      case Severity::info:
        ++counts.infos;
        break;
    }
  }
  return counts;
}

std::string count_words(const Counts& counts) {
  std::vector<std::string> parts;
  const auto add = [&parts](std::size_t n, const char* one, const char* many) {
    if (n != 0) parts.push_back(fmt::format("{} {}", n, n == 1 ? one : many));
  };
  add(counts.blockers, "blocker", "blockers");
  add(counts.errors, "error", "errors");
  add(counts.warnings, "warning", "warnings");
  add(counts.infos, "info", "infos");
  return parts.empty() ? "no findings" : joined(parts, ", ");
}

Ink ink_of(Severity severity) {
  switch (severity) {
    case Severity::block:
    case Severity::error:
      return Ink::bad;
    case Severity::warning:
      return Ink::warn;
    case Severity::info:
      return Ink::dim;
  }
  return Ink::plain;
}

Ink ink_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::ok:
      return Ink::good;
    case Verdict::warning:
    case Verdict::unknown:
      return Ink::warn;
    case Verdict::error:
    case Verdict::blocked:
      return Ink::bad;
  }
  return Ink::plain;
}

std::string shouted(std::string_view word) {
  std::string out(word);
  for (char& c : out) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return out;
}

std::string keyed(std::string_view key, const std::string& text, const TextStyle& style) {
  return keyed_line(key, text, 10, style);
}

// A command is never wrapped: it must survive copy and paste.
std::string fixes(const Finding& finding, const TextStyle& style) {
  std::string out;
  for (std::size_t i = 0; i < finding.fix.size(); ++i) {
    out += paint(i == 0 ? "  fix     " : "          ", Ink::dim, style) +
           paint(printable(finding.fix[i]), Ink::strong, style) + "\n";
  }
  return out;
}

// Rules that miss the same facts stand on one line.
std::string not_evaluated(const AuditReport& report, const TextStyle& style) {
  if (report.not_evaluated.empty()) return {};
  std::vector<std::pair<std::string, std::vector<std::string>>> by_missing;
  for (const NotEvaluated& entry : report.not_evaluated) {
    std::string missing = entry.missing.empty() ? "a fact it needs" : joined(entry.missing, ", ");
    const auto found = std::find_if(by_missing.begin(), by_missing.end(),
                                    [&](const auto& pair) { return pair.first == missing; });
    if (found == by_missing.end()) {
      by_missing.push_back({std::move(missing), {entry.rule}});
    } else {
      found->second.push_back(entry.rule);
    }
  }
  std::string out = paint(fmt::format("Not evaluated: {} {}, because facts are unknown",
                                      report.not_evaluated.size(),
                                      report.not_evaluated.size() == 1 ? "rule" : "rules"),
                          Ink::strong, style) +
                    "\n";
  for (const auto& [missing, rules] : by_missing) {
    out += "  " +
           wrapped(printable(joined(rules, " ") + ": " + missing), usable_width(style) - 2, 4) +
           "\n";
  }
  return out;
}

// A bar would begin performance data.
std::string nagios_safe(std::string_view text) {
  std::string out = printable(text);
  std::replace(out.begin(), out.end(), '|', '/');
  return out;
}

}  // namespace

std::string audit_text(const AuditReport& report, const TextStyle& style) {
  std::string out =
      paint("Audit: " + std::string(to_name(report.verdict)), ink_of(report.verdict), style) +
      " (" + count_words(count(report)) + ")\n";
  for (const Finding& finding : report.findings) {
    out += "\n" + paint(shouted(to_name(finding.severity)), ink_of(finding.severity), style) +
           "  " + paint(printable(finding.rule), Ink::strong, style) + "  " +
           printable(subject_words(finding.subject)) + "\n";
    if (!finding.evidence.empty()) out += keyed("found", finding.evidence, style);
    if (!finding.why.empty()) out += keyed("why", finding.why, style);
    out += fixes(finding, style);
    if (!finding.affects.empty()) out += keyed("affects", finding.affects, style);
    if (!finding.source.empty()) out += keyed("source", finding.source, style);
  }
  const std::string missing = not_evaluated(report, style);
  if (!missing.empty()) out += "\n" + missing;
  return out;
}

std::string audit_nagios(const AuditReport& report, Severity fail_on) {
  const Counts counts = count(report);
  constexpr std::string_view words[] = {"OK", "WARNING", "CRITICAL", "UNKNOWN"};
  const std::string word(words[audit_exit_code(report, fail_on)]);
  std::string line = word + " - " + count_words(counts);
  if (report.verdict == Verdict::unknown && !report.not_evaluated.empty()) {
    line += fmt::format(", {} rules not evaluated", report.not_evaluated.size());
    const auto& missing = report.not_evaluated.front().missing;
    if (!missing.empty()) line += "; not known: " + missing.front();
  }
  if (!report.findings.empty() && report.findings.front().severity >= Severity::warning) {
    const Finding& worst = report.findings.front();
    line += ": " + worst.rule + " " + subject_words(worst.subject);
    if (!worst.evidence.empty()) line += ": " + worst.evidence;
  }
  std::string out = nagios_safe(line);
  out += fmt::format(
      " | blockers={};;0;0 errors={};;0;0 warnings={};0;;0 infos={};;;0 not_evaluated={};;;0\n",
      counts.blockers, counts.errors, counts.warnings, counts.infos, report.not_evaluated.size());
  for (const Finding& finding : report.findings) {
    std::string detail =
        fmt::format("{} {} {}: {}", shouted(to_name(finding.severity)), finding.rule,
                    subject_words(finding.subject), finding.evidence);
    if (!finding.fix.empty()) detail += "; fix: " + joined(finding.fix, "; ");
    out += nagios_safe(detail) + "\n";
  }
  for (const NotEvaluated& entry : report.not_evaluated) {
    out += nagios_safe("NOT EVALUATED " + entry.rule + ": " + joined(entry.missing, ", ")) + "\n";
  }
  return out;
}

}  // namespace raidscope
