#pragma once

#include <string>
#include <vector>

#include "reports/store/store.h"

namespace SQLite {
class Database;
}

/// The table of sessions. These throw what SQLite throws; the store explains it.
namespace raidscope::sqlite {

Status put_session(SQLite::Database& db, const SessionRecord& record, const std::string& owner);
Status claim_session(SQLite::Database& db, const std::string& session_id, const std::string& seen,
                     const std::string& owner);
Status finish_session(SQLite::Database& db, const std::string& session_id, const std::string& at);
Result<std::vector<SessionEntry>> sessions(SQLite::Database& db);
Result<SessionRecord> session(SQLite::Database& db, const std::string& session_id,
                              const std::string& path);

}  // namespace raidscope::sqlite
