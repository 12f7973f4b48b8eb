#include "cli/signals.h"

#include <csignal>

namespace raidscope::cli {
namespace {

std::atomic<bool> stopped{false};
std::atomic<int> signal_seen{0};
int living = 0;  // of the thread that makes them, which is one
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<int>::is_always_lock_free);

extern "C" void on_signal(int number) {
  if (stopped.exchange(true)) {
    // The second one means it.
    std::signal(number, SIG_DFL);
    std::raise(number);
    return;
  }
  signal_seen = number;
}

void install(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, nullptr);
  sigaction(SIGTERM, &action, nullptr);
  sigaction(SIGHUP, &action, nullptr);  // a terminal that went away
}

}  // namespace

StopSignals::StopSignals() {
  if (living++ == 0) install(on_signal);
}

StopSignals::~StopSignals() {
  if (--living == 0) install(SIG_DFL);
}

const std::atomic<bool>& StopSignals::stop() noexcept {
  return stopped;
}

int StopSignals::exit_code() noexcept {
  const int number = signal_seen;
  return number == 0 ? 0 : 128 + number;
}

}  // namespace raidscope::cli
