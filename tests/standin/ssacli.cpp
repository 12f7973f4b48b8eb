// A stand-in for the vendor tool, with state: what it is asked to change it changes, and it prints
// its present state in the dialect of its version. It refuses what the real tool refuses, in the
// real tool's words, and holds a lock of its own. The state is the emulated card's in the lab's
// guest, and else lies beside the program: ssacli.state, a machine description as docs/lab.md has
// it.
#include <chrono>
#include <cstdio>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <sys/file.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tests/standin/controller.h"

namespace {

using namespace raidscope;
using Words = std::vector<std::string>;

void pause_ms(std::uint32_t milliseconds) {
  std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds));
}
void hang() {
  std::this_thread::sleep_for(std::chrono::hours(1));
}

/// Errors go to standard output, with a status that is not zero: as the real tool has it.
int error(const std::string& text) {
  fmt::print("\nError: {}\n\n", text);
  return 1;
}
int is_locked() {
  return error(
      "Another instance of ACU is already running (possibly a service). Please terminate the ACU "
      "application before running the ACU CLI.");
}

int modify(standin::Backing& backing, const std::vector<standin::Controller>& all,
           const Words& words) {
  std::size_t number = 0;
  while (number < all.size() && "slot=" + all[number].machine.slot != words[1]) ++number;
  if (number == all.size()) {
    return error(fmt::format("The controller identified by \"{}\" was not detected.", words[1]));
  }
  const lab::Machine& machine = all[number].machine;
  std::size_t at = 2;
  standin::Modification wish;
  if (words[at] == "ld" || words[at] == "array") {
    wish.kind = words[at];
    wish.which = words[at + 1];
    at += 2;
  }
  if (at + 1 >= words.size() || words[at] != "modify") return error("Syntax error.");
  const std::string& assignment = words[at + 1];
  const std::size_t equal = assignment.find('=');
  if (equal == std::string::npos) return error("Syntax error at \"" + assignment + "\"");
  wish.parameter = assignment.substr(0, equal);
  wish.value = assignment.substr(equal + 1);
  if (words.back() != "forced") {
    // It asks, and there is nobody: the end of input is no yes.
    fmt::print("\nWarning: This may affect data. Continue? (y/n) ");
    return 1;
  }
  if (machine.tool.fail_on == assignment) return error("An internal controller error occurred.");
  if (machine.tool.ignore == assignment) return 0;
  if (machine.tool.hang_on == assignment) hang();
  pause_ms(machine.tool.before_ms);
  const auto changes = standin::changes_for(machine, wish);
  if (!changes) return error(changes.error().message);
  if (const Status done = backing.change(number, *changes); !done)
    return error(describe(done.error()));
  backing.note(fmt::format("{}", fmt::join(words, " ")));
  pause_ms(machine.tool.after_ms);
  return 0;  // a change that worked prints nothing
}

int run(standin::Backing& backing, const Words& words) {
  const auto all = backing.controllers();
  if (!all) fmt::print(stderr, "stand-in: {}\n", describe(all.error()));
  if (!all || all->empty()) return error("No controllers detected.");
  const lab::Tool& tool = all->front().machine.tool;
  if (tool.behaviour == "locked") return is_locked();
  if (tool.behaviour == "hangs") hang();
  if (tool.behaviour == "garbage") {
    fmt::print("\x1b[2J\xff\xfe Smart\x01 rray ]]]]\n{{\"not\": what was asked\n");
    return 0;
  }
  pause_ms(tool.start_ms);
  if (words == Words{"version"}) {
    fmt::print("\nSSACLI Version: 3.40.3.0  2019-01-10\nSOULAPI Version: 3.40.3.0\n\n");
    return 0;
  }
  if (words == Words{"ctrl", "all", "show", "config", "detail"}) {
    for (const standin::Controller& controller : *all) fmt::print("{}", config_detail(controller));
    return 0;
  }
  if (words.size() >= 4 && words[0] == "ctrl") return modify(backing, *all, words);
  return error("Invalid command.");
}

}  // namespace

int main(int argc, char** argv) {
  const Words words(argv + 1, argv + argc);
  const std::string path = std::string(argv[0]) + ".state";
  const int lock = ::open((path + ".lock").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (lock >= 0 && ::flock(lock, LOCK_EX | LOCK_NB) != 0) return is_locked();
  if (std::filesystem::exists(path)) {
    standin::FileBacking backing(path);
    return run(backing, words);
  }
  standin::CardBacking backing;
  return run(backing, words);
}
