#pragma once

#include <optional>

#include "controllers/inventory/inventory.h"
#include "controllers/rules/rule.h"

namespace raidscope {

/// Three looks at one machine. `before` and `after` stand close around what was measured and may
/// hold no more than the kernel told; `configured` is the full inventory from before the session,
/// which tells what was set up.
struct RunWindow {
  const Inventory& configured;
  const Inventory& before;
  const Inventory& after;
};

/// What happened to the machine during a run: the rules with `window` set (S09, S13, T20), in the
/// form of an audit. `test` names the logical drive that was measured; without it the rules about
/// that drive say nothing. Pure.
AuditReport audit_window(const RunWindow& window, const std::optional<PlannedTest>& test,
                         const AuditOptions& options = {});

}  // namespace raidscope
