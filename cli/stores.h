#pragma once

#include <memory>
#include <string>

#include "cli/verb.h"
#include "reports/store/store.h"

namespace raidscope::cli {

/// --store, else $XDG_DATA_HOME/raidscope/runs.db (~/.local/share without it),
/// /var/lib/raidscope/runs.db for root without XDG_DATA_HOME.
std::string store_location(const Arguments& arguments);
Result<std::unique_ptr<Store>> open_asked_store(const Arguments& arguments);
/// A session's id for 's', else a run's: both sort by time.
std::string new_id(char kind);

}  // namespace raidscope::cli
