#include <algorithm>
#include <fstream>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include "controllers/inventory/inventory_diff.h"
#include "controllers/rules/rule.h"
#include "controllers/rules/rule_changes.h"
#include "controllers/settings/journal.h"
#include "reports/analysis/comparison.h"
#include "reports/analysis/decision.h"
#include "reports/analysis/references.h"
#include "reports/store/store.h"
#include "tests/unit/schema_of.h"
#include "workloads/experiment/experiment.h"
#include "workloads/experiment/session_record.h"
#include "workloads/plan.h"
#include "workloads/run/testfile.h"
#include "workloads/run_result.h"

// The schemas in docs/schema say what the structs are: the same fields in the same order, all of
// them required, with the same types. A schema may only be narrower (a closed set of words, a
// pattern).
namespace raidscope {
namespace {

using testing::Schema;
using testing::schema_of;

Schema read_schema(std::string_view name) {
  std::ifstream file(std::string(RAIDSCOPE_SOURCE_DIR) + "/docs/schema/" + std::string(name) +
                     ".schema.json");
  EXPECT_TRUE(file) << name;
  std::stringstream text;
  text << file.rdbuf();
  return Schema::parse(text.str());
}

class Comparison {
 public:
  explicit Comparison(const Schema& document) : document_(document) {}

  void compare(const Schema& made, const Schema& given, const std::string& at) const {
    const Schema& written = resolved(given);
    if (written.contains("const")) return;  // the name of a schema
    if (made.contains("enum")) {
      ASSERT_TRUE(written.contains("enum")) << at;
      for (const Schema& word : written["enum"]) {
        EXPECT_NE(std::find(made["enum"].begin(), made["enum"].end(), word), made["enum"].end())
            << at;
      }
      return;
    }
    if (made.contains("anyOf")) {
      ASSERT_TRUE(written.contains("anyOf")) << at;
      compare(made["anyOf"][0], written["anyOf"][0], at);
      EXPECT_EQ(made["anyOf"][1]["type"], resolved(written["anyOf"][1])["type"]) << at;
      return;
    }
    if (written.contains("enum")) return;  // words in place of any text
    EXPECT_EQ(made["type"], written["type"]) << at;
    if (made.contains("items")) compare(made["items"], written["items"], at + "/[]");
    if (made.contains("additionalProperties")) {
      compare(made["additionalProperties"], written["additionalProperties"], at + "/*");
    }
    if (!made.contains("properties")) return;
    EXPECT_EQ(made["required"], written["required"]) << at;
    std::string expected, found;
    for (const auto& [name, type] : made["properties"].items()) expected += name + " ";
    for (const auto& [name, type] : written["properties"].items()) found += name + " ";
    ASSERT_EQ(expected, found) << at;
    for (const auto& [name, type] : made["properties"].items()) {
      compare(type, written["properties"][name], at + "/" + name);
    }
  }

 private:
  const Schema& resolved(const Schema& schema) const {
    if (!schema.contains("$ref")) return schema;
    return document_.at(Schema::json_pointer(schema["$ref"].get<std::string>().substr(1)));
  }
  const Schema& document_;
};

template <class T>
void expect_written(std::string_view name) {
  const Schema document = read_schema(name);
  Comparison(document).compare(schema_of<T>(), document, std::string(name));
  EXPECT_EQ(document["$schema"], "https://json-schema.org/draft/2020-12/schema");
  EXPECT_EQ(document["properties"]["schema"]["const"], "raidscope." + std::string(name) + "/1");
}

TEST(DocumentSchemas, SayWhatTheStructsAre) {
  expect_written<Inventory>("snapshot");
  expect_written<AuditReport>("audit");
  expect_written<RunResult>("result");
  expect_written<Workload>("workload");
  expect_written<Plan>("plan");
  expect_written<TestFileCheck>("testfile");
  expect_written<RunComparison>("comparison");
  expect_written<SmartPathDecision>("decision");
  expect_written<settings::Plan>("settings_plan");
  expect_written<settings::Journal>("settings_journal");
  expect_written<Experiment>("experiment");
  expect_written<ExperimentState>("experiment_state");
}

TEST(DocumentSchemas, OfSessions) {
  expect_written<SessionRecord>("session");
}

TEST(DocumentSchemas, OfLists) {
  const Schema list = read_schema("list");
  Comparison(list).compare(schema_of<std::vector<RunListEntry>>(), list["properties"]["runs"],
                           "list");
  const Schema diff = read_schema("diff");
  Comparison(diff).compare(schema_of<std::vector<Difference>>(), diff["properties"]["differences"],
                           "diff");
  Comparison(diff).compare(schema_of<std::vector<RuleChange>>(), diff["properties"]["rules"],
                           "diff");
  const Schema published = read_schema("references");
  Comparison(published).compare(schema_of<std::vector<Reference>>(),
                                published["properties"]["references"], "references");
}

TEST(DocumentSchemas, OneForEveryDocument) {
  for (const char* name :
       {"snapshot", "audit", "result", "workload", "list", "plan", "comparison", "decision",
        "testfile", "diff", "presets", "controllers", "rules", "schemas", "export", "settings",
        "settings_plan", "settings_journal", "references"}) {
    EXPECT_EQ(read_schema(name)["properties"]["schema"]["const"],
              "raidscope." + std::string(name) + "/1");
  }
}

}  // namespace
}  // namespace raidscope
