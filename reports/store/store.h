#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"
#include "workloads/experiment/session_record.h"
#include "workloads/run_result.h"

namespace raidscope {

/// One line of `list`.
struct RunListEntry {
  std::string run_id, session_id;
  std::optional<std::string> started_at;
  std::string name;
  Origin origin = Origin::measured;
  std::string target, fingerprint, tag;
  double iops = 0, bytes_per_s = 0;
  template <class S, class F>
  static void fields(S& s, F&& f) {
    f("run_id", s.run_id);
    f("session_id", s.session_id);
    f("started_at", s.started_at);
    f("name", s.name);
    f("origin", s.origin);
    f("target", s.target);
    f("fingerprint", s.fingerprint);
    f("tag", s.tag);
    f("iops", s.iops);
    f("bytes_per_s", s.bytes_per_s);
  }
};

/// A session that began to measure, without its document.
struct SessionEntry {
  std::string session_id, started_at, verb;
  std::optional<std::string> finished_at;  ///< null: some of its points are not measured
  std::string owner;                       ///< the process that measures it, or did last
};

/// Where results live. Whole after a crash at any moment: a put is there completely or not at all,
/// and a run is only taken after the snapshots that it refers to. docs/store.md has the tables.
class Store {
 public:
  virtual ~Store() = default;
  /// Stores an inventory once per content; gives its "sha256:…" id.
  virtual Result<std::string> put_snapshot(const Inventory& inventory) = 0;
  /// Putting the same run twice is one run; another result under a stored id is Errc::usage. The
  /// snapshots of inventory_before and inventory_after must be stored already (Errc::usage).
  virtual Status put_run(const RunResult& result) = 0;
  /// Newest first.
  virtual Result<std::vector<RunListEntry>> list() const = 0;
  /// By run id, or any prefix of it that is unique; "latest" is the newest run; a session id or its
  /// unique prefix gives all of its runs in order. not_found names near ids.
  virtual Result<std::vector<RunResult>> find(std::string_view id) const = 0;
  virtual Result<Inventory> snapshot(std::string_view id) const = 0;

  /// Before the first point of a session is measured. Another session under a stored id is
  /// Errc::usage.
  virtual Status put_session(const SessionRecord& record, const std::string& owner) = 0;
  /// Takes a session over from the owner that was seen in its entry; Errc::busy when somebody else
  /// took it meanwhile.
  virtual Status claim_session(const std::string& session_id, const std::string& seen,
                               const std::string& owner) = 0;
  /// All of its points are measured.
  virtual Status finish_session(const std::string& session_id, const std::string& at) = 0;
  /// Newest first. Stores of before there were sessions have none.
  virtual Result<std::vector<SessionEntry>> sessions() const = 0;
  /// By its whole id. malformed for a document that is damaged.
  virtual Result<SessionRecord> session(const std::string& session_id) const = 0;
};

struct StoreOptions {
  /// Readers make nothing and leave nothing behind. A missing store is Errc::not_found with ENOENT
  /// as its os_errno; one that this user may only read, or that lies on a full disk, opens; one
  /// that fails is Errc::not_found too, as an input that cannot be read.
  bool read_only = false;
  std::chrono::milliseconds patience{
      10'000};  ///< how long to wait for another process, then Errc::busy
};

/// "PATH" or "sqlite:PATH"; makes the folders. unsupported for schemes that this build lacks;
/// malformed for a folder, a device, or a file that is no raidscope store or was written by a later
/// version; permission where this user may not write, with the path.
Result<std::unique_ptr<Store>> open_store(const std::string& location,
                                          const StoreOptions& options = {});

}  // namespace raidscope
