#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/fact.h"

/// Which entities of several fact sets are one thing of the machine.
namespace raidscope {

/// The facts and extras of one set, by entity. Keeps a reference to the set.
class FactIndex {
 public:
  explicit FactIndex(const FactSet& set);
  const FactSet& set() const noexcept { return *set_; }
  /// In the order told.
  std::span<const std::uint32_t> facts_of(EntityId entity) const noexcept;
  /// The text of an attribute, or of a number as digits; nullopt when not told.
  std::optional<std::string> text(EntityId entity, std::string_view attribute) const;

 private:
  const FactSet* set_;
  std::vector<std::uint32_t> start_, order_;
};

inline constexpr std::uint32_t no_node = UINT32_MAX;

/// An entity of one set. `as_block_device`: a logical drive that this path saw as a plain disk.
struct NodeMember {
  std::uint32_t set = 0;
  EntityId entity = 0;
  bool as_block_device = false;
};

/// One thing of the machine, seen by one or several paths.
struct Node {
  EntityKind kind = EntityKind::machine;
  std::uint32_t controller = no_node;  ///< below which it lies, for all below a controller
  std::uint32_t array = no_node;       ///< for drives: the array, where a path tells it
  std::vector<NodeMember> members;
  bool joined_elsewhere = false;  ///< a block device that is a logical drive
};

/// Whether a path other than the vendor tool's words told this attribute, or saw the node itself as
/// a disk of the kernel.
bool found_by_kernel(std::span<const FactIndex> sets, const Node& node, std::string_view attribute);

/// Controllers first, then arrays, logical drives, physical drives and the rest; within a kind in
/// the order told, vendor tools first. Linear but for the search among siblings where several sets
/// see the same kind.
std::vector<Node> join_entities(std::span<const FactIndex> sets);

}  // namespace raidscope
