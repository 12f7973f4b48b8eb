#pragma once

#include <memory>
#include <string>

#include "cli/verb.h"
#include "reports/store/store.h"

namespace raidscope::cli {

/// --store, else $XDG_DATA_HOME/raidscope/runs.db (~/.local/share without it),
/// /var/lib/raidscope/runs.db for root without XDG_DATA_HOME.
std::string store_location(const Arguments& arguments);
/// To write: makes the store where it is missing.
Result<std::unique_ptr<Store>> open_asked_store(const Arguments& arguments);
/// To read: makes nothing, and needs no right to write.
Result<std::unique_ptr<Store>> open_asked_store_to_read(const Arguments& arguments);
/// Whether the error is that nothing was stored yet, rather than that the store is named wrongly: a
/// store named with --store must have its folder.
bool is_of_a_store_to_come(const Arguments& arguments, const Error& error);
/// A session's id for 's', else a run's: both sort by time.
std::string new_id(char kind);

}  // namespace raidscope::cli
