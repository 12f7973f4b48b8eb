#include "probe/base/ciss_replies.h"

#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "tests/support/ciss_bytes.h"

namespace raidscope::ciss {
namespace {

using raidscope::testing::CissBytes;
using raidscope::testing::lun_list;
using ::testing::ElementsAre;

TEST(CissReplies, PciInfo) {
  const auto told =
      decode_pci_info(CissBytes(8).u8(0, 0x0D).u8(1, 0x1A).u16(2, 1).u32(4, 0x3354103C).bytes());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->address, "0001:0d:03.2");
  EXPECT_EQ(told->board_id, 0x3354103CU);
  EXPECT_FALSE(decode_pci_info(CissBytes(7).bytes()));
}

CissBytes controller() {
  CissBytes out(512);
  out.u8(0, 3).u32(1, 0xCAFE0001).text(5, "8.32").text(9, "8.00").u32(26, 0x3354103C);
  out.u8(139, 90).u16(140, 1024).u8(142, 1).u32(184, 1U << 25).u8(188, 0x13).u8(189, 2);
  out.u16(190, 7).u32(196, 512).text(200, "HP", 8).text(208, "P420i", 16);
  return out;
}

TEST(CissReplies, ControllerIdentity) {
  const auto told = decode_controller_identity(controller().bytes());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->configuration_signature, 0xCAFE0001U);
  EXPECT_EQ(told->firmware, "8.32");
  EXPECT_EQ(told->rom_firmware, "8.00");
  EXPECT_EQ(told->board_id, 0x3354103CU);
  EXPECT_EQ(told->logical_drives, 3);
  EXPECT_EQ(told->percent_write_cache, 90);
  EXPECT_EQ(told->cache_board_size, 1024);
  EXPECT_EQ(told->hba_mode_supported, true);
  EXPECT_EQ(told->last_lockup_code, 0x13);
  EXPECT_EQ(told->pci_slot, 2);
  EXPECT_EQ(told->firmware_build, 7);
  EXPECT_EQ(told->vendor, "HP");
  EXPECT_EQ(told->product, "P420i");
  EXPECT_EQ(told->long_firmware, std::nullopt);
  const auto many = decode_controller_identity(
      controller().u8(0, 255).u16(154, 300).u32(286, 1U << 29).text(325, "3.53-0", 32).bytes());
  EXPECT_EQ(many->logical_drives, 300);
  EXPECT_EQ(many->long_firmware, "3.53-0");
  EXPECT_EQ(decode_controller_identity(controller().text(5, "0.00").bytes())->firmware,
            std::nullopt);
}

TEST(CissReplies, WhatLiesBehindTheReplyIsAbsent) {
  const auto cut = decode_controller_identity(controller().cut(190).bytes());
  ASSERT_TRUE(cut);
  EXPECT_EQ(cut->pci_slot, 2);
  EXPECT_EQ(cut->firmware_build, std::nullopt);
  EXPECT_EQ(cut->product, std::nullopt);
  EXPECT_EQ(decode_controller_identity(controller().cut(187).bytes())->hba_mode_supported,
            std::nullopt);
  EXPECT_FALSE(decode_controller_identity(controller().cut(8).bytes()));
  EXPECT_FALSE(decode_controller_identity({}));
}

TEST(CissReplies, WhatLiesBehindTheStructuresOwnLengthIsAbsent) {
  const auto short_ = decode_controller_identity(controller().u32(196, 208).bytes());
  EXPECT_EQ(short_->vendor, "HP");
  EXPECT_EQ(short_->product, std::nullopt);
  // Shorter than where it stands: then it and what follows are no part.
  const auto odd = decode_controller_identity(controller().u32(196, 10).bytes());
  EXPECT_EQ(odd->pci_slot, 2);
  EXPECT_EQ(odd->vendor, std::nullopt);
  // Not filled in.
  EXPECT_EQ(decode_controller_identity(controller().u32(196, 0).bytes())->product, "P420i");
}

TEST(CissReplies, LogicalDriveIdentity) {
  CissBytes reply(512);
  reply.u16(0, 512).u32(2, 0xFFFFFFFF).u8(22, 2).text(30, "0123ABCD4567", 64);
  reply.u64(94, 0x1'2345'6789).hex(102, "600508B1001C00112233445566778899");
  const auto told = decode_logical_drive_identity(reply.bytes());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->block_bytes, 512);
  EXPECT_EQ(told->blocks, 0x1'2345'6789U);
  EXPECT_EQ(told->tolerance, 2);
  EXPECT_EQ(told->label, "0123ABCD4567");
  EXPECT_EQ(told->unique_id, "600508B1001C00112233445566778899");
  const auto old = decode_logical_drive_identity(reply.cut(90).u32(2, 1000).bytes());
  EXPECT_EQ(old->blocks, 1000U);
  EXPECT_EQ(old->label, std::nullopt);
  EXPECT_EQ(old->unique_id, std::nullopt);
  const auto empty = decode_logical_drive_identity(CissBytes(512).bytes());
  EXPECT_EQ(empty->blocks, std::nullopt);
  EXPECT_EQ(empty->block_bytes, std::nullopt);
  EXPECT_EQ(empty->unique_id, std::nullopt);
}

TEST(CissReplies, LogicalDriveState) {
  const auto told = decode_logical_drive_state(
      CissBytes(1024).u8(0, 5).u32(421, 4096).u8(498, 3).u8(535, 1).u8(536, 2).bytes());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->status, 5);
  EXPECT_EQ(told->blocks_to_recover, 4096U);
  EXPECT_EQ(told->spare_status, 3);
  EXPECT_EQ(told->media_exchanged, true);
  EXPECT_EQ(told->cache_failure, 2);
  EXPECT_EQ(decode_logical_drive_state(CissBytes(1).bytes())->spare_status, std::nullopt);
  EXPECT_FALSE(decode_logical_drive_state({}));
}

CissBytes drive() {
  CissBytes out(2560);
  out.u16(2, 512).u32(4, 585937500).text(12, "HP      EG0300FCVBF", 40).text(52, "SN0001", 40);
  out.text(92, "HPD9", 8).u8(103, 1).u8(104, 0x20).u8(106, 0x40).text(112, "1I").u8(114, 1);
  out.u8(115, 3).u32(116, 10520).u8(120, 2).hex(142, "5000C500AABBCC01").u16(194, 2);
  out.u8(1224, 0x0A).u8(1225, 0).u8(1792, 31).u8(1794, 44).u16(1858, 900).u8(1862, 0x80);
  return out;
}

TEST(CissReplies, PhysicalDriveIdentity) {
  const auto told = decode_physical_drive_identity(drive().bytes());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->block_bytes, 512);
  EXPECT_EQ(told->blocks, 585937500U);
  EXPECT_EQ(told->model, "HP      EG0300FCVBF");
  EXPECT_EQ(told->serial, "SN0001");
  EXPECT_EQ(told->firmware, "HPD9");
  EXPECT_EQ(told->bay, "1I:1:3");
  EXPECT_EQ(told->wwid, "5000C500AABBCC01");
  EXPECT_EQ(told->rpm, 10520U);
  EXPECT_EQ(told->type, DeviceType::sas);
  EXPECT_EQ(told->operational, true);
  EXPECT_EQ(told->configured, true);
  EXPECT_EQ(told->spare, false);
  EXPECT_EQ(told->predictive_failure, false);
  EXPECT_EQ(told->write_cache_enabled, true);
  EXPECT_EQ(told->gas_gauge, false);
  EXPECT_THAT(told->link_rates, ElementsAre(0x0A, 0));
  EXPECT_EQ(told->temperature_c, 31);
  EXPECT_EQ(told->temperature_max_c, 44);
  EXPECT_EQ(told->power_on_hours, 900);
  EXPECT_EQ(told->authentication, 0x80);
}

TEST(CissReplies, ADriveOfOldFirmwareHasWhatItSent) {
  const auto told = decode_physical_drive_identity(drive().cut(512).bytes());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->bay, "1I:1:3");
  EXPECT_EQ(told->temperature_c, std::nullopt);
  EXPECT_EQ(told->gas_gauge, std::nullopt);
  EXPECT_TRUE(told->link_rates.empty());
  EXPECT_FALSE(decode_physical_drive_identity(drive().cut(40).bytes()));
}

TEST(CissReplies, OddFieldsOfADriveAreAbsent) {
  CissBytes odd = drive();
  odd.u8(112, 0).u8(1792, 0).u8(1794, 0xFF).u16(194, 36).u8(160, 7);
  odd.text(52, "SN\x80\x81");
  const auto told = decode_physical_drive_identity(odd.bytes());
  EXPECT_EQ(told->bay, std::nullopt);
  EXPECT_EQ(told->temperature_c, std::nullopt);
  EXPECT_EQ(told->temperature_max_c, std::nullopt);
  EXPECT_TRUE(told->link_rates.empty());
  EXPECT_EQ(told->wwid, std::nullopt);
  EXPECT_EQ(told->serial, std::nullopt);
  EXPECT_EQ(decode_physical_drive_identity(drive().u8(114, 0).bytes())->bay, "1I:3");
}

TEST(CissReplies, NamesOfCodes) {
  EXPECT_EQ(failure_reason_name(0x07), "Timeout");
  EXPECT_EQ(failure_reason_name(0x14), "Removed in hot plug");
  EXPECT_EQ(failure_reason_name(0x2B), "Write retries failed");
  EXPECT_EQ(failure_reason_name(0), "");
  EXPECT_EQ(failure_reason_name(0x2C), "");
  EXPECT_EQ(link_rate_gbps(0x08), 1.5);
  EXPECT_EQ(link_rate_gbps(0x0B), 12);
  EXPECT_EQ(link_rate_gbps(0x01), 0);
  EXPECT_EQ(disable_reason(2), "disabled by the user");
  EXPECT_EQ(disable_reason(12), "the charge of the capacitor is low");
  EXPECT_EQ(disable_reason(19), "the configuration was not updated");
  EXPECT_EQ(disable_reason(15), "");
  EXPECT_EQ(disable_reason(20), "");
  EXPECT_EQ(cache_trouble(cache_enabled | cache_capacitor), "");
  EXPECT_EQ(cache_trouble(1U << 10 | 1U << 11), "ECC errors; data were lost");
}

TEST(CissReplies, ControllerParametersAndSubsystem) {
  const auto parameters = decode_controller_parameters(
      CissBytes(512).u8(14, 1).u8(15, 2).u8(123, 0x08).u8(124, 3).u8(125, 4).bytes());
  EXPECT_EQ(parameters->rebuild_priority, 1);
  EXPECT_EQ(parameters->expand_priority, 2);
  EXPECT_EQ(parameters->hba_mode, true);
  EXPECT_EQ(parameters->cache_nvram_flags, 3);
  EXPECT_EQ(parameters->drive_config_flags, 4);
  EXPECT_EQ(decode_controller_parameters(CissBytes(100).bytes())->hba_mode, std::nullopt);
  const auto subsystem = decode_subsystem_information(CissBytes(512)
                                                          .u8(0, 1)
                                                          .text(4, "CHASSIS1", 32)
                                                          .hex(36, "5001438000112233")
                                                          .text(44, "CTRL1", 32)
                                                          .text(76, "CACHE1", 32)
                                                          .bytes());
  EXPECT_EQ(subsystem->slot, 1);
  EXPECT_EQ(subsystem->chassis_serial, "CHASSIS1");
  EXPECT_EQ(subsystem->wwid, "5001438000112233");
  EXPECT_EQ(subsystem->serial, "CTRL1");
  EXPECT_EQ(subsystem->cache_serial, "CACHE1");
  EXPECT_EQ(decode_subsystem_information(CissBytes(80).text(44, "CTRL1", 32).bytes())->cache_serial,
            std::nullopt);
}

TEST(CissReplies, CacheConfiguration) {
  CissBytes reply(512);
  reply.u32(0, 5).u16(4, 81).u16(6, 735).u32(16, 512).u32(32, 1U << 16 | 1U).u16(36, 12);
  reply.u16(38, 1024).u16(40, 1).u16(42, 1).u16(208, 2).u8(210, 1).u8(217, 3).u8(224, 10);
  reply.u8(225, 90);
  const auto told = decode_cache_configuration(reply.bytes());
  ASSERT_TRUE(told);
  EXPECT_EQ(told->posted_writes, 5U);
  EXPECT_EQ(told->read_memory, 81);
  EXPECT_EQ(told->write_memory, 735);
  EXPECT_EQ(told->not_configured, false);
  EXPECT_EQ(told->status, cache_enabled | cache_capacitor);
  EXPECT_EQ(told->disable_code, 12);
  EXPECT_EQ(told->total_memory, 1024);
  EXPECT_EQ(told->batteries, 1);
  EXPECT_EQ(told->good_batteries, 1);
  EXPECT_EQ(told->failed_batteries, 2);
  EXPECT_EQ(told->board_attached, true);
  EXPECT_EQ(told->size_shift, 3);
  EXPECT_EQ(told->read_percent, 10);
  EXPECT_EQ(told->write_percent, 90);
  const auto cut = decode_cache_configuration(reply.u32(16, 210).bytes());
  EXPECT_EQ(cut->failed_batteries, 2);
  EXPECT_EQ(cut->board_attached, std::nullopt);
  EXPECT_EQ(cut->read_percent, std::nullopt);
}

TEST(CissReplies, LunLists) {
  const auto logical =
      decode_lun_list(lun_list(0, {CissBytes(8).u32(0, 0x40000000), CissBytes(8).u32(0, 0x40000102),
                                   CissBytes(8).u8(3, 0xC0)})
                          .data);
  ASSERT_TRUE(logical);
  ASSERT_EQ(logical->devices.size(), 3U);
  EXPECT_EQ(logical->devices[0].lun.volume(), 0U);
  EXPECT_EQ(logical->devices[1].lun.volume(), 0x102U);
  EXPECT_EQ(logical->devices[2].lun.volume(), std::nullopt);

  const auto entry = [] {
    return CissBytes(24)
        .u8(3, 0xC0)
        .u8(6, 7)
        .u8(7, 2)
        .hex(8, "5000C50000112233")
        .u8(16, 1)
        .u32(20, 0x11);
  };
  const auto physical = decode_physical_list(lun_list(2, {entry(), entry().u8(7, 0)}).data);
  ASSERT_TRUE(physical);
  const PhysicalDevice& device = physical->devices[0];
  EXPECT_EQ(device.lun.drive_number(), 0x107U);
  EXPECT_TRUE(device.lun.masked());
  EXPECT_EQ(device.wwid, "5000C50000112233");
  EXPECT_EQ(device.type, DeviceType::sata);
  EXPECT_FALSE(device.non_disk);
  EXPECT_EQ(device.io_handle, 0x11U);
  EXPECT_EQ(physical->devices[1].lun.drive_number(), std::nullopt);
}

TEST(CissReplies, AListOfAnotherFormatIsNone) {
  EXPECT_FALSE(decode_physical_list(lun_list(0, {CissBytes(8)}).data));
  EXPECT_FALSE(decode_lun_list(lun_list(2, {CissBytes(24)}).data));
  EXPECT_FALSE(decode_lun_list(CissBytes(7).bytes()));
}

TEST(CissReplies, AListThatClaimsMoreThanItHoldsIsCut) {
  CissReply reply = lun_list(2, {CissBytes(24).u8(7, 1)});
  reply.data[0] = std::byte{0xFF};
  reply.data.resize(reply.data.size() + 10);
  EXPECT_EQ(decode_physical_list(reply.data)->devices.size(), 1U);
  reply.data[0] = reply.data[3] = std::byte{0};
  EXPECT_TRUE(decode_physical_list(reply.data)->devices.empty());
}

CissBytes raid_map(unsigned data_disks, unsigned metadata_disks, unsigned layouts,
                   unsigned drives) {
  CissBytes out(64);
  out.u32(4, 512).u64(8, 1 << 20).u16(18, 512).u16(36, data_disks).u16(38, metadata_disks);
  out.u16(40, 1).u16(42, layouts);
  for (unsigned i = 0; i < drives; ++i) out.u32(64 + i * 8UL, 0x10 + i).u32(68 + i * 8UL, 0);
  return out;
}

TEST(CissReplies, RaidMap) {
  const auto mirror = decode_raid_map(raid_map(2, 0, 2, 4).bytes());
  ASSERT_TRUE(mirror);
  EXPECT_EQ(mirror->block_bytes, 512U);
  EXPECT_EQ(mirror->strip_blocks, 512);
  EXPECT_EQ(mirror->layouts, 2);
  EXPECT_THAT(mirror->handles, ElementsAre(0x10, 0x11, 0x12, 0x13));
  // A row that repeats its drives names each once.
  const auto rows = decode_raid_map(raid_map(2, 1, 1, 3)
                                        .u16(40, 2)
                                        .u32(88, 0x11)
                                        .u32(96, 0x12)
                                        .u32(104, 0x10)
                                        .u32(108, 0)
                                        .bytes());
  ASSERT_TRUE(rows);
  EXPECT_THAT(rows->handles, ElementsAre(0x10, 0x11, 0x12));
}

TEST(CissReplies, ARaidMapThatDoesNotAddUpIsNone) {
  EXPECT_FALSE(decode_raid_map(raid_map(2, 0, 2, 3).bytes()));        // cut
  EXPECT_FALSE(decode_raid_map(raid_map(0, 0, 1, 4).bytes()));        // no drives
  EXPECT_FALSE(decode_raid_map(raid_map(200, 100, 1, 300).bytes()));  // more than there can be
  EXPECT_FALSE(decode_raid_map(raid_map(2, 0, 1, 2).u32(72, 0x10).bytes()));  // one drive twice
  EXPECT_FALSE(decode_raid_map(raid_map(2, 0, 1, 2).cut(63).bytes()));
}

}  // namespace
}  // namespace raidscope::ciss
