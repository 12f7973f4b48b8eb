#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "probe/base/result.h"
#include "workloads/engine.h"

namespace raidscope {

struct EngineChoice {
  const EngineType* type = nullptr;
  std::string reason;  ///< a sentence's part, for a person and the record
};

/// What a run wants of its engine.
struct EngineNeeds {
  std::uint32_t in_flight = 1;  ///< of one worker, over its targets
  bool direct = true;
  /// A target to which each request that may not wait is refused (tmpfs, zram, md before 5.17, some
  /// dm), so that io_uring would hand it to a kernel thread; empty: there is none.
  std::string waiting_target;
  bool trims = false;  ///< requests of Request::Kind::trim are among them
  bool poll = false;   ///< completions are to be polled for: named where the engine cannot
};

/// The engine asked for, or the best that kernel and targets can do, and why. Errc::usage for a
/// name that is none, Errc::unsupported for one that cannot be used here.
Result<EngineChoice> choose_engine(std::string_view asked, const EngineNeeds& needs,
                                   std::span<const EngineType* const> known = engines());

}  // namespace raidscope
