#include <gtest/gtest.h>

#include "capture_support.h"
#include "controllers/inventory/assemble.h"
#include "controllers/inventory/inventory_json.h"
#include "controllers/rules/audit_json.h"
#include "controllers/rules/rule.h"
#include "probe/sources/vendor/vendor_text.h"

namespace raidscope::captures {
namespace {

/// The rules whose findings expected.json lists completely; others need a planned test or the host.
constexpr std::array checked_rules{"C01", "C02", "C03", "C04", "C05", "C06", "C08", "C09", "C10",
                                   "C11", "C12", "C13", "C14", "C15", "C18", "C21", "C22", "D01",
                                   "D02", "D03", "D04", "D05", "D06", "D07", "D08", "D09", "D10",
                                   "D12", "D13", "F01", "F02", "F03", "F04", "F05", "F06", "F07",
                                   "F08", "F09", "F10", "F11", "F12", "S01", "S03", "S05", "S06",
                                   "S07", "S08", "S12", "T01", "T02", "T03", "T04", "T05", "T06",
                                   "T07", "T08", "T09", "T10", "T11", "T12", "T13", "T14", "T15",
                                   "T16", "T17", "T18", "T19"};

Json expected_of(const std::string& machine) {
  return Json::parse(read_file(captures_dir() / machine / "expected.json"), nullptr, false);
}

bool expects_refusal(const Json& expected) {
  return expected.value("exit_code", Json(0)) == 65;
}

Result<Inventory> inventory_of(const std::string& text) {
  const NamedText named{"capture.txt", text};
  auto facts = parse_vendor_text(std::span(&named, 1));
  if (!facts) return tl::unexpected<Error>(std::move(facts).error());
  const std::array sets{*std::move(facts)};
  return assemble(sets, "");
}

Result<Inventory> inventory_of_machine(const std::string& machine) {
  return inventory_of(read_file(captures_dir() / machine / "capture.txt"));
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const auto& line : lines) out += "\n  " + line;
  return out;
}

/// Fingerprints have tests of their own; a change of their field list would change every golden.
void drop_fingerprints(Json& value) {
  if (value.is_object()) value.erase("fingerprint");
  for (auto& element : value)
    if (element.is_structured()) drop_fingerprints(element);
}

/// What a golden holds: what was told, without what changes from day to day or says nothing here.
Json golden_inventory(const Inventory& inventory) {
  Json document = to_json(inventory);
  for (const auto* key : {"tool", "taken_at", "provenance"}) document.erase(key);
  for (auto& source : document["sources"]) source.erase("duration_ms");
  drop_fingerprints(document);
  return told(document);
}

/// Without what a rule says every time, so that a golden changes only where a finding does.
Json golden_audit(const Inventory& inventory) {
  Json report = to_json(audit(inventory, std::nullopt));
  for (auto& finding : report["findings"])
    for (const auto* key : {"why", "source"}) finding.erase(key);
  Json rules = Json::array();
  for (const auto& rule : report["not_evaluated"]) rules.push_back(rule.at("rule"));
  report["not_evaluated"] = std::move(rules);
  return told(report);
}

TEST(Captures, EveryMachineHasItsFiles) {
  ASSERT_GE(machines().size(), 1u);
  for (const auto& machine : machines()) {
    const auto dir = captures_dir() / machine;
    EXPECT_TRUE(std::filesystem::exists(dir / "capture.txt")) << machine;
    const Json expected = expected_of(machine);
    ASSERT_TRUE(expected.is_object()) << machine << ": expected.json is missing or no JSON";
    for (const auto* key : {"about", "command", "exit_code", "expected_findings"})
      EXPECT_TRUE(expected.contains(key)) << machine << ": expected.json lacks " << key;
    if (expects_refusal(expected)) continue;
    EXPECT_TRUE(expected.contains("controllers")) << machine << ": expected.json lacks controllers";
    for (const auto* kind : {".inventory.json", ".audit.json"})
      EXPECT_TRUE(std::filesystem::exists(golden_dir() / (machine + kind)))
          << machine << kind << " is missing; run tests/golden/update, then read it";
  }
}

TEST(Captures, HoldWhatAReaderFinds) {
  for (const auto& machine : machines()) {
    const Json expected = expected_of(machine);
    const auto inventory = inventory_of_machine(machine);
    if (expects_refusal(expected)) {
      ASSERT_FALSE(inventory) << machine << ": is no vendor output and was read as such";
      EXPECT_EQ(inventory.error().code, Errc::malformed) << machine;
      EXPECT_NE(describe(inventory.error()).find("capture.txt"), std::string::npos)
          << machine << ": the error does not name the file";
      continue;
    }
    if (!inventory) {
      ADD_FAILURE() << machine << ": " << describe(inventory.error());
      continue;
    }
    const Json document = to_json(*inventory);
    std::vector<std::string> found;
    differences(expected.at("controllers"), document.at("controllers"), "/controllers", found);
    if (expected.value("notes", false) && inventory->notes.empty())
      found.push_back("/notes: the cut is not told");
    EXPECT_TRUE(found.empty()) << machine << joined(found);
  }
}

bool same_finding(const Json& expected, const Json& finding) {
  if (expected.at("rule") != finding.at("rule")) return false;
  if (expected.at("severity") != finding.at("severity")) return false;
  std::vector<std::string> found;
  differences(expected.at("subject"), finding.at("subject"), "", found);
  return found.empty();
}

TEST(Captures, GiveTheFindingsThatAReaderFinds) {
  for (const auto& machine : machines()) {
    const Json expected = expected_of(machine);
    if (expects_refusal(expected)) continue;
    const auto inventory = inventory_of_machine(machine);
    ASSERT_TRUE(inventory) << machine << ": " << describe(inventory.error());
    const Json report = to_json(audit(*inventory, std::nullopt));
    const Json allowed = expected.value("allowed_findings", Json::array());
    std::vector<std::string> found;
    for (const auto& wanted : expected.at("expected_findings"))
      if (std::none_of(report.at("findings").begin(), report.at("findings").end(),
                       [&](const Json& finding) { return same_finding(wanted, finding); }))
        found.push_back("missing: " + one_line(wanted));
    for (const auto& finding : report.at("findings")) {
      const auto rule = finding.at("rule").get<std::string>();
      if (std::find(checked_rules.begin(), checked_rules.end(), rule) == checked_rules.end())
        continue;
      const auto is_it = [&](const Json& wanted) { return same_finding(wanted, finding); };
      const auto& wanted = expected.at("expected_findings");
      if (std::none_of(wanted.begin(), wanted.end(), is_it) &&
          std::none_of(allowed.begin(), allowed.end(), is_it))
        found.push_back("not expected: " + rule + " " + finding.at("severity").get<std::string>() +
                        " " + one_line(told(finding.at("subject"))) + " " +
                        finding.at("evidence").get<std::string>());
    }
    EXPECT_TRUE(found.empty()) << machine << joined(found);
  }
}

TEST(Captures, EveryFactOfAFileComesFromTheFile) {
  for (const auto& machine : machines()) {
    const auto inventory = inventory_of_machine(machine);
    if (!inventory) continue;
    for (const auto& source : inventory->sources) EXPECT_EQ(source.path, "file") << machine;
    for (const auto& [pointer, path] : inventory->provenance)
      EXPECT_EQ(path, "file") << machine << pointer;
    EXPECT_FALSE(inventory->host.hostname) << machine << ": a fact of this machine";
    EXPECT_TRUE(inventory->block_devices.empty()) << machine << ": a disk of this machine";
    EXPECT_TRUE(inventory->disagreements.empty()) << machine << ": one path cannot disagree";
  }
}

/// With RAIDSCOPE_UPDATE_GOLDEN set, tests/golden/update lets this write the files instead.
TEST(Captures, MatchTheGoldens) {
  const bool update = std::getenv("RAIDSCOPE_UPDATE_GOLDEN") != nullptr;
  std::set<std::string> wanted_files;
  for (const auto& machine : machines()) {
    const auto inventory = inventory_of_machine(machine);
    if (!inventory) continue;
    const std::array<std::pair<std::string, Json>, 2> documents{
        {{machine + ".inventory.json", golden_inventory(*inventory)},
         {machine + ".audit.json", golden_audit(*inventory)}}};
    for (const auto& [file, document] : documents) {
      const std::string text = readable(document) + "\n";
      wanted_files.insert(file);
      if (update) {
        std::ofstream(golden_dir() / file, std::ios::binary) << text;
        continue;
      }
      const auto golden = read_file(golden_dir() / file);
      EXPECT_TRUE(golden == text)
          << file << " differs at " << first_difference(golden, text)
          << "\nIf the program is right: tests/golden/update, then read the "
             "difference before committing it.";
    }
  }
  if (std::getenv("RAIDSCOPE_CAPTURE") != nullptr) return;
  for (const auto& entry : std::filesystem::directory_iterator(golden_dir())) {
    if (entry.path().extension() != ".json") continue;
    if (wanted_files.count(entry.path().filename().string()) != 0) continue;
    if (update)
      std::filesystem::remove(entry.path());
    else
      ADD_FAILURE() << entry.path().filename() << " belongs to no capture";
  }
}

}  // namespace
}  // namespace raidscope::captures
