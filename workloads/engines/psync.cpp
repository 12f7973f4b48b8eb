#include <cerrno>
#include <optional>
#include <unistd.h>

#include <linux/fs.h>
#include <sys/ioctl.h>

#include "workloads/engine.h"
#include "workloads/engines/support/kernel_release.h"
#include "workloads/engines/support/slot_buffers.h"
#include "workloads/engines/support/target_file.h"
#include "workloads/write_content.h"

namespace raidscope {
namespace {

/// A block device's own discard: a file system's hole punching is another thing.
std::int32_t trim(int fd, const Request& request) {
  std::uint64_t range[2] = {request.offset, request.length};
  return ::ioctl(fd, BLKDISCARD, range) == 0 ? static_cast<std::int32_t>(request.length) : -errno;
}

/// One blocking pread or pwrite at a time: the least work per request where the device answers
/// before a context switch would, and the only way where the kernel has no io_uring.
class PsyncEngine final : public Engine {
 public:
  Status open(const EngineSetup& setup) override {
    RAIDSCOPE_TRY(files_, open_targets(setup));
    RAIDSCOPE_CHECK(buffers_.allocate(setup.depth, setup.buffer_bytes));
    if (may_write(setup))
      content_.emplace(buffers_.all(), buffers_.stride(), setup.content_seed, setup.content);
    return Done{};
  }

  /// Takes one request and carries it out.
  std::int32_t submit(std::span<const Request> requests,
                      std::span<const std::uint32_t> slots) override {
    if (requests.empty() || done_) return 0;
    const Request& request = requests.front();
    const std::uint32_t slot = slots.front();
    const int fd = files_[request.target].fd();
    if (request.write && !content_) return -EBADF;
    if (request.kind != Request::Kind::data) {
      done_ = Completion{slot, request.kind == Request::Kind::trim ? trim(fd, request)
                               : ::fsync(fd) == 0                  ? 0
                                                                   : -errno};
      return 1;
    }
    if (request.write) content_->refresh(slot, request.length, request.offset);
    ssize_t moved = 0;
    do {
      moved = request.write ? ::pwrite(fd, buffers_.slot(slot), request.length,
                                       static_cast<off_t>(request.offset))
                            : ::pread(fd, buffers_.slot(slot), request.length,
                                      static_cast<off_t>(request.offset));
    } while (moved < 0 && errno == EINTR);
    done_ = Completion{slot, moved < 0 ? -errno : static_cast<std::int32_t>(moved)};
    return 1;
  }

  std::int32_t reap(std::span<Completion> out, std::uint32_t /*least*/,
                    std::chrono::nanoseconds /*patience*/) override {
    if (!done_ || out.empty()) return 0;
    out.front() = *done_;
    done_.reset();
    return 1;
  }

  [[nodiscard]] const std::byte* data(std::uint32_t slot) const override {
    return buffers_.slot(slot);
  }

 private:
  std::vector<TargetFile> files_;
  SlotBuffers buffers_;
  std::optional<WriteContent> content_;
  std::optional<Completion> done_;
};

}  // namespace

extern const EngineType engine_psync;
const EngineType engine_psync{
    .id = "psync",
    .summary = "blocking pread and pwrite: one request in flight per worker",
    .max_in_flight = 1,
    .trims = true,
    .available = []() -> Status { return Done{}; },
    .version = [] { return "pread/pwrite, Linux " + kernel_release(); },
    .make = []() -> std::unique_ptr<Engine> { return std::make_unique<PsyncEngine>(); },
};

}  // namespace raidscope
