#pragma once

#include <memory>
#include <string>
#include <vector>

#include "probe/base/fact.h"
#include "probe/capture/bundle.h"
#include "probe/host.h"

namespace raidscope::capture {

/// A machine that answers out of a bundle. What the bundle does not hold is Errc::not_found. The
/// bundle must live as long as its host. One thread.
class ReplayHost {
 public:
  explicit ReplayHost(const Bundle& bundle);
  ~ReplayHost();
  ReplayHost(const ReplayHost&) = delete;
  ReplayHost& operator=(const ReplayHost&) = delete;
  [[nodiscard]] Host host() const;
  /// Questions so far that a bundle of exact answers has no answer to; 0 for a tree.
  [[nodiscard]] std::size_t unanswered() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

struct Replay {
  std::vector<FactSet> sets;       ///< as discover() gave them, durations too
  std::vector<std::string> notes;  ///< what the bundle lacks; empty for a whole one
  bool settled = false;            ///< the probe looked again until disagreements were settled
};

/// Follows the paths of the bundle through its answers. A path of which a cut bundle lacks answers
/// tells nothing: half of the answers might be understood as something else.
Replay replay(const Bundle& bundle);

}  // namespace raidscope::capture
