#include "probe/sources/vendor/vendor_text.h"

#include <gtest/gtest.h>

#include "tests/unit/probe/vendor/vendor_testing.h"

namespace raidscope {
namespace {

using namespace vendor_testing;

constexpr auto C = EntityKind::controller;
constexpr auto A = EntityKind::array;
constexpr auto L = EntityKind::logical_drive;
constexpr auto D = EntityKind::physical_drive;
constexpr auto E = EntityKind::enclosure;

/// A whole `show config detail` of one controller, in the words of hpssacli.
const std::string detail = R"(
Smart Array P420i in Slot 0 (Embedded)
   Bus Interface: PCI
   Slot: 0
   Serial Number: 00143801AB12CD0
   Cache Serial Number: PBKUC0ARH1T2M3
   RAID 6 (ADG) Status: Enabled
   Controller Status: OK
   Hardware Revision: B
   Firmware Version: 8.32
   Rebuild Priority: Medium
   Surface Scan Delay: 3 secs
   Monitor and Performance Delay: 60  min
   Cache Board Present: True
   Cache Status: OK
   Cache Ratio: 10% Read / 90% Write
   Drive Write Cache: Disabled
   Total Cache Size: 1024 MB
   Total Cache Memory Available: 816 MB
   No-Battery Write Cache: Disabled
   Cache Backup Power Source: Capacitors
   Battery/Capacitor Count: 1
   Battery/Capacitor Status: OK
   SATA NCQ Supported: True
   Controller Temperature (C): 71
   Cache Module Temperature (C): 0
   Capacitor Temperature  (C): 24
   Number of Ports: 2 Internal only
   Driver Name: hpsa
   Driver Version: 3.4.20
   Driver Supports HP SSD Smart Path: True
   PCI Address (Domain:Bus:Device.Function): 0000:0D:00.0
   Sensor ID: 0
      Location: Inlet Ambient
      Current Value (C): 25
      Max Value Since Power On: 28
   Primary Boot Volume: logicaldrive 1 (600508B1001C0000000000000000AB01)

   Internal Drive Cage at Port 1I, Box 1, OK

      Power Supply Status: Not Redundant
      Serial Number: CAGE01
      Firmware Version: 2.10
      Drive Bays: 4
      Port: 1I
      Box: 1
      Location: Internal

   Expander 250
      Device Number: 250
      Firmware Version: 2.11
      WWID: 50014380AB12CD99

   Physical Drives
      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, Solid State SATA, 240 GB, OK)
      physicaldrive 1I:1:2 (port 1I:box 1:bay 2, Solid State SATA, 240 GB, OK)
      physicaldrive 1I:1:3 (port 1I:box 1:bay 3, SAS, 300 GB, OK)

   Port Name: 1I
         Port ID: 0
         SAS Address: 50014380AB12CD00

   Array: A
      Interface Type: Solid State SATA
      Unused Space: 0  MB (0.0%)
      Status: OK
      Array Type: Data       HP SSD Smart Path: enable

      Logical Drive: 1
         Size: 223.5 GB
         Fault Tolerance: 1
         Strip Size: 256 KB
         Full Stripe Size: 256 KB
         Status: OK
         Caching:  Disabled
         Unique Identifier: 600508B1001C0000000000000000AB01
         Disk Name: /dev/sda          Mount Points: /boot 512 MB Partition Number 1, / 200.0 GB Partition Number 2
         Logical Drive Label: LABEL1
         Mirror Group 1:
            physicaldrive 1I:1:1 (port 1I:box 1:bay 1, Solid State SATA, 240 GB, OK)
         Mirror Group 2:
            physicaldrive 1I:1:2 (port 1I:box 1:bay 2, Solid State SATA, 240 GB, OK)
         Drive Type: Data
         LD Acceleration Method: HP SSD Smart Path

      physicaldrive 1I:1:1
         Port: 1I
         Box: 1
         Bay: 1
         Status: OK
         Drive Type: Data Drive
         Interface Type: Solid State SATA
         Size: 240 GB
         Firmware Revision: HPG1 (FW update is recommended to minimum version: HPG3)
         Serial Number:         SN0001
         Model: ATA     MK0240GFDKQ
         Current Temperature (C): 28
         Maximum Temperature (C): 0
         Usage remaining: 99.84%
         Power On Hours: 17660
         PHY Transfer Rate: 6.0Gbps, Unknown
         New Drive Key: 7

      physicaldrive 1I:1:2
         Status: Rebuilding, 40% complete
         Drive Type: Data Drive

   unassigned

      physicaldrive 1I:1:3
         Status: OK
         Drive Type: Unassigned Drive
         Interface Type: SAS
         Rotational Speed: 10000

   SEP (Vendor ID PMCSIERA, Model SRCv8x6G) 380
      Device Number: 380
      Firmware Version: RevB
      Model: SRCv8x6G

)";

std::string without(std::string text, std::string_view line) {
  const std::size_t at = text.find(line);
  EXPECT_NE(at, std::string::npos) << line;
  return text.erase(at, text.find('\n', at) + 1 - at);
}
std::string changed(std::string text, std::string_view what, std::string_view with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), with);
}

FactSet parsed(const std::string& text) {
  auto set = parse(text);
  EXPECT_TRUE(set) << (set ? "" : describe(set.error()));
  return set ? *std::move(set) : FactSet{};
}

TEST(VendorText, ControllerOfAWholeReport) {
  const FactSet set = parsed(detail);
  ASSERT_EQ(count(set, C), 1u);
  const EntityId c = entity(set, C, "Smart Array P420i");
  const std::pair<const char*, const char*> facts[] = {
      {"model", "P420i"},
      {"vendor", "HP"},
      {"slot", "0"},
      {"embedded", "true"},
      {"serial", "00143801AB12CD0"},
      {"firmware", "8.32"},
      {"status", "OK"},
      {"cache.present", "true"},
      {"cache.status", "ok"},
      {"cache.status_text", "OK"},
      {"cache.ratio.read", "10"},
      {"cache.ratio.write", "90"},
      {"drive_write_cache", "disabled"},
      {"cache.size_bytes", "1073741824"},
      {"cache.size_text", "1024 MB"},
      {"cache.size_exact", "false"},
      {"cache.available_bytes", "855638016"},
      {"cache.no_battery_write_cache", "false"},
      {"cache.backup.kind", "capacitor"},
      {"cache.backup.count", "1"},
      {"cache.backup.status", "ok"},
      {"temperature_c", "71"},
      {"cache.temperature_c", "(none)"},
      {"cache.capacitor_temperature_c", "24"},
      {"driver.name", "hpsa"},
      {"driver.version", "3.4.20"},
      {"smart_path.driver_supports", "true"},
      {"pci_address", "0000:0d:00.0"},
      {"settings.rebuild_priority", "Medium"},
      {"settings.surface_scan_delay_s", "3"},
      {"settings.monitor_and_performance_delay_min", "60"},
      {"whole_block", "true"},
      {"warnings", "(none)"}};
  for (const auto& [name, value] : facts) EXPECT_EQ(fact(set, c, name), value) << name;
  EXPECT_EQ(extra(set, c, "Bus Interface"), "PCI");
  EXPECT_EQ(extra(set, c, "Number of Ports"), "2 Internal only");
  EXPECT_EQ(extra(set, c, "Cache Module Temperature (C)"), "0");
  // Printed behind the sensors, and still the controller's.
  EXPECT_EQ(extra(set, c, "Primary Boot Volume"),
            "logicaldrive 1 (600508B1001C0000000000000000AB01)");
  EXPECT_TRUE(set.notes.empty());
}

TEST(VendorText, ArrayAndLogicalDrive) {
  const FactSet set = parsed(detail);
  const EntityId a = entity(set, A, "A");
  EXPECT_EQ(fact(set, a, "interface"), "SATA");
  EXPECT_EQ(fact(set, a, "media"), "ssd");
  EXPECT_EQ(fact(set, a, "smart_path"), "enabled");  // the second property of its line
  EXPECT_EQ(extra(set, a, "Array Type"), "Data");
  EXPECT_EQ(fact(set, a, "unused_bytes"), "0");
  const EntityId l = entity(set, L, "1", a);
  const std::pair<const char*, const char*> facts[] = {
      {"number", "1"},
      {"raid", "1"},
      {"strip_bytes", "262144"},
      {"caching", "disabled"},
      {"acceleration", "smart_path"},
      {"unique_id", "600508B1001C0000000000000000AB01"},
      {"device", "/dev/sda"},
      {"mount_points", "/boot|/"},
      {"label", "LABEL1"},
      {"status", "OK"},
      {"size_bytes", "239981297664"},
      {"size_text", "223.5 GB"},
      {"member_drives", "1I:1:1|1I:1:2"},
      {"mirror_groups", "Mirror Group 1|1I:1:1 & Mirror Group 2|1I:1:2"}};
  for (const auto& [name, value] : facts) EXPECT_EQ(fact(set, l, name), value) << name;
}

TEST(VendorText, ADriveIsOneHoweverOftenItIsListed) {
  const FactSet set = parsed(detail);
  EXPECT_EQ(count(set, D), 3u);
  const EntityId d = entity(set, D, "1I:1:1", entity(set, A, "A"));
  ASSERT_NE(d, 0u);
  const std::pair<const char*, const char*> facts[] = {{"bay", "1I:1:1"},
                                                       {"status", "OK"},
                                                       {"role", "data"},
                                                       {"media", "ssd"},
                                                       {"interface", "SATA"},
                                                       {"size_bytes", "240000000000"},
                                                       {"firmware", "HPG1"},
                                                       {"serial", "SN0001"},
                                                       {"vendor", "ATA"},
                                                       {"model", "MK0240GFDKQ"},
                                                       {"temperature_c", "28"},
                                                       {"temperature_max_c", "(none)"},
                                                       {"wear_remaining_pct", "99.84"},
                                                       {"power_on_hours", "17660"},
                                                       {"phy_rates_gbps", "6|0"}};
  for (const auto& [name, value] : facts) EXPECT_EQ(fact(set, d, name), value) << name;
  EXPECT_EQ(extra(set, d, "New Drive Key"), "7");
  EXPECT_EQ(extra(set, d, "Firmware Revision"),
            "HPG1 (FW update is recommended to minimum version: HPG3)");
  const EntityId spinning = entity(set, D, "1I:1:3");
  EXPECT_EQ(set.entities[spinning].parent, entity(set, C, "Smart Array P420i"));
  EXPECT_EQ(fact(set, spinning, "role"), "unassigned");
  EXPECT_EQ(fact(set, spinning, "media"), "hdd");
}

TEST(VendorText, EnclosuresKeepTheirOwnFirmware) {
  const FactSet set = parsed(detail);
  EXPECT_EQ(fact(set, entity(set, C, "Smart Array P420i"), "firmware"), "8.32");
  EXPECT_EQ(fact(set, entity(set, E, "Internal Drive Cage"), "firmware"), "2.10");
  EXPECT_EQ(fact(set, entity(set, E, "Internal Drive Cage"), "serial"), "CAGE01");
  EXPECT_EQ(fact(set, entity(set, E, "Expander 250"), "firmware"), "2.11");
  const EntityId sep = entity(set, E, "SEP (Vendor ID PMCSIERA, Model SRCv8x6G) 380");
  EXPECT_EQ(fact(set, sep, "firmware"), "RevB");
  EXPECT_EQ(fact(set, sep, "vendor"), "PMCSIERA");
}

TEST(VendorText, StatusIsTheWordsBeforeTheComma) {
  const FactSet set = parsed(
      "Smart Array P411 in Slot 2\n   array A (SAS, Unused Space: 0 MB)\n"
      "      logicaldrive 1 (820.2 GB, RAID 6 (ADG), Recovering, 55.73% complete)\n"
      "      physicaldrive 1:0 (port 1:id 0 , Parallel SCSI, --- GB, Failed)\n"
      "      physicaldrive 1E:1:2 (port 1E:box 1:bay 2, SAS HDD, 300 GB, Rebuilding, 45% "
      "complete)\n"
      "      physicaldrive 1E:1:9 (port 1E:box 1:bay 9, SAS HDD, 300 GB, OK, active spare for "
      "1E:1:2)\n"
      "\n");
  const EntityId l = entity(set, L, "1");
  EXPECT_EQ(fact(set, l, "status"), "Recovering");
  EXPECT_EQ(fact(set, l, "progress_pct"), "55.73");
  EXPECT_EQ(fact(set, l, "raid"), "6");
  EXPECT_EQ(fact(set, entity(set, D, "1:0"), "status"), "Failed");
  EXPECT_EQ(fact(set, entity(set, D, "1:0"), "interface"), "SCSI");
  EXPECT_EQ(fact(set, entity(set, D, "1:0"), "size_bytes"), "(none)");
  EXPECT_EQ(fact(set, entity(set, D, "1E:1:2"), "progress_pct"), "45");
  EXPECT_EQ(fact(set, entity(set, D, "1E:1:9"), "role"), "spare");
  EXPECT_EQ(fact(set, entity(set, D, "1E:1:9"), "status"), "OK");
}

TEST(VendorText, MissingBatteryLineNeedsTheWholeBlock) {
  std::string text = without(
      without(without(detail, "   Cache Backup Power Source"), "   Battery/Capacitor Count"),
      "   Battery/Capacitor Status");
  const FactSet set = parsed(text);
  const EntityId c = entity(set, C, "Smart Array P420i");
  EXPECT_EQ(fact(set, c, "cache.backup.status"), "(none)");
  EXPECT_EQ(fact(set, c, "whole_block"), "true");
  const FactSet cut = parsed(text.substr(0, text.find("   SATA NCQ")));
  EXPECT_EQ(fact(cut, entity(cut, C, "Smart Array P420i"), "whole_block"), "(none)");
  const FactSet elided = parsed(changed(text, "   SATA NCQ", "   ...\n   SATA NCQ"));
  EXPECT_EQ(fact(elided, entity(elided, C, "Smart Array P420i"), "whole_block"), "(none)");
}

TEST(VendorText, CountZeroIsAbsentWhateverTheStatusSays) {
  std::string text = changed(detail, "Battery/Capacitor Count: 1", "Battery/Capacitor Count: 0");
  text = changed(text, "Battery/Capacitor Status: OK",
                 "Battery/Capacitor Status: Failed (Replace Batteries)");
  const FactSet set = parsed(text);
  const EntityId c = entity(set, C, "Smart Array P420i");
  EXPECT_EQ(fact(set, c, "cache.backup.status"), "absent");
  EXPECT_EQ(fact(set, c, "cache.backup.status_text"), "Failed (Replace Batteries)");
}

TEST(VendorText, AbsentModuleHasNoSizes) {
  const FactSet set =
      parsed(changed(detail, "Cache Board Present: True", "Cache Board Present: False"));
  const EntityId c = entity(set, C, "Smart Array P420i");
  EXPECT_EQ(fact(set, c, "cache.present"), "false");
  EXPECT_EQ(fact(set, c, "cache.size_bytes"), "(none)");
  EXPECT_EQ(fact(set, c, "cache.available_bytes"), "(none)");
  EXPECT_EQ(extra(set, c, "Total Cache Size"), "1024 MB");
}

TEST(VendorText, StatusAloneLeavesPresenceUnknown) {
  const FactSet set = parsed(
      "\nSmart Array P840 in Slot 1\n   Controller Status: OK\n   Cache Status: Permanently "
      "Disabled\n\n");
  const EntityId c = entity(set, C, "Smart Array P840");
  EXPECT_EQ(fact(set, c, "cache.present"), "(none)");
  EXPECT_EQ(fact(set, c, "cache.status"), "permanently_disabled");
  EXPECT_EQ(fact(set, c, "whole_block"), "(none)");
}

TEST(VendorText, RedactedFirmwareIsLeftOut) {
  const FactSet set = parsed(changed(detail, "Firmware Version: 8.32", "Firmware Version: 0.00"));
  const EntityId c = entity(set, C, "Smart Array P420i");
  EXPECT_EQ(fact(set, c, "firmware"), "(none)");
  EXPECT_EQ(extra(set, c, "Firmware Version"), "0.00");
}

TEST(VendorText, HeadingRepeatedByTheToolEndsNothing) {
  std::string text = changed(detail, "         Mirror Group 2:",
                             "Smart Array P420i in Slot 0 (Embedded)\n         Mirror Group 2:");
  text = changed(text, "      physicaldrive 1I:1:3 (port",
                 "Smart Array P420i in Slot 0 (Embedded)\n      physicaldrive 1I:1:3 (port");
  EXPECT_EQ(lines_of(parsed(text)), lines_of(parsed(detail)));
}

TEST(VendorText, BannersAndWarningsStandAside) {
  const std::string text =
      changed(detail, "      Logical Drive: 1\n",
              "\nWarning: Unrecoverable Media Errors Detected on Drives during previous Rebuild \n"
              "or Background Surface Analysis (ARM) scan. The\nfollowing logical drives are "
              "affected: 4, 5\n\n"
              "      Logical Drive: 1\n");
  const FactSet set = parsed(text);
  EXPECT_EQ(lines_of(set), lines_of(parsed(detail)));
  EXPECT_EQ(
      fact(set, entity(set, C, "Smart Array P420i"), "warnings"),
      "Warning: Unrecoverable Media Errors Detected on Drives during previous Rebuild or "
      "Background Surface Analysis (ARM) scan. The following logical drives are affected: 4, 5");
}

TEST(VendorText, BannerBeforeAHeadingIsAboutTheControllerThatFollows) {
  const FactSet set = parsed(
      "FIRMWARE UPGRADE REQUIRED: A firmware update is recommended\n"
      "                           to prevent errors.\n\n"
      "Smart Array P400i in Slot 0 (Embedded)\n   Controller Status: OK\n");
  EXPECT_EQ(fact(set, entity(set, C, "Smart Array P400i"), "warnings"),
            "FIRMWARE UPGRADE REQUIRED: A firmware update is recommended to prevent errors.");
}

TEST(VendorText, TheWholeReportUnderEveryDisguise) {
  const auto expected = lines_of(parsed(detail));
  EXPECT_EQ(lines_of(parsed(replaced(detail, "\n", "\r\n"))), expected) << "CRLF";
  EXPECT_EQ(lines_of(parsed(replaced(detail, "\n", "\n\n"))), expected) << "double spaced";
  EXPECT_EQ(lines_of(parsed(replaced(detail, "\n", "\n\t"))), expected) << "tab prefix";
  EXPECT_EQ(lines_of(parsed(replaced(detail, "\n", "\n# "))), expected) << "comment";
  EXPECT_EQ(lines_of(parsed(replaced(detail, "   ", "\t"))), expected) << "tabs";
  std::string flat;
  for (const std::string& line : split_lines(detail))
    flat += line.substr(std::min(line.find_first_not_of(' '), line.size())) + "\n";
  EXPECT_EQ(lines_of(parsed(flat)), expected) << "flat";
}

/// A raw capture of a terminal holds escapes that begin nothing.
TEST(VendorText, AStrayEscapeTakesNothingWithIt) {
  const auto expected = lines_of(parsed(detail));
  EXPECT_EQ(lines_of(parsed(replaced(detail, "\n", "\x1b\n"))), expected)
      << "before the line's end";
  EXPECT_EQ(lines_of(parsed(replaced(detail, "\n", "\x1b[\n"))), expected) << "of a cut colour";
  EXPECT_EQ(lines_of(parsed(replaced(detail, "\n", "\x1b\x1b[0m\n"))), expected) << "two";
  EXPECT_EQ(lines_of(parsed(detail + "\x1b")), expected) << "at the end";
  const FactSet set = parsed(changed(detail, "Serial Number: 00143801AB12CD0",
                                     "Serial Number: \x1b"
                                     "Ü2"));
  EXPECT_EQ(fact(set, entity(set, C, "Smart Array P420i"), "serial"), "Ü2");
}

TEST(VendorText, BlanksDoubledBetweenTheWords) {
  const FactSet set = parsed(
      "Smart  Array  P410i  in  Slot  0  (Embedded)\n   Cache  Status:  OK\n   array  A  (SAS,  "
      "Unused  Space:  0  MB)\n"
      "      physicaldrive  1I:1:1  (port  1I:box  1:bay  1,  SAS,  300  GB,  OK)\n\n");
  EXPECT_EQ(fact(set, entity(set, C, "Smart Array P410i"), "cache.status"), "ok");
  EXPECT_EQ(fact(set, entity(set, D, "1I:1:1", entity(set, A, "A")), "size_bytes"), "300000000000");
}

TEST(VendorText, WrappedLinesAreJoined) {
  std::string text = changed(detail, "(port 1I:box 1:bay 3, SAS, 300 GB, OK)",
                             "(port 1I:box 1:bay 3, SAS,\n300 GB, OK)");
  text = changed(text, "Array Type: Data       HP SSD Smart Path: enable",
                 "Array Type: Data                        HP SSD Smart\n   Path: enable");
  text = changed(text, "Driver Supports HP SSD Smart Path: True",
                 "Driver Supports HP SSD Smart Path:\n   True");
  text = changed(text, "SEP (Vendor ID PMCSIERA, Model SRCv8x6G) 380",
                 "SEP (Vendor ID PMCSIERA,\nModel SRCv8x6G) 380");
  EXPECT_EQ(lines_of(parsed(text)), lines_of(parsed(detail)));
}

TEST(VendorText, LongDetailsContinuedAtColumnZero) {
  const FactSet set = parsed(
      changed(detail, "   Cache Ratio:",
              "   Cache Status Details: The current array controller had valid data stored in\n"
              "its battery/capacitor backed write cache the last time it was reset or was\n"
              "powered up.\n   Cache Ratio:"));
  const EntityId c = entity(set, C, "Smart Array P420i");
  EXPECT_EQ(
      fact(set, c, "cache.details"),
      "The current array controller had valid data stored in its battery/capacitor backed write "
      "cache the last time it was reset or was powered up.");
  EXPECT_EQ(fact(set, c, "cache.ratio.write"), "90");
}

TEST(VendorText, CutAtEveryByteTellsNothingElse) {
  const FactSet whole = parsed(detail);
  const auto expected = lines_of(whole, false, false, false);
  for (std::size_t cut = 30; cut < detail.size(); ++cut) {
    const auto part = parse(detail.substr(0, cut));
    ASSERT_TRUE(part) << cut;
    for (const std::string& line : lines_of(*part, false, false, false)) {
      ASSERT_TRUE(expected.count(line) > 0) << line << " cut at " << cut;
    }
  }
}

TEST(VendorText, AnEnumerationCutInMidWordIsRaw) {
  const FactSet set = parsed(detail.substr(0, detail.find("LD Acceleration Method: HP SSD") + 28));
  const EntityId l = entity(set, L, "1");
  EXPECT_EQ(fact(set, l, "acceleration"), "(none)");
  EXPECT_EQ(extra(set, l, "LD Acceleration Method"), "HP S");
  EXPECT_FALSE(set.notes.empty());
}

TEST(VendorText, LastLineWithoutEndFillsOnlyClosedSets) {
  const FactSet closed = parsed("Smart Array P410 in Slot 1\n   Controller Status: OK");
  EXPECT_EQ(fact(closed, entity(closed, C, "Smart Array P410"), "status"), "OK");
  const FactSet open =
      parsed("Smart Array P410 in Slot 1\n   Bus Interface: PCI\n   Serial Number: AB1");
  EXPECT_EQ(fact(open, entity(open, C, "Smart Array P410"), "serial"), "(none)");
  EXPECT_EQ(extra(open, entity(open, C, "Smart Array P410"), "Serial Number"), "AB1");
}

TEST(VendorText, DriveIdsAreUniqueWithinAControllerOnly) {
  const FactSet set = parsed(
      "Smart Array P410 in Slot 1\n   array A (SAS, Unused Space: 0  MB)\n"
      "      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS, 146 GB, OK)\n"
      "Smart Array P410i in Slot 0 (Embedded)\n   array A (SAS, Unused Space: 0  MB)\n"
      "      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS, 300 GB, Failed)\n\n");
  EXPECT_EQ(count(set, D), 2u);
  EXPECT_EQ(count(set, A), 2u);
}

TEST(VendorText, ControllersAreKeyedByNameAndSlot) {
  const FactSet set = parsed(
      "Smart HBA H240 in Slot 1 (RAID Mode)\n   Controller Status: OK\n"
      "Smart HBA H240 in Slot 2 (HBA Mode)\n   Controller Status: OK\n\n"
      "Smart HBA H240 in Slot 1\n\n   array A (SAS, Unused Space: 0  MB)\n\n"
      "Dynamic Smart Array B140i in Slot 0b\n   Controller Status: OK\n\n");
  EXPECT_EQ(count(set, C), 3u);
}

TEST(VendorText, BoxesWithoutASlot) {
  const FactSet set = parsed(
      "MSA1500 CS in MY STORAGE\n   Controller Status: OK\n\n"
      "MSA1500 CS in MY STORAGE\n   Controller Status: OK\n\n"
      "Smart Array P400 in Slot ATTR_VALUE_SLOT_UNKNOWN\n   Controller Status: OK\n\n");
  EXPECT_EQ(count(set, C), 3u);
  EXPECT_EQ(fact(set, 1, "model"), "MSA1500");
  EXPECT_EQ(fact(set, 1, "slot"), "(none)");
  EXPECT_EQ(fact(set, 3, "slot"), "(none)");
}

TEST(VendorText, AnswersWithoutHeadingBelongToTheSlotAskedFor) {
  const FactSet set = parsed(
      "# ssacli ctrl all show\n\nSmart Array P212 in Slot 2                (sn: S2)\n"
      "Smart Array P420i in Slot 0 (Embedded)    (sn: S0)\n\n"
      "# ssacli ctrl slot=2 ld all show status\n   logicaldrive 1 (1.36 TB, RAID 5): OK\n\n"
      "# ssacli ctrl slot=0 pd all show status\n"
      "   physicaldrive 1I:1:1 (port 1I:box 1:bay 1, 500 GB): Predictive Failure\n\n");
  EXPECT_EQ(count(set, C), 2u);
  EXPECT_NE(entity(set, L, "1", entity(set, C, "Smart Array P212")), 0u);
  const EntityId d = entity(set, D, "1I:1:1", entity(set, C, "Smart Array P420i"));
  EXPECT_EQ(fact(set, d, "status"), "Predictive Failure");
}

TEST(VendorText, AnswerWithoutAnyHeadingHangsBelowAnUnnamedController) {
  const FactSet set = parsed("   logicaldrive 1 (136.7 GB, 1): OK\n\n");
  ASSERT_EQ(count(set, C), 1u);
  EXPECT_EQ(fact(set, 1, "name"), "(none)");
  EXPECT_EQ(fact(set, entity(set, L, "1"), "raid"), "1");
}

TEST(VendorText, GrepOutputBehindAPromptBelongsToNothing) {
  const FactSet set = parsed(detail +
                             "root@host:~# ssacli ctrl slot=0 pd all show detail | grep Serial\n   "
                             "      Serial Number: OTHER\n");
  EXPECT_EQ(lines_of(set), lines_of(parsed(detail)));
}

TEST(VendorText, LaterAnswersReplaceEarlierOnes) {
  const FactSet set = parsed(
      "=> ctrl slot=0 pd all show\n\nSmart Array P440ar in Slot 0 (Embedded)\n\n   Unassigned\n\n"
      "      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS HDD, 300 GB, OK)\n\n"
      "=> ctrl slot=0 pd all show\n\nSmart Array P440ar in Slot 0 (Embedded)\n\n   Array A\n\n"
      "      physicaldrive 1I:1:1 (port 1I:box 1:bay 1, SAS HDD, 300 GB, OK)\n\n");
  const EntityId d = entity(set, D, "1I:1:1", entity(set, A, "A"));
  EXPECT_EQ(fact(set, d, "role"), "data");
}

TEST(VendorText, SeveralTextsOfOneMachine) {
  const NamedText texts[] = {
      {"ld.txt", "   logicaldrive 1 (136.7 GB, RAID 1): OK\n"},
      {"ctrl.txt", "Smart Array P410i in Slot 0 (Embedded)\n   Controller Status: OK\n\n"}};
  const auto set = parse_vendor_text(texts);
  ASSERT_TRUE(set);
  EXPECT_EQ(count(*set, C), 1u);
  EXPECT_NE(entity(*set, L, "1", entity(*set, C, "Smart Array P410i")), 0u);
}

TEST(VendorText, RepeatedKeyInOneBlockStandsTwice) {
  const FactSet set =
      parsed(changed(detail, "   SATA NCQ Supported",
                     "   Failed Battery Location: Battery 1\n"
                     "   Failed Battery Location: Battery 2\n   SATA NCQ Supported"));
  EXPECT_EQ(extra(set, entity(set, C, "Smart Array P420i"), "Failed Battery Location"),
            "Battery 1 & Battery 2");
}

TEST(VendorText, HbaModeOfAControllerWithoutTheSuffix) {
  const FactSet set =
      parsed(changed(detail, "   PCI Address", "   HBA Mode Enabled: True\n   PCI Address"));
  EXPECT_EQ(fact(set, entity(set, C, "Smart Array P420i"), "mode"), "hba");
}

TEST(VendorText, GarbledLineOpensNoDrive) {
  const FactSet set = parsed(changed(detail, "         New Drive Key: 7",
                                     "         SATA NCQ En      physicaldriveabled: True"));
  EXPECT_EQ(count(set, D), 3u);
  EXPECT_EQ(extra(set, entity(set, D, "1I:1:1"), "SATA NCQ En physicaldriveabled"), "True");
}

TEST(VendorText, NoControllersIsAnAnswer) {
  const FactSet set = parsed("\nError: No controllers detected.\n\n");
  EXPECT_EQ(count(set, C), 0u);
  EXPECT_EQ(set.status, SourceStatus::ok);
  EXPECT_NE(set.detail.find("No controllers detected"), std::string::npos);
}

TEST(VendorText, VersionOfTheTool) {
  EXPECT_EQ(parsed("   ACU CLI Version: 9.40.12.0\n   SoulAPI Version: 6.2.25.0\n").version,
            "9.40.12.0");
  EXPECT_EQ(
      parsed("Smart Storage Administrator CLI 3.10.3.0\nDetecting Controllers...Done.\n\n=> \n")
          .version,
      "3.10.3.0");
}

TEST(VendorText, OtherToolsAreRefusedByName) {
  const std::pair<const char*, const char*> others[] = {
      {"/dev/sda: (Smart Array P420i) RAID 5 Volume 0 status: OK.\n"
       "/dev/sg1(Smart Array P420i:0): Non-Volatile Cache status:\n"
       "                        Cache Ratio: 10% Read / 90% Write\n",
       "cciss_vol_status"},
      {"ADU Version 8.60-8.0\nSmart Array P400 in slot 4 : Identify Controller\nConfigured Logical "
       "Drives 1\n",
       "ADU"},
      {"/usr/sbin/hpssacli: 16: /opt/hp/hpssacli/bld/hpssacli: not found\n", "not found"},
      {"", "empty"},
      {" \n\n", "empty"},
      {"The quick brown fox.\n", "no output of"}};
  for (const auto& [text, words] : others) {
    const auto set = parse(text, "other.log");
    ASSERT_FALSE(set) << text;
    EXPECT_EQ(set.error().code, Errc::malformed);
    EXPECT_EQ(set.error().where, "other.log");
    EXPECT_NE(set.error().message.find(words), std::string::npos) << set.error().message;
  }
}

TEST(VendorText, TextThatIsNoUtf8BecomesUtf8) {
  const FactSet set = parsed(
      "Smart Array P410 in Slot 1\n   Bus Interface: PCI\n   Serial Number: A\xFF\xC3"
      "B\n\n");
  EXPECT_EQ(fact(set, entity(set, C, "Smart Array P410"), "serial"),
            "A\xEF\xBF\xBD\xEF\xBF\xBD"
            "B");
}

TEST(VendorText, Utf16OfWindowsShells) {
  std::string wide = "\xFF\xFE";
  for (const char c : std::string("Smart Array P410 in Slot 1\r\n   Controller Status: OK\r\n")) {
    wide += c;
    wide += '\0';
  }
  EXPECT_EQ(count(parsed(wide), C), 1u);
}

TEST(VendorText, JunkIsBoundedInTimeAndNotes) {
  std::uint64_t state = 1;
  std::string junk;
  junk.reserve(10u << 20);
  while (junk.size() < (10u << 20)) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    junk.push_back(static_cast<char>(state >> 56));
  }
  const auto random = parse(junk);
  if (random) {
    EXPECT_LT(random->notes.size(), 1000u);
  }
  std::string lines = "Smart Array P410 in Slot 1\n   Bus Interface: PCI\n";
  while (lines.size() < (4u << 20))
    lines +=
        "   Some Unknown Key: and a value that is rather long for a key\nplain words without any "
        "colon in them, more than forty columns\n";
  const auto repeated = parse(lines);
  ASSERT_TRUE(repeated);
  EXPECT_LT(repeated->notes.size(), 1000u);
}

}  // namespace
}  // namespace raidscope
