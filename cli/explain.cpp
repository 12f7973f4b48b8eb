#include "cli/explain.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli/json_text.h"
#include "controllers/inventory/inventory_json.h"

namespace raidscope::cli {
namespace {

using Json = nlohmann::ordered_json;

/// What the program itself concludes; no path tells these.
constexpr std::string_view concluded[] = {"effective_write_cache",
                                          "effective_write_cache_reason",
                                          "io_path",
                                          "fingerprint",
                                          "tag",
                                          "disk_count",
                                          "member_drives",
                                          "generation"};

bool names(std::string_view fact, const std::string& pointer) {
  if (fact.starts_with('/')) {
    return pointer == fact ||
           (pointer.starts_with(fact) && (fact.ends_with('/') || pointer[fact.size()] == '/'));
  }
  std::string inside = fmt::format("/{}/", fact);
  std::replace(inside.begin(), inside.end(), '.', '/');
  return (pointer + "/").find(inside) != std::string::npos;
}

void leaves(const Json& at, const std::string& pointer,
            std::vector<std::pair<std::string, Json>>& out) {
  const bool objects_inside = at.is_array() && std::any_of(at.begin(), at.end(), [](const Json& e) {
                                return e.is_object();
                              });
  if (at.is_object()) {
    for (const auto& [key, value] : at.items()) leaves(value, pointer + "/" + key, out);
  } else if (objects_inside) {
    for (std::size_t i = 0; i < at.size(); ++i)
      leaves(at[i], fmt::format("{}/{}", pointer, i), out);
  } else {
    out.emplace_back(pointer, at);
  }
}

std::string last_part(const std::string& pointer) {
  return pointer.substr(pointer.rfind('/') + 1);
}

/// The fact that this one was told as: a driver's version is one of a list, and a drive's Smart
/// Path setting is its array's.
std::string stands_for(const std::string& pointer) {
  if (pointer.starts_with("/host/driver_versions/")) return "/host/driver_versions";
  const std::size_t drives = pointer.find("/logical_drives/");
  if (drives != std::string::npos && pointer.find("/arrays/") < drives &&
      pointer.ends_with("/smart_path/array_setting")) {
    return pointer.substr(0, drives) + "/smart_path";
  }
  return {};
}

Explanation one(const Inventory& inventory, const std::vector<FactOrigin>& origins,
                const std::string& pointer, const Json& value) {
  Explanation out;
  out.fact = pointer;
  out.value = value.dump();
  const auto of = [&](std::string_view fact) {
    return std::find_if(origins.begin(), origins.end(),
                        [&](const FactOrigin& o) { return o.fact == fact; });
  };
  auto origin = of(pointer);
  if (origin == origins.end()) origin = of(stands_for(pointer));
  if (origin != origins.end()) {
    out.told = origin->values;
    out.taken = origin->taken;
    out.why = origin->why;
    return out;
  }
  const auto contested =
      std::find_if(inventory.disagreements.begin(), inventory.disagreements.end(),
                   [&](const Disagreement& d) { return d.fact == pointer; });
  if (contested != inventory.disagreements.end()) {
    out.told = contested->values;
    out.taken = contested->taken;
    out.why = contested->why;
    return out;
  }
  if (const auto known = inventory.provenance.find(pointer); known != inventory.provenance.end()) {
    out.taken = known->second;
    out.why =
        "the document keeps the path that was taken, and what the others said only where "
        "they disagreed";
    return out;
  }
  const bool nothing = value.is_null() || (value.is_array() && value.empty());
  const std::string field = last_part(pointer);
  if (std::find(std::begin(concluded), std::end(concluded), field) != std::end(concluded)) {
    out.why = nothing ? "it follows from other facts, and not enough of them are known"
                      : "it follows from other facts";
  } else if (nothing) {
    out.why = "no path told it";
  } else {
    out.why = origins.empty() ? "the input tells it; no other path was asked"
                              : "it follows from other facts or from the controller catalogue";
  }
  return out;
}

}  // namespace

Result<std::vector<Explanation>> explain(const Inventory& inventory,
                                         const std::vector<FactOrigin>& origins,
                                         std::string_view fact) {
  Json document = to_json(inventory);
  std::vector<std::pair<std::string, Json>> all;
  for (const char* part : {"host", "controllers", "block_devices"}) {
    if (document.contains(part)) leaves(document[part], fmt::format("/{}", part), all);
  }
  std::vector<Explanation> out;
  for (const auto& [pointer, value] : all) {
    if (names(fact, pointer)) out.push_back(one(inventory, origins, pointer, value));
  }
  // A disagreement of a whole object, as the three states of Smart Path.
  for (const Disagreement& d : inventory.disagreements) {
    const bool listed =
        std::any_of(out.begin(), out.end(), [&](const Explanation& e) { return e.fact == d.fact; });
    if (!listed && names(fact, d.fact)) out.push_back({d.fact, "null", d.values, d.taken, d.why});
  }
  if (!out.empty()) return out;
  return fail(
      Errc::usage,
      inventory.controllers.empty()
          ? fmt::format("no field of this inventory, which has no controller, is named \"{}\"",
                        fact)
          : fmt::format("no field of this inventory is named \"{}\"", fact),
      "--explain",
      "name it as `raidscope probe --format json` does: firmware, cache.ratio, "
      "/controllers/0/cache");
}

std::string explanation_text(const std::vector<Explanation>& facts) {
  std::string out;
  for (const Explanation& one : facts) {
    out += fmt::format("{}: {}\n", one.fact, one.value);
    for (const PathValue& told : one.told)
      out += fmt::format("  {:<7} {}{}\n", told.path, told.value,
                         told.path == one.taken && one.told.size() > 1 ? "   <- taken" : "");
    if (!one.why.empty()) {
      out += one.taken.empty() ? fmt::format("  {}\n", one.why)
                               : fmt::format("  taken: {}; {}\n", one.taken, one.why);
    }
  }
  return out;
}

std::string explanation_json(const std::vector<Explanation>& facts) {
  Json list = Json::array();
  for (const Explanation& one : facts) {
    Json told = Json::array();
    for (const PathValue& t : one.told) told.push_back({{"path", t.path}, {"value", t.value}});
    list.push_back({{"fact", one.fact},
                    {"value", Json::parse(one.value)},
                    {"told", told},
                    {"taken", one.taken.empty() ? Json() : Json(one.taken)},
                    {"why", one.why}});
  }
  return json_text({{"schema", "raidscope.explanation/1"}, {"facts", list}});
}

}  // namespace raidscope::cli
