#pragma once

// TEST DATA: the sample server (sample_runs.h) in the states that a Smart Path decision compares.

#include <map>
#include <string>
#include <vector>

#include "tests/support/sample_runs.h"

namespace raidscope::sample {

/// The first array with `disks` SSDs, its setting and its drive's caching as told. As the vendor
/// tool prints it, a cache that no drive uses is "Not Configured" and has no ratio.
inline Inventory arm(Switch smart_path, Switch caching, int disks = 8) {
  Inventory out = server(true);
  Controller& controller = out.controllers.front();
  controller.arrays.resize(1);
  Array& array = controller.arrays.front();
  LogicalDrive& drive = array.logical_drives.front();
  array.smart_path = smart_path;
  array.physical_drives.clear();
  for (int bay = 1; bay <= disks; ++bay)
    array.physical_drives.push_back(
        sample::drive("1I:1:" + std::to_string(bay), Media::ssd, "EO0400FBRWA", 400'000'000'000));
  drive.disk_count = disks;
  drive.smart_path.array_setting = smart_path;
  drive.caching = caching;
  drive.acceleration = smart_path == Switch::enabled ? Acceleration::smart_path
                       : caching == Switch::enabled  ? Acceleration::controller_cache
                                                     : Acceleration::none;
  drive.smart_path.driver_enabled = smart_path == Switch::enabled;
  drive.fingerprint = smart_path == Switch::enabled ? "aaaaaaaaaaaa" : "bbbbbbbbbbbb";
  if (caching == Switch::disabled) {
    controller.cache.status = CacheStatus::not_configured;
    controller.cache.ratio.reset();
  }
  return out;
}
inline Inventory cached(int disks = 8) {
  return arm(Switch::disabled, Switch::enabled, disks);
}
inline Inventory bypassing(int disks = 8) {
  return arm(Switch::enabled, Switch::disabled, disks);
}

/// Runs that are kept alive with their inventories; each starts a minute after the one before.
struct Runs {
  std::vector<RunResult> runs;
  std::map<std::string, Inventory> snapshots;

  RunResult& add(const Inventory& inventory, double iops, int number,
                 const std::string& name = "random read") {
    snapshots.emplace(snapshot_id(inventory), inventory);
    runs.push_back(run(inventory, {name, Pattern::random, 4096, 67, iops}, number));
    return runs.back();
  }
};

/// `iops` of each side in turn; the order inside a pair changes from pair to pair, as in ABBA.
inline void add_in_turn(Runs& out, const Inventory& a, const std::vector<double>& iops_a,
                        const Inventory& b, const std::vector<double>& iops_b, int minute = 0) {
  for (std::size_t i = 0; i < iops_a.size(); ++i) {
    const bool turned = i % 2 == 1;
    out.add(a, iops_a[i], minute + (turned ? 1 : 0));
    out.add(b, iops_b[i], minute + (turned ? 0 : 1));
    minute += 2;
  }
}
inline Runs in_turn(const Inventory& a, const std::vector<double>& iops_a, const Inventory& b,
                    const std::vector<double>& iops_b) {
  Runs out;
  add_in_turn(out, a, iops_a, b, iops_b);
  return out;
}

}  // namespace raidscope::sample
