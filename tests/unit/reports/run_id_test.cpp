#include "reports/run_id.h"

#include <algorithm>
#include <cctype>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(RunId, IsShortAndOfUnmistakableLetters) {
  const std::string id = make_run_id(1'800'000'000'000, 0x7FFF);
  EXPECT_EQ(id.size(), 12U);
  for (const char c : id) {
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(c)) ||
                std::islower(static_cast<unsigned char>(c)));
    EXPECT_EQ(std::string("ilou").find(c), std::string::npos);
  }
}

TEST(RunId, SortsByTimeToTheMillisecond) {
  EXPECT_LT(make_run_id(1'800'000'000'000, 0x7FFF), make_run_id(1'800'000'000'001, 0));
  EXPECT_LT(make_run_id(999'999'999'999, 5), make_run_id(1'000'000'000'000, 5));
  EXPECT_LT(make_run_id(1'800'000'000'000, 1), make_run_id(33'000'000'000'000, 0));  // year 3015
}

TEST(RunId, IsPureAndKeepsChanceApart) {
  EXPECT_EQ(make_run_id(42, 7), make_run_id(42, 7));
  EXPECT_NE(make_run_id(42, 7), make_run_id(42, 8));
  EXPECT_EQ(make_run_id(0, 0), "000000000000");
  EXPECT_EQ(make_run_id(31, 31), "00000000z00z");
}

TEST(RunId, NoPrefixNamesBothASessionAndARun) {
  EXPECT_EQ(make_session_id(42, 7), "s" + make_run_id(42, 7));
  EXPECT_NE(make_run_id(1'800'000'000'000, 0).front(), 's');
}

}  // namespace
}  // namespace raidscope
