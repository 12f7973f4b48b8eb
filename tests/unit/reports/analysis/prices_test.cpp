#include "reports/analysis/prices.h"

#include <gtest/gtest.h>

#include "reports/analysis/comparison.h"
#include "reports/analysis/references.h"
#include "tests/support/arms.h"

namespace raidscope {
namespace {

DriveRef first_drive(const Inventory& inventory) {
  return all_logical_drives(inventory).front();
}

TEST(Prices, TheModuleCountsWhereTheCacheIsUsed) {
  const Inventory inventory = sample::cached(8);
  const Prices prices{{{"", 310}}, {{"", 450}}, {{"", 700}}};
  EXPECT_DOUBLE_EQ(*price_of(prices, first_drive(inventory), true).total, 8 * 310 + 450 + 700);
  EXPECT_DOUBLE_EQ(*price_of(prices, first_drive(inventory), false).total, 8 * 310 + 700);
  const PricePerformance priced =
      price_performance(price_of(prices, first_drive(inventory), true), 36300.0);
  EXPECT_NEAR(*priced.iops_per_unit, 10, 1e-9);
  EXPECT_NEAR(*priced.per_kiops, 100, 1e-9);
  EXPECT_NEAR(*priced.per_gb, 3630 / (1490 * 1.073741824), 1e-9);
}

TEST(Prices, TheLongestNameThatFitsPrices) {
  const std::vector<NamedPrice> prices{{"", 100}, {"eo0400", 310}, {"EO0400FBRWA", 320}};
  EXPECT_EQ(price_of_piece(prices, "HP EO0400FBRWA"), 320);
  EXPECT_EQ(price_of_piece(prices, "EG0600FBVFP"), 100);
  EXPECT_EQ(price_of_piece(prices, std::nullopt), 100);
  EXPECT_FALSE(price_of_piece({{"EO0400", 310}}, "EG0600FBVFP"));
}

TEST(Prices, WhatIsUnknownHasNoPrice) {
  Inventory inventory = sample::cached(8);
  inventory.controllers.front().arrays.front().physical_drives.clear();
  const Prices prices{{{"", 310}}, {}, {}};
  EXPECT_DOUBLE_EQ(*price_of(prices, first_drive(inventory), true).total, 8 * 310);
  EXPECT_NE(
      price_of(prices, first_drive(inventory), true).what.find("no price of the cache module"),
      std::string::npos);
  inventory.controllers.front().arrays.front().logical_drives.front().disk_count.reset();
  EXPECT_FALSE(price_of(prices, first_drive(inventory), true).total);
  EXPECT_FALSE(price_performance(price_of(prices, {}, true), 100.0).price);
  EXPECT_EQ(price_words(std::nullopt), "unknown");
}

// The third study: 11,699 dollars for 400 GB against 500 for 300, "17.5 times".
TEST(Prices, TheThirdStudysCapacityPriceOutOfItsData) {
  const Reference* study = find_reference("S3-price");
  ASSERT_NE(study, nullptr);
  ASSERT_EQ(study->prices.size(), 2U);
  const double dear = *capacity_price(study->prices[0]), cheap = *capacity_price(study->prices[1]);
  EXPECT_NEAR(dear, 29.25, 0.005);
  EXPECT_NEAR(cheap, 1.67, 0.005);
  EXPECT_NEAR(dear / cheap, 17.55, 0.005);
  EXPECT_NE(study->says.find("17.55"), std::string::npos);
}

// Performance for the money of the first study, whose author gave no prices: with made-up ones.
TEST(Prices, OfPublishedResultsByTheirDrives) {
  const auto disks = reference_run(*find_reference("S1-a2"));
  const auto ssds = reference_run(*find_reference("S1-c2"));
  const std::map<std::string, Inventory> snapshots{
      {disks->run.inventory_before->snapshot, disks->inventory},
      {ssds->run.inventory_before->snapshot, ssds->inventory}};
  const Prices prices{{{"EH0146", 100}, {"SSDSC2CW18", 200}}, {}, {}};
  const auto rows =
      price_results({{"SAS", {&disks->run}}, {"SSD", {&ssds->run}}}, snapshots, prices);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_NEAR(*rows[0].iops_per_unit, 961.67 / 200, 1e-9);
  EXPECT_NEAR(*rows[1].iops_per_unit, 12390.94 / 400, 1e-9);
  EXPECT_FALSE(rows[0].per_gb) << "the size of the logical drive is not told";
  EXPECT_TRUE(price_results({{"SAS", {&disks->run}}}, snapshots, {}).empty());
}

}  // namespace
}  // namespace raidscope
