#include "reports/analysis/decision.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "reports/analysis/bypass_share.h"
#include "reports/text/decision.h"
#include "tests/support/arms.h"

// TEST DATA: made-up numbers on a made-up machine.
namespace raidscope {
namespace {

using sample::arm;
using sample::bypassing;
using sample::cached;
using sample::Runs;

SmartPathDecision decide(const Runs& runs, const DecisionOptions& options = {},
                         const Inventory* present = nullptr) {
  DecisionInput input;
  for (const RunResult& run : runs.runs) input.runs.push_back(&run);
  input.snapshots = &runs.snapshots;
  input.present = present;
  return decide_smart_path(input, options);
}

const DecidedWorkload& only(const SmartPathDecision& decision) {
  static const DecidedWorkload none;
  EXPECT_EQ(decision.workloads.size(), 1U);
  return decision.workloads.empty() ? none : decision.workloads.front();
}

bool says(const std::vector<std::string>& list, std::string_view part) {
  return std::any_of(list.begin(), list.end(),
                     [&](const std::string& text) { return text.find(part) != std::string::npos; });
}

Runs two_arms() {
  return sample::in_turn(cached(), {40000, 41000, 40500, 40200}, bypassing(),
                         {30000, 30900, 30300, 30100});
}

TEST(SmartPathArm, IsReadFromTheInventory) {
  const auto of = [](const Inventory& inventory) {
    return arm_of(all_logical_drives(inventory).front());
  };
  EXPECT_EQ(of(cached()), SmartPathArm::cache);
  EXPECT_EQ(of(bypassing()), SmartPathArm::smart_path);
  EXPECT_EQ(of(arm(Switch::disabled, Switch::disabled)), SmartPathArm::neither);
  Inventory off = bypassing();
  off.controllers.front().smart_path.driver_enabled = false;
  EXPECT_EQ(of(off), SmartPathArm::driver_off);
  off.controllers.front().driver.name = "smartpqi";
  EXPECT_EQ(of(off), SmartPathArm::smart_path);
  Inventory unknown = cached();
  Array& array = unknown.controllers.front().arrays.front();
  array.smart_path.reset();
  array.logical_drives.front().smart_path = {};
  array.logical_drives.front().acceleration.reset();
  EXPECT_FALSE(of(unknown));
}

TEST(Decision, OneServerWithTwoArms) {
  // The newest run is on Smart Path, so the commands lead away from it.
  const DecidedWorkload d = only(decide(two_arms(), {}));
  ASSERT_EQ(d.points.size(), 1U);
  const DecidedPoint& point = d.points.front();
  EXPECT_EQ(point.disk_count, 8);
  EXPECT_EQ(point.cache->n, 4);
  EXPECT_NEAR(*point.ratio->estimate, *point.smart_path->iops / *point.cache->iops, 1e-12);
  EXPECT_EQ(point.pairs, 4);
  EXPECT_EQ(point.winner, ArmWinner::cache);
  EXPECT_EQ(point.p99_winner, ArmWinner::cache);
  EXPECT_FALSE(point.conditional);
  EXPECT_TRUE(point.in_the_way.empty()) << point.in_the_way.front();
  EXPECT_FALSE(d.crossover);
  EXPECT_EQ(d.answer, ArmWinner::cache);
  EXPECT_NE(d.recommendation.find("controller's cache"), std::string::npos);
  // RAID 1+0 under hpsa: the 67 % of reads and no write; it is said first.
  EXPECT_NEAR(*d.bypass_share, 0.67, 1e-9);
  ASSERT_FALSE(d.because.empty());
  EXPECT_NE(d.because.front().find("67 %"), std::string::npos) << d.because.front();
}

TEST(Decision, CommandsLeadFromTheLatestStateInOrder) {
  const Inventory on = bypassing();
  const DecidedWorkload d = only(decide(two_arms(), {}, &on));
  EXPECT_EQ(d.commands,
            (std::vector<std::string>{"ssacli ctrl slot=0 array A modify ssdsmartpath=disable",
                                      "ssacli ctrl slot=0 ld 1 modify caching=enable"}));
  const Inventory off = cached();
  EXPECT_TRUE(only(decide(two_arms(), {}, &off)).commands.empty());
  const Inventory neither = arm(Switch::disabled, Switch::disabled);
  EXPECT_EQ(only(decide(two_arms(), {}, &neither)).commands,
            std::vector<std::string>{"ssacli ctrl slot=0 ld 1 modify caching=enable"});
  // And the other way round.
  const Runs other =
      sample::in_turn(cached(), {30000, 30900, 30300}, bypassing(), {40000, 41000, 40500});
  EXPECT_EQ(only(decide(other, {}, &off)).commands,
            (std::vector<std::string>{"ssacli ctrl slot=0 ld 1 modify caching=disable",
                                      "ssacli ctrl slot=0 array A modify ssdsmartpath=enable"}));
  Inventory switch_off = on;
  switch_off.controllers.front().smart_path.driver_enabled = false;
  EXPECT_EQ(
      only(decide(other, {}, &switch_off)).commands,
      std::vector<std::string>{"echo 1 > /sys/class/scsi_host/hostN/hp_ssd_smart_path_status"});
}

TEST(Decision, EveryDriveOfTheArrayGetsTheCacheBack) {
  Inventory two = bypassing();
  Array& array = two.controllers.front().arrays.front();
  array.logical_drives.push_back(array.logical_drives.front());
  array.logical_drives.back().number = 2;
  array.logical_drives.back().unique_id = "EXAMPLE0000000000000000000000009";
  EXPECT_EQ(only(decide(two_arms(), {}, &two)).commands,
            (std::vector<std::string>{"ssacli ctrl slot=0 array A modify ssdsmartpath=disable",
                                      "ssacli ctrl slot=0 ld 1 modify caching=enable",
                                      "ssacli ctrl slot=0 ld 2 modify caching=enable"}));
}

TEST(Decision, AFailedBackupStandsInTheWay) {
  Inventory failed = bypassing();
  failed.controllers.front().cache.backup.status = BackupStatus::failed;
  failed.controllers.front().cache.backup.status_text = "Failed (Replace Batteries/Capacitors)";
  const DecidedWorkload d = only(decide(two_arms(), {}, &failed));
  EXPECT_EQ(d.answer, ArmWinner::cache);
  EXPECT_TRUE(d.commands.empty());
  EXPECT_TRUE(says(d.in_the_way, "C12"));
  EXPECT_TRUE(says(d.because, "no commands"));
}

/// The second study's shape: cache ahead of Smart Path on few disks.
Runs sweep(const std::vector<int>& disks, double at_one, int pairs = 4) {
  Runs out;
  int minute = 0;
  for (const int count : disks) {
    std::vector<double> cache, smart_path;
    for (int pair = 0; pair < pairs; ++pair) {
      const double wobble = 1 + 0.01 * ((pair * 7 + count) % 3 - 1);
      cache.push_back(60000);
      smart_path.push_back(60000 * wobble * std::pow(count / at_one, 0.8));
    }
    sample::add_in_turn(out, cached(count), cache, bypassing(count), smart_path, minute);
    minute += 2 * pairs;
  }
  for (std::size_t i = 0; i < out.runs.size(); ++i) {
    char stamp[40];
    std::snprintf(stamp, sizeof stamp, "2026-01-15T%02zu:%02zu:00Z", i / 60, i % 60);
    out.runs[i].started_at = stamp;
  }
  return out;
}

TEST(Decision, AFindingThatTheCommandsMendIsNoReasonAgainstThem) {
  // Smart Path on hard disks is S03, and it goes with Smart Path.
  Inventory on = bypassing();
  Array& array = on.controllers.front().arrays.front();
  array.media = Media::hdd;
  for (PhysicalDrive& drive : array.physical_drives) drive.media = Media::hdd;
  const SmartPathDecision decision = decide(two_arms(), {}, &on);
  const DecidedWorkload& d = only(decision);
  ASSERT_EQ(d.answer, ArmWinner::cache);
  EXPECT_TRUE(says(d.mended, "S03 (error)"));
  EXPECT_FALSE(says(d.in_the_way, "S03"));
  EXPECT_NE(decision_text(decision, {}).find("S03"), std::string::npos);
  // Turned on, it would be there, and nothing is mended.
  const Runs other =
      sample::in_turn(cached(), {30000, 30900, 30300}, bypassing(), {40000, 41000, 40500});
  EXPECT_TRUE(only(decide(other, {}, &on)).mended.empty());
  EXPECT_TRUE(says(only(decide(other, {}, &on)).in_the_way, "S03"));
}

TEST(Decision, ASweepHasACrossover) {
  const DecidedWorkload d = only(decide(sweep({4, 8, 16, 20, 24}, 18)));
  ASSERT_EQ(d.points.size(), 5U);
  EXPECT_EQ(d.points.front().winner, ArmWinner::cache);
  EXPECT_EQ(d.points.back().winner, ArmWinner::smart_path);
  ASSERT_TRUE(d.crossover);
  EXPECT_LE(*d.crossover->low, 18.1);
  EXPECT_GE(*d.crossover->high, 17.9);
  EXPECT_GT(*d.crossover->low, 16);
  EXPECT_LT(*d.crossover->high, 20);
  EXPECT_TRUE(says(d.because, "the two cross between"));
  double last = 0;
  for (const DecidedPoint& point : d.points) {
    ASSERT_TRUE(point.fitted_ratio);
    EXPECT_GE(*point.fitted_ratio, last);
    last = *point.fitted_ratio;
  }
}

TEST(Decision, BetweenMeasuredCountsTheCrossoverDecides) {
  const Inventory present = cached(12);
  const DecidedWorkload d = only(decide(sweep({4, 8, 16, 20, 24}, 18), {}, &present));
  EXPECT_EQ(d.disk_count, 12);
  EXPECT_EQ(d.answer, ArmWinner::cache);
  EXPECT_TRUE(says(d.because, "for 12 disks the crossover decides"));
  EXPECT_TRUE(d.commands.empty());
}

TEST(Decision, ARatioThatFallsWithTheDisksHasNoCrossover) {
  Runs runs;
  int minute = 0;
  for (const int disks : {4, 8, 16}) {
    const double factor = disks == 4 ? 1.5 : disks == 8 ? 0.8 : 0.5;
    sample::add_in_turn(runs, cached(disks), {40000, 40100, 40200, 40300}, bypassing(disks),
                        {40000 * factor, 40100 * factor, 40210 * factor, 40290 * factor}, minute);
    minute += 8;
  }
  const DecidedWorkload d = only(decide(runs));
  EXPECT_FALSE(d.crossover);
  EXPECT_TRUE(says(d.because, "does not simply gain with more disks"));
}

TEST(Decision, NoCrossoverWhereMoreThanTheDisksDiffered) {
  Runs runs;
  int minute = 0;
  for (const int disks : {4, 24}) {
    Inventory a = cached(disks), b = bypassing(disks);
    if (disks == 24) a.controllers.front().firmware = b.controllers.front().firmware = "6.00";
    const double factor = disks == 4 ? 0.5 : 1.5;
    sample::add_in_turn(runs, a, {40000, 40100, 40200}, b,
                        {40000 * factor, 40110 * factor, 40190 * factor}, minute);
    minute += 6;
  }
  const DecidedWorkload d = only(decide(runs));
  EXPECT_FALSE(d.crossover);
  EXPECT_TRUE(says(d.because, "beside the number of disks there differed firmware"));
  EXPECT_EQ(d.points.front().winner, ArmWinner::cache) << "each number of disks stands for itself";
  DecisionOptions allow;
  allow.allowed = {"firmware"};
  EXPECT_TRUE(only(decide(runs, allow)).crossover);
}

TEST(Decision, TwoMachinesSetUpAlikeAreOneAndAreTold) {
  Inventory other = bypassing();
  other.controllers.front().serial = "EXAMPLE-OTHER";
  const Runs runs = sample::in_turn(cached(), {40000, 41000, 40500}, other, {30000, 30900, 30300});
  const DecidedWorkload d = only(decide(runs));
  EXPECT_EQ(d.points.front().winner, ArmWinner::cache);
  EXPECT_TRUE(says(d.because, "two controllers"));
}

TEST(Decision, NoCrossoverInWhatWasMeasured) {
  const DecidedWorkload d = only(decide(sweep({4, 6, 8}, 18)));
  EXPECT_FALSE(d.crossover);
  EXPECT_TRUE(says(d.because, "no crossover up to 8 disks"));
}

TEST(Decision, SettingsThatDifferForbidAWinner) {
  Inventory other = bypassing();
  other.controllers.front().firmware = "6.00";
  const Runs runs = sample::in_turn(cached(), {40000, 41000, 40500}, other, {30000, 30900, 30300});
  const DecidedWorkload d = only(decide(runs));
  EXPECT_EQ(d.points.front().winner, ArmWinner::undecided);
  EXPECT_TRUE(says(d.points.front().in_the_way, "firmware"));
  EXPECT_EQ(d.answer, ArmWinner::undecided);
  EXPECT_TRUE(d.commands.empty());
  DecisionOptions allow;
  allow.allowed = {"firmware"};
  EXPECT_EQ(only(decide(runs, allow)).points.front().winner, ArmWinner::cache);
}

TEST(Decision, OriginsAreNeverMixed) {
  Runs runs = two_arms();
  for (std::size_t i = 0; i < runs.runs.size(); i += 2) runs.runs[i].origin = Origin::simulated;
  EXPECT_EQ(decide(runs).workloads.size(), 2U);
}

TEST(Decision, ThroughputAndTailMayDisagree) {
  Runs runs = two_arms();
  for (RunResult& run : runs.runs)
    run.latency_us.p99 = run.iops > 35000 ? 9000 : 2000 + run.iops / 100;
  for (std::size_t i = 0; i < runs.runs.size(); ++i)
    *runs.runs[i].latency_us.p99 += static_cast<double>(i);
  const DecidedWorkload d = only(decide(runs));
  EXPECT_EQ(d.points.front().winner, ArmWinner::cache);
  EXPECT_EQ(d.points.front().p99_winner, ArmWinner::smart_path);
  EXPECT_TRUE(says(d.because, "disagree"));
}

TEST(Decision, SingleResultsAreUndecided) {
  const Runs runs = sample::in_turn(cached(), {40000}, bypassing(), {30000});
  const SmartPathDecision decision = decide(runs);
  EXPECT_EQ(only(decision).points.front().winner, ArmWinner::undecided);
  EXPECT_TRUE(says(decision.missing, "6 pairs"));
}

TEST(Decision, AnArmThatIsMissingIsNamed) {
  Runs runs;
  runs.add(cached(), 40000, 0);
  const SmartPathDecision decision = decide(runs);
  EXPECT_FALSE(only(decision).points.front().ratio);
  EXPECT_TRUE(says(decision.missing, "the arm smart_path is not measured"));
  EXPECT_TRUE(says(decision.missing, "ssdsmartpath=enable"));
}

TEST(Decision, PricesGiveAPriceForAThousandIops) {
  DecisionOptions options;
  options.prices = {{{"", 300}}, {{"", 450}}, {{"", 200}}};
  const DecidedPoint point = only(decide(two_arms(), options)).points.front();
  EXPECT_NEAR(*point.cache->price_per_kiops, (8 * 300 + 450 + 200) / (*point.cache->iops / 1000),
              1e-9);
  EXPECT_NEAR(*point.smart_path->price_per_kiops,
              (8 * 300 + 200) / (*point.smart_path->iops / 1000), 1e-9);
  EXPECT_FALSE(only(decide(two_arms())).points.front().cache->price_per_kiops);
}

DecisionInput nothing_measured(const Inventory& inventory, int read_percent = 67) {
  static const std::map<std::string, Inventory> none;
  DecisionInput input;
  input.snapshots = &none;
  input.present = &inventory;
  Workload workload;
  workload.read_percent = read_percent;
  workload.workers = 8;
  workload.queue_depth_per_worker = 64;
  workload.outstanding_total = 512;
  workload.area_bytes = 4ULL << 30;
  input.planned = {workload};
  return input;
}

TEST(Decision, NothingMeasuredSaysWhatToMeasure) {
  const Inventory inventory = bypassing();
  const SmartPathDecision decision = decide_smart_path(nothing_measured(inventory), {});
  const DecidedWorkload& d = only(decision);
  EXPECT_EQ(d.answer, ArmWinner::undecided);
  EXPECT_TRUE(d.points.empty());
  EXPECT_TRUE(d.commands.empty());
  EXPECT_NEAR(*d.bypass_share, 0.67, 1e-9);
  EXPECT_TRUE(says(d.because, "the one published sweep"));
  EXPECT_TRUE(says(d.because, "no rule for another machine"));
  EXPECT_TRUE(says(decision.missing, "6 pairs"));
  EXPECT_TRUE(says(decision.missing, "1 h 24 min"));
  EXPECT_TRUE(says(decision.missing, "--read-percent 67"));
  EXPECT_TRUE(says(decision.missing, "ten times the usable cache"));
}

TEST(Decision, RulesAloneSettleAWorkloadThatOnlyWrites) {
  const Inventory inventory = bypassing();
  const SmartPathDecision decision = decide_smart_path(nothing_measured(inventory, 0), {});
  const DecidedWorkload& d = only(decision);
  EXPECT_EQ(d.bypass_share, 0);
  EXPECT_EQ(d.answer, ArmWinner::cache);
  EXPECT_EQ(d.commands.size(), 2U);
}

TEST(Decision, AControllerWithoutSmartPathHasNothingToDecide) {
  Inventory old = cached();
  Controller& controller = old.controllers.front();
  controller.model = "P410i";
  controller.generation = "G6";
  controller.smart_path = {false, true, {}};
  const DecidedWorkload d = only(decide_smart_path(nothing_measured(old), {}));
  EXPECT_EQ(d.bypass_share, 0);
  EXPECT_TRUE(says(d.because, "cannot do SSD Smart Path"));
  EXPECT_TRUE(d.commands.empty());
}

TEST(Decision, ALaptopHasNothingToDecide) {
  const Inventory laptop = sample::laptop();
  const SmartPathDecision decision = decide_smart_path(nothing_measured(laptop), {});
  EXPECT_TRUE(decision.workloads.empty());
  EXPECT_TRUE(says(decision.missing, "no Smart Array"));
  EXPECT_NE(decision_text(decision, {}).find("Nothing to decide"), std::string::npos);
}

BypassShare share_of(const Workload& workload, const Inventory& inventory) {
  return bypass_share(workload, all_logical_drives(inventory).front());
}

Workload requests(std::uint64_t block, int read_percent, std::uint64_t alignment = 0) {
  Workload w;
  w.block_bytes = {block};
  w.read_percent = read_percent;
  w.alignment_bytes = alignment;
  return w;
}

TEST(BypassShare, ByTheRulesOfHpsa) {
  Inventory inventory = bypassing();  // RAID 1+0, strip 256 KiB
  LogicalDrive& drive = inventory.controllers.front().arrays.front().logical_drives.front();
  EXPECT_EQ(share_of(requests(4096, 100), inventory).by_rule, 1);
  EXPECT_EQ(share_of(requests(4096, 0), inventory).by_rule, 0);
  // Requests longer than a strip never.
  EXPECT_EQ(share_of(requests(1 << 20, 100), inventory).by_rule, 0);
  EXPECT_EQ(share_of(requests(256 << 10, 100), inventory).by_rule, 1);
  // Sector-aligned: 512 positions in a strip, of which the last 7 cross.
  EXPECT_NEAR(*share_of(requests(4096, 100, 512), inventory).by_rule, 505.0 / 512, 1e-12);
  drive.raid = "0";
  EXPECT_EQ(share_of(requests(4096, 0), inventory).by_rule, 1);
  EXPECT_NEAR(*share_of(requests(4096, 50), inventory).by_rule, 1, 1e-12);
  for (const char* level : {"5", "50", "6", "60", "1", "1adm", "10adm"}) {
    drive.raid = level;
    EXPECT_NEAR(*share_of(requests(4096, 67), inventory).by_rule, 0.67, 1e-12) << level;
  }
  Workload mix;
  mix.mix = {{.percent = 70, .block_bytes = 4096, .read_percent = 50},
             {.percent = 30, .block_bytes = 1 << 20, .read_percent = 100}};
  EXPECT_NEAR(*share_of(mix, inventory).by_rule, 0.35, 1e-12);
}

TEST(BypassShare, UnknownIsNullWithTheReason) {
  Inventory inventory = bypassing();
  Controller& controller = inventory.controllers.front();
  LogicalDrive& drive = controller.arrays.front().logical_drives.front();
  drive.strip_bytes.reset();
  EXPECT_FALSE(share_of(requests(4096, 100), inventory).by_rule);
  EXPECT_NE(share_of(requests(4096, 100), inventory).why.find("strip"), std::string::npos);
  EXPECT_EQ(share_of(requests(4096, 0), inventory).by_rule, 0)
      << "writes never, whatever the strip";
  drive.strip_bytes = 262144;
  drive.raid.reset();
  EXPECT_FALSE(share_of(requests(4096, 100), inventory).by_rule);
  drive.raid_candidates = {"5", "50"};
  EXPECT_EQ(share_of(requests(4096, 100), inventory).by_rule, 1);
  drive.raid = "1+0";
  controller.driver.name = "megaraid_sas";
  EXPECT_FALSE(share_of(requests(4096, 100), inventory).by_rule);
  EXPECT_FALSE(bypass_share(requests(4096, 100), {}).by_rule);
}

TEST(BypassShare, SmartpqiHasSwitches) {
  Inventory inventory = bypassing();
  Controller& controller = inventory.controllers.front();
  LogicalDrive& drive = controller.arrays.front().logical_drives.front();
  controller.driver.name = "smartpqi";
  EXPECT_EQ(share_of(requests(4096, 100), inventory).by_rule, 1);
  EXPECT_FALSE(share_of(requests(4096, 50), inventory).by_rule) << "no switch shows RAID 1";
  drive.raid = "5";
  EXPECT_FALSE(share_of(requests(4096, 50), inventory).by_rule);
  controller.extra.items = {{"enable_r5_writes", "1"}, {"enable_r6_writes", "0"}};
  EXPECT_NEAR(*share_of(requests(4096, 50), inventory).by_rule, 1, 1e-12);
  drive.raid = "6";
  EXPECT_NEAR(*share_of(requests(4096, 50), inventory).by_rule, 0.5, 1e-12);
  EXPECT_FALSE(share_of(requests(4096, 50), inventory).capped);
}

TEST(BypassShare, TheDrivesQueuesCapIt) {
  Inventory inventory = bypassing(8);
  LogicalDrive& drive = inventory.controllers.front().arrays.front().logical_drives.front();
  Workload w = requests(4096, 67);
  w.workers = 8;
  w.queue_depth_per_worker = 64;
  w.outstanding_total = 512;
  EXPECT_FALSE(share_of(w, inventory).capped) << "queue depth unknown";
  drive.block_device = BlockSettings{};
  drive.block_device->queue_depth = 8 * 32;
  // 8 drives take 30 each: 240 of 512.
  EXPECT_NEAR(*share_of(w, inventory).capped, 240.0 / 512, 1e-12);
  EXPECT_NEAR(*share_of(w, inventory).by_rule, 0.67, 1e-12);
  w.workers = 1;
  w.queue_depth_per_worker = 4;
  w.outstanding_total = 4;
  EXPECT_NEAR(*share_of(w, inventory).capped, 0.67, 1e-12);
  // While Smart Path is off the depth is the controller's.
  Inventory off = cached(8);
  off.controllers.front().arrays.front().logical_drives.front().block_device = BlockSettings{};
  off.controllers.front().arrays.front().logical_drives.front().block_device->queue_depth = 1020;
  w.workers = 8;
  w.queue_depth_per_worker = 64;
  EXPECT_FALSE(share_of(w, off).capped);
}

TEST(DecisionText, SaysTheRecommendationFirst) {
  const Inventory on = bypassing();
  const std::string text = decision_text(decide(two_arms(), {}, &on), {});
  EXPECT_EQ(text.rfind("Use the controller's cache", 0), 0U) << text;
  EXPECT_NE(text.find("ssacli ctrl slot=0 array A modify ssdsmartpath=disable"), std::string::npos);
  EXPECT_NE(decision_markdown(decide(two_arms())).find("**Use the controller"), std::string::npos);
  const std::string csv = decision_csv(decide(two_arms()));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 2);
}

}  // namespace
}  // namespace raidscope
