#include <cerrno>
#include <optional>

#include <liburing.h>

#include <fmt/format.h>

#include "workloads/engine.h"
#include "workloads/engines/support/kernel_release.h"
#include "workloads/engines/support/slot_buffers.h"
#include "workloads/engines/support/target_file.h"
#include "workloads/write_content.h"

namespace raidscope {
namespace {

struct RingFlags {
  unsigned flags;
  const char* names;
};

// Best first; what a kernel does not know it refuses with EINVAL. DEFER_TASKRUN is 6.1,
// SINGLE_ISSUER 6.0, COOP_TASKRUN 5.19.
constexpr RingFlags ring_choices[] = {
    {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN, "SINGLE_ISSUER|DEFER_TASKRUN"},
    {IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_COOP_TASKRUN, "SINGLE_ISSUER|COOP_TASKRUN"},
    {IORING_SETUP_COOP_TASKRUN, "COOP_TASKRUN"},
    {0, "no setup flags"},
};

class UringEngine final : public Engine {
 public:
  UringEngine() = default;
  UringEngine(const UringEngine&) = delete;
  UringEngine& operator=(const UringEngine&) = delete;
  ~UringEngine() override {
    if (ring_made_) io_uring_queue_exit(&ring_);
  }

  Status open(const EngineSetup& setup) override {
    RAIDSCOPE_TRY(files_, open_targets(setup));
    RAIDSCOPE_CHECK(buffers_.allocate(setup.depth, setup.buffer_bytes));
    if (may_write(setup)) content_.emplace(buffers_.all(), buffers_.stride(), setup.content_seed);
    RAIDSCOPE_CHECK(make_ring(setup.depth));
    register_resources(setup);
    return Done{};
  }

  std::int32_t submit(std::span<const Request> requests,
                      std::span<const std::uint32_t> slots) override {
    std::size_t taken = 0;
    for (; taken < requests.size(); ++taken) {
      const Request& request = requests[taken];
      if (request.write && !content_) return -EBADF;
      io_uring_sqe* const sqe = io_uring_get_sqe(&ring_);
      if (sqe == nullptr) break;
      fill(*sqe, request, slots[taken]);
    }
    return static_cast<std::int32_t>(taken);
  }

  /// One system call submits what submit() queued and waits for completions.
  std::int32_t reap(std::span<Completion> out, std::uint32_t least,
                    std::chrono::nanoseconds patience) override {
    if (const int error = enter(least, patience); error < 0) return error;
    std::uint32_t n = 0;
    unsigned head = 0;
    io_uring_cqe* cqe = nullptr;
    io_uring_for_each_cqe(&ring_, head, cqe) {
      if (n == out.size()) break;
      out[n++] = {static_cast<std::uint32_t>(cqe->user_data), cqe->res};
    }
    io_uring_cq_advance(&ring_, n);
    return static_cast<std::int32_t>(n);
  }

  [[nodiscard]] std::string details() const override {
    return fmt::format("{}{}{}{}", ring_names_, ring_registered_ ? ", registered ring" : "",
                       files_registered_ ? ", registered files" : "",
                       buffers_registered_ ? ", registered buffers" : "");
  }

 private:
  Status make_ring(std::uint32_t depth) {
    int error = -EINVAL;
    for (const RingFlags& choice : ring_choices) {
      error = io_uring_queue_init(depth, &ring_, choice.flags);
      ring_names_ = choice.names;
      if (error != -EINVAL) break;
    }
    if (error < 0) {
      return fail(Errc::unsupported, fmt::format("no io_uring of {} entries", depth), "io_uring",
                  "use --engine psync, or a smaller queue depth", -error);
    }
    ring_made_ = true;
    return Done{};
  }

  // Each of these saves work per request and none is needed: where the kernel or a limit
  // (RLIMIT_MEMLOCK before 5.12) refuses one, the run goes on and details() leaves it out.
  void register_resources(const EngineSetup& setup) {
    ring_registered_ = io_uring_register_ring_fd(&ring_) == 1;
    std::vector<int> fds;
    for (const TargetFile& file : files_) fds.push_back(file.fd());
    files_registered_ =
        io_uring_register_files(&ring_, fds.data(), static_cast<unsigned>(fds.size())) == 0;
    // One registered buffer may be 1 GiB at most; slots do not straddle two.
    constexpr std::size_t limit = std::size_t{1} << 30U;
    slots_per_buffer_ = static_cast<std::uint32_t>(limit / buffers_.stride());
    std::vector<iovec> pieces;
    for (std::uint32_t slot = 0; slot < setup.depth; slot += slots_per_buffer_) {
      const std::uint32_t count = std::min(slots_per_buffer_, setup.depth - slot);
      pieces.push_back({buffers_.slot(slot), count * buffers_.stride()});
    }
    buffers_registered_ =
        io_uring_register_buffers(&ring_, pieces.data(), static_cast<unsigned>(pieces.size())) == 0;
  }

  void fill(io_uring_sqe& sqe, const Request& request, std::uint32_t slot) noexcept {
    std::byte* const buffer = buffers_.slot(slot);
    if (request.write) content_->refresh(slot, request.length);
    const int file = files_registered_ ? request.target : files_[request.target].fd();
    if (buffers_registered_) {
      const int index = static_cast<int>(slot / slots_per_buffer_);
      if (request.write) {
        io_uring_prep_write_fixed(&sqe, file, buffer, request.length, request.offset, index);
      } else {
        io_uring_prep_read_fixed(&sqe, file, buffer, request.length, request.offset, index);
      }
    } else if (request.write) {
      io_uring_prep_write(&sqe, file, buffer, request.length, request.offset);
    } else {
      io_uring_prep_read(&sqe, file, buffer, request.length, request.offset);
    }
    if (files_registered_) sqe.flags |= IOSQE_FIXED_FILE;
    sqe.user_data = slot;
  }

  int enter(std::uint32_t least, std::chrono::nanoseconds patience) noexcept {
    int result = 0;
    if (patience == for_ever) {
      result = io_uring_submit_and_wait(&ring_, least);
    } else {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
      __kernel_timespec limit{seconds.count(), (patience - seconds).count()};
      io_uring_cqe* first = nullptr;
      result = io_uring_submit_and_wait_timeout(&ring_, &first, least, &limit, nullptr);
    }
    // A signal, the end of patience, or a kernel short of memory for a moment: not a device's
    // error, and what was not submitted stays queued.
    if (result == -EINTR || result == -ETIME || result == -EAGAIN || result == -EBUSY) return 0;
    return result;
  }

  io_uring ring_{};
  std::vector<TargetFile> files_;
  SlotBuffers buffers_;
  std::optional<WriteContent> content_;
  std::string ring_names_;
  std::uint32_t slots_per_buffer_ = 1;
  bool ring_made_ = false;
  bool ring_registered_ = false;
  bool files_registered_ = false;
  bool buffers_registered_ = false;
};

Status available() {
  io_uring ring{};
  const int error = io_uring_queue_init(1, &ring, 0);
  if (error == 0) {
    io_uring_queue_exit(&ring);
    return Done{};
  }
  if (error == -ENOSYS) {
    return fail(Errc::unsupported, "this kernel has no io_uring", "io_uring",
                "use a kernel of 5.6 or later, or --engine psync", -error);
  }
  if (error == -EPERM || error == -EACCES) {
    return fail(
        Errc::unsupported, "io_uring is forbidden here", "io_uring",
        "see sysctl kernel.io_uring_disabled and, in a container, its seccomp profile; or use "
        "--engine psync",
        -error);
  }
  return fail(Errc::unsupported, "io_uring cannot be set up", "io_uring", "use --engine psync",
              -error);
}

}  // namespace

extern const EngineType engine_io_uring;
const EngineType engine_io_uring{
    .id = "io_uring",
    .summary = "asynchronous, one system call submits a batch and waits: the full queue depth",
    .available = available,
    .version = [] { return "liburing " RAIDSCOPE_LIBURING_VERSION ", Linux " + kernel_release(); },
    .make = []() -> std::unique_ptr<Engine> { return std::make_unique<UringEngine>(); },
};

}  // namespace raidscope
