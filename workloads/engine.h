#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "probe/base/result.h"
#include "workloads/run/consent.h"

namespace raidscope {

struct Request {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  bool write = false;
  bool operator==(const Request&) const = default;
};

struct Completion {
  std::uint32_t slot = 0;
  std::int32_t result = 0;  ///< bytes moved, or -errno
};

struct EngineSetup {
  std::string target;
  std::uint32_t depth = 1;         ///< slots: the most requests in flight
  std::uint32_t buffer_bytes = 0;  ///< per slot, a multiple of the alignment
  bool direct = true;
  bool write_through = false;              ///< O_DSYNC
  const WriteConsent* consent = nullptr;   ///< needed for writing
  std::uint64_t content_seed = 1;          ///< of the incompressible data that writes carry
};

/// Moves bytes. Owned and called by one worker thread only; after open() nothing allocates.
class Engine {
 public:
  virtual ~Engine() = default;
  virtual Status open(const EngineSetup& setup) = 0;
  /// Queues requests[i] in slots[i] and starts them; gives how many were taken, or -errno.
  virtual std::int32_t submit(std::span<const Request> requests,
                              std::span<const std::uint32_t> slots) = 0;
  /// Waits until at least `least` have completed or patience ends; gives how many stand in `out`, or
  /// -errno.
  virtual std::int32_t reap(std::span<Completion> out, std::uint32_t least,
                            std::chrono::nanoseconds patience) = 0;
};

/// One way to do I/O. To add one, add workloads/engines/NAME.cpp that defines
/// `const EngineType engine_NAME`.
struct EngineType {
  std::string_view id;
  std::string_view summary;
  bool moves_data = true;  ///< false: null, which measures the tool itself
  Status (*available)() = nullptr;  ///< or why not, and what to do
  std::string (*version)() = nullptr;
  std::unique_ptr<Engine> (*make)() = nullptr;
};

std::span<const EngineType* const> engines() noexcept;  // generated
const EngineType* find_engine(std::string_view id) noexcept;

}  // namespace raidscope
