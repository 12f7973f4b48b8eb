#include "workloads/repeat_name.h"

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(RepeatName, OnlyWhatTellsRepeatsApartGoes) {
  EXPECT_EQ(repeat_name("4k random read w2 qd1 #12"), "4k random read w2 qd1");
  EXPECT_EQ(repeat_name("block 2, cache: 4k random read #1"), "cache: 4k random read");
  EXPECT_EQ(repeat_name("mine: layout 1, block 10, smart_path: db"),
            "mine: layout 1, smart_path: db");
  EXPECT_EQ(repeat_name("drive #1 of 2"), "drive #1 of 2");
  EXPECT_EQ(repeat_name("block size, big"), "block size, big");
  EXPECT_EQ(repeat_name("unblock 2, x"), "unblock 2, x");
  EXPECT_EQ(repeat_name("#"), "#");
  EXPECT_EQ(repeat_name(""), "");
}

}  // namespace
}  // namespace raidscope
