#include "probe/base/text.h"

#include <gtest/gtest.h>

#include "probe/base/json_document.h"

namespace raidscope {
namespace {

TEST(Text, AShellWordIsOneWordWhenPasted) {
  EXPECT_EQ(text::shell_word("/data/test-1.dat"), "/data/test-1.dat");
  EXPECT_EQ(text::shell_word("a b"), "'a b'");
  EXPECT_EQ(text::shell_word("$(x)"), "'$(x)'");
  EXPECT_EQ(text::shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(text::shell_word(""), "''");
}

TEST(JsonDocument, AKeyThatNobodyKnowsIsNamed) {
  const json::Json known = json::Json::parse(R"({"a": 1, "list": [{"b": null}]})");
  EXPECT_EQ(json::unknown_key(known, known), "");
  EXPECT_EQ(json::unknown_key(json::Json::parse(R"({"c": 1})"), known), "/c");
  EXPECT_EQ(json::unknown_key(json::Json::parse(R"({"list": [{"b": 1, "d": 2}]})"), known),
            "/list/0/d");
  EXPECT_EQ(json::unknown_key(known, json::Json::parse(R"({"a": 1})")), "/list");
}

}  // namespace
}  // namespace raidscope
