// The rules that need a planned test: each holds, does not, and lacks its fact.
#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint64_t gib = 1ULL << 30U;

/// A test that no rule finds fault with, on the drive of the healthy machine.
PlannedTest good_test() {
  PlannedTest out;
  out.target = "/data/test.dat";
  out.slot = "0";
  out.drive = 1;
  out.block_bytes = {4096};
  out.area_bytes = 100 * gib;
  out.outstanding = 64;
  out.largest_outstanding = 64;
  out.duration_s = 300;
  out.repeats = 6;
  out.same_sequence = false;
  out.preconditioned = true;
  out.in_blocks = false;
  out.rest_s = 60;
  out.sparse = false;
  out.compressible = false;
  out.layers = std::vector<std::string>{};
  out.mount_options = "rw,relatime";
  out.processes = std::vector<std::string>{"systemd", "bash"};
  out.foreign_io = "";
  return out;
}

/// The healthy machine with its host and the kernel's view of the drive.
Inventory whole_machine() {
  Inventory out = healthy();
  out.host.kernel = "6.1.0";
  out.host.memory_bytes = 64LL << 30;
  out.host.cpu_governor = "performance";
  out.host.cpu_idle_exit_us = 10;
  out.host.numa_nodes = 1;
  Controller& controller = out.controllers[0];
  controller.cache.ratio = Ratio{0, 100};
  LogicalDrive& drive = controller.arrays[0].logical_drives[0];
  drive.device = "/dev/sda";
  drive.size_bytes = 400LL << 30;
  drive.full_stripe_bytes = 1024 * 1024;
  drive.effective_write_cache = EffectiveWriteCache::protected_;
  drive.block_device.emplace();
  drive.block_device->scheduler = "none";
  drive.block_device->rotational = false;
  drive.block_device->nr_requests = 512;
  drive.block_device->queue_depth = 1013;
  drive.block_device->read_ahead_kb = 128;
  drive.block_device->numa_node = 0;
  return out;
}

struct Case {
  const char* rule;
  Severity severity;
  void (*spoil)(Inventory& inventory, LogicalDrive& drive, PlannedTest& test);
  const char* evidence;
};

void on_smart_path(Inventory& inventory, LogicalDrive& drive) {
  inventory.controllers[0].arrays[0].smart_path = Switch::enabled;
  drive.caching = Switch::disabled;
  drive.acceleration = Acceleration::smart_path;
}

const Case cases[] = {
    {"C07", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest&) {
       i.controllers[0].cache.ratio = Ratio{10, 90};
     },
     "10% Read / 90% Write"},
    {"C16", Severity::info, [](Inventory&, LogicalDrive&, PlannedTest& t) { t.read_percent = 0; },
     "Caching: Enabled"},
    {"C17", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest& t) {
       i.controllers[0].cache.write_bypass_threshold_bytes = 1040 * 1024;
       t.block_bytes = {4096, 2 << 20};
       t.read_percent = 0;
     },
     "1040 KiB"},
    {"C19", Severity::error,
     [](Inventory&, LogicalDrive& d, PlannedTest&) {
       d.extra.items.emplace_back("Caching Association", "logicaldrive 2");
     },
     "logicaldrive 2"},
    {"C20", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest& t) {
       Controller other = healthy_controller();
       other.slot = "3";
       other.cache.size_bytes = 1LL << 30;
       i.controllers.push_back(other);
       t.compared_slots = {"3"};
     },
     "1.00 GiB in slot 3"},
    {"S02", Severity::warning,
     [](Inventory& i, LogicalDrive& d, PlannedTest& t) {
       on_smart_path(i, d);
       t.read_percent = 67;
     },
     "33 % writes"},
    {"S04", Severity::info,
     [](Inventory& i, LogicalDrive& d, PlannedTest&) {
       d.disk_count = 20;
       Array& array = i.controllers[0].arrays[0];
       for (int bay = 9; bay <= 20; ++bay)
         array.physical_drives.push_back(ssd("2I:1:" + std::to_string(bay)));
     },
     "20 solid-state drives"},
    {"S10", Severity::warning,
     [](Inventory& i, LogicalDrive& d, PlannedTest& t) {
       on_smart_path(i, d);
       t.block_bytes = {512 * 1024};
     },
     "100 % of the requests"},
    {"S11", Severity::warning,
     [](Inventory& i, LogicalDrive& d, PlannedTest& t) {
       on_smart_path(i, d);
       d.block_device->queue_depth = 8 * 32;
       t.outstanding = 512;
     },
     "272 wait"},
    {"O14", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.partition_start_bytes = 63 * 512; },
     "32256"},
    {"O01", Severity::warning,
     [](Inventory&, LogicalDrive& d, PlannedTest&) { d.block_device->scheduler = "bfq"; }, "bfq"},
    {"O02", Severity::warning,
     [](Inventory&, LogicalDrive& d, PlannedTest&) { d.block_device->rotational = true; },
     "rotational"},
    {"O03", Severity::warning, [](Inventory&, LogicalDrive&, PlannedTest& t) { t.direct = false; },
     "128 KiB"},
    {"O04", Severity::error,
     [](Inventory&, LogicalDrive& d, PlannedTest&) { d.block_device->queue_depth = 28; },
     "queue_depth 28"},
    {"O06", Severity::block,
     [](Inventory&, LogicalDrive& d, PlannedTest& t) {
       d.effective_write_cache = EffectiveWriteCache::volatile_;
       t.mount_options = "rw,nobarrier";
     },
     "nobarrier"},
    {"O07", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest&) { i.host.cpu_governor = "powersave"; },
     "powersave"},
    {"O08", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest& t) {
       i.host.cpu_idle_exit_us = 133;
       t.outstanding = 1;
     },
     "133"},
    {"O09", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest&) { i.host.hypervisor = "kvm"; }, "kvm"},
    {"O10", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest&) { i.host.numa_nodes = 2; }, "node 0 of 2"},
    {"O11", Severity::error,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.foreign_io = "120 requests/s on /dev/sda"; },
     "120 requests/s"},
    {"O12", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.processes->push_back("ssacli"); }, "ssacli"},
    {"O13", Severity::block,
     [](Inventory&, LogicalDrive& d, PlannedTest& t) {
       d.mount_points = {"/srv"};
       t.writes_raw_device = true;
     },
     "/srv"},
    {"O15", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.layers->push_back("/dev/dm-0 (LVM a-b)"); },
     "LVM a-b"},
    {"O16", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.processes->push_back("clamd"); }, "clamd"},
    {"O17", Severity::error,
     [](Inventory&, LogicalDrive&, PlannedTest& t) {
       t.direct = false;
       t.area_bytes = 8 * gib;
     },
     "8192 MiB"},
    {"W01", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.area_bytes = 4 * gib; }, "2.0 times"},
    {"W01", Severity::error,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.area_bytes = 2 * gib; }, "1.0 times"},
    {"W02", Severity::error, [](Inventory&, LogicalDrive&, PlannedTest& t) { t.sparse = true; },
     "holes"},
    {"W03", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.compressible = true; }, "compresses"},
    {"W04", Severity::error,
     [](Inventory&, LogicalDrive&, PlannedTest& t) {
       t.read_percent = 50;
       t.duration_s = 59;
     },
     "59 s"},
    {"W05", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) {
       t.read_percent = 0;
       t.preconditioned = false;
     },
     "without preconditioning"},
    {"W07", Severity::warning, [](Inventory&, LogicalDrive&, PlannedTest& t) { t.repeats = 4; },
     "4 rounds"},
    {"W08", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.in_blocks = true; },
     "all rounds of one point"},
    {"W09", Severity::warning, [](Inventory&, LogicalDrive&, PlannedTest& t) { t.rest_s = 30; },
     "rest for 30 s"},
    {"W10", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.largest_outstanding = 31; },
     "at most 31 outstanding for 8"},
    {"W14", Severity::warning,
     [](Inventory&, LogicalDrive&, PlannedTest& t) { t.same_sequence = true; }, "same offsets"},
    {"W15", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest&) {
       Array& array = i.controllers[0].arrays[0];
       array.media = Media::hdd;
       for (PhysicalDrive& disk : array.physical_drives) disk.media = Media::hdd;
     },
     "25.0 %"},
    {"W16", Severity::info,
     [](Inventory& i, LogicalDrive&, PlannedTest&) { i.controllers[0].cache.ratio.reset(); },
     "cache ratio"},
    {"W18", Severity::warning,
     [](Inventory& i, LogicalDrive&, PlannedTest& t) {
       i.controllers[0].settings.surface_scan_delay_s = 3;
       t.paced = true;
     },
     "Idle"},
};

TEST(PlannedTests, EachRuleHoldsWhereItShouldAndNowhereElse) {
  const AuditReport good = audit(whole_machine(), good_test());
  for (const Case& one : cases) {
    Inventory inventory = whole_machine();
    PlannedTest test = good_test();
    one.spoil(inventory, inventory.controllers[0].arrays[0].logical_drives[0], test);
    const AuditReport report = audit(inventory, test);
    ASSERT_THAT(findings_of(report, one.rule), SizeIs(1)) << one.rule;
    const Finding found = findings_of(report, one.rule)[0];
    EXPECT_EQ(found.severity, one.severity) << one.rule;
    EXPECT_THAT(found.evidence, HasSubstr(one.evidence)) << one.rule;
    EXPECT_THAT(found.fix, ::testing::Not(IsEmpty())) << one.rule;
    EXPECT_THAT(findings_of(good, one.rule), IsEmpty()) << one.rule;
    EXPECT_THAT(missing_of(good, one.rule), IsEmpty()) << one.rule;
    // Without a test they have nothing to say.
    const AuditReport alone = audited(inventory);
    EXPECT_THAT(findings_of(alone, one.rule), IsEmpty()) << one.rule;
    EXPECT_THAT(missing_of(alone, one.rule), IsEmpty()) << one.rule;
  }
}

TEST(PlannedTests, WhatTheyNeedAndNobodyToldIsMissing) {
  const auto missing = [](auto forget, const char* rule) {
    Inventory inventory = whole_machine();
    PlannedTest test = good_test();
    forget(inventory, inventory.controllers[0].arrays[0].logical_drives[0], test);
    return missing_of(audit(inventory, test), rule);
  };
  using I = Inventory;
  using D = LogicalDrive;
  using T = PlannedTest;
  EXPECT_THAT(missing([](I& i, D&, T&) { i.controllers[0].cache.ratio.reset(); }, "C07"),
              SizeIs(1));
  EXPECT_THAT(missing([](I&, D&, T& t) { t.area_bytes = 0; }, "W01"),
              ElementsAre(HasSubstr("size of the test area")));
  EXPECT_THAT(missing([](I& i, D&, T&) { i.controllers[0].cache.size_bytes.reset(); }, "W01"),
              ElementsAre(HasSubstr("usable cache size")));
  EXPECT_THAT(missing([](I&, D& d, T&) { d.block_device->scheduler.reset(); }, "O01"),
              ElementsAre(HasSubstr("I/O scheduler")));
  EXPECT_THAT(missing(
                  [](I& i, D& d, T& t) {
                    on_smart_path(i, d);
                    d.block_device->queue_depth.reset();
                    t.outstanding = 64;
                  },
                  "S11"),
              ElementsAre(HasSubstr("queue depth")));
  EXPECT_THAT(missing(
                  [](I& i, D& d, T&) {
                    on_smart_path(i, d);
                    d.strip_bytes.reset();
                  },
                  "S10"),
              ElementsAre(HasSubstr("strip size")));
}

TEST(PlannedTests, OnlyAFullCacheNeedsRest) {
  Inventory inventory = whole_machine();
  LogicalDrive& drive = inventory.controllers[0].arrays[0].logical_drives[0];
  PlannedTest test = good_test();
  test.rest_s = 0;
  drive.effective_write_cache = EffectiveWriteCache::none;
  EXPECT_THAT(findings_of(audit(inventory, test), "W09"), IsEmpty());
  EXPECT_THAT(missing_of(audit(inventory, test), "W09"), IsEmpty());
  drive.effective_write_cache = EffectiveWriteCache::unknown;
  EXPECT_THAT(findings_of(audit(inventory, test), "W09"), IsEmpty());
  EXPECT_THAT(missing_of(audit(inventory, test), "W09"),
              ElementsAre(HasSubstr("effective write cache")));
  drive.effective_write_cache = EffectiveWriteCache::volatile_;
  EXPECT_THAT(findings_of(audit(inventory, test), "W09"), SizeIs(1));
  test.rest_s.reset();  // nothing wrote before
  EXPECT_THAT(findings_of(audit(inventory, test), "W09"), IsEmpty());
}

TEST(PlannedTests, ATextFromElsewhereTellsNoHost) {
  Inventory inventory = healthy();
  const AuditReport report = audit(inventory, good_test());
  for (const NotEvaluated& gap : report.not_evaluated) EXPECT_NE(gap.rule[0], 'O') << gap.rule;
}

TEST(PlannedTests, CrossingsAreCountedAtTheirShare) {
  Inventory inventory = whole_machine();
  LogicalDrive& drive = inventory.controllers[0].arrays[0].logical_drives[0];
  on_smart_path(inventory, drive);
  PlannedTest test = good_test();
  // Of the 512 sector offsets in a strip of 256 KiB, the last 7 make 4 KiB cross.
  test.alignment_bytes = 512;
  const auto found = findings_of(audit(inventory, test), "S10");
  ASSERT_THAT(found, SizeIs(1));
  EXPECT_THAT(found[0].evidence, HasSubstr("1 % of the requests of 4096 bytes"));
  test.alignment_bytes = 4096;
  EXPECT_THAT(findings_of(audit(inventory, test), "S10"), IsEmpty());
  test.partition_start_bytes = 63 * 512;
  EXPECT_THAT(findings_of(audit(inventory, test), "S10"), SizeIs(1));
}

TEST(PlannedTests, OnADiskOfTheKernelsOwn) {
  Inventory inventory = whole_machine();
  inventory.controllers.clear();
  BlockDevice disk;
  disk.path = "/dev/nvme0n1";
  disk.media = Media::ssd;
  disk.block_device.scheduler = "bfq";
  disk.block_device.rotational = false;
  disk.block_device.nr_requests = 32;
  inventory.block_devices = {disk};
  PlannedTest test = good_test();
  test.slot.reset();
  test.drive.reset();
  test.device = "/dev/nvme0n1";
  const AuditReport report = audit(inventory, test);
  EXPECT_THAT(findings_of(report, "O01"), SizeIs(1));
  EXPECT_THAT(findings_of(report, "O04"), SizeIs(1));
  EXPECT_THAT(findings_of(report, "W01"), IsEmpty());
}

}  // namespace
}  // namespace raidscope::testing
