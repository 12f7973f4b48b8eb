#include "reports/store/near_ids.h"

#include <algorithm>
#include <utility>

namespace raidscope {
namespace {

// Levenshtein distance; two rows, so memory is linear.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1), next(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 0; i < a.size(); ++i) {
    next[0] = i + 1;
    for (std::size_t j = 0; j < b.size(); ++j) {
      next[j + 1] = std::min({row[j + 1] + 1, next[j] + 1, row[j] + (a[i] == b[j] ? 0U : 1U)});
    }
    row.swap(next);
  }
  return row[b.size()];
}

}  // namespace

std::vector<std::string> near_ids(std::string_view wanted, const std::vector<std::string>& known,
                                  std::size_t most) {
  constexpr std::size_t longest = 64;  // no id is; keeps a mistaken paste cheap
  wanted = wanted.substr(0, longest);
  std::vector<std::pair<std::size_t, std::string>> ranked;
  for (const std::string& id : known) {
    // What was typed may be a mistyped beginning, so it is measured against as much of the id.
    const std::string_view whole = id;
    const std::size_t apart =
        std::min(distance(wanted, whole), distance(wanted, whole.substr(0, wanted.size())));
    if (apart * 2 <= std::max<std::size_t>(wanted.size(), 2)) ranked.emplace_back(apart, id);
  }
  std::stable_sort(ranked.begin(), ranked.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (auto& [apart, id] : ranked) {
    if (out.size() == most) break;
    if (std::find(out.begin(), out.end(), id) == out.end()) out.push_back(std::move(id));
  }
  return out;
}

}  // namespace raidscope
