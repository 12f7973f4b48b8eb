#include "controllers/inventory/join.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "controllers/inventory/precedence.h"

namespace raidscope {

FactIndex::FactIndex(const FactSet& set) : set_(&set) {
  const std::size_t entities = set.entities.size();
  start_.assign(entities + 1, 0);
  for (const Fact& fact : set.facts) {
    if (fact.entity < entities) ++start_[fact.entity + 1];
  }
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
  order_.resize(start_.back());
  std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
  for (std::uint32_t i = 0; i < set.facts.size(); ++i) {
    const EntityId entity = set.facts[i].entity;
    if (entity < entities) order_[next[entity]++] = i;
  }
}

std::span<const std::uint32_t> FactIndex::facts_of(EntityId entity) const noexcept {
  if (entity + std::size_t{1} >= start_.size()) return {};
  return std::span(order_).subspan(start_[entity], start_[entity + 1] - start_[entity]);
}

std::optional<std::string> FactIndex::text(EntityId entity, std::string_view attribute) const {
  for (const std::uint32_t i : facts_of(entity)) {
    if (set_->facts[i].attribute == attribute) return text_of(set_->facts[i].value);
  }
  return std::nullopt;
}

bool found_by_kernel(std::span<const FactIndex> sets, const Node& node,
                     std::string_view attribute) {
  return std::any_of(node.members.begin(), node.members.end(), [&](const NodeMember& m) {
    const PathName path = sets[m.set].set().path;
    if (path == PathName::ssacli || path == PathName::file) return false;
    return m.as_block_device || sets[m.set].text(m.entity, attribute).has_value();
  });
}

namespace {

/// What tells one thing of a kind from its siblings, strongest first. Where both sides know a key,
/// it alone decides.
using Keys = std::array<std::string, 3>;

std::string key(const FactIndex& index, EntityId entity, std::string_view attribute) {
  const auto text = index.text(entity, attribute);
  return text ? normal_id(*text) : std::string();
}

std::string or_name(std::string told, const FactIndex& index, EntityId entity) {
  const PathName path = index.set().path;
  if (told.empty() && (path == PathName::ssacli || path == PathName::file)) {
    return normal_id(index.set().entities[entity].name);
  }
  return told;
}

Keys keys_of(const FactIndex& index, EntityId entity) {
  const auto told = [&](std::string_view attribute) { return key(index, entity, attribute); };
  switch (index.set().entities[entity].kind) {
    case EntityKind::controller:
      return {told("pci_address"), told("slot"), told("serial")};
    case EntityKind::array:
      return {or_name(told("letter"), index, entity), "", ""};
    case EntityKind::logical_drive:
      // One node is one drive; a disk name that a tool printed may be stale, but ids decide first.
      return {told("unique_id"), or_name(told("number"), index, entity), told("device")};
    case EntityKind::physical_drive:
      return {told("serial"), told("wwid"), or_name(told("bay"), index, entity)};
    case EntityKind::enclosure:
      return {told("name") + '/' + told("port") + '/' + told("box"), "", ""};
    case EntityKind::port:
      return {or_name(told("name"), index, entity), "", ""};
    case EntityKind::sensor:
      return {or_name(told("id"), index, entity), "", ""};
    case EntityKind::block_device:
      return {told("path"), told("wwid"), ""};
    case EntityKind::machine:
      break;
  }
  return {};
}

bool same(const Keys& a, const Keys& b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!a[i].empty() && !b[i].empty()) return a[i] == b[i];
  }
  return false;
}

void learn(Keys& known, const Keys& more) {
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (known[i].empty()) known[i] = more[i];
  }
}

/// Vendor tools first: they know the most keys, so that the others find their like.
int joining_order(PathName path) {
  switch (path) {
    case PathName::ssacli:
      return 0;
    case PathName::file:
      return 1;
    case PathName::bmic:
      return 2;
    case PathName::sysfs:
      return 3;
    case PathName::scsi:
      return 4;
    case PathName::host:
      return 5;
  }
  return 6;
}

class Joiner {
 public:
  explicit Joiner(std::span<const FactIndex> sets) : sets_(sets) {
    for (std::uint32_t i = 0; i < sets.size(); ++i) {
      turn_.push_back(i);
      node_of_.emplace_back(sets[i].set().entities.size(), no_node);
      anonymous_.push_back(no_node);
    }
    std::stable_sort(turn_.begin(), turn_.end(), [&](std::uint32_t a, std::uint32_t b) {
      return joining_order(sets[a].set().path) < joining_order(sets[b].set().path);
    });
  }

  std::vector<Node> join() {
    for (const EntityKind kind :
         {EntityKind::controller, EntityKind::array, EntityKind::logical_drive,
          EntityKind::physical_drive, EntityKind::enclosure, EntityKind::port, EntityKind::sensor,
          EntityKind::block_device}) {
      join_kind(kind);
    }
    give_block_devices_to_logical_drives();
    return std::move(nodes_);
  }

 private:
  void join_kind(EntityKind kind) {
    const auto sees = [&](std::uint32_t s) {
      const auto& entities = sets_[s].set().entities;
      return std::any_of(entities.begin(), entities.end(),
                         [&](const Entity& e) { return e.kind == kind; });
    };
    const bool alone = std::count_if(turn_.begin(), turn_.end(), sees) < 2;
    first_of_kind_ = static_cast<std::uint32_t>(nodes_.size());
    for (const std::uint32_t s : turn_) {
      const auto& entities = sets_[s].set().entities;
      const auto before = static_cast<std::uint32_t>(nodes_.size());
      for (EntityId e = 0; e < entities.size(); ++e) {
        if (entities[e].kind == kind) place(s, e, alone, before);
      }
    }
  }

  /// `before`: nodes from there on were made by this set, and one set sees nothing twice.
  void place(std::uint32_t s, EntityId e, bool alone, std::uint32_t before) {
    const EntityKind kind = sets_[s].set().entities[e].kind;
    const std::uint32_t array = ancestor(s, e, EntityKind::array);
    std::uint32_t above = ancestor(s, e, EntityKind::controller);
    if (above == no_node && array != no_node) above = nodes_[array].controller;
    Keys keys;
    std::uint32_t found = no_node;
    if (!alone) {
      keys = keys_of(sets_[s], e);
      found = sibling(s, kind, above, keys, before);
    }
    if (found == no_node && kind == EntityKind::controller && !alone) found = only_one_left(s, e);
    if (found == no_node) {
      if (above == no_node && kind != EntityKind::controller && kind != EntityKind::block_device) {
        above = anonymous_controller(s);
      }
      found = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({kind, above, no_node, {}, false});
      keys_.push_back(std::move(keys));
    } else {
      learn(keys_[found], keys);
    }
    if (nodes_[found].array == no_node) nodes_[found].array = array;
    nodes_[found].members.push_back({s, e, false});
    node_of_[s][e] = found;
  }

  std::uint32_t sibling(std::uint32_t s, EntityKind kind, std::uint32_t above, const Keys& keys,
                        std::uint32_t before) const {
    for (std::uint32_t n = first_of_kind_; n < before; ++n) {
      if (nodes_[n].kind != kind || (above != no_node && nodes_[n].controller != above)) continue;
      if (!same(keys, keys_[n])) continue;
      if (nodes_[n].members.empty() || nodes_[n].members.back().set != s) return n;
    }
    return no_node;
  }

  /// Last resort for a path that knows no key of the others: each side saw one controller of this
  /// model.
  std::uint32_t only_one_left(std::uint32_t s, EntityId e) const {
    const std::string model = key(sets_[s], e, "model");
    if (model.empty()) return no_node;
    std::size_t mine = 0;
    const auto& entities = sets_[s].set().entities;
    for (EntityId i = 0; i < entities.size(); ++i) {
      if (entities[i].kind == EntityKind::controller && key(sets_[s], i, "model") == model) ++mine;
    }
    std::uint32_t found = no_node;
    for (std::uint32_t n = first_of_kind_; n < nodes_.size(); ++n) {
      for (const NodeMember& m : nodes_[n].members) {
        if (key(sets_[m.set], m.entity, "model") != model) continue;
        if (found != no_node && found != n) return no_node;
        found = n;
      }
    }
    if (mine != 1 || found == no_node) return no_node;
    const Keys keys = keys_of(sets_[s], e);
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (!keys[i].empty() && !keys_[found][i].empty())
        return no_node;  // they differ: sibling() said so
    }
    return found;
  }

  std::uint32_t ancestor(std::uint32_t s, EntityId e, EntityKind kind) const {
    const auto& entities = sets_[s].set().entities;
    for (std::size_t steps = 0; steps < 8 && e != machine_entity; ++steps) {
      e = entities[e].parent;
      if (e >= entities.size()) return no_node;
      if (entities[e].kind == kind) return node_of_[s][e];
    }
    return no_node;
  }

  /// Answers without a heading still belong to a controller, only nobody says to which.
  std::uint32_t anonymous_controller(std::uint32_t s) {
    if (anonymous_[s] == no_node) {
      anonymous_[s] = static_cast<std::uint32_t>(nodes_.size());
      nodes_.push_back({EntityKind::controller, no_node, no_node, {}, false});
      keys_.emplace_back();
    }
    return anonymous_[s];
  }

  void give_block_devices_to_logical_drives() {
    struct Known {
      std::uint32_t node;
      std::string id, device;
      bool by_kernel;
    };
    std::vector<Known> drives;
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].kind != EntityKind::logical_drive) continue;
      drives.push_back({n, id_of(nodes_[n], "unique_id"), id_of(nodes_[n], "device"),
                        found_by_kernel(sets_, nodes_[n], "device")});
    }
    if (drives.empty()) return;
    // A disk name that a tool printed may be stale: a drive that the kernel finds there goes first.
    std::stable_partition(drives.begin(), drives.end(),
                          [](const Known& drive) { return drive.by_kernel; });
    for (Node& block : nodes_) {
      if (block.kind != EntityKind::block_device) continue;
      const std::string id = id_of(block, "wwid"), path = id_of(block, "path");
      // What the kernel itself says is a logical drive needs no other sign; a name that a tool
      // printed does.
      const bool volume = id_of(block, "model").find("LOGICAL VOLUME") != std::string::npos;
      const auto found = std::find_if(drives.begin(), drives.end(), [&](const Known& drive) {
        if (!id.empty() && !drive.id.empty()) return id == drive.id;
        return (volume || drive.by_kernel) && !path.empty() && path == drive.device;
      });
      if (found == drives.end()) continue;
      for (const NodeMember& m : block.members) {
        nodes_[found->node].members.push_back({m.set, m.entity, true});
      }
      block.joined_elsewhere = true;
    }
  }

  std::string id_of(const Node& node, std::string_view attribute) const {
    for (const NodeMember& m : node.members) {
      if (m.as_block_device) continue;
      if (std::string id = key(sets_[m.set], m.entity, attribute); !id.empty()) return id;
    }
    return {};
  }

  std::span<const FactIndex> sets_;
  std::vector<std::uint32_t> turn_, anonymous_;
  std::vector<std::vector<std::uint32_t>> node_of_;
  std::vector<Node> nodes_;
  std::vector<Keys> keys_;  ///< beside nodes_
  std::uint32_t first_of_kind_ = 0;
};

}  // namespace

std::vector<Node> join_entities(std::span<const FactIndex> sets) {
  return Joiner(sets).join();
}

}  // namespace raidscope
