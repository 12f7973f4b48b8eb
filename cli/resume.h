#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/planning.h"
#include "cli/verb.h"
#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"
#include "reports/store/store.h"
#include "workloads/experiment/session_record.h"
#include "workloads/run/consent.h"

/// Going on with a session that was killed or stopped: what it left in the store, and whether what
/// it measured is still there.
namespace raidscope::cli {

/// A session as it was left.
struct Resumed {
  Arguments arguments;  ///< those of the session, with those given now in their place
  std::vector<std::string> destroy_now;  ///< --destroy-data given now, not by the session
  bool change_accepted = false;
  SessionRecord record;
  std::string owner;                 ///< that was seen
  std::vector<RunResult> done;       ///< whole results, in the order in which they were measured
  std::vector<bool> missing;         ///< by point of the record
  std::vector<std::string> targets;  ///< their names of now
  Inventory inventory;               ///< at the beginning
  std::map<std::string, Inventory> snapshots;  ///< that the results refer to
};

/// The session of --resume, or without a value the newest unfinished one of this verb; goes to the
/// folder in which it was begun. Errors: usage (an option that the session has already said; the
/// session of another verb), not_found (no such session, none unfinished), malformed (a damaged
/// document), refused (it is being measured; a target is not what it was: both ids are named).
Result<Resumed> take_up_session(const Arguments& arguments, const std::string& verb);

/// What a session that begins now leaves for another process. `arguments` as given.
SessionRecord record_of_session(const Arguments& arguments, const std::string& verb,
                                const std::string& session_id, const Plan& plan,
                                const std::vector<std::string>& names,
                                const std::vector<const TargetExamination*>& examinations);

/// Puts the names of now in the place of those that were recorded.
void rename_targets(PlanOptions& options, const Resumed& resumed);

/// The values of --destroy-data that count for a target of the session: those that it began with
/// are good for what was there then and for data without a signature, which it may have written
/// itself.
std::vector<std::string> destroy_ids_of(const Resumed& resumed, std::size_t target,
                                        const TargetExamination& examination);

/// This process, told from any other of this machine and boot.
std::string this_process();

/// A line for each session that is unfinished, with the command that goes on with it; the newest
/// three.
std::vector<std::string> unfinished_lines(const std::vector<SessionEntry>& sessions);

}  // namespace raidscope::cli
