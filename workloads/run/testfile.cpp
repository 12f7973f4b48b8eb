#include "workloads/run/testfile.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <string>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <fmt/format.h>

#include "workloads/content.h"
#include "workloads/run/testfile_fill.h"
#include "workloads/run/testfile_mark.h"

namespace raidscope {
namespace {

/// A process that was killed keeps its lock until the kernel has ended its writes in flight.
bool lock_soon(int fd) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK) return true;  // a file system without locks
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  return true;
}

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_ = -1;
};

struct OpenedFile {
  Descriptor fd;
  bool created = false;
};

/// Opens what the consent is for, or makes it; nothing is changed in a file that was there.
Result<OpenedFile> open_for_filling(const WriteConsent& consent) {
  const std::string& path = consent.real_path();
  OpenedFile file;
  if (consent.identity().inode == 0) {
    file.fd =
        Descriptor(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644));
    file.created = file.fd.get() >= 0;
  }
  if (!file.created) {
    if (consent.identity().inode == 0 && errno != EEXIST)
      return fail(errno == EACCES || errno == EPERM || errno == EROFS ? Errc::permission : Errc::io,
                  "cannot make the test file", path, {}, errno);
    file.fd = Descriptor(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_CLOEXEC));
    if (file.fd.get() < 0)
      return fail(errno == ENOENT                     ? Errc::not_found
                  : errno == EACCES || errno == EPERM ? Errc::permission
                                                      : Errc::io,
                  "cannot open the test file", path, {}, errno);
  }
  if (!lock_soon(file.fd.get()))
    return fail(Errc::busy, "another process is filling this file", path,
                "wait for it, or name another file");
  struct stat st {};
  if (::fstat(file.fd.get(), &st) != 0 || !S_ISREG(st.st_mode))
    return fail(Errc::refused, "not a plain file", path);
  if (file.created) {
    consent.created({false, st.st_dev, st.st_ino});
  } else if (consent.identity().inode != 0) {
    RAIDSCOPE_CHECK(consent.confirm(file.fd.get()));
  }
  return file;
}

Status keep_space_free(int fd, const std::string& path, std::uint64_t size) {
  struct statvfs vfs {};
  struct stat st {};
  if (::fstatvfs(fd, &vfs) != 0 || ::fstat(fd, &st) != 0 || vfs.f_blocks == 0) return Done{};
  const std::uint64_t allocated = static_cast<std::uint64_t>(st.st_blocks) * 512;
  const std::uint64_t needed = size > allocated ? size - allocated : 0;
  const std::uint64_t total = vfs.f_blocks * vfs.f_frsize;
  const std::uint64_t free = vfs.f_bavail * vfs.f_frsize;
  const std::uint64_t keep = bytes_kept_free(total);
  if (needed == 0 || (free >= keep && needed <= free - keep)) return Done{};
  return fail(Errc::refused, "too little space would stay free", path,
              fmt::format("{} MiB are needed, {} MiB are free, and {} MiB (the larger of 1 GiB and "
                          "5 % of the file system) must stay free; take a smaller --size",
                          needed >> 20, free >> 20, keep >> 20));
}

bool has_hole(int fd, std::uint64_t size) {
  const off_t hole = ::lseek(fd, 0, SEEK_HOLE);
  return hole >= 0 && static_cast<std::uint64_t>(hole) < size;
}

Status sync_directory(const std::string& path) {
  const Descriptor directory(
      ::open(fs::path(path).parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // Not every file system can sync a directory; the file itself is already on the disk.
  if (directory.get() >= 0) ::fsync(directory.get());
  return Done{};
}

/// Blocks for the whole size, so that a full disk shows before the filling and the file lies in one
/// piece where it can.
Status allocate(int fd, const std::string& path, std::uint64_t size) {
  if (::fallocate(fd, 0, 0, static_cast<off_t>(size)) == 0) return Done{};
  if (errno == EOPNOTSUPP || errno == ENOSYS) {
    if (::ftruncate(fd, static_cast<off_t>(size)) == 0) return Done{};
  }
  if (errno == EFBIG)
    return fail(Errc::io, "the file system cannot hold a file of this size", path,
                "take a smaller --size, or another file system", errno);
  return fail(Errc::io, "no space for the test file", path, "free some, or take a smaller --size",
              errno);
}

class Filling {
 public:
  Filling(int fd, const std::string& path, TestFileMark mark, const ByteProgress& progress)
      : fd_(fd), path_(path), mark_(mark), progress_(progress) {}

  /// Fills from mark.done on.
  Status run() {
    if (!show(mark_.done)) return stop(mark_.done);
    FillJob job{fd_, mark_.done / kFillChunk * kFillChunk, mark_.size, mark_.seed, true};
    const int flags = ::fcntl(fd_, F_GETFL);
    job.direct = ::fcntl(fd_, F_SETFL, flags | O_DIRECT) == 0;
    const FillProgress step = [this](std::uint64_t written) { return this->step(written); };
    auto end = fill_file(job, step);
    if (!end && end.error().code == Errc::unsupported && job.direct) {
      ::fcntl(fd_, F_SETFL, flags & ~O_DIRECT);
      job.direct = false;
      end = fill_file(job, step);
    }
    ::fcntl(fd_, F_SETFL, flags & ~O_DIRECT);
    if (!end) return tl::unexpected<Error>(end.error());
    // The last direct write goes in whole blocks.
    if (::ftruncate(fd_, static_cast<off_t>(mark_.size)) != 0)
      return fail(Errc::io, "cannot set the size", path_, {}, errno);
    if (end->stopped) return stop(end->written);
    if (::fsync(fd_) != 0) return fail(Errc::io, "cannot bring it to the disk", path_, {}, errno);
    // What a fallback left in the page cache must not answer later reads.
    ::posix_fadvise(fd_, 0, 0, POSIX_FADV_DONTNEED);
    mark_.done = mark_.size;
    RAIDSCOPE_CHECK(write_mark(fd_, path_, mark_));
    if (::fsync(fd_) != 0) return fail(Errc::io, "cannot bring it to the disk", path_, {}, errno);
    show(mark_.size);
    return Done{};
  }

 private:
  bool show(std::uint64_t done) { return !progress_ || progress_(done, mark_.size); }

  bool step(std::uint64_t written) {
    const auto now = Clock::now();
    if (now - saved_ > std::chrono::seconds(10)) {
      // Only what is on the disk may be skipped after a crash.
      if (::fdatasync(fd_) == 0) {
        mark_.done = std::min(written, mark_.size - 1);
        static_cast<void>(write_mark(fd_, path_, mark_));
      }
      saved_ = Clock::now();
    }
    if (now - shown_ < std::chrono::milliseconds(200)) return true;
    shown_ = now;
    return show(written);
  }

  Status stop(std::uint64_t written) {
    if (::fdatasync(fd_) == 0) {
      mark_.done = std::min(written, mark_.size - 1);
      static_cast<void>(write_mark(fd_, path_, mark_));
    }
    return fail(Errc::interrupted, "stopped while the test file was filled", path_,
                fmt::format("{} of {} MiB are there; the same command goes on from them",
                            mark_.done >> 20, mark_.size >> 20));
  }

  int fd_;
  const std::string& path_;
  TestFileMark mark_;
  const ByteProgress& progress_;
  Clock::time_point saved_ = Clock::now();
  Clock::time_point shown_{};
};

}  // namespace

Status create_test_file(const WriteConsent& consent, std::uint64_t size, std::uint64_t seed,
                        const ByteProgress& progress) {
  const std::string& path = consent.real_path();
  if (consent.identity().block)
    return fail(Errc::usage, "a test file is asked for, but this is a device", path,
                "name a file; a device is measured as it is");
  if (size == 0 || size > static_cast<std::uint64_t>(INT64_MAX) - kFillChunk)
    return fail(Errc::usage, "no size for a test file", path, "--size 100G");
  RAIDSCOPE_TRY(const OpenedFile file, open_for_filling(consent));
  const int fd = file.fd.get();
  std::optional<TestFileMark> found;
  if (!file.created) {
    found = own_test_file(path);
    if (!found && !consent.foreign_data_may_go())
      return fail(Errc::refused, "a file that raidscope did not make", path,
                  "name another file, or if its content may be destroyed: --destroy-data " + path);
  }
  TestFileMark mark{kContentVersion, size, seed, 0};
  if (found && found->content_version == kContentVersion) {
    if (found->complete() && found->size == size && !has_hole(fd, size)) {
      if (progress) progress(size, size);
      return Done{};
    }
    if (found->seed == seed && (!found->complete() || !has_hole(fd, found->size)))
      mark.done = std::min(found->done, size - 1);
  }
  Status result = keep_space_free(fd, path, size);
  if (!result) {
    if (file.created) ::unlink(path.c_str());
    return result;
  }
  if (!file.created && ::ftruncate(fd, static_cast<off_t>(found ? size : 0)) != 0)
    return fail(Errc::io, "cannot set the size", path, {}, errno);
  result = write_mark(fd, path, mark);
  if (result) result = allocate(fd, path, size);
  if (result) result = Filling(fd, path, mark, progress).run();
  if (result) return sync_directory(path);

  Error error = std::move(result).error();
  if (error.where.empty()) error.where = path;
  if (error.code == Errc::interrupted) return tl::unexpected<Error>(std::move(error));
  if (error.os_errno == EIO) {
    error.hint =
        "the partial file stays there and is not taken for a full one; look for a failing "
        "drive in the kernel log: dmesg";
    return tl::unexpected<Error>(std::move(error));
  }
  remove_mark(fd, path);
  const bool removed = ::unlink(path.c_str()) == 0;
  const std::string fate =
      removed ? "the partial file was removed" : "the partial file stays there";
  error.hint += (error.hint.empty() ? "" : "; ") + fate;
  if (error.os_errno == ENOSPC || error.os_errno == EDQUOT)
    error.message = "the disk is full: " + error.message;
  return tl::unexpected<Error>(std::move(error));
}

Status remove_test_file(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (file.get() < 0) {
    if (errno == ENOENT) return Done{};
    return fail(errno == EACCES ? Errc::permission : Errc::io, "cannot open the test file", path,
                {}, errno);
  }
  if (!own_test_file(path))
    return fail(Errc::refused, "not removed: raidscope did not make this file", path);
  if (::unlink(path.c_str()) != 0)
    return fail(errno == EACCES || errno == EPERM ? Errc::permission : Errc::io,
                "cannot remove the test file", path, {}, errno);
  if (read_mark(file.get(), path)) ::unlink(mark_file(path).c_str());
  return Done{};
}

}  // namespace raidscope
