// The rules for devices, tried on made-up machines below another root, so that they hold also where
// a kernel lacks device-mapper, md or LVM.
#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <gtest/gtest.h>

#include "workloads/run/consent.h"
#include "workloads/run/target_id.h"
#include "workloads/run/target_system.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kMiB = 1 << 20;

/// A machine made of files. Sizes in MiB.
class FakeMachine {
 public:
  FakeMachine() {
    std::string name = testing::TempDir() + "raidscope-sysroot-XXXXXX";
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    root_ = name;
    fs::create_directories(root_ + "/sys/class/block");
    fs::create_directories(root_ + "/proc/self");
    fs::create_directories(root_ + "/dev");
    write("proc/self/mountinfo", "");
    mount("0:20", "/proc", "proc", "proc");
    write("proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
  }
  ~FakeMachine() { fs::remove_all(root_); }
  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  [[nodiscard]] const std::string& root() const { return root_; }

  void write(const std::string& path, const std::string& text) const {
    fs::create_directories(fs::path(root_ + "/" + path).parent_path());
    std::ofstream(root_ + "/" + path, std::ios::binary) << text;
  }
  void append(const std::string& path, const std::string& text) const {
    std::ofstream(root_ + "/" + path, std::ios::binary | std::ios::app) << text;
  }

  /// A whole device at sys/devices/WHERE/block/NAME with a node that is all zeros.
  void disk(const std::string& name, const std::string& number, std::uint64_t mib = 64,
            const std::string& where = "pci0000:00/0000:00:05.0") {
    device(name, number, "devices/" + where + "/block/" + name, mib, 0);
  }
  void partition(const std::string& disk, const std::string& name, int index,
                 const std::string& number, std::uint64_t start_mib, std::uint64_t mib) {
    device(name, number, at_[disk] + "/" + name, mib, start_mib);
    write("sys/" + at_[name] + "/partition", std::to_string(index) + "\n");
  }
  void attribute(const std::string& name, const std::string& attribute, const std::string& value) {
    write("sys/" + at_[name] + "/" + attribute, value + "\n");
  }
  /// `upper` is stacked on `lower`.
  void stack(const std::string& upper, const std::string& lower) {
    fs::create_directories(root_ + "/sys/" + at_[lower] + "/holders/" + upper);
    fs::create_directories(root_ + "/sys/" + at_[upper] + "/slaves/" + lower);
  }
  void mount(const std::string& number, const std::string& point, const std::string& type,
             const std::string& source, const std::string& file = "proc/self/mountinfo") {
    append(file, "30 1 " + number + " / " + point + " rw,relatime shared:1 - " + type + " " +
                     source + " rw\n");
  }
  void process(int pid, const std::string& command) const {
    write("proc/" + std::to_string(pid) + "/comm", command + "\n");
    fs::create_directories(root_ + "/proc/" + std::to_string(pid) + "/fd");
  }
  void poke(const std::string& name, std::uint64_t offset) const {
    std::fstream file(root_ + "/dev/" + name, std::ios::in | std::ios::out | std::ios::binary);
    file.seekp(static_cast<std::streamoff>(offset));
    file.put('x');
  }

  [[nodiscard]] TargetExamination look(const std::string& path) const {
    auto examination = examine_target(path, 0, root_);
    EXPECT_TRUE(examination) << (examination ? "" : describe(examination.error()));
    return examination ? *examination : TargetExamination{};
  }
  [[nodiscard]] std::vector<std::string> codes(const std::string& path) const {
    std::vector<std::string> out;
    for (const Refusal& refusal : look(path).refusals) out.push_back(refusal.code);
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }

 private:
  void device(const std::string& name, const std::string& number, const std::string& where,
              std::uint64_t mib, std::uint64_t start_mib) {
    at_[name] = where;
    fs::create_directories(root_ + "/sys/" + where + "/holders");
    fs::create_directories(root_ + "/sys/" + where + "/slaves");
    attribute(name, "dev", number);
    attribute(name, "size", std::to_string(mib * kMiB / 512));
    attribute(name, "start", std::to_string(start_mib * kMiB / 512));
    attribute(name, "ro", "0");
    fs::create_directory_symlink(root_ + "/sys/" + where, root_ + "/sys/class/block/" + name);
    std::string node = name;
    std::replace(node.begin(), node.end(), '!', '/');
    write("dev/" + node, "");
    fs::resize_file(root_ + "/dev/" + node, mib * kMiB);
  }

  std::string root_;
  std::map<std::string, std::string> at_;
};

using Codes = std::vector<std::string>;

TEST(ConsentSysroot, EmptyUnusedDiskMayBeWritten) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.attribute("sdb", "wwid", "naa.600508b1001c0123456789abcdef0123");
  const TargetExamination seen = machine.look("/dev/sdb");
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{});
  EXPECT_TRUE(seen.exists);
  EXPECT_EQ(seen.info.kind, "block");
  EXPECT_EQ(seen.info.size_bytes, 64 * kMiB);
  EXPECT_EQ(seen.info.device_chain, std::vector<std::string>{"/dev/sdb"});
  EXPECT_EQ(seen.destroy_id, "naa.600508b1001c0123456789abcdef0123");
  EXPECT_FALSE(seen.made_by_raidscope);
}

TEST(ConsentSysroot, AnotherRootNeverGivesLeaveForThisMachine) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  const auto leave = ask_to_write(machine.look("/dev/sdb"), {});
  ASSERT_FALSE(leave);
  EXPECT_EQ(leave.error().code, Errc::refused);
}

TEST(ConsentSysroot, MountedDiskAndPartition) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.partition("sdb", "sdb1", 1, "8:17", 1, 20);
  machine.partition("sdb", "sdb2", 2, "8:18", 21, 20);
  machine.mount("8:17", "/mnt/with\\040space", "ext4", "/dev/sdb1");
  EXPECT_EQ(machine.codes("/dev/sdb1"), Codes{"mounted"});
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{"mounted"}) << "a partition of it is mounted";
  EXPECT_EQ(machine.codes("/dev/sdb2"), Codes{}) << "another partition of the disk is free";
  const Refusal refusal = machine.look("/dev/sdb").refusals.front();
  EXPECT_FALSE(refusal.overridable);
  EXPECT_NE(refusal.why.find("/mnt/with space"), std::string::npos) << refusal.why;
  EXPECT_NE(refusal.why.find("umount"), std::string::npos) << refusal.why;
}

TEST(ConsentSysroot, DiskThatIsMountedWholeReachesItsPartitions) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.partition("sdb", "sdb1", 1, "8:17", 1, 20);
  machine.mount("8:16", "/data", "xfs", "/dev/sdb");
  EXPECT_EQ(machine.codes("/dev/sdb1"), Codes{"mounted"});
}

TEST(ConsentSysroot, MountedInAnotherNamespaceAlone) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.process(77, "containerd");
  fs::create_directories(machine.root() + "/proc/77/ns");
  fs::create_symlink("mnt:[4026532999]", machine.root() + "/proc/77/ns/mnt");
  machine.write("proc/77/mountinfo", "");
  machine.mount("8:16", "/volume", "ext4", "/dev/sdb", "proc/77/mountinfo");
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{"mounted"});
  EXPECT_NE(machine.look("/dev/sdb").refusals.front().why.find("process 77"), std::string::npos);
}

TEST(ConsentSysroot, EveryMemberOfAMountedBtrfs) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.disk("sdc", "8:32");
  machine.disk("sdd", "8:48");
  machine.mount("0:45", "/data", "btrfs", "/dev/sdb");
  fs::create_directories(machine.root() + "/sys/fs/btrfs/uuid-1/devices/sdb");
  fs::create_directories(machine.root() + "/sys/fs/btrfs/uuid-1/devices/sdc");
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{"mounted"});
  EXPECT_EQ(machine.codes("/dev/sdc"), Codes{"mounted"}) << "not named in the list of mounts";
  EXPECT_EQ(machine.codes("/dev/sdd"), Codes{});
}

TEST(ConsentSysroot, SwapOnDiskPartitionAndMappedDevice) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.partition("sdb", "sdb1", 1, "8:17", 1, 20);
  machine.append("proc/swaps", "/dev/sdb1 partition 1024 0 -2\n");
  EXPECT_EQ(machine.codes("/dev/sdb1"), Codes{"swap"});
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{"swap"});
  machine.disk("sdc", "8:32");
  machine.disk("dm-0", "253:0", 32, "virtual");
  machine.attribute("dm-0", "dm/name", "vg-swap");
  machine.stack("dm-0", "sdc");
  machine.append("proc/swaps", "/dev/mapper/vg-swap partition 1024 0 -3\n");
  EXPECT_EQ(machine.codes("/dev/sdc"), (Codes{"holder", "swap"}));
  EXPECT_EQ(machine.codes("/dev/dm-0"), Codes{"swap"});
  EXPECT_EQ(machine.codes("/dev/mapper/vg-swap"), Codes{"swap"});
}

TEST(ConsentSysroot, LvmOverCryptOverMdIsSeenFromTheBottom) {
  FakeMachine machine;
  for (const auto& [name, number] : {std::pair{"sda", "8:0"}, {"sdb", "8:16"}}) {
    machine.disk(name, number);
    machine.partition(name, std::string(name) + "1", 1,
                      std::string("8:") + (*name == 's' && name[2] == 'a' ? "1" : "17"), 1, 40);
  }
  machine.disk("md0", "9:0", 40, "virtual");
  machine.attribute("md0", "md/level", "raid1");
  machine.attribute("md0", "md/uuid", "1b2c3d4e-0000-1111-2222-333344445555");
  machine.stack("md0", "sda1");
  machine.stack("md0", "sdb1");
  machine.disk("dm-0", "253:0", 39, "virtual");
  machine.attribute("dm-0", "dm/name", "secret");
  machine.attribute("dm-0", "dm/uuid", "CRYPT-LUKS2-abc-secret");
  machine.stack("dm-0", "md0");
  machine.disk("dm-1", "253:1", 38, "virtual");
  machine.attribute("dm-1", "dm/name", "vg-data");
  machine.attribute("dm-1", "dm/uuid", "LVM-xyz");
  machine.stack("dm-1", "dm-0");
  machine.mount("253:1", "/srv", "xfs", "/dev/mapper/vg-data");

  for (const char* path : {"/dev/sda", "/dev/sda1", "/dev/sdb1", "/dev/md0", "/dev/dm-0"})
    EXPECT_EQ(machine.codes(path), (Codes{"holder", "mounted"})) << path;
  EXPECT_EQ(machine.codes("/dev/dm-1"), Codes{"mounted"});
  EXPECT_EQ(machine.look("/dev/dm-1").destroy_id, "LVM-xyz");
  EXPECT_EQ(machine.look("/dev/md0").destroy_id, "1b2c3d4e-0000-1111-2222-333344445555");
  EXPECT_EQ(machine.look("/dev/dm-1").info.device_chain,
            (std::vector<std::string>{"/dev/dm-1 (LVM vg-data)", "/dev/dm-0 (crypt secret)",
                                      "/dev/md0 (md raid1)", "/dev/sda1", "/dev/sda", "/dev/sdb1",
                                      "/dev/sdb"}));
}

TEST(ConsentSysroot, InactiveStackIsNoHolder) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.disk("dm-0", "253:0", 32, "virtual");
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{});
}

TEST(ConsentSysroot, HolderThatIsUnknownIsStillAHolder) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.attribute("sdb", "holders/bcache0/x", "");
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{"holder"});
  // A partition's disk under multipath: its own users reach the partition too.
  machine.partition("sdb", "sdb1", 1, "8:17", 1, 20);
  EXPECT_EQ(machine.codes("/dev/sdb1"), Codes{"holder"});
}

TEST(ConsentSysroot, RootStackIsRefusedAtEveryLevel) {
  for (const char* point : {"/", "/boot", "/boot/efi", "/usr"}) {
    FakeMachine machine;
    machine.disk("sda", "8:0");
    machine.partition("sda", "sda2", 2, "8:2", 1, 20);
    machine.partition("sda", "sda3", 3, "8:3", 21, 20);
    machine.disk("dm-0", "253:0", 20, "virtual");
    machine.attribute("dm-0", "dm/name", "vg-root");
    machine.attribute("dm-0", "dm/uuid", "LVM-root");
    machine.stack("dm-0", "sda2");
    machine.mount("253:0", point, "ext4", "/dev/mapper/vg-root");
    EXPECT_EQ(machine.codes("/dev/dm-0"), (Codes{"mounted", "root_device"})) << point;
    EXPECT_EQ(machine.codes("/dev/sda2"), (Codes{"holder", "mounted", "root_device"})) << point;
    EXPECT_EQ(machine.codes("/dev/sda"), (Codes{"holder", "mounted", "root_device"})) << point;
    EXPECT_EQ(machine.codes("/dev/sda3"), Codes{}) << point;
  }
}

TEST(ConsentSysroot, LoopOverADeviceHoldsIt) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.attribute("sdb", "wwid", "naa.5000");
  machine.disk("loop3", "7:3", 64, "virtual");
  machine.attribute("loop3", "loop/backing_file", "/dev/sdb");
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{"holder"});
  EXPECT_EQ(machine.codes("/dev/loop3"), Codes{});
  EXPECT_EQ(machine.look("/dev/loop3").destroy_id, "naa.5000") << "never a device name";
}

TEST(ConsentSysroot, ExtendedPartitionHoldsItsLogicalOnes) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.partition("sdb", "sdb2", 2, "8:18", 10, 0);
  machine.attribute("sdb2", "size", "2");
  machine.partition("sdb", "sdb5", 5, "8:21", 11, 20);
  machine.mount("8:21", "/data", "ext4", "/dev/sdb5");
  const Codes codes = machine.codes("/dev/sdb2");
  EXPECT_NE(std::find(codes.begin(), codes.end(), "mounted"), codes.end());
}

TEST(ConsentSysroot, OverlappingPartitionsShareTheirUsers) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.partition("sdb", "sdb1", 1, "8:17", 1, 30);
  machine.partition("sdb", "sdb2", 2, "8:18", 20, 30);
  machine.mount("8:18", "/data", "ext4", "/dev/sdb2");
  EXPECT_EQ(machine.codes("/dev/sdb1"), Codes{"mounted"});
}

TEST(ConsentSysroot, ReadOnlyDeviceAndNoMedium) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.attribute("sdb", "ro", "1");
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{"read_only"});
  machine.disk("sr0", "11:0", 0);
  const auto nothing = examine_target("/dev/sr0", 0, machine.root());
  ASSERT_FALSE(nothing);
  EXPECT_EQ(nothing.error().code, Errc::unsupported);
  const auto missing = examine_target("/dev/sdx", 0, machine.root());
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::not_found);
}

TEST(ConsentSysroot, AnythingButZerosAtTheEdges) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.poke("sdb", 3 * kMiB);
  EXPECT_EQ(machine.codes("/dev/sdb"), Codes{}) << "the middle is not looked at";
  machine.poke("sdb", 64 * kMiB - 1);
  auto refusals = machine.look("/dev/sdb").refusals;
  ASSERT_EQ(refusals.size(), 1U);
  EXPECT_EQ(refusals[0].code, "data");
  EXPECT_TRUE(refusals[0].overridable);
  machine.poke("sdb", kMiB - 1);
  EXPECT_EQ(machine.look("/dev/sdb").refusals.size(), 2U);
  FakeMachine tiny;
  tiny.disk("sdc", "8:32", 1);
  EXPECT_EQ(tiny.codes("/dev/sdc"), Codes{});
  tiny.poke("sdc", kMiB / 2);
  EXPECT_EQ(tiny.codes("/dev/sdc"), Codes{"data"});
}

TEST(ConsentSysroot, SmartArrayNodeWithASlash) {
  FakeMachine machine;
  machine.disk("cciss!c0d0", "104:0");
  const TargetExamination seen = machine.look("/dev/cciss/c0d0");
  EXPECT_EQ(seen.info.device_chain, std::vector<std::string>{"/dev/cciss/c0d0"});
}

TEST(ConsentSysroot, EveryReasonIsListedAtOnce) {
  FakeMachine machine;
  machine.disk("sdb", "8:16");
  machine.attribute("sdb", "ro", "1");
  machine.poke("sdb", 0);
  machine.mount("8:16", "/data", "ext4", "/dev/sdb");
  machine.append("proc/swaps", "/dev/sdb partition 1024 0 -2\n");
  machine.attribute("sdb", "holders/md7/x", "");
  const TargetExamination seen = machine.look("/dev/sdb");
  const auto leave = ask_to_write(seen, {seen.destroy_id});
  ASSERT_FALSE(leave);
  for (const char* word : {"mounted on /data", "swapoff", "carries /dev/md7", "read-only"})
    EXPECT_NE(describe(leave.error()).find(word), std::string::npos) << describe(leave.error());
}

// ---- ids

TEST(TargetId, ComesFromTheBestPlaceThatThereIs) {
  FakeMachine machine;
  const auto id = [&](const char* path) { return machine.look(path).destroy_id; };
  machine.disk("sda", "8:0");
  machine.attribute("sda", "device/wwid", "naa.5000c500a1b2c3d4");
  EXPECT_EQ(id("/dev/sda"), "naa.5000c500a1b2c3d4");
  machine.partition("sda", "sda1", 1, "8:1", 1, 20);
  EXPECT_EQ(id("/dev/sda1"), "naa.5000c500a1b2c3d4-part1");
  machine.disk("sdb", "8:16");
  machine.attribute("sdb", "device/wwid", "t10.ATA     Some Disk        SERIAL1");
  EXPECT_EQ(id("/dev/sdb"), "t10.ATA_Some_Disk_SERIAL1");
  machine.write("run/udev/data/b8:16", "S:disk/by-id/x\nE:ID_WWN=0x5000c500aaaaaaaa\n");
  EXPECT_EQ(id("/dev/sdb"), "0x5000c500aaaaaaaa");
  machine.disk("nvme0n1", "259:0");
  machine.attribute("nvme0n1", "wwid", "eui.0025385b71b00001");
  EXPECT_EQ(id("/dev/nvme0n1"), "eui.0025385b71b00001");
  machine.disk("vda", "254:0");
  machine.attribute("vda", "serial", "disk-1");
  EXPECT_EQ(id("/dev/vda"), "disk-1");
  machine.disk("mmcblk0", "179:0");
  machine.attribute("mmcblk0", "device/serial", "0x1234");
  machine.attribute("mmcblk0", "device/model", "SD 16G");
  EXPECT_EQ(id("/dev/mmcblk0"), "SD_16G_0x1234");
  machine.disk("loop1", "7:1", 64, "virtual");
  machine.attribute("loop1", "loop/backing_file", "/var/tmp/disk.img");
  EXPECT_EQ(id("/dev/loop1"), "/var/tmp/disk.img");
  machine.disk("vdb", "254:16", 64, "pci0000:00/0000:00:09.0/virtio3");
  EXPECT_EQ(id("/dev/vdb"), "path:pci0000:00/0000:00:09.0/virtio3");
}

TEST(TargetId, IsTakenInEverySpellingAndNoOther) {
  const std::string id = "naa.600508b1001c0123456789abcdef0123";
  for (const char* typed :
       {"naa.600508b1001c0123456789abcdef0123", "600508B1001C0123456789ABCDEF0123",
        "0x600508b1001c0123456789abcdef0123", "wwn-0x600508b1001c0123456789abcdef0123",
        "/dev/disk/by-id/wwn-0x600508b1001c0123456789abcdef0123",
        "/dev/disk/by-id/scsi-3600508b1001c0123456789abcdef0123"})
    EXPECT_TRUE(same_id(typed, id)) << typed;
  for (const char* typed : {"", "naa.", "/dev/sda", "sda", "600508b1001c0123456789abcdef012",
                            "naa.600508b1001c0123456789abcdef0123-part1"})
    EXPECT_FALSE(same_id(typed, id)) << typed;
  EXPECT_TRUE(same_id("/var/tmp/a.img", "/var/tmp/a.img"));
  EXPECT_FALSE(same_id("/var/tmp/A.img", "/var/tmp/a.img"));
  EXPECT_FALSE(same_id("", ""));
}

// ---- files below devices of another root

TEST(ConsentSysroot, FileNamesTheDevicesBelowIt) {
  FakeMachine machine;
  struct stat st {};
  ASSERT_EQ(::stat(machine.root().c_str(), &st), 0);
  const std::string number =
      std::to_string(major(st.st_dev)) + ":" + std::to_string(minor(st.st_dev));
  machine.disk("sda", "8:0");
  machine.partition("sda", "sda2", 2, number, 1, 40);
  machine.mount(number, "/", "ext4", "/dev/sda2");
  const TargetExamination seen = machine.look(machine.root() + "/new.dat");
  EXPECT_EQ(seen.info.device_chain,
            (std::vector<std::string>{"ext4 on /", "/dev/sda2", "/dev/sda"}));
  EXPECT_EQ(seen.info.kind, "file");
  EXPECT_FALSE(seen.exists);
  EXPECT_TRUE(seen.refusals.empty());
}

TEST(ConsentSysroot, SwapFileAndFileBehindALoopDevice) {
  FakeMachine machine;
  const std::string file = machine.root() + "/file";
  machine.write("file", "content");
  machine.append("proc/swaps", file + " file 1024 0 -2\n");
  EXPECT_EQ(machine.codes(file), (Codes{"foreign_file", "swap"}));
  FakeMachine other;
  const std::string image = other.root() + "/disk.img";
  other.write("disk.img", "content");
  other.disk("loop1", "7:1", 64, "virtual");
  other.attribute("loop1", "loop/backing_file", image);
  EXPECT_EQ(other.codes(image), (Codes{"foreign_file", "holder"}));
}

// ---- what lies at the bottom

std::vector<std::string> names_of(const Ground& ground) {
  std::vector<std::string> out;
  for (const KernelDevice* device : ground.devices) out.push_back(device->name);
  std::sort(out.begin(), out.end());
  return out;
}

TEST(TargetGround, FollowsStacksToTheDisks) {
  FakeMachine machine;
  machine.disk("sda", "8:0");
  machine.partition("sda", "sda1", 1, "8:1", 1, 32);
  machine.disk("sdb", "8:16");
  machine.disk("md0", "9:0", 64, "virtual");
  machine.stack("md0", "sda1");
  machine.stack("md0", "sdb");
  machine.disk("dm-0", "253:0", 64, "virtual");
  machine.stack("dm-0", "md0");
  machine.partition("md0", "md0p1", 1, "259:0", 1, 8);
  const TargetSystem system = TargetSystem::read(machine.root());
  using Names = std::vector<std::string>;
  for (const char* top : {"dm-0", "md0", "md0p1"})
    EXPECT_EQ(names_of(system.ground_of({system.find(top)})), (Names{"sda1", "sdb"})) << top;
  EXPECT_EQ(names_of(system.ground_of({system.find("sda1")})), Names{"sda1"});
  EXPECT_EQ(system.ground_of({system.find("dm-0")}).in_memory, "");
}

TEST(TargetGround, KnowsMemory) {
  FakeMachine machine;
  for (const char* name : {"ram0", "zram12", "nullb0", "rambus", "sda"})
    machine.disk(name, "1:" + std::to_string(std::string(name).size() * 7));
  machine.disk("dm-0", "253:0", 64, "virtual");
  machine.stack("dm-0", "ram0");
  const TargetSystem system = TargetSystem::read(machine.root());
  for (const char* name : {"ram0", "zram12", "nullb0", "dm-0"})
    EXPECT_NE(system.ground_of({system.find(name)}).in_memory.find("is memory"), std::string::npos)
        << name;
  for (const char* name : {"rambus", "sda"})
    EXPECT_EQ(system.ground_of({system.find(name)}).in_memory, "") << name;
}

TEST(TargetGround, ALoopDeviceGoesThroughThePageCacheUnlessItSaysNot) {
  FakeMachine machine;
  machine.disk("sda", "8:0");
  machine.disk("loop0", "7:0", 64, "virtual");
  machine.attribute("loop0", "loop/backing_file", "/dev/sda");
  for (const char* dio : {"0", "1"}) {
    machine.attribute("loop0", "loop/dio", dio);
    const TargetSystem system = TargetSystem::read(machine.root());
    const Ground ground = system.ground_of({system.find("loop0")});
    EXPECT_EQ(names_of(ground), std::vector<std::string>{"sda"});
    EXPECT_EQ(ground.page_cache.empty(), std::string_view(dio) == "1") << ground.page_cache;
    EXPECT_EQ(ground.unknown, "");
  }
  machine.attribute("loop0", "loop/backing_file", "/not/there.img");
  const TargetSystem system = TargetSystem::read(machine.root());
  EXPECT_NE(system.ground_of({system.find("loop0")}).unknown.find("/not/there.img"),
            std::string::npos);
}

}  // namespace
}  // namespace raidscope
