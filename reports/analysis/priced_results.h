#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "reports/analysis/prices.h"
#include "workloads/run_result.h"

namespace raidscope {

struct RunGroup;

/// One workload in one group of runs, with what its configuration costs.
struct PricedResult {
  std::string group, workload;
  std::optional<double> iops;   ///< geometric mean
  std::optional<double> price;  ///< null: `what` says why
  std::string what;             ///< "8 drives, controller, cache module"
  /// IOPS for one unit of the currency; the prices of a thousand IOPS and of a usable GB.
  std::optional<double> iops_per_unit, per_kiops, per_gb;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("group", s.group);
    f("workload", s.workload);
    f("iops", s.iops);
    f("price", s.price);
    f("what", s.what);
    f("iops_per_unit", s.iops_per_unit);
    f("per_kiops", s.per_kiops);
    f("per_gb", s.per_gb);
  }
};

/// In the order of the groups and of their runs; empty where no prices were given. Runs of one
/// group and workload whose configurations cost differently have no price.
std::vector<PricedResult> price_results(const std::vector<RunGroup>& groups,
                                        const std::map<std::string, Inventory>& snapshots,
                                        const Prices& prices);

}  // namespace raidscope
