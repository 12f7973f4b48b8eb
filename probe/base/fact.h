#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace raidscope {

/// What a fact is about. `machine` is entity 0 of every FactSet: host facts hang there.
enum class EntityKind : std::uint8_t {
  machine,
  controller,
  array,
  logical_drive,
  physical_drive,
  enclosure,  ///< cage, backplane, expander, SEP
  port,
  sensor,
  block_device,
};

using EntityId = std::uint32_t;
inline constexpr EntityId machine_entity = 0;

/// One thing that a source saw. The tree is machine > controller > array > drives; a source that
/// cannot tell the array hangs drives below the controller.
struct Entity {
  EntityKind kind = EntityKind::machine;
  EntityId parent = machine_entity;
  std::string name;        ///< as told: heading, array letter, drive number, bay, /dev path
  std::uint32_t line = 0;  ///< 1-based line where it was first seen; 0 when there are no lines
};

using Value = std::variant<bool, std::int64_t, double, std::string, std::vector<std::string>,
                           std::vector<double>>;

/// One value that one path told. `attribute` is the dotted field name of the inventory document
/// below its entity ("cache.status", "smart_path.driver_enabled"); the string behind it is static.
/// A fact that nobody told is absent: there is no null value.
struct Fact {
  EntityId entity = machine_entity;
  std::string_view attribute;
  Value value;
  std::uint32_t line = 0;
};

/// A key and value that the source printed and that no typed attribute stands for.
struct Extra {
  EntityId entity = machine_entity;
  std::string key;  ///< runs of blanks collapsed to one
  std::string value;
  std::uint32_t line = 0;
};

/// What could not be placed, what was cut off.
struct Note {
  std::uint32_t line = 0;
  std::string text;
  bool operator==(const Note&) const = default;
};

enum class PathName : std::uint8_t { ssacli, sysfs, scsi, bmic, host, file };
enum class SourceStatus : std::uint8_t { ok, absent, failed, skipped };

/// All that one discovery path said in one go.
struct FactSet {
  PathName path = PathName::file;
  SourceStatus status = SourceStatus::ok;
  std::string detail;   ///< why absent, failed or skipped, and what to do; else empty
  std::string version;  ///< of the tool or driver asked; empty when it has none
  double duration_ms = 0;
  std::vector<Entity> entities{Entity{}};
  std::vector<Fact> facts;
  std::vector<Extra> extras;
  std::vector<Note> notes;

  EntityId add(EntityKind kind, EntityId parent, std::string name, std::uint32_t line = 0) {
    entities.push_back({kind, parent, std::move(name), line});
    return static_cast<EntityId>(entities.size() - 1);
  }
  void tell(EntityId entity, std::string_view attribute, Value value, std::uint32_t line = 0) {
    facts.push_back({entity, attribute, std::move(value), line});
  }
};

/// Adds what another source of the same path said. The status is that of the two that matters more:
/// failed, else ok, else skipped, else absent; the details of that status are kept.
void merge_into(FactSet& set, FactSet other);

std::string_view name_of(PathName path) noexcept;
std::string_view name_of(SourceStatus status) noexcept;

}  // namespace raidscope
