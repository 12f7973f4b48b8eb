#pragma once

#include <span>
#include <string>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/fact.h"

namespace raidscope {

/// Who said what of one field, for people who ask.
struct FactOrigin {
  std::string fact;  ///< JSON pointer into the inventory document
  std::vector<PathValue> values;
  std::string taken;  ///< path name, or "none" when the field stays null
  std::string why;
};

/// Joins what every path said into one inventory: controllers by PCI address, else slot, else
/// serial; logical drives by their 16-byte id, else number; drives by serial, else bay. Values that
/// several paths told are resolved by the precedence of docs/discovery.md; provenance and
/// disagreements are kept. Then derive() completes it. Pure; `taken_at` is ISO 8601 UTC or empty.
/// `origins`, when given, gets every field that any path told, in the order of their pointers.
Inventory assemble(std::span<const FactSet> sets, std::string taken_at,
                   std::vector<FactOrigin>* origins = nullptr);

/// Fills what follows from other facts: the catalogue's (generation, embedded, Smart Path
/// capability, exact cache size), media and disk counts of arrays, effective_write_cache with its
/// reason, io_path, fingerprints and tags. Idempotent.
void derive(Inventory& inventory);

/// Whether a text behind the inventory ended inside an answer of the tool, or may have: what stands
/// nowhere in it is then not known to be absent.
bool text_was_cut(const Inventory& inventory);

/// effective_write_cache and its reason in words for one logical drive, by the definition of the
/// audit rules' section 3.0.
struct WriteCacheVerdict {
  EffectiveWriteCache value = EffectiveWriteCache::unknown;
  std::string reason;
};
WriteCacheVerdict effective_write_cache(const Controller& controller, const Array* array,
                                        const LogicalDrive& drive);
IoPath io_path(const Controller& controller, const Array* array, const LogicalDrive& drive,
               EffectiveWriteCache write_cache);

}  // namespace raidscope
