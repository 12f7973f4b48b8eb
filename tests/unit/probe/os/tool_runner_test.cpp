#include "probe/os/tool_runner.h"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <gmock/gmock.h>
#include <pthread.h>
#include <signal.h>
#include <sstream>
#include <thread>
#include <unistd.h>

#include <sys/file.h>

#include <gtest/gtest.h>

#include "probe/os/unique_fd.h"
#include "tests/support/temp_dir.h"

namespace raidscope {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using namespace std::chrono_literals;
using raidscope::testing::TempDir;

class ToolRunnerTest : public ::testing::Test {
 protected:
  VendorToolOptions options(const std::string& tool) {
    VendorToolOptions out;
    out.tool = tool;
    out.timeout = 10s;
    out.grace = 200ms;
    out.lock_folders = {dir.path()};
    out.busy_pauses = {1ms, 1ms};
    return out;
  }
  VendorToolOptions options_for(const std::string& body) {
    return options(dir.script("ssacli", body));
  }
  Result<ToolAnswer> ask(const VendorToolOptions& options) {
    return VendorToolRunner(options).run(ToolQuery::show_config_detail);
  }
  /// The number in a file that a stand-in wrote; 0 when it wrote none.
  pid_t written_pid(const std::string& name) { return std::atoi(dir.read(name).c_str()); }
  /// Gone, or a zombie that its parent has yet to collect.
  static bool is_gone(pid_t pid) {
    for (int i = 0; i < 200; ++i) {
      if (::kill(pid, 0) != 0) return true;
      const std::string path = "/proc/" + std::to_string(pid) + "/stat";
      std::ifstream in(path);
      std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
      const auto paren = text.rfind(')');
      if (paren != std::string::npos && text.substr(paren, 3) == ") Z") return true;
      std::this_thread::sleep_for(10ms);
    }
    return false;
  }
  TempDir dir;
};

TEST_F(ToolRunnerTest, AsksForTheWholeConfigurationWithTheseWordsAndNoOthers) {
  const auto answer = ask(options_for(R"(for a in "$@"; do echo "[$a]"; done)"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "[ctrl]\n[all]\n[show]\n[config]\n[detail]\n");
  EXPECT_EQ(answer->exit_status, 0);
  EXPECT_EQ(answer->tool, dir.at("ssacli"));
  EXPECT_EQ(answer->command, dir.at("ssacli") + " ctrl all show config detail");
}

TEST_F(ToolRunnerTest, AsksForTheVersion) {
  const VendorToolRunner runner(options_for(R"(echo "$@")"));
  const auto answer = runner.run(ToolQuery::version);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "version\n");
}

TEST_F(ToolRunnerTest, APathWithBlanksAndShellSignsIsOneWord) {
  const auto answer = ask(options(dir.script("a tool; $(touch pwned)", "echo fine")));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "fine\n");
}

TEST_F(ToolRunnerTest, StandardInputIsClosed) {
  const auto answer = ask(options_for("if read line; then echo got; else echo end; fi"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "end\n");
}

TEST_F(ToolRunnerTest, TheEnvironmentIsTheToolsOwn) {
  ::setenv("LC_ALL", "de_DE.UTF-8", 1);
  const auto answer = ask(options_for(R"(echo "$LC_ALL $INFOMGR_BYPASS_NONSA"; pwd)"));
  ::unsetenv("LC_ALL");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "C 1\n/\n");
}

TEST_F(ToolRunnerTest, NoOtherDescriptorIsInherited) {
  const int leaked = ::open("/dev/null", O_RDONLY);  // deliberately without O_CLOEXEC
  const auto answer = ask(options_for("ls /proc/$$/fd | tr '\\n' ' '"));
  ::close(leaked);
  ASSERT_TRUE(answer);
  // The shell keeps its script open itself (10 in dash, 255 in bash).
  EXPECT_THAT(answer->output, ::testing::MatchesRegex("0 1 (10 )?2 (255 )?"));
}

TEST_F(ToolRunnerTest, ItRunsInAProcessGroupOfItsOwnWithSignalsAsUsual) {
  const auto before = ::signal(SIGPIPE, SIG_IGN);
  sigset_t blocked{};
  sigset_t old{};
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGTERM);
  ::pthread_sigmask(SIG_BLOCK, &blocked, &old);
  const auto answer =
      ask(options_for("set -- $(cat /proc/$$/stat); echo $1 $5 $$;"
                      "exec grep -E 'Sig(Blk|Ign)' /proc/self/status"));
  ::pthread_sigmask(SIG_SETMASK, &old, nullptr);
  ::signal(SIGPIPE, before);
  ASSERT_TRUE(answer);
  std::istringstream words(answer->output);
  std::string pid, group, self, label, ignored, held;
  words >> pid >> group >> self >> label >> held >> label >> ignored;
  EXPECT_EQ(pid, group);
  EXPECT_EQ(held, "0000000000000000");
  // 32 and 33 belong to the C library, which does not let a program reset them.
  EXPECT_EQ(std::stoull(ignored, nullptr, 16) & ~0x180000000ULL, 0U) << answer->output;
}

TEST_F(ToolRunnerTest, StandardErrorStandsBehindStandardOutput) {
  const auto answer = ask(options_for("echo oops >&2; printf data; exit 3"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "data\noops\n");
  EXPECT_EQ(answer->exit_status, 3);
}

TEST_F(ToolRunnerTest, DeathByASignalIs128AndItsNumber) {
  const auto answer = ask(options_for("echo begun; kill -SEGV $$"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->exit_status, 128 + SIGSEGV);
  EXPECT_EQ(answer->output, "begun\n");
}

TEST_F(ToolRunnerTest, AToolThatHangsIsStoppedInTime) {
  auto given = options_for("echo $$ > " + dir.at("pid") + "; exec sleep 600");
  given.timeout = 300ms;
  const auto begin = std::chrono::steady_clock::now();
  const auto answer = ask(given);
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::timeout);
  EXPECT_THAT(answer.error().message, HasSubstr("did not end within 300 ms and was stopped"));
  EXPECT_THAT(answer.error().where, HasSubstr("ctrl all show config detail"));
  EXPECT_FALSE(answer.error().hint.empty());
  ASSERT_GT(written_pid("pid"), 0);
  EXPECT_TRUE(is_gone(written_pid("pid")));
}

TEST_F(ToolRunnerTest, AToolThatIgnoresSigtermIsKilledWithItsChildren) {
  auto given = options_for("trap '' TERM; sleep 600 & echo $! > " + dir.at("child") +
                           "; echo $$ > " + dir.at("pid") + "; while :; do sleep 600; done");
  given.timeout = 300ms;
  const auto begin = std::chrono::steady_clock::now();
  const auto answer = ask(given);
  const auto took = std::chrono::steady_clock::now() - begin;
  EXPECT_GE(took, 500ms);  // the timeout and the grace
  EXPECT_LT(took, 3s);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::timeout);
  ASSERT_GT(written_pid("pid"), 0);
  ASSERT_GT(written_pid("child"), 0);
  EXPECT_TRUE(is_gone(written_pid("pid")));
  EXPECT_TRUE(is_gone(written_pid("child")));
}

TEST_F(ToolRunnerTest, SigtermComesFirstSoThatItsLocksAreGivenBack) {
  auto given = options_for("trap 'echo done > " + dir.at("cleaned") +
                           "; exit 1' TERM; while :; do sleep 0.05; done");
  given.timeout = 300ms;
  given.grace = 2s;
  EXPECT_FALSE(ask(given));
  EXPECT_EQ(dir.read("cleaned"), "done\n");
}

TEST_F(ToolRunnerTest, AClosedOutputDoesNotHideAHang) {
  auto given = options_for("exec >&- 2>&-; exec sleep 600");
  given.timeout = 200ms;
  const auto answer = ask(given);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::timeout);
}

TEST_F(ToolRunnerTest, AGrandchildThatHoldsThePipeIsNotWaitedForAndNotLeftBehind) {
  const auto begin = std::chrono::steady_clock::now();
  const auto answer =
      ask(options_for("sleep 600 & echo $! > " + dir.at("child") + "; echo all of it"));
  EXPECT_LT(std::chrono::steady_clock::now() - begin, 3s);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "all of it\n");
  ASSERT_GT(written_pid("child"), 0);
  EXPECT_TRUE(is_gone(written_pid("child")));
}

TEST_F(ToolRunnerTest, AFloodIsCutOff) {
  auto given = options_for("exec head -c 100000000 /dev/zero");
  const auto answer = ask(given);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::malformed);
  EXPECT_THAT(answer.error().message, HasSubstr("more than 67108864 bytes"));
}

TEST_F(ToolRunnerTest, MuchOutputOnBothPipesArrivesWhole) {
  const auto answer =
      ask(options_for("head -c 3000000 /dev/zero | tr '\\0' o; "
                      "head -c 3000000 /dev/zero | tr '\\0' e >&2"));
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, std::string(3000000, 'o') + "\n" + std::string(3000000, 'e'));
}

TEST_F(ToolRunnerTest, AMissingToolIsSaid) {
  const auto answer = ask(options(dir.at("nowhere")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::not_found);
  EXPECT_EQ(answer.error().where, dir.at("nowhere"));
}

TEST_F(ToolRunnerTest, AFolderAndAPlainFileAreNoTools) {
  const auto answer = ask(options(dir.path()));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::permission);
  dir.write("plain", "#!/bin/sh\n");
  EXPECT_EQ(ask(options(dir.at("plain"))).error().code, Errc::permission);
}

TEST_F(ToolRunnerTest, AProgramThatCannotStartIsSaid) {
  dir.write("ssacli", "#!/no/such/interpreter\n");
  std::filesystem::permissions(dir.at("ssacli"), std::filesystem::perms::owner_all);
  const auto answer = ask(options(dir.at("ssacli")));
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::unsupported);
  EXPECT_THAT(answer.error().message, HasSubstr("cannot start the vendor tool"));
  EXPECT_THAT(answer.error().hint, HasSubstr("its interpreter is missing"));
}

TEST_F(ToolRunnerTest, OneAtATime) {
  const UniqueFd held(
      ::open(dir.at(vendor_tool_lock_name()).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
  auto given = options_for("echo ran > " + dir.at("ran"));
  given.timeout = 150ms;
  const auto answer = ask(given);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::busy);
  EXPECT_THAT(answer.error().message, HasSubstr("another raidscope"));
  EXPECT_FALSE(std::filesystem::exists(dir.at("ran")));
  ASSERT_EQ(::flock(held.get(), LOCK_UN), 0);
  given.timeout = 60s;
  EXPECT_TRUE(ask(given));
}

TEST_F(ToolRunnerTest, TwoThatAskTogetherComeOneAfterTheOther) {
  const auto given = options_for("mkdir " + dir.at("inside") + " || echo CLASH; sleep 0.2; rmdir " +
                                 dir.at("inside"));
  Result<ToolAnswer> one;
  Result<ToolAnswer> two;
  std::thread first([&] { one = ask(given); });
  std::thread second([&] { two = ask(given); });
  first.join();
  second.join();
  ASSERT_TRUE(one);
  ASSERT_TRUE(two);
  EXPECT_EQ(one->output + two->output, "");
}

TEST_F(ToolRunnerTest, TheLockIsNotTheToolsToKeep) {
  auto given = options_for("exec 9<" + dir.at(vendor_tool_lock_name()) +
                           "; flock -n 9 && echo free || echo held");
  const auto answer = ask(given);
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->output, "held\n");
  const UniqueFd after(::open(dir.at(vendor_tool_lock_name()).c_str(), O_RDWR | O_CLOEXEC));
  EXPECT_EQ(::flock(after.get(), LOCK_EX | LOCK_NB), 0);
}

TEST_F(ToolRunnerTest, ALockFileThatIsALinkIsPassedOver) {
  dir.write("victim", "precious");
  dir.link("bad/" + vendor_tool_lock_name(), dir.at("victim"));
  auto given = options_for("echo ok");
  given.lock_folders = {dir.at("missing"), dir.at("bad"), dir.path()};
  EXPECT_TRUE(ask(given));
  EXPECT_EQ(dir.read("victim"), "precious");
  given.lock_folders = {dir.at("bad")};
  EXPECT_FALSE(ask(given));
}

TEST_F(ToolRunnerTest, AnotherInstanceIsAskedAgainAndThenSaid) {
  const std::string busy =
      "echo; echo 'Error: Another instance of ACU is already running (possibly a service).'; "
      "echo '       Please terminate the ACU application before running the ACU CLI.'";
  auto given = options_for("echo x >> " + dir.at("calls") + "; " + busy + "; exit 1");
  const auto answer = ask(given);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::busy);
  EXPECT_THAT(answer.error().message, HasSubstr("another instance of the vendor tool"));
  EXPECT_EQ(dir.read("calls"), "x\nx\nx\n");

  given = options_for("test -e " + dir.at("once") + " && echo fine && exit 0; touch " +
                      dir.at("once") + "; " + busy);
  const auto second = ask(given);
  ASSERT_TRUE(second);
  EXPECT_EQ(second->output, "fine\n");
}

TEST_F(ToolRunnerTest, OneQuestionIsOneStart) {
  ASSERT_TRUE(ask(options_for("echo x >> " + dir.at("calls"))));
  EXPECT_EQ(dir.read("calls"), "x\n");
}

volatile std::sig_atomic_t signal_seen = 0;

TEST_F(ToolRunnerTest, AUsersSignalStopsTheToolAndThenTakesItsCourse) {
  const auto before = ::signal(SIGTERM, [](int number) { signal_seen = number; });
  const pthread_t self = ::pthread_self();
  auto given = options_for("trap 'echo done > " + dir.at("cleaned") + "; exit 1' TERM; echo > " +
                           dir.at("begun") + "; while :; do sleep 0.05; done");
  given.grace = 2s;
  std::thread user([&] {
    for (int i = 0; i < 500 && !std::filesystem::exists(dir.at("begun")); ++i) {
      std::this_thread::sleep_for(10ms);
    }
    ::pthread_kill(self, SIGTERM);
  });
  const auto answer = ask(given);
  user.join();
  ::signal(SIGTERM, before);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::interrupted);
  EXPECT_EQ(dir.read("cleaned"), "done\n");
  EXPECT_EQ(signal_seen, SIGTERM) << "whoever handles the signal sees it";
}

/// Waits are told and end with the user's signal, which then takes its course.
TEST_F(ToolRunnerTest, AUsersSignalEndsAWait) {
  const UniqueFd held(
      ::open(dir.at(vendor_tool_lock_name()).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
  auto locked = options_for("echo never");
  auto busy = options_for("echo 'Another instance of ACU is already running'");
  busy.busy_pauses = {60s, 60s};
  const auto before = ::signal(SIGTERM, [](int number) { signal_seen = number; });
  for (auto* given : {&locked, &busy}) {
    ASSERT_EQ(::flock(held.get(), given == &locked ? LOCK_EX : LOCK_UN), 0);
    signal_seen = 0;
    std::string said;
    const pthread_t self = ::pthread_self();
    std::thread user;
    given->say = [&](const std::string& line) {
      said += line;
      user = std::thread([self] { ::pthread_kill(self, SIGTERM); });
    };
    const auto answer = ask(*given);
    ASSERT_TRUE(user.joinable()) << "nobody was told of the wait";
    user.join();
    ASSERT_FALSE(answer);
    EXPECT_EQ(answer.error().code, Errc::interrupted) << describe(answer.error());
    EXPECT_EQ(signal_seen, SIGTERM);
    EXPECT_THAT(said, HasSubstr(given == &locked ? "waiting for another raidscope"
                                                 : "another instance of the vendor tool"));
  }
  ::signal(SIGTERM, before);
}

TEST_F(ToolRunnerTest, WhatIsNotLiveIsAskedOnlyByName) {
  auto given = options_for("echo named");
  given.live = false;
  const auto named = ask(given);
  ASSERT_TRUE(named);
  EXPECT_EQ(named->output, "named\n");
  given.tool.clear();
  const auto answer = ask(given);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::not_found);
  EXPECT_EQ(VendorToolRunner(given).tool(), "");
}

TEST_F(ToolRunnerTest, TheNewestToolOnThePathWins) {
  const std::string old_path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  static_cast<void>(dir.script("a/hpacucli", "echo oldest"));
  static_cast<void>(dir.script("b/hpssacli", "echo older"));
  dir.write("b/ssacli", "not executable");
  ::setenv("PATH", (".:" + dir.at("a") + ":" + dir.at("b")).c_str(), 1);
  EXPECT_EQ(find_vendor_tool(""), dir.at("b/hpssacli"));
  EXPECT_EQ(find_vendor_tool("hpacucli"), dir.at("a/hpacucli"));
  EXPECT_EQ(find_vendor_tool("no-such-tool"), "");
  ::setenv("PATH", old_path.c_str(), 1);
}

TEST_F(ToolRunnerTest, ARelativePathIsMeantFromHere) {
  EXPECT_EQ(find_vendor_tool("./x/ssacli"),
            std::filesystem::current_path().string() + "/./x/ssacli");
}

TEST_F(ToolRunnerTest, WithoutRootTheCommandToRunIsSaid) {
  if (::geteuid() == 0) GTEST_SKIP() << "only another user than root is refused";
  const std::string old_path = std::getenv("PATH") == nullptr ? "" : std::getenv("PATH");
  static_cast<void>(dir.script("ssacli", "echo x"));
  ::setenv("PATH", dir.path().c_str(), 1);
  VendorToolOptions given = options("");
  const auto answer = ask(given);
  ::setenv("PATH", old_path.c_str(), 1);
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::permission);
  EXPECT_THAT(answer.error().hint, HasSubstr("sudo"));
}

}  // namespace
}  // namespace raidscope
