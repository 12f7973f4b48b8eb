#include "probe/os/ciss_reader.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>
#include <utility>

#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "probe/base/ciss.h"
#include "probe/base/os_error.h"
#include "probe/os/unique_fd.h"

namespace raidscope {
namespace {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

/// How long a child that was told to go may take to do so. One that waits in the kernel takes as
/// long as the controller does, and is left there.
constexpr Milliseconds patience{500};
constexpr int child_socket = 3;
constexpr unsigned most_descriptors = 65536;

void pause_for(Milliseconds time) {
  ::poll(nullptr, 0, static_cast<int>(time.count()));
}

/// Nothing of the parent's is kept: neither its terminal and pipes, which somebody may wait to see
/// closed, nor its locks, nor its signal handlers.
[[noreturn]] void run_child(int socket, const char* devnode, CissServer serve, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(0);
  ::setpgid(0, 0);
  for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGPIPE}) ::signal(number, SIG_DFL);
  sigset_t none{};
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  if (socket != child_socket && ::dup2(socket, child_socket) < 0) ::_exit(1);
  const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
  for (int standard = 0; standard < 3; ++standard) {
    if (null >= 0) {
      ::dup2(null, standard);
    } else {
      ::close(standard);
    }
  }
  if (::close_range(child_socket + 1, ~0U, 0) != 0) {
    for (int fd = child_socket + 1; fd < static_cast<int>(most_descriptors); ++fd) ::close(fd);
  }
  serve(child_socket, devnode);
  ::_exit(0);
}

}  // namespace

class LiveCissReader::Worker {
 public:
  Worker(std::string devnode, const CissReaderOptions& options)
      : devnode_(std::move(devnode)), options_(options) {}
  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;
  ~Worker() {
    socket_.reset();  // it ends when it sees that
    if (!reaped(patience)) leave();
  }

  Result<CissReply> ask(const CissAsk& ask) {
    if (lost_) return tl::unexpected<Error>(*lost_);
    for (const Milliseconds pause : options_.busy_pauses) {
      auto reply = ask_once(ask);
      if (reply || reply.error().code != Errc::busy) return reply;
      for (const auto end = Clock::now() + pause; Clock::now() < end;) {
        if (stopped()) return interrupted(ask);
        pause_for(std::min(pause, Milliseconds(50)));
      }
    }
    return ask_once(ask);
  }

 private:
  [[nodiscard]] std::string shown(const CissAsk& ask) const {
    return fmt::format("{}: {}", devnode_, ciss::name_of(ask.query));
  }
  [[nodiscard]] bool stopped() const {
    return options_.stop != nullptr && options_.stop->load(std::memory_order_relaxed);
  }
  Result<CissReply> interrupted(const CissAsk& ask) {
    leave();
    lost_ = Error{Errc::interrupted, "stopped by the user", shown(ask), "", 0};
    return tl::unexpected<Error>(*lost_);
  }
  /// The controller is not asked again.
  Result<CissReply> lose(Error error) {
    leave();
    lost_ = std::move(error);
    return tl::unexpected<Error>(*lost_);
  }

  Status start() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
      return fail_errno(errno, "cannot make a socket", devnode_);
    }
    UniqueFd mine(ends[0]);
    const UniqueFd its(ends[1]);
    const pid_t parent = ::getpid();
    const pid_t child = ::fork();
    if (child < 0) return fail_errno(errno, "cannot start a process", devnode_);
    if (child == 0) run_child(its.get(), devnode_.c_str(), options_.serve, parent);
    child_ = child;
    socket_ = std::move(mine);
    return Done{};
  }

  Result<CissReply> ask_once(const CissAsk& ask) {
    if (stopped()) return interrupted(ask);
    if (!socket_) RAIDSCOPE_CHECK(start());
    const auto begin = Clock::now();
    if (::send(socket_.get(), &ask, sizeof ask, MSG_NOSIGNAL) != static_cast<ssize_t>(sizeof ask)) {
      return died(ask);
    }
    const auto allowed = std::min(options_.command_timeout, options_.controller_timeout - spent_);
    const bool came = wait_until(begin + std::max(allowed, Milliseconds(0)));
    spent_ += std::chrono::duration_cast<Milliseconds>(Clock::now() - begin);
    if (!came && stopped()) return interrupted(ask);
    if (!came) {
      return lose({Errc::timeout,
                   fmt::format("the controller did not answer within {} s; it is not asked again",
                               std::chrono::duration_cast<std::chrono::seconds>(allowed).count()),
                   shown(ask), "look at the kernel log for the controller's driver", 0});
    }
    return take_answer(ask);
  }

  bool wait_until(Clock::time_point end) const {
    for (;;) {
      const auto left = std::chrono::ceil<Milliseconds>(end - Clock::now());
      if (stopped()) return false;
      // A signal that sets `stop` may come just before the wait.
      const auto slice = options_.stop != nullptr ? std::min(left, Milliseconds(100)) : left;
      pollfd wait{socket_.get(), POLLIN, 0};
      const int ready =
          ::poll(&wait, 1, static_cast<int>(std::max(slice, Milliseconds(0)).count()));
      if (ready > 0) return true;
      if (ready == 0 && left <= Milliseconds(0)) return false;
      if (ready < 0 && errno != EINTR) return false;
    }
  }

  Result<CissReply> take_answer(const CissAsk& ask) {
    CissAnswer answer;
    std::vector<std::byte> data(ciss_data_capacity);
    std::array<iovec, 2> parts{{{&answer, sizeof answer}, {data.data(), data.size()}}};
    msghdr message{};
    message.msg_iov = parts.data();
    message.msg_iovlen = parts.size();
    const ssize_t got = ::recvmsg(socket_.get(), &message, 0);
    if (got < static_cast<ssize_t>(sizeof answer) ||
        static_cast<std::size_t>(got) != sizeof answer + answer.data_size ||
        answer.sense_size > answer.sense.size()) {
      return died(ask);
    }
    if (answer.stage != CissStage::answered) return failure(ask, answer);
    data.resize(answer.data_size);
    CissReply reply;
    reply.command_status = answer.command_status;
    reply.scsi_status = answer.scsi_status;
    reply.sense.assign(answer.sense.begin(), answer.sense.begin() + answer.sense_size);
    reply.data = std::move(data);
    return reply;
  }

  [[nodiscard]] tl::unexpected<Error> failure(const CissAsk& ask, const CissAnswer& answer) const {
    const bool not_allowed = answer.error == EPERM || answer.error == EACCES;
    const std::string root = not_allowed ? "run as root: it takes CAP_SYS_RAWIO" : "";
    switch (answer.stage) {
      case CissStage::open:
        return fail_errno(answer.error, "cannot open", devnode_, root);
      case CissStage::no_ciss:
        if (not_allowed) break;
        return fail(Errc::unsupported, "not a device of a Smart Array's driver", devnode_, "",
                    answer.error);
      case CissStage::refused:
        return fail(Errc::refused, "not a command that only reads", shown(ask));
      case CissStage::answered:
      case CissStage::ioctl:
        break;
    }
    return fail_errno(
        answer.error,
        answer.error == EAGAIN  ? "every slot of the driver for such questions is taken"
        : answer.error == ENXIO ? "the controller is offline"
                                : "the driver did not pass a question on",
        shown(ask),
        answer.error == EAGAIN ? "end other tools that ask the controller, then try again" : root);
  }

  Result<CissReply> died(const CissAsk& ask) {
    return lose({Errc::io, "the process that asks the controller has ended; it is not asked again",
                 shown(ask), "look at the kernel log", 0});
  }

  bool reaped(Milliseconds time) {
    for (const auto end = Clock::now() + time; child_ > 0;) {
      const pid_t done = ::waitpid(child_, nullptr, WNOHANG);
      if (done == child_ || (done < 0 && errno == ECHILD)) child_ = 0;
      if (child_ == 0 || Clock::now() >= end) break;
      pause_for(Milliseconds(2));
    }
    return child_ == 0;
  }
  /// A child in uninterruptible sleep outlives SIGKILL; the kernel ends it when the controller
  /// answers.
  void leave() {
    socket_.reset();
    if (child_ <= 0) return;
    ::kill(child_, SIGKILL);
    reaped(patience);
    child_ = 0;
  }

  std::string devnode_;
  const CissReaderOptions& options_;
  UniqueFd socket_;
  pid_t child_ = 0;
  Milliseconds spent_{0};
  std::optional<Error> lost_;
};

LiveCissReader::LiveCissReader(CissReaderOptions options) : options_(std::move(options)) {}
LiveCissReader::~LiveCissReader() = default;

Result<CissReply> LiveCissReader::ask(std::string_view devnode, const CissAsk& ask) const {
  if (devnode.empty()) return fail(Errc::not_found, "no device node to ask the controller through");
  auto found = workers_.find(devnode);
  if (found == workers_.end()) {
    std::string node(devnode);
    found = workers_.emplace(node, std::make_unique<Worker>(node, options_)).first;
  }
  return found->second->ask(ask);
}

Result<CissReply> NoCissReader::ask(std::string_view devnode, const CissAsk& /*ask*/) const {
  return fail(Errc::not_found, "no controller of another machine can be asked",
              std::string(devnode));
}

}  // namespace raidscope
