#include "tests/lab/card/card.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "probe/base/ciss.h"
#include "probe/base/ciss_replies.h"
#include "probe/base/scsi.h"
#include "tests/lab/card/operations.h"
#include "tests/lab/card/raid_map.h"

namespace raidscope::lab {
namespace {

Machine machine_of(const std::string& text) {
  auto machine = read_machine(text, "made");
  EXPECT_TRUE(machine) << describe(machine.error());
  return machine ? *std::move(machine) : Machine{};
}

/// Asks as the program does.
CissReply ask(Card& card, CissQuery query, std::uint32_t number = 0) {
  const auto command = ciss::command_of({query, number});
  EXPECT_TRUE(command);
  auto reply = card.execute({command->lun, command->cdb, {}, command->reply_bytes});
  return reply ? *std::move(reply) : CissReply{0xFFFF, 0, {}, {}};
}

const char* const p420 = R"({"model": "P420", "slot": "3", "firmware": "8.00",
  "cache": {"size": "1 GiB", "status": "temporarily_disabled", "backup": {"status": "recharging"}},
  "arrays": [{"drives": [{"count": 4, "size": "300 GB"}], "spares": [{"size": "300 GB"}],
              "logical_drives": [{"raid": "1+0", "size": "10 GiB", "label": "data"}, {"raid": "6", "status": "Recovering"}]}]})";

TEST(EmulatedCard, TellsItsDescriptionToTheDecoders) {
  Card card(machine_of(p420));
  const auto identity =
      ciss::decode_controller_identity(ask(card, CissQuery::identify_controller).data);
  ASSERT_TRUE(identity);
  EXPECT_EQ(identity->product, "P420");
  EXPECT_EQ(identity->firmware, "8.00");
  EXPECT_EQ(identity->pci_slot, 3);
  EXPECT_EQ(identity->logical_drives, 2);
  const auto cache =
      ciss::decode_cache_configuration(ask(card, CissQuery::cache_configuration).data);
  ASSERT_TRUE(cache);
  EXPECT_EQ(cache->total_memory, 1024);
  EXPECT_EQ(*cache->read_memory + *cache->write_memory, 816);
  EXPECT_EQ(*cache->status, ciss::cache_temporarily_disabled | ciss::cache_capacitor);
  EXPECT_EQ(cache->disable_code, 12);
  const auto drive =
      ciss::decode_logical_drive_identity(ask(card, CissQuery::identify_logical_drive, 0).data);
  ASSERT_TRUE(drive);
  EXPECT_EQ(drive->blocks, (10ULL << 30) / 512);
  EXPECT_EQ(drive->label, "data");
  const auto state =
      ciss::decode_logical_drive_state(ask(card, CissQuery::logical_drive_status, 1).data);
  ASSERT_TRUE(state);
  EXPECT_EQ(scsi::volume_status_name(state->status), "Recovering");
  const auto list = ciss::decode_physical_list(ask(card, CissQuery::report_physical).data);
  ASSERT_TRUE(list);
  ASSERT_EQ(list->devices.size(), 5U);
  const auto spare = ciss::decode_physical_drive_identity(
      ask(card, CissQuery::identify_physical_drive, *list->devices[4].lun.drive_number()).data);
  ASSERT_TRUE(spare);
  EXPECT_EQ(spare->spare, true);
  EXPECT_EQ(spare->bay, card.machine().arrays[0].spares[0].bay);
}

TEST(EmulatedCard, RefusesWhatItDoesNotKnow) {
  Card card(machine_of(p420));
  EXPECT_EQ(ciss::judge(CissQuery::identify_logical_drive,
                        ask(card, CissQuery::identify_logical_drive, 9)),
            ciss::Verdict::absent);
  EXPECT_EQ(ciss::judge(CissQuery::raid_map, ask(card, CissQuery::raid_map, 0)),
            ciss::Verdict::absent);
}

TEST(EmulatedCard, FaultsAreByCommand) {
  Machine machine = machine_of(p420);
  machine.faults.never_answer = {"26:c1"};
  machine.faults.short_replies = {"26:11"};
  machine.faults.zero_replies = {"26:66"};
  Card card(machine);
  EXPECT_EQ(ask(card, CissQuery::cache_configuration).command_status, 0xFFFF);
  EXPECT_EQ(ask(card, CissQuery::identify_controller).data.size(), 64U);
  EXPECT_EQ(
      ciss::judge(CissQuery::subsystem_information, ask(card, CissQuery::subsystem_information)),
      ciss::Verdict::failed);
  EXPECT_EQ(
      ciss::judge(CissQuery::controller_parameters, ask(card, CissQuery::controller_parameters)),
      ciss::Verdict::answered);
}

TEST(EmulatedCard, StopsAfterSoManyCommands) {
  Machine machine = machine_of(p420);
  machine.faults.lock_up_after = 2;
  Card card(machine);
  EXPECT_EQ(ask(card, CissQuery::identify_controller).command_status, 0);
  EXPECT_EQ(ask(card, CissQuery::identify_controller).command_status, 0);
  EXPECT_FALSE(card.has_stopped());
  EXPECT_EQ(ask(card, CissQuery::identify_controller).command_status, 0xFFFF);
  EXPECT_TRUE(card.has_stopped());
}

/// A command of the lab's own.
Command lab_command(std::uint8_t operation, std::uint8_t below, std::span<const std::byte> out) {
  Command command;
  command.cdb[0] = std::byte{operation};
  command.cdb[6] = std::byte{below};
  command.out = out;
  return command;
}

TEST(EmulatedCard, ChangesAreOneStepAndTellTheDriver) {
  std::vector<std::string> log;
  Card card(machine_of(p420), [&](const std::string& line) { log.push_back(line); });
  const auto send = [&](std::uint8_t below, std::string_view words) {
    return card.execute(lab_command(op::bmic_write, below, std::as_bytes(std::span(words))))
        ->command_status;
  };
  const std::uint32_t before = configuration_signature(card.machine());
  EXPECT_EQ(send(lab_change, R"({"/arrays/0/logical_drives/1/status": "OK"})"), 0);
  EXPECT_EQ(card.take_events(), event_logical);
  EXPECT_EQ(configuration_signature(card.machine()), before);
  EXPECT_EQ(send(lab_change, R"({"/arrays/0/logical_drives/0/caching": false})"), 0);
  EXPECT_NE(configuration_signature(card.machine()), before);
  EXPECT_NE(send(lab_change, R"({"/arrays/0/logical_drives/1/status": "Splendid"})"), 0);
  EXPECT_EQ(send(lab_mark, "begin probe"), 0);
  EXPECT_NE(log.back().find(R"("mark":"begin probe")"), std::string::npos) << log.back();
}

/// Where the driver sends a block, by the RAID map as it reads it: the drive's place in the map and
/// the block there (the arithmetic of Linux' hpsa, as facts).
struct DriveBlock {
  std::size_t entry = 0;
  std::uint64_t block = 0;
};
DriveBlock driver_sends(const CissBytes& map, const ciss::RaidMap& told, std::uint64_t block,
                        std::uint64_t groups) {
  std::uint64_t first = 0;
  for (std::size_t i = 8; i-- > 0;) first = first << 8 | byte_at(map.bytes(), 20 + i);
  const std::uint64_t strip = told.strip_blocks, data = told.data_disks_per_row;
  const std::uint64_t row = block / (strip * data * groups);
  const std::uint64_t in_row = block % (strip * data * groups);
  const std::uint64_t group = in_row / (strip * data), column = in_row % (strip * data) / strip;
  const std::size_t per_row = std::size_t{told.data_disks_per_row} + told.metadata_disks_per_row;
  return {static_cast<std::size_t>(group * per_row + column), first + row * strip + in_row % strip};
}

TEST(EmulatedCard, ARequestToADriveFindsTheBlockOfItsVolume) {
  for (const std::string raid :
       {"0", "1", "1+0", "4", "5", "5+1", "6", "50", "60", "1adm", "10adm"}) {
    const unsigned drives = raid == "1" ? 2 : raid == "1adm" ? 3 : raid == "60" ? 8 : 6;
    const Machine machine = machine_of(fmt::format(
        R"({{"model": "P420", "arrays": [{{"smart_path": true, "drives": [{{"count": {}, "media": "ssd"}}],
            "logical_drives": [{{"raid": "{}", "size": "90 MiB"}}, {{"raid": "{}", "strip": "64 KiB", "size": "30 MiB"}}]}}]}})",
        drives, raid, raid));
    // The map counts parity groups as it counts copies; only the level tells them apart.
    const std::uint64_t groups = raid == "50" || raid == "60" ? 2 : 1;
    for (const PlacedVolume& volume : all_volumes(machine)) {
      CissBytes map(0);
      const CissReply reply = raid_map(machine, volume);
      for (std::size_t i = 0; i < reply.data.size(); ++i) map.u8(i, byte_at(reply.data, i));
      const auto told = ciss::decode_raid_map(reply.data);
      ASSERT_TRUE(told) << raid;
      EXPECT_EQ(told->handles.size(), drives) << raid;
      for (std::uint64_t block = 0; block < told->blocks; block += 61) {
        const DriveBlock sent = driver_sends(map, *told, block, groups);
        const auto found = volume_block(machine, told->handles.at(sent.entry), sent.block);
        ASSERT_TRUE(found) << raid << " block " << block;
        ASSERT_EQ(found->volume.drive, volume.drive) << raid;
        ASSERT_EQ(found->block, block) << raid;
      }
    }
  }
}

}  // namespace
}  // namespace raidscope::lab
