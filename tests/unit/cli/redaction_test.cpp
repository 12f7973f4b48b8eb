#include "cli/redaction.h"

#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "controllers/inventory/assemble.h"
#include "controllers/inventory/inventory_json.h"
#include "probe/capture/recording_host.h"
#include "probe/capture/redactor.h"
#include "probe/os/live_host.h"
#include "tests/support/recorded_machine.h"

namespace raidscope::cli {
namespace {

using capture::folded;
using capture::to_hex;
using testing::MemoryHost;

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  return text;
}

struct Recorded {
  Inventory inventory;
  RawInput raw;
};

Recorded record(const MemoryHost& machine) {
  const capture::RecordingHost recording(machine.host());
  const std::vector<PathName> paths{PathName::host, PathName::sysfs, PathName::scsi,
                                    PathName::ssacli};
  const auto sets = discover(recording.host(), paths);
  Recorded out;
  out.raw.bundle = recording.bundle("2026-01-02T03:04:05Z", "test", sets);
  out.inventory = assemble(sets, "2026-01-02T03:04:05Z");
  return out;
}

std::string text_of(const Inventory& inventory) {
  return to_json(inventory).dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

/// The first lines that differ; empty where none do.
std::string difference(const std::string& a, const std::string& b) {
  std::istringstream first(a);
  std::istringstream second(b);
  std::string x;
  std::string y;
  while (true) {
    const bool more_x = static_cast<bool>(std::getline(first, x));
    const bool more_y = static_cast<bool>(std::getline(second, y));
    if (!more_x && !more_y) return {};
    if (more_x != more_y || x != y) return "\n  " + x + "\n  " + y;
  }
}

std::vector<std::string> fingerprints(const Inventory& inventory) {
  std::vector<std::string> out;
  for (const Controller& controller : inventory.controllers) out.push_back(controller.fingerprint);
  for (const DriveRef& ref : all_logical_drives(inventory)) out.push_back(ref.drive->fingerprint);
  return out;
}

/// A bundle, an identity, the fingerprints and the absence of every secret named.
void expect_redacted(const Recorded& recorded, const std::vector<std::string>& secrets,
                     const std::string& about) {
  const auto written = capture::read_bundle(capture::write_bundle(*recorded.raw.bundle), "test");
  ASSERT_TRUE(written);
  ASSERT_EQ(difference(text_of(inventory_of_bundle(*written)), text_of(recorded.inventory)), "")
      << about;

  const auto out = redact({"a key for this test", false}, recorded.inventory, recorded.raw);
  ASSERT_TRUE(out) << about << " " << describe(out.error());
  EXPECT_TRUE(out->replays) << about;
  const std::string text = capture::write_bundle(*out->bundle);
  const auto again = capture::read_bundle(text, "test");
  ASSERT_TRUE(again);
  const Inventory replayed = inventory_of_bundle(*again);
  EXPECT_EQ(difference(text_of(replayed), text_of(out->inventory)), "") << about;
  EXPECT_EQ(fingerprints(replayed), fingerprints(recorded.inventory)) << about;
  const std::string low = folded(text);
  const std::string document = folded(text_of(out->inventory));
  for (const std::string& secret : secrets) {
    const std::string word = folded(secret);
    EXPECT_EQ(low.find(word), std::string::npos) << about << " " << secret;
    EXPECT_EQ(document.find(word), std::string::npos) << about << " " << secret;
    for (const std::string& spelled : {secret, word, upper(word)}) {
      EXPECT_EQ(low.find(to_hex(spelled)), std::string::npos) << about << " " << secret;
      EXPECT_EQ(document.find(to_hex(spelled)), std::string::npos) << about << " " << secret;
    }
  }
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

MemoryHost recorded_machine(const std::string& tool_output) {
  MemoryHost machine;
  testing::load_recorded_machine(machine, testing::read_machine("p420i.umockdev"));
  machine.files.file("proc/sys/kernel/hostname", "array-host-7\n");
  machine.tools.answer(ToolQuery::show_config_detail,
                       {"/usr/sbin/ssacli", "ssacli ctrl all show config detail", tool_output, 0,
                        std::chrono::milliseconds(12)});
  return machine;
}

TEST(Redaction, EveryCaptureReplaysRedactedToTheRedactedInventory) {
  const std::filesystem::path folder =
      std::filesystem::path(RAIDSCOPE_SOURCE_DIR) / "tests" / "captures";
  std::size_t machines = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const auto file = entry.path() / "capture.txt";
    if (!std::filesystem::exists(file)) continue;
    const Recorded recorded = record(recorded_machine(read_file(file)));
    std::vector<std::string> secrets{"array-host-7"};
    for (const Controller& controller : recorded.inventory.controllers) {
      if (controller.serial) secrets.push_back(*controller.serial);
      if (controller.cache.serial) secrets.push_back(*controller.cache.serial);
    }
    for (const DriveRef& ref : all_logical_drives(recorded.inventory)) {
      if (ref.drive->unique_id) secrets.push_back(*ref.drive->unique_id);
    }
    expect_redacted(recorded, secrets, entry.path().filename().string());
    ++machines;
  }
  EXPECT_GT(machines, 50U);
}

class Dice {
 public:
  explicit Dice(unsigned seed) : random_(seed) {}
  unsigned below(unsigned bound) { return static_cast<unsigned>(random_() % bound); }
  std::string of(std::string_view letters, std::size_t n) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i)
      out += letters[below(static_cast<unsigned>(letters.size()))];
    return out;
  }
  std::string hex(std::size_t n) { return of("0123456789ABCDEF", n); }
  std::string serial() { return of("ABCDEFGHJKLMNPRSTUVWXYZ", 4) + of("0123456789ABCDEF", 8); }
  std::string spell(const std::string& text) { return below(2) == 0 ? folded(text) : upper(text); }

 private:
  std::mt19937 random_;
};

TEST(Redaction, RandomMachinesInRandomSpellings) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Dice dice(seed);
    std::vector<std::string> secrets;
    const auto secret = [&](std::string text) {
      secrets.push_back(text);
      return text;
    };
    const std::string controller =
        secret(dice.below(2) == 0 ? "5001438" + dice.hex(9) : dice.serial());
    const bool old_form = dice.below(2) == 0;
    const std::string id =
        secret(old_form ? "600508B10010" + upper(to_hex(controller.substr(controller.size() - 8))) +
                              dice.hex(4)
                        : "600508B1001C" + dice.hex(20));
    const std::string labels[] = {"A" + dice.hex(5) + controller + dice.hex(4),
                                  "d" + dice.of("0123456789", 4),
                                  "big label " + dice.hex(3),
                                  "a",
                                  "DATA",
                                  "gr\xc3\xb6\xc3\x9f"
                                  "e" +
                                      dice.hex(4)};
    const std::string label = labels[dice.below(6)];
    if (label != "a" && label != "DATA") secret(label);
    const std::string hosts[] = {"a", "disk", "p420i", "db" + dice.of("0123456789", 2),
                                 "srv-" + dice.hex(4) + ".example.org"};
    const std::string host = hosts[dice.below(5)];
    if (host.size() > 3 && host != "disk" && host != "p420i") secret(host);
    const std::string drive_serial = secret(dice.serial());
    const std::string drive_id = secret("5000C50" + dice.hex(9));
    const std::string chassis = secret(dice.serial());

    std::string tool = fmt::format(
        "\nSmart Array P420i in Slot 0 (Embedded)  (sn: {})\n   Slot: 0\n   Serial Number: {}\n"
        "   Cache Serial Number: {}\n   Controller Status: OK\n   Firmware Version: 8.32\n"
        "   Cache Board Present: True\n   Cache Status: OK\n   Host Serial Number: {}\n"
        "   Total Cache Size: 1024 MB\n\n   Array: A\n      Interface Type: SAS\n      Status: "
        "OK\n\n"
        "      Logical Drive: 1\n         Size: 279.4 GB\n         Fault Tolerance: 1\n"
        "         Strip Size: 256 KB\n         Status: OK\n         Caching:  Enabled\n"
        "         Unique Identifier: {}\n         Disk Name: /dev/sda\n"
        "         Logical Drive Label: {}\n\n      physicaldrive 1I:1:1\n         Port: 1I\n"
        "         Box: 1\n         Bay: 1\n         Status: OK\n         Drive Type: Data Drive\n"
        "         Interface Type: SAS\n         Size: 300 GB\n         Serial Number: {}\n"
        "         WWID: {}\n         Model: HP      EG0300FBDBR\n",
        dice.spell(controller), dice.spell(controller), secret(dice.serial()), dice.spell(chassis),
        dice.spell(id), label, dice.spell(drive_serial), dice.spell(drive_id));
    MemoryHost machine;
    testing::load_recorded_machine(machine, testing::read_machine("p420i.umockdev"));
    machine.tools.answer(ToolQuery::show_config_detail,
                         {"/usr/sbin/ssacli", "ssacli ctrl all show config detail", tool, 0,
                          std::chrono::milliseconds(1)});
    machine.files.file("proc/sys/kernel/hostname", host + "\n");
    // A plain disk that udev and SCSI know, with the volume's own ids in every form.
    const std::string dir = "sys/devices/pci0000:00/0000:00:1f.2/ata1/host9/target9:0:0/9:0:0:0";
    const std::string disk = dir + "/block/sdq";
    std::string page83 = std::string("\0\x83\0\x14\1\3\0\x10", 8);
    capture::append_hex(id, page83);
    machine.files.file(dir + "/vpd_pg83", page83);
    machine.files.file(
        dir + "/vpd_pg80",
        std::string("\0\x80\0", 3) + static_cast<char>(drive_serial.size()) + drive_serial);
    std::string inquiry = std::string("\0\0\5\2\x5b\0\0\2", 8) + "HP      EG0300FBDBR     HPD1";
    inquiry += drive_serial + std::string(60 - drive_serial.size(), '\0');
    machine.files.file(dir + "/inquiry", inquiry);
    machine.files.file(dir + "/model", "EG0300FBDBR     \n");
    machine.files.file(dir + "/vendor", "HP      \n");
    machine.files.file(dir + "/wwid", "naa." + folded(drive_id) + "\n");
    machine.files.file(disk + "/size", "585937500\n");
    machine.files.file(disk + "/dev", "65:0\n");
    machine.files.link(disk + "/device", "/" + dir);
    machine.files.file("proc/mounts", "/dev/mapper/vg_" + drive_serial + "-data /srv/" +
                                          folded(controller) + " ext4 rw 0 0\n");
    machine.devices.add(
        "block", {disk,
                  "/dev/sdq",
                  {{"DEVTYPE", "disk"},
                   {"DEVLINKS", fmt::format("/dev/disk/by-id/wwn-0x{} /dev/disk/by-id/scsi-SHP_{}",
                                            folded(drive_id), drive_serial)},
                   {"ID_SERIAL", "3" + folded(drive_id)},
                   {"ID_WWN", "0x" + folded(id.substr(0, 16))},
                   {"ID_WWN_VENDOR_EXTENSION", "0x" + folded(id.substr(16))},
                   {"ID_WWN_WITH_EXTENSION", "0x" + folded(id)},
                   {"NOTE", to_hex(dice.spell(drive_serial))}}});
    const Recorded recorded = record(machine);
    ASSERT_EQ(recorded.inventory.controllers.empty(), false);
    expect_redacted(recorded, secrets, fmt::format("seed {}", seed));
    if (::testing::Test::HasFailure()) break;
  }
}

TEST(Redaction, TheSameValueHasTheSamePseudonymEverywhere) {
  const Recorded recorded =
      record(recorded_machine(read_file(std::filesystem::path(RAIDSCOPE_SOURCE_DIR) / "tests" /
                                        "captures" / "p420i-smart-path-on" / "capture.txt")));
  const auto out = redact({"a key for this test", false}, recorded.inventory, recorded.raw);
  ASSERT_TRUE(out);
  std::map<std::string, std::string> there;
  std::map<std::string, std::string> back;
  const auto pair = [&](const Text& before, const Text& after) {
    ASSERT_EQ(before.has_value(), after.has_value());
    if (!before) return;
    EXPECT_EQ(before->size(), after->size());
    EXPECT_EQ(there.emplace(*before, *after).first->second, *after);
    EXPECT_EQ(back.emplace(*after, *before).first->second, *before);
  };
  ASSERT_EQ(out->inventory.controllers.size(), recorded.inventory.controllers.size());
  for (std::size_t c = 0; c < out->inventory.controllers.size(); ++c) {
    const Controller& before = recorded.inventory.controllers[c];
    const Controller& after = out->inventory.controllers[c];
    pair(before.serial, after.serial);
    pair(before.cache.serial, after.cache.serial);
    for (std::size_t a = 0; a < before.arrays.size(); ++a) {
      for (std::size_t d = 0; d < before.arrays[a].physical_drives.size(); ++d) {
        pair(before.arrays[a].physical_drives[d].serial, after.arrays[a].physical_drives[d].serial);
        pair(before.arrays[a].physical_drives[d].wwid, after.arrays[a].physical_drives[d].wwid);
        EXPECT_EQ(before.arrays[a].physical_drives[d].model,
                  after.arrays[a].physical_drives[d].model);
      }
      for (std::size_t d = 0; d < before.arrays[a].logical_drives.size(); ++d) {
        pair(before.arrays[a].logical_drives[d].unique_id,
             after.arrays[a].logical_drives[d].unique_id);
        pair(before.arrays[a].logical_drives[d].label, after.arrays[a].logical_drives[d].label);
      }
    }
  }
  EXPECT_GT(there.size(), 4U);
}

}  // namespace
}  // namespace raidscope::cli
