#pragma once

#include <cstdint>
#include <string_view>

#include "controllers/inventory/inventory.h"
#include "probe/base/fact.h"

/// The way from a fact's attribute to the field of the same dotted name, made once from the
/// fields() lists. Values: texts for words and enums, one fact for a whole list; `mirror_groups` is
/// told once a group (its name, then its drives); `driver_versions` once a driver (its name, its
/// version).
namespace raidscope {

enum class SetOutcome : std::uint8_t {
  done,
  no_such_field,
  wrong_value,  ///< a type or word that the field does not take; the field is as before
};

/// One hash look-up, whatever the number of fields.
SetOutcome set_attribute(HostFacts& object, std::string_view attribute, const Value& value);
SetOutcome set_attribute(Controller& object, std::string_view attribute, const Value& value);
SetOutcome set_attribute(Array& object, std::string_view attribute, const Value& value);
SetOutcome set_attribute(LogicalDrive& object, std::string_view attribute, const Value& value);
SetOutcome set_attribute(PhysicalDrive& object, std::string_view attribute, const Value& value);
SetOutcome set_attribute(Enclosure& object, std::string_view attribute, const Value& value);
SetOutcome set_attribute(Port& object, std::string_view attribute, const Value& value);
SetOutcome set_attribute(Sensor& object, std::string_view attribute, const Value& value);
SetOutcome set_attribute(BlockDevice& object, std::string_view attribute, const Value& value);

/// Whether facts about this kind of entity may have this attribute.
bool is_attribute(EntityKind kind, std::string_view attribute);

}  // namespace raidscope
