#pragma once

#include <string>
#include <vector>

#include "probe/base/result.h"
#include "workloads/experiment/session_record.h"
#include "workloads/run/consent.h"
#include "workloads/run/target_system.h"

/// Targets by what stays the same between boots: written down, and found again.
namespace raidscope::cli {

SessionTarget record_of_target(const std::string& name, const TargetExamination& examination,
                               const TargetSystem& system);

/// What --destroy-data has to override on a target, in words without the device's name; data
/// without a signature is not among them.
std::vector<std::string> data_at_rest(const TargetExamination& examination);

/// The names that the targets of a session have now. A device is looked for by its id, whatever its
/// name was. Errc::refused, with both ids, where a name leads to something else now and nothing has
/// the id, and where size, file or mark are not what they were. The session's own test file may be
/// gone: it is made anew.
Result<std::vector<std::string>> resolve_targets(const SessionRecord& record,
                                                 const std::string& sysroot);

/// Whether the session's own test file is there as it was made.
bool test_file_is_whole(const SessionTestFile& made, const std::string& path);

}  // namespace raidscope::cli
