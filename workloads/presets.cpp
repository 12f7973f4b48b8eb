#include "workloads/presets.h"

#include <fmt/format.h>

#include "workloads/derived.h"
#include "workloads/quantities.h"

namespace raidscope {
namespace {

constexpr std::uint64_t sector = 512;
constexpr std::uint64_t kib = 1024;

// "Comparison of SAS and SATA SSD on a Smart Array 420i": SQLIO v1.5 on Windows, -s120 -t4 -LS -BN,
// 64 KiB blocks, a 100 GB file of incompressible data.
std::vector<Workload> sqlio_study(const PresetOptions& /*options*/) {
  struct Test {
    const char* name;
    const char* command;
    Pattern pattern;
    int read_percent;
    std::uint32_t depth;
  };
  constexpr Test tests[] = {
      {"sqlio sequential read 64k",
       "sqlio -s120 -kR -fsequential -o2 -b64 -t4 -LS -BN testfile.dat", Pattern::sequential, 100,
       2},
      {"sqlio random read 64k", "sqlio -s120 -kR -frandom -o16 -b64 -t4 -LS -BN testfile.dat",
       Pattern::random, 100, 16},
      {"sqlio random write 64k", "sqlio -s120 -kW -frandom -o16 -b64 -t4 -LS -BN testfile.dat",
       Pattern::random, 0, 16},
  };
  std::vector<Workload> out;
  for (const Test& test : tests) {
    Workload w;
    w.name = test.name;
    w.pattern = test.pattern;
    w.cursor = SequentialCursor::shared;
    w.block_bytes = {64 * kib};
    w.read_percent = test.read_percent;
    w.workers = 4;
    w.queue_depth_per_worker = test.depth;
    w.outstanding_total = outstanding(w);
    w.duration_s = 120;
    w.sync = test.read_percent == 100 ? Sync::none : Sync::write_through;
    w.source = test.command;
    w.warnings = {
        "SQLIO has no ramp-up: the cold start lies inside the 120 s; --ramp leaves it out",
        "the study used a 100 GB file: use --size 100G, a smaller file is easier for a cache",
        "the study measured each test once: use --repeat to see the spread",
        "the study does not state cache size, cache ratio, Smart Path or firmware: its own state "
        "is "
        "unknown",
        "SQLIO's average latency is truncated to whole ms, about 1 ms too low: compare IOPS",
    };
    if (test.pattern == Pattern::sequential) {
      w.warnings.emplace_back(
          "4 threads share one cursor, as SQLIO's readme words it (\"previous I/O on that file\"); "
          "SQLIO's source is closed");
    }
    if (test.read_percent == 0) {
      w.warnings.emplace_back(
          "-BN adds write-through (O_DSYNC) to direct I/O; a controller with a protected write "
          "cache "
          "generally ignores it and answers from the cache");
      w.warnings.emplace_back(
          "the study's \"write\" is this random write alone; it has no sequential write test");
      w.warnings.emplace_back(
          "SQLIO writes zeros, which some devices shrink or skip; this run writes incompressible "
          "data");
    }
    out.push_back(std::move(w));
  }
  return out;
}

// "SSD Smart Path or controller cache": P420 with 2 GB, Iometer, 4 KiB, 67/33, full random.
std::vector<Workload> iometer_database(const PresetOptions& options) {
  std::vector<Workload> out;
  for (const std::uint64_t alignment : {sector, 4 * kib}) {
    Workload w;
    w.name = alignment == sector ? "iometer database 4k 67/33 sector-aligned"
                                 : "iometer database 4k 67/33 aligned";
    w.pattern = Pattern::random;
    w.block_bytes = {4 * kib};
    w.read_percent = 67;
    w.workers = 8;
    w.queue_depth_per_worker = options.reading_total ? 8 : 64;
    w.outstanding_total = outstanding(w);
    w.area_bytes = 8'388'608 * sector;
    w.alignment_bytes = alignment;
    w.duration_s = 540;
    w.source =
        alignment == sector
            ? "Iometer: 8 workers, 64 outstanding, 4096,100,67,100,0,1,0,0, 8388608 sectors, 9 min"
            : "Iometer: 8 workers, 64 outstanding, 4096,100,67,100,0,1,4096,0, 8388608 sectors, "
              "9 min";
    w.warnings = {
        options.reading_total ? "64 outstanding is read as a total here: 8 workers of 8. In "
                                "Iometer the figure is per "
                                "worker and target, which gives 512"
                              : "64 outstanding is per worker in Iometer: 8 × 64 = 512 at the "
                                "device. If the study meant "
                                "64 in all, use --reading total",
        "the area of 4 GiB is only twice the study's 2 GB cache: about half the writes can hit in "
        "the "
        "cache, which favours the cache over Smart Path; a larger area moves the crossover down",
        "the study states neither repeats, ramp-up, firmware nor the cache ratio of its cache arm",
    };
    if (alignment == sector) {
      w.warnings.emplace_back(
          "Iometer's alignment 0 means 512-byte sectors, not blocks: 7 of 8 requests straddle two "
          "4 KiB "
          "pages of an SSD or a 4Kn/512e drive. A device with 4096-byte sectors refuses them: use "
          "the "
          "aligned variant, the second point of this preset");
    } else {
      w.warnings.emplace_back(
          "the aligned variant is not what the study ran: it shows what its misalignment cost");
    }
    out.push_back(std::move(w));
  }
  return out;
}

// "Fusion of SSD and P410i": Iometer 2006 in a virtual machine, 10,000,000 sectors, one minute,
// four runs.
std::vector<Workload> iometer_queue_sweep(const PresetOptions& /*options*/) {
  std::vector<Workload> out;
  for (const int read_percent : {100, 0}) {
    for (const std::uint32_t depth : {1U, 2U, 4U, 8U, 16U, 24U, 32U, 64U}) {
      Workload w;
      w.name = fmt::format("iometer queue sweep 4k {} qd{}", read_percent == 100 ? "read" : "write",
                           depth);
      w.pattern = Pattern::random;
      w.block_bytes = {4 * kib};
      w.read_percent = read_percent;
      w.workers = 2;
      w.queue_depth_per_worker = depth;
      w.outstanding_total = outstanding(w);
      w.area_bytes = 10'000'000 * sector;
      w.alignment_bytes = sector;
      w.duration_s = 60;
      w.source = fmt::format(
          "Iometer: 2 workers, {} outstanding, 4096,100,{},100,0,1,0,0, 10000000 sectors, 1 min",
          depth, read_percent);
      w.warnings = {
          fmt::format("the depth is per worker: 2 × {} = {} at the device", depth,
                      w.outstanding_total),
          "sector alignment as in the study: most requests straddle two 4 KiB pages, and a device "
          "with "
          "4096-byte sectors refuses them (use --pattern random --block-size 4k there, which is "
          "aligned)",
          "one minute without ramp-up: writes to a fresh SSD have not reached their steady state",
          "the area of 4.77 GiB is small for a controller with 1 GiB of cache or more",
          "the study ran inside a virtual machine with a virus scanner; its charts are not "
          "published as "
          "numbers",
      };
      out.push_back(std::move(w));
    }
  }
  return out;
}

constexpr Preset table[] = {
    {"sqlio-study",
     "64 KiB: sequential read (8 outstanding), random read and random write (64), 120 s each",
     "SQLIO on a Smart Array P420i: two SAS disks against two SATA SSDs", sqlio_study, 1},
    {"iometer-database",
     "4 KiB random 67/33, 8 workers × 64 outstanding, 4 GiB area, 540 s; sector-aligned and "
     "aligned",
     "Iometer on a P420: controller cache against SSD Smart Path by number of SSDs",
     iometer_database, 1},
    {"iometer-queue-sweep",
     "4 KiB random, 2 workers, depths 1 to 64 per worker, read and write, 60 s, 4 repeats",
     "Iometer on a P410i: the best queue depth of one SAS SSD", iometer_queue_sweep, 4},
};

}  // namespace

std::span<const Preset> presets() noexcept {
  return table;
}

const Preset* find_preset(std::string_view name) noexcept {
  for (const Preset& preset : table) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

}  // namespace raidscope
