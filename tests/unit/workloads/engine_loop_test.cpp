// What the loop of a worker must not do: allocate, or make system calls other than its engine's.
// The engine under test is wrapped in one that begins to count at the first reap, when the loop has
// begun, and looks again at the end of each.
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <poll.h>
#include <string>
#include <thread>
#include <unistd.h>

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#include <gtest/gtest.h>

#include "workloads/engine.h"
#include "workloads/random.h"
#include "workloads/run/crew.h"
#include "workloads/run/worker.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define SANITIZED 1
#endif
#endif

namespace {
thread_local std::uint64_t allocations = 0;
}  // namespace

#if !defined(SANITIZED) && defined(__GLIBC__)
#define COUNTS_ALLOCATIONS 1
// In place of the C library's own, which they call; free() stays its own.
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_calloc(std::size_t, std::size_t);
void* __libc_realloc(void*, std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
void* malloc(std::size_t bytes) {
  ++allocations;
  return __libc_malloc(bytes);
}
void* calloc(std::size_t count, std::size_t bytes) {
  ++allocations;
  return __libc_calloc(count, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  ++allocations;
  return __libc_realloc(memory, bytes);
}
void* memalign(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  ++allocations;
  return __libc_memalign(alignment, bytes);
}
}
#endif

namespace raidscope {
namespace {

/// Counts the system calls of the thread that calls begin(), all but those named: the kernel hands
/// each to a second thread, which counts it and lets it go on (seccomp's user notification, 5.5).
class SystemCalls {
 public:
  ~SystemCalls() {
    over_ = true;
    if (watcher_.joinable()) watcher_.join();
    if (listener_ >= 0) ::close(listener_);
  }

  /// False, with why_not(), where this cannot be done.
  bool begin(long free_call) {
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(free_call), 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_USER_NOTIF),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter{4, program};
    if (::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return give_up("no_new_privs");
    std::atomic<int> listener{-2};
    // The watcher is started before the filter is there: starting it is system calls too.
    watcher_ = std::thread([this, &listener] {
      while (listener.load() == -2) std::this_thread::yield();
      const int fd = listener.load();
      taken_ = true;
      if (fd >= 0) watch(fd);
    });
    listener_ = static_cast<int>(
        ::syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_NEW_LISTENER, &filter));
    const int error = errno;
    listener = listener_;
    while (!taken_) {
    }
    if (listener_ < 0) return give_up("seccomp's notification: errno " + std::to_string(error));
    return true;
  }

  [[nodiscard]] std::uint64_t count() const { return count_.load(); }
  [[nodiscard]] long last() const { return last_.load(); }
  [[nodiscard]] const std::string& why_not() const { return why_not_; }

 private:
  bool give_up(std::string why) {
    why_not_ = std::move(why);
    return false;
  }
  void watch(int fd) {
    while (!over_) {
      pollfd ready{fd, POLLIN, 0};
      if (::poll(&ready, 1, 20) <= 0) continue;
      if ((ready.revents & POLLIN) == 0) return;  // the thread is gone
      seccomp_notif asked{};
      if (::ioctl(fd, SECCOMP_IOCTL_NOTIF_RECV, &asked) != 0) continue;
      last_ = asked.data.nr;
      ++count_;
      seccomp_notif_resp answer{asked.id, 0, 0, SECCOMP_USER_NOTIF_FLAG_CONTINUE};
      ::ioctl(fd, SECCOMP_IOCTL_NOTIF_SEND, &answer);
    }
  }

  std::thread watcher_;
  std::atomic<bool> over_{false}, taken_{false};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<long> last_{-1};
  std::string why_not_;
  int listener_ = -1;
};

/// What the wrapped engine saw. One run at a time.
struct Watch {
  const EngineType* inner = nullptr;
  bool calls = false;  ///< count system calls too
  std::unique_ptr<SystemCalls> system;
  std::uint64_t reaps = 0, allocations_before = 0, allocations_after = 0, calls_after = 0;
  std::string why_not;
};
Watch watch;

class Watched final : public Engine {
 public:
  Watched() : inner_(watch.inner->make()) {}
  Status open(const EngineSetup& setup) override { return inner_->open(setup); }
  std::int32_t submit(std::span<const Request> requests,
                      std::span<const std::uint32_t> slots) override {
    return inner_->submit(requests, slots);
  }
  std::int32_t reap(std::span<Completion> out, std::uint32_t least,
                    std::chrono::nanoseconds patience) override {
    if (watch.reaps++ == 0) {
      if (watch.calls) {
        watch.system = std::make_unique<SystemCalls>();
        if (!watch.system->begin(SYS_io_uring_enter)) watch.why_not = watch.system->why_not();
      }
      watch.allocations_before = allocations;
    }
    const std::int32_t count = inner_->reap(out, least, patience);
    watch.allocations_after = allocations;
    if (watch.system) watch.calls_after = watch.system->count();
    return count;
  }

 private:
  std::unique_ptr<Engine> inner_;
};

class EngineLoop : public testing::Test {
 protected:
  void SetUp() override {
    path_ =
        (std::filesystem::current_path() / ("engine_loop_" + std::to_string(::getpid()) + ".dat"))
            .string();
    std::ofstream file(path_, std::ios::binary);
    SplitMix64 random(1);
    for (int i = 0; i < (4 << 20) / 8; ++i) {
      const std::uint64_t word = random();
      file.write(reinterpret_cast<const char*>(&word), sizeof word);
    }
  }
  void TearDown() override { std::filesystem::remove(path_); }

  /// One worker for a second and a half, over two seconds of the series.
  void run(const EngineType& type, Workload workload, bool calls) {
    watch = Watch{};
    watch.inner = &type;
    watch.calls = calls;
    EngineType watched = type;
    watched.make = []() -> std::unique_ptr<Engine> { return std::make_unique<Watched>(); };
    workload.targets = {path_};
    workload.direct = false;
    const auto boards = *Boards::make(1, 1);
    RunBoard& board = boards->run();
    RunShared shared(workload, watched, board);
    shared.setup.targets.push_back({path_, nullptr});
    shared.setup.depth =
        type.max_in_flight != 0 ? type.max_in_flight : workload.queue_depth_per_worker;
    shared.setup.buffer_bytes = 4096;
    shared.setup.direct = false;
    shared.extents.push_back(*extent_of(workload, 4 << 20));
    shared.cursors = std::make_unique<SharedCursor[]>(1);
    WorkerBoard& own = boards->workers().front();
    Worker worker(shared, own, 0);
    std::thread thread([&] { worker.run(); });
    board.opened.wait();
    board.window_begin_ns = clock_ns();
    board.window_end_ns = board.window_begin_ns + 1'500'000'000;
    board.go.let();
    thread.join();
    const Status opened = own.not_opened.status();
    ASSERT_TRUE(opened) << describe(opened.error());
    EXPECT_GT(watch.reaps, 100U);
    EXPECT_FALSE(own.failure);
  }

  std::string path_;
};

TEST_F(EngineLoop, AllocatesNothingWithAnyEngine) {
#ifndef COUNTS_ALLOCATIONS
  GTEST_SKIP() << "the sanitizer or the C library does not let allocations be counted";
#else
  {
    const std::uint64_t before = allocations;
    delete new std::string(100, 'x');
    ASSERT_GT(allocations, before) << "allocations are not counted here";
  }
  for (const EngineType* type : engines()) {
    if (!type->available()) continue;
    Workload workload;
    workload.queue_depth_per_worker = 8;
    run(*type, workload, false);
    EXPECT_EQ(watch.allocations_after, watch.allocations_before) << type->id;
  }
#endif
}

TEST_F(EngineLoop, MakesNoSystemCallButTheRings) {
#ifdef SANITIZED
  GTEST_SKIP() << "a sanitizer makes system calls of its own";
#endif
  const EngineType* const uring = find_engine("io_uring");
  if (const Status s = uring->available(); !s) GTEST_SKIP() << describe(s.error());
  Workload workload;
  workload.queue_depth_per_worker = 8;
  run(*uring, workload, true);
  if (!watch.why_not.empty()) GTEST_SKIP() << "system calls cannot be counted: " << watch.why_not;
  EXPECT_EQ(watch.calls_after, 0U) << "among them number " << watch.system->last();
  // The thread's end is system calls: had these not been counted, nothing would be.
  EXPECT_GT(watch.system->count(), 0U);
}

}  // namespace
}  // namespace raidscope
