#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "probe/source.h"
#include "probe/sources/sysfs/disks.h"
#include "probe/sources/sysfs/mounts.h"
#include "tests/support/facts.h"
#include "tests/support/memory_host.h"

namespace raidscope {

extern const Source source_block_queue;
extern const Source source_scsi_inquiry;

namespace {

using raidscope::testing::MemoryHost;
using raidscope::testing::told_bool;
using raidscope::testing::told_integer;
using raidscope::testing::told_text;
using raidscope::testing::told_texts;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

class BlockQueue : public ::testing::Test {
 protected:
  /// A device of the subsystem block; gives its folder.
  std::string add(const std::string& parent, const std::string& name, const std::string& number,
                  const std::string& type = "disk") {
    const std::string dir = "sys/devices/" + parent + "/" + name;
    machine.files.file(dir + "/size", "2048\n");
    machine.files.file(dir + "/dev", number + "\n");
    machine.files.link("sys/class/block/" + name, "/" + dir);
    DeviceNode node{dir, "/dev/" + name, {{"DEVTYPE", type}, {"DEVNAME", "/dev/" + name}}};
    const auto colon = number.find(':');
    node.properties["MAJOR"] = number.substr(0, colon);
    node.properties["MINOR"] = number.substr(colon + 1);
    machine.devices.add("block", node);
    return dir;
  }
  std::string add_sd(const std::string& name, const std::string& number,
                     const std::string& way = "pci0000:00/0000:00:1f.2/ata1/host0") {
    const std::string parent = way + "/target0:0:0/0:0:0:0/block";
    const std::string dir = add(parent, name, number);
    machine.files.link(dir + "/device", "../../../0:0:0:0");
    return dir;
  }
  FactSet ask() { return source_block_queue.collect(machine.host()); }
  std::optional<EntityId> disk(const FactSet& set, const std::string& path) {
    return testing::find_entity(set, EntityKind::block_device, path);
  }
  MemoryHost machine;
};

TEST_F(BlockQueue, ASataSsd) {
  const std::string dir = add_sd("sda", "8:0");
  const std::string device = "sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0";
  machine.files.file(device + "/vendor", "ATA     \n");
  machine.files.file(device + "/model", "Samsung SSD 850 \n");
  machine.files.file(device + "/rev", "2B6Q\n");
  machine.files.file(device + "/wwid", "naa.5002538d40878f8e\n");
  machine.files.file(device + "/queue_depth", "31\n");
  machine.files.file(device + "/vpd_pg80", std::string("\0\x80\0\x04S21P", 8));
  machine.files.file("sys/devices/pci0000:00/0000:00:1f.2/numa_node", "1\n");
  machine.files.file(dir + "/queue/rotational", "0\n");
  machine.files.file(dir + "/queue/scheduler", "mq-deadline kyber [bfq] none\n");
  machine.files.file(dir + "/queue/nr_requests", "64\n");
  machine.files.file(dir + "/queue/read_ahead_kb", "128\n");
  machine.files.file(dir + "/queue/write_cache", "write through\n");
  machine.files.file(dir + "/queue/logical_block_size", "512\n");
  machine.files.file(dir + "/queue/physical_block_size", "4096\n");
  machine.files.file(dir + "/queue/max_sectors_kb", "1280\n");
  const FactSet set = ask();
  const auto id = disk(set, "/dev/sda");
  ASSERT_TRUE(id);
  EXPECT_EQ(told_text(set, id, "path"), "/dev/sda");
  EXPECT_EQ(told_text(set, id, "model"), "Samsung SSD 850");
  EXPECT_EQ(told_text(set, id, "vendor"), std::nullopt) << "ATA is no maker";
  EXPECT_EQ(told_text(set, id, "serial"), "S21P");
  EXPECT_EQ(told_text(set, id, "firmware"), "2B6Q");
  EXPECT_EQ(told_text(set, id, "wwid"), "5002538D40878F8E");
  EXPECT_EQ(told_text(set, id, "transport"), "sata");
  EXPECT_EQ(told_text(set, id, "media"), "ssd");
  EXPECT_EQ(told_integer(set, id, "size_bytes"), 2048 * 512);
  EXPECT_EQ(told_text(set, id, "block_device.scheduler"), "bfq");
  EXPECT_EQ(told_integer(set, id, "block_device.nr_requests"), 64);
  EXPECT_EQ(told_integer(set, id, "block_device.queue_depth"), 31);
  EXPECT_EQ(told_integer(set, id, "block_device.read_ahead_kb"), 128);
  EXPECT_EQ(told_bool(set, id, "block_device.rotational"), false);
  EXPECT_EQ(told_text(set, id, "block_device.write_cache"), "write through");
  EXPECT_EQ(told_integer(set, id, "block_device.logical_block_bytes"), 512);
  EXPECT_EQ(told_integer(set, id, "block_device.physical_block_bytes"), 4096);
  EXPECT_EQ(told_integer(set, id, "block_device.max_sectors_kb"), 1280);
  EXPECT_EQ(told_integer(set, id, "block_device.numa_node"), 1);
  EXPECT_THAT(*told_texts(set, id, "mount_points"), IsEmpty());
}

TEST_F(BlockQueue, UdevKnowsTheWholeModelOfAnAtaDisk) {
  add_sd("sda", "8:0");
  const std::string device = "sys/devices/pci0000:00/0000:00:1f.2/ata1/host0/target0:0:0/0:0:0:0";
  machine.files.file(device + "/vendor", "ATA     \n");
  machine.files.file(device + "/model", "Samsung SSD 850 \n");
  MemoryHost with_udev = machine;
  with_udev.devices = {};
  DeviceNode node = machine.devices.enumerate("block").value()[0];
  node.properties["ID_MODEL_ENC"] = "Samsung\\x20SSD\\x20850\\x20PRO\\x20512GB\\x20\\x20";
  node.properties["ID_REVISION"] = "EXM02B6Q";
  node.properties["ID_SERIAL_SHORT"] = "S21PNSAG";
  with_udev.devices.add("block", node);
  const FactSet set = source_block_queue.collect(with_udev.host());
  const auto id = disk(set, "/dev/sda");
  EXPECT_EQ(told_text(set, id, "model"), "Samsung SSD 850 PRO 512GB");
  EXPECT_EQ(told_text(set, id, "firmware"), "EXM02B6Q");
  EXPECT_EQ(told_text(set, id, "serial"), "S21PNSAG");
}

TEST_F(BlockQueue, AnNvmeDisk) {
  const std::string ctrl = "pci0000:00/0000:01:00.0/nvme/nvme0";
  const std::string dir = add(ctrl, "nvme0n1", "259:0");
  machine.files.link(dir + "/device", "../../nvme0");
  machine.files.file(dir + "/wwid", "eui.0025385b71b0e2a1\n");
  machine.files.file(dir + "/queue/rotational", "0\n");
  machine.files.file("sys/devices/" + ctrl + "/model",
                     "Samsung SSD 970 PRO 512GB               \n");
  machine.files.file("sys/devices/" + ctrl + "/serial", "S463NF0K          \n");
  machine.files.file("sys/devices/" + ctrl + "/firmware_rev", "1B2QEXP7\n");
  machine.files.file("sys/devices/" + ctrl + "/transport", "pcie\n");
  machine.files.file("sys/devices/pci0000:00/0000:01:00.0/numa_node", "-1\n");
  const std::string path = add("virtual/nvme-subsystem/nvme-subsys0", "nvme0c0n1", "259:1");
  machine.files.file(path + "/hidden", "1\n");
  const FactSet set = ask();
  EXPECT_EQ(testing::count_entities(set, EntityKind::block_device), 1U);
  const auto id = disk(set, "/dev/nvme0n1");
  EXPECT_EQ(told_text(set, id, "model"), "Samsung SSD 970 PRO 512GB");
  EXPECT_EQ(told_text(set, id, "serial"), "S463NF0K");
  EXPECT_EQ(told_text(set, id, "firmware"), "1B2QEXP7");
  EXPECT_EQ(told_text(set, id, "wwid"), "eui.0025385b71b0e2a1");
  EXPECT_EQ(told_text(set, id, "transport"), "nvme");
  EXPECT_EQ(told_text(set, id, "media"), "ssd");
  EXPECT_EQ(told_integer(set, id, "block_device.numa_node"), std::nullopt);
}

TEST_F(BlockQueue, AVirtualDiskDoesNotKnowItsMedia) {
  const std::string dir = add("pci0000:00/0000:00:02.0/virtio1/block", "vda", "254:0");
  machine.files.link(dir + "/device", "../../../virtio1");
  machine.files.file("sys/devices/pci0000:00/0000:00:02.0/virtio1/vendor", "0x1af4\n");
  machine.files.file(dir + "/serial", "disk-1\n");
  machine.files.file(dir + "/queue/rotational", "1\n");
  machine.files.file(dir + "/queue/scheduler", "none\n");
  const FactSet set = ask();
  const auto id = disk(set, "/dev/vda");
  EXPECT_EQ(told_text(set, id, "transport"), "virtio");
  EXPECT_EQ(told_text(set, id, "serial"), "disk-1");
  EXPECT_EQ(told_text(set, id, "vendor"), std::nullopt);
  EXPECT_EQ(told_text(set, id, "media"), std::nullopt);
  EXPECT_EQ(told_bool(set, id, "block_device.rotational"), true);
  EXPECT_EQ(told_text(set, id, "block_device.scheduler"), "none");
}

TEST_F(BlockQueue, OnlyRealDisks) {
  for (const std::string name : {"loop0", "ram0", "zram0", "dm-0", "md0", "nbd0"}) {
    add("virtual/block", name, "7:0");
  }
  const auto optical = add_sd("sr0", "11:0");
  const auto empty = add_sd("sdb", "8:16");  // a card reader without a card
  machine.files.file(empty + "/size", "0\n");
  add(add_sd("sda", "8:0").substr(12), "sda1", "8:1", "partition");
  add("platform/mmc0/block", "mmcblk0boot0", "179:8");
  const FactSet set = ask();
  EXPECT_EQ(testing::count_entities(set, EntityKind::block_device), 1U);
  EXPECT_TRUE(disk(set, "/dev/sda"));
}

TEST_F(BlockQueue, DisksStandInTheKernelsOrder) {
  for (const std::string name : {"sdaa", "sdb", "sda", "nvme10n1", "nvme2n1"}) {
    add("x", name, "8:0");
  }
  std::vector<std::string> names;
  const auto set = ask();
  for (const auto& entity : set.entities) {
    if (entity.kind == EntityKind::block_device) names.push_back(entity.name);
  }
  EXPECT_THAT(names,
              ElementsAre("/dev/nvme2n1", "/dev/nvme10n1", "/dev/sda", "/dev/sdb", "/dev/sdaa"));
}

TEST_F(BlockQueue, MountPointsThroughPartitionsMdAndDeviceMapper) {
  const auto sda = add_sd("sda", "8:0");
  add(sda.substr(12), "sda1", "8:1", "partition");
  const auto sda2 = add(sda.substr(12), "sda2", "8:2", "partition");
  const auto sdb = add_sd("sdb", "8:16", "pci0000:00/0000:00:1f.2/ata2/host1");
  const auto md = add("virtual/block", "md0", "9:0");
  machine.files.link(md + "/slaves/sda2", "/" + sda2);
  machine.files.link(md + "/slaves/sdb", "/" + sdb);
  const auto dm = add("virtual/block", "dm-0", "253:0");
  machine.files.link(dm + "/slaves/md0", "/" + md);
  machine.files.file("proc/self/mountinfo",
                     "25 1 253:0 / / rw shared:1 master:2 - ext4 /dev/mapper/vg-root rw\n"
                     "26 25 8:1 / /boot rw - ext4 /dev/sda1 rw\n"
                     "27 25 8:1 /grub /srv/bind rw - ext4 /dev/sda1 rw\n"
                     "28 25 0:20 / /proc rw - proc proc rw\n"
                     "29 25 8:1 / /mnt/second\\040place rw - ext4 /dev/sda1 rw\n"
                     "broken line\n");
  const FactSet set = ask();
  EXPECT_THAT(*told_texts(set, disk(set, "/dev/sda"), "mount_points"),
              ElementsAre("/", "/boot", "/mnt/second place"));
  EXPECT_THAT(*told_texts(set, disk(set, "/dev/sdb"), "mount_points"), ElementsAre("/"));
}

TEST_F(BlockQueue, HoldersTellWhereSlavesDoNot) {
  const auto sda = add_sd("sda", "8:0");
  const auto dm = add("virtual/block", "dm-0", "253:0");
  machine.files.link(sda + "/holders/dm-0", "/" + dm);
  machine.files.file("proc/self/mountinfo", "25 1 253:0 / /data rw - xfs /dev/mapper/x rw\n");
  const FactSet set = ask();
  EXPECT_THAT(*told_texts(set, disk(set, "/dev/sda"), "mount_points"), ElementsAre("/data"));
}

TEST_F(BlockQueue, BtrfsCoversAllItsDisks) {
  const auto sda = add_sd("sda", "8:0");
  const auto sdb = add_sd("sdb", "8:16", "pci0000:00/0000:00:1f.2/ata2/host1");
  machine.files.file("dev/sda", "");
  machine.files.link("sys/fs/btrfs/0a1b/devices/sda", "/" + sda);
  machine.files.link("sys/fs/btrfs/0a1b/devices/sdb", "/" + sdb);
  machine.files.file("proc/self/mountinfo",
                     "25 1 0:35 /@home /home rw - btrfs /dev/sda rw,subvol=/@home\n");
  const FactSet set = ask();
  EXPECT_THAT(*told_texts(set, disk(set, "/dev/sda"), "mount_points"), ElementsAre("/home"));
  EXPECT_THAT(*told_texts(set, disk(set, "/dev/sdb"), "mount_points"), ElementsAre("/home"));
}

TEST_F(BlockQueue, InAContainerBindMountsAreAllThereIs) {
  add_sd("sda", "8:0");
  machine.files.file("proc/self/mountinfo",
                     "25 1 0:50 / / rw - overlay overlay rw\n"
                     "26 25 8:0 /var/lib/x /data rw - ext4 /dev/sda rw\n");
  const FactSet set = ask();
  EXPECT_THAT(*told_texts(set, disk(set, "/dev/sda"), "mount_points"), ElementsAre("/data"));
}

TEST_F(BlockQueue, ProcMountsWillDo) {
  add_sd("sda", "8:0");
  machine.files.link("dev/mapper/x", "../sda");
  machine.files.file("dev/sda", "");
  machine.files.file("proc/mounts", "/dev/mapper/x /data ext4 rw 0 0\nproc /proc proc rw 0 0\n");
  const FactSet set = ask();
  EXPECT_THAT(*told_texts(set, disk(set, "/dev/sda"), "mount_points"), ElementsAre("/data"));
}

TEST_F(BlockQueue, APlainScsiDiskThatTheKernelHasReadGetsNoCommand) {
  add_sd("sda", "8:0", "pci0000:00/0000:00:1f.2/host0/port-0:0/end_device-0:0");
  const std::string device =
      "sys/devices/pci0000:00/0000:00:1f.2/host0/port-0:0/end_device-0:0/target0:0:0/0:0:0:0";
  std::string inquiry("\0\0\x06\x12\x1f\0\0\x02", 8);
  inquiry += "SEAGATE ST9300605SS     0006";
  machine.files.file(device + "/inquiry", inquiry);
  machine.files.file(device + "/vpd_pg80", std::string("\0\x80\0\x04", 4) + "6XP1");
  const FactSet set = source_scsi_inquiry.collect(machine.host());
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_THAT(machine.scsi.log(), IsEmpty());
  const auto id = disk(set, "/dev/sda");
  EXPECT_EQ(told_text(set, id, "vendor"), "SEAGATE");
  EXPECT_EQ(told_text(set, id, "model"), "ST9300605SS");
  EXPECT_EQ(told_text(set, id, "firmware"), "0006");
  EXPECT_EQ(told_text(set, id, "serial"), "6XP1");
}

TEST_F(BlockQueue, AnOldKernelHasReadNothing) {
  add_sd("sda", "8:0", "pci0000:00/0000:00:1f.2/host0/port-0:0/end_device-0:0");
  std::vector<std::byte> inquiry(8);
  for (const char c : std::string_view("SEAGATE ST9300605SS     0006")) {
    inquiry.push_back(static_cast<std::byte>(c));
  }
  machine.scsi.answer("/dev/sda", "12 00 00 00 60 00", inquiry);
  machine.scsi.page("/dev/sda", 0x00, {0x00, 0x80, 0x83});
  machine.scsi.page("/dev/sda", 0x80, {'6', 'X', 'P', '1'});
  machine.scsi.page("/dev/sda", 0x83, {1, 3, 0, 8, 0x50, 0, 0xC5, 0, 1, 2, 3, 4});
  const FactSet set = source_scsi_inquiry.collect(machine.host());
  const auto id = disk(set, "/dev/sda");
  EXPECT_EQ(told_text(set, id, "model"), "ST9300605SS");
  EXPECT_EQ(told_text(set, id, "serial"), "6XP1");
  EXPECT_EQ(told_text(set, id, "wwid"), "5000C50001020304");
}

TEST(DiskPaths, PciAddressIsTheNearest) {
  EXPECT_EQ(sysfs::pci_address("sys/devices/pci0000:00/0000:00:03.0/0000:0d:00.0/host0"),
            "0000:0d:00.0");
  EXPECT_EQ(sysfs::pci_address("sys/devices/pci10000:e0/10000:e0:06.0/nvme"), "10000:e0:06.0");
  EXPECT_EQ(sysfs::pci_address("sys/devices/virtual/block/loop0"), "");
  EXPECT_EQ(sysfs::scsi_host_name("sys/devices/pci0000:00/0000:00:01.0/host12/target"), "host12");
  EXPECT_EQ(sysfs::scsi_host_name("sys/devices/hosts/hostx/x"), "");
}

}  // namespace
}  // namespace raidscope
