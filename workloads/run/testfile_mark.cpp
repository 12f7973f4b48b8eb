#include "workloads/run/testfile_mark.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <memory>
#include <span>
#include <sstream>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <vector>

#include <sys/stat.h>
#include <sys/xattr.h>

#include <fmt/format.h>

#include "workloads/run/testfile_sample.h"

namespace raidscope {
namespace {

constexpr const char* temporary_attribute = "user.raidscope.temporary";
constexpr const char* padded_attribute = "user.raidscope.padded";

constexpr std::string_view kTitle = "raidscope-testfile/1";

/// What a mark beside a file must name to be of that file.
std::string inode_words(int fd) {
  struct statx stx {};
  if (::statx(fd, "", AT_EMPTY_PATH, STATX_INO | STATX_BTIME, &stx) != 0) return {};
  const bool born = (stx.stx_mask & STATX_BTIME) != 0;
  return fmt::format("inode={} born={}.{:09}", stx.stx_ino, born ? stx.stx_btime.tv_sec : 0,
                     born ? stx.stx_btime.tv_nsec : 0U);
}

std::map<std::string, std::string> pairs(const std::string& text) {
  std::map<std::string, std::string> out;
  std::istringstream in(text);
  for (std::string word; in >> word;)
    if (const auto equals = word.find('='); equals != std::string::npos)
      out[word.substr(0, equals)] = word.substr(equals + 1);
  return out;
}

std::optional<std::uint64_t> number(const std::map<std::string, std::string>& words,
                                    const char* key) {
  const auto it = words.find(key);
  if (it == words.end()) return std::nullopt;
  const std::string& text = it->second;
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

std::string print_mark(const TestFileMark& mark) {
  return fmt::format("{} content={} size={} seed={} done={}", kTitle, mark.content_version,
                     mark.size, mark.seed, mark.done);
}

std::optional<TestFileMark> parse_mark(const std::string& text) {
  if (std::string_view(text).substr(0, kTitle.size() + 1) != std::string(kTitle) + " ")
    return std::nullopt;
  const auto words = pairs(text);
  const auto content = number(words, "content");
  const auto size = number(words, "size");
  const auto seed = number(words, "seed");
  const auto done = number(words, "done");
  if (!content || *content > 1'000'000 || !size || *size == 0 || !seed || !done || *done > *size)
    return std::nullopt;
  return TestFileMark{static_cast<int>(*content), *size, *seed, *done};
}

std::string mark_file(const std::string& path) {
  return path + ".raidscope";
}

std::optional<TestFileMark> read_mark(int fd, const std::string& path) {
  std::array<char, 512> value{};
  const ssize_t got = ::fgetxattr(fd, kMarkAttribute, value.data(), value.size());
  if (got > 0) return parse_mark(std::string(value.data(), static_cast<std::size_t>(got)));
  if (got < 0 && errno == ENODATA) return std::nullopt;
  return read_mark_beside(fd, path);
}

std::optional<TestFileMark> read_mark_beside(int fd, const std::string& path) {
  std::ifstream in(mark_file(path));
  std::string line;
  if (!std::getline(in, line)) return std::nullopt;
  const std::string inode = inode_words(fd);
  if (inode.empty() || line.find(" " + inode) == std::string::npos) return std::nullopt;
  return parse_mark(line);
}

void mark_temporary(const std::string& path) {
  (void)::setxattr(path.c_str(), temporary_attribute, "1", 1, 0);
}

void mark_padded(const std::string& path) {
  (void)::setxattr(path.c_str(), padded_attribute, "1", 1, 0);
}

bool is_temporary(const std::string& path) {
  char value = 0;
  return ::getxattr(path.c_str(), temporary_attribute, &value, 1) == 1 && value == '1';
}

Status write_mark(int fd, const std::string& path, const TestFileMark& mark) {
  const std::string text = print_mark(mark);
  if (::fsetxattr(fd, kMarkAttribute, text.data(), text.size(), 0) == 0) return Done{};
  if (errno != ENOTSUP && errno != EPERM && errno != ENOSYS)
    return fail(errno == ENOSPC ? Errc::io : Errc::permission,
                "cannot mark the file as raidscope's", path, {}, errno);
  return write_mark_beside(fd, path, mark);
}

Status write_mark_beside(int fd, const std::string& path, const TestFileMark& mark) {
  const std::string text = print_mark(mark);
  const std::string beside = mark_file(path);
  const std::string draft = beside + ".new";
  const int out =
      ::open(draft.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (out < 0) return fail(Errc::io, "cannot write the mark beside the file", draft, {}, errno);
  const std::string line = text + " " + inode_words(fd) + "\n";
  const bool written =
      ::write(out, line.data(), line.size()) == static_cast<ssize_t>(line.size()) &&
      ::fsync(out) == 0;
  const int written_errno = errno;
  ::close(out);
  if (!written || std::rename(draft.c_str(), beside.c_str()) != 0) {
    const int code = written ? errno : written_errno;
    ::unlink(draft.c_str());
    return fail(Errc::io, "cannot write the mark beside the file", beside, {}, code);
  }
  return Done{};
}

void remove_mark(int fd, const std::string& path) {
  const bool ours = read_mark(fd, path).has_value();
  ::fremovexattr(fd, kMarkAttribute);
  if (ours) ::unlink(mark_file(path).c_str());
}

std::optional<TestFileMark> own_test_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return std::nullopt;
  const std::unique_ptr<const int, void (*)(const int*)> close_at_end(
      &fd, [](const int* f) { ::close(*f); });
  struct stat st {};
  if (::fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) return std::nullopt;
  const auto mark = read_mark(fd, path);
  if (!mark) return std::nullopt;
  const auto size = static_cast<std::uint64_t>(st.st_size);
  // A file that was being filled when the power went may not have got its size yet.
  if (size == 0) return mark->complete() ? std::nullopt : mark;
  if (size != mark->size) return std::nullopt;
  char word = 0;
  const bool padded = ::fgetxattr(fd, padded_attribute, &word, 1) == 1;
  constexpr std::size_t kSamples = 16;
  constexpr std::size_t kSampleBytes = 4096;
  std::vector<std::byte> sample(kSampleBytes);
  const auto places = sample_places(size, kSampleBytes, kSamples);
  std::size_t holes = 0;
  for (const std::uint64_t place : places) {
    const std::size_t length =
        static_cast<std::size_t>(std::min<std::uint64_t>(kSampleBytes, size - place));
    if (::pread(fd, sample.data(), length, static_cast<off_t>(place)) !=
        static_cast<ssize_t>(length))
      return std::nullopt;
    const std::span<const std::byte> bytes(sample.data(), length);
    // A hole is nobody's data. Else raidscope writes random data alone, in filling and in every
    // run, and zeros behind it in each piece where compressible content was asked for.
    if (bytes.size() >= sizeof(std::uint64_t) && all_zero(bytes)) {
      ++holes;
    } else if (padded ? is_not_random(without_padding(bytes)) : is_not_random(bytes)) {
      return std::nullopt;
    }
  }
  if (mark->complete() && holes * 2 > places.size()) return std::nullopt;
  return mark;
}

}  // namespace raidscope
