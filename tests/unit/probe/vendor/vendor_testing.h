#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "probe/sources/vendor/vendor_text.h"

/// Small language to ask a FactSet in tests: entities by path, facts as text.
namespace raidscope::vendor_testing {

inline std::string show(const Value& value) {
  return std::visit(
      [](const auto& v) -> std::string {
        using T = std::decay_t<decltype(v)>;
        if constexpr (std::is_same_v<T, bool>) {
          return v ? "true" : "false";
        } else if constexpr (std::is_same_v<T, std::string>) {
          return v;
        } else if constexpr (std::is_same_v<T, std::vector<std::string>> ||
                             std::is_same_v<T, std::vector<double>>) {
          return fmt::format("{}", fmt::join(v, "|"));
        } else {
          return fmt::format("{}", v);
        }
      },
      value);
}

inline Result<FactSet> parse(std::string text, std::string name = "capture.txt") {
  const NamedText named{std::move(name), std::move(text)};
  return parse_vendor_text(std::span<const NamedText>(&named, 1));
}

inline const char* kind_name(EntityKind kind) {
  constexpr const char* names[] = {"machine",   "controller", "array",  "ld",   "pd",
                                   "enclosure", "port",       "sensor", "block"};
  return names[static_cast<std::size_t>(kind)];
}

/// Identities that do not change when a later line tells the array of a drive: the controller's
/// heading and slot, then kind and name.
inline std::vector<std::string> identities(const FactSet& set, bool with_slots = true) {
  std::vector<std::string> out(set.entities.size(), "machine");
  for (EntityId id = 1; id < set.entities.size(); ++id) {
    if (set.entities[id].kind == EntityKind::controller) {
      out[id] = "controller " + set.entities[id].name;
    }
  }
  for (const Fact& fact : set.facts) {
    if (with_slots && fact.attribute == "slot") out[fact.entity] += "@" + show(fact.value);
  }
  for (EntityId id = 1; id < set.entities.size(); ++id) {
    const Entity& entity = set.entities[id];
    if (entity.kind == EntityKind::controller) continue;
    EntityId up = entity.parent;
    while (set.entities[up].kind != EntityKind::controller && up != machine_entity) {
      up = set.entities[up].parent;
    }
    out[id] = out[up] + "/" + kind_name(entity.kind) + " " + entity.name;
  }
  return out;
}

/// Every fact and extra as one line of text. Warnings and notes are left out: inserted banners are
/// meant to change them.
inline std::multiset<std::string> lines_of(const FactSet& set, bool with_parents = true,
                                           bool with_extras = true, bool with_slots = true) {
  const std::vector<std::string> ids = identities(set, with_slots);
  std::multiset<std::string> out;
  for (EntityId id = 1; id < set.entities.size(); ++id) {
    if (with_parents) out.insert(ids[id] + " below " + ids[set.entities[id].parent]);
  }
  for (const Fact& fact : set.facts) {
    if (fact.attribute == "warnings") continue;
    out.insert(ids[fact.entity] + " " + std::string(fact.attribute) + " = " + show(fact.value));
  }
  if (with_extras) {
    for (const Extra& extra : set.extras) {
      out.insert(ids[extra.entity] + " + " + extra.key + ": " + extra.value);
    }
  }
  return out;
}

/// The entity of a kind and name; 0 when there is none or more than one.
inline EntityId entity(const FactSet& set, EntityKind kind, std::string_view name,
                       EntityId within = 0) {
  EntityId found = 0;
  for (EntityId id = 1; id < set.entities.size(); ++id) {
    const Entity& e = set.entities[id];
    if (e.kind != kind || e.name != name) continue;
    bool inside = within == 0;
    for (EntityId up = e.parent; up != machine_entity && !inside; up = set.entities[up].parent) {
      inside = up == within;
    }
    if (!inside) continue;
    if (found != 0) return 0;
    found = id;
  }
  return found;
}

inline std::string fact(const FactSet& set, EntityId id, std::string_view attribute) {
  std::string out;
  int count = 0;
  for (const Fact& f : set.facts) {
    if (f.entity != id || f.attribute != attribute) continue;
    out += (count++ > 0 ? " & " : "") + show(f.value);
  }
  return count == 0 ? "(none)" : out;
}

inline std::string extra(const FactSet& set, EntityId id, std::string_view key) {
  std::string out;
  int count = 0;
  for (const Extra& e : set.extras) {
    if (e.entity != id || e.key != key) continue;
    out += (count++ > 0 ? " & " : "") + e.value;
  }
  return count == 0 ? "(none)" : out;
}

inline std::size_t count(const FactSet& set, EntityKind kind) {
  return static_cast<std::size_t>(
      std::count_if(set.entities.begin(), set.entities.end(),
                    [kind](const Entity& e) { return e.kind == kind; }));
}

inline std::string replaced(std::string text, std::string_view what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, what.size(), with);
  }
  return text;
}

inline std::vector<std::string> split_lines(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    out.emplace_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return out;
}

inline std::string join_lines(const std::vector<std::string>& lines, std::string_view end = "\n") {
  std::string out;
  for (const std::string& line : lines) {
    out += line;
    out += end;
  }
  return out;
}

}  // namespace raidscope::vendor_testing
