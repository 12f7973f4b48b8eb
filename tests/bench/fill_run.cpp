// fill_run PATH BYTES: makes a test file as "raidscope testfile create" does and prints GB/s. The
// other half of fill_vs_fio.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>

#include "workloads/run/consent.h"
#include "workloads/run/testfile.h"

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fputs("usage: fill_run PATH BYTES\n", stderr);
    return 64;
  }
  const auto bytes = static_cast<std::uint64_t>(std::atoll(argv[2]));
  const auto examined = raidscope::examine_target(argv[1], bytes);
  if (!examined) {
    fmt::print(stderr, "{}\n", raidscope::describe(examined.error()));
    return 1;
  }
  const auto consent = raidscope::ask_to_write(*examined, {});
  if (!consent) {
    fmt::print(stderr, "{}\n", raidscope::describe(consent.error()));
    return 1;
  }
  const auto begin = std::chrono::steady_clock::now();
  if (const auto made = raidscope::create_test_file(*consent, bytes, 1, {}); !made) {
    fmt::print(stderr, "{}\n", raidscope::describe(made.error()));
    return 1;
  }
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
  fmt::print("{:.4f}\n", static_cast<double>(bytes) / took.count() / 1e9);
  return 0;
}
