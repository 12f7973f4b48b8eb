// Every way a device can be in use, on real loop devices. Needs root; what the kernel lacks is
// skipped with the reason, and consent_sysroot_test tries the same rules on made-up machines.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <linux/blkpg.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "tests/support/shell.h"
#include "workloads/run/consent.h"
#include "workloads/run/runner.h"
#include "workloads/run/target_clean.h"
#include "workloads/run/testfile.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kMiB = 1 << 20;

/// A classic table with two partitions of 40 MiB; the first starts at 1 MiB.
std::array<std::uint8_t, 512> dos_table() {
  std::array<std::uint8_t, 512> table{};
  table[510] = 0x55;
  table[511] = 0xaa;
  for (std::uint32_t i = 0; i < 2; ++i) {
    const std::size_t at = 446 + 16 * i;
    const std::uint32_t start = 2048 + i * 81'920;
    const std::uint32_t sectors = 81'920;
    table[at + 4] = 0x83;
    for (std::size_t byte = 0; byte < 4; ++byte) {
      table[at + 8 + byte] = static_cast<std::uint8_t>(start >> (8 * byte));
      table[at + 12 + byte] = static_cast<std::uint8_t>(sectors >> (8 * byte));
    }
  }
  return table;
}

std::uint32_t crc32(const std::vector<std::uint8_t>& bytes) {
  std::uint32_t crc = ~0U;
  for (const std::uint8_t byte : bytes) {
    crc ^= byte;
    for (int bit = 0; bit < 8; ++bit) crc = (crc >> 1) ^ ((crc & 1) != 0 ? 0xedb88320U : 0U);
  }
  return ~crc;
}

/// The 33 sectors of a GPT's backup at the end of a device of `sectors` (UEFI 2.10, 5.3.2).
std::vector<std::uint8_t> gpt_backup(std::uint64_t sectors) {
  std::vector<std::uint8_t> entries(32 * 512, 0);
  std::vector<std::uint8_t> header(512, 0);
  const auto put = [&](std::size_t at, std::uint64_t value, std::size_t size) {
    for (std::size_t byte = 0; byte < size; ++byte)
      header[at + byte] = static_cast<std::uint8_t>(value >> (8 * byte));
  };
  std::copy_n("EFI PART", 8, header.begin());
  put(8, 0x10000, 4);
  put(12, 92, 4);
  put(24, sectors - 1, 8);   // this header
  put(32, 1, 8);             // the other one
  put(40, 34, 8);            // first usable
  put(48, sectors - 34, 8);  // last usable
  put(56, 0x1234567890abcdef, 8);
  put(72, sectors - 33, 8);  // the entries
  put(80, 128, 4);
  put(84, 128, 4);
  put(88, crc32(entries), 4);
  put(16, crc32({header.begin(), header.begin() + 92}), 4);
  entries.insert(entries.end(), header.begin(), header.end());
  return entries;
}

/// Loop devices over files of zeros; whatever a test stacks on them is taken down again, the last
/// thing first, however the test ends.
class ConsentDevice : public testing::Test {
 protected:
  void SetUp() override {
    if (::geteuid() != 0) GTEST_SKIP() << "loop devices need root";
    std::string name = testing::TempDir() + "raidscope-loop-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = fs::canonical(name).string();
    device_ = attach("disk.img", 64);
    if (device_.empty()) GTEST_SKIP() << "no loop device: " << why_not_;
  }

  void TearDown() override {
    for (auto it = undo_.rbegin(); it != undo_.rend(); ++it) shell(*it);
    if (!directory_.empty()) fs::remove_all(directory_);
  }

  std::string attach(const std::string& name, std::uint64_t mib, const std::string& options = {}) {
    const std::string image = directory_ + "/" + name;
    std::ofstream(image).flush();
    fs::resize_file(image, mib * kMiB);
    const Ran ran = shell("losetup " + options + " --find --show " + image);
    why_not_ = ran.output;
    if (ran.status != 0) return {};
    undo_.push_back("losetup -d " + ran.output);
    return ran.output;
  }

  /// Runs a command that a test needs; false when it failed, with the reason in why_not_.
  bool does(const std::string& command, const std::string& undo = {}) {
    const Ran ran = shell(command);
    why_not_ = command + ": " + ran.output;
    if (ran.status == 0 && !undo.empty()) undo_.push_back(undo);
    return ran.status == 0;
  }

  static TargetExamination look(const std::string& path) {
    auto examination = examine_target(path);
    EXPECT_TRUE(examination) << (examination ? "" : describe(examination.error()));
    return examination ? *examination : TargetExamination{};
  }

  static bool has(const TargetExamination& seen, const std::string& code) {
    return std::any_of(seen.refusals.begin(), seen.refusals.end(),
                       [&](const Refusal& refusal) { return refusal.code == code; });
  }

  /// In use: the reason is named, and no id changes the answer.
  static void expect_in_use(const std::string& path, const std::string& code) {
    const TargetExamination seen = look(path);
    EXPECT_TRUE(has(seen, code)) << path << " lacks " << code << ": " << all(seen);
    for (const Refusal& refusal : seen.refusals)
      EXPECT_FALSE(refusal.code == code && refusal.overridable) << refusal.why;
    const auto leave = ask_to_write(seen, {seen.destroy_id});
    ASSERT_FALSE(leave) << path;
    EXPECT_EQ(leave.error().code, Errc::refused);
  }

  /// At rest: refused without the id, given with it.
  static void expect_at_rest(const std::string& path, const std::string& code,
                             const std::string& word) {
    const TargetExamination seen = look(path);
    EXPECT_TRUE(has(seen, code)) << path << " lacks " << code << ": " << all(seen);
    EXPECT_NE(all(seen).find(word), std::string::npos) << all(seen);
    const auto refused = ask_to_write(seen, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::refused);
    EXPECT_NE(describe(refused.error()).find("--destroy-data " + seen.destroy_id),
              std::string::npos);
    const auto leave = ask_to_write(seen, {"something-else", seen.destroy_id});
    EXPECT_TRUE(leave) << describe(leave.error());
  }

  static std::string all(const TargetExamination& seen) {
    std::string text;
    for (const Refusal& refusal : seen.refusals) text += refusal.code + ": " + refusal.why + "\n";
    return text;
  }

  static void put(const std::string& path, std::uint64_t offset, const void* bytes,
                  std::size_t size) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    EXPECT_EQ(::pwrite(fd, bytes, size, static_cast<off_t>(offset)), static_cast<ssize_t>(size));
    EXPECT_EQ(::fsync(fd), 0);
    ::close(fd);
  }
  static void poke(const std::string& path, std::uint64_t offset) { put(path, offset, "x", 1); }

  /// A loop device with two empty partitions; empty with why_not_ where the kernel makes none.
  std::string attach_parted() {
    std::string disk = attach("parted.img", 96, "--partscan");
    if (disk.empty()) return {};
    const auto table = dos_table();
    put(disk, 0, table.data(), table.size());
    if (!does("blockdev --rereadpt " + disk)) return {};
    // A kernel that does not read such tables can be told.
    if (!fs::exists(disk + "p1") && (!add_partition(disk, 1, 1) || !add_partition(disk, 2, 41)))
      return {};
    for (int i = 0; i < 40 && !fs::exists(disk + "p2"); ++i) ::usleep(50'000);
    why_not_ = "the kernel made no partition nodes";
    return fs::exists(disk + "p2") ? disk : std::string();
  }

  bool add_partition(const std::string& disk, int number, std::uint64_t start_mib) {
    blkpg_partition partition{};
    partition.start = static_cast<long long>(start_mib * kMiB);
    partition.length = static_cast<long long>(40 * kMiB);
    partition.pno = number;
    blkpg_ioctl_arg argument{BLKPG_ADD_PARTITION, 0, sizeof partition, &partition};
    const int fd = ::open(disk.c_str(), O_RDONLY | O_CLOEXEC);
    const bool added = ::ioctl(fd, BLKPG, &argument) == 0;
    why_not_ = "the kernel takes no partitions on a loop device";
    ::close(fd);
    return added;
  }

  std::string directory_, device_, why_not_;
  std::vector<std::string> undo_;
};

TEST_F(ConsentDevice, ZerosMayBeWrittenAndStayHeldWhileTheConsentLives) {
  const TargetExamination seen = look(device_);
  ASSERT_TRUE(seen.refusals.empty()) << all(seen);
  EXPECT_EQ(seen.info.kind, "block");
  EXPECT_EQ(seen.info.size_bytes, 64 * kMiB);
  EXPECT_EQ(seen.destroy_id, directory_ + "/disk.img");
  EXPECT_EQ(seen.info.device_chain.front(), device_ + " (loop " + directory_ + "/disk.img)");
  auto leave = ask_to_write(seen, {});
  ASSERT_TRUE(leave) << describe(leave.error());
  EXPECT_EQ(::open(device_.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC), -1) << "held by the consent";
  EXPECT_TRUE(look(device_).refusals.empty()) << "its own hold is no refusal";
  const auto second = ask_to_write(look(device_), {});
  EXPECT_TRUE(second) << "two consents share the hold";
  const int fd = ::open(device_.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_GE(fd, 0) << "engines open it beside the hold";
  EXPECT_TRUE(leave->confirm(fd));
  ::close(fd);
  *leave = *second;
}

TEST_F(ConsentDevice, RunWritesWithTheConsentAndNotWithout) {
  Workload workload;
  workload.targets = {device_};
  workload.read_percent = 0;
  workload.duration_s = 0.2;
  RunOptions options;
  options.engine = "psync";
  const auto refused = run_workload(workload, options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::refused);
  EXPECT_TRUE(look(device_).refusals.empty());
  const auto leave = ask_to_write(look(device_), {});
  ASSERT_TRUE(leave) << describe(leave.error());
  options.consents = {*leave};
  const auto result = run_workload(workload, options);
  ASSERT_TRUE(result) << describe(result.error());
  EXPECT_GT(result->write.ios, 0U);
}

TEST_F(ConsentDevice, ZerosAtTheEdgesMakeItFreeAgain) {
  const auto leave = ask_to_write(look(device_), {});
  ASSERT_TRUE(leave) << describe(leave.error());
  poke(device_, 0);
  poke(device_, 64 * kMiB - 1);
  EXPECT_EQ(look(device_).refusals.size(), 2U);
  const Status cleaned = zero_edges(*leave);
  ASSERT_TRUE(cleaned) << describe(cleaned.error());
  EXPECT_TRUE(look(device_).refusals.empty()) << all(look(device_));
}

TEST_F(ConsentDevice, HoldEndsWithTheConsent) {
  { EXPECT_TRUE(ask_to_write(look(device_), {})); }
  const int fd = ::open(device_.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC);
  EXPECT_GE(fd, 0);
  ::close(fd);
}

TEST_F(ConsentDevice, MountedFileSystem) {
  if (!does("mkfs.ext4 -q -L data " + device_)) GTEST_SKIP() << why_not_;
  expect_at_rest(device_, "signature", "ext4 file system \"data\"");
  fs::create_directory(directory_ + "/mnt");
  if (!does("mount " + device_ + " " + directory_ + "/mnt", "umount " + directory_ + "/mnt"))
    GTEST_SKIP() << why_not_;
  expect_in_use(device_, "mounted");
  expect_in_use(device_, "exclusive_open");
  const std::string link = directory_ + "/link-to-device";
  fs::create_symlink(device_, link);
  expect_in_use(link, "mounted");
  // The file behind it, and a file on it.
  expect_in_use(directory_ + "/disk.img", "holder");
  const TargetExamination inside = look(directory_ + "/mnt/new.dat");
  EXPECT_TRUE(inside.refusals.empty()) << all(inside);
  ASSERT_GE(inside.info.device_chain.size(), 2U);
  EXPECT_EQ(inside.info.device_chain[0], "ext4 on " + directory_ + "/mnt");
  EXPECT_EQ(inside.info.device_chain[1], look(device_).info.device_chain[0]);
  // Reading a mounted device is no error.
  EXPECT_TRUE(examine_target(device_));
}

TEST_F(ConsentDevice, MountedReadOnly) {
  if (!does("mkfs.ext4 -q " + device_)) GTEST_SKIP() << why_not_;
  fs::create_directory(directory_ + "/mnt");
  if (!does("mount -o ro " + device_ + " " + directory_ + "/mnt", "umount " + directory_ + "/mnt"))
    GTEST_SKIP() << why_not_;
  expect_in_use(device_, "mounted");
  EXPECT_TRUE(has(look(directory_ + "/mnt/new.dat"), "read_only"));
}

TEST_F(ConsentDevice, MountedInAnotherNamespaceOnly) {
  if (!does("mkfs.ext4 -q " + device_)) GTEST_SKIP() << why_not_;
  fs::create_directory(directory_ + "/mnt");
  const std::string go = directory_ + "/go";
  if (::mkfifo(go.c_str(), 0600) != 0) GTEST_SKIP() << "no FIFO";
  const std::string ready = directory_ + "/ready";
  if (!does("unshare --mount --propagation private true")) GTEST_SKIP() << why_not_;
  FILE* other = ::popen(("unshare --mount --propagation private sh -c 'mount " + device_ + " " +
                         directory_ + "/mnt && touch " + ready + " && read x < " + go + "'")
                            .c_str(),
                        "r");
  ASSERT_NE(other, nullptr);
  for (int i = 0; i < 100 && !fs::exists(ready); ++i) ::usleep(50'000);
  const bool mounted = fs::exists(ready);
  if (mounted) expect_in_use(device_, "mounted");
  if (mounted) std::ofstream(go) << "x\n";
  ::pclose(other);
  if (!mounted) GTEST_SKIP() << "mounting in another namespace did not work";
}

TEST_F(ConsentDevice, PartitionsOneByOne) {
  const std::string disk = attach_parted();
  if (disk.empty()) GTEST_SKIP() << why_not_;
  expect_at_rest(disk, "signature", "dos partition table");
  EXPECT_TRUE(look(disk + "p1").refusals.empty()) << all(look(disk + "p1"));
  EXPECT_EQ(look(disk + "p1").destroy_id, directory_ + "/parted.img-part1");
  if (!does("mkfs.ext4 -q " + disk + "p1")) GTEST_SKIP() << why_not_;
  fs::create_directory(directory_ + "/mnt");
  if (!does("mount " + disk + "p1 " + directory_ + "/mnt", "umount " + directory_ + "/mnt"))
    GTEST_SKIP() << why_not_;
  expect_in_use(disk + "p1", "mounted");
  expect_in_use(disk, "mounted");
  const TargetExamination free = look(disk + "p2");
  EXPECT_TRUE(free.refusals.empty()) << all(free);
  const auto leave = ask_to_write(free, {});
  EXPECT_TRUE(leave) << describe(leave.error());
}

TEST_F(ConsentDevice, Swap) {
  if (!does("mkswap " + device_)) GTEST_SKIP() << why_not_;
  expect_at_rest(device_, "signature", "swap");
  if (!does("swapon " + device_, "swapoff " + device_)) GTEST_SKIP() << why_not_;
  expect_in_use(device_, "swap");
}

TEST_F(ConsentDevice, SwapOnAPartition) {
  const std::string disk = attach_parted();
  if (disk.empty()) GTEST_SKIP() << why_not_;
  if (!does("mkswap " + disk + "p1") || !does("swapon " + disk + "p1", "swapoff " + disk + "p1"))
    GTEST_SKIP() << why_not_;
  expect_in_use(disk + "p1", "swap");
  expect_in_use(disk, "swap");
}

TEST_F(ConsentDevice, SwapFile) {
  const std::string file = directory_ + "/swapfile";
  if (!does("dd if=/dev/zero of=" + file + " bs=1M count=8 status=none && chmod 600 " + file +
            " && mkswap " + file) ||
      !does("swapon " + file, "swapoff " + file))
    GTEST_SKIP() << why_not_;
  expect_in_use(file, "swap");
}

TEST_F(ConsentDevice, DeviceMapper) {
  if (!fs::exists("/sys/class/misc/device-mapper"))
    GTEST_SKIP() << "this kernel has no device-mapper";
  const std::string name = "raidscope-test-" + std::to_string(::getpid());
  if (!does("dmsetup create " + name + " --table '0 65536 linear " + device_ + " 0'",
            "dmsetup remove " + name))
    GTEST_SKIP() << why_not_;
  expect_in_use(device_, "holder");
  const TargetExamination mapped = look("/dev/mapper/" + name);
  EXPECT_TRUE(mapped.refusals.empty()) << all(mapped);
}

TEST_F(ConsentDevice, Md) {
  if (!fs::exists("/proc/mdstat")) GTEST_SKIP() << "this kernel has no md";
  const std::string md = "/dev/md/raidscope-" + std::to_string(::getpid());
  if (!does("mdadm --create " + md + " --run --level=1 --raid-devices=2 --force missing " + device_,
            "mdadm --stop " + md))
    GTEST_SKIP() << why_not_;
  expect_in_use(device_, "holder");
}

TEST_F(ConsentDevice, LvmMemberAtRestAndActive) {
  if (!does("pvcreate -q --devices " + device_ + " " + device_)) GTEST_SKIP() << why_not_;
  expect_at_rest(device_, "signature", "LVM2_member");
  if (!fs::exists("/sys/class/misc/device-mapper"))
    GTEST_SKIP() << "a volume at rest was refused; this kernel has no device-mapper to activate it";
  const std::string group = "raidscope_" + std::to_string(::getpid());
  if (!does("vgcreate -q --devices " + device_ + " " + group + " " + device_,
            "vgremove -qf --devices " + device_ + " " + group) ||
      !does("lvcreate -q --devices " + device_ + " -l 4 -n data " + group))
    GTEST_SKIP() << why_not_;
  expect_in_use(device_, "holder");
}

TEST_F(ConsentDevice, LoopOverTheDevice) {
  const Ran upper = shell("losetup --find --show " + device_);
  if (upper.status != 0) GTEST_SKIP() << upper.output;
  undo_.push_back("losetup -d " + upper.output);
  expect_in_use(device_, "holder");
  EXPECT_EQ(look(upper.output).destroy_id, directory_ + "/disk.img") << "never a device name";
}

/// A process that holds the device in some way until it is let go.
class Holder {
 public:
  enum class How { open, exclusive, mapped };
  Holder(const std::string& device, How how) {
    int ready[2];
    int stop[2];
    if (::pipe(ready) != 0 || ::pipe(stop) != 0) std::abort();
    child_ = ::fork();
    if (child_ == 0) {
      ::close(stop[1]);
      const int fd = ::open(device.c_str(), O_RDONLY | (how == How::exclusive ? O_EXCL : 0));
      if (how == How::mapped) {
        if (::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, fd, 0) == MAP_FAILED) ::_exit(1);
        ::close(fd);
      }
      char byte = 'x';
      if (fd < 0 || ::write(ready[1], &byte, 1) != 1) ::_exit(1);
      [[maybe_unused]] const ssize_t end = ::read(stop[0], &byte, 1);
      ::_exit(0);
    }
    ::close(ready[1]);
    ::close(stop[0]);
    char byte = 0;
    [[maybe_unused]] const ssize_t got = ::read(ready[0], &byte, 1);
    ::close(ready[0]);
    stop_ = stop[1];
  }
  ~Holder() {
    ::close(stop_);
    ::waitpid(child_, nullptr, 0);
  }
  Holder(const Holder&) = delete;
  Holder& operator=(const Holder&) = delete;

 private:
  pid_t child_ = -1;
  int stop_ = -1;
};

TEST_F(ConsentDevice, OpenInAnotherProcess) {
  {
    const Holder holder(device_, Holder::How::open);
    expect_in_use(device_, "opened");
  }
  EXPECT_TRUE(look(device_).refusals.empty()) << all(look(device_));
}

TEST_F(ConsentDevice, MappedInAnotherProcess) {
  const Holder holder(device_, Holder::How::mapped);
  expect_in_use(device_, "opened");
}

TEST_F(ConsentDevice, HeldExclusivelyByAnotherProcess) {
  const Holder holder(device_, Holder::How::exclusive);
  expect_in_use(device_, "exclusive_open");
  expect_in_use(device_, "opened");
}

TEST_F(ConsentDevice, TakenBetweenExaminationAndConsent) {
  const TargetExamination seen = look(device_);
  ASSERT_TRUE(seen.refusals.empty()) << all(seen);
  const Holder holder(device_, Holder::How::exclusive);
  const auto leave = ask_to_write(seen, {});
  ASSERT_FALSE(leave);
  EXPECT_EQ(leave.error().code, Errc::refused);
}

TEST_F(ConsentDevice, RootStackOfThisMachine) {
  struct stat st {};
  ASSERT_EQ(::stat("/", &st), 0);
  const std::string link =
      "/sys/dev/block/" + std::to_string(major(st.st_dev)) + ":" + std::to_string(minor(st.st_dev));
  std::error_code error;
  fs::path place = fs::canonical(link, error);
  if (error) GTEST_SKIP() << "the root file system lies on no single device here";
  const std::string device = "/dev/" + place.filename().string();
  if (!fs::exists(device)) GTEST_SKIP() << "no node " << device;
  expect_in_use(device, "root_device");
  expect_in_use(device, "mounted");
  if (fs::exists(place / "partition"))
    expect_in_use("/dev/" + place.parent_path().filename().string(), "root_device");
}

TEST_F(ConsentDevice, DataInTheLastMiB) {
  poke(device_, 64 * kMiB - 1);
  expect_at_rest(device_, "data", "in its last MiB, byte " + std::to_string(64 * kMiB - 1));
}

TEST_F(ConsentDevice, RaidMemberWithItsMarkAtTheEnd) {
  // md superblock 1.0, 8 KiB before the end (kernel, include/uapi/linux/raid/md_p.h).
  const std::uint64_t sector = (64 * kMiB / 512 - 16) & ~std::uint64_t{7};
  std::array<std::uint32_t, 64> block{};
  block[0] = 0xa92b4efc;
  block[1] = 1;                                    // major version
  block[36] = static_cast<std::uint32_t>(sector);  // super_offset, at byte 144
  put(device_, sector * 512, block.data(), sizeof block);
  expect_at_rest(device_, "signature", "linux_raid_member");
}

TEST_F(ConsentDevice, BackupPartitionTableAlone) {
  const auto backup = gpt_backup(64 * kMiB / 512);
  put(device_, 64 * kMiB - backup.size(), backup.data(), backup.size());
  expect_at_rest(device_, "signature", "gpt partition table");
}

TEST_F(ConsentDevice, DataInTheFirstMiB) {
  poke(device_, 5);
  expect_at_rest(device_, "data", "in its first MiB, byte 5");
}

TEST_F(ConsentDevice, DataInTheMiddleAloneIsNotLookedAt) {
  poke(device_, 32 * kMiB);
  EXPECT_TRUE(look(device_).refusals.empty()) << all(look(device_));
}

TEST_F(ConsentDevice, DeviceNamesAreNoIds) {
  poke(device_, 0);
  const TargetExamination seen = look(device_);
  const std::string link = directory_ + "/link";
  fs::create_symlink(device_, link);
  for (const std::string& typed : {device_, device_.substr(5), link}) {
    const auto refused = ask_to_write(seen, {typed});
    ASSERT_FALSE(refused) << typed;
    EXPECT_EQ(refused.error().code, Errc::refused);
    EXPECT_NE(describe(refused.error()).find("changes between boots"), std::string::npos);
    EXPECT_NE(describe(refused.error()).find(seen.destroy_id), std::string::npos);
  }
  EXPECT_FALSE(ask_to_write(seen, {directory_ + "/other.img"}));
  EXPECT_TRUE(ask_to_write(seen, {seen.destroy_id}));
}

TEST_F(ConsentDevice, ReadOnlyDevice) {
  const std::string device = attach("ro.img", 16, "--read-only");
  if (device.empty()) GTEST_SKIP() << why_not_;
  expect_in_use(device, "read_only");
}

TEST_F(ConsentDevice, DetachedLoopDeviceHasNoSize) {
  const std::string device = attach("gone.img", 16);
  if (device.empty()) GTEST_SKIP() << why_not_;
  ASSERT_TRUE(does("losetup -d " + device));
  const auto seen = examine_target(device);
  // Another test may have taken it by now.
  EXPECT_TRUE(seen || seen.error().code == Errc::unsupported);
}

TEST_F(ConsentDevice, TestFilesAreNotMadeOnDevices) {
  const auto leave = ask_to_write(look(device_), {});
  ASSERT_TRUE(leave);
  const Status made = create_test_file(*leave, kMiB, 1, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Errc::usage);
}

TEST_F(ConsentDevice, CheckJudgesTheContentOfADevice) {
  const auto check = check_test_file(device_, std::nullopt);
  ASSERT_TRUE(check) << describe(check.error());
  EXPECT_EQ(check->size_bytes, 64 * kMiB);
  EXPECT_FALSE(check->sparse);
  EXPECT_EQ(check->compressible, true);
  EXPECT_EQ(check->repeated, true);
}

// ---- test files on small and odd file systems

TEST_F(ConsentDevice, SmallFileSystemKeepsItsGiB) {
  if (!does("mkfs.ext4 -q " + device_)) GTEST_SKIP() << why_not_;
  const std::string mnt = directory_ + "/mnt";
  fs::create_directory(mnt);
  if (!does("mount " + device_ + " " + mnt, "umount " + mnt)) GTEST_SKIP() << why_not_;
  const auto seen = examine_target(mnt + "/test.dat", kMiB);
  ASSERT_TRUE(seen);
  EXPECT_TRUE(has(*seen, "space")) << "less than 1 GiB in all";
  const auto leave = ask_to_write(look(mnt + "/test.dat"), {});
  ASSERT_TRUE(leave);
  const Status made = create_test_file(*leave, 200 * kMiB, 1, {});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, Errc::refused);
  EXPECT_FALSE(fs::exists(mnt + "/test.dat"));
}

TEST_F(ConsentDevice, FileSystemWithoutAttributesOrDirectWrites) {
  const std::string mnt = directory_ + "/mnt";
  fs::create_directory(mnt);
  if (!does("mount -t ramfs none " + mnt, "umount " + mnt)) GTEST_SKIP() << why_not_;
  const std::string path = mnt + "/test.dat";
  const auto leave = ask_to_write(look(path), {});
  ASSERT_TRUE(leave) << describe(leave.error());
  const Status made = create_test_file(*leave, 3 * kMiB + 5, 1, {});
  ASSERT_TRUE(made) << describe(made.error());
  EXPECT_TRUE(look(path).made_by_raidscope);
  // Another file under the same name is not covered by the mark beside it.
  ASSERT_TRUE(does("cp " + path + " " + path + "2 && mv " + path + "2 " + path));
  EXPECT_FALSE(look(path).made_by_raidscope);
}

}  // namespace
}  // namespace raidscope
