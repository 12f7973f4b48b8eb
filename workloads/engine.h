#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"
#include "workloads/request.h"
#include "workloads/run/consent.h"
#include "workloads/write_content.h"

namespace raidscope {

struct Completion {
  std::uint32_t slot = 0;
  std::int32_t result = 0;  ///< bytes moved, or -errno
};

struct EngineTarget {
  std::string path;
  const WriteConsent* consent = nullptr;  ///< null: opened for reading only
};

struct EngineSetup {
  std::vector<EngineTarget> targets;
  std::uint32_t depth = 1;         ///< slots: the most requests in flight, over all targets
  std::uint32_t buffer_bytes = 0;  ///< per slot, a multiple of the alignment
  bool direct = true;
  bool write_through = false;      ///< O_DSYNC
  bool poll = false;               ///< poll for completions where target and engine can (IOPOLL)
  std::uint64_t content_seed = 1;  ///< of the data that writes carry
  ContentKind content;
};

inline bool may_write(const EngineSetup& setup) {
  return std::any_of(setup.targets.begin(), setup.targets.end(),
                     [](const EngineTarget& target) { return target.consent != nullptr; });
}

/// Moves bytes. Made, opened, called and destroyed by one worker thread; after open() nothing
/// allocates. A slot stands for one request in flight and its buffer.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual Status open(const EngineSetup& setup) = 0;
  /// Takes requests[i] in slots[i], in order, and gives how many were taken (the rest is offered
  /// again), or -errno. They start now, or at the latest with the next reap().
  virtual std::int32_t submit(std::span<const Request> requests,
                              std::span<const std::uint32_t> slots) = 0;
  /// Waits until at least `least` have completed or, where the engine can, until patience ends;
  /// gives how many stand in `out`, or -errno. An interrupted wait gives 0.
  virtual std::int32_t reap(std::span<Completion> out, std::uint32_t least,
                            std::chrono::nanoseconds patience) = 0;
  /// What it made use of, for the record: "registered file and buffers, …". After open().
  [[nodiscard]] virtual std::string details() const { return {}; }
  /// What the last read in this slot brought; null where no data move.
  [[nodiscard]] virtual const std::byte* data(std::uint32_t /*slot*/) const { return nullptr; }
};

inline constexpr std::chrono::nanoseconds for_ever = std::chrono::nanoseconds::max();

/// One way to do I/O. To add one, add workloads/engines/NAME.cpp that defines
/// `const EngineType engine_NAME`.
struct EngineType {
  std::string_view id;
  std::string_view summary;
  bool moves_data = true;           ///< false: null, which measures the tool itself
  std::uint32_t max_in_flight = 0;  ///< requests that a worker can have in flight; 0: as asked
  bool trims = false;               ///< takes Request::Kind::trim
  bool polls = false;               ///< can poll for completions, where the target can
  Status (*available)() = nullptr;  ///< or why not, and what to do
  std::string (*version)() = nullptr;
  std::unique_ptr<Engine> (*make)() = nullptr;
};

std::span<const EngineType* const> engines() noexcept;  // generated
const EngineType* find_engine(std::string_view id) noexcept;

}  // namespace raidscope
