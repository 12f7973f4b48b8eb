// smartarrayd MACHINE SOCKET [LOG]: an emulated Smart Array. Reads a machine description, listens
// at a socket for QEMU's vfio-user-pci, serves one guest and ends with it. Every command that
// reaches the card becomes one line of JSON in LOG. `smartarrayd MACHINE` alone prints the whole
// description.
#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "tests/lab/card/card.h"
#include "tests/lab/transport/ciss_device.h"
#include "tests/lab/vfio_user/server.h"

namespace {

int failed(int code, const std::string& why) {
  fmt::print(stderr, "smartarrayd: {}\n", why);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace raidscope;
  if (argc < 2 || argc > 4 || std::string_view(argv[1]).starts_with("-")) {
    return failed(64, "usage: smartarrayd MACHINE [SOCKET [LOG]]");
  }
  auto machine = lab::read_machine_file(argv[1]);
  if (!machine) {
    return failed(machine.error().code == Errc::not_found ? 66 : 65, describe(machine.error()));
  }
  if (argc == 2) {
    fmt::print("{}\n", lab::state_text(*machine));
    return 0;
  }
  const auto began = std::chrono::steady_clock::now();
  std::ofstream log;
  if (argc == 4) log.open(argv[3]);
  if (argc == 4 && !log) return failed(73, fmt::format("cannot write {}", argv[3]));
  lab::Card card(*std::move(machine), [&](const std::string& line) {
    if (!log.is_open()) return;
    const std::chrono::duration<double> since = std::chrono::steady_clock::now() - began;
    log << fmt::format(R"({{"t":{:.6f},{})", since.count(), line.substr(1))
        << std::endl;  // whole also where the guest dies
  });
  lab::GuestMemory memory;
  lab::CissDevice device(card, memory, [&] {
    return std::chrono::duration_cast<lab::Time>(std::chrono::steady_clock::now() - began);
  });
  lab::VfioUserServer server(device, memory);
  if (const Status served = server.serve(argv[2]); !served) {
    return failed(69, describe(served.error()));
  }
  return 0;
}
