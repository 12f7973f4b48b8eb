#include <algorithm>
#include <random>

#include <gtest/gtest.h>

#include "workloads/derived.h"
#include "workloads/native_syntax.h"
#include "workloads/presets.h"
#include "workloads/syntax.h"

namespace raidscope {
namespace {

NamedTexts no_files() {
  return [](const std::string& name) -> Result<std::string> {
    return fail(Errc::not_found, "no such file", name);
  };
}

/// Workloads as people write them: every field now and then, so that each syntax can say many.
class Generator {
 public:
  explicit Generator(std::uint64_t seed) : rng_(seed) {}

  Workload make() {
    Workload w;
    const std::uint64_t targets = pick(4);
    for (std::uint64_t i = 0; i < targets; ++i)
      w.targets.push_back(std::string(one_in(3) ? "/data/a b" : "D:\\test") + char('0' + i));
    w.pattern = one_in(2) ? Pattern::random : Pattern::sequential;
    w.cursor = any({SequentialCursor::shared, SequentialCursor::per_worker, SequentialCursor::own,
                    SequentialCursor::own});
    w.block_bytes = {any<std::uint64_t>({512, 4096, 8192, 65536, 1048576, 5000})};
    w.read_percent = any({100, 0, 67, 100, 0});
    w.workers = any({1U, 2U, 4U, 8U});
    w.queue_depth_per_worker = any({1U, 2U, 16U, 64U});
    w.area_bytes = any<std::uint64_t>({0, 0, 1U << 30U, 4294967296, 8388608 * 3});
    w.duration_s = any({1.0, 60.0, 540.0, 120.0, one_in(6) ? 0.25 : 30.0});
    if (one_in(5)) w.ramp_s = any({5.0, 60.0, 0.5});
    if (one_in(8)) w.seed = pick(100);
    if (one_in(4)) w.sync = Sync::write_through;
    if (one_in(5)) w.direct = false;
    if (one_in(5)) w.alignment_bytes = any<std::uint64_t>({512, 4096, 65536});
    if (one_in(6)) w.random_percent = static_cast<int>(pick(101));
    if (one_in(5)) add_mix(w);
    if (one_in(6)) w.base_bytes = any<std::uint64_t>({4096, 1048576, 12345});
    if (one_in(6)) {
      w.stride_bytes = w.block_bytes[0] * (1 + pick(80));
      if (one_in(2)) w.area_bytes = w.stride_bytes * (1 + pick(64));
    }
    if (one_in(6)) w.worker_offset_bytes = any<std::uint64_t>({65536, 1048576, 7});
    if (one_in(6)) add_spread(w);
    if (one_in(5) && targets > 0) add_groups(w);
    if (one_in(4)) w.depth_over_targets = true;
    if (one_in(8)) w.instances = 2;
    if (one_in(8)) {
      w.arrivals = any({Arrivals::regular, Arrivals::poisson});
      w.rate_iops = any({1000.0, 800.0, 33.5});
    } else if (one_in(8)) {
      w.think_us = any({1000.0, 20.0, 2000000.0});
      w.burst = any({1U, 8U});
    }
    if (one_in(10)) w.fsync_every = 32;
    if (one_in(10)) w.trim_percent = any({100, 10});
    if (one_in(10)) w.compressible_percent = 50;
    if (one_in(10)) w.duplicate_percent = 20;
    // What excludes each other is refused when it is read.
    const bool content =
        w.trim_percent != 0 || w.compressible_percent != 0 || w.duplicate_percent != 0;
    if (one_in(10) && !content) w.verify = true;
    if (one_in(10) && w.fsync_every == 0) w.poll = true;
    if (one_in(10)) w.cooldown_s = 5;
    return canonical(std::move(w));
  }

 private:
  std::uint64_t pick(std::uint64_t n) { return rng_() % n; }
  bool one_in(std::uint64_t n) { return pick(n) == 0; }
  template <class T>
  T any(std::initializer_list<T> values) {
    return *(values.begin() + pick(values.size()));
  }

  void add_mix(Workload& w) {
    const std::uint64_t lines = 1 + pick(3);
    const int reads = any({100, 0, 67});
    const int random = any({100, 0, 50});
    const bool own = one_in(3);
    for (std::uint64_t i = 0; i < lines; ++i) {
      MixLine line;
      line.percent = lines == 1      ? 100
                     : i + 1 < lines ? 20
                                     : 100 - 20.0 * static_cast<double>(lines - 1);
      line.block_bytes = 4096U << i;
      line.read_percent = own ? any({100, 0, 30}) : reads;
      line.random_percent = own ? any({100, 0, 30}) : random;
      line.alignment_bytes = own ? any<std::uint64_t>({0, 512, 4096}) : 4096;
      w.mix.push_back(line);
    }
  }
  void add_spread(Workload& w) {
    w.spread = any({Spread::once, Spread::zipf, Spread::pareto, Spread::hot_spots});
    w.skew = w.spread == Spread::zipf ? 1.2 : 0.3;
    w.hot_spots = {{90, 10}, {5, 5}, {5, 85}};
  }
  void add_groups(Workload& w) {
    const bool same = one_in(2);
    for (std::uint32_t i = 0; i < w.targets.size(); ++i) {
      WorkerGroup group{
          same ? 4U : 1 + static_cast<std::uint32_t>(pick(4)), same || one_in(2) ? 16U : 8U, {i}};
      if (one_in(8) && i > 0) group.targets.push_back(0);
      w.groups.push_back(group);
    }
  }

  std::mt19937_64 rng_;
};

/// What no syntax but raidscope's own keeps.
Workload without_words(Workload w) {
  w.name.clear();
  w.source.clear();
  w.warnings.clear();
  return canonical(std::move(w));
}

class RoundTrip : public testing::TestWithParam<const char*> {};

TEST_P(RoundTrip, WhatPrintDoesNotReportAsLostComesBack) {
  const Syntax* syntax = find_syntax(GetParam());
  ASSERT_NE(syntax, nullptr);
  Generator generator(11);
  int whole = 0;
  for (int round = 0; round < 6000; ++round) {
    const Workload w = generator.make();
    const Printed printed = syntax->print(std::span<const Workload>(&w, 1));
    if (!printed.losses.empty()) continue;
    ++whole;
    const auto back = syntax->parse(printed.text, no_files());
    ASSERT_TRUE(back) << describe(back.error()) << "\n" << printed.text << print_native({&w, 1});
    ASSERT_EQ(back->size(), 1U) << printed.text;
    const Workload got = without_words(back->front());
    const Workload want = without_words(w);
    ASSERT_EQ(got, want) << printed.text << "back: " << print_native({&got, 1})
                         << "want: " << print_native({&want, 1});
  }
  EXPECT_GT(whole, 100) << "print calls nearly everything lost";
}

TEST_P(RoundTrip, SeveralWorkloadsStaySeveral) {
  const Syntax* syntax = find_syntax(GetParam());
  Generator generator(5);
  std::vector<Workload> all;
  while (all.size() < 3) {
    Workload w = generator.make();
    if (syntax->print(std::span<const Workload>(&w, 1)).losses.empty()) all.push_back(std::move(w));
  }
  const auto back = syntax->parse(syntax->print(all).text, no_files());
  ASSERT_TRUE(back) << describe(back.error());
  ASSERT_EQ(back->size(), all.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    EXPECT_EQ(without_words((*back)[i]), without_words(all[i]));
}

TEST_P(RoundTrip, OutstandingIsTheProduct) {
  const Syntax* syntax = find_syntax(GetParam());
  Generator generator(3);
  for (int round = 0; round < 300; ++round) {
    const Workload w = generator.make();
    EXPECT_EQ(w.outstanding_total, outstanding(w));
    EXPECT_EQ(outstanding_words(w).find(std::to_string(w.outstanding_total)), 0U);
  }
  (void)syntax;
}

INSTANTIATE_TEST_SUITE_P(Syntaxes, RoundTrip,
                         testing::Values("native", "sqlio", "diskspd", "iometer", "fio"));

TEST(Syntaxes, EveryPresetPrintsInTheWordsOfItsStudy) {
  const std::pair<const char*, const char*> studies[] = {{"sqlio-study", "sqlio"},
                                                         {"iometer-database", "iometer"},
                                                         {"iometer-queue-sweep", "iometer"},
                                                         {"iometer-database", "fio"},
                                                         {"iometer-queue-sweep", "diskspd"}};
  for (const auto& [preset, id] : studies) {
    const Syntax* syntax = find_syntax(id);
    const std::vector<Workload> points = find_preset(preset)->make({});
    const Printed printed = syntax->print(points);
    EXPECT_EQ(printed.losses, std::vector<std::string>{}) << preset << " in " << id;
    const auto back = syntax->parse(printed.text, no_files());
    ASSERT_TRUE(back) << describe(back.error()) << printed.text;
    ASSERT_EQ(back->size(), points.size());
    for (std::size_t i = 0; i < points.size(); ++i)
      EXPECT_EQ(without_words((*back)[i]), without_words(points[i])) << printed.text;
  }
}

TEST(Syntaxes, SaysWhatASyntaxCannotSay) {
  Workload w;
  w.name = "x";
  w.ramp_s = 60;
  w.read_percent = 67;
  const Printed printed = find_syntax("sqlio")->print(std::span<const Workload>(&w, 1));
  ASSERT_EQ(printed.losses.size(), 2U);
  EXPECT_EQ(printed.losses[0], "x: SQLIO cannot say reads and writes together");
  EXPECT_EQ(printed.losses[1], "x: SQLIO cannot say a ramp-up of 1m");
}

TEST(Derived, WordsSayHowTheOutstandingRequestsComeAbout) {
  Workload w;
  w.workers = 8;
  w.queue_depth_per_worker = 64;
  EXPECT_EQ(outstanding_words(w), "512 outstanding: 8 workers × 64");
  w.targets = {"a", "b"};
  EXPECT_EQ(outstanding_words(w), "1024 outstanding: 8 workers × 64 × 2 targets");
  w.depth_over_targets = true;
  EXPECT_EQ(outstanding_words(w), "512 outstanding: 8 workers × 64, going over 2 targets");
  w.depth_over_targets = false;
  w.groups = {{4, 2, {0}}, {1, 3, {0, 1}}};
  EXPECT_EQ(outstanding_words(w), "14 outstanding: 4 workers × 2 + 1 worker × 3 × 2 targets");
  w.groups.clear();
  w.instances = 2;
  EXPECT_EQ(outstanding_words(w), "2048 outstanding: 2 instances × (8 workers × 64 × 2 targets)");
}

TEST(Derived, GroupsThatDoTheSameAreOne) {
  Workload w;
  w.targets = {"a"};
  w.groups = {{2, 16, {0}}, {1, 16, {0}}};
  w = canonical(std::move(w));
  EXPECT_TRUE(w.groups.empty());
  EXPECT_EQ(w.workers, 3U);
  EXPECT_EQ(w.outstanding_total, 48U);
}

TEST(Derived, AMixThatWritesNeverLooksReadOnly) {
  Workload w;
  w.mix = {{99.9, 4096, 100, 100, 0}, {0.1, 4096, 99, 100, 0}};
  derive(w);
  EXPECT_EQ(w.read_percent, 99);
}

}  // namespace
}  // namespace raidscope
