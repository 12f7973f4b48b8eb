#include "probe/base/result.h"

#include <cstring>

namespace raidscope {

std::string describe(const Error& error) {
  std::string out = error.message;
  if (!error.where.empty()) out += ": " + error.where;
  if (error.os_errno != 0) {
    out += " (";
    out += std::strerror(error.os_errno);
    out += ")";
  }
  if (!error.hint.empty()) out += "; " + error.hint;
  return out;
}

}  // namespace raidscope
