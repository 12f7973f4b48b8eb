#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <memory>
#include <optional>
#include <unistd.h>

#include <liburing.h>
#include <sys/syscall.h>

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

/// Whether every target answers one polled read. What cannot poll says EOPNOTSUPP to each request.
bool targets_poll(const std::vector<TargetFile>& files) {
  constexpr std::size_t bytes = 4096;
  const std::unique_ptr<void, decltype(&std::free)> buffer(std::aligned_alloc(bytes, bytes),
                                                           &std::free);
  io_uring ring{};
  if (!buffer || io_uring_queue_init(1, &ring, IORING_SETUP_IOPOLL) != 0) return false;
  bool all = true;
  for (const TargetFile& file : files) {
    io_uring_sqe* const sqe = io_uring_get_sqe(&ring);
    io_uring_prep_read(sqe, file.fd(), buffer.get(), bytes, 0);
    io_uring_cqe* cqe = nullptr;
    if (io_uring_submit(&ring) != 1 || io_uring_wait_cqe(&ring, &cqe) != 0) {
      all = false;
      break;
    }
    all = all && cqe->res == static_cast<int>(bytes);
    io_uring_cqe_seen(&ring, cqe);
  }
  io_uring_queue_exit(&ring);
  return all;
}

/// The rings are driven by hand: each slot has its own queue entry, filled once, of which a request
/// changes the offset (and, from one kind to another, the code and the length); the array of the
/// submission queue then names the slots in their order. One system call submits and waits.
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
    if (may_write(setup))
      content_.emplace(buffers_.all(), buffers_.stride(), setup.content_seed, setup.content);
    if (setup.poll) {
      polled_ = targets_poll(files_);
      poll_refused_ = !polled_;
    }
    RAIDSCOPE_CHECK(make_ring(setup.depth));
    register_resources(setup);
    fill_templates(setup.depth);
    return Done{};
  }

  std::int32_t submit(std::span<const Request> requests,
                      std::span<const std::uint32_t> slots) override {
    const std::size_t count = requests.size();
    for (std::size_t i = 0; i < count; ++i) {
      const Request& request = requests[i];
      const std::uint32_t slot = slots[i];
      io_uring_sqe& sqe = sqes_[slot];
      if (synced_[slot]) [[unlikely]] {
        fill_template(slot);
      }
      sqe.opcode = read_code_;
      if (request.write) [[unlikely]] {
        if (!content_) return -EBADF;
        if (request.kind == Request::Kind::trim) return -EOPNOTSUPP;
        if (request.kind == Request::Kind::data) {
          sqe.opcode = write_code_;
          content_->refresh(slot, request.length, request.offset);
        } else {
          queue_sync(sqe, request, slot);
          continue;
        }
      }
      sqe.fd = files_registered_ ? static_cast<int>(request.target) : files_[request.target].fd();
      sqe.off = request.offset;
      sqe.len = request.length;
      array_[tail_++ & sq_mask_] = slot;
    }
    std::atomic_ref<unsigned>(*sq_tail_).store(tail_, std::memory_order_release);
    queued_ += static_cast<unsigned>(count);
    return static_cast<std::int32_t>(count);
  }

  /// One system call submits what submit() queued and waits for completions.
  std::int32_t reap(std::span<Completion> out, std::uint32_t least,
                    std::chrono::nanoseconds patience) override {
    if (const int error = enter(least, patience); error < 0) return error;
    unsigned head = *cq_head_;
    const unsigned ready =
        std::atomic_ref<unsigned>(*cq_tail_).load(std::memory_order_acquire) - head;
    const std::size_t n = std::min<std::size_t>(ready, out.size());
    for (std::size_t i = 0; i < n; ++i, ++head) {
      const io_uring_cqe& cqe = cqes_[head & cq_mask_];
      out[i] = {static_cast<std::uint32_t>(cqe.user_data), cqe.res};
    }
    std::atomic_ref<unsigned>(*cq_head_).store(head, std::memory_order_release);
    return static_cast<std::int32_t>(n);
  }

  [[nodiscard]] const std::byte* data(std::uint32_t slot) const override {
    return buffers_.slot(slot);
  }

  [[nodiscard]] std::string details() const override {
    return fmt::format("{}{}{}{}{}", ring_names_, ring_registered_ ? ", registered ring" : "",
                       files_registered_ ? ", registered files" : "",
                       buffers_registered_ ? ", registered buffers" : "",
                       polled_ ? ", IOPOLL"
                       : poll_refused_
                           ? ", no IOPOLL: the target cannot be polled (no poll queues: see the "
                             "driver's poll_queues), so completions come by interrupt"
                           : "");
  }

 private:
  // A flush has an entry of another form: the template is put back with the next request.
  void queue_sync(io_uring_sqe& sqe, const Request& request, std::uint32_t slot) noexcept {
    sqe.opcode = IORING_OP_FSYNC;
    sqe.fd = files_registered_ ? static_cast<int>(request.target) : files_[request.target].fd();
    sqe.off = 0;
    sqe.len = 0;
    sqe.addr = 0;
    sqe.buf_index = 0;
    synced_[slot] = 1;
    array_[tail_++ & sq_mask_] = slot;
  }

  Status make_ring(std::uint32_t depth) {
    const unsigned poll = polled_ ? IORING_SETUP_IOPOLL : 0U;
    int error = -EINVAL;
    for (const RingFlags& choice : ring_choices) {
      error = io_uring_queue_init(depth, &ring_, choice.flags | poll);
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
    // A registered buffer a slot finds its pages without a search; 1 GiB each at most, and 16384
    // of them (before 5.13: 1024). Where these are refused the slots share large ones.
    std::vector<iovec> pieces;
    for (std::uint32_t slot = 0; slot < setup.depth; ++slot) {
      pieces.push_back({buffers_.slot(slot), buffers_.stride()});
    }
    slots_per_buffer_ = 1;
    buffers_registered_ = register_buffers(pieces);
    if (buffers_registered_) return;
    constexpr std::size_t limit = std::size_t{1} << 30U;
    slots_per_buffer_ = std::max<std::uint32_t>(
        1, static_cast<std::uint32_t>(limit / std::max<std::size_t>(buffers_.stride(), 1)));
    pieces.clear();
    for (std::uint32_t slot = 0; slot < setup.depth; slot += slots_per_buffer_) {
      const std::uint32_t count = std::min(slots_per_buffer_, setup.depth - slot);
      pieces.push_back({buffers_.slot(slot), count * buffers_.stride()});
    }
    buffers_registered_ = register_buffers(pieces);
  }

  bool register_buffers(const std::vector<iovec>& pieces) {
    return io_uring_register_buffers(&ring_, pieces.data(), static_cast<unsigned>(pieces.size())) ==
           0;
  }

  void fill_templates(std::uint32_t depth) {
    sqes_ = ring_.sq.sqes;
    array_ = ring_.sq.array;
    sq_tail_ = ring_.sq.ktail;
    sq_mask_ = ring_.sq.ring_mask;
    cq_head_ = ring_.cq.khead;
    cq_tail_ = ring_.cq.ktail;
    cq_mask_ = ring_.cq.ring_mask;
    cqes_ = ring_.cq.cqes;
    tail_ = *sq_tail_;
    enter_fd_ = ring_.enter_ring_fd;
    enter_flags_ = ring_registered_ ? IORING_ENTER_REGISTERED_RING : 0U;
    read_code_ = buffers_registered_ ? IORING_OP_READ_FIXED : IORING_OP_READ;
    write_code_ = buffers_registered_ ? IORING_OP_WRITE_FIXED : IORING_OP_WRITE;
    synced_.assign(depth, 0);
    for (std::uint32_t slot = 0; slot < depth; ++slot) fill_template(slot);
  }

  void fill_template(std::uint32_t slot) noexcept {
    io_uring_sqe& sqe = sqes_[slot];
    sqe = {};
    sqe.flags = files_registered_ ? static_cast<__u8>(IOSQE_FIXED_FILE) : __u8{0};
    sqe.addr = reinterpret_cast<std::uintptr_t>(buffers_.slot(slot));
    if (buffers_registered_) sqe.buf_index = static_cast<__u16>(slot / slots_per_buffer_);
    sqe.user_data = slot;
    synced_[slot] = 0;
  }

  int enter(std::uint32_t least, std::chrono::nanoseconds patience) noexcept {
    const unsigned ready =
        std::atomic_ref<unsigned>(*cq_tail_).load(std::memory_order_acquire) - *cq_head_;
    if (queued_ == 0 && ready >= least && ready != 0) return 0;
    unsigned flags = enter_flags_ | IORING_ENTER_GETEVENTS;
    io_uring_getevents_arg more{};
    __kernel_timespec limit{};
    const void* argument = nullptr;
    std::size_t size = 0;
    if (patience != for_ever && (ring_.features & IORING_FEAT_EXT_ARG) == 0) {
      // Before 5.11 a wait has no end: look, and come back soon.
      if (ready == 0 && queued_ == 0) {
        const timespec soon{0, std::min<std::int64_t>(patience.count(), 50'000)};
        ::nanosleep(&soon, nullptr);
      }
      least = 0;
    } else if (patience != for_ever) {
      const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
      limit = {seconds.count(), (patience - seconds).count()};
      more.ts = reinterpret_cast<std::uintptr_t>(&limit);
      argument = &more;
      size = sizeof more;
      flags |= IORING_ENTER_EXT_ARG;
    }
    const long result =
        ::syscall(__NR_io_uring_enter, enter_fd_, queued_, least, flags, argument, size);
    if (result >= 0) {
      queued_ -= static_cast<unsigned>(result);
      return 0;
    }
    // A signal, the end of patience, or a kernel short of memory for a moment: not a device's
    // error, and what was not submitted stays queued.
    if (errno == EINTR || errno == ETIME || errno == EAGAIN || errno == EBUSY) return 0;
    return -errno;
  }

  // What the loop touches.
  io_uring_sqe* sqes_ = nullptr;
  unsigned* array_ = nullptr;
  unsigned* sq_tail_ = nullptr;
  unsigned* cq_head_ = nullptr;
  unsigned* cq_tail_ = nullptr;
  io_uring_cqe* cqes_ = nullptr;
  unsigned sq_mask_ = 0, cq_mask_ = 0, tail_ = 0, queued_ = 0;
  int enter_fd_ = -1;
  unsigned enter_flags_ = 0;
  std::uint8_t read_code_ = IORING_OP_READ, write_code_ = IORING_OP_WRITE;
  bool files_registered_ = false;
  std::vector<std::uint8_t> synced_;  ///< by slot: its entry holds a flush

  io_uring ring_{};
  std::vector<TargetFile> files_;
  SlotBuffers buffers_;
  std::optional<WriteContent> content_;
  std::string ring_names_;
  std::uint32_t slots_per_buffer_ = 1;
  bool ring_made_ = false;
  bool ring_registered_ = false;
  bool buffers_registered_ = false;
  bool polled_ = false;
  bool poll_refused_ = false;
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
                "use a kernel of 5.6 or later, or --engine libaio", -error);
  }
  if (error == -EPERM || error == -EACCES) {
    return fail(
        Errc::unsupported, "io_uring is forbidden here", "io_uring",
        "see sysctl kernel.io_uring_disabled and, in a container, its seccomp profile; or use "
        "--engine libaio",
        -error);
  }
  return fail(Errc::unsupported, "io_uring cannot be set up", "io_uring", "use --engine libaio",
              -error);
}

}  // namespace

extern const EngineType engine_io_uring;
const EngineType engine_io_uring{
    .id = "io_uring",
    .summary = "asynchronous, one system call submits a batch and waits: the full queue depth",
    .polls = true,
    .available = available,
    .version = [] { return "liburing " RAIDSCOPE_LIBURING_VERSION ", Linux " + kernel_release(); },
    .make = []() -> std::unique_ptr<Engine> { return std::make_unique<UringEngine>(); },
};

}  // namespace raidscope
