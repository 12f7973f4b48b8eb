#include <algorithm>
#include <chrono>
#include <utility>

#include "probe/os/live_host.h"
#include "probe/source.h"

namespace raidscope {

std::vector<FactSet> discover(const Host& host, const std::vector<PathName>& only) {
  std::vector<const Source*> wanted;
  for (const Source* const source : sources()) {
    const bool named = std::find(only.begin(), only.end(), source->path) != only.end();
    // Controllers are asked by BMIC only when that is wanted: the vendor tool says the same and
    // more.
    if (only.empty() ? source->path != PathName::bmic : named) wanted.push_back(source);
  }
  std::stable_sort(wanted.begin(), wanted.end(),
                   [](const Source* a, const Source* b) { return a->order < b->order; });
  std::vector<FactSet> sets;
  for (const Source* const source : wanted) {
    const auto begin = std::chrono::steady_clock::now();
    FactSet set = source->collect(host);
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    set.path = source->path;
    set.duration_ms = took.count();
    const auto same = std::find_if(sets.begin(), sets.end(),
                                   [&set](const FactSet& s) { return s.path == set.path; });
    if (same == sets.end()) {
      sets.push_back(std::move(set));
    } else {
      merge_into(*same, std::move(set));
    }
  }
  return sets;
}

}  // namespace raidscope
