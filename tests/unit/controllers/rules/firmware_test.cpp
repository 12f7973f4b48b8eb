#include "controllers/rules/readings.h"
#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

/// A healthy machine with another card in it.
Inventory card(std::string model, std::string generation, Text firmware) {
  return healthy_but([&](Controller& c) {
    c.model = std::move(model);
    c.generation = std::move(generation);
    c.firmware = std::move(firmware);
  });
}

Inventory spinning(Inventory inventory) {
  return with(std::move(inventory), [](Controller& c) {
    c.arrays[0].media = Media::hdd;
    for (PhysicalDrive& drive : c.arrays[0].physical_drives) {
      drive.media = Media::hdd;
      drive.interface = DriveInterface::sas;
    }
  });
}

TEST(Versions, ArePartsOfNumbers) {
  EXPECT_THAT(version_parts("8.32-0"), ElementsAre(8, 32, 0));
  EXPECT_THAT(version_parts("Linux 2.1.20-035"), ElementsAre(2, 1, 20, 35));
  EXPECT_THAT(version_parts("4.68(B)"), ElementsAre(4, 68));
  EXPECT_THAT(version_parts("none"), IsEmpty());
  EXPECT_THAT(version_parts("99999999999999999999"), IsEmpty());
  EXPECT_EQ(older("6.6", "6.60"), true);
  EXPECT_EQ(older("6.60", "6.6"), false);
  EXPECT_EQ(older("8.32-0", "8.32"), false);
  EXPECT_EQ(older("8.32", "8.32-0"), false);
  EXPECT_EQ(older("10.00", "9.99"), false);
  EXPECT_EQ(older("?", "1.0"), std::nullopt);
  EXPECT_EQ(older(std::nullopt, "1.0"), std::nullopt);
}

TEST(F01, OldFirmwareWithFewHardDisks) {
  for (const char* model : {"P420i", "P220i"}) {
    const Finding found = only(spinning(card(model, "Gen8", "3.42")), "F01");
    EXPECT_EQ(found.severity, Severity::block);
    EXPECT_EQ(found.subject, (Subject{.slot = "0"}));
    EXPECT_THAT(found.evidence, HasSubstr("3.42"));
    EXPECT_THAT(found.affects, HasSubstr("whole controller"));
  }
  expect_fine(spinning(card("P420i", "Gen8", "4.68")), "F01");
  expect_fine(spinning(card("P420", "Gen8", "3.42")), "F01");
  expect_fine(card("P420i", "Gen8", "3.42"), "F01");  // solid state
  expect_fine(with(spinning(card("P420i", "Gen8", "3.42")),
                   [](Controller& c) {
                     c.enclosures.push_back({});
                     c.enclosures[0].name = "Expander 250";
                   }),
              "F01");
  expect_fine(with(spinning(card("P420i", "Gen8", "3.42")),
                   [](Controller& c) {
                     c.arrays[0].physical_drives.push_back(ssd("2I:1:1"));
                     c.arrays[0].physical_drives.back().media = Media::hdd;
                   }),
              "F01");
}

TEST(F01, Unknown) {
  expect_unknown(spinning(card("P420i", "Gen8", {})), "F01",
                 ElementsAre("controller firmware (slot 0)"));
  expect_unknown(with(spinning(card("P420i", "Gen8", "3.42")),
                      [](Controller& c) {
                        c.arrays[0].physical_drives[2].media.reset();
                        c.whole_block.reset();
                      }),
                 "F01", ElementsAre("expanders (slot 0)", "media of drive 1I:1:3 (slot 0)"));
}

TEST(F02, CapacitorCharging) {
  const Finding found = only(card("P420i", "Gen8", "5.22"), "F02");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.fix, ElementsAre(HasSubstr("5.42")));
  expect_fine(card("P420i", "Gen8", "5.42"), "F02");
  expect_fine(card("P420", "Gen8", "5.22"), "F02");
  expect_unknown(card("P420i", "Gen8", {}), "F02", ElementsAre("controller firmware (slot 0)"));
}

TEST(F03, FourGigabytesOnOldFirmware) {
  const auto with_cache = [](std::string firmware, Integer size) {
    return with(card("P440", "Gen9", std::move(firmware)), [&](Controller& c) {
      c.cache.size_bytes = size;
      c.cache.size_text = "4.0";
    });
  };
  const Finding found = only(with_cache("4.52", std::int64_t{4} << 30), "F03");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.evidence, HasSubstr("names no version"));
  expect_fine(with_cache("6.60-0", std::int64_t{4} << 30), "F03");
  expect_fine(with_cache("4.52", std::int64_t{2} << 30), "F03");
  expect_fine(card("P440ar", "Gen9", "4.52"), "F03");
  expect_unknown(with_cache("4.52", {}), "F03", ElementsAre("cache size (slot 0)"));
}

TEST(F04, PermanentlyDisabledWithAGoodBattery) {
  const auto off = [](std::string firmware) {
    return with(card("P440ar", "Gen9", std::move(firmware)), [](Controller& c) {
      c.cache.status = CacheStatus::permanently_disabled;
      c.cache.status_text = "Permanently Disabled";
    });
  };
  const Finding found = only(off("4.52"), "F04");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_THAT(found.evidence, HasSubstr("Permanently Disabled"));
  EXPECT_THAT(commands(found), ElementsAre("ssacli ctrl slot=0 show detail"));
  expect_fine(off("6.60"), "F04");
  expect_fine(card("P440ar", "Gen9", "4.52"), "F04");
  expect_fine(
      with(off("4.52"), [](Controller& c) { c.cache.backup.status = BackupStatus::failed; }),
      "F04");
  expect_unknown(with(off("4.52"),
                      [](Controller& c) {
                        c.cache.backup = {};
                        c.whole_block.reset();
                      }),
                 "F04", ElementsAre("battery or capacitor status (slot 0)"));
}

TEST(F05, MigrationOnOldGen10Firmware) {
  Inventory old = card("P408i-a", "Gen10", "1.04");
  EXPECT_EQ(only(old, "F05").severity, Severity::warning);
  EXPECT_THAT(only(old, "F05").evidence, HasSubstr("no logical drive is being transformed"));
  const Finding moving =
      only(with(old, [](Controller& c) { c.arrays[0].logical_drives[0].status = "Transforming"; }),
           "F05");
  EXPECT_EQ(moving.severity, Severity::block);
  EXPECT_THAT(
      only(with(old, [](Controller& c) { c.arrays[0].logical_drives[0].status.reset(); }), "F05")
          .evidence,
      HasSubstr("not told"));
  expect_fine(card("P408i-a", "Gen10", "1.34"), "F05");
  expect_fine(card("P440ar", "Gen9", "1.04"), "F05");
  expect_unknown(card("P408i-a", "Gen10", {}), "F05", ElementsAre("controller firmware (slot 0)"));
}

TEST(F06, AdvisoryPrintedOrTheMandatoryUpdate) {
  const Finding printed =
      only(with(card("P400i", "G5", "4.12"),
                [](Controller& c) {
                  c.warnings = {"FIRMWARE UPGRADE REQUIRED: refer to Customer Advisory c01587778"};
                }),
           "F06");
  EXPECT_EQ(printed.severity, Severity::block);
  EXPECT_THAT(printed.evidence, HasSubstr("c01587778"));
  EXPECT_THAT(findings_of(card("P800", "G5", "2.04"), "F06"), SizeIs(1));
  expect_fine(card("P400i", "G5", "4.12"), "F06");
  expect_fine(card("E200i", "G5", "2.04"), "F06");
  expect_unknown(card("P400", "G5", {}), "F06", ElementsAre("controller firmware (slot 0)"));
}

TEST(F07, WorseInTheServerItWasFoundIn) {
  Inventory old = card("P410i", "G6", "3.30");
  EXPECT_EQ(only(old, "F07").severity, Severity::warning);
  EXPECT_THAT(only(old, "F07").evidence, HasSubstr("not told"));
  old.host.product = "ProLiant DL380 G6";
  EXPECT_EQ(only(old, "F07").severity, Severity::warning);
  old.host.product = "Integrity rx2800 i2";
  EXPECT_EQ(only(old, "F07").severity, Severity::block);
  for (const char* model : {"P410", "P411", "P812"}) {
    EXPECT_THAT(findings_of(card(model, "G6", "2.74"), "F07"), SizeIs(1)) << model;
  }
  expect_fine(card("P410i", "G6", "3.52"), "F07");
  expect_fine(card("P212", "G6", "2.74"), "F07");
  expect_unknown(card("P410i", "G6", {}), "F07", ElementsAre("controller firmware (slot 0)"));
}

Inventory aging(std::string model, Text firmware, Integer hours) {
  return healthy_but([&](Controller& c) {
    PhysicalDrive& drive = c.arrays[0].physical_drives[1];
    drive.interface = DriveInterface::sas;
    drive.model = std::move(model);
    drive.firmware = std::move(firmware);
    drive.power_on_hours = hours;
  });
}

TEST(F08, DrivesNearTheirLastHour) {
  const Finding found = only(aging("HP      MO0800JFFCH", "HPD6", 32000), "F08");
  EXPECT_EQ(found.severity, Severity::block);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A", .bay = "1I:1:2"}));
  EXPECT_THAT(found.fix, ElementsAre(HasSubstr("HPD8")));
  EXPECT_EQ(only(aging("EO1600JVYPP", "HPD6", 39000), "F08").severity, Severity::block);
  expect_fine(aging("MO0800JFFCH", "HPD8", 32000), "F08");
  expect_fine(aging("MO0800JFFCH", "HPDB", 32000), "F08");
  expect_fine(aging("MO0800JFFCH", "HPD6", 20000), "F08");
  expect_fine(aging("EO1600JVYPP", "HPD7", 39000), "F08");
}

TEST(F08, AnotherSasDriveIsAWarning) {
  const Finding found = only(aging("EO0400FBRWA", "HPD6", 32000), "F08");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.evidence, HasSubstr("not known"));
  expect_fine(aging("EO0400FBRWA", "HPD9", 32000), "F08");
  expect_fine(aging("EO0400FBRWA", "HPD6", 45000), "F08");
  expect_fine(aging("EO0400FBRWA", "HPD6", {}), "F08");
}

TEST(F08, Unknown) {
  expect_unknown(aging("MO0800JFFCH", "HPD6", {}), "F08",
                 ElementsAre("power-on hours (slot 0, array A, bay 1I:1:2)"));
}

TEST(F09, NewerHpvsa) {
  const auto driven = [](Text version) {
    return with(card("B120i", "Gen8", "3.54"), [&](Controller& c) {
      c.driver = {"hpvsa", std::move(version)};
    });
  };
  const Finding found = only(driven("5.5.0-100"), "F09");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_THAT(found.fix, ElementsAre(HasSubstr("5.5.0-88")));
  EXPECT_THAT(findings_of(driven("5.5.0.100-1OEM"), "F09"), SizeIs(1));
  expect_fine(driven("5.5.0-88"), "F09");
  expect_fine(driven("1.2.10"), "F09");
  expect_fine(healthy(), "F09");
  expect_unknown(driven({}), "F09", ElementsAre("driver version (slot 0)"));
}

TEST(F10, SimpleTransportMode) {
  const auto mode = [](std::string word) {
    return healthy_but([&](Controller& c) {
      c.extra.items = {{"transport_mode", std::move(word)}};
    });
  };
  const Finding found = only(mode("simple"), "F10");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_THAT(found.evidence, HasSubstr("simple"));
  expect_fine(mode("performant"), "F10");
  expect_fine(healthy(), "F10");
  expect_unknown(healthy_but([](Controller& c) { c.whole_block.reset(); }), "F10",
                 ElementsAre("hpsa transport mode (slot 0)"));
}

TEST(F10, TwoDrivers) {
  Inventory two = healthy();
  two.controllers.push_back(healthy_controller());
  two.controllers[1].slot = "1";
  two.controllers[1].driver = {"cciss", "3.6.26"};
  EXPECT_EQ(only(two, "F10").subject, (Subject{.slot = "1"}));
  two.controllers[0].driver.name = "smartpqi";
  EXPECT_THAT(findings_of(two, "F10"), IsEmpty());
}

TEST(F11, CardsOfOneModel) {
  Inventory two = healthy();
  two.controllers.push_back(healthy_controller());
  two.controllers[1].slot = "1";
  two.controllers[1].firmware = "8.32-0";
  expect_fine(two, "F11");
  two.controllers[1].firmware = "6.68";
  const Finding found = only(two, "F11");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, (Subject{.slot = "1"}));
  EXPECT_THAT(found.evidence, HasSubstr("6.68"));
  EXPECT_THAT(found.evidence, HasSubstr("8.32"));
  two.controllers[1].firmware.reset();
  expect_unknown(two, "F11", ElementsAre("controller firmware (slot 1)"));
  two.controllers[1].model = "P420";
  expect_fine(two, "F11");
}

TEST(F12, NotTheLast) {
  const Finding found = only(card("P410i", "G6", "6.60"), "F12");
  EXPECT_EQ(found.severity, Severity::info);
  EXPECT_THAT(found.evidence, HasSubstr("6.64"));
  expect_fine(card("P410i", "G6", "6.64-0"), "F12");
  EXPECT_THAT(findings_of(card("P420", "Gen8", "8.00"), "F12"), SizeIs(1));
  expect_fine(card("P440ar", "Gen9", "3.00"), "F12");  // no source tells its last
  expect_unknown(card("P410i", "G6", {}), "F12", ElementsAre("controller firmware (slot 0)"));
}

}  // namespace
}  // namespace raidscope::testing
