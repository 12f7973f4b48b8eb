#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probe/base/fact.h"

namespace raidscope::testing {

/// The first entity of a kind and name; nullopt when there is none.
inline std::optional<EntityId> find_entity(const FactSet& set, EntityKind kind,
                                           std::string_view name) {
  for (std::size_t i = 0; i < set.entities.size(); ++i) {
    if (set.entities[i].kind == kind && set.entities[i].name == name) {
      return static_cast<EntityId>(i);
    }
  }
  return std::nullopt;
}

inline std::size_t count_entities(const FactSet& set, EntityKind kind) {
  return static_cast<std::size_t>(
      std::count_if(set.entities.begin(), set.entities.end(),
                    [kind](const Entity& entity) { return entity.kind == kind; }));
}

/// What was told, nullopt when nothing was (or another type).
template <class T>
std::optional<T> told(const FactSet& set, std::optional<EntityId> entity,
                      std::string_view attribute) {
  for (const Fact& fact : set.facts) {
    if (entity && fact.entity == *entity && fact.attribute == attribute) {
      const T* const value = std::get_if<T>(&fact.value);
      return value == nullptr ? std::nullopt : std::optional<T>(*value);
    }
  }
  return std::nullopt;
}
inline std::optional<std::string> told_text(const FactSet& set, std::optional<EntityId> entity,
                                            std::string_view attribute) {
  return told<std::string>(set, entity, attribute);
}
inline std::optional<bool> told_bool(const FactSet& set, std::optional<EntityId> entity,
                                     std::string_view attribute) {
  return told<bool>(set, entity, attribute);
}
inline std::optional<std::int64_t> told_integer(const FactSet& set, std::optional<EntityId> entity,
                                                std::string_view attribute) {
  return told<std::int64_t>(set, entity, attribute);
}
inline std::optional<std::vector<std::string>> told_texts(const FactSet& set,
                                                          std::optional<EntityId> entity,
                                                          std::string_view attribute) {
  return told<std::vector<std::string>>(set, entity, attribute);
}

}  // namespace raidscope::testing
