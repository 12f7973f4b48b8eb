#include "reports/analysis/measuring_advice.h"

#include <algorithm>

#include <fmt/format.h>

#include "controllers/rules/context.h"
#include "reports/analysis/arm_commands.h"
#include "reports/text/units.h"
#include "reports/words.h"

namespace raidscope {
namespace {

constexpr double advised_duration_s = 300;
constexpr double advised_ramp_s = 60;
constexpr double advised_rest_s = 60;
/// Below this a cache holds so much of the area that the test is one of the cache.
constexpr double least_areas_of_cache = 10;

std::string workload_options_words(const Workload& w) {
  if (!w.mix.empty() || w.block_bytes.empty()) return "(the workload's own options)";
  return fmt::format("--pattern {} --block-size {} --read-percent {} --workers {} --queue-depth {}",
                     to_name(w.pattern), w.block_bytes.front(), w.read_percent, w.workers,
                     w.queue_depth_per_worker);
}

}  // namespace

const char* const published_sweep =
    "the one published sweep (a P420 with a 2 GB cache, 1 to 24 Intel DC S3500) found the cache "
    "better up to 16 disks, both equal at 18, and Smart Path ahead from 20; it is one workload "
    "(RAID 10, 4 KiB, 67 % reads, random) over an area of 4 GiB, which is twice the cache, and how "
    "often it was repeated is not told: no rule for another machine";

std::vector<std::string> how_to_measure(const Workload& workload, const DriveRef& at,
                                        const Inventory& present, const std::string& tool) {
  std::vector<std::string> out;
  const std::string where = subject_words(subject_of(at));
  if (at.controller->cache.present == false) {
    out.push_back(fmt::format(
        "{}: the controller has no cache module, so there is no arm \"cache\" to measure "
        "Smart Path against; against neither of the two: raidscope experiment "
        "--print-plan --arms neither,smart_path",
        where));
    return out;
  }
  const double duration_s = std::max(workload.duration_s, advised_duration_s);
  const double ramp_s = std::max(workload.ramp_s, advised_ramp_s);
  const double all = 2.0 * advised_pairs * (duration_s + ramp_s + advised_rest_s);
  out.push_back(
      fmt::format("{}: measure {} pairs of runs, the cache and Smart Path in turn (cache, Smart "
                  "Path, Smart Path, cache, …), each {} after {} of ramp and {} of rest: {} in all",
                  where, advised_pairs, duration(duration_s), duration(ramp_s),
                  duration(advised_rest_s), duration(all)));
  for (const SmartPathArm arm : {SmartPathArm::cache, SmartPathArm::smart_path}) {
    const auto commands = commands_to(arm, present, at, tool);
    const std::string how = !commands           ? describe(commands.error())
                            : commands->empty() ? std::string("it is set so now")
                                                : fmt::format("{}", fmt::join(*commands, "; "));
    out.push_back(fmt::format("{}: to reach the arm {}: {}", where, to_name(arm), how));
  }
  out.push_back(fmt::format(
      "{}: raidscope does it in turn and puts the settings back: raidscope experiment --print-plan "
      "--blocks {} --target {} {} --time {:g} --ramp {:g} -o plan.json; then, as root: raidscope "
      "experiment plan.json --apply",
      where, advised_pairs,
      at.drive->device ? fmt::format("FILE-ON-{}", *at.drive->device) : std::string("FILE"),
      workload_options_words(workload), duration_s, ramp_s));
  if (const auto cache = usable_cache(*at.controller)) {
    const auto area = static_cast<double>(workload.area_bytes);
    const double wanted = least_areas_of_cache * static_cast<double>(*cache);
    if (workload.area_bytes == 0 || area < wanted) {
      out.push_back(
          fmt::format("{}: use an area of {} or more (--size), ten times the usable cache; a "
                      "smaller one measures the cache",
                      where, binary_bytes(wanted)));
    }
  }
  return out;
}

}  // namespace raidscope
