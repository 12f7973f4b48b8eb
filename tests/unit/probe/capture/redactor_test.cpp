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
  // ID_SERIAL of udev: the type stays what it is.
  EXPECT_EQ(with({{"3" + lower(volume), SecretKind::serial}}).bytes("3" + lower(volume)),
            "3" + lower(other_volume));
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

Secrets of_file(std::string asked, std::string content, std::string_view kind = "file") {
  Bundle bundle;
  bundle.sections = {{std::string(kind), std::move(asked), {}, std::move(content), 0}};
  Secrets secrets;
  collect(bundle, secrets);
  return secrets;
}

std::string redacted_file(std::string asked, std::string content, std::string_view kind = "file") {
  Bundle bundle;
  bundle.sections = {{std::string(kind), std::move(asked), {}, std::move(content), 0}};
  Secrets secrets;
  collect(bundle, secrets);
  return Redactor(secrets, std::string(key)).bundle(bundle).sections.front().content;
}

TEST(Secrets, EveryMountSourceThatIsNoPathNamesServers) {
  const std::string table =
      "/dev/sda1 / ext4 rw,addr 0 0\n"
      "gluster-one:/gv0 /a fuse.glusterfs rw 0 0\n"
      "sshbox-two:/srv /b fuse.sshfs rw 0 0\n"
      "carol@sshbox3.example.net:/ /c fuse.sshfs rw 0 0\n"
      "monfour,monfive:6789:/ /d ceph rw,name=admin,mon_addr=monsix:6789/monseven:3300 0 0\n"
      "https://davbox8.example.net:8443/remote /e fuse rw 0 0\n"
      "mgsnine@tcp1:mgsten@o2ib:/scratch /f lustre rw 0 0\n"
      "%cell11.example.net:volume. /g afs rw 0 0\n"
      "share12 /h 9p rw,trans=virtio 0 0\n"
      "pool13/data /i zfs rw 0 0\n"
      "//filer14/Share /j cifs rw,username=dora,servern=FILER15,addr=192.168.77.12 0 0\n"
      "[2001:db8::dead:beef]:/v6 /k nfs rw,clientaddr=fe80::12:34%eth7,addr=2001:db8::dead:beef 0 "
      "0\n"
      "proc /proc proc rw 0 0\n"
      "systemd-1 /proc/sys/fs/binfmt_misc autofs rw 0 0\n"
      "lxcfs /var/lib/lxcfs fuse.lxcfs rw 0 0\n"
      "udevfs /dev devtmpfs rw 0 0\n"
      "/var/lib/one.snap /snap squashfs ro 0 0\n"
      "LABEL=my16 /l ext4 rw 0 0\n";
  const auto all = of_file("proc/mounts", table).all();
  for (const char* secret : {"gluster-one",
                             "sshbox-two",
                             "carol",
                             "sshbox3.example.net",
                             "sshbox3",
                             "monfour",
                             "monfive",
                             "monsix",
                             "monseven",
                             "davbox8.example.net",
                             "mgsnine",
                             "mgsten",
                             "cell11.example.net",
                             "share12",
                             "pool13",
                             "filer14",
                             "dora",
                             "filer15",
                             "192.168.77.12",
                             "2001:db8::dead:beef",
                             "fe80::12:34",
                             "my16"}) {
    EXPECT_TRUE(all.contains(secret)) << secret;
  }
  for (const char* word : {"proc", "systemd-1", "lxcfs", "udevfs", "ext4", "gv0", "6789", "tcp1",
                           "o2ib", "eth7", "label", "admin", "one.snap", "[2001", "/", "share"}) {
    EXPECT_FALSE(all.contains(word)) << word;
  }
  const std::string out = redacted_file("proc/mounts", table);
  EXPECT_EQ(out.size(), table.size());
  EXPECT_NE(out.find("/dev/sda1 / ext4 rw"), std::string::npos);
  EXPECT_NE(out.find(":/gv0 /a fuse.glusterfs rw"), std::string::npos);
  EXPECT_NE(out.find("proc /proc proc rw"), std::string::npos);
  // The address of the source and of the options is the same one.
  const auto source = out.find('[');
  const auto address = out.substr(source + 1, std::string("2001:db8::dead:beef").size());
  EXPECT_NE(address, "2001:db8::dead:beef");
  EXPECT_NE(out.find("]:/v6 /k"), std::string::npos);
  EXPECT_NE(out.find(",addr=" + address + " "), std::string::npos);

  const auto of_info = of_file("proc/self/mountinfo",
                               "26 25 0:40 / /mnt/a rw shared:1 - fuse.sshfs sshbox-two:/srv rw\n"
                               "27 25 0:41 / /mnt/b rw - nfs4 nas1.lan:/x rw,addr=10.20.30.40\n"
                               "28 25 0:42 / /proc rw master:2 - proc proc rw\n")
                           .all();
  for (const char* secret : {"sshbox-two", "nas1.lan", "10.20.30.40"})
    EXPECT_TRUE(of_info.contains(secret)) << secret;
  EXPECT_FALSE(of_info.contains("proc"));
  EXPECT_FALSE(of_info.contains("26"));
}

TEST(Secrets, NamesOfDevicesHoldLabelsAndSerialNumbers) {
  const std::string links =
      "P sys/devices/x/block/sda\nN /dev/sda\nE DEVLINKS="
      "/dev/disk/by-id/ata-SAMSUNG_MZ7KM480_S2T3NX10XY "
      "/dev/disk/by-id/nvme-Foo_Disk_S3YQ34AB5678_1-part2 "
      "/dev/disk/by-id/scsi-SHP_LOGICAL_VOLUME_PDNLH0BRH7L1XY "
      "/dev/disk/by-id/usb-Maker_Stick_AA04012700007453-0:0 "
      "/dev/disk/by-id/wwn-0x600508b1001ca98d5d765bea5a0dd3fa "
      "/dev/disk/by-id/md-name-builder9:home1 /dev/disk/by-id/dm-name-vgfinance-payroll "
      "/dev/disk/by-label/Top\\x20Secret\\x2fVol /dev/disk/by-partlabel/PartOne "
      "/dev/disk/by-uuid/4A1B-22C3 "
      "/dev/disk/by-path/ip-10.1.2.30:3260-iscsi-iqn.2001-05.com.example:box-8a09-lun-0 "
      "/dev/disk/by-path/pci-0000:0d:00.0-sas-phy1-lun-0 /dev/vgother/root\n"
      "E ID_MODEL=SAMSUNG_MZ7KM480\n";
  const auto all = of_file("block", links, "devices").all();
  for (const char* secret : {"s2t3nx10xy", "s3yq34ab5678", "pdnlh0brh7l1xy", "aa04012700007453",
                             "600508b1001ca98d5d765bea5a0dd3fa", "builder9", "home1", "vgfinance",
                             "payroll", "top secret/vol", "top\\x20secret\\x2fvol",
                             "top\\134x20secret\\134x2fvol", "top\\040secret/vol", "partone",
                             "4a1b-22c3", "10.1.2.30", "com.example:box-8a09", "vgother"}) {
    EXPECT_TRUE(all.contains(secret)) << secret;
  }
  for (const char* word : {"pci-0000", "samsung", "mz7km480", "1", "disk", "3260"})
    EXPECT_FALSE(all.contains(word)) << word;
  const std::string out = redacted_file("block", links, "devices");
  EXPECT_NE(out.find("/dev/disk/by-id/ata-SAMSUNG_MZ7KM480_"), std::string::npos);
  EXPECT_NE(out.find("E ID_MODEL=SAMSUNG_MZ7KM480\n"), std::string::npos);
  EXPECT_NE(out.find("pci-0000:0d:00.0-sas-phy1-lun-0"), std::string::npos);

  // As mount sources, as what was asked, and in a folder's list.
  for (const char* secret : {"secretvol", "partone", "s2t3nx10xy"}) {
    EXPECT_TRUE(of_file("proc/mounts",
                        "/dev/disk/by-label/SecretVol /d ext4 rw 0 0\n"
                        "/dev/disk/by-partlabel/PartOne /e ext4 rw 0 0\n"
                        "/dev/disk/by-id/ata-SAMSUNG_MZ7KM480_S2T3NX10XY /f ext4 rw 0 0\n")
                    .all()
                    .contains(secret))
        << secret;
  }
  EXPECT_TRUE(
      of_file("dev/disk/by-label/SecretVol", "dev/sda1", "link").all().contains("secretvol"));
  EXPECT_TRUE(
      of_file("dev/disk/by-label", "SecretVol\nother\n", "list").all().contains("secretvol"));
}

TEST(Secrets, OfUdevAreFoundUnderEveryKeyOfTheirKind) {
  const auto all = of_file("block",
                           "E ID_FS_VOLUME_ID=VolTwentyNine\nE ID_FS_LABEL_ENC=My\\x20Fs23\n"
                           "E MD_NAME=mdbox36:0\nE MD_UUID=deadbeef:01234567:89abcdef:76543737\n"
                           "E DM_NAME=vgnine-lvpay\nE DM_VG_NAME=vgnine\n"
                           "E ID_PART_ENTRY_NAME=PartTwentyFour\nE ID_USB_SERIAL_SHORT=ABC12399\n"
                           "E DM_UUID=LVM-Zq26AbCdEfGhIjKlMnOpQrStUvWx\nE ID_BUS=scsi\n",
                           "devices")
                       .all();
  for (const char* secret : {"voltwentynine", "my fs23", "my\\x20fs23", "my_fs23", "mdbox36",
                             "deadbeef:01234567:89abcdef:76543737", "vgnine", "lvpay",
                             "parttwentyfour", "abc12399", "zq26abcdefghijklmnopqrstuvwx"}) {
    EXPECT_TRUE(all.contains(secret)) << secret;
  }
  EXPECT_FALSE(all.contains("scsi"));
}

TEST(Redactor, ALabelHasOnePseudonymHoweverItsMarksAreWritten) {
  const Redactor redactor = with({{"Acme (Pay) 7", SecretKind::name}});
  const std::string other = redactor.value("Acme (Pay) 7");
  expect_same_shape("Acme (Pay) 7", other);
  const std::string a = other.substr(0, 4);
  const std::string b = other.substr(6, 3);
  const std::string c = other.substr(11);
  EXPECT_EQ(redactor.bytes("Acme\\x20\\x28Pay\\x29\\x207"),
            a + "\\x20\\x28" + b + "\\x29\\x20" + c);
  EXPECT_EQ(redactor.bytes("Acme\\040(Pay)\\0407"), a + "\\040(" + b + ")\\040" + c);
  EXPECT_EQ(redactor.bytes("Acme\\134x20\\134x28Pay\\134x29\\134x207"),
            a + "\\134x20\\134x28" + b + "\\134x29\\134x20" + c);
  EXPECT_EQ(redactor.bytes("Acme__Pay__7"), a + "__" + b + "__" + c);
  // Told by udev's form alone.
  const Redactor from_udev = with({{"Acme\\x20\\x28Pay\\x29\\x207", SecretKind::name}});
  EXPECT_EQ(from_udev.bytes("Acme (Pay) 7"), other);
}

TEST(Redactor, ALinkByLabelIsStillFoundByTheMountThatNamesIt) {
  Bundle bundle;
  bundle.sections = {
      {"link", "dev/disk/by-label/data", {}, "dev/sda1", 0},
      {"file", "proc/mounts", {}, "/dev/disk/by-label/data /data ext4 rw,relatime 0 0\n", 0},
      {"tool", "show_config_detail", {{"note", "serial QQ11223344"}}, "data data\n", 0}};
  Secrets secrets;
  collect(bundle, secrets);
  const Bundle out = Redactor(secrets, "k").bundle(bundle);
  const std::string link = out.sections[0].key;
  EXPECT_NE(link, "dev/disk/by-label/data");
  EXPECT_EQ(out.sections[1].content, "/" + link + " /data ext4 rw,relatime 0 0\n");
  EXPECT_EQ(out.sections[2].content, "data data\n");
  // A field that nobody knows.
  EXPECT_EQ(out.sections[2].fields.front().second.find("QQ11223344"), std::string::npos);
}

TEST(Secrets, ASentenceMayNameASerialNumberWithNoColon) {
  Secrets secrets;
  collect(
      "WARNING cannot read drive serial XYZ99887766QQ\n"
      "the controller with serial number PQR11223344 and WWN 5001438027A3B5CF\n"
      "S/N: AAA111222\n"
      "Serial Attached SCSI, serial number of 2 drives, serial 8250, serial port 12, label on it\n",
      secrets);
  const auto all = secrets.all();
  for (const char* secret : {"xyz99887766qq", "pqr11223344", "5001438027a3b5cf", "aaa111222"})
    EXPECT_TRUE(all.contains(secret)) << secret;
  for (const char* word : {"attached", "drives", "8250", "port", "12", "2"})
    EXPECT_FALSE(all.contains(word)) << word;
}

TEST(Secrets, AFileOfSomeDriverAndAnUnknownAnswerHaveKeysToo) {
  EXPECT_TRUE(of_file("proc/driver/some", "Serial Number: QQ112233\n").all().contains("qq112233"));
  EXPECT_TRUE(of_file("x", "at /dev/disk/by-label/MyOwn\n", "later").all().contains("myown"));
  const auto all = of_file("proc/mounts", "LABEL=my16 /l ext4 rw,relatime 0 0\n").all();
  EXPECT_EQ(all.size(), 1U);
}

TEST(Secrets, InWhatNobodyUnderstoodWordsTellThemselves) {
  Secrets secrets;
  secrets.keep("EG0300FBDBR");
  collect_words("not understood: unit BTWL3C0D009 of 10000rpm, EG0300FBDBR: 1I:1:1 (300GB)",
                secrets);
  const auto all = secrets.all();
  EXPECT_EQ(all.at("btwl3c0d009"), Reach::everywhere);
  EXPECT_EQ(all.at("eg0300fbdbr"), Reach::in_its_place);
  EXPECT_EQ(all.size(), 2U);
}

}  // namespace
}  // namespace raidscope::capture
