#include "controllers/inventory/inventory_json.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace raidscope {
namespace {

Inventory sample() {
  Inventory inventory;
  inventory.taken_at = "2024-05-01T10:00:00Z";
  inventory.sources.push_back({"ssacli", "ok", std::nullopt, "4.21.7.0", 812.5});
  Controller controller;
  controller.model = "P420i";
  controller.cache.ratio = Ratio{10, 90};
  controller.cache.backup.status = BackupStatus::recharging;
  controller.extra.items = {{"Zeta", "1"},
                            {"Failed Battery Location", "Battery 1"},
                            {"Alpha", "2"},
                            {"Failed Battery Location", "Battery 2"}};
  Array array;
  array.letter = "A";
  LogicalDrive drive;
  drive.number = 1;
  drive.mirror_groups.push_back({"Mirror Group 1", {"1I:1:1"}});
  drive.block_device = BlockSettings{};
  array.logical_drives.push_back(drive);
  controller.arrays.push_back(array);
  inventory.controllers.push_back(controller);
  return inventory;
}

TEST(InventoryJson, GoesBothWays) {
  const Inventory inventory = sample();
  const auto document = to_json(inventory);
  const auto back = inventory_from_json(document, "test");
  ASSERT_TRUE(back) << describe(back.error());
  EXPECT_EQ(to_json(*back), document);
  EXPECT_EQ(back->controllers[0].cache, inventory.controllers[0].cache);
  EXPECT_EQ(back->controllers[0].arrays, inventory.controllers[0].arrays);
}

TEST(InventoryJson, ExtraKeepsOrderAndRepeatedKeys) {
  const auto extra = to_json(sample())["controllers"][0]["extra"];
  EXPECT_EQ(extra.dump(),
            R"({"Zeta":"1","Failed Battery Location":["Battery 1","Battery 2"],"Alpha":"2"})");
}

TEST(InventoryJson, UnknownIsNullAndEveryKeyIsThere) {
  const auto document = to_json(sample());
  const auto& cache = document["controllers"][0]["cache"];
  EXPECT_TRUE(cache.contains("size_text"));
  EXPECT_TRUE(cache["size_text"].is_null());
  EXPECT_TRUE(cache["present"].is_null());
  EXPECT_EQ(document.begin().key(), "schema");
  EXPECT_EQ(document["schema"], "raidscope.snapshot/1");
}

TEST(InventoryJson, SaysWhereATypeIsWrong) {
  auto document = to_json(sample());
  document["controllers"][0]["cache"]["present"] = "yes";
  const auto wrong = inventory_from_json(document, "file.json");
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code, Errc::malformed);
  EXPECT_NE(wrong.error().message.find("/controllers/0/cache/present"), std::string::npos);
  EXPECT_EQ(wrong.error().where, "file.json");
}

TEST(InventoryJson, IgnoresKeysOfALaterVersionAndRefusesOtherDocuments) {
  auto document = to_json(sample());
  document["from_the_future"] = 1;
  EXPECT_TRUE(inventory_from_json(document, "x"));
  document["schema"] = "raidscope.result/1";
  EXPECT_FALSE(inventory_from_json(document, "x"));
  EXPECT_FALSE(inventory_from_text("{", "x"));
  EXPECT_FALSE(inventory_from_text("[]", "x"));
}

TEST(InventoryJson, SnapshotIdLeavesOutTimesAlone) {
  const Inventory a = sample();
  Inventory b = a;
  b.taken_at = "2025-01-01T00:00:00Z";
  b.sources[0].duration_ms = 1;
  EXPECT_EQ(snapshot_id(a), snapshot_id(b));
  EXPECT_EQ(snapshot_id(a).size(), 7U + 64U);
  b.controllers[0].firmware = "8.32";
  EXPECT_NE(snapshot_id(a), snapshot_id(b));
  EXPECT_TRUE(inventory_from_text(canonical_text(a), "canonical"));
}

}  // namespace
}  // namespace raidscope
