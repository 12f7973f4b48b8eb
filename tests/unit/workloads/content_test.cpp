#include "workloads/content.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <unistd.h>
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
  const std::array<std::uint8_t, 16> known{0xec, 0x25, 0x44, 0xef, 0x4d, 0xbd, 0xb1, 0x82,
                                           0x3b, 0xc3, 0x21, 0xd2, 0xa3, 0x83, 0xfe, 0xa5};
  EXPECT_EQ(first, known) << "new content needs a new kContentVersion";
}

TEST(Content, EveryWayToMakeItMakesTheSame) {
  const std::span<const ContentMaker> makers = content_makers();
  const ContentMaker& portable = makers.back();
  ASSERT_TRUE(portable.available());
  constexpr std::size_t room = 8192;
  alignas(64) std::array<std::byte, room + 64> expected;
  alignas(64) std::array<std::byte, room + 64> got;
  for (const ContentMaker& maker : makers) {
    if (!maker.available()) continue;
    for (const std::size_t at : {0U, 1U, 16U, 48U}) {
      for (const std::size_t blocks : {0U, 1U, 3U, 7U, 33U, 101U, 500U}) {
        for (const bool streaming : {false, true}) {
          expected.fill(std::byte{0});
          got.fill(std::byte{0});
          portable.blocks(expected.data() + at, blocks, 7, 1'000'003, false);
          maker.blocks(got.data() + at, blocks, 7, 1'000'003, streaming);
          ASSERT_EQ(expected, got) << maker.id << " at " << at << ", " << blocks << " blocks";
        }
      }
    }
  }
}

TEST(Content, LargePiecesAreTheSameAsSmallOnes) {
  const auto large = content(6 << 20, 3, 4096);
  for (const std::size_t at : {0UL, 1UL << 20, 6UL * (1 << 20) - 4096})
    EXPECT_EQ(std::vector<std::byte>(large.begin() + static_cast<std::ptrdiff_t>(at),
                                     large.begin() + static_cast<std::ptrdiff_t>(at) + 4096),
              content(4096, 3, 4096 + at));
}

TEST(Content, ADifferenceIsFoundWhereItIs) {
  auto bytes = content(10'000, 5, 8192);
  EXPECT_FALSE(first_difference(bytes, 5, 8192));
  EXPECT_EQ(first_difference(bytes, 6, 8192).value_or(1), 0U);
  bytes[7001] ^= std::byte{1};
  EXPECT_EQ(first_difference(bytes, 5, 8192).value_or(0), 7001U);
}

/// One GiB, each sector by its first 16 bytes: equal sectors would have equal beginnings.
TEST(Content, NoTwoSectorsOfAGibibyteAreEqual) {
  constexpr std::size_t sectors = (1U << 30U) / 512;
  using Beginning = std::array<std::uint64_t, 2>;
  std::vector<Beginning> seen(sectors);
  for (std::size_t i = 0; i < sectors; ++i)
    fill_content(std::as_writable_bytes(std::span(seen[i])), 1, i * 512);
  std::sort(seen.begin(), seen.end());
  EXPECT_EQ(std::adjacent_find(seen.begin(), seen.end()), seen.end());
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

/// Less than a tenth of a percent, by the strongest of the usual compressors; content_bench does
/// the same with 64 MiB, which takes a minute.
TEST(Content, ZstdGainsNothing) {
  if (std::system("zstd --version > /dev/null 2>&1") != 0) GTEST_SKIP() << "zstd is not installed";
  constexpr std::size_t size = 4U << 20U;
  const std::string path =
      (std::filesystem::current_path() / ("content_" + std::to_string(::getpid()))).string();
  {
    const auto bytes = content(size, 1, 0);
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(size));
  }
  const int status = std::system(("zstd -q -19 '" + path + "' -o '" + path + ".zst'").c_str());
  const bool made = std::filesystem::exists(path + ".zst");
  const double packed = made ? static_cast<double>(std::filesystem::file_size(path + ".zst")) : 0;
  std::filesystem::remove(path);
  std::filesystem::remove(path + ".zst");
  ASSERT_EQ(status, 0);
  EXPECT_GT(packed, 0.999 * static_cast<double>(size));
}

TEST(Content, EmptyIsFine) {
  fill_content({}, 1, 3);
}

}  // namespace
}  // namespace raidscope
