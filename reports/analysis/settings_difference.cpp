#include "reports/analysis/settings_difference.h"

#include <algorithm>

#include <fmt/format.h>

namespace raidscope {
namespace {

std::string value_words(const GroupValues& values) {
  if (values.known.empty()) return "unknown";
  return fmt::format("{}{}", fmt::join(values.known, " and "),
                     values.some_unknown ? " and unknown" : "");
}

}  // namespace

bool is_covered(const RunSetting& setting, const std::vector<std::string>& keys) {
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& key) {
    return covered_by(setting.key, setting.kind, key);
  });
}

GroupValues group_values(const std::vector<const RunSettings*>& group, std::size_t key) {
  GroupValues out;
  for (const RunSettings* settings : group) {
    const auto& value = (*settings)[key].value;
    if (value) {
      out.known.insert(*value);
    } else {
      out.some_unknown = true;
    }
  }
  return out;
}

SettingsDifference settings_difference(const std::vector<const RunSettings*>& a,
                                       const std::vector<const RunSettings*>& b,
                                       const std::vector<std::string>& factor,
                                       const std::vector<std::string>& allowed) {
  SettingsDifference out;
  out.factor = factor;
  struct Differing {
    const RunSetting* setting;
    std::string words;
    bool inside;  ///< it varies inside a group too
  };
  std::vector<Differing> differing;
  const auto behind = [](const std::vector<const RunSettings*>& group) {
    return setting_value(*group.front(), "behind");
  };
  // Of a plain disk a controller's settings are not unknown: there are none.
  const auto idle = [](const std::vector<const RunSettings*>& group) {
    return std::all_of(group.begin(), group.end(), [](const RunSettings* settings) {
      return setting_value(*settings, "cache.status") == "not_configured";
    });
  };
  const bool idle_a = idle(a);
  const bool idle_b = idle(b);
  const bool caching_is_factor =
      factor.empty() || std::any_of(factor.begin(), factor.end(), [](const std::string& key) {
        return covered_by("caching", SettingKind::inventory, key);
      });
  const bool other_kind = behind(a) && behind(b) && behind(a) != behind(b);
  for (std::size_t key = 0; key < a.front()->size(); ++key) {
    const RunSetting& setting = (*a.front())[key];
    if (!setting.matters) continue;
    const GroupValues left = group_values(a, key);
    const GroupValues right = group_values(b, key);
    std::set<std::string> all = left.known;
    all.insert(right.known.begin(), right.known.end());
    // A cache that no drive uses is "not configured" and prints no ratio: it follows from the arm.
    const bool follows = setting.key == "cache.status" && caching_is_factor &&
                         std::all_of(all.begin(), all.end(), [](const std::string& status) {
                           return status == "ok" || status == "not_configured";
                         });
    const bool no_ratio = setting.key == "cache.ratio" && (idle_a || idle_b);
    if (all.size() > 1) {
      out.differing.push_back(setting.key);
      if (setting.derived || follows || is_covered(setting, allowed)) continue;
      differing.push_back(
          {&setting,
           left.known == right.known
               ? fmt::format("{} ({} on both sides)", setting.key, value_words(left))
               : fmt::format("{} ({} against {})", setting.key, value_words(right),
                             value_words(left)),
           left.known.size() > 1 || right.known.size() > 1});
    }
    if (setting.derived || (other_kind && setting.kind == SettingKind::inventory) ||
        is_covered(setting, allowed) || is_covered(setting, factor)) {
      continue;
    }
    const bool unknown = (left.some_unknown && !(no_ratio && idle_a)) ||
                         (right.some_unknown && !(no_ratio && idle_b));
    const bool needed = setting.needed || (*b.front())[key].needed;
    if (unknown && (needed || !all.empty())) out.unknown.push_back(setting.key);
  }
  if (factor.empty()) {
    // The only thing that differed is the factor, with all that follows from it.
    std::vector<std::string> candidates{"smart_path", "caching", "disk_count", "drives.model",
                                        "behind"};
    for (const Differing& one : differing) candidates.push_back(one.setting->key);
    for (const std::string& candidate : candidates) {
      const auto explains = [&](const Differing& one) {
        return covered_by(one.setting->key, one.setting->kind, candidate);
      };
      const bool itself = std::any_of(differing.begin(), differing.end(), [&](const Differing& d) {
        return d.setting->key == candidate;
      });
      if (!itself || !std::all_of(differing.begin(), differing.end(), explains)) continue;
      out.factor = {candidate};
      break;
    }
  }
  for (Differing& one : differing) {
    if (!one.inside && is_covered(*one.setting, out.factor)) continue;
    out.in_the_way.push_back(one.setting->key);
    out.words.push_back(std::move(one.words));
  }
  return out;
}

}  // namespace raidscope
