#include "workloads/run/testfile_fill.h"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <unistd.h>
#include <vector>

#include <liburing.h>

#include "workloads/content.h"

namespace raidscope {
namespace {

// 32 × 1 MiB keeps a RAID volume busy and stays in the last-level cache, where the content is made.
constexpr unsigned kDepth = 32;
// The largest logical block size of disks, and a page.
constexpr std::uint64_t kAlignment = 4096;

struct FreeBuffer {
  void operator()(std::byte* buffer) const { std::free(buffer); }
};
using Buffer = std::unique_ptr<std::byte, FreeBuffer>;

Buffer make_buffer(std::size_t size) {
  return Buffer{static_cast<std::byte*>(std::aligned_alloc(kAlignment, size))};
}

tl::unexpected<Error> write_error(std::uint64_t offset, int code, bool direct) {
  if (direct && code == EINVAL)
    return fail(Errc::unsupported, "direct writes are refused", {}, {}, code);
  return fail(Errc::io, "writing at byte " + std::to_string(offset) + " failed", {}, {}, code);
}

std::uint64_t padded(std::uint64_t length, bool direct) {
  return direct ? (length + kAlignment - 1) / kAlignment * kAlignment : length;
}

Result<FillEnd> fill_with_pwrite(const FillJob& job, const FillProgress& progress) {
  const Buffer buffer = make_buffer(kFillChunk);
  if (!buffer) return fail(Errc::io, "no memory for the buffers", {}, {}, ENOMEM);
  FillEnd end;
  end.written = job.from;
  while (end.written < job.size) {
    const std::uint64_t length = padded(std::min(kFillChunk, job.size - end.written), job.direct);
    fill_content({buffer.get(), length}, job.seed, end.written);
    for (std::uint64_t done = 0; done < length;) {
      const ssize_t put = ::pwrite(job.fd, buffer.get() + done, length - done,
                                   static_cast<off_t>(end.written + done));
      if (put < 0 && errno == EINTR) continue;
      if (put <= 0) return write_error(end.written + done, put < 0 ? errno : ENOSPC, job.direct);
      done += static_cast<std::uint64_t>(put);
    }
    end.written = std::min(end.written + length, job.size);
    if (!progress(end.written)) {
      end.stopped = true;
      return end;
    }
  }
  return end;
}

class RingFill {
 public:
  RingFill(const FillJob& job, const FillProgress& progress) : job_(job), progress_(progress) {}
  RingFill(const RingFill&) = delete;
  RingFill& operator=(const RingFill&) = delete;
  ~RingFill() {
    if (open_) ::io_uring_queue_exit(&ring_);
  }

  bool open() {
    open_ = ::io_uring_queue_init(kDepth, &ring_, 0) == 0;
    if (!open_) return false;
    slots_.resize(kDepth);
    return std::all_of(slots_.begin(), slots_.end(), [](Slot& slot) {
      slot.buffer = make_buffer(kFillChunk);
      return slot.buffer != nullptr;
    });
  }

  Result<FillEnd> run() {
    next_ = job_.from;
    FillEnd end;
    end.used_io_uring = true;
    while (true) {
      for (std::size_t i = 0; i < slots_.size() && !stop_ && next_ < job_.size; ++i)
        if (!slots_[i].busy) start(i);
      if (in_flight_ == 0) break;
      const int waited = ::io_uring_submit_and_wait(&ring_, 1);
      if (waited < 0 && waited != -EINTR && waited != -EAGAIN && waited != -EBUSY && error_ == 0) {
        error_ = -waited;
        error_offset_ = written();
        stop_ = true;
      }
      reap();
      if (!stop_ && !progress_(written())) stop_ = end.stopped = true;
    }
    if (error_ != 0) return write_error(error_offset_, error_, job_.direct);
    end.written = written();
    return end;
  }

 private:
  struct Slot {
    Buffer buffer;
    std::uint64_t begin = 0;  ///< of the chunk
    std::uint64_t length = 0;
    std::uint64_t done = 0;
    bool busy = false;
  };

  void start(std::size_t index) {
    Slot& slot = slots_[index];
    slot.begin = next_;
    slot.length = padded(std::min(kFillChunk, job_.size - next_), job_.direct);
    slot.done = 0;
    slot.busy = true;
    fill_content({slot.buffer.get(), slot.length}, job_.seed, slot.begin);
    next_ = std::min(next_ + kFillChunk, job_.size);
    ++in_flight_;
    queue(index);
  }

  void queue(std::size_t index) {
    // Never null: as many entries as slots, and each slot has one request at a time.
    Slot& slot = slots_[index];
    io_uring_sqe* entry = ::io_uring_get_sqe(&ring_);
    ::io_uring_prep_write(entry, job_.fd, slot.buffer.get() + slot.done,
                          static_cast<unsigned>(slot.length - slot.done), slot.begin + slot.done);
    ::io_uring_sqe_set_data64(entry, index);
  }

  void reap() {
    io_uring_cqe* entry = nullptr;
    while (::io_uring_peek_cqe(&ring_, &entry) == 0) {
      const auto index = static_cast<std::size_t>(::io_uring_cqe_get_data64(entry));
      const int result = entry->res;
      ::io_uring_cqe_seen(&ring_, entry);
      Slot& slot = slots_[index];
      if (result == -EINTR || result == -EAGAIN) {
        queue(index);
        continue;
      }
      if (result > 0) slot.done += static_cast<std::uint64_t>(result);
      if (result > 0 && slot.done < slot.length) {
        queue(index);
        continue;
      }
      --in_flight_;
      if (result > 0) {
        slot.busy = false;
        continue;
      }
      // The slot stays busy, so that what is written without a gap ends before it.
      stop_ = true;
      if (error_ == 0 || slot.begin < error_offset_) {
        error_ = result < 0 ? -result : ENOSPC;
        error_offset_ = slot.begin + slot.done;
      }
    }
  }

  [[nodiscard]] std::uint64_t written() const {
    std::uint64_t least = next_;
    for (const Slot& slot : slots_)
      if (slot.busy) least = std::min(least, slot.begin);
    return least;
  }

  const FillJob& job_;
  const FillProgress& progress_;
  io_uring ring_{};
  bool open_ = false;
  std::vector<Slot> slots_;
  std::uint64_t next_ = 0;
  unsigned in_flight_ = 0;
  bool stop_ = false;
  int error_ = 0;
  std::uint64_t error_offset_ = 0;
};

}  // namespace

Result<FillEnd> fill_file(const FillJob& job, const FillProgress& progress, FillWay way) {
  if (way == FillWay::io_uring_or_pwrite) {
    RingFill ring(job, progress);
    if (ring.open()) return ring.run();
  }
  return fill_with_pwrite(job, progress);
}

}  // namespace raidscope
