#include "cli/settling.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include <fmt/core.h>

#include "cli/signals.h"
#include "cli/terminal.h"
#include "controllers/inventory/smart_path_states.h"
#include "probe/os/live_host.h"

namespace raidscope::cli {
namespace {

using Clock = std::chrono::steady_clock;

/// The driver's monitor runs every 15 s, and a scan follows it.
constexpr std::chrono::seconds longest{20};
constexpr std::chrono::seconds between{4};

void pause(std::chrono::seconds length) {
  const auto end = Clock::now() + length;
  while (Clock::now() < end && !StopSignals::stop())
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
}

}  // namespace

int wait_for_smart_path(const Host& host, const Arguments& arguments, std::vector<FactSet>& sets,
                        Inventory& inventory, std::vector<FactOrigin>* origins) {
  int looks = 0;
  if (!has_unsettled_smart_path(inventory)) return looks;
  std::vector<PathName> again;
  for (const FactSet& set : sets) {
    if (set.path == PathName::sysfs || set.path == PathName::scsi) again.push_back(set.path);
  }
  if (again.empty()) return looks;
  const auto end = Clock::now() + longest;
  ProgressLine line(arguments);
  while (has_unsettled_smart_path(inventory)) {
    const auto left = std::chrono::duration_cast<std::chrono::seconds>(end - Clock::now());
    if (left.count() <= 0) {
      settle_smart_path(inventory);
      break;
    }
    line.show(
        fmt::format("the Smart Path states do not fit yet; looking again for {} s (--no-wait "
                    "goes on at once)",
                    left.count()));
    pause(std::min(between, left));
    if (StopSignals::stop()) break;
    ++looks;
    for (FactSet& fresh : discover(host, again)) {
      const auto old = std::find_if(sets.begin(), sets.end(),
                                    [&](const FactSet& set) { return set.path == fresh.path; });
      if (old != sets.end()) *old = std::move(fresh);
    }
    inventory = assemble(sets, inventory.taken_at.value_or(""), origins);
  }
  line.clear();
  return looks;
}

}  // namespace raidscope::cli
