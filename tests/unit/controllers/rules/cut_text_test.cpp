// A capture that was cut off must not make anyone look guilty: whatever the audit of a part of a
// text finds, the audit of the whole text finds too.

#include <filesystem>
#include <fstream>
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

TEST(CutText, FindsNothingThatTheWholeTextDoesNot) {
  const std::filesystem::path captures = RAIDSCOPE_SOURCE_DIR "/tests/captures";
  std::size_t audits = 0;
  for (const auto& machine : std::filesystem::directory_iterator(captures)) {
    std::stringstream file;
    file << std::ifstream(machine.path() / "capture.txt").rdbuf();
    const std::string text = file.str();
    const std::optional<AuditReport> whole = audit_text(text);
    if (!whole) continue;
    std::set<Key> known;
    for (const Finding& finding : whole->findings) known.insert(key_of(finding));
    for (std::size_t size = 1; size < text.size(); size += 131) {
      const std::optional<AuditReport> part = audit_text(text.substr(0, size));
      if (!part) continue;
      ++audits;
      for (const Finding& finding : part->findings) {
        EXPECT_TRUE(known.contains(key_of(finding)))
            << machine.path().filename() << " cut at " << size << ": " << finding.rule << " "
            << finding.evidence;
      }
    }
  }
  EXPECT_GT(audits, 100U);
}

}  // namespace
}  // namespace raidscope::testing
