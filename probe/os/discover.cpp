#include <algorithm>
#include <chrono>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "probe/os/live_host.h"
#include "probe/source.h"

namespace raidscope {
namespace {

/// Lists each subsystem once: scanning /sys is most of the time of a probe, and all sources then
/// speak of the same devices.
class RememberedDevices final : public DeviceDb {
 public:
  explicit RememberedDevices(const DeviceDb& inner) : inner_(inner) {}
  Result<std::vector<DeviceNode>> enumerate(std::string_view subsystem) const override {
    auto found = known_.find(subsystem);
    if (found == known_.end()) {
      found = known_.emplace(std::string(subsystem), inner_.enumerate(subsystem)).first;
    }
    return found->second;
  }

 private:
  const DeviceDb& inner_;
  mutable std::map<std::string, Result<std::vector<DeviceNode>>, std::less<>> known_;
};

/// Runs one source and adds what it said to what its path has said.
void run(const Source& source, const Host& host, std::vector<FactSet>& sets) {
  const auto begin = std::chrono::steady_clock::now();
  FactSet set = source.collect(host);
  const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
  set.path = source.path;
  set.duration_ms = took.count();
  const auto same = std::find_if(sets.begin(), sets.end(),
                                 [&set](const FactSet& s) { return s.path == set.path; });
  if (same == sets.end()) {
    sets.push_back(std::move(set));
  } else {
    merge_into(*same, std::move(set));
  }
}

/// The vendor tool says what the controllers themselves say and more; where it could not, they are
/// asked.
bool vendor_tool_told(const std::vector<FactSet>& sets) {
  return std::none_of(sets.begin(), sets.end(), [](const FactSet& set) {
    return set.path == PathName::ssacli &&
           (set.status == SourceStatus::absent || set.status == SourceStatus::failed);
  });
}

}  // namespace

std::vector<FactSet> discover(const Host& host, const DiscoverOptions& options) {
  std::vector<const Source*> wanted;
  std::vector<const Source*> instead;
  for (const Source* const source : sources()) {
    const bool named =
        std::find(options.only.begin(), options.only.end(), source->path) != options.only.end();
    if (options.only.empty() && !options.cross_check && source->path == PathName::bmic) {
      instead.push_back(source);
    } else if (options.only.empty() || named) {
      wanted.push_back(source);
    }
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Source* a, const Source* b) { return a->order < b->order; });
  const RememberedDevices devices(host.devices);
  const Host once{host.files, devices, host.scsi, host.tools, host.ciss};
  std::vector<FactSet> sets;
  for (const Source* const source : wanted) run(*source, once, sets);
  if (!vendor_tool_told(sets)) {
    for (const Source* const source : instead) run(*source, once, sets);
  }
  return sets;
}

std::vector<FactSet> discover(const Host& host, const std::vector<PathName>& only) {
  return discover(host, DiscoverOptions{only, false});
}

}  // namespace raidscope
