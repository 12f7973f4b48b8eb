#include "workloads/native_syntax.h"

#include <random>

#include <gtest/gtest.h>

#include "workloads/presets.h"
#include "workloads/syntax.h"

namespace raidscope {
namespace {

Workload arbitrary(std::mt19937_64& rng) {
  const auto pick = [&rng](std::uint64_t n) { return rng() % n; };
  const auto text = [&] {
    constexpr std::string_view letters = "ab \"\\\n\r\t#-=,ä∞'$()";
    std::string out;
    for (std::uint64_t i = pick(8); i > 0; --i) out += letters[pick(letters.size())];
    return out;
  };
  Workload w;
  w.name = text();
  for (std::uint64_t i = pick(3); i > 0; --i) w.targets.push_back(text());
  w.pattern = pick(2) == 0 ? Pattern::random : Pattern::sequential;
  w.cursor = pick(2) == 0 ? SequentialCursor::shared : SequentialCursor::per_worker;
  w.block_bytes = {pick(1U << 30U)};
  if (pick(4) == 0) w.block_bytes.push_back(4096);
  w.read_percent = static_cast<int>(pick(101));
  w.workers = static_cast<std::uint32_t>(pick(2000));
  w.queue_depth_per_worker = static_cast<std::uint32_t>(pick(2000));
  w.outstanding_total = pick(3) == 0 ? pick(99)
                                     : std::uint64_t{w.workers} * w.queue_depth_per_worker *
                                           std::max<std::size_t>(w.targets.size(), 1);
  w.area_bytes = pick(2) == 0 ? 0 : rng() >> 2U;
  w.alignment_bytes = pick(2) == 0 ? 0 : 512;
  w.duration_s = static_cast<double>(rng() % 10'000'000) / 1000;
  w.ramp_s = pick(2) == 0 ? 0 : static_cast<double>(pick(100));
  w.seed = rng();
  w.sync = pick(2) == 0 ? Sync::none : Sync::write_through;
  w.direct = pick(2) == 0;
  w.source = text();
  for (std::uint64_t i = pick(3); i > 0; --i) w.warnings.push_back(text());
  return w;
}

TEST(NativeSyntax, ParsingWhatWasPrintedGivesTheSameWorkloads) {
  std::mt19937_64 rng(7);
  for (int round = 0; round < 2000; ++round) {
    std::vector<Workload> workloads(1 + rng() % 3);
    for (Workload& w : workloads) w = arbitrary(rng);
    const std::string text = print_native(workloads);
    const auto back = parse_native(text);
    ASSERT_TRUE(back) << describe(back.error()) << "\n" << text;
    ASSERT_EQ(*back, workloads) << text;
  }
}

TEST(NativeSyntax, HoldsEveryPreset) {
  for (const Preset& preset : presets()) {
    const std::vector<Workload> workloads = preset.make({});
    EXPECT_EQ(parse_native(print_native(workloads)).value(), workloads);
  }
}

TEST(NativeSyntax, IsInTheTable) {
  bool found = false;
  for (const Syntax* syntax : syntaxes()) found = found || syntax->id == "native";
  EXPECT_TRUE(found);
}

TEST(NativeSyntax, TakesEqualsSignsCommentsAndDefaults) {
  const auto got = parse_native("# a comment\n\n  --block-size=64k --pattern sequential\n");
  ASSERT_TRUE(got) << describe(got.error());
  ASSERT_EQ(got->size(), 1U);
  EXPECT_EQ(got->front().block_bytes, std::vector<std::uint64_t>{65536});
  EXPECT_EQ(got->front().pattern, Pattern::sequential);
  EXPECT_EQ(got->front().read_percent, 100);
  EXPECT_TRUE(got->front().direct);
}

TEST(NativeSyntax, CountsTheOutstandingRequestsOverTargets) {
  const auto got = parse_native("--target a --target b --workers 8 --queue-depth 64");
  EXPECT_EQ(got->front().outstanding_total, 1024U);
}

TEST(NativeSyntax, NamesTheLineAndTheWord) {
  const std::pair<const char*, const char*> cases[] = {
      {"", "no workload"},
      {"# only a comment\n", "no workload"},
      {"--colour red", "--colour"},
      {"--workers", "no value"},
      {"--workers many", "many"},
      {"--workers -1", "-1"},
      {"--read-percent 101", "0 to 100"},
      {"--pattern zigzag", "sequential or random"},
      {"--name \"open", "quote"},
      {"--block-size 64q", "64q"},
      {"--time soon", "soon"},
  };
  for (const auto& [text, expected] : cases) {
    const auto got = parse_native(text);
    ASSERT_FALSE(got) << text;
    EXPECT_EQ(got.error().code, Errc::malformed);
    EXPECT_NE(got.error().message.find(expected), std::string::npos) << got.error().message;
  }
  EXPECT_EQ(parse_native("--workers 1\n--workers x\n").error().where, "line 2");
}

}  // namespace
}  // namespace raidscope
