#include "tests/lab/timing/service_times.h"

#include <algorithm>
#include <tuple>

#include "tests/lab/card/placement.h"

namespace raidscope::lab {

/// All that is to be known of a request after its arrival: the machine may change meanwhile.
struct ServiceTimes::Plan {
  std::uint64_t id = 0;
  Transfer transfer;
  std::uint32_t volume = 0;                     ///< its number
  std::uint64_t read_part = 0, write_part = 0;  ///< bytes of cache that it may use
  Time cache{};
  std::vector<Piece> pieces;
  std::map<std::size_t, DriveTimes> drives;  ///< of those in the pieces
  [[nodiscard]] std::uint64_t bytes() const { return transfer.blocks * sector_bytes; }
};

namespace {

/// Bytes of cache that reads and writes of a volume may use: (reads, writes).
std::pair<std::uint64_t, std::uint64_t> usable_cache(const Machine& machine,
                                                     const PlacedVolume& volume) {
  if (volume.drive == nullptr || !machine.cache || !volume.drive->caching.value_or(false))
    return {};
  const CacheModule& cache = *machine.cache;
  if (cache.status == CacheStatus::permanently_disabled) return {};
  const auto part = [&](std::uint64_t percent) { return cache.available->bytes * percent / 100; };
  const bool writes = cache.status == CacheStatus::ok;
  return {part(cache.ratio->read), writes ? part(cache.ratio->write) : 0};
}

}  // namespace

Station& ServiceTimes::drive(std::size_t number) {
  return drives_.try_emplace(number, events_).first->second;
}

void ServiceTimes::arrive(Time now, std::uint64_t id, const Machine& machine,
                          const Request& request) {
  events_.run_to(now);
  const Timing& timing = *machine.timing;
  const auto plan = std::make_shared<Plan>();
  plan->id = id;
  plan->transfer = request.transfer;
  plan->cache = Time(timing.cache_us);
  if (request.volume.drive != nullptr) plan->volume = request.volume.drive->number;
  std::tie(plan->read_part, plan->write_part) = usable_cache(machine, request.volume);
  const bool writes = request.transfer.writes;
  if (request.drive) {
    plan->pieces = {{{*request.drive}, false, !writes, writes}};
  } else {
    plan->pieces = pieces_of(machine, request.volume, request.transfer);
  }
  const auto all = all_drives(machine);
  for (const Piece& piece : plan->pieces) {
    for (const std::size_t number : piece.drives) {
      const DriveTimes& times = all[number].drive->media == Media::ssd ? timing.ssd : timing.hdd;
      plan->drives[number] = times;
      drive(number).set_servers(times.at_once);
    }
  }
  if (request.drive && request.volume.drive != nullptr) {  // past the controller
    return on_drives(plan, false, [this, plan] { finish(plan); });
  }
  controller_.set_servers(timing.controller_at_once);
  controller_.work(Time(timing.controller_us), [this, plan] { through_controller(plan); });
}

void ServiceTimes::through_controller(const PlanPtr& plan) {
  if (!plan->transfer.writes) return read(plan);
  if (plan->write_part == 0) return on_drives(plan, false, [this, plan] { finish(plan); });
  waiting_.push_back(plan);
  admit_waiting();
}

void ServiceTimes::read(const PlanPtr& plan) {
  if (plan->read_part + plan->write_part > 0 && lines_.holds(plan->volume, plan->transfer)) {
    return events_.after(plan->cache, [this, plan] { finish(plan); });
  }
  on_drives(plan, false, [this, plan] {
    if (plan->read_part > 0) lines_.keep(plan->volume, plan->transfer, plan->read_part);
    finish(plan);
  });
}

void ServiceTimes::admit_waiting() {
  // What is larger than the cache goes in alone.
  while (!waiting_.empty() &&
         (dirty_ == 0 || dirty_ + waiting_.front()->bytes() <= waiting_.front()->write_part)) {
    const PlanPtr plan = waiting_.front();
    waiting_.pop_front();
    post(plan);
  }
  // Reads that never end must not keep the writes waiting for ever.
  for (auto& [number, station] : drives_) station.set_urgent(!waiting_.empty());
}

void ServiceTimes::post(const PlanPtr& plan) {
  dirty_ += plan->bytes();
  lines_.mark_dirty(plan->volume, plan->transfer);
  events_.after(plan->cache, [this, plan] { finish(plan); });
  on_drives(plan, true, [this, plan] {
    dirty_ -= plan->bytes();
    lines_.mark_clean(plan->volume, plan->transfer);
    if (plan->read_part > 0) lines_.keep(plan->volume, plan->transfer, plan->read_part);
    admit_waiting();
  });
}

void ServiceTimes::on_drives(const PlanPtr& plan, bool in_background, Then then) {
  const auto left = std::make_shared<std::size_t>(0);
  const auto part_done = [left, then = std::move(then)] {
    if (--*left == 0) then();
  };
  const auto put = [&](std::size_t number, const Piece& piece) {
    ++*left;
    const Time busy = busy_time(piece, plan->drives.at(number));
    in_background ? drive(number).background(busy, part_done) : drive(number).work(busy, part_done);
  };
  for (const Piece& piece : plan->pieces) {
    if (!piece.any) {
      for (const std::size_t number : piece.drives) put(number, piece);
      continue;
    }
    put(*std::min_element(
            piece.drives.begin(), piece.drives.end(),
            [&](std::size_t a, std::size_t b) { return drive(a).load() < drive(b).load(); }),
        piece);
  }
}

void ServiceTimes::finish(const PlanPtr& plan) {
  done_.push_back(plan->id);
}

std::vector<std::uint64_t> ServiceTimes::done_by(Time now) {
  events_.run_to(now);
  return std::exchange(done_, {});
}

}  // namespace raidscope::lab
