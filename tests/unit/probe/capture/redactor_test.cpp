#include "probe/capture/redactor.h"

#include <gtest/gtest.h>

namespace raidscope::capture {
namespace {

constexpr std::string_view key = "a key for tests";

Redactor with(const std::vector<std::pair<std::string, SecretKind>>& given) {
  Secrets secrets;
  for (const auto& [text, kind] : given) secrets.add(text, kind);
  return {secrets, std::string(key)};
}

std::string lower(std::string_view text) {
  return folded(text);
}
std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
  }
  return text;
}

void expect_same_shape(std::string_view secret, std::string_view pseudonym) {
  ASSERT_EQ(secret.size(), pseudonym.size());
  EXPECT_NE(lower(secret), lower(pseudonym));
  for (std::size_t i = 0; i < secret.size(); ++i) {
    EXPECT_EQ(std::isdigit(secret[i]) != 0, std::isdigit(pseudonym[i]) != 0) << pseudonym;
    EXPECT_EQ(std::isupper(secret[i]) != 0, std::isupper(pseudonym[i]) != 0) << pseudonym;
    if (std::isalnum(secret[i]) == 0) {
      EXPECT_EQ(secret[i], pseudonym[i]);
    }
  }
}

TEST(Redactor, OneSecretHasOnePseudonymInEveryEncoding) {
  const std::string serial = "PDNLH0BRH7L1XY";
  const Redactor redactor = with({{serial, SecretKind::serial}});
  const std::string other = redactor.value(serial);
  expect_same_shape(serial, other);
  EXPECT_EQ(redactor.bytes("a " + serial + "!"), "a " + other + "!");
  EXPECT_EQ(redactor.bytes(lower(serial)), lower(other));
  EXPECT_EQ(redactor.bytes("x" + serial + serial + "y"), "x" + other + other + "y");
  EXPECT_EQ(redactor.bytes("00" + to_hex(serial) + "ff"), "00" + to_hex(other) + "ff");
  EXPECT_EQ(redactor.bytes("0" + to_hex(serial)), "0" + to_hex(other));
  EXPECT_EQ(redactor.bytes(upper(to_hex(serial)) + "FF"), upper(to_hex(other)) + "FF");
  EXPECT_EQ(redactor.bytes(to_hex(lower(serial))), to_hex(lower(other)));
  EXPECT_EQ(redactor.bytes(std::string("\0\x80\0\x0e", 4) + serial),
            std::string("\0\x80\0\x0e", 4) + other);
  std::string spaced;
  std::string spaced_other;
  for (std::size_t i = 0; i < serial.size(); ++i) {
    spaced += (i > 0 ? " " : "") + to_hex(serial.substr(i, 1));
    spaced_other += (i > 0 ? " " : "") + to_hex(other.substr(i, 1));
  }
  EXPECT_EQ(redactor.bytes(spaced), spaced_other);
  std::string swapped = serial;
  std::string swapped_other = other;
  for (std::size_t i = 0; i + 1 < serial.size(); i += 2) {
    std::swap(swapped[i], swapped[i + 1]);
    std::swap(swapped_other[i], swapped_other[i + 1]);
  }
  EXPECT_EQ(redactor.bytes(swapped), swapped_other);
}

TEST(Redactor, AnIdStaysAnIdOfItsKindAndItsBytesGoWithIt) {
  const std::string volume = "600508B1001CA98D5D765BEA5A0DD3FA";
  const std::string drive = "5000C500A1B2C3D4";
  const Redactor redactor = with({{volume, SecretKind::id}, {drive, SecretKind::id}});
  const std::string other_volume = redactor.value(volume);
  const std::string other_drive = redactor.value(drive);
  expect_same_shape(volume, other_volume);
  expect_same_shape(drive, other_drive);
  EXPECT_EQ(other_volume.substr(0, 12), "600508B1001C");
  EXPECT_EQ(other_drive.substr(0, 7), "5000C50");
  EXPECT_EQ(redactor.bytes("/dev/disk/by-id/scsi-3" + lower(volume)),
            "/dev/disk/by-id/scsi-3" + lower(other_volume));
  std::string raw;
  std::string raw_other;
  append_hex(volume, raw);
  append_hex(other_volume, raw_other);
  EXPECT_EQ(redactor.bytes("ab" + raw), "ab" + raw_other);
  // udev's halves.
  EXPECT_EQ(redactor.bytes("ID_WWN=0x" + lower(volume.substr(0, 16))),
            "ID_WWN=0x" + lower(other_volume.substr(0, 16)));
  EXPECT_EQ(redactor.bytes(lower(volume.substr(16))), lower(other_volume.substr(16)));
  EXPECT_EQ(redactor.value("naa." + lower(drive)), "naa." + lower(other_drive));
}

TEST(Redactor, ASerialInsideALabelAndAnOldVolumeIdKeepsItsPseudonym) {
  const std::string serial = "50123456789ABCDE";
  const std::string label = "A0123" + serial + "7F";
  const std::string volume = "600508B10010" + to_hex(serial.substr(8)) + "1A00";
  const Redactor redactor =
      with({{serial, SecretKind::serial}, {label, SecretKind::name}, {volume, SecretKind::id}});
  const std::string other = redactor.value(serial);
  expect_same_shape(serial, other);
  EXPECT_EQ(redactor.value(label).substr(5, serial.size()), other);
  const std::string other_volume = redactor.value(volume);
  EXPECT_EQ(lower(other_volume.substr(0, 12)), "600508b10010");
  EXPECT_EQ(lower(other_volume.substr(12, 16)), to_hex(other.substr(8)));
  EXPECT_EQ(redactor.bytes(lower(volume)), lower(other_volume));
}

TEST(Redactor, ShortAndCommonWordsAreReplacedOnlyInTheirPlace) {
  Secrets secrets;
  secrets.keep("HP Smart Array P420i");
  secrets.add("a", SecretKind::name);
  secrets.add("Data", SecretKind::name);
  secrets.add("Logical Drive 1", SecretKind::name);
  secrets.add("p420i", SecretKind::name);
  const Redactor redactor(secrets, std::string(key));
  const std::string text =
      "Smart Array P420i\n Array A\n Host Name: a\n Drive Type: Data Drive\n Logical Drive 1\n"
      "  Logical Drive Label: Data\n";
  const std::string out = redactor.text(text);
  EXPECT_NE(out.find("Smart Array P420i\n Array A\n"), std::string::npos);
  EXPECT_NE(out.find("Drive Type: Data Drive\n Logical Drive 1\n"), std::string::npos);
  EXPECT_EQ(out.find("Host Name: a\n"), std::string::npos);
  EXPECT_EQ(out.find("Label: Data\n"), std::string::npos);
  EXPECT_EQ(out.size(), text.size());
}

TEST(Redactor, WhatSaysNothingIsNoSecret) {
  Secrets secrets;
  for (const char* word : {"", "  ", "N/A", "None", "0000000000000000", "0x0", "localhost", "-"}) {
    secrets.add(word, SecretKind::serial);
    secrets.add(word, SecretKind::name);
  }
  secrets.add("24", SecretKind::id);
  EXPECT_TRUE(secrets.all().empty());
}

TEST(Redactor, AKeyGivesTheSamePseudonymsAgainAndAnotherKeyOthers) {
  Secrets secrets;
  secrets.add("PDNLH0BRH7L1XY", SecretKind::serial);
  const Redactor one(secrets, "key one");
  const Redactor again(secrets, "key one");
  const Redactor other(secrets, "key two");
  EXPECT_EQ(one.value("PDNLH0BRH7L1XY"), again.value("PDNLH0BRH7L1XY"));
  EXPECT_NE(one.value("PDNLH0BRH7L1XY"), other.value("PDNLH0BRH7L1XY"));
}

TEST(Redactor, OneThatIsLeftIsSeenInEveryEncoding) {
  const std::string serial = "PDNLH0BRH7L1XY";
  const std::string drive = "5000C500A1B2C3D4";
  const Redactor redactor = with({{serial, SecretKind::serial}, {drive, SecretKind::id}});
  const auto holds = [&](std::string content, std::string kind = "file") {
    Bundle bundle;
    bundle.sections = {{std::move(kind), "a", {}, std::move(content), 0}};
    const bool before = !redactor.left_in(bundle).empty();
    EXPECT_TRUE(redactor.left_in(redactor.bundle(bundle)).empty());
    return before;
  };
  EXPECT_FALSE(holds("nothing\n"));
  EXPECT_TRUE(holds("x" + serial));
  EXPECT_TRUE(holds(lower(serial)));
  EXPECT_TRUE(holds(to_hex(serial)));
  EXPECT_TRUE(holds(upper(to_hex(lower(serial)))));
  EXPECT_TRUE(holds(std::string(1, '\0') + serial));
  EXPECT_TRUE(holds("DPLN0HRB7H1LYX"));
  std::string raw;
  append_hex(drive, raw);
  EXPECT_TRUE(holds("\1" + raw));
}

TEST(Secrets, AreFoundByKeyPlaceAndShape) {
  Secrets secrets;
  collect(
      "Smart Array P420i in Slot 0 (Embedded)  (sn: 0014380200000A1)\n"
      "   Serial Number: PDNLH0BRH7L1XY Controller Status: OK\n"
      "#\tHost Serial Number: CZ12345ABC\n"
      "   SEP (Vendor ID PMCSIERA, Model SRCv8x6G) 380 (WWID: 5001438027A3B5CF)\n"
      "   Logical Drive Label: my own label\n"
      "   Accelerator Ratio: 10%\n"
      " by-id/wwn-0x600508b1001ca98d5d765bea5a0dd3fa\n",
      secrets);
  const auto all = secrets.all();
  for (const char* secret : {"0014380200000a1", "pdnlh0brh7l1xy", "cz12345abc", "5001438027a3b5cf",
                             "my own label", "600508b1001ca98d5d765bea5a0dd3fa"}) {
    EXPECT_TRUE(all.contains(secret)) << secret;
  }
  EXPECT_FALSE(all.contains("10%"));
}

TEST(Secrets, AreFoundByTheShapeOfAnAddress) {
  Secrets secrets;
  collect(
      "Some New Key: eui.0025388b71b0a1c2\n"
      "Port: 50-01-43-80-2a-b3-c5-cf, 00:1b:21:3c:4d:5e\n"
      "12:34:56:12:34:56 at 10:11:12\n",
      secrets);
  const auto all = secrets.all();
  for (const char* secret : {"0025388b71b0a1c2", "50-01-43-80-2a-b3-c5-cf", "00:1b:21:3c:4d:5e"})
    EXPECT_TRUE(all.contains(secret)) << secret;
  EXPECT_EQ(all.size(), 3U);

  Bundle bundle;
  bundle.sections = {{"file",
                      "proc/mounts",
                      {},
                      "filer.lan:/x /mnt nfs4 rw,clientaddr=192.168.10.15,addr=192.168.10.2 0 0\n"
                      "/dev/disk/by-partuuid/x /boot ext4 rw,PARTUUID=1234abcd-01 0 0\n",
                      0}};
  Secrets mounted;
  collect(bundle, mounted);
  for (const char* secret : {"192.168.10.15", "192.168.10.2", "1234abcd-01", "filer.lan"})
    EXPECT_TRUE(mounted.all().contains(secret)) << secret;
}

TEST(Secrets, OfBinaryAnswersAreFoundByTheirOffsets) {
  Bundle bundle;
  std::string info(512, '\0');
  info.replace(4, 10, "CHASSIS001");
  info.replace(44, 10, "CTLR000001");
  info.replace(76, 10, "CACHE00001");
  std::string wwid;
  append_hex("5001438027a3b5c0", wwid);
  info.replace(36, 8, wwid);
  info[300] = '\x50';
  info.replace(300, 7, wwid.substr(0, 7));
  info[307] = '\x0f';  // a port of the same controller
  std::string drive(512, '\0');
  drive.replace(52, 8, "DRIVE001");
  std::string volume(512, '\0');
  volume.replace(30, 8, "LABEL-42");
  bundle.sections = {
      {"ciss", "subsystem_information 0 /dev/sg0", {}, info, 0},
      {"ciss", "identify_physical_drive 3 /dev/sg0", {}, drive, 0},
      {"ciss", "identify_logical_drive 0 /dev/sg0", {}, volume, 0},
      {"scsi", "120180000000 252 /dev/sda", {}, std::string("\0\x80\0\4UNIT9", 9), 0}};
  Secrets secrets;
  collect(bundle, secrets);
  const auto all = secrets.all();
  for (const char* secret : {"chassis001", "ctlr000001", "cache00001", "5001438027a3b5c0",
                             "5001438027a3b50f", "drive001", "label-42", "unit9"}) {
    EXPECT_TRUE(all.contains(secret)) << secret;
  }
}

}  // namespace
}  // namespace raidscope::capture
