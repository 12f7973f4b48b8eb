#include "cli/exit_code.h"

namespace raidscope::cli {

ExitCode exit_code(const Error& error) noexcept {
  switch (error.code) {
    case Errc::usage:
      return exit_usage;
    case Errc::malformed:
      return exit_malformed;
    case Errc::not_found:
      return exit_no_input;
    case Errc::permission:
      return exit_no_privilege;
    case Errc::refused:
      return exit_refused;
    case Errc::interrupted:
      return exit_interrupted;
    case Errc::unsupported:
    case Errc::timeout:
    case Errc::busy:
      return exit_unavailable;
    case Errc::unwritable:
      return exit_cannot_write;
    case Errc::io:
      return exit_partly;
  }
  return exit_partly;
}

}  // namespace raidscope::cli
