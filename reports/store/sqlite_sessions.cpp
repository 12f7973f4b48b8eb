#include "reports/store/sqlite_sessions.h"

#include <SQLiteCpp/SQLiteCpp.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "workloads/experiment/session_record_json.h"

namespace raidscope::sqlite {

Status put_session(SQLite::Database& db, const SessionRecord& record, const std::string& owner) {
  std::string document;
  try {
    document = to_json(record).dump();
  } catch (const nlohmann::ordered_json::exception&) {
    // With the bytes replaced it would name another file.
    return fail(Errc::usage,
                "an option or a name is no UTF-8 text, so that the session cannot be "
                "stored to be gone on with");
  }
  RAIDSCOPE_CHECK(session_record_from_text(document, record.session_id));
  SQLite::Statement insert(db,
                           "INSERT OR IGNORE INTO sessions (session_id, started_at, verb, owner, "
                           "document) VALUES (?, ?, ?, ?, ?)");
  insert.bind(1, record.session_id);
  insert.bind(2, record.started_at);
  insert.bind(3, record.verb);
  insert.bind(4, owner);
  insert.bind(5, document);
  if (insert.exec() == 1) return Done{};
  return fail(Errc::usage, "another session is stored under this id", record.session_id);
}

Status claim_session(SQLite::Database& db, const std::string& session_id, const std::string& seen,
                     const std::string& owner) {
  SQLite::Statement update(db,
                           "UPDATE sessions SET owner = ? WHERE session_id = ? AND owner = ? AND "
                           "finished_at IS NULL");
  update.bind(1, owner);
  update.bind(2, session_id);
  update.bind(3, seen);
  if (update.exec() == 1) return Done{};
  return fail(Errc::busy, "another process goes on with the session already", session_id,
              "`raidscope list` tells when it has ended");
}

Status finish_session(SQLite::Database& db, const std::string& session_id, const std::string& at) {
  SQLite::Statement update(
      db, "UPDATE sessions SET finished_at = ? WHERE session_id = ? AND finished_at IS NULL");
  update.bind(1, at);
  update.bind(2, session_id);
  update.exec();
  return Done{};
}

Result<std::vector<SessionEntry>> sessions(SQLite::Database& db) {
  std::vector<SessionEntry> out;
  // Readers take older stores as they are.
  if (!db.tableExists("sessions")) return out;
  SQLite::Statement query(db,
                          "SELECT session_id, started_at, verb, finished_at, owner FROM sessions "
                          "ORDER BY started_at DESC, session_id DESC");
  while (query.executeStep()) {
    SessionEntry entry;
    entry.session_id = query.getColumn(0).getString();
    entry.started_at = query.getColumn(1).getString();
    entry.verb = query.getColumn(2).getString();
    if (!query.getColumn(3).isNull()) entry.finished_at = query.getColumn(3).getString();
    entry.owner = query.getColumn(4).getString();
    out.push_back(std::move(entry));
  }
  return out;
}

Result<SessionRecord> session(SQLite::Database& db, const std::string& session_id,
                              const std::string& path) {
  if (db.tableExists("sessions")) {
    SQLite::Statement query(db, "SELECT document FROM sessions WHERE session_id = ?");
    query.bind(1, session_id);
    if (query.executeStep()) {
      auto record = session_record_from_text(query.getColumn(0).getString(),
                                             fmt::format("session {} in {}", session_id, path));
      if (record && record->session_id != session_id)
        return fail(Errc::malformed, "the session's document names another session",
                    fmt::format("session {} in {}", session_id, path));
      return record;
    }
  }
  return fail(Errc::not_found, "no such session in the store", session_id,
              "`raidscope list` names those that can be gone on with");
}

}  // namespace raidscope::sqlite
