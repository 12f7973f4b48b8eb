#include "reports/store/store.h"

#include <SQLiteCpp/SQLiteCpp.h>
#include <csignal>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <sched.h>
#include <unistd.h>

#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <gtest/gtest.h>

#include "controllers/inventory/inventory_json.h"
#include "tests/support/sample_runs.h"

namespace raidscope {
namespace {

namespace fs = std::filesystem;

class StoreTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "raidscope-store-XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = (folder_ / "runs.db").string();
  }
  void TearDown() override {
    std::error_code ignored;
    fs::permissions(folder_, fs::perms::owner_all, ignored);
    fs::remove_all(folder_, ignored);
  }
  std::unique_ptr<Store> open(StoreOptions options = {}) {
    auto store = open_store(path_, options);
    EXPECT_TRUE(store) << (store ? "" : describe(store.error()));
    return store ? std::move(*store) : nullptr;
  }
  void raw(const std::string& sql) {
    SQLite::Database db(path_, SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    db.exec(sql);
  }

  fs::path folder_;
  std::string path_;
};

/// Runs `work` in a child process and gives its exit code, or 128 + signal.
template <class Work>
int in_child(Work&& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

// A process that may not write: as root, one that has become nobody.
int as_nobody(const std::function<int()>& work) {
  return in_child([&] {
    if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return 99;
    return work();
  });
}

RunResult sample_run(int number, const std::string& session = "s1sample00001") {
  return sample::run(sample::server(),
                     {"random read 8K", Pattern::random, 8192, 100, 1000.0 + number}, number,
                     session);
}

TEST_F(StoreTest, RoundTripsRunsAndSnapshots) {
  const Inventory inventory = sample::server();
  const RunResult run = sample_run(1);
  {
    const auto store = open();
    const auto id = store->put_snapshot(inventory);
    ASSERT_TRUE(id) << describe(id.error());
    EXPECT_EQ(*id, snapshot_id(inventory));
    EXPECT_EQ(id->rfind("sha256:", 0), 0U);
    ASSERT_TRUE(store->put_run(run));
  }
  const auto store = open();
  const auto found = store->find(run.run_id);
  ASSERT_TRUE(found) << describe(found.error());
  ASSERT_EQ(found->size(), 1U);
  EXPECT_EQ(found->front(), run);
  const auto snapshot = store->snapshot(run.inventory_before->snapshot);
  ASSERT_TRUE(snapshot) << describe(snapshot.error());
  EXPECT_EQ(canonical_text(*snapshot), canonical_text(inventory));
}

TEST_F(StoreTest, MakesItsFolders) {
  path_ = (folder_ / "a" / "b" / "runs.db").string();
  EXPECT_NE(open(), nullptr);
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(StoreTest, ASnapshotIsStoredOncePerContent) {
  const auto store = open();
  Inventory first = sample::server(), later = first;
  later.taken_at = "2026-02-02T02:02:02Z";  // the same content, told at another time
  EXPECT_EQ(*store->put_snapshot(first), *store->put_snapshot(later));
  EXPECT_NE(*store->put_snapshot(first), *store->put_snapshot(sample::server(false)));
  SQLite::Database db(path_);
  EXPECT_EQ(db.execAndGet("SELECT count(*) FROM snapshots").getInt(), 2);
}

TEST_F(StoreTest, ARunNeedsItsSnapshots) {
  const auto store = open();
  const Status put = store->put_run(sample_run(1));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, Errc::usage);
  EXPECT_TRUE(store->list()->empty());
}

TEST_F(StoreTest, PuttingTwiceIsOneRunAndNothingIsOverwritten) {
  const auto store = open();
  ASSERT_TRUE(store->put_snapshot(sample::server()));
  RunResult run = sample_run(1);
  ASSERT_TRUE(store->put_run(run));
  EXPECT_TRUE(store->put_run(run));
  run.iops += 1;
  const Status other = store->put_run(run);
  ASSERT_FALSE(other);
  EXPECT_EQ(other.error().code, Errc::usage);
  EXPECT_EQ(store->list()->size(), 1U);
  EXPECT_EQ(store->list()->front().iops, run.iops - 1);
}

TEST_F(StoreTest, WhatCouldNotBeReadBackDoesNotGetIn) {
  const auto store = open();
  ASSERT_TRUE(store->put_snapshot(sample::server()));
  RunResult run = sample_run(1);
  run.iops = std::nan("");
  EXPECT_FALSE(store->put_run(run));
  run = sample_run(2);
  run.name = "not UTF-8: \xFF";
  ASSERT_TRUE(store->put_run(run));
  EXPECT_TRUE(store->find("latest"));
}

SessionRecord sample_session(const std::string& id) {
  SessionRecord record;
  record.session_id = id;
  record.started_at = "2026-01-02T03:04:05Z";
  record.verb = "run";
  record.options = {{"target", {"/dev/sdb", "/dev/sdc"}}, {"buffered", {}}};
  record.points = {{"a point", {}}};
  record.targets.push_back(
      {"/dev/sdb", "/dev/sdb", "block", "naa.5000", "WWN", {}, {}, 1U, false, {}});
  record.inventory = SnapshotRef{"sha256:0", "", ""};
  return record;
}

TEST_F(StoreTest, ASessionIsKeptTakenOverOnceAndEnded) {
  const auto store = open();
  EXPECT_TRUE(store->sessions()->empty());
  const SessionRecord record = sample_session("s1sample00001");
  ASSERT_TRUE(store->put_session(record, "process 1"));
  EXPECT_EQ(store->put_session(record, "process 2").error().code, Errc::usage);
  EXPECT_EQ(*store->session(record.session_id), record);
  ASSERT_EQ(store->sessions()->size(), 1U);
  const SessionEntry entry = store->sessions()->front();
  EXPECT_EQ(entry.owner, "process 1");
  EXPECT_FALSE(entry.finished_at);
  EXPECT_TRUE(store->claim_session(record.session_id, "process 1", "process 3"));
  const Status second = store->claim_session(record.session_id, "process 1", "process 4");
  ASSERT_FALSE(second);
  EXPECT_EQ(second.error().code, Errc::busy);
  ASSERT_TRUE(store->finish_session(record.session_id, "2026-01-02T03:05:05Z"));
  EXPECT_EQ(store->sessions()->front().finished_at, "2026-01-02T03:05:05Z");
  EXPECT_FALSE(store->claim_session(record.session_id, "process 3", "process 5"));
  EXPECT_EQ(store->session("s1sample00002").error().code, Errc::not_found);
}

TEST_F(StoreTest, ADamagedSessionIsSaid) {
  const auto store = open();
  const SessionRecord record = sample_session("s1sample00001");
  ASSERT_TRUE(store->put_session(record, "process 1"));
  const auto spoilt = [&](const std::string& expression) {
    raw("UPDATE sessions SET document = " + expression);
    const auto read = store->session(record.session_id);
    return read ? Errc{} : read.error().code;
  };
  EXPECT_EQ(spoilt("substr(document, 1, 200)"), Errc::malformed);
  EXPECT_EQ(spoilt("'{}'"), Errc::malformed);
  EXPECT_EQ(store->sessions()->size(), 1U);
}

TEST_F(StoreTest, WhatIsNoTextIsNoSessionToGoOnWith) {
  const auto store = open();
  SessionRecord record = sample_session("s1sample00001");
  record.options["target"] = {"na\xef.dat"};
  EXPECT_EQ(store->put_session(record, "process 1").error().code, Errc::usage);
  EXPECT_TRUE(store->sessions()->empty());
}

TEST_F(StoreTest, ListsNewestFirstWithItsColumns) {
  const auto store = open();
  ASSERT_TRUE(store->put_snapshot(sample::server()));
  for (const int number : {2, 1, 3}) ASSERT_TRUE(store->put_run(sample_run(number)));
  const auto list = store->list();
  ASSERT_TRUE(list);
  ASSERT_EQ(list->size(), 3U);
  const RunListEntry& newest = list->front();
  const RunResult run = sample_run(3);
  EXPECT_EQ(newest.run_id, run.run_id);
  EXPECT_EQ(newest.session_id, run.session_id);
  EXPECT_EQ(newest.started_at, run.started_at);
  EXPECT_EQ(newest.name, run.name);
  EXPECT_EQ(newest.origin, Origin::measured);
  EXPECT_EQ(newest.target, run.target.path);
  EXPECT_EQ(newest.fingerprint, run.inventory_before->fingerprint);
  EXPECT_EQ(newest.tag, run.inventory_before->tag);
  EXPECT_EQ(newest.iops, run.iops);
  EXPECT_EQ(newest.bytes_per_s, run.bytes_per_s);
  EXPECT_EQ(list->back().run_id, sample_run(1).run_id);
}

TEST_F(StoreTest, ARunWithoutAnInventoryIsStored) {
  const auto store = open();
  RunResult run = sample_run(1);
  run.inventory_before.reset();
  run.inventory_after.reset();
  run.config_changed.reset();
  ASSERT_TRUE(store->put_run(run));
  EXPECT_EQ(store->find("latest")->front(), run);
}

class FindTest : public StoreTest {
 protected:
  void SetUp() override {
    StoreTest::SetUp();
    store_ = open();
    ASSERT_TRUE(store_->put_snapshot(sample::server()));
    for (const auto& [id, session] :
         std::vector<std::pair<std::string, std::string>>{{"1m7q2x4kd7fa", "s1m7q2x4kd001"},
                                                          {"1m7q2x4kd8bc", "s1m7q2x4kd001"},
                                                          {"1m7r00000000", "s1m7r00000001"},
                                                          {"1%_000000000", "s%"}}) {
      RunResult run = sample_run(++count_, session);
      run.run_id = id;
      ASSERT_TRUE(store_->put_run(run));
    }
  }
  std::string only(std::string_view id) {
    const auto found = store_->find(id);
    if (!found) return describe(found.error());
    return found->size() == 1 ? found->front().run_id : std::to_string(found->size()) + " runs";
  }
  std::unique_ptr<Store> store_;
  int count_ = 0;
};

TEST_F(FindTest, ByIdAndUniquePrefix) {
  EXPECT_EQ(only("1m7q2x4kd7fa"), "1m7q2x4kd7fa");
  EXPECT_EQ(only("1m7q2x4kd7"), "1m7q2x4kd7fa");
  EXPECT_EQ(only("1m7r"), "1m7r00000000");
  EXPECT_EQ(only("1%"), "1%_000000000") << "a wildcard of SQL is a letter like any other";
}

TEST_F(FindTest, ASharedPrefixNamesWhatItCouldMean) {
  const auto found = store_->find("1m7q");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Errc::usage);
  EXPECT_NE(found.error().hint.find("1m7q2x4kd7fa"), std::string::npos);
  EXPECT_NE(found.error().hint.find("1m7q2x4kd8bc"), std::string::npos);
}

TEST_F(FindTest, LatestIsTheNewestRun) {
  EXPECT_EQ(only("latest"), "1%_000000000");
}

TEST_F(FindTest, ASessionGivesItsRunsInOrder) {
  for (const char* id : {"s1m7q2x4kd001", "s1m7q"}) {
    const auto found = store_->find(id);
    ASSERT_TRUE(found) << describe(found.error());
    ASSERT_EQ(found->size(), 2U);
    EXPECT_EQ((*found)[0].run_id, "1m7q2x4kd7fa");
    EXPECT_EQ((*found)[1].run_id, "1m7q2x4kd8bc");
  }
}

TEST_F(FindTest, NotFoundNamesNearIds) {
  const auto found = store_->find("1m7q2x4kd7fb");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Errc::not_found);
  EXPECT_NE(found.error().hint.find("1m7q2x4kd7fa"), std::string::npos);
  const auto far = store_->find("completely-else");
  ASSERT_FALSE(far);
  EXPECT_NE(far.error().hint.find("raidscope list"), std::string::npos);
}

TEST_F(StoreTest, AnEmptyStoreSaysHowItFills) {
  const auto found = open()->find("latest");
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().code, Errc::not_found);
  EXPECT_NE(found.error().message.find("no runs are stored yet"), std::string::npos);
}

// What the first released version made. Written by hand and never changed, so that a file of that
// version stays readable.
constexpr const char* version_1 = R"sql(
PRAGMA journal_mode = WAL;
CREATE TABLE snapshots (id TEXT PRIMARY KEY NOT NULL, document TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE runs (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL UNIQUE, session_id TEXT NOT NULL,
  started_at TEXT NOT NULL, name TEXT NOT NULL, origin TEXT NOT NULL, target TEXT NOT NULL,
  fingerprint TEXT NOT NULL, tag TEXT NOT NULL, iops REAL NOT NULL, bytes_per_s REAL NOT NULL,
  snapshot_before TEXT REFERENCES snapshots (id), snapshot_after TEXT REFERENCES snapshots (id),
  document TEXT NOT NULL);
CREATE INDEX runs_by_time ON runs (started_at, sequence);
INSERT INTO snapshots VALUES ('sha256:00', '{"schema": "raidscope.snapshot/1"}');
INSERT INTO runs VALUES (1, '1old00000000', 's1old0000000', '2025-12-01T00:00:00Z', 'old', 'measured',
  '/data/old.dat', 'aaaaaaaaaaaa', 'an old tag', 123.5, 1011712.0, 'sha256:00', NULL,
  '{"schema": "raidscope.result/1", "run_id": "1old00000000", "session_id": "s1old0000000",
    "name": "old", "iops": 123.5,
    "inventory_before": {"snapshot": "sha256:00", "fingerprint": "aaaaaaaaaaaa", "tag": "an old tag"}}');
PRAGMA user_version = 1;
PRAGMA application_id = 1381188432;
)sql";

TEST_F(StoreTest, UpgradesAFileOfVersion1) {
  raw(version_1);
  {
    const auto store = open();
    ASSERT_NE(store, nullptr);
    const auto found = store->find("1old");
    ASSERT_TRUE(found) << describe(found.error());
    EXPECT_EQ(found->front().iops, 123.5);
    EXPECT_TRUE(store->snapshot("sha256:00"));
    ASSERT_TRUE(store->put_snapshot(sample::server()));
    EXPECT_TRUE(store->put_run(sample_run(1)));
    EXPECT_EQ(store->list()->size(), 2U);
  }
  SQLite::Database db(path_);
  EXPECT_GT(db.execAndGet("PRAGMA user_version").getInt(), 1);
  EXPECT_EQ(
      db.execAndGet("SELECT count(*) FROM sqlite_master WHERE name = 'runs_by_session'").getInt(),
      1);
}

TEST_F(StoreTest, AnUpgradedFileHasTheTablesOfAFreshOne) {
  const auto tables = [](const std::string& path) {
    SQLite::Database db(path);
    SQLite::Statement query(
        db, "SELECT type || ' ' || name || ' ' || tbl_name FROM sqlite_master ORDER BY 1");
    std::vector<std::string> out;
    while (query.executeStep()) out.push_back(query.getColumn(0).getString());
    return out;
  };
  raw(version_1);
  open();
  const auto upgraded = tables(path_);
  path_ = (folder_ / "fresh.db").string();
  open();
  EXPECT_EQ(upgraded, tables(path_));
}

TEST_F(StoreTest, ReadersReadAnOlderFileAsItIs) {
  raw(version_1);
  const auto store = open({.read_only = true});
  ASSERT_NE(store, nullptr);
  EXPECT_EQ(store->list()->size(), 1U);
  EXPECT_TRUE(store->find("1old"));
  EXPECT_TRUE(store->find("s1old"));
  EXPECT_TRUE(store->snapshot("sha256:00"));
  EXPECT_EQ(SQLite::Database(path_).execAndGet("PRAGMA user_version").getInt(), 1);
}

TEST_F(StoreTest, ReadersLeaveNothingBehind) {
  {
    const auto store = open();
    ASSERT_TRUE(store->put_snapshot(sample::server()));
    ASSERT_TRUE(store->put_run(sample_run(1)));
  }
  EXPECT_EQ(open({.read_only = true})->list()->size(), 1U);
  const auto names = [&] {
    std::vector<std::string> out;
    for (const auto& entry : fs::recursive_directory_iterator(folder_))
      out.push_back(entry.path().filename());
    return out;
  };
  EXPECT_EQ(names(), std::vector<std::string>{"runs.db"});
  // Somebody who may write the folder but not the file would leave files that its owner cannot use.
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 0777), 0);
  EXPECT_EQ(as_nobody([&] {
              const auto store = open_store(path_, {.read_only = true});
              return store && (*store)->list()->size() == 1 ? 0 : 1;
            }),
            0);
  EXPECT_EQ(names(), std::vector<std::string>{"runs.db"});
}

TEST_F(StoreTest, WhoMayOnlyReadReadsBesideAWriter) {
  const auto writer = open();
  ASSERT_TRUE(writer->put_snapshot(sample::server()));
  ASSERT_TRUE(writer->put_run(sample_run(1)));  // lies in the log
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  const auto listed = [&] {
    return as_nobody([&] {
      const auto store = open_store(path_, {.read_only = true});
      if (!store) return store.error().code == Errc::permission ? 50 : 51;
      const auto list = (*store)->list();
      return list ? static_cast<int>(list->size()) : 52;
    });
  };
  EXPECT_EQ(listed(), 1);
  // What a writer that was killed left, without its index: said, never an older state shown.
  fs::copy(path_, folder_ / "copy.db");
  fs::copy(path_ + "-wal", folder_ / "copy.db-wal");
  path_ = (folder_ / "copy.db").string();
  EXPECT_EQ(listed(), 50);
  EXPECT_EQ(open({.read_only = true})->list()->size(), 1U);
}

TEST_F(StoreTest, AnEmptyFileIsNoStoreToAReader) {
  std::ofstream(path_).close();
  const auto store = open_store(path_, {.read_only = true});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Errc::malformed);
  EXPECT_EQ(fs::file_size(path_), 0U);
}

TEST_F(StoreTest, WhatCannotBeAStoreLeavesNothing) {
  const std::string file = (folder_ / "own.dat").string();
  std::ofstream(file) << "x";
  for (const bool read_only : {false, true}) {
    const auto store = open_store(file + "/x.db", {.read_only = read_only});
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, read_only ? Errc::not_found : Errc::io);
  }
}

TEST_F(StoreTest, RefusesALaterVersion) {
  open();
  raw("PRAGMA user_version = 99");
  for (const bool read_only : {false, true}) {
    const auto store = open_store(path_, {.read_only = read_only});
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, Errc::malformed);
    EXPECT_NE(store.error().message.find("later raidscope"), std::string::npos);
    EXPECT_NE(store.error().message.find("99"), std::string::npos);
    EXPECT_EQ(store.error().where, path_);
  }
}

TEST_F(StoreTest, RefusesWhatIsNoStoreAndLeavesItAlone) {
  raw("CREATE TABLE somebody_elses (x)");
  auto store = open_store(path_);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Errc::malformed);

  const std::string text = (folder_ / "notes.txt").string();
  std::ofstream(text) << std::string(5000, 'x');
  store = open_store(text);
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Errc::malformed);
  EXPECT_EQ(fs::file_size(text), 5000U);

  // The same word for a reader and a writer, and nothing is made beside it.
  for (const std::string& place : {folder_.string(), std::string("/dev/null")}) {
    for (const bool read_only : {false, true}) {
      store = open_store(place, {.read_only = read_only});
      ASSERT_FALSE(store) << place;
      EXPECT_EQ(store.error().code, Errc::malformed) << describe(store.error());
    }
    EXPECT_FALSE(fs::exists(place + "-journal"));
  }
}

TEST(StoreLocation, SchemesThatThisBuildLacks) {
  for (const char* location :
       {"postgresql://user:secret@host/db", "postgres://host/db", "mysql://host"}) {
    const auto store = open_store(location);
    ASSERT_FALSE(store);
    EXPECT_EQ(store.error().code, Errc::unsupported);
    EXPECT_FALSE(store.error().hint.empty());
    EXPECT_EQ(describe(store.error()).find("secret"), std::string::npos);
  }
}

TEST_F(StoreTest, TheSqliteSchemeIsAPath) {
  auto store = open_store("sqlite:" + path_);
  ASSERT_TRUE(store);
  EXPECT_TRUE(fs::exists(path_));
  EXPECT_FALSE(open_store("sqlite:"));
}

TEST_F(StoreTest, AMissingStoreIsNotMadeByReaders) {
  const auto store = open_store(path_, {.read_only = true});
  ASSERT_FALSE(store);
  EXPECT_EQ(store.error().code, Errc::not_found);
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(StoreTest, KeepsItsPromisesInTheFile) {
  const auto store = open();
  SQLite::Database db(path_);
  EXPECT_EQ(db.execAndGet("PRAGMA journal_mode").getString(), "wal");
  EXPECT_EQ(db.execAndGet("PRAGMA application_id").getInt(), 0x52534350);
}

TEST_F(StoreTest, SaysWhoIsInTheWay) {
  const auto store = open({.patience = std::chrono::milliseconds(50)});
  ASSERT_TRUE(store->put_snapshot(sample::server()));
  SQLite::Database other(path_, SQLite::OPEN_READWRITE);
  other.exec("BEGIN IMMEDIATE");
  const Status put = store->put_run(sample_run(1));
  ASSERT_FALSE(put);
  EXPECT_EQ(put.error().code, Errc::busy);
  EXPECT_NE(put.error().message.find("another process"), std::string::npos);
  EXPECT_EQ(put.error().where, path_);
  EXPECT_TRUE(store->list()) << "readers go on";
  other.exec("ROLLBACK");
  EXPECT_TRUE(store->put_run(sample_run(1)));
}

TEST_F(StoreTest, WaitsForAnotherProcess) {
  const auto store = open({.patience = std::chrono::milliseconds(5000)});
  ASSERT_TRUE(store->put_snapshot(sample::server()));
  int ready[2];
  ASSERT_EQ(pipe(ready), 0);
  const pid_t child = fork();
  if (child == 0) {
    SQLite::Database other(path_, SQLite::OPEN_READWRITE);
    other.exec("BEGIN IMMEDIATE");
    if (write(ready[1], "x", 1) != 1) _exit(1);
    usleep(200'000);
    other.exec("COMMIT");
    _exit(0);
  }
  char byte = 0;
  ASSERT_EQ(read(ready[0], &byte, 1), 1);
  EXPECT_TRUE(store->put_run(sample_run(1)));
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

TEST_F(StoreTest, SeveralProcessesMayOpenANewStoreAtOnce) {
  std::vector<pid_t> children;
  for (int i = 0; i < 4; ++i) {
    const pid_t child = fork();
    if (child == 0) {
      auto store = open_store(path_);
      if (!store) _exit(1);
      if (!(*store)->put_snapshot(sample::server())) _exit(2);
      _exit((*store)->put_run(sample_run(i)) ? 0 : 3);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(open()->list()->size(), 4U);
}

TEST_F(StoreTest, AFileThatMayNotBeWrittenIsNamed) {
  open();
  ASSERT_EQ(chmod(folder_.c_str(), 0755), 0);
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  EXPECT_EQ(as_nobody([&] {
              const auto store = open_store(path_);
              if (store) return 1;
              if (store.error().code != Errc::permission) return 2;
              return store.error().where == path_ ? 0 : 3;
            }),
            0);
}

TEST_F(StoreTest, AFolderThatMayNotBeWrittenIsNamed) {
  ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
  EXPECT_EQ(as_nobody([&] {
              auto store = open_store(path_);
              if (store || store.error().code != Errc::permission) return 1;
              if (store.error().where != folder_.string()) return 2;
              store = open_store((folder_ / "deeper" / "runs.db").string());
              if (store || store.error().code != Errc::permission) return 3;
              return store.error().where == (folder_ / "deeper").string() ? 0 : 4;
            }),
            0);
}

TEST_F(StoreTest, WhoMayOnlyReadReads) {
  {
    const auto store = open();
    ASSERT_TRUE(store->put_snapshot(sample::server()));
    ASSERT_TRUE(store->put_run(sample_run(1)));
  }
  ASSERT_EQ(chmod(path_.c_str(), 0444), 0);
  ASSERT_EQ(chmod(folder_.c_str(), 0555), 0);
  EXPECT_EQ(as_nobody([&] {
              const auto store = open_store(path_, {.read_only = true});
              if (!store) return 1;
              const auto list = (*store)->list();
              if (!list || list->size() != 1) return 2;
              const Status put = (*store)->put_run(sample_run(2));
              return !put && put.error().code == Errc::permission ? 0 : 3;
            }),
            0);
}

// Puts runs until the store refuses; gives 0 when the refusal was told well and nothing was lost.
int fill_until_refused(const std::string& path) {
  auto store = open_store(path);
  if (!store || !(*store)->put_snapshot(sample::server())) return 10;
  int stored = 0;
  for (int number = 1; number < 2000; ++number) {
    const Status put = (*store)->put_run(sample_run(number));
    if (put) {
      ++stored;
      continue;
    }
    if (put.error().code != Errc::io) return 11;
    const auto list = (*store)->list();
    if (!list || list->size() != static_cast<std::size_t>(stored) || stored == 0) return 12;
    const auto last = (*store)->find("latest");
    return last && last->size() == 1 ? 0 : 13;
  }
  return 14;
}

TEST_F(StoreTest, ALimitOnFileSizeLosesNothing) {
  EXPECT_EQ(in_child([&] {
              signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{300'000, 300'000};
              if (setrlimit(RLIMIT_FSIZE, &limit) != 0) return 98;
              return fill_until_refused(path_);
            }),
            0);
  EXPECT_GT(open()->list()->size(), 0U);
}

TEST_F(StoreTest, AFullDiskLosesNothingAndSaysSo) {
  const int code = in_child([&] {
    if (unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0) return 97;
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 97;
    if (mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=400k") != 0) return 97;
    const int filled = fill_until_refused(path_);
    if (filled != 0) return filled;
    auto store = open_store(path_);
    if (!store) return 20;
    for (int number = 3000; number < 3100; ++number) {
      const Status put = (*store)->put_run(sample_run(number));
      if (put) continue;
      return put.error().message.find("no space left") != std::string::npos ? 0 : 21;
    }
    return 22;
  });
  if (code == 97) GTEST_SKIP() << "this user may not mount a small file system";
  EXPECT_EQ(code, 0);
}

TEST_F(StoreTest, AFullDiskIsNamedAndNothingIsLeftOnIt) {
  const int code = in_child([&] {
    if (unshare(CLONE_NEWNS | (geteuid() == 0 ? 0 : CLONE_NEWUSER)) != 0) return 97;
    if (mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0) return 97;
    if (mount("tmpfs", folder_.c_str(), "tmpfs", 0, "size=400k") != 0) return 97;
    {
      auto store = open_store(path_);
      if (!store || !(*store)->put_snapshot(sample::server())) return 10;
      if (!(*store)->put_run(sample_run(1))) return 11;
    }
    const int filler = ::open((folder_ / "filler").c_str(), O_WRONLY | O_CREAT, 0600);
    const std::string page(4096, 'x');
    while (::write(filler, page.data(), page.size()) > 0) continue;
    const auto files = [&] {
      return std::distance(fs::directory_iterator(folder_), fs::directory_iterator());
    };
    {
      const auto store = open_store(path_, {.read_only = true});
      if (!store) return 12;
      const auto list = (*store)->list();
      if (!list || list->size() != 1) return 13;
    }
    if (files() != 2) return 14;
    for (const std::string& path :
         {path_, (folder_ / "new.db").string(), (folder_ / "a" / "b" / "new.db").string()}) {
      const auto store = open_store(path);
      if (store || store.error().message.find("no space left") == std::string::npos) return 15;
      if (store.error().hint.empty() || store.error().os_errno != ENOSPC) return 16;
      if (files() != 2) return 17;
    }
    return 0;
  });
  if (code == 97) GTEST_SKIP() << "this user may not mount a small file system";
  EXPECT_EQ(code, 0);
}

// The promise that matters most: killed at any moment, every run that the store lists is whole.
TEST_F(StoreTest, IsWholeAfterAKillAtAnyMoment) {
  std::size_t acknowledged = 0;  // runs whose put came back: none of them may be missing
  for (int round = 0; round < 12; ++round) {
    int put[2];
    ASSERT_EQ(pipe(put), 0);
    const pid_t child = fork();
    if (child == 0) {
      auto store = open_store(path_);
      if (!store) _exit(1);
      for (int number = 0;; ++number) {
        Inventory inventory = sample::server(number % 2 == 0);
        inventory.host.hostname =
            "host" + std::to_string(round * 100000 + number);  // new each time
        if (!(*store)->put_snapshot(inventory)) _exit(2);
        RunResult run = sample::run(inventory, {"kill", Pattern::random, 4096, 50, 500}, number);
        run.run_id = "1kill" + std::to_string(round * 100000 + number);
        if (!(*store)->put_run(run)) _exit(3);
        if (write(put[1], "x", 1) != 1) _exit(4);
      }
    }
    close(put[1]);
    char byte = 0;
    for (int i = 0; i < 3 + round; ++i) {
      ASSERT_EQ(read(put[0], &byte, 1), 1) << "the child ended by itself";
      ++acknowledged;
    }
    usleep(static_cast<useconds_t>(730 * round));  // a different moment of the next puts each time
    kill(child, SIGKILL);
    while (read(put[0], &byte, 1) == 1) ++acknowledged;
    close(put[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child ended by itself with " << WEXITSTATUS(status);

    const auto store = open();
    ASSERT_NE(store, nullptr);
    const auto list = store->list();
    ASSERT_TRUE(list) << describe(list.error());
    EXPECT_GE(list->size(), acknowledged);
    for (const RunListEntry& entry : *list) {
      const auto found = store->find(entry.run_id);
      ASSERT_TRUE(found) << describe(found.error());
      ASSERT_TRUE(found->front().inventory_before);
      const auto snapshot = store->snapshot(found->front().inventory_before->snapshot);
      ASSERT_TRUE(snapshot) << describe(snapshot.error());
      EXPECT_EQ(snapshot_id(*snapshot), found->front().inventory_before->snapshot);
    }
  }
  SQLite::Database db(path_);
  EXPECT_EQ(db.execAndGet("PRAGMA integrity_check").getString(), "ok");
}

}  // namespace
}  // namespace raidscope
