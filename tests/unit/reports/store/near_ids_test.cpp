#include "reports/store/near_ids.h"

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(NearIds, FindsTyposAndMistypedBeginnings) {
  const std::vector<std::string> known{"1m7q2x4kd7fa", "1m7q2x4kd8bc", "1zzzzzzzzzzz"};
  EXPECT_EQ(near_ids("1m7q2x4kd7fb", known).front(), "1m7q2x4kd7fa");
  EXPECT_EQ(near_ids("1m7q3", known).size(), 2U);
}

TEST(NearIds, SaysNothingWhereNothingIsNear) {
  EXPECT_TRUE(near_ids("hello-world", {"1m7q2x4kd7fa"}).empty());
  EXPECT_TRUE(near_ids("x", {}).empty());
}

TEST(NearIds, ALongPasteStaysCheap) {
  EXPECT_TRUE(near_ids(std::string(1'000'000, 'x'), {"1m7q2x4kd7fa"}).empty());
}

}  // namespace
}  // namespace raidscope
