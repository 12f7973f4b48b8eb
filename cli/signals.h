#pragma once

#include <atomic>

namespace raidscope::cli {

/// While one lives (or several, one inside the other), SIGINT, SIGTERM and SIGHUP set stop() in
/// place of ending the program; a second signal ends it at once.
class StopSignals {
 public:
  StopSignals();
  ~StopSignals();
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;
  [[nodiscard]] static const std::atomic<bool>& stop() noexcept;
  /// 130, 143 or 129 after a signal; 0 before.
  [[nodiscard]] static int exit_code() noexcept;
};

}  // namespace raidscope::cli
