#include "workloads/content.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

std::vector<std::byte> content(std::size_t size, std::uint64_t seed, std::uint64_t offset) {
  std::vector<std::byte> out(size);
  fill_content(out, seed, offset);
  return out;
}

TEST(Content, IsAPureFunctionOfSeedAndOffsetInAnyPieces) {
  const auto whole = content(100'000, 7, 0);
  EXPECT_EQ(whole, content(100'000, 7, 0));
  for (const std::size_t piece : {1UL, 3UL, 8UL, 511UL, 512UL, 4096UL, 65'537UL}) {
    for (const std::size_t start : {0UL, 1UL, 5UL, 7UL, 8UL, 4095UL}) {
      std::vector<std::byte> pieces;
      for (std::size_t at = start; at < whole.size(); at += piece) {
        const auto part = content(std::min(piece, whole.size() - at), 7, at);
        pieces.insert(pieces.end(), part.begin(), part.end());
      }
      EXPECT_TRUE(std::equal(pieces.begin(), pieces.end(),
                             whole.begin() + static_cast<std::ptrdiff_t>(start), whole.end()))
          << "piece " << piece << " start " << start;
    }
  }
}

TEST(Content, NeverChangesWithoutAVersion) {
  std::array<std::uint8_t, 16> first{};
  fill_content(std::as_writable_bytes(std::span(first)), 1, 0);
  const std::array<std::uint8_t, 16> known{0xfd, 0x2b, 0xcb, 0x4f, 0x22, 0x8e, 0x6d, 0x1c,
                                           0x44, 0x0c, 0xa1, 0x45, 0x1b, 0x67, 0xd6, 0x1a};
  EXPECT_EQ(first, known) << "new content needs a new kContentVersion";
}

TEST(Content, NoWordRepeatsAndNoBlockEqualsAnother) {
  const auto bytes = content(8 << 20, 1, 1ULL << 40);
  std::vector<std::uint64_t> words(bytes.size() / 8);
  std::memcpy(words.data(), bytes.data(), bytes.size());
  std::sort(words.begin(), words.end());
  EXPECT_EQ(std::adjacent_find(words.begin(), words.end()), words.end());
}

TEST(Content, SeedsGiveUnrelatedStreams) {
  std::set<std::uint64_t> seen;
  std::size_t made = 0;
  for (std::uint64_t seed = 0; seed < 64; ++seed) {
    const auto bytes = content(8192, seed, 0);
    std::vector<std::uint64_t> words(bytes.size() / 8);
    std::memcpy(words.data(), bytes.data(), bytes.size());
    seen.insert(words.begin(), words.end());
    made += words.size();
  }
  EXPECT_EQ(seen.size(), made);
}

TEST(Content, BytesAndBitsAreEven) {
  constexpr std::size_t kSize = 4 << 20;
  for (const std::uint64_t seed : {0ULL, 1ULL, ~0ULL}) {
    const auto bytes = content(kSize, seed, 0);
    std::array<double, 256> count{};
    for (const std::byte b : bytes) ++count[static_cast<std::size_t>(b)];
    const double expected = kSize / 256.0;
    double chi2 = 0;
    for (const double c : count) chi2 += (c - expected) * (c - expected) / expected;
    // 255 degrees of freedom: six standard deviations around the mean.
    EXPECT_NEAR(chi2, 255, 6 * std::sqrt(2 * 255.0)) << "seed " << seed;
  }
}

TEST(Content, EmptyIsFine) {
  fill_content({}, 1, 3);
}

}  // namespace
}  // namespace raidscope
