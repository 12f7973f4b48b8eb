#include <algorithm>
#include <gmock/gmock.h>
#include <set>

#include <gtest/gtest.h>

#include "probe/os/live_host.h"
#include "probe/sources/bmic/attributes.h"
#include "tests/support/ciss_machine.h"
#include "tests/support/facts.h"
#include "tests/support/recorded_machine.h"

namespace raidscope {
namespace {

using namespace raidscope::testing;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

const std::string first_id = "600508B1001C1A2B3C4D5E6F70819201";
const std::string second_id = "600508B1001C1A2B3C4D5E6F70819202";

/// The recorded P420i with a controller behind it that answers.
struct Bench {
  MemoryHost machine;
  CissMachine ciss = made_p420i({{first_id, 2, 131072}, {second_id, 3, 262144}});

  Bench() { load_recorded_machine(machine, read_machine("p420i.umockdev")); }
  FactSet ask(const std::string& node = "/dev/sg0") {
    ciss.give_to(machine.ciss, node);
    return discover(machine.host(), {PathName::bmic}).front();
  }
  void reply(CissQuery query, CissBytes bytes, std::uint32_t number = 0) {
    ciss.set(query, number, bytes.reply());
  }
  std::string host_folder() const {
    return "sys/devices/pci0000:00/0000:00:01.0/host0/scsi_host/host0";
  }
  std::string first_drive_folder() const {
    return "sys/devices/pci0000:00/0000:00:01.0/host0/target0:1:0/0:1:0:0";
  }
};

std::optional<EntityId> controller_of(const FactSet& set) {
  for (EntityId id = 0; id < set.entities.size(); ++id) {
    if (set.entities[id].kind == EntityKind::controller) return id;
  }
  return std::nullopt;
}
std::optional<EntityId> volume_of(const FactSet& set, unsigned number) {
  return find_entity(set, EntityKind::logical_drive,
                     "BMIC logical drive " + std::to_string(number));
}
std::optional<EntityId> drive_of(const FactSet& set, std::string_view bay) {
  return find_entity(set, EntityKind::physical_drive, bay);
}
std::optional<std::string> extra(const FactSet& set, std::optional<EntityId> id,
                                 std::string_view key) {
  for (const Extra& e : set.extras) {
    if (id && e.entity == *id && e.key == key) return e.value;
  }
  return std::nullopt;
}
std::string notes(const FactSet& set) {
  std::string out;
  for (const Note& note : set.notes) out += note.text + "\n";
  return out;
}

TEST(Bmic, EveryAttributeToldIsListedAndToldOnce) {
  Bench bench;
  const FactSet set = bench.ask();
  std::set<std::pair<EntityId, std::string_view>> seen;
  for (const Fact& fact : set.facts) {
    const auto kind = set.entities.at(fact.entity).kind;
    const auto listed = std::find_if(
        bmic_attributes.begin(), bmic_attributes.end(),
        [&](const auto& spec) { return spec.kind == kind && spec.name == fact.attribute; });
    ASSERT_NE(listed, bmic_attributes.end()) << fact.attribute;
    EXPECT_EQ(static_cast<std::size_t>(listed->type), fact.value.index()) << fact.attribute;
    EXPECT_TRUE(seen.emplace(fact.entity, fact.attribute).second) << fact.attribute;
  }
}

TEST(Bmic, TellsTheControllerAndItsCache) {
  Bench bench;
  const FactSet set = bench.ask();
  EXPECT_EQ(set.status, SourceStatus::ok) << set.detail;
  const auto id = controller_of(set);
  EXPECT_EQ(told_text(set, id, "pci_address"), "0000:00:01.0");
  EXPECT_EQ(told_text(set, id, "model"), "P420i");
  EXPECT_EQ(told_text(set, id, "vendor"), "HP");
  EXPECT_EQ(told_text(set, id, "firmware"), "8.32");
  EXPECT_EQ(told_text(set, id, "serial"), "MADECTRL0000001");
  EXPECT_EQ(told_text(set, id, "slot"), "0");
  EXPECT_EQ(told_text(set, id, "mode"), "raid");
  EXPECT_EQ(told_bool(set, id, "cache.present"), true);
  EXPECT_EQ(told_text(set, id, "cache.status"), "ok");
  EXPECT_EQ(told_text(set, id, "cache.status_text"), "OK");
  EXPECT_EQ(told_integer(set, id, "cache.size_bytes"), std::int64_t{1} << 30);
  EXPECT_EQ(told_integer(set, id, "cache.available_bytes"), std::int64_t{816} << 20);
  EXPECT_EQ(told_integer(set, id, "cache.ratio.read"), 10);
  EXPECT_EQ(told_integer(set, id, "cache.ratio.write"), 90);
  EXPECT_EQ(told_text(set, id, "cache.serial"), "MADECACHE00001");
  EXPECT_EQ(told_text(set, id, "cache.backup.kind"), "capacitor");
  EXPECT_EQ(told_integer(set, id, "cache.backup.count"), 1);
  EXPECT_EQ(told_text(set, id, "cache.backup.status"), "ok");
  EXPECT_EQ(told_text(set, id, "cache.disable_reason"), std::nullopt);
  EXPECT_EQ(extra(set, id, "NVRAM flags"), "0x01");
  EXPECT_EQ(extra(set, id, "rebuild priority code"), "1");
}

TEST(Bmic, TellsLogicalDrives) {
  Bench bench;
  bench.reply(CissQuery::logical_drive_status, CissBytes(1024).u8(0, 3).u32(421, 77), 1);
  const FactSet set = bench.ask();
  const auto one = volume_of(set, 0);
  EXPECT_EQ(told_text(set, one, "unique_id"), first_id);
  EXPECT_EQ(told_integer(set, one, "size_bytes"), 131072 * 512);
  EXPECT_THAT(*told_texts(set, one, "raid_candidates"), ElementsAre("1", "1+0"));
  EXPECT_EQ(told_text(set, one, "status"), "OK");
  EXPECT_EQ(extra(set, one, "posted writes"), "yes");
  EXPECT_EQ(told_integer(set, one, "number"), std::nullopt);
  const auto two = volume_of(set, 1);
  EXPECT_EQ(told_text(set, two, "status"), "Interim Recovery Mode");
  EXPECT_EQ(extra(set, two, "blocks left to recover"), "77");
  // Smart Path is off: no RAID map is asked for.
  for (const auto& [node, ask] : bench.machine.ciss.log()) {
    EXPECT_NE(ask.query, CissQuery::raid_map);
  }
}

TEST(Bmic, TellsPhysicalDrives) {
  Bench bench;
  bench.reply(CissQuery::identify_physical_drive, made_drive(1).u8(104, 0x42), 1);
  bench.reply(CissQuery::identify_physical_drive,
              made_drive(2).u8(104, 0).u32(116, 0).u8(1223, 4).u16(1858, 1200).u16(1860, 250), 2);
  bench.reply(CissQuery::identify_physical_drive,
              made_drive(3).u8(103, 0).u8(102, 0x07).u32(116, 0).u8(1792, 0), 3);
  const FactSet set = bench.ask();
  EXPECT_EQ(count_entities(set, EntityKind::physical_drive), 4U);
  const auto disk = drive_of(set, "1I:1:1");
  EXPECT_EQ(told_text(set, disk, "bay"), "1I:1:1");
  EXPECT_EQ(told_text(set, disk, "status"), "OK");
  EXPECT_EQ(told_text(set, disk, "role"), "data");
  EXPECT_EQ(told_text(set, disk, "media"), "hdd");
  EXPECT_EQ(told_integer(set, disk, "rpm"), 10000);
  EXPECT_EQ(told_text(set, disk, "interface"), "SAS");
  EXPECT_EQ(told_integer(set, disk, "size_bytes"), 300'000'000'000);
  EXPECT_EQ(told_text(set, disk, "model"), "EG0300FCVBF");
  EXPECT_EQ(told_text(set, disk, "vendor"), "HP");
  EXPECT_EQ(told_text(set, disk, "serial"), "MADE0000");
  EXPECT_EQ(told_text(set, disk, "firmware"), "HPD9");
  EXPECT_EQ(told_text(set, disk, "wwid"), "5000C50011220000");
  EXPECT_THAT(*told<std::vector<double>>(set, disk, "phy_rates_gbps"), ElementsAre(6, 0));
  EXPECT_EQ(told_integer(set, disk, "temperature_c"), 30);
  EXPECT_EQ(told_integer(set, disk, "temperature_max_c"), 41);
  EXPECT_EQ(told_text(set, disk, "authentication"), "OK");
  EXPECT_EQ(told_integer(set, disk, "power_on_hours"), std::nullopt);  // no gas gauge

  const auto spare = drive_of(set, "1I:1:2");
  EXPECT_EQ(told_text(set, spare, "role"), "spare");
  EXPECT_EQ(told_text(set, spare, "status"), "Predictive Failure");

  const auto ssd = drive_of(set, "1I:1:3");
  EXPECT_EQ(told_text(set, ssd, "role"), "unassigned");
  EXPECT_EQ(told_text(set, ssd, "media"), "ssd");
  EXPECT_EQ(told_integer(set, ssd, "power_on_hours"), 1200);
  EXPECT_EQ(told<double>(set, ssd, "wear_remaining_pct"), 97.5);

  const auto failed = drive_of(set, "1I:1:4");
  EXPECT_EQ(told_text(set, failed, "status"), "Failed");
  EXPECT_EQ(told_text(set, failed, "last_failure_reason"), "Timeout");
  EXPECT_EQ(told_text(set, failed, "media"), std::nullopt);  // the speed is not reported
  EXPECT_EQ(told_integer(set, failed, "temperature_c"), std::nullopt);
}

TEST(Bmic, AsksDrivesAloneAndThroughTheControllersNode) {
  Bench bench;
  bench.ask();
  bool signature_last = false;
  for (const auto& [node, ask] : bench.machine.ciss.log()) {
    EXPECT_EQ(node, "/dev/sg0");
    EXPECT_TRUE(ask.query != CissQuery::identify_physical_drive || ask.number < 4U);
    EXPECT_NE(ask.query, CissQuery::report_physical_plain);
    signature_last = ask.query == CissQuery::identify_controller;
  }
  EXPECT_TRUE(signature_last);
  EXPECT_EQ(bench.machine.ciss.log().front().second.query, CissQuery::pci_info);
  EXPECT_TRUE(bench.machine.scsi.log().empty());
}

TEST(Bmic, ADisabledCacheHasItsReason) {
  Bench bench;
  bench.reply(CissQuery::cache_configuration,
              made_cache().u32(32, 1U << 1 | 1U << 16 | 1U << 11).u16(36, 12).u16(42, 0));
  const FactSet set = bench.ask();
  const auto id = controller_of(set);
  EXPECT_EQ(told_text(set, id, "cache.status"), "temporarily_disabled");
  EXPECT_EQ(told_text(set, id, "cache.status_text"), "Temporarily Disabled");
  EXPECT_EQ(told_text(set, id, "cache.disable_reason"), "the charge of the capacitor is low");
  EXPECT_EQ(told_text(set, id, "cache.backup.status"), "recharging");
  EXPECT_EQ(told_text(set, id, "cache.details"), "data were lost");
  // Both bits: the worse. A code counts also where it is 0.
  bench.reply(CissQuery::cache_configuration, made_cache().u32(32, 6U).u16(36, 0).u16(208, 1));
  const FactSet both = bench.ask();
  EXPECT_EQ(told_text(both, controller_of(both), "cache.status"), "permanently_disabled");
  EXPECT_EQ(told_text(both, controller_of(both), "cache.disable_reason"),
            "the module's data belong to another controller");
  EXPECT_EQ(told_text(both, controller_of(both), "cache.backup.status"), "failed");
  EXPECT_EQ(told_text(both, controller_of(both), "cache.backup.kind"), "battery");
}

TEST(Bmic, ACacheThatIsNotConfiguredTellsNothingElse) {
  Bench bench;
  bench.reply(CissQuery::cache_configuration, made_cache().u8(8, 1));
  const FactSet set = bench.ask();
  const auto id = controller_of(set);
  EXPECT_EQ(told_bool(set, id, "cache.present"), true);
  EXPECT_EQ(told_text(set, id, "cache.status"), "not_configured");
  EXPECT_EQ(told_integer(set, id, "cache.available_bytes"), std::nullopt);
  EXPECT_EQ(told_integer(set, id, "cache.ratio.read"), std::nullopt);
  EXPECT_EQ(extra(set, volume_of(set, 0), "posted writes"), std::nullopt);
}

TEST(Bmic, NoModuleIsSaidOnlyWhereNothingSpeaksOfOne) {
  Bench bench;
  const CissBytes none = CissBytes(512).u8(8, 1).u32(16, 512);
  bench.reply(CissQuery::cache_configuration, none);
  bench.reply(CissQuery::subsystem_information, CissBytes(512).text(44, "MADECTRL0000001", 32));
  FactSet set = bench.ask();
  EXPECT_EQ(told_bool(set, controller_of(set), "cache.present"), false);
  EXPECT_EQ(told_text(set, controller_of(set), "cache.status"), std::nullopt);
  EXPECT_EQ(told_integer(set, controller_of(set), "cache.size_bytes"), std::nullopt);
  bench.reply(CissQuery::subsystem_information, CissBytes(512).text(76, "MADECACHE00001", 32));
  set = bench.ask();
  EXPECT_EQ(told_bool(set, controller_of(set), "cache.present"), std::nullopt);
  EXPECT_THAT(notes(set), HasSubstr("no cache board is attached, and yet"));
}

TEST(Bmic, SizesThatMayMeanSomethingElseAreNotTold) {
  Bench bench;
  bench.reply(CissQuery::cache_configuration, made_cache().u8(217, 2));  // shifted
  FactSet set = bench.ask();
  EXPECT_EQ(told_integer(set, controller_of(set), "cache.size_bytes"), std::nullopt);
  EXPECT_EQ(told_integer(set, controller_of(set), "cache.available_bytes"), std::nullopt);
  EXPECT_EQ(extra(set, controller_of(set), "cache total memory (MiB)"), "1024");
  bench.reply(CissQuery::cache_configuration, made_cache().u16(38, 816));  // two sizes
  set = bench.ask();
  EXPECT_EQ(told_integer(set, controller_of(set), "cache.size_bytes"), std::nullopt);
  EXPECT_EQ(told_integer(set, controller_of(set), "cache.available_bytes"),
            std::int64_t{816} << 20);
}

TEST(Bmic, AShortReplyLeavesTheRestUnknown) {
  Bench bench;
  CissReply cut = made_cache().cut(200).reply();
  cut.command_status = 2;
  bench.ciss.set(CissQuery::cache_configuration, 0, cut);
  const FactSet set = bench.ask();
  const auto id = controller_of(set);
  EXPECT_EQ(set.status, SourceStatus::ok) << set.detail;
  EXPECT_EQ(told_text(set, id, "cache.status"), "ok");
  EXPECT_EQ(told_bool(set, id, "cache.present"), std::nullopt);
  EXPECT_EQ(told_integer(set, id, "cache.ratio.read"), std::nullopt);
  EXPECT_EQ(told_text(set, id, "cache.backup.status"), std::nullopt);  // no map of failed ones
}

TEST(Bmic, NothingButZerosIsAFailureAndNotAnEmptyCache) {
  Bench bench;
  bench.reply(CissQuery::cache_configuration, CissBytes(512));
  const FactSet set = bench.ask();
  EXPECT_EQ(set.status, SourceStatus::failed);
  EXPECT_THAT(set.detail, HasSubstr("sense cache configuration: nothing but zeros"));
  EXPECT_EQ(told_bool(set, controller_of(set), "cache.present"), std::nullopt);
  EXPECT_EQ(count_entities(set, EntityKind::physical_drive), 4U);  // what was told is kept
}

TEST(Bmic, ALockedUpControllerIsNeverAsked) {
  Bench bench;
  bench.machine.files.file(bench.host_folder() + "/lockup_detected", "ld=-1\n");
  const FactSet set = bench.ask();
  EXPECT_EQ(set.status, SourceStatus::skipped);
  EXPECT_THAT(set.detail, HasSubstr("locked up (code -1)"));
  EXPECT_TRUE(bench.machine.ciss.log().empty());
}

TEST(Bmic, AControllerThatLocksUpMeanwhileIsLeftAlone) {
  Bench bench;
  bench.ciss.set(CissQuery::controller_parameters, 0, CissReply{0xFFFF, 0, {}, {}});
  const FactSet set = bench.ask();
  EXPECT_EQ(set.status, SourceStatus::failed);
  EXPECT_THAT(set.detail, HasSubstr("locked up"));
  EXPECT_EQ(told_text(set, controller_of(set), "lockup"), "65535");
  EXPECT_EQ(bench.machine.ciss.log().back().second.query, CissQuery::controller_parameters);
  EXPECT_EQ(told_text(set, controller_of(set), "cache.status"), "ok");
}

TEST(Bmic, WhatTheControllerDoesNotKnowIsAbsent) {
  Bench bench;
  bench.ciss.set(CissQuery::cache_configuration, 0, illegal_request());
  bench.ciss.set(CissQuery::controller_parameters, 0, CissReply{4, 0, {}, {}});
  const FactSet set = bench.ask();
  EXPECT_EQ(set.status, SourceStatus::ok) << set.detail;
  EXPECT_EQ(told_bool(set, controller_of(set), "cache.present"), std::nullopt);
  EXPECT_EQ(told_text(set, controller_of(set), "mode"), std::nullopt);
}

TEST(Bmic, ErrorsOnTheWayDecideTheStatus) {
  const auto with = [](Errc code) {
    Bench bench;
    bench.machine.ciss.fail_with("/dev/sg0", Error{code, "no", "/dev/sg0", "", 0});
    FactSet set = bench.ask();
    EXPECT_EQ(bench.machine.ciss.log().size(), 1U);
    EXPECT_EQ(count_entities(set, EntityKind::controller), 0U);
    return set.status;
  };
  EXPECT_EQ(with(Errc::permission), SourceStatus::skipped);
  EXPECT_EQ(with(Errc::not_found), SourceStatus::absent);
  EXPECT_EQ(with(Errc::unsupported), SourceStatus::absent);
  EXPECT_EQ(with(Errc::timeout), SourceStatus::failed);
  EXPECT_EQ(with(Errc::busy), SourceStatus::failed);
}

TEST(Bmic, AnOldBoardIsAskedForThePlainList) {
  Bench bench;
  bench.ciss.set(CissQuery::report_physical, 0, lun_list(0, {CissBytes(8).u8(7, 1)}));
  const auto entry = [](unsigned n) { return CissBytes(8).u8(3, 0xC0).u8(6, n).u8(7, 1); };
  bench.ciss.set(CissQuery::report_physical_plain, 0,
                 lun_list(0, {entry(0), entry(1), entry(9), CissBytes(8)}));
  bench.reply(CissQuery::identify_physical_drive, made_drive(9).u8(120, 5), 9);  // an expander
  const FactSet set = bench.ask();
  EXPECT_EQ(count_entities(set, EntityKind::physical_drive), 2U);
  EXPECT_EQ(told_text(set, drive_of(set, "1I:1:1"), "interface"), "SAS");
  EXPECT_EQ(told_text(set, drive_of(set, "1I:1:1"), "wwid"), std::nullopt);
}

TEST(Bmic, SmartPathDrivesHaveTheirMembersFromTheMap) {
  Bench bench;
  bench.machine.files.file(bench.first_drive_folder() + "/hp_ssd_smart_path_enabled", "1\n");
  CissBytes map(64);
  map.u32(4, 512).u64(8, 131072).u16(18, 512).u16(36, 2).u16(40, 1).u16(42, 2);
  for (unsigned i = 0; i < 4; ++i) map.u32(64 + i * 8UL, 0x10 + i).u32(68 + i * 8UL, 0);
  bench.reply(CissQuery::raid_map, map);
  const FactSet set = bench.ask();
  const auto drive = volume_of(set, 0);
  EXPECT_EQ(told_text(set, drive, "raid"), "1+0");
  EXPECT_EQ(told_texts(set, drive, "raid_candidates"), std::nullopt);
  EXPECT_EQ(told_integer(set, drive, "strip_bytes"), 262144);
  EXPECT_EQ(told_integer(set, drive, "full_stripe_bytes"), 524288);
  EXPECT_EQ(told_integer(set, drive, "disk_count"), 4);
  EXPECT_THAT(*told_texts(set, drive, "member_drives"),
              ElementsAre("1I:1:1", "1I:1:2", "1I:1:3", "1I:1:4"));
  EXPECT_EQ(std::count_if(bench.machine.ciss.log().begin(), bench.machine.ciss.log().end(),
                          [](const auto& l) { return l.second.query == CissQuery::raid_map; }),
            1);
}

TEST(Bmic, FailedMeansNothingWhileAnotherDriveWaits) {
  Bench bench;
  bench.reply(CissQuery::logical_drive_status, CissBytes(1024).u8(0, 6), 0);
  bench.reply(CissQuery::logical_drive_status, CissBytes(1024).u8(0, 1), 1);
  const FactSet set = bench.ask();
  EXPECT_EQ(told_text(set, volume_of(set, 0), "status"), "Wrong Drive Replaced");
  EXPECT_EQ(told_text(set, volume_of(set, 1), "status"), std::nullopt);
  EXPECT_THAT(notes(set), HasSubstr("put right"));
}

TEST(Bmic, ModesThatTheBitDoesNotPartAreNotTold) {
  Bench bench;
  bench.reply(CissQuery::controller_parameters, CissBytes(512).u8(14, 1).u8(123, 0x08));
  FactSet set = bench.ask();
  EXPECT_EQ(told_text(set, controller_of(set), "mode"), "hba");
  bench.reply(CissQuery::controller_parameters, CissBytes(512).u8(14, 1));
  bench.ciss.set(CissQuery::report_physical, 0, lun_list(2, {made_entry(0).u8(3, 0)}));
  bench.reply(CissQuery::identify_physical_drive, made_drive(0).u8(104, 0), 0);
  set = bench.ask();
  EXPECT_EQ(told_text(set, controller_of(set), "mode"), std::nullopt);
  EXPECT_EQ(told_text(set, drive_of(set, "1I:1:1"), "role"), "hba");
}

/// A controller whose configuration signature is another one at each question.
class Restless final : public CissReader {
 public:
  Restless(const CissReader& inner, int changes) : inner_(inner), changes_(changes) {}
  Result<CissReply> ask(std::string_view devnode, const CissAsk& ask) const override {
    auto reply = inner_.ask(devnode, ask);
    if (ask.query == CissQuery::identify_controller) {
      ++asked;
      if (reply && changes_ > 0) reply->data[1] = static_cast<std::byte>(0x80 + changes_--);
    }
    return reply;
  }
  mutable int asked = 0;

 private:
  const CissReader& inner_;
  mutable int changes_;
};

TEST(Bmic, ATornReadingIsTakenOnceMore) {
  Bench bench;
  bench.ciss.give_to(bench.machine.ciss, "/dev/sg0");
  const auto ask = [&bench](const Restless& restless) {
    const Host host{bench.machine.files, bench.machine.devices, bench.machine.scsi,
                    bench.machine.tools, restless};
    return discover(host, {PathName::bmic}).front();
  };
  const Restless once(bench.machine.ciss, 1);
  FactSet set = ask(once);
  EXPECT_EQ(once.asked, 4);
  EXPECT_EQ(count_entities(set, EntityKind::controller), 1U);
  EXPECT_THAT(notes(set), Not(HasSubstr("changed twice")));
  const Restless always(bench.machine.ciss, 100);
  set = ask(always);
  EXPECT_EQ(always.asked, 4);
  EXPECT_EQ(count_entities(set, EntityKind::controller), 1U);
  EXPECT_THAT(notes(set), HasSubstr("changed twice"));
}

TEST(Bmic, StandsInForTheVendorToolAndIsAskedBesideItOnlyOnRequest) {
  const auto paths = [](Bench& bench, const DiscoverOptions& options) {
    bench.ciss.give_to(bench.machine.ciss, "/dev/sg0");
    std::vector<PathName> out;
    for (const auto& set : discover(bench.machine.host(), options)) out.push_back(set.path);
    return out;
  };
  Bench without;
  EXPECT_THAT(paths(without, {}), Contains(PathName::bmic));
  Bench with;
  with.machine.tools.answer(ToolQuery::show_config_detail,
                            {"ssacli",
                             "ssacli ctrl all show config detail",
                             "\nSmart Array P420i in Slot 0 (Embedded)\n   Slot: 0\n",
                             0,
                             {}});
  EXPECT_THAT(paths(with, {}), Not(Contains(PathName::bmic)));
  EXPECT_TRUE(with.machine.ciss.log().empty());
  EXPECT_THAT(paths(with, {{}, true}), Contains(PathName::bmic));
  Bench broken;
  broken.machine.tools.fail_with(Error{Errc::timeout, "hung", "ssacli", "", 0});
  EXPECT_THAT(paths(broken, {}), Contains(PathName::bmic));
  Bench sysfs;
  EXPECT_THAT(paths(sysfs, {{PathName::sysfs}, false}), ElementsAre(PathName::sysfs));
}

}  // namespace
}  // namespace raidscope
