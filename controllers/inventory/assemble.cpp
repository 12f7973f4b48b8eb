#include "controllers/inventory/assemble.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "controllers/inventory/attributes.h"
#include "controllers/inventory/join.h"
#include "controllers/inventory/precedence.h"
#include "controllers/inventory/utf8.h"

namespace raidscope {
namespace {

constexpr std::string_view people_name(EntityKind kind) {
  switch (kind) {
    case EntityKind::machine:
      return "the host";
    case EntityKind::controller:
      return "a controller";
    case EntityKind::array:
      return "an array";
    case EntityKind::logical_drive:
      return "a logical drive";
    case EntityKind::physical_drive:
      return "a physical drive";
    case EntityKind::enclosure:
      return "an enclosure";
    case EntityKind::port:
      return "a port";
    case EntityKind::sensor:
      return "a sensor";
    case EntityKind::block_device:
      return "a block device";
  }
  return "a thing";
}

/// What of a plain disk says something about the logical drive that it is, and under which name.
/// The rest (model "LOGICAL VOLUME" and the like) speaks of the node, not of the drive.
std::optional<std::string_view> as_logical_drive(std::string_view attribute) {
  if (attribute == "path") return "device";
  if (attribute == "size_bytes" || attribute == "mount_points" ||
      attribute.starts_with("block_device.")) {
    return attribute;
  }
  return std::nullopt;
}

/// Fields that only mean something beside another, so that both come from one path.
struct Companion {
  std::string_view of, field;
};
constexpr auto companions =
    std::to_array<Companion>({{"size_bytes", "size_text"},
                              {"size_bytes", "size_exact"},
                              {"cache.size_bytes", "cache.size_text"},
                              {"cache.size_bytes", "cache.size_exact"},
                              {"cache.available_bytes", "cache.available_text"},
                              {"cache.available_bytes", "cache.available_exact"},
                              {"cache.status", "cache.status_text"},
                              {"cache.backup.status", "cache.backup.status_text"}});

std::string_view leader_of(std::string_view attribute) {
  const auto* found = std::find_if(companions.begin(), companions.end(),
                                   [&](const Companion& c) { return c.field == attribute; });
  return found == companions.end() ? std::string_view() : found->of;
}

/// A fact with the node member that told it.
struct NodeFact {
  std::string_view attribute;
  const Fact* fact = nullptr;
  std::uint32_t set = 0;
};

class Assembler {
 public:
  explicit Assembler(std::span<const FactSet> sets) {
    indexes_.reserve(sets.size());
    for (const FactSet& set : sets) indexes_.emplace_back(set);
  }

  Inventory assemble(std::string taken_at, std::vector<FactOrigin>* origins) {
    wanted_origins_ = origins != nullptr;
    if (!taken_at.empty()) out_.taken_at = std::move(taken_at);
    out_.tool = {"raidscope", RAIDSCOPE_VERSION};
    list_sources();
    nodes_ = join_entities(indexes_);
    make_objects();
    fill_host();
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) fill(n);
    take_back_stale_devices();
    point_hba_drives_to_block_devices();
    place();
    write_pointers();
    list_notes();
    if (origins != nullptr) *origins = write_origins();
    derive(out_);
    return std::move(out_);
  }

 private:
  void list_sources() {
    constexpr auto from_good = std::to_array(
        {SourceStatus::ok, SourceStatus::failed, SourceStatus::absent, SourceStatus::skipped});
    std::vector<SourceStatus> statuses;
    for (const FactIndex& index : indexes_) {
      const FactSet& set = index.set();
      const std::string path(name_of(set.path));
      auto found = std::find_if(out_.sources.begin(), out_.sources.end(),
                                [&](const SourceInfo& s) { return s.path == path; });
      if (found == out_.sources.end()) {
        out_.sources.push_back({path, "", std::nullopt, std::nullopt, std::nullopt});
        statuses.push_back(set.status);
        found = out_.sources.end() - 1;
      }
      SourceStatus& status = statuses[static_cast<std::size_t>(found - out_.sources.begin())];
      const auto place_of = [&](SourceStatus s) {
        return std::find(from_good.begin(), from_good.end(), s) - from_good.begin();
      };
      if (place_of(set.status) < place_of(status)) status = set.status;
      found->status = name_of(status);
      if (!set.detail.empty()) {
        const std::string detail = clean_utf8(set.detail);
        found->detail = found->detail ? *found->detail + "; " + detail : detail;
      }
      if (!set.version.empty() && !found->version) found->version = clean_utf8(set.version);
      if (set.duration_ms > 0)
        found->duration_ms = found->duration_ms.value_or(0) + set.duration_ms;
    }
  }

  void make_objects() {
    std::array<std::size_t, 9> count{};
    object_.reserve(nodes_.size());
    for (const Node& node : nodes_) object_.push_back(count[static_cast<std::size_t>(node.kind)]++);
    const auto number = [&](EntityKind kind) { return count[static_cast<std::size_t>(kind)]; };
    controllers_.resize(number(EntityKind::controller));
    arrays_.resize(number(EntityKind::array));
    logical_.resize(number(EntityKind::logical_drive));
    physical_.resize(number(EntityKind::physical_drive));
    enclosures_.resize(number(EntityKind::enclosure));
    ports_.resize(number(EntityKind::port));
    sensors_.resize(number(EntityKind::sensor));
    blocks_.resize(number(EntityKind::block_device));
    pointer_.resize(nodes_.size());
  }

  SetOutcome set(std::uint32_t n, std::string_view attribute, const Value& value) {
    if (n == no_node) return set_attribute(out_.host, attribute, value);
    const std::size_t i = object_[n];
    switch (nodes_[n].kind) {
      case EntityKind::controller:
        return set_attribute(controllers_[i], attribute, value);
      case EntityKind::array:
        return set_attribute(arrays_[i], attribute, value);
      case EntityKind::logical_drive:
        if (attribute == "unique_id" && std::holds_alternative<std::string>(value)) {
          return set_attribute(logical_[i], attribute, normal_id(std::get<std::string>(value)));
        }
        return set_attribute(logical_[i], attribute, value);
      case EntityKind::physical_drive:
        return set_attribute(physical_[i], attribute, value);
      case EntityKind::enclosure:
        return set_attribute(enclosures_[i], attribute, value);
      case EntityKind::port:
        return set_attribute(ports_[i], attribute, value);
      case EntityKind::sensor:
        return set_attribute(sensors_[i], attribute, value);
      case EntityKind::block_device:
        return set_attribute(blocks_[i], attribute, value);
      case EntityKind::machine:
        break;
    }
    return SetOutcome::no_such_field;
  }

  void apply(std::uint32_t n, std::string_view attribute, const Fact& fact) {
    const SetOutcome outcome = set(n, attribute, fact.value);
    if (outcome == SetOutcome::done) return;
    const EntityKind kind = n == no_node ? EntityKind::machine : nodes_[n].kind;
    note(fact.line, outcome == SetOutcome::no_such_field
                        ? fmt::format("{} has no field for {}: {}", people_name(kind), attribute,
                                      text_of(fact.value))
                        : fmt::format("the field {} of {} does not take: {}", attribute,
                                      people_name(kind), text_of(fact.value)));
  }

  void note(std::uint32_t line, std::string_view text) {
    own_notes_.push_back({line, clean_utf8(text)});
  }

  void fill_host() {
    std::vector<NodeMember> members;
    for (std::uint32_t s = 0; s < indexes_.size(); ++s)
      members.push_back({s, machine_entity, false});
    fill_members(no_node, members);
    for (const FactIndex& index : indexes_) {
      for (const Extra& extra : index.set().extras) {
        const auto& entities = index.set().entities;
        const bool placed = extra.entity < entities.size() &&
                            entities[extra.entity].kind != EntityKind::machine &&
                            entities[extra.entity].kind != EntityKind::block_device;
        if (!placed) note(extra.line, extra.key + ": " + extra.value);
      }
    }
  }

  void fill(std::uint32_t n) {
    if (nodes_[n].joined_elsewhere) return;
    fill_members(n, nodes_[n].members);
    fill_from_name(n);
  }

  void fill_members(std::uint32_t n, const std::vector<NodeMember>& members) {
    std::size_t telling = 0;
    for (const NodeMember& m : members) {
      if (!indexes_[m.set].facts_of(m.entity).empty()) ++telling;
    }
    if (telling < 2) {
      for (const NodeMember& m : members) {
        const std::vector<Fact>& facts = indexes_[m.set].set().facts;
        for (const std::uint32_t i : indexes_[m.set].facts_of(m.entity)) {
          const auto name = name_for(n, m, facts[i]);
          if (!name) continue;
          apply(n, *name, facts[i]);
          if (wanted_origins_) {
            const std::string path(name_of(indexes_[m.set].set().path));
            origins_.push_back({n,
                                std::string(*name),
                                {{},
                                 {{path, clean_utf8(text_of(facts[i].value))}},
                                 path,
                                 "no other path told it"}});
          }
        }
      }
      return;
    }
    reconcile(n, members);
  }

  static std::string_view without_host_prefix(std::string_view attribute) {
    return attribute.starts_with("host.") ? attribute.substr(5) : attribute;
  }

  static std::optional<std::string_view> name_for(std::uint32_t n, const NodeMember& m,
                                                  const Fact& fact) {
    if (m.as_block_device) return as_logical_drive(fact.attribute);
    return n == no_node ? without_host_prefix(fact.attribute) : fact.attribute;
  }

  /// Several paths told about one thing: each field from the path that the table prefers.
  void reconcile(std::uint32_t n, const std::vector<NodeMember>& members) {
    std::vector<NodeFact> facts;
    for (const NodeMember& m : members) {
      for (const std::uint32_t i : indexes_[m.set].facts_of(m.entity)) {
        const Fact& fact = indexes_[m.set].set().facts[i];
        if (const auto name = name_for(n, m, fact)) facts.push_back({*name, &fact, m.set});
      }
    }
    std::stable_sort(facts.begin(), facts.end(), [](const NodeFact& a, const NodeFact& b) {
      return a.attribute < b.attribute;
    });
    // Leaders first: their companions follow the path that was taken.
    std::vector<std::pair<std::string_view, std::uint32_t>> led;
    for (const bool leaders : {true, false}) {
      for (std::size_t begin = 0; begin < facts.size();) {
        std::size_t end = begin + 1;
        while (end < facts.size() && facts[end].attribute == facts[begin].attribute) ++end;
        const std::span<const NodeFact> group(facts.data() + begin, end - begin);
        const std::string_view leader = leader_of(group.front().attribute);
        const bool level_known = group.front().attribute == "raid_candidates" &&
                                 std::any_of(facts.begin(), facts.end(), [](const NodeFact& fact) {
                                   return fact.attribute == "raid";
                                 });
        if (level_known) {
          begin = end;
          continue;
        }
        if (leader.empty() == leaders) {
          if (leaders) {
            led.emplace_back(group.front().attribute, settle(n, group, facts));
          } else {
            follow(n, group, leader, led);
          }
        }
        begin = end;
      }
    }
  }

  /// Gives the set whose value was taken; no_node when the field stays unknown.
  std::uint32_t settle(std::uint32_t n, std::span<const NodeFact> group,
                       std::span<const NodeFact> all) {
    const std::string_view attribute = group.front().attribute;
    const EntityKind kind = n == no_node ? EntityKind::machine : nodes_[n].kind;
    const Precedence& row = precedence_of(kind, attribute);
    std::vector<Told> told;
    std::vector<std::uint32_t> set_of;
    for (const NodeFact& fact : group) {
      if (!set_of.empty() && set_of.back() == fact.set) continue;  // a list told piece by piece
      set_of.push_back(fact.set);
      told.push_back(
          {indexes_[fact.set].set().path, &fact.fact->value, size_text(all, attribute, fact.set)});
    }
    if (row.choice == Choice::all_together) {
      apply_union(n, attribute, group);
      remember_origin(n, attribute, told, "all", row.why);
      return set_of.front();
    }
    Chosen chosen = choose(row, attribute, told);
    // Who cannot tell the level exactly still says which ones it may be.
    if (attribute == "raid") add_candidates(all, told, chosen);
    // Written down only where somebody reads it.
    const std::string why =
        wanted_origins_ || !chosen.agreed ? reason(row, told, chosen) : std::string();
    remember_origin(n, attribute, told, chosen.unknown ? "none" : name_of(told[chosen.taken].path),
                    why);
    const std::uint32_t taken_set = set_of[chosen.taken];
    if (!chosen.unknown) {
      for (const NodeFact& fact : group) {
        if (fact.set == taken_set) apply(n, attribute, *fact.fact);
      }
    }
    const std::string_view taken = chosen.unknown ? "none" : name_of(told[chosen.taken].path);
    if (told.size() > 1 || !row.attribute.empty()) {
      if (!chosen.unknown) provenance_.push_back({n, attribute, std::string(taken)});
    }
    if (!chosen.agreed) {
      Disagreement disagreement;
      for (const Told& t : told) {
        disagreement.values.push_back(
            {std::string(name_of(t.path)), clean_utf8(text_of(*t.value))});
      }
      disagreement.taken = taken;
      disagreement.why = why;
      disagreements_.push_back({n, attribute, std::move(disagreement)});
    }
    return chosen.unknown ? no_node : taken_set;
  }

  /// Adds the sets that tell candidates for the RAID level and no level, and looks whether the one
  /// that was taken is among them.
  void add_candidates(std::span<const NodeFact> all, std::vector<Told>& told,
                      Chosen& chosen) const {
    std::set<std::uint32_t> exact;
    for (const NodeFact& fact : all) {
      if (fact.attribute == "raid") exact.insert(fact.set);
    }
    for (const NodeFact& fact : all) {
      if (fact.attribute != "raid_candidates" || exact.contains(fact.set)) continue;
      const Told candidates{indexes_[fact.set].set().path, &fact.fact->value, nullptr};
      if (!agree("raid", candidates, told[chosen.taken])) chosen.agreed = false;
      told.push_back(candidates);
    }
  }

  static std::string reason(const Precedence& row, const std::vector<Told>& told,
                            const Chosen& chosen) {
    if (told.size() == 1) return "no other path told it";
    const std::string_view taken = name_of(told[chosen.taken].path);
    if (chosen.agreed) return fmt::format("all that told it agree; {} comes first", taken);
    const bool first = row.order.substr(0, row.order.find(' ')) == taken ||
                       told[chosen.taken].path == PathName::file;
    if (row.choice != Choice::by_order || first) return std::string(row.why);
    return fmt::format("of the paths that told it, {} comes first", taken);
  }

  void remember_origin(std::uint32_t n, std::string_view attribute, const std::vector<Told>& told,
                       std::string_view taken, std::string_view why) {
    if (!wanted_origins_) return;
    NodeOrigin origin{n, std::string(attribute), {}};
    for (const Told& t : told) {
      origin.origin.values.push_back({std::string(name_of(t.path)), clean_utf8(text_of(*t.value))});
    }
    origin.origin.taken = taken;
    origin.origin.why = why;
    origins_.push_back(std::move(origin));
  }

  std::vector<FactOrigin> write_origins() {
    std::vector<FactOrigin> out;
    for (NodeOrigin& told : origins_) {
      told.origin.fact = told.extra ? fmt::format("{}/extra/{}", pointer(told.node), told.attribute)
                                    : pointer(told.node, told.attribute);
      out.push_back(std::move(told.origin));
    }
    std::stable_sort(out.begin(), out.end(),
                     [](const FactOrigin& a, const FactOrigin& b) { return a.fact < b.fact; });
    return out;
  }

  void follow(std::uint32_t n, std::span<const NodeFact> group, std::string_view leader,
              const std::vector<std::pair<std::string_view, std::uint32_t>>& led) {
    const auto found = std::find_if(led.begin(), led.end(),
                                    [&](const auto& entry) { return entry.first == leader; });
    for (const NodeFact& fact : group) {
      if (found == led.end() || fact.set == found->second) apply(n, fact.attribute, *fact.fact);
    }
  }

  const std::string* size_text(std::span<const NodeFact> all, std::string_view attribute,
                               std::uint32_t set) const {
    for (const NodeFact& fact : all) {
      if (fact.set != set || leader_of(fact.attribute) != attribute) continue;
      if (const auto* text = std::get_if<std::string>(&fact.fact->value)) return text;
    }
    return nullptr;
  }

  void apply_union(std::uint32_t n, std::string_view attribute, std::span<const NodeFact> group) {
    std::vector<std::string> merged;
    for (const NodeFact& fact : group) {
      const auto* texts = std::get_if<std::vector<std::string>>(&fact.fact->value);
      if (texts == nullptr) {
        apply(n, attribute, *fact.fact);
        continue;
      }
      for (const std::string& text : *texts) {
        if (std::find(merged.begin(), merged.end(), text) == merged.end()) merged.push_back(text);
      }
    }
    if (!merged.empty()) {
      apply(n, attribute,
            {group.front().fact->entity, attribute, merged, group.front().fact->line});
    }
  }

  /// A source may leave it at the entity's name where that is all it knows.
  void fill_from_name(std::uint32_t n) {
    const Node& node = nodes_[n];
    if (node.members.empty()) return;
    const NodeMember& m = node.members.front();
    const FactSet& set = indexes_[m.set].set();
    const std::string& name = set.entities[m.entity].name;
    const bool vendor_text = set.path == PathName::ssacli || set.path == PathName::file;
    const std::size_t i = object_[n];
    switch (node.kind) {
      case EntityKind::array:
        if (!arrays_[i].letter && vendor_text && !name.empty())
          arrays_[i].letter = clean_utf8(name);
        break;
      case EntityKind::logical_drive:
        if (std::int64_t number = 0; !logical_[i].number && vendor_text && !name.empty()) {
          const char* end = name.data() + name.size();
          const auto [rest, problem] = std::from_chars(name.data(), end, number);
          if (rest == end && problem == std::errc{}) logical_[i].number = number;
        }
        break;
      case EntityKind::physical_drive:
        if (!physical_[i].bay && vendor_text && !name.empty()) physical_[i].bay = clean_utf8(name);
        break;
      case EntityKind::enclosure:
        if (enclosures_[i].name.empty()) enclosures_[i].name = clean_utf8(name);
        break;
      case EntityKind::port:
        if (ports_[i].name.empty()) ports_[i].name = clean_utf8(name);
        break;
      case EntityKind::sensor:
        if (sensors_[i].id.empty()) sensors_[i].id = clean_utf8(name);
        break;
      case EntityKind::block_device:
        if (blocks_[i].path.empty()) blocks_[i].path = clean_utf8(name);
        break;
      case EntityKind::controller:
      case EntityKind::machine:
        break;
    }
  }

  ExtraFields* extra_of(std::uint32_t n) {
    const std::size_t i = object_[n];
    switch (nodes_[n].kind) {
      case EntityKind::controller:
        return &controllers_[i].extra;
      case EntityKind::array:
        return &arrays_[i].extra;
      case EntityKind::logical_drive:
        return &logical_[i].extra;
      case EntityKind::physical_drive:
        return &physical_[i].extra;
      case EntityKind::enclosure:
        return &enclosures_[i].extra;
      case EntityKind::port:
        return &ports_[i].extra;
      case EntityKind::sensor:
        return &sensors_[i].extra;
      case EntityKind::block_device:
      case EntityKind::machine:
        break;
    }
    return nullptr;
  }

  /// A disk name that the vendor tool printed, where the kernel finds another drive at that node:
  /// one node is one drive.
  void take_back_stale_devices() {
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].kind != EntityKind::logical_drive || !logical_[object_[n]].device) continue;
      if (found_by_kernel(indexes_, nodes_[n], "device")) continue;
      LogicalDrive& drive = logical_[object_[n]];
      for (std::uint32_t owner = 0; owner < nodes_.size(); ++owner) {
        if (owner == n || nodes_[owner].kind != EntityKind::logical_drive) continue;
        const LogicalDrive& other = logical_[object_[owner]];
        if (other.device != drive.device || !found_by_kernel(indexes_, nodes_[owner], "device"))
          continue;
        take_back_device(n, drive, other);
        break;
      }
    }
  }

  void take_back_device(std::uint32_t n, LogicalDrive& drive, const LogicalDrive& owner) {
    static constexpr std::string_view why =
        "the kernel finds another drive at this node, so the printed disk name is stale";
    const std::string teller(name_of(indexes_[nodes_[n].members.front().set].set().path));
    Disagreement disagreement;
    disagreement.values = {
        {teller, *drive.device},
        {"sysfs", owner.unique_id
                      ? fmt::format("{} is the drive {}", *drive.device, *owner.unique_id)
                      : fmt::format("{} is another drive", *drive.device)}};
    disagreement.taken = "none";
    disagreement.why = why;
    for (NodeOrigin& origin : origins_) {
      if (origin.node != n || origin.attribute != "device") continue;
      origin.origin.values = disagreement.values;
      origin.origin.taken = "none";
      origin.origin.why = why;
    }
    std::erase_if(provenance_,
                  [&](const Provenance& p) { return p.node == n && p.attribute == "device"; });
    disagreements_.push_back({n, "device", std::move(disagreement)});
    drive.device.reset();
  }

  /// A disk in HBA mode is both a drive of the controller and a disk of the kernel.
  void point_hba_drives_to_block_devices() {
    for (PhysicalDrive& drive : physical_) {
      if (drive.device || (drive.role != DriveRole::hba && drive.role.has_value())) continue;
      for (const BlockDevice& block : blocks_) {
        const bool by_serial = drive.serial && block.serial && *drive.serial == *block.serial;
        const bool by_wwid =
            drive.wwid && block.wwid && normal_id(*drive.wwid) == normal_id(*block.wwid);
        if (by_serial || by_wwid) drive.device = block.path;
      }
    }
  }

  void fill_extras() {
    for (const FactIndex& index : indexes_) {
      const FactSet& set = index.set();
      std::vector<std::uint32_t> node(set.entities.size(), no_node);
      const auto s = static_cast<std::uint32_t>(&index - indexes_.data());
      for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
        for (const NodeMember& m : nodes_[n].members) {
          if (m.set == s && !m.as_block_device) node[m.entity] = n;
        }
      }
      for (const Extra& extra : set.extras) {
        if (extra.entity >= node.size() || node[extra.entity] == no_node) continue;
        if (ExtraFields* fields = extra_of(node[extra.entity])) {
          fields->items.emplace_back(clean_utf8(extra.key), clean_utf8(extra.value));
          if (!wanted_origins_) continue;
          const std::string path(name_of(set.path));
          origins_.push_back(
              {node[extra.entity],
               clean_utf8(extra.key),
               {{}, {{path, clean_utf8(extra.value)}}, path, "no other path told it"},
               true});
        }
      }
    }
  }

  /// Moves every object to where the document has it. Pointers are only written for what a
  /// provenance or disagreement names, hence the remembered places.
  void place() {
    fill_extras();
    reserve_lists();
    std::vector<Array*> array_at(nodes_.size(), nullptr);
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].kind != EntityKind::array) continue;
      Controller& above = controllers_[object_[nodes_[n].controller]];
      above.arrays.push_back(std::move(arrays_[object_[n]]));
      pointer_[n] = {nodes_[n].controller, "arrays", above.arrays.size() - 1};
      array_at[n] = &above.arrays.back();  // stays: reserve_lists() made the room
    }
    for (std::uint32_t n = 0; n < nodes_.size(); ++n) {
      const Node& node = nodes_[n];
      const std::size_t i = object_[n];
      Array* array = node.array == no_node ? nullptr : array_at[node.array];
      const auto above = [&]() -> Controller& { return controllers_[object_[node.controller]]; };
      const auto move_to = [&](auto& list, auto& object, std::uint32_t parent, const char* name) {
        list.push_back(std::move(object));
        pointer_[n] = {parent, name, list.size() - 1};
      };
      switch (node.kind) {
        case EntityKind::logical_drive:
          if (array != nullptr) {
            move_to(array->logical_drives, logical_[i], node.array, "logical_drives");
          } else {
            move_to(above().logical_drives, logical_[i], node.controller, "logical_drives");
          }
          break;
        case EntityKind::physical_drive:
          if (physical_[i].role == DriveRole::unassigned) {
            move_to(above().unassigned_drives, physical_[i], node.controller, "unassigned_drives");
          } else if (physical_[i].role == DriveRole::hba) {
            move_to(above().hba_drives, physical_[i], node.controller, "hba_drives");
          } else if (array != nullptr) {
            move_to(array->physical_drives, physical_[i], node.array, "physical_drives");
          } else {
            move_to(above().physical_drives, physical_[i], node.controller, "physical_drives");
          }
          break;
        case EntityKind::enclosure:
          move_to(above().enclosures, enclosures_[i], node.controller, "enclosures");
          break;
        case EntityKind::port:
          move_to(above().ports, ports_[i], node.controller, "ports");
          break;
        case EntityKind::sensor:
          move_to(above().sensors, sensors_[i], node.controller, "sensors");
          break;
        case EntityKind::block_device:
          if (!node.joined_elsewhere) {
            move_to(out_.block_devices, blocks_[i], no_node, "block_devices");
          }
          break;
        case EntityKind::controller:
          pointer_[n] = {no_node, "controllers", i};
          break;
        case EntityKind::array:
        case EntityKind::machine:
          break;
      }
    }
    out_.controllers = std::move(controllers_);
  }

  void reserve_lists() {
    std::vector<std::size_t> arrays(controllers_.size());
    for (const Node& node : nodes_) {
      if (node.kind == EntityKind::array) ++arrays[object_[node.controller]];
    }
    for (std::size_t i = 0; i < controllers_.size(); ++i) controllers_[i].arrays.reserve(arrays[i]);
    std::vector<std::size_t> drives(nodes_.size());
    for (const Node& node : nodes_) {
      if (node.kind == EntityKind::physical_drive && node.array != no_node) ++drives[node.array];
    }
    for (std::size_t n = 0; n < nodes_.size(); ++n) {
      if (nodes_[n].kind == EntityKind::array) {
        arrays_[object_[n]].physical_drives.reserve(drives[n]);
      }
    }
  }

  std::string pointer(std::uint32_t n) const {
    if (n == no_node) return {};
    const Place& place = pointer_[n];
    return fmt::format("{}/{}/{}", pointer(place.parent), place.list, place.index);
  }

  std::string pointer(std::uint32_t n, std::string_view attribute) const {
    std::string field(attribute);
    std::replace(field.begin(), field.end(), '.', '/');
    return fmt::format("{}/{}", n == no_node ? "/host" : pointer(n), field);
  }

  void write_pointers() {
    for (auto& [n, attribute, path] : provenance_) {
      out_.provenance.emplace(pointer(n, attribute), std::move(path));
    }
    for (auto& [n, attribute, disagreement] : disagreements_) {
      disagreement.fact = pointer(n, attribute);
      out_.disagreements.push_back(std::move(disagreement));
    }
  }

  void list_notes() {
    for (const FactIndex& index : indexes_) {
      for (const Note& told : index.set().notes) {
        out_.notes.push_back({told.line, clean_utf8(told.text)});
      }
    }
    for (NoteLine& own : own_notes_) out_.notes.push_back(std::move(own));
  }

  struct Place {
    std::uint32_t parent = no_node;
    std::string_view list;
    std::size_t index = 0;
  };
  struct Provenance {
    std::uint32_t node;
    std::string_view attribute;
    std::string path;
  };
  struct NodeOrigin {
    std::uint32_t node;
    std::string attribute;
    FactOrigin origin;
    bool extra = false;  ///< the attribute is a key of the printed text, kept as it is
  };
  struct NodeDisagreement {
    std::uint32_t node;
    std::string_view attribute;
    Disagreement disagreement;
  };

  std::vector<FactIndex> indexes_;
  std::vector<Node> nodes_;
  std::vector<std::size_t> object_;  ///< beside nodes_: index into the list of its kind
  std::vector<Place> pointer_;       ///< beside nodes_: where the document has it
  std::vector<Controller> controllers_;
  std::vector<Array> arrays_;
  std::vector<LogicalDrive> logical_;
  std::vector<PhysicalDrive> physical_;
  std::vector<Enclosure> enclosures_;
  std::vector<Port> ports_;
  std::vector<Sensor> sensors_;
  std::vector<BlockDevice> blocks_;
  bool wanted_origins_ = false;
  std::vector<NodeOrigin> origins_;
  std::vector<Provenance> provenance_;
  std::vector<NodeDisagreement> disagreements_;
  std::vector<NoteLine> own_notes_;
  Inventory out_;
};

}  // namespace

Inventory assemble(std::span<const FactSet> sets, std::string taken_at,
                   std::vector<FactOrigin>* origins) {
  return Assembler(sets).assemble(std::move(taken_at), origins);
}

}  // namespace raidscope
