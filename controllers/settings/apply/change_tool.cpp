#include "controllers/settings/apply/change_tool.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
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

std::vector<char*> pointers(std::vector<std::string>& words) {
  std::vector<char*> out;
  for (std::string& word : words) out.push_back(word.data());
  out.push_back(nullptr);
  return out;
}

struct Answer {
  int status = 0;
  std::string output;
};

Result<Answer> run(std::vector<std::string> argv, const UniqueFd& lock) {
  // A file in memory and no pipe: a tool that goes on alone must not die of a closed one.
  const UniqueFd output(::memfd_create("vendor-tool", MFD_CLOEXEC));
  if (!output) return fail(Errc::io, "no memory for the vendor tool's answer", argv[0], "", errno);
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  constexpr int kept = STDERR_FILENO + 1;
  // First, because the others could be in the way of its number.
  const UniqueFd high_lock(::fcntl(lock.get(), F_DUPFD_CLOEXEC, 100));
  const UniqueFd high_output(::fcntl(output.get(), F_DUPFD_CLOEXEC, 100));
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, high_output.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, high_output.get(), STDERR_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, high_lock.get(), kept);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, kept + 1);
  ::posix_spawn_file_actions_addchdir_np(&actions, "/");
  sigset_t none{};
  sigset_t all{};
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  // A session of its own: neither the terminal's Ctrl-C nor its end reaches it.
  ::posix_spawnattr_setflags(&attributes,
                             POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  std::vector<std::string> environment = vendor_tool_environment();
  auto argument_pointers = pointers(argv);
  auto environment_pointers = pointers(environment);
  pid_t pid = -1;
  const int started = ::posix_spawn(&pid, argv[0].c_str(), &actions, &attributes,
                                    argument_pointers.data(), environment_pointers.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  if (started != 0)
    return fail(Errc::unsupported, "cannot start the vendor tool", argv[0],
                "name it with --ssacli PATH", started);
  Answer answer;
  int status = 0;
  while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
  }
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
    RAIDSCOPE_TRY(const UniqueFd lock, take_vendor_tool_lock(folders, std::chrono::minutes(10)));
    RAIDSCOPE_TRY(const Answer answer, run(argv, lock));
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
