#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "probe/base/fact.h"
#include "probe/sources/vendor/attributes.h"

namespace raidscope::vendor {

/// Collects entities, facts and extras, told in any order and more than once, into a FactSet.
///
/// An "answer" is what one command printed; a "block" is what one heading of an object opened. The
/// first value of an attribute within an answer stands; a later answer replaces it. So a text cut
/// short tells nothing else than the whole text, as long as nothing changed between its answers.
class FactBuilder {
 public:
  enum class Told { fresh, replaced, same, different };

  /// Finds the entity `id` of `kind` within `scope` or makes it, and opens a block of it. `id` must
  /// outlive the builder.
  EntityId open(EntityKind kind, EntityId scope, std::string_view id, EntityId parent,
                std::uint32_t line);
  /// The same without making or opening; 0 when there is none.
  EntityId find(EntityKind kind, EntityId scope, std::string_view id) const;
  /// Makes `id` another name of an entity.
  void alias(EntityId entity, EntityId scope, std::string_view id);
  void reopen(EntityId entity);

  Told tell(EntityId entity, std::uint8_t attribute, Value value, std::uint32_t line);
  /// Replaces what was told, in this answer too.
  void force(EntityId entity, std::uint8_t attribute, Value value, std::uint32_t line);
  void retract(EntityId entity, std::uint8_t attribute);
  const Value* told(EntityId entity, std::uint8_t attribute) const;
  /// A fact that an entity may have many of; the caller sees to repeats.
  void tell_another(EntityId entity, std::uint8_t attribute, Value value, std::uint32_t line);

  /// Kept unless another block of the entity printed the same key and value.
  void extra(EntityId entity, std::string_view key, std::string_view value, std::uint32_t line);
  void note(std::uint32_t line, std::string text);

  /// Expects about so many facts; bounded, for text may be junk.
  void reserve(std::size_t facts);

  void next_answer() { ++answer_; }
  std::uint32_t answer() const { return answer_; }
  std::uint32_t block_of(EntityId entity) const { return meta_[entity].block; }

  Entity& entity(EntityId id) { return set_.entities[id]; }
  std::size_t entity_count() const { return set_.entities.size(); }
  std::size_t fact_count() const { return set_.facts.size(); }
  FactSet& set() { return set_; }

  FactSet take();

 private:
  struct Meta {
    std::array<std::uint64_t, 3> told{};  // bit for each attribute
    std::int32_t last_fact = -1, last_extra = -1;
    std::uint32_t block = 1;
    bool extras_indexed = false;
  };
  struct FactMeta {
    std::int32_t previous;
    std::uint32_t answer;
    std::uint8_t attribute;
  };
  struct Key {
    EntityId scope;
    EntityKind kind;
    std::string_view id;
    bool operator==(const Key&) const = default;
  };
  struct KeyHash {
    std::size_t operator()(const Key& key) const noexcept {
      return std::hash<std::string_view>{}(key.id) ^
             (static_cast<std::size_t>(key.scope) * 0x9E3779B97F4A7C15u) ^
             (static_cast<std::size_t>(key.kind) << 7);
    }
  };

  void push(EntityId entity, std::uint8_t attribute, Value value, std::uint32_t line);
  std::int32_t find_fact(EntityId entity, std::uint8_t attribute) const;

  FactSet set_;
  std::vector<Meta> meta_ = std::vector<Meta>(1);
  std::vector<FactMeta> fact_meta_;
  std::vector<std::int32_t> extra_previous_;
  std::vector<std::uint32_t> extra_block_;
  std::unordered_map<Key, EntityId, KeyHash> index_;
  std::unordered_map<std::uint64_t, std::uint32_t>
      extra_index_;  // of entity, key, value: the block
  std::uint32_t answer_ = 1;
  std::size_t notes_dropped_ = 0;
};

}  // namespace raidscope::vendor
