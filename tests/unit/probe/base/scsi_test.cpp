#include "probe/base/scsi.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

namespace raidscope::scsi {
namespace {

using ::testing::ElementsAre;

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int v : values) out.push_back(static_cast<std::byte>(v));
  return out;
}
std::vector<std::byte> bytes(std::string_view text) {
  std::vector<std::byte> out;
  for (const char c : text) out.push_back(static_cast<std::byte>(c));
  return out;
}
std::vector<std::byte> operator+(std::vector<std::byte> a, const std::vector<std::byte>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

TEST(ScsiReadsOnly, ThreeCommandsAndNoOther) {
  for (int code = 0; code < 256; ++code) {
    for (const std::size_t size : {1U, 6U, 10U, 12U, 16U, 32U}) {
      std::vector<std::byte> cdb(size);
      cdb[0] = static_cast<std::byte>(code);
      const bool allowed =
          ((code == 0x00 || code == 0x12) && size == 6) || (code == 0xA0 && size == 12);
      EXPECT_EQ(reads_only(cdb), allowed) << "operation code " << code << ", " << size << " bytes";
    }
  }
  EXPECT_FALSE(reads_only({}));
}

TEST(ScsiCdb, IsBuiltAsSpcSays) {
  EXPECT_EQ(cdb_text(standard_inquiry_cdb(96)), "12 00 00 00 60 00");
  EXPECT_EQ(cdb_text(vpd_cdb(0xC2, 0x140)), "12 01 c2 01 40 00");
}

TEST(ScsiInquiry, WordsAreTrimmed) {
  const auto told = decode_inquiry(bytes({0x0C, 0, 5, 0x12, 31, 0, 0, 2}) +
                                   bytes("HP      P420i           8.32"));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->peripheral_type, 0x0C);
  EXPECT_EQ(told->vendor, "HP");
  EXPECT_EQ(told->product, "P420i");
  EXPECT_EQ(told->revision, "8.32");
  EXPECT_EQ(told->vendor_specific, "");
}

TEST(ScsiInquiry, TheVendorsOwnBytesFollow) {
  const auto told = decode_inquiry(bytes({0x0C, 0, 5, 0x12, 51, 0, 0, 2}) +
                                   bytes("HP      P420i           8.32raidscope-lab       more"));
  ASSERT_TRUE(told);
  EXPECT_EQ(told->vendor_specific, "raidscope-lab");
}

TEST(ScsiInquiry, ShortDataIsNone) {
  EXPECT_FALSE(decode_inquiry({}));
  EXPECT_FALSE(decode_inquiry(std::vector<std::byte>(35)));
}

TEST(ScsiVpd, AnotherPageThanAskedIsNone) {
  EXPECT_FALSE(vpd_payload(bytes({0, 0x83, 0, 1, 7}), 0xC2));
  EXPECT_FALSE(decode_smart_path(bytes({0, 0xC1, 0, 1, 3})));
  EXPECT_FALSE(decode_volume_status(bytes({0, 0xC2, 0, 1, 3})));
  EXPECT_FALSE(decode_fault_tolerance(bytes({0, 0xC3, 0, 8, 1, 1, 1, 1, 1, 1, 1, 1})));
}

TEST(ScsiVpd, ALengthBeyondTheDataIsCut) {
  EXPECT_THAT(decode_vpd_list(bytes({0, 0, 0, 200, 0x00, 0x80, 0x83})),
              ElementsAre(0x00, 0x80, 0x83));
  EXPECT_TRUE(decode_vpd_list(bytes({0, 0, 0})).empty());
}

TEST(ScsiVpd, SerialIsTrimmedAndMayBeEmpty) {
  EXPECT_EQ(decode_unit_serial(bytes({0, 0x80, 0, 6}) + bytes("PDN1  ")), "PDN1");
  EXPECT_EQ(decode_unit_serial(bytes({0, 0x80, 0, 0})), "");
  EXPECT_EQ(decode_unit_serial({}), "");
}

TEST(ScsiVpd, NaaIsFoundBehindOtherDesignators) {
  // A vendor-specific designator, one of the target port, then the logical unit's NAA 6.
  const auto page = bytes({0,    0x83, 0,    40,   0x01, 0x00, 0,    4,    1,    0,    0,
                           0,    0x61, 0x93, 0,    8,    0x50, 0,    0,    0,    0,    0,
                           0,    1,    0x01, 0x03, 0,    16,   0x60, 0x05, 0x08, 0xB1, 0x00,
                           0x1C, 0xA9, 0x8D, 0x5D, 0x76, 0x5B, 0xEA, 0x5A, 0x0D, 0xD3, 0xFA});
  EXPECT_EQ(decode_naa(page), "600508B1001CA98D5D765BEA5A0DD3FA");
}

TEST(ScsiVpd, ADesignatorThatRunsOutIsNone) {
  EXPECT_EQ(decode_naa(bytes({0, 0x83, 0, 12, 0x01, 0x03, 0, 16, 0x60, 0x05, 0x08, 0xB1})), "");
  EXPECT_EQ(decode_naa(bytes({0, 0x83, 0, 2, 0x01, 0x03})), "");
}

TEST(ScsiVpd, RotationRateOfTheDiskItself) {
  const auto page = [](int high, int low) { return bytes({0, 0xB1, 0, 4, high, low, 0, 0}); };
  EXPECT_EQ(decode_rotation_rate(page(0, 1)), 1);
  EXPECT_EQ(decode_rotation_rate(page(0x1C, 0x20)), 7200);
  EXPECT_EQ(decode_rotation_rate(page(0, 0)), std::nullopt) << "not reported";
  EXPECT_EQ(decode_rotation_rate(page(0x04, 0x00)), std::nullopt) << "reserved";
  EXPECT_EQ(decode_rotation_rate(bytes({0, 0xB0, 0, 4, 0, 1, 0, 0})), std::nullopt)
      << "another page";
}

TEST(ScsiVendorPages, SmartPathBits) {
  const auto bits = [](int value) { return decode_smart_path(bytes({0, 0xC2, 0, 1, value})); };
  EXPECT_FALSE(bits(0)->configured);
  EXPECT_TRUE(bits(1)->configured);
  EXPECT_FALSE(bits(1)->enabled);
  EXPECT_TRUE(bits(3)->enabled);
  EXPECT_FALSE(bits(2)->enabled) << "enabled counts only where configured";
  EXPECT_FALSE(decode_smart_path(bytes({0, 0xC2, 0, 0})));
}

TEST(ScsiVendorPages, FaultToleranceIsByteEight) {
  EXPECT_EQ(decode_fault_tolerance(bytes({0, 0xC1, 0, 8, 9, 9, 9, 9, 2, 9, 9, 9})), 2);
  EXPECT_FALSE(decode_fault_tolerance(bytes({0, 0xC1, 0, 4, 9, 9, 9, 9})));
}

TEST(ScsiVendorPages, VolumeStatus) {
  const auto told = decode_volume_status(bytes({0, 0xC3, 0, 8, 5, 0, 0, 0, 0, 0, 0, 1}));
  ASSERT_TRUE(told);
  EXPECT_EQ(volume_status_name(told->status), "Recovering");
  EXPECT_TRUE(told->offline);
  EXPECT_EQ(volume_status_name(0), "OK");
  EXPECT_EQ(volume_status_name(16), "");
  EXPECT_EQ(volume_status_name(28), "");
  EXPECT_EQ(volume_status_name(255), "");
}

}  // namespace
}  // namespace raidscope::scsi
