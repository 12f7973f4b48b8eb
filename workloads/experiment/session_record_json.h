#pragma once

#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "probe/base/result.h"
#include "workloads/experiment/session_record.h"

namespace raidscope {

nlohmann::ordered_json to_json(const SessionRecord& record);

/// malformed with the place and what was expected there: unlike a report, a session that is gone on
/// with needs every field, so that nothing is measured on a guess.
Result<SessionRecord> session_record_from_text(std::string_view text, std::string_view where);

}  // namespace raidscope
