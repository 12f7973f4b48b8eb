#pragma once

#include <cstdint>

namespace raidscope {

/// One read or write of one of a worker's targets; or, apart from both, a trim or a flush.
struct Request {
  std::uint64_t offset = 0;
  std::uint32_t length = 0;
  std::uint16_t target = 0;  ///< index into EngineSetup::targets
  bool write = false;
  enum class Kind : std::uint8_t { data, trim, sync } kind = Kind::data;
  bool operator==(const Request&) const = default;
};

}  // namespace raidscope
