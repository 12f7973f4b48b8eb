#include "cli/options.h"
#include "cli/session.h"

namespace raidscope {
namespace {

using namespace cli;

constexpr Option own[] = {
    {"format", 0, "text|json", "how to print the results (default: text)"},
    {"output", 'o', "FILE",
     "where to write the HTML report (default: raidscope-report-SESSION.html here)"},
};
constexpr OptionGroup own_options{"Output", own};
constexpr const OptionGroup* groups[] = {&own_options,    &target_options,    &workload_options,
                                         &syntax_options, &inventory_options, &bound_options,
                                         &resume_options, &safety_options,    &machine_options,
                                         &store_options,  &common_options};
constexpr Example examples[] = {
    {"raidscope profile",
     "the three tests of the SQLIO study shortened to seconds, on a test file made here"},
    {"raidscope profile --target /data/test.dat --size 100G --preset sqlio-study",
     "the study as published: 100 GB, 120 seconds a test"},
    {"raidscope profile --target /data/test.dat --size 40G --block-size 4k --read-percent 67 "
     "--queue-depth 64 --workers 8 "
     "--time 9m -o report.html",
     "a workload of your own, and where the report goes"},
};

}  // namespace

extern const Verb verb_profile;
const Verb verb_profile{
    .name = "profile",
    .order = 50,
    .synopsis = "[--target FILE|DEVICE] [WORKLOAD] [OPTIONS]",
    .summary =
        "the main job in one go: probe, audit, make a test file, run, probe again, store, report",
    .description =
        "Probes and audits this machine, makes a test file of real data, runs the workload, probes "
        "again, stores the "
        "tagged results and writes an HTML report. Without a workload the sqlio-study preset is "
        "run, shortened to "
        "seconds. Without a target a test file is made here; it goes away afterwards unless --keep "
        "is given.\n"
        "Default size: the smaller of 8 times the usable cache of the controller (4 GiB where that "
        "is unknown, 1 GiB on a "
        "file system below 32 GiB) and a quarter of the free space.",
    .groups = groups,
    .examples = examples,
    .run = [](const Arguments& arguments) { return run_session(arguments, true); }};

}  // namespace raidscope
