#include "reports/run_id.h"

#include <string_view>

namespace raidscope {
namespace {

constexpr std::string_view digits = "0123456789abcdefghjkmnpqrstvwxyz";  // Crockford: no i, l, o, u

void append_base32(std::string& out, std::uint64_t value, int places) {
  for (int place = places - 1; place >= 0; --place) {
    out.push_back(digits[(value >> (5 * place)) & 31U]);
  }
}

}  // namespace

std::string make_run_id(std::uint64_t milliseconds, std::uint64_t random) {
  std::string id;
  append_base32(id, milliseconds, 9);
  append_base32(id, random, 3);
  return id;
}

std::string make_session_id(std::uint64_t milliseconds, std::uint64_t random) {
  return "s" + make_run_id(milliseconds, random);
}

}  // namespace raidscope
