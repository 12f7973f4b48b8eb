#pragma once

#include <optional>
#include <string>

#include "controllers/inventory/inventory.h"
#include "workloads/workload.h"

namespace raidscope {

/// Which part of a workload's requests SSD Smart Path can send past the controller, if it is on. By
/// the rules of the Linux drivers; other systems' are not known.
struct BypassShare {
  std::optional<double> by_rule;  ///< 0 to 1; null with the reason
  std::string why;                ///< one sentence: which requests can and which cannot
  /// The same at the offered depth: what the drives' queues have no room for takes the controller's
  /// path (hpsa). Null with the reason.
  std::optional<double> capped;
  std::string why_capped;
};

/// `at`: the logical drive with what it lies in; null members are unknown.
BypassShare bypass_share(const Workload& workload, const DriveRef& at);

}  // namespace raidscope
