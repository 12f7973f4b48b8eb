#include "cli/test_file_choice.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <unistd.h>

#include <sys/statvfs.h>

#include <fmt/core.h>

#include "cli/inputs.h"

namespace raidscope::cli {
namespace {

constexpr std::uint64_t MiB = 1U << 20U;
constexpr std::uint64_t GiB = 1U << 30U;

std::string folder_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

/// An unnamed file shows whether the file system takes O_DIRECT without leaving a trace.
bool takes_direct_io(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_DIRECT | O_CLOEXEC, 0600);
  if (fd < 0) return false;
  ::close(fd);
  return true;
}

}  // namespace

Result<std::string> default_test_file() {
  for (const std::string folder : {".", "/var/tmp"}) {
    if (takes_direct_io(folder)) return folder + "/raidscope-test.dat";
  }
  return fail(Errc::unsupported,
              "neither this folder nor /var/tmp is writable and takes direct I/O", ".",
              "name a file on the storage to measure with --target FILE");
}

std::optional<std::uint64_t> available_memory() {
  const auto text = read_input("/proc/meminfo");
  if (!text) return std::nullopt;
  constexpr std::string_view key = "MemAvailable:";
  const std::size_t at = text->find(key);
  if (at == std::string::npos) return std::nullopt;
  std::uint64_t kib = 0;
  const std::size_t digits = text->find_first_not_of(' ', at + key.size());
  if (digits == std::string::npos) return std::nullopt;
  const char* end = text->data() + text->size();
  if (std::from_chars(text->data() + digits, end, kib).ec != std::errc{}) return std::nullopt;
  return kib * 1024;
}

Result<FileSystemSpace> space_at(const std::string& path) {
  const std::string folder = folder_of(path);
  struct statvfs status {};
  if (::statvfs(folder.c_str(), &status) != 0) {
    return fail(Errc::not_found, "the folder of the test file cannot be read", folder, "", errno);
  }
  return FileSystemSpace{std::uint64_t{status.f_blocks} * status.f_frsize,
                         std::uint64_t{status.f_bavail} * status.f_frsize};
}

std::uint64_t default_file_size(std::optional<std::uint64_t> usable_cache,
                                const FileSystemSpace& space, std::uint64_t least) {
  std::uint64_t size = usable_cache ? 8 * *usable_cache : (space.total < 32 * GiB ? GiB : 4 * GiB);
  size = std::min(size, space.free / 4);
  if (least > size && least < space.free) size = least;
  return std::max<std::uint64_t>(size / MiB, 1) * MiB;
}

}  // namespace raidscope::cli
