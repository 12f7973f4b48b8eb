#include "reports/store/sqlite_store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <optional>
#include <thread>
#include <unistd.h>
#include <utility>

#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "controllers/inventory/fingerprint.h"
#include "controllers/inventory/inventory_json.h"
#include "reports/store/leftovers.h"
#include "reports/store/migrations.h"
#include "reports/store/near_ids.h"
#include "reports/store/sqlite_sessions.h"
#include "workloads/run_result_json.h"

namespace raidscope::sqlite {
namespace {

namespace fs = std::filesystem;

// SQLite's log and its index begin with about this much.
constexpr std::uint64_t least_room = 64 * 1024;

// SQLite often says "disk I/O error" or "unable to open" where the disk is full.
bool no_room_at(const std::string& path) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  struct statvfs space {};
  if (::statvfs(folder.c_str(), &space) != 0 || (space.f_flag & ST_RDONLY) != 0) return false;
  return static_cast<std::uint64_t>(space.f_bavail) * space.f_frsize < least_room ||
         (space.f_files > 0 && space.f_favail == 0);
}

bool is_of_a_full_disk(const SQLite::Exception& problem, const std::string& path) {
  switch (problem.getErrorCode() & 0xFF) {
    case SQLITE_FULL:
      return true;
    case SQLITE_IOERR:
      return problem.getExtendedErrorCode() != SQLITE_IOERR_READ && no_room_at(path);
    case SQLITE_CANTOPEN:
      return no_room_at(path);
    default:
      return false;
  }
}

// What SQLite said, in the words of somebody who wants to keep results, or to read them.
Error explain(const SQLite::Exception& problem, const std::string& path, std::string_view doing,
              bool reading) {
  const int primary = problem.getErrorCode() & 0xFF;
  Error error;
  error.where = path;
  // To a reader a store that fails is an input that cannot be read.
  const Errc failed = reading ? Errc::not_found : Errc::io;
  if (is_of_a_full_disk(problem, path)) {
    error.code = failed;
    error.message = fmt::format(
        "no space left on the disk of the store: {} did not work; what was stored "
        "before is whole",
        doing);
    error.hint = reading ? "make room there, so that SQLite can open its log beside the store"
                         : "make room there, or give --store a path with room";
    error.os_errno = ENOSPC;
    return error;
  }
  switch (primary) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      error.code = Errc::busy;
      error.message = fmt::format("another process holds the store, so {} did not work", doing);
      error.hint = "try again when it has ended, or give --store another path";
      return error;
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_AUTH:
    case SQLITE_CANTOPEN:
      error.code = Errc::permission;
      if (reading) {
        error.message = "its newest runs lie in a log that this user cannot open";
        error.hint = fmt::format(
            "run as the store's owner, or copy {0} and {0}-wal to a folder that you may write and "
            "give --store the copy",
            path);
        return error;
      }
      if (primary != SQLITE_CANTOPEN) {
        error.message = fmt::format("this user may not write the store, so {} did not work", doing);
        error.hint = "give --store a path that you may write, or run as its owner";
        return error;
      }
      error.message = "the store, or the files that SQLite keeps beside it, cannot be opened";
      error.hint = "give --store a path that you may write";
      return error;
    case SQLITE_NOTADB:
      error.code = Errc::malformed;
      error.message = "this file is no raidscope store";
      error.hint = "give --store another path";
      return error;
    case SQLITE_CORRUPT:
      error.code = Errc::malformed;
      error.message =
          fmt::format("the store is damaged ({}), so {} did not work", problem.what(), doing);
      error.hint = "keep the file, and bring its runs into a new store with: sqlite3 FILE .recover";
      return error;
    default:
      error.code = failed;
      error.message = fmt::format("{} did not work: {}", doing, problem.what());
      error.hint = "dmesg tells whether the device failed; or give --store another path";
      return error;
  }
}

Error error_of_system(int number, const std::string& path, std::string message, std::string hint) {
  Errc code = Errc::io;
  if (number == EACCES || number == EPERM || number == EROFS) code = Errc::permission;
  if (number == ENOSPC || number == EDQUOT)
    hint = "make room there, or give --store a path with room";
  return Error{code, std::move(message), path, std::move(hint), number};
}

Status make_folder_of(const std::string& path) {
  const fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) return Done{};
  std::error_code problem;
  fs::create_directories(folder, problem);
  if (problem) {
    return tl::unexpected<Error>(error_of_system(problem.value(), folder.string(),
                                                 "the folder of the store cannot be made",
                                                 "give --store a path that you may write"));
  }
  return Done{};
}

tl::unexpected<Error> cannot_be_looked_at(int number, const std::string& path, bool read_only) {
  if (number == ENOENT) {
    return fail(Errc::not_found, "no runs are stored here: there is no store yet", path,
                "raidscope run and raidscope profile make one", ENOENT);
  }
  Error error = error_of_system(number, path, "the store cannot be looked at",
                                "give --store another path, or run as its owner");
  if (read_only && error.code == Errc::io) error.code = Errc::not_found;
  return tl::unexpected<Error>(std::move(error));
}

// SQLite's own words for these are one "unable to open", so they are told apart first.
Status check_place(const std::string& path, bool read_only) {
  struct stat info {};
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      return fail(Errc::malformed, "the store's path is a folder", path,
                  "give --store the path of a file, like " + path + "/runs.db");
    }
    // SQLite would make a journal beside a device, and wait at a pipe.
    if (!S_ISREG(info.st_mode)) {
      return fail(Errc::malformed, "the store's path is a device, a pipe or a socket, no file",
                  path, "give --store the path of a file");
    }
    const int wanted = read_only ? R_OK : R_OK | W_OK;
    if (::access(path.c_str(), wanted) != 0) {
      return tl::unexpected<Error>(error_of_system(
          errno, path,
          read_only ? "this user may not read the store" : "this user may not write the store",
          read_only ? "run as its owner"
                    : "give --store a path that you may write, or run as its "
                      "owner"));
    }
    if (read_only && info.st_size == 0) {
      return fail(Errc::malformed, "this file is empty, so it is no raidscope store", path,
                  "give --store the path of a store; raidscope run and raidscope profile make one");
    }
    if (read_only) return Done{};
  } else if (errno != ENOENT || read_only) {
    return cannot_be_looked_at(errno, path, read_only);
  }
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (::access(folder.c_str(), W_OK | X_OK) != 0) {
    return tl::unexpected<Error>(
        error_of_system(errno, folder.string(), "this user may not write the folder of the store",
                        "give --store a path that you may write, or run as its owner"));
  }
  return Done{};
}

int pragma_number(SQLite::Database& db, const char* name) {
  return db.execAndGet(fmt::format("PRAGMA {}", name)).getInt();
}

// Exclusive from the first moment, so that two processes cannot both find version 0.
class ImmediateTransaction {
 public:
  explicit ImmediateTransaction(SQLite::Database& db) : db_(db) { db_.exec("BEGIN IMMEDIATE"); }
  ImmediateTransaction(const ImmediateTransaction&) = delete;
  ImmediateTransaction& operator=(const ImmediateTransaction&) = delete;
  ~ImmediateTransaction() {
    if (!done_) db_.tryExec("ROLLBACK");
  }
  void commit() {
    db_.exec("COMMIT");
    done_ = true;
  }

 private:
  SQLite::Database& db_;
  bool done_ = false;
};

struct Identity {
  int id = 0, version = 0;
  bool empty = true;
};

Identity read_identity(SQLite::Database& db) {
  Identity out;
  out.empty = db.execAndGet("SELECT count(*) FROM sqlite_master").getInt() == 0;
  out.id = pragma_number(db, "application_id");
  out.version = pragma_number(db, "user_version");
  return out;
}

Status check_identity(SQLite::Database& db, const std::string& path, bool in_transaction = false) {
  // All three of one moment: another process may make the store between two of them.
  if (!in_transaction) db.exec("BEGIN");
  const auto [id, version, empty] = read_identity(db);
  if (!in_transaction) db.exec("COMMIT");
  if (id != application_id && !(id == 0 && version == 0 && empty)) {
    return fail(Errc::malformed, "this SQLite file is no raidscope store", path,
                "give --store another path");
  }
  const auto newest = static_cast<int>(migrations().size());
  if (version > newest) {
    return fail(Errc::malformed,
                fmt::format("the store was written by a later raidscope: its version is {}, this "
                            "program knows {}",
                            version, newest),
                path, "use that raidscope, or give --store another path");
  }
  return Done{};
}

Status migrate(SQLite::Database& db, const std::string& path) {
  const auto newest = static_cast<int>(migrations().size());
  if (pragma_number(db, "user_version") == newest) return Done{};
  ImmediateTransaction transaction(db);
  RAIDSCOPE_CHECK(check_identity(db, path, true));  // again: somebody may have been first
  for (int version = pragma_number(db, "user_version"); version < newest; ++version) {
    db.exec(migrations()[static_cast<std::size_t>(version)].sql);
    db.exec(fmt::format("PRAGMA user_version = {}", version + 1));
  }
  db.exec(fmt::format("PRAGMA application_id = {}", application_id));
  transaction.commit();
  return Done{};
}

// Changing the journal does not wait by itself when another process is opening too.
void use_write_ahead_log(SQLite::Database& db, std::chrono::milliseconds patience) {
  constexpr std::chrono::milliseconds pause{20};
  for (std::chrono::milliseconds waited{0};; waited += pause) {
    try {
      // A file system without shared memory keeps its old journal, which is as safe and slower.
      db.exec("PRAGMA journal_mode = WAL");
      return;
    } catch (const SQLite::Exception& problem) {
      if ((problem.getErrorCode() & 0xFF) != SQLITE_BUSY || waited >= patience) throw;
    }
    std::this_thread::sleep_for(pause);
  }
}

Result<RunResult> run_of(const std::string& document) {
  const auto parsed = nlohmann::ordered_json::parse(document, nullptr, false);
  if (parsed.is_discarded()) return fail(Errc::malformed, "the result of a run is not JSON");
  return run_result_from_json(parsed, "the result of a run");
}

class SqliteStore final : public Store {
 public:
  SqliteStore(std::unique_ptr<SQLite::Database> db, std::string path, bool read_only)
      : db_(std::move(db)), path_(std::move(path)), read_only_(read_only) {}

  Result<std::string> put_snapshot(const Inventory& inventory) override {
    RAIDSCOPE_CHECK(may_write());
    const std::string document = canonical_text(inventory);
    std::string id = "sha256:" + sha256_hex(document);
    return guarded("storing an inventory", [&]() -> Result<std::string> {
      SQLite::Statement insert(*db_,
                               "INSERT OR IGNORE INTO snapshots (id, document) VALUES (?, ?)");
      insert.bind(1, id);
      insert.bind(2, document);
      insert.exec();
      return id;
    });
  }

  Status put_run(const RunResult& result) override {
    RAIDSCOPE_CHECK(may_write());
    if (result.run_id.empty()) {
      return fail(Errc::usage, "a run without a run_id cannot be stored", path_);
    }
    // Names come from people: what is no UTF-8 is replaced, not thrown over.
    const std::string document =
        to_json(result).dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
    // What could not be read back (a rate that is no number) must not get in.
    RAIDSCOPE_CHECK(run_of(document));
    return guarded("storing a run", [&]() -> Status {
      ImmediateTransaction transaction(*db_);
      if (const auto stored =
              one_text("SELECT document FROM runs WHERE run_id = ?", result.run_id)) {
        if (*stored == document) return Done{};
        return fail(Errc::usage, "another result is stored under this run id", result.run_id,
                    "a result is never overwritten: give the new one an id of its own");
      }
      for (const auto* reference : {&result.inventory_before, &result.inventory_after}) {
        if (!*reference) continue;
        if (!one_text("SELECT id FROM snapshots WHERE id = ?", (*reference)->snapshot)) {
          return fail(Errc::usage, "the run refers to an inventory that is not stored",
                      (*reference)->snapshot, "store the inventory before the run");
        }
      }
      insert_run(result, document);
      transaction.commit();
      return Done{};
    });
  }

  Result<std::vector<RunListEntry>> list() const override {
    return guarded("listing runs", [&]() -> Result<std::vector<RunListEntry>> {
      std::vector<RunListEntry> out;
      SQLite::Statement query(*db_,
                              "SELECT run_id, session_id, started_at, name, origin, target, "
                              "fingerprint, tag, iops, bytes_per_s FROM runs "
                              "ORDER BY started_at DESC, sequence DESC");
      while (query.executeStep()) {
        RunListEntry entry;
        entry.run_id = query.getColumn(0).getString();
        entry.session_id = query.getColumn(1).getString();
        // The column cannot be null: an empty one is a time that nobody told.
        if (std::string at = query.getColumn(2).getString(); !at.empty())
          entry.started_at = std::move(at);
        entry.name = query.getColumn(3).getString();
        const std::string origin = query.getColumn(4).getString();
        const auto known = from_name<Origin>(origin);
        if (!known) {
          return fail(Errc::malformed, "unknown origin \"" + origin + "\" of run " + entry.run_id,
                      path_);
        }
        entry.origin = *known;
        entry.target = query.getColumn(5).getString();
        entry.fingerprint = query.getColumn(6).getString();
        entry.tag = query.getColumn(7).getString();
        entry.iops = query.getColumn(8).getDouble();
        entry.bytes_per_s = query.getColumn(9).getDouble();
        out.push_back(std::move(entry));
      }
      return out;
    });
  }

  Result<std::vector<RunResult>> find(std::string_view wanted) const override {
    return guarded("finding runs", [&]() -> Result<std::vector<RunResult>> {
      const std::string id(wanted);
      if (id.empty())
        return fail(Errc::usage, "no run is named", {}, "raidscope list shows the runs");
      if (id == "latest") {
        auto runs = documents(
            "SELECT document FROM runs ORDER BY started_at DESC, sequence DESC LIMIT 1", {});
        if (runs && runs->empty()) return not_found(id);
        return runs;
      }
      for (const char* exact :
           {"SELECT document FROM runs WHERE run_id = ?",
            "SELECT document FROM runs WHERE session_id = ? ORDER BY sequence"}) {
        auto runs = documents(exact, id);
        if (!runs || !runs->empty()) return runs;
      }
      return find_by_prefix(id);
    });
  }

  Result<Inventory> snapshot(std::string_view id) const override {
    return guarded("reading an inventory", [&]() -> Result<Inventory> {
      const auto document =
          one_text("SELECT document FROM snapshots WHERE id = ?", std::string(id));
      if (!document) {
        return fail(Errc::not_found, "no such inventory in the store", std::string(id),
                    "raidscope show RUN --format json names those of a run");
      }
      return inventory_from_text(*document, fmt::format("{} in {}", id, path_));
    });
  }

  Status put_session(const SessionRecord& record, const std::string& owner) override {
    RAIDSCOPE_CHECK(may_write());
    return guarded("storing a session", [&] { return sqlite::put_session(*db_, record, owner); });
  }

  Status claim_session(const std::string& session_id, const std::string& seen,
                       const std::string& owner) override {
    RAIDSCOPE_CHECK(may_write());
    return guarded("taking a session over",
                   [&] { return sqlite::claim_session(*db_, session_id, seen, owner); });
  }

  Status finish_session(const std::string& session_id, const std::string& at) override {
    RAIDSCOPE_CHECK(may_write());
    return guarded("ending a session",
                   [&] { return sqlite::finish_session(*db_, session_id, at); });
  }

  Result<std::vector<SessionEntry>> sessions() const override {
    return guarded("listing sessions", [&] { return sqlite::sessions(*db_); });
  }

  Result<SessionRecord> session(const std::string& session_id) const override {
    return guarded("reading a session", [&] { return sqlite::session(*db_, session_id, path_); });
  }

 private:
  template <class Work>
  auto guarded(std::string_view doing, Work&& work) const -> decltype(work()) {
    try {
      return work();
    } catch (const SQLite::Exception& problem) {
      return tl::unexpected<Error>(explain(problem, path_, doing, read_only_));
    }
  }

  Status may_write() const {
    if (!read_only_) return Done{};
    return fail(Errc::permission, "the store was opened for reading only", path_);
  }

  std::optional<std::string> one_text(const char* sql, const std::string& key) const {
    SQLite::Statement query(*db_, sql);
    query.bind(1, key);
    if (!query.executeStep()) return std::nullopt;
    return query.getColumn(0).getString();
  }

  std::vector<std::string> texts(const char* sql, const std::optional<std::string>& key) const {
    SQLite::Statement query(*db_, sql);
    if (key) query.bind(1, *key);
    std::vector<std::string> out;
    while (query.executeStep()) out.push_back(query.getColumn(0).getString());
    return out;
  }

  Result<std::vector<RunResult>> documents(const char* sql,
                                           const std::optional<std::string>& key) const {
    std::vector<RunResult> out;
    for (const std::string& document : texts(sql, key)) {
      RAIDSCOPE_TRY(RunResult run, run_of(document));
      out.push_back(std::move(run));
    }
    return out;
  }

  Result<std::vector<RunResult>> find_by_prefix(const std::string& prefix) const {
    // substr() instead of LIKE: an id may hold a wildcard, and case matters.
    const std::vector<std::string> runs =
        texts("SELECT run_id FROM runs WHERE substr(run_id, 1, length(?1)) = ?1 ORDER BY sequence",
              prefix);
    const std::vector<std::string> sessions = texts(
        "SELECT DISTINCT session_id FROM runs WHERE substr(session_id, 1, length(?1)) = ?1 "
        "ORDER BY session_id",
        prefix);
    if (runs.size() == 1 && sessions.empty()) {
      return documents("SELECT document FROM runs WHERE run_id = ?", runs.front());
    }
    if (runs.empty() && sessions.size() == 1) {
      return documents("SELECT document FROM runs WHERE session_id = ? ORDER BY sequence",
                       sessions.front());
    }
    if (runs.empty() && sessions.empty()) return not_found(prefix);
    std::vector<std::string> meant = runs;
    meant.insert(meant.end(), sessions.begin(), sessions.end());
    constexpr std::size_t most = 5;
    const std::size_t all = meant.size();
    meant.resize(std::min(all, most));
    return fail(
        Errc::usage, fmt::format("{} runs and sessions begin with this", all), prefix,
        fmt::format("give more of it: {}{}", fmt::join(meant, ", "), all > most ? ", …" : ""));
  }

  tl::unexpected<Error> not_found(const std::string& id) const {
    std::vector<std::string> known = texts("SELECT run_id FROM runs ORDER BY sequence DESC", {});
    if (known.empty()) {
      return fail(Errc::not_found, "no runs are stored yet", path_,
                  "raidscope run and raidscope profile store them; --store names another store");
    }
    for (std::string& session : texts("SELECT DISTINCT session_id FROM runs", {})) {
      known.push_back(std::move(session));
    }
    const std::vector<std::string> near = near_ids(id, known);
    return fail(Errc::not_found, "no such run or session", id,
                near.empty() ? "raidscope list shows the runs"
                             : fmt::format("near it: {}", fmt::join(near, ", ")));
  }

  void insert_run(const RunResult& result, const std::string& document) {
    SQLite::Statement insert(
        *db_,
        "INSERT INTO runs (run_id, session_id, started_at, name, origin, target, fingerprint, tag, "
        "iops, bytes_per_s, snapshot_before, snapshot_after, document) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    const SnapshotRef none;
    const SnapshotRef& before = result.inventory_before ? *result.inventory_before : none;
    insert.bind(1, result.run_id);
    insert.bind(2, result.session_id);
    insert.bind(3, result.started_at.value_or(""));
    insert.bind(4, result.name);
    insert.bind(5, std::string(to_name(result.origin)));
    insert.bind(6, result.target.path);
    insert.bind(7, before.fingerprint);
    insert.bind(8, before.tag);
    insert.bind(9, result.iops);
    insert.bind(10, result.bytes_per_s);
    if (result.inventory_before) insert.bind(11, result.inventory_before->snapshot);
    if (result.inventory_after) insert.bind(12, result.inventory_after->snapshot);
    insert.bind(13, document);
    insert.exec();
  }

  std::unique_ptr<SQLite::Database> db_;
  std::string path_;
  bool read_only_;
};

std::string uri_of(const std::string& path, std::string_view parameter) {
  std::string uri = "file:";
  for (const char c : fs::absolute(path).string()) {
    if (c == '%' || c == '?' || c == '#') {
      uri += fmt::format("%{:02x}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    } else {
      uri.push_back(c);
    }
  }
  return uri + "?" + std::string(parameter);
}

std::unique_ptr<SQLite::Database> opened(const std::string& name, int flags, int patience_ms) {
  auto db = std::make_unique<SQLite::Database>(name, flags, patience_ms);
  db->execAndGet("SELECT count(*) FROM sqlite_master");  // opens the log too
  return db;
}

// Leaves nothing behind. Who may write opens as a writer does, because only then SQLite takes its
// log and the index away again; anybody else's would be in the way of the owner.
std::unique_ptr<SQLite::Database> open_for_reading(const std::string& path, int patience_ms) {
  fs::path folder = fs::path(path).parent_path();
  if (folder.empty()) folder = ".";
  if (::access(path.c_str(), W_OK) == 0 && ::access(folder.c_str(), W_OK | X_OK) == 0) {
    const Leftovers leftovers(path);
    try {
      auto db = opened(path, SQLite::OPEN_READWRITE, patience_ms);
      db->exec("PRAGMA query_only = ON");
      return db;
    } catch (const SQLite::Exception& problem) {
      leftovers.clear();
      const int code = problem.getErrorCode() & 0xFF;
      if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY && code != SQLITE_IOERR &&
          code != SQLITE_FULL)
        throw;
    }
  }
  // Without a log the file is all there is, and it may be read as it lies. With one, the index that
  // its writer made is needed, but none is made.
  std::error_code none;
  const bool log = fs::file_size(path + "-wal", none) > 0 && !none;
  return opened(uri_of(path, log ? "readonly_shm=1" : "immutable=1"),
                SQLite::OPEN_READONLY | SQLite::OPEN_URI, patience_ms);
}

Result<std::unique_ptr<Store>> open_to_read(const std::string& path, int patience_ms) {
  try {
    auto db = open_for_reading(path, patience_ms);
    RAIDSCOPE_CHECK(check_identity(*db, path));
    // Every version so far holds what readers ask for; who writes brings it up to date.
    if (pragma_number(*db, "user_version") == 0) return cannot_be_looked_at(ENOENT, path, true);
    return std::make_unique<SqliteStore>(std::move(db), path, true);
  } catch (const SQLite::Exception& problem) {
    return tl::unexpected<Error>(explain(problem, path, "opening the store", true));
  }
}

Result<std::unique_ptr<Store>> open_to_write(const std::string& path, const StoreOptions& options) {
  RAIDSCOPE_CHECK(make_folder_of(path));
  RAIDSCOPE_CHECK(check_place(path, false));
  try {
    auto db = std::make_unique<SQLite::Database>(path, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE,
                                                 static_cast<int>(options.patience.count()));
    RAIDSCOPE_CHECK(check_identity(*db, path));
    use_write_ahead_log(*db, options.patience);
    db->exec("PRAGMA synchronous = FULL");
    db->exec("PRAGMA foreign_keys = ON");
    RAIDSCOPE_CHECK(migrate(*db, path));
    return std::make_unique<SqliteStore>(std::move(db), path, false);
  } catch (const SQLite::Exception& problem) {
    return tl::unexpected<Error>(explain(problem, path, "opening the store", false));
  }
}

}  // namespace

Result<std::unique_ptr<Store>> open_file(const std::string& path, const StoreOptions& options) {
  if (options.read_only) {
    RAIDSCOPE_CHECK(check_place(path, true));
    return open_to_read(path, static_cast<int>(options.patience.count()));
  }
  const Leftovers leftovers(path);
  auto store = open_to_write(path, options);
  if (!store) leftovers.clear();
  return store;
}

}  // namespace raidscope::sqlite
