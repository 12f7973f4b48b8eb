#include "cli/test_surroundings.h"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <set>
#include <thread>

#include <fmt/format.h>

#include "cli/planning.h"
#include "workloads/device_counters.h"
#include "workloads/run/target_system.h"

namespace raidscope::cli {
namespace {

constexpr auto look = std::chrono::milliseconds(250);
/// Below it is what a quiet system writes by itself; said here because the catalogue names no
/// limit.
constexpr double quiet_iops = 10;

bool is_layer(std::string_view entry) {
  return entry.starts_with("/dev/dm-") || entry.starts_with("/dev/md");
}

/// The disks that the target lies on, as far as the chain names them.
std::vector<const KernelDevice*> disks_of(const TargetSystem& system,
                                          const TargetExamination& examination) {
  std::vector<const KernelDevice*> out;
  for (const std::string& entry : examination.info.device_chain) {
    const std::string node = device_of(entry);
    if (node.empty()) continue;
    const KernelDevice* device = system.find_node(node);
    if (device != nullptr && device->partition == 0 && device->slaves.empty())
      out.push_back(device);
  }
  return out;
}

/// As the kernel keeps them: 15 letters at most.
std::vector<std::string> process_names() {
  std::vector<std::string> out;
  std::error_code none;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", none)) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos) continue;
    std::string comm = read_small(entry.path().string() + "/comm");
    if (!comm.empty()) out.push_back(std::move(comm));
  }
  return out;
}

std::optional<DeviceCounters> counters_of(const KernelDevice& disk) {
  return parse_device_counters(read_small(disk.syspath + "/stat"));
}

void add_target(const TargetSystem& system, const TargetExamination& examination,
                std::vector<PlannedTest>& tests) {
  std::vector<std::string> layers;
  std::optional<std::uint64_t> start;
  for (const std::string& entry : examination.info.device_chain) {
    if (is_layer(entry)) layers.push_back(entry);
    const std::string node = device_of(entry);
    const KernelDevice* device = node.empty() ? nullptr : system.find_node(node);
    if (device != nullptr && device->partition != 0 && !start) start = device->start_bytes;
  }
  const KernelMount* mount = examination.info.kind == "file" && system.mounts_known()
                                 ? system.mount_of(examination.real_path)
                                 : nullptr;
  for (PlannedTest& test : tests) {
    test.layers = layers;
    if (start) test.partition_start_bytes = start;
    if (mount != nullptr) test.mount_options = mount->options;
  }
}

void add_machine(const TargetSystem& system, const TargetExamination& examination,
                 std::vector<PlannedTest>& tests) {
  const std::vector<std::string> processes = process_names();
  std::string foreign;
  bool looked = false;
  const auto disks = disks_of(system, examination);
  std::vector<std::optional<DeviceCounters>> before;
  for (const KernelDevice* disk : disks) before.push_back(counters_of(*disk));
  if (!disks.empty()) std::this_thread::sleep_for(look);
  for (std::size_t i = 0; i < disks.size(); ++i) {
    const auto after = counters_of(*disks[i]);
    if (!before[i] || !after) continue;
    looked = true;
    const double seconds = std::chrono::duration<double>(look).count();
    const DeviceCounters moved = after->since(*before[i]);
    const auto ios = static_cast<double>(moved.reads + moved.writes);
    if (ios / seconds < quiet_iops) continue;
    foreign += fmt::format("{}{:.0f} requests/s on {}", foreign.empty() ? "" : ", ", ios / seconds,
                           disks[i]->devnode);
  }
  for (PlannedTest& test : tests) {
    test.processes = processes;
    if (looked) test.foreign_io = foreign;
  }
}

}  // namespace

void add_plan(const Plan& plan, std::vector<PlannedTest>& tests) {
  std::uint64_t deepest = 0;
  for (const PlannedPoint& point : plan.points)
    deepest = std::max(deepest, point.workload.outstanding_total);
  struct Rounds {
    int count = 0;
    std::set<std::uint64_t> seeds;
  };
  std::map<std::string, Rounds> rounds;
  std::vector<const Rounds*> of_point;
  for (const PlannedPoint& point : plan.points) {
    Rounds& own = rounds[round_key(point.workload)];
    ++own.count;
    own.seeds.insert(point.workload.seed);
    of_point.push_back(&own);  // a map's elements stay where they are
  }
  // Rounds stand together when no other point comes between them; "A B B A" is no block design.
  std::map<const Rounds*, std::pair<std::size_t, std::size_t>> reach;
  for (std::size_t i = 0; i < of_point.size(); ++i) {
    reach.try_emplace(of_point[i], i, i).first->second.second = i;
  }
  const bool in_blocks = std::all_of(reach.begin(), reach.end(), [](const auto& point) {
    const auto [first, last] = point.second;
    return last - first + 1 == static_cast<std::size_t>(point.first->count);
  });
  for (std::size_t i = 0; i < tests.size() && i < of_point.size(); ++i) {
    if (rounds.size() > 1 && of_point[i]->count > 1) tests[i].in_blocks = in_blocks;
    tests[i].largest_outstanding =
        static_cast<std::uint32_t>(std::min<std::uint64_t>(deepest, UINT32_MAX));
    tests[i].repeats = of_point[i]->count;
    if (of_point[i]->count > 1) tests[i].same_sequence = of_point[i]->seeds.size() == 1;
    tests[i].preconditioned = false;
  }
}

void add_surroundings(const TargetExamination& examination, const std::string& sysroot, bool now,
                      std::vector<PlannedTest>& tests) {
  if (tests.empty()) return;
  const TargetSystem system = TargetSystem::read(sysroot);
  add_target(system, examination, tests);
  if (now && examination.live) add_machine(system, examination, tests);
}

}  // namespace raidscope::cli
