#include "reports/text/layout.h"

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(Layout, WidthIsColumnsNotBytes) {
  EXPECT_EQ(display_width("8×SSD"), 5U);
  EXPECT_EQ(display_width("µs"), 2U);
  EXPECT_EQ(display_width("データ"), 6U);
  EXPECT_EQ(display_width("e\xCC\x81"), 1U);  // e with a combining accent
}

TEST(Layout, NothingThatSteersATerminalIsPrinted) {
  EXPECT_EQ(printable("LD\x1b[2J\x07 one"), "LD\xEF\xBF\xBD[2J\xEF\xBF\xBD one");
  EXPECT_EQ(printable("a\r\n b\t c"), "a b c");
  EXPECT_EQ(printable("bad \xFF\xC3 end"), "bad \xEF\xBF\xBD\xEF\xBF\xBD end");
  EXPECT_EQ(printable("\xE2\x80\xAE"
                      "abc"),
            "\xEF\xBF\xBD"
            "abc");  // right-to-left override
}

TEST(Layout, ShortenKeepsWholeCharacters) {
  EXPECT_EQ(shorten("データベース", 5), "デー…");
  EXPECT_EQ(shorten("short", 5), "short");
  EXPECT_EQ(shorten("longer", 5), "long…");
}

TEST(Layout, TableAlignsByWidthAndShrinks) {
  const TextStyle style{false, 40};
  const std::string text = table_text({{"Name", false, 6}, {"IOPS", true}},
                                      {{{"データ"}, {"1,000"}}, {{"plain"}, {"10"}}}, style);
  EXPECT_EQ(text, "Name     IOPS\nデータ  1,000\nplain      10\n");
  const std::string narrow =
      table_text({{"Name", false, 6}, {"IOPS", true}},
                 {{{"a name that is far too long for forty columns of text"}, {"1,000"}}}, style);
  for (std::size_t at = 0; at < narrow.size();) {
    const std::size_t end = narrow.find('\n', at);
    EXPECT_LE(display_width(narrow.substr(at, end - at)), 40U);
    at = end + 1;
  }
  EXPECT_NE(narrow.find("…  1,000"), std::string::npos);
}

TEST(Layout, ColourOnlyWhereItIsAskedFor) {
  EXPECT_EQ(paint("x", Ink::bad, {false, 80}), "x");
  EXPECT_EQ(paint("x", Ink::bad, {true, 80}), "\x1b[1;31mx\x1b[0m");
}

TEST(Layout, KeyedLinesWrapBesideTheirKey) {
  EXPECT_EQ(keyed_line("key", "one two three four five six seven eight nine", 10, {false, 40}),
            "  key     one two three four five six\n          seven eight nine\n");
}

}  // namespace
}  // namespace raidscope
