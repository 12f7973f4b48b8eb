#include "workloads/write_content.h"

#include <array>
#include <cmath>
#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>

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
