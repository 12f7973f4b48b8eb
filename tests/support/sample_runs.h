#pragma once

// TEST DATA. Nothing here was measured: machines, drives and numbers are made up so that reports
// and the store have something to show. The serial numbers are words.

#include <cmath>
#include <cstdint>
#include <string>

#include "controllers/inventory/inventory.h"
#include "controllers/inventory/inventory_json.h"
#include "reports/report.h"
#include "workloads/run_result.h"

namespace raidscope::sample {

inline constexpr std::int64_t gib = std::int64_t{1} << 30;
inline constexpr std::int64_t kib = 1024;

inline PhysicalDrive drive(std::string bay, Media media, std::string model, std::int64_t bytes) {
  PhysicalDrive d;
  d.bay = std::move(bay);
  d.status = "OK";
  d.role = DriveRole::data;
  d.media = media;
  d.interface = DriveInterface::sas;
  d.size_bytes = bytes;
  d.vendor = "HP";
  d.model = std::move(model);
  d.firmware = "HPD4";
  d.serial = "EXAMPLE-" + *d.bay;
  d.phy_rates_gbps = {6.0};
  d.temperature_c = 31;
  if (media == Media::hdd) d.rpm = 10000;
  return d;
}

/// A common server: one controller, eight SSDs and four HDDs in two arrays, two spares aside.
inline Inventory server(bool cache_on = true) {
  Inventory inventory;
  inventory.taken_at = "2026-01-15T10:00:00Z";
  inventory.tool = {"raidscope", "0.1.0"};
  inventory.sources = {{"ssacli", "ok", {}, "3.30-13.0", 2140.0},
                       {"sysfs", "ok", {}, {}, 3.0},
                       {"scsi", "ok", {}, {}, 12.0},
                       {"bmic", "skipped", "the vendor tool answered", {}, {}},
                       {"host", "ok", {}, {}, 4.0}};
  HostFacts& host = inventory.host;
  host.hostname = "example";
  host.product = "ProLiant DL380p Gen8";
  host.bios = "P70 05/24/2019";
  host.cpu_model = "Example CPU E5-2650 @ 2.00GHz";
  host.cpus = 32;
  host.memory_bytes = 64 * gib;
  host.kernel = "6.1.0-18-amd64";
  host.os = "Debian GNU/Linux 12";
  host.driver_versions = {{"hpsa", "3.4.20-200"}};

  Controller c;
  c.name = "Smart Array P420i";
  c.model = "P420i";
  c.vendor = "HP";
  c.generation = "Gen8";
  c.slot = "0";
  c.embedded = true;
  c.pci_address = "0000:02:00.0";
  c.pci_id = "103c:323b/103c:3354";
  c.serial = "EXAMPLE-CONTROLLER";
  c.firmware = "8.32";
  c.driver = {"hpsa", "3.4.20-200"};
  c.mode = ControllerMode::raid;
  c.status = "OK";
  c.fingerprint = cache_on ? "3f9a1c0b77d2" : "b18e40d5a6c3";
  c.cache.present = true;
  c.cache.status = CacheStatus::ok;
  c.cache.status_text = "OK";
  c.cache.size_bytes = 2 * gib;
  c.cache.available_bytes = 2 * gib - 208 * 1024 * kib;
  c.cache.ratio = Ratio{10, 90};
  c.cache.backup = {BackupKind::capacitor, 1, BackupStatus::ok, "OK"};
  c.cache.no_battery_write_cache = false;
  c.drive_write_cache = DriveWriteCache::disabled;
  c.smart_path = {true, true, true};

  Array a;
  a.letter = "A";
  a.status = "OK";
  a.interface = DriveInterface::sas;
  a.media = Media::ssd;
  a.smart_path = Switch::disabled;
  a.unused_bytes = 0;
  for (int bay = 1; bay <= 8; ++bay) {
    a.physical_drives.push_back(
        drive("1I:1:" + std::to_string(bay), Media::ssd, "EO0400FBRWA", 400'000'000'000));
  }
  LogicalDrive ld;
  ld.number = 1;
  ld.label = "example data";
  ld.status = "OK";
  ld.size_bytes = 1490 * gib;
  ld.raid = "1+0";
  ld.strip_bytes = 256 * kib;
  ld.full_stripe_bytes = 1024 * kib;
  ld.caching = cache_on ? Switch::enabled : Switch::disabled;
  ld.acceleration = cache_on ? Acceleration::controller_cache : Acceleration::none;
  ld.smart_path = {Switch::disabled, false, false, false, {}};
  ld.effective_write_cache = cache_on ? EffectiveWriteCache::protected_ : EffectiveWriteCache::none;
  ld.effective_write_cache_reason =
      cache_on ? "caching is on, the module is OK and its capacitor is charged"
               : "caching is off for this drive, so writes wait for the disks";
  ld.io_path = cache_on ? IoPath::cache : IoPath::neither;
  ld.fingerprint = cache_on ? "a41c6e90d2b8" : "07d5f3b19e4c";
  ld.tag = std::string("P420i fw 8.32 | 2 GiB FBWC ok 10/90 | LD1 R1+0 8×SSD strip 256K | cache ") +
           (cache_on ? "on (protected)" : "off") + " | smart path off";
  ld.unique_id = "EXAMPLE0000000000000000000000001";
  ld.device = "/dev/sda";
  ld.mount_points = {"/data"};
  ld.parity_init = ParityInit::complete;
  ld.disk_count = 8;
  a.logical_drives.push_back(ld);
  c.arrays.push_back(a);

  Array b;
  b.letter = "B";
  b.status = "OK";
  b.interface = DriveInterface::sas;
  b.media = Media::hdd;
  b.smart_path = Switch::disabled;
  for (int bay = 1; bay <= 4; ++bay) {
    b.physical_drives.push_back(
        drive("2I:1:" + std::to_string(bay), Media::hdd, "EG0600FBVFP", 600'000'000'000));
  }
  LogicalDrive ld2 = ld;
  ld2.number = 2;
  ld2.label = "example archive";
  ld2.raid = "5";
  ld2.size_bytes = 1676 * gib;
  ld2.device = "/dev/sdb";
  ld2.mount_points = {"/archive"};
  ld2.unique_id = "EXAMPLE0000000000000000000000002";
  ld2.disk_count = 4;
  ld2.fingerprint = "55e0b7c1f928";
  ld2.tag =
      "P420i fw 8.32 | 2 GiB FBWC ok 10/90 | LD2 R5 4×HDD strip 256K | cache on (protected) | "
      "smart path off";
  ld2.caching = Switch::enabled;
  ld2.effective_write_cache = EffectiveWriteCache::protected_;
  ld2.effective_write_cache_reason = "caching is on, the module is OK and its capacitor is charged";
  ld2.io_path = IoPath::cache;
  b.logical_drives.push_back(ld2);
  c.arrays.push_back(b);
  PhysicalDrive spare = drive("2I:1:5", Media::hdd, "EG0600FBVFP", 600'000'000'000);
  spare.role = DriveRole::unassigned;
  c.unassigned_drives = {spare};
  inventory.controllers.push_back(c);
  return inventory;
}

/// A machine without a Smart Array.
inline Inventory laptop() {
  Inventory inventory;
  inventory.taken_at = "2026-01-15T10:00:00Z";
  inventory.sources = {{"ssacli",
                        "absent",
                        "no vendor tool was found: raidscope doctor says how to get one",
                        {},
                        {}},
                       {"sysfs", "ok", {}, {}, 1.0},
                       {"host", "ok", {}, {}, 1.0}};
  inventory.host.product = "Example Laptop";
  inventory.host.os = "Debian GNU/Linux 12";
  BlockDevice nvme;
  nvme.path = "/dev/nvme0n1";
  nvme.model = "Example NVMe 1TB";
  nvme.firmware = "1.0";
  nvme.transport = "nvme";
  nvme.size_bytes = 1'000'204'886'016;
  nvme.media = Media::ssd;
  nvme.effective_write_cache = EffectiveWriteCache::volatile_;
  nvme.mount_points = {"/", "/boot"};
  nvme.block_device.scheduler = "none";
  BlockDevice stick;
  stick.path = "/dev/sda";
  inventory.block_devices = {nvme, stick};
  return inventory;
}

struct Point {
  std::string name;
  Pattern pattern = Pattern::random;
  std::uint64_t block = 8192;
  int read_percent = 100;
  double iops = 10000;
};

/// One run with everything filled that a report shows. `number` makes its id and its wobble.
inline RunResult run(const Inventory& inventory, const Point& point, int number,
                     const std::string& session = "s1sample00001") {
  RunResult r;
  r.run_id = "1sample" + std::to_string(10000 + number);
  r.session_id = session;
  r.name = point.name;
  const auto stamp = [number](int seconds) {
    const int minute = number % 60;
    return "2026-01-15T10:" + std::string(minute < 10 ? "0" : "") + std::to_string(minute) + ":" +
           std::string(seconds < 10 ? "0" : "") + std::to_string(seconds) + "Z";
  };
  r.started_at = stamp(5);
  r.ended_at = stamp(35);
  Workload& w = r.workload;
  w.name = point.name;
  w.targets = {"/data/test.dat"};
  w.pattern = point.pattern;
  w.block_bytes = {point.block};
  w.read_percent = point.read_percent;
  w.workers = 2;
  w.queue_depth_per_worker = 32;
  w.outstanding_total = 64;
  w.area_bytes = 16ULL << 30;
  w.duration_s = 30;
  w.ramp_s = 5;
  w.seed = static_cast<std::uint64_t>(number) + 1;
  w.source = "-kR -s30 -frandom -o32 -b8 -BN -LS -t2";
  r.target = {"/data/test.dat", "file", 16ULL << 30, {"ext4", "/dev/sda1", "/dev/sda"}, "0", 1};
  r.engine = {"io_uring", "liburing 2.3, kernel 6.1", true, "the device's counters grew with ours",
              "default"};
  if (const auto drives = all_logical_drives(inventory); !drives.empty()) {
    r.inventory_before = SnapshotRef{snapshot_id(inventory), drives.front().drive->fingerprint,
                                     drives.front().drive->tag};
    r.inventory_after = r.inventory_before;
    r.config_changed = false;
  }
  r.iops = point.iops;
  r.bytes_per_s = point.iops * static_cast<double>(point.block);
  const double mean = 64e6 / point.iops;
  r.latency_us = {mean * 0.2, mean,     mean * 0.5, mean * 0.9, mean * 1.6,
                  mean * 2.1, mean * 4, mean * 9.5, mean * 22,  mean * 40};
  const double reads = point.read_percent / 100.0;
  r.read = {static_cast<std::uint64_t>(point.iops * 30 * reads), point.iops * reads,
            r.bytes_per_s * reads, reads > 0 ? r.latency_us : LatencySummary{}};
  r.write = {static_cast<std::uint64_t>(point.iops * 30 * (1 - reads)), point.iops * (1 - reads),
             r.bytes_per_s * (1 - reads), reads < 1 ? r.latency_us : LatencySummary{}};
  for (int second = 1; second <= 30; ++second) {
    const double wobble =
        1 + 0.04 * std::sin(second * 0.9 + number) + (second < 4 ? 0.25 / second : 0);
    SeriesPoint s;
    s.t = second;
    s.iops = point.iops * wobble;
    s.ios = static_cast<std::uint64_t>(s.iops);
    s.bytes_per_s = s.iops * static_cast<double>(point.block);
    s.mean_us = mean / wobble;
    s.p99_us = mean * 4 / wobble;
    r.series.push_back(s);
  }
  r.steady_state = {true, 15.0, 1.2, 4.1};
  r.checks = {true, {}, 0.6, 63.7, 200000.0, "controller's processor (test data)"};
  r.cpu = {2.1, 7.9, 3.4};
  return r;
}

inline Finding finding(std::string rule, Severity severity) {
  Finding f;
  f.rule = std::move(rule);
  f.severity = severity;
  f.subject = {"0", "A", 1, {}};
  f.evidence = "Caching: Disabled, Smart Path: disable, Cache Status: OK";
  f.why = "Smart Path was turned off and nobody enabled the cache: every I/O goes to the disks";
  f.fix = {"ssacli ctrl slot=0 ld 1 modify caching=enable"};
  f.affects = "this logical drive only";
  f.source = "S2, CMDS";
  return f;
}

/// Two sessions, cache off then on, three points with repeats, and one run with every doubt.
inline ReportInput report() {
  ReportInput input;
  input.made_at = "2026-01-15T12:00:00Z";
  input.program_version = "0.1.0";
  const Inventory off = server(false), on = server(true);
  input.snapshots = {{snapshot_id(off), off}, {snapshot_id(on), on}};
  const Point points[] = {{"random read 8K", Pattern::random, 8192, 100, 41200},
                          {"random write 8K", Pattern::random, 8192, 0, 9800},
                          {"sequential write 64K", Pattern::sequential, 65536, 0, 3150}};
  int number = 1;
  for (const bool cache_on : {false, true}) {
    for (Point point : points) {
      for (int repeat = 0; repeat < 2; ++repeat) {
        Point p = point;
        if (cache_on && p.read_percent == 0) p.iops *= 3.1;
        p.iops *= 1 + 0.02 * repeat;
        RunResult r =
            run(cache_on ? on : off, p, number++, cache_on ? "s1sample00002" : "s1sample00001");
        if (!cache_on)
          r.audit = {finding("C09", Severity::error), finding("C07", Severity::warning)};
        input.runs.push_back(r);
      }
    }
  }
  RunResult& doubtful = input.runs.back();
  doubtful.config_changed = true;
  doubtful.changes = {"P420i slot 0 / cache / status: ok -> temporarily_disabled"};
  doubtful.inventory_after->fingerprint = "c0ffee123456";
  doubtful.interrupted = true;
  doubtful.steady_state.reached = false;
  doubtful.checks.suspicions = {"the test file is sparse: 40 % of it has no blocks"};
  return input;
}

}  // namespace raidscope::sample
