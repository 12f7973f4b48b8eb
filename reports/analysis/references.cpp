#include "reports/analysis/references.h"

#include <algorithm>
#include <cstdint>

#include <fmt/format.h>

#include "controllers/inventory/inventory_json.h"
#include "probe/base/text.h"
#include "workloads/derived.h"

namespace raidscope {
namespace {

constexpr double kib = 1024;
constexpr double ms = 1000;

/// What a study says of all its numbers.
struct Study {
  std::string_view name, source;
  std::string_view unknown;  ///< parted by semicolons
  std::string_view tool;     ///< that measured; empty: not told
  double duration_s = 0;     ///< 0: not told
};

constexpr Study s1{
    "S1: SAS disks and SATA SSDs on a P420i, SQLIO",
    "the first of the three studies that raidscope repeats",
    "cache size and ratio;Smart Path state;firmware;repeats;order of the runs;prices", "sqlio",
    120};
constexpr Study s2{
    "S2: controller cache against SSD Smart Path, 1 to 24 SSDs on a P420, Iometer",
    "the second of the three studies that raidscope repeats",
    "the numbers behind its charts;repeats;firmware;operating system;the ratio of the "
    "cache arm;whether 64 outstanding are each worker's or all",
    "iometer", 540};
constexpr Study s3{
    "S3: one SAS SSD on a P410i, Iometer", "the third of the three studies that raidscope repeats",
    "the numbers behind its charts;which cache module (it says 1 GB, battery-backed: "
    "HP's 1 GB module has a capacitor);firmware",
    "iometer", 60};
constexpr Study memdocs{
    "N6 to N8: drives behind P822 and P420i, DiskSpd",
    "Microsoft, Configuration Manager site size and performance guidelines",
    "firmware;Smart Path state of the SSD arrays;repeats (the second run of 300 s counts);strip",
    "diskspd", 300};
constexpr Study mail_server{"N2: a mail and database server on a P420i", "a public log of 2014",
                            "how the latency was read;repeats;cache ratio", ""};
constexpr Study home_lab{"N4 and N5: two arrays on one P440ar", "a public hardware log",
                         "firmware;repeats;area of the test", ""};
constexpr Study perf15{"N9: random reads and writes on a P421",
                       "PERF-15: HP, Smart Array controllers "
                       "and basic RAID performance factors, page 15",
                       "firmware;area of the test;repeats", ""};
constexpr Study perf3{"Gen8 and Gen6 processors",
                      "PERF-3: HP, Smart Array controllers and basic RAID "
                      "performance factors, page 3",
                      "drives;area of the test;how it was measured", ""};
constexpr Study ssdend{"N10: SSDs on a P410",
                       "SSDEND: HP, understanding endurance and performance characteristics of "
                       "solid-state drives",
                       "drives;area of the test", ""};
constexpr Study battery{
    "N12: a failed cache battery",
    "http://www.andrewing.co.uk/the-effect-of-raid-cache-backup-battery-failure/",
    "controller's model;drives;workload", ""};
constexpr Study dead_battery{
    "N13: a dead cache battery",
    "https://www.walbrix.jp/jp/blog/2014-03-hp-smartarray-terribly-slow.html",
    "drives;workload;firmware", ""};

/// A printed number with what a comparison can use of its configuration.
struct Row {
  std::string_view id;
  const Study* study;
  std::string_view model;  ///< of the controller
  std::int64_t cache_gib;  ///< 0: not told
  std::string_view drives;
  Media media;
  int disks;
  std::string_view raid;
  Pattern pattern;
  int block_kib, read_percent;
  std::uint32_t workers, depth;  ///< 0: not told
  double area_gib;               ///< 0: not told
  double iops;
  std::string_view says;
};

// clang-format off: a table, one number a line
constexpr Row rows[] = {
    {"S1-a1", &s1, "P420i", 0, "146 GB EH0146FARWD, SAS", Media::hdd, 2, "1", Pattern::sequential,
     64, 100, 4, 2, 100, 3999.57, ""},
    {"S1-a2", &s1, "P420i", 0, "146 GB EH0146FARWD, SAS", Media::hdd, 2, "1", Pattern::random, 64,
     100, 4, 16, 100, 961.67, ""},
    {"S1-a3", &s1, "P420i", 0, "146 GB EH0146FARWD, SAS", Media::hdd, 2, "1", Pattern::random, 64,
     0, 4, 16, 100, 607.25,
     "more than two such disks can do: a working write cache is likely and unproved"},
    {"S1-b1", &s1, "P420i", 0, "500 GB MM0500FBFVQ, SAS", Media::hdd, 2, "1", Pattern::sequential,
     64, 100, 4, 2, 100, 2889.47, ""},
    {"S1-b2", &s1, "P420i", 0, "500 GB MM0500FBFVQ, SAS", Media::hdd, 2, "1", Pattern::random, 64,
     100, 4, 16, 100, 690.65, ""},
    {"S1-b3", &s1, "P420i", 0, "500 GB MM0500FBFVQ, SAS", Media::hdd, 2, "1", Pattern::random, 64,
     0, 4, 16, 100, 397.24, ""},
    {"S1-c1", &s1, "P420i", 0, "180 GB INTEL SSDSC2CW18, SATA", Media::ssd, 2, "1",
     Pattern::sequential, 64, 100, 4, 2, 100, 10226.23,
     "2.56 and 3.54 times the disks' S1-a1 and S1-b1, where its author wrote 3 to 4"},
    {"S1-c2", &s1, "P420i", 0, "180 GB INTEL SSDSC2CW18, SATA", Media::ssd, 2, "1", Pattern::random,
     64, 100, 4, 16, 100, 12390.94, "12.88 and 17.94 times the disks: its author's 13 to 18 holds"},
    {"S1-c3", &s1, "P420i", 0, "180 GB INTEL SSDSC2CW18, SATA", Media::ssd, 2, "1", Pattern::random,
     64, 0, 4, 16, 100, 6798.36,
     "11.20 and 17.11 times the disks: its author's 11 to 17 holds, for random writes alone"},
    {"S3-4b", &s3, "P410i", 0, "400 GB EO0400FBRWA, SAS", Media::ssd, 1, "0", Pattern::random, 4, 0,
     8, 0, 4.77, 11985,
     "8 workers without a hypervisor, as fast as with 2; 90 % of the data sheet's 13,300 uncached "
     "writes"},
    {"N4-qd1", &home_lab, "P440ar", 2, "960 GB SM863a, SATA", Media::ssd, 2, "1", Pattern::random,
     4, 0, 1, 1, 0, 7952, "on Smart Path; p99 198 us"},
    {"N4-qd128", &home_lab, "P440ar", 2, "960 GB SM863a, SATA", Media::ssd, 2, "1", Pattern::random,
     4, 0, 4, 32, 0, 51600, "on Smart Path"},
    {"N5-qd1", &home_lab, "P440ar", 2, "1 TB 7.2K, SATA", Media::hdd, 2, "1", Pattern::random, 4, 0,
     1, 1, 0, 741, "with the cache; 734 while loaded; p99 12.5 ms; taken to be the workload of N4"},
    {"N5-qd32", &home_lab, "P440ar", 2, "1 TB 7.2K, SATA", Media::hdd, 2, "1", Pattern::random, 4,
     0, 1, 32, 0, 712,
     "with the cache, against about 83 derived without; taken to be the workload of N4"},
    {"N6-2", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 2, "1", Pattern::random, 64, 0, 8, 8, 100,
     620, "ratio 20/80"},
    {"N6-4", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 4, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 1206, "ratio 20/80"},
    {"N6-6", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 6, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 1751, "ratio 20/80"},
    {"N6-8", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 8, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 2322, "ratio 20/80"},
    {"N6-10", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 10, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 2882, "ratio 20/80"},
    {"N6-12", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 12, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 3476, "ratio 20/80"},
    {"N6-16", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 16, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 4236, "ratio 20/80"},
    {"N6-20", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 20, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 5148, "ratio 20/80"},
    {"N6-30", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 30, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 7398, "ratio 20/80"},
    {"N6-40", &memdocs, "P822", 2, "15K, SAS", Media::hdd, 40, "1+0", Pattern::random, 64, 0, 8, 8,
     100, 9913, "ratio 20/80"},
    {"N7-2", &memdocs, "P420i", 1, "MK0200GCTYV, SATA", Media::ssd, 2, "1", Pattern::random, 64, 0,
     8, 8, 100, 3300, "ratio 20/80"},
    {"N7-4", &memdocs, "P420i", 1, "MK0200GCTYV, SATA", Media::ssd, 4, "1+0", Pattern::random, 64,
     0, 8, 8, 100, 5542, "ratio 20/80"},
    {"N7-6", &memdocs, "P420i", 1, "MK0200GCTYV, SATA", Media::ssd, 6, "1+0", Pattern::random, 64,
     0, 8, 8, 100, 7201, "ratio 20/80"},
    {"N8-2", &memdocs, "P420i", 1, "MO0800JEFPB, SAS", Media::ssd, 2, "1", Pattern::random, 64, 0,
     8, 8, 100, 7539, "ratio 20/80"},
    {"N8-4", &memdocs, "P420i", 1, "MO0800JEFPB, SAS", Media::ssd, 4, "1+0", Pattern::random, 64, 0,
     8, 8, 100, 14346, "ratio 20/80"},
    {"N8-6", &memdocs, "P420i", 1, "MO0800JEFPB, SAS", Media::ssd, 6, "1+0", Pattern::random, 64, 0,
     8, 8, 100, 15607, "ratio 20/80; the knee lies at 4 to 6 drives"},
    {"N9-read", &perf15, "P421", 2, "15K, SAS", Media::hdd, 12, "0", Pattern::random, 0, 100, 0, 0,
     0, 4850, ""},
    {"N9-write", &perf15, "P421", 2, "15K, SAS", Media::hdd, 12, "0", Pattern::random, 0, 0, 0, 0,
     0, 8350, "writes that are posted and put in order beat reads"},
};
// clang-format on

/// Words, and numbers that no workload can be made of.
struct Saying {
  std::string_view id;
  const Study* study;
  std::string_view configuration, workload;
  ReferenceKind kind;
  std::optional<double> iops, bytes_per_s, mean_us;
  std::string_view says;
};

constexpr std::string_view p420_sweep =
    "P420 with 2 GB of cache, 1 to 24 Intel DC S3500 of 300 GB, RAID 10";
constexpr std::string_view iometer_database =
    "4 KiB random, 67 % reads, 8 workers, 64 outstanding, area 4 GiB, 9 minutes";
constexpr std::string_view p410i_ssd = "P410i, one EO0400FBRWA of 400 GB, RAID 0, ESX 4.0";
constexpr std::string_view mail_host =
    "P420i with 1 GB of cache, firmware 6.00, 2 Transcend SSD320 in RAID 1";

constexpr Saying sayings[] = {
    {"S2-16",
     &s2,
     p420_sweep,
     iometer_database,
     ReferenceKind::claim,
     {},
     {},
     {},
     "up to 16 disks the cache is clearly better"},
    {"S2-18",
     &s2,
     p420_sweep,
     iometer_database,
     ReferenceKind::claim,
     {},
     {},
     {},
     "at 18 disks both are equal"},
    {"S2-20",
     &s2,
     p420_sweep,
     iometer_database,
     ReferenceKind::claim,
     {},
     {},
     {},
     "from 20 disks on Smart Path is ahead; the area is twice the cache, which flatters the cache"},
    {"S2-best",
     &s2,
     p420_sweep,
     iometer_database,
     ReferenceKind::claim,
     {},
     {},
     {},
     "with the cache 6 to 8 disks serve most, and 4 disks 67 % of what 8 do"},
    {"S2-latency",
     &s2,
     p420_sweep,
     iometer_database,
     ReferenceKind::claim,
     {},
     {},
     {},
     "from 4 disks on 5 to 6 ms, below 4 very high; the cache is slightly better up to 18"},
    {"S2-trap",
     &s2,
     p420_sweep,
     "none",
     ReferenceKind::claim,
     {},
     {},
     {},
     "an array of SSDs gets Smart Path on and caching off, and turning Smart Path off does not "
     "turn "
     "caching on again"},
    {"S3-depth",
     &s3,
     p410i_ssd,
     "4 KiB random, area 4.77 GiB, 1 minute, 4 runs",
     ReferenceKind::claim,
     {},
     {},
     {},
     "the best queue depth is 16 to 24; more is worse"},
    {"S3-sheet-read",
     &s3,
     "EO0400FBRWA, data sheet",
     "random reads",
     ReferenceKind::given,
     42000.0,
     {},
     {},
     "the study's reads stay far below"},
    {"S3-sheet-write",
     &s3,
     "EO0400FBRWA, data sheet, without a cache",
     "random writes",
     ReferenceKind::given,
     13300.0,
     {},
     {},
     ""},
    {"S3-sheet-write-cache",
     &s3,
     "EO0400FBRWA, data sheet, with a cache",
     "random writes",
     ReferenceKind::given,
     18900.0,
     {},
     {},
     "42 % more than without"},
    {"S3-price",
     &s3,
     "EO0400FBRWA at 11,699 dollars for 400 GB, a consumer SSD at 500 for 300",
     "none",
     ReferenceKind::derived,
     {},
     {},
     {},
     ""},  // said from the prices
    {"N2-cache-old",
     &mail_server,
     mail_host,
     "20 reads/s and 140 writes/s, live",
     ReferenceKind::given,
     {},
     {},
     0.3 * ms,
     "write latency, cache, hpsa 2.0.2-1 without Smart Path"},
    {"N2-smart-path",
     &mail_server,
     mail_host,
     "20 reads/s and 140 writes/s, live",
     ReferenceKind::given,
     {},
     {},
     3 * ms,
     "write latency, Smart Path, hpsa 3.4.4-1"},
    {"N2-cache",
     &mail_server,
     mail_host,
     "20 reads/s and 140 writes/s, live",
     ReferenceKind::given,
     {},
     {},
     0.1 * ms,
     "write latency, cache, hpsa 3.4.4-1"},
    {"N10-low",
     &ssdend,
     "P410 with SSDs",
     "random",
     ReferenceKind::given,
     50000.0,
     {},
     {},
     "the lower end of the controller's ceiling; it grows with the drives up to 6 SSDs"},
    {"N10-high",
     &ssdend,
     "P410 with SSDs",
     "random",
     ReferenceKind::given,
     60000.0,
     {},
     {},
     "the upper end of the controller's ceiling; HP advises at most 8 SSDs"},
    {"PERF-gen8",
     &perf3,
     "Gen8 controllers (P420 and alike)",
     "4 KiB random",
     ReferenceKind::given,
     200000.0,
     {},
     {},
     "the ceiling of the controller's processor"},
    {"PERF-gen6",
     &perf3,
     "Gen6 controllers (P410, P812 and alike)",
     "4 KiB random",
     ReferenceKind::given,
     60000.0,
     {},
     {},
     "the ceiling of the controller's processor"},
    {"N12",
     &battery,
     "a Smart Array whose cache battery failed",
     "none",
     ReferenceKind::claim,
     {},
     {},
     {},
     "write time rose by just under 30 ms; reads stayed as they were"},
    {"N13-write",
     &dead_battery,
     "a Smart Array with a dead battery",
     "writes",
     ReferenceKind::given,
     {},
     5e6,
     {},
     "reads reach 200 MB/s and more"},
};

std::vector<std::string> parted(std::string_view list) {
  std::vector<std::string> out;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(';'), list.size());
    out.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return out;
}

Workload workload_of(const Row& row) {
  Workload w;
  w.name = row.id;
  w.pattern = row.pattern;
  w.block_bytes = {static_cast<std::uint64_t>(row.block_kib) * 1024};
  w.read_percent = row.read_percent;
  w.workers = row.workers;
  w.queue_depth_per_worker = row.depth;
  w.area_bytes = static_cast<std::uint64_t>(row.area_gib * kib * kib * kib);
  w.duration_s = row.study->duration_s;
  if (row.study == &s1) w.sync = Sync::write_through;  // -BN
  w.source = "published";
  w.outstanding_total = outstanding(w);
  return w;
}

std::string workload_text(const Row& row) {
  std::string out = row.block_kib != 0 ? fmt::format("{} KiB ", row.block_kib) : "";
  out += fmt::format("{} {}", to_name(row.pattern), row.read_percent == 100 ? "read" : "write");
  if (row.workers != 0 && row.depth != 0)
    out += fmt::format(", {} × {} outstanding", row.workers, row.depth);
  if (row.area_gib > 0) out += fmt::format(", area {:g} GiB", row.area_gib);
  return out;
}

Reference reference_of(const Row& row) {
  Reference out;
  out.id = row.id;
  out.study = row.study->name;
  out.source = row.study->source;
  out.configuration =
      fmt::format("{}{}, {} × {} {}, RAID {}", row.model,
                  row.cache_gib != 0 ? fmt::format(" with {} GB of cache", row.cache_gib) : "",
                  row.disks, row.drives, row.media == Media::ssd ? "SSD" : "HDD", row.raid);
  out.workload = workload_text(row);
  out.iops = row.iops;
  if (row.block_kib != 0) out.bytes_per_s = row.iops * row.block_kib * kib;
  if (row.id == "N4-qd1") {
    out.mean_us = 102;
    out.p99_us = 198;
  } else if (row.id == "N5-qd1") {
    out.mean_us = 1.3 * ms;
    out.p99_us = 12.5 * ms;
  }
  out.says = row.says;
  out.unknown = parted(row.study->unknown);
  if (row.block_kib == 0) out.unknown.emplace_back("block size");
  if (row.workers == 0 || row.depth == 0) out.unknown.emplace_back("outstanding requests");
  return out;
}

/// The third study's prices: what they make of a GB is computed.
void add_prices(Reference& out) {
  out.prices = {{"EO0400FBRWA", 11699, "USD", 400}, {"a consumer SSD", 500, "USD", 300}};
  const double dear = *capacity_price(out.prices[0]), cheap = *capacity_price(out.prices[1]);
  out.says =
      fmt::format("{:.2f} against {:.2f} dollars a GB: {:.2f} times", dear, cheap, dear / cheap);
}

Reference reference_of(const Saying& saying) {
  Reference out;
  out.id = saying.id;
  out.study = saying.study->name;
  out.source = saying.study->source;
  out.configuration = saying.configuration;
  out.workload = saying.workload;
  out.kind = saying.kind;
  out.iops = saying.iops;
  out.bytes_per_s = saying.bytes_per_s;
  out.mean_us = saying.mean_us;
  out.says = saying.says;
  out.unknown = parted(saying.study->unknown);
  if (saying.id == "S3-price") add_prices(out);
  return out;
}

Inventory inventory_for(const Row& row) {
  Controller controller;
  controller.model = row.model;
  controller.slot = "0";
  if (row.cache_gib != 0) {
    controller.cache.present = true;
    controller.cache.size_bytes = row.cache_gib << 30U;
  }
  Array array;
  array.letter = "A";
  array.media = row.media;
  LogicalDrive drive;
  drive.number = 1;
  drive.raid = row.raid;
  drive.disk_count = row.disks;
  array.logical_drives = {drive};
  for (int i = 0; i < row.disks; ++i) {
    PhysicalDrive disk;
    disk.model = row.drives;
    disk.media = row.media;
    disk.role = DriveRole::data;
    array.physical_drives.push_back(std::move(disk));
  }
  controller.arrays = {std::move(array)};
  Inventory out;
  out.controllers = {std::move(controller)};
  return out;
}

}  // namespace

std::optional<double> capacity_price(const PublishedPrice& price) {
  if (!(price.gb > 0)) return std::nullopt;
  return price.price / price.gb;
}

const std::vector<Reference>& references() {
  static const std::vector<Reference> all = [] {
    std::vector<Reference> out;
    for (const Row& row : rows) out.push_back(reference_of(row));
    for (const Saying& saying : sayings) out.push_back(reference_of(saying));
    return out;
  }();
  return all;
}

const Reference* find_reference(std::string_view id) {
  for (const Reference& reference : references()) {
    if (text::iequals(reference.id, id)) return &reference;
  }
  return nullptr;
}

std::optional<Workload> workload_of_claim(const Reference& reference) {
  if (reference.kind != ReferenceKind::claim || reference.workload != iometer_database)
    return std::nullopt;
  Workload w;
  w.pattern = Pattern::random;
  w.block_bytes = {4096};
  w.read_percent = 67;
  w.area_bytes = std::uint64_t{4} << 30U;
  return w;
}

std::optional<ReferenceRun> reference_run(const Reference& reference) {
  const auto row = std::find_if(std::begin(rows), std::end(rows),
                                [&](const Row& one) { return one.id == reference.id; });
  if (row == std::end(rows)) return std::nullopt;
  ReferenceRun out;
  out.inventory = inventory_for(*row);
  RunResult& run = out.run;
  run.run_id = reference.id;
  run.session_id = "published";
  run.name = reference.id;
  run.origin = Origin::published;
  run.workload = workload_of(*row);
  run.target.kind = "";
  run.target.size_bytes.reset();
  run.target.controller = "0";
  run.target.logical_drive = 1;
  run.engine.name = row->study->tool;
  run.engine.direct = true;
  run.inventory_origin = "given";
  run.inventory_before = SnapshotRef{snapshot_id(out.inventory), "", reference.configuration};
  run.iops = row->iops;
  run.bytes_per_s = reference.bytes_per_s.value_or(0);
  run.latency_us.mean = reference.mean_us;
  run.latency_us.p99 = reference.p99_us;
  // Little's law, where the depth is told and the latency is not.
  if (!run.latency_us.mean && run.workload.outstanding_total != 0)
    run.latency_us.mean = static_cast<double>(run.workload.outstanding_total) / row->iops * 1e6;
  return out;
}

}  // namespace raidscope
