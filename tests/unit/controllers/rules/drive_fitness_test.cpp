#include "tests/unit/controllers/rules_support.h"

namespace raidscope::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

template <class Change>
Inventory drive_but(Change change) {
  return healthy_but([&](Controller& c) { change(c.arrays[0].physical_drives[1]); });
}
/// The same, told by a text that is no whole block.
template <class Change>
Inventory part_but(Change change) {
  return with(drive_but(change), [](Controller& c) { c.whole_block.reset(); });
}
const Subject bay_2{.slot = "0", .array = "A", .bay = "1I:1:2"};

TEST(D01, DifferentDrivesInOneArray) {
  const Finding found = only(drive_but([](PhysicalDrive& d) { d.firmware = "HPG2"; }), "D01");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, (Subject{.slot = "0", .array = "A"}));
  EXPECT_THAT(found.evidence,
              HasSubstr("Firmware Revision: HPG1 (7, first 1I:1:1), HPG2 (1, first 1I:1:2)"));
  EXPECT_THAT(findings_of(drive_but([](PhysicalDrive& d) { d.model = "MK0480GFDKH"; }), "D01"),
              SizeIs(1));
  EXPECT_THAT(findings_of(drive_but([](PhysicalDrive& d) { d.size_text = "960 GB"; }), "D01"),
              SizeIs(1));
  EXPECT_THAT(findings_of(healthy_but([](Controller& c) {
                            c.arrays[0].physical_drives[0].rpm = 10000;
                            c.arrays[0].physical_drives[1].rpm = 15000;
                          }),
                          "D01"),
              SizeIs(1));
  expect_fine(healthy(), "D01");
  expect_fine(drive_but([](PhysicalDrive& d) {
                d.model = "another";
                d.role = DriveRole::spare;
              }),
              "D01");
}

TEST(D01, Unknown) {
  expect_unknown(
      part_but([](PhysicalDrive& d) { d.model.reset(); }), "D01",
      ElementsAre("model, capacity, firmware and speed of every drive (slot 0, array A)"));
}

TEST(D02, BothMediaOnOneCard) {
  const auto second = [](Maybe<Media> media) {
    return healthy_but([&](Controller& c) {
      c.arrays.push_back(ssd_array("B", 2));
      c.arrays[1].media = media;
    });
  };
  const Finding found = only(second(Media::hdd), "D02");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, (Subject{.slot = "0"}));
  EXPECT_THAT(found.evidence, HasSubstr("solid state: array A; hard disks: array B"));
  expect_fine(second(Media::ssd), "D02");
  expect_fine(healthy(), "D02");
  expect_unknown(second({}), "D02", ElementsAre("media of every array (slot 0)"));
}

TEST(D07, WornOut) {
  const Finding found =
      only(drive_but([](PhysicalDrive& d) { d.wear_remaining_pct = 12.5; }), "D07");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, bay_2);
  EXPECT_THAT(found.evidence, HasSubstr("12.50%"));
  const Finding tripped = only(drive_but([](PhysicalDrive& d) {
                                 d.extra.items = {{"SSD Smart Trip Wearout", "True"}};
                               }),
                               "D07");
  EXPECT_EQ(tripped.severity, Severity::block);
  expect_fine(drive_but([](PhysicalDrive& d) {
                d.wear_remaining_pct = 20;
                d.extra.items = {{"SSD Smart Trip Wearout", "Not Supported"}};
              }),
              "D07");
  expect_unknown(
      part_but([](PhysicalDrive& d) { d.wear_remaining_pct = 90; }), "D07",
      ::testing::Contains("usage remaining and wear-out trip (slot 0, array A, bay 1I:1:2)"));
}

TEST(D08, NotAuthentic) {
  const Finding found =
      only(drive_but([](PhysicalDrive& d) { d.authentication = "Not Authenticated"; }), "D08");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, bay_2);
  expect_fine(drive_but([](PhysicalDrive& d) { d.authentication = "OK"; }), "D08");
  expect_fine(drive_but([](PhysicalDrive& d) { d.authentication = "Not Applicable"; }), "D08");
  EXPECT_THAT(
      findings_of(drive_but([](PhysicalDrive& d) { d.status = "Unsupported Drive"; }), "D08"),
      SizeIs(1));
  EXPECT_THAT(missing_of(part_but([](PhysicalDrive&) {}), "D08"), SizeIs(8));
}

TEST(D09, NearItsHighest) {
  const auto heated = [](Integer now, Integer most) {
    return [=](PhysicalDrive& d) {
      d.temperature_c = now;
      d.temperature_max_c = most;
    };
  };
  const Finding found = only(drive_but(heated(58, 60)), "D09");
  EXPECT_EQ(found.severity, Severity::warning);
  EXPECT_EQ(found.subject, bay_2);
  expect_fine(drive_but(heated(57, 60)), "D09");
  expect_fine(drive_but(heated(30, 30)), "D09");  // a new drive in a cool room
  EXPECT_THAT(
      missing_of(part_but(heated(58, {})), "D09"),
      ::testing::Contains("highest drive temperature so far (slot 0, array A, bay 1I:1:2)"));
}

TEST(D10, Shingled) {
  const auto support = [](std::string word) {
    return [=](PhysicalDrive& d) {
      d.media = Media::hdd;
      d.extra.items = {{"Shingled Magnetic Recording Support", word}};
    };
  };
  const Finding found = only(drive_but(support("Drive Managed")), "D10");
  EXPECT_EQ(found.severity, Severity::error);
  EXPECT_EQ(found.subject, bay_2);
  expect_fine(drive_but(support("None")), "D10");
  expect_fine(healthy(), "D10");
  expect_unknown(drive_but(support("Unknown")), "D10",
                 ElementsAre("shingled recording (slot 0, array A, bay 1I:1:2)"));
}

Inventory emulating(std::string sizes) {
  return healthy_but([&](Controller& c) {
    c.arrays[0].logical_drives[0].device = "/dev/sda";
    for (PhysicalDrive& drive : c.arrays[0].physical_drives) {
      drive.extra.items = {{"Logical/Physical Block Size", sizes}};
    }
  });
}
PlannedTest test_of(std::string target, std::optional<std::uint64_t> start) {
  PlannedTest out;
  out.target = std::move(target);
  out.slot = "0";
  out.drive = 1;
  out.partition_start_bytes = start;
  return out;
}

TEST(D11, PartitionsOnEmulatedSectors) {
  const AuditReport askew = audit(emulating("512/4096"), test_of("/dev/sda1", 63 * 512));
  ASSERT_THAT(findings_of(askew, "D11"), SizeIs(1));
  EXPECT_EQ(findings_of(askew, "D11")[0].severity, Severity::warning);
  for (const AuditReport& fine : {audit(emulating("512/4096"), test_of("/dev/sda1", 1 << 20)),
                                  audit(emulating("512/4096"), test_of("/dev/sda", {})),
                                  audit(emulating("512/512"), test_of("/dev/sda1", 63 * 512)),
                                  audited(emulating("512/4096"))}) {
    EXPECT_THAT(findings_of(fine, "D11"), IsEmpty());
    EXPECT_THAT(missing_of(fine, "D11"), IsEmpty());
  }
  EXPECT_THAT(missing_of(audit(emulating("512/4096"), test_of("/dev/sda1", {})), "D11"),
              ElementsAre("start of the partition that holds the target (slot 0, array A, logical "
                          "drive 1)"));
}

TEST(D15, ProtectionIsToldByNobody) {
  const auto cached = [](EffectiveWriteCache cache, Media media) {
    return healthy_but([&](Controller& c) {
      c.arrays[0].media = media;
      c.arrays[0].logical_drives[0].effective_write_cache = cache;
    });
  };
  expect_unknown(
      cached(EffectiveWriteCache::volatile_, Media::ssd), "D15",
      ElementsAre("power-loss protection of the drives (slot 0, array A, logical drive 1)"));
  expect_fine(cached(EffectiveWriteCache::volatile_, Media::hdd), "D15");
  expect_fine(cached(EffectiveWriteCache::protected_, Media::ssd), "D15");
}

TEST(D16, Trim) {
  const auto most = [](const char* bytes) {
    return healthy_but([&](Controller& c) {
      auto& items = c.arrays[0].logical_drives[0].extra.items;
      items.clear();
      if (bytes != nullptr) items = {{"discard_max_bytes", bytes}};
    });
  };
  EXPECT_EQ(only(most("0"), "D16").severity, Severity::info);
  expect_fine(most("4194304"), "D16");
  expect_unknown(most(nullptr), "D16",
                 ElementsAre("whether the logical drive passes TRIM on (slot 0, array A, logical "
                             "drive 1)"));
}

}  // namespace
}  // namespace raidscope::testing
