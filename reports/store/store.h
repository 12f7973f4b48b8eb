#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "controllers/inventory/inventory.h"
#include "probe/base/result.h"
#include "workloads/run_result.h"

namespace raidscope {

/// One line of `list`.
struct RunListEntry {
  std::string run_id, session_id, started_at, name;
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

/// Where results live. Whole after a crash at any moment: a run and its snapshots are one transaction.
class Store {
 public:
  virtual ~Store() = default;
  /// Stores an inventory once per content; gives its "sha256:…" id.
  virtual Result<std::string> put_snapshot(const Inventory& inventory) = 0;
  virtual Status put_run(const RunResult& result) = 0;
  /// Newest first.
  virtual Result<std::vector<RunListEntry>> list() const = 0;
  /// By run id, or any prefix of it that is unique; "latest" is the newest run; a session id or its
  /// unique prefix gives all of its runs in order. not_found names near ids.
  virtual Result<std::vector<RunResult>> find(std::string_view id) const = 0;
  virtual Result<Inventory> snapshot(std::string_view id) const = 0;
};

/// "PATH" or "sqlite:PATH"; makes the folders. unsupported for schemes that this build lacks; malformed
/// for a file that is no raidscope store or was written by a later version.
Result<std::unique_ptr<Store>> open_store(const std::string& location);

}  // namespace raidscope
