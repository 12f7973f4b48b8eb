#include "probe/os/ciss_reader.h"

#include <string>

namespace raidscope {

Result<CissReply> NoCissReader::ask(std::string_view devnode, const CissAsk& /*ask*/) const {
  return fail(Errc::not_found, "no controller of another machine can be asked",
              std::string(devnode));
}

}  // namespace raidscope
