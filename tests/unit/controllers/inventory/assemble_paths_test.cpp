#include <algorithm>

#include <gtest/gtest.h>

#include "controllers/inventory/assemble.h"
#include "controllers/inventory/precedence.h"

// Several paths that see one machine.
namespace raidscope {
namespace {

using Texts = std::vector<std::string>;

struct Machine {
  FactSet tool, sysfs, bmic, host;
  EntityId tool_controller, sysfs_controller, bmic_controller, tool_drive, sysfs_drive, disk;

  Machine() {
    tool.path = PathName::ssacli;
    tool_controller = tool.add(EntityKind::controller, machine_entity, "P420i");
    tool.tell(tool_controller, "model", std::string("P420i"));
    tool.tell(tool_controller, "slot", std::string("0"));
    tool.tell(tool_controller, "serial", std::string("SN1"));
    tool.tell(tool_controller, "pci_address", std::string("0000:0d:00.0"));
    tool.tell(tool_controller, "firmware", std::string("8.32-0"));
    const EntityId array = tool.add(EntityKind::array, tool_controller, "A");
    tool_drive = tool.add(EntityKind::logical_drive, array, "1");
    tool.tell(tool_drive, "unique_id", std::string("600508B1001C0011AABB223344556677"));
    tool.tell(tool_drive, "size_bytes", std::int64_t{299999999999});
    tool.tell(tool_drive, "size_text", std::string("279.4 GB"));
    tool.tell(tool_drive, "size_exact", false);
    tool.tell(tool_drive, "device", std::string("/dev/sdb"));
    tool.tell(tool_drive, "mount_points", Texts{"/"});

    sysfs.path = PathName::sysfs;
    sysfs_controller = sysfs.add(EntityKind::controller, machine_entity, "host0");
    sysfs.tell(sysfs_controller, "pci_address", std::string("0000:0D:00.0"));
    sysfs.tell(sysfs_controller, "pci_id", std::string("103c:323b/103c:3354"));
    sysfs.tell(sysfs_controller, "firmware", std::string("8.00"));
    sysfs.tell(sysfs_controller, "smart_path.driver_enabled", true);
    sysfs_drive = sysfs.add(EntityKind::logical_drive, sysfs_controller, "0:1:0:0");
    sysfs.tell(sysfs_drive, "unique_id", std::string("0x600508b1001c0011aabb223344556677"));
    sysfs.tell(sysfs_drive, "smart_path.driver_enabled", false);

    bmic.path = PathName::bmic;
    bmic_controller = bmic.add(EntityKind::controller, machine_entity, "");
    bmic.tell(bmic_controller, "serial", std::string("SN1"));
    bmic.tell(bmic_controller, "firmware", std::string("8.32"));

    host.path = PathName::host;
    host.tell(machine_entity, "kernel", std::string("6.1.0"));
    host.tell(machine_entity, "driver_versions", Texts{"hpsa", "3.4.20"});
    disk = host.add(EntityKind::block_device, machine_entity, "/dev/sda");
    host.tell(disk, "path", std::string("/dev/sda"));
    host.tell(disk, "model", std::string("LOGICAL VOLUME"));
    host.tell(disk, "wwid", std::string("naa.600508b1001c0011aabb223344556677"));
    host.tell(disk, "size_bytes", std::int64_t{300000000256});
    host.tell(disk, "mount_points", Texts{"/", "/var"});
    host.tell(disk, "block_device.scheduler", std::string("mq-deadline"));
    host.tell(disk, "block_device.write_cache", std::string("write back"));
    const EntityId other = host.add(EntityKind::block_device, machine_entity, "/dev/nvme0n1");
    host.tell(other, "path", std::string("/dev/nvme0n1"));
    host.tell(other, "block_device.write_cache", std::string("write back"));
  }

  Inventory assembled() const {
    const FactSet sets[] = {host, sysfs, bmic, tool};
    return assemble(sets, "");
  }
};

const LogicalDrive& only_drive(const Inventory& inventory) {
  return inventory.controllers.at(0).arrays.at(0).logical_drives.at(0);
}

TEST(AssemblePaths, JoinsControllersByPciAddressAndBySerial) {
  const Inventory inventory = Machine().assembled();
  ASSERT_EQ(inventory.controllers.size(), 1U);
  EXPECT_EQ(inventory.controllers[0].pci_id, "103c:323b/103c:3354");
  EXPECT_EQ(inventory.controllers[0].slot, "0");
  EXPECT_EQ(inventory.controllers[0].smart_path.driver_enabled, true);
  EXPECT_EQ(inventory.host.kernel, "6.1.0");
  EXPECT_EQ(inventory.host.driver_versions.at("hpsa"), "3.4.20");
  EXPECT_EQ(inventory.sources.size(), 4U);
}

TEST(AssemblePaths, DifferentPciAddressesAreDifferentControllers) {
  Machine machine;
  machine.sysfs.facts[0].value = std::string("0000:0e:00.0");
  EXPECT_EQ(machine.assembled().controllers.size(), 2U);
}

TEST(AssemblePaths, JoinsBySlotWhereNoAddressIsKnown) {
  Machine machine;
  machine.bmic.facts[0] = {machine.bmic_controller, "slot", std::string("0"), 0};
  EXPECT_EQ(machine.assembled().controllers.size(), 1U);
}

TEST(AssemblePaths, TheFirmwareAgreesByPrefixAndAStaleOneDisagrees) {
  const Inventory inventory = Machine().assembled();
  EXPECT_EQ(inventory.controllers[0].firmware, "8.32") << "the firmware's own answer";
  EXPECT_EQ(inventory.provenance.at("/controllers/0/firmware"), "bmic");
  ASSERT_EQ(inventory.disagreements.size(), 2U);
  const Disagreement& told = inventory.disagreements[0];
  EXPECT_EQ(told.fact, "/controllers/0/firmware");
  EXPECT_EQ(told.values.size(), 3U);
  EXPECT_EQ(told.taken, "bmic");
  EXPECT_FALSE(told.why.empty());

  Machine machine;
  machine.sysfs.facts[2].value = std::string("8.32");
  const Inventory agreed = machine.assembled();
  for (const Disagreement& d : agreed.disagreements) EXPECT_NE(d.fact, "/controllers/0/firmware");
}

TEST(AssemblePaths, ALogicalDriveTakesItsBlockDeviceIn) {
  const Inventory inventory = Machine().assembled();
  const LogicalDrive& drive = only_drive(inventory);
  EXPECT_EQ(drive.unique_id, "600508B1001C0011AABB223344556677");
  ASSERT_TRUE(drive.block_device.has_value());
  EXPECT_EQ(drive.block_device->scheduler, "mq-deadline");
  EXPECT_EQ(drive.mount_points, (Texts{"/", "/var"}));
  EXPECT_EQ(drive.smart_path.driver_enabled, false);
  EXPECT_EQ(drive.size_bytes, 300000000256) << "exact bytes of the block layer";
  EXPECT_FALSE(drive.size_text.has_value());
  EXPECT_FALSE(drive.size_exact.has_value());
  ASSERT_EQ(inventory.block_devices.size(), 1U);
  EXPECT_EQ(inventory.block_devices[0].path, "/dev/nvme0n1");
  EXPECT_EQ(inventory.block_devices[0].effective_write_cache, EffectiveWriteCache::volatile_);
}

TEST(AssemblePaths, AStaleDiskNameIsADisagreement) {
  const Inventory inventory = Machine().assembled();
  EXPECT_EQ(only_drive(inventory).device, "/dev/sda");
  const auto& told = inventory.disagreements.at(1);
  EXPECT_EQ(told.fact, "/controllers/0/arrays/0/logical_drives/0/device");
  EXPECT_EQ(told.taken, "host");
}

const Disagreement* disagreement(const Inventory& inventory, std::string_view fact) {
  const auto found = std::find_if(inventory.disagreements.begin(), inventory.disagreements.end(),
                                  [&](const Disagreement& d) { return d.fact == fact; });
  return found == inventory.disagreements.end() ? nullptr : &*found;
}

const FactOrigin* origin_of(const std::vector<FactOrigin>& origins, std::string_view fact) {
  const auto found = std::find_if(origins.begin(), origins.end(),
                                  [&](const FactOrigin& o) { return o.fact == fact; });
  return found == origins.end() ? nullptr : &*found;
}

TEST(AssemblePaths, AStatusAndItsWordsComeFromOnePath) {
  Machine machine;
  machine.tool.tell(machine.tool_controller, "cache.status", std::string("ok"));
  machine.tool.tell(machine.tool_controller, "cache.status_text", std::string("OK"));
  machine.bmic.tell(machine.bmic_controller, "cache.status", std::string("permanently_disabled"));
  machine.bmic.tell(machine.bmic_controller, "cache.status_text",
                    std::string("Permanently Disabled"));
  const Inventory inventory = machine.assembled();
  EXPECT_EQ(inventory.controllers[0].cache.status, CacheStatus::permanently_disabled);
  EXPECT_EQ(inventory.controllers[0].cache.status_text, "Permanently Disabled");
  EXPECT_NE(disagreement(inventory, "/controllers/0/cache/status"), nullptr);
  EXPECT_EQ(disagreement(inventory, "/controllers/0/cache/status_text"), nullptr);
}

TEST(AssemblePaths, ALevelIsHeldAgainstTheCandidatesOfOthers) {
  const std::string fact = "/controllers/0/arrays/0/logical_drives/0/raid";
  Machine machine;
  machine.tool.tell(machine.tool_drive, "raid", std::string("1+0"));
  machine.sysfs.tell(machine.sysfs_drive, "raid_candidates", Texts{"1", "1+0"});
  const Inventory agreed = machine.assembled();
  EXPECT_EQ(only_drive(agreed).raid, "1+0");
  EXPECT_EQ(disagreement(agreed, fact), nullptr);
  machine.tool.facts.back().value = std::string("5");
  const Inventory inventory = machine.assembled();
  EXPECT_EQ(only_drive(inventory).raid, "5");
  const Disagreement* told = disagreement(inventory, fact);
  ASSERT_NE(told, nullptr);
  EXPECT_EQ(told->taken, "ssacli");
  ASSERT_EQ(told->values.size(), 2U);
  EXPECT_EQ(told->values[1].value, "1, 1+0");
  EXPECT_EQ(disagreement(inventory, fact + "_candidates"), nullptr);
}

TEST(AssemblePaths, ExplainsWhatIsAgreedAndEveryPrintedKey) {
  Machine machine;
  machine.tool.tell(machine.tool_controller, "cache.present", true);
  machine.bmic.tell(machine.bmic_controller, "cache.present", true);
  machine.bmic.extras.push_back({machine.bmic_controller, "failed battery map", "0", 0});
  const FactSet sets[] = {machine.host, machine.sysfs, machine.bmic, machine.tool};
  std::vector<FactOrigin> origins;
  assemble(sets, "", &origins);
  const FactOrigin* present = origin_of(origins, "/controllers/0/cache/present");
  ASSERT_NE(present, nullptr);
  EXPECT_NE(present->why.find("agree"), std::string::npos);
  EXPECT_EQ(present->why.find("disagree"), std::string::npos);
  const FactOrigin* key = origin_of(origins, "/controllers/0/extra/failed battery map");
  ASSERT_NE(key, nullptr);
  EXPECT_EQ(key->taken, "bmic");
}

TEST(AssemblePaths, AVersionThatGoesOnIsAnother) {
  const Value v8_32 = std::string("8.32"), v8_32_0 = std::string("8.32-0"),
              v8_3 = std::string("8.3"), v12_34 = std::string("12.34"), v12_3 = std::string("12.3");
  const auto same = [](const Value& a, const Value& b) {
    return agree("firmware", {PathName::ssacli, &a, nullptr}, {PathName::scsi, &b, nullptr});
  };
  EXPECT_TRUE(same(v8_32, v8_32_0));
  EXPECT_FALSE(same(v8_32, v8_3));
  EXPECT_TRUE(same(v12_34, v12_3)) << "the four characters of INQUIRY";
}

TEST(AssemblePaths, OneNodeIsOneDriveWhereTheDiskNameIsStale) {
  // The tool's text is of another day: its drive's id is not the one that the kernel finds, and its
  // disk name is now that of another drive, whose disk has no WWID.
  Machine machine;
  machine.tool.tell(machine.tool_drive, "device", std::string("/dev/sda"));
  std::erase_if(machine.tool.facts, [](const Fact& f) {
    return f.attribute == "device" && text_of(f.value) == "/dev/sdb";
  });
  std::erase_if(machine.host.facts, [](const Fact& f) { return f.attribute == "wwid"; });
  for (Fact& fact : machine.sysfs.facts) {
    if (fact.attribute == "unique_id")
      fact.value = std::string("0x600508b1001cffffffffffffffffffff");
  }
  machine.sysfs.tell(machine.sysfs_drive, "device", std::string("/dev/sda"));
  const FactSet sets[] = {machine.host, machine.sysfs, machine.bmic, machine.tool};
  std::vector<FactOrigin> origins;
  const Inventory inventory = assemble(sets, "", &origins);
  std::vector<const LogicalDrive*> owners;
  for (const DriveRef& ref : all_logical_drives(inventory)) {
    if (ref.drive->device == "/dev/sda") owners.push_back(ref.drive);
  }
  ASSERT_EQ(owners.size(), 1U);
  EXPECT_EQ(owners[0]->unique_id, "600508B1001CFFFFFFFFFFFFFFFFFFFF");
  EXPECT_TRUE(owners[0]->block_device.has_value());
  EXPECT_FALSE(only_drive(inventory).device.has_value());
  EXPECT_FALSE(only_drive(inventory).block_device.has_value());
  const std::string fact = "/controllers/0/arrays/0/logical_drives/0/device";
  const auto told = std::find_if(inventory.disagreements.begin(), inventory.disagreements.end(),
                                 [&](const Disagreement& d) { return d.fact == fact; });
  ASSERT_NE(told, inventory.disagreements.end());
  EXPECT_EQ(told->taken, "none");
  EXPECT_NE(told->why.find("stale"), std::string::npos);
  EXPECT_FALSE(inventory.provenance.contains(fact));
  const auto origin = std::find_if(origins.begin(), origins.end(),
                                   [&](const FactOrigin& o) { return o.fact == fact; });
  ASSERT_NE(origin, origins.end());
  EXPECT_EQ(origin->taken, "none");
  EXPECT_NE(origin->why.find("stale"), std::string::npos);
}

TEST(AssemblePaths, PrintedSizesAgreeWithinHalfTheirLastDigit) {
  Machine machine;
  ASSERT_EQ(machine.host.facts[5].attribute, "size_bytes");
  machine.host.facts[5].value = std::int64_t{300100000000};
  const Inventory inventory = machine.assembled();
  EXPECT_EQ(std::count_if(inventory.disagreements.begin(), inventory.disagreements.end(),
                          [](const Disagreement& d) { return d.fact.ends_with("size_bytes"); }),
            1);
}

TEST(AssemblePaths, TwoWitnessesOfTheModuleThatDisagreeLeaveItUnknown) {
  Machine machine;
  machine.tool.tell(machine.tool_controller, "cache.present", true);
  machine.bmic.tell(machine.bmic_controller, "cache.present", false);
  const Inventory inventory = machine.assembled();
  EXPECT_FALSE(inventory.controllers[0].cache.present.has_value());
  EXPECT_EQ(inventory.disagreements.at(0).taken, "none");
}

TEST(AssemblePaths, TheWorseCacheStatusIsTaken) {
  Machine machine;
  machine.tool.tell(machine.tool_controller, "cache.status", std::string("ok"));
  machine.bmic.tell(machine.bmic_controller, "cache.status", std::string("temporarily_disabled"));
  const Inventory inventory = machine.assembled();
  EXPECT_EQ(inventory.controllers[0].cache.status, CacheStatus::temporarily_disabled);
}

TEST(AssemblePaths, AFailedPackOverridesAnOk) {
  Machine machine;
  machine.tool.tell(machine.tool_controller, "cache.backup.status", std::string("ok"));
  machine.bmic.tell(machine.bmic_controller, "cache.backup.status", std::string("failed"));
  EXPECT_EQ(machine.assembled().controllers[0].cache.backup.status, BackupStatus::failed);
}

TEST(AssemblePaths, SourcesOfOnePathAreOneEntry) {
  Machine machine;
  FactSet second;
  second.path = PathName::sysfs;
  second.status = SourceStatus::failed;
  second.detail = "no udev";
  second.duration_ms = 2;
  const FactSet sets[] = {machine.sysfs, second};
  const Inventory inventory = assemble(sets, "");
  ASSERT_EQ(inventory.sources.size(), 1U);
  EXPECT_EQ(inventory.sources[0].status, "ok");
  EXPECT_EQ(inventory.sources[0].detail, "no udev");
  EXPECT_EQ(inventory.sources[0].duration_ms, 2);
}

TEST(AssemblePaths, PhysicalDrivesJoinBySerialElseWwidElseBay) {
  Machine machine;
  const auto tell = [](FactSet& set, EntityId c, const char* key, const char* id, const char* more,
                       const char* value) {
    const EntityId pd = set.add(EntityKind::physical_drive, c, "");
    set.tell(pd, key, std::string(id));
    set.tell(pd, more, std::string(value));
  };
  tell(machine.tool, machine.tool_controller, "serial", "AAA ", "status", "OK");
  tell(machine.bmic, machine.bmic_controller, "serial", "aaa", "model", "M1");
  tell(machine.tool, machine.tool_controller, "wwid", "5001438000000001", "status", "OK");
  tell(machine.bmic, machine.bmic_controller, "wwid", "0x5001438000000001", "model", "M2");
  tell(machine.tool, machine.tool_controller, "bay", "1I:1:3", "status", "OK");
  tell(machine.bmic, machine.bmic_controller, "bay", "1I:1:3", "model", "M3");
  const Inventory inventory = machine.assembled();
  ASSERT_EQ(inventory.controllers.at(0).physical_drives.size(), 3U);
  for (const PhysicalDrive& drive : inventory.controllers[0].physical_drives) {
    EXPECT_EQ(drive.status, "OK");
    EXPECT_TRUE(drive.model.has_value());
  }
}

TEST(AssemblePaths, AnHbaDriveKnowsItsNode) {
  Machine machine;
  const EntityId pd =
      machine.tool.add(EntityKind::physical_drive, machine.tool_controller, "1I:1:9");
  machine.tool.tell(pd, "role", std::string("hba"));
  machine.tool.tell(pd, "serial", std::string("HBA1"));
  machine.host.tell(2, "serial", std::string("HBA1"));
  const Inventory inventory = machine.assembled();
  ASSERT_EQ(inventory.controllers[0].hba_drives.size(), 1U);
  EXPECT_EQ(inventory.controllers[0].hba_drives[0].device, "/dev/nvme0n1");
}

TEST(Precedence, EveryKindHasARowForTheRest) {
  for (const EntityKind kind :
       {EntityKind::machine, EntityKind::controller, EntityKind::array, EntityKind::logical_drive,
        EntityKind::physical_drive, EntityKind::enclosure, EntityKind::port, EntityKind::sensor,
        EntityKind::block_device}) {
    EXPECT_EQ(precedence_of(kind, "anything").kind, kind);
    EXPECT_FALSE(precedence_of(kind, "anything").why.empty());
  }
}

}  // namespace
}  // namespace raidscope
