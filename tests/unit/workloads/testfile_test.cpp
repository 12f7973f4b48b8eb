#include "workloads/run/testfile.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <string>
#include <unistd.h>
#include <vector>

#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "workloads/content.h"
#include "workloads/run/testfile_fill.h"
#include "workloads/run/testfile_mark.h"
#include "workloads/run/testfile_sample.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;
constexpr std::uint64_t kMiB = 1 << 20;

class TestFile : public testing::Test {
 protected:
  void SetUp() override {
    std::string name = testing::TempDir() + "raidscope-testfile-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
    path_ = directory_ + "/test.dat";
  }
  void TearDown() override { fs::remove_all(directory_); }

  static WriteConsent consent(const std::string& path, std::vector<std::string> ids = {}) {
    const auto examination = examine_target(path);
    EXPECT_TRUE(examination) << (examination ? "" : describe(examination.error()));
    auto leave = ask_to_write(*examination, ids);
    EXPECT_TRUE(leave) << (leave ? "" : describe(leave.error()));
    return *leave;
  }

  static Status create(const std::string& path, std::uint64_t size, std::uint64_t seed = 1,
                       const ByteProgress& progress = {}) {
    return create_test_file(consent(path), size, seed, progress);
  }

  static std::vector<std::byte> content_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::vector<std::byte> bytes(fs::file_size(path));
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
  }

  static void expect_content(const std::string& path, std::uint64_t size, std::uint64_t seed) {
    ASSERT_EQ(fs::file_size(path), size);
    std::vector<std::byte> wanted(size);
    fill_content(wanted, seed, 0);
    EXPECT_TRUE(content_of(path) == wanted);
  }

  void write_file(const std::string& path, const std::string& bytes) const {
    std::ofstream(path, std::ios::binary) << bytes;
  }

  std::string directory_, path_;
};

TEST_F(TestFile, HoldsTheContentAndIsFitToMeasureWith) {
  for (const std::uint64_t size : {std::uint64_t{1}, 4096 * std::uint64_t{3}, 5 * kMiB + 12'345}) {
    const std::string path = directory_ + "/" + std::to_string(size);
    const Status made = create(path, size, 42);
    ASSERT_TRUE(made) << describe(made.error());
    expect_content(path, size, 42);
    const auto check = check_test_file(path, std::nullopt);
    ASSERT_TRUE(check) << describe(check.error());
    EXPECT_TRUE(check->made_by_raidscope);
    EXPECT_FALSE(check->sparse);
    EXPECT_DOUBLE_EQ(check->sampled_fraction, 1);
    if (size < (64U << 10U)) continue;  // too small to tell
    EXPECT_EQ(check->compressible, false);
    EXPECT_EQ(check->repeated, false);
    EXPECT_EQ(check->problems, std::vector<std::string>{});
    EXPECT_FALSE(check->small_for_cache.has_value());
  }
}

TEST_F(TestFile, BothWaysOfWritingGiveTheSame) {
  for (const FillWay way : {FillWay::io_uring_or_pwrite, FillWay::pwrite}) {
    const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    ASSERT_GE(fd, 0);
    FillJob job{fd, 0, 20 * kMiB + 7, 9, false};
    const auto end = fill_file(
        job, [](std::uint64_t) { return true; }, way);
    ::close(fd);
    ASSERT_TRUE(end);
    EXPECT_EQ(end->written, job.size);
    expect_content(path_, job.size, 9);
  }
}

TEST_F(TestFile, ProgressGoesUpAndEndsWithAll) {
  std::vector<std::uint64_t> seen;
  ASSERT_TRUE(create(path_, 8 * kMiB, 1, [&](std::uint64_t done, std::uint64_t total) {
    EXPECT_EQ(total, 8 * kMiB);
    seen.push_back(done);
    return true;
  }));
  ASSERT_FALSE(seen.empty());
  EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
  EXPECT_EQ(seen.back(), 8 * kMiB);
}

TEST_F(TestFile, FullFileOfTheSameSizeIsKept) {
  ASSERT_TRUE(create(path_, 4 * kMiB));
  const auto before = fs::last_write_time(path_);
  int calls = 0;
  ASSERT_TRUE(create(path_, 4 * kMiB, 1, [&](std::uint64_t done, std::uint64_t) {
    EXPECT_EQ(done, 4 * kMiB);
    ++calls;
    return true;
  }));
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(fs::last_write_time(path_), before);
}

TEST_F(TestFile, AnotherSizeIsRemade) {
  ASSERT_TRUE(create(path_, 4 * kMiB));
  ASSERT_TRUE(create(path_, 6 * kMiB));
  expect_content(path_, 6 * kMiB, 1);
  ASSERT_TRUE(create(path_, 2 * kMiB + 5));
  expect_content(path_, 2 * kMiB + 5, 1);
}

TEST_F(TestFile, HoledFileOfOursIsFilledAgain) {
  ASSERT_TRUE(create(path_, 4 * kMiB));
  const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  const int punched = ::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, kMiB, kMiB);
  ::close(fd);
  if (punched != 0) GTEST_SKIP() << "the file system cannot punch holes";
  ASSERT_TRUE(create(path_, 4 * kMiB));
  expect_content(path_, 4 * kMiB, 1);
}

TEST_F(TestFile, StoppedFileIsNeverTakenForFullAndGoesOn) {
  const std::uint64_t size = 64 * kMiB;
  const Status stopped = create(path_, size, 1, [](std::uint64_t, std::uint64_t) { return false; });
  ASSERT_FALSE(stopped);
  EXPECT_EQ(stopped.error().code, Errc::interrupted);
  const auto mark = own_test_file(path_);
  ASSERT_TRUE(mark);
  EXPECT_FALSE(mark->complete());
  const auto check = check_test_file(path_, std::nullopt);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->sparse || check->compressible == true);
  EXPECT_TRUE(std::any_of(
      check->problems.begin(), check->problems.end(),
      [](const std::string& problem) { return problem.compare(0, 11, "unfinished:") == 0; }));
  ASSERT_TRUE(create(path_, size));
  expect_content(path_, size, 1);
  EXPECT_TRUE(own_test_file(path_)->complete());
}

/// Runs in a process of its own, which may die of it; gives the wait status.
template <class Work>
int in_child(Work work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  int status = -1;
  ::waitpid(child, &status, 0);
  return status;
}

TEST_F(TestFile, KilledWhileFillingIsNeverTakenForFull) {
  const std::uint64_t size = 64 * kMiB;
  const int status = in_child([&] {
    const auto leave = ask_to_write(*examine_target(path_), {});
    const Status made = create_test_file(*leave, size, 1, [](std::uint64_t done, std::uint64_t) {
      if (done > 0) ::kill(::getpid(), SIGKILL);
      return true;
    });
    return made ? 0 : 1;
  });
  ASSERT_TRUE(WIFSIGNALED(status)) << "it was to be killed on the way";
  const auto mark = own_test_file(path_);
  ASSERT_TRUE(mark) << "still known as ours";
  EXPECT_FALSE(mark->complete());
  ASSERT_TRUE(create(path_, size));
  expect_content(path_, size, 1);
}

TEST_F(TestFile, FailureOnTheWayLeavesNothing) {
  // A limit on the file's size stands for a disk or a quota that is full.
  const int status = in_child([&] {
    ::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{2 * kMiB, 2 * kMiB};
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 9;
    const auto leave = ask_to_write(*examine_target(path_), {});
    const Status made = create_test_file(*leave, 8 * kMiB, 1, {});
    if (made || made.error().code != Errc::io) return 1;
    return describe(made.error()).find("partial file was removed") == std::string::npos ? 2 : 0;
  });
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(TestFile, GoesOnFromWhatIsOnTheDisk) {
  const std::uint64_t size = 12 * kMiB;
  ASSERT_TRUE(create(path_, size));
  const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  ASSERT_TRUE(write_mark(fd, path_, {kContentVersion, size, 1, 8 * kMiB}));
  ::close(fd);
  std::uint64_t first = 0;
  ASSERT_TRUE(create(path_, size, 1, [&](std::uint64_t done, std::uint64_t) {
    if (first == 0) first = done;
    return true;
  }));
  EXPECT_EQ(first, 8 * kMiB);
  expect_content(path_, size, 1);
}

TEST_F(TestFile, SeveralAtOnceAreKeptApartByALock) {
  ASSERT_TRUE(create(path_, kMiB));
  const int fd = ::open(path_.c_str(), O_RDONLY | O_CLOEXEC);
  ASSERT_EQ(::flock(fd, LOCK_EX), 0);
  const Status refused = create(path_, 2 * kMiB);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::busy);
  ::close(fd);
  EXPECT_EQ(fs::file_size(path_), kMiB);
}

TEST_F(TestFile, ForeignFileNeedsItsPathAndIsThenReplaced) {
  write_file(path_, "precious");
  const auto examination = examine_target(path_);
  ASSERT_TRUE(examination);
  ASSERT_FALSE(ask_to_write(*examination, {}));
  ASSERT_TRUE(create_test_file(consent(path_, {path_}), kMiB, 1, {}));
  expect_content(path_, kMiB, 1);
  EXPECT_TRUE(own_test_file(path_));
}

TEST_F(TestFile, FileThatAppearsAfterTheExaminationIsNotTouched) {
  const WriteConsent leave = consent(path_);
  write_file(path_, "precious");
  const Status refused = create_test_file(leave, kMiB, 1, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::refused);
  EXPECT_EQ(fs::file_size(path_), 8U);
}

TEST_F(TestFile, FileThatIsReplacedAfterTheExaminationIsNotTouched) {
  ASSERT_TRUE(create(path_, kMiB));
  const WriteConsent leave = consent(path_);
  write_file(path_ + ".new", "precious");
  fs::rename(path_ + ".new", path_);
  const Status refused = create_test_file(leave, kMiB, 1, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::refused);
  EXPECT_EQ(fs::file_size(path_), 8U);
}

TEST_F(TestFile, OverwrittenInPlaceIsNoLongerOurs) {
  ASSERT_TRUE(create(path_, kMiB));
  std::string text;
  while (text.size() < kMiB) text += "minutes of the meeting\n";
  text.resize(kMiB);
  std::fstream(path_, std::ios::in | std::ios::out | std::ios::binary) << text;
  EXPECT_FALSE(own_test_file(path_));
  ASSERT_EQ(::truncate(path_.c_str(), 100), 0);
  EXPECT_FALSE(own_test_file(path_));
}

TEST_F(TestFile, OverwrittenAtItsStartOrEndIsNoLongerOurs) {
  std::string text;
  while (text.size() < 200) text += "minutes of the meeting\n";
  constexpr std::uint64_t size = 4 * kMiB;
  for (const std::string& data : {text, std::string(16, '\0')}) {
    for (const std::uint64_t offset : {std::uint64_t{0}, size - data.size()}) {
      fs::remove(path_);
      ASSERT_TRUE(create(path_, size));
      ASSERT_TRUE(own_test_file(path_));
      std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
      file.seekp(static_cast<std::streamoff>(offset));
      file << data;
      file.close();
      EXPECT_FALSE(own_test_file(path_)) << data.size() << " bytes at " << offset;
      EXPECT_FALSE(check_test_file(path_, std::nullopt)->made_by_raidscope);
      EXPECT_FALSE(ask_to_write(*examine_target(path_), {}));
    }
  }
}

TEST(TestFileSample, OurContentIsRandomAndNothingElseIs) {
  std::vector<std::byte> bytes(64 << 20);
  fill_content(bytes, 3, 0);
  for (std::size_t at = 0; at < bytes.size(); at += 4096)
    ASSERT_FALSE(is_not_random(std::span(bytes).subspan(at, 4096))) << at;
  ASSERT_FALSE(is_not_random(std::span(bytes).subspan(0, 1)));
}

TEST_F(TestFile, StaysOursAfterWriteTests) {
  ASSERT_TRUE(create(path_, 4 * kMiB));
  std::vector<std::byte> block(4 * kMiB);
  fill_content(block, 77, 0);
  std::fstream file(path_, std::ios::in | std::ios::out | std::ios::binary);
  file.write(reinterpret_cast<const char*>(block.data()), 4 * kMiB);
  file.close();
  EXPECT_TRUE(own_test_file(path_));
}

TEST_F(TestFile, RemoveTakesOnlyOurs) {
  ASSERT_TRUE(create(path_, kMiB));
  EXPECT_TRUE(remove_test_file(path_));
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_TRUE(remove_test_file(path_));
  write_file(path_, "precious");
  const Status refused = remove_test_file(path_);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::refused);
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(TestFile, DiskFullIsClearAndLeavesNothing) {
  const Status refused = create_test_file(consent(path_), 1ULL << 60, 1, {});
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, Errc::refused);
  EXPECT_FALSE(fs::exists(path_));
}

TEST(TestFileMark, PrintsAndParses) {
  const TestFileMark mark{1, ~0ULL, 7, 3};
  EXPECT_EQ(parse_mark(print_mark(mark)), mark);
  for (const char* text : {"", "raidscope-testfile/1", "raidscope-testfile/1 size=5",
                           "raidscope-testfile/1 content=1 size=5 seed=1 done=6",
                           "raidscope-testfile/1 content=1 size=99999999999999999999 seed=1 done=6",
                           "raidscope-testfile/1 content=1 size=-5 seed=1 done=0",
                           "raidscope-testfile/1 content=1 size=0 seed=1 done=0"})
    EXPECT_FALSE(parse_mark(text)) << text;
}

TEST_F(TestFile, MarkBesideTheFileBindsToTheInode) {
  write_file(path_, "x");
  const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  const int other = ::open((path_ + "2").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const TestFileMark mark{kContentVersion, 1, 1, 1};
  ASSERT_TRUE(write_mark_beside(fd, path_, mark));
  EXPECT_EQ(read_mark_beside(fd, path_), mark);
  EXPECT_FALSE(read_mark_beside(other, path_));
  ::close(fd);
  ::close(other);
}

TEST(TestFileSample, PlacesCoverTheFileOnceEach) {
  for (const std::uint64_t size :
       {1ULL, 4096ULL, 65'536ULL, 65'537ULL, 10'000'000ULL, 1ULL << 37}) {
    const auto places = sample_places(size, 65'536, 128);
    ASSERT_FALSE(places.empty());
    EXPECT_EQ(places.front(), 0U);
    EXPECT_LT(places.back(), size);
    EXPECT_GE(places.back() + 65'536, size);
    EXPECT_TRUE(std::is_sorted(places.begin(), places.end()));
    EXPECT_EQ(std::adjacent_find(places.begin(), places.end()), places.end());
    EXPECT_EQ(places, sample_places(size, 65'536, 128));
  }
}

// ---- check

TEST_F(TestFile, CheckSeesSparseFiles) {
  write_file(path_, "");
  ASSERT_EQ(::truncate(path_.c_str(), 32 * kMiB), 0);
  const auto check = check_test_file(path_, std::nullopt);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->sparse);
  EXPECT_FALSE(check->made_by_raidscope);
}

TEST_F(TestFile, CheckSeesOneHoleInGoodData) {
  ASSERT_TRUE(create(path_, 32 * kMiB));
  const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC);
  const int punched =
      ::fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, 20 * kMiB, 64 << 10);
  ::close(fd);
  if (punched != 0) GTEST_SKIP() << "the file system cannot punch holes";
  const auto check = check_test_file(path_, std::nullopt);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->sparse);
}

TEST_F(TestFile, CheckSeesSpaceThatWasSetAsideAndNeverWritten) {
  const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const int allocated = ::fallocate(fd, 0, 0, 8 * kMiB);
  ::close(fd);
  if (allocated != 0) GTEST_SKIP() << "the file system cannot allocate ahead";
  const auto check = check_test_file(path_, std::nullopt);
  ASSERT_TRUE(check);
  EXPECT_TRUE(check->sparse) << "allocated " << check->allocated_bytes;
}

TEST_F(TestFile, CheckSeesZerosAndText) {
  write_file(path_, std::string(8 * kMiB, '\0'));
  auto check = check_test_file(path_, std::nullopt);
  ASSERT_TRUE(check);
  EXPECT_FALSE(check->sparse);
  EXPECT_EQ(check->compressible, true);
  EXPECT_EQ(check->repeated, true);
  EXPECT_LT(*check->compressed_ratio, 0.1);
  std::string text;
  for (int i = 0; text.size() < 4 * kMiB; ++i) text += "line " + std::to_string(i) + "\n";
  write_file(path_, text);
  check = check_test_file(path_, std::nullopt);
  ASSERT_TRUE(check);
  EXPECT_EQ(check->compressible, true);
  EXPECT_EQ(check->repeated, false);
}

TEST_F(TestFile, CheckSeesOneBufferWrittenAgainAndAgain) {
  for (const std::size_t period : {4096UL, 65'536UL, 1UL << 20, 10UL << 20, 16UL << 20}) {
    std::vector<std::byte> buffer(period);
    fill_content(buffer, 5, 0);
    std::ofstream out(path_, std::ios::binary);
    for (std::size_t done = 0; done < (96UL << 20); done += period)
      out.write(reinterpret_cast<const char*>(buffer.data()), static_cast<std::streamsize>(period));
    out.close();
    const auto check = check_test_file(path_, std::nullopt);
    ASSERT_TRUE(check);
    EXPECT_EQ(check->repeated, true) << "period " << period;
    EXPECT_EQ(check->compressible, period < 32'768) << "period " << period;
  }
}

TEST_F(TestFile, CheckComparesWithTheCache) {
  ASSERT_TRUE(create(path_, 4 * kMiB));
  const auto small = [&](std::uint64_t cache) {
    return check_test_file(path_, cache)->small_for_cache;
  };
  EXPECT_EQ(small(16 * kMiB), true);
  EXPECT_EQ(small(4 * kMiB), true);
  EXPECT_EQ(small(kMiB), true) << "four times is still small (W01)";
  EXPECT_EQ(small(kMiB - 1), false);
  EXPECT_NE(check_test_file(path_, 4 * kMiB)->problems, check_test_file(path_, kMiB)->problems);
  EXPECT_FALSE(check_test_file(path_, 0)->small_for_cache.has_value());
}

TEST_F(TestFile, CheckOfAFewBytesCannotTell) {
  std::vector<std::byte> bytes((64 << 10) - 1);
  fill_content(bytes, 9, 0);
  for (const std::size_t size : {std::size_t{1}, std::size_t{6}, bytes.size()}) {
    write_file(path_, {reinterpret_cast<const char*>(bytes.data()), size});
    const auto check = check_test_file(path_, std::nullopt);
    ASSERT_TRUE(check);
    EXPECT_EQ(check->compressible, std::nullopt) << size;
    EXPECT_EQ(check->repeated, std::nullopt) << size;
    EXPECT_EQ(check->compressed_ratio, std::nullopt) << size;
    EXPECT_EQ(check->small_for_cache, true) << size;
    ASSERT_EQ(check->problems.size(), 1U);
    EXPECT_EQ(check->problems.front().find("too small to tell"), 0U);
  }
  write_file(path_, std::string(16 << 10, '\0'));
  const auto zeros = check_test_file(path_, std::nullopt);
  ASSERT_TRUE(zeros);
  EXPECT_EQ(zeros->compressible, true);
  EXPECT_EQ(zeros->repeated, true);
}

TEST_F(TestFile, CheckNamesWhatCannotBeChecked) {
  EXPECT_EQ(check_test_file(path_, std::nullopt).error().code, Errc::not_found);
  EXPECT_EQ(check_test_file(directory_, std::nullopt).error().code, Errc::usage);
  EXPECT_EQ(check_test_file("/dev/null", std::nullopt).error().code, Errc::usage);
  write_file(path_, "");
  EXPECT_EQ(check_test_file(path_, std::nullopt).error().code, Errc::malformed);
}

TEST_F(TestFile, CheckOfAHugeFileIsQuick) {
  const int fd = ::open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  const int sized = ::ftruncate(fd, 100LL << 30);
  ::close(fd);
  if (sized != 0) GTEST_SKIP() << "the file system cannot hold a sparse file of 100 GiB";
  const auto start = std::chrono::steady_clock::now();
  ASSERT_TRUE(check_test_file(path_, std::nullopt));
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(2));
}

}  // namespace
}  // namespace raidscope
