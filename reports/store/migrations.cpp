#include "reports/store/migrations.h"

namespace raidscope::sqlite {
namespace {

// The document is the truth; the columns beside it are copies for listing and finding.
constexpr Migration steps[] = {
    {"snapshots once per content, runs with the columns of `list`", R"sql(
CREATE TABLE snapshots (
  id        TEXT PRIMARY KEY NOT NULL,  -- "sha256:…" of the document
  document  TEXT NOT NULL               -- canonical raidscope.snapshot/1
) WITHOUT ROWID;

CREATE TABLE runs (
  sequence         INTEGER PRIMARY KEY AUTOINCREMENT,  -- order of arrival
  run_id           TEXT NOT NULL UNIQUE,
  session_id       TEXT NOT NULL,
  started_at       TEXT NOT NULL,
  name             TEXT NOT NULL,
  origin           TEXT NOT NULL,
  target           TEXT NOT NULL,
  fingerprint      TEXT NOT NULL,
  tag              TEXT NOT NULL,
  iops             REAL NOT NULL,
  bytes_per_s      REAL NOT NULL,
  snapshot_before  TEXT REFERENCES snapshots (id),
  snapshot_after   TEXT REFERENCES snapshots (id),
  document         TEXT NOT NULL                       -- raidscope.result/1
);
CREATE INDEX runs_by_time ON runs (started_at, sequence);
)sql"},
    {"sessions and configurations are found without reading every run", R"sql(
CREATE INDEX runs_by_session ON runs (session_id, sequence);
CREATE INDEX runs_by_fingerprint ON runs (fingerprint, sequence);
CREATE INDEX runs_by_snapshot_before ON runs (snapshot_before);
CREATE INDEX runs_by_snapshot_after ON runs (snapshot_after);
)sql"},
    {"sessions, so that one that was killed is gone on with", R"sql(
CREATE TABLE sessions (
  session_id   TEXT PRIMARY KEY NOT NULL,
  started_at   TEXT NOT NULL,
  verb         TEXT NOT NULL,
  finished_at  TEXT,           -- null: some of its points are not measured
  owner        TEXT NOT NULL,  -- the process that measures it, or did last
  document     TEXT NOT NULL   -- raidscope.session/1
) WITHOUT ROWID;
)sql"},
};

}  // namespace

std::span<const Migration> migrations() noexcept {
  return steps;
}

}  // namespace raidscope::sqlite
