#pragma once

#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "reports/analysis/run_settings.h"

namespace raidscope {

/// The values that a group's runs have for one key.
struct GroupValues {
  std::set<std::string> known;
  bool some_unknown = false;
};
GroupValues group_values(const std::vector<const RunSettings*>& group, std::size_t key);

/// Whether one of the keys explains a difference in this setting.
bool is_covered(const RunSetting& setting, const std::vector<std::string>& keys);

/// The keys that differed between two groups, and which of them stand in the way of a conclusion.
/// Of a key that varies inside a group there is no comparison either.
struct SettingsDifference {
  std::vector<std::string> differing, in_the_way, unknown;
  std::vector<std::string> words;  ///< for each key in the way: "cache.ratio (10/90 against 25/75)"
  std::vector<std::string> factor;  ///< given, or found: the only thing that differed
};
SettingsDifference settings_difference(const std::vector<const RunSettings*>& a,
                                       const std::vector<const RunSettings*>& b,
                                       const std::vector<std::string>& factor,
                                       const std::vector<std::string>& allowed);

}  // namespace raidscope
