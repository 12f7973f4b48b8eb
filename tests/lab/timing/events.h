#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <queue>
#include <utility>
#include <vector>

/// A small discrete-event simulation: what happens when, and places where work waits its turn. It
/// reads no clock, and the same arrivals always give the same times.
namespace raidscope::lab {

using Time = std::chrono::microseconds;  ///< since the simulation began
using Then = std::function<void()>;

class Events {
 public:
  [[nodiscard]] Time now() const { return now_; }
  void after(Time delay, Then then) { queue_.push({now_ + delay, ++count_, std::move(then)}); }
  [[nodiscard]] std::optional<Time> next() const {
    return queue_.empty() ? std::nullopt : std::optional(queue_.top().at);
  }
  /// Lets everything happen that is due by then, in order of time and then of planning.
  void run_to(Time time) {
    while (!queue_.empty() && queue_.top().at <= time) {
      const Then then = queue_.top().then;
      now_ = queue_.top().at;
      queue_.pop();
      then();
    }
    now_ = std::max(now_, time);
  }

 private:
  struct Event {
    Time at{};
    std::uint64_t number = 0;
    Then then;
    bool operator<(const Event& other) const {  // the queue's top is its largest
      return std::pair(other.at, other.number) < std::pair(at, number);
    }
  };
  std::priority_queue<Event> queue_;
  Time now_{};
  std::uint64_t count_ = 0;
};

/// So many servers with one queue, first come first served; work of the background waits until
/// nothing else does, unless it is urgent.
class Station {
 public:
  explicit Station(Events& events) : events_(&events) {}

  void set_servers(std::uint32_t servers) { servers_ = servers; }
  void work(Time service, Then done) { take(waiting_, {service, std::move(done)}); }
  void background(Time service, Then done) { take(behind_, {service, std::move(done)}); }
  void set_urgent(bool urgent) { urgent_ = urgent; }
  /// In service and waiting, without the background.
  [[nodiscard]] std::size_t load() const { return busy_ + waiting_.size(); }

 private:
  struct Job {
    Time service{};
    Then done;
  };

  void take(std::deque<Job>& queue, Job job) {
    queue.push_back(std::move(job));
    begin();
  }
  void begin() {
    while (busy_ < servers_ && !(waiting_.empty() && behind_.empty())) {
      const bool from_behind = waiting_.empty() || (urgent_ && !behind_.empty());
      std::deque<Job>& queue = from_behind ? behind_ : waiting_;
      const Job job = std::move(queue.front());
      queue.pop_front();
      ++busy_;
      events_->after(job.service, [this, done = job.done] {
        --busy_;
        begin();
        done();
      });
    }
  }

  Events* events_;
  std::uint32_t servers_ = 1;
  std::size_t busy_ = 0;
  bool urgent_ = false;
  std::deque<Job> waiting_, behind_;
};

}  // namespace raidscope::lab
