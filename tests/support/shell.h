#pragma once

#include <array>
#include <cstdio>
#include <string>

/// Other tools in tests: losetup, mkfs, fio.
namespace raidscope {

struct Ran {
  int status = -1;
  std::string output;  ///< both streams, without line ends behind it
};

/// Through the shell.
inline Ran shell(const std::string& command) {
  Ran ran;
  FILE* pipe = ::popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return ran;
  std::array<char, 4096> buffer{};
  for (std::size_t got = 0; (got = std::fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
    ran.output.append(buffer.data(), got);
  ran.status = ::pclose(pipe);
  while (!ran.output.empty() && ran.output.back() == '\n') ran.output.pop_back();
  return ran;
}

}  // namespace raidscope
