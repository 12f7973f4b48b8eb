"""What reached the card: its log, one JSON line for each command, cut by the marks of the steps."""
import collections
import json

# Operation codes, and below a colon BMIC's or CISS's operation: all that reading a controller takes. Written here anew,
# from the list of what reads (docs/safety.md), so that a mistake in the program's own list is seen.
READS = {"00", "a0", "26:10", "26:11", "26:12", "26:15", "26:64", "26:66", "26:c1", "c2", "c3", "c0:c8"}
# Commands of the lab itself: marks, the state.
LAB = {"27:ec", "26:ea", "27:eb"}


def selector(cdb):
    """"26:c1", "12:c3", "28", as docs/lab.md names commands in faults."""
    octets = cdb.split()
    below = {"26": 6, "27": 6, "c0": 1}.get(octets[0])
    if octets[0] == "12":
        return f"12:{octets[2]}" if int(octets[1], 16) & 1 else "12"
    return f"{octets[0]}:{octets[below]}" if below else octets[0]


def reads_only(line):
    name = selector(line["cdb"])
    return name.startswith("12") or name in READS


class Log:
    """All lines of one card."""

    def __init__(self, path):
        self.lines = [json.loads(line) for line in path.read_text().splitlines()]

    def of_step(self, name):
        """Commands between the step's marks, without the lab's own."""
        out, inside = [], False
        for line in self.lines:
            if line.get("mark") in (f"begin {name}", f"end {name}"):
                inside = line["mark"].startswith("begin")
            elif inside and selector(line["cdb"]) not in LAB:
                out.append(line)
        return out


def not_reads(log, step, idle):
    """Commands of a step that are on no list of reads, less those that the driver sends when nothing is done at all."""
    driver = collections.Counter(selector(line["cdb"]) for line in log.of_step(idle))
    beside = collections.Counter(selector(line["cdb"]) for line in log.of_step(step) if not reads_only(line))
    return sorted((beside - driver).elements())


def check_allowed(expected, results):
    """A step sent reads only; one that must be caught sent something else. An empty step proves nothing."""
    log = Log(results / "card0.log")
    for step in expected["steps"]:
        sent = log.of_step(step)
        if len(sent) < 10:
            yield f"{step}: only {len(sent)} commands reached the card; that proves nothing"
        for name in not_reads(log, step, expected["idle"]):
            yield f"{step} sent {name}, which is on no list of reads"
    for step in expected.get("caught", []):
        if not not_reads(log, step, expected["idle"]):
            yield f"{step} sent a forbidden command, and the check did not see it"


def blocks_of(cdb):
    """How many sectors of 512 bytes a READ or WRITE moves."""
    octets = cdb.split()
    first, size = {"8": (10, 4), "a": (6, 4), "2": (7, 2)}.get(octets[0][0], (4, 1))
    return int("".join(octets[first:first + size]), 16)


def bypass_share(log, step, size):
    """(requests that went straight to drives, all requests) of a step, among those of `size` bytes: the kernel and the
    program read a little of a disk before they use it."""
    requests = [line for line in log.of_step(step) if line["name"].startswith(("READ(", "WRITE("))
                and blocks_of(line["cdb"]) * 512 == size]
    return sum(line["path"] == "smart_path" for line in requests), len(requests)


def check_share(expected, results, computed):
    """The share that the log counts is the one that raidscope computes, or the one named. Requests are drawn at random:
    four standard deviations of the count are allowed, and a few requests of others."""
    step = expected["step"]
    straight, whole = bypass_share(Log(results / "card0.log"), step, expected["bytes"])
    share = computed if "computed" in expected else expected["share"]
    if whole < 50:
        yield f"{step}: only {whole} requests; that proves nothing"
        return
    if share is None:
        yield f"{step}: raidscope computed no share"
        return
    allowed = 4 * (share * (1 - share) / whole) ** 0.5 + 8 / whole
    if abs(straight / whole - share) > allowed:
        yield f"{step}: {straight} of {whole} requests went straight to the drives, and {share:.2%} were to"
