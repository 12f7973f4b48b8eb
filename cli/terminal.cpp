#include "cli/terminal.h"

#include <cerrno>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <unistd.h>

#include <sys/ioctl.h>
#include <sys/stat.h>

#include <fmt/core.h>

namespace raidscope::cli {
namespace {

/// Writes all of it or says why not.
bool write_all(int fd, std::string_view data) {
  while (!data.empty()) {
    const ssize_t n = ::write(fd, data.data(), data.size());
    if (n < 0) {
      if (errno == EINTR) continue;
      return false;
    }
    data.remove_prefix(static_cast<std::size_t>(n));
  }
  return true;
}

/// Words of an input may hold anything; a terminal must not obey them.
std::string printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const auto code = static_cast<unsigned char>(c);
    // U+0080 to U+009F are control characters too, two bytes each.
    const bool high =
        code == 0xC2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xA0;
    if (high) ++i;
    out += high || (code < 0x20 && c != '\n' && c != '\t') || code == 0x7F ? '?' : c;
  }
  return out;
}

int terminal_width() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) return size.ws_col;
  return 100;
}

}  // namespace

TextStyle output_style(const Arguments& arguments) {
  TextStyle style;
  const bool terminal = ::isatty(STDOUT_FILENO) == 1 && !arguments.has("output");
  const char* no_color = std::getenv("NO_COLOR");
  style.color = terminal && (no_color == nullptr || *no_color == '\0');
  if (terminal) style.width = terminal_width();
  return style;
}

Status write_file_atomically(const std::string& path, std::string_view data) {
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  if (exists && !S_ISREG(existing.st_mode)) {
    // /dev/stdout, a pipe: nothing to replace, so it is written directly.
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) return fail(Errc::io, "cannot write the output", path, "", errno);
    const bool written = write_all(fd, data);
    const int problem = errno;
    ::close(fd);
    if (!written) return fail(Errc::io, "cannot write the output", path, "", problem);
    return Done{};
  }
  const std::string temporary = fmt::format("{}.{}.tmp", path, ::getpid());
  const mode_t mode = exists ? existing.st_mode & 07777U : 0666U;
  const int fd = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd < 0) return fail(Errc::io, "cannot write the output", path, "", errno);
  bool good = write_all(fd, data) && ::fsync(fd) == 0;
  int problem = errno;
  if (::close(fd) != 0 && good) {
    good = false;
    problem = errno;
  }
  if (good && ::rename(temporary.c_str(), path.c_str()) != 0) {
    good = false;
    problem = errno;
  }
  if (!good) {
    ::unlink(temporary.c_str());
    return fail(Errc::io, "cannot write the output", path, "", problem);
  }
  return Done{};
}

ExitCode write_data(const Arguments& arguments, std::string_view data) {
  if (const auto path = arguments.get("output"); path && *path != "-") {
    if (path->empty())
      return complain(exit_usage, "--output needs a file name, or - for the screen");
    const Status written = write_file_atomically(*path, data);
    if (!written) {
      complain(written.error());
      return exit_cannot_write;
    }
    return exit_done;
  }
  return print_data(data);
}

ExitCode print_data(std::string_view data) {
  if (!write_all(STDOUT_FILENO, data)) {
    complain(Error{Errc::io, "cannot write to standard output", "", "", errno});
    return exit_cannot_write;
  }
  return exit_done;
}

ExitCode complain(const Error& error) {
  return complain(exit_code(error), describe(error));
}

ExitCode complain(ExitCode code, const std::string& message) {
  write_all(STDERR_FILENO, fmt::format("raidscope: {}\n", printable(message)));
  return code;
}

void note(const Arguments& arguments, std::string_view text) {
  if (arguments.has("quiet")) return;
  write_all(STDERR_FILENO, fmt::format("raidscope: note: {}\n", printable(text)));
}

void warn(std::string_view text) {
  write_all(STDERR_FILENO, fmt::format("raidscope: warning: {}\n", printable(text)));
}

ProgressLine::ProgressLine(const Arguments& arguments)
    : enabled_(::isatty(STDERR_FILENO) == 1 && !arguments.has("quiet")),
      started_(std::chrono::steady_clock::now()) {}

ProgressLine::~ProgressLine() {
  clear();
}

void ProgressLine::show(std::string_view text) {
  if (!enabled_) return;
  const auto now = std::chrono::steady_clock::now();
  if (now - started_ < std::chrono::seconds(2) || now - last_ < std::chrono::milliseconds(200))
    return;
  last_ = now;
  shown_ = true;
  write_all(STDERR_FILENO, fmt::format("\r\033[K{}", text));
}

void ProgressLine::clear() {
  if (shown_) write_all(STDERR_FILENO, "\r\033[K");
  shown_ = false;
}

std::string duration_words(double seconds) {
  if (seconds > 0 && seconds < 0.95) return fmt::format("{:.1f} s", std::max(0.1, seconds));
  const auto s = static_cast<long long>(std::llround(std::max(0.0, seconds)));
  if (s >= 3600) return fmt::format("{} h {:02} min", s / 3600, s % 3600 / 60);
  if (s >= 60)
    return s % 60 == 0 ? fmt::format("{} min", s / 60)
                       : fmt::format("{} min {:02} s", s / 60, s % 60);
  return fmt::format("{} s", s);
}

std::string size_words(double bytes) {
  constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  std::size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(units)) {
    bytes /= 1024;
    ++unit;
  }
  return unit == 0 ? fmt::format("{:.0f} B", bytes) : fmt::format("{:.1f} {}", bytes, units[unit]);
}

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

}  // namespace raidscope::cli
