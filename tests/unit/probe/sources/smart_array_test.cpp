#include "probe/sources/sysfs/smart_array.h"

#include <cerrno>
#include <gmock/gmock.h>

#include <gtest/gtest.h>

#include "probe/os/live_host.h"
#include "probe/source.h"
#include "tests/support/facts.h"
#include "tests/support/memory_host.h"
#include "tests/support/recorded_machine.h"
#include "tests/support/temp_dir.h"

namespace raidscope {

extern const Source source_hpsa_sysfs;
extern const Source source_smartpqi_sysfs;
extern const Source source_scsi_inquiry;
extern const Source source_block_queue;

namespace {

using raidscope::testing::count_entities;
using raidscope::testing::find_entity;
using raidscope::testing::MemoryHost;
using raidscope::testing::TempDir;
using raidscope::testing::told;
using raidscope::testing::told_bool;
using raidscope::testing::told_integer;
using raidscope::testing::told_text;
using raidscope::testing::told_texts;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

const std::string pci_dir = "sys/devices/pci0000:00/0000:00:01.0";
const std::string host_dir = pci_dir + "/host0/scsi_host/host0";
const std::string self_dir = host_dir + "/port-0:1/end_device-0:1/target0:0:0/0:0:0:0";
const std::string drive_dir = pci_dir + "/host0/target0:1:0/0:1:0:0";   // /dev/sdb
const std::string drive2_dir = pci_dir + "/host0/target0:1:0/0:1:0:1";  // /dev/sda

/// A P420i with two logical drives; a test changes what it is about.
class P420i : public ::testing::Test {
 protected:
  P420i() {
    testing::load_recorded_machine(machine, testing::read_machine("p420i.umockdev"));
    machine.files.file("sys/module/hpsa/version", "3.4.20-200\n");
  }
  FactSet sysfs() { return source_hpsa_sysfs.collect(machine.host()); }
  FactSet scsi() { return source_scsi_inquiry.collect(machine.host()); }
  static std::optional<EntityId> controller(const FactSet& set) {
    return find_entity(set, EntityKind::controller, "HP P420i");
  }
  static std::optional<EntityId> drive(const FactSet& set, std::string_view name = "/dev/sdb") {
    return find_entity(set, EntityKind::logical_drive, name);
  }
  /// The vendor pages of a logical drive as its firmware answers.
  void answer_vendor_pages(const std::string& node, std::uint8_t level, std::uint8_t smart_path,
                           std::uint8_t status) {
    machine.scsi.page(node, 0xC1, {0, 0, 0, 0, level, 0, 0, 0});
    machine.scsi.page(node, 0xC2, {smart_path, 0, 0, 0});
    machine.scsi.page(node, 0xC3, {status, 0, 0, 0, 0, 0, 0, 0});
  }
  MemoryHost machine;
};

TEST_F(P420i, TheDriverShowsTheController) {
  const FactSet set = sysfs();
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_EQ(set.version, "3.4.20-200");
  ASSERT_EQ(count_entities(set, EntityKind::controller), 1U);
  const auto id = controller(set);
  EXPECT_EQ(told_text(set, id, "pci_address"), "0000:00:01.0");
  EXPECT_EQ(told_text(set, id, "pci_id"), "103c:323b/103c:3354");
  EXPECT_EQ(told_text(set, id, "model"), "P420i");
  EXPECT_EQ(told_text(set, id, "vendor"), "HP");
  EXPECT_EQ(told_text(set, id, "firmware"), "8.32");
  EXPECT_EQ(told_text(set, id, "driver.name"), "hpsa");
  EXPECT_EQ(told_text(set, id, "driver.version"), "3.4.20-200");
  EXPECT_EQ(told_text(set, id, "lockup"), "0");
  EXPECT_EQ(told_bool(set, id, "smart_path.driver_enabled"), true);
  EXPECT_EQ(told_text(set, id, "name"), std::nullopt);
}

TEST_F(P420i, TheDriverShowsTheLogicalDrives) {
  const FactSet set = sysfs();
  ASSERT_EQ(count_entities(set, EntityKind::logical_drive), 2U);
  const auto id = drive(set);
  ASSERT_TRUE(id);
  EXPECT_EQ(set.entities[*id].parent, *controller(set));
  EXPECT_EQ(told_text(set, id, "unique_id"), "600508B1001C1A2B3C4D5E6F70819201");
  EXPECT_EQ(told_text(set, id, "device"), "/dev/sdb");
  EXPECT_EQ(told_text(set, id, "raid"), std::nullopt);
  EXPECT_THAT(*told_texts(set, id, "raid_candidates"), ElementsAre("1", "1+0"));
  EXPECT_EQ(told_integer(set, id, "size_bytes"), 131072 * 512);
  EXPECT_EQ(told_bool(set, id, "size_exact"), true);
  EXPECT_EQ(told_bool(set, id, "smart_path.driver_enabled"), false);
}

/// Extras of a set that name the emulated controller.
std::vector<std::string> marks(const FactSet& set) {
  std::vector<std::string> out;
  for (const Extra& extra : set.extras) {
    if (extra.value.find("raidscope-lab") != std::string::npos)
      out.push_back(extra.key + ": " + extra.value);
  }
  return out;
}

TEST_F(P420i, AnEmulatedOneSaysSoInItsInquiryData) {
  EXPECT_THAT(marks(sysfs()), IsEmpty());
  EXPECT_THAT(marks(scsi()), IsEmpty());
  const auto mark = [&](const std::string& dir) {
    std::string inquiry = machine.host().files.read(dir + "/inquiry").value_or("");
    inquiry.resize(36);
    machine.files.file(dir + "/inquiry", inquiry + "raidscope-lab       ");
  };
  mark(self_dir);
  EXPECT_THAT(marks(sysfs()), ElementsAre("inquiry: raidscope-lab"));
  EXPECT_THAT(marks(scsi()), ElementsAre("INQUIRY: HP P420i 8.32 raidscope-lab"));
  mark(drive_dir);
  EXPECT_THAT(marks(sysfs()), ::testing::SizeIs(2));
  EXPECT_THAT(marks(scsi()), ::testing::Contains("INQUIRY: HP LOGICAL VOLUME 8.32 raidscope-lab"));
  // What else a maker has there, as a serial number, is not kept.
  machine.files.file(self_dir + "/inquiry",
                     machine.host().files.read(self_dir + "/inquiry").value_or("").substr(0, 36) +
                         "PDKRH0ARH5U1AB      ");
  for (const Extra& extra : scsi().extras) EXPECT_THAT(extra.value, Not(HasSubstr("PDKRH0")));
}

TEST_F(P420i, NothingIsSentToTheHardwareForSysfs) {
  sysfs();
  EXPECT_THAT(machine.scsi.log(), IsEmpty());
  EXPECT_THAT(machine.tools.log(), IsEmpty());
}

TEST_F(P420i, NoAttributeThatStartsAScanIsRead) {
  sysfs();
  scsi();
  for (const auto& path : machine.files.log()) {
    EXPECT_FALSE(path.ends_with("/rescan")) << path;
    EXPECT_FALSE(path.ends_with("/raid_offload_debug")) << path;
  }
}

TEST_F(P420i, AnyAttributeMayBeMissing) {
  const FactSet whole = sysfs();
  for (const std::string name :
       {"firmware_revision", "hp_ssd_smart_path_status", "lockup_detected", "transport_mode"}) {
    machine.files.remove(host_dir + "/" + name);
  }
  for (const std::string name : {"raid_level", "lunid", "unique_id", "hp_ssd_smart_path_enabled"}) {
    machine.files.refuse(drive_dir + "/" + name, ENODEV);
    machine.files.refuse(drive2_dir + "/" + name, ENODEV);
  }
  machine.files.remove("sys/module/hpsa/version");
  const FactSet set = sysfs();
  EXPECT_EQ(set.status, SourceStatus::ok);
  const auto id = controller(set);
  EXPECT_EQ(told_text(set, id, "firmware"), std::nullopt);
  EXPECT_EQ(told_text(set, id, "lockup"), std::nullopt);
  EXPECT_EQ(told_bool(set, id, "smart_path.driver_enabled"), std::nullopt);
  ASSERT_EQ(count_entities(set, EntityKind::logical_drive), 2U) << "known by its product";
  EXPECT_EQ(told_bool(set, drive(set), "smart_path.driver_enabled"), std::nullopt);
  EXPECT_EQ(told_texts(set, drive(set), "raid_candidates"), std::nullopt);
  EXPECT_EQ(told_text(set, drive(set), "unique_id"), "600508B1001C1A2B3C4D5E6F70819201")
      << "by VPD 0x83";
  EXPECT_LT(set.facts.size(), whole.facts.size());
}

TEST_F(P420i, AnEmptyFirmwareFileIsNoFirmware) {
  machine.files.file(host_dir + "/firmware_revision", "\n");
  EXPECT_EQ(told_text(sysfs(), controller(sysfs()), "firmware"), std::nullopt);
}

TEST_F(P420i, AnIdOfZerosIsNone) {
  machine.files.file(drive_dir + "/unique_id", std::string(32, '0') + "\n");
  EXPECT_EQ(told_text(sysfs(), drive(sysfs()), "unique_id"), "600508B1001C1A2B3C4D5E6F70819201")
      << "by VPD 0x83";
  machine.files.remove(drive_dir + "/vpd_pg83");
  machine.files.remove(drive_dir + "/wwid");
  EXPECT_EQ(told_text(sysfs(), drive(sysfs()), "unique_id"), std::nullopt);
}

TEST_F(P420i, DriverSmartPathIsToldForWhatItIs) {
  machine.files.file(host_dir + "/hp_ssd_smart_path_status", "HP SSD Smart Path disabled\n");
  machine.files.file(drive_dir + "/hp_ssd_smart_path_enabled", "1\n");
  const FactSet set = sysfs();
  EXPECT_EQ(told_bool(set, controller(set), "smart_path.driver_enabled"), false);
  EXPECT_EQ(told_bool(set, drive(set), "smart_path.driver_enabled"), true);
}

TEST_F(P420i, AControllerWithAnOldInquiryVersionIsStillNoDrive) {
  machine.files.file(self_dir + "/raid_level", "RAID UNKNOWN\n");
  EXPECT_EQ(count_entities(sysfs(), EntityKind::logical_drive), 2U);
  EXPECT_EQ(count_entities(sysfs(), EntityKind::controller), 1U);
}

TEST_F(P420i, AnHbaModeDriveIsAPhysicalDrive) {
  machine.files.file(drive_dir + "/raid_level", "N/A\n");
  machine.files.file(drive_dir + "/vendor", "HP      \n");
  machine.files.file(drive_dir + "/model", "EH0146FARWD     \n");
  machine.files.file(drive_dir + "/path_info",
                     "[0:0:1:0]    Direct-Access     PORT: 1I BOX: 1 BAY: 3 Active\n"
                     "[0:0:1:0]    Direct-Access     PORT: 2I BOX: 1 BAY: 3 Inactive\n");
  const FactSet set = sysfs();
  const auto id = find_entity(set, EntityKind::physical_drive, "/dev/sdb");
  EXPECT_EQ(told_text(set, id, "role"), "hba");
  EXPECT_EQ(told_text(set, id, "bay"), "1I:1:3");
  EXPECT_EQ(told_text(set, id, "interface"), "SAS");
  EXPECT_EQ(told_text(set, id, "model"), "EH0146FARWD");
  EXPECT_EQ(told_text(set, id, "media"), "hdd");
  EXPECT_EQ(told_text(set, id, "device"), "/dev/sdb");
  EXPECT_EQ(count_entities(set, EntityKind::logical_drive), 1U);
}

TEST_F(P420i, WithoutTheVendorToolItIsASmartArray) {
  const auto sets = discover(machine.host());
  // bmic stands in for the vendor tool.
  ASSERT_EQ(sets.size(), 4U + (machine.tools.log().empty() ? 0U : 1U));
  EXPECT_EQ(sets[0].path, PathName::host);
  EXPECT_EQ(sets[1].path, PathName::sysfs);
  EXPECT_EQ(sets[1].status, SourceStatus::ok);
  EXPECT_EQ(told_text(sets[1], controller(sets[1]), "model"), "P420i");
  EXPECT_EQ(sets[2].path, PathName::scsi);
}

TEST_F(P420i, TheBlockLayerSeesTheDisksButNotTheirMedia) {
  machine.files.file("proc/self/mountinfo",
                     "26 1 8:16 / /data\\040disk rw,relatime - ext4 /dev/sdb rw\n");
  const FactSet set = source_block_queue.collect(machine.host());
  const auto id = find_entity(set, EntityKind::block_device, "/dev/sdb");
  ASSERT_TRUE(id);
  EXPECT_EQ(told_text(set, id, "path"), "/dev/sdb");
  EXPECT_EQ(told_text(set, id, "model"), "LOGICAL VOLUME");
  EXPECT_EQ(told_text(set, id, "vendor"), "HP");
  EXPECT_EQ(told_text(set, id, "wwid"), "600508B1001C1A2B3C4D5E6F70819201");
  EXPECT_EQ(told_text(set, id, "media"), std::nullopt);
  EXPECT_EQ(told_text(set, id, "serial"), std::nullopt) << "it would be the controller's";
  EXPECT_EQ(told_bool(set, id, "block_device.rotational"), true);
  EXPECT_EQ(told_text(set, id, "block_device.scheduler"), "mq-deadline");
  EXPECT_EQ(told_integer(set, id, "block_device.queue_depth"), 1013);
  EXPECT_EQ(told_text(set, id, "block_device.write_cache"), "write back");
  EXPECT_EQ(told_integer(set, id, "block_device.numa_node"), std::nullopt) << "-1 is none";
  EXPECT_THAT(*told_texts(set, id, "mount_points"), ElementsAre("/data disk"));
}

TEST_F(P420i, ScsiAsksOnlyTheVendorPagesOfTheLogicalDrives) {
  answer_vendor_pages("/dev/sdb", 2, 3, 0);
  answer_vendor_pages("/dev/sda", 0, 1, 5);
  const FactSet set = scsi();
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_EQ(set.detail, "");
  EXPECT_THAT(machine.scsi.log(),
              ElementsAre("/dev/sdb: 12 01 c1 00 40 00", "/dev/sdb: 12 01 c2 00 40 00",
                          "/dev/sdb: 12 01 c3 00 40 00", "/dev/sda: 12 01 c1 00 40 00",
                          "/dev/sda: 12 01 c2 00 40 00", "/dev/sda: 12 01 c3 00 40 00"));
  const auto one = drive(set);
  EXPECT_EQ(told_text(set, one, "unique_id"), "600508B1001C1A2B3C4D5E6F70819201");
  EXPECT_THAT(*told_texts(set, one, "raid_candidates"), ElementsAre("1", "1+0"));
  EXPECT_EQ(told_bool(set, one, "smart_path.firmware_configured"), true);
  EXPECT_EQ(told_bool(set, one, "smart_path.firmware_enabled"), true);
  EXPECT_EQ(told_text(set, one, "status"), "OK");
  const auto two = drive(set, "/dev/sda");
  EXPECT_EQ(told_text(set, two, "raid"), "0");
  EXPECT_EQ(told_bool(set, two, "smart_path.firmware_enabled"), false);
  EXPECT_EQ(told_text(set, two, "status"), "Recovering");
  const auto id = controller(set);
  EXPECT_EQ(told_text(set, id, "pci_address"), "0000:00:01.0");
  EXPECT_EQ(told_text(set, id, "model"), "P420i");
  EXPECT_EQ(told_text(set, id, "firmware"), "8.32");
}

TEST_F(P420i, TheCommonSerialNumberOfTheDrivesIsTheControllers) {
  EXPECT_EQ(told_text(scsi(), controller(scsi()), "serial"), std::nullopt) << "they differ";
  const std::string page("\0\x80\0\x0ePDSXK0BRH6A0QT", 18);
  machine.files.file(drive_dir + "/vpd_pg80", page);
  machine.files.file(drive2_dir + "/vpd_pg80", page);
  EXPECT_EQ(told_text(scsi(), controller(scsi()), "serial"), "PDSXK0BRH6A0QT");
}

TEST_F(P420i, APageThatIsNotListedIsNotAskedFor) {
  answer_vendor_pages("/dev/sdb", 2, 3, 0);
  machine.files.file(drive_dir + "/vpd_pg0", std::string("\0\0\0\x03\0\x80\x83", 7));
  machine.files.file(drive2_dir + "/vpd_pg0", std::string("\0\0\0\x03\0\x80\x83", 7));
  const FactSet set = scsi();
  EXPECT_THAT(machine.scsi.log(), IsEmpty());
  EXPECT_EQ(told_bool(set, drive(set), "smart_path.firmware_configured"), std::nullopt);
}

TEST_F(P420i, AnAnswerWithAnotherPageCodeIsNoAnswer) {
  machine.scsi.answer("/dev/sdb", "12 01 c2 00 40 00",
                      {std::byte{0}, std::byte{0xC1}, std::byte{0}, std::byte{1}, std::byte{3}});
  const FactSet set = scsi();
  EXPECT_EQ(told_bool(set, drive(set), "smart_path.firmware_configured"), std::nullopt);
  EXPECT_EQ(set.status, SourceStatus::ok);
}

TEST_F(P420i, WithoutVpdInSysfsThePageListIsAsked) {
  for (const auto& dir : {drive_dir, drive2_dir}) machine.files.remove(dir + "/vpd_pg0");
  machine.scsi.page("/dev/sdb", 0x00, {0x00, 0x83, 0xC2});
  machine.scsi.page("/dev/sdb", 0xC2, {1});
  const FactSet set = scsi();
  EXPECT_THAT(machine.scsi.log(),
              ElementsAre("/dev/sdb: 12 01 00 00 fc 00", "/dev/sdb: 12 01 c2 00 40 00",
                          "/dev/sda: 12 01 00 00 fc 00"));
  EXPECT_EQ(told_bool(set, drive(set), "smart_path.firmware_configured"), true);
}

TEST_F(P420i, ALockedUpControllerIsLeftAlone) {
  answer_vendor_pages("/dev/sdb", 2, 3, 0);
  machine.files.file(host_dir + "/lockup_detected", "ld=-1\n");
  const FactSet set = scsi();
  EXPECT_THAT(machine.scsi.log(), IsEmpty());
  ASSERT_EQ(set.notes.size(), 1U);
  EXPECT_THAT(set.notes[0].text, HasSubstr("0000:00:01.0 has locked up (code -1)"));
  EXPECT_EQ(told_text(sysfs(), controller(sysfs()), "lockup"), "-1");
}

TEST_F(P420i, WithoutRootTheRestIsStillTold) {
  machine.scsi.fail_with("/dev/sdb",
                         Error{Errc::permission, "cannot open", "/dev/sdb", "run as root", EACCES});
  const FactSet set = scsi();
  EXPECT_EQ(set.status, SourceStatus::skipped);
  EXPECT_THAT(set.detail, HasSubstr("need root"));
  EXPECT_THAT(set.detail, HasSubstr("run as root"));
  EXPECT_EQ(machine.scsi.log().size(), 1U) << "one refusal tells it all";
  EXPECT_EQ(told_text(set, drive(set), "unique_id"), "600508B1001C1A2B3C4D5E6F70819201");
}

TEST_F(P420i, ALostCommandStopsAskingThatController) {
  machine.scsi.fail_with("/dev/sdb",
                         Error{Errc::timeout, "no answer to a SCSI command in time", "/dev/sdb"});
  const FactSet set = scsi();
  EXPECT_EQ(set.status, SourceStatus::failed);
  EXPECT_THAT(set.detail, HasSubstr("no answer"));
  EXPECT_EQ(machine.scsi.log().size(), 1U);
  EXPECT_EQ(told_text(set, controller(set), "model"), "P420i");
}

TEST_F(P420i, ASysrootIsReadWithoutCommands) {
  const Error not_live{Errc::not_found, "not a live machine"};
  machine.scsi.fail_with("/dev/sda", not_live);
  machine.scsi.fail_with("/dev/sdb", not_live);
  const FactSet set = scsi();
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_THAT(set.detail, HasSubstr("no SCSI command could be sent"));
}

TEST_F(P420i, AVolumeWithoutADiskNodeGetsNoCommand) {
  MemoryHost other;
  std::string recording = testing::read_machine("p420i.umockdev");
  const auto begin =
      recording.find("P: /devices/pci0000:00/0000:00:01.0/host0/target0:1:0/0:1:0:0/block");
  recording.erase(begin, recording.find("\n\n", begin) - begin);
  testing::load_recorded_machine(other, recording);
  other.scsi.page("/dev/sda", 0xC1, {0, 0, 0, 0, 2});
  source_scsi_inquiry.collect(other.host());
  EXPECT_THAT(other.scsi.log(), Not(IsEmpty()));
  for (const auto& line : other.scsi.log()) EXPECT_TRUE(line.starts_with("/dev/sda")) << line;
}

TEST(SmartArrays, ACopiedTreeWithoutLinksWillDo) {
  const TempDir dir;
  dir.write("sys/class/scsi_host/host2/proc_name", "hpsa\n");
  dir.write("sys/class/scsi_host/host2/firmware_revision", "6.64\n");
  const std::string node = "sys/bus/scsi/devices/2:1:0:0/";
  dir.write(node + "type", "0\n");
  dir.write(node + "raid_level", "RAID 0\n");
  dir.write(node + "unique_id", "600508B1001C1A2B3C4D5E6F70819201\n");
  dir.write(node + "block/sda/size", "2048\n");
  dir.write("sys/block/sda/size", "2048\n");
  LiveHostOptions options;
  options.sysroot = dir.path();
  const LiveHost live(options);
  const FactSet set = source_hpsa_sysfs.collect(live.host());
  EXPECT_EQ(set.status, SourceStatus::ok);
  const auto id = find_entity(set, EntityKind::controller, "host2");
  EXPECT_EQ(told_text(set, id, "firmware"), "6.64");
  EXPECT_EQ(told_text(set, id, "pci_address"), std::nullopt);
  const auto drive = find_entity(set, EntityKind::logical_drive, "/dev/sda");
  EXPECT_EQ(told_text(set, drive, "raid"), "0");
  EXPECT_EQ(told_integer(set, drive, "size_bytes"), 2048 * 512);
}

TEST(SmartArrays, AMachineWithoutOneSaysSo) {
  const MemoryHost machine;
  for (const Source* const source : {&source_hpsa_sysfs, &source_smartpqi_sysfs}) {
    const FactSet set = source->collect(machine.host());
    EXPECT_EQ(set.status, SourceStatus::absent);
    EXPECT_THAT(set.detail, HasSubstr("no controller is driven by"));
  }
  EXPECT_EQ(source_scsi_inquiry.collect(machine.host()).status, SourceStatus::absent);
}

TEST(SmartArrays, UdevThatFailsIsSaid) {
  MemoryHost machine;
  machine.devices.fail_with(Error{Errc::io, "cannot list devices by libudev"});
  for (const Source* const source :
       {&source_hpsa_sysfs, &source_smartpqi_sysfs, &source_scsi_inquiry, &source_block_queue}) {
    const FactSet set = source->collect(machine.host());
    EXPECT_EQ(set.status, SourceStatus::failed);
    EXPECT_THAT(set.detail, HasSubstr("libudev"));
  }
}

TEST(SmartArrays, RaidLevelsOfBothLabelFamiliesAndBothDrivers) {
  const auto level = [](std::string_view label) {
    const auto told = sysfs::raid_level_of_label(label);
    std::string out = told.raid.value_or("-");
    for (const auto& candidate : told.candidates) out += " " + candidate;
    return out;
  };
  EXPECT_EQ(level("RAID 0"), "0");
  EXPECT_EQ(level("RAID 4"), "4");
  EXPECT_EQ(level("RAID 5+1"), "5+1");
  for (const auto label : {"RAID 1(+0)", "RAID 1(1+0)", "RAID-1(1+0)"}) {
    EXPECT_EQ(level(label), "- 1 1+0") << label;
  }
  for (const auto label : {"RAID 5", "RAID-5"}) EXPECT_EQ(level(label), "- 5 50") << label;
  for (const auto label : {"RAID 6", "RAID ADG", "RAID-6"}) {
    EXPECT_EQ(level(label), "- 6 60") << label;
  }
  for (const auto label : {"RAID 1(+0)ADM", "RAID 1(ADM)", "RAID-1(Triple)"}) {
    EXPECT_EQ(level(label), "- 1adm 10adm") << label;
  }
  for (const auto label : {"RAID UNKNOWN", "N/A", "", "RAID 7"})
    EXPECT_EQ(level(label), "-") << label;
  EXPECT_FALSE(sysfs::raid_level_of_fault_tolerance(7).raid);
  EXPECT_THAT(sysfs::raid_level_of_fault_tolerance(3).candidates, ElementsAre("5", "50"));
}

TEST(SmartArrays, ProductWords) {
  EXPECT_EQ(sysfs::product_word("P420i"), "P420i");
  EXPECT_EQ(sysfs::product_word("P408i-a SR Gen10"), "P408i-a");
  EXPECT_EQ(sysfs::product_word("SmartRAID 3154-8e"), "3154-8e");
  EXPECT_EQ(sysfs::product_word("SmartHBA-SA"), "SmartHBA-SA");
}

TEST(SmartArrays, SmartpqiHasItsOwnNames) {
  std::string recording = testing::read_machine("p420i.umockdev");
  const auto replace = [&recording](const std::string& from, const std::string& to) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = recording.find(from, at)) != std::string::npos;
         at += to.size()) {
      recording.replace(at, from.size(), to);
      ++found;
    }
    ASSERT_GT(found, 0U) << from;
  };
  replace("A: proc_name=hpsa\\n", "A: proc_name=smartpqi\\n");
  replace("A: firmware_revision=8.32\\n",
          "A: firmware_version=1.98-0\\n\nA: model=P408i-a SR Gen10\\n\nA: vendor=HPE     \\n\n"
          "A: serial_number=PEYHC0DRHAF0AB  \\n\nA: driver_version=2.1.18-045\\n");
  replace("A: hp_ssd_smart_path_status=HP SSD Smart Path enabled\\n\n", "");
  replace("A: lockup_detected=ld=0\\n\n", "");
  replace("A: hp_ssd_smart_path_enabled=0\\n",
          "A: ssd_smart_path_enabled=1\\n\nA: raid_bypass_cnt=0x1f\\n");
  replace("RAID 1(+0)", "RAID-1(1+0)");
  MemoryHost machine;
  testing::load_recorded_machine(machine, recording);
  const FactSet set = source_smartpqi_sysfs.collect(machine.host());
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_EQ(set.version, "2.1.18-045");
  const auto id = find_entity(set, EntityKind::controller, "HP P420i");
  EXPECT_EQ(told_text(set, id, "model"), "P408i-a");
  EXPECT_EQ(told_text(set, id, "vendor"), "HPE");
  EXPECT_EQ(told_text(set, id, "serial"), "PEYHC0DRHAF0AB");
  EXPECT_EQ(told_text(set, id, "firmware"), "1.98-0");
  EXPECT_EQ(told_text(set, id, "driver.name"), "smartpqi");
  EXPECT_EQ(told_bool(set, id, "smart_path.driver_enabled"), std::nullopt);
  EXPECT_EQ(told_text(set, id, "lockup"), std::nullopt);
  const auto drive = find_entity(set, EntityKind::logical_drive, "/dev/sdb");
  EXPECT_EQ(told_bool(set, drive, "smart_path.driver_enabled"), true);
  EXPECT_EQ(told_integer(set, drive, "smart_path.bypass_count"), 0x1f);
  EXPECT_THAT(*told_texts(set, drive, "raid_candidates"), ElementsAre("1", "1+0"));
  EXPECT_EQ(source_hpsa_sysfs.collect(machine.host()).status, SourceStatus::absent);
}

}  // namespace
}  // namespace raidscope
