#include "controllers/settings/apply/change_tool.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <thread>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/wait.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "probe/base/text.h"
#include "probe/os/tool_runner.h"

namespace raidscope::settings {
namespace {

struct Answer {
  int status = 0;
  std::string output;
};

constexpr std::chrono::seconds long_wait{10};

/// Waits for the tool, whatever comes; says so when it takes long or the user wants to end.
int wait_for(pid_t pid, const ChangeToolOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  bool told_long = false, told_stop = !options.stop || options.stop();
  int status = 0;
  for (;;) {
    const pid_t ended = ::waitpid(pid, &status, WNOHANG);
    if (ended == pid || (ended < 0 && errno != EINTR)) return status;
    const bool too_long = !told_long && std::chrono::steady_clock::now() - begin >= long_wait;
    const bool stopped = !told_stop && options.stop();
    if ((too_long || stopped) && options.say) {
      options.say(fmt::format(
          "waiting for the vendor tool (process {}), whose change is under way and is not killed{}",
          pid, stopped ? "; what was changed is put back when it has ended" : ""));
    }
    told_long = told_long || too_long;
    told_stop = told_stop || stopped;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
}

Result<Answer> run(const std::vector<std::string>& argv, const UniqueFd& lock,
                   const ChangeToolOptions& options) {
  // A file in memory and no pipe: a tool that goes on alone must not die of a closed one.
  const UniqueFd output(::memfd_create("vendor-tool", MFD_CLOEXEC));
  if (!output) return fail(Errc::io, "no memory for the vendor tool's answer", argv[0], "", errno);
  pid_t pid = -1;
  const int started = start_vendor_tool(argv, {output.get(), output.get(), lock.get(), true}, pid);
  if (started != 0)
    return fail(Errc::unsupported, "cannot start the vendor tool", argv[0],
                "name it with --ssacli PATH", started);
  Answer answer;
  const int status = wait_for(pid, options);
  answer.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  std::array<char, 65536> buffer;
  ::lseek(output.get(), 0, SEEK_SET);
  for (;;) {
    const ssize_t n = ::read(output.get(), buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0 || answer.output.size() > (1U << 20U)) break;
    answer.output.append(buffer.data(), static_cast<std::size_t>(n));
  }
  return answer;
}

/// The line that says what was wrong, or nothing.
std::string error_line(const std::string& output) {
  std::size_t at = 0;
  while (at < output.size()) {
    const std::size_t end = std::min(output.find('\n', at), output.size());
    const std::string_view line = text::trim(std::string_view(output).substr(at, end - at));
    if (line.starts_with("Error:")) return text::to_utf8(text::trim(line.substr(6)));
    at = end + 1;
  }
  return {};
}

}  // namespace

Status change_setting(const ChangeToolOptions& options, const ChangeCommand& command) {
  std::vector<std::string> argv{options.tool};
  argv.insert(argv.end(), command.words().begin(), command.words().end());
  const std::string words = fmt::format("{}", fmt::join(argv, " "));
  const std::vector<std::string> folders =
      options.lock_folders.empty() ? default_lock_folders() : options.lock_folders;
  constexpr std::array pauses{std::chrono::seconds(1), std::chrono::seconds(2),
                              std::chrono::seconds(4), std::chrono::seconds(0)};
  for (const auto pause : pauses) {
    RAIDSCOPE_TRY(const UniqueFd lock,
                  take_vendor_tool_lock(folders, std::chrono::minutes(10), options.say));
    RAIDSCOPE_TRY(const Answer answer, run(argv, lock, options));
    const std::string error = error_line(answer.output);
    if (answer.status == 0 && error.empty()) return Done{};
    if (says_another_instance(answer.output) && pause.count() != 0) {
      std::this_thread::sleep_for(pause);
      continue;
    }
    return fail(Errc::io,
                error.empty() ? fmt::format("the vendor tool ended with {}", answer.status)
                              : fmt::format("the vendor tool refused: {}", error),
                words, "");
  }
  return Done{};
}

}  // namespace raidscope::settings
