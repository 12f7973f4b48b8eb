#include "probe/base/os_error.h"

#include <cerrno>
#include <utility>

namespace raidscope {

Errc errc_of(int os_errno) noexcept {
  switch (os_errno) {
    case ENOENT:
    case ENOTDIR:
      return Errc::not_found;
    case EACCES:
    case EPERM:
      return Errc::permission;
    case EAGAIN:
    case EBUSY:
    case ETXTBSY:
      return Errc::busy;
    case ETIMEDOUT:
      return Errc::timeout;
    case EINTR:
      return Errc::interrupted;
    case ENODEV:  // what hpsa's attributes answer for a device that they do not apply to
    case ENXIO:
    case ENOSYS:
    case ENOTTY:
    case EOPNOTSUPP:
      return Errc::unsupported;
    default:
      return Errc::io;
  }
}

tl::unexpected<Error> fail_errno(int os_errno, std::string message, std::string where,
                                 std::string hint) {
  return fail(errc_of(os_errno), std::move(message), std::move(where), std::move(hint), os_errno);
}

}  // namespace raidscope
