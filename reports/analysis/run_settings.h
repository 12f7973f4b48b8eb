#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"
#include "workloads/run_result.h"

/// Everything that may tell two runs apart, as keys and values: the workload, the engine, and the
/// inventory that the run carries. Comparisons group by these, and name those that differ.
namespace raidscope {

enum class SettingKind : std::uint8_t { workload, engine, inventory, origin, identity };

/// One key. The list of keys is the same for every run, in the same order.
struct RunSetting {
  std::string key;  ///< a field's name as in its document, "cache.ratio"; "host." and the like in
                    ///< front where two objects share it
  std::optional<std::string> value;  ///< null: nobody told
  SettingKind kind = SettingKind::inventory;
  bool matters = false;  ///< it changes what a test measures
  bool derived = false;  ///< it follows from other keys: worth telling, no reason by itself
  /// Every comparison needs it: unknown, it may differ without anybody seeing.
  bool needed = false;
};
using RunSettings = std::vector<RunSetting>;

/// `inventory` null: the run carries none, or it is lost.
RunSettings run_settings(const RunResult& run, const Inventory* inventory);

/// The inventory before the run among the stored ones; null when it is not there.
const Inventory* inventory_of(const RunResult& run, const std::map<std::string, Inventory>& stored);

/// The key that a person means: its own name, a common other one ("queue-depth", "ratio"), or its
/// last part where that is enough. Errc::usage with keys that come near.
Result<std::string> setting_key(std::string_view word);

/// The value of a key; null where nobody told it.
std::optional<std::string> setting_value(const RunSettings& settings, std::string_view key);

/// Whether a difference in `key` is no surprise where `factor` differs: it is the factor or a part
/// of it, or it follows from it (Smart Path and caching exclude each other; more drives have deeper
/// queues together).
bool covered_by(std::string_view key, SettingKind kind, std::string_view factor);

}  // namespace raidscope
