#include "probe/capture/bundle.h"

#include <random>

#include <gtest/gtest.h>

namespace raidscope::capture {
namespace {

Bundle round_trip(const Bundle& bundle) {
  auto read = read_bundle(write_bundle(bundle), "test");
  EXPECT_TRUE(read) << (read ? "" : describe(read.error()));
  return read ? *std::move(read) : Bundle{};
}

Bundle with(std::vector<Section> sections) {
  Bundle bundle;
  bundle.taken_at = "2026-01-02T03:04:05Z";
  bundle.written_by = "test 1";
  bundle.sections = std::move(sections);
  return bundle;
}

TEST(Bundle, HoldsAnyKeyFieldAndContent) {
  const std::string nasty[] = {"",
                               "\n",
                               "a",
                               "a\n",
                               "\n\n",
                               "== end 3\n",
                               "== file x",
                               ".field v\n",
                               " x\n-y\nxff\n# z\n",
                               "100 %25 %\n",
                               std::string("\0\x01\xff", 3),
                               "\r\n",
                               "tab\tin\n",
                               "\xc3\xb6\n",
                               "\xc3",
                               "raidscope-capture 1\n"};
  for (const auto& content : nasty) {
    for (const auto& key : nasty) {
      const Bundle bundle = with(
          {{"file", key, {{"f", content}, {"f", key}}, content, 0}, {"other", "k", {}, "end", 0}});
      const Bundle again = round_trip(bundle);
      EXPECT_EQ(again.sections, bundle.sections) << content << "|" << key;
      EXPECT_TRUE(again.whole);
      EXPECT_TRUE(again.notes.empty());
      EXPECT_EQ(again.taken_at, bundle.taken_at);
      EXPECT_EQ(again.written_by, bundle.written_by);
    }
  }
}

TEST(Bundle, HoldsRandomBytes) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    std::vector<Section> sections;
    for (int i = 0; i < 4; ++i) {
      std::string bytes(random() % 80, '\0');
      const bool plain = random() % 2 == 0;
      for (char& c : bytes) c = plain ? "ab\n ="[random() % 5] : static_cast<char>(random());
      sections.push_back({"file", bytes, {{"name", bytes}}, bytes, 0});
    }
    const Bundle bundle = with(sections);
    ASSERT_EQ(round_trip(bundle).sections, sections);
  }
}

TEST(Bundle, TravelsWithTheLineEndsOfWindowsAndABlankLineBehind) {
  const Bundle bundle = with({{"file", "a", {{"f", "v"}}, "one\ntwo\n", 0}});
  std::string text = "\xEF\xBB\xBF";
  for (const char c : write_bundle(bundle)) {
    if (c == '\n') text += '\r';
    text += c;
  }
  text += "\r\n";
  const auto read = read_bundle(text, "test");
  ASSERT_TRUE(read) << describe(read.error());
  EXPECT_EQ(read->sections, bundle.sections);
  EXPECT_TRUE(read->notes.empty());
}

TEST(Bundle, ACutAnywhereIsSeen) {
  const std::string text = write_bundle(with(
      {{"file", "a", {}, "8192\n", 0},
       {"scsi", "12 4 /dev/sda", {}, std::string(40, '\1'), 0},
       {"tool", "show_config_detail", {{"exit_status", "0"}}, "Smart Array\n  Slot: 0\n", 0}}));
  const std::size_t first_line = text.find('\n') + 1;
  for (std::size_t cut = first_line; cut + 1 < text.size(); ++cut) {
    const auto read = read_bundle(text.substr(0, cut), "test");
    ASSERT_TRUE(read) << cut << describe(read.error());
    EXPECT_FALSE(read->whole) << cut;
    ASSERT_FALSE(read->notes.empty()) << cut;
    EXPECT_NE(read->notes.front().find("cut off"), std::string::npos);
    for (const Section& section : read->sections) {
      // What is kept is whole, but for the text of the tool.
      if (section.kind == "file") {
        EXPECT_EQ(section.content, "8192\n") << cut;
      }
      if (section.kind == "scsi") {
        EXPECT_EQ(section.content, std::string(40, '\1')) << cut;
      }
    }
  }
}

TEST(Bundle, SectionsLostInTheMiddleAreMissed) {
  const std::string text =
      write_bundle(with({{"file", "a", {}, "1\n", 0}, {"file", "b", {}, "2\n", 0}}));
  std::string lost = text;
  const std::size_t at = lost.find("== file a");
  lost.erase(at, lost.find("== file b") - at);
  const auto read = read_bundle(lost, "test");
  ASSERT_TRUE(read);
  EXPECT_FALSE(read->whole);
  EXPECT_TRUE(read->lost_parts);
  ASSERT_EQ(read->notes.size(), 1U);
  EXPECT_NE(read->notes[0].find("missing"), std::string::npos);
}

TEST(Bundle, OneOfALaterVersionIsRefusedWithTheWayOut) {
  const auto read = read_bundle("raidscope-capture 2\n== capture\n== end 1\n", "file.capture");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().code, Errc::malformed);
  EXPECT_NE(read.error().message.find("version 2"), std::string::npos);
  EXPECT_NE(read.error().hint.find("newer"), std::string::npos);
  EXPECT_TRUE(is_bundle("raidscope-capture 2\n"));
}

TEST(Bundle, WhatIsNoBundleIsSaidWithItsLine) {
  for (const auto& [text, line] : std::vector<std::pair<std::string, std::string>>{
           {"", ":1"},
           {"Smart Array P420i\n", ":1"},
           {"raidscope-captures 1\n", ":1"},
           {"raidscope-capture 1\n== capture\nbroken by a mail program\n== end 1\n", ":3"},
           {"raidscope-capture 1\n== capture\n== file a\nx0\n== end 2\n", ":4"},
           {"raidscope-capture 1\n.field v\n== end 0\n", ":2"},
           {"raidscope-capture 1\n== end 0\nraidscope-capture 1\n", ":3"},
           {"raidscope-capture 1\n== file a\n== end 1\n", ":3"}}) {
    const auto read = read_bundle(text, "name");
    ASSERT_FALSE(read) << text;
    EXPECT_EQ(read.error().code, Errc::malformed);
    EXPECT_EQ(read.error().where, "name" + line) << text;
  }
}

}  // namespace
}  // namespace raidscope::capture
