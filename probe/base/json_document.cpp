#include "probe/base/json_document.h"

#include <algorithm>

namespace raidscope::json {

std::string unknown_key(const Json& document, const Json& known, const std::string& at) {
  if (document.is_object() && known.is_object()) {
    for (const auto& [key, value] : document.items()) {
      const std::string here = at + "/" + key;
      if (!known.contains(key)) return here;
      if (std::string inner = unknown_key(value, known[key], here); !inner.empty()) return inner;
    }
  }
  if (document.is_array() && known.is_array()) {
    for (std::size_t i = 0; i < std::min(document.size(), known.size()); ++i) {
      std::string inner = unknown_key(document[i], known[i], fmt::format("{}/{}", at, i));
      if (!inner.empty()) return inner;
    }
  }
  return {};
}

}  // namespace raidscope::json
