#include "tests/lab/card/answers.h"

namespace raidscope::lab {

CissReply check_condition(std::uint8_t key, std::uint8_t code, std::uint8_t qualifier) {
  CissBytes sense(18);
  sense.u8(0, 0x70).u8(2, key).u8(7, 10).u8(12, code).u8(13, qualifier);
  return {1, 2, sense.bytes(), {}};
}

CissReply illegal_command() {
  return check_condition(5, 0x20);
}
CissReply illegal_field() {
  return check_condition(5, 0x24);
}
CissReply no_such_unit() {
  return check_condition(5, 0x25);
}

}  // namespace raidscope::lab
