#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "tests/lab/card/request.h"
#include "tests/lab/timing/drive_work.h"
#include "tests/lab/timing/events.h"
#include "tests/lab/timing/line_cache.h"

namespace raidscope::lab {

/// When requests are done, by the machine's `timing`: a queueing model of the controller, its cache
/// and the drives. Every request but one that goes straight to a drive is served by the controller
/// first. Then what the cache holds is read from it; what is not comes from the drives. A write is
/// done once it is in the cache, and goes to the drives in the background; while the write part of
/// the cache is full, writes wait until destaging has made room. Without a usable cache they wait
/// for the drives.
class ServiceTimes {
 public:
  ServiceTimes() = default;
  ServiceTimes(const ServiceTimes&) = delete;
  ServiceTimes& operator=(const ServiceTimes&) = delete;

  /// Arrivals are told in order of time. `machine` must have a timing; `id` is the caller's.
  void arrive(Time now, std::uint64_t id, const Machine& machine, const Request& request);
  /// When to look again at the latest; nothing while nothing is on its way.
  [[nodiscard]] std::optional<Time> next() const { return events_.next(); }
  /// What is done by now and was not told yet, in the order of being done.
  std::vector<std::uint64_t> done_by(Time now);
  /// Bytes in the cache that are not on the drives yet.
  [[nodiscard]] std::uint64_t dirty_bytes() const { return dirty_; }

 private:
  struct Plan;
  using PlanPtr = std::shared_ptr<const Plan>;

  Station& drive(std::size_t number);
  void through_controller(const PlanPtr& plan);
  /// Puts all pieces to the drives; `then` happens when the last of them is done.
  void on_drives(const PlanPtr& plan, bool in_background, Then then);
  void read(const PlanPtr& plan);
  void post(const PlanPtr& plan);
  void admit_waiting();
  void finish(const PlanPtr& plan);

  Events events_;
  Station controller_{events_};
  std::map<std::size_t, Station> drives_;
  LineCache lines_;
  std::uint64_t dirty_ = 0;
  std::deque<PlanPtr> waiting_;  ///< writes for which the cache has no room
  std::vector<std::uint64_t> done_;
};

}  // namespace raidscope::lab
