#include <gmock/gmock.h>
#include <set>

#include <gtest/gtest.h>

#include "cli/help.h"
#include "cli/options.h"
#include "cli/verb.h"

namespace raidscope::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const Verb& verb(std::string_view name) {
  const Verb* found = find_verb(name);
  EXPECT_NE(found, nullptr) << name;
  return *found;
}

TEST(Arguments, ValuesSwitchesAndWords) {
  const auto given = parse_arguments(
      verb("run"), {"--target", "/dev/sdb", "--target=/data/x", "--dry-run", "--time", "9m"});
  ASSERT_TRUE(given.has_value()) << describe(given.error());
  EXPECT_THAT(given->all("target"), ElementsAre("/dev/sdb", "/data/x"));
  EXPECT_TRUE(given->has("dry-run"));
  EXPECT_FALSE(given->has("keep"));
  EXPECT_EQ(given->get("time"), "9m");
  EXPECT_EQ(given->get("ramp"), std::nullopt);
}

TEST(Arguments, AnUnknownOptionNamesWhatIsNear) {
  const auto given = parse_arguments(verb("run"), {"--blok-size", "4k"});
  ASSERT_FALSE(given.has_value());
  EXPECT_EQ(given.error().code, Errc::usage);
  EXPECT_THAT(given.error().hint, HasSubstr("--block-size"));
}

TEST(Arguments, AnAbbreviationIsNotGuessed) {
  EXPECT_FALSE(parse_arguments(verb("run"), {"--targ", "x"}).has_value());
}

TEST(Arguments, AClosedSetIsChecked) {
  const auto given = parse_arguments(verb("probe"), {"--format", "yaml"});
  ASSERT_FALSE(given.has_value());
  EXPECT_THAT(given.error().message, HasSubstr("text|json"));
}

TEST(Arguments, AnOptionThatIsNotRepeatableIsTakenOnce) {
  EXPECT_FALSE(parse_arguments(verb("run"), {"--time", "5", "--time", "6"}).has_value());
}

TEST(Arguments, AValueThatMayBeLeftOut) {
  for (const auto& [words, value] :
       {std::pair{std::vector<std::string>{"--resume", "s1abc", "--quiet"}, "s1abc"},
        std::pair{std::vector<std::string>{"--resume=s1abc", "--quiet"}, "s1abc"},
        std::pair{std::vector<std::string>{"--resume", "--quiet"}, ""},
        std::pair{std::vector<std::string>{"--quiet", "--resume"}, ""}}) {
    const auto given = parse_arguments(verb("run"), words);
    ASSERT_TRUE(given.has_value()) << describe(given.error());
    EXPECT_TRUE(given->has("resume"));
    EXPECT_TRUE(given->has("quiet"));
    EXPECT_EQ(given->get_or("resume", ""), value);
  }
  EXPECT_FALSE(parse_arguments(verb("run"), {"--resume", "s1", "s2"}).has_value());
  EXPECT_FALSE(parse_arguments(verb("run"), {"--quiet", "s1"}).has_value());
}

TEST(Arguments, AMissingValueIsAnError) {
  EXPECT_FALSE(parse_arguments(verb("run"), {"--time"}).has_value());
}

TEST(Arguments, WordsWhereNoneAreTaken) {
  const auto given = parse_arguments(verb("probe"), {"capture.txt"});
  ASSERT_FALSE(given.has_value());
  EXPECT_THAT(given.error().message, HasSubstr("capture.txt"));
}

TEST(Help, EveryVerbHasExamplesAndStandsInHelpManAndCompletion) {
  const std::string help = general_help();
  const std::string man = man_page();
  const std::string bash = bash_completion();
  for (const Verb* each : verbs()) {
    EXPECT_FALSE(each->examples.empty()) << each->name;
    EXPECT_THAT(help, HasSubstr(std::string(each->name)));
    EXPECT_THAT(man, HasSubstr(std::string(each->name)));
    EXPECT_THAT(bash, HasSubstr(std::string(each->name)));
    const std::string own = verb_help(*each);
    for (const OptionGroup* group : each->groups) {
      for (const Option& option : group->options) {
        EXPECT_THAT(own, HasSubstr("--" + std::string(option.name)));
      }
    }
    EXPECT_GT(own.find("Examples:"), own.find("General:")) << each->name;
  }
}

TEST(Help, NoOptionStandsTwiceInAVerb) {
  for (const Verb* each : verbs()) {
    std::set<std::string_view> seen;
    for (const OptionGroup* group : each->groups) {
      for (const Option& option : group->options) {
        EXPECT_TRUE(seen.insert(option.name).second) << each->name << " --" << option.name;
      }
    }
  }
}

}  // namespace
}  // namespace raidscope::cli
