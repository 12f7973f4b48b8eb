#include "workloads/native_syntax.h"
#include "workloads/syntax.h"

namespace raidscope {

extern const Syntax syntax_native;
const Syntax syntax_native{
    .id = "native",
    .summary = "raidscope's own options, one workload a line",
    .parse = [](std::string_view text, const NamedTexts& /*files*/) { return parse_native(text); },
    .print = [](std::span<const Workload> workloads) { return Printed{print_native(workloads)}; },
};

}  // namespace raidscope
