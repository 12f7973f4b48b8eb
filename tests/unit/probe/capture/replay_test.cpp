#include <algorithm>
#include <cerrno>
#include <tuple>

#include <gtest/gtest.h>

#include "probe/capture/answers.h"
#include "probe/capture/recording_host.h"
#include "probe/capture/replay_host.h"
#include "probe/os/live_host.h"
#include "tests/support/recorded_machine.h"

namespace raidscope::capture {
namespace {

using testing::MemoryHost;

constexpr std::string_view when = "2026-01-02T03:04:05Z";

std::vector<std::byte> bytes(std::initializer_list<int> values) {
  std::vector<std::byte> out;
  for (const int v : values) out.push_back(static_cast<std::byte>(v));
  return out;
}

Bundle through_text(const Bundle& bundle) {
  auto read = read_bundle(write_bundle(bundle), "test");
  EXPECT_TRUE(read);
  return read ? *std::move(read) : Bundle{};
}

TEST(Recording, EveryKindOfAnswerAndErrorComesBackAsItWas) {
  MemoryHost machine;
  machine.files.file("sys/a", "text\n");
  machine.files.file("sys/binary", std::string("\0\xff\n", 3));
  machine.files.link("sys/here", "/sys/a");
  machine.files.refuse("sys/no", ENODEV);
  machine.devices.add("block", {"sys/devices/a b", "/dev/sda", {{"ID=X", "v\n%"}, {"K", ""}}});
  machine.devices.add("block", {"sys/devices/c", "", {}});
  machine.scsi.answer("/dev/my disk", "12 00 00 00 60 00", bytes({0, 1, 0xff}));
  machine.tools.answer(ToolQuery::show_config_detail,
                       {"/sbin/ssacli", "ssacli ctrl all show config detail", "a\r\nb", 3,
                        std::chrono::milliseconds(17)});
  machine.ciss.answer("/dev/sg0", {CissQuery::raid_map, 7}, {2, 8, bytes({0x70}), bytes({1, 2})});
  const auto cdb = scsi::standard_inquiry_cdb(96);
  const auto ask_all = [&](const Host& host) {
    return std::tuple(
        host.files.read("sys/a"), host.files.read("sys/binary"), host.files.read("sys/no"),
        host.files.read("sys/none"), host.files.list("sys"), host.files.list("none"),
        host.files.resolve("sys/here"), host.files.resolve("none"),
        host.scsi.read("/dev/my disk", cdb, 96), host.scsi.read("/dev/other", cdb, 96),
        host.tools.run(ToolQuery::version), host.ciss.ask("/dev/sg1", {}));
  };
  const RecordingHost recording(machine.host());
  const auto live = ask_all(recording.host());
  const auto live_devices = recording.host().devices.enumerate("block");
  const auto live_tool = recording.host().tools.run(ToolQuery::show_config_detail);
  const auto live_ciss = recording.host().ciss.ask("/dev/sg0", {CissQuery::raid_map, 7});
  const Bundle bundle = through_text(recording.bundle(std::string(when), "test", {}));

  const ReplayHost replayed(bundle);
  const Host host = replayed.host();
  const auto again = ask_all(host);
  EXPECT_EQ(std::get<0>(again), std::get<0>(live));
  EXPECT_EQ(std::get<1>(again), std::get<1>(live));
  EXPECT_EQ(std::get<2>(again), std::get<2>(live));
  EXPECT_EQ(std::get<2>(again).error().os_errno, ENODEV);
  EXPECT_EQ(std::get<3>(again), std::get<3>(live));
  EXPECT_EQ(std::get<4>(again), std::get<4>(live));
  EXPECT_EQ(std::get<5>(again), std::get<5>(live));
  EXPECT_EQ(std::get<6>(again), std::get<6>(live));
  EXPECT_EQ(std::get<7>(again), std::get<7>(live));
  EXPECT_EQ(std::get<8>(again), std::get<8>(live));
  EXPECT_EQ(std::get<9>(again), std::get<9>(live));
  EXPECT_EQ(std::get<10>(again).error(), std::get<10>(live).error());
  EXPECT_EQ(std::get<11>(again).error(), std::get<11>(live).error());
  const auto devices = host.devices.enumerate("block");
  ASSERT_TRUE(devices);
  ASSERT_EQ(devices->size(), live_devices->size());
  for (std::size_t i = 0; i < devices->size(); ++i) {
    EXPECT_EQ((*devices)[i].syspath, (*live_devices)[i].syspath);
    EXPECT_EQ((*devices)[i].devnode, (*live_devices)[i].devnode);
  }
  EXPECT_EQ((*devices)[0].properties.at("K"), "");
  const auto tool = host.tools.run(ToolQuery::show_config_detail);
  ASSERT_TRUE(tool);
  EXPECT_EQ(tool->output, live_tool->output);
  EXPECT_EQ(tool->command, live_tool->command);
  EXPECT_EQ(tool->tool, live_tool->tool);
  EXPECT_EQ(tool->exit_status, 3);
  EXPECT_EQ(tool->duration, live_tool->duration);
  const auto ciss = host.ciss.ask("/dev/sg0", {CissQuery::raid_map, 7});
  ASSERT_TRUE(ciss);
  EXPECT_EQ(ciss->command_status, 2);
  EXPECT_EQ(ciss->scsi_status, 8);
  EXPECT_EQ(ciss->sense, live_ciss->sense);
  EXPECT_EQ(ciss->data, live_ciss->data);
  EXPECT_EQ(replayed.unanswered(), 0U);
}

TEST(Recording, AnAnswerThatStaysTheSameIsKeptOnceAndChangesInTheirOrder) {
  MemoryHost machine;
  machine.files.file("sys/same", "1\n");
  machine.files.file("sys/changes", "a");
  const RecordingHost recording(machine.host());
  const Host host = recording.host();
  std::vector<std::string> seen;
  for (const char* value : {"a", "a", "b", "a", "a", "c"}) {
    machine.files.file("sys/changes", value);
    seen.push_back(host.files.read("sys/changes").value());
    EXPECT_TRUE(host.files.read("sys/same"));
  }
  const Bundle bundle = through_text(recording.bundle(std::string(when), "test", {}));
  EXPECT_EQ(bundle.sections.size(), 5U);  // same, and a b a c
  const ReplayHost replayed(bundle);
  for (const auto& value : seen) {
    EXPECT_EQ(replayed.host().files.read("sys/changes").value(), value);
  }
  EXPECT_EQ(replayed.host().files.read("sys/changes").value(), "c");  // the last one stays
}

TEST(Replay, AQuestionThatWasNotRecordedIsNotFoundAndCounted) {
  const Bundle bundle = through_text({});
  const ReplayHost replayed(bundle);
  const auto answer = replayed.host().files.read("sys/a");
  ASSERT_FALSE(answer);
  EXPECT_EQ(answer.error().code, Errc::not_found);
  EXPECT_NE(answer.error().message.find("capture"), std::string::npos);
  EXPECT_EQ(replayed.unanswered(), 1U);
  const std::byte write_10[] = {std::byte{0x2a}, std::byte{0}, std::byte{0},
                                std::byte{0},    std::byte{0}, std::byte{0}};
  EXPECT_EQ(replayed.host().scsi.read("/dev/sda", write_10, 0).error().code, Errc::refused);
}

TEST(Replay, ATreeAnswersAsTheFilesWould) {
  Bundle bundle;
  bundle.tree = true;
  bundle.sections = {
      {"file", "sys/devices/pci0/host0/scsi_host/host0/proc_name", {}, "hpsa\n", 0},
      {"symlink", "sys/class/scsi_host/host0", {}, "../../devices/pci0/host0/scsi_host/host0\n", 0},
      {"symlink",
       "sys/devices/pci0/host0/scsi_host/host0/device",
       {},
       "/sys/devices/pci0/host0",
       0},
      {"list", "sys/module/sg", {}, "", 0},
      {"symlink", "sys/loop", {}, "loop", 0}};
  const Bundle read = through_text(bundle);
  const ReplayHost replayed(read);
  const FileTree& files = replayed.host().files;
  EXPECT_EQ(files.read("sys/class/scsi_host/host0/proc_name").value(), "hpsa\n");
  EXPECT_EQ(files.resolve("sys/class/scsi_host/host0/device").value(), "sys/devices/pci0/host0");
  EXPECT_EQ(files.list("sys/class/scsi_host").value(), std::vector<std::string>{"host0"});
  EXPECT_TRUE(files.list("sys/module/sg").value().empty());
  EXPECT_EQ(files.read("sys/none").error().os_errno, ENOENT);
  EXPECT_EQ(files.list("sys/none").error().os_errno, ENOENT);
  EXPECT_EQ(files.resolve("sys/loop").error().os_errno, ELOOP);
  const auto hosts = replayed.host().devices.enumerate("scsi_host");
  ASSERT_TRUE(hosts);
  ASSERT_EQ(hosts->size(), 1U);
  EXPECT_EQ((*hosts)[0].syspath, "sys/devices/pci0/host0/scsi_host/host0");
  EXPECT_EQ(replayed.unanswered(), 0U);
}

TEST(Replay, TheSourcesSayTheSameOfARecordedMachine) {
  MemoryHost machine;
  testing::load_recorded_machine(machine, testing::read_machine("p420i.umockdev"));
  const RecordingHost recording(machine.host());
  const auto live = discover(recording.host(), {PathName::host, PathName::sysfs, PathName::scsi});
  const Bundle bundle = through_text(recording.bundle(std::string(when), "test", live));
  const Replay again = replay(bundle);
  EXPECT_TRUE(again.notes.empty());
  ASSERT_EQ(again.sets.size(), live.size());
  for (std::size_t i = 0; i < live.size(); ++i) {
    EXPECT_EQ(again.sets[i].path, live[i].path);
    EXPECT_EQ(again.sets[i].status, live[i].status);
    EXPECT_EQ(again.sets[i].detail, live[i].detail);
    EXPECT_EQ(again.sets[i].version, live[i].version);
    EXPECT_EQ(again.sets[i].duration_ms, live[i].duration_ms);
    EXPECT_EQ(again.sets[i].notes, live[i].notes);
    ASSERT_EQ(again.sets[i].facts.size(), live[i].facts.size());
    for (std::size_t f = 0; f < live[i].facts.size(); ++f) {
      EXPECT_EQ(again.sets[i].facts[f].attribute, live[i].facts[f].attribute);
      EXPECT_EQ(again.sets[i].facts[f].value, live[i].facts[f].value);
    }
  }
}

TEST(Replay, ACutBundleTellsNoFactThatTheWholeDoesNot) {
  MemoryHost machine;
  testing::load_recorded_machine(machine, testing::read_machine("p420i.umockdev"));
  const RecordingHost recording(machine.host());
  const auto live = discover(recording.host(), {PathName::host, PathName::sysfs, PathName::scsi});
  const std::string text = write_bundle(recording.bundle(std::string(when), "test", live));
  std::size_t told = 0;
  for (std::size_t cut = 40; cut < text.size(); cut += 97) {
    const auto bundle = read_bundle(text.substr(0, cut), "test");
    ASSERT_TRUE(bundle) << cut;
    const Replay part = replay(*bundle);
    EXPECT_FALSE(part.notes.empty());
    for (const FactSet& set : part.sets) {
      EXPECT_NE(set.status, SourceStatus::failed);
      const auto same = std::find_if(live.begin(), live.end(),
                                     [&](const FactSet& s) { return s.path == set.path; });
      for (const Fact& fact : set.facts) {
        ++told;
        ASSERT_NE(same, live.end());
        const bool known = std::any_of(same->facts.begin(), same->facts.end(), [&](const Fact& f) {
          return f.attribute == fact.attribute && f.value == fact.value;
        });
        EXPECT_TRUE(known) << cut << " " << fact.attribute;
      }
    }
  }
  EXPECT_GT(told, 0U);
}

}  // namespace
}  // namespace raidscope::capture
