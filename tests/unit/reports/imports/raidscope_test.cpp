#include "reports/report.h"
#include "tests/support/sample_runs.h"
#include "tests/unit/reports/imports/import_testing.h"

namespace raidscope {
namespace {

using namespace testing;

TEST(ImportRaidscope, AnExportComesBackAsItWas) {
  const ReportInput input = sample::report();
  const std::string text = find_report_format("json")->render(input);
  const auto file = read_results(text, "export");
  ASSERT_TRUE(file) << describe(file.error());
  EXPECT_EQ(file->runs, input.runs);
  ASSERT_EQ(file->snapshots.size(), input.snapshots.size());
  for (const auto& [id, inventory] : input.snapshots) EXPECT_TRUE(file->snapshots.contains(id));
}

TEST(ImportRaidscope, AChangedOneIsRefused) {
  const std::string text = find_report_format("json")->render(sample::report());
  EXPECT_NE(
      refusal(replaced(text, "\"firmware\": \"8.32\"", "\"firmware\": \"8.00\"")).find("id names"),
      std::string::npos);
  EXPECT_NE(refusal(text.substr(0, text.size() / 2)).find("not a whole JSON"), std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"snapshots\": {", "\"others\": {")).find("snapshots"),
            std::string::npos);
  EXPECT_NE(refusal(replaced(text, "\"iops\": ", "\"iops\": -")).find("zero or more"),
            std::string::npos);
}

TEST(ImportFormats, EachIsFoundByItsIdAndOneByItsText) {
  for (const char* id : {"sqlio", "iometer", "diskspd", "diskspd_text", "fio", "raidscope"})
    EXPECT_NE(find_import_format(id), nullptr) << id;
  EXPECT_EQ(find_import_format("other"), nullptr);
  const std::string why = refusal("{\"a\": 1}");
  EXPECT_NE(why.find("SQLIO"), std::string::npos);
  EXPECT_NE(why.find("fio"), std::string::npos);
}

}  // namespace
}  // namespace raidscope
