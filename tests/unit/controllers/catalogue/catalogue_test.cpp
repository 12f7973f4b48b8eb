#include "controllers/catalogue/catalogue.h"

#include <set>
#include <tuple>

#include <gtest/gtest.h>

namespace raidscope {
namespace {

TEST(Catalogue, EveryRowHasANameAGenerationWordAndACitation) {
  const std::set<std::string_view> generations{"",     "older", "G5",   "G6",    "G7",
                                               "Gen8", "Gen8+", "Gen9", "Gen10", "Gen10+"};
  for (const ControllerModel& row : controller_models()) {
    EXPECT_FALSE(row.model.empty());
    EXPECT_TRUE(generations.contains(row.generation)) << row.model;
    EXPECT_FALSE(row.citation.empty()) << row.model;
  }
}

TEST(Catalogue, PciIdentitiesAreUniqueAndFound) {
  std::set<std::tuple<int, int, int, int>> seen;
  for (const ControllerModel& row : controller_models()) {
    if (row.subdevice == 0) continue;
    EXPECT_TRUE(seen.emplace(row.vendor, row.device, row.subvendor, row.subdevice).second)
        << row.model;
    EXPECT_EQ(find_pci(row.vendor, row.device, row.subvendor, row.subdevice), &row) << row.model;
  }
  EXPECT_EQ(find_pci(0x103c, 0x323b, 0x103c, 0xffff), nullptr);
  EXPECT_EQ(find_pci(0, 0, 0, 0), nullptr);
}

TEST(Catalogue, FindsByProductWordInAnyCase) {
  ASSERT_NE(find_model("p420I"), nullptr);
  EXPECT_EQ(find_model("p420I")->model, "P420i");
  EXPECT_EQ(find_model("P999"), nullptr);
}

TEST(Catalogue, SmartPathIsGen8AndLater) {
  for (const char* model : {"P400", "P410i", "P812", "E200i", "6i", "P711m"}) {
    EXPECT_EQ(find_model(model)->smart_path, false) << model;
  }
  for (const char* model : {"P420", "P822", "P440ar", "H240", "P408i-a", "P816i-a", "3154-8e"}) {
    EXPECT_EQ(find_model(model)->smart_path, true) << model;
  }
}

TEST(Catalogue, HostBusAdaptersHaveNoCacheByDesign) {
  for (const char* model : {"H220", "H221", "H240", "H240ar", "H241", "H244br", "E208i-a",
                            "E208i-p", "B110i", "B120i", "B140i", "B320i"}) {
    EXPECT_EQ(find_model(model)->cache_by_design, false) << model;
  }
  EXPECT_EQ(find_model("P410i")->cache_by_design, true);
}

TEST(Catalogue, KnowsTheModelsOfTheFixturesAndOfTheTables) {
  for (const char* model :
       {"5i",      "6i",       "641",     "642",     "E200",    "E200i",   "E500",    "P600",
        "P700m",   "P712m",    "P711m",   "P812",    "P212",    "P222",    "P220i",   "P230i",
        "P430",    "P431",     "P440",    "P440ar",  "P441",    "P542d",   "P741m",   "P830",
        "P840",    "P840ar",   "P841",    "P204i-b", "P204i-c", "P408e-m", "P408e-p", "P408i-p",
        "P408i-a", "P416ie-m", "P816i-a", "E208i-c", "E208e-p", "MSA1500", "P244br",  "P246br",
        "P400",    "P400i",    "P800",    "P411"}) {
    EXPECT_NE(find_model(model), nullptr) << model;
  }
}

TEST(Catalogue, CacheModulesThatPrintRounded) {
  EXPECT_EQ(cache_module_bytes("P410i", "0.2"), std::uint64_t{256} << 20);
  EXPECT_EQ(cache_module_bytes("P420i", "0.5"), std::uint64_t{512} << 20);
  EXPECT_EQ(cache_module_bytes("P816i-a", "4.0"), std::uint64_t{4} << 30);
  EXPECT_FALSE(cache_module_bytes("P410i", "0.1").has_value()) << "64 or 128 MiB";
  EXPECT_FALSE(cache_module_bytes("H240", "0.2").has_value());
  EXPECT_FALSE(cache_module_bytes("unheard of", "0.2").has_value());
}

}  // namespace
}  // namespace raidscope
