#pragma once

#include <string>
#include <tl/expected.hpp>
#include <utility>

namespace raidscope {

enum class Errc {
  not_found,    ///< the file, device, tool or run is not there
  permission,   ///< it is there, but this user may not
  unsupported,  ///< the kernel, device or build cannot do it
  malformed,    ///< the answer or input cannot be understood
  timeout,      ///< no answer in time
  busy,         ///< somebody else holds it; trying again later may work
  refused,      ///< refused for safety
  usage,        ///< the request itself is wrong
  interrupted,  ///< stopped by the user
  unwritable,   ///< what the program has to keep cannot be written
  io,           ///< anything else the operating system said
};

/// What failed, on what, and what to do next.
struct Error {
  Errc code = Errc::io;
  std::string message;  ///< what failed, in the user's words; no trailing full stop
  std::string
      where{};         ///< a path, a command line, a file:line or a CDB: something a person can try
  std::string hint{};  ///< what to do next; may be empty
  int os_errno = 0;

  bool operator==(const Error&) const = default;
};

/// "message: where (errno text); hint": one line for a person.
std::string describe(const Error& error);

template <class T>
using Result = tl::expected<T, Error>;

struct Done {
  bool operator==(const Done&) const = default;
};  ///< The value of an action that has none.
using Status = Result<Done>;

inline tl::unexpected<Error> fail(Errc code, std::string message, std::string where = {},
                                  std::string hint = {}, int os_errno = 0) {
  return tl::unexpected<Error>(
      Error{code, std::move(message), std::move(where), std::move(hint), os_errno});
}

}  // namespace raidscope

#define RAIDSCOPE_CONCAT_(a, b) a##b
#define RAIDSCOPE_CONCAT(a, b) RAIDSCOPE_CONCAT_(a, b)

/// `RAIDSCOPE_TRY(auto text, host.files.read(path));` binds the value or returns the error.
#define RAIDSCOPE_TRY(declaration, ...) \
  RAIDSCOPE_TRY_(declaration, RAIDSCOPE_CONCAT(raidscope_try_, __LINE__), __VA_ARGS__)
#define RAIDSCOPE_TRY_(declaration, tmp, ...)                                    \
  auto tmp = (__VA_ARGS__);                                                      \
  if (!(tmp)) return tl::unexpected<::raidscope::Error>(std::move(tmp).error()); \
  declaration = *std::move(tmp)

/// `RAIDSCOPE_CHECK(engine.open(target));` returns the error of a Status.
#define RAIDSCOPE_CHECK(...)                                                          \
  do {                                                                                \
    auto raidscope_check_ = (__VA_ARGS__);                                            \
    if (!raidscope_check_)                                                            \
      return tl::unexpected<::raidscope::Error>(std::move(raidscope_check_).error()); \
  } while (false)
