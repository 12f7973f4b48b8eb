#include "probe/sources/vendor/vendor_values.h"

#include <gtest/gtest.h>

namespace raidscope::vendor {
namespace {

using Strings = std::vector<std::string>;

TEST(VendorSize, BinaryForCacheAndLogicalDrives) {
  EXPECT_EQ(size_bytes("256 MB", Units::binary), 256ll << 20);
  EXPECT_EQ(size_bytes("2.0 GB", Units::binary), 2ll << 30);
  EXPECT_EQ(size_bytes("93.1  GB", Units::binary), 99965363814);
  EXPECT_EQ(size_bytes("1040 KiB", Units::binary), 1040ll << 10);
}

TEST(VendorSize, BareNumberIsGiB) {
  EXPECT_EQ(size_bytes("4.0", Units::binary), 4ll << 30);
  EXPECT_EQ(size_bytes("0.2", Units::binary), 214748365);
}

TEST(VendorSize, DecimalForDrives) {
  EXPECT_EQ(size_bytes("300 GB", Units::decimal), 300'000'000'000);
  EXPECT_EQ(size_bytes("1.2 TB", Units::decimal), 1'200'000'000'000);
}

TEST(VendorSize, RefusesWhatIsNoSize) {
  for (const char* text :
       {"", "--- GB", "GB", "1 XB", "1.2.3 GB", "1 GB left", "9999999999999 PB", "-1 GB"}) {
    EXPECT_EQ(size_bytes(text, Units::binary), std::nullopt) << text;
  }
}

TEST(VendorStatus, ProgressFollowsTheComma) {
  EXPECT_EQ(status_words("Recovering, 55.73% complete").words, "Recovering");
  EXPECT_EQ(status_words("Recovering, 55.73% complete").progress_pct, 55.73);
  EXPECT_EQ(status_words("OK").words, "OK");
  EXPECT_EQ(status_words("OK").progress_pct, std::nullopt);
  EXPECT_EQ(status_words("Failed, spare").progress_pct, std::nullopt);
}

TEST(VendorRaid, OneWordForEveryDialect) {
  const std::pair<const char*, const char*> words[] = {
      {"RAID 1+0", "1+0"}, {"1+0", "1+0"},  {"RAID 6 (ADG)", "6"}, {"6", "6"},
      {"RAID 0", "0"},     {"50", "50"},    {"1adm", "1adm"},      {"1+0adm", "10adm"},
      {"RAID 1", "1"},     {"RAID 5", "5"}, {"60", "60"},          {"RAID  5", "5"},
      {"RAID 7", ""},      {"", ""},        {"RAID", ""},          {"OK", ""}};
  for (const auto& [printed, ours] : words) EXPECT_EQ(raid_word(printed), ours) << printed;
}

TEST(VendorInterface, MediaOnlyWhereSaid) {
  EXPECT_EQ(interface_words("Solid State SATA").interface, "SATA");
  EXPECT_EQ(interface_words("Solid State SATA").media, "ssd");
  EXPECT_EQ(interface_words("SAS HDD").media, "hdd");
  EXPECT_EQ(interface_words("SATA SSD").media, "ssd");
  EXPECT_EQ(interface_words("SAS").media, "");
  EXPECT_EQ(interface_words("Parallel SCSI").interface, "SCSI");
  EXPECT_EQ(interface_words("OK").interface, "");
}

TEST(VendorRatio, BothPartsOrNothing) {
  EXPECT_EQ(cache_ratio("10% Read / 90% Write")->write, 90);
  EXPECT_EQ(cache_ratio("100%  Read / 0% Write")->read, 100);
  EXPECT_FALSE(cache_ratio("10% Read / 90% Wri"));
  EXPECT_FALSE(cache_ratio("10% Read"));
  EXPECT_FALSE(cache_ratio("10% Read / 80% Write"));
}

TEST(VendorMounts, PathsOnlyInAllForms) {
  EXPECT_EQ(mount_points("None"), Strings{});
  EXPECT_EQ(mount_points("/boot 512 MB Partition Number 3, / 1.6 TB Partition Number 5"),
            (Strings{"/boot", "/"}));
  EXPECT_EQ(mount_points("446.1 GiB Partition   2, 1023 MiB Partition   1 /, /boot/efi"),
            (Strings{"/", "/boot/efi"}));
  EXPECT_EQ(mount_points("/boot 9.3 GB, / 899.8 GB"), (Strings{"/boot", "/"}));
  EXPECT_EQ(mount_points("/boot/efi 488 MB Part Numb 3, /boot 488 MB Part Numb 4"),
            (Strings{"/boot/efi", "/boot"}));
  EXPECT_EQ(mount_points("931.4 GiB Partition   1 /mnt/pve/local-backup"),
            Strings{"/mnt/pve/local-backup"});
  EXPECT_EQ(mount_points("/sysroot,/,/etc,/var,"), (Strings{"/sysroot", "/", "/etc", "/var"}));
  EXPECT_EQ(mount_points("/srv/My Data 2.7 TB Partition Number 2"), Strings{"/srv/My Data"});
}

TEST(VendorMounts, TerminalWrapInsideAPathIsTakenOut) {
  EXPECT_EQ(mount_points("/srv/dev-disk-4c" + std::string(88, ' ') + "5a"),
            Strings{"/srv/dev-disk-4c5a"});
}

TEST(VendorModel, VendorIsTheFirstEightColumns) {
  EXPECT_EQ(drive_model("HP      EG0900FCSPN").vendor, "HP");
  EXPECT_EQ(drive_model("HP      EG0900FCSPN").model, "EG0900FCSPN");
  EXPECT_EQ(drive_model("ATA     INTEL SSDSC2KB96").model, "INTEL SSDSC2KB96");
  EXPECT_EQ(drive_model("HP EG0900FCSPN").model, "EG0900FCSPN");
  EXPECT_EQ(drive_model("SomethingElse X1").vendor, "");
  EXPECT_EQ(drive_model("SomethingElse X1").model, "SomethingElse X1");
}

TEST(VendorPhy, UnknownPhyIsZero) {
  EXPECT_EQ(phy_rates("6.0Gbps, Unknown"), (std::vector<double>{6, 0}));
  EXPECT_EQ(phy_rates("3.0GBPS"), std::vector<double>{3});
  EXPECT_EQ(phy_rates("3.0Gbps, Unkn"), std::vector<double>{});
}

TEST(VendorHeading, ModelAndVendorWords) {
  const std::tuple<const char*, const char*, const char*> names[] = {
      {"Smart Array P420i", "P420i", "HP"},
      {"HPE Smart Array P816i-a SR Gen10", "P816i-a", "HPE"},
      {"Smart HBA H240ar", "H240ar", "HP"},
      {"Dynamic Smart Array B140i", "B140i", "HP"},
      {"Dynamic Smart Array B120i RAID", "B120i", "HP"},
      {"MSCC SmartRAID 3154-8e", "3154-8e", "MSCC"},
      {"HPE E208i-a SR Gen10", "E208i-a", "HPE"},
      {"Smart Array 6i", "6i", "HP"},
      {"MSA1500 CS", "MSA1500", ""}};
  for (const auto& [name, model, vendor] : names) {
    EXPECT_EQ(controller_words(name).model, model) << name;
    EXPECT_EQ(controller_words(name).vendor, vendor) << name;
  }
}

}  // namespace
}  // namespace raidscope::vendor
