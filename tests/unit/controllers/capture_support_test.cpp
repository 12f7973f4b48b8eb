#include "capture_support.h"

#include <gtest/gtest.h>

namespace raidscope::captures {
namespace {

std::vector<std::string> compare(const char* expected, const char* actual,
                                 const std::string& path = "") {
  std::vector<std::string> out;
  differences(Json::parse(expected), Json::parse(actual), path, out);
  return out;
}

TEST(CaptureSupport, LooksOnlyAtWhatIsExpected) {
  EXPECT_TRUE(compare(R"({"a": 1})", R"({"a": 1, "b": 2})").empty());
  EXPECT_EQ(compare(R"({"a": 1})", R"({"a": 2})").size(), 1u);
  EXPECT_EQ(compare(R"({"c": 1})", R"({"a": 2})").size(), 1u);
  EXPECT_EQ(compare(R"({"a": null})", R"({"a": 0})").size(), 1u);
  EXPECT_EQ(compare(R"({"a": false})", R"({"a": null})").size(), 1u);
}

TEST(CaptureSupport, FindsElementsByWhatTellsThemApart) {
  constexpr auto actual =
      R"([{"letter": "B", "status": "OK"}, {"letter": "A", "status": "Failed"}])";
  EXPECT_TRUE(
      compare(R"([{"letter": "A", "status": "Failed"}, {"letter": "B"}])", actual, "/arrays")
          .empty());
  EXPECT_EQ(
      compare(R"([{"letter": "A", "status": "OK"}, {"letter": "B"}])", actual, "/arrays").size(),
      1u);
  EXPECT_EQ(compare(R"([{"letter": "A"}])", actual, "/arrays").size(), 1u) << "an array too many";
  EXPECT_EQ(compare(R"([{"letter": "C"}, {"letter": "A"}])", actual, "/arrays").size(), 1u);
}

TEST(CaptureSupport, DriveListsMayNameSome) {
  constexpr auto actual =
      R"([{"bay": "1I:1:1", "status": "OK"}, {"bay": "1I:1:2", "status": "Failed"}])";
  EXPECT_TRUE(
      compare(R"([{"bay": "1I:1:2", "status": "Failed"}])", actual, "/physical_drives").empty());
  EXPECT_EQ(compare(R"([{"bay": "1I:1:3"}])", actual, "/physical_drives").size(), 1u);
}

TEST(CaptureSupport, ListsOfValuesMustBeEqual) {
  EXPECT_TRUE(compare(R"({"m": ["/", "/boot"]})", R"({"m": ["/", "/boot"]})").empty());
  EXPECT_EQ(compare(R"({"m": []})", R"({"m": ["/"]})").size(), 1u);
  EXPECT_TRUE(compare(R"({"p": [6.0]})", R"({"p": [6]})").empty());
}

TEST(CaptureSupport, StandsInForValues) {
  EXPECT_TRUE(compare(R"({"a": {"$any": [null, "absent"]}})", R"({"a": "absent"})").empty());
  EXPECT_EQ(compare(R"({"a": {"$any": [null, "absent"]}})", R"({"a": "ok"})").size(), 1u);
  EXPECT_TRUE(compare(R"({"a": {"$approx": 1000000}})", R"({"a": 1000500})").empty());
  EXPECT_EQ(compare(R"({"a": {"$approx": 1000000}})", R"({"a": 1020000})").size(), 1u);
  EXPECT_EQ(compare(R"({"a": {"$approx": 1}})", R"({"a": null})").size(), 1u);
  EXPECT_TRUE(compare(R"({"a": {"$contains": "cable"}})", R"({"a": "a cable error"})").empty());
  EXPECT_EQ(compare(R"({"a": {"$contains": "cable"}})", R"({"a": null})").size(), 1u);
}

TEST(CaptureSupport, CountsADriveOnceWhereverItIsListed) {
  const Json controller = Json::parse(R"({
    "logical_drives": [], "physical_drives": [{"bay": "1I:1:1", "role": null}],
    "unassigned_drives": [{"bay": "1I:1:4", "role": "unassigned"}], "hba_drives": [],
    "arrays": [{"logical_drives": [{}, {}],
      "physical_drives": [{"bay": "1I:1:1", "role": "data"}, {"bay": "1I:1:2", "role": "spare"}]}]})");
  EXPECT_EQ(
      counts_of(controller),
      Json::parse(R"({"arrays": 1, "logical_drives": 2, "physical_drives": 3, "data_drives": 1,
                            "spares": 1, "unassigned_drives": 1, "hba_drives": 0})"));
}

TEST(CaptureSupport, GoldensShowWhatWasTold) {
  EXPECT_EQ(told(Json::parse(R"({"a": null, "b": {"c": null}, "d": [], "e": false, "f": 0})")),
            Json::parse(R"({"e": false, "f": 0})"));
  EXPECT_EQ(Json::parse(readable(Json::parse(R"({"a": [1, 2], "b": {"c": "d"}})"))),
            Json::parse(R"({"a": [1, 2], "b": {"c": "d"}})"));
  EXPECT_EQ(first_difference("a\nb\nc\n", "a\nB\nc\n"), "line 2\n  golden:  b\n  program: B");
}

}  // namespace
}  // namespace raidscope::captures
