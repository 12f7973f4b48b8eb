#include "workloads/native_syntax.h"

#include <random>

#include <gtest/gtest.h>

#include "workloads/derived.h"
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
  w.cursor = EnumNames<SequentialCursor>::table[pick(3)].first;
  w.block_bytes = {pick(1U << 30U)};
  if (pick(4) == 0) w.block_bytes.push_back(4096);
  w.read_percent = static_cast<int>(pick(101));
  w.workers = static_cast<std::uint32_t>(pick(2000));
  w.queue_depth_per_worker = static_cast<std::uint32_t>(pick(2000));
  w.outstanding_total = pick(3) == 0 ? pick(99) : outstanding(w);
  w.area_bytes = pick(2) == 0 ? 0 : rng() >> 2U;
  w.alignment_bytes = pick(2) == 0 ? 0 : 512;
  w.duration_s = static_cast<double>(rng() % 10'000'000) / 1000;
  w.ramp_s = pick(2) == 0 ? 0 : static_cast<double>(pick(100));
  w.seed = rng();
  w.sync = pick(2) == 0 ? Sync::none : Sync::write_through;
  w.direct = pick(2) == 0;
  for (std::uint64_t i = pick(3); i > 0; --i)
    w.mix.push_back({static_cast<double>(pick(1000)) / 7, 1 + pick(1U << 20U),
                     static_cast<int>(pick(101)), static_cast<int>(pick(101)), pick(2) * 512});
  w.random_percent = pick(2) == 0 ? -1 : static_cast<int>(pick(101));
  w.base_bytes = pick(2) == 0 ? 0 : rng() >> 2U;
  w.stride_bytes = pick(2) == 0 ? 0 : rng() >> 2U;
  w.worker_offset_bytes = pick(2) == 0 ? 0 : rng() >> 2U;
  w.spread = EnumNames<Spread>::table[pick(5)].first;
  if (w.spread == Spread::hot_spots) {
    for (std::uint64_t i = pick(3); i > 0; --i)
      w.hot_spots.push_back({static_cast<double>(pick(1000)) / 9, static_cast<double>(pick(99))});
  } else if (pick(2) == 0) {
    w.skew = static_cast<double>(1 + pick(1000)) / 3;
  }
  for (std::uint64_t i = pick(3); i > 0; --i) {
    w.groups.push_back(
        {static_cast<std::uint32_t>(pick(9)), static_cast<std::uint32_t>(pick(9)), {}});
    for (std::uint32_t t = 0; t < pick(3); ++t) w.groups.back().targets.push_back(t);
  }
  w.depth_over_targets = pick(2) == 0;
  w.instances = static_cast<std::uint32_t>(1 + pick(3));
  w.arrivals = EnumNames<Arrivals>::table[pick(3)].first;
  w.rate_iops = static_cast<double>(pick(1000)) / 3;
  w.think_us = static_cast<double>(pick(1000)) / 3;
  w.burst = static_cast<std::uint32_t>(pick(9));
  w.fsync_every = static_cast<std::uint32_t>(pick(9));
  w.trim_percent = static_cast<int>(pick(101));
  w.compressible_percent = static_cast<int>(pick(101));
  w.duplicate_percent = static_cast<int>(pick(101));
  w.verify = pick(2) == 0;
  w.poll = pick(2) == 0;
  w.cooldown_s = static_cast<double>(pick(100));
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

TEST(NativeSyntax, WhatFollowsFromAMixNeedsNotBeSaid) {
  const Workload w = parse_native("--mix 4k:70:67:100,64k:30:0:100 --groups 4x16,2x8").value()[0];
  EXPECT_EQ(w.block_bytes, (std::vector<std::uint64_t>{4096, 65536}));
  EXPECT_EQ(w.read_percent, 47);
  EXPECT_EQ(w.workers, 6U);
  EXPECT_EQ(w.outstanding_total, 80U);
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
      {"--mix 4k", "SIZE:PERCENT"},
      {"--spread sideways", "zipf:THETA"},
      {"--spread hot:90", "ACCESS%/AREA%"},
      {"--groups 4", "WORKERSxDEPTH"},
      {"--verify=1", "no value"},
      {"--rate fast", "fast"},
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
