#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace raidscope::html {

/// A document that may stand inside a script element: only "<" could end it, and a JSON string may
/// write it as an escape.
std::string script_json(const nlohmann::ordered_json& document);

}  // namespace raidscope::html
