#include "cli/options.h"

namespace raidscope::cli {
namespace {

constexpr Option common[] = {
    {"help", 'h', "", "print this help and end"},
    {"quiet", 'q', "", "no progress and no notes on standard error; errors are still said"},
};

constexpr Option format[] = {
    {"format", 0, "text|json", "how to print the data (default: text)"},
    {"output", 'o', "FILE",
     "write the data to FILE, whole or not at all, in place of standard output"},
};

constexpr Option machine[] = {
    {"ssacli", 0, "PATH",
     "the vendor tool to ask (default: the first of ssacli, hpssacli, hpacucli found)"},
    {"tool-timeout", 0, "SECONDS",
     "stop waiting for the vendor tool after this long (default: 180)"},
    {"sysroot", 0, "DIR",
     "read /sys, /dev, /proc and /etc below DIR; nothing of the live machine is asked unless it is "
     "named"},
    {"no-wait", 0, "",
     "do not wait up to 20 s for the driver to follow a change of Smart Path; what does not fit is "
     "listed as unsettled"},
};

constexpr Option source[] = {
    {"from", 0, "FILE|DIR|-",
     "read captured vendor-tool output, a capture bundle or an earlier snapshot in place of this "
     "machine; a DIR is one machine",
     true},
    {"only", 0, "PATHS", "ask only these paths: a comma list of ssacli, sysfs, scsi, bmic, host",
     true},
    {"cross-check", 0, "",
     "ask the controller's firmware (BMIC) beside the vendor tool too, and list where they differ; "
     "without a vendor tool it is asked anyway"},
};

constexpr Option redaction[] = {
    {"redact", 0, "",
     "put pseudonyms in the place of serial numbers, WWNs, labels and host names; the same one for "
     "the same value"},
    {"redact-key", 0, "FILE",
     "make the pseudonyms with the key in FILE, so that several captures go together; it is made "
     "when it is not there (default: a random key each time)"},
};

constexpr Option store[] = {
    {"store", 0, "PATH|URL",
     "where results are kept (default: $XDG_DATA_HOME/raidscope/runs.db, "
     "/var/lib/raidscope/runs.db for root)"},
};

constexpr Option workload[] = {
    {"preset", 0, "NAME", "a built-in workload: see `raidscope presets`"},
    {"reading", 0, "total|per-worker",
     "with --preset iometer-database: whether its 64 outstanding are all there are, or each "
     "worker's (default)"},
    {"pattern", 0, "sequential|random", "a comma list makes a sweep (default: random)", true},
    {"block-size", 0, "SIZE",
     "bytes per request: 4k, 64k, 1M; a comma list makes a sweep (default: 4k)", true},
    {"read-percent", 0, "N", "share of reads, 0 to 100; a comma list makes a sweep (default: 100)",
     true},
    {"workers", 0, "N", "threads; a comma list makes a sweep (default: 1)", true},
    {"queue-depth", 0, "N",
     "requests outstanding per worker per target; a comma list makes a sweep (default: 1)", true},
    {"alignment", 0, "SIZE", "align random requests to this (default: the block size)"},
    {"mix", 0, "SIZE:PERCENT[:READ%[:RANDOM%[:ALIGN]]],…",
     "several kinds of requests at once, as 4k:70:67:100,64k:30:100:0; in place of --block-size, "
     "--read-percent and --pattern"},
    {"random-percent", 0, "N", "share of random requests; the others follow their predecessor"},
    {"cursor", 0, "shared|per_worker|own",
     "sequential: one cursor for all workers, a region each, or one each over all (default: "
     "shared)"},
    {"stride", 0, "SIZE", "sequential: distance between the beginnings of two requests"},
    {"worker-offset", 0, "SIZE", "with --cursor own: distance between the workers' beginnings"},
    {"base", 0, "SIZE", "begin this far into the target"},
    {"spread", 0, "KIND",
     "of random requests: uniform, once (no repeats), zipf:1.1, pareto:0.2, or hot:90/10:5/20 "
     "(access %/area %)"},
    {"groups", 0, "WORKERSxDEPTH@TARGET+TARGET,…",
     "workers with targets and a depth of their own; targets are counted from 0"},
    {"depth-over-targets", 0, "", "the depth is a worker's over all targets, not for each"},
    {"instances", 0, "N", "this many processes at the same time, each with all workers"},
    {"rate", 0, "IOPS",
     "start this many requests a second, whether or not earlier ones have ended; with --instances, "
     "each of them does"},
    {"arrivals", 0, "regular|poisson", "how --rate spaces them (default: regular)"},
    {"think-time", 0, "DURATION", "pause of a worker before each burst, as 500us or 2ms"},
    {"burst", 0, "N", "requests between two pauses (default: 1)"},
    {"fsync-every", 0, "N", "fsync after this many writes of a worker"},
    {"trim-percent", 0, "N", "of the requests that do not read, this share discards"},
    {"compressible", 0, "N", "percent of each written block that compresses away (default: 0)"},
    {"duplicate", 0, "N", "percent of the written blocks that repeat another (default: 0)"},
    {"verify", 0, "", "writes carry their address, and reads are held against it"},
    {"poll", 0, "", "poll for completions (IOPOLL) where the device can"},
    {"cooldown", 0, "DURATION", "keep the load up this long after each measurement"},
    {"time", 0, "DURATION", "how long each point is measured: seconds, or 90s, 9m (default: 30)"},
    {"ramp", 0, "DURATION", "how long each point runs before it is measured (default: 2)"},
    {"repeat", 0, "N", "measure every point N times (default: 1, or the preset's own)"},
    {"until", 0, "PERCENT|steady",
     "measure every point until the 95 % interval of its IOPS is within this of the mean: at least "
     "3 rounds, at most --repeat (default: 20); steady: until its last 5 rounds are steady as in "
     "the SNIA test (within 20 %, slope at most 10 %), at most --repeat (default: 25)"},
    {"precondition", 0, "TIME",
     "before the first round of each workload that writes, run it for at most this long, and end "
     "as soon as it is steady"},
    {"fill-passes", 0, "N",
     "before anything is measured, write the area of every target from its beginning to its end N "
     "times, in blocks of 1 MiB"},
    {"drain", 0, "auto|none|DURATION",
     "how long the drives rest after a point that wrote (default: auto: behind a write cache and "
     "between points of a minute or longer, 60 s or what the cache needs, at most 15m)"},
    {"seed", 0, "N", "seed of the request stream and the data (default: 1)"},
    {"engine", 0, "io_uring|libaio|psync|null",
     "how to do the I/O (default: the best that works here)"},
    {"write-through", 0, "", "open with O_DSYNC: a write is complete when it is on stable storage"},
    {"buffered", 0, "", "through the page cache: measures memory as much as storage, and says so"},
};

constexpr Option syntax[] = {
    {"sqlio", 0, "LINE|FILE",
     "a line of SQLIO (\"sqlio -kR -s120 -frandom …\"), or a batch or PowerShell script of them",
     true},
    {"diskspd", 0, "LINE|FILE", "a line of diskspd, or a script of them", true},
    {"iometer", 0, "FILE.icf", "a test set-up that Iometer saved", true},
    {"fio", 0, "FILE.fio", "a job file of fio", true},
    {"map", 0, "DRIVE=PATH",
     "what a drive letter or raw disk of those stands for here: 'D:=/data', '#1=/dev/sdb'", true},
};

constexpr Option target[] = {
    {"target", 0, "FILE|DEVICE", "what to measure", true},
    {"size", 0, "SIZE",
     "on an existing target, the part of it that is used; of the test file that `profile` makes "
     "(k, "
     "M, G, T are powers of 1024)"},
    {"keep", 0, "", "keep the test file that was made"},
    {"name", 0, "TEXT", "a name for the results"},
};

constexpr Option resume[] = {
    {"resume", 0, "[SESSION]",
     "go on with a session that was killed or stopped (default: the newest unfinished one): only "
     "the points that are missing are measured, on the targets found again by their ids"},
    {"accept-change", 0, "",
     "with --resume: go on although the configuration has changed since the session began; the "
     "results say so"},
};

constexpr Option inventory[] = {
    {"inventory", 0, "FILE",
     "vendor-tool output or a snapshot of a controller that this machine cannot see, as in a "
     "guest"},
    {"inventory-after", 0, "FILE", "the same, taken after the run"},
    {"logical-drive", 0, "DRIVE",
     "the drive that the target lies on, where nothing else tells: SLOT:NUMBER, its device or its "
     "unique id"},
};

constexpr Option bounds[] = {
    {"drive-iops", 0, "N",
     "random requests a second that one drive does at most, as its data sheet says: gives each "
     "result its physical bound"},
    {"drive-mbps", 0, "N", "MB/s (of 1,000,000 bytes) that one drive does at most, likewise"},
};

constexpr Option price[] = {
    {"price-drive", 0, "[MODEL=]PRICE",
     "of one drive, in any currency: adds the price of a thousand IOPS and of a GB, and the IOPS "
     "for one unit of the currency; MODEL is part of the name of those that cost so; a comma list",
     true},
    {"price-module", 0, "[MODEL=]PRICE",
     "of the cache module with its battery or capacitor, counted where the cache is used; MODEL is "
     "the controller's",
     true},
    {"price-controller", 0, "[MODEL=]PRICE", "of the controller", true},
};

constexpr Option safety[] = {
    {"accept", 0, "RULE", "go on although this rule blocks; stored in the result", true},
    {"destroy-data", 0, "ID",
     "overwrite data at rest on the target with this WWN, unique id or real path; never a /dev/sdX "
     "name",
     true},
    {"max-write", 0, "SIZE", "refuse a plan that writes more than this"},
    {"dry-run", 0, "",
     "print the exact plan, the bytes to be written and what would be refused; do nothing"},
};

}  // namespace

constinit const OptionGroup common_options{"General", common};
constinit const OptionGroup format_options{"Output", format};
constinit const OptionGroup machine_options{"This machine", machine};
constinit const OptionGroup source_options{"Sources", source};
constinit const OptionGroup redact_options{"Redaction", redaction};
constinit const OptionGroup store_options{"Store", store};
constinit const OptionGroup workload_options{"Workload", workload};
constinit const OptionGroup syntax_options{"Another tool's words", syntax};
constinit const OptionGroup target_options{"Target", target};
constinit const OptionGroup resume_options{"Going on", resume};
constinit const OptionGroup inventory_options{"Inventory", inventory};
constinit const OptionGroup bound_options{"Physical bounds", bounds};
constinit const OptionGroup price_options{"Prices", price};
constinit const OptionGroup safety_options{"Safety", safety};

}  // namespace raidscope::cli
