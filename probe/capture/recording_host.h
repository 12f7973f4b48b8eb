#pragma once

#include <memory>
#include <span>
#include <string>

#include "probe/base/fact.h"
#include "probe/capture/bundle.h"
#include "probe/host.h"

namespace raidscope::capture {

/// What a probe did after its paths had been followed once.
struct LaterLooks {
  int looks = 0;         ///< how often sysfs and scsi were followed again
  bool settled = false;  ///< whether disagreements that time might solve are settled
};

/// Hands every question on to another host and keeps the answer. A question that is asked again is
/// kept once while its answer stays the same; answers that differ are kept in their order, each
/// with how often it came. One thread.
class RecordingHost {
 public:
  explicit RecordingHost(const Host& inner);
  ~RecordingHost();
  RecordingHost(const RecordingHost&) = delete;
  RecordingHost& operator=(const RecordingHost&) = delete;
  [[nodiscard]] Host host() const;

  /// What was asked so far, with the paths that asked and how long each took.
  [[nodiscard]] Bundle bundle(std::string taken_at, std::string written_by,
                              std::span<const FactSet> sets, LaterLooks later = {}) const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace raidscope::capture
