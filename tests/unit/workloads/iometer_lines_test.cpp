#include <algorithm>
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
  return find_syntax("iometer")->parse(text, {});
}

bool warns(const Workload& w, std::string_view word) {
  return std::any_of(w.warnings.begin(), w.warnings.end(), [&](const std::string& warning) {
    return warning.find(word) != std::string::npos;
  });
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(Iometer, TheSecondStudyIs512Outstanding) {
  const auto points = parse(fixture("second-study.icf"));
  ASSERT_TRUE(points) << describe(points.error());
  ASSERT_EQ(points->size(), 1U);
  const Workload& w = points->front();
  EXPECT_EQ(w.name, "Database 4K 67/33");
  EXPECT_EQ(w.block_bytes, std::vector<std::uint64_t>{4096});
  EXPECT_EQ(w.read_percent, 67);
  EXPECT_EQ(w.pattern, Pattern::random);
  EXPECT_EQ(w.alignment_bytes, 512U);
  EXPECT_EQ(w.workers, 8U);
  EXPECT_EQ(w.queue_depth_per_worker, 64U);
  EXPECT_EQ(w.outstanding_total, 512U);
  EXPECT_EQ(w.area_bytes, 4294967296U);
  EXPECT_EQ(w.duration_s, 540);
  EXPECT_EQ(w.ramp_s, 0);
  EXPECT_EQ(w.targets, std::vector<std::string>{"PHYSICALDRIVE:1"});
  EXPECT_TRUE(w.groups.empty());
  EXPECT_TRUE(w.mix.empty());
  EXPECT_TRUE(warns(w, "512 outstanding: 8 workers × 64"));
  EXPECT_TRUE(warns(w, "512-byte sectors"));
  EXPECT_TRUE(warns(w, "repeating bytes"));
}

TEST(Iometer, TheThirdStudysSweepIsAPointForEachDepth) {
  const auto points = parse(fixture("third-study-queue-sweep.icf"));
  ASSERT_TRUE(points) << describe(points.error());
  ASSERT_EQ(points->size(), 14U);
  for (std::size_t i = 0; i < points->size(); ++i) {
    const Workload& w = (*points)[i];
    EXPECT_EQ(w.read_percent, i < 7 ? 100 : 0);
    EXPECT_EQ(w.queue_depth_per_worker, 1U << (i % 7));
    EXPECT_EQ(w.workers, 2U);
    EXPECT_EQ(w.outstanding_total, 2U << (i % 7));
    EXPECT_EQ(w.area_bytes, 10'000'000ULL * 512);
    EXPECT_EQ(w.duration_s, 60);
    EXPECT_EQ(w.alignment_bytes, 512U);
  }
  EXPECT_EQ(points->front().name, "4K random read qd1");
}

TEST(Iometer, ManagersThatDoTheSameAreInstances) {
  const auto points = parse(fixture("third-study-two-machines.icf"));
  ASSERT_TRUE(points) << describe(points.error());
  ASSERT_EQ(points->size(), 1U);
  EXPECT_EQ(points->front().instances, 2U);
  EXPECT_EQ(points->front().workers, 2U);
  EXPECT_EQ(points->front().outstanding_total, 64U);
}

TEST(Iometer, EightWorkersWrite) {
  const auto points = parse(fixture("third-study-eight-workers.icf"));
  ASSERT_TRUE(points) << describe(points.error());
  EXPECT_EQ(points->front().read_percent, 0);
  EXPECT_EQ(points->front().workers, 8U);
  EXPECT_EQ(points->front().outstanding_total, 128U);
}

TEST(Iometer, EveryLineOfASpecificationIsPartOfTheMix) {
  const auto points = parse(replaced(fixture("second-study.icf"), "\t4096,100,67,100,0,1,0,0",
                                     "\t4096,80,67,100,2,8,4096,0\r\n\t65536,20,100,0,2,8,0,0"));
  ASSERT_TRUE(points) << describe(points.error());
  const Workload& w = points->front();
  ASSERT_EQ(w.mix.size(), 2U);
  EXPECT_EQ(w.mix[0].percent, 80);
  EXPECT_EQ(w.mix[0].read_percent, 67);
  EXPECT_EQ(w.mix[1].block_bytes, 65536U);
  EXPECT_EQ(w.mix[1].random_percent, 0);
  EXPECT_EQ(w.mix[1].alignment_bytes, 512U);
  EXPECT_EQ(w.block_bytes, (std::vector<std::uint64_t>{4096, 65536}));
  EXPECT_EQ(w.think_us, 2000);
  EXPECT_EQ(w.burst, 8U);
  EXPECT_TRUE(warns(w, "read the same blocks"));
}

TEST(Iometer, VariesWorkersAndTargets) {
  const std::string file = fixture("second-study.icf");
  const auto workers = parse(replaced(file, "\tNORMAL", "\tCYCLE_WORKERS"));
  ASSERT_TRUE(workers) << describe(workers.error());
  ASSERT_EQ(workers->size(), 8U);
  for (std::size_t i = 0; i < 8; ++i) EXPECT_EQ((*workers)[i].outstanding_total, 64 * (i + 1));
  std::string two = file;
  const std::string target =
      "'Target\r\n\tPHYSICALDRIVE:1\r\n'Target type\r\n\tDISK\r\n'End target\r\n";
  for (std::size_t at = 0; (at = two.find(target, at)) != std::string::npos;
       at += 2 * target.size() - 1)
    two.insert(at, replaced(target, "1", "2"));
  const auto parallel = parse(replaced(two, "\tNORMAL", "\tINCREMENT_TARGETS_PARALLEL"));
  ASSERT_TRUE(parallel) << describe(parallel.error());
  ASSERT_EQ(parallel->size(), 2U);
  EXPECT_EQ((*parallel)[0].outstanding_total, 512U);
  EXPECT_EQ((*parallel)[1].outstanding_total, 1024U);
  const auto serial = parse(replaced(two, "\tNORMAL", "\tINCREMENT_TARGETS_SERIAL"));
  ASSERT_TRUE(serial);
  ASSERT_EQ(serial->size(), 16U);
  EXPECT_EQ((*serial)[0].outstanding_total, 64U);
  EXPECT_EQ((*serial)[15].outstanding_total, 1024U);
  const auto both = parse(replaced(two, "\tNORMAL", "\tCYCLE_OUTSTANDING_IOS_AND_TARGETS"));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->size(), 12U);
  EXPECT_EQ(parse(replaced(two, "\tNORMAL", "\tCYCLE_WORKERS_AND_TARGETS"))->size(), 16U);
}

TEST(Iometer, RefusesWhatItCannotKeep) {
  const std::string file = fixture("second-study.icf");
  const std::pair<std::string, std::string_view> cases[] = {
      {"", "Version"},
      {"hello\n", "begin"},
      {replaced(file, "4096,100,67,100,0,1,0,0", "4096,90,67,100,0,1,0,0"), "sum to 90"},
      {replaced(file, "4096,100,67,100,0,1,0,0", "4096,100,67,100,0,1,0,512"), "replies"},
      {replaced(file, "4096,100,67,100,0,1,0,0", "4096,100,167,100,0,1,0,0"), "eight numbers"},
      {replaced(file, "\t64,DISABLED", "\t64,ENABLED"), "connection rate"},
      {replaced(file, "\t8388608,0,0", "\t4096,0,0"), "of their own"},
      {replaced(file, "\tNORMAL", "\tSOMETIMES"), "SOMETIMES"},
      {replaced(file, "\tDISK", "\tNETWORK,TCP"), "network"},
      {replaced(file, "'Run Time", "'Walk Time"), "walk time"},
      {replaced(file, "Version 1.1.0", "Version 1998.01.01"), "older"},
  };
  for (const auto& [text, message] : cases) {
    const auto got = parse(text);
    ASSERT_FALSE(got) << message;
    EXPECT_EQ(got.error().code, Errc::malformed);
    EXPECT_NE(got.error().message.find(message), std::string::npos) << got.error().message;
    EXPECT_NE(got.error().where.find("line "), std::string::npos);
  }
}

TEST(Iometer, DepthsOutOfRangeAreRefusedAsWritten) {
  const std::string text = fixture("second-study.icf");
  for (const std::string depth : {"0", "16385", "99999999999"}) {
    const auto got = parse(replaced(text, "64,DISABLED,1", depth + ",DISABLED,1"));
    ASSERT_FALSE(got) << depth;
    EXPECT_EQ(got.error().code, Errc::malformed);
    EXPECT_NE(got.error().message.find("\"" + depth + ","), std::string::npos)
        << got.error().message;
    EXPECT_EQ(got.error().where, "line 50");
  }
}

TEST(Iometer, AnUnknownVersionIsNamed) {
  const std::string text = fixture("second-study.icf");
  EXPECT_FALSE(warns(parse(text)->front(), "is not known"));
  EXPECT_TRUE(warns(parse(replaced(text, "Version 1.1.0", "Version 9.9.9"))->front(),
                    "version 9.9.9 of the file is not known"));
}

}  // namespace
}  // namespace raidscope
