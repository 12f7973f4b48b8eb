#include "reports/text/units.h"

#include <limits>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(Units, BinaryBytes) {
  EXPECT_EQ(binary_bytes(0.0), "0 B");
  EXPECT_EQ(binary_bytes(512.0), "512 B");
  EXPECT_EQ(binary_bytes(262144.0), "256 KiB");
  EXPECT_EQ(binary_bytes(2147483648.0), "2 GiB");
  EXPECT_EQ(binary_bytes(1200000000000.0), "1.09 TiB");
  EXPECT_EQ(binary_bytes(std::optional<std::int64_t>{}), "unknown");
}

TEST(Units, DecimalBytes) {
  EXPECT_EQ(decimal_bytes(960e9), "960 GB");
  EXPECT_EQ(decimal_bytes(1.92e12), "1.92 TB");
  EXPECT_EQ(decimal_bytes(999.99e9), "1 TB");
}

TEST(Units, RatesAndCounts) {
  EXPECT_EQ(byte_rate(98304000.0), "93.8 MiB/s");
  EXPECT_EQ(byte_rate(0.0), "0 MiB/s");
  EXPECT_EQ(byte_rate(3.0 * 1024 * 1024 * 1024), "3,072 MiB/s");
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(7.25), "7.25");
  EXPECT_EQ(grouped(999.6), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(grouped(std::numeric_limits<double>::quiet_NaN()), "unknown");
}

TEST(Units, LatencyAndDuration) {
  EXPECT_EQ(latency(85.0), "85 µs");
  EXPECT_EQ(latency(1250.0), "1.25 ms");
  EXPECT_EQ(latency(999.9), "1 ms");
  EXPECT_EQ(latency(2.1e6), "2.1 s");
  EXPECT_EQ(latency(std::nullopt), "unknown");
  EXPECT_EQ(duration(0), "0 s");
  EXPECT_EQ(duration(90), "90 s");
  EXPECT_EQ(duration(540), "9 min");
  EXPECT_EQ(duration(5400), "1 h 30 min");
}

}  // namespace
}  // namespace raidscope
