#pragma once

#include <string>

#include <sys/utsname.h>

namespace raidscope {

/// "6.1.0-18-amd64": part of an engine's version, because half of it is the kernel's.
inline std::string kernel_release() {
  utsname names{};
  return ::uname(&names) == 0 ? std::string(names.release) : std::string("unknown");
}

}  // namespace raidscope
