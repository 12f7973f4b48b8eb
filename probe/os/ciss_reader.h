#pragma once

#include "probe/host.h"

namespace raidscope {

/// A machine that is not the running one: no controller can be asked.
class NoCissReader final : public CissReader {
 public:
  Result<CissReply> ask(std::string_view devnode, const CissAsk& ask) const override;
};

}  // namespace raidscope
