#include "controllers/inventory/assemble.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "controllers/inventory/attributes.h"
#include "controllers/inventory/inventory_json.h"
#include "probe/sources/vendor/attributes.h"

namespace raidscope {
namespace {

using Texts = std::vector<std::string>;

/// A P420i with one RAID 1+0 of four SSDs and a spare, as a vendor tool tells it.
FactSet vendor_set(PathName path = PathName::ssacli) {
  FactSet set;
  set.path = path;
  const EntityId c = set.add(EntityKind::controller, machine_entity, "Smart Array P420i in Slot 0");
  set.tell(c, "name", std::string("Smart Array P420i"));
  set.tell(c, "model", std::string("P420i"));
  set.tell(c, "slot", std::string("0"));
  set.tell(c, "serial", std::string("5001438012345670"));
  set.tell(c, "firmware", std::string("8.32-0"));
  set.tell(c, "cache.present", true);
  set.tell(c, "cache.status", std::string("ok"));
  set.tell(c, "cache.size_bytes", std::int64_t{2147483648});
  set.tell(c, "cache.size_text", std::string("2.0 GB"));
  set.tell(c, "cache.size_exact", false);
  set.tell(c, "cache.ratio.read", std::int64_t{10});
  set.tell(c, "cache.ratio.write", std::int64_t{90});
  set.tell(c, "cache.backup.kind", std::string("capacitor"));
  set.tell(c, "cache.backup.status", std::string("ok"));
  set.tell(c, "cache.no_battery_write_cache", false);
  const EntityId a = set.add(EntityKind::array, c, "A");
  set.tell(a, "letter", std::string("A"));
  set.tell(a, "smart_path", std::string("disabled"));
  const EntityId ld = set.add(EntityKind::logical_drive, a, "1");
  set.tell(ld, "number", std::int64_t{1});
  set.tell(ld, "raid", std::string("1+0"));
  set.tell(ld, "strip_bytes", std::int64_t{256 * 1024});
  set.tell(ld, "full_stripe_bytes", std::int64_t{512 * 1024});
  set.tell(ld, "caching", std::string("enabled"));
  set.tell(ld, "acceleration", std::string("controller_cache"));
  set.tell(ld, "unique_id", std::string("600508B1001C00112233445566778899"));
  set.tell(ld, "size_bytes", std::int64_t{300003372236});
  set.tell(ld, "size_text", std::string("279.4 GB"));
  set.tell(ld, "size_exact", false);
  set.tell(ld, "device", std::string("/dev/sda"));
  set.tell(ld, "mount_points", Texts{"/"});
  for (int bay = 1; bay <= 5; ++bay) {
    const std::string id = "1I:1:" + std::to_string(bay);
    const EntityId pd = set.add(EntityKind::physical_drive, a, id);
    set.tell(pd, "bay", id);
    set.tell(pd, "role", std::string(bay == 5 ? "spare" : "data"));
    set.tell(pd, "media", std::string("ssd"));
    set.tell(pd, "serial", "SERIAL" + std::to_string(bay));
    set.extras.push_back({pd, "Carrier Version", "11", 0});
  }
  const EntityId loose = set.add(EntityKind::physical_drive, c, "1I:1:6");
  set.tell(loose, "role", std::string("unassigned"));
  set.extras.push_back({c, "Sanitize Lock", "None", 0});
  return set;
}

TEST(Assemble, PlacesEveryEntity) {
  const FactSet sets[] = {vendor_set()};
  const Inventory inventory = assemble(sets, "2024-05-01T10:00:00Z");
  ASSERT_EQ(inventory.controllers.size(), 1U);
  const Controller& controller = inventory.controllers[0];
  EXPECT_EQ(controller.model, "P420i");
  EXPECT_EQ(controller.generation, "Gen8");
  EXPECT_EQ(controller.embedded, true);
  EXPECT_EQ(controller.vendor, "HP");
  EXPECT_EQ(controller.smart_path.capable, true);
  ASSERT_EQ(controller.arrays.size(), 1U);
  EXPECT_EQ(controller.arrays[0].physical_drives.size(), 5U);
  EXPECT_EQ(controller.arrays[0].media, Media::ssd);
  ASSERT_EQ(controller.unassigned_drives.size(), 1U);
  EXPECT_EQ(controller.unassigned_drives[0].bay, "1I:1:6");
  ASSERT_EQ(controller.arrays[0].logical_drives.size(), 1U);
  const LogicalDrive& drive = controller.arrays[0].logical_drives[0];
  EXPECT_EQ(drive.disk_count, 4);
  EXPECT_EQ(drive.member_drives, (Texts{"1I:1:1", "1I:1:2", "1I:1:3", "1I:1:4"}));
  EXPECT_EQ(drive.smart_path.array_setting, Switch::disabled);
  EXPECT_EQ(drive.effective_write_cache, EffectiveWriteCache::protected_);
  EXPECT_EQ(drive.io_path, IoPath::cache);
  EXPECT_EQ(
      drive.tag,
      "P420i fw 8.32 | 2 GiB FBWC ok 10/90 | LD1 R1+0 4×SSD strip 256K | cache on (protected) | "
      "smart path off");
  EXPECT_EQ(drive.fingerprint.size(), 12U);
  ASSERT_EQ(controller.extra.items.size(), 1U);
  EXPECT_EQ(controller.arrays[0].physical_drives[0].extra.items.size(), 1U);
  ASSERT_EQ(inventory.sources.size(), 1U);
  EXPECT_EQ(inventory.sources[0].path, "ssacli");
  EXPECT_EQ(inventory.sources[0].status, "ok");
  EXPECT_EQ(inventory.taken_at, "2024-05-01T10:00:00Z");
  EXPECT_TRUE(inventory.notes.empty());
  EXPECT_TRUE(inventory.provenance.empty()) << "one path alone has nothing to reconcile";
}

TEST(Assemble, NoTimeAndFilePath) {
  const FactSet sets[] = {vendor_set(PathName::file)};
  const Inventory inventory = assemble(sets, "");
  EXPECT_FALSE(inventory.taken_at.has_value());
  ASSERT_EQ(inventory.sources.size(), 1U);
  EXPECT_EQ(inventory.sources[0].path, "file");
  EXPECT_TRUE(inventory.block_devices.empty());
  EXPECT_EQ(inventory.host, HostFacts{});
}

TEST(Assemble, EveryAttributeOfTheVendorParserHasAField) {
  for (const AttributeSpec& spec : vendor_attributes) {
    EXPECT_TRUE(is_attribute(spec.kind, spec.name)) << spec.name;
  }
}

TEST(Assemble, AFactWithoutAFieldBecomesANote) {
  FactSet set = vendor_set();
  set.tell(1, "no_such_field", std::string("x"), 7);
  set.tell(1, "cache.present", std::string("yes"), 8);
  const Inventory inventory = assemble(std::span(&set, 1), "");
  ASSERT_EQ(inventory.notes.size(), 2U);
  EXPECT_EQ(inventory.notes[0].line, 7);
  EXPECT_NE(inventory.notes[0].text.find("no_such_field"), std::string::npos);
  EXPECT_EQ(inventory.notes[1].line, 8);
  EXPECT_EQ(inventory.controllers[0].cache.present, true) << "a wrong value changes nothing";
}

TEST(Assemble, ExtrasOfTheHostAreKeptAsNotes) {
  FactSet set = vendor_set();
  set.extras.push_back({machine_entity, "Stray Key", "value", 3});
  const Inventory inventory = assemble(std::span(&set, 1), "");
  ASSERT_EQ(inventory.notes.size(), 1U);
  EXPECT_EQ(inventory.notes[0], (NoteLine{3, "Stray Key: value"}));
}

TEST(Assemble, DrivesWithoutAHeadingGetAControllerOfTheirOwn) {
  FactSet set;
  set.path = PathName::file;
  const EntityId pd = set.add(EntityKind::physical_drive, machine_entity, "1I:1:1");
  set.tell(pd, "status", std::string("OK"));
  const Inventory inventory = assemble(std::span(&set, 1), "");
  ASSERT_EQ(inventory.controllers.size(), 1U);
  EXPECT_FALSE(inventory.controllers[0].model.has_value());
  ASSERT_EQ(inventory.controllers[0].physical_drives.size(), 1U);
  EXPECT_EQ(inventory.controllers[0].physical_drives[0].bay, "1I:1:1");
}

TEST(Assemble, BytesThatAreNoTextAreReplaced) {
  FactSet set = vendor_set();
  set.extras.push_back({1, "Bad\xFFKey", "\xC3(", 0});
  set.tell(1, "status", std::string("OK\x80"));
  const Inventory inventory = assemble(std::span(&set, 1), "");
  EXPECT_EQ(inventory.controllers[0].status, "OK\xEF\xBF\xBD");
  EXPECT_NO_THROW(to_json(inventory).dump());
}

TEST(Assemble, EntitiesThatPointInACircleDoNotHang) {
  FactSet set;
  const EntityId a = set.add(EntityKind::array, 2, "A");
  set.add(EntityKind::logical_drive, a, "1");
  set.entities[a].parent = 2;
  set.tell(99, "status", std::string("OK"));
  const Inventory inventory = assemble(std::span(&set, 1), "");
  EXPECT_EQ(inventory.controllers.size(), 1U);
}

TEST(Assemble, ANumberTooLargeToHoldIsUnknown) {
  FactSet set;
  set.path = PathName::ssacli;
  const EntityId controller = set.add(EntityKind::controller, machine_entity, "P420i");
  const EntityId drive = set.add(EntityKind::logical_drive, controller, "99999999999999999999");
  set.tell(drive, "strip_bytes", std::int64_t{0});
  const FactSet sets[] = {set};
  const Inventory inventory = assemble(sets, "");
  EXPECT_EQ(inventory.controllers.at(0).logical_drives.at(0).number, std::nullopt);
  EXPECT_EQ(inventory.controllers.at(0).logical_drives.at(0).strip_bytes, std::nullopt);
}

}  // namespace
}  // namespace raidscope
