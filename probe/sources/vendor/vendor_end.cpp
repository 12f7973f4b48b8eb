#include <algorithm>

#include "probe/base/text.h"
#include "probe/sources/vendor/key_facts.h"
#include "probe/sources/vendor/vendor_context.h"

/// Whether a text ends where an answer of the tools may end. Nothing in an answer says that it is
/// end.whole, so its last line is asked: which keys close a block is known of the tools and learned
/// from the earlier blocks of the same text.
namespace raidscope::vendor {

namespace {

constexpr auto C = EntityKind::controller;
constexpr auto A = EntityKind::array;
constexpr auto L = EntityKind::logical_drive;
constexpr auto D = EntityKind::physical_drive;
constexpr auto E = EntityKind::enclosure;
constexpr auto P = EntityKind::port;
constexpr auto S = EntityKind::sensor;

constexpr std::size_t at(EntityKind kind) {
  return static_cast<std::size_t>(kind);
}

struct ClosingKey {
  EntityKind kind;
  std::string_view key;
};

/// The last keys of blocks in the generations of the tools.
constexpr ClosingKey closing_keys[] = {
    {C, "Slot"},
    {C, "Controller Status"},
    {C, "Cache Status"},
    {C, "Battery/Capacitor Status"},
    {C, "SATA NCQ Supported"},
    {C, "Driver Version"},
    {C, "Driver Supports HP SSD Smart Path"},
    {C, "Driver Supports HPE SSD Smart Path"},
    {C, "Driver Supports SSD Smart Path"},
    {C, "Driver Supports Smart Path"},
    {C, "Driver Supports SSD I/O Bypass"},
    {C, "Host Serial Number"},
    {C, "Secondary Boot Volume"},
    {C, "SPDM Supports Set Import Certificate"},
    {C, "SPDM Supports Set Invalidate Slot"},
    {A, "HP SSD Smart Path"},
    {A, "HPE SSD Smart Path"},
    {A, "SSD Smart Path"},
    {A, "Smart Path"},
    {A, "SSD I/O Bypass"},
    {A, "I/O Bypass"},
    {L, "Drive Type"},
    {L, "Caching Association"},
    {L, "LD Acceleration Method"},
    {L, "Last Surface Scan Completed"},
    {L, "Last Surface Scan Completion Timestamp"},
    {L, "Last Surface Scan Duration"},
    {D, "PHY Transfer Rate"},
    {D, "Carrier Bootloader Version"},
    {D, "Sanitize Erase Supported"},
    {D, "Unrestricted Sanitize Supported"},
    {D, "Sanitize Anti-Freeze Lock Supported"},
    {D, "Sanitize Freeze Lock Supported"},
    {D, "Sanitize Lock"},
    {D, "Shingled Magnetic Recording Support"},
    {D, "Drive Unique ID"},
    {D, "Multi-Actuator Drive"},
    {D, "Self Encrypting Drive"},
    {D, "Write Cache Status"},
    {D, "Mount Points"},
    {D, "Last Failure Reason"},
    {P, "Port Location"},
    {P, "Managed Cable Connected"},
    {P, "Managed Cable Length"},
    {P, "Managed Cable Part Number"},
    {P, "Managed Cable Serial Number"},
    {S, "Max Value Since Power On"},
};

bool closes_block(EntityKind kind, std::string_view key) {
  return std::any_of(std::begin(closing_keys), std::end(closing_keys),
                     [&](const ClosingKey& row) { return row.kind == kind && row.key == key; });
}

}  // namespace

void VendorContext::passed_line(LineKind kind, std::uint32_t number) {
  last_kind_ = kind;
  last_number_ = number;
  if (kind == LineKind::key || kind == LineKind::unknown_key) return;
  // The members of a mirror group stand among the keys of their logical drive.
  if (kind == LineKind::group || (kind == LineKind::drive_line && group_drive_ != 0)) return;
  if (last_key_.entity != 0) ending_keys_[at(last_key_.kind)].insert(last_key_.key);
  last_key_ = {};
}

void VendorContext::passed_key(EntityKind kind, EntityId entity, std::string_view key,
                               bool complete) {
  if (last_key_.entity != 0) {
    const bool same = last_key_.entity == entity && last_key_.block == out_.block_of(entity);
    (same ? inner_keys_ : ending_keys_)[at(last_key_.kind)].insert(last_key_.key);
  }
  const KnownKey* known = find_key(key);
  last_key_ = {kind,     entity,    out_.block_of(entity), known != nullptr ? known->key : key,
               complete, cage_ != 0};
}

bool VendorContext::key_may_end_answer(const TextEnd& end) const {
  const std::size_t kind = at(last_key_.kind);
  // The adapter's own device is the last that an answer prints; nothing hangs on its block.
  if (last_key_.kind == E && !last_key_.in_cage) {
    return end.blank || last_key_.key == "Model" || last_key_.key == "WWID";
  }
  if (ending_keys_[kind].contains(last_key_.key)) return end.whole || last_key_.complete;
  // A model prints fewer lines about itself than the one before it.
  if (last_key_.kind == C && closes_block(C, last_key_.key)) return end.whole;
  if (end.blank && end.well) return true;
  if (inner_keys_[kind].contains(last_key_.key)) return false;
  if (end.blank) return true;
  return closes_block(last_key_.kind, last_key_.key) && (end.whole || last_key_.complete);
}

/// The cages list all drives; what follows them says of each where it belongs.
bool VendorContext::drives_left_over() const {
  return std::any_of(caged_drives_.begin(), caged_drives_.end(), [&](const CagedDrive& caged) {
    const EntityKind parent = out_.entity(out_.entity(caged.drive).parent).kind;
    return placing_.contains(caged.controller) && parent != A &&
           out_.told(caged.drive, attribute_index(D, "role")) == nullptr;
  });
}

bool VendorContext::ends_inside_answer(const TextEnd& end) const {
  if (controllers_.empty()) return false;
  if (drives_left_over()) return true;
  switch (last_kind_) {
    case LineKind::nothing:
    case LineKind::prompt:
    case LineKind::noise:
    case LineKind::plain:
    case LineKind::error:
    case LineKind::version:
    case LineKind::license:
      return false;
    case LineKind::key:
    case LineKind::unknown_key:
      return last_key_.entity != 0 && !key_may_end_answer(end);
    case LineKind::drive:
    case LineKind::logical_drive:
    case LineKind::group:
    case LineKind::unfinished:
      return true;
    case LineKind::array:
      return !end.blank;
    case LineKind::drive_line:
      return group_drive_ != 0 ? !end.blank : !end.whole;
    default:
      return !end.whole;
  }
}

}  // namespace raidscope::vendor
