#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>

#include <gtest/gtest.h>

#include "probe/base/text.h"
#include "probe/sources/vendor/attributes.h"
#include "tests/unit/probe/vendor/vendor_testing.h"

/// Runs over a corpus of captured texts where one lies beside the project, else over nothing. What
/// it holds are properties, never contents.
namespace raidscope {
namespace {

using namespace vendor_testing;
namespace fs = std::filesystem;

struct Capture {
  std::string name, text;
};

const std::vector<Capture>& corpus() {
  static const std::vector<Capture> captures = [] {
    std::vector<Capture> out;
    const fs::path root = fs::path(RAIDSCOPE_SOURCE_DIR) / "../shared/corpus";
    std::error_code error;
    for (fs::recursive_directory_iterator it(root, error), end; !error && it != end; ++it) {
      if (it->path().extension() != ".txt") continue;
      std::ifstream file(it->path(), std::ios::binary);
      out.push_back(
          {it->path().filename().string(), std::string(std::istreambuf_iterator<char>(file), {})});
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
  }();
  return captures;
}

class VendorCorpus : public ::testing::Test {
 protected:
  void SetUp() override {
    if (corpus().empty()) GTEST_SKIP() << "no corpus beside the project";
  }
  /// Facts that stand in one of two sets only, a few of them.
  static std::string difference(const std::multiset<std::string>& a,
                                const std::multiset<std::string>& b, bool missing_only = false) {
    std::vector<std::string> lost;
    std::vector<std::string> added;
    std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(lost));
    std::set_difference(b.begin(), b.end(), a.begin(), a.end(), std::back_inserter(added));
    std::string out;
    for (std::size_t i = 0; i < lost.size() && i < 6; ++i) out += "\n  lost  " + lost[i];
    for (std::size_t i = 0; !missing_only && i < added.size() && i < 6; ++i) {
      out += "\n  added " + added[i];
    }
    return out;
  }
  template <class Change>
  static void same_facts_after(const char* what, Change change, bool extras = true) {
    for (const Capture& capture : corpus()) {
      const auto plain = parse(capture.text);
      if (!plain) continue;
      const auto changed = parse(change(capture.text));
      ASSERT_TRUE(changed) << what << " " << capture.name;
      const std::string diff =
          difference(lines_of(*plain, true, extras), lines_of(*changed, true, extras));
      EXPECT_EQ(diff, "") << what << " " << capture.name;
    }
  }
};

TEST_F(VendorCorpus, EveryFactIsOfTheListWithItsType) {
  std::map<std::pair<EntityKind, std::string_view>, ValueType> types;
  for (const AttributeSpec& spec : vendor_attributes) types[{spec.kind, spec.name}] = spec.type;
  for (const Capture& capture : corpus()) {
    const auto set = parse(capture.text);
    if (!set) continue;
    std::set<std::pair<EntityId, std::string_view>> told;
    for (const Fact& fact : set->facts) {
      const auto type = types.find({set->entities[fact.entity].kind, fact.attribute});
      ASSERT_NE(type, types.end()) << capture.name << " " << fact.attribute;
      EXPECT_EQ(static_cast<std::size_t>(type->second), fact.value.index()) << fact.attribute;
      if (fact.attribute == "mirror_groups") continue;
      EXPECT_TRUE(told.insert({fact.entity, fact.attribute}).second)
          << capture.name << ": twice " << fact.attribute;
    }
  }
}

TEST_F(VendorCorpus, EveryPrintedKeyIsKept) {
  // "Key: value" lines of the tool, with a value, on lines of their own.
  const std::regex line_form(R"(^[\s#]*([A-Z][A-Za-z0-9 ()/.:_-]*?)\s*:(?:\s+(.*?))?\s*$)");
  for (const Capture& capture : corpus()) {
    const auto set = parse(capture.text);
    if (!set) continue;
    std::set<std::string> values;
    std::string everything;
    for (const Fact& fact : set->facts) values.insert(show(fact.value));
    std::set<std::string> extras;
    for (const Extra& extra : set->extras) extras.insert(extra.key);
    std::string notes;
    for (const Note& note : set->notes) notes += note.text + "\n";
    for (const Fact& fact : set->facts) notes += show(fact.value) + "\n";
    std::size_t lost = 0;
    for (const std::string& line : split_lines(capture.text)) {
      std::smatch match;
      if (!std::regex_match(line, match, line_form)) continue;
      if (line.find("Group ") != std::string::npos) continue;  // a heading
      std::string key = text::collapse_blanks(match[1].str());
      std::string value = match[2].str();
      if (extras.count(key) > 0 || notes.find(key) != std::string::npos) continue;
      // A typed key: some fact was told on its line, or on the line that it repeats.
      const bool told = std::any_of(set->facts.begin(), set->facts.end(), [&](const Fact& fact) {
        return !value.empty() && (show(fact.value) == value || fact.line > 0);
      });
      if (!told) ++lost;
    }
    EXPECT_EQ(lost, 0u) << capture.name;
  }
}

TEST_F(VendorCorpus, ValuesAreSane) {
  for (const Capture& capture : corpus()) {
    const auto set = parse(capture.text);
    if (!set) continue;
    for (const Fact& fact : set->facts) {
      const std::string value = show(fact.value);
      const std::string at = capture.name + " " + std::string(fact.attribute) + " = " + value;
      if (fact.attribute.find("temperature") != std::string_view::npos &&
          std::holds_alternative<std::int64_t>(fact.value)) {
        EXPECT_GT(std::get<std::int64_t>(fact.value), 0) << at;
        EXPECT_LT(std::get<std::int64_t>(fact.value), 130) << at;
      }
      if (fact.attribute == "size_bytes") {
        EXPECT_GT(std::get<std::int64_t>(fact.value), 1'000'000'000) << at;
        EXPECT_LT(std::get<std::int64_t>(fact.value), 100'000'000'000'000) << at;
      }
      if (fact.attribute == "mount_points") {
        for (const std::string& path : std::get<std::vector<std::string>>(fact.value)) {
          EXPECT_EQ(path.front(), '/') << at;
          EXPECT_EQ(path.find(" GB"), std::string::npos) << at;
        }
      }
      if (fact.attribute == "firmware") {
        EXPECT_NE(value, "0.00") << at;
      }
      if (fact.attribute == "status") {
        EXPECT_EQ(value.find(','), std::string::npos) << at;
      }
    }
    for (const Entity& entity : set->entities) {
      if (entity.kind == EntityKind::physical_drive) {
        EXPECT_NE(entity.name.find(':'), std::string::npos);
      }
    }
  }
}

TEST_F(VendorCorpus, LineEndsDoNotMatter) {
  same_facts_after("CRLF", [](const std::string& text) { return replaced(text, "\n", "\r\n"); });
}

TEST_F(VendorCorpus, PrefixesDoNotMatter) {
  for (const char* prefix : {"\t", "#", "    ", "# ", "> "}) {
    same_facts_after(prefix, [prefix](const std::string& text) {
      std::string out;
      for (const std::string& line : split_lines(text)) out += prefix + line + "\n";
      if (!text.ends_with("\n") && !out.empty()) out.pop_back();
      return out;
    });
  }
}

TEST_F(VendorCorpus, TabsDoNotMatter) {
  same_facts_after("tabs for indentation", [](const std::string& text) {
    std::string out;
    for (std::string line : split_lines(text)) {
      std::size_t blanks = 0;
      while (blanks < line.size() && line[blanks] == ' ') ++blanks;
      out +=
          std::string(blanks / 3, '\t') + std::string(blanks % 3, ' ') + line.substr(blanks) + "\n";
    }
    if (!text.ends_with("\n") && !out.empty()) out.pop_back();
    return out;
  });
  same_facts_after(
      "tab behind the colon", [](const std::string& text) { return replaced(text, ": ", ":\t"); },
      false);
}

TEST_F(VendorCorpus, BlankLinesDoNotMatter) {
  same_facts_after("blank lines doubled",
                   [](const std::string& text) { return replaced(text, "\n\n", "\n\n\n\n"); });
  same_facts_after("trailing blanks",
                   [](const std::string& text) { return replaced(text, "\n", "   \n"); });
}

TEST_F(VendorCorpus, LostIndentationDoesNotMatter) {
  same_facts_after("flat", [](const std::string& text) {
    return std::regex_replace(text, std::regex("(^|\n)[ \t]+"), "$1");
  });
}

TEST_F(VendorCorpus, BannersBetweenLinesDoNotMatter) {
  const std::string banners[] = {
      "FIRMWARE UPGRADE REQUIRED: A firmware update is recommended for this controller\n"
      "                           to prevent rare potential data write errors on a\n"
      "                           RAID 1 or RAID 1+0 volume in a scenario of\n"
      "                           concurrent background surface analysis.\n\n",
      "\nWarning: Unrecoverable Media Errors Detected on Drives during previous Rebuild \n"
      "or Background Surface Analysis (ARM) scan. Errors will be fixed automatically\n"
      "when the sector(s) are overwritten. Backup and Restore are recommended. The\n"
      "following logical drives are affected: 4, 5\n\n",
      "Note: Predictive Spare Activation Mode is enabled, physical drives that are in\n"
      "      predictive failure state will not be available for use as data drives.\n"};
  for (const std::string& banner : banners) {
    for (const Capture& capture : corpus()) {
      const auto plain = parse(capture.text);
      if (!plain) continue;
      const auto expected = lines_of(*plain);
      const std::vector<std::string> lines = split_lines(capture.text);
      const std::size_t step = std::max<std::size_t>(1, lines.size() / 6);
      for (std::size_t at = 1; at < lines.size(); at += step) {
        std::string text;
        for (std::size_t i = 0; i < lines.size(); ++i) {
          if (i == at) text += banner;
          text += lines[i] + "\n";
        }
        if (!capture.text.ends_with("\n")) text.pop_back();
        const auto changed = parse(text);
        ASSERT_TRUE(changed) << capture.name << ":" << at;
        // A wrapped value that the banner tears apart is another text.
        if (!lines[at].empty() && lines[at].find_first_not_of(" \t") == 0 &&
            lines[at - 1].size() > 60) {
          continue;
        }
        EXPECT_EQ(difference(expected, lines_of(*changed)), "") << capture.name << ":" << at;
      }
    }
  }
}

/// Breaks lines at blanks as a mail program does.
std::string wrapped(const std::string& text, std::size_t width, const std::string& hanging) {
  std::string out;
  for (std::string line : split_lines(text)) {
    while (line.size() > width) {
      const std::size_t indent = line.find_first_not_of(" \t");
      const std::size_t at = line.rfind(' ', width);
      if (at == std::string::npos || indent == std::string::npos || at <= indent) break;
      out += line.substr(0, at) + "\n";
      line = hanging + line.substr(line.find_first_not_of(' ', at));
    }
    out += line + "\n";
  }
  if (!text.ends_with("\n") && !out.empty()) out.pop_back();
  return out;
}

TEST_F(VendorCorpus, WrapsDoNotMatter) {
  for (const std::size_t width : {80u, 76u, 72u, 65u, 60u}) {
    for (const char* hanging : {"", "  ", "             "}) {
      for (const Capture& capture : corpus()) {
        const auto plain = parse(capture.text);
        if (!plain) continue;
        const std::string text = wrapped(capture.text, width, hanging);
        if (text == capture.text || capture.text.find(std::string(40, ' ')) != std::string::npos)
          continue;
        const auto changed = parse(text);
        ASSERT_TRUE(changed) << capture.name;
        // Runs of blanks at the break are lost: compare with runs collapsed.
        const auto collapsed = [](const FactSet& set) {
          std::multiset<std::string> lines;
          for (const std::string& line : lines_of(set)) {
            lines.insert(text::collapse_blanks(line));
          }
          return lines;
        };
        EXPECT_EQ(difference(collapsed(*plain), collapsed(*changed)), "")
            << capture.name << " at " << width << " hanging " << std::string(hanging).size();
      }
    }
  }
}

TEST_F(VendorCorpus, CutAnywhereTellsNothingElse) {
  for (const Capture& capture : corpus()) {
    const auto whole = parse(capture.text);
    if (!whole) continue;
    // A text of several answers may change its mind.
    if (capture.name.find("session") != std::string::npos) continue;
    const auto without_slots = [](const FactSet& set) {
      return lines_of(set, false, false, false);
    };
    const auto expected = without_slots(*whole);
    const char* thorough = std::getenv("RAIDSCOPE_THOROUGH");
    const std::size_t step =
        thorough != nullptr ? 1 : std::max<std::size_t>(1, capture.text.size() / 60);
    for (std::size_t cut = 1; cut < capture.text.size(); cut += step) {
      const auto part = parse(capture.text.substr(0, cut));
      if (!part) continue;
      std::string wrong;
      for (const std::string& line : without_slots(*part)) {
        if (expected.count(line) == 0) wrong += "\n  " + line;
      }
      EXPECT_EQ(wrong, "") << capture.name << " cut at " << cut;
    }
  }
}

}  // namespace
}  // namespace raidscope
