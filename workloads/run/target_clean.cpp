#include "workloads/run/target_clean.h"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fcntl.h>
#include <memory>
#include <string>
#include <unistd.h>
#include <vector>

#include <linux/fs.h>
#include <sys/ioctl.h>

namespace raidscope {
namespace {

Status put_zeros(int fd, const WriteConsent& consent, std::uint64_t offset, std::uint64_t size) {
  const std::vector<char> zeros(size);
  for (std::uint64_t done = 0; done < size;) {
    const ssize_t put =
        ::pwrite(fd, zeros.data() + done, size - done, static_cast<off_t>(offset + done));
    if (put < 0 && errno == EINTR) continue;
    if (put <= 0)
      return fail(Errc::io, "cannot write zeros at byte " + std::to_string(offset + done),
                  consent.target(), {}, put < 0 ? errno : ENOSPC);
    done += static_cast<std::uint64_t>(put);
  }
  return Done{};
}

}  // namespace

Status zero_edges(const WriteConsent& consent) {
  if (!consent.identity().block) return Done{};
  const int fd = ::open(consent.real_path().c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) return fail(Errc::io, "cannot open the device", consent.target(), {}, errno);
  const std::unique_ptr<const int, void (*)(const int*)> close_at_end(
      &fd, [](const int* f) { ::close(*f); });
  RAIDSCOPE_CHECK(consent.confirm(fd));
  std::uint64_t size = 0;
  if (::ioctl(fd, BLKGETSIZE64, &size) != 0)
    return fail(Errc::io, "the device does not tell its size", consent.target(), {}, errno);
  const std::uint64_t edge = std::min<std::uint64_t>(1 << 20, size);
  RAIDSCOPE_CHECK(put_zeros(fd, consent, 0, edge));
  RAIDSCOPE_CHECK(put_zeros(fd, consent, size - edge, edge));
  if (::fsync(fd) != 0)
    return fail(Errc::io, "cannot bring it to the disk", consent.target(), {}, errno);
  return Done{};
}

}  // namespace raidscope
