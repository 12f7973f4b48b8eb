#pragma once

#include <string>

#include <nlohmann/json.hpp>

namespace raidscope::cli {

/// A document as it is printed. Paths may hold any bytes; what is no UTF-8 becomes U+FFFD, for a
/// document that cannot be printed helps nobody. `indent` -1: on one line.
inline std::string json_text(const nlohmann::ordered_json& document, int indent = 2) {
  return document.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace raidscope::cli
