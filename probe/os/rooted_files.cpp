#include "probe/os/rooted_files.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <deque>
#include <dirent.h>
#include <fcntl.h>
#include <memory>
#include <utility>

#include <sys/stat.h>

#include "probe/base/os_error.h"

namespace raidscope {
namespace {

constexpr int max_links = 40;  // what the kernel itself follows

void push_front_parts(std::deque<std::string>& parts, std::string_view path) {
  std::vector<std::string> found;
  while (!path.empty()) {
    const auto slash = path.find('/');
    const auto part = path.substr(0, slash);
    if (!part.empty() && part != ".") found.emplace_back(part);
    path = slash == std::string_view::npos ? std::string_view{} : path.substr(slash + 1);
  }
  parts.insert(parts.begin(), found.begin(), found.end());
}

}  // namespace

RootedFiles::RootedFiles(std::string root)
    : root_(std::move(root)), whole_machine_(root_.empty() || root_ == "/") {
  if (whole_machine_) root_.clear();
  while (root_.size() > 1 && root_.back() == '/') root_.pop_back();
  root_fd_.reset(::open(whole_machine_ ? "/" : root_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
  if (!root_fd_) root_errno_ = errno;
}

std::string RootedFiles::shown(std::string_view path) const {
  std::string out = root_ + "/";
  out += path.starts_with('/') ? path.substr(1) : path;
  return out;
}

Result<std::string> RootedFiles::resolve(std::string_view path) const {
  if (!root_fd_) return fail_errno(root_errno_, "cannot open the root", root_);
  std::deque<std::string> todo;
  push_front_parts(todo, path);
  std::vector<std::string> done;
  const auto joined = [&done] {
    std::string out;
    for (const auto& part : done) {
      if (!out.empty()) out += '/';
      out += part;
    }
    return out;
  };
  int links = 0;
  std::array<char, PATH_MAX> target{};
  while (!todo.empty()) {
    std::string part = std::move(todo.front());
    todo.pop_front();
    if (part == "..") {
      if (!done.empty()) done.pop_back();
      continue;
    }
    done.push_back(std::move(part));
    const std::string here = whole_machine_ ? "/" + joined() : joined();
    const auto length = ::readlinkat(root_fd_.get(), here.c_str(), target.data(), target.size());
    if (length < 0) {
      if (errno == EINVAL) continue;  // not a link
      return fail_errno(errno, "cannot find", shown(path));
    }
    if (++links > max_links) return fail_errno(ELOOP, "too many links", shown(path));
    const std::string_view text(target.data(), static_cast<std::size_t>(length));
    done.pop_back();
    if (text.starts_with('/')) done.clear();
    push_front_parts(todo, text);
  }
  return joined();
}

Result<UniqueFd> RootedFiles::open(std::string_view path, int flags) const {
  if (!root_fd_) return fail_errno(root_errno_, "cannot open the root", root_);
  std::string real(path.starts_with('/') ? path.substr(1) : path);
  if (whole_machine_) {
    // The kernel follows links as we would, in one call.
    real.insert(0, "/");
  } else {
    RAIDSCOPE_TRY(real, resolve(real));
    if (real.empty()) real = ".";
    flags |= O_NOFOLLOW;
  }
  const int fd = ::openat(root_fd_.get(), real.c_str(), flags | O_RDONLY | O_CLOEXEC);
  if (fd < 0) return fail_errno(errno, "cannot read", shown(path));
  return UniqueFd(fd);
}

Result<std::string> RootedFiles::read(std::string_view path) const {
  // O_NONBLOCK, so that a FIFO in a given root cannot hold us.
  RAIDSCOPE_TRY(const UniqueFd fd, open(path, O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0) return fail_errno(errno, "cannot read", shown(path));
  if (S_ISDIR(status.st_mode)) return fail_errno(EISDIR, "cannot read", shown(path));
  if (!S_ISREG(status.st_mode)) {
    return fail(Errc::unsupported, "not a regular file", shown(path));
  }
  std::string out;
  std::array<char, 16384> buffer;
  while (out.size() < max_file_bytes) {
    const auto want = std::min(buffer.size(), max_file_bytes - out.size());
    const auto got = ::read(fd.get(), buffer.data(), want);
    if (got < 0) {
      if (errno == EINTR) continue;
      return fail_errno(errno, "cannot read", shown(path));
    }
    if (got == 0) break;
    out.append(buffer.data(), static_cast<std::size_t>(got));
  }
  return out;
}

Result<std::vector<std::string>> RootedFiles::list(std::string_view directory) const {
  RAIDSCOPE_TRY(UniqueFd fd, open(directory, O_DIRECTORY));
  DIR* const opened = ::fdopendir(fd.get());
  if (opened == nullptr) return fail_errno(errno, "cannot list", shown(directory));
  static_cast<void>(fd.release());  // the stream owns it now
  const std::unique_ptr<DIR, int (*)(DIR*)> stream(opened, ::closedir);
  std::vector<std::string> names;
  while (true) {
    errno = 0;
    const dirent* const entry = ::readdir(stream.get());
    if (entry == nullptr) {
      if (errno != 0) return fail_errno(errno, "cannot list", shown(directory));
      break;
    }
    const std::string_view name = entry->d_name;
    if (name != "." && name != "..") names.emplace_back(name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace raidscope
