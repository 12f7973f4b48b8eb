#include <algorithm>
#include <cerrno>
#include <libaio.h>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "workloads/engine.h"
#include "workloads/engines/support/kernel_release.h"
#include "workloads/engines/support/slot_buffers.h"
#include "workloads/engines/support/target_file.h"
#include "workloads/write_content.h"

namespace raidscope {
namespace {

/// The kernel's older asynchronous I/O: every kernel since 2.6 has it, and it never hands a request
/// to a thread. It is asynchronous for direct I/O alone; what cannot be is carried out in submit().
class AioEngine final : public Engine {
 public:
  AioEngine() = default;
  AioEngine(const AioEngine&) = delete;
  AioEngine& operator=(const AioEngine&) = delete;
  ~AioEngine() override {
    if (context_ != nullptr) io_destroy(context_);
  }

  Status open(const EngineSetup& setup) override {
    RAIDSCOPE_TRY(files_, open_targets(setup));
    RAIDSCOPE_CHECK(buffers_.allocate(setup.depth, setup.buffer_bytes));
    if (may_write(setup))
      content_.emplace(buffers_.all(), buffers_.stride(), setup.content_seed, setup.content);
    if (const int error = io_setup(static_cast<int>(setup.depth), &context_); error < 0) {
      context_ = nullptr;
      return fail(Errc::unsupported,
                  fmt::format("no asynchronous I/O context of {} requests", setup.depth), "libaio",
                  error == -EAGAIN ? "raise sysctl fs.aio-max-nr, or use a smaller queue depth"
                                   : "use --engine psync",
                  -error);
    }
    control_.resize(setup.depth);
    queue_.resize(setup.depth);
    events_.resize(setup.depth);
    return Done{};
  }

  std::int32_t submit(std::span<const Request> requests,
                      std::span<const std::uint32_t> slots) override {
    for (std::size_t i = 0; i < requests.size(); ++i) {
      const Request& request = requests[i];
      const std::uint32_t slot = slots[i];
      const int fd = files_[request.target].fd();
      if (request.kind == Request::Kind::sync) {
        io_prep_fsync(&control_[slot], fd);
      } else if (request.write) {
        if (!content_) return -EBADF;
        if (request.kind == Request::Kind::trim) return -EOPNOTSUPP;
        content_->refresh(slot, request.length, request.offset);
        io_prep_pwrite(&control_[slot], fd, buffers_.slot(slot), request.length,
                       static_cast<long long>(request.offset));
      } else {
        io_prep_pread(&control_[slot], fd, buffers_.slot(slot), request.length,
                      static_cast<long long>(request.offset));
      }
      control_[slot].data = &control_[slot];
      queue_[i] = &control_[slot];
    }
    const int taken = io_submit(context_, static_cast<long>(requests.size()), queue_.data());
    if (taken == -EINTR) return 0;
    // The queue of the kernel is full: what is in flight makes room.
    if (taken == -EAGAIN && in_flight_ != 0) return 0;
    if (taken > 0) in_flight_ += static_cast<std::uint32_t>(taken);
    return taken;
  }

  std::int32_t reap(std::span<Completion> out, std::uint32_t least,
                    std::chrono::nanoseconds patience) override {
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(patience);
    timespec limit{static_cast<time_t>(seconds.count()),
                   static_cast<long>((patience - seconds).count())};
    const auto most = static_cast<long>(std::min(out.size(), events_.size()));
    const int count = io_getevents(context_, std::min<long>(least, most), most, events_.data(),
                                   patience == for_ever ? nullptr : &limit);
    if (count < 0) return count == -EINTR ? 0 : count;
    for (int i = 0; i < count; ++i) {
      const io_event& event = events_[static_cast<std::size_t>(i)];
      const auto slot =
          static_cast<std::uint32_t>(static_cast<iocb*>(event.data) - control_.data());
      out[static_cast<std::size_t>(i)] = {slot, static_cast<std::int32_t>(event.res)};
    }
    in_flight_ -= static_cast<std::uint32_t>(count);
    return count;
  }

  [[nodiscard]] const std::byte* data(std::uint32_t slot) const override {
    return buffers_.slot(slot);
  }

  [[nodiscard]] std::string details() const override {
    return fmt::format("{} events", control_.size());
  }

 private:
  io_context_t context_ = nullptr;
  std::vector<TargetFile> files_;
  SlotBuffers buffers_;
  std::optional<WriteContent> content_;
  std::vector<iocb> control_;  ///< by slot
  std::vector<iocb*> queue_;
  std::vector<io_event> events_;
  std::uint32_t in_flight_ = 0;
};

Status available() {
  io_context_t context = nullptr;
  const int error = io_setup(1, &context);
  if (error == 0) {
    io_destroy(context);
    return Done{};
  }
  if (error == -EAGAIN) {
    return fail(Errc::unsupported, "no asynchronous I/O context is left", "libaio",
                "raise sysctl fs.aio-max-nr; or use --engine psync", -error);
  }
  return fail(Errc::unsupported,
              "this kernel has no asynchronous I/O (CONFIG_AIO), or it is forbidden", "libaio",
              "use --engine psync", -error);
}

}  // namespace

extern const EngineType engine_libaio;
const EngineType engine_libaio{
    .id = "libaio",
    .summary =
        "asynchronous for direct I/O, two system calls a batch: for kernels without io_uring",
    .available = available,
    .version = [] { return "libaio, Linux " + kernel_release(); },
    .make = []() -> std::unique_ptr<Engine> { return std::make_unique<AioEngine>(); },
};

}  // namespace raidscope
