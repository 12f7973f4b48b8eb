#include "workloads/run/consent_hold.h"

#include <cerrno>
#include <fcntl.h>
#include <map>
#include <mutex>
#include <unistd.h>

#include <sys/file.h>

namespace raidscope {
namespace {

class Guard {
 public:
  Guard(int fd, dev_t device) : fd_(fd), device_(device) {}
  Guard(const Guard&) = delete;
  Guard& operator=(const Guard&) = delete;
  ~Guard();

 private:
  int fd_;
  dev_t device_;
};

struct GuardTable {
  std::mutex mutex;
  std::map<dev_t, std::weak_ptr<const Guard>> held;
};

GuardTable& guards() {
  static GuardTable table;
  return table;
}

Guard::~Guard() {
  const std::lock_guard lock(guards().mutex);
  ::close(fd_);
  const auto it = guards().held.find(device_);
  if (it != guards().held.end() && it->second.expired()) guards().held.erase(it);
}

std::shared_ptr<const Guard> held_guard(dev_t device) {
  const std::lock_guard lock(guards().mutex);
  const auto it = guards().held.find(device);
  return it == guards().held.end() ? nullptr : it->second.lock();
}

}  // namespace

int open_exclusive(const std::string& path) {
  return ::open(path.c_str(), O_RDONLY | O_EXCL | O_CLOEXEC | O_NONBLOCK);
}

bool device_held(dev_t device) {
  return held_guard(device) != nullptr;
}

std::shared_ptr<const void> hold_device(const std::string& path, dev_t device) {
  if (auto guard = held_guard(device)) return guard;
  const int fd = open_exclusive(path);
  if (fd < 0) return nullptr;
  const auto guard = std::make_shared<const Guard>(fd, device);
  const std::lock_guard lock(guards().mutex);
  guards().held[device] = guard;
  return guard;
}

Result<std::shared_ptr<const void>> hold_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return fail(Errc::io, "the target cannot be opened for its lock", path, {}, errno);
  std::shared_ptr<const void> held(new int(fd), [](const int* it) {
    ::close(*it);
    delete it;
  });
  if (::flock(fd, LOCK_EX | LOCK_NB) == 0) return held;
  if (errno == EWOULDBLOCK) {
    return fail(Errc::refused, "another run is writing this file", path,
                "wait for it, or name another file");
  }
  return fail(Errc::io, "the target cannot be locked", path, {}, errno);
}

}  // namespace raidscope
