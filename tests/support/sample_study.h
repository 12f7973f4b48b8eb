#pragma once

// TEST DATA: three arms over six numbers of disks and a sweep over queue depths, made up so that a
// report has every plot: bands, a crossover, rounds and a steady-state window.

#include <cmath>
#include <string>
#include <vector>

#include "tests/support/arms.h"

namespace raidscope::sample {

inline void add_rounds(RunResult& run) {
  for (int i = 0; i < 6; ++i) {
    RoundResult round;
    round.number = i + 1;
    round.seconds = 5;
    round.iops = run.iops * (1 + 0.01 * std::sin(i * 2.1));
    round.ios = static_cast<std::uint64_t>(round.iops * 5);
    round.mean_us = *run.latency_us.mean * (1 + 0.01 * std::cos(i * 1.7));
    run.rounds.push_back(round);
  }
  run.steady_state = {true, 25.0, 0.8, 2.0};
}

/// With a fingerprint and a tag that tell arm and disks, as a probe would.
inline Inventory told(Inventory inventory) {
  LogicalDrive& drive = inventory.controllers.front().arrays.front().logical_drives.front();
  const bool bypass = drive.smart_path.array_setting == Switch::enabled;
  const bool caching = drive.caching == Switch::enabled;
  drive.io_path = bypass ? IoPath::smart_path : caching ? IoPath::cache : IoPath::neither;
  drive.effective_write_cache =
      caching ? EffectiveWriteCache::protected_ : EffectiveWriteCache::none;
  const std::string disks = std::to_string(*drive.disk_count);
  drive.fingerprint = std::string(bypass ? "aaaa" : caching ? "bbbb" : "cccc") + "00000000";
  drive.fingerprint.replace(12 - disks.size(), disks.size(), disks);
  drive.tag = "P420i fw 8.32 | 2 GiB FBWC | LD1 R1+0 " + disks + "×SSD strip 256K | cache " +
              (caching ? "on (protected)" : "off") + " | smart path " + (bypass ? "on" : "off");
  return inventory;
}

/// The cache is ahead up to 16 disks and Smart Path from 20 on: 18 is the truth of the made-up
/// numbers.
inline ReportInput study(bool third_arm = true) {
  ReportInput out;
  out.made_at = "2026-01-15T12:00:00Z";
  out.program_version = "0.1.0";
  Runs all;
  int number = 1;
  for (const int disks : {4, 8, 12, 16, 20, 24}) {
    // Both flatten with more disks, the cache sooner.
    const double smart_path = 90000.0 * disks / (disks + 14),
                 cache = smart_path / (0.64 + 0.02 * disks);
    for (int block = 0; block < 4; ++block) {
      const auto measure = [&](const Inventory& inventory, double iops) {
        const double noise = 1 + 0.03 * std::sin(number * number * 1.7);
        add_rounds(all.add(told(inventory), iops * noise, number));
        ++number;
      };
      measure(cached(disks), cache);
      measure(bypassing(disks), smart_path);
      if (third_arm) measure(arm(Switch::disabled, Switch::disabled, disks), smart_path * 0.8);
    }
  }
  for (const std::uint32_t depth : {1U, 4U, 16U, 64U}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      for (const bool cache : {true, false}) {
        const double most = cache ? 60000 : 90000;
        RunResult& run = all.add(told(cache ? cached(8) : bypassing(8)),
                                 most * depth / (depth + 12.0) * (1 + 0.02 * repeat), number++,
                                 "depth " + std::to_string(depth));
        run.workload.workers = 1;
        run.workload.queue_depth_per_worker = depth;
        run.workload.outstanding_total = depth;
        run.workload.read_percent = 100;
        add_rounds(run);
      }
    }
  }
  // A run that a single published number is of the same workload as.
  RunResult& published = all.add(told(cached(2)), 14200, number++, "sequential read 64K");
  published.workload.pattern = Pattern::sequential;
  published.workload.block_bytes = {65536};
  published.workload.read_percent = 100;
  published.workload.workers = 4;
  published.workload.queue_depth_per_worker = 2;
  published.workload.outstanding_total = 8;
  published.bytes_per_s = published.iops * 65536;
  add_rounds(published);
  out.runs = std::move(all.runs);
  out.snapshots = std::move(all.snapshots);
  out.prices = {{{"", 310}}, {{"", 450}}, {{"", 700}}};
  return out;
}

}  // namespace raidscope::sample
