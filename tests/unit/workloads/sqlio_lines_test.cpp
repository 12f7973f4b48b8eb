#include <fstream>
#include <sstream>

#include <gtest/gtest.h>

#include "workloads/derived.h"
#include "workloads/syntax.h"

namespace raidscope {
namespace {

std::string fixture(const std::string& name) {
  std::ifstream in(std::string(RAIDSCOPE_SOURCE_DIR) + "/tests/workloads/" + name);
  EXPECT_TRUE(in) << name;
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

Result<std::vector<Workload>> parse(std::string_view text) {
  return find_syntax("sqlio")->parse(text, [](const std::string& name) -> Result<std::string> {
    if (name == "param.txt")
      return "# two files\r\nD:\\a.dat 4 0x0 100\r\n\"E:\\b c.dat\" 2 0 100\r\n";
    if (name == "uneven.txt") return "a.dat 4 0x0 100\nb.dat 2 0x0 50\n";
    return fail(Errc::not_found, "no such file", name);
  });
}

Workload only(std::string_view line) {
  auto got = parse(line);
  EXPECT_TRUE(got) << line << ": " << (got ? "" : describe(got.error()));
  return got && got->size() == 1 ? got->front() : Workload{};
}

bool warns(const Workload& w, std::string_view word) {
  for (const std::string& warning : w.warnings) {
    if (warning.find(word) != std::string::npos) return true;
  }
  return false;
}

void expect_study(const std::vector<Workload>& points) {
  ASSERT_EQ(points.size(), 3U);
  for (const Workload& w : points) {
    EXPECT_EQ(w.block_bytes, std::vector<std::uint64_t>{65536});
    EXPECT_EQ(w.workers, 4U);
    EXPECT_EQ(w.duration_s, 120);
    EXPECT_EQ(w.ramp_s, 0);
    EXPECT_TRUE(w.direct);
    EXPECT_TRUE(warns(w, "no ramp-up"));
    EXPECT_TRUE(warns(w, "truncated"));
  }
  EXPECT_EQ(points[0].pattern, Pattern::sequential);
  EXPECT_EQ(points[0].cursor, SequentialCursor::shared);
  EXPECT_EQ(points[0].read_percent, 100);
  EXPECT_EQ(points[0].outstanding_total, 8U);
  EXPECT_TRUE(warns(points[0], "8 outstanding: 4 workers × 2"));
  EXPECT_EQ(points[1].pattern, Pattern::random);
  EXPECT_EQ(points[1].outstanding_total, 64U);
  EXPECT_EQ(points[1].sync, Sync::none);
  EXPECT_EQ(points[2].read_percent, 0);
  EXPECT_EQ(points[2].outstanding_total, 64U);
  EXPECT_EQ(points[2].sync, Sync::write_through);
  EXPECT_TRUE(warns(points[2], "zeros"));
  EXPECT_TRUE(warns(points[2], "O_DSYNC"));
}

TEST(Sqlio, TheFirstStudysScriptIsItsThreeTests) {
  const auto points = parse(fixture("first-study.bat"));
  ASSERT_TRUE(points) << describe(points.error());
  expect_study(*points);
  for (const Workload& w : *points)
    EXPECT_EQ(w.targets, std::vector<std::string>{"D:\\testfile.dat"});
  EXPECT_EQ((*points)[1].source,
            "start /wait sqlio.exe -s120 -kR -frandom -o16 -b64 -t4 -LS -BN D:\\testfile.dat");
}

TEST(Sqlio, EveryLineOfTheFirstStudyReadsInEveryWayItIsPasted) {
  for (const std::string front : {"", "sqlio ", ".\\SQLIO.EXE ", "C:\\SQLIO> sqlio.exe ",
                                  "PS C:\\SQLIO> .\\SQLIO.EXE ", "& 'C:\\tools\\sqlio.exe' "}) {
    std::vector<Workload> points;
    for (const std::string line : {"-s120 -kR -fsequential -o2 -b64 -t4 -LS -BN testfile.dat",
                                   "-s120 -kR -frandom -o16 -b64 -t4 -LS -BN testfile.dat",
                                   "–s120 –kW –frandom –o16 –b64 –t4 –LS –BN testfile.dat"}) {
      points.push_back(only(front + line));
    }
    expect_study(points);
  }
}

TEST(Sqlio, SaysItsDefaultsAreAStride) {
  const Workload w = only("sqlio testfile.dat");
  EXPECT_EQ(w.pattern, Pattern::sequential);
  EXPECT_EQ(w.block_bytes.front(), 2048U);
  EXPECT_EQ(w.stride_bytes, 64U * 2048);
  EXPECT_EQ(w.area_bytes, 8U << 20U);
  EXPECT_EQ(w.duration_s, 30);
  EXPECT_TRUE(w.direct);
  EXPECT_TRUE(warns(w, "default is a stride of 64 blocks, which goes over 8M"));
}

TEST(Sqlio, ThreadsSplitTheStripOfAStride) {
  const Workload w = only("-kR -f64 -i32 -b4 -t4 -o2 x.dat");
  EXPECT_EQ(w.cursor, SequentialCursor::own);
  EXPECT_EQ(w.worker_offset_bytes, 16U * 4096);
  EXPECT_EQ(w.area_bytes, 32U * 64 * 4096);
  EXPECT_FALSE(parse("-f4 -t8 x.dat"));
}

TEST(Sqlio, WithoutADepthOneRequestGoesRoundTheFiles) {
  const Workload turns = only("-kR -frandom -t2 a.dat b.dat");
  EXPECT_TRUE(turns.depth_over_targets);
  EXPECT_EQ(turns.outstanding_total, 2U);
  EXPECT_TRUE(warns(turns, "no -o"));
  const Workload each = only("-kR -frandom -t2 -o1 a.dat b.dat");
  EXPECT_FALSE(each.depth_over_targets);
  EXPECT_EQ(each.outstanding_total, 4U);
}

TEST(Sqlio, BufferingAndOffsets) {
  EXPECT_FALSE(only("-kR -frandom -BY x").direct);
  EXPECT_TRUE(only("-kW -frandom -BH x").direct);
  EXPECT_EQ(only("-kW -frandom -BH x").sync, Sync::none);
  EXPECT_EQ(only("-kW -frandom -BS x").sync, Sync::write_through);
  EXPECT_FALSE(only("-kW -frandom -BS x").direct);
  EXPECT_EQ(only("-kR -frandom -b8 -S16 x").base_bytes, 16U * 8192);
  EXPECT_EQ(only("-kR -frandom -dDE test.dat").targets,
            (std::vector<std::string>{"D:\\test.dat", "E:\\test.dat"}));
  EXPECT_EQ(only("-kR -frandom -RF,1").targets, (std::vector<std::string>{"F:", "1:"}));
}

TEST(Sqlio, ParameterFilesAreGroups) {
  const Workload w = only("sqlio -kR -s60 -frandom -o8 -b8 -t2 -Fparam.txt");
  EXPECT_EQ(w.targets, (std::vector<std::string>{"D:\\a.dat", "E:\\b c.dat"}));
  ASSERT_EQ(w.groups.size(), 2U);
  EXPECT_EQ(w.groups[0], (WorkerGroup{4, 8, {0}}));
  EXPECT_EQ(w.groups[1], (WorkerGroup{2, 8, {1}}));
  EXPECT_EQ(w.workers, 6U);
  EXPECT_EQ(w.outstanding_total, 48U);
  EXPECT_EQ(w.area_bytes, 100U << 20U);
  EXPECT_TRUE(warns(w, "parameter file are used, not -t"));
  const auto uneven = parse("-frandom -Funeven.txt");
  ASSERT_FALSE(uneven);
  EXPECT_EQ(uneven.error().where, "uneven.txt, line 2");
  EXPECT_EQ(parse("-frandom -Fmissing.txt").error().code, Errc::not_found);
}

TEST(Sqlio, AScriptMayWriteItsParameterFile) {
  const Workload w = only("echo D:\\a.dat 4 0x0 100 > p.txt\nsqlio -kR -frandom -o2 -Fp.txt\n");
  EXPECT_EQ(w.workers, 4U);
  EXPECT_EQ(w.area_bytes, 100U << 20U);
}

TEST(Sqlio, RefusesByNameAndLine) {
  struct Case {
    const char* text;
    const char* message;
    const char* where;
  };
  const Case cases[] = {
      {"", "no sqlio line", "line 1"},
      {"rem nothing\n", "no sqlio line", "line 1"},
      {"sqlio -kR -t%THREADS% x", "%THREADS%", "line 1"},
      {"\nsqlio -kR -t$n x", "$n", "line 2"},
      {"for %%i in (1 2 4) do sqlio -kR -o%%i x", "called inside", "line 1"},
      {"sqlio -q x", "no option -q", "line 1"},
      {"sqlio -b 64 x", "expected a number", "line 1"},
      {"sqlio -kX x", "-kR or -kW", "line 1"},
      {"sqlio -t0 x", "1 to 256", "line 1"},
      {"sqlio -fsometimes x", "-frandom", "line 1"},
      {"sqlio \"x", "quote", "line 1"},
      {"sqlio -Fparam.txt x.dat", "both", "line 1"},
  };
  for (const Case& c : cases) {
    const auto got = parse(c.text);
    ASSERT_FALSE(got) << c.text;
    EXPECT_EQ(got.error().code, Errc::malformed) << c.text;
    EXPECT_NE(got.error().message.find(c.message), std::string::npos) << got.error().message;
    EXPECT_EQ(got.error().where, c.where) << c.text;
  }
}

TEST(Sqlio, OtherCommandsOfAScriptAreNoted) {
  const auto got = parse("xcopy a b\nsqlio -kR -frandom x\n");
  ASSERT_TRUE(got);
  EXPECT_TRUE(warns(got->front(), "line 1 is not followed: xcopy a b"));
}

}  // namespace
}  // namespace raidscope
