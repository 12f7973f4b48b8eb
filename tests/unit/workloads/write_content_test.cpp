#include "workloads/write_content.h"

#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include "workloads/content.h"

namespace raidscope {
namespace {

TEST(WriteContent, NoBlockIsWrittenTwiceNotEvenInPieces) {
  constexpr std::size_t stride = 4096;
  std::vector<std::byte> memory(4 * stride);
  WriteContent content(memory, stride, 1);
  std::set<std::string> pieces;
  std::size_t count = 0;
  for (int write = 0; write < 2000; ++write) {
    const auto slot = static_cast<std::uint32_t>(write % 4);
    content.refresh(slot, stride);
    for (std::size_t at = 0; at < stride; at += 512) {
      pieces.emplace(reinterpret_cast<const char*>(memory.data() + slot * stride + at), 16);
      ++count;
    }
  }
  EXPECT_EQ(pieces.size(), count);
}

TEST(WriteContent, HasTheEntropyOfNoise) {
  constexpr std::size_t stride = 65536;
  std::vector<std::byte> memory(stride);
  WriteContent content(memory, stride, 2);
  for (int write = 0; write < 3; ++write) {
    content.refresh(0, stride);
    std::array<double, 256> counts{};
    for (const std::byte b : memory) counts[std::to_integer<std::size_t>(b)] += 1;
    double bits = 0;
    for (const double c : counts) {
      if (c > 0) bits -= c / stride * std::log2(c / stride);
    }
    EXPECT_GT(bits, 7.99);
  }
}

/// Bytes of 200 blocks that zeros fill, and blocks that repeat an earlier one.
struct Seen {
  double zeros = 0, repeated = 0;
};
Seen write_200(const ContentKind& kind) {
  constexpr std::size_t stride = 16384;
  std::vector<std::byte> memory(4 * stride);
  WriteContent content(memory, stride, 3, kind);
  std::set<std::string> blocks;
  Seen seen;
  for (std::uint32_t write = 0; write < 200; ++write) {
    content.refresh(write % 4, stride, write * stride);
    const auto* const begin = memory.data() + (write % 4) * stride;
    for (std::size_t i = 0; i < stride; ++i) seen.zeros += begin[i] == std::byte{0} ? 1 : 0;
    if (!blocks.emplace(reinterpret_cast<const char*>(begin), stride).second) seen.repeated += 1;
  }
  seen.zeros /= 200.0 * stride;
  seen.repeated /= 200;
  return seen;
}

TEST(WriteContent, IsAsCompressibleAsAsked) {
  EXPECT_NEAR(write_200({}).zeros, 1.0 / 256, 0.001);
  EXPECT_NEAR(write_200({.compressible_percent = 50}).zeros, 0.5 + 0.5 / 256, 0.01);
  EXPECT_NEAR(write_200({.compressible_percent = 75}).zeros, 0.75 + 0.25 / 256, 0.01);
  EXPECT_EQ(write_200({.compressible_percent = 75}).repeated, 0);
}

TEST(WriteContent, RepeatsAsManyBlocksAsAsked) {
  EXPECT_EQ(write_200({}).repeated, 0);
  EXPECT_NEAR(write_200({.duplicate_percent = 30}).repeated, 0.3, 0.1);
  EXPECT_GT(write_200({.duplicate_percent = 100}).repeated, 0.97);
}

TEST(WriteContent, OfAnAddressIsThatOfTheTestFile) {
  std::vector<std::byte> memory(4096);
  WriteContent content(memory, 4096, 9, {.addressed = true});
  content.refresh(0, 4096, 40960);
  EXPECT_FALSE(first_difference(memory, 9, 40960));
}

TEST(WriteContent, OfAnotherSeedIsOther) {
  std::vector<std::byte> a(8192);
  std::vector<std::byte> b(8192);
  WriteContent one(a, 4096, 1);
  WriteContent two(b, 4096, 2);
  one.refresh(0, 4096);
  two.refresh(0, 4096);
  EXPECT_NE(std::memcmp(a.data(), b.data(), 16), 0);
}

}  // namespace
}  // namespace raidscope
