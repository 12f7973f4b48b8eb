#include <cerrno>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include "probe/base/scsi.h"
#include "probe/os/rooted_files.h"
#include "probe/os/sg_reader.h"
#include "probe/os/udev_devices.h"
#include "tests/support/memory_host.h"
#include "tests/support/temp_dir.h"

namespace raidscope {
namespace {

using raidscope::testing::MemoryFiles;
using raidscope::testing::TempDir;

TEST(UeventDevicesTest, ClassesAndBuses) {
  MemoryFiles files;
  files.file("sys/devices/pci0/0000:00:01.0/uevent", "DRIVER=hpsa\nPCI_ID=103C:323B\n");
  files.link("sys/bus/pci/devices/0000:00:01.0", "../../../devices/pci0/0000:00:01.0");
  files.file("sys/devices/pci0/0000:00:01.0/block/sda/uevent",
             "MAJOR=8\nMINOR=0\nDEVNAME=sda\nDEVTYPE=disk\n");
  files.link("sys/class/block/sda", "../../devices/pci0/0000:00:01.0/block/sda");
  files.link("sys/block/sda", "../devices/pci0/0000:00:01.0/block/sda");
  const UeventDevices devices(files);

  const auto pci = devices.enumerate("pci");
  ASSERT_TRUE(pci);
  ASSERT_EQ(pci->size(), 1U);
  EXPECT_EQ((*pci)[0].syspath, "sys/devices/pci0/0000:00:01.0");
  EXPECT_EQ((*pci)[0].devnode, "");
  EXPECT_EQ((*pci)[0].properties.at("DRIVER"), "hpsa");

  const auto block = devices.enumerate("block");
  ASSERT_TRUE(block);
  ASSERT_EQ(block->size(), 1U);
  EXPECT_EQ((*block)[0].devnode, "/dev/sda");
  EXPECT_EQ((*block)[0].properties.at("SUBSYSTEM"), "block");

  EXPECT_EQ(devices.enumerate("scsi_host").error().code, Errc::not_found);
}

TEST(UeventDevicesTest, ACopiedTreeMayHaveSysBlockAlone) {
  MemoryFiles files;
  files.file("sys/block/sda/size", "8\n");
  files.file("sys/block/sda/uevent", "DEVNAME=sda\nDEVTYPE=disk\n");
  files.file("sys/block/sda/sda1/uevent", "DEVNAME=sda1\nDEVTYPE=partition\n");
  files.file("sys/block/sda/queue/scheduler", "none");
  const auto block = UeventDevices(files).enumerate("block");
  ASSERT_TRUE(block);
  ASSERT_EQ(block->size(), 2U);
  EXPECT_EQ((*block)[1].syspath, "sys/block/sda/sda1");
  EXPECT_EQ((*block)[1].devnode, "/dev/sda1");
}

TEST(UdevDevicesTest, TheMachinesOwnDisks) {
  const RootedFiles files("");
  const auto names = files.list("sys/class/block");
  if (!names || names->empty()) GTEST_SKIP() << "this machine has no block devices";
  const auto found = UdevDevices().enumerate("block");
  ASSERT_TRUE(found);
  EXPECT_EQ(found->size(), names->size());
  for (const auto& node : *found) {
    EXPECT_TRUE(node.syspath.starts_with("sys/devices/")) << node.syspath;
    EXPECT_TRUE(node.devnode.starts_with("/dev/")) << node.devnode;
    EXPECT_EQ(node.properties.at("SUBSYSTEM"), "block");
  }
}

TEST(UdevDevicesTest, BothWaysSeeTheSame) {
  const RootedFiles files("/");
  const auto live = UdevDevices().enumerate("block");
  const auto read = UeventDevices(files).enumerate("block");
  if (!live || !read) GTEST_SKIP() << "this machine has no block devices";
  ASSERT_EQ(live->size(), read->size());
  for (std::size_t i = 0; i < live->size(); ++i) {
    EXPECT_EQ((*live)[i].syspath, (*read)[i].syspath);
    EXPECT_EQ((*live)[i].devnode, (*read)[i].devnode);
  }
}

TEST(SgReaderTest, EveryCommandButThreeIsRefusedBeforeAnythingIsOpened) {
  const SgReader live(std::chrono::seconds(60));
  const NoScsiReader none;
  const TempDir dir;
  for (int code = 0; code < 256; ++code) {
    for (const std::size_t size : {6U, 10U, 12U, 16U}) {
      std::vector<std::byte> cdb(size);
      cdb[0] = static_cast<std::byte>(code);
      const bool allowed =
          ((code == 0x00 || code == 0x12) && size == 6) || (code == 0xA0 && size == 12);
      const auto expected = allowed ? Errc::not_found : Errc::refused;
      EXPECT_EQ(live.read(dir.at("missing"), cdb, 64).error().code, expected) << code;
      EXPECT_EQ(none.read("/dev/sda", cdb, 64).error().code, expected) << code;
    }
  }
}

TEST(SgReaderTest, AFileIsNoDevice) {
  const TempDir dir;
  dir.write("file", "x");
  const SgReader live(std::chrono::seconds(60));
  const auto answer = live.read(dir.at("file"), scsi::standard_inquiry_cdb(96), 96);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::unsupported);
}

TEST(SgReaderTest, ADeviceWithoutScsiIsAnErrorAndNoHang) {
  const SgReader live(std::chrono::seconds(60));
  const auto answer = live.read("/dev/null", scsi::standard_inquiry_cdb(96), 96);
  ASSERT_FALSE(answer);
  EXPECT_NE(answer.error().code, Errc::refused);
  EXPECT_NE(answer.error().where.find("12 00 00 00 60 00"), std::string::npos);
}

TEST(SgReaderTest, ARealDiskAnswersInquiry) {
  const auto generic = UdevDevices().enumerate("scsi_generic");
  if (!generic || generic->empty()) GTEST_SKIP() << "this machine has no SCSI device";
  const std::string node = generic->front().devnode;
  if (::access(node.c_str(), R_OK) != 0) GTEST_SKIP() << "no right to open " << node;
  const SgReader live(std::chrono::seconds(60));
  const auto answer = live.read(node, scsi::standard_inquiry_cdb(96), 96);
  ASSERT_TRUE(answer) << describe(answer.error());
  EXPECT_TRUE(scsi::decode_inquiry(*answer));
}

}  // namespace
}  // namespace raidscope
