#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "workloads/run/consent.h"
#include "workloads/run/consent_hold.h"
#include "workloads/run/testfile.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;
using Codes = std::vector<std::string>;

class ConsentFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "raidscope-consent-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = fs::canonical(name).string();
    path_ = directory_ + "/test.dat";
  }
  void TearDown() override { fs::remove_all(directory_); }

  static TargetExamination look(const std::string& path, std::uint64_t bytes = 0) {
    auto examination = examine_target(path, bytes);
    EXPECT_TRUE(examination) << (examination ? "" : describe(examination.error()));
    return examination ? *examination : TargetExamination{};
  }
  static Codes codes(const std::string& path, std::uint64_t bytes = 0) {
    Codes out;
    for (const Refusal& refusal : look(path, bytes).refusals) out.push_back(refusal.code);
    std::sort(out.begin(), out.end());
    return out;
  }
  static Errc error(const std::string& path) {
    const auto examination = examine_target(path);
    EXPECT_FALSE(examination) << path;
    return examination ? Errc::io : examination.error().code;
  }
  void make_ours() {
    const auto leave = ask_to_write(look(path_), {});
    ASSERT_TRUE(leave);
    ASSERT_TRUE(create_test_file(*leave, 1 << 20, 1, {}));
  }

  std::string directory_, path_;
};

TEST_F(ConsentFile, NewFileAndOwnFileMayBeWritten) {
  TargetExamination seen = look(path_);
  EXPECT_FALSE(seen.exists);
  EXPECT_EQ(seen.info.path, path_);
  EXPECT_EQ(seen.info.kind, "file");
  EXPECT_FALSE(seen.info.device_chain.empty());
  EXPECT_TRUE(ask_to_write(seen, {}));
  make_ours();
  seen = look(path_);
  EXPECT_TRUE(seen.exists);
  EXPECT_TRUE(seen.made_by_raidscope);
  EXPECT_EQ(seen.info.size_bytes, 1U << 20);
  EXPECT_EQ(seen.refusals, std::vector<Refusal>{});
  EXPECT_TRUE(ask_to_write(seen, {}));
}

TEST_F(ConsentFile, ForeignFileNeedsItsRealPath) {
  std::ofstream(path_) << "precious";
  const std::string link = directory_ + "/link";
  fs::create_symlink(path_, link);
  for (const std::string& name : {path_, link, directory_ + "/./test.dat"}) {
    const TargetExamination seen = look(name);
    EXPECT_EQ(seen.destroy_id, path_);
    const auto refused = ask_to_write(seen, {});
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, Errc::refused);
    EXPECT_NE(describe(refused.error()).find("--destroy-data " + path_), std::string::npos);
    EXPECT_FALSE(ask_to_write(seen, {directory_ + "/other"}));
    EXPECT_FALSE(ask_to_write(seen, {"test.dat"}));
    const auto leave = ask_to_write(seen, {path_});
    ASSERT_TRUE(leave);
    EXPECT_EQ(leave->target(), name);
    EXPECT_EQ(leave->real_path(), path_);
    EXPECT_TRUE(leave->foreign_data_may_go());
  }
  std::ofstream(directory_ + "/empty").flush();
  EXPECT_EQ(codes(directory_ + "/empty"), Codes{"foreign_file"});
}

TEST_F(ConsentFile, WhatIsNoFileIsNamed) {
  EXPECT_EQ(error(""), Errc::usage);
  EXPECT_EQ(error(directory_), Errc::usage);
  EXPECT_EQ(error("/dev/null"), Errc::usage);
  ASSERT_EQ(::mkfifo((directory_ + "/fifo").c_str(), 0600), 0);
  EXPECT_EQ(error(directory_ + "/fifo"), Errc::usage);
  fs::create_symlink(directory_ + "/nowhere", directory_ + "/dangling");
  EXPECT_EQ(error(directory_ + "/dangling"), Errc::not_found);
  fs::create_symlink("loop", directory_ + "/loop");
  EXPECT_EQ(error(directory_ + "/loop"), Errc::usage);
  fs::create_symlink(directory_, directory_ + "/dirlink");
  EXPECT_EQ(error(directory_ + "/dirlink"), Errc::usage);
  EXPECT_EQ(error("/proc/version"), Errc::unsupported);
  EXPECT_EQ(error("/proc/no-such-file"), Errc::unsupported);
}

TEST_F(ConsentFile, MissingDirectoryIsNamed) {
  const auto missing = examine_target(directory_ + "/no/such/test.dat");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::not_found);
  EXPECT_EQ(missing.error().where, directory_ + "/no/such");
  EXPECT_EQ(error(directory_ + "/no/"), Errc::not_found);
  std::ofstream(path_) << "x";
  EXPECT_EQ(error(path_ + "/below"), Errc::not_found);
}

TEST_F(ConsentFile, MistypedDeviceIsNoFileToMake) {
  const auto missing = examine_target("/dev/raidscope-no-such-disk");
  if (missing) GTEST_SKIP() << "/dev is no devtmpfs here";
  EXPECT_EQ(missing.error().code, Errc::not_found);
}

TEST_F(ConsentFile, UnwritableDirectoryNamesTheCommand) {
  if (::geteuid() == 0) {
    // A child that gives up root answers for this test.
    ASSERT_EQ(::chmod(directory_.c_str(), 0755), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      if (::setgid(65534) != 0 || ::setuid(65534) != 0) ::_exit(9);
      const auto seen = examine_target(path_);
      if (!seen || seen->refusals.size() != 1 || seen->refusals[0].code != "permission") ::_exit(1);
      const auto refused = ask_to_write(*seen, {});
      const bool right = !refused && refused.error().code == Errc::permission &&
                         refused.error().hint.find("sudo") != std::string::npos;
      ::_exit(right ? 0 : 2);
    }
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(WEXITSTATUS(status), 0);
    return;
  }
  ASSERT_EQ(::chmod(directory_.c_str(), 0500), 0);
  EXPECT_EQ(codes(path_), Codes{"permission"});
  ASSERT_EQ(::chmod(directory_.c_str(), 0700), 0);
}

TEST_F(ConsentFile, EnoughSpaceStaysFree) {
  struct statvfs st {};
  ASSERT_EQ(::statvfs(directory_.c_str(), &st), 0);
  const std::uint64_t total = st.f_blocks * st.f_frsize;
  const std::uint64_t free = st.f_bavail * st.f_frsize;
  const std::uint64_t keep = bytes_kept_free(total);
  EXPECT_EQ(keep, std::max<std::uint64_t>(total / 20, 1ULL << 30));
  EXPECT_EQ(codes(path_, free), Codes{"space"}) << "nothing would stay free";
  EXPECT_EQ(codes(path_, 1ULL << 62), Codes{"space"});
  EXPECT_FALSE(look(path_, free).refusals[0].overridable);
  constexpr std::uint64_t kOthers = 1ULL << 30;  // what other programs may take or free meanwhile
  if (free > keep + kOthers) {
    EXPECT_EQ(codes(path_, free - keep + kOthers), Codes{"space"});
    EXPECT_EQ(codes(path_, free - keep - kOthers), Codes{});
  }
  EXPECT_EQ(bytes_kept_free(0), 1ULL << 30);
  EXPECT_EQ(bytes_kept_free(1ULL << 40), (1ULL << 40) / 20);
}

/// A process that does something with the file and waits until it is let go.
class OtherProcess {
 public:
  template <class Work>
  explicit OtherProcess(Work work) {
    int ready[2];
    int stop[2];
    if (::pipe(ready) != 0 || ::pipe(stop) != 0) std::abort();
    child_ = ::fork();
    if (child_ == 0) {
      ::close(stop[1]);
      work();
      char byte = 'x';
      if (::write(ready[1], &byte, 1) != 1) ::_exit(1);
      [[maybe_unused]] const ssize_t end = ::read(stop[0], &byte, 1);
      ::_exit(0);
    }
    char byte = 0;
    [[maybe_unused]] const ssize_t got = ::read(ready[0], &byte, 1);
    ::close(ready[0]);
    ::close(ready[1]);
    ::close(stop[0]);
    stop_ = stop[1];
  }
  ~OtherProcess() {
    ::close(stop_);
    ::waitpid(child_, nullptr, 0);
  }
  OtherProcess(const OtherProcess&) = delete;
  OtherProcess& operator=(const OtherProcess&) = delete;

 private:
  pid_t child_ = -1;
  int stop_ = -1;
};

TEST_F(ConsentFile, OpenForWritingElsewhereIsInUse) {
  make_ours();
  {
    const OtherProcess writer([&] { EXPECT_GE(::open(path_.c_str(), O_RDWR), 0); });
    const TargetExamination seen = look(path_);
    ASSERT_EQ(codes(path_), Codes{"opened"});
    EXPECT_FALSE(seen.refusals[0].overridable);
    EXPECT_FALSE(ask_to_write(seen, {path_}));
  }
  EXPECT_EQ(codes(path_), Codes{});
  const OtherProcess reader([&] { EXPECT_GE(::open(path_.c_str(), O_RDONLY), 0); });
  EXPECT_EQ(codes(path_), Codes{}) << "readers do not mind";
}

TEST_F(ConsentFile, MappedForWritingElsewhereIsInUse) {
  make_ours();
  const OtherProcess writer([&] {
    const int fd = ::open(path_.c_str(), O_RDWR);
    EXPECT_NE(::mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0), MAP_FAILED);
    ::close(fd);
  });
  EXPECT_EQ(codes(path_), Codes{"opened"});
}

TEST_F(ConsentFile, OwnOpensDoNotCount) {
  make_ours();
  const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  EXPECT_EQ(codes(path_), Codes{});
  ::close(fd);
}

TEST_F(ConsentFile, ConfirmSeesAReplacement) {
  make_ours();
  const auto leave = ask_to_write(look(path_), {});
  ASSERT_TRUE(leave);
  int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  EXPECT_TRUE(leave->confirm(fd));
  ::close(fd);
  std::ofstream(directory_ + "/other") << "precious";
  fs::rename(directory_ + "/other", path_);
  fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  const Status replaced = leave->confirm(fd);
  ASSERT_FALSE(replaced);
  EXPECT_EQ(replaced.error().code, Errc::refused);
  ::close(fd);
}

TEST_F(ConsentFile, AnotherRootStillSeesTheLiveUsersOfAFile) {
  make_ours();
  fs::create_directories(directory_ + "/root/sys");
  const OtherProcess writer([&] { EXPECT_GE(::open(path_.c_str(), O_RDWR), 0); });
  const auto seen = examine_target(path_, 0, directory_ + "/root");
  ASSERT_TRUE(seen);
  ASSERT_EQ(seen->refusals.size(), 1U);
  EXPECT_EQ(seen->refusals[0].code, "opened");
}

// Two runs that ask at the same moment both pass the look at open files; the lock lets one through.
TEST(FileHold, OneAtATimeUntilTheLastCopyIsGone) {
  char path[] = "/tmp/raidscope-hold-XXXXXX";
  const int fd = ::mkstemp(path);
  ASSERT_GE(fd, 0);
  ::close(fd);
  {
    const auto first = hold_file(path);
    ASSERT_TRUE(first.has_value()) << describe(first.error());
    const auto second = hold_file(path);
    ASSERT_FALSE(second.has_value());
    EXPECT_EQ(second.error().code, Errc::refused);
    EXPECT_EQ(second.error().where, path);
  }
  EXPECT_TRUE(hold_file(path).has_value());
  ::unlink(path);
  EXPECT_FALSE(hold_file(path).has_value());
}

}  // namespace
}  // namespace raidscope
