#pragma once

#include <string>

#include "probe/base/result.h"

namespace raidscope {

/// The kind of failure that an errno stands for.
Errc errc_of(int os_errno) noexcept;

/// An Error of the kind that `os_errno` stands for, with the number kept.
tl::unexpected<Error> fail_errno(int os_errno, std::string message, std::string where = {},
                                 std::string hint = {});

}  // namespace raidscope
