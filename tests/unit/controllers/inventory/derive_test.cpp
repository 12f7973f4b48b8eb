#include <gtest/gtest.h>

#include "controllers/inventory/assemble.h"

namespace raidscope {
namespace {

struct Case {
  Controller controller;
  Array array;
  LogicalDrive drive;

  Case() {  // everything well
    controller.model = "P420i";
    controller.cache.present = true;
    controller.cache.status = CacheStatus::ok;
    controller.cache.ratio = Ratio{10, 90};
    controller.cache.backup.status = BackupStatus::ok;
    controller.cache.no_battery_write_cache = false;
    array.smart_path = Switch::disabled;
    drive.caching = Switch::enabled;
    drive.acceleration = Acceleration::controller_cache;
  }
  WriteCacheVerdict cache() const { return effective_write_cache(controller, &array, drive); }
  IoPath path() const { return io_path(controller, &array, drive, cache().value); }
};

TEST(EffectiveWriteCache, ProtectedWhenAllIsWell) {
  const Case c;
  EXPECT_EQ(c.cache().value, EffectiveWriteCache::protected_);
  EXPECT_EQ(c.path(), IoPath::cache);
  EXPECT_FALSE(c.cache().reason.empty());
}

TEST(EffectiveWriteCache, OneKnownFactDecidesNoneWhateverElseIsUnknown) {
  Case blank;
  blank.controller = Controller{};
  blank.array = Array{};
  blank.drive = LogicalDrive{};
  const auto none = [&](auto&& set) {
    Case c = blank;
    set(c);
    EXPECT_FALSE(c.cache().reason.empty());
    return c.cache().value == EffectiveWriteCache::none;
  };
  EXPECT_TRUE(none([](Case& c) { c.controller.cache.present = false; }));
  EXPECT_TRUE(none([](Case& c) { c.controller.cache.status = CacheStatus::not_configured; }));
  EXPECT_TRUE(none([](Case& c) { c.controller.cache.status = CacheStatus::temporarily_disabled; }));
  EXPECT_TRUE(none([](Case& c) { c.controller.cache.status = CacheStatus::permanently_disabled; }));
  EXPECT_TRUE(none([](Case& c) { c.drive.caching = Switch::disabled; }));
  EXPECT_TRUE(none([](Case& c) { c.controller.cache.ratio = Ratio{100, 0}; }));
  EXPECT_TRUE(none([](Case& c) { c.controller.mode = ControllerMode::hba; }));
  EXPECT_TRUE(none([](Case& c) {
    c.controller.cache.backup.status = BackupStatus::failed;
    c.controller.cache.no_battery_write_cache = false;
  }));
  EXPECT_FALSE(none([](Case&) {}));
}

TEST(EffectiveWriteCache, UnknownWhenOneOfTheFourIsNotTold) {
  const auto unknown = [](auto&& forget, const char* word) {
    Case c;
    forget(c);
    EXPECT_NE(c.cache().reason.find(word), std::string::npos) << c.cache().reason;
    EXPECT_EQ(c.path(), IoPath::unknown);
    return c.cache().value == EffectiveWriteCache::unknown;
  };
  EXPECT_TRUE(unknown([](Case& c) { c.controller.cache.present.reset(); }, "presence"));
  EXPECT_TRUE(unknown([](Case& c) { c.controller.cache.status.reset(); }, "cache status"));
  EXPECT_TRUE(unknown([](Case& c) { c.drive.caching.reset(); }, "caching"));
  EXPECT_TRUE(unknown([](Case& c) { c.controller.cache.backup.status.reset(); }, "battery"));
  EXPECT_TRUE(unknown(
      [](Case& c) {
        c.controller.cache.backup.status = BackupStatus::failed;
        c.controller.cache.no_battery_write_cache.reset();
      },
      "no-battery"));
}

TEST(EffectiveWriteCache, AMissingBatteryLineCountsOnlyInAWholeBlock) {
  Case c;
  c.controller.cache.backup.status.reset();
  EXPECT_EQ(c.cache().value, EffectiveWriteCache::unknown);
  c.controller.whole_block = true;
  EXPECT_EQ(c.cache().value, EffectiveWriteCache::none);
  c.controller.cache.no_battery_write_cache = true;
  EXPECT_EQ(c.cache().value, EffectiveWriteCache::volatile_);
  c.controller.cache.backup.count = 1;  // a battery whose status line is missing
  EXPECT_EQ(c.cache().value, EffectiveWriteCache::unknown);
  c.controller.cache.backup.count = 0;
  EXPECT_EQ(c.cache().value, EffectiveWriteCache::volatile_);
}

TEST(EffectiveWriteCache, NoBatteryWriteCacheMakesItVolatile) {
  for (const BackupStatus status :
       {BackupStatus::failed, BackupStatus::recharging, BackupStatus::absent}) {
    Case c;
    c.controller.cache.backup.status = status;
    c.controller.cache.no_battery_write_cache = true;
    EXPECT_EQ(c.cache().value, EffectiveWriteCache::volatile_);
    EXPECT_EQ(c.path(), IoPath::cache);
    c.controller.cache.no_battery_write_cache = false;
    EXPECT_EQ(c.cache().value, EffectiveWriteCache::none);
    EXPECT_EQ(c.path(), IoPath::neither);
  }
}

TEST(EffectiveWriteCache, AReadOnlyCacheSaysThatReadsMayHit) {
  Case c;
  c.controller.cache.ratio = Ratio{100, 0};
  EXPECT_EQ(c.path(), IoPath::neither);
  EXPECT_NE(c.cache().reason.find("reads may"), std::string::npos);
}

TEST(IoPathOf, SmartPathNeedsTheArrayTheDriveAndTheDriver) {
  Case c;
  c.array.smart_path = Switch::enabled;
  c.drive.caching = Switch::disabled;
  c.drive.acceleration = Acceleration::smart_path;
  EXPECT_EQ(c.path(), IoPath::smart_path);
  c.controller.smart_path.driver_enabled = true;
  EXPECT_EQ(c.path(), IoPath::smart_path);
  c.controller.smart_path.driver_enabled = false;
  EXPECT_EQ(c.path(), IoPath::neither);
  c.controller.smart_path.driver_enabled.reset();
  c.drive.smart_path.driver_enabled = false;
  EXPECT_EQ(c.path(), IoPath::neither);
  c.drive.smart_path.driver_enabled.reset();
  c.controller.smart_path.driver_supports = false;
  EXPECT_EQ(c.path(), IoPath::neither);
  c.controller.smart_path.driver_supports.reset();
  c.drive.acceleration.reset();
  EXPECT_EQ(c.path(), IoPath::unknown) << "nobody told the drive's method";
  c.drive.acceleration = Acceleration::none;
  EXPECT_EQ(c.path(), IoPath::neither);
}

TEST(IoPathOf, TheTrapIsNeither) {
  Case c;
  c.drive.caching = Switch::disabled;
  c.drive.acceleration = Acceleration::none;
  EXPECT_EQ(c.path(), IoPath::neither);
  c.array.smart_path.reset();
  c.drive.acceleration.reset();
  EXPECT_EQ(c.path(), IoPath::unknown);
  c.controller.smart_path.capable = false;
  EXPECT_EQ(c.path(), IoPath::neither);
}

Inventory of(Controller controller) {
  Inventory inventory;
  inventory.controllers.push_back(std::move(controller));
  derive(inventory);
  return inventory;
}

PhysicalDrive drive(DriveRole role, Maybe<Media> media) {
  PhysicalDrive out;
  out.bay = "1I:1:1";
  out.role = role;
  out.media = media;
  out.status = "OK";
  return out;
}

TEST(Derive, IsIdempotent) {
  Case c;
  c.array.physical_drives = {drive(DriveRole::data, Media::ssd),
                             drive(DriveRole::spare, Media::ssd)};
  c.array.logical_drives = {c.drive};
  c.controller.arrays = {c.array};
  Inventory once = of(c.controller), twice = once;
  derive(twice);
  EXPECT_EQ(once, twice);
}

TEST(Derive, TakesFromTheCatalogue) {
  Controller controller;
  controller.pci_id = "103c:323a/103c:3245";
  Controller out = of(controller).controllers[0];
  EXPECT_EQ(out.model, "P410i");
  EXPECT_EQ(out.generation, "G6");
  EXPECT_EQ(out.embedded, true);
  EXPECT_EQ(out.smart_path.capable, false);
  controller = {};
  controller.model = "H240";
  out = of(controller).controllers[0];
  EXPECT_EQ(out.embedded, false);
  EXPECT_FALSE(out.cache.present.has_value()) << "presence is told by the board line alone";
  controller.model = "X9000";
  out = of(controller).controllers[0];
  EXPECT_FALSE(out.generation || out.embedded || out.smart_path.capable);
}

TEST(Derive, ABareCacheSizeIsTheModulesThatPrintsSo) {
  Controller controller;
  controller.model = "P410i";
  controller.cache.size_text = "0.2";
  controller.cache.size_bytes = 214748365;
  EXPECT_EQ(of(controller).controllers[0].cache.size_bytes, 256 << 20);
  controller.cache.size_text = "256 MB";
  controller.cache.size_bytes = 256 << 20;
  EXPECT_EQ(of(controller).controllers[0].cache.size_bytes, 256 << 20);
}

TEST(Derive, AnAbsentModuleHasNoSizes) {
  Controller controller;
  controller.model = "H240";
  controller.cache.present = false;
  controller.cache.size_bytes = 256 << 20;
  controller.cache.available_bytes = 1;
  const CacheModule cache = of(controller).controllers[0].cache;
  EXPECT_FALSE(cache.size_bytes || cache.available_bytes);
}

TEST(Derive, ZeroTemperatureAndFirmwareAreUnknown) {
  Controller controller;
  controller.firmware = "0.00";
  controller.temperature_c = 0;
  controller.cache.temperature_c = 0;
  const Controller out = of(controller).controllers[0];
  EXPECT_FALSE(out.firmware || out.temperature_c || out.cache.temperature_c);
}

TEST(Derive, MediaOfAnArray) {
  const auto media = [](std::vector<PhysicalDrive> drives) {
    Controller controller;
    Array array;
    array.physical_drives = std::move(drives);
    controller.arrays = {array};
    return of(controller).controllers[0].arrays[0].media;
  };
  using enum DriveRole;
  EXPECT_EQ(media({drive(data, Media::ssd), drive(spare, Media::hdd)}), Media::ssd);
  EXPECT_EQ(media({drive(data, Media::ssd), drive(data, Media::hdd)}), Media::mixed);
  EXPECT_FALSE(media({drive(data, Media::ssd), drive(data, std::nullopt)}).has_value());
  EXPECT_FALSE(media({}).has_value());
  PhysicalDrive failed = drive(data, std::nullopt);
  failed.status = "Failed";
  EXPECT_EQ(media({drive(data, Media::ssd), failed}), Media::ssd);
}

TEST(Derive, DiskCount) {
  const auto count = [](std::vector<PhysicalDrive> drives, Text raid, std::int64_t data_strips) {
    Controller controller;
    Array array;
    LogicalDrive ld;
    ld.raid = std::move(raid);
    if (data_strips > 0) {
      ld.strip_bytes = 256 * 1024;
      ld.full_stripe_bytes = data_strips * 256 * 1024;
    }
    array.logical_drives = {ld, ld};
    array.physical_drives = std::move(drives);
    controller.arrays = {array};
    return of(controller).controllers[0].arrays[0].logical_drives[1].disk_count;
  };
  using enum DriveRole;
  const std::vector<PhysicalDrive> four{drive(data, {}), drive(data, {}), drive(data, {}),
                                        drive(data, {}), drive(spare, {})};
  EXPECT_EQ(count(four, "1+0", 2), 4);
  EXPECT_EQ(count(four, "5", 3), 4);
  EXPECT_EQ(count(four, std::nullopt, 0), 4);
  EXPECT_FALSE(count(four, "5", 7).has_value()) << "the list was cut: the stripe has eight drives";
  EXPECT_FALSE(count({}, "5", 3).has_value());
}

TEST(Derive, DisksOfTheKernel) {
  Inventory inventory;
  inventory.block_devices.resize(3);
  inventory.block_devices[0].block_device.write_cache = "write back";
  inventory.block_devices[1].block_device.write_cache = "write through";
  derive(inventory);
  EXPECT_EQ(inventory.block_devices[0].effective_write_cache, EffectiveWriteCache::volatile_);
  EXPECT_EQ(inventory.block_devices[1].effective_write_cache, EffectiveWriteCache::none);
  EXPECT_EQ(inventory.block_devices[2].effective_write_cache, EffectiveWriteCache::unknown);
}

}  // namespace
}  // namespace raidscope
