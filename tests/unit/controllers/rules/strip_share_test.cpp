#include "controllers/rules/strip_share.h"

#include <gtest/gtest.h>

namespace raidscope {
namespace {

constexpr std::uint64_t kib = 1024;

TEST(StripShare, AlignedBlocksStayInside) {
  EXPECT_EQ(share_within_strip(4 * kib, 4 * kib, 0, 256 * kib), 1);
  EXPECT_EQ(share_within_strip(256 * kib, 0, 0, 256 * kib), 1);
}

TEST(StripShare, OthersCrossInTheirProportion) {
  // Of 64 places of 4 KiB in a strip, 8 KiB at the last one cross it.
  EXPECT_EQ(share_within_strip(8 * kib, 4 * kib, 0, 256 * kib), 63.0 / 64);
  // A start that is off by half a block: every 64th block has its middle on the edge.
  EXPECT_EQ(share_within_strip(4 * kib, 4 * kib, 2 * kib, 256 * kib), 63.0 / 64);
  EXPECT_EQ(share_within_strip(256 * kib, 256 * kib, 512, 256 * kib), 0);
}

TEST(StripShare, NothingFitsThatIsLargerThanAStrip) {
  EXPECT_EQ(share_within_strip(512 * kib, 512 * kib, 0, 256 * kib), 0);
  EXPECT_EQ(share_within_strip(0, 512, 0, 256 * kib), 0);
}

}  // namespace
}  // namespace raidscope
