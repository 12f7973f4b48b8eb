#pragma once

#include "cli/verb.h"
#include "probe/base/result.h"
#include "reports/analysis/prices.h"

namespace raidscope::cli {

/// --price-drive, --price-module, --price-controller, each a list of [MODEL=]PRICE. usage for one
/// that is no number from 0 to 1e12, and for a module's or controller's without a drive's.
Result<Prices> prices_asked_for(const Arguments& arguments);

}  // namespace raidscope::cli
