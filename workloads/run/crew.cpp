#include "workloads/run/crew.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <new>
#include <pthread.h>
#include <unistd.h>

#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>

#include <fmt/format.h>

#include "workloads/random.h"
#include "workloads/run/runner_target.h"

namespace raidscope {

CpuTime process_cpu() noexcept {
  rusage used{};
  ::getrusage(RUSAGE_SELF, &used);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_usec) * 1e-6;
  };
  return {seconds(used.ru_utime), seconds(used.ru_stime)};
}

void CpuWatch::look(const RunBoard& board, std::int64_t now) noexcept {
  if (!begun_ && now >= board.window_begin_ns) {
    begin_ = process_cpu();
    begun_ = true;
  }
  if (!ended_ && now >= board.window_end_ns.load(std::memory_order_relaxed)) {
    end_ = process_cpu();
    ended_ = true;
  }
}

void CpuWatch::finish() noexcept {
  if (!begun_) begin_ = process_cpu();
  if (!ended_) end_ = process_cpu();
  begun_ = ended_ = true;
}

CpuTime CpuWatch::used() const noexcept {
  return {end_.user_s - begin_.user_s, end_.system_s - begin_.system_s};
}

SharedMemory::SharedMemory(std::size_t bytes, bool with_children) : bytes_(bytes) {
  void* const at =
      ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
             (with_children ? MAP_SHARED : MAP_PRIVATE) | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  data_ = at == MAP_FAILED ? nullptr : static_cast<std::byte*>(at);
}

SharedMemory::~SharedMemory() {
  if (data_ != nullptr) ::munmap(data_, bytes_);
}

namespace {

constexpr std::size_t board_alignment = 64;

constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + board_alignment - 1) / board_alignment * board_alignment;
}
static_assert(alignof(WorkerBoard) <= board_alignment && alignof(InstanceBoard) <= board_alignment);

std::size_t bytes_of_boards(std::uint32_t instances, std::uint32_t workers_each) {
  return rounded(sizeof(RunBoard)) + rounded(sizeof(InstanceBoard) * instances) +
         sizeof(WorkerBoard) * std::size_t{instances} * workers_each;
}

}  // namespace

Boards::Boards(std::uint32_t instances, std::uint32_t workers_each)
    : memory_(bytes_of_boards(instances, workers_each), instances > 1) {
  std::byte* at = memory_.data();
  if (at == nullptr) return;
  run_ = new (at) RunBoard;
  at += rounded(sizeof(RunBoard));
  // One by one: an array's placement form may want room of its own.
  const auto many = [&at]<class T>(std::span<T>& out, std::size_t count) {
    T* const first = reinterpret_cast<T*>(at);
    for (std::size_t i = 0; i < count; ++i) new (first + i) T;
    out = {std::launder(first), count};
    at += rounded(sizeof(T) * count);
  };
  many(instances_, instances);
  many(workers_, std::size_t{instances} * workers_each);
}

Result<std::unique_ptr<Boards>> Boards::make(std::uint32_t instances, std::uint32_t workers_each) {
  std::unique_ptr<Boards> out(new Boards(instances, workers_each));
  if (out->run_ == nullptr) {
    return fail(Errc::unsupported,
                fmt::format("no memory for the counters of {} workers",
                            std::uint64_t{instances} * workers_each),
                "", "use fewer workers or instances", ENOMEM);
  }
  return out;
}

Boards::~Boards() {
  if (run_ == nullptr) return;
  for (WorkerBoard& board : workers_) board.~WorkerBoard();
  for (InstanceBoard& board : instances_) board.~InstanceBoard();
  run_->~RunBoard();
}

Crew::~Crew() {
  for (std::thread& thread : threads_) {
    if (thread.joinable()) thread.join();
  }
  for (Child& child : children_) {
    if (child.gone) continue;
    ::kill(child.pid, SIGKILL);
    ::waitpid(child.pid, nullptr, 0);
  }
}

void Crew::begin_threads(std::uint32_t instance) {
  const std::uint32_t count = boards_.workers_each();
  for (std::uint32_t i = 0; i < count; ++i) {
    workers_.push_back(
        std::make_unique<Worker>(shared_, boards_.workers()[std::size_t{instance} * count + i], i));
  }
  // Signals are the calling thread's business: a worker's system call must not be the one
  // interrupted.
  sigset_t all;
  sigset_t before;
  ::sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  InstanceBoard& board = boards_.instances()[instance];
  for (const auto& worker : workers_) {
    threads_.emplace_back([&w = *worker, &board] {
      w.run();
      board.finished.fetch_add(1, std::memory_order_release);
    });
  }
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

Status Crew::open() {
  if (!apart()) {
    begin_threads(0);
  } else {
    const pid_t parent = ::getpid();
    for (std::uint32_t i = 0; i < boards_.instances().size(); ++i) {
      const pid_t pid = ::fork();
      if (pid == 0) be_instance(i, parent);
      if (pid < 0) {
        const int why = errno;
        cancel();
        return fail(Errc::unsupported, fmt::format("instance {} could not be started", i), "",
                    "use fewer instances", why);
      }
      children_.push_back({pid, false});
    }
  }
  for (std::size_t waiting = boards_.workers().size(); waiting != 0;) {
    if (boards_.run().opened.wait_a_moment()) {
      --waiting;
      continue;
    }
    look_for_the_lost();
    if (lost_) continue;
    cancel();
    return lost_;
  }
  for (const WorkerBoard& board : boards_.workers()) {
    const Status opened = board.not_opened.status();
    if (opened) continue;
    cancel();
    return opened;
  }
  return Done{};
}

void Crew::cancel() {
  boards_.run().cancelled = true;
  go();
}

void Crew::go() {
  boards_.run().go.let(static_cast<std::uint32_t>(boards_.workers().size()));
}

void Crew::be_instance(std::uint32_t instance, pid_t parent) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (::getppid() != parent) ::_exit(1);  // it died meanwhile
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::signal(signal, SIG_IGN);
  // The first has the offsets that one instance alone would have.
  if (instance != 0) shared_.workload.seed = mix64(shared_.workload.seed + instance);
  if (!shared_.setup.content.addressed)
    shared_.setup.content_seed = mix64(shared_.setup.content_seed ^ ((instance + 1ULL) << 32U));
  begin_threads(instance);
  InstanceBoard& own = boards_.instances()[instance];
  const RunBoard& run = boards_.run();
  CpuWatch cpu;
  std::int64_t next_count = 0;
  while (own.finished.load(std::memory_order_acquire) != boards_.workers_each()) {
    const std::int64_t now = clock_ns();
    const std::int64_t end = run.window_end_ns.load(std::memory_order_acquire);
    std::int64_t wake = now + 20'000'000;
    if (end != 0) {  // it has begun
      cpu.look(run, now);
      if (now >= next_count) {
        own.io_wq_threads = std::max(own.io_wq_threads.load(), count_io_wq_threads());
        next_count = now + 1'000'000'000;
      }
      for (const std::int64_t edge : {run.window_begin_ns, end}) {
        if (edge > now) wake = std::min(wake, edge);
      }
    }
    std::this_thread::sleep_for(std::chrono::nanoseconds(wake - now));
  }
  cpu.finish();
  own.cpu = cpu.used();
  for (std::thread& thread : threads_) thread.join();
  ::_exit(0);
}

void Crew::look_for_the_lost() {
  for (std::size_t i = 0; i < children_.size(); ++i) {
    Child& child = children_[i];
    int status = 0;
    if (child.gone || ::waitpid(child.pid, &status, WNOHANG) != child.pid) continue;
    child.gone = true;
    const bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
    if (well || !lost_) continue;
    lost_ = fail(Errc::io,
                 WIFSIGNALED(status)
                     ? fmt::format("instance {} was killed by signal {}", i, WTERMSIG(status))
                     : fmt::format("instance {} ended with {}", i, WEXITSTATUS(status)),
                 "", "see the kernel's log (dmesg): it may have run out of memory");
    boards_.run().window_end_ns.store(0, std::memory_order_relaxed);
    boards_.run().cooldown_ns.store(0, std::memory_order_relaxed);
  }
}

bool Crew::finished() {
  look_for_the_lost();
  for (std::size_t i = 0; i < boards_.instances().size(); ++i) {
    if (apart() && children_[i].gone) continue;
    const InstanceBoard& board = boards_.instances()[i];
    if (board.finished.load(std::memory_order_acquire) != boards_.workers_each()) return false;
  }
  return true;
}

void Crew::join() {
  for (std::thread& thread : threads_) thread.join();
  for (Child& child : children_) {
    if (!child.gone) ::waitpid(child.pid, nullptr, 0);
    child.gone = true;
  }
}

}  // namespace raidscope
