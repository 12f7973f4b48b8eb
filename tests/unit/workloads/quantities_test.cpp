#include "workloads/quantities.h"

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(Sizes, AreReadInEveryUnit) {
  const std::pair<const char*, std::uint64_t> cases[] = {
      {"0", 0},
      {"4096", 4096},
      {"4096B", 4096},
      {"64k", 65536},
      {"64K", 65536},
      {"64KiB", 65536},
      {"64 kib", 65536},
      {"64kB", 64000},
      {"1M", 1048576},
      {"1MiB", 1048576},
      {"1MB", 1000000},
      {"100G", 107374182400},
      {"1.5G", 1610612736},
      {"0.5k", 512},
      {"10GB", 10000000000},
      {"2T", 2199023255552},
      {" 8k ", 8192},
      {"8191P", 9222246136947933184ULL},
      {"9223372036854775807", 9223372036854775807ULL},
  };
  for (const auto& [text, bytes] : cases) {
    const auto got = parse_size(text);
    ASSERT_TRUE(got) << text << ": " << describe(got.error());
    EXPECT_EQ(*got, bytes) << text;
  }
}

TEST(Sizes, AreRefusedWithTheirText) {
  for (const char* text : {"", " ", "k", "-1", "1x", "1.2.3k", "0.3", "64kk", "1e3", "8192P", ".",
                           "99999999999999999999", "0x10", "4k 4k", "1.0000000000000000000001"}) {
    const auto got = parse_size(text);
    ASSERT_FALSE(got) << text;
    EXPECT_EQ(got.error().code, Errc::usage);
    EXPECT_NE(got.error().message.find(text), std::string::npos);
    EXPECT_NE(got.error().hint.find("1024"), std::string::npos);
  }
}

TEST(Sizes, SurvivePrinting) {
  std::uint64_t state = 1;
  for (int i = 0; i < 20'000; ++i) {
    state = state * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t bytes = (state >> 1U) >> (i % 63) << (i % 17);
    const std::uint64_t value = bytes & ((std::uint64_t{1} << 62U) - 1);
    EXPECT_EQ(parse_size(print_size(value)).value(), value) << print_size(value);
  }
  EXPECT_EQ(print_size(65536), "64k");
  EXPECT_EQ(print_size(5'120'000'000), "5000000k");
  EXPECT_EQ(print_size(std::uint64_t{100} << 30U), "100G");
  EXPECT_EQ(print_size(4097), "4097");
  EXPECT_EQ(print_size(0), "0");
}

TEST(Durations, AreReadInEveryUnit) {
  const std::pair<const char*, double> cases[] = {
      {"90", 90},   {"90s", 90},    {"9m", 540},     {"2h", 7200},   {"1d", 86400},   {"1.5m", 90},
      {"0.5", 0.5}, {"500ms", 0.5}, {"1h30m", 5400}, {"1m 30s", 90}, {"10 min", 600},
  };
  for (const auto& [text, seconds] : cases) {
    const auto got = parse_duration(text);
    ASSERT_TRUE(got) << text;
    EXPECT_DOUBLE_EQ(*got, seconds) << text;
  }
  for (const char* text : {"", "s", "-5", "1x", "1m30", "abc", "1..2", "5 5", "m5"}) {
    EXPECT_FALSE(parse_duration(text)) << text;
  }
}

TEST(Durations, SurvivePrinting) {
  for (const double seconds : {0.0, 0.001, 0.1, 1.0, 59.0, 60.0, 90.0, 120.0, 540.0, 3600.0, 5400.0,
                               86400.0, 1.0 / 3, 12345.678}) {
    EXPECT_DOUBLE_EQ(parse_duration(print_duration(seconds)).value(), seconds)
        << print_duration(seconds);
  }
  EXPECT_EQ(print_duration(540), "9m");
  EXPECT_EQ(print_duration(90), "90s");
}

}  // namespace
}  // namespace raidscope
