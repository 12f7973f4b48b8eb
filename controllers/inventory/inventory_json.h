#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"

namespace raidscope {

nlohmann::ordered_json to_json(const Inventory& inventory);

/// Reads a raidscope.snapshot/1 document. Unknown keys are ignored (a later version wrote them);
/// a wrong type is Errc::malformed with the JSON pointer. `where` names the document in errors.
Result<Inventory> inventory_from_json(const nlohmann::ordered_json& document,
                                      std::string_view where);
Result<Inventory> inventory_from_text(std::string_view text, std::string_view where);

/// The canonical text that snapshots are stored and addressed by: compact, fixed key order, without
/// what varies by itself (taken_at, source durations). "sha256:…" of it names the snapshot.
std::string canonical_text(const Inventory& inventory);
std::string snapshot_id(const Inventory& inventory);

}  // namespace raidscope
