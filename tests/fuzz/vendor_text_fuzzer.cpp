#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

#include "probe/base/text.h"
#include "probe/sources/vendor/attributes.h"
#include "probe/sources/vendor/vendor_text.h"

/// Any bytes: no crash, and what comes out holds together.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace raidscope;
  const NamedText named{"fuzz", std::string(reinterpret_cast<const char*>(data), size)};
  const auto set = parse_vendor_text(std::span<const NamedText>(&named, 1));
  if (!set) return set.error().where == "fuzz" ? 0 : (std::abort(), 0);
  for (std::size_t id = 1; id < set->entities.size(); ++id) {
    const EntityId parent = set->entities[id].parent;
    if (parent >= set->entities.size() || parent == id) std::abort();
    if (set->entities[id].kind == EntityKind::controller && parent != machine_entity) std::abort();
  }
  for (const Fact& fact : set->facts) {
    if (fact.entity == machine_entity || fact.entity >= set->entities.size()) std::abort();
    bool listed = false;
    for (const AttributeSpec& spec : vendor_attributes) {
      listed =
          listed || (spec.kind == set->entities[fact.entity].kind && spec.name == fact.attribute &&
                     static_cast<std::size_t>(spec.type) == fact.value.index());
    }
    if (!listed) std::abort();
    if (const auto* words = std::get_if<std::string>(&fact.value);
        words && !text::is_utf8(*words)) {
      std::abort();
    }
  }
  for (const Extra& extra : set->extras) {
    if (extra.entity >= set->entities.size() || !text::is_utf8(extra.value)) std::abort();
  }
  return 0;
}
