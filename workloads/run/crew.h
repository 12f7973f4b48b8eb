#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include <sys/types.h>

#include "probe/base/result.h"
#include "workloads/run/run_board.h"
#include "workloads/run/worker.h"

namespace raidscope {

/// User and system time of this process so far, threads of io_uring among them.
CpuTime process_cpu() noexcept;

/// Takes this process's CPU time in the window. look() is called often; it makes a figure of the
/// moments when it was called.
class CpuWatch {
 public:
  void look(const RunBoard& board, std::int64_t now) noexcept;
  void finish() noexcept;  ///< the window is over, whether it was seen or not
  [[nodiscard]] CpuTime used() const noexcept;

 private:
  CpuTime begin_, end_;
  bool begun_ = false, ended_ = false;
};

/// Memory in which objects lie that other processes see too.
class SharedMemory {
 public:
  SharedMemory(std::size_t bytes, bool with_children);
  ~SharedMemory();
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  [[nodiscard]] std::byte* data() const noexcept { return data_; }  ///< null: there was none

 private:
  std::byte* data_;
  std::size_t bytes_;
};

/// The boards of a run, in memory that the processes of all instances share.
class Boards {
 public:
  static Result<std::unique_ptr<Boards>> make(std::uint32_t instances, std::uint32_t workers_each);
  ~Boards();
  Boards(const Boards&) = delete;
  Boards& operator=(const Boards&) = delete;

  [[nodiscard]] RunBoard& run() const noexcept { return *run_; }
  [[nodiscard]] std::span<InstanceBoard> instances() const noexcept { return instances_; }
  /// Instance by instance.
  [[nodiscard]] std::span<WorkerBoard> workers() const noexcept { return workers_; }
  [[nodiscard]] std::uint32_t workers_each() const noexcept {
    return static_cast<std::uint32_t>(workers_.size() / instances_.size());
  }

 private:
  Boards(std::uint32_t instances, std::uint32_t workers_each);

  SharedMemory memory_;
  RunBoard* run_ = nullptr;
  std::span<InstanceBoard> instances_;
  std::span<WorkerBoard> workers_;
};

/// The workers of a run: threads of this process, or with several instances a process each, which
/// has its workers as threads, its own offsets and its own sequential cursors. A process that dies
/// ends the run for all; when this one dies, they die.
class Crew {
 public:
  Crew(RunShared& shared, Boards& boards) : shared_(shared), boards_(boards) {}
  /// Waits for all; a run that is going on must have been ended before.
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  /// Begins all workers and waits until each has opened its engine; the error of the first that did
  /// not (they are all gone then).
  Status open();
  /// The times on the run's board are set: begin.
  void go();
  /// Whether all workers have ended.
  [[nodiscard]] bool finished();
  void join();
  /// Of an instance that did not end well.
  [[nodiscard]] const Status& lost() const noexcept { return lost_; }

 private:
  [[nodiscard]] bool apart() const noexcept { return boards_.instances().size() > 1; }
  void begin_threads(std::uint32_t instance);
  [[noreturn]] void be_instance(std::uint32_t instance, pid_t parent);
  void look_for_the_lost();
  void cancel();

  RunShared& shared_;
  Boards& boards_;
  std::vector<std::unique_ptr<Worker>> workers_;  ///< of this process
  std::vector<std::thread> threads_;
  struct Child {
    pid_t pid = 0;
    bool gone = false;
  };
  std::vector<Child> children_;
  Status lost_ = Done{};
};

}  // namespace raidscope
