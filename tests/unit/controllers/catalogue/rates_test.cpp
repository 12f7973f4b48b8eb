#include "controllers/catalogue/rates.h"

#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "controllers/catalogue/catalogue.h"

namespace raidscope {
namespace {

TEST(Rates, EveryFigureHasItsSourceAndAgreesWithTheModelsRow) {
  for (const ControllerModel& model : controller_models()) {
    const ModelRates* rates = find_rates(model.model);
    if (rates == nullptr) continue;
    if (rates->random_4k_iops > 0) {
      EXPECT_FALSE(rates->iops_source.empty()) << model.model;
      const auto thousands = static_cast<int>(rates->random_4k_iops / 1000);
      EXPECT_NE(model.ceiling.find(fmt::format("{},000", thousands)), std::string::npos)
          << model.model << ": " << model.ceiling;
    }
    if (rates->drive_lanes > 0) {
      EXPECT_FALSE(rates->lanes_source.empty()) << model.model;
      EXPECT_NE(model.drive_link.find(fmt::format("{} ", rates->drive_lanes)), std::string::npos)
          << model.model << ": " << model.drive_link;
      EXPECT_NE(model.drive_link.find(fmt::format("{:g} Gb/s", rates->lane_gbps)),
                std::string::npos)
          << model.model << ": " << model.drive_link;
    }
  }
  EXPECT_FALSE(fastest_hard_disk_iops.source.empty());
}

TEST(Rates, WhatNoSourceTellsIsNotThere) {
  EXPECT_EQ(find_rates("P430"), nullptr);
  EXPECT_EQ(find_rates(""), nullptr);
  ASSERT_NE(find_rates("p420I"), nullptr);
  EXPECT_EQ(find_rates("P220i")->random_4k_iops, 0);
}

TEST(Rates, LinksLessTheirCoding) {
  EXPECT_DOUBLE_EQ(drive_link_bytes_per_s(3.0).value_or(0), 300e6);
  EXPECT_DOUBLE_EQ(drive_link_bytes_per_s(12.0).value_or(0), 1200e6);
  EXPECT_FALSE(drive_link_bytes_per_s(22.5));
  EXPECT_FALSE(drive_link_bytes_per_s(0));
  const auto link = parse_host_link("PCIe 3.0 x8 (7880 MB/s)");
  ASSERT_TRUE(link);
  EXPECT_DOUBLE_EQ(host_link_mb_per_s(*link), 7880);
  EXPECT_FALSE(parse_host_link("PCIe 2.0"));
  EXPECT_FALSE(parse_host_link("x8"));
}

}  // namespace
}  // namespace raidscope
