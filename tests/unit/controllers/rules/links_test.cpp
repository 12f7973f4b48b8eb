#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <class Change>
Inventory drive_but(Change change) {
  return healthy_but([&](Controller& c) { change(c.arrays[0].physical_drives[1]); });
}
Inventory of_generation(Inventory inventory, Text generation) {
  return with(std::move(inventory), [&](Controller& c) { c.generation = std::move(generation); });
}
Inventory part(Inventory inventory) {
  return with(std::move(inventory), [](Controller& c) { c.whole_block.reset(); });
}
const Subject bay_2{.slot = "0", .array = "A", .bay = "1I:1:2"};

TEST(D03, BelowTheDriveAndTheCard) {
  const auto linked = [](DriveInterface interface, std::vector<Maybe<double>> rate,
                         std::vector<Maybe<double>> most) {
    return drive_but([&](PhysicalDrive& d) {
      d.interface = interface;
      d.phy_rates_gbps = rate;
      d.phy_max_gbps = most;
    });
  };
  const Finding found =
      only(of_generation(linked(DriveInterface::sas, {6.0, {}}, {12.0, 12.0}), "Gen9"), "D03");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, bay_2);
  EXPECT_THAT(found.evidence, HasSubstr("PHY Transfer Rate: 6.0Gbps, Unknown"));
  EXPECT_THAT(found.evidence, HasSubstr("PHY Maximum Link Rate: 12.0Gbps, 12.0Gbps"));
  // The card's own cap is no fault: a 12 Gb/s drive on Gen8, a SATA drive of 6 on G6.
  expect_fine(linked(DriveInterface::sas, {6.0, {}}, {12.0, 12.0}), "D03");
  expect_fine(of_generation(linked(DriveInterface::sata, {3.0}, {6.0}), "G6"), "D03");
  EXPECT_THAT(findings_of(linked(DriveInterface::sata, {3.0}, {6.0}), "D03"), SizeIs(1));
  expect_fine(linked(DriveInterface::sas, {6.0, {}}, {std::nullopt, std::nullopt}), "D03");
  expect_unknown(of_generation(linked(DriveInterface::sas, {6.0, {}}, {12.0, 12.0}), {}), "D03",
                 ElementsAre("PHY rate, the drive's highest and the card's (slot 0, array A, bay "
                             "1I:1:2)"));
  EXPECT_THAT(missing_of(part(healthy()), "D03"), SizeIs(8));
}

TEST(D04, SataOnGen6) {
  const Inventory slow =
      of_generation(drive_but([](PhysicalDrive& d) { d.phy_rates_gbps = {3.0}; }), "G6");
  EXPECT_EQ(only(slow, "D04").severity, Severity::info);
  EXPECT_EQ(only(slow, "D04").subject, bay_2);
  expect_fine(of_generation(slow, "Gen8"), "D04");
  expect_fine(with(slow, [](Controller& c) { c.arrays[0].physical_drives[1].media = Media::hdd; }),
              "D04");
  expect_fine(of_generation(healthy(), "G6"), "D04");
  expect_unknown(with(slow, [](Controller& c) { c.arrays[0].physical_drives[1].media.reset(); }),
                 "D04", ElementsAre("media (slot 0, array A, bay 1I:1:2)"));
}

TEST(D05, TheSlowestPhy) {
  const Inventory slow = drive_but([](PhysicalDrive& d) { d.phy_rates_gbps = {1.5}; });
  EXPECT_EQ(only(slow, "D05").severity, Severity::error);
  EXPECT_EQ(only(slow, "D05").subject, bay_2);
  expect_fine(healthy(), "D05");
  expect_fine(drive_but([](PhysicalDrive& d) { d.phy_rates_gbps.clear(); }), "D05");
  expect_unknown(part(drive_but([](PhysicalDrive& d) { d.phy_rates_gbps.clear(); })), "D05",
                 ElementsAre("PHY rate (slot 0, array A, bay 1I:1:2)"));
}

TEST(D06, QueuingOff) {
  const auto ncq = [](std::string enabled, std::string capable) {
    return drive_but([&](PhysicalDrive& d) {
      d.extra.items = {{"SATA NCQ Capable", capable}, {"SATA NCQ Enabled", enabled}};
    });
  };
  EXPECT_EQ(only(ncq("False", "True"), "D06").severity, Severity::error);
  EXPECT_EQ(only(ncq("False", "True"), "D06").subject, bay_2);
  expect_fine(ncq("True", "True"), "D06");
  expect_fine(ncq("False", "False"), "D06");
  expect_fine(with(ncq("False", "True"), [](Controller& c) { c.settings.sata_ncq = "False"; }),
              "D06");
  expect_fine(
      with(ncq("False", "True"),
           [](Controller& c) { c.arrays[0].physical_drives[1].interface = DriveInterface::sas; }),
      "D06");
  EXPECT_THAT(missing_of(part(healthy()), "D06"),
              Contains("SATA NCQ enabled (slot 0, array A, bay 1I:1:2)"));
}

TEST(D12, NarrowHostLink) {
  const auto link = [](std::string rate) {
    return healthy_but([&](Controller& c) {
      c.extra.items = {{"Negotiated PCIe Data Rate", std::move(rate)}};
    });
  };
  const Finding found = only(link("PCIe 1.0 x8 (2000 MB/s)"), "D12");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, (Subject{.slot = "0"}));
  EXPECT_THAT(found.evidence, HasSubstr("above 1000 MB/s this is an error"));
  EXPECT_THAT(findings_of(link("PCIe 3.0 x4 (3940 MB/s)"), "D12"), SizeIs(1));
  EXPECT_THAT(findings_of(link("PCIe 2.0 x8 (4000 MB/s)"), "D12"), SizeIs(1));
  expect_fine(link("PCIe 3.0 x8 (7880 MB/s)"), "D12");
  expect_fine(link("PCIe 4.0 x8 (15760 MB/s)"), "D12");
  expect_fine(of_generation(link("PCIe 2.0 x8 (4000 MB/s)"), "G6"), "D12");
  EXPECT_THAT(findings_of(of_generation(link("PCIe 2.0 x4 (2000 MB/s)"), "G6"), "D12"), SizeIs(1));
  expect_fine(healthy(), "D12");
  expect_unknown(link("Unknown"), "D12", ElementsAre("negotiated PCIe link (slot 0)"));
  expect_unknown(part(healthy()), "D12", ElementsAre("negotiated PCIe link (slot 0)"));
  expect_unknown(of_generation(link("PCIe 2.0 x8 (4000 MB/s)"), {}), "D12",
                 Contains("generation (slot 0)"));
}

TEST(D13, ManySolidStateDrivesOnGen6) {
  const auto drives = [](int more) {
    return of_generation(
        healthy_but([&](Controller& c) {
          for (int i = 0; i < more; ++i) {
            c.arrays[0].physical_drives.push_back(ssd("2I:1:" + std::to_string(i)));
          }
        }),
        "G6");
  };
  EXPECT_EQ(only(drives(1), "D13").severity, Severity::warning);
  EXPECT_THAT(only(drives(1), "D13").evidence, HasSubstr("9 solid-state drives"));
  expect_fine(drives(0), "D13");
  expect_fine(of_generation(drives(4), "Gen8"), "D13");
  expect_unknown(
      with(drives(1), [](Controller& c) { c.arrays[0].physical_drives[0].media.reset(); }), "D13",
      ElementsAre("media of the drives (slot 0)"));
}

TEST(D14, SequentialTestOfManyDrivesOnOnePort) {
  PlannedTest test;
  test.slot = "0";
  test.drive = 1;
  test.random = false;
  const auto drives = [](double rate, int count) {
    return healthy_but([&](Controller& c) {
      c.arrays[0].physical_drives.clear();
      for (int i = 0; i < count; ++i) {
        c.arrays[0].physical_drives.push_back(ssd("1I:1:" + std::to_string(i)));
        c.arrays[0].physical_drives.back().phy_rates_gbps = {rate};
      }
    });
  };
  const AuditReport crowded = audit(drives(6, 13), test);
  ASSERT_THAT(findings_of(crowded, "D14"), SizeIs(1));
  EXPECT_EQ(findings_of(crowded, "D14")[0].subject, (Subject{.slot = "0", .array = "A"}));
  EXPECT_THAT(findings_of(audit(drives(3, 9), test), "D14"), SizeIs(1));
  EXPECT_THAT(findings_of(audit(drives(6, 12), test), "D14"), IsEmpty());
  EXPECT_THAT(findings_of(audit(drives(12, 24), test), "D14"), IsEmpty());
  expect_fine(drives(6, 13), "D14");  // no test, no load
  const Inventory untold = with(
      drives(6, 12), [](Controller& c) { c.arrays[0].physical_drives[0].phy_rates_gbps.clear(); });
  EXPECT_THAT(missing_of(audit(untold, test), "D14"),
              ElementsAre("bays and PHY rates of the drives (slot 0, array A)"));
  test.random = true;
  EXPECT_THAT(findings_of(audit(drives(6, 13), test), "D14"), IsEmpty());
}

}  // namespace
}  // namespace raidscope::testing
