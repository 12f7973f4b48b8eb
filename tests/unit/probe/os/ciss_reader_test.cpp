#include "probe/os/ciss_reader.h"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <poll.h>
#include <thread>
#include <unistd.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace raidscope {
namespace {

using namespace std::chrono_literals;
using raidscope::testing::TempDir;
using ::testing::HasSubstr;

constexpr CissAsk identify{CissQuery::identify_controller, 0};

/// One message: the answer and its data.
void send_answer(int socket, CissAnswer answer, std::uint32_t value) {
  std::array<std::byte, sizeof answer + sizeof value> message{};
  answer.data_size = answer.stage == CissStage::answered ? sizeof value : 0;
  std::memcpy(message.data(), &answer, sizeof answer);
  std::memcpy(message.data() + sizeof answer, &value, sizeof value);
  ::send(socket, message.data(), sizeof answer + answer.data_size, MSG_NOSIGNAL);
}

/// Children for a controller that is not there. Each gives the process that it runs in as data.
void answers(int socket, const char* /*devnode*/) {
  CissAsk ask;
  while (::recv(socket, &ask, sizeof ask, 0) == sizeof ask) {
    send_answer(socket, {}, static_cast<std::uint32_t>(::getpid()));
  }
}
void never_answers(int /*socket*/, const char* /*devnode*/) {
  for (;;) ::pause();
}
void ends_at_once(int socket, const char* /*devnode*/) {
  CissAsk ask;
  if (::recv(socket, &ask, sizeof ask, 0) > 0) ::_exit(7);
}
void is_busy_twice(int socket, const char* /*devnode*/) {
  CissAsk ask;
  for (std::uint32_t asked = 0; ::recv(socket, &ask, sizeof ask, 0) == sizeof ask; ++asked) {
    CissAnswer answer;
    if (asked < 2) {
      answer.stage = CissStage::ioctl;
      answer.error = EAGAIN;
    }
    send_answer(socket, answer, asked);
  }
}
void is_offline(int socket, const char* /*devnode*/) {
  CissAsk ask;
  while (::recv(socket, &ask, sizeof ask, 0) == sizeof ask) {
    CissAnswer answer;
    answer.stage = CissStage::ioctl;
    answer.error = ask.query == CissQuery::raid_map ? EPERM : EIO;
    send_answer(socket, answer, 0);
  }
}
/// Bit 0: standard output is a terminal, file or pipe; the rest: open descriptors above the socket.
void looks_around(int socket, const char* /*devnode*/) {
  CissAsk ask;
  while (::recv(socket, &ask, sizeof ask, 0) == sizeof ask) {
    struct stat out {
    }, null{};
    ::fstat(STDOUT_FILENO, &out);
    ::stat("/dev/null", &null);
    std::uint32_t found = out.st_rdev == null.st_rdev ? 0 : 1;
    for (int fd = socket + 1; fd < 256; ++fd) found += ::fcntl(fd, F_GETFD) >= 0 ? 2U : 0U;
    send_answer(socket, {}, found);
  }
}

CissReaderOptions quick(CissServer serve) {
  CissReaderOptions out;
  out.command_timeout = 200ms;
  out.controller_timeout = 60s;
  out.busy_pauses = {1ms, 1ms};
  out.serve = serve;
  return out;
}
std::uint32_t value_of(const Result<CissReply>& reply) {
  std::uint32_t out = 0;
  if (reply && reply->data.size() == sizeof out) std::memcpy(&out, reply->data.data(), sizeof out);
  return out;
}
bool is_gone(pid_t pid) {
  for (int i = 0; i < 200; ++i) {
    if (::kill(pid, 0) != 0 && errno == ESRCH) return true;
    std::this_thread::sleep_for(5ms);
  }
  return false;
}

TEST(LiveCiss, OneChildForEachControllerAndNoneIsLeft) {
  std::uint32_t a = 0;
  {
    const LiveCissReader reader(quick(answers));
    a = value_of(reader.ask("/dev/sg0", identify));
    EXPECT_NE(a, 0U);
    EXPECT_NE(a, static_cast<std::uint32_t>(::getpid()));
    EXPECT_EQ(value_of(reader.ask("/dev/sg0", {CissQuery::raid_map, 3})), a);
    const auto b = value_of(reader.ask("/dev/sg1", identify));
    EXPECT_NE(b, 0U);
    EXPECT_NE(b, a);
  }
  EXPECT_TRUE(is_gone(static_cast<pid_t>(a)));
}

TEST(LiveCiss, NothingIsStartedBeforeTheFirstQuestion) {
  const LiveCissReader reader(quick(never_answers));
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(LiveCiss, TheChildHoldsNothingOfTheParents) {
  const TempDir dir;
  const int lock = ::open(dir.at("lock").c_str(), O_CREAT | O_RDWR, 0600);
  ASSERT_GE(lock, 0);
  const LiveCissReader reader(quick(looks_around));
  const auto reply = reader.ask("/dev/sg0", identify);
  ASSERT_TRUE(reply) << describe(reply.error());
  EXPECT_EQ(value_of(reply), 0U);
  ::close(lock);
}

TEST(LiveCiss, AControllerThatDoesNotAnswerIsAskedOnce) {
  const LiveCissReader reader(quick(never_answers));
  const auto begin = std::chrono::steady_clock::now();
  const auto first = reader.ask("/dev/sg0", identify);
  const auto took = std::chrono::steady_clock::now() - begin;
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().code, Errc::timeout);
  EXPECT_GE(took, 200ms);
  EXPECT_LT(took, 5s);
  const auto again = std::chrono::steady_clock::now();
  const auto second = reader.ask("/dev/sg0", {CissQuery::cache_configuration, 0});
  EXPECT_EQ(second.error().code, Errc::timeout);
  EXPECT_LT(std::chrono::steady_clock::now() - again, 100ms);
  // No child: the first is dead, and there was no second.
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(LiveCiss, AllCommandsTogetherHaveALimit) {
  auto options = quick(never_answers);
  options.command_timeout = 60s;
  options.controller_timeout = 150ms;
  const LiveCissReader reader(options);
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(reader.ask("/dev/sg0", identify).error().code, Errc::timeout);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 5s);
}

TEST(LiveCiss, TheStandardLimitsAreThoseOfTheHazards) {
  const CissReaderOptions options;
  EXPECT_EQ(options.command_timeout, 120s);
  EXPECT_EQ(options.controller_timeout, 600s);
}

TEST(LiveCiss, AChildThatEndsIsNotStartedAgain) {
  const LiveCissReader reader(quick(ends_at_once));
  EXPECT_EQ(reader.ask("/dev/sg0", identify).error().code, Errc::io);
  EXPECT_EQ(reader.ask("/dev/sg0", identify).error().code, Errc::io);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
}

TEST(LiveCiss, TakenSlotsAreAskedForAgain) {
  const LiveCissReader reader(quick(is_busy_twice));
  const auto reply = reader.ask("/dev/sg0", identify);
  ASSERT_TRUE(reply) << describe(reply.error());
  EXPECT_EQ(value_of(reply), 2U);
  auto options = quick(is_busy_twice);
  options.busy_pauses = {1ms};
  const LiveCissReader hurried(options);
  EXPECT_EQ(hurried.ask("/dev/sg0", identify).error().code, Errc::busy);
}

TEST(LiveCiss, ErrorsOfTheDriverAreTold) {
  const LiveCissReader reader(quick(is_offline));
  EXPECT_EQ(reader.ask("/dev/sg0", identify).error().code, Errc::io);
  const auto denied = reader.ask("/dev/sg0", {CissQuery::raid_map, 0});
  EXPECT_EQ(denied.error().code, Errc::permission);
  EXPECT_THAT(denied.error().hint, HasSubstr("CAP_SYS_RAWIO"));
}

TEST(LiveCiss, AWaitEndsWhenTheUserStops) {
  std::atomic<bool> stop{false};
  auto options = quick(never_answers);
  options.command_timeout = 60s;
  options.stop = &stop;
  const LiveCissReader reader(options);
  std::thread user([&stop] {
    std::this_thread::sleep_for(50ms);
    stop = true;
  });
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(reader.ask("/dev/sg0", identify).error().code, Errc::interrupted);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 10s);
  user.join();
}

TEST(LiveCiss, WhatIsNoControllerIsSentNothing) {
  const TempDir dir;
  dir.write("file", "x");
  const LiveCissReader reader;
  EXPECT_EQ(reader.ask(dir.at("file"), identify).error().code, Errc::unsupported);
  EXPECT_EQ(reader.ask("/dev/null", identify).error().code, Errc::unsupported);
  EXPECT_EQ(reader.ask("/dev/null", {CissQuery::pci_info, 0}).error().code, Errc::unsupported);
  EXPECT_EQ(reader.ask(dir.at("none"), identify).error().code, Errc::not_found);
  EXPECT_EQ(reader.ask("", identify).error().code, Errc::not_found);
  EXPECT_EQ(NoCissReader{}.ask("/dev/null", identify).error().code, Errc::not_found);
}

}  // namespace
}  // namespace raidscope
