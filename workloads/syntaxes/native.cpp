#include "workloads/native_syntax.h"
#include "workloads/syntax.h"

namespace raidscope {

extern const Syntax syntax_native;
const Syntax syntax_native{
    .id = "native",
    .summary = "raidscope's own options, one workload a line",
    .parse = parse_native,
    .print = print_native,
};

}  // namespace raidscope
