#include "reports/html/script_json.h"

#include <nlohmann/json.hpp>

namespace raidscope::html {

std::string script_json(const nlohmann::ordered_json& document) {
  std::string out;
  for (const char c :
       document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out.push_back(c);
    }
  }
  return out;
}

}  // namespace raidscope::html
