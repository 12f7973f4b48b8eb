#include "tests/lab/card/machine.h"

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace raidscope::lab {
namespace {

Machine machine_of(const std::string& text) {
  auto machine = read_machine(text, "made");
  EXPECT_TRUE(machine) << describe(machine.error());
  return machine ? *std::move(machine) : Machine{};
}

TEST(MachineDescription, AModelIsEnough) {
  const Machine machine = machine_of(R"({"model": "p410i"})");
  EXPECT_EQ(machine.model, "P410i");
  EXPECT_EQ(machine.slot, "0");
  EXPECT_EQ(machine.firmware, "6.64");
  EXPECT_EQ(machine.pci->subdevice, 0x3245U);
  EXPECT_FALSE(machine.cache);
  EXPECT_EQ(machine_of(R"({"model": "P410i"})").serial, machine.serial);
  EXPECT_NE(machine_of(R"({"model": "P410i", "slot": "2"})").serial, machine.serial);
}

TEST(MachineDescription, GroupsBecomeDrivesInBaysThatFollow) {
  const Machine machine = machine_of(
      R"({"model": "P420", "arrays": [{"drives": [{"count": 3, "bay": "2I:1:6"}], "logical_drives": [{"raid": "5"}]}]})");
  ASSERT_EQ(all_drives(machine).size(), 3U);
  EXPECT_EQ(all_drives(machine)[2].drive->bay, "2I:1:8");
  EXPECT_NE(all_drives(machine)[0].drive->serial, all_drives(machine)[1].drive->serial);
}

TEST(MachineDescription, TheLastVolumeTakesWhatIsLeft) {
  const Machine machine = machine_of(
      R"({"model": "P420", "arrays": [{"drives": [{"count": 4, "size": "300 GB"}],
          "logical_drives": [{"raid": "1+0", "size": "100 GiB"}, {"raid": "6"}]}]})");
  const auto& drives = machine.arrays[0].logical_drives;
  const std::uint64_t on_each = drives[0].size->bytes / 2 + drives[1].size->bytes / 2;
  EXPECT_LE(on_each, 300'000'000'000U);
  EXPECT_GT(on_each, 300'000'000'000U - 1'000'000U);
}

TEST(MachineDescription, TheWholeStateIsADescriptionOfTheSameCard) {
  for (const auto& entry :
       std::filesystem::directory_iterator(RAIDSCOPE_SOURCE_DIR "/tests/lab/machines")) {
    const auto machine = read_machine_file(entry.path());
    ASSERT_TRUE(machine) << describe(machine.error());
    const std::string state = state_text(*machine);
    EXPECT_EQ(state_text(machine_of(state)), state) << entry.path();
  }
}

TEST(MachineDescription, WhatNoCardCanBeIsRefusedWithItsPlace) {
  constexpr auto array = [](std::string_view drives, std::string_view rest) {
    return fmt::format(R"({{"model": "P420", "cache": {{}}, "arrays": [{{"drives": [{}], {}}}]}})",
                       drives, rest);
  };
  const std::vector<std::pair<std::string, std::string>> refusals{
      {R"({})", "/model: a model of the catalogue"},
      {R"({"model": "P999"})", "/model: the catalogue has no \"P999\""},
      {R"({"model": "P408i-a"})", "does not drive a P408i-a"},
      {R"({"model": "P420", "cach": {}})", "/cach: no field"},
      {R"({"model": "P420", "cache": {"size": "2 gigs"}})",
       "/cache/size: expected a number of bytes or a text"},
      {R"({"model": "P420", "cache": {"ratio": {"read": 50, "write": 60}}})",
       "/cache/ratio: 100 % in all"},
      {R"({"model": "H240", "cache": {}})", "/cache: a H240 never has a module"},
      {R"({"model": "P420", "firmware": "8.3"})", "/firmware: four characters"},
      {R"({"model": "P420", "hba_drives": [{}]})", "/hba_drives: only a controller in HBA mode"},
      {array(R"({"count": 3})", R"("logical_drives": [{"raid": "1+0"}])"),
       "/arrays/0/logical_drives/0/raid: RAID 1+0 takes"},
      {array(R"({"count": 4})", R"("logical_drives": [{"raid": "7"}])"),
       "/arrays/0/logical_drives/0/raid: 0, 1"},
      {array(R"({"count": 2})", R"("logical_drives": [{"raid": "0"}, {"raid": "0"}])"),
       "has the array any room left?"},
      {array(R"({"count": 2})", R"("logical_drives": [{"raid": "1", "size": "300 GiB"}])"),
       "the array has room for"},
      {array(R"({"count": 2})",
             R"("smart_path": true, "logical_drives": [{"raid": "1", "caching": true}])"),
       "Smart Path and caching exclude each other"},
      {array(R"({"bay": "1I:1:1"}, {"bay": "1I:1:1"})", R"("logical_drives": [])"),
       "1I:1:1 is taken"},
      {array(R"({"bay": "bay 7"})", R"("logical_drives": [])"), "port, box and bay"},
      {array(R"({"count": 2})", R"("logical_drives": [{"raid": "1", "status": "Fine"}])"),
       "a status of a logical drive"},
      {R"({"model": "P420", "faults": {"never_answer": ["identify"]}})",
       "/faults/never_answer: operation codes"},
      {"{", "not a whole JSON document"},
  };
  for (const auto& [text, why] : refusals) {
    const auto machine = read_machine(text, "made");
    ASSERT_FALSE(machine) << text;
    EXPECT_NE(machine.error().message.find(why), std::string::npos) << text << "\n"
                                                                    << machine.error().message;
  }
}

TEST(MachineDescription, AChangeIsCheckedLikeAFile) {
  const Machine machine = machine_of(
      R"({"model": "P420", "cache": {}, "arrays": [{"drives": [{"count": 2}], "logical_drives": [{"raid": "1"}]}]})");
  const auto off = changed(
      machine, R"({"/arrays/0/logical_drives/0/caching": false, "/arrays/0/smart_path": true})");
  ASSERT_TRUE(off) << describe(off.error());
  EXPECT_EQ(cache_status(*off), CacheStatus::not_configured);
  EXPECT_EQ(cache_status(machine), CacheStatus::ok);
  EXPECT_FALSE(changed(machine, R"({"/arrays/0/smart_path": true})"));
  EXPECT_FALSE(changed(machine, R"({"/arrays/7/smart_path": true})"));
  EXPECT_FALSE(changed(machine, R"([1])"));
}

}  // namespace
}  // namespace raidscope::lab
