#include "reports/analysis/priced_results.h"

#include <algorithm>

#include "reports/analysis/comparison.h"
#include "reports/analysis/level_interval.h"
#include "reports/analysis/run_settings.h"
#include "reports/words.h"

namespace raidscope {
namespace {

ConfigurationPrice price_of_run(const RunResult& run,
                                const std::map<std::string, Inventory>& snapshots,
                                const Prices& prices) {
  const Inventory* inventory = inventory_of(run, snapshots);
  ConfigurationPrice out;
  if (inventory == nullptr) {
    out.what = "the configuration is unknown";
    return out;
  }
  const DriveRef at = target_drive(run, *inventory);
  return price_of(prices, at, at.drive != nullptr && at.drive->io_path == IoPath::cache);
}

}  // namespace

std::vector<PricedResult> price_results(const std::vector<RunGroup>& groups,
                                        const std::map<std::string, Inventory>& snapshots,
                                        const Prices& prices) {
  std::vector<PricedResult> out;
  if (!prices.given()) return out;
  for (const RunGroup& group : groups) {
    std::vector<std::pair<std::string, std::vector<const RunResult*>>> points;
    for (const RunResult* run : group.runs) {
      std::string shape = workload_shape(run->workload);
      const auto found = std::find_if(points.begin(), points.end(),
                                      [&](const auto& one) { return one.first == shape; });
      if (found == points.end()) {
        points.emplace_back(std::move(shape), std::vector{run});
      } else {
        found->second.push_back(run);
      }
    }
    for (const auto& [shape, runs] : points) {
      PricedResult row;
      row.group = group.label;
      row.workload = shape;
      row.iops = iops_level(runs).estimate;
      ConfigurationPrice price = price_of_run(*runs.front(), snapshots, prices);
      for (const RunResult* run : runs) {
        const ConfigurationPrice other = price_of_run(*run, snapshots, prices);
        if (other.total == price.total && other.usable_gb == price.usable_gb) continue;
        price = {{}, "the runs' configurations cost differently", {}};
        break;
      }
      const PricePerformance priced = price_performance(price, row.iops);
      row.price = priced.price;
      row.what = price.what;
      row.iops_per_unit = priced.iops_per_unit;
      row.per_kiops = priced.per_kiops;
      row.per_gb = priced.per_gb;
      out.push_back(std::move(row));
    }
  }
  return out;
}

}  // namespace raidscope
