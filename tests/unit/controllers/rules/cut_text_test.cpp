// A capture that was cut off must not make anyone look guilty, and must not acquit either: whatever
// the audit of a part of a text finds, the audit of the whole text finds too, and a part of a text
// with findings is never told to be free of them.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

#include "controllers/inventory/assemble.h"
#include "probe/sources/vendor/vendor_text.h"
#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using Key = std::tuple<std::string, Text, Integer, Text>;

std::optional<AuditReport> audit_text(std::string text) {
  const NamedText named{"capture", std::move(text)};
  const Result<FactSet> facts = parse_vendor_text({&named, 1});
  if (!facts) return std::nullopt;
  return audited(assemble({&*facts, 1}, ""));
}

Key key_of(const Finding& finding) {
  return {finding.rule, finding.subject.slot, finding.subject.logical_drive, finding.subject.bay};
}

bool thorough() {
  return std::getenv("RAIDSCOPE_THOROUGH") != nullptr;
}

std::map<std::string, std::string> captures() {
  std::map<std::string, std::string> out;
  const std::filesystem::path folder = RAIDSCOPE_SOURCE_DIR "/tests/captures";
  for (const auto& machine : std::filesystem::directory_iterator(folder)) {
    std::stringstream file;
    file << std::ifstream(machine.path() / "capture.txt").rdbuf();
    out.emplace(machine.path().filename().string(), file.str());
  }
  return out;
}

/// Where a text is cut: behind lines and inside them; all of them with RAIDSCOPE_THOROUGH.
std::vector<std::size_t> cuts_of(const std::string& text) {
  std::vector<std::size_t> out;
  const std::size_t step = thorough() ? 1 : 7;
  std::size_t line = 0;
  for (std::size_t end = text.find('\n'); end != std::string::npos;
       end = text.find('\n', end + 1)) {
    if (line++ % step == 0 && end + 1 < text.size()) out.push_back(end + 1);
  }
  for (std::size_t size = 1; size < text.size(); size += thorough() ? 11U : 509U)
    out.push_back(size);
  return out;
}

TEST(CutText, FindsNothingThatTheWholeTextDoesNotAndIsNeverFreeOfWhatItHas) {
  std::size_t audits = 0;
  for (const auto& [machine, text] : captures()) {
    const std::optional<AuditReport> whole = audit_text(text);
    if (!whole) continue;
    std::set<Key> known;
    for (const Finding& finding : whole->findings) known.insert(key_of(finding));
    const bool guilty = audit_exit_code(*whole, Severity::warning) == 1 ||
                        audit_exit_code(*whole, Severity::warning) == 2;
    for (const std::size_t size : cuts_of(text)) {
      const std::optional<AuditReport> part = audit_text(text.substr(0, size));
      if (!part) continue;
      ++audits;
      for (const Finding& finding : part->findings) {
        EXPECT_TRUE(known.contains(key_of(finding)))
            << machine << " cut at " << size << ": " << finding.rule << " " << finding.evidence;
      }
      if (!guilty || part->verdict != Verdict::ok) continue;
      ADD_FAILURE() << machine << " cut at " << size << ": ok, cut behind "
                    << text.substr(size < 60 ? 0 : size - 60, std::min<std::size_t>(size, 60))
                    << "|, whole " << whole->findings.front().rule;
    }
  }
  EXPECT_GT(audits, 100U);
}

/// Names of the rules that a report could not evaluate for a reason.
std::set<std::string> open_for(const AuditReport& report, std::string_view reason) {
  std::set<std::string> out;
  for (const NotEvaluated& gap : report.not_evaluated) {
    for (const std::string& fact : gap.missing) {
      if (fact == reason) out.insert(gap.rule);
    }
  }
  return out;
}

TEST(CutText, LeavesOpenWhatTheRestMayHoldAndNothingElse) {
  constexpr std::string_view reason = "the rest of a text that was cut off";
  const std::string text = captures().at("p420i-trap-beside-cached-array");
  const std::optional<AuditReport> whole = audit_text(text);
  ASSERT_TRUE(whole);
  EXPECT_TRUE(open_for(*whole, reason).empty());
  // In the middle of a drive; behind a drive's whole block, with a drive of the cages left over.
  for (const std::string_view last : {"         Current Temperature (C): 31\n",
                                      "         Shingled Magnetic Recording Support: None\n\n"}) {
    const std::size_t cut = text.find(last) + last.size();
    const std::optional<AuditReport> part = audit_text(text.substr(0, cut));
    ASSERT_TRUE(part);
    EXPECT_EQ(part->verdict, Verdict::unknown) << last;
    const std::set<std::string> open = open_for(*part, reason);
    EXPECT_TRUE(open.contains("C09")) << last;
    EXPECT_TRUE(open.contains("T13")) << last;
    for (const std::string& rule : open) {
      EXPECT_GE(find_rule(rule)->severity, Severity::warning) << "an info changes no verdict";
    }
  }
}

}  // namespace
}  // namespace raidscope::testing
