#include "probe/os/rooted_files.h"

#include <cerrno>
#include <gmock/gmock.h>
#include <unistd.h>

#include <sys/stat.h>

#include <gtest/gtest.h>

#include "tests/support/temp_dir.h"

namespace raidscope {
namespace {

using raidscope::testing::TempDir;
using ::testing::ElementsAre;

class RootedFilesTest : public ::testing::Test {
 protected:
  TempDir outside;
  TempDir dir;
  RootedFiles files{dir.path()};
};

TEST_F(RootedFilesTest, ReadsBelowTheRoot) {
  dir.write("proc/version", "Linux\n");
  EXPECT_EQ(files.read("proc/version"), "Linux\n");
  EXPECT_EQ(files.read("/proc/version"), "Linux\n");
  EXPECT_EQ(RootedFiles(dir.path() + "//").read("proc/version"), "Linux\n");
}

TEST_F(RootedFilesTest, ListsSorted) {
  dir.write("sys/b", "");
  dir.write("sys/a/x", "");
  EXPECT_THAT(files.list("sys").value(), ElementsAre("a", "b"));
  EXPECT_THAT(files.list("").value(), ElementsAre("sys"));
}

TEST_F(RootedFilesTest, AnAbsoluteLinkStaysInside) {
  dir.write("etc/os-release", "inside");
  outside.write("secret", "outside");
  dir.link("a", "/etc/os-release");
  dir.link("b", outside.at("secret"));
  EXPECT_EQ(files.read("a"), "inside");
  EXPECT_EQ(files.read("b").error().code, Errc::not_found);
}

TEST_F(RootedFilesTest, DotsDoNotLeadOut) {
  outside.write("secret", "outside");
  const std::string up = "../../../../../../../.." + outside.at("secret");
  dir.write("sub/x", "");
  dir.link("sub/link", up);
  EXPECT_FALSE(files.read(up));
  EXPECT_FALSE(files.read("sub/link"));
  dir.write("here", "inside");
  EXPECT_EQ(files.read("../../here"), "inside");
}

TEST_F(RootedFilesTest, ALinkOnTheWayIsFollowed) {
  dir.write("sys/devices/pci0000:00/0000:00:02.0/block/sda/size", "8\n");
  dir.link("sys/class/block/sda", "../../devices/pci0000:00/0000:00:02.0/block/sda");
  dir.link("sys/block", "class/block");
  EXPECT_EQ(files.read("sys/block/sda/size"), "8\n");
  EXPECT_EQ(files.resolve("sys/block/sda"), "sys/devices/pci0000:00/0000:00:02.0/block/sda");
  EXPECT_THAT(files.list("sys/block/sda").value(), ElementsAre("size"));
}

TEST_F(RootedFilesTest, ALoopEnds) {
  dir.link("a", "b");
  dir.link("b", "a");
  EXPECT_EQ(files.read("a").error().os_errno, ELOOP);
}

TEST_F(RootedFilesTest, WhatIsMissingKeepsItsErrno) {
  const auto missing = files.read("nothing");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, Errc::not_found);
  EXPECT_EQ(missing.error().os_errno, ENOENT);
  EXPECT_EQ(missing.error().where, dir.at("nothing"));
  EXPECT_EQ(files.list("nothing").error().code, Errc::not_found);
  EXPECT_EQ(files.resolve("nothing").error().code, Errc::not_found);
}

TEST_F(RootedFilesTest, OnlyRegularFilesAreRead) {
  ASSERT_EQ(::mkfifo(dir.at("fifo").c_str(), 0600), 0);
  dir.write("folder/x", "");
  EXPECT_EQ(files.read("fifo").error().code, Errc::unsupported);
  EXPECT_EQ(files.read("folder").error().os_errno, EISDIR);
}

TEST_F(RootedFilesTest, AFileIsCutAtAMebibyte) {
  dir.write("big", std::string(3 << 20, 'x'));
  EXPECT_EQ(files.read("big")->size(), RootedFiles::max_file_bytes);
  dir.write("binary", std::string("\0\1\0", 3));
  EXPECT_EQ(files.read("binary"), std::string("\0\1\0", 3));
}

TEST_F(RootedFilesTest, ARootThatIsNotThereIsSaid) {
  const RootedFiles none(dir.at("missing"));
  EXPECT_EQ(none.read("x").error().code, Errc::not_found);
  EXPECT_EQ(none.list("x").error().where, dir.at("missing"));
}

TEST(RootedFilesOfTheMachine, ReadsIt) {
  const RootedFiles files("");
  const auto version = files.read("proc/version");
  ASSERT_TRUE(version);
  EXPECT_TRUE(version->starts_with("Linux"));
  EXPECT_TRUE(files.list("sys/class"));
  EXPECT_FALSE(files.read("proc/self/mem-that-is-not"));
}

}  // namespace
}  // namespace raidscope
