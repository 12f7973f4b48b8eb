#include "reports/text/line_plot.h"

#include <gtest/gtest.h>

#include "reports/text/layout.h"

namespace raidscope {
namespace {

TEST(LinePlot, MarksStandWhereTheirNumbersAre) {
  const std::string plot =
      line_plot({{'C', "cache", {{4, 100}, {24, 100}}}, {'S', "Smart Path", {{4, 10}, {24, 100}}}},
                "IOPS", "disks", false, {});
  const std::vector<std::string> lines = split_lines(plot);
  ASSERT_EQ(lines.size(), 1U + 10 + 1 + 2) << plot;
  // Both reach the top at the right end; the cache alone is there at the left.
  EXPECT_NE(lines[1].find('C'), std::string::npos) << plot;
  EXPECT_TRUE(lines[1].ends_with("*")) << plot;
  EXPECT_EQ(lines[9].find('C'), std::string::npos) << plot;
  EXPECT_NE((lines[9] + lines[10]).find('S'), std::string::npos) << plot;
  EXPECT_NE(lines[11].find("disks"), std::string::npos);
  EXPECT_TRUE(lines[11].ends_with("24")) << plot;
  EXPECT_NE(plot.find("⠉"), std::string::npos) << "dots between the marks\n" << plot;
  EXPECT_NE(lines[1].find("100"), std::string::npos);
}

TEST(LinePlot, NothingToDrawIsNothing) {
  EXPECT_EQ(line_plot({}, "IOPS", "disks", false, {}), "");
  EXPECT_EQ(line_plot({{'A', "a", {{1, 0}}}}, "IOPS", "disks", false, {}), "");
  EXPECT_NE(line_plot({{'A', "a", {{1, 5}}}}, "IOPS", "disks", true, {}), "");
}

TEST(Sparkline, OneBlockAValueFromZero) {
  EXPECT_EQ(sparkline({0, 50, 100}, 10), "▁▅█");
  EXPECT_EQ(sparkline({1, 1, 3, 3}, 2), "▃█");
  EXPECT_EQ(sparkline({}, 10), "");
  EXPECT_EQ(sparkline({0, 0}, 10), "▁▁");
}

}  // namespace
}  // namespace raidscope
