#include "reports/store/leftovers.h"

#include <array>
#include <fcntl.h>
#include <filesystem>
#include <unistd.h>
#include <utility>

#include <sys/stat.h>

namespace raidscope::sqlite {
namespace {

namespace fs = std::filesystem;

bool is_there(const std::string& path) {
  struct stat info {};
  return ::lstat(path.c_str(), &info) == 0;
}

off_t length_of(const std::string& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 ? info.st_size : 0;
}

// Every connection of SQLite holds a lock in these bytes ("The SQLite File Format", lock bytes).
bool nobody_else_has_it(int fd) {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = 0x40000000;
  lock.l_len = 512;
  return ::fcntl(fd, F_SETLK, &lock) == 0;
}

// Page 1 says whether a store was begun: the version at byte 60 and the application at byte 68.
bool was_never_made(int fd) {
  std::array<unsigned char, 12> header{};
  const ssize_t n = ::pread(fd, header.data(), header.size(), 60);
  if (n == 0) return true;
  if (n != static_cast<ssize_t>(header.size())) return false;
  const auto zero = [&](std::size_t at) {
    return header[at] == 0 && header[at + 1] == 0 && header[at + 2] == 0 && header[at + 3] == 0;
  };
  return zero(0) && zero(8);
}

}  // namespace

Leftovers::Leftovers(std::string path)
    : path_(std::move(path)),
      file_was_there_(is_there(path_)),
      log_was_there_(is_there(path_ + "-wal")),
      index_was_there_(is_there(path_ + "-shm")) {
  for (fs::path folder = fs::path(path_).parent_path();
       !folder.empty() && !is_there(folder.string()); folder = folder.parent_path()) {
    first_folder_ = folder.string();
  }
}

void Leftovers::clear() const {
  if (const int fd = ::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW); fd >= 0) {
    const std::string log = path_ + "-wal";
    if (nobody_else_has_it(fd) && length_of(log) == 0) {
      if (!index_was_there_) ::unlink((path_ + "-shm").c_str());
      if (!log_was_there_) ::unlink(log.c_str());
      if (!file_was_there_ && was_never_made(fd)) {
        ::unlink((path_ + "-journal").c_str());
        ::unlink(path_.c_str());
      }
    }
    ::close(fd);
  }
  if (first_folder_.empty()) return;
  // Only folders without anything in them go.
  for (fs::path folder = fs::path(path_).parent_path(); ::rmdir(folder.c_str()) == 0;
       folder = folder.parent_path()) {
    if (folder == fs::path(first_folder_)) break;
  }
}

}  // namespace raidscope::sqlite
