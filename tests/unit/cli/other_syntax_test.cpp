#include "cli/other_syntax.h"

#include <cstdio>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

namespace raidscope::cli {
namespace {

TEST(OtherSyntax, ADriveHasOnePath) {
  for (const auto& [first, second] :
       {std::pair{"D:=/a", "d=/b"}, std::pair{"#1=/a", "1:=/b"}, std::pair{"D:=/a", "D:\\=/a"}}) {
    Arguments arguments;
    arguments.add("diskspd", "diskspd -d5 D:\\x.dat");
    arguments.add("map", first);
    EXPECT_TRUE(std::string(first).starts_with("#") || workloads_of_syntaxes(arguments)) << first;
    arguments.add("map", second);
    const auto got = workloads_of_syntaxes(arguments);
    ASSERT_FALSE(got) << second;
    EXPECT_EQ(got.error().code, Errc::usage) << second;
    EXPECT_NE(got.error().message.find("two paths"), std::string::npos) << got.error().message;
  }
}

TEST(OtherSyntax, FilesInUtf16AreReadAsTheyAre) {
  const std::string text = "[job]\r\nrw=randread\r\nbs=8k\r\nfilename=/x/y\r\n";
  for (const bool big_endian : {false, true}) {
    std::string wide = big_endian ? "\xFE\xFF" : "\xFF\xFE";
    for (const char c : text) {
      if (big_endian) wide += '\0';
      wide += c;
      if (!big_endian) wide += '\0';
    }
    const std::string path = testing::TempDir() + "/utf16.fio";
    std::ofstream(path, std::ios::binary) << wide;
    Arguments arguments;
    arguments.add("fio", path);
    const auto got = workloads_of_syntaxes(arguments);
    std::remove(path.c_str());
    ASSERT_TRUE(got) << describe(got.error());
    EXPECT_EQ(got->front().block_bytes.front(), 8192U);
    EXPECT_EQ(got->front().name, "job");
  }
}

}  // namespace
}  // namespace raidscope::cli
