#include "cli/options.h"
#include "cli/session.h"

namespace raidscope {
namespace {

using namespace cli;

constexpr const OptionGroup* groups[] = {&target_options,    &workload_options, &syntax_options,
                                         &inventory_options, &bound_options,    &resume_options,
                                         &safety_options,    &machine_options,  &store_options,
                                         &format_options,    &common_options};
constexpr Example examples[] = {
    {"raidscope run --target /data/test.dat --preset sqlio-study",
     "the three tests of the SQLIO study, as published"},
    {"raidscope run --target /data/test.dat --block-size 4k --read-percent 67 --queue-depth "
     "1,4,16,64 --time 60",
     "a sweep of the queue depth"},
    {"raidscope run --sqlio 'sqlio -kR -s120 -frandom -o16 -b64 -t4 -LS -BN D:\\testfile.dat' "
     "--map "
     "'D:=/data'",
     "a line of SQLIO as it stands; --diskspd, --iometer and --fio do the same for theirs"},
    {"raidscope run --target /dev/sdb --read-percent 0 --destroy-data "
     "600508b1001c0123456789abcdef0123",
     "write to a raw drive, named by its unique id"},
    {"raidscope run --resume",
     "go on with the newest session that was stopped or killed, after a restart too"},
    {"raidscope run --target /data/test.dat --preset iometer-database --dry-run",
     "the exact plan, and what would be refused"},
};

}  // namespace

extern const Verb verb_run;
const Verb verb_run{
    .name = "run",
    .order = 40,
    .synopsis = "--target FILE|DEVICE [WORKLOAD] [OPTIONS]",
    .summary = "run workloads on a file or device and store tagged results",
    .description =
        "Probes, audits, runs the workload on the target, probes again, and stores every point "
        "with the exact "
        "configuration before and after. I/O is direct unless --buffered is given.\n"
        "A blocker found by the audit, a target in use, or data at rest on it stops the run with "
        "78. Ctrl-C keeps what "
        "was measured, and --resume goes on. Exit codes: 0 done; 1 ended, but the configuration "
        "changed or a part could "
        "not be done.",
    .groups = groups,
    .examples = examples,
    .run = [](const Arguments& arguments) { return run_session(arguments, false); }};

}  // namespace raidscope
