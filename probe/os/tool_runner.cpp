#include "probe/os/tool_runner.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <limits>
#include <optional>
#include <poll.h>
#include <spawn.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include <sys/file.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "probe/base/os_error.h"
#include "probe/os/unique_fd.h"

namespace raidscope {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/// Newest first: an old package is often left behind beside the new one.
constexpr std::array<std::string_view, 3> tool_names{"ssacli", "hpssacli", "hpacucli"};
constexpr std::array<std::string_view, 9> tool_folders{"/usr/sbin",
                                                       "/usr/bin",
                                                       "/sbin",
                                                       "/opt/smartstorageadmin/ssacli/bin",
                                                       "/opt/hp/ssacli/bld",
                                                       "/opt/hp/hpssacli/bld",
                                                       "/opt/hp/hpssacli/bin",
                                                       "/opt/compaq/hpacucli/bld",
                                                       "/usr/local/sbin"};
/// A tool in uninterruptible sleep outlives SIGKILL; it is then left to the kernel.
constexpr Milliseconds unkillable_wait{2000};

bool is_program(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

std::vector<std::string> search_folders() {
  std::vector<std::string> folders;
  const char* const path = std::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const auto colon = rest.find(':');
    const auto folder = rest.substr(0, colon);
    // A relative entry would run whatever lies in the present folder, perhaps as root.
    if (folder.starts_with('/')) folders.emplace_back(folder);
    rest = colon == std::string_view::npos ? std::string_view{} : rest.substr(colon + 1);
  }
  folders.insert(folders.end(), tool_folders.begin(), tool_folders.end());
  return folders;
}

std::vector<std::string> arguments(ToolQuery query) {
  switch (query) {
    case ToolQuery::show_config_detail:
      return {"ctrl", "all", "show", "config", "detail"};
    case ToolQuery::version:
      return {"version"};
  }
  return {"version"};
}

std::vector<char*> pointers(std::vector<std::string>& texts) {
  std::vector<char*> out;
  out.reserve(texts.size() + 1);
  for (auto& text : texts) out.push_back(text.data());
  out.push_back(nullptr);
  return out;
}

std::vector<std::string> environment() {
  std::vector<std::string> out;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text = *entry;
    if (text.starts_with("LC_ALL=") || text.starts_with("LANGUAGE=") ||
        text.starts_with("INFOMGR_BYPASS_NONSA=")) {
      continue;
    }
    out.emplace_back(text);
  }
  out.emplace_back("LC_ALL=C");
  // Leaves out disks that are no Smart Array's: a start with many SAN disks takes minutes
  // otherwise.
  out.emplace_back("INFOMGR_BYPASS_NONSA=1");
  return out;
}

struct Pipe {
  UniqueFd read, write;
};

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return fail_errno(errno, "cannot make a pipe");
  Pipe out{UniqueFd(ends[0]), UniqueFd(ends[1])};
  if (::fcntl(out.read.get(), F_SETFL, O_NONBLOCK) != 0) {
    return fail_errno(errno, "cannot make a pipe");
  }
  return out;
}

/// Holds back the signals that ask a program to end, so that a child can be stopped before they
/// take their course. They stay pending: whoever handles them sees them when this object ends.
class EndSignals {
 public:
  EndSignals() {
    sigset_t held{};
    ::sigemptyset(&held);
    for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction action {};
      // A signal that is ignored would stay pending too.
      if (::sigaction(number, nullptr, &action) == 0 && action.sa_handler != SIG_IGN) {
        ::sigaddset(&held, number);
      }
    }
    ::pthread_sigmask(SIG_BLOCK, &held, &before_);
    fd_.reset(::signalfd(-1, &held, SFD_CLOEXEC | SFD_NONBLOCK));
  }
  EndSignals(const EndSignals&) = delete;
  EndSignals& operator=(const EndSignals&) = delete;
  ~EndSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
  [[nodiscard]] int fd() const { return fd_.get(); }
  [[nodiscard]] bool came() const { return came_within(Milliseconds(0)); }
  [[nodiscard]] bool came_within(Milliseconds time) const {
    pollfd wait{fd_.get(), POLLIN, 0};
    return ::poll(&wait, 1, static_cast<int>(time.count())) > 0;
  }

 private:
  sigset_t before_{};
  UniqueFd fd_;
};

/// One started program and what it prints.
class Child {
 public:
  static Result<Child> start(const std::vector<std::string>& argv) {
    RAIDSCOPE_TRY(Pipe out, make_pipe());
    RAIDSCOPE_TRY(Pipe err, make_pipe());
    pid_t pid = -1;
    const int status = start_vendor_tool(argv, {out.write.get(), err.write.get()}, pid);
    if (status == ENOEXEC || status == EACCES || status == ENOENT) {
      return fail(Errc::unsupported, "cannot start the vendor tool", argv[0],
                  "it is no program that this machine runs, or its interpreter is missing; name "
                  "another with --ssacli",
                  status);
    }
    if (status != 0) return fail_errno(status, "cannot start the vendor tool", argv[0]);
    return Child(pid, std::move(out.read), std::move(err.read));
  }

  Child(Child&& other) noexcept
      : pid_(std::exchange(other.pid_, -1)),
        out_(std::move(other.out_)),
        err_(std::move(other.err_)),
        exited_(std::move(other.exited_)) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  Child& operator=(Child&&) = delete;
  ~Child() {
    if (pid_ > 0) stop(Milliseconds(0));
  }

  /// Reads until the program has ended, `until` has passed, more than `limit` bytes or a signal
  /// came. True when it ended; what a process that it left behind may still print is not waited
  /// for.
  bool collect(Clock::time_point until, std::size_t limit, const EndSignals& signals) {
    while (!too_much(limit) && !signals.came()) {
      if (has_ended()) {
        drain(limit);
        return true;
      }
      const auto left = std::chrono::ceil<Milliseconds>(until - Clock::now());
      if (left.count() <= 0) return false;
      std::array<pollfd, 4> waits{pollfd{out_.get(), POLLIN, 0}, pollfd{err_.get(), POLLIN, 0},
                                  pollfd{exited_.get(), POLLIN, 0},
                                  pollfd{signals.fd(), POLLIN, 0}};
      // Without a pidfd (before Linux 5.3) the end of the process is noticed by looking.
      const Milliseconds nap = exited_ ? left : std::min(left, Milliseconds(10));
      ::poll(waits.data(), waits.size(),
             static_cast<int>(std::min<Milliseconds::rep>(nap.count(), 60'000)));
      drain(limit);
    }
    return false;
  }

  [[nodiscard]] bool too_much(std::size_t limit) const {
    return out_text_.size() + err_text_.size() > limit;
  }
  [[nodiscard]] pid_t pid() const { return pid_; }

  /// SIGTERM to the whole group, SIGKILL after `grace`, and reaped. False when even that did not
  /// end it within a bound.
  bool stop(Milliseconds grace) {
    if (grace.count() > 0) {
      ::kill(-pid_, SIGTERM);
      wait_ended(Clock::now() + grace);
    }
    ::kill(-pid_, SIGKILL);
    const bool ended = wait_ended(Clock::now() + unkillable_wait);
    if (ended) reap();
    pid_ = -1;
    return ended;
  }

  /// After collect() was true: nothing of the group is left; 128 + signal when it died by one.
  int finish() {
    // The leader is still a zombie, so its number cannot have become another group's.
    ::kill(-pid_, SIGKILL);
    const int status = reap();
    pid_ = -1;
    return status;
  }

  std::string take_output() {
    std::string text = std::move(out_text_);
    if (!err_text_.empty()) {
      if (!text.empty() && text.back() != '\n') text += '\n';
      text += err_text_;
    }
    return text;
  }

 private:
  Child(pid_t pid, UniqueFd out, UniqueFd err)
      : pid_(pid),
        out_(std::move(out)),
        err_(std::move(err)),
        exited_(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))) {}

  [[nodiscard]] bool has_ended() const {
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
           info.si_pid == pid_;
  }

  bool wait_ended(Clock::time_point until) {
    while (!has_ended()) {
      if (Clock::now() >= until) return false;
      std::this_thread::sleep_for(Milliseconds(5));
    }
    return true;
  }

  int reap() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
  }

  void drain(std::size_t limit) {
    drain(out_, out_text_, limit);
    drain(err_, err_text_, limit);
  }
  void drain(UniqueFd& fd, std::string& text, std::size_t limit) const {
    std::array<char, 65536> buffer;
    while (fd && !too_much(limit)) {
      const auto got = ::read(fd.get(), buffer.data(), buffer.size());
      if (got > 0) {
        text.append(buffer.data(), static_cast<std::size_t>(got));
      } else if (got == 0) {
        fd.reset();
      } else if (errno != EINTR) {
        return;  // EAGAIN: no more for now
      }
    }
  }

  pid_t pid_ = -1;
  UniqueFd out_, err_, exited_;
  std::string out_text_, err_text_;
};

std::string in_words(Milliseconds time) {
  return time.count() % 1000 == 0 ? fmt::format("{} s", time.count() / 1000)
                                  : fmt::format("{} ms", time.count());
}

Result<ToolAnswer> run_once(const std::vector<std::string>& argv, const std::string& command,
                            const VendorToolOptions& options, const EndSignals& signals) {
  const auto begin = Clock::now();
  RAIDSCOPE_TRY(Child child, Child::start(argv));
  if (!child.collect(begin + options.timeout, options.output_limit, signals)) {
    const bool flooded = child.too_much(options.output_limit);
    const pid_t pid = child.pid();
    const bool ended = child.stop(options.grace);
    if (signals.came()) return fail(Errc::interrupted, "stopped by the user", command);
    const std::string fate =
        ended ? "was stopped" : fmt::format("could not be stopped (process {})", pid);
    if (flooded) {
      return fail(Errc::malformed,
                  fmt::format("the vendor tool printed more than {} bytes and {}",
                              options.output_limit, fate),
                  command, "run the command by hand and look at what it prints");
    }
    return fail(Errc::timeout,
                fmt::format("the vendor tool did not end within {} and {}",
                            in_words(options.timeout), fate),
                command,
                ended
                    ? "run the command by hand; if it only needs longer, raise --tool-timeout"
                    : "it hangs in the kernel: look at the kernel log for the controller's driver");
  }
  ToolAnswer answer;
  answer.tool = argv[0];
  answer.command = command;
  answer.exit_status = child.finish();
  answer.output = child.take_output();
  answer.duration = std::chrono::duration_cast<Milliseconds>(Clock::now() - begin);
  return answer;
}

}  // namespace

Result<UniqueFd> take_vendor_tool_lock(const std::vector<std::string>& folders,
                                       Milliseconds patience,
                                       const std::function<void(const std::string&)>& say) {
  const EndSignals signals;
  const auto begin = Clock::now();
  const auto give_up = begin + patience;
  // Where two probes follow each other closely, nobody needs to hear of it.
  bool told = !say;
  Error last{Errc::io, "no folder for a lock file", "", "", 0};
  for (const auto& folder : folders) {
    const std::string path = folder + "/" + vendor_tool_lock_name();
    UniqueFd fd(::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY, 0600));
    if (!fd) {
      last = fail_errno(errno, "cannot make the lock file", path).value();
      continue;
    }
    struct stat status {};
    // In a folder that all may write, somebody else's file could be held forever or be a trap.
    if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_uid != ::geteuid()) {
      last = fail(Errc::permission, "the lock file belongs to somebody else", path).value();
      continue;
    }
    while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK && errno != EINTR) {
        return fail_errno(errno, "cannot lock", path);
      }
      if (Clock::now() >= give_up) {
        return fail(Errc::busy, "another raidscope is asking the vendor tool", path,
                    "wait until it has ended and try again");
      }
      if (!told && Clock::now() - begin >= Milliseconds(1000)) {
        told = true;
        say(fmt::format("waiting for another raidscope that is asking the vendor tool ({})", path));
      }
      if (signals.came_within(Milliseconds(20)))
        return fail(Errc::interrupted, "stopped by the user while waiting for the vendor tool",
                    path);
    }
    return fd;
  }
  return tl::unexpected<Error>(std::move(last));
}

bool says_another_instance(std::string_view output) noexcept {
  const auto at = output.find("Another instance of");
  return at != std::string_view::npos &&
         output.find("already running", at) != std::string_view::npos;
}

int start_vendor_tool(std::vector<std::string> argv, const ToolStart& how, pid_t& pid) {
  // Above the numbers that the tool gets them under, so that none is in another's way.
  const auto above = [](int fd) { return UniqueFd(::fcntl(fd, F_DUPFD_CLOEXEC, 100)); };
  const UniqueFd out = above(how.out);
  const UniqueFd err = above(how.err);
  const UniqueFd kept = how.kept < 0 ? UniqueFd() : above(how.kept);
  posix_spawn_file_actions_t actions{};
  posix_spawnattr_t attributes{};
  ::posix_spawn_file_actions_init(&actions);
  ::posix_spawnattr_init(&attributes);
  int first_closed = STDERR_FILENO + 1;
  ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  ::posix_spawn_file_actions_adddup2(&actions, out.get(), STDOUT_FILENO);
  ::posix_spawn_file_actions_adddup2(&actions, err.get(), STDERR_FILENO);
  if (how.kept >= 0) ::posix_spawn_file_actions_adddup2(&actions, kept.get(), first_closed++);
  ::posix_spawn_file_actions_addclosefrom_np(&actions, first_closed);
  ::posix_spawn_file_actions_addchdir_np(&actions, "/");
  sigset_t none{};
  sigset_t all{};
  ::sigemptyset(&none);
  ::sigfillset(&all);
  ::posix_spawnattr_setsigmask(&attributes, &none);
  ::posix_spawnattr_setsigdefault(&attributes, &all);
  ::posix_spawnattr_setpgroup(&attributes, 0);
  ::posix_spawnattr_setflags(
      &attributes,
      static_cast<short>((how.own_session ? POSIX_SPAWN_SETSID : POSIX_SPAWN_SETPGROUP) |
                         POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF));
  std::vector<std::string> env = environment();
  auto argument_pointers = pointers(argv);
  auto environment_pointers = pointers(env);
  const int status = ::posix_spawn(&pid, argv[0].c_str(), &actions, &attributes,
                                   argument_pointers.data(), environment_pointers.data());
  ::posix_spawn_file_actions_destroy(&actions);
  ::posix_spawnattr_destroy(&attributes);
  return status;
}

std::string find_vendor_tool(std::string_view named) {
  if (named.find('/') != std::string_view::npos) {
    std::array<char, 4096> folder{};
    if (named.starts_with('/') || ::getcwd(folder.data(), folder.size()) == nullptr) {
      return std::string(named);
    }
    return std::string(folder.data()) + "/" + std::string(named);  // it runs in another folder
  }
  const auto folders = search_folders();
  const auto find = [&folders](std::string_view name) -> std::string {
    for (const auto& folder : folders) {
      std::string path = folder + "/" + std::string(name);
      if (is_program(path)) return path;
    }
    return {};
  };
  if (!named.empty()) return find(named);
  for (const auto name : tool_names) {
    if (auto path = find(name); !path.empty()) return path;
  }
  return {};
}

std::string vendor_tool_lock_name() {
  const uid_t user = ::geteuid();
  return user == 0 ? "raidscope-vendor-tool.lock"
                   : fmt::format("raidscope-vendor-tool-{}.lock", user);
}

std::vector<std::string> default_lock_folders() {
  std::vector<std::string> folders;
  if (::geteuid() == 0) folders.emplace_back("/run");
  if (const char* const own = std::getenv("XDG_RUNTIME_DIR"); own != nullptr && *own == '/') {
    folders.emplace_back(own);
  }
  folders.emplace_back("/tmp");
  return folders;
}

VendorToolRunner::VendorToolRunner(VendorToolOptions options) : options_(std::move(options)) {
  if (options_.lock_folders.empty()) options_.lock_folders = default_lock_folders();
  if (options_.live || !options_.tool.empty()) tool_ = find_vendor_tool(options_.tool);
}

Result<ToolAnswer> VendorToolRunner::run(ToolQuery query) const {
  if (!options_.live && options_.tool.empty()) {
    return fail(Errc::not_found, "not a live machine: no vendor tool is asked");
  }
  if (tool_.empty() || !is_program(tool_)) {
    if (!options_.tool.empty()) {
      if (!tool_.empty() && ::access(tool_.c_str(), F_OK) == 0) {
        return fail(Errc::permission, "not a program that may be run", tool_,
                    "name the vendor tool itself with --ssacli PATH");
      }
      return fail(Errc::not_found, "no such program", options_.tool,
                  "name the vendor tool with --ssacli PATH");
    }
    return fail(Errc::not_found, "no vendor tool (ssacli, hpssacli or hpacucli) is installed", "",
                "install ssacli, or name it with --ssacli PATH");
  }
  std::vector<std::string> argv{tool_};
  for (auto& argument : arguments(query)) argv.push_back(std::move(argument));
  std::string command;
  for (const auto& part : argv) command += (command.empty() ? "" : " ") + part;
  if (options_.tool.empty() && ::geteuid() != 0) {
    return fail(Errc::permission, "the vendor tool needs root", tool_,
                fmt::format("run as root, or: sudo {} | raidscope probe --from -", command));
  }
  RAIDSCOPE_TRY(const UniqueFd lock,
                take_vendor_tool_lock(options_.lock_folders, options_.timeout, options_.say));
  const EndSignals signals;
  for (const Milliseconds pause : options_.busy_pauses) {
    RAIDSCOPE_TRY(ToolAnswer answer, run_once(argv, command, options_, signals));
    if (!says_another_instance(answer.output)) return answer;
    if (options_.say)
      options_.say(fmt::format("another instance of the vendor tool is running; asking again in {}",
                               in_words(pause)));
    if (signals.came_within(pause)) return fail(Errc::interrupted, "stopped by the user", command);
  }
  RAIDSCOPE_TRY(ToolAnswer answer, run_once(argv, command, options_, signals));
  if (!says_another_instance(answer.output)) return answer;
  return fail(Errc::busy, "another instance of the vendor tool is running", command,
              "end the running ssacli, Smart Storage Administrator or agent, then try again");
}

}  // namespace raidscope
