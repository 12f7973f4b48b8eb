#pragma once

#include <optional>
#include <string>
#include <vector>

#include "probe/host.h"

/// `doctor`: what full discovery and honest measuring need, what of it is here, what the lack
/// costs.
namespace raidscope::cli {

enum class Health {
  ok,
  limited,  ///< it works in part
  missing,
  unneeded,  ///< nothing on this machine would use it
};

struct Check {
  std::string id;    ///< stable: "vendor_tool"
  std::string what;  ///< in words
  Health health = Health::ok;
  std::string found;  ///< what is here
  std::string costs;  ///< what is lost without it; empty when ok
  std::string get;    ///< how to get it; empty when ok
};

struct EngineState {
  std::string id;
  std::string version;
  std::optional<Error> why_not;  ///< nothing when it can be used
};

/// What the checks look at beside the host.
struct Surroundings {
  bool live = true;
  bool root = false;
  std::string vendor_tool;  ///< path; empty: none
  std::vector<EngineState> engines;
  std::string engine_chosen;  ///< what a run with a queue depth takes by itself, and why; or empty
};

std::vector<Check> check_up(const Host& host, const Surroundings& surroundings);

std::string_view to_name(Health health) noexcept;

}  // namespace raidscope::cli
