#include "reports/html/sweeps.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/words.h"

namespace raidscope::html {

std::vector<Sweep> sweeps(const Model& model) {
  std::vector<Sweep> all;
  for (std::size_t p = 0; p < model.points.size(); ++p) {
    const Workload& workload = model.points[p].cells.front().runs.front()->workload;
    const std::string base = fmt::format("{} {} {}", block_words(workload),
                                         to_name(workload.pattern), mix_words(workload));
    auto found =
        std::find_if(all.begin(), all.end(), [&](const Sweep& one) { return one.base == base; });
    if (found == all.end()) {
      all.push_back({base, {}, {}});
      found = all.end() - 1;
    }
    const auto after =
        std::upper_bound(found->depth.begin(), found->depth.end(), workload.outstanding_total);
    const auto at = after - found->depth.begin();
    found->depth.insert(after, workload.outstanding_total);
    found->points.insert(found->points.begin() + at, p);
  }
  std::vector<Sweep> out;
  for (Sweep& sweep : all) {
    std::vector<std::uint64_t> distinct = sweep.depth;
    distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
    if (distinct.size() >= 3 && distinct.size() == sweep.depth.size())
      out.push_back(std::move(sweep));
  }
  return out;
}

}  // namespace raidscope::html
