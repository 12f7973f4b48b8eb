#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "probe/base/result.h"
#include "workloads/workload.h"

namespace raidscope {

/// Raidscope's own options as text, one workload a line, in the words of the command line:
///   --name "4k random read" --target /data/test.dat --pattern random --block-size 4k …
/// Words are split at blanks; double quotes hold blanks, a backslash holds the next character. A
/// line that begins with # is a comment. Options left out have the defaults of Workload.
/// Errc::malformed names the line and what was expected.
Result<std::vector<Workload>> parse_native(std::string_view text);
std::string print_native(std::span<const Workload> workloads);

/// Sets what one of these options ("--stride", "64k") says; a switch takes any value. Errc::usage
/// with what was expected.
Status set_native_option(Workload& workload, std::string_view name, std::string_view value);

}  // namespace raidscope
